"""Income in peace and war (section 5, 11.6)."""

import pytest

from sandtable.games.gw36.model import News, Unit
from sandtable.games.gw36.rules.income import (
    Divide,
    at_wartime_income,
    bonus,
    follow,
    may,
    value,
)
from tests.gw36.hand import Hand
from tests.gw36.table import state, table


def peace(turn="germany", phase="production", date="1936-07", **fields):
    return table(turn, phase, date, wars=fields.pop("wars", []), **fields)


def told(news, *faces, turn="germany", date="1937-01", wars=(), **fields):
    """The position after a piece of news has been followed; all the dice have to be used."""
    s = state(turn, "production", date, wars=[], **fields)
    s.wars = frozenset(wars)
    hand = Hand(s, faces)
    for item in news if isinstance(news, list) else [news]:
        hand.run(lambda g, item=item: follow(g, item))
    assert next(hand.faces, None) is None, "not all dice were rolled"
    return s


def rolls(t):
    """The kind of the pending roll; empty if none is pending."""
    return t.request.roll if t.asked == "chance roll" else ""


@pytest.mark.rule("gw36:nrs-usa-a", "gw36:nrs-usa-b", "gw36:5.2d", "gw36:5.2e")
@pytest.mark.parametrize(
    "scenario, nation, ipp, income, wartime",
    [
        ("1936", "usa", 6, 6, 63),
        ("1939", "usa", 16, 16, 63),
        ("1936", "great_britain", 11, 11, 25),
        ("1939", "great_britain", 25, 25, 25),
    ],
)
def test_what_the_sheets_start_with(scenario, nation, ipp, income, wartime):
    s = state(nation, "production", options={"scenario": scenario})
    assert (s.treasury[nation], s.income[nation]) == (ipp, income)
    assert value(s, nation) == wartime
    assert s.facts.sheets[nation].income[scenario].wartime == wartime


@pytest.mark.rule("gw36:5.2c", "gw36:5.2d", "gw36:7.5a", "gw36:5.2a")
def test_great_britain_rolls_from_july_1939_and_stops_at_25():
    t = peace("great_britain", date="1939-01")
    assert t.asked == "great_britain produce"
    t = peace("great_britain", date="1939-07")
    assert t.asked == "chance roll"
    t.dice(9)
    assert t.s.income["great_britain"] == 20
    t = peace("great_britain", date="1939-07", income={"great_britain": 20})
    t.dice(9)
    assert t.s.income["great_britain"] == 25
    t = peace("great_britain", date="1939-07", income={"great_britain": 25})
    assert t.asked == "great_britain produce"


@pytest.mark.rule("gw36:5.2c", "gw36:7.5a")
def test_the_soviet_union_rolls_a_small_die_each_january_and_a_large_one_later():
    assert peace("ussr", date="1936-07").asked == "ussr produce"
    t = peace("ussr", date="1937-01")
    assert t.request.sides == 6
    t.dice(6)
    assert t.s.income["ussr"] == 14
    assert peace("ussr", date="1937-07").asked == "ussr produce"
    assert peace("ussr", date="1940-01").request.sides == 12


@pytest.mark.rule("gw36:5.2c", "gw36:5.1a", "gw36:0.9.income-b")
def test_no_roll_in_war_with_a_major_power_but_one_in_war_with_a_minor():
    t = peace("great_britain", date="1940-01", wars=[("germany", "great_britain")])
    assert t.asked != "chance roll"
    t = peace("great_britain", date="1940-01", wars=[("great_britain", "portugal")])
    assert t.asked == "chance roll"


@pytest.mark.rule("gw36:5.3a", "gw36:5.2a", "gw36:table-8-1b")
def test_an_increase_comes_at_the_instant_of_its_cause():
    s = told(News("war", "germany", "poland"), 3, 4, 12)  # Great Britain 2D12, France 1D12
    assert s.income["great_britain"] == 18
    assert s.income["france"] == 17
    assert s.income["usa"] == 6
    s = told(News("war", "germany", "ussr"), 5, 6)  # 1D12 and 1D6
    assert s.income["great_britain"] == 16
    assert s.income["france"] == 11


