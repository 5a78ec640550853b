"""Land supply (chapter 9): sources, paths, pipelines, effects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import supply, tracing
from tests.gw75.happenings import phase
from tests.gw75.table import state, table

WAR = [("commonwealth", "germany"), ("germany", "ussr"), ("commonwealth", "italy")]
LIBYA = [("commonwealth", "italy")]
PACIFIC = [("commonwealth", "japan"), ("china", "japan"), ("japan", "usa")]


def looked(units: dict[str, Any] | None = None, **fields: Any) -> State:
    return state(units=units or {}, **{"wars": WAR, **fields})


@pytest.mark.rule("gw75:9.0a", "gw75:9.0b", "gw75:9.21", "gw75:9.14")
def test_any_length_in_the_communications_area_to_an_industrial_hex() -> None:
    s = looked({"W3123": {"germany": "10 inf"}}, held={"W3122": "germany", "W3123": "germany"})
    assert supply.state(s, "germany", "W3122") == "attack"
    assert supply.state(s, "germany", "W3123") == "attack"
    assert supply.of(s, "W3123", Unit("germany", "inf")) == "attack"


@pytest.mark.rule("gw75:9.21")
def test_an_area_that_the_enemy_holds_is_not_of_any_length() -> None:
    """Siberia's railway is no Communications Area to Germans as long as it is Soviet."""
    s = looked()
    assert supply.state(s, "ussr", "E3010") == "attack"
    assert supply.state(s, "germany", "W3123") == "none", "Poland is no Enemy, but neutral"
    s = looked(held={"W3123": "ussr"})
    assert supply.state(s, "germany", "W3123") == "attack"
    assert supply.state(s, "germany", "W3227") == "none"


@pytest.mark.rule("gw75:9.22", "gw75:9.0c", "gw75:9.0b")
def test_three_hexes_outside_the_area_are_in_supply_and_four_are_not() -> None:
    """supply_three_hexes: along the coast of Libya from Egypt, which has a Supply Center."""
    s = looked(wars=LIBYA, held={"W2520": "italy"})
    for hex in ("W2524", "W2523", "W2522", "W2521"):
        assert supply.state(s, "commonwealth", hex) == "defense", hex
    assert s.facts.distance("W2524", "W2521") == 3
    assert supply.state(s, "commonwealth", "W2520") == "none"


@pytest.mark.rule("gw75:9.25b")
def test_all_undeveloped_hexes_of_a_path_count_not_those_of_one_stretch() -> None:
    """From Mosul by W2526 (Undeveloped) to Suez and on, by W2424 to W2324: that is two between the
    ends, and a third one is too many, though no stretch outside Egypt's Communications Area is
    longer than three hexes."""
    s = looked()
    areas = {hex: s.facts.hexes[hex].area for hex in ("W2526", "W2525", "W2424", "W2324")}
    assert list(areas.values()) == ["undeveloped", "communications", "undeveloped", "undeveloped"]
    found = tracing.ways(s, "commonwealth").paths("W2527")
    assert "W2324" in found and "W2224" not in found
    assert "W2224" in tracing.ways(s, "commonwealth").paths("W2525")


@pytest.mark.rule("gw75:9.25b", "gw75:9.25a")
def test_two_undeveloped_hexes_on_the_way_and_no_third() -> None:
    """On a map on which Tripoli is in a Communications Area between undeveloped country."""

    def rough(*hexes: str) -> State:
        s = looked(wars=LIBYA, held={"W2521": "commonwealth", "W2520": "italy"})
        kinds = dict.fromkeys(("W2523", "W2522", "W2520"), "ordinary")
        kinds |= dict.fromkeys(hexes, "undeveloped") | {"W2521": "communications"}
        map_ = {**s.facts.hexes}
        for hex, area in kinds.items():
            map_[hex] = msgspec.structs.replace(map_[hex], area=area, center="")
        s.facts = replace(s.facts, hexes=map_, _kept={})
        s.destroyed = frozenset({"W2521"})
        s.changed()
        return s

    assert supply.state(rough("W2523", "W2522"), "commonwealth", "W2520") == "defense"
    assert supply.state(rough("W2523", "W2520"), "commonwealth", "W2420") == "defense"
    far = rough("W2523", "W2522", "W2520")
    assert supply.state(far, "commonwealth", "W2520") == "defense", "its own hex is not on the way"
    far.hold("W2620", "italy")
    assert supply.state(far, "commonwealth", "W2619") == "none"


