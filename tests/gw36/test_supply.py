"""Supply paths (1.5)."""

from itertools import pairwise

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility, Unit
from sandtable.games.gw36.rules.supply import path, rail_reach, reachable
from sandtable.games.gw36.rules.zones import bombable
from tests.gw36.table import state


@pytest.mark.rule("gw36:1.5a", "gw36:1.5b")
def test_a_path_follows_railways_over_any_distance():
    s = state("ussr", "production")
    way = path(s, "ussr", "moscow", {"primorsky_krai"})
    assert way is not None and way[0] == "moscow" and way[-1] == "primorsky_krai"
    assert len(way) > 6
    assert all(pair(a, b) in s.railways or pair(a, b) in s.facts.rivers for a, b in pairwise(way))


@pytest.mark.rule("gw36:1.5b", "gw36:12.10e")
def test_a_damaged_railway_carries_no_supply():
    s = state("usa", "production", "1936-07", wars=[])
    assert "southwest_united_states" in reachable(s, "usa", "new_york")
    s.facilities = {}
    for border in s.railways:
        if "southwest_united_states" in border:
            s.rail_damage[border] = 1
    assert "southwest_united_states" not in reachable(s, "usa", "new_york")


@pytest.mark.rule("gw36:1.5b")
def test_rivers_carry_supply_whether_or_not_their_optional_rule_is_in_use():
    s = state("kmt", "production", options={"rules": "basic"})
    s.railways.clear()
    (one, other), _ = next(
        (border, name)
        for border, name in sorted(s.facts.rivers.items())
        if s.possession[border[0]] == s.possession[border[1]] == "kmt"
    )
    assert other in reachable(s, "kmt", one)


@pytest.mark.rule("gw36:1.5c")
def test_another_players_zones_are_open_by_permission_only():
    s = state("germany", "production", "1936-07", wars=[])
    assert path(s, "germany", "berlin", {"paris"}) is None
    s.permits = frozenset({("supply", "france", "germany")})
    s.possession["belgium"] = "germany"
    goal = path(s, "germany", "berlin", {"paris"})
    assert goal is not None and goal[-1] == "paris"
    s.permits = frozenset({("supply", "germany", "france")})
    assert path(s, "germany", "berlin", {"paris"}) is None


@pytest.mark.rule("gw36:1.5c")
def test_partners_need_no_permission_but_can_be_refused():
    s = state(
        "france",
        "production",
        "1940-01",
        wars=[("france", "germany"), ("germany", "great_britain")],
    )
    assert path(s, "france", "paris", {"london"})
    s.refused = frozenset({("supply", "great_britain", "france")})
    assert path(s, "france", "paris", {"london"}) is None


@pytest.mark.rule("gw36:1.5d", "gw36:12.6a")
def test_the_sea_is_entered_and_left_at_undamaged_naval_facilities():
    s = state("great_britain", "production", "1936-07", wars=[])
    way = path(s, "great_britain", "london", {"malta"})
    assert way is not None and s.facts.zones[way[-2]].sea
    s.facilities["malta"] = (Facility("minor_dockyard", "sz_067", damage=1),)
    assert path(s, "great_britain", "london", {"malta"}) is None
    s.facilities["malta"] = (Facility("air_base"),)
    assert path(s, "great_britain", "london", {"malta"}) is None


@pytest.mark.rule("gw36:1.5d")
def test_minor_facilities_serve_ordinary_supply_paths():
    s = state("great_britain", "production", "1936-07", wars=[])
    s.facilities["malta"] = (Facility("minor_port", "sz_067"),)
    assert path(s, "great_britain", "london", {"malta"})


@pytest.mark.rule("gw36:1.5e")
def test_a_closed_canal_blocks_the_path():
    s = state("italy", "production", "1936-07", wars=[])
    s.facilities["eritrea"] = (Facility("minor_port", "sz_079"),)
    way = path(s, "italy", "rome", {"eritrea"})
    assert way is not None and "sz_070" in way
    s.closed = frozenset({("suez_canal", "italy"), ("strait_of_gibraltar", "italy")})
    assert path(s, "italy", "rome", {"eritrea"}) is None


