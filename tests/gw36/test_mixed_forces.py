"""Battles of forces that are not alike: where they came from, what brought them, who decides."""

import pytest

from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.rules.blitz import MayBlitz
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.relations import go_to_war
from sandtable.games.gw36.rules.retreat import MayDive, RetreatOrPress
from sandtable.games.gw36.rules.rounds import FireAll
from sandtable.games.gw36.rules.transports import Sail
from tests.gw36.fights import Fight, fortify, place, position, sea_fight
from tests.gw36.procedures import run
from tests.gw36.table import Done, Table, state, table

MISS = 12


def landing(s, ship: str, *types: str) -> None:
    """A transport off Normandy that lands these units there."""
    cargo = tuple(sorted(Unit("germany", type_, duty="assault") for type_ in types))
    s.put("sz_026", Unit("germany", ship, duty="landing", target="normandy", cargo=cargo))
    s.planned = (("normandy", "land"),)


@pytest.mark.rule("gw36:1.23a", "gw36:9.2a")
def test_only_those_who_cross_the_maginot_line_suffer_double_casualties():
    def ready():
        s = position()
        fortify(s, "alsace_lorraine", "bavaria", "maginot")
        place(s, "alsace_lorraine", "germany", {"infantry": 2}, duty="attack", origin="bavaria")
        place(s, "alsace_lorraine", "germany", {"infantry": 2}, duty="attack", origin="belgium")
        place(s, "alsace_lorraine", "france", {"infantry": 1})
        s.planned = (("alsace_lorraine", "land"),)
        return s

    dice = [MISS] * 6 + [7]
    around = Fight(ready(), dice, [Casualties({"germany:infantry": 1})], until="retreat_or_press")
    assert around.units("alsace_lorraine", "germany") == {"infantry": 3}
    across = Fight(ready(), dice, [Casualties({"germany:infantry!": 2})], until="retreat_or_press")
    left = {u.origin: n for u, n in across.s.stack("alsace_lorraine").items() if u.origin}
    assert left == {"belgium": 2}


@pytest.mark.rule("gw36:9.8d", "gw36:7.8.attack-transport-b")
def test_a_hit_on_who_came_by_attack_transport_costs_one():
    s = position()
    landing(s, "naval_transport", "infantry", "infantry")
    landing(s, "attack_transport", "infantry", "infantry")
    place(s, "normandy", "france", {"infantry": 1})
    fight = Fight(s, [MISS] * 4 + [4], until="choose_casualties")
    asked = fight.asked[-1]
    assert isinstance(asked, ChooseCasualties)
    assert asked.double == ("germany:infantry~!",)
    asked.check(s, Casualties({"germany:infantry~": 1}))
    asked.check(s, Casualties({"germany:infantry~!": 2}))


@pytest.mark.rule("gw36:9.8c")
def test_where_nobody_fights_all_land_at_once():
    s = position()
    landing(s, "naval_transport", "infantry", "medium_armor")
    landing(s, "naval_transport", "artillery")
    fight = Fight(s)
    assert fight.units("normandy", "germany") == {"artillery": 1, "infantry": 1, "medium_armor": 1}
    assert s.possession["normandy"] == "germany"


@pytest.mark.rule("gw36:9.8c")
def test_artillery_alone_does_not_land_against_defenders():
    s = position()
    landing(s, "naval_transport", "artillery")
    place(s, "normandy", "france", {"infantry": 1})
    fight = Fight(s)
    assert fight.units("normandy", "germany") == {}
    assert s.possession["normandy"] == "france"


@pytest.mark.rule("gw36:table-9-3e", "gw36:9.8i")
def test_a_drop_does_not_keep_armor_from_a_blitz_but_a_landing_does():
    def ready():
        s = position()
        s.possession["picardy"] = "germany"
        armor = {"medium_armor": 1}
        place(s, "normandy", "germany", armor, duty="attack", origin="picardy", used=1)
        place(s, "normandy", "france", {"infantry": 1})
        s.planned = (("normandy", "land"),)
        return s

    dropped = ready()
    dropped.put("normandy", Unit("germany", "airborne", duty="assault", target="airborne"))
    fight = Fight(dropped, [3, MISS], until="may_blitz")
    assert isinstance(fight.asked[-1], MayBlitz)
    landed = ready()
    landing(landed, "naval_transport", "infantry")
    fight = Fight(landed, [2, MISS])
    assert not any(isinstance(request, MayBlitz) for request in fight.asked)


