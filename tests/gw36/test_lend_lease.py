"""Lend-lease (7.9, 11.4)."""

import pytest

from sandtable.games.gw36.model import Facility, Job, Unit
from sandtable.games.gw36.rules.lend_lease import (
    Deliver,
    check_path,
    check_receiver,
    interdictors,
    most,
    routes,
)
from sandtable.games.gw36.rules.placement import Reassign
from sandtable.games.gw36.rules.production import Advance, Buy, Lend, Outfit
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.table import Done, state, table

AXIS = [("germany", "ussr"), ("germany", "great_britain"), ("germany", "usa")]


def refused(s, sender, receiver, rule=""):
    with pytest.raises(IllegalDecision) as refusal:
        check_receiver(s, sender, receiver)
    if rule:
        assert refusal.value.rule == rule, refusal.value.reason


def producing(turn="usa", date="1942-01", wars=AXIS, **fields):
    fields.setdefault("treasury", {turn: 40})
    t = table(turn, "production", date, wars=wars, **fields)
    while t.asked == "chance roll":
        t.dice(*[1] * t.request.dice)
    return t


def sending(what, to, turn="usa", wars=AXIS, date="1942-01", paid=True, **fields):
    """A nation with something for another in its Place Units Box."""
    job = {"nation": turn, "what": what, "left": 0, "for": to, "paid": paid}
    job |= {"ipp": fields.pop("ipp")} if "ipp" in fields else {}
    return table(turn, "place_units", date, wars=wars, production=[job], **fields)


# --- who, whom, how much --------------------------------------------------------------------------


@pytest.mark.rule("gw36:7.9a")
def test_who_may_lend():
    s = state("usa", "production", "1942-01", wars=AXIS)
    check_receiver(s, "usa", "ussr")
    check_receiver(s, "anzac", "usa")
    for sender in ("kmt", "ccp", "free_france"):
        refused(s, sender, "usa", "7.9a")
    refused(s, "germany", "usa", "7.9a")  # an Enemy
    refused(s, "usa", "portugal", "7.9a")  # not at war
    refused(s, "fec", "great_britain", "7.9a")  # its sheet
    check_receiver(s, "fec", "usa")


@pytest.mark.rule("gw36:7.9a")
def test_the_soviet_union_lends_to_minors_only():
    s = state("ussr", "production", "1942-01", wars=[*AXIS, ("japan", "kmt"), ("ccp", "japan")])
    check_receiver(s, "ussr", "ccp")
    check_receiver(s, "ussr", "kmt")
    refused(s, "ussr", "usa", "7.9a")


@pytest.mark.rule("gw36:7.9b")
def test_nobody_lends_to_itself():
    s = state("usa", "production", "1942-01", wars=AXIS)
    refused(s, "usa", "usa", "7.9b")


@pytest.mark.rule("gw36:nrs-usa-e", "gw36:5.3b")
def test_the_usa_lends_from_fifteen_on():
    wars = [("germany", "great_britain")]
    t = producing(wars=wars, income={"usa": 13})  # and a roll of 1
    t.refused(Lend("great_britain", 1), "nrs-usa-e")
    t = producing(wars=wars, income={"usa": 14})
    t.do(Lend("great_britain", 1))


@pytest.mark.rule("gw36:7.9c", "gw36:0.2a")
def test_half_of_the_receivers_income_or_one_unit():
    s = state("usa", "production", "1942-01", wars=AXIS)
    s.income["great_britain"] = 25
    assert most(s, "great_britain") == 13
    t = producing()
    limit = most(t.s, "great_britain")
    t.refused(Lend("great_britain", limit + 1), "7.9c")
    t.refused(Lend("great_britain", 0), "7.9c")
    t.do(Lend("great_britain", limit))
    assert t.s.treasury["usa"] == 40 - limit
    t.refused(Lend("great_britain", 1), "7.9c")
    t.refused(Buy("infantry", to="great_britain"), "7.9c")
    t.do(Buy("medium_armor", to="ussr"))  # per receiver
    t.refused(Buy("infantry", 2, to="anzac"), "7.9c")


@pytest.mark.rule("gw36:7.9d", "gw36:7.9e", "gw36:7.9g")
def test_a_lent_unit_is_built_for_its_receiver():
    t = producing(production=[])
    t.do(Buy("battleship", to="anzac"))
    assert t.s.track == (Job("usa", "battleship", 2, for_="anzac", paid=True),)
    t = producing(
        facilities={
            zone: []
            for zone in ("new_york", "washington_dc", "chicago", "san_francisco", "great_lakes_usa")
        }
    )
    t.refused(Buy("infantry", to="ussr"), "7.9d")