@pytest.mark.rule("gw75:9.41")
def test_one_mountain_hexside_may_be_crossed_and_not_a_second() -> None:
    s = looked(wars=PACIFIC)
    assert s.facts.land["E2302"]["E2303"], "the Arakan and Naga mountains"
    assert s.facts.land["E2303"]["E2304"], "the mountains of Yunnan"
    assert supply.state(s, "commonwealth", "E2303") == "attack"
    assert supply.state(s, "commonwealth", "E2304") == "defense", "Kunming's own Supply Center"


@pytest.mark.rule("gw75:9.41", "gw75:9.42b", "gw75:6.41")
def test_enemy_units_and_their_zones_cut_a_path() -> None:
    s = looked({"W3124": {"germany": "inf"}}, held=EAST)
    assert supply.state(s, "germany", "W3124") == "attack"
    around = s.facts.land["W3124"]
    s = looked({"W3124": {"germany": "inf"}, **{hex: {"ussr": "inf"} for hex in around}}, held=EAST)
    assert supply.state(s, "germany", "W3124") == "none"
    s = looked({"W3124": {"germany": "inf"}, **{hex: {"ussr": "lrb"} for hex in around}}, held=EAST)
    assert supply.state(s, "germany", "W3124") == "attack", "aircraft cut nothing (9.42)"


EAST = dict.fromkeys(("W3122", "W3123", "W3023", "W3124"), "germany")


@pytest.mark.rule("gw75:6.41", "gw75:9.41", "gw75:9.42b")
def test_a_friendly_land_unit_undoes_the_zone_in_its_hex() -> None:
    """Libya: a Commonwealth unit in the desert controls the coast behind an Italian one."""
    front = {"W2523": {"italy": "inf"}, "W2422": {"commonwealth": "inf"}}
    s = looked(front, wars=LIBYA)
    assert supply.state(s, "italy", "W2523") == "none"
    s = looked({**front, "W2522": {"italy": "inf"}}, wars=LIBYA)
    assert supply.state(s, "italy", "W2523") == "defense"


@pytest.mark.rule("gw75:9.41")
def test_neutral_countries_and_contra_land_hexsides_bar_a_path() -> None:
    s = looked({"W3322": {"germany": "inf"}}, held={"W3322": "germany"})
    assert "W3322" not in s.facts.land["W3222"], "the Baltic lies between"
    assert supply.state(s, "germany", "W3322") == "defense", "only the Supply Center there"
    held = dict.fromkeys(("W2817", "W2919", "W3019", "W3018"), "germany")
    front = {"W2817": {"germany": "inf"}, "W3019": {"germany": "inf"}}
    s = looked(front, held=held)
    assert supply.state(s, "germany", "W2817") == "defense", "the rest of Spain is neutral"
    s = looked(front, held={**held, "W2818": "germany"})
    assert supply.state(s, "germany", "W2817") == "attack"


@pytest.mark.rule("gw75:9.11")
def test_a_nation_without_any_source_is_in_defense_supply_at_home_only() -> None:
    units = {"W3220": {"denmark": "inf"}, "W3414": {"denmark": "inf"}}
    s = looked(units, joined={"denmark": "allies"}, wars=[*WAR, ("denmark", "germany")])
    assert supply.of(s, "W3220", Unit("denmark", "inf")) == "defense"
    assert supply.of(s, "W3414", Unit("denmark", "inf")) == "defense", "Iceland is its own"
    s = looked(
        {"W3120": {"denmark": "inf"}},
        joined={"denmark": "allies"},
        wars=[*WAR, ("denmark", "germany")],
        held={"W3120": "denmark"},
    )
    assert supply.of(s, "W3120", Unit("denmark", "inf")) == "none"
    phase(s, "start of axis_land_combat")
    assert "W3120" not in s.at