@pytest.mark.rule("gw36:5.2a")
def test_increases_are_permanent_and_stop_at_wartime_income():
    s = told(News("war", "italy", "greece"), 12, 12, income={"great_britain": 24, "france": 18})
    assert s.income["great_britain"] == 25
    assert s.income["france"] == 18


@pytest.mark.rule("gw36:5.1a", "gw36:5.2a", "gw36:0.9.income-b")
def test_war_with_a_major_power_lifts_an_income_to_what_the_zones_are_worth():
    war = News("war", "germany", "great_britain")
    s = told(war, 4, wars=[("germany", "great_britain")])  # 1D12 for the USA
    assert s.income["great_britain"] == 25
    assert s.income["fec"] == 13
    assert s.income["anzac"] == 7
    assert s.income["usa"] == 10
    assert s.income["france"] == 18  # its sheet says so
    s = told(News("war", "italy", "yemen"), 1, 1, 1, wars=[("italy", "yemen")])
    assert s.income["italy"] == 7


@pytest.mark.rule("gw36:5.3b", "gw36:5.2b", "gw36:nrs-usa-d")
def test_rights_that_depend_on_income_follow_it_at_once():
    s = state("usa", "production", "1936-07", wars=[])
    assert not may(s, "usa", "lend_lease")
    assert not may(s, "usa", "research")
    s.income["usa"] = 15
    assert may(s, "usa", "lend_lease")
    assert not at_wartime_income(s, "usa")
    s.income["usa"] = 63
    assert at_wartime_income(s, "usa")
    assert may(s, "germany", "lend_lease")


@pytest.mark.rule("gw36:5.7c")
def test_attacks_under_the_monroe_doctrine_raise_nothing():
    s = told(News("attack", "usa", "germany", "argentina", "monroe"), income={"usa": 20})
    assert s.income["usa"] == 20


@pytest.mark.rule("gw36:5.3a", "gw36:0.9.income-c")
def test_a_cause_counts_once_a_game_or_once_for_each_zone():
    taken = [
        News("possession", "japan", "mongolia", zone, "captured") for zone in ("kerulen", "kobdo")
    ]
    assert told(taken).income["ussr"] == 13
    assert told(News("possession", "ussr", "mongolia", "kobdo", "captured")).income["ussr"] == 8
    near = News("possession", "germany", "finland", "karjala", "captured")
    other = News("possession", "germany", "poland", "east_poland", "captured")
    far = News("possession", "germany", "austria", "austria", "captured")
    assert told([near, near, other, far], 5, 6).income["ussr"] == 19


@pytest.mark.rule("gw36:5.3a")
def test_annexations_and_capital_ships_worry_great_britain():
    news = [News("annexed", "germany", "austria", "austria"), News("capital_ship", "germany")]
    s = told(news)
    assert s.income["great_britain"] == 13
    assert s.income["france"] == 6
    assert told(News("capital_ship", "italy")).income["great_britain"] == 11


@pytest.mark.rule("gw36:5.3a")
def test_what_worries_the_united_states():
    china = [News("war", "japan", "kmt"), News("war", "japan", "ccp")]
    assert told(china).income["usa"] == 11  # once
    axis = News("possession", "japan", "anzac", "sydney", "captured")
    assert told(axis).income["usa"] == 16
    invaded = News("possession", "germany", "usa", "the_northeast", "captured")
    assert told(invaded).income["usa"] == 63
    aligned = News("possession", "germany", "argentina", "argentina", "aligned")
    assert told(aligned).income["usa"] == 6