@pytest.mark.rule("gw36:13.1c", "gw36:13.1d", "gw36:13.1e")
def test_help_for_spain():
    wars = [("spain_nationalist", "spain_republican")]
    t = producing("germany", "1937-01", wars)
    t.refused(Buy("infantry", to="spain_republican"))
    t.do(Buy("infantry", to="spain_nationalist"))
    t.refused(Lend("spain_nationalist", 1))
    t = producing("great_britain", "1937-01", wars)
    t.refused(Buy("infantry", to="spain_republican"))
    t.do(Outfit("militia_upgrade", to="spain_republican"))
    assert t.s.treasury["great_britain"] == 38
    t.refused(Outfit("militia_upgrade", to="spain_nationalist"), "13.1e")
    t.do(Outfit("militia_upgrade"))  # its own
    producing("germany", "1937-01", wars).refused(
        Outfit("militia_upgrade", to="spain_nationalist"), "13.1c"
    )


@pytest.mark.rule("gw36:14.3b")
def test_the_japanese_soviet_pact_bars_lend_lease_against_the_partner():
    wars = [("ccp", "japan"), ("japan", "kmt")]
    s = state("ussr", "production", "1942-01", wars=wars)
    check_receiver(s, "ussr", "ccp")
    s.pacts = frozenset({"japanese_soviet"})
    refused(s, "ussr", "ccp", "14.3b")


# --- routes ---------------------------------------------------------------------------------------


def job(what="medium_armor", to="ussr", ipp=0, nation="usa"):
    return Job(nation, what, 0, for_=to, ipp=ipp)


@pytest.mark.rule(
    "gw36:11.4a", "gw36:11.4c", "gw36:11.4d", "gw36:11.4f", "gw36:1.5g", "gw36:appB-6a"
)
def test_from_a_home_factory_to_the_first_zone_of_the_receivers_home():
    s = state("usa", "place_units", "1942-01", wars=AXIS)
    found = list(routes(s, "usa", "ussr", 6))
    assert found
    for way in found:
        check_path(s, "usa", job(), way)
        assert way[0] in s.facts.nations["usa"].home
        assert [z in s.facts.nations["ussr"].home for z in way if not s.facts.zones[z].sea][-1]
    ends = {way[-1] for way in found}
    assert "primorsky_krai" in ends
    way = next(way for way in found if way[-1] == "primorsky_krai" and way[0] == "san_francisco")
    with pytest.raises(IllegalDecision):
        check_path(s, "usa", job(), way[:-1])
    with pytest.raises(IllegalDecision):
        check_path(s, "usa", job(), ("hawaiian_islands", *way[1:]))
    with pytest.raises(IllegalDecision):
        check_path(s, "usa", job(), ())


@pytest.mark.rule("gw36:11.4e", "gw36:12.5.minor-port-a")
def test_minor_facilities_pass_three_points_at_most():
    s = state("usa", "place_units", "1942-01", wars=AXIS)
    s.facilities["primorsky_krai"] = (Facility("minor_port", "sz_040"),)
    ends = lambda ipp: {way[-1] for way in routes(s, "usa", "ussr", ipp)}  # noqa: E731
    assert "primorsky_krai" in ends(3)
    assert "primorsky_krai" not in ends(4)
    s.facilities["primorsky_krai"] = (Facility("major_port", "sz_040"),)
    assert "primorsky_krai" in ends(4)
    s.facilities["primorsky_krai"] = (Facility("major_port", "sz_040", damage=1),)
    assert "primorsky_krai" not in ends(1)


@pytest.mark.rule("gw36:11.4g")
def test_the_shortest_route_has_to_be_taken():
    s = state("usa", "place_units", "1942-01", wars=AXIS)
    way = next(
        way
        for way in routes(s, "usa", "ussr", 6)
        if way[-1] == "primorsky_krai" and way[0] == "san_francisco"
    )
    here, there = way[1], way[2]
    detour = next(z for z in s.facts.sea_next[here] if z != there and there in s.facts.sea_next[z])
    with pytest.raises(IllegalDecision) as refusal:
        check_path(s, "usa", job(), (way[0], here, detour, *way[2:]))
    assert refusal.value.rule == "11.4g"


