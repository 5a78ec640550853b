"""How a game ends, and what every nation scores (2.1, chapter 3)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules.objectives import HOME_LOST, OBJECTIVES, follow, scored
from sandtable.games.gw36.rules.victory import end_range, losses, over, score
from sandtable.kernel.ruleset import Event, Result
from sandtable.kernel.table import Table
from tests.gw36.table import state

OBJECTIVES_ON = {"national_objectives": True}


def end(**fields: Any) -> State:
    """A position at the end of the game, with nothing on the map but what is named."""
    return state("usa", "place_units", fields.pop("date", "1945-01"), **fields)


def points(nation: str, name: str, **fields: Any) -> int:
    return scored(end(**fields), nation)[name]


def ending(s: State, *faces: int) -> tuple[Result | None, list[str]]:
    """The result at the end of this calendar turn, and what happened; `faces` of the die."""
    events: list[Event] = []
    dice = list(faces)
    g: Table[State] = Table(s, lambda *_: (dice.pop(0),), events.append, lambda strict: None)
    procedure = over(g)
    try:
        next(procedure)
    except StopIteration as stop:
        assert not dice, "the die was not rolled"
        return stop.value, [event.kind for event in events]
    raise AssertionError("nothing is asked")


# The end.


@pytest.mark.rule("gw36:2.1b")
@pytest.mark.rule("gw36:2.1c")
@pytest.mark.rule("gw36:3.5a")
@pytest.mark.parametrize("scenario", ["1936", "1939"])
def test_the_game_ends_as_the_calendar_reaches_july_1945(scenario: str) -> None:
    options = {"scenario": scenario}
    assert ending(end(date="1944-07", options=options))[0] is None
    result, happened = ending(end(options=options))
    assert result is not None
    assert happened == ["game_ended"]


def test_the_result_names_all_powers_of_the_alliance_and_the_points() -> None:
    s = end(base="setup", wars=[])
    result, _ = ending(s)
    assert result is not None
    assert result.winners == (
        *("great_britain", "fec", "anzac", "france", "free_france", "usa", "kmt"),
    )
    assert result.reason == (
        "The Allies have 6 Victory Points; the Axis have 3, the Comintern have 1."
    )
    assert s.scores == {"axis": 3, "allies": 6, "comintern": 1}


RANGES = [
    pytest.param("1944-01", 0, marks=pytest.mark.rule("gw36:2.1f")),
    pytest.param("1944-07", 1, marks=pytest.mark.rule("gw36:2.1g")),
    pytest.param("1945-01", 2, marks=pytest.mark.rule("gw36:2.1h")),
    pytest.param("1945-07", 3, marks=pytest.mark.rule("gw36:2.1i")),
    pytest.param("1946-01", 5, marks=pytest.mark.rule("gw36:2.1j")),
    pytest.param("1946-07", 6, marks=pytest.mark.rule("gw36:2.1k")),
    pytest.param("1949-01", 6, marks=pytest.mark.rule("gw36:2.1k")),
]


@pytest.mark.parametrize(("date", "reach"), RANGES)
def test_variable_end(date: str, reach: int) -> None:
    options = {"variable_end": True}
    s = end(date=date, options=options)
    assert end_range(s) == reach
    if reach:
        assert ending(s, reach)[0] is not None
        s = end(date=date, options=options)
        assert ending(s, reach + 1) == (None, ["end_rolled"])
    else:
        assert ending(s) == (None, [])


@pytest.mark.rule("gw36:2.1l")
@pytest.mark.rule("gw36:2.1m")
def test_capitals_in_enemy_hands_widen_the_range() -> None:
    taken = {"possession": {"paris": "germany"}, "wars": [("germany", "france")]}
    assert end_range(end(**taken)) == 3
    # Without war it is not Enemy-possessed.
    assert end_range(end(possession={"paris": "germany"}, wars=[])) == 2
    # Nanking never counts, nor do Calcutta and Sydney; London does.
    zones = dict.fromkeys(("nanking", "calcutta", "sydney"), "japan")
    wars = [("japan", "kmt"), ("japan", "great_britain")]
    assert end_range(end(possession=zones, wars=wars)) == 2
    assert end_range(end(possession={**zones, "london": "japan"}, wars=wars)) == 3


@pytest.mark.rule("gw36:3.5c")
def test_a_tie_for_the_lead_prolongs_the_game() -> None:
    # Axis 5 (Berlin, Tokyo, Rome, Calcutta, Sydney), Allies 4, Comintern 1.
    wars: list[tuple[str, str]] = []
    s = end(possession={"calcutta": "japan", "sydney": "japan"}, wars=wars)
    assert score(s) == {"axis": 5, "allies": 4, "comintern": 1}
    assert ending(s)[0] is not None
    # 4 and 4: on to the next turn, and the one after is scored again.
    tied = {"calcutta": "japan", "sydney": "ussr"}
    s = end(possession=tied, wars=wars)
    assert score(s) == {"axis": 4, "allies": 4, "comintern": 2}
    assert ending(s) == (None, ["tied"])
    assert not s.scores
    s = end(date="1945-07", possession=tied, wars=wars)
    assert ending(s) == (None, ["tied"])
    s = end(date="1945-07", possession={**tied, "rome": "ussr"}, wars=wars)
    assert ending(s)[0] is not None


@pytest.mark.rule("gw36:3.5c")
def test_a_tie_for_the_second_place_does_not() -> None:
    # Allies 6, Axis 2, Comintern 2.
    s = end(possession={"rome": "ussr"}, wars=[])
    assert score(s) == {"axis": 2, "allies": 6, "comintern": 2}
    assert ending(s)[0] is not None


# Cities and losses.


@pytest.mark.rule("gw36:3.1a")
@pytest.mark.rule("gw36:3.2a")
@pytest.mark.rule("gw36:3.5b")
def test_objective_cities_count_for_the_alliance_that_possesses_them() -> None:
    assert score(end(wars=[])) == {"axis": 3, "allies": 6, "comintern": 1}
    # A city that no Alliance has counts for nobody.
    owners = {"paris": "spain_nationalist", "nanking": "ccp"}
    assert score(end(possession=owners, wars=[])) == {"axis": 3, "allies": 4, "comintern": 2}


@pytest.mark.rule("gw36:3.3a")
def test_home_zones_with_a_value_in_enemy_hands_are_losses() -> None:
    wars = [("germany", "great_britain"), ("germany", "france")]
    taken = {"southern_england": "germany", "picardy": "germany"}
    s = end(possession=taken, wars=wars)
    assert (losses(s, "great_britain"), losses(s, "france"), losses(s, "germany")) == (1, 1, 0)
    assert score(s)["allies"] == 6 - 2
    # Not Enemy-possessed: the holder is at peace with them, or a friend.
    assert losses(end(possession=taken, wars=[]), "france") == 0
    # No value, or no part of the Home Country.
    zones = {"gibraltar": "germany", "syria": "germany"}
    s = end(possession=zones, wars=wars)
    assert (losses(s, "great_britain"), losses(s, "france")) == (0, 0)
    poor = next(z for z in s.facts.nations["ussr"].zones if not s.facts.zones[z].ipp)
    assert poor in s.facts.nations["ussr"].home
    for zone, lost in ((poor, 0), ("kiev", 1)):
        s = end(possession={zone: "germany"}, wars=[("germany", "ussr")])
        assert losses(s, "ussr") == lost


@pytest.mark.rule("gw36:3.3b")
def test_who_has_surrendered_scores_nothing_and_loses_all_the_same() -> None:
    home = ("paris", "picardy")
    s = end(
        possession=dict.fromkeys(home, "germany"),
        surrendered=["france"],
        wars=[],
        options=OBJECTIVES_ON,
    )
    assert scored(s, "france") == {}
    assert losses(s, "france") == 2
    assert scored(end(wars=[]), "france") == {
        "Disarm Germany": 1,
        "Eliminate Communism": 0,
        "Maintain the Empire": 1,
    }


@pytest.mark.rule("gw36:3.4a")
@pytest.mark.rule("gw36:3.1a")
def test_national_objectives_count_if_they_are_in_use() -> None:
    plain = score(end(wars=[]))
    s = end(wars=[], options=OBJECTIVES_ON)
    with_ = score(s)
    for side in plain:
        nations = [n for n in s.facts.powers if s.facts.nations[n].alliance == side]
        own = sum(sum(scored(s, nation).values()) for nation in nations)
        assert with_[side] == plain[side] + own


@pytest.mark.rule("gw36:3.4b")
@pytest.mark.rule("gw36:table-3-1a")
@pytest.mark.rule("gw36:table-3-1b")
@pytest.mark.rule("gw36:table-3-1c")
def test_maxima() -> None:
    most = {nation: sum(top for top, _ in some.values()) for nation, some in OBJECTIVES.items()}
    assert most.pop("free_france") == 3
    assert most == {
        **{"usa": 6, "great_britain": 4, "fec": 1, "anzac": 1, "france": 3, "kmt": 3},
        **{"germany": 7, "italy": 4, "japan": 7},
        **{"ussr": 15, "ccp": 3},
    }
    sides = {"axis": 0, "allies": 0, "comintern": 0}
    for nation, top in most.items():
        sides[end().facts.nations[nation].alliance] += top
    assert sides == {"axis": 18, "allies": 18, "comintern": 18}


# Germany.

POLAND = dict.fromkeys(("warsaw", "west_poland", "dolnoslaske"), "germany")
BALTIC = dict.fromkeys(("lithuania", "latvia", "estonia"), "germany")
WEST = dict.fromkeys(("denmark", "netherlands", "belgium"), "germany")
BALKANS = dict.fromkeys(("yugoslavia", "thessaly"), "germany")
EAST = dict.fromkeys(
    ("southern_ukraine", "western_ukraine", "northern_belorussia", "southern_belorussia"),
    "germany",
)


@pytest.mark.rule("gw36:3.4.germany-a")
def test_lebensraum() -> None:
    assert points("germany", "Lebensraum") == 0
    for group in (POLAND, BALTIC, WEST, BALKANS, EAST):
        assert points("germany", "Lebensraum", possession=group) == 1
        for zone in group:
            assert points("germany", "Lebensraum", possession={**group, zone: "italy"}) == 0


@pytest.mark.rule("gw36:3.4.germany-b")
def test_lebensraum_is_four_at_most() -> None:
    four = {**POLAND, **BALTIC, **WEST, **BALKANS}
    assert points("germany", "Lebensraum", possession=four) == 4
    assert points("germany", "Lebensraum", possession={**four, **EAST}) == 4


@pytest.mark.rule("gw36:3.4.germany-c")
@pytest.mark.parametrize(
    ("zones", "scores"),
    [
        (["moscow"], 1),
        (["leningrad"], 0),
        (["leningrad", "kiev"], 1),
        (["smolensk", "kiev"], 0),
        (["warsaw", "kiev"], 0),
    ],
)
def test_eliminate_communism(zones: list[str], scores: int) -> None:
    taken = dict.fromkeys(zones, "germany")
    assert points("germany", "Eliminate Communism", possession=taken) == scores


@pytest.mark.rule("gw36:3.4.germany-d")
def test_gain_resources() -> None:
    for income, scores in ((50, 0), (51, 1)):
        assert points("germany", "Gain Resources", income={"germany": income}) == scores
    # The Molotov-Ribbentrop Pact is a bonus of 5.
    fields = {"pacts": ["molotov_ribbentrop"]}
    assert points("germany", "Gain Resources", income={"germany": 46}, **fields) == 1
    assert points("germany", "Gain Resources", income={"germany": 45}, **fields) == 0


@pytest.mark.rule("gw36:3.4.germany-e")
@pytest.mark.rule("gw36:3.4.italy-c")
@pytest.mark.parametrize(
    ("nation", "name"), [("germany", "Spanish Civil War"), ("italy", "Triumph of Fascism")]
)
def test_spain(nation: str, name: str) -> None:
    assert points(nation, name, spain="war") == 0
    assert points(nation, name, spain="republican") == 0
    assert points(nation, name, spain="nationalist") == 1
    # In 1939 Spain is Nationalist anyway: all of the continent has to be the Axis's.
    late: dict[str, Any] = {"options": {"scenario": "1939"}}
    assert points(nation, name, **late) == 0
    north = dict.fromkeys(("galicia_and_leon", "basque_country", "catalonia"), "germany")
    south = dict.fromkeys(("madrid", "western_andalucia", "eastern_andalucia"), "italy")
    assert points(nation, name, possession={**north, **south}, **late) == 1
    assert points(nation, name, possession=north, **late) == 0


# The Soviet Union and Communist China.

BUFFER = dict.fromkeys(
    ("east_poland", "lubelskie", "karjala", "lithuania", "latvia", "estonia"), "ussr"
)


@pytest.mark.rule("gw36:3.4.ussr-a")
def test_buffer_zone() -> None:
    assert points("ussr", "Buffer Zone", possession=BUFFER) == 1
    assert points("ussr", "Buffer Zone", possession={**BUFFER, "karjala": "germany"}) == 0


@pytest.mark.rule("gw36:3.4.ussr-b")
def test_worldwide_communism() -> None:
    name = "Worldwide Communism"
    assert points("ussr", name) == 0
    assert points("ussr", name, possession={"warsaw": "ussr", "berlin": "ussr"}) == 2
    # Zones without a value do not count.
    assert end().facts.zones["gibraltar"].ipp == 0
    assert points("ussr", name, possession={"gibraltar": "ussr"}) == 0
    # What the Buffer Zone scores counts no more; without one of its zones all others do.
    worth = [zone for zone in BUFFER if end().facts.zones[zone].ipp]
    assert points("ussr", name, possession=BUFFER) == 0
    less = {**BUFFER, "estonia": "germany"}
    assert points("ussr", name, possession=less) == len([z for z in worth if z != "estonia"])


@pytest.mark.rule("gw36:3.4.ussr-b")
def test_worldwide_communism_is_eleven_at_most() -> None:
    s = end()
    rich = [zone for zone in s.facts.nations["usa"].zones if s.facts.zones[zone].ipp][:13]
    taken = dict.fromkeys(rich, "ussr")
    assert points("ussr", "Worldwide Communism", possession=taken) == 11


@pytest.mark.rule("gw36:3.4.ussr-c")
def test_eastern_security() -> None:
    name = "Eastern Security"
    assert points("ussr", name) == 1
    assert points("ussr", name, possession={"amur": "japan"}) == 0
    assert points("ussr", name, possession={"moscow": "germany"}) == 0
    # Damage does not matter.
    s = end()
    border = next(b for b in sorted(s.railways) if "primorsky_krai" in b)
    damaged = [{"between": list(border), "gauge": "broad", "damage": 1}]
    assert points("ussr", name, railways=damaged) == 1


@pytest.mark.rule("gw36:3.4.ussr-d")
def test_ice_free_port() -> None:
    name = "Ice Free Port"
    s = end()
    major = {"major_port", "major_shipyard", "major_dockyard"}
    none = {
        zone: [f"{each.type} {each.at}".strip() for each in some if each.type not in major]
        for zone, some in s.facilities.items()
        if s.possession[zone] == "ussr"
    }
    assert points("ussr", name) == 1
    assert points("ussr", name, facilities=none) == 0
    minor = {**none, "primorsky_krai": ["minor_port sz_040"]}
    assert points("ussr", name, facilities=minor) == 0
    for facility in major:
        port = {**none, "primorsky_krai": [f"{facility} sz_040"]}
        assert points("ussr", name, facilities=port) == 1
        # Sea zone 6 is below 8.
        arctic = {**none, "northern_russia": [f"{facility} sz_006"]}
        assert points("ussr", name, facilities=arctic) == 0
    taken = {"istanbul": "ussr"}
    assert points("ussr", name, facilities=none, possession=taken) == 1
    lost = {**taken, "crimea": "germany"}
    assert points("ussr", name, facilities=none, possession=lost) == 0
    # Istanbul is then part of this objective and of no other.
    assert points("ussr", "Worldwide Communism", facilities=none, possession=taken) == 0
    assert points("ussr", "Worldwide Communism", possession=taken) == 1


SOVIET = ("heavy_strategic_bomber", "long_range_aircraft", "strategic_rockets", "heavy_armor")
AMERICAN = ("heavy_strategic_bomber", "jet_fighter", "strategic_rockets", "long_range_aircraft")


@pytest.mark.rule("gw36:3.4.ussr-e")
@pytest.mark.rule("gw36:3.4.usa-f")
@pytest.mark.parametrize(("nation", "wanted"), [("ussr", SOVIET), ("usa", AMERICAN)])
def test_technological_superiority(nation: str, wanted: tuple[str, ...]) -> None:
    name = "Technological Superiority"
    full = dict.fromkeys(wanted, 3)
    assert points(nation, name, tech={nation: full}) == 1
    for each in wanted:
        assert points(nation, name, tech={nation: {**full, each: 2}}) == 0


@pytest.mark.rule("gw36:3.4.ccp-a")
@pytest.mark.rule("gw36:3.4.kmt-a")
@pytest.mark.rule("gw36:appB-42b")
@pytest.mark.parametrize("nation", ["ccp", "kmt"])
def test_expel_foreign_influence(nation: str) -> None:
    name = "Expel Foreign Influence"
    chinese = {"kmt": "2 infantry", "tibet": "militia", "ccp": "infantry"}
    assert points(nation, name, units={"shensi": chinese}, wars=[]) == 1
    assert points(nation, name, units={"hunan": {"japan": "infantry"}}, wars=[]) == 0
    assert points(nation, name, units={"hunan": {"usa": "artillery"}}, wars=[]) == 0
    # Aircraft are no land units; Hainan and Manchuria are not Continental China.
    assert points(nation, name, units={"hunan": {"usa": "fighter"}}, wars=[]) == 1
    for zone in ("hainan", "rehe", "hong_kong"):
        assert points(nation, name, units={zone: {"japan": "infantry"}}, wars=[]) == 1


@pytest.mark.rule("gw36:3.4.ccp-b")
def test_inflame_the_revolution() -> None:
    name = "Inflame the Revolution"
    units = {"shensi": {"ccp": "3 infantry"}, "hunan": {"kmt": "2 infantry, fighter, fighter"}}
    assert points("ccp", name, units=units) == 2
    assert points("ccp", name, units={**units, "rehe": {"kmt": "infantry"}}, wars=[]) == 0
    # Outside China they do not count.
    assert points("ccp", name, units={**units, "burma": {"kmt": "infantry"}}, wars=[]) == 2


# The Commonwealth.


@pytest.mark.rule("gw36:3.4.britain-a")
@pytest.mark.parametrize(
    ("zone", "scores"),
    [
        *((zone, 0) for zone in ("trondelag", "denmark", "austria", "madrid", "bavaria", "rome")),
        *((zone, 0) for zone in ("paris", "scotland", "catalonia")),
        *((zone, 1) for zone in ("warsaw", "bohemia", "east_prussia", "iceland", "crete")),
    ],
)
def test_contain_soviet_armies(zone: str, scores: int) -> None:
    name = "Contain Communism"
    units = {zone: {"ussr": "infantry"}}
    assert points("great_britain", name, units=units, wars=[]) == scores
    fighters = {zone: {"ussr": "fighter"}}
    assert points("great_britain", name, units=fighters, wars=[]) == 1
    others = {zone: {"usa": "infantry"}}
    assert points("great_britain", name, units=others, wars=[]) == 1


@pytest.mark.rule("gw36:3.4.britain-b")
def test_british_empire() -> None:
    assert points("great_britain", "Maintain the Empire") == 1
    for zone in ("south_african_union", "eastern_egypt", "aden"):
        lost = {zone: "italy"}
        assert points("great_britain", "Maintain the Empire", possession=lost) == 0


@pytest.mark.rule("gw36:3.4.britain-c")
@pytest.mark.rule("gw36:3.4.usa-b")
@pytest.mark.parametrize("nation", ["great_britain", "usa"])
@pytest.mark.parametrize(
    ("germany", "italy", "scores"), [(24, 10, 1), (25, 10, 0), (24, 11, 0), (0, 0, 1)]
)
def test_contain_fascism(nation: str, germany: int, italy: int, scores: int) -> None:
    income = {"germany": germany, "italy": italy}
    assert points(nation, "Contain Fascism", income=income) == scores


@pytest.mark.rule("gw36:3.4.britain-d")
def test_mediterranean_security() -> None:
    name = "Mediterranean Security"
    ours = {"great_britain": "battleship, fleet_carrier, 5 heavy_cruiser"}
    assert points("great_britain", name, units={"sz_070": ours}) == 1
    axis = {"italy": "fast_battleship", "germany": "3 battlecruiser"}
    assert points("great_britain", name, units={"sz_070": ours, "sz_050": axis}) == 1
    more = {"italy": "fast_battleship", "germany": "battleship"}
    assert points("great_britain", name, units={"sz_070": ours, "sz_050": more}) == 0
    # Elsewhere they do not matter, and none is not twice none.
    assert points("great_britain", name, units={"sz_070": ours, "sz_027": more}) == 1
    assert points("great_britain", name) == 0
    assert points("great_britain", name, units={"sz_025": ours}) == 0
    for zone in ("gibraltar", "malta", "eastern_egypt"):
        lost = {"possession": {zone: "italy"}, "wars": []}
        assert points("great_britain", name, units={"sz_070": ours}, **lost) == 0


@pytest.mark.rule("gw36:3.4.fec-a")
def test_preserve_the_empire() -> None:
    zones = (
        *("haryana", "calcutta", "southern_india", "benares", "maharashtra"),
        *("burma", "bengal", "ceylon", "british_malaya"),
    )
    assert points("fec", "Preserve the Empire") == 1
    for zone in zones:
        lost = {zone: "great_britain"}
        assert points("fec", "Preserve the Empire", possession=lost) == 0
    assert points("fec", "Preserve the Empire", possession={"hong_kong": "japan"}) == 1


@pytest.mark.rule("gw36:3.4.anzac-a")
def test_south_pacific_security() -> None:
    name = "South Pacific Security"
    assert points("anzac", name) == 1
    for zone in ("tasmania", "south_island"):
        assert points("anzac", name, possession={zone: "japan"}) == 0
    assert points("anzac", name, possession={"new_guinea": "japan"}) == 1
    s = end()
    shore = s.facts.coast["queensland"][0]
    second = next(
        z
        for z in s.facts.sea_next[shore]
        if not {*s.facts.coast[z]} & s.facts.nations["anzac"].home
    )
    war = [("japan", "great_britain")]
    for zone in (shore, second):
        ships = {zone: {"japan": "destroyer"}}
        assert points("anzac", name, units=ships, wars=war) == 0
        assert points("anzac", name, units=ships, wars=[]) == 1
        # No surface warships.
        for type in ("submarine", "naval_transport", "light_carrier"):
            assert points("anzac", name, units={zone: {"japan": type}}, wars=war) == 1
    far = {"sz_056": {"japan": "destroyer"}}
    assert points("anzac", name, units=far, wars=war) == 1


# The United States.


@pytest.mark.rule("gw36:3.4.usa-a")
def test_monroe_doctrine() -> None:
    name = "Monroe Doctrine"
    assert points("usa", name, units={"texas": {"usa": "infantry"}}) == 1
    for zone, nation in (("ottawa", "germany"), ("patagonia", "ussr"), ("cuba", "ccp")):
        assert points("usa", name, units={zone: {nation: "infantry"}}, wars=[]) == 0
        assert points("usa", name, units={zone: {nation: "fighter"}}, wars=[]) == 1
    assert points("usa", name, units={"iceland": {"germany": "infantry"}}, wars=[]) == 1
    assert points("usa", name, marks=[HOME_LOST]) == 0


@pytest.mark.rule("gw36:3.4.usa-a")
@pytest.mark.parametrize(
    ("who", "where", "marked"),
    [
        ("japan", "san_francisco", True),
        ("ussr", "texas", True),
        ("great_britain", "new_york", False),
        ("japan", "hawaiian_islands", False),
        ("japan", "british_columbia", False),
    ],
)
def test_an_invasion_of_the_usa_is_remembered(who: str, where: str, marked: bool) -> None:
    s = end()
    g: Table[State] = Table(s, lambda *_: (), lambda event: None, lambda strict: None)
    list(follow(g, News("possession", who, "usa", where, "captured")))
    assert (HOME_LOST in s.marks) == marked
    list(follow(g, News("possession", "usa", who, where, "recaptured")))
    assert (HOME_LOST in s.marks) == marked


@pytest.mark.rule("gw36:3.4.usa-c")
def test_contain_communism() -> None:
    s = end()
    rich = [zone for zone in s.facts.nations["germany"].zones if s.facts.zones[zone].ipp]
    poor = [zone for zone in s.facts.nations["france"].zones if not s.facts.zones[zone].ipp]
    assert len(rich) >= 4
    four = dict.fromkeys([*rich[:4], *poor], "ussr")
    assert points("usa", "Contain Communism", possession=four) == 1
    assert points("usa", "Contain Communism", possession={**four, "warsaw": "ussr"}) == 0


@pytest.mark.rule("gw36:3.4.usa-d")
def test_american_pacific() -> None:
    name = "Pacific Security"
    japan = {"japan": "battleship, heavy_cruiser"}
    fleet = {"sz_078": {"usa": "battleship, fleet_carrier"}, "sz_056": japan}
    assert points("usa", name, units=fleet) == 1
    assert points("usa", name, units={**fleet, "sz_078": {"usa": "battleship"}}) == 0
    atlantic = {"sz_078": {"usa": "battleship"}, "sz_046": {"usa": "battleship"}, "sz_056": japan}
    assert points("usa", name, units=atlantic) == 0
    # The Allies' ships are not American.
    allied = {"sz_078": {"usa": "battleship", "great_britain": "battleship"}, "sz_056": japan}
    assert points("usa", name, units=allied) == 0


@pytest.mark.rule("gw36:3.4.usa-e")
def test_american_zones() -> None:
    assert points("usa", "Maintain the Empire") == 1
    assert points("usa", "Maintain the Empire", possession={"wake": "japan"}) == 0
    # A friend's flag is not enough.
    assert points("usa", "Maintain the Empire", possession={"guam": "anzac"}) == 0


# France.


@pytest.mark.rule("gw36:3.4.france-a")
def test_disarm_germany() -> None:
    name = "Disarm Germany"
    assert points("france", name) == 1
    late = {"options": {"scenario": "1939"}}
    # Exactly 24 is too much.
    assert points("france", name, **late) == 0
    assert points("france", name, possession={"austria": "italy"}, **late) == 1


@pytest.mark.rule("gw36:3.4.france-a")
@pytest.mark.rule("gw36:3.3b")
def test_free_france_scores_for_a_france_that_has_surrendered() -> None:
    fallen: dict[str, Any] = {"surrendered": ["france"], "wars": []}
    assert scored(end(**fallen), "free_france") == {}
    s = end(possession={"chad": "free_france"}, **fallen)
    assert scored(s, "free_france")["Disarm Germany"] == 1
    assert scored(s, "france") == {}
    s = end(units={"london": {"free_france": "infantry"}}, **fallen)
    assert scored(s, "free_france")["Disarm Germany"] == 1
    # While France fights the points are its own.
    assert scored(end(possession={"chad": "free_france"}), "free_france") == {}


@pytest.mark.rule("gw36:3.4.france-b")
def test_no_communists_next_door() -> None:
    name = "Eliminate Communism"
    spain = dict.fromkeys(("basque_country", "catalonia"), "spain_nationalist")
    # Republican Spain counts as Comintern.
    assert points("france", name) == 0
    assert points("france", name, possession=spain) == 1
    for zone in ("bavaria", "belgium", "northern_italy"):
        assert points("france", name, possession={**spain, zone: "ussr"}) == 0
    assert points("france", name, possession={**spain, "berlin": "ussr"}) == 1


@pytest.mark.rule("gw36:3.4.france-c")
def test_french_empire() -> None:
    name = "Maintain the Empire"
    s = end()
    own = s.facts.nations["france"].zones
    rich = next(zone for zone in own if s.facts.zones[zone].ipp and zone != "paris")
    poor = next(zone for zone in own if not s.facts.zones[zone].ipp)
    assert points("france", name) == 1
    assert points("france", name, possession={poor: "italy"}) == 1
    assert points("france", name, possession={rich: "italy"}) == 0
    assert points("france", name, possession={rich: "free_france"}) == 1


# Italy and Japan.


@pytest.mark.rule("gw36:3.4.italy-a")
def test_italian_empire() -> None:
    name = "Expand the Empire"
    assert points("italy", name) == 0
    assert points("italy", name, possession={"abyssinia": "italy"}) == 1
    three = dict.fromkeys(("abyssinia", "albania", "crete"), "italy")
    assert points("italy", name, possession=three) == 2
    # Abyssinia and Albania are Italian as the 1939 scenario begins.
    assert points("italy", name, options={"scenario": "1939"}) == 0


@pytest.mark.rule("gw36:3.4.italy-b")
def test_mediterranean_dominance() -> None:
    name = "Mediterranean Dominance"
    keys = dict.fromkeys(("malta", "gibraltar", "eastern_egypt"), "italy")
    assert points("italy", name) == 0
    assert points("italy", name, possession=keys) == 1
    assert points("italy", name, possession={**keys, "malta": "germany"}) == 0
    ships = {"sz_050": {"italy": "2 battleship"}}
    assert points("italy", name, units=ships) == 1
    for allied, scores in (("battleship", 1), ("2 battleship", 0)):
        both = {**ships, "sz_070": {"france": allied}}
        assert points("italy", name, units=both) == scores


@pytest.mark.rule("gw36:3.4.japan-a")
def test_colonialism() -> None:
    # Oil from the USA is a bonus of 3 in peace with it.
    for income, scores in ((47, 0), (48, 2)):
        s = end(income={"japan": income}, wars=[])
        assert scored(s, "japan")["Colonialism"] == scores


@pytest.mark.rule("gw36:3.4.japan-b")
def test_japanese_pacific() -> None:
    name = "Pacific Security"
    # The Marianas, Carolines and Marshalls are Japanese.
    assert points("japan", name) == 1
    lost = {"mariana_islands": "usa"}
    assert points("japan", name, possession=lost) == 0
    assert points("japan", name, possession={**lost, "wake": "japan"}) == 1
    fleet = {"sz_056": {"japan": "4 battleship"}}
    assert points("japan", name, possession=lost, units=fleet) == 1
    two = {**fleet, "sz_085": {"fec": "battleship"}, "sz_078": {"usa": "fleet_carrier"}}
    assert points("japan", name, possession=lost, units=two) == 1
    three = {**two, "sz_099": {"france": "battleship"}}
    assert points("japan", name, possession=lost, units=three) == 0


@pytest.mark.rule("gw36:3.4.japan-c")
def test_raw_materials() -> None:
    name = "Raw Materials"
    assert points("japan", name) == 0
    assert points("japan", name, possession={"cochinchina": "japan"}) == 0
    both = dict.fromkeys(("cochinchina", "annam_tonkin"), "japan")
    assert points("japan", name, possession=both) == 1
    more = dict.fromkeys(("british_malaya", "philippines", "borneo", "java", "sumatra"), "japan")
    for zone in more:
        assert points("japan", name, possession={zone: "japan"}) == 1
    assert points("japan", name, possession={**both, **more}) == 4


# Nationalist China.


@pytest.mark.rule("gw36:3.4.kmt-b")
def test_reclaim_china() -> None:
    name = "Reclaim China"
    assert points("kmt", name, possession={"rehe": "kmt"}) == 0
    assert points("kmt", name, possession={"rehe": "kmt", "formosa": "kmt"}) == 1
    assert points("kmt", name, possession={"rehe": "kmt", "formosa": "ccp"}) == 0
    assert points("kmt", name, possession={"rehe": "kmt", "korea": "kmt"}) == 0


@pytest.mark.rule("gw36:3.4.kmt-c")
def test_defeat_the_communists() -> None:
    name = "Defeat the Communists"
    assert points("kmt", name) == 1
    assert points("kmt", name, units={"shensi": {"ccp": "militia"}}) == 0
    assert points("kmt", name, units={"formosa": {"ccp": "fighter"}}, wars=[]) == 0
    assert points("kmt", name, units={"buryatia": {"ccp": "infantry"}}, wars=[]) == 1


@pytest.mark.rule("gw36:0.7b")
def test_regions_matter_to_the_monroe_doctrine() -> None:
    s = end()
    for zone in s.facts.land:
        inside = s.facts.zones[zone].region in ("north_america", "south_america")
        if s.facts.zones[zone].terrain != "tundra" and zone in (
            "panama",
            "chile",
            "hawaiian_islands",
        ):
            units = {zone: {"germany": "infantry"}}
            assert points("usa", "Monroe Doctrine", units=units, wars=[]) == (not inside)


@pytest.mark.rule("gw36:3.3b")
def test_a_city_of_a_nation_that_has_surrendered_scores_for_nobody() -> None:
    fields: dict[str, Any] = {"wars": [("france", "germany")]}
    before = score(end(**fields))
    assert score(end(**fields, surrendered=["france"]))["allies"] == before["allies"] - 1
