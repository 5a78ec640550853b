"""The Place Units and Collect Income Phase (section 11)."""

import random

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility
from sandtable.games.gw36.rules.capture import possess, taker
from sandtable.games.gw36.rules.facilities import output
from sandtable.games.gw36.rules.placement import Place, Refit
from tests.gw36.procedures import run
from tests.gw36.table import Done, table


def box(nation, *types, left=0, **fields):
    """What stands in a nation's Place Units Box."""
    return [{"nation": nation, "what": type_, "left": left, **fields} for type_ in types]


def placing(nation, *types, turn="", date="1940-01", **fields):
    """A nation that places these units, at peace."""
    fields.setdefault("production", box(nation, *types))
    t = table(turn or nation, "place_units", date, wars=fields.pop("wars", []), **fields)
    while t.asked == "chance roll" and t.request.roll == "recruitment":
        t.dice(12)
    return t


def chart(t, nation):
    return sorted(job.what for job in t.s.track if job.nation == nation)


# --- factories ------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:11.1a", "gw36:7.3d")
def test_units_are_placed_at_factories_up_to_their_output():
    t = placing("germany", *["infantry"] * 7, "fighter")
    assert t.request.ready == {"infantry": 7, "fighter": 1}
    t.refused(Place("bavaria", {"infantry": 1}), "11.1a")
    t.refused(Place("berlin", {"infantry": 6}), "11.1a")
    t.refused(Place("berlin", {"infantry": 4, "fighter": 2}), "7.3d")
    t.refused(Place("paris", {"infantry": 1}), "11.1a")
    t.do(Place("berlin", {"infantry": 4, "fighter": 1}))
    t.refused(Place("berlin", {"infantry": 1}), "11.1a")
    t.do(Place("western_germany", {"infantry": 3}))
    assert t.units("berlin", "germany") == {"infantry": 4, "fighter": 1}
    assert t.s.built["germany", "infantry"] == 7


@pytest.mark.rule("gw36:7.3d")
def test_what_is_not_paid_for_whole_cannot_be_placed():
    t = placing(
        "germany", production=box("germany", "battleship", left=1) + box("germany", "infantry")
    )
    assert t.request.ready == {"infantry": 1}
    t.refused(Place("sz_027", {"battleship": 1}), "7.3d")


@pytest.mark.rule("gw36:7.3e", "gw36:11.1d")
def test_placing_may_be_postponed_and_what_has_no_room_waits():
    t = placing("germany", *["infantry"] * 12)
    t.do(Done())
    assert chart(t, "germany") == ["infantry"] * 12
    assert t.s.treasury["germany"] > 20  # it has collected its income


@pytest.mark.rule("gw36:11.1a", "gw36:11.1k", "gw36:12.4b")
def test_a_factory_has_to_be_ones_own_since_the_start_of_the_turn():
    t = placing(
        "germany",
        "infantry",
        "militia",
        possession={"paris": "germany"},
        start_possession={"paris": "france"},
        facilities={"paris": [{"type": "minor_factory", "was": "major_factory"}]},
    )
    t.refused(Place("paris", {"infantry": 1}), "11.1a")
    t.refused(Place("paris", {"militia": 1}), "11.1k")


@pytest.mark.rule("gw36:11.1e", "gw36:7.8a")
def test_units_of_a_technology_come_at_home():
    t = placing("great_britain", "jet_fighter", "fighter", facilities={"ottawa": ["minor_factory"]})
    t.refused(Place("ottawa", {"jet_fighter": 1}), "11.1e")
    t.do(Place("london", {"jet_fighter": 1}), Place("ottawa", {"fighter": 1}))


# --- without a factory ----------------------------------------------------------------------------


@pytest.mark.rule("gw36:11.1i")
def test_militia_come_to_any_zone_up_to_its_value():
    t = placing("germany", *["militia"] * 8)
    value = t.s.facts.zones["bavaria"].ipp
    t.refused(Place("bavaria", {"militia": value + 1}), "11.1i")
    t.do(Place("bavaria", {"militia": value}))
    t.refused(Place("bavaria", {"militia": 1}), "11.1i")
    t = placing("italy", "militia", "militia")
    poor = next(z for z in t.s.facts.nations["italy"].zones if not t.s.facts.zones[z].ipp)
    t.do(Place(poor, {"militia": 1}))
    t.refused(Place(poor, {"militia": 1}), "11.1i")


