"""Movement on land: paths, terrain, towing, crossings, and who may go where."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move, points
from sandtable.games.gw36.rules.noncombat_move import phase
from tests.gw36.hand import Hand, allowed, facts, of, refused, state, way

HOME = "noncombat_move"


def march(units: dict[str, int], path: str, **fields: str) -> Move:
    return Move(units, way(path), **fields)  # type: ignore[arg-type]


def home(
    units: dict[str, int], zone: str = "bavaria", nation: str = "germany", **fields: object
) -> State:
    return state(
        nation,
        HOME,
        units={zone: [of(nation, type_, n) for type_, n in units.items()]},
        **fields,  # type: ignore[arg-type]
    )


@pytest.mark.rule("gw36:0.8a")
@pytest.mark.rule("gw36:12.2.infantry-a")
@pytest.mark.rule("gw36:12.2.medium-armor-a")
def test_each_border_costs_a_point() -> None:
    s = home({"infantry": 1, "medium_armor": 1}, "berlin")
    allowed(s, march({"infantry": 1}, "berlin > eastern_germany"))
    refused(s, march({"infantry": 1}, "berlin > eastern_germany > bavaria"), "0.8a")
    allowed(s, march({"medium_armor": 1}, "berlin > eastern_germany > bavaria"))
    refused(
        s,
        march({"medium_armor": 1}, "berlin > western_germany > bavaria > eastern_germany"),
        "0.8a",
    )


@pytest.mark.rule("gw36:0.8b")
@pytest.mark.rule("gw36:1.1c")
def test_movement_crosses_borders_only() -> None:
    s = home({"infantry": 2}, "berlin")
    refused(s, march({"infantry": 1}, "berlin > bavaria"), "0.8b")
    refused(s, march({"infantry": 1}, "berlin > atlantis"), "1.1a")
    lake = state(
        "france", HOME, units={"chad": [of("france", "infantry")]}, owners={"nigeria": "france"}
    )
    refused(lake, march({"infantry": 1}, "chad > nigeria"), "0.8b")


@pytest.mark.rule("gw36:10.1a")
def test_only_units_that_have_not_moved_move() -> None:
    s = state(
        "germany",
        HOME,
        units={
            "berlin": [
                of("germany", "infantry", 2, used=1, duty="moved"),
                of("germany", "infantry"),
            ]
        },
    )
    allowed(s, march({"infantry": 1}, "berlin > eastern_germany"))
    refused(s, march({"infantry": 2}, "berlin > eastern_germany"), "10.1a")


@pytest.mark.rule("gw36:12.2.motorized-b")
@pytest.mark.rule("gw36:12.2.artillery-d")
@pytest.mark.rule("gw36:12.2.aa-f")
@pytest.mark.rule("gw36:7.8.advanced-artillery-a")
def test_motorized_infantry_tows_artillery_one_to_one() -> None:
    path = "berlin > eastern_germany > bavaria"
    s = home(
        {
            "motorized_infantry": 2,
            "artillery": 2,
            "anti_aircraft_artillery": 1,
            "advanced_artillery": 1,
            "strategic_rocket": 1,
            "mechanized_infantry": 1,
            "infantry": 1,
        },
        "berlin",
    )
    refused(s, march({"artillery": 1}, path), "12.2.motorized-b")
    allowed(s, march({"artillery": 1, "motorized_infantry": 1}, path))
    allowed(s, march({"artillery": 1, "anti_aircraft_artillery": 1, "motorized_infantry": 2}, path))
    allowed(s, march({"advanced_artillery": 1, "motorized_infantry": 1}, path))
    refused(s, march({"artillery": 2, "motorized_infantry": 1}, path), "12.2.motorized-b")
    refused(s, march({"artillery": 1, "mechanized_infantry": 1}, path), "12.2.motorized-b")
    refused(s, march({"strategic_rocket": 1, "motorized_infantry": 1}, path), "0.8a")
    refused(s, march({"infantry": 1, "motorized_infantry": 1}, path), "0.8a")


@pytest.mark.rule("gw36:1.8c")
@pytest.mark.rule("gw36:1.9d")
@pytest.mark.rule("gw36:12.2.cavalry-b")
def test_rough_terrain_allows_one_step_but_for_cavalry_in_mountains() -> None:
    owners = {
        "hungary": "germany",
        "romania": "germany",
        "austria": "germany",
        "yugoslavia": "germany",
    }
    near = next(
        z
        for z in facts().land_next["romania"]
        if facts().zones[z].terrain == "normal" and facts().land_next[z]
    )
    start = next(
        z
        for z in facts().land_next[near]
        if z != "romania"
        and facts().zones[z].terrain == "normal"
        and (z, near) not in facts().border_terrain
    )
    owners |= {near: "germany", start: "germany"}
    s = home({"medium_armor": 1, "cavalry": 1}, start, owners=owners, rules="recommended")
    assert facts().zones["romania"].terrain == "mountain"
    refused(s, march({"medium_armor": 1}, f"{start} > {near} > romania"), "1.7a")
    allowed(s, march({"cavalry": 1}, f"{start} > {near} > romania"))
    plain = home({"medium_armor": 1}, start, owners=owners)
    allowed(plain, march({"medium_armor": 1}, f"{start} > {near} > romania"))
    desert = home(
        {"cavalry": 1}, "cyrenaica", "italy", owners={"western_egypt": "italy"}, rules="recommended"
    )
    refused(desert, march({"cavalry": 1}, "cyrenaica > tobruk > western_egypt"), "1.7a")
    allowed(desert, march({"cavalry": 1}, "cyrenaica > tobruk"))


@pytest.mark.rule("gw36:1.8c")
def test_leaving_mountains_into_open_ground_is_free() -> None:
    out = next(
        (a, b, c)
        for a in facts().land
        if facts().zones[a].terrain == "mountain"
        for b in facts().land_next[a]
        if facts().zones[b].terrain == "normal" and (a, b) not in facts().border_terrain
        for c in facts().land_next[b]
        if c != a and facts().zones[c].terrain == "normal" and (b, c) not in facts().border_terrain
    )
    s = home({"medium_armor": 1}, out[0], owners=dict.fromkeys(out, "germany"), rules="recommended")
    allowed(s, march({"medium_armor": 1}, " > ".join(out)))


@pytest.mark.rule("gw36:12.2.militia-b")
def test_militia_stays_in_the_home_country_of_its_major_power() -> None:
    s = home({"militia": 1}, "bavaria", owners={"bohemia": "germany", "austria": "germany"})
    allowed(s, march({"militia": 1}, "bavaria > western_germany"))
    refused(s, march({"militia": 1}, "bavaria > austria"), "12.2.militia-b")
    minor = state(
        "germany",
        HOME,
        units={"hungary": [of("hungary", "militia")]},
        control={"hungary": "germany"},
        owners={"slovakia": "hungary"},
    )
    refused(minor, march({"militia": 1}, "hungary > slovakia", nation="hungary"), "12.2.militia-b")


@pytest.mark.rule("gw36:1.7d")
@pytest.mark.rule("gw36:1.13a")
def test_land_units_do_not_enter_tundra() -> None:
    near = next(z for z in facts().land_next["komi"] if facts().zones[z].terrain != "tundra")
    s = home({"infantry": 1}, near, "ussr", rules="recommended")
    refused(s, march({"infantry": 1}, f"{near} > komi"), "1.7d")
    allowed(home({"infantry": 1}, near, "ussr"), march({"infantry": 1}, f"{near} > komi"))


@pytest.mark.rule("gw36:1.17c")
@pytest.mark.rule("gw36:appB-10a")
def test_nobody_marches_over_the_himalayas_or_the_burma_road() -> None:
    s = home({"infantry": 1}, "burma", "fec", owners={"yunnan": "great_britain"}, burma_road=True)
    refused(s, march({"infantry": 1}, "burma > yunnan"), "0.8b")


@pytest.mark.rule("gw36:13.3.1a")
@pytest.mark.rule("gw36:13.3.2a")
def test_chinese_factions_stay_in_china_until_they_evolve() -> None:
    s = home({"infantry": 1}, "yunnan", "kmt", owners={"annam_tonkin": "kmt", "sikang": "kmt"})
    refused(s, march({"infantry": 1}, "yunnan > annam_tonkin"), "13.3.2a")
    allowed(s, march({"infantry": 1}, "yunnan > sikang"))
    s.evolved = frozenset({"kmt"})
    allowed(s, march({"infantry": 1}, "yunnan > annam_tonkin"))


@pytest.mark.rule("gw36:0.5a")
@pytest.mark.rule("gw36:0.5b")
def test_units_move_into_zones_of_aligned_nations_only() -> None:
    ally = home({"infantry": 1}, "southern_england", "great_britain")
    ally.possession["london"] = "france"
    refused(ally, march({"infantry": 1}, "southern_england > london"), "0.5a")
    ally.wars = frozenset({("france", "germany"), ("germany", "great_britain")})
    allowed(ally, march({"infantry": 1}, "southern_england > london"))
    fec = home({"infantry": 1}, "southern_england", "fec")
    allowed(fec, march({"infantry": 1}, "southern_england > london"))


@pytest.mark.rule("gw36:10.1b")
def test_nobody_moves_into_a_zone_conquered_this_turn() -> None:
    s = home(
        {"infantry": 1}, "bavaria", owners={"bohemia": "germany"}, captured=frozenset({"bohemia"})
    )
    refused(s, march({"infantry": 1}, "bavaria > bohemia"), "10.1b")


# --- narrow crossings


@pytest.mark.rule("gw36:1.20a")
@pytest.mark.rule("gw36:1.20d")
@pytest.mark.rule("gw36:1.20b")
def test_infantry_crosses_in_the_printed_number() -> None:
    units = {"infantry": 2, "cavalry": 1}
    s = home(units, "southern_italy", "italy")
    refused(s, march({"cavalry": 1}, "southern_italy > sicily"), "1.20d")
    refused(s, march({"infantry": 2}, "southern_italy > sicily"), "1.20a")
    hand = Hand(s)
    hand.run(phase, march({"infantry": 1}, "southern_italy > sicily"), Done())
    assert s.stack("sicily") == {
        Unit("italy", "infantry", used=1, origin="southern_italy", duty="moved"): 1
    }
    s = home(units, "southern_italy", "italy", done={"crossing:messina:italy": 1})
    refused(s, march({"infantry": 1}, "southern_italy > sicily"), "1.20a")
    s = home(units, "southern_italy", "italy", wars=[("italy", "great_britain")])
    allowed(s, march({"infantry": 1}, "southern_italy > sicily"))
    s.put("sz_050", Unit("great_britain", "destroyer"))
    refused(s, march({"infantry": 1}, "southern_italy > sicily"), "1.20b")


@pytest.mark.rule("gw36:1.20d")
def test_a_crossing_is_the_whole_move() -> None:
    s = home({"cavalry": 1, "infantry": 1}, "lazio", "italy")
    refused(s, march({"cavalry": 1}, "lazio > southern_italy > sicily"), "0.8b")


@pytest.mark.rule("gw36:1.21a")
@pytest.mark.rule("gw36:1.21b")
def test_every_land_unit_crosses_at_a_channel_port() -> None:
    wars = [("great_britain", "germany"), ("france", "germany")]
    s = home({"medium_armor": 1, "artillery": 2}, "london", "great_britain", wars=wars)
    allowed(s, march({"medium_armor": 1, "artillery": 1}, "london > picardy"))
    refused(s, march({"artillery": 2, "medium_armor": 1}, "london > picardy"), "1.20a")


@pytest.mark.rule("gw36:1.20c")
def test_only_marines_attack_across_a_crossing() -> None:
    s = state(
        "great_britain",
        units={"london": [of("great_britain", "marine", 2), of("great_britain", "infantry")]},
        owners={"picardy": "germany"},
        wars=[("great_britain", "germany")],
    )
    allowed(s, march({"marine": 2}, "london > picardy"))
    refused(s, march({"infantry": 1}, "london > picardy"), "1.20c")


# --- ships in the non-combat phase


@pytest.mark.rule("gw36:0.5f")
@pytest.mark.rule("gw36:8.2a")
@pytest.mark.rule("gw36:8.2c")
def test_ships_leave_enemies_freely_but_enter_their_zones_in_combat_movement_only() -> None:
    s = state(
        "germany",
        HOME,
        units={
            "sz_014": [of("germany", "destroyer"), of("ussr", "destroyer")],
            "sz_016": [of("ussr", "submarine")],
            "sz_027": [of("great_britain", "fighter", duty="patrol")],
        },
        wars=[("germany", "ussr"), ("germany", "great_britain")],
    )
    allowed(s, march({"destroyer": 1}, "sz_014 > sz_015"))
    refused(s, march({"destroyer": 1}, "sz_014 > sz_016"), "8.2a")
    refused(s, march({"destroyer": 1}, "sz_014 > sz_027"), "8.2a")


@pytest.mark.rule("gw36:12.5d")
@pytest.mark.rule("gw36:12.2.battleship-a")
@pytest.mark.rule("gw36:12.2.destroyer-a")
@pytest.mark.rule("gw36:12.2.coastal-submarine-a")
def test_ships_move_as_far_as_their_type_and_their_port_allow() -> None:
    def reach(type_: str, *built: Facility) -> int:
        s = state(facilities={"western_germany": built})
        return points(s, Unit("germany", type_), "sz_027")

    assert [
        reach(t) for t in ("battleship", "destroyer", "coastal_submarine", "naval_transport")
    ] == [2, 3, 1, 2]
    assert reach("battleship", Facility("major_port", "sz_027")) == 3
    assert reach("battleship", Facility("major_port", "sz_014")) == 2
    s = state(
        "germany",
        HOME,
        units={"sz_027": [of("germany", "battleship")]},
        facilities={"western_germany": [Facility("major_port", "sz_027")]},
    )
    allowed(s, march({"battleship": 1}, "sz_027 > sz_012 > sz_011 > sz_024"))
    del s.facilities["western_germany"]
    refused(s, march({"battleship": 1}, "sz_027 > sz_012 > sz_011 > sz_024"), "0.8a")


@pytest.mark.rule("gw36:1.15a")
@pytest.mark.rule("gw36:1.15i")
@pytest.mark.rule("gw36:1.19a")
def test_special_ways_take_the_whole_move_and_one_ship() -> None:
    units = {"sz_016": [of("ussr", "submarine", 2)], "sz_006": [of("ussr", "destroyer", 2)]}
    s = state("ussr", HOME, units=units)
    refused(s, march({"submarine": 2}, "sz_016 > sz_006"), "1.19a")
    refused(s, march({"submarine": 1}, "sz_016 > sz_006 > sz_005"), "1.15i")
    refused(s, march({"destroyer": 1}, "sz_006 > sz_016"), "1.15b")
    refused(s, march({"destroyer": 2}, "sz_006 > sz_007"), "1.19a")
    Hand(s).run(
        phase,
        march({"submarine": 1}, "sz_016 > sz_006"),
        march({"destroyer": 1}, "sz_006 > sz_007"),
        Done(),
    )
    s.mover = "ussr"
    refused(s, march({"submarine": 1}, "sz_016 > sz_006"), "1.15b")
    refused(s, march({"destroyer": 1}, "sz_006 > sz_007"), "1.19a")
    combat = state(
        "ussr", units={"sz_006": [of("ussr", "destroyer")], "sz_016": [of("ussr", "submarine")]}
    )
    refused(combat, march({"submarine": 1}, "sz_016 > sz_006"), "1.15b")
    assert facts().northern_route == ("sz_006", "sz_007")


@pytest.mark.rule("gw36:12.9d")
def test_guns_at_a_narrow_crossing_fire_at_ships_that_pass() -> None:
    guns = {"denmark": [Facility("coastal_artillery", "sz_014")]}
    wars = [("germany", "great_britain")]
    owners = {"denmark": "great_britain"}

    def passing(path: str, faces: tuple[int, ...], **ships: int) -> State:
        zone = way(path)[0]
        units = {zone: [of("germany", type_, n) for type_, n in ships.items()]}
        s = state("germany", HOME, units=units, wars=wars, owners=owners, facilities=guns)
        hand = Hand(s, faces)
        hand.run(phase, march(ships, path), Done())
        assert next(hand.faces, None) is None
        return s

    s = passing("sz_016 > sz_014 > sz_013", (3, 4), destroyer=2)
    assert sum(s.stack("sz_013").values()) == 1
    s = passing("sz_016 > sz_014", (), destroyer=2)
    assert sum(s.stack("sz_014").values()) == 2
    s = passing("sz_014 > sz_013", (12, 12, 3), destroyer=4, battleship=1)  # three shots
    assert {u.type: (u.hits, n) for u, n in s.stack("sz_013").items()} == {
        "destroyer": (0, 3),
        "battleship": (0, 1),
    }
    s = passing("sz_014 > sz_013", (1,), battleship=1)
    assert {u.hits for u in s.stack("sz_013")} == {1}
    s = passing("sz_014 > sz_013", (), submarine=2)
    assert sum(s.stack("sz_013").values()) == 2


@pytest.mark.rule("gw36:1.15c")
@pytest.mark.rule("gw36:1.15h")
def test_land_units_cross_canals_and_no_straits() -> None:
    s = home({"infantry": 1}, "eastern_egypt", "great_britain")
    near = [
        z for z in facts().land_next["eastern_egypt"] if facts().zones[z].region == "middle_east"
    ]
    assert near
    for zone in near:
        s.possession[zone] = "great_britain"
        allowed(s, march({"infantry": 1}, f"eastern_egypt > {zone}"))
    assert "gotaland" not in facts().land_next["denmark"]
    asia = next(
        z for z in facts().land_next["istanbul"] if facts().zones[z].region == "middle_east"
    )
    turkey = home({"infantry": 1}, "istanbul", "ussr", owners={"istanbul": "ussr", asia: "ussr"})
    allowed(turkey, march({"infantry": 1}, f"istanbul > {asia}"))


def test_the_usa_at_peace_moves_as_far_as_its_income_allows() -> None:
    units = {"sz_046": [of("usa", "destroyer")], "sz_036": []}
    out = march({"destroyer": 1}, "sz_046 > sz_036 > sz_037")
    s = state("usa", HOME, units=units)
    near = march({"destroyer": 1}, "sz_046 > sz_035")
    for income, far in ((6, False), (20, False), (30, True)):
        s.income["usa"] = income
        allowed(s, near)
        if far:
            allowed(s, out)
        else:
            refused(s, out, "8.2a")
    s.income["usa"] = 6
    s.wars = frozenset({("germany", "usa")})
    allowed(s, out)


@pytest.mark.rule("gw36:8.2a")
@pytest.mark.rule("gw36:table-12-1d")
def test_moves_name_units_that_there_are() -> None:
    s = home({"infantry": 2, "fighter": 1})
    refused(s, march({}, "bavaria > western_germany"), "8.2a")
    refused(s, march({"zeppelin": 1}, "bavaria > western_germany"), "8.2a")
    refused(s, march({"infantry": 0}, "bavaria > western_germany"), "8.2a")
    refused(s, march({"infantry": 3}, "bavaria > western_germany"), "10.1a")
    refused(s, march({"infantry": 1, "fighter": 1}, "bavaria > western_germany"), "8.2a")
    refused(s, Move({"infantry": 1}, ()), "0.8a")
    refused(s, march({"infantry": 1}, "bavaria"), "0.8a")
    refused(s, march({"infantry": 1}, "bavaria > western_germany", duty="attack"), "8.2b")
    refused(s, march({"infantry": 1}, "bavaria > western_germany", nation="atlantis"), "4.5a")
    refused(s, march({"fighter": 1}, "bavaria"), "0.8a")
    ship = state("germany", HOME, units={"sz_027": [of("germany", "destroyer")]})
    refused(ship, march({"destroyer": 1}, "sz_027"), "0.8a")
    refused(ship, march({"destroyer": 1}, "sz_027 > western_germany"), "0.8b")
