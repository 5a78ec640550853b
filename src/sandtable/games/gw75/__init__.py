"""Global War, the SPI game of 1975."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from sandtable.games.gw75.model import State
from sandtable.games.gw75.seats import SEATS
from sandtable.kernel.package import GamePackage
from sandtable.kernel.ruleset import Option


class GlobalWar1975(GamePackage[State]):
    """The rules of Global War, whole."""

    id = "gw75"
    title = "Global War (1975)"
    version = "1.3"
    powers = ("germany", "italy", "japan", "commonwealth", "france", "usa", "ussr")
    folder = Path(__file__).parent
    options: ClassVar[Mapping[str, Option]] = {
        "scenario": Option(
            "standard",
            "The scenario: the whole war, or from the summer of 1942.",
            ("standard", "watermark"),
            {
                "standard": ("Standard Scenario", "Fall 1939 to Spring 1945 · 23 turns"),
                "watermark": ("Axis High Watermark", "Summer 1942 to Spring 1945 · 12 turns"),
            },
        ),
        "players": Option(
            2,
            "How many persons play, and so who runs which nations (21.11).",
            (2, 3, 4, 5),
            {number: (f"{number} players", "") for number in range(2, 6)},
        ),
        "vichy": Option(
            False,
            "When France falls the Axis may declare Vichy France (20.1).",
            (True, False),
            {True: ("On", ""), False: ("Off", "")},
        ),
        "indochina": Option(
            False,
            "With Vichy France: Japan may enter Indochina, at the price of a US embargo (20.2).",
            (True, False),
            {True: ("On", ""), False: ("Off", "")},
        ),
    }

    def rounds(self, state: State) -> int:
        return state.turn - state.facts.scenarios[state.options["scenario"]].first + 1

    def sides(self, state: State) -> dict[str, str]:
        return {power: state.facts.nations[power].side for power in self.powers}

    def seats(self, options: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
        """By the number of players.

        Rules: 21.11a, 21.11b, 21.11c
        """
        return SEATS[options["players"]]


RULES = GlobalWar1975()
