"""Frames per second while the map is moved and zoomed over the crowded middle of a war: the areas
of `aa1942`, and the hexes of `gw75` with their counters.

A real server with the client that has been built, and headless Chromium without a graphics card.
The mouse is moved from within the page, once for each frame; a frame takes as long as the browser
says.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright

import sandtable
from bench.rows import Row
from sandtable.bots import play_out, seat
from sandtable.kernel.savefile import save_text
from tests.browser.conftest import FLAGS
from tests.server.network import Server

GAMES = ("aa1942", "gw75")
LEAST = 45
ROUNDS = 7
SIZE = (1366, 768)
SCRIPT = """
async () => {
  const canvas = document.querySelector('.board canvas')
  const box = canvas.getBoundingClientRect()
  const at = (x, y) => ({
    clientX: box.left + x, clientY: box.top + y,
    bubbles: true, cancelable: true, view: window, button: 0,
  })
  const frame = () => new Promise(requestAnimationFrame)
  const rest = () => new Promise((done) => setTimeout(done, 700))
  const mouse = (to, type, x, y) => to.dispatchEvent(new MouseEvent(type, at(x, y)))
  const wheel = (x, y, dy) =>
    canvas.dispatchEvent(new WheelEvent('wheel', { ...at(x, y), deltaY: dy }))
  const times = {}
  const part = async (name, steps, act) => {
    const seen = [await frame()]
    for (let i = 0; i < steps; i++) {
      act(i)
      seen.push(await frame())
    }
    times[name] = seen.slice(1).map((time, i) => time - seen[i])
  }
  const drag = async (name, steps, dx, dy) => {
    const [x, y] = [box.width / 2, box.height / 2]
    mouse(canvas, 'mousedown', x, y)
    const move = (i) => mouse(window, 'mousemove', x + dx * (i + 1), y + dy * Math.sin(i / 15))
    await part(name, steps, move)
    mouse(window, 'mouseup', x + dx * steps, y)
  }
  const look = async (name) => {
    const views = [...document.querySelectorAll('.board .views button')]
    views.find((button) => button.textContent === name).click()
    await rest()
  }
  await look('World')
  const [x, y] = [box.width * 0.42, box.height * 0.35]
  await drag('pan over the world', 120, -8, 30)
  await part('zoom in', 90, () => wheel(x, y, -14))
  await drag('pan over Europe', 120, -9, 60)
  await part('zoom out', 90, () => wheel(x, y, 14))
  await drag('pan back', 60, 16, 30)
  await look('Pacific')
  await drag('pan round the globe', 120, -12, 30)
  return times
}
"""


def crowded(id: str) -> sandtable.Game:
    """A game in which much has been built and little is decided."""
    game = sandtable.new(id, seed=3)
    play_out(game, seat(game, "greedy", 3), max_rounds=ROUNDS)
    return game


def table(context: BrowserContext, url: str, game: sandtable.Game) -> str:
    """The address of a game that goes on; a guest has all its seats."""
    ask = context.request
    ask.post(f"{url}/api/guests", data={"name": "Bench"})
    headers = {"X-CSRF-Token": ask.get(f"{url}/api/me").json()["csrf"]}
    seats = [{"powers": list(powers), "kind": "me"} for powers in game.rules.seats(game.options)]
    lobby = {"save": save_text(game), "title": "Frames", "access": "private", "seats": seats}
    made = ask.post(f"{url}/api/games", data=lobby, headers=headers)
    assert made.ok, made.text()
    id = made.json()["id"]
    begun = ask.post(f"{url}/api/games/{id}/start", data={}, headers=headers)
    assert begun.ok, begun.text()
    return f"{url}/game/{id}"


def measure(context: BrowserContext, url: str) -> dict[str, list[float]]:
    """For each part of the walk over the map of that page the times of its frames, in ms."""
    page = context.new_page()
    page.goto(url)
    page.locator(".board .overview").wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    times: dict[str, list[float]] = page.evaluate(SCRIPT)
    page.close()
    return times


def rows(id: str, times: dict[str, list[float]]) -> list[Row]:
    """The figures of a game."""
    found = []
    for name, frames in times.items():
        rate = 1000 * len(frames) / sum(frames)
        figure = f"{rate:.1f} fps, slowest frame {max(frames):.0f} ms"
        found.append(Row(f"{id}: {name}", figure, target=f">= {LEAST} fps", met=rate >= LEAST))
    return found


def run() -> list[Row]:
    """The figures for `make bench`."""
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser_path is None:
        return [Row("frames while the map moves", "no Chromium here", target=f">= {LEAST} fps")]
    games = [crowded(id) for id in GAMES]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/bench.sqlite", Path(folder) / "log")
        server.start()
        try:
            asyncio.run(server.up())
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
                width, height = SIZE
                context = browser.new_context(viewport={"width": width, "height": height})
                for game in games:
                    url = table(context, server.url, game)
                    found += rows(game.rules.id, measure(context, url))
                browser.close()
        finally:
            server.stop()
    return found