# --- bonuses --------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:5.4a", "gw36:5.4c", "gw36:0.9.income-b")
def test_bonuses_are_for_war_with_a_major_power():
    s = state("great_britain", "production", "1940-01", wars=[])
    assert bonus(s, "great_britain") == 0
    s.wars = frozenset({("germany", "great_britain")})
    assert bonus(s, "great_britain") == 5  # Suez and Iran
    s.wars = frozenset({("great_britain", "kmt")})
    assert bonus(s, "great_britain") == 0
    s.wars = frozenset({("ccp", "great_britain")})
    assert bonus(s, "great_britain") == 0
    s.evolved = frozenset({"kmt"})
    s.wars = frozenset({("great_britain", "kmt")})
    assert bonus(s, "great_britain") == 5


@pytest.mark.rule("gw36:5.4b", "gw36:14.2h", "gw36:14.2i")
def test_the_pact_brings_money_in_peace():
    s = state("germany", "production", "1940-01", wars=[])
    assert bonus(s, "germany") == 0
    s.pacts = frozenset({"molotov_ribbentrop"})
    assert bonus(s, "germany") == 5
    assert bonus(s, "ussr") == 3


@pytest.mark.rule("gw36:5.4a")
def test_what_bonuses_name():
    s = state("germany", "production", "1942-01", wars=[("germany", "ussr")])
    base = bonus(s, "germany")
    s.possession["leningrad"] = s.possession["moscow"] = "germany"
    assert bonus(s, "germany") == base + 4
    s.possession["romania"] = "germany"
    assert bonus(s, "germany") == base + 7
    s.wars = frozenset({("germany", "usa")})
    assert bonus(s, "germany") == base + 3  # the cities count in war with the USSR only

    s = state("ussr", "production", "1945-01", wars=[("germany", "ussr")])
    base = bonus(s, "ussr")
    s.possession["berlin"] = s.possession["east_prussia"] = "ussr"
    assert bonus(s, "ussr") == base + 8
    s.possession["kiev"] = "germany"
    assert bonus(s, "ussr") == base


@pytest.mark.rule("gw36:9.11c", "gw36:9.11d", "gw36:nrs-usa-f")
def test_the_arctic_bonus_can_be_denied_or_cut_off():
    s = state("ussr", "production", "1942-01", wars=[("germany", "ussr")])
    base = bonus(s, "ussr")
    s.refused = frozenset({("soviet_arctic", "usa", "ussr")})
    assert bonus(s, "ussr") == base - 2
    s.refused = frozenset()
    s.possession["northern_russia"] = "germany"
    assert bonus(s, "ussr") == base - 2


@pytest.mark.rule("gw36:5.4a")
def test_ships_in_the_wrong_waters_cost_a_bonus():
    s = state("italy", "production", "1941-01", wars=[("great_britain", "italy")])
    base = bonus(s, "italy")
    s.put("sz_065", Unit("great_britain", "submarine"))
    assert bonus(s, "italy") == base
    s.put("sz_065", Unit("great_britain", "destroyer"))
    assert bonus(s, "italy") == base - 2
    s = state("anzac", "production", "1942-01", wars=[("great_britain", "japan")])
    base = bonus(s, "anzac")
    s.put("sz_116", Unit("germany", "destroyer"))
    assert bonus(s, "anzac") == base == 2
    s.put("sz_116", Unit("japan", "destroyer"))
    assert bonus(s, "anzac") == 0


@pytest.mark.rule("gw36:5.4a")
def test_oil_for_japan_runs_out():
    s = state("japan", "production", "1937-01", wars=[])
    assert bonus(s, "japan") == 3
    s.counts["oil"] = 2
    assert bonus(s, "japan") == 1
    s.counts["oil"] = 5
    assert bonus(s, "japan") == 0
    s.counts.clear()
    s.wars = frozenset({("japan", "usa")})
    assert bonus(s, "japan") == 0


