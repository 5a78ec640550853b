"""The map in play (section 1)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.model import Facility, News, State, Unit
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.sharing import defenders, hostile_sea, may_share, may_stay
from sandtable.games.gw36.rules.zones import (
    barred,
    blockaded,
    bombable,
    border,
    burma_road_conditions,
    burma_road_open,
    coastal_artillery,
    crosses_river,
    crossing,
    crossing_blocked,
    follow,
    fortified,
    ground,
    no_blitz,
    northern_route,
    side,
    slows,
    start_bonus,
    step_closed,
    surrounded,
)
from tests.gw36.hand import Hand, allowed, facts, of, refused, state

WORLD_WAR = [("germany", "great_britain"), ("france", "germany"), ("germany", "ussr")]


def passes(s: State, nation: str, type_: str, here: str, there: str) -> bool:
    return not step_closed(s, nation, s.facts.units[type_], here, there)


# --- sides


def test_friends_do_not_depend_on_who_aligned_in_another_game() -> None:
    s, other = state(wars=[("brazil", "ussr")]), state(wars=[("brazil", "ussr")])
    other.aligned["chile"] = "usa"
    assert "chile" not in side(other, "usa").friends
    assert side(other, "chile") == side(other, "usa")
    assert "chile" not in side(s, "usa").friends
    assert side(s, "chile").friends == {"chile"}


def test_marked_units_are_those_that_are_not_as_good_as_new() -> None:
    s = state()
    deck = Unit("usa", "fleet_carrier", cargo=(Unit("usa", "fighter"),))
    hit = Unit("usa", "destroyer", hits=1)
    s.put("sz_014", deck)
    s.put("sz_014", hit, 2)
    s.put("sz_013", Unit("usa", "destroyer"))
    moved = s.change("sz_013", Unit("usa", "destroyer"), 1, used=1)
    tired = s.change("sz_014", deck, 1, cargo=(Unit("usa", "fighter", used=1),))
    here = [each for each in s.worn_units() if each[1].nation == "usa"]
    assert here == [("sz_013", moved, 1), ("sz_014", hit, 2), ("sz_014", tired, 1)]
    kept = dict(s.marked)
    s.derive()
    assert s.marked == kept
    s.take("sz_014", hit)
    s.take("sz_014", hit)
    s.take("sz_013", moved)
    s.change("sz_014", tired, 1, cargo=())
    assert not any(unit.nation == "usa" for _, unit, _ in s.worn_units())


# --- sharing zones


@pytest.mark.rule("gw36:0.5a")
def test_members_of_an_alliance_share_land_once_they_have_a_common_enemy() -> None:
    assert not may_share(state(), "great_britain", "france")
    at_war = state(wars=[("germany", "great_britain"), ("france", "germany")])
    assert may_share(at_war, "great_britain", "france")
    assert may_stay(at_war, "great_britain", "picardy")
    assert not may_share(
        state(wars=[("germany", "great_britain"), ("france", "italy")]), "great_britain", "france"
    )
    assert not may_stay(state(), "great_britain", "picardy")


@pytest.mark.rule("gw36:0.5b")
def test_the_commonwealth_shares_land_at_peace() -> None:
    assert may_share(state(), "great_britain", "fec")
    assert may_share(state(), "anzac", "fec")
    assert may_stay(state(), "anzac", "london")


@pytest.mark.rule("gw36:0.5c")
def test_ships_at_peace_share_a_sea_zone() -> None:
    fleet = {"sz_014": [of("ussr", "destroyer"), of("germany", "destroyer")]}
    assert not hostile_sea(state(units=fleet), "germany", "sz_014")
    assert hostile_sea(state(units=fleet, wars=WORLD_WAR), "germany", "sz_014")


@pytest.mark.rule("gw36:0.5d")
@pytest.mark.rule("gw36:9.11o")
@pytest.mark.parametrize("duty", ["submerged", "declined", "convoy"])
def test_units_that_keep_out_of_combat_stop_nobody(duty: str) -> None:
    units = {"sz_014": [of("ussr", "destroyer", duty=duty)]}
    assert not hostile_sea(state(units=units, wars=WORLD_WAR), "germany", "sz_014")


@pytest.mark.rule("gw36:0.5g")
@pytest.mark.rule("gw36:0.5i")
def test_all_enemies_of_the_attacker_defend_together() -> None:
    units = {
        "sz_014": [
            of("ussr", "destroyer"),
            of("great_britain", "destroyer"),
            of("usa", "destroyer"),
            of("italy", "destroyer"),
        ]
    }
    s = state(units=units, wars=WORLD_WAR)
    assert defenders(s, "sz_014", ("germany",)) == ("great_britain", "ussr")


# --- terrain


@pytest.mark.rule("gw36:1.7a")
@pytest.mark.rule("gw36:1.8a")
def test_a_zone_with_its_roundel_in_mountains_is_all_mountain() -> None:
    assert ground(state(rules="recommended"), "romania") == "mountain"
    off = state(rules="recommended", switches={"mountains": False})
    assert ground(off, "romania") == "normal"


@pytest.mark.rule("gw36:1.7b")
@pytest.mark.rule("gw36:1.7c")
@pytest.mark.rule("gw36:1.8a")
def test_northern_manchuria_is_behind_mountains_from_chita_only() -> None:
    s = state(rules="recommended")
    assert border(s, "chita", "northern_manchuria") == "mountain"
    assert ground(s, "northern_manchuria") == "normal"
    assert border(s, "western_manchuria", "northern_manchuria") == "normal"
    assert border(state(), "chita", "northern_manchuria") == "normal"


@pytest.mark.rule("gw36:1.12a")
@pytest.mark.rule("gw36:1.12b")
@pytest.mark.rule("gw36:1.24dual-a")
def test_rivers_are_crossed_where_they_lie_in_the_way() -> None:
    s = state(rules="recommended")
    for origin, zone in sorted(facts().river):
        assert crosses_river(s, origin, zone)
        assert not crosses_river(state(), origin, zone)
    one, other = next(
        (here, there)
        for here in facts().land
        for there in facts().land_next[here]
        if (here, there) not in facts().river
    )
    assert not crosses_river(s, one, other)
    assert not crosses_river(s, "sz_014", "denmark")
    assert border(s, "sz_014", "denmark") == "normal"


@pytest.mark.rule("gw36:1.8c")
@pytest.mark.rule("gw36:1.9d")
@pytest.mark.rule("gw36:1.10d")
@pytest.mark.rule("gw36:1.11c")
@pytest.mark.rule("gw36:12.2.cavalry-b")
def test_rough_terrain_slows_land_units() -> None:
    s = state(rules="recommended")
    units = facts().units
    for terrain in ("mountain", "desert", "jungle", "marsh"):
        zone = next(z.id for z in facts().zones.values() if z.terrain == terrain and not z.sea)
        origin = facts().neighbours[zone][0]
        assert slows(s, units["medium_armor"], origin, zone), terrain
        assert slows(s, units["cavalry"], origin, zone) == (
            terrain != "mountain"
            or s.facts.border_terrain.get((origin, zone), "mountain") != "mountain"
        )
        assert not slows(state(), units["medium_armor"], origin, zone)


@pytest.mark.rule("gw36:1.8d")
@pytest.mark.rule("gw36:1.9e")
@pytest.mark.rule("gw36:1.10e")
@pytest.mark.rule("gw36:1.11d")
def test_terrain_stops_a_blitz_at_the_border_and_in_the_zone() -> None:
    s = state(rules="recommended")
    assert no_blitz(s, "hungary", "romania")
    assert no_blitz(s, "chita", "northern_manchuria")
    assert not no_blitz(state(), "chita", "northern_manchuria")
    for terrain in ("mountain", "desert", "jungle", "marsh"):
        zone = next(
            z.id
            for z in facts().zones.values()
            if z.terrain == terrain and not z.city and facts().land_next[z.id]
        )
        near = next(n for n in facts().land_next[zone] if not facts().zones[n].city)
        assert no_blitz(s, near, zone), terrain


@pytest.mark.rule("gw36:1.16g")
def test_nobody_blitzes_out_of_a_city() -> None:
    near = next(z for z in facts().land_next["warsaw"])
    assert "city" in no_blitz(state(), "warsaw", near)
    assert not no_blitz(state(), near, "warsaw")


@pytest.mark.rule("gw36:1.23d")
@pytest.mark.rule("gw36:1.22a")
@pytest.mark.rule("gw36:12.8a")
@pytest.mark.rule("gw36:12.8b")
def test_a_fortification_covers_its_border_and_in_special_zones_all() -> None:
    line = {"alsace_lorraine": [Facility("fortification", "bavaria")]}
    s = state(facilities=line)
    assert fortified(s, "bavaria", "alsace_lorraine")
    assert no_blitz(s, "bavaria", "alsace_lorraine")
    other = next(z for z in facts().land_next["alsace_lorraine"] if z != "bavaria")
    assert not fortified(s, other, "alsace_lorraine")
    near, *others = facts().neighbours["crimea"]
    all_round = state(facilities={"crimea": [Facility("fortification", near)]})
    assert all(fortified(all_round, zone, "crimea") for zone in others)
    first, second = facts().coast["crete"][:2]
    guns = state(facilities={"crete": [Facility("coastal_artillery", first)]})
    assert coastal_artillery(guns, second, "crete") == 1
    for zone in ("gibraltar", "panama", "british_malaya", "crimea", "crete", "paris"):
        assert zone in facts().special_fortification
    assert (
        "sicily" not in facts().special_fortification
        or "sicily" not in facts().nations["italy"].home
    )


@pytest.mark.rule("gw36:1.13a")
@pytest.mark.rule("gw36:1.7d")
def test_tundra_is_barred_by_its_option() -> None:
    assert barred(state(rules="recommended"), "komi")
    assert not barred(state(), "komi")


# --- facilities


@pytest.mark.rule("gw36:12.5a")
@pytest.mark.rule("gw36:12.5c")
@pytest.mark.rule("gw36:12.5d")
@pytest.mark.rule("gw36:12.5.major-port-a")
@pytest.mark.rule("gw36:12.5.submarine-base-a")
def test_ships_that_start_at_a_base_go_further() -> None:
    units = facts().units
    sea = facts().coast["southern_england"][0]

    def bonus(type_: str, *built: Facility, nation: str = "great_britain") -> int:
        return start_bonus(state(facilities={"southern_england": built}), nation, units[type_], sea)

    assert bonus("destroyer", Facility("major_port", sea)) == 1
    assert bonus("destroyer", Facility("minor_port", sea)) == 0
    assert bonus("destroyer", Facility("major_port", sea), Facility("major_dockyard", sea)) == 1
    assert bonus("destroyer", Facility("major_port", sea, damage=1)) == 0
    assert bonus("destroyer", Facility("major_port", sea), nation="anzac") == 1
    assert bonus("destroyer", Facility("major_port", sea), nation="usa") == 0
    assert bonus("submarine", Facility("submarine_base", sea)) == 1
    assert bonus("destroyer", Facility("submarine_base", sea)) == 0
    assert bonus("destroyer", Facility("major_shipyard", sea)) == 1
    elsewhere = facts().coast["scotland"][0]
    assert (
        start_bonus(
            state(facilities={"southern_england": [Facility("major_port", sea)]}),
            "great_britain",
            units["destroyer"],
            elsewhere if elsewhere != sea else facts().coast["scotland"][1],
        )
        == 0
    )


@pytest.mark.rule("gw36:12.5.air-base-b")
@pytest.mark.rule("gw36:12.5.seaplane-base-a")
@pytest.mark.rule("gw36:12.5.major-shipyard-a")
@pytest.mark.rule("gw36:12.5.major-dockyard-a")
def test_aircraft_that_start_at_a_base_fly_further() -> None:
    units = facts().units

    def bonus(type_: str, *built: str) -> int:
        s = state(facilities={"berlin": [Facility(each) for each in built]})
        return start_bonus(s, "germany", units[type_], "berlin")

    assert bonus("fighter", "air_base") == 1
    assert bonus("fighter", "seaplane_base") == 0
    assert bonus("fighter", "major_port") == 0
    for base in ("seaplane_base", "major_port", "major_shipyard", "major_dockyard", "air_base"):
        assert bonus("seaplane", base) == 1, base
    assert bonus("seaplane", "air_base", "seaplane_base") == 1


# --- cities


def besieged(**fields: object) -> State:
    around = [z for z in facts().neighbours["warsaw"] if not facts().zones[z].sea]
    owners = dict.fromkeys(around, "germany") | {"warsaw": "ussr"}
    return state(owners=owners, wars=[("germany", "ussr")], **fields)  # type: ignore[arg-type]


@pytest.mark.rule("gw36:1.16a")
@pytest.mark.rule("gw36:1.16e")
def test_a_city_is_surrounded_by_enemy_zones_on_all_sides() -> None:
    s = besieged()
    assert surrounded(s, "warsaw")
    s.wars = frozenset()
    assert not surrounded(s, "warsaw")
    assert surrounded(besieged(facilities={"warsaw": [Facility("air_base", damage=1)]}), "warsaw")
    assert not surrounded(besieged(facilities={"warsaw": [Facility("air_base")]}), "warsaw")
    assert surrounded(besieged(facilities={"warsaw": [Facility("minor_factory")]}), "warsaw")
    assert not surrounded(s, "bavaria")


@pytest.mark.rule("gw36:1.16f")
def test_a_city_beside_a_neutral_is_never_surrounded() -> None:
    s = besieged()
    s.possession[facts().land_next["warsaw"][0]] = "switzerland"
    assert not surrounded(s, "warsaw")


@pytest.mark.rule("gw36:1.16f")
@pytest.mark.rule("gw36:8.11a")
@pytest.mark.rule("gw36:8.11b")
@pytest.mark.rule("gw36:8.11d")
def test_a_harbour_saves_a_city_unless_it_is_blockaded() -> None:
    around = [z for z in facts().neighbours["leningrad"] if not facts().zones[z].sea]
    sea = facts().coast["leningrad"][0]

    def siege(ships: int, duty: str = "blockade", **fields: object) -> State:
        return state(
            owners=dict.fromkeys(around, "germany"),
            wars=[("germany", "ussr")],
            facilities={"leningrad": [Facility("major_port", sea)]},
            units={sea: [of("germany", "destroyer", ships, duty=duty)]},
        )

    assert not surrounded(siege(2), "leningrad")
    assert surrounded(siege(3), "leningrad")
    assert not surrounded(siege(3, duty=""), "leningrad")
    assert blockaded(siege(3), sea, "ussr")
    assert not blockaded(siege(3), sea, "finland")


# --- straits and canals


@pytest.mark.rule("gw36:table-1-1a")
def test_neutral_denmark_keeps_allied_warships_out_of_the_baltic() -> None:
    s = state(owners={"denmark": "denmark"})
    for nation in ("great_britain", "anzac", "france", "usa"):
        assert not passes(s, nation, "destroyer", "sz_013", "sz_014")
        assert passes(s, nation, "submarine", "sz_013", "sz_014")
        assert passes(s, nation, "naval_transport", "sz_013", "sz_014")
    for nation in ("germany", "ussr", "italy", "japan"):
        assert passes(s, nation, "destroyer", "sz_014", "sz_013")
    s.control["denmark"] = "great_britain"
    assert passes(s, "usa", "destroyer", "sz_013", "sz_014")


@pytest.mark.rule("gw36:table-1-1b")
@pytest.mark.rule("gw36:1.15e")
@pytest.mark.rule("gw36:1.15p")
def test_a_closed_strait_stops_ships_but_no_submarines() -> None:
    s = state(owners={"denmark": "germany"}, wars=WORLD_WAR)
    s.closed = frozenset({("danish_straits", "great_britain")})
    assert not passes(s, "great_britain", "destroyer", "sz_013", "sz_014")
    assert not passes(s, "anzac", "naval_transport", "sz_013", "sz_014")
    assert passes(s, "great_britain", "submarine", "sz_013", "sz_014")
    assert passes(s, "germany", "destroyer", "sz_013", "sz_014")
    assert passes(s, "usa", "destroyer", "sz_013", "sz_014")


@pytest.mark.rule("gw36:1.15e")
@pytest.mark.rule("gw36:table-1-2b")
@pytest.mark.rule("gw36:table-1-1c")
def test_a_closed_canal_stops_submarines_too() -> None:
    s = state(wars=[("great_britain", "italy")], phase="noncombat_move")
    assert passes(s, "italy", "submarine", "sz_070", "sz_079")
    s.closed = frozenset({("suez_canal", "italy"), ("strait_of_gibraltar", "italy")})
    assert not passes(s, "italy", "submarine", "sz_070", "sz_079")
    assert passes(s, "italy", "submarine", "sz_064", "sz_065")
    assert not passes(s, "italy", "destroyer", "sz_064", "sz_065")
    assert passes(s, "japan", "destroyer", "sz_070", "sz_079")


@pytest.mark.rule("gw36:1.15f")
def test_a_canal_is_closed_in_the_turn_of_its_capture_and_a_strait_is_not() -> None:
    s = state("italy", "noncombat_move", owners={"eastern_egypt": "italy", "gibraltar": "italy"})
    s.captured = frozenset({"eastern_egypt", "gibraltar"})
    assert not passes(s, "italy", "destroyer", "sz_070", "sz_079")
    assert passes(s, "italy", "destroyer", "sz_064", "sz_065")
    s.captured = frozenset()
    assert passes(s, "italy", "destroyer", "sz_070", "sz_079")


@pytest.mark.rule("gw36:1.15g")
def test_no_combat_move_leads_through_a_foreign_canal() -> None:
    rules = {"canal_combat": True}
    s = state("italy", switches=rules)
    assert not passes(s, "italy", "destroyer", "sz_070", "sz_079")
    assert passes(s, "anzac", "destroyer", "sz_070", "sz_079")
    assert passes(state("italy"), "italy", "destroyer", "sz_070", "sz_079")
    after = state("italy", "noncombat_move", switches=rules)
    assert passes(after, "italy", "destroyer", "sz_070", "sz_079")
    assert passes(s, "italy", "destroyer", "sz_064", "sz_065")  # a strait


@pytest.mark.rule("gw36:table-1-2d")
@pytest.mark.rule("gw36:1.15h")
def test_neutral_turkey_closes_its_straits_to_nations_at_war_with_a_major_power() -> None:
    s = state(wars=[("germany", "ussr"), ("italy", "abyssinia")])
    assert not passes(s, "ussr", "submarine", "sz_052", "sz_069")
    assert passes(s, "italy", "destroyer", "sz_052", "sz_069")
    s.possession["istanbul"] = "ussr"
    assert passes(s, "ussr", "submarine", "sz_052", "sz_069")


@pytest.mark.rule("gw36:1.15i")
@pytest.mark.rule("gw36:1.15j")
@pytest.mark.rule("gw36:table-1-2e")
def test_one_submarine_a_turn_passes_the_white_sea_canal() -> None:
    s = state("ussr", "noncombat_move")
    assert passes(s, "ussr", "submarine", "sz_016", "sz_006")
    assert passes(s, "germany", "coastal_submarine", "sz_016", "sz_006")
    assert not passes(s, "ussr", "destroyer", "sz_016", "sz_006")
    assert not passes(s, "ussr", "advanced_submarine", "sz_016", "sz_006")
    s.done["white_sea:ussr"] = 1
    assert not passes(s, "ussr", "submarine", "sz_016", "sz_006")
    assert passes(s, "germany", "submarine", "sz_016", "sz_006")
    s.closed = frozenset({("baltic_white_sea_canal", "germany")})
    assert not passes(s, "germany", "submarine", "sz_016", "sz_006")
    assert not passes(state("ussr"), "ussr", "submarine", "sz_016", "sz_006")


@pytest.mark.rule("gw36:1.15m")
@pytest.mark.rule("gw36:table-1-2f")
def test_only_small_craft_enter_the_great_lakes() -> None:
    s = state("usa", "noncombat_move")
    assert passes(s, "usa", "torpedo_boat_destroyer", "sz_022", "sz_034")
    assert passes(s, "usa", "coastal_submarine", "sz_022", "sz_034")
    assert not passes(s, "usa", "destroyer", "sz_022", "sz_034")
    s.closed = frozenset({("st_lawrence_seaway", "usa")})
    assert not passes(s, "usa", "coastal_submarine", "sz_022", "sz_034")


@pytest.mark.rule("gw36:15.10a")
def test_a_canal_with_five_damage_is_closed() -> None:
    s = state("great_britain", "noncombat_move", canal_damage={"suez_canal": 4})
    assert passes(s, "great_britain", "destroyer", "sz_070", "sz_079")
    s.canal_damage["suez_canal"] = 5
    assert not passes(s, "great_britain", "destroyer", "sz_070", "sz_079")


# --- special routes


@pytest.mark.rule("gw36:1.19a")
@pytest.mark.rule("gw36:1.19b")
def test_the_northern_sea_route_is_for_one_soviet_ship_a_turn() -> None:
    s = state("ussr")
    assert northern_route(s, "ussr", "sz_006", "sz_007") == ""
    assert northern_route(s, "germany", "sz_007", "sz_006")
    s.permits = frozenset({("northern_route", "ussr", "germany")})
    assert northern_route(s, "germany", "sz_007", "sz_006") == ""
    s.done["northern_route:ussr"] = 1
    assert northern_route(s, "ussr", "sz_006", "sz_007")
    assert northern_route(s, "germany", "sz_006", "sz_007") == ""
    assert northern_route(s, "ussr", "sz_006", "sz_016") is None


@pytest.mark.rule("gw36:1.17a")
@pytest.mark.rule("gw36:1.17b")
def test_the_burma_road_opens_with_the_first_turn_that_meets_its_conditions() -> None:
    held = {"yunnan": "kmt", "burma": "fec"}
    war = [("japan", "kmt")]
    assert burma_road_conditions(state(owners=held, wars=war, date="1938-07"))
    assert not burma_road_conditions(state(owners=held, wars=war, date="1938-01"))
    assert not burma_road_conditions(state(owners=held, date="1938-07"))
    assert not burma_road_conditions(state(owners=held | {"yunnan": "japan"}, wars=war))
    assert not burma_road_conditions(state(owners=held | {"burma": "japan"}, wars=war))
    s = state(owners=held, wars=war)
    hand = Hand(s)
    hand.run(lambda g: follow(g, News("phase")))
    assert not burma_road_open(s)
    hand.run(lambda g: follow(g, News("calendar")))
    assert burma_road_open(s)
    s.possession["burma"] = "japan"
    assert not burma_road_open(s)
    hand.run(lambda g: follow(g, News("calendar")))
    s.possession["burma"] = "fec"
    assert not burma_road_open(s)
    hand.run(lambda g: follow(g, News("calendar")))
    assert burma_road_open(s)


@pytest.mark.rule("gw36:1.20a")
@pytest.mark.rule("gw36:1.20b")
@pytest.mark.rule("gw36:1.21a")
def test_enemy_warships_guns_and_patrols_prevent_a_crossing() -> None:
    known = crossing(facts(), "london", "picardy")
    assert known is not None
    assert known.channel
    assert crossing(facts(), "picardy", "london") is known
    assert crossing(facts(), "london", "bavaria") is None

    def blocked(type_: str, duty: str = "", nation: str = "germany") -> bool:
        units = {"sz_026": [of(nation, type_, duty=duty)]}
        return crossing_blocked(state(units=units, wars=WORLD_WAR), "great_britain", known)

    assert blocked("destroyer")
    assert not blocked("destroyer", nation="italy")
    assert not blocked("submarine")
    assert not blocked("naval_transport")
    assert blocked("fighter", "patrol")
    shore = next(z for z in facts().coast["sz_026"] if z != "london")
    guns = state(
        owners={shore: "germany"},
        wars=WORLD_WAR,
        facilities={shore: [Facility("coastal_artillery", "sz_026")]},
    )
    assert crossing_blocked(guns, "great_britain", known)


@pytest.mark.rule("gw36:1.15n")
@pytest.mark.rule("gw36:1.15a")
def test_the_great_lakes_are_one_sea_zone_behind_the_seaway() -> None:
    assert facts().sea_next["sz_034"] == ("sz_022",)
    s = state("usa", "noncombat_move", units={"sz_022": [of("usa", "torpedo_boat_destroyer")]})
    allowed(s, Move({"torpedo_boat_destroyer": 1}, ("sz_022", "sz_034")))
    s.closed = frozenset({("st_lawrence_seaway", "usa")})
    refused(s, Move({"torpedo_boat_destroyer": 1}, ("sz_022", "sz_034")), "1.15b")


@pytest.mark.rule("gw36:table-1-2a")
@pytest.mark.rule("gw36:table-1-2c")
def test_panama_and_the_kaiser_wilhelm_canal_are_open_until_they_are_closed() -> None:
    s = state("japan", "noncombat_move")
    for passage, nation, here, there in (
        ("panama_canal", "japan", "sz_128", "sz_133"),
        ("kaiser_wilhelm_canal", "ussr", "sz_014", "sz_027"),
    ):
        s.closed = frozenset()
        assert passes(s, nation, "destroyer", here, there)
        s.closed = frozenset({(passage, nation)})
        assert not passes(s, nation, "destroyer", here, there)
        assert not passes(s, nation, "submarine", here, there)


@pytest.mark.rule("gw36:1.17e")
def test_the_burma_road_is_no_target() -> None:
    s = state(burma_road=True)
    assert "railroad:siam" in bombable(s, "burma")
    assert not any("yunnan" in target for target in bombable(s, "burma"))


@pytest.mark.rule("gw36:1.18a")
def test_antarctica_is_not_on_the_map() -> None:
    s = state(units={"berlin": [of("germany", "strategic_bomber")]})
    assert not any("antarct" in zone for zone in facts().zones)
    refused(s, Move({"strategic_bomber": 1}, ("berlin", "antarctica")), "1.1a")


@pytest.mark.rule("gw36:9.16a")
@pytest.mark.rule("gw36:12.5c")
def test_each_base_of_a_zone_is_a_target_of_its_own() -> None:
    built = [
        Facility("minor_port", "sz_026"),
        Facility("minor_port", "sz_025"),
        Facility("air_base"),
        Facility("fortification", "london"),
    ]
    targets = bombable(state(facilities={"southern_england": built}), "southern_england")
    assert targets[:3] == ["minor_port:sz_026", "minor_port:sz_025", "air_base"]
    assert "fortification:london" not in targets