@pytest.mark.rule("gw36:8.7k", "gw36:9.11k", "gw36:table-9-8f")
def test_aircraft_aboard_a_carrier_protect_convoys_as_a_patrol_does():
    def raid(carrier: Unit, dice: list[int]) -> Fight:
        s = position(wars=[("germany", "great_britain")], treasury={"great_britain": 20})
        s.put("sz_022", carrier)
        place(s, "sz_022", "germany", {"submarine": 1}, duty="raid")
        s.planned = (("sz_022", "raid"),)
        return Fight(s, dice)

    planes = (Unit("great_britain", "fighter"),)
    ready = raid(Unit("great_britain", "fleet_carrier", cargo=planes), [5, 1, 6])
    assert ready.values("defense") == {"fighter": [(1, 6)]}
    assert ready.s.treasury["great_britain"] == 16  # 5 + 2 against 1 + 2
    assert ready.units("sz_022", "germany") == {}
    damaged = raid(Unit("great_britain", "fleet_carrier", hits=1, cargo=planes), [5, 1])
    assert damaged.s.treasury["great_britain"] == 14
    empty = raid(Unit("great_britain", "fleet_carrier"), [5, 1])
    assert empty.s.treasury["great_britain"] == 14


@pytest.mark.rule("gw36:8.6d")
def test_scrambled_fighters_whose_base_was_lost_find_land_a_deck_or_their_end():
    def ready(*, deck: bool, land: str):
        s = position(wars=[("germany", "great_britain")])
        for zone in s.facts.neighbours["sz_025"]:
            if zone in s.possession:
                s.possession[zone] = land
        s.possession["southern_england"] = "germany"
        fighter = Unit("great_britain", "fighter", duty="scrambled", target="southern_england")
        s.put("sz_025", fighter, 2)
        s.put("sz_025", Unit("great_britain", "light_carrier" if deck else "light_cruiser"))
        place(s, "sz_025", "germany", {"submarine": 1}, duty="attack", origin="sz_026")
        s.planned = (("sz_025", "naval"),)
        Fight(s, [MISS, 6, MISS])
        return s

    lost = ready(deck=False, land="germany")
    assert [u.type for _, u, _ in lost.units_of("great_britain")] == ["light_cruiser"]
    aboard = ready(deck=True, land="germany")
    ((_, carrier, _),) = aboard.units_of("great_britain")
    assert [piece.type for piece in carrier.cargo] == ["fighter"]
    home = ready(deck=True, land="great_britain")
    assert sum(n for z, u, n in home.units_of("great_britain") if z in home.possession) == 2


@pytest.mark.rule("gw36:9.4h", "gw36:1.15c")
def test_a_submarine_may_leave_a_battle_through_a_closed_strait_but_through_no_closed_canal():
    def ways_out(here: str, zone: str, passage: str) -> tuple[str, ...]:
        s = position(wars=[("germany", "great_britain")])
        s.possession[zone] = "germany"
        s.closed = frozenset({(passage, "great_britain")})
        place(s, here, "germany", {"light_cruiser": 1}, duty="attack")
        place(s, here, "great_britain", {"light_cruiser": 1, "submarine": 1})
        s.planned = ((here, "naval"),)
        fight = Fight(s, [MISS] * 3, until="may_dive")
        (request,) = [each for each in fight.asked if isinstance(each, MayDive)]
        return request.zones

    assert "sz_065" in ways_out("sz_064", "gibraltar", "strait_of_gibraltar")
    assert "sz_079" not in ways_out("sz_070", "eastern_egypt", "suez_canal")


def declare(s, who: str, whom: str) -> None:
    run(s, lambda g: go_to_war(g, who, whom, declared=True))