@pytest.mark.rule("gw36:11.4j", "gw36:8.11a")
def test_a_blockaded_facility_sends_and_receives_nothing():
    s = state("usa", "place_units", "1942-01", wars=[*AXIS, ("japan", "ussr"), ("japan", "usa")])
    assert "primorsky_krai" in {way[-1] for way in routes(s, "usa", "ussr", 3)}
    s.put("sz_040", Unit("japan", "destroyer", duty="blockade"), 3)
    assert "primorsky_krai" not in {way[-1] for way in routes(s, "usa", "ussr", 3)}


@pytest.mark.rule("gw36:11.4c", "gw36:appB-10a", "gw36:1.17d")
def test_china_is_reached_over_the_burma_road():
    wars = [("japan", "kmt"), ("japan", "usa"), ("great_britain", "japan")]
    held = dict.fromkeys(
        ("nanking", "shantung", "hunan", "peking", "hong_kong", "kwangtung"), "japan"
    )
    s = state("usa", "place_units", "1942-01", wars=wars, possession={**held, "yunnan": "kmt"})
    assert not list(routes(s, "usa", "kmt", 3))
    s.burma_road = True
    way = next(routes(s, "usa", "kmt", 3))
    assert way[-2:] == ("burma", "yunnan")
    check_path(s, "usa", job("infantry", "kmt"), way)
    s.refused = frozenset({("supply", "fec", "usa")})
    assert not list(routes(s, "usa", "kmt", 3))


@pytest.mark.rule("gw36:11.4d", "gw36:7.9g")
def test_ships_cross_the_sea():
    s = state("germany", "place_units", "1942-01", wars=[("germany", "ussr"), ("italy", "ussr")])
    s.possession["austria"] = "germany"
    over_land = [
        w for w in routes(s, "germany", "italy", 3) if not any(s.facts.zones[z].sea for z in w)
    ]
    assert over_land
    check_path(s, "germany", job("infantry", "italy", nation="germany"), over_land[0])
    with pytest.raises(IllegalDecision):
        check_path(s, "germany", job("destroyer", "italy", nation="germany"), over_land[0])


# --- interdiction ---------------------------------------------------------------------------------


@pytest.mark.rule("gw36:11.4h")
def test_what_interdicts():
    s = state("usa", "place_units", "1942-01", wars=AXIS)
    at = "sz_037"
    assert not interdictors(s, "usa", at)
    for unit, count, threat in (
        (Unit("germany", "submarine"), 1, True),
        (Unit("germany", "destroyer"), 2, False),
        (Unit("germany", "destroyer"), 3, True),
        (Unit("germany", "naval_transport"), 5, False),
        (Unit("germany", "seaplane", duty="patrol"), 1, True),
        (Unit("germany", "seaplane"), 1, False),
        (Unit("japan", "submarine"), 1, False),  # not at war with the USA
    ):
        s.put(at, unit, count)
        assert bool(interdictors(s, "usa", at)) is threat, unit
        s.take(at, unit, count)


def london(t):
    return next(
        way
        for way in routes(t.s, "usa", "great_britain", 6)
        if way[0] == "new_york" and way[-1] in ("london", "southern_england")
    )


@pytest.mark.rule("gw36:11.4b", "gw36:11.4i", "gw36:11.4l", "gw36:7.9f")
def test_a_higher_roll_of_the_enemy_eliminates_it():
    for ours, theirs, arrives in ((3, 4, False), (3, 3, True), (4, 3, True)):
        t = sending("medium_armor", "great_britain")
        way = london(t)
        for sea in way[1:-1]:
            t.s.put(sea, Unit("germany", "submarine"))
        t.do(Deliver("medium_armor", "great_britain", way))
        rounds = 0
        while t.asked == "chance roll" and t.request.roll == "interdiction":
            t.dice(ours, theirs)
            rounds += 1
        assert rounds == (len(way) - 2 if arrives else 1)  # one roll in each such zone
        assert t.units(way[-1], "great_britain") == ({"medium_armor": 1} if arrives else {})
        assert not [j for j in t.s.track if j.for_]
        assert all(t.units(sea, "germany") == {"submarine": 1} for sea in way[1:-1])


@pytest.mark.rule("gw36:7.9f", "gw36:11.4l")
def test_money_arrives_in_the_receivers_treasury():
    t = sending("ipp", "great_britain", ipp=5)
    before = t.s.treasury["great_britain"]
    t.do(Deliver("ipp", "great_britain", london(t)))
    assert t.s.treasury["great_britain"] == before + 5


