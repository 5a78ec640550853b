"""Frames per second while the map is moved and zoomed over the crowded middle game of `aa1942`.

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
  const views = [...document.querySelectorAll('.board .views button')]
  views.find((button) => button.textContent === 'World').click()
  await rest()
  const [x, y] = [box.width * 0.42, box.height * 0.35]
  await drag('pan over the world', 120, -8, 30)
  await part('zoom in', 90, () => wheel(x, y, -14))
  await drag('pan over Europe', 120, -9, 60)
  await part('zoom out', 90, () => wheel(x, y, 14))
  await drag('pan back', 60, 16, 30)
  return times
}
"""


def crowded() -> str:
    """The save of a game in which much has been built and little is decided."""
    game = sandtable.new("aa1942", seed=3)
    play_out(game, seat(game, "greedy", 3), max_rounds=ROUNDS)
    return save_text(game)


def table(context: BrowserContext, url: str, save: str) -> str:
    """The address of a game that goes on with a save; a guest has all its seats."""
    ask = context.request
    ask.post(f"{url}/api/guests", data={"name": "Bench"})
    headers = {"X-CSRF-Token": ask.get(f"{url}/api/me").json()["csrf"]}
    powers = ["soviet_union", "germany", "united_kingdom", "japan", "united_states"]
    seats = [{"powers": [power], "kind": "me"} for power in powers]
    lobby = {"save": save, "title": "Frames", "access": "private", "seats": seats}
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


def run() -> list[Row]:
    """The figures for `make bench`."""
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser_path is None:
        return [Row("frames while the map moves", "no Chromium here", target=f">= {LEAST} fps")]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/bench.sqlite", Path(folder) / "log")
        server.start()
        try:
            asyncio.run(server.up())
            save = crowded()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
                width, height = SIZE
                context = browser.new_context(viewport={"width": width, "height": height})
                times = measure(context, table(context, server.url, save))
                browser.close()
        finally:
            server.stop()
    rows = []
    for name, frames in times.items():
        rate = 1000 * len(frames) / sum(frames)
        figure = f"{rate:.1f} fps, slowest frame {max(frames):.0f} ms"
        rows.append(Row(name, figure, target=f">= {LEAST} fps", met=rate >= LEAST))
    return rows