def strike(s, owner: str) -> Fight:
    """Aircraft and a cruiser of Japan attack a cruiser in the Pacific."""
    near = s.facts.sea_next["sz_111"][0]
    force = {"light_cruiser": 1, "tactical_bomber": 1}
    place(s, "sz_111", "japan", force, duty="attack", origin=near)
    place(s, "sz_111", owner, {"light_cruiser": 1})
    s.planned = (("sz_111", "naval"),)
    return Fight(s, [MISS] * 3, until="retreat_or_press")


def test_the_first_declaration_on_an_allied_major_power_makes_attacks_a_surprise():
    """Japan's sheet: its aircraft have first strike, defenders -1 in the first round."""
    s = state("japan", "combat", wars=[])
    declare(s, "japan", "great_britain")
    fight = strike(s, "anzac")  # the Commonwealth is one power
    assert [lines[0].type for kind, lines, _ in fight.rolls if kind == "attack"] == [
        "tactical_bomber",
        "light_cruiser",
    ]
    assert fight.values("defense") == {"light_cruiser": [(1, 4)]}


@pytest.mark.parametrize(
    ("turn", "before", "whom"),
    [
        ("japan", "great_britain", "usa"),  # the second declaration
        ("japan", "", "ussr"),  # no member of the Allies
        ("germany", "", "usa"),  # in another's turn
    ],
)
def test_no_other_attack_is_a_surprise(turn: str, before: str, whom: str):
    s = state(turn, "combat", wars=[])
    if before:
        declare(s, "japan", before)
        s.done.clear()
    declare(s, "japan", whom)
    s.slot = position(turn="japan").slot
    fight = strike(s, whom)
    assert fight.values("defense") == {"light_cruiser": [(1, 5)]}


@pytest.mark.rule("gw36:7.8.advanced-sub-c", "gw36:8.9d")
def test_a_paired_destroyer_hits_the_submarine_but_not_the_advanced_one_beside_it():
    def hunt(prey: str) -> Table:
        bomber = {"medium_bomber": [{"duty": "patrol"}]}
        t = table(
            units={
                "sz_026": {"germany": "destroyer"},
                "sz_025": {"germany": bomber, "great_britain": prey},
            },
            possession={"normandy": "germany"},
            wars=[("germany", "great_britain")],
        )
        t.do(Move({"destroyer": 1}, ("sz_026", "sz_025")), Done(), FireAll())
        assert t.rolling == "attack: 1 destroyer at 4"
        return t.dice(4)

    t = hunt("submarine, advanced_submarine")
    assert t.rolling == "attack: 1 medium_bomber at 7"
    t.dice(MISS)
    assert t.s.battle.condemned == ((Unit("great_britain", "submarine"), 1),)


@pytest.mark.rule("gw36:9.7d")
def test_troops_behind_a_lost_screen_stay_aboard_with_nothing_to_land_on():
    t = table(
        options={"screening": True},
        units={
            "sz_027": {
                "germany": {"light_cruiser": 1, "naval_transport": [{"cargo": ["infantry"]}]}
            },
            "sz_026": {"great_britain": "destroyer"},
            "normandy": {"great_britain": "infantry"},
        },
        possession={"normandy": "great_britain"},
        wars=[("germany", "great_britain")],
    )
    t.do(Move({"light_cruiser": 1}, ("sz_027", "sz_026"), "screen"))
    t.do(Sail(("sz_027", "sz_026"), offload="normandy"), Done())
    t.dice(MISS).dice(4)
    assert t.asked == "germany noncombat_move"
    ((zone, ship, _),) = t.s.units_of("germany")
    assert (zone, ship.duty) == ("sz_027", "retreated")
    assert [(piece.duty, piece.target) for piece in ship.cargo] == [("", "")]


@pytest.mark.rule("gw36:9.6d", "gw36:12.2.seaplane-c")
@pytest.mark.parametrize(
    ("defenders", "fires"),
    [
        ({"destroyer": 1, "naval_transport": 1}, False),
        ({"destroyer": 1, "submarine": 1, "naval_transport": 1}, True),
    ],
)
def test_a_seaplane_fires_where_a_submarine_is_present_not_at_guarded_transports(
    defenders: dict[str, int], fires: bool
):
    dice = [MISS] * (2 + fires + sum(defenders.values()) - 1)
    force = {"light_cruiser": 1, "seaplane": 1}
    fight = sea_fight(force, defenders, dice[:], until="may_dive" if fires else "retreat_or_press")
    assert ("seaplane" in fight.values("attack")) is fires


