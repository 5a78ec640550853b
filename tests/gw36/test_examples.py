"""The worked examples of chapters 0, 1, 8 and 12 of the rulebook, with their numbers."""

import pytest

from sandtable.games.gw36.rules.blitz import Blitz
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.retreat import Dive, Press
from sandtable.games.gw36.rules.rounds import FireAll
from sandtable.games.gw36.rules.sharing import may_stay
from sandtable.games.gw36.rules.submarines import Engage
from sandtable.games.gw36.rules.transports import Sail
from tests.gw36.table import Done, Table, counts, state, table

MISS = 12


def move(units: str, path: str, duty: str = "") -> Move:
    return Move(counts(units), tuple(path.split(" > ")), duty)


def rolls(t: Table, *dice: int) -> list[str]:
    """Fire with everything until something else is asked or the dice are used up: the rolls."""
    left, seen = list(dice), []
    while True:
        if t.asked.endswith("choose_fire"):
            t.do(FireAll())
        elif t.asked == "chance roll" and left:
            number = sum(line.count for line in t.request.lines)
            seen.append(t.rolling)
            t.dice(*left[:number])
            left = left[number:]
        else:
            return seen


@pytest.mark.rule("gw36:0.3b", "gw36:12.7e", "gw36:12.7d", "gw36:1.16b")
def test_infantry_in_a_fortified_city_claims_two_and_then_one():
    t = table(
        units={"picardy": {"germany": "infantry"}, "paris": {"france": "infantry"}},
        possession={"picardy": "germany"},
        facilities={"paris": ["fortification picardy"]},
        wars=[("germany", "france")],
    )
    t.do(move("infantry", "picardy > paris"), Done())
    first = rolls(t, *[MISS] * 4)
    assert first == [
        "defense: 2 fortification at 5",
        "attack: 1 infantry at 2",
        "defense: 1 infantry at 6",
    ]
    t.do(Press())
    assert rolls(t, MISS, MISS) == ["attack: 1 infantry at 2", "defense: 1 infantry at 5"]


@pytest.mark.rule("gw36:0.3c", "gw36:1.24dual-c")
def test_armor_that_crosses_a_river_into_mountains_suffers_one_only():
    facts = table().s.facts
    origin, zone = min(
        (here, there)
        for here, there in facts.river
        if facts.zones[there].terrain == "mountain" and there in facts.land_next.get(here, ())
    )
    force = "medium_armor, mountain_infantry, artillery"
    t = table(
        options={"mountains": True, "rivers": True},
        units={origin: {"germany": force}, zone: {"france": "2 infantry"}},
        possession={origin: "germany", zone: "france"},
        facilities={zone: []},
        wars=[("germany", "france")],
    )
    t.do(move(force, f"{origin} > {zone}"), Done())
    # Mountain infantry: 2, +1 for the artillery, -1 for the river.
    assert rolls(t, *[MISS] * 5)[:3] == [
        "attack: 1 artillery at 2",
        "attack: 1 medium_armor at 5",
        "attack: 1 mountain_infantry at 2",
    ]
    assert rolls(t.do(Press()), *[MISS] * 5)[:3] == [
        "attack: 1 artillery at 2",
        "attack: 1 medium_armor at 5",
        "attack: 1 mountain_infantry at 3",
    ]


@pytest.mark.rule("gw36:0.5a")
@pytest.mark.parametrize(("british_war", "may"), [("", False), ("italy", False), ("germany", True)])
def test_british_units_enter_picardy_when_both_are_at_war_with_the_same_major_power(
    british_war: str, may: bool
):
    wars = [("france", "germany")]
    if british_war:
        wars.append(("great_britain", british_war))
    s = state("great_britain", "noncombat_move", wars=wars)
    assert may_stay(s, "great_britain", "picardy") is may


@pytest.mark.rule("gw36:0.5c", "gw36:0.5d", "gw36:0.5e", "gw36:0.5f")
@pytest.mark.parametrize("choice", ["attack", "leave", "stay"])
def test_german_and_soviet_ships_that_come_to_be_at_war_in_one_sea_zone(choice: str):
    ships = {"germany": "light_cruiser", "ussr": "light_cruiser"}
    t = table("germany", units={"sz_015": ships}, wars=[("germany", "ussr")])
    if choice == "attack":
        t.do(move("light_cruiser", "sz_015", "attack"), Done())
        assert t.rolling == "attack: 1 light_cruiser at 5"
        return
    t.do(Done())
    assert (t.asked, t.s.planned) == ("germany noncombat_move", ())
    if choice == "leave":
        t.do(move("light_cruiser", "sz_015 > sz_014"))
        assert t.units("sz_014", "germany") == {"light_cruiser": 1}


@pytest.mark.rule("gw36:0.5j")
def test_an_italian_submarine_is_no_casualty_of_a_german_attack():
    t = table(
        units={
            "sz_026": {"germany": "2 light_cruiser"},
            "sz_025": {"usa": "light_cruiser", "italy": "submarine"},
        },
        wars=[("germany", "usa"), ("italy", "usa")],
    )
    t.do(move("2 light_cruiser", "sz_026 > sz_025"), Done())
    assert rolls(t, MISS, MISS, 5) == [
        "attack: 2 light_cruiser at 5",
        "defense: 1 light_cruiser at 5",
    ]
    assert t.asked == "germany retreat_or_press"
    assert t.units("sz_025", "germany") == {"light_cruiser": 1}
    assert t.units("sz_025", "italy") == {"submarine": 1}


