"""A running server and a real browser for the tests of the client."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
STATIC = ROOT / "src" / "sandtable" / "server" / "static"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"laptop": (1366, 768), "tablet": (1024, 768)}
PHONE = "phone"

SECONDS = 120
"""How long anything is waited for that has to come: with other programs beside it may take long."""

expect.set_options(timeout=SECONDS * 1000)


def _needed(what: str, there: bool) -> None:
    """Skip where something is missing; fail where it must not be."""
    if there:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and this run insists on it.")
    pytest.skip(f"{what} is missing: run make test.")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on a database of its own."""
    _needed("The client's build", (STATIC / "index.html").is_file())
    home = tmp_path_factory.mktemp("server")
    log = (home / "log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.browser.served", "serve", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "SANDTABLE_HOME": str(home), "SANDTABLE_RATE": "0"},
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    # Then its output ends, and we do not wait for its address any more.
    late = threading.Timer(SECONDS, process.kill)
    late.start()
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                late.cancel()
                yield found.group().rstrip("/.")
                break
        else:
            pytest.fail(f"The server did not start: {(home / 'log').read_text()}")
    finally:
        late.cancel()
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail(f"The server does not end: {(home / 'log').read_text()[-5000:]}")
        finally:
            log.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a screen. Not for the whole session: while Playwright is there,
    an event loop runs in this thread, and tests that start one of their own would fail."""
    path = shutil.which("chromium")
    _needed("Chromium", path is not None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Open]:
    """Opens a path as a new person: `open_page("/", size="tablet", theme="dark")`."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open(path: str = "/", *, size: str = "laptop", theme: str = "light") -> Page:
        width, height = {**SIZES, PHONE: (390, 844)}[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            has_touch=size == PHONE,
            base_url=server,
        )
        context.set_default_timeout(SECONDS * 1000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path)
        return page

    yield open
    for context in contexts:
        context.close()
    assert not errors, f"The page threw: {errors}"
