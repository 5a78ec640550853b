"""Axis & Allies 1942, 2nd Edition."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from sandtable.games.aa1942.model import State
from sandtable.kernel.package import GamePackage
from sandtable.kernel.ruleset import Option


class AxisAndAllies1942(GamePackage[State]):
    """The rules of Axis & Allies 1942, 2nd Edition, whole."""

    id = "aa1942"
    title = "Axis & Allies 1942, 2nd Edition"
    version = "1.0"
    powers = ("soviet_union", "germany", "united_kingdom", "japan", "united_states")
    folder = Path(__file__).parent
    options: ClassVar[Mapping[str, Option]] = {
        "victory": Option(
            "standard",
            "Cities needed to win: 9, or all of them.",
            ("standard", "total"),
            {
                "standard": ("Nine cities", "A side wins with 9 victory cities as a round ends"),
                "total": ("All cities", "A side has to take every one of them"),
            },
        ),
        "cities": Option(
            12,
            "Victory cities: 12 as printed, or 13 with Honolulu as in the FAQ.",
            (12, 13),
            {12: ("12 cities", "As printed"), 13: ("13 cities", "With Honolulu")},
        ),
        "treasury": Option(
            "corrected",
            "Money at the start: Germany 41 and United Kingdom 31, or 40 and 30 as printed.",
            ("corrected", "printed"),
            {
                "corrected": ("Corrected", "Germany 41, United Kingdom 31"),
                "printed": ("As printed", "Germany 40, United Kingdom 30"),
            },
        ),
        "setup": Option(
            "boxed",
            "The units at the start, as boxed or for tournaments.",
            ("boxed", "tournament"),
            {"boxed": ("As in the box", ""), "tournament": ("Tournament", "")},
        ),
        "dardanelles": Option(False, "Close the Turkish straits to ships.", (False, True)),
        "interceptors": Option(False, "Escorts and interceptors in bombing raids.", (False, True)),
        "luck": Option(
            "usual",
            "Low luck: whenever a side fires, the values of its units are added up; each full 6 is "
            "a sure hit, and one die decides about the rest. Antiaircraft fire, bombardment and "
            "bombs are rolled as usual.",
            ("usual", "low"),
            {
                "usual": ("Usual dice", "A die for each unit"),
                "low": ("Low luck", "Sure hits for each full 6, one die for the rest"),
            },
            later=True,
        ),
        "bid": Option(
            0,
            "A bid: extra IPCs with which one side places units before the game begins, one unit "
            "to a territory or sea zone, where the power has units already. What is not spent goes "
            "into the treasury of the last power of that side.",
            tuple(range(31)),
            {0: ("No bid", ""), **{n: (f"{n} IPCs", "") for n in range(1, 31)}},
            later=True,
        ),
        "bid_side": Option(
            "allies",
            "The side that has the bid.",
            ("allies", "axis"),
            {"allies": ("Allies", ""), "axis": ("Axis", "")},
            later=True,
        ),
        "players": Option(
            None, "Who runs which powers, person to list of powers; by default one person a side."
        ),
    }

    def rounds(self, state: State) -> int:
        return state.round

    def sides(self, state: State) -> dict[str, str]:
        return {power: state.facts.side[power] for power in self.powers}

    def seated(
        self, options: Mapping[str, Any], people: Mapping[str, tuple[str, ...]]
    ) -> dict[str, Any]:
        """A person who runs powers of both sides is a person for each (game.players.same-side)."""
        if options["players"] is not None:
            return dict(options)
        side = self._own("facts", "load_facts")().side
        players: dict[str, list[str]] = {}
        for person, powers in people.items():
            for power in powers:
                both = len({side[each] for each in powers}) > 1
                name = f"{person} ({side[power]})" if both else person
                players.setdefault(name, []).append(power)
        return {**options, "players": players}

    def unseated(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {**options, "players": None}

    def prepare(self, *, wait: bool = True) -> None:
        from sandtable.odds.compiled import behind, kernel

        # What forms of battles ask: the bot for proposals, the odds for clear battles.
        import_module("sandtable.games.aa1942.bot")
        import_module("sandtable.games.aa1942.forms.chances")
        kernels = ("sandtable.odds.line", "sandtable.odds.layers")
        if not wait:
            behind(kernels)
            return
        for each in kernels:
            kernel(each)


RULES = AxisAndAllies1942()
