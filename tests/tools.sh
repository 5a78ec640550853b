#!/bin/sh
# A browser, a PostgreSQL server and nginx for the tests: installed where they are missing and we may.
# Where we may not, this says so, and the tests that need them are skipped; with CI=true they fail.
set -u

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 \
  || missing="$missing postgresql"
PATH="$PATH:/usr/sbin" command -v nginx >/dev/null 2>&1 || missing="$missing nginx-light"
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing for the tests:$missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null \
    && exit 0
fi
echo "The tests would use$missing, which are not here and cannot be installed from here." >&2
echo "On Debian, as root: apt-get install$missing" >&2
[ "${CI:-}" = true ] && exit 1
exit 0