@pytest.mark.rule("gw36:7.9g", "gw36:11.4l")
def test_a_ship_arrives_at_the_naval_facility():
    t = sending("battleship", "great_britain")
    way = london(t)
    t.do(Deliver("battleship", "great_britain", way))
    assert t.units(way[-2], "great_britain") == {"battleship": 1}


@pytest.mark.rule("gw36:7.9d")
def test_a_lent_unit_takes_the_output_of_a_home_factory():
    t = sending(
        "medium_armor",
        "great_britain",
        done={
            f"placed:{z}": 9
            for z in ("new_york", "washington_dc", "chicago", "san_francisco", "great_lakes_usa")
        },
    )
    t.refused(Deliver("medium_armor", "great_britain", london(t)), "7.9d")


@pytest.mark.rule("gw36:11.4k")
def test_what_waited_can_be_kept():
    t = sending("medium_armor", "great_britain")
    t.refused(Reassign("medium_armor", "great_britain"), "11.4k")
    t.do(Done())
    assert [j.for_ for j in t.s.track] == ["great_britain"]
    t = sending("medium_armor", "great_britain", paid=False)
    t.do(Reassign("medium_armor", "great_britain"))
    assert t.request.ready == {"medium_armor": 1}
    t = sending("ipp", "great_britain", ipp=4, paid=False)
    before = t.s.treasury["usa"]
    t.do(Reassign("ipp", "great_britain"))
    assert t.s.treasury["usa"] >= before + 4


@pytest.mark.rule("gw36:2.3d")
def test_the_commonwealth_sends_to_a_nation_once_a_turn():
    cash = {"great_britain": 20, "fec": 20, "anzac": 20}
    wars = [("japan", "great_britain"), ("japan", "usa"), ("germany", "ussr")]
    t = producing("great_britain", wars=wars, treasury=cash)
    t.do(Lend("ussr", 2), Done())
    assert t.asked == "fec produce"
    t.refused(Lend("ussr", 2), "7.9c")
    t.refused(Buy("infantry", to="ussr"), "7.9c")
    t.do(Lend("usa", 2), Done())
    t.refused(Lend("usa", 2), "7.9c")


@pytest.mark.rule("gw36:13.1c", "gw36:13.1d")
def test_money_for_spain_is_for_its_damaged_facilities():
    wars = [("spain_nationalist", "spain_republican")]
    producing("germany", "1937-01", wars).refused(Lend("spain_nationalist", 1), "7.9c")
    zone = next(
        zone
        for zone, owner in state(date="1937-01", wars=wars).possession.items()
        if owner == "spain_nationalist"
    )
    hurt = {zone: [{"type": "air_base", "damage": 2}]}
    t = producing("germany", "1937-01", wars, facilities=hurt)
    t.refused(Lend("spain_nationalist", 3), "7.9c")
    t.do(Lend("spain_nationalist", 2))
    producing("italy", "1937-01", wars, facilities=hurt).do(Lend("spain_nationalist", 1))
    producing("ussr", "1937-01", wars, facilities=hurt).refused(Lend("spain_nationalist", 1))


@pytest.mark.rule("gw36:14.4.2u", "gw36:14.4.3a")
def test_germany_lends_vichy_money_with_which_its_ships_are_completed():
    fields = {
        "control": {"vichy_france": "germany"},
        "vichy": "active",
        "surrendered": ["france"],
        "possession": {"southern_france": "vichy_france", "corsica": "vichy_france"},
        "wars": [("germany", "great_britain")],
    }
    order = {"nation": "vichy_france", "what": "heavy_cruiser", "left": 1}
    t = producing("germany", "1941-01", production=[order], **fields)
    t.do(Lend("vichy_france", 1))
    t.refused(Advance("heavy_cruiser", 1), "7.0a")  # Vichy pays, and has nothing yet
    t.s.treasury["vichy_france"] = 5
    before = t.s.treasury["germany"]
    t.do(Advance("heavy_cruiser", 1))
    assert (t.s.treasury["vichy_france"], t.s.treasury["germany"]) == (0, before)
    assert Job("vichy_france", "heavy_cruiser", 0, paid=True) in t.s.track
    t = producing("italy", "1941-01", production=[order], **fields)
    t.refused(Advance("heavy_cruiser", 1), "7.3c")
