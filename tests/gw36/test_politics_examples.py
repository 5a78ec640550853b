"""The worked examples of the rulebook on politics and economy, played through the game."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.rules.alignment import Influence
from sandtable.games.gw36.rules.control import Recruit
from sandtable.games.gw36.rules.lend_lease import Deliver
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.production import Advance, Buy, Lend
from sandtable.games.gw36.rules.rights import DeclareWar, Permit
from tests.gw36.table import Done, table


def fight(t, ours=1, theirs=12):
    """Attackers show `ours`, defenders `theirs`, until something else is asked."""
    while t.asked == "chance roll":
        face = theirs if t.request.roll == "defense" else ours
        t.dice(*[face] * t.request.dice)


@pytest.mark.rule("gw36:4.4e", "gw36:table-4-4d")
def test_4_4_a_minor_power_that_aligns_in_production_fights_in_the_same_turn():
    t = table(
        "usa",
        "production",
        "1942-01",
        wars=[("germany", "usa")],
        treasury={"usa": 10},
        units={
            "amazon_jungle": {"brazil": "4 infantry"},
            "french_guiana": {"germany": "infantry"},
        },
        possession={"french_guiana": "germany"},
    )
    t.do(Influence("brazil", 3)).dice(3)
    assert t.units("amazon_jungle", "usa") == {"infantry": 4}
    t.do(Done(), Done())
    t.do(Move({"infantry": 4}, ("amazon_jungle", "french_guiana")), Done())
    fight(t)
    assert t.asked == "usa noncombat_move"
    assert t.s.possession["french_guiana"] == "france"  # a member of the Alliance has it back


@pytest.mark.rule("gw36:4.7a", "gw36:4.7b", "gw36:table-4-3d", "gw36:table-4-2f")
def test_4_7_the_ussr_takes_kars_and_germany_controls_then_aligns_turkey():
    t = table(
        "ussr",
        "combat_move",
        "1940-01",
        wars=[],
        units={
            "transcaucasia": {"ussr": "6 infantry"},
            "kars": {"turkey": "infantry"},
            "istanbul": {"turkey": "2 infantry"},
            "bulgaria": {"germany": "infantry, fighter"},
        },
        possession={"bulgaria": "germany"},
    )
    t.do(Move({"infantry": 6}, ("transcaucasia", "kars")))
    assert t.s.control["turkey"] == "germany"
    t.do(Done())
    fight(t)
    assert t.s.possession["kars"] == "ussr"
    assert t.s.control["turkey"] == "germany" and "turkey" not in t.s.aligned
    turkish = {
        "control": {"turkey": "germany"},
        "wars": [("turkey", "ussr")],
        "possession": {"kars": "ussr", "bulgaria": "germany"},
        "spain": "nationalist",
        "production": [],
    }
    t = table(
        "germany",
        "noncombat_move",
        "1940-07",
        units={
            "istanbul": {"turkey": "2 infantry"},
            "bulgaria": {"germany": "infantry, fighter"},
        },
        **turkish,
    )
    inland = next(z for z in t.s.facts.land_next["istanbul"] if t.s.possession[z] == "turkey")
    t.refused(Move({"infantry": 1}, ("bulgaria", "istanbul")))
    t.refused(Move({"fighter": 1}, ("bulgaria", "istanbul")))
    t.do(Move({"infantry": 1}, ("istanbul", inland), nation="turkey"))
    t.do(Done())
    number = sum(owner == "turkey" for owner in t.s.possession.values())
    assert t.rolling == f"recruitment: 1 turkey at {number}"
    t.dice(number).do(Recruit("militia", "istanbul"))
    assert t.units("istanbul", "turkey") == {"infantry": 1, "militia": 2}
    fight(t)  # the Soviet income
    t.do(DeclareWar("ussr"), by="germany")
    fight(t)  # what raises the incomes of others
    assert t.s.aligned["turkey"] == "germany" and "turkey" not in t.s.control
    assert t.units("istanbul", "germany") == {"infantry": 1, "militia": 2}
    assert t.s.possession["istanbul"] == "germany" and t.s.possession["kars"] == "ussr"


@pytest.mark.rule("gw36:5.3b", "gw36:5.5b", "gw36:9.24b", "gw36:4.12a")
def test_5_5_and_9_24_belgium_is_attacked_and_britain_declares_war_when_it_likes():
    t = table(
        "germany",
        "combat_move",
        "1939-07",
        wars=[],
        income={"great_britain": 15, "france": 5},
        units={
            "western_germany": {"germany": "6 infantry"},
            "belgium": {"belgium": "infantry"},
            "belgian_congo": {"belgium": "infantry"},
        },
    )
    t.refused(DeclareWar("germany"), "5.5a", by="great_britain")
    t.do(Move({"infantry": 6}, ("western_germany", "belgium")))
    while t.asked == "chance roll":  # 2 dice for Britain, one for France
        t.dice(*[5] * t.request.dice)
    assert t.s.income["great_britain"] == 25 and t.s.income["france"] == 10
    assert t.s.control["belgium"] == "great_britain"
    t.refused(DeclareWar("germany"), "5.5a", by="france")
    t.do(Done())
    fight(t)
    assert t.asked == "germany noncombat_move"
    assert t.s.possession["belgium"] == "germany" and "belgium" in t.s.defeated
    assert t.s.possession["belgian_congo"] == "belgium"
    assert t.s.control["belgium"] == "great_britain"
    t.do(DeclareWar("germany"), by="great_britain")
    fight(t)
    assert pair("germany", "great_britain") in t.s.wars
    assert t.s.possession["belgian_congo"] == "great_britain"
    assert t.units("belgian_congo", "great_britain") == {"infantry": 1}
    assert t.s.possession["belgium"] == "germany"


@pytest.mark.rule("gw36:9.24b", "gw36:11.5c")
def test_9_24_until_the_war_the_congo_has_a_recruitment_roll():
    t = table(
        "great_britain",
        "place_units",
        "1937-07",
        wars=[("belgium", "germany")],
        control={"belgium": "great_britain"},
        defeated=["belgium"],
        possession={"belgium": "germany"},
        production=[],
    )
    number = sum(owner == "belgium" for owner in t.s.possession.values())
    assert t.rolling == f"recruitment: 1 belgium at {number}"
    t.dice(1).do(Recruit("infantry", "belgian_congo"))
    assert t.units("belgian_congo", "belgium") == {"infantry": 1}


@pytest.mark.rule("gw36:5.6a", "gw36:5.6c", "gw36:5.6d", "gw36:5.6e")
def test_5_6_britain_fails_to_take_portugal():
    t = table(
        "great_britain",
        "combat_move",
        "1941-01",
        wars=[
            *(("great_britain", "germany"), ("great_britain", "italy")),
            *(("france", "germany"), ("france", "italy")),
        ],
        income={"usa": 34},
        treasury={"great_britain": 6, "france": 9, "usa": 50},
        units={
            "gibraltar": {"great_britain": "infantry"},
            "portugal": {"portugal": "2 infantry"},
            "angola": {"portugal": "infantry"},
            "sz_064": {"portugal": "destroyer"},
        },
    )
    t.do(Permit("share_penalty", "great_britain"), by="france")
    t.do(Permit("share_penalty", "great_britain"), by="usa")  # which is not able to declare war
    t.do(DeclareWar("portugal"), by="great_britain")
    assert (t.s.treasury["great_britain"], t.s.treasury["france"]) == (1, 4)
    assert t.s.treasury["usa"] == 50 and t.s.income["usa"] == 26
    assert t.s.control["portugal"] == "germany" and t.s.possession["angola"] == "portugal"
    t.do(Done())
    assert t.asked == "great_britain noncombat_move"
    for zone in t.s.facts.nations["portugal"].zones:
        assert t.s.possession[zone] == "germany"
    assert t.units("portugal", "germany") == {"infantry": 2}
    assert t.units("angola", "germany") == {"infantry": 1}
    assert t.units("sz_064", "germany") == {"destroyer": 1}


@pytest.mark.rule("gw36:5.7a", "gw36:5.7b", "gw36:5.7c", "gw36:table-4-5i")
def test_5_7_germany_aligns_argentina_and_the_usa_attacks_it_there():
    t = table(
        "germany",
        "production",
        "1940-07",
        wars=[("germany", "great_britain")],
        treasury={"germany": 5},
        income={"usa": 20},
        units={
            "buenos_aires": {"argentina": "infantry"},
        },
    )
    t.do(Influence("argentina", 2)).dice(2).dice(7)
    assert t.units("buenos_aires", "germany") == {"infantry": 1}
    assert t.s.income["usa"] == 27
    t = table(
        "usa",
        "combat_move",
        "1940-07",
        wars=[("germany", "great_britain")],
        income={"usa": 27},
        aligned={"argentina": "germany"},
        units={
            "buenos_aires": {"germany": "infantry"},
            "uruguay": {"usa": "6 infantry"},
        },
        possession={"uruguay": "usa"},
    )
    t.refused(DeclareWar("germany"), "nrs-usa-d", by="usa")
    t.do(Move({"infantry": 6}, ("uruguay", "buenos_aires")), Done())
    fight(t)
    assert t.s.possession["buenos_aires"] == "usa"
    assert pair("germany", "usa") not in t.s.wars
    assert t.s.income["usa"] == 27 + t.s.facts.zones["buenos_aires"].ipp  # the zone, no increase


@pytest.mark.rule("gw36:7.9g", "gw36:7.9f")
def test_7_9_the_usa_builds_anzac_a_fast_battleship_for_three_points_a_turn():
    wars = [("japan", "usa"), ("japan", "great_britain")]
    t = table("anzac", "production", "1942-01", wars=wars, treasury={"anzac": 5}, production=[])
    t.do(Lend("usa", 3), Done(), Done())
    t = table("usa", "production", "1942-01", wars=wars, treasury={"usa": 18}, production=[])
    t.do(Buy("fast_battleship", to="anzac"))
    assert t.s.treasury["usa"] == 12
    for left, cash in ((2, 12), (1, 6)):
        order = {"nation": "usa", "what": "fast_battleship", "left": left, "for": "anzac"}
        t = table(
            "usa", "production", "1943-01", wars=wars, treasury={"usa": cash}, production=[order]
        )
        t.do(Advance("fast_battleship", left, to="anzac"))
        assert t.s.treasury["usa"] == cash - 6
    order["left"] = 0
    t = table("usa", "place_units", "1943-01", wars=wars, production=[order | {"paid": True}])
    way = min(
        (d for d in t.game.legal(t.request) if isinstance(d, Deliver)), key=lambda d: len(d.path)
    )
    t.do(way)
    sea = next(z for z in reversed(way.path) if z in t.s.facts.sea)
    assert way.path[-1] in t.s.facts.nations["anzac"].home
    assert t.units(sea, "anzac") == {"fast_battleship": 1}


@pytest.mark.rule("gw36:11.4a", "gw36:11.4g", "gw36:11.4h", "gw36:11.4l")
def test_11_4_the_usa_sends_medium_armor_by_way_of_the_pacific():
    order = {"nation": "usa", "what": "medium_armor", "left": 0, "for": "ussr", "paid": True}
    t = table(
        "usa",
        "place_units",
        "1942-01",
        wars=[("germany", "usa"), ("germany", "ussr"), ("germany", "great_britain")],
        possession={"denmark": "germany"},
        production=[order],
        units={sea: {"germany": "submarine"} for sea in ("sz_004", "sz_005")},
    )
    way = next(
        d
        for d in t.game.legal(t.request)
        if isinstance(d, Deliver)
        and d.path[0] == "san_francisco"
        and d.path[-1] == "primorsky_krai"
    )
    t.do(way)
    assert t.units("primorsky_krai", "ussr") == {"medium_armor": 1}


@pytest.mark.rule("gw36:11.5b")
def test_11_5_republican_spain_with_four_zones_recruits_on_a_three():
    t = table(
        "ussr",
        "place_units",
        "1937-01",
        wars=[("spain_nationalist", "spain_republican")],
        production=[],
        possession={
            "galicia_and_leon": "spain_nationalist",
            "western_andalucia": "spain_nationalist",
        }
        | dict.fromkeys(
            ("madrid", "basque_country", "catalonia", "eastern_andalucia"), "spain_republican"
        ),
    )
    assert t.rolling == "recruitment: 1 spain_republican at 4"
    t.dice(3)
    t.refused(Recruit("militia", "galicia_and_leon"), "11.5b")
    t.do(Recruit("militia", "madrid"))
    assert t.units("madrid", "spain_republican") == {"militia": 2}
