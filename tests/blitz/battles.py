"""Combats of all kinds, as questions and as games that are about to fight them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sandtable.games.blitz.odds import Question, Result, answer, question
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, CommitDefence, Defend
from sandtable.games.blitz.rules.sides import OTHER, acting_side, side_of
from sandtable.games.blitz.rules.steps import Done
from sandtable.kernel.decisions import CHANCE, Roll
from sandtable.kernel.game import Game
from tests.blitz.table import Play

WARS = [
    ("germany", "afa"),
    ("germany", "usa"),
    ("germany", "ussr"),
    ("japan", "afa"),
    ("japan", "usa"),
]


@dataclass(frozen=True)
class Battle:
    """A combat: who has what where, who attacks what, and which air units join the defence."""

    power: str
    units: Mapping[str, tuple[int, str] | tuple[int, str, str]]
    """Size, place, and the transport that it is aboard of."""
    attack: tuple[str, ...]
    target: str
    kind: str = "ground"
    defend: tuple[str, ...] = ()
    port: str = ""
    flying: tuple[str, ...] = ()
    scenario: str = "campaign"
    options: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def pieces(self) -> dict[str, dict[str, Any]]:
        """The units as a position has them."""
        fields = ("size", "at", "aboard")
        return {id: dict(zip(fields, unit, strict=False)) for id, unit in self.units.items()}

    def begin(self) -> Game:
        """A game with explicit chance that rests where the combat begins to branch."""
        side = "axis" if self.power in ("germany", "japan") else "allied"
        setting: dict[str, Any] = {
            "turn": 5,
            "phase": f"{side}_activities",
            "step": "C" if self.kind == "sea" else "F",
        }
        if self.scenario == "campaign":
            setting["wars"] = WARS
        play = Play(
            self.scenario, dict(self.options), units=self.pieces(), **{**setting, **self.more}
        )
        if self.kind == "sea":
            return play.game
        attack = AnnounceAttack(
            self.kind,  # type: ignore[arg-type]
            self.target,
            self.attack,
            self.port,
            self.flying,
        )
        while play.state.queue:
            power = play.state.queue[0]
            if power == self.power:
                play.do(power, attack)
            play.do(power, Done())
            if power == self.power and not play.state.queue:
                break
        for request in play.game.pending:
            if isinstance(request, CommitDefence):
                able = tuple(id for id in self.defend if id in request.units["0"])
                play.do(request.power, Defend({"0": able}))
        return play.game

    def ask(self, **options: Any) -> Question:
        """The same combat as a question."""
        side = "axis" if self.power in ("germany", "japan") else "allied"
        position: dict[str, Any] = {
            "base": "empty",
            "turn": 5,
            "phase": f"{side}_activities",
            "units": self.pieces(),
            **self.more,
        }
        if self.scenario == "campaign":
            position["wars"] = WARS
        return question(
            list(self.attack),
            list(self.defend),
            target=self.target,
            combat=self.kind,
            port=self.port,
            flying=list(self.flying),
            scenario=self.scenario,
            options=self.options,
            position=position,
            **options,
        )

    def odds(self, **options: Any) -> Result:
        return answer(self.ask(**options))


Key = tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]], str]


def play_out(game: Game, q: Question, result: Result, rng: random.Random) -> Key:
    """Fight a combat in a copy of the game, by its rules and with dice at random: what is left."""
    copy = game.clone()
    when, side = (copy.state.phase, copy.state.step), acting_side(copy.state)
    while copy.result is None and (copy.state.phase, copy.state.step) == when:
        request: Any = copy.pending[0]
        if request.power == CHANCE:
            faces = tuple(rng.randint(1, request.sides) for _ in range(request.dice))
            copy.submit(CHANCE, Roll(faces))
        else:
            copy.submit(request.power, q.policy.decide(copy.state, request))
    s = copy.state
    left = [
        frozenset(
            (id, s.units[id].size)
            for id in units
            if id in s.units and side_of(s, s.units[id].power) == each
        )
        for units, each in ((result.attacker_start, side), (result.defender_start, OTHER[side]))
    ]
    return left[0], left[1], s.control.get(result.target, "")


def expected(result: Result) -> dict[Key, float]:
    """The chances of what can be left."""
    found: Counter[Key] = Counter()
    for end in result.ends:
        key = (frozenset(end.attacker.items()), frozenset(end.defender.items()), end.control)
        found[key] += end.probability  # type: ignore[assignment]
    return {key: float(p) for key, p in found.items()}


POLAND = Battle(
    "germany",
    {
        "ger_army_group_center": (2, "berlin"),
        "ger_army_group_north": (1, "berlin"),
        "ger_1st_para": (1, "berlin"),
        "ger_luftwaffe": (2, "berlin"),
        "ger_18th_army": (2, "berlin"),
        "afa_polish_army": (2, "poland"),
    },
    ("ger_army_group_center", "ger_army_group_north", "ger_1st_para", "ger_luftwaffe"),
    "poland",
    scenario="A",
    more={"turn": 2},
)

_DON_UNITS = {
    "sov_byelorussian_front": (3, "stalingrad"),
    "sov_western_front": (4, "stalingrad"),
    "sov_far_eastern_front": (1, "stalingrad"),
    "sov_guards_banner_army": (2, "stalingrad"),
    "sov_transbaikal_front": (2, "caucasus_mountains"),
    "sov_1st_air_army": (3, "stalingrad"),
    "sov_black_sea_fleet": (2, "black_sea"),
    "ger_waffen_ss_army": (2, "don_basin"),
    "ger_army_group_b": (2, "don_basin"),
}
_DON_HELD = {"control": {"don_basin": "germany", "ukraine": "germany", "poland": "germany"}}
DON = Battle("ussr", _DON_UNITS, tuple(list(_DON_UNITS)[:7]), "don_basin", more=_DON_HELD)

_WEST = {
    "ger_army_group_b": (2, "western_germany"),
    "ger_18th_army": (2, "western_germany"),
    "ger_luftwaffe": (2, "western_germany"),
    "ger_stukas": (2, "western_germany"),
    "ger_2nd_para": (1, "western_germany"),
    "afa_1st_army_group": (2, "paris"),
    "afa_bef": (1, "paris"),
    "afa_royal_air_force": (2, "london"),
}
_FRANCE = {"control": {"paris": "germany"}}

BATTLES: dict[str, Battle] = {
    "poland": POLAND,
    "don": DON,
    "don with an air round": Battle(
        "ussr",
        {**_DON_UNITS, "ger_luftwaffe": (2, "ukraine")},
        ("sov_western_front", "sov_guards_banner_army", "sov_1st_air_army"),
        "don_basin",
        defend=("ger_luftwaffe",),
        more=_DON_HELD,
    ),
    "paris with an air round": Battle(
        "germany",
        {id: unit for id, unit in _WEST.items() if id != "afa_bef"},
        ("ger_army_group_b", "ger_18th_army", "ger_luftwaffe"),
        "paris",
        defend=("afa_royal_air_force",),
    ),
    "a para flies in": Battle(
        "germany",
        _WEST,
        ("ger_army_group_b", "ger_2nd_para", "ger_stukas"),
        "paris",
        defend=("afa_royal_air_force",),
        flying=("ger_2nd_para",),
    ),
    "gibraltar, a fort": Battle(
        "germany",
        {
            "ger_pzaa": (2, "spain"),
            "ger_luftwaffe": (2, "spain"),
            "afa_ghq": (1, "gibraltar"),
        },
        ("ger_pzaa", "ger_luftwaffe"),
        "gibraltar",
        more={
            "control": {"spain": "germany", "portugal": "germany", "vichy_france": "germany"},
            "allied": {"iberia": "germany"},
        },
    ),
    "commanders": Battle(
        "germany",
        _WEST,
        ("ger_army_group_b", "ger_18th_army", "ger_luftwaffe"),
        "paris",
        defend=("afa_royal_air_force",),
        options={"commanders": True},
        more={
            "commanders": {
                "manstein": ("western_germany", "ger_18th_army"),
                "kesselring": ("western_germany", "ger_luftwaffe"),
            }
        },
    ),
    "a factory": Battle(
        "western_allies",
        {"usa_1st_tactical_air_force": (4, "london"), "afa_bomber_command": (4, "london")},
        ("usa_1st_tactical_air_force", "afa_bomber_command"),
        "western_germany",
        "factory",
        scenario="D",
        more={"factory_damage": {"western_germany": 1}},
    ),
    "a factory with flak and fighters": Battle(
        "afa",
        {
            "afa_bomber_command": (2, "paris"),
            "afa_north_atlantic_fleet": (4, "north_sea"),
            "ger_ruhr_flak": (1, "western_germany"),
            "ger_me_109s": (2, "western_germany"),
        },
        ("afa_bomber_command", "afa_north_atlantic_fleet"),
        "western_germany",
        "factory",
        defend=("ger_me_109s",),
    ),
    "a port": Battle(
        "afa",
        {
            "afa_north_atlantic_fleet": (4, "western_approaches"),
            "afa_bomber_command": (2, "london"),
            "ger_high_seas_fleet": (2, "paris"),
            "ger_graf_zeppelin": (2, "paris"),
            "ger_u_boat_ii": (2, "paris"),
        },
        ("afa_north_atlantic_fleet", "afa_bomber_command"),
        "paris",
        "port",
        port="western_approaches",
        more=_FRANCE,
    ),
    "a port with fighters": Battle(
        "afa",
        {
            "afa_bomber_command": (2, "london"),
            "ger_high_seas_fleet": (2, "paris"),
            "ger_me_109s": (1, "paris"),
        },
        ("afa_bomber_command",),
        "paris",
        "port",
        defend=("ger_me_109s",),
        port="western_approaches",
        more=_FRANCE,
    ),
    "carriers and a convoy": Battle(
        "japan",
        {"jap_naval_air": (2, "east_china_sea"), "usa_12th_fleet": (2, "east_china_sea")},
        ("jap_naval_air",),
        "east_china_sea",
        "sea",
    ),
    "a convoy battle": Battle(
        "germany",
        {
            "ger_u_boat_ii": (2, "north_atlantic"),
            "ger_high_seas_fleet": (2, "north_atlantic"),
            "afa_north_sea_fleet": (2, "north_atlantic"),
            "afa_home_fleet": (2, "north_atlantic"),
        },
        ("ger_u_boat_ii", "ger_high_seas_fleet"),
        "north_atlantic",
        "sea",
        scenario="C",
    ),
    "aircraft fly out to the fleet": Battle(
        "germany",
        {
            "ger_high_seas_fleet": (2, "north_sea"),
            "afa_home_fleet": (1, "north_sea"),
            "afa_coastal_command": (2, "scotland"),
        },
        ("ger_high_seas_fleet",),
        "north_sea",
        "sea",
        defend=("afa_coastal_command",),
        scenario="C",
    ),
    "marines on an island": Battle(
        "usa",
        {
            "usa_pacific_trs": (2, "japanese_coast"),
            "usa_marines": (2, "japanese_coast", "usa_pacific_trs"),
            "usa_pacific_fleet": (4, "japanese_coast"),
            "jap_iwo_jima_fortress": (1, "iwo_jima"),
        },
        ("usa_marines", "usa_pacific_fleet"),
        "iwo_jima",
        more={"control": {"iwo_jima": "japan"}},
    ),
    "kamikazes and a convoy of troops": Battle(
        "japan",
        {
            "jap_kamikazes": (1, "east_china_sea"),
            "jap_combined_fleet": (3, "east_china_sea"),
            "usa_pacific_trs": (2, "east_china_sea"),
            "usa_marines": (1, "east_china_sea", "usa_pacific_trs"),
            "usa_1st_us_army": (2, "east_china_sea", "usa_pacific_trs"),
            "usa_pacific_fleet": (4, "east_china_sea"),
        },
        ("jap_kamikazes", "jap_combined_fleet"),
        "east_china_sea",
        "sea",
    ),
    "a v-weapon": Battle(
        "germany",
        {"ger_v_2": (1, "paris"), "ger_he_111s": (2, "paris"), "afa_spitfires": (2, "london")},
        ("ger_v_2", "ger_he_111s"),
        "london",
        "factory",
        defend=("afa_spitfires",),
        more=_FRANCE,
    ),
    "snow": Battle(
        "germany",
        {
            "ger_army_group_center": (3, "poland"),
            "ger_waffen_ss_army": (2, "poland"),
            "sov_western_front": (2, "byelorussia"),
            "sov_cavalry": (1, "byelorussia"),
        },
        ("ger_army_group_center", "ger_waffen_ss_army"),
        "byelorussia",
        more={"turn": 6, "control": {"poland": "germany"}},
    ),
}
