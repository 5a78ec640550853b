"""A person at a browser, who uses what can be seen."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SECONDS


class Person:
    """Plays in a page: everything by visible controls."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page = page
        self.touch = touch
        # Not by their roles: they have none while a dialog is open before them or a drawer closed.
        self.panel = page.locator("[data-kind]")
        self.log = page.locator('[aria-label="Log"]')

    @property
    def kind(self) -> str:
        """The kind of request that is asked, or ""."""
        kinds = self.panel.evaluate_all("panels => panels.map(one => one.dataset.kind)")
        return kinds[0] if kinds else ""

    @property
    def steps(self) -> int:
        """How many changes of the game are shown, undone ones included."""
        version = self.page.locator('section[aria-label="Timeline"]').get_attribute("data-version")
        assert version
        return int(version)

    def asked(self, *kinds: str) -> str:
        """Wait until one of these is asked."""
        expect(self.panel).to_have_attribute("data-kind", re.compile(f"^({'|'.join(kinds)})$"))
        return self.kind

    def wait(self, true: Callable[[], bool]) -> None:
        """Wait until something can be seen."""
        until = time.monotonic() + SECONDS
        while not true():
            assert time.monotonic() < until, f"It does not come: {self.panel.all_inner_texts()}"
            self.page.wait_for_timeout(50)

    def turn(self, *, over: bool = False) -> bool:
        """Wait until something is asked, or the game is over; whether something is asked."""
        dialog = self.page.get_by_role("dialog")
        self.wait(lambda: bool(self.kind) or (over and dialog.is_visible()))
        return not (over and dialog.is_visible())

    def play(self, until: Callable[[], bool]) -> None:
        """Give the proposed or the first answer to everything until something can be seen."""
        while True:
            self.wait(lambda: until() or bool(self.kind))
            if until():
                return
            self.decide()

    def act(self, control: Locator) -> None:
        """Press what decides something, twice if it asks whether something is forgotten, and wait
        until it has been decided."""
        before = self.steps
        self.press(control)
        asks = self.panel.locator("[data-sure]")
        self.wait(lambda: self.steps != before or asks.count() > 0 or not self.idle)
        if asks.count():
            if self.touch:
                # Two taps in quick succession are one double tap, which is no answer.
                self.page.wait_for_timeout(700)
            self.press(asks.first)
        self.wait_beyond(before)

    def press(self, control: Locator) -> None:
        """Press something, with the mouse or with a finger."""
        if self.touch:
            control.tap()
        else:
            control.click()

    @property
    def idle(self) -> bool:
        """Whether no answer is under way. When the game is over, there is no panel any more."""
        busy = "panels => panels.some(one => one.getAttribute('aria-busy') === 'true')"
        return not self.panel.evaluate_all(busy)

    def wait_beyond(self, steps: int) -> None:
        """Wait until the game is further than that, and the next question is there."""
        self.wait(lambda: self.steps != steps and self.idle)

    def wait_until_steps(self, steps: int) -> None:
        """Wait until the game has had so many steps, and the next question is there."""
        self.wait(lambda: self.steps == steps and self.idle)

    def button(self, answer: str) -> Locator:
        """The button that gives an answer: main, done, pass, auto."""
        return self.panel.locator(f'[data-answer="{answer}"]').first

    def row(self, key: str) -> Locator:
        """The input of a row."""
        return self.panel.locator(f'[data-row="{key}"]')

    def put(self, key: str, number: int) -> None:
        """Put a number into a row."""
        row = self.row(key)
        if row.get_attribute("type") == "checkbox":
            row.set_checked(number > 0)
        else:
            row.fill(str(number))

    def place(self, space: str, symbol: str = "") -> tuple[float, float]:
        """Where the pieces of a space are in the page, or the counter with a symbol."""
        where = "([space, symbol]) => window.__sandtable_board?.(space, symbol)"
        self.wait(lambda: bool(self.page.evaluate(where, [space, symbol])))
        at = self.page.evaluate(where, [space, symbol])
        return at["x"], at["y"]

    def drag(self, origin: str, symbol: str, goal: str, *, stack: bool = False) -> None:
        """Drag a counter to another space, with Shift the whole stack."""
        if stack:
            self.page.keyboard.down("Shift")
        self.page.mouse.move(*self.place(origin, symbol))
        self.page.mouse.down()
        self.page.mouse.move(*self.place(goal), steps=4)
        self.page.mouse.up()
        if stack:
            self.page.keyboard.up("Shift")

    def space(self, id: str) -> None:
        """Choose a space of the map, as a keyboard would."""
        self.page.locator(f'button[data-space="{id}"]').focus()
        self.page.keyboard.press("Enter")

    def content(self, space: str) -> str:
        """What the map shows in a space, in words."""
        label = self.page.locator(f'button[data-space="{space}"]').get_attribute("aria-label")
        assert label
        return label

    def name_of(self, space: str) -> str:
        """What a space is called."""
        return re.split(r"[,:;]", self.content(space))[0]

    def move(self, origin: str, units: dict[str, int], goal: str) -> None:
        """Move units from a space to another: pick the stack, the units, the goal."""
        if not self.panel.get_by_role("heading", name=f"From {self.name_of(origin)}").is_visible():
            self.space(origin)
        for key, number in units.items():
            self.put(key, number)
        way = self.panel.locator(f'[data-way="{goal}"]')
        expect(way).to_be_visible()
        self.act(way)

    def decide(self) -> None:
        """Give the proposed or the first answer to whatever is asked. On a phone a battle that is
        over lies before it, and is closed first."""
        over = self.page.locator('[data-stage="continue"]')
        if self.touch and over.is_visible():
            self.press(over)
        for answer in ("main", "done", "pass"):
            control = self.button(answer)
            if control.is_visible() and control.is_enabled():
                self.act(control)
                return
        before = self.steps
        self.press(self.panel.locator("[data-choice]").first)
        # That may be all, or units have to be chosen for it, or it is asked whether we are sure.
        further = self.panel.locator(
            '[data-answer="main"]:not(:disabled), [data-choice]:has-text("Really?")'
        )
        self.wait(lambda: self.steps != before or further.count() > 0)
        if self.steps == before:
            self.press(further.first)
        self.wait_beyond(before)


def start(page: Page, button: str) -> Person:
    """A game by one of the quick starts of the first page."""
    page.goto("/")
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/game/*")
    return Person(page)


def load(page: Page, save: str, kept_as: str = "saved.json") -> Person:
    """A game from a save, by the first page: me for Germany, bots for the others."""
    page.goto("/")
    page.locator("label", has_text="Load a save").locator("input").set_input_files(
        [{"name": kept_as, "mimeType": "application/json", "buffer": save.encode()}]
    )
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    return Person(page)


AXIS = "Play Germany against bots"
SCENARIO_A = "Play scenario A as Germany"
KNOWN_DICE = 1942
"""A save with this seed goes on with its own dice: they are the same in every run."""