@pytest.mark.rule("gw75:9.12a", "gw75:11.22")
def test_a_nation_with_supply_centers_only_needs_those_of_its_own() -> None:
    s = looked({"W2822": {"yugoslavia": "inf"}})
    assert supply.state(s, "yugoslavia", "W2822") == "defense"
    s = looked({"W2822": {"yugoslavia": "inf"}}, held={"W2922": "germany"})
    assert supply.state(s, "yugoslavia", "W2822") == "none"


@pytest.mark.rule("gw75:11.22")
def test_an_invaded_neutral_may_join_the_allied_net() -> None:
    """Norwegian infantry in Scotland: no path to Oslo, but one to London."""
    fields: dict[str, Any] = {
        "joined": {"norway": "allies"},
        "wars": [*WAR, ("germany", "norway")],
        "held": {"W3320": "germany"},
    }
    s = looked({"W3217": {"norway": "inf"}}, **fields)
    assert supply.of(s, "W3217", Unit("norway", "inf")) == "attack"
    assert supply.sources(looked(), "norway").attack == (), "not while it is neutral"


@pytest.mark.rule("gw75:19.9b")
def test_axis_minor_allies_are_safe_at_home_and_need_german_industry_to_attack() -> None:
    s = looked({"W3423": {"finland": "inf"}, "W3022": {"hungary": "inf"}})
    assert supply.of(s, "W3423", Unit("finland", "inf")) == "defense"
    assert supply.of(s, "W3022", Unit("hungary", "inf")) == "attack"
    s = looked({"W3022": {"hungary": "inf"}}, base="empty", destroyed=list(GERMAN))
    assert supply.of(s, "W3022", Unit("hungary", "inf")) == "defense"


GERMAN = ("W3120", "W3121", "W3021", "W2923", "W2921")


@pytest.mark.rule("gw75:9.12b", "gw75:9.15")
def test_self_defense_units_and_forts() -> None:
    """A fort is always supplied, but is no source for the infantry in it."""
    units = {"E2216": {"usa": "fort, inf"}, "W3118": {"commonwealth": "sd, inf"}}
    s = looked(units, wars=PACIFIC)
    assert supply.of(s, "E2216", Unit("usa", "fort")) == "defense"
    assert supply.of(s, "E2216", Unit("usa", "inf")) == "none"
    assert supply.of(s, "W3118", Unit("commonwealth", "inf")) == "attack"
    assert supply.of(s, "W3118", Unit("commonwealth", "sd")) == "defense"


@pytest.mark.rule("gw75:9.31", "gw75:9.32", "gw75:9.33a")
def test_only_mobile_units_in_attack_supply_may_attack() -> None:
    units = {"W3118": {"commonwealth": "2 inf, sd"}, "W2524": {"commonwealth": "inf"}}
    s = looked({**units, "E2216": {"usa": "inf"}}, wars=[*WAR, *PACIFIC])
    assert supply.attackers(s, "commonwealth", "W3118", "inf") == 2
    assert supply.attackers(s, "commonwealth", "W3118", "sd") == 0
    assert supply.attackers(s, "commonwealth", "W2524", "inf") == 0, "a Supply Center only"
    assert supply.attackers(s, "usa", "E2216", "inf") == 0


@pytest.mark.rule("gw75:19.42")
def test_commonwealth_units_use_every_source_of_the_commonwealth() -> None:
    s = looked({"E2301": {"commonwealth": "inf"}, "E0612": {"commonwealth": "inf"}})
    assert supply.state(s, "commonwealth", "E2301") == "attack", "India's industry"
    assert supply.state(s, "commonwealth", "E0612") == "defense", "Australia's Supply Center"