@pytest.mark.rule("gw36:9.4e")
def test_ships_retreat_only_where_one_came_from_and_no_enemy_warship_is():
    def ways_back(*, barred: str) -> list[tuple[str, ...]]:
        s = position(wars=[("germany", "great_britain")])
        for origin in ("sz_024", "sz_026"):
            place(s, "sz_025", "germany", {"light_cruiser": 1}, duty="attack", origin=origin)
        place(s, "sz_025", "great_britain", {"light_cruiser": 1})
        s.put("sz_026", Unit("great_britain", barred))
        s.planned = (("sz_025", "naval"),)
        fight = Fight(s, [MISS] * 3, until="retreat_or_press")
        return [each.zones for each in fight.asked if isinstance(each, RetreatOrPress)]

    assert ways_back(barred="naval_transport") == [("sz_024", "sz_026")]
    assert ways_back(barred="destroyer") == [("sz_024",)]


@pytest.mark.rule("gw36:12.2.battleship-b", "gw36:table-9-6e", "gw36:table-9-6f")
def test_damage_costs_attack_and_defense_but_no_bombardment():
    s = position()
    for _ in range(2):
        landing(s, "naval_transport", "infantry", "infantry")
    for type_, hits in (("battleship", 1), ("heavy_battleship", 1), ("heavy_battleship", 2)):
        ship = Unit("germany", type_, hits=hits, duty="bombard", target="normandy")
        s.put("sz_026", ship)
    place(s, "normandy", "france", {"infantry": 1})
    fight = Fight(s, [MISS, 5, MISS])
    assert fight.values("attack") == {"battleship": [(1, 4)], "heavy_battleship": [(1, 5), (1, 5)]}
    assert s.possession["normandy"] == "germany"


@pytest.mark.rule("gw36:8.6a")
def test_nobody_scrambles_out_of_a_zone_that_is_attacked_on_land():
    def ready(*, attacked: bool) -> Table:
        units = {
            "sz_026": {"germany": "light_cruiser"},
            "sz_025": {"france": "destroyer"},
            "picardy": {"germany": "infantry"},
            "normandy": {"france": "fighter"},
        }
        t = table(
            units=units,
            possession={"picardy": "germany"},
            facilities={"normandy": ["air_base"]},
            wars=[("germany", "france")],
        )
        t.do(Move({"light_cruiser": 1}, ("sz_026", "sz_025")))
        if attacked:
            t.do(Move({"infantry": 1}, ("picardy", "normandy")))
        return t.do(Done())

    assert ready(attacked=False).asked == "france may_scramble"
    assert ready(attacked=True).asked == "germany choose_combat"


@pytest.mark.rule("gw36:1.12c")
def test_rockets_on_lorries_are_artillery_to_which_a_river_does_nothing():
    s = position()
    s.options = {**s.options, "rivers": True}
    force = {"katyusha": 1, "infantry": 1}
    place(s, "paris", "germany", force, duty="attack", origin="normandy")
    s.possession["normandy"] = "germany"
    place(s, "paris", "france", {"infantry": 1})
    s.planned = (("paris", "land"),)
    fight = Fight(s, [MISS] * 3, until="retreat_or_press")
    assert fight.values("attack") == {"katyusha": [(1, 5)], "infantry": [(1, 1)]}


@pytest.mark.rule("gw36:9.11e", "gw36:9.11g")
def test_the_enemy_with_most_to_lose_is_raided_first():
    s = position(
        wars=[("germany", "great_britain"), ("germany", "usa")],
        treasury={"great_britain": 20, "usa": 20},
    )
    place(s, "sz_025", "germany", {"submarine": 1}, duty="raid")
    for line in ("north_atlantic", "west_african"):  # what is left: 1 and 2 on the third line
        s.raided[line, "great_britain"] = 9
    s.raided["new_york_london", "great_britain"] = 3
    s.planned = (("sz_025", "raid"),)
    Fight(s, [3, 3])
    assert s.treasury == {"great_britain": 20, "usa": 18}
