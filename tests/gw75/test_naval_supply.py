"""Naval supply (chapter 16), and that of air units (17.4)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import naval_supply, ports, zones
from tests.gw75.happenings import phase
from tests.gw75.table import state

WAR = [("commonwealth", "germany"), ("commonwealth", "italy"), ("japan", "usa")]
SURF, SS = Unit("commonwealth", "surf_b"), Unit("commonwealth", "ss")


def seen(units: dict[str, Any], **fields: Any) -> State:
    return state("axis_naval_1", units=units, **{"wars": WAR, **fields})


@pytest.mark.rule("gw75:16.0a")
def test_a_port_supplies_if_it_traces_to_the_home_country() -> None:
    s = seen({})
    assert ports.friendly(s, "commonwealth", "W3118")
    assert ports.supply(s, "commonwealth", "W3118") == "attack"
    assert ports.supply(s, "commonwealth", "W2621") == "none", "Malta, without a pipeline"
    assert ports.supply(s, "commonwealth", "W2721") == "none", "an Enemy port"
    assert ports.supply(s, "commonwealth", "W2917") == "none", "no port"
    assert ports.supply(s, "usa", "W3118") == "none", "not Friendly to the USA"
    assert "W3118" in ports.of(s, "commonwealth")
    assert "W2721" not in ports.of(s, "commonwealth")


@pytest.mark.rule("gw75:16.0a", "gw75:9.42b")
def test_a_besieged_port_without_a_garrison_is_supplied_by_sea_but_nobody_through_it() -> None:
    tobruk, oasis = "W2523", "W2423"
    besieged = {
        tobruk: {"commonwealth": "surf_b, asw"},
        oasis: {"commonwealth": "lrb"},
        "W2522": {"italy": "3 inf"},
    }
    held = {tobruk: "commonwealth", oasis: "commonwealth", "W2524": "italy", "W2525": "italy"}
    s = seen(besieged, held=held)
    assert zones.controlled(s, "commonwealth", tobruk) and oasis in s.facts.land[tobruk]
    assert naval_supply.grade(s, tobruk, SURF) == "none"
    convoys = {"W2616": {"commonwealth": "ms"}, "W2622": {"commonwealth": "ms"}}
    s = seen(besieged | convoys, held=held)
    assert naval_supply.grade(s, tobruk, SURF) == "attack"
    assert naval_supply.grade(s, tobruk, Unit("commonwealth", "asw")) == "attack"
    assert naval_supply.grade(s, oasis, Unit("commonwealth", "lrb")) == "none"
    s.put(tobruk, Unit("commonwealth", "inf"))
    assert naval_supply.grade(s, oasis, Unit("commonwealth", "lrb")) == "attack"


@pytest.mark.rule("gw75:16.0a")
def test_sources_of_an_ally_do_not_supply_ships() -> None:
    wars = [("commonwealth", "germany"), ("germany", "usa")]
    s = seen({}, wars=wars)
    assert ports.friendly(s, "usa", "W3118")
    assert ports.supply(s, "usa", "W3118") == "none"
    s = seen({"W2910": {"usa": "ms"}, "W3014": {"commonwealth": "ms"}}, wars=wars)
    assert ports.supply(s, "usa", "W3118") == "attack"


@pytest.mark.rule("gw75:16.22")
def test_a_supply_center_supplies_for_defense() -> None:
    s = seen({"W2524": {"commonwealth": "surf_b"}})
    assert ports.supply(s, "commonwealth", "W2524") == "defense"
    phase(s, "start of axis_naval_1")
    assert list(s.stack("W2524")) == [SURF._replace(supply="defense")]


@pytest.mark.rule("gw75:16.23", "gw75:17.42c")
def test_one_ship_per_holding_area_is_enough_for_any_number() -> None:
    units = {"W2524": {"commonwealth": "9 surf_b, 4 lrb"}, "W2616": {"commonwealth": "ms"}}
    s = seen({**units, "W2622": {"commonwealth": "ms"}})
    assert naval_supply.grade(s, "W2524", SURF) == "attack"
    assert naval_supply.grade(s, "W2524", Unit("commonwealth", "lrb")) == "attack"


@pytest.mark.rule("gw75:16.0b")
def test_escorts_are_always_supplied_and_submarines_do_not_escort() -> None:
    s = seen({"W2612": {"commonwealth": "ms, surf_b, ss"}})
    assert naval_supply.grade(s, "W2612", SURF) == "attack"
    assert naval_supply.grade(s, "W2612", SS) == "none"


@pytest.mark.rule("gw75:16.11")
def test_who_is_in_no_supplied_port_as_the_stage_ends_is_eliminated() -> None:
    s = seen(
        {
            "W2612": {"commonwealth": "surf_b, amph"},
            "W2515": {"commonwealth": "ms, surf_b"},
            "W3118": {"commonwealth": "surf_b"},
            "W2621": {"commonwealth": "ss"},
            "W2721": {"italy": "ss"},
        }
    )
    phase(s, "end of axis_naval_3")
    assert Unit("commonwealth", "surf_b") in s.stack("W2612")
    phase(s, "end of allies_naval_3")
    assert list(s.stack("W2612")) == [Unit("commonwealth", "amph")]
    assert "W2621" not in s.at
    assert SURF in s.stack("W2515")
    assert SURF in s.stack("W3118")
    assert "W2721" in s.at
    assert s.dead == {("commonwealth", "surf_b"): 1, ("commonwealth", "ss"): 1}


@pytest.mark.rule("gw75:16.12a", "gw75:16.12b")
def test_who_lost_its_supply_ashore_has_one_phase() -> None:
    s = seen({"W2621": {"commonwealth": "2 surf_b"}})
    phase(s, "start of axis_naval_1")
    lost = SURF._replace(supply="none")
    assert s.stack("W2621") == {lost: 2}
    phase(s, "end of axis_naval_1")
    assert s.stack("W2621") == {lost: 2}, "not after the Enemy's phase"
    s.take("W2621", lost)
    s.put("W3118", lost)
    phase(s, "end of allies_naval_1")
    assert "W2621" not in s.at
    assert s.stack("W3118") == {lost: 1}, "it has reached a port; the mark stays for the stage"
    phase(s, "start of axis_naval_1")
    assert s.stack("W3118") == {SURF: 1}


@pytest.mark.rule("gw75:16.11", "gw75:16.12a")
def test_who_was_supplied_as_the_stage_began_has_time_until_it_ends() -> None:
    s = seen({"W3118": {"commonwealth": "surf_b"}})
    phase(s, "start of axis_naval_1")
    s.take("W3118", SURF)
    s.put("W2621", SURF)
    phase(s, "end of allies_naval_1")
    assert s.stack("W2621") == {SURF: 1}
    phase(s, "end of allies_naval_3")
    assert "W2621" not in s.at


@pytest.mark.rule("gw75:16.0a", "gw75:15.46")
def test_asw_units_need_a_path_and_no_port() -> None:
    s = seen({"W3020": {"germany": "asw"}, "W2623": {"germany": "asw"}}, held={"W2623": "germany"})
    asw = Unit("germany", "asw")
    assert naval_supply.grade(s, "W3020", asw) == "attack"
    assert naval_supply.grade(s, "W2623", asw) == "none"


@pytest.mark.rule("gw75:17.41")
def test_air_defense_is_always_in_attack_supply() -> None:
    s = seen({"W3118": {"commonwealth": "ad"}})
    assert naval_supply.grade(s, "W3118", Unit("commonwealth", "ad")) == "attack"


@pytest.mark.rule("gw75:17.42a", "gw75:17.43")
def test_bombers_are_judged_as_their_air_movement_begins() -> None:
    s = seen({"W2524": {"commonwealth": "lrb"}, "W3118": {"commonwealth": "lrb"}})
    phase(s, "start of axis_air_movement")
    assert list(s.stack("W2524")) == [Unit("commonwealth", "lrb")]
    phase(s, "start of allies_air_movement")
    assert list(s.stack("W2524")) == [Unit("commonwealth", "lrb", supply="defense")]
    assert list(s.stack("W3118")) == [Unit("commonwealth", "lrb")]


@pytest.mark.rule("gw75:17.42b")
def test_unsupplied_bombers_have_until_their_air_combat_phase() -> None:
    s = seen({"W2621": {"commonwealth": "2 lrb"}})
    phase(s, "start of allies_air_movement")
    lost = Unit("commonwealth", "lrb", supply="none")
    assert s.stack("W2621") == {lost: 2}
    s.take("W2621", lost)
    s.put("W2524", lost)
    phase(s, "end of axis_air_combat")
    assert s.stack("W2621") == {lost: 1}
    phase(s, "end of allies_air_combat")
    assert "W2621" not in s.at
    assert s.stack("W2524") == {lost: 1}


@pytest.mark.rule("gw75:18.53")
def test_a_built_port_is_a_port() -> None:
    s = seen({"W2722": {"italy": "ms"}}, ports=["W2522"])
    assert ports.friendly(s, "italy", "W2522")
    assert ports.supply(s, "italy", "W2522") == "attack"