@pytest.mark.rule("gw75:18.41a", "gw75:9.0b")
def test_a_captured_industrial_hex_supplies_from_the_turn_after_while_garrisoned() -> None:
    fields: dict[str, Any] = {"turn": 5, "held": {"W3019": "germany"}}
    for hex in GERMAN:
        fields.setdefault("destroyed", []).append(hex)
    garrison = {"W3019": {"germany": "inf"}}
    s = looked(garrison, captured={"W3019": 4}, **fields)
    assert supply.state(s, "germany", "W3019") == "attack"
    s = looked(garrison, captured={"W3019": 5}, **fields)
    assert supply.state(s, "germany", "W3019") == "defense"
    s = looked({"W3020": {"germany": "inf"}}, captured={"W3019": 4}, **fields)
    assert supply.state(s, "germany", "W3020") == "defense"


@pytest.mark.rule("gw75:17.62")
def test_a_hex_destroyed_by_an_atomic_bomb_supplies_nothing() -> None:
    s = looked({"W2521": {"italy": "inf"}}, wars=LIBYA)
    assert supply.state(s, "italy", "W2521") == "defense"
    s = looked({"W2521": {"italy": "inf"}}, wars=LIBYA, destroyed=["W2521"])
    assert supply.state(s, "italy", "W2521") == "none"


AFRICA = {"W2523": {"italy": "3 inf"}, "W2722": {"italy": "2 ms"}}


@pytest.mark.rule("gw75:9.0d", "gw75:9.23", "gw75:9.24")
def test_a_pipeline_supplies_as_many_points_as_its_smallest_holding_area_has_ships() -> None:
    """supply_pipeline_two: Taranto to Tobruk with two ships; the third point has the center."""
    s = looked(AFRICA, wars=LIBYA)
    unit = Unit("italy", "inf")
    assert supply.split(s, "W2523", unit) == {"attack": 2, "defense": 1}
    assert supply.attackers(s, "italy", "W2523", "inf") == 2
    s = looked(AFRICA, wars=LIBYA, destroyed=["W2521"])
    assert supply.split(s, "W2523", unit) == {"attack": 2, "none": 1}
    chain = {hex: {"commonwealth": f"{ships} ms"} for hex, ships in CAPE.items()}
    s = looked({**chain, "W0722": {"commonwealth": "5 inf"}})
    assert supply.split(s, "W0722", Unit("commonwealth", "inf")) == {"attack": 2, "defense": 3}


CAPE = {"W3014": 4, "W2015": 2, "W1419": 5, "W0721": 5}
"""Holding Areas from Britain to the Cape, and their ships."""


@pytest.mark.rule("gw75:9.24")
def test_who_would_be_unsupplied_comes_first_then_the_nearest_to_the_port() -> None:
    """Two ships: the desert beyond the reach of Tripoli before the garrison of Tripoli."""
    units = {"W2521": {"italy": "2 inf"}, "W2722": {"italy": "2 ms"}, "W1926": {"italy": "inf"}}
    s = looked(units, wars=LIBYA)
    assert supply.split(s, "W2521", Unit("italy", "inf")) == {"attack": 2}
    units["W2523"] = {"italy": "inf"}
    s = looked(units, wars=LIBYA, destroyed=["W2521"])
    assert supply.rations(s, "axis")["W2521", "italy"].attack == 2
    assert supply.split(s, "W2523", Unit("italy", "inf")) == {"none": 1}, "same distance, later"
    s = looked(units, wars=LIBYA)
    units = {"W2422": {"italy": "2 inf"}, "W2523": {"italy": "inf"}, "W2722": {"italy": "2 ms"}}
    s = looked(units, wars=LIBYA, destroyed=["W2521"])
    assert supply.split(s, "W2523", Unit("italy", "inf")) == {"attack": 1}
    assert supply.split(s, "W2422", Unit("italy", "inf")) == {"attack": 1, "none": 1}


