"""Vichy and Free France, Japan and Indochina: chapter 20."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75 import RULES
from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import (
    amphibious,
    indochina,
    industry,
    neutrals,
    politics,
    ports,
    reinforcement,
    supply,
    vichy,
)
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.terms import at_war, commander, friends, holder, side
from sandtable.kernel.decisions import Legal
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Answer, Choose
from tests.gw75.happenings import enter, phase, told, violate
from tests.gw75.moves import invade, move
from tests.gw75.table import Table, Unit, state, table

OPTIONS = {"vichy": True, "indochina": True}
HELD = {"W3019": "germany", "W3018": "germany"}
ALGIERS, TUNIS, DAKAR, BEIRUT, HANOI, NOUMEA = "W2619", "W2620", "W2015", "W2625", "E2105", "E1116"
ARMY: dict[str, dict[str, Any]] = {
    ALGIERS: {"france": "2 inf"},
    DAKAR: {"france": "sd"},
    BEIRUT: {"france": "sd"},
    HANOI: {"france": "sd"},
    NOUMEA: {"france": "sd"},
    "W3118": {"france": "inf, surf_b"},
    "W2920": {"france": "ss"},
    "W2719": {"france": "2 ms"},
}
END = "end of turn_record"


def fallen(units: dict[str, dict[str, Any]] | None = None, **fields: Any) -> State:
    """France has fallen in Game-Turn 4."""
    return state(
        "turn_record",
        4,
        options=OPTIONS,
        held=HELD,
        units=ARMY if units is None else units,
        **fields,
    )


def declared(face: int = 1, **fields: Any) -> State:
    s = fallen(**fields)
    phase(s, END, [Answer(True)], (face,))
    assert s.vichy == "declared"
    return s


def later(s: State) -> State:
    """Two Game-Turns after the declaration."""
    s.turn += 2
    s.changed()
    return s


@pytest.mark.rule("gw75:20.11")
def test_the_axis_may_declare_vichy_when_no_frenchman_fights_in_france() -> None:
    s = fallen()
    events = phase(s, END, [Answer(True)], (1,))
    assert s.vichy == "declared" and told(events, "vichy_declared")


@pytest.mark.rule("gw75:20.11")
def test_not_while_french_units_are_in_european_france() -> None:
    s = fallen({"W2919": {"france": "inf"}})
    assert phase(s, END) == [] and s.vichy == "open"


@pytest.mark.rule("gw75:20.11")
def test_not_while_the_axis_holds_nothing_of_it() -> None:
    s = state("turn_record", 4, options=OPTIONS, units={})
    assert phase(s, END) == [] and s.vichy == "open"


@pytest.mark.rule("gw75:20.11", "gw75:20.17")
def test_it_may_be_left_undeclared() -> None:
    s = fallen()
    phase(s, END, [Answer(False)])
    assert s.vichy == "gone"
    assert holder(s, ALGIERS) == "france" and holder(s, NOUMEA) == "france"
    s.turn += 1
    assert phase(s, END) == []


@pytest.mark.rule("gw75:20.12")
def test_land_units_overseas_are_frozen_the_rest_is_removed() -> None:
    s = declared()
    assert s.stack(ALGIERS) == {Unit("vichy", "inf"): 2}
    assert "11.11" in politics.frozen(s, "vichy", Unit("vichy", "inf"), ALGIERS)
    assert not any(unit.nation == "france" for unit in s.stack("W3118"))
    assert holder(s, ALGIERS) == holder(s, "W2920") == "vichy"
    assert holder(s, "W3019") == "germany"
    assert not [job for job in s.track if job.nation == "france"]


@pytest.mark.rule("gw75:20.12")
def test_air_units_are_removed() -> None:
    s = declared(units={"W2920": {"france": "ad"}, ALGIERS: {"france": "inf, lrb"}})
    assert not s.stack("W2920") and s.stack(ALGIERS) == {Unit("vichy", "inf"): 1}


@pytest.mark.rule("gw75:20.13", "gw75:20.17")
@pytest.mark.parametrize(
    ("face", "owner"), [(1, ""), (2, ""), (3, ""), (4, ""), (5, "france"), (6, "germany")]
)
def test_a_die_decides_on_the_navy(face: int, owner: str) -> None:
    """Example french_navy_die."""
    s = declared(face)
    ships = {
        nation: {
            unit.type: count
            for _, unit, count in s.units_of(nation)
            if unit.type in ("surf_b", "ss", "ms")
        }
        for nation in ("france", "germany")
    }
    assert ships[owner or "france"] == ({"surf_b": 1, "ss": 1, "ms": 2} if owner else {})
    if owner:
        for hex, unit, _ in s.units_of(owner):
            if unit.type in ("surf_b", "ss"):
                assert s.facts.hexes[hex].port and friends(s, owner, holder(s, hex))


@pytest.mark.rule("gw75:20.14", "gw75:20.15c")
def test_invaded_by_the_axis_vichy_becomes_free_french() -> None:
    s = later(declared())
    assert neutrals.violates(s, "germany", ALGIERS) == "vichy"
    assert neutrals.barred(s, "germany", ALGIERS) == ""
    violate(s, "germany", "vichy", ALGIERS)
    assert s.vichy == "allies"
    assert s.stack(ALGIERS) == {Unit("france", "inf"): 2}
    assert holder(s, DAKAR) == "france" and at_war(s, "france", "germany")
    assert vichy.patron(s, "france") == "commonwealth"
    violate(s, "germany", "usa", "W2811")
    assert vichy.patron(s, "france") == "usa"


@pytest.mark.rule("gw75:20.14", "gw75:20.15a", "gw75:20.15b")
def test_invaded_by_allies_without_the_usa_vichy_joins_germany() -> None:
    s = later(declared())
    assert neutrals.barred(s, "commonwealth", BEIRUT) == ""
    violate(s, "commonwealth", "vichy", BEIRUT)
    assert s.vichy == "axis" and side(s, "vichy") == "axis"
    assert at_war(s, "vichy", "commonwealth") and friends(s, "vichy", "germany")
    assert commander(s, "vichy") == "germany"
    assert s.penalties == ()
    assert vichy.patron(s, "vichy") == "germany"
    assert "W3121" in supply.sources(s, "vichy").attack
    assert politics.frozen(s, "vichy", Unit("vichy", "inf"), ALGIERS) == ""


@pytest.mark.rule("gw75:20.16")
def test_with_us_units_the_nearest_unit_becomes_free_french() -> None:
    s = later(declared())
    events = violate(s, "usa", "vichy", "W2618")
    assert told(events, "vichy_ended")
    assert s.vichy == "gone"
    assert s.stack(ALGIERS) == {Unit("france", "inf"): 2}
    assert not s.stack(DAKAR) and not s.stack(BEIRUT) and not list(s.units_of("vichy"))
    assert holder(s, DAKAR) == "france"


@pytest.mark.rule("gw75:20.16")
def test_us_units_in_the_landing_party_are_enough() -> None:
    s = later(declared())
    s.put(DAKAR, Unit("usa", "inf", duty="assault"))
    violate(s, "commonwealth", "vichy", DAKAR)
    assert s.vichy == "gone" and Unit("france", "sd") in s.stack(DAKAR)


@pytest.mark.rule("gw75:20.16")
def test_who_has_become_free_french_is_not_attacked() -> None:
    t = table(
        "allies_land_combat",
        12,
        options=OPTIONS,
        vichy="declared",
        wars=[("germany", "usa"), ("germany", "commonwealth"), ("germany", "france")],
        units={
            "W2617": {"usa": {"inf": [{"count": 6, "duty": "landed"}]}},
            "W2618": {"vichy": "2 inf"},
        },
    )
    t.do(Declare(("W2618",), (("W2617", "usa", "inf", 6),)), Done())
    assert t.units("W2618", "france") == {"inf": 2} and t.units("W2617", "usa") == {"inf": 6}
    assert t.s.vichy == "gone" and not t.s.attacks and t.s.phase != "allies_land_combat"


@pytest.mark.rule("gw75:5.57c", "gw75:20.16")
def test_a_landing_among_those_who_have_joined_the_same_side_stays_ashore() -> None:
    t = table(
        "allies_land_combat",
        12,
        options=OPTIONS,
        vichy="declared",
        wars=[("germany", "usa"), ("germany", "commonwealth"), ("germany", "france")],
        units={
            "W2618": {
                "vichy": "2 inf",
                "usa": {"inf": [{"count": 6, "duty": "assault", "origin": "W2617"}]},
            },
        },
    )
    t.do(Declare(("W2618",), (("W2618", "usa", "inf", 6),)), Done())
    assert t.units("W2618", "france") == {"inf": 2} and t.units("W2618", "usa") == {"inf": 6}


def joint(phase_name: str, guard: int, duty: str = "") -> Table:
    """British and American units inland, beside Tunis, and at Casablanca."""
    own = {"inf": [{"count": 4, "duty": duty}]}
    return table(
        phase_name,
        13,
        options=OPTIONS,
        vichy="declared",
        units={
            "W2520": {"usa": own, "commonwealth": own},
            "W2517": {"usa": "2 inf, 4 amph", "commonwealth": "2 inf"},
            TUNIS: {"vichy": {"inf": guard}},
            ALGIERS: {"vichy": "inf"},
        },
        held={"W2520": "usa", "W2517": "usa"},
        wars=[("germany", nation) for nation in ("commonwealth", "france", "usa")],
    )


@pytest.mark.rule("gw75:20.16")
@pytest.mark.parametrize("guard", [0, 1])
def test_american_units_that_come_with_others_take_part(guard: int) -> None:
    """They march or land together, into a hex with Vichy units or into an empty one."""
    t = joint("allies_land_movement", guard)
    t.do(move(f"W2520 > {TUNIS}", "4 inf", "commonwealth", usa="4 inf"))
    assert t.s.vichy == "gone" and t.units(TUNIS, "usa") == {"inf": 4}
    t = joint("allies_land_movement", guard)
    way = amphibious.ways(t.s, "W2517", "usa")[TUNIS]
    t.do(invade(" > ".join(way), "2 inf", "commonwealth", usa="2 inf"))
    assert t.s.vichy == "gone" and t.units(TUNIS, "usa") == {"inf": 2, "amph": 4}
    assert t.units(TUNIS, "france") == ({"inf": 1} if guard else {})
    t = joint("allies_land_movement", guard)
    t.do(invade(" > ".join(way), "2 inf", "commonwealth"))  # in American ships
    assert t.s.vichy == "gone" and t.units(TUNIS, "commonwealth") == {"inf": 2}


@pytest.mark.rule("gw75:20.16", "gw75:20.15b")
def test_american_units_that_attack_with_others_take_part() -> None:
    american, british = ("W2520", "usa", "inf", 4), ("W2520", "commonwealth", "inf", 4)
    t = joint("allies_land_combat", 1, "landed")
    t.do(Declare((TUNIS,), (british, american)))
    assert t.s.vichy == "gone" and t.units(TUNIS, "france") == {"inf": 1}
    t = joint("allies_land_combat", 1, "landed")
    t.do(Declare((TUNIS,), (british,)))
    assert t.s.vichy == "axis"


@pytest.mark.rule("gw75:20.16")
def test_the_allied_player_chooses_among_the_nearest() -> None:
    s = later(declared(units={"W2618": {"france": "inf"}, "W2620": {"france": "inf"}}))
    violate(s, "usa", "vichy", ALGIERS, [Choose("W2620")])
    assert s.stack("W2620") == {Unit("france", "inf"): 1} and not s.stack("W2618")
    request = vichy.ChooseFreeFrench("commonwealth", ("W2618", "W2620"))
    with pytest.raises(IllegalDecision, match="are not in"):
        request.check(s, Choose(DAKAR))


@pytest.mark.rule("gw75:20.17")
def test_new_caledonia_is_free_french() -> None:
    """Example new_caledonia."""
    assert load_facts().hexes[NOUMEA].country == "new_caledonia"
    s = declared()
    assert holder(s, NOUMEA) == "france" and s.stack(NOUMEA) == {Unit("france", "sd"): 1}
    assert neutrals.barred(s, "commonwealth", NOUMEA) == ""


@pytest.mark.rule("gw75:20.18")
def test_there_is_one_game_turn_to_leave() -> None:
    s = declared(units={BEIRUT: {"france": "sd", "commonwealth": "inf"}})
    s.turn += 1
    assert neutrals.violates(s, "commonwealth", "W2618") == ""
    assert neutrals.violates(s, "germany", "W2618") == "vichy"
    assert neutrals.violates(s, "commonwealth", BEIRUT) == "vichy", "its army is there"
    s.take(BEIRUT, Unit("commonwealth", "inf"))
    phase(s, END)
    assert s.vichy == "declared"
    s.turn += 1
    assert neutrals.violates(s, "commonwealth", "W2618") == "vichy"


GRACE: dict[str, Any] = {
    "options": OPTIONS,
    "vichy": "declared",
    "counts": {"vichy:declared": 4},
    "marks": ["vichy:leaves:commonwealth"],
}


@pytest.mark.rule("gw75:20.18", "gw75:5.42")
def test_who_is_on_its_way_out_takes_nothing_of_vichy() -> None:
    units = {"W2619": {"commonwealth": "2 inf"}, "W2618": {}, "W2524": {"commonwealth": "2 ms"}}
    t = table(turn=5, phase="allies_land_movement", units=units, **GRACE)
    t.do(move("W2619 > W2618", "2 inf", "commonwealth"))
    assert t.s.vichy == "declared" and holder(t.s, "W2618") == holder(t.s, "W2619") == "vichy"


@pytest.mark.rule("gw75:20.18", "gw75:20.14")
def test_an_attack_on_vichy_units_in_the_time_to_leave_is_an_invasion() -> None:
    units = {ALGIERS: {"vichy": "inf"}, "W2620": {"commonwealth": "9 inf"}, BEIRUT: {"vichy": "sd"}}
    units[BEIRUT]["commonwealth"] = "2 inf"
    t = table(turn=5, phase="allies_land_movement", units=units, **GRACE)
    t.do(move(f"W2620 > {ALGIERS}", "9 inf", "commonwealth"))
    assert t.s.vichy == "axis" and at_war(t.s, "commonwealth", "vichy")
    # Those beside other Vichy units are among Enemies now.
    assert t.units(BEIRUT, "commonwealth") == {} and t.units(BEIRUT, "vichy") == {"sd": 1}
    assert [event["space"] for event in t.events("interned")] == [BEIRUT]


@pytest.mark.rule("gw75:20.18")
def test_who_stays_has_invaded_vichy() -> None:
    s = declared(units={BEIRUT: {"france": "sd", "commonwealth": "inf"}})
    phase(s, END)
    assert s.vichy == "declared"
    s.turn += 1
    phase(s, END)
    assert s.vichy == "axis"


@pytest.mark.rule("gw75:20.18", "gw75:5.57d")
def test_who_stays_beside_vichy_units_is_interned() -> None:
    units = {
        BEIRUT: {"france": "sd", "commonwealth": "2 fort, inf"},
        DAKAR: {"commonwealth": "inf"},
    }
    s = declared(units=units)
    phase(s, END)
    assert s.stack(BEIRUT)[Unit("commonwealth", "fort")] == 2
    s.turn += 1
    assert len(told(phase(s, END), "interned")) == 2
    assert {unit.nation for unit in s.stack(BEIRUT)} == {"vichy"}
    assert {unit.nation for unit in s.stack(DAKAR)} == {"commonwealth"}
    assert s.vichy == "axis" and at_war(s, "commonwealth", "vichy")
    assert holder(s, DAKAR) == "france" and holder(s, BEIRUT) == "vichy"


@pytest.mark.rule("gw75:20.18", "gw75:5.42", "gw75:20.15c")
def test_who_stays_alone_in_a_hex_holds_it_when_vichy_becomes_free_french() -> None:
    units = {"W2620": {"italy": "inf"}, DAKAR: {"commonwealth": "inf"}, ALGIERS: {"vichy": "sd"}}
    wars = [(axis, ally) for axis in ("germany", "italy") for ally in ("commonwealth", "france")]
    leave = ["vichy:leaves:italy", "vichy:leaves:commonwealth"]
    s = state("turn_record", 5, units=units, wars=wars, held=HELD, **{**GRACE, "marks": leave})
    violate(s, "italy", "vichy", ALGIERS)
    assert s.vichy == "allies"
    assert (holder(s, "W2620"), holder(s, DAKAR), holder(s, ALGIERS)) == (
        "italy",
        "france",
        "france",
    )


@pytest.mark.rule("gw75:20.18")
def test_free_french_territory_is_exempt() -> None:
    s = declared(units={NOUMEA: {"commonwealth": "inf"}})
    s.turn += 1
    phase(s, END)
    assert s.vichy == "declared"


@pytest.mark.rule("gw75:20.2a", "gw75:20.2b")
def test_japan_enters_indochina_at_the_price_of_an_embargo() -> None:
    s = later(declared())
    assert neutrals.violates(s, "japan", "E1905") == ""
    assert neutrals.barred(s, "japan", "E1905") == ""
    assert neutrals.violates(s, "japan", DAKAR) == "vichy"
    assert told(enter(s, "japan", "E1905"), "embargo")
    assert s.vichy == "declared" and holder(s, "E1905") == "japan"
    assert indochina.embargo(s) and not at_war(s, "japan", "france")
    (need,) = industry.needs(s, "japan")
    assert not need.met


@pytest.mark.rule("gw75:20.2b")
def test_who_enters_indochina_is_told_of_the_embargo_before() -> None:
    t = table(
        "axis_land_movement",
        6,
        options=OPTIONS,
        vichy="declared",
        fallen=["france"],
        units={"E2206": {"japan": "4 inf"}, HANOI: {"vichy": "sd"}},
    )
    chosen = {"japan:inf": 4}

    def told_of(hex: str) -> tuple[str, bool]:
        (choice,) = RULES.reach(Legal(t.request, t.s), "E2206", chosen).ways[hex].decisions
        return choice.tone, "brings the embargo of the United States on Japan" in choice.detail

    assert told_of(HANOI) == ("danger", True)
    assert told_of("E2205") == ("", False)
    t.s.marks |= {indochina.EMBARGO}
    t.s.changed()
    assert told_of(HANOI) == ("", False)


@pytest.mark.rule("gw75:20.2b")
def test_without_it_the_pipeline_to_the_usa_is_open() -> None:
    s = state(base="setup", options=OPTIONS)
    (need,) = industry.needs(s, "japan")
    assert need.met
    s.marks |= {indochina.EMBARGO}
    s.changed()
    (need,) = industry.needs(s, "japan")
    assert not need.met


@pytest.mark.rule("gw75:20.2a")
def test_without_the_option_it_is_an_invasion() -> None:
    s = state("turn_record", 4, options={"vichy": True}, held=HELD, units={})
    phase(s, END, [Answer(True)])
    later(s)
    assert neutrals.violates(s, "japan", "E1905") == "vichy"
    violate(s, "japan", "vichy", "E1905")
    assert s.vichy == "allies" and at_war(s, "japan", "france") and at_war(s, "japan", "usa")


@pytest.mark.rule("gw75:20.2b")
def test_without_the_option_there_is_no_embargo() -> None:
    t = table(
        "axis_land_movement",
        8,
        options={"vichy": True},
        vichy="declared",
        wars=[("germany", "france"), ("china", "japan")],
        held={"E2305": "japan"},
        units={"E2305": {"japan": "3 mech"}},
    )
    t.do(move("E2305 > E2204", "1 mech", "japan"))
    assert t.s.vichy == "allies" and at_war(t.s, "japan", "usa")
    assert not indochina.embargo(t.s) and not t.events("embargo")


@pytest.mark.rule("gw75:20.2a", "gw75:20.2b")
def test_japanese_ships_use_the_ports_of_vichy_indochina_without_an_embargo() -> None:
    s = later(declared())
    for port in (HANOI, "E1905"):
        assert ports.friendly(s, "japan", port)
        assert not ports.friendly(s, "germany", port)
    assert not ports.friendly(s, "japan", DAKAR)
    assert not indochina.embargo(s) and holder(s, HANOI) == "vichy"
    assert HANOI not in reinforcement.linked(s, "japan")
    assert ports.unplaceable(s, "japan", "E2005")[1] == "18.53"
    s.options = {**s.options, "indochina": False}
    s.changed()
    assert not ports.friendly(s, "japan", HANOI)
    s = later(declared())
    violate(s, "commonwealth", "vichy", ALGIERS)
    assert s.vichy == "axis" and ports.friendly(s, "japan", HANOI), "Vichy still controls it"
    s = later(declared())
    violate(s, "germany", "vichy", ALGIERS)
    assert s.vichy == "allies" and not ports.friendly(s, "japan", HANOI)


@pytest.mark.rule("gw75:20.2a", "gw75:20.2b")
@pytest.mark.parametrize("which", ["declared", "axis"])
def test_japan_enters_indochina_beside_its_garrison_by_land_and_by_sea(which: str) -> None:
    units = {
        "E2204": {"japan": "2 inf"},
        "E2308": {"japan": "3 inf, 3 amph"},
        HANOI: {"vichy": "sd"},
        "E2203": {"commonwealth": "inf"},
    }
    t = table(turn=8, options=OPTIONS, vichy=which, units=units, wars=[("japan", "china")])
    t.do(move(f"E2204 > {HANOI}", "2 inf", "japan"))
    assert t.units(HANOI, "japan") == {"inf": 2} and t.units(HANOI, "vichy") == {"sd": 1}
    assert holder(t.s, HANOI) == "japan" and indochina.embargo(t.s) and t.s.vichy == which
    assert not at_war(t.s, "japan", "vichy")

    t = table(turn=8, options=OPTIONS, vichy=which, units=units, wars=[("japan", "china")])
    t.do(invade(f"E2308 > E2207 > E2107 > E2106 > {HANOI}", "3 inf", "japan"))
    assert holder(t.s, HANOI) == "japan" and indochina.embargo(t.s)
    assert not t.s.on_duty("assault"), "there is nobody to be fought"


@pytest.mark.rule("gw75:20.2a")
def test_elsewhere_vichy_units_bar_the_way_of_japan() -> None:
    units = {"W2626": {"japan": "2 inf"}, BEIRUT: {"vichy": "sd"}}
    t = table(turn=8, options=OPTIONS, vichy="declared", units=units, wars=[("japan", "china")])
    t.refused(move(f"W2626 > {BEIRUT}", "2 inf", "japan"), "5.61a")


@pytest.mark.rule("gw75:20.2a", "gw75:20.15c")
def test_a_garrison_beside_the_japanese_is_interned_when_vichy_becomes_free_french() -> None:
    s = state(
        turn=8,
        options=OPTIONS,
        vichy="declared",
        units={HANOI: {"vichy": "sd", "japan": "inf"}, BEIRUT: {"vichy": "sd"}},
        held={HANOI: "japan"},
        wars=[("japan", "china")],
    )
    events = violate(s, "germany", "vichy", ALGIERS)
    assert [each["space"] for each in told(events, "interned")] == [HANOI]
    assert {unit.nation for unit in s.stack(HANOI)} == {"japan"} and holder(s, HANOI) == "japan"
    assert {unit.nation for unit in s.stack(BEIRUT)} == {"france"}


@pytest.mark.rule("gw75:20.2a", "gw75:20.18")
def test_japanese_who_were_in_indochina_when_vichy_was_declared_need_not_leave() -> None:
    army = {**ARMY, "E1905": {"japan": "inf"}, HANOI: {"japan": "inf"}}
    s = fallen(army, wars=[("germany", "france"), ("japan", "france")])
    phase(s, END, [Answer(True)], (1,))
    assert holder(s, HANOI) == "vichy" and "vichy:leaves:japan" in s.marks
    s.turn += 1
    s.changed()
    events = phase(s, END)
    assert s.vichy == "declared" and told(events, "embargo") and not told(events, "violated")
    assert holder(s, HANOI) == holder(s, "E1905") == "japan"


@pytest.mark.rule("gw75:20.12", "gw75:18.42")
def test_freed_french_industry_works_on_mode_one() -> None:
    s = later(declared())
    assert industry.production(s, "france") == {"": 0}
    violate(s, "germany", "vichy", "W2920")
    assert s.vichy == "allies" and holder(s, "W2920") == "france"
    s.turn += 1
    s.changed()
    assert industry.production(s, "france") == {"": 1}


@pytest.mark.rule("gw75:20.12")
def test_french_orders_are_gone_with_france() -> None:
    track = [{"nation": "france", "type": "inf", "due": 5}]
    s = declared(track=[*track, {"nation": "usa", "type": "inf", "due": 5}])
    assert [job.nation for job in s.track] == ["usa"]
