"""Blitz! A World in Conflict."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from sandtable.games.blitz.model import State
from sandtable.kernel.package import GamePackage
from sandtable.kernel.ruleset import Option


def _switch(help: str) -> Option:
    return Option(False, help, (False, True))


class Blitz(GamePackage[State]):
    """The rules of Blitz! A World in Conflict, whole."""

    id = "blitz"
    title = "Blitz! A World in Conflict"
    version = "1.0"
    powers = ("germany", "japan", "afa", "usa", "ussr", "western_allies")
    folder = Path(__file__).parent
    options: ClassVar[Mapping[str, Option]] = {
        "scenario": Option(
            "A",
            "A to F: the short scenarios, each with a few more rules; campaign: the whole war.",
            ("A", "B", "C", "D", "E", "F", "campaign"),
            {
                "A": (
                    "A · The Blitz of Western Europe",
                    "2 turns · land combat and blitzes: start here",
                ),
                "B": ("B · The Longest Day", "3 turns · adds ships, landings and builds"),
                "C": (
                    "C · The Battle of the Atlantic",
                    "7 turns · adds sea combat, convoys, oil, weapons",
                ),
                "D": ("D · Barbarossa", "10 turns · adds supply, snow and Lend Lease"),
                "E": (
                    "E · Empire of the Rising Sun",
                    "12 turns · the Pacific, China and the A-Bomb",
                ),
                "F": (
                    "F · Rise and Fall of Fascism",
                    "15 turns · adds politics, partisans and trade",
                ),
                "campaign": ("The whole war", "15 turns · all five powers and every rule"),
            },
        ),
        "players": Option(
            None,
            "How many persons play, and so who runs which powers; by default as many as can.",
            (None, 2, 3, 4, 5),
            {
                None: ("As many as can", ""),
                2: ("Two", ""),
                3: ("Three", ""),
                4: ("Four", ""),
                5: ("Five", ""),
            },
        ),
        "no_triangles": _switch("Ignore red and white triangles, as for a first game (A.6)."),
        "bidding": _switch(
            "Bid for the powers before the game (9.1; scenarios E, F and campaign)."
        ),
        "road_to_war": _switch(
            "Blitzing the Road to War: change how the war begins (9.2; campaign)."
        ),
        "minor_ally_builds": _switch("Each country's Resource has to build its units first (9.3)."),
        "land_route_attacks": _switch("One Small land unit may attack across a land route (9.4)."),
        "commanders": _switch("Commanders lead units (9.5)."),
        "sabotage": _switch("Resources may be spent on sabotage (9.6)."),
        "non_motorized_blitz": _switch("A Land Blitz may be paid with a saved Resource (9.7)."),
        "forced_passage": _switch("Ships may force passages that are closed to them (9.8)."),
        "looting": _switch("Taken Factories may be looted instead of scoring (9.9)."),
    }

    def lighten(self, state: State) -> None:
        state.drop_derived()

    def rounds(self, state: State) -> int:
        return state.turn - state.scenario.turns[0] + 1

    def sides(self, state: State) -> dict[str, str]:
        return dict(state.facts.side)

    def seats(self, options: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
        seats: tuple[tuple[str, ...], ...] = self._own("setup", "seats")(options)
        return seats


RULES = Blitz()