@pytest.mark.rule("gw75:9.42a", "gw75:9.42b", "gw75:18.63b")
def test_enemy_land_units_block_a_line_and_enemy_ships_do_not() -> None:
    s = looked({**AFRICA, "W2622": {"commonwealth": "3 surf_b, 2 ss"}}, wars=LIBYA)
    assert supply.attackers(s, "italy", "W2523", "inf") == 2
    s = looked({**AFRICA, "W2722": {"italy": "2 ms"}, "W2721": {"commonwealth": "inf"}}, wars=LIBYA)
    assert supply.attackers(s, "italy", "W2523", "inf") == 2, "Naples is left"
    taken = {hex: {"commonwealth": "inf"} for hex in ("W2721", "W2820")}
    s = looked({**AFRICA, **taken}, wars=LIBYA)
    assert supply.attackers(s, "italy", "W2523", "inf") == 0, "Genoa is behind them"


@pytest.mark.rule("gw75:9.25a", "gw75:9.25b", "gw75:9.41")
def test_ships_off_a_port_do_not_make_two_paths_overland_of_one() -> None:
    """From Kunming by Rangoon to India are two mountain hexsides; ships that could bring supply
    from Rangoon to Rangoon only change nothing, those in the Bay of Bengal bring it from India."""
    kunming = {"E2304": {"commonwealth": "inf"}}
    given: dict[str, Any] = {"wars": PACIFIC, "held": {"E2206": "japan"}}
    s = looked({**kunming, "E2006": {"commonwealth": "3 ms"}}, **given)
    assert supply.split(s, "E2304", Unit("commonwealth", "inf")) == {"defense": 1}
    assert supply.state(s, "commonwealth", "E2304") == "defense"
    bengal = {"E2102": {"commonwealth": "3 ms"}}
    s = looked({**kunming, **bengal}, **given)
    assert supply.split(s, "E2304", Unit("commonwealth", "inf")) == {"attack": 1}
    assert supply.state(looked(bengal, **given), "commonwealth", "E2304") == "attack"


@pytest.mark.rule("gw75:9.25a", "gw75:18.61")
def test_a_path_may_go_ashore_and_to_sea_again() -> None:
    """With Suez in Italian hands: by the Mediterranean, through Egypt, and on by the Red Sea."""
    sea = ("W3016", "W2616", "W2622", "W2325")
    units = {hex: {"commonwealth": "ms"} for hex in sea}
    units["W2027"] = {"commonwealth": "inf"}
    fields: dict[str, Any] = {"held": {"W2525": "italy"}, "destroyed": ["E2302"]}
    assert supply.state(looked(units, **fields), "commonwealth", "W2027") == "attack"
    del units["W2325"]
    assert supply.state(looked(units, **fields), "commonwealth", "W2027") == "none"


@pytest.mark.rule("gw75:5.53a")
def test_who_has_just_landed_is_supplied() -> None:
    units = {"W2523": {"commonwealth": {"inf": [{"count": 2, "duty": "landed"}]}}}
    s = looked(units, wars=LIBYA, held={"W2523": "commonwealth", "W2524": "italy"})
    assert supply.of(s, "W2523", Unit("commonwealth", "inf", duty="landed")) == "attack"


def cut_off(cut: int = 0) -> State:
    """German infantry on an island far from any port of its own."""
    return looked({"W2621": {"germany": {"inf": [{"cut": cut}]}}}, held={"W2621": "germany"})


@pytest.mark.rule("gw75:9.33b")
def test_the_clock_runs_for_two_whole_land_combat_phases() -> None:
    """unsupplied_clock: cut off in an Enemy Land Combat Phase, lost as the next one ends."""
    s = cut_off()
    phase(s, "end of allies_land_combat")
    assert [unit.cut for unit in s.stack("W2621")] == [0], "that phase was not a whole one"
    phase(s, "start of axis_land_combat")
    phase(s, "end of axis_land_combat")
    assert "W2621" in s.at
    phase(s, "start of allies_land_combat")
    assert "W2621" in s.at
    phase(s, "end of allies_land_combat")
    assert "W2621" not in s.at
    assert s.dead["germany", "inf"] == 1