@pytest.mark.rule("gw36:11.1j")
def test_a_captured_zone_takes_one_militia():
    t = placing("germany", "militia", "militia", possession={"paris": "germany"})
    assert t.s.facts.zones["paris"].ipp > 1
    t.refused(Place("paris", {"militia": 2}), "11.1j")
    t.do(Place("paris", {"militia": 1}))
    t.refused(Place("paris", {"militia": 1}), "11.1j")


@pytest.mark.rule("gw36:11.1l")
def test_colonial_infantry_come_to_original_zones_with_a_value_abroad():
    t = placing(
        "france", "colonial_infantry", "colonial_infantry", possession={"nigeria": "france"}
    )
    zones = t.s.facts.zones
    t.refused(Place("paris", {"colonial_infantry": 1}), "11.1l")
    t.refused(Place("nigeria", {"colonial_infantry": 1}), "11.1l")
    poor = next(
        z
        for z in t.s.facts.nations["france"].zones
        if not zones[z].ipp and z not in t.s.facts.nations["france"].home
    )
    t.refused(Place(poor, {"colonial_infantry": 1}), "11.1l")
    rich = next(
        z
        for z in t.s.facts.nations["france"].zones
        if zones[z].ipp and z not in t.s.facts.nations["france"].home
    )
    t.do(Place(rich, {"colonial_infantry": 2}))
    assert t.units(rich, "france") == {"colonial_infantry": 2}


@pytest.mark.rule("gw36:11.1a", "gw36:13.3.2a")
def test_chinese_infantry_need_no_factory():
    t = placing("kmt", "infantry", "cavalry", turn="usa")
    assert t.asked == "kmt place_units"
    t.do(Place("szechwan", {"infantry": 1, "cavalry": 1}))
    assert t.units("szechwan", "kmt") == {"infantry": 1, "cavalry": 1}


# --- ships ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:11.1f")
def test_capital_ships_come_to_a_major_shipyard_railed_to_a_major_factory_at_home():
    t = placing("germany", "battleship", "destroyer")
    t.refused(Place("sz_014", {"battleship": 1}), "11.1f")  # a minor shipyard
    t.refused(Place("sz_001", {"destroyer": 1}), "11.1g")
    t.refused(Place("berlin", {"destroyer": 1}), "11.1a")
    t.do(Place("sz_014", {"destroyer": 1}), Place("sz_027", {"battleship": 1}))
    cut = [{"between": list(b), "damage": 1} for b in t.s.railways if "berlin" in b]
    t = placing("germany", "battleship", "destroyer", railways=cut)
    t.refused(Place("sz_027", {"battleship": 1}), "11.1f")
    t.do(Place("sz_027", {"destroyer": 1}))  # the medium factory is in the zone itself


@pytest.mark.rule("gw36:11.1h", "gw36:11.1g")
def test_how_many_ships_a_yard_places():
    t = placing("germany", *["destroyer"] * 7, "submarine", "submarine", "submarine")
    t.refused(Place("sz_014", {"destroyer": 2}), "11.1g")
    t.refused(Place("sz_027", {"destroyer": 6}), "11.1g")
    t.do(Place("sz_027", {"destroyer": 5}))
    t.refused(Place("sz_027", {"submarine": 3}), "11.1g")
    t.do(Place("sz_027", {"submarine": 2}))  # at the submarine base
    t.refused(Place("sz_027", {"submarine": 1}), "11.1g")
    t.do(Place("sz_014", {"submarine": 1}))
    t.refused(Place("sz_014", {"destroyer": 1}), "11.1g")


@pytest.mark.rule("gw36:7.4c", "gw36:7.4d")
def test_a_repair_takes_a_slot_and_is_finished_now():
    units = {
        "sz_027": {
            "germany": {
                "battleship": [
                    {"hits": 1, "duty": "repair", "target": "western_germany", "count": 2},
                    {"hits": 1},
                ]
            }
        }
    }
    t = placing(
        "germany", *["destroyer"] * 5, units=units, done={"repairs:western_germany:sz_027": 2}
    )
    stack = {(u.hits, u.duty): n for u, n in t.s.stack("sz_027").items()}
    assert stack == {(0, ""): 2, (1, ""): 1}
    t.refused(Place("sz_027", {"destroyer": 4}), "11.1g")
    t.do(Place("sz_027", {"destroyer": 3}))