@pytest.mark.rule("gw36:5.4a")
def test_a_turn_with_an_attack_on_china_costs_oil():
    for fought, captured, oil in (
        (["nanking"], [], 1),
        (["sz_054"], ["nanking", "hunan"], 1),  # once a turn
        (["hong_kong"], [], 0),
        ([], [], 0),
    ):
        s = state("japan", "combat", "1937-07", wars=[("japan", "kmt")])
        s.fought, s.captured = frozenset(fought), frozenset(captured)
        s.possession.update(dict.fromkeys(captured, "japan"))
        Hand(s).run(lambda g: follow(g, News("phase", "japan", how="end of combat")))
        assert s.counts.get("oil", 0) == oil
    Hand(s).run(lambda g: follow(g, News("phase", "germany", how="end of combat")))
    assert s.counts.get("oil", 0) == 0


# --- collecting -----------------------------------------------------------------------------------


@pytest.mark.rule("gw36:11.6a", "gw36:5.1a", "gw36:0.9.income-a")
def test_a_nation_at_peace_collects_its_peacetime_income():
    t = peace("great_britain", "place_units", treasury={"great_britain": 1})
    assert t.s.treasury["great_britain"] == 12
    assert t.s.treasury["fec"] == 10
    assert t.s.treasury["anzac"] == 6


@pytest.mark.rule("gw36:11.6a", "gw36:5.4a", "gw36:5.2e")
def test_a_nation_at_war_collects_what_its_zones_are_worth_and_its_bonuses():
    t = table(
        "italy",
        "place_units",
        "1940-07",
        wars=[("great_britain", "italy")],
        possession={"malta": "italy"},
        treasury={"italy": 0},
    )
    s = t.s
    assert s.treasury["italy"] == value(s, "italy") + bonus(s, "italy") > 11


@pytest.mark.rule("gw36:7.8.wartime-economy-a")
def test_a_wartime_economy_rolls_two_dice_in_war_with_a_major_power():
    tech = {"italy": {"wartime_economy": 3}}
    t = table(
        "italy",
        "place_units",
        "1941-01",
        wars=[("great_britain", "italy")],
        tech=tech,
        treasury={"italy": 0},
    )
    assert t.rolling == "wartime_economy: 2 ipp at 0"
    before, income = t.s.treasury["italy"], t.s.income["italy"]
    t.dice(5, 6)
    assert (t.s.treasury["italy"], t.s.income["italy"]) == (before + 11, income)
    t = table("italy", "place_units", "1941-01", wars=[], tech=tech)
    assert rolls(t) != "wartime_economy"
    t = table(
        "italy",
        "place_units",
        "1941-01",
        wars=[("great_britain", "italy")],
        tech={"italy": {"wartime_economy": 2}},
    )
    assert rolls(t) != "wartime_economy"


@pytest.mark.rule("gw36:7.8.wartime-economy-b")
def test_the_commonwealth_rolls_once_and_may_divide():
    t = table(
        "great_britain",
        "place_units",
        "1941-01",
        wars=[("germany", "great_britain")],
        tech={"great_britain": {"wartime_economy": 3}},
    )
    t.dice(4, 4)
    before = dict(t.s.treasury)
    t.refused(Divide({"fec": 5, "anzac": 4}), "7.8.wartime-economy-b")
    t.refused(Divide({"usa": 1}), "7.8.wartime-economy-b")
    t.refused(Divide({"fec": -1}), "7.8.wartime-economy-b")
    t.do(Divide({"fec": 3, "anzac": 2}))
    assert t.s.treasury["great_britain"] == before["great_britain"] + 3
    assert t.s.treasury["fec"] == before["fec"] + 3 + t.s.income["fec"] + bonus(t.s, "fec")
    assert rolls(t) != "wartime_economy"


@pytest.mark.rule("gw36:nrs-usa-e")
def test_in_war_with_a_major_power_the_usa_is_free_whatever_its_income():
    s = state("usa", "production", "1942-01", wars=[("japan", "usa")], income={"usa": 5})
    assert all(may(s, "usa", action) for action in s.facts.sheets["usa"].actions)
    s = state("usa", "production", "1942-01", wars=[("ccp", "usa")], income={"usa": 5})
    assert not any(may(s, "usa", action) for action in s.facts.sheets["usa"].actions)
