"""`python -m tests.audit`: are the packages that we depend on known to be vulnerable? Where that
cannot be found out, it says why and fails nothing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

CONSTRAINTS = Path(__file__).resolve().parent.parent / "constraints.txt"


def main() -> int:
    """0 if nothing is known, or nothing can be known here; 1 with a list otherwise."""
    if importlib.util.find_spec("pip_audit") is None:
        print("Skipped: pip-audit is not installed (pip install pip-audit).")
        return 0
    command = ["-m", "pip_audit", "--disable-pip", "--no-deps", "-r", str(CONSTRAINTS)]
    found = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    said = found.stdout + found.stderr
    if found.returncode and ("ConnectionError" in said or "Max retries" in said):
        print("Skipped: the list of known vulnerabilities cannot be reached.")
        return 0
    print(said)
    return found.returncode


if __name__ == "__main__":
    sys.exit(main())
