"""Technology research (7.6-7.8)."""

import pytest

from sandtable.games.gw36.rules.repairs import Repair
from sandtable.games.gw36.rules.research import Research, dice
from sandtable.games.gw36.rules.terms import has_tech
from tests.gw36.table import Done, state, table


def lab(turn="germany", date="1936-07", **fields):
    t = table(turn, "production", date, wars=fields.pop("wars", []), **fields)
    while t.asked == "chance roll":
        t.dice(*[1] * t.request.dice)
    return t


@pytest.mark.rule("gw36:7.6a", "gw36:7.6b", "gw36:7.7a", "gw36:table-7-2a")
def test_a_roll_for_each_major_factory_and_each_technology_once():
    twice = {"bavaria": ["major_factory"]}
    t = lab(facilities=twice, tech={"germany": {"radar": 0}})
    t.do(Research("radar"))
    assert t.rolling == "research: 1 radar at 0"
    t.dice(t.s.facts.technologies["radar"].stages[0])
    assert t.s.tech["germany", "radar"] == 1
    t.refused(Research("radar"), "7.6b")
    t.do(Research("jet_fighter")).dice(t.s.facts.technologies["jet_fighter"].stages[0] - 1)
    assert t.s.tech.get(("germany", "jet_fighter"), 0) == 0
    t.refused(Research("heavy_armor"), "7.6a")


@pytest.mark.rule("gw36:7.6a", "gw36:7.6c")
def test_damaged_captured_and_smaller_factories_give_no_roll():
    s = state("germany", "production", wars=[])
    assert dice(s, "germany") == 1
    for factory in (
        {"type": "major_factory", "damage": 1},
        {"type": "minor_factory", "was": "major_factory"},
        "medium_factory",
    ):
        s = state("germany", "production", wars=[], facilities={"berlin": [factory]})
        assert dice(s, "germany") == 0


@pytest.mark.rule("gw36:7.6c")
def test_a_factory_that_is_repaired_gives_its_roll_in_the_same_turn():
    t = lab(
        facilities={"berlin": [{"type": "major_factory", "damage": 2}]}, treasury={"germany": 5}
    )
    t.refused(Research("radar"), "7.6a")
    t.do(Repair("major_factory", 2, "berlin"), Research("radar"))
    assert t.asked == "chance roll"


@pytest.mark.rule("gw36:7.6d")
def test_nothing_goes_beyond_stage_two_before_july_1939():
    almost = {"germany": {"radar": 2}}
    t = lab(date="1939-01", tech=almost)
    t.refused(Research("radar"), "7.6d")
    t = lab(date="1939-07", tech=almost)
    t.do(Research("radar")).dice(12)
    assert has_tech(t.s, "germany", "radar")
    lab(date="1939-07", tech={"germany": {"radar": 3}}).refused(Research("radar"), "7.7a")


@pytest.mark.rule("gw36:7.7b")
def test_some_nations_have_a_head_start():
    s = state("germany", "production", "1936-07", wars=[])
    assert s.tech["germany", "strategic_rockets"] == 1
    assert s.tech.get(("italy", "radar"), 0) == 0


@pytest.mark.rule("gw36:7.6a", "gw36:7.6b")
def test_the_commonwealth_shares_its_technologies():
    t = lab(
        "great_britain", facilities={"calcutta": ["major_factory"]}, income={"great_britain": 25}
    )
    t.do(Research("radar")).dice(12)
    assert t.s.tech["great_britain", "radar"] == 2
    t.do(Done())
    assert t.asked == "fec produce"
    t.refused(Research("radar"), "7.6b")
    t.do(Research("improved_factories")).dice(12)
    assert t.s.tech["great_britain", "improved_factories"] == 1
    assert has_tech(t.s, "fec", "radar") == has_tech(t.s, "great_britain", "radar")


@pytest.mark.rule("gw36:14.2i")
def test_the_pact_gives_the_soviet_union_a_roll():
    s = state("ussr", "production", "1940-01", wars=[])
    before = dice(s, "ussr")
    s.pacts = frozenset({"molotov_ribbentrop"})
    assert dice(s, "ussr") == before + 1
    assert dice(s, "germany") == 1


@pytest.mark.rule("gw36:nrs-usa-e")
def test_the_usa_researches_from_ten_on():
    lab("usa", income={"usa": 9}).refused(Research("radar"), "nrs-usa-e")
    lab("usa", income={"usa": 10}).do(Research("radar"))


@pytest.mark.rule("gw36:13.3.2c", "gw36:13.3.1c")
def test_a_chinese_faction_researches_after_its_evolution():
    factory = {"nanking": ["major_factory"]}
    t = lab("usa", facilities=factory, income={"usa": 63})
    t.do(Done()).refused(Research("radar"), "7.6a")
    t = lab("usa", facilities=factory, income={"usa": 63}, evolved=["kmt"])
    t.do(Done(), Research("radar"))


@pytest.mark.rule("gw36:2.3c")
def test_the_commonwealth_shares_its_rolls():
    none = {zone: [] for zone in ("london", "calcutta", "sydney")}
    two = {**none, "london": ["major_factory"], "sydney": ["major_factory"]}
    s = state("great_britain", "production", wars=[], facilities=two)
    rolls = dice(s, "great_britain")
    assert rolls >= 2 and dice(s, "fec") == dice(s, "anzac") == rolls
    t = lab("great_britain", facilities=two)
    known = list(t.s.facts.technologies)
    for technology in known[:rolls]:
        t.do(Research(technology)).dice(1)
    t.do(Done())
    assert t.asked == "fec produce"
    t.refused(Research(known[rolls]), "7.6a")