@pytest.mark.rule("gw36:5.3a")
def test_a_capital_ship_of_germanys_is_news():
    t = placing("germany", "battleship", date="1937-01", income={"great_britain": 11})
    t.do(Place("sz_027", {"battleship": 1}))
    assert t.s.income["great_britain"] == 12


@pytest.mark.rule("gw36:15.8a")
def test_a_ship_tied_to_a_yard_comes_there():
    option = {"ships_under_construction": True}
    ship = box("usa", "battleship", at="san_francisco")
    t = placing("usa", production=ship, options=option)
    t.refused(Place("sz_046", {"battleship": 1}), "11.1f")
    t.do(Place("sz_060", {"battleship": 1}))


@pytest.mark.rule("gw36:15.3a")
def test_with_advanced_rules_a_carrier_comes_with_aircraft():
    option = {"advanced_carriers": True}
    here = {"western_germany": {"germany": "fighter"}, "bavaria": {"germany": "fighter"}}
    t = placing(
        "germany", "fleet_carrier", "fleet_carrier", "tactical_bomber", options=option, units=here
    )
    t.refused(Place("sz_027", {"fleet_carrier": 1}), "15.3a")
    t.refused(Place("sz_027", {"fleet_carrier": 1, "fighter": 1}, fetch="bavaria"), "15.3a")
    t.refused(Place("sz_027", {"fleet_carrier": 1, "fighter": 2}, fetch="western_germany"), "15.3a")
    t.do(Place("sz_027", {"fleet_carrier": 1, "fighter": 1}, fetch="western_germany"))
    assert t.units("western_germany", "germany") == {}
    t.do(Place("sz_027", {"fleet_carrier": 1, "tactical_bomber": 1}))
    assert t.cargo("sz_027", "germany") == [["germany fighter"], ["germany tactical_bomber"]]
    assert t.s.built["germany", "tactical_bomber"] == 1
    assert t.s.built.get(("germany", "fighter"), 0) == 0
    t = placing("germany", "fleet_carrier", "fighter")
    t.refused(Place("sz_027", {"fleet_carrier": 1, "fighter": 1}), "11.1a")
    t.do(Place("sz_027", {"fleet_carrier": 1}))


# --- facilities and upgrades ----------------------------------------------------------------------


@pytest.mark.rule("gw36:11.3a", "gw36:7.3g")
def test_facilities_are_put_up_where_they_were_begun():
    jobs = [
        {"nation": "germany", "what": "air_base", "left": 0, "at": "bavaria"},
        {"nation": "germany", "what": "minor_port", "left": 0, "at": "paris"},
        {
            "nation": "germany",
            "what": "fortification",
            "left": 1,
            "at": "bavaria",
            "border": "austria",
        },
    ]
    t = placing("germany", production=jobs)
    assert Facility("air_base", since=t.s.date) in t.s.facilities["bavaria"]
    assert chart(t, "germany") == ["fortification", "minor_port"]  # Paris is not German


@pytest.mark.rule("gw36:11.3b")
def test_an_upgrade_takes_the_place_of_the_smaller_facility():
    job = box("germany", "major_port", at="east_prussia", border="sz_014", upgrade=True)
    t = placing("germany", production=job)
    assert [f.type for f in t.s.facilities["east_prussia"]] == ["major_port"]


@pytest.mark.rule("gw36:12.10a")
def test_a_railroad_leads_across_the_border():
    border = pair("berlin", "eastern_germany")
    job = box("germany", "railroad", at=border[0], border=border[1])
    t = placing("germany", production=job)
    assert border in t.s.railways