@pytest.mark.rule("gw75:9.33b", "gw75:9.2b")
def test_a_path_that_is_opened_stops_the_clock() -> None:
    s = cut_off(2)
    s.put("W2721", Unit("germany", "ms"))
    s.hold("W2721", "germany")
    phase(s, "start of allies_land_combat")
    assert [unit.cut for unit in s.stack("W2621") if unit.type == "inf"] == [0]
    s = cut_off(2)
    s.take("W2621", Unit("germany", "inf", cut=2))
    s.put("W3021", Unit("germany", "inf", cut=2))
    phase(s, "end of allies_land_combat")
    assert list(s.stack("W3021")) == [Unit("germany", "inf")]


@pytest.mark.rule("gw75:9.2a", "gw75:9.33b")
@pytest.mark.parametrize("phase_side", ["axis", "allies"])
def test_so_does_one_that_is_cut_again_before_the_next_land_combat(phase_side: str) -> None:
    """Open as a Land Movement Phase begins, and cut in it: two more phases from then on."""
    s = cut_off(2)
    s.put("W2721", Unit("germany", "ms"))
    s.hold("W2721", "germany")
    phase(s, f"start of {phase_side}_land_movement")
    assert [unit.cut for unit in s.stack("W2621")] == [0]
    s.take("W2721", Unit("germany", "ms"))
    phase(s, f"start of {phase_side}_land_combat")
    phase(s, f"end of {phase_side}_land_combat")
    assert [unit.cut for unit in s.stack("W2621")] == [2]
    s = cut_off(1)
    phase(s, f"start of {phase_side}_land_movement")
    assert [unit.cut for unit in s.stack("W2621")] == [1]


@pytest.mark.rule("gw75:9.2a", "gw75:9.2b")
def test_supply_is_what_it_is_at_the_moment() -> None:
    """The early look at supply only counts towards elimination: it binds nobody in combat."""
    s = looked({"W3124": {"germany": "inf"}}, held=EAST)
    assert supply.state(s, "germany", "W3124") == "attack"
    for hex in s.facts.land["W3124"]:
        s.put(hex, Unit("ussr", "inf"))
    assert supply.state(s, "germany", "W3124") == "none"


@pytest.mark.rule("gw75:9.11")
def test_a_garrison_in_a_country_without_any_source_needs_none() -> None:
    units = {"E1116": {"france": {"sd": 1, "inf": 1}}, "W2619": {"france": "1 sd"}}
    s = state(units=units, held={"W2619": "germany"})
    assert supply.of(s, "E1116", Unit("france", "sd")) == "defense"
    assert supply.of(s, "E1116", Unit("france", "inf")) == "none"
    s = state(units={"W2517": {"france": "1 sd"}}, held={"W2619": "germany"})
    assert supply.of(s, "W2517", Unit("france", "sd")) == "none"  # its center is lost


@pytest.mark.rule("gw75:9.0a", "gw75:9.24")
def test_an_observer_is_told_who_is_short_of_supply() -> None:
    units = {
        "W3121": {"germany": "2 inf, sd"},
        "W2523": {"italy": "4 inf, sd"},
        "W2622": {"italy": "3 ms"},
        "W3126": {"germany": "2 inf, 2 fort"},
        "W3226": {"ussr": "inf"},
        "W3025": {"ussr": "inf"},
        "W3124": {"ussr": "inf"},
    }
    t = table(
        "axis_land_combat",
        8,
        units=units,
        wars=[("germany", "ussr"), ("commonwealth", "italy")],
        held={"W3126": "germany"},
    )
    assert t.game.observe("ussr")["derived"]["supply"] == {
        "W2523": {"italy": {"inf": {"defense": 1}}},
        "W3126": {"germany": {"inf": {"none": 2}}},
    }