@pytest.mark.rule("gw36:1.5f", "gw36:8.11a", "gw36:8.11b", "gw36:8.11d")
def test_enemy_ships_stop_a_path_only_by_a_blockade_of_three():
    s = state("italy", "production", "1940-07", wars=[("great_britain", "italy")])
    for near in s.facts.coast["sicily"]:
        s.put(near, Unit("great_britain", "destroyer"), 5)
    assert path(s, "italy", "rome", {"sicily"})
    for near in s.facts.coast["sicily"]:
        s.take(near, Unit("great_britain", "destroyer"), 5)
        s.put(near, Unit("great_britain", "destroyer", duty="blockade"), 2)
    assert path(s, "italy", "rome", {"sicily"})
    s.put("sz_067", Unit("great_britain", "light_cruiser", duty="blockade"))
    assert path(s, "italy", "rome", {"sicily"}) is None
    s.wars = frozenset()
    assert path(s, "italy", "rome", {"sicily"})


@pytest.mark.rule("gw36:1.5h")
def test_a_path_crosses_the_sea_only_once():
    s = state("great_britain", "production", "1936-07", wars=[])
    s.railways.clear()
    s.possession["malta"] = "great_britain"
    way = path(s, "great_britain", "london", {"ceylon", "malta", "cyprus"})
    assert way is not None
    seas = [s.facts.zones[zone].sea for zone in way]
    assert sum(a != b for a, b in pairwise(seas)) == 2
    # From an island with a port, over an island with another port, to a third sea: not allowed.
    s.facilities = {
        "malta": (Facility("minor_port", "sz_067"),),
        "eastern_egypt": (Facility("minor_port", "sz_070"), Facility("minor_port", "sz_079")),
        "aden": (Facility("minor_port", "sz_080"),),
    }
    s.closed = frozenset(
        {("suez_canal", "great_britain"), ("strait_of_gibraltar", "great_britain")}
    )
    assert path(s, "great_britain", "malta", {"eastern_egypt"})
    assert path(s, "great_britain", "eastern_egypt", {"aden"})
    assert path(s, "great_britain", "malta", {"aden"}) is None


@pytest.mark.rule("gw36:1.17d", "gw36:appB-10a")
def test_the_burma_road_carries_supply_while_it_is_open():
    s = state("kmt", "production", "1940-01", wars=[("japan", "kmt")], possession={"yunnan": "kmt"})
    s.permits = frozenset({("supply", "fec", "kmt")})
    s.facilities = {}
    assert path(s, "kmt", "yunnan", {"burma"}) is None
    s.burma_road = True
    assert path(s, "kmt", "yunnan", {"burma"}) == ("yunnan", "burma")
    s.possession["yunnan"] = "japan"
    s.permits = frozenset({("supply", "fec", "japan")})
    assert path(s, "japan", "yunnan", {"burma"}) is None


@pytest.mark.rule("gw36:1.17e")
def test_the_burma_road_cannot_be_bombed():
    s = state("japan", "combat_move", "1942-01", wars=[("japan", "kmt")])
    s.burma_road = True
    for here, there in (("yunnan", "burma"), ("burma", "yunnan")):
        assert f"railroad:{there}" not in bombable(s, here)
    assert any(target.startswith("railroad:") for target in bombable(s, "burma"))


@pytest.mark.rule("gw36:1.21c")
def test_a_channel_port_is_crossed_as_if_by_railroad():
    s = state(
        "great_britain",
        "production",
        "1940-01",
        wars=[("france", "germany"), ("germany", "great_britain")],
    )
    s.facilities = {}
    assert path(s, "great_britain", "london", {"picardy"}) == ("london", "picardy")


@pytest.mark.rule("gw36:1.15k", "gw36:1.15l")
def test_the_white_sea_canal_and_the_great_lakes_count_as_rivers():
    s = state("ussr", "production", "1936-07", wars=[])
    s.railways.clear()
    zones = s.facts.passages[s.facts.white_sea].zones
    assert set(zones) <= reachable(s, "ussr", zones[0])
    assert "chicago" in reachable(s, "usa", "great_lakes_usa")
    assert "sz_022" not in (path(s, "usa", "chicago", {"new_york"}) or ())


@pytest.mark.rule("gw36:12.10b")
def test_lines_in_a_zone_are_connected_with_each_other():
    s = state("germany", "production", "1936-07", wars=[])
    s.railways = {
        pair("berlin", "western_germany"): "regular",
        pair("western_germany", "bavaria"): "broad",
    }
    assert {*rail_reach(s, "germany", "berlin")} == {"western_germany", "berlin", "bavaria"}
    s.rail_damage[pair("western_germany", "bavaria")] = 1
    assert {*rail_reach(s, "germany", "berlin")} == {"western_germany", "berlin"}