@pytest.mark.rule("gw36:11.2a", "gw36:11.2c", "gw36:11.2d")
def test_upgrades_of_units_need_a_supply_path_from_a_factory_at_home():
    units = {
        "bavaria": {"germany": {"militia": [{"used": 1, "duty": "moved"}]}},
        "crete": {"germany": "militia"},
    }
    t = placing(
        "germany",
        "militia_upgrade",
        units=units,
        possession={"crete": "germany"},
        facilities={"crete": []},
    )
    t.refused(Refit("militia_upgrade", "crete"), "11.2c")
    t.refused(Refit("militia_upgrade", "bavaria", 2), "11.2a")
    t.refused(Refit("militia_upgrade", "berlin"), "11.2c")
    t.do(Refit("militia_upgrade", "bavaria"))
    assert t.units("bavaria", "germany") == {"infantry": 1}  # it had moved


@pytest.mark.rule("gw36:11.2b")
def test_infantry_become_motorized():
    t = placing(
        "germany",
        "motorized_upgrade",
        "motorized_upgrade",
        units={"berlin": {"germany": "3 infantry"}},
    )
    t.do(Refit("motorized_upgrade", "berlin", 2))
    assert t.units("berlin", "germany") == {"infantry": 1, "motorized_infantry": 2}


@pytest.mark.rule("gw36:11.2e")
def test_an_upgrade_without_a_unit_to_reach_waits():
    t = placing("germany", "motorized_upgrade")
    t.refused(Refit("motorized_upgrade", "berlin"), "11.2c")
    t.do(Done())
    assert chart(t, "germany") == ["motorized_upgrade"]


# --- others ---------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:11.5a", "gw36:11.5b")
def test_controlled_minors_roll_for_recruits_and_collect_nothing():
    t = table("germany", "place_units", "1936-07", wars=[("spain_nationalist", "spain_republican")])
    assert t.request.roll == "recruitment"
    t.dice(1)
    assert t.asked == "germany recruits"


@pytest.mark.rule("gw36:13.1l", "gw36:13.1p")
def test_volunteers_come_after_the_spanish_civil_war():
    t = placing("germany", date="1939-01", spain="nationalist", production=[])
    assert t.units("berlin", "germany") == {"infantry": 1}
    t = placing("ussr", date="1939-01", spain="republican", production=[])
    assert t.units("moscow", "ussr") == {"infantry": 1}
    t = placing("ussr", date="1939-01", spain="nationalist", production=[])
    assert t.units("moscow", "ussr") == {}


@pytest.mark.rule("gw36:11.6a")
def test_income_is_collected_last():
    t = placing("germany", "infantry", treasury={"germany": 0})
    assert t.s.treasury["germany"] == 0
    t.do(Place("berlin", {"infantry": 1}))
    assert t.s.treasury["germany"] == 20


@pytest.mark.rule("gw36:11.7a")
def test_after_the_last_nations_the_calendar_moves_on():
    t = table("usa", "place_units", "1940-01", wars=[], production=[])
    assert (t.s.date, t.s.facts.order[t.s.slot]) == (2 * 1940 + 1, ("germany",))
    assert t.s.phase == "production"


def test_samples_place_everything_that_has_room():
    t = placing(
        "great_britain",
        *["infantry"] * 4,
        "battleship",
        "submarine",
        "fighter",
        "militia_upgrade",
        base="setup",
        options={"rules": "everything"},
    )
    rng = random.Random(3)
    for _ in range(60):
        if not t.asked.endswith("place_units"):
            break
        t.do(t.request.sample(t.s, rng))
    else:
        raise AssertionError("the phase does not end")
    assert "infantry" not in chart(t, "great_britain")


@pytest.mark.rule("gw36:11.1a")
def test_a_factory_that_a_partner_has_liberated_works_in_ones_own_turn():
    """Great Britain retakes it before France moves: France has it since the start of its turn."""
    t = table(
        "great_britain",
        "combat_move",
        "1943-01",
        wars=[("germany", "great_britain"), ("germany", "france")],
        units={"london": {"great_britain": "infantry"}},
        possession={"picardy": "germany"},
        facilities={"picardy": [{"type": "minor_factory"}]},
    )
    s = t.s.copy()
    run(s, lambda g: possess(g, "picardy", *taker(s, "picardy", "great_britain")))
    assert s.possession["picardy"] == "france"
    assert output(s, "france", "picardy") == 0  # in the turn of its capture
    s.start_possession = dict(s.possession)
    assert output(s, "france", "picardy") > 0