@pytest.mark.rule("gw36:0.5g")
def test_german_and_italian_units_defend_together_against_the_usa():
    t = table(
        "usa",
        units={
            "sz_026": {"usa": "2 light_cruiser"},
            "sz_025": {"germany": "light_cruiser", "italy": "light_cruiser"},
        },
        wars=[("germany", "usa"), ("italy", "usa")],
    )
    t.do(move("2 light_cruiser", "sz_026 > sz_025"), Done())
    rolls(t, 5, MISS)
    assert t.asked == "germany choose_casualties, italy choose_casualties"


@pytest.mark.rule("gw36:8.2a", "gw36:8.7e")
def test_two_heavy_cruisers_and_a_bomber_on_patrol_that_may_decline():
    t = table(
        units={
            "sz_026": {"germany": "2 heavy_cruiser"},
            "sz_025": {"great_britain": {"medium_bomber": [{"duty": "patrol"}]}},
        },
        wars=[("germany", "great_britain")],
    )
    t.do(move("2 heavy_cruiser", "sz_026 > sz_025"), Done())
    assert t.asked == "great_britain intercept"
    t.do(Engage({}))
    assert t.asked == "germany noncombat_move"
    assert t.units("sz_025", "great_britain") == {"medium_bomber": 1}


@pytest.mark.rule("gw36:8.7k", "gw36:8.7l", "gw36:8.9d", "gw36:9.4i")
def test_aircraft_of_a_carrier_force_one_round_on_a_submarine():
    t = table(
        units={
            "sz_026": {"germany": "submarine"},
            "sz_025": {
                "usa": {
                    "fleet_carrier": [{"cargo": ["fighter", "tactical_bomber"]}],
                    "light_cruiser": 1,
                }
            },
        },
        wars=[("germany", "usa")],
    )
    t.do(move("submarine", "sz_026 > sz_025", "declined"), Done())
    t.do(Engage({"fighter": 1, "tactical_bomber": 1}))
    # Neither the carrier nor the cruiser takes part, and the submarine cannot hit aircraft.
    assert rolls(t, MISS, MISS) == ["defense: 1 fighter at 6", "defense: 1 tactical_bomber at 5"]
    t.do(Dive({"germany:submarine": 1}))
    assert t.asked == "germany noncombat_move"
    assert t.cargo("sz_025", "usa") == [["usa fighter", "usa tactical_bomber"]]


@pytest.mark.rule("gw36:8.7k", "gw36:8.9d", "gw36:12.2.destroyer-c")
def test_a_carrier_hunts_submarines_with_its_aircraft_and_as_many_destroyers():
    t = table(
        "usa",
        units={
            "sz_026": {
                "usa": {
                    "fleet_carrier": [{"cargo": ["fighter"]}],
                    "light_cruiser": 1,
                    "destroyer": 2,
                }
            },
            "sz_025": {"germany": "submarine"},
        },
        wars=[("germany", "usa")],
    )
    t.do(move("fleet_carrier, light_cruiser, 2 destroyer", "sz_026 > sz_025"), Done())
    assert rolls(t, MISS, MISS, MISS) == [
        "attack: 1 destroyer at 4",
        "attack: 1 fighter at 6",
        "defense: 1 submarine at 3",
    ]


@pytest.mark.rule("gw36:12.8a", "gw36:12.8b", "gw36:12.7a")
@pytest.mark.parametrize("side", [0, 1])
def test_one_fortification_covers_crete_from_both_sea_zones(side: int):
    sea = table().s.facts.coast["crete"][side]
    other = table().s.facts.coast["crete"][1 - side]
    t = table(
        "great_britain",
        units={
            sea: {"great_britain": {"naval_transport": [{"cargo": ["infantry", "infantry"]}]}},
            "crete": {"germany": "infantry"},
        },
        possession={"crete": "germany"},
        facilities={"crete": [f"fortification {other}"]},
        wars=[("germany", "great_britain")],
    )
    t.do(Sail((sea,), offload="crete"))
    while t.asked.endswith("combat_move"):
        t.do(Done())
    assert rolls(t, *[MISS] * 5) == [
        "defense: 2 fortification at 5",
        "attack: 2 infantry at 2",
        "defense: 1 infantry at 6",
    ]


@pytest.mark.rule("gw36:1.8a", "gw36:1.7b", "gw36:1.8c")
def test_from_chita_to_northern_manchuria_mountains_count_for_one_round_and_stop_a_blitz():
    def attack(defenders: str) -> Table:
        t = table(
            "ussr",
            options={"mountains": True},
            units={"chita": {"ussr": "medium_armor"}, "northern_manchuria": {"japan": defenders}},
            wars=[("ussr", "japan")],
        )
        return t.do(move("medium_armor", "chita > northern_manchuria"), Done())

    t = attack("infantry")
    assert rolls(t, MISS, MISS)[0] == "attack: 1 medium_armor at 5"
    assert rolls(t.do(Press()), MISS, MISS)[0] == "attack: 1 medium_armor at 6"
    won = attack("infantry")
    rolls(won, 1, MISS)
    assert won.asked == "ussr noncombat_move"


@pytest.mark.rule("gw36:1.12d")
def test_a_river_counts_again_for_a_blitz():
    t = table(
        options={"rivers": True},
        units={
            "picardy": {"germany": "2 medium_armor"},
            "normandy": {"france": "infantry"},
            "paris": {"france": "infantry"},
        },
        possession={"picardy": "germany"},
        wars=[("germany", "france")],
    )
    t.do(move("2 medium_armor", "picardy > normandy"), Done())
    rolls(t, 1, MISS, MISS)
    t.do(Blitz({"germany:medium_armor": 2}, "paris"))
    assert rolls(t, *[MISS] * 3)[0] == "attack: 2 medium_armor at 5"
    assert rolls(t.do(Press()), *[MISS] * 3)[0] == "attack: 2 medium_armor at 6"
