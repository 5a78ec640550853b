"""Global War 1936-1945, 3rd edition."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from sandtable.games.gw36.model import State
from sandtable.games.gw36.seats import SEATS
from sandtable.kernel.package import GamePackage
from sandtable.kernel.ruleset import Option


def _switch(help: str) -> Option:
    """An optional rule: as in the chosen set, or on or off whatever the set says."""
    return Option(
        None,
        help,
        (None, True, False),
        {None: ("As in the set", ""), True: ("On", ""), False: ("Off", "")},
    )


class GlobalWar1936(GamePackage[State]):
    """The rules of Global War 1936-1945, 3rd edition, whole."""

    id = "gw36"
    title = "Global War 1936-1945"
    version = "1.0"
    powers = (
        "germany",
        "ussr",
        "ccp",
        "japan",
        "great_britain",
        "fec",
        "anzac",
        "france",
        "free_france",
        "italy",
        "usa",
        "kmt",
    )
    folder = Path(__file__).parent
    options: ClassVar[Mapping[str, Option]] = {
        "scenario": Option(
            "1936",
            "The scenario: from July 1936 or from July 1939.",
            ("1936", "1939"),
            {
                "1936": ("July 1936", "18 turns · small wars first, and time to arm"),
                "1939": ("July 1939", "12 turns · the war in Europe and in China is on"),
            },
        ),
        "rules": Option(
            "recommended",
            "Which optional rules are in use, as a set; each of them can be switched by itself.",
            ("basic", "recommended", "everything"),
            {
                "basic": ("Basic", "Only what the body of the book has as standard"),
                "recommended": ("Recommended", "Terrain and what most groups play"),
                "everything": ("Everything", "All optional rules"),
            },
        ),
        "players": Option(
            None,
            "How many persons play, and so who runs which nations; by default each by itself.",
            (None, 2, 3, 4, 5, 6, 7, 8),
            {
                None: ("Each nation by itself", ""),
                **{number: (f"{number} players", "") for number in range(2, 9)},
            },
        ),
        "mountains": _switch("Mountains hinder attack, movement and blitz (1.8)."),
        "deserts": _switch("Deserts hinder attack, movement and blitz (1.9)."),
        "jungles": _switch("Jungle hinders vehicles, bombing, movement and building (1.10)."),
        "marshes": _switch("Marsh hinders vehicles, movement and building (1.11)."),
        "rivers": _switch("Attacks across rivers are weaker, and rivers serve as railways (1.12)."),
        "tundra": _switch("Tundra and ice are impassable for land units (1.13)."),
        "canal_combat": _switch("Combat moves pass only canals of one's own side (1.15)."),
        "himalayan_hump": _switch("Aircraft that cross the Himalayas may crash (1.24)."),
        "variable_end": _switch("From July 1944 on a die decides whether the game ends (2.1)."),
        "national_objectives": _switch("Nations score their own objectives, too (3.4)."),
        "damaging_construction": _switch("Facilities under construction can be bombed (7.3)."),
        "carrier_retreat": _switch("Aircraft of a lost carrier have to land one zone away (9.4)."),
        "screening": _switch("A fleet may leave a screen behind to fight while it goes on (9.7)."),
        "surface_raiders": _switch("Surface ships may raid convoys (9.12)."),
        "mines": _switch("Ships and seaplanes may lay mines against convoys (9.13)."),
        "raiding_aircraft": _switch("Aircraft may raid convoys (9.14)."),
        "captured_bases": _switch("Units may move into bases captured this turn (10.2)."),
        "rail_gauge": _switch("Rail movement stops where the gauge changes (10.5)."),
        "motorized_upgrade": _switch("Infantry can be motorized for 1 IPP (11.2)."),
        "chinese_evolution": _switch("A Chinese faction can become a Major Power (13.3)."),
        "suez_reroute": _switch("If Suez is closed its convoys go round Africa (15.2)."),
        "advanced_carriers": _switch("Carrier aircraft have to return to their carriers (15.3)."),
        "slovakian_resistance": _switch("Slovakia may resist its annexation (15.4)."),
        "alternate_damage": _switch("Hits on capital ships vary and repairs cost IPP (15.5)."),
        "forcing_straits": _switch("Ships may force a closed strait (15.6)."),
        "advanced_escort": _switch("The heaviest ships cannot escort convoys (15.7)."),
        "ships_under_construction": _switch("Capital ships are built in a named yard (15.8)."),
        "early_fighters": _switch("Fighters are weaker before 1940 (15.9)."),
        "strategic_naval": _switch("A few ships a turn may move farther out of combat (10.6)."),
        "bombing_canals": _switch("Canals can be bombed (15.10)."),
        "minors_to_italy_and_france": _switch(
            "Minor Powers Align with Italy and France instead (15.11)."
        ),
    }

    def rounds(self, state: State) -> int:
        return state.date - state.facts.scenarios[state.options["scenario"]].first + 1

    def sides(self, state: State) -> dict[str, str]:
        return {power: state.facts.nations[power].alliance for power in self.powers}

    def seats(self, options: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
        """By the number of players; without one every nation is a seat.

        Rules: 2.3a, table-2-1a, table-2-1b, table-2-1c, table-2-1d, table-2-1e, table-2-1f
        """
        players = options["players"]
        return super().seats(options) if players is None else SEATS[players]


RULES = GlobalWar1936()
