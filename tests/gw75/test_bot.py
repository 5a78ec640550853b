"""The greedy bot: legal and sensible answers, one position at a time."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import sandtable
from sandtable.bots import make_bot
from sandtable.games.gw75 import RULES, bot
from sandtable.games.gw75.bot import build, landing, lines, march, plans, sea
from sandtable.games.gw75.bot.plans import willing
from sandtable.games.gw75.model import Job, State
from sandtable.games.gw75.rules import axis_minors
from sandtable.games.gw75.rules.air import AirMovement, Raid
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.declaring import Declare, DeclareAttacks
from sandtable.games.gw75.rules.land_movement import LandMovement, Move
from sandtable.games.gw75.rules.lend_lease import Send
from sandtable.games.gw75.rules.naval import NavalPhase
from sandtable.games.gw75.rules.naval_combat import Engage
from sandtable.games.gw75.rules.naval_movement import Sail, Snort
from sandtable.games.gw75.rules.ports import Harbours, PlacePort
from sandtable.games.gw75.rules.production import Build, Production
from sandtable.games.gw75.rules.rights import EnterWar, Politics
from sandtable.games.gw75.rules.strategic import Redeploy, StrategicMovement
from sandtable.kernel.decisions import Request
from tests.gw75.table import state, table

WAR = [("commonwealth", "germany"), ("france", "germany")]
BERLIN, DANZIG, BREST = "W3121", "W3122", "W3018"


def answer(s: State, request: Request) -> Any:
    decision = bot.decide(s, request, random.Random(1))
    request.check(s, decision)
    return decision


@pytest.mark.parametrize("scenario", ["standard", "watermark"])
def test_answers_are_legal_and_depend_on_the_position_alone(scenario: str) -> None:
    game = sandtable.new("gw75", options={"scenario": scenario}, seed=3)
    first, second = make_bot("greedy", seed=5), make_bot("greedy", seed=5)
    for number in range(150):
        request = game.pending[0]
        decision = first.decide(game, request)
        if number % 10 == 0:
            assert second.decide(game, request) == decision
        game.submit(request.power, decision)
    assert RULES.audit(game.state) == []


def test_an_attack_that_the_table_promises_is_made() -> None:
    s = state(
        "axis_land_combat",
        wars=[("germany", "poland")],
        units={BERLIN: {"germany": "6 inf, 4 mech"}, DANZIG: {"poland": "2 inf"}},
    )
    decision = answer(s, DeclareAttacks("germany"))
    assert isinstance(decision, Declare) and decision.targets == (DANZIG,)
    assert any(type == "mech" for _, _, type, _ in decision.force), "they advance"


def test_a_hopeless_attack_is_not_made() -> None:
    s = state(
        "axis_land_combat",
        wars=[("germany", "poland")],
        units={BERLIN: {"germany": "2 inf"}, DANZIG: {"poland": "6 inf"}},
    )
    assert answer(s, DeclareAttacks("germany")) == Done()


def test_submarines_attack_merchant_ships_in_reach_and_come_home() -> None:
    units = {BREST: {"germany": "2 ss"}, "W3014": {"commonwealth": "2 ms"}}
    fields: dict[str, Any] = {"wars": WAR, "held": {BREST: "germany"}}
    s = state("axis_naval_1", units=units, **fields)
    decision = answer(s, NavalPhase("germany"))
    assert isinstance(decision, Engage) and decision.target == "W3014"
    units = {"W3015": {"germany": "2 ss"}, BERLIN: {"germany": "inf"}}
    s = state("axis_naval_3", units=units, **fields)
    decision = answer(s, NavalPhase("germany"))
    assert isinstance(decision, Sail) and decision.path[-1] == BREST


def test_a_convoy_of_a_power_at_peace_is_left_alone() -> None:
    both = {"commonwealth": "2 ms", "usa": "2 ms"}
    units = {BREST: {"germany": "2 ss"}, "W3014": both}
    s = state("axis_naval_1", units=units, wars=WAR, held={BREST: "germany"})
    assert not isinstance(answer(s, NavalPhase("germany")), Engage)


def test_merchant_ships_fill_the_lines_of_the_scenario() -> None:
    units = {"W3118": {"commonwealth": "3 ms, inf"}, "W2910": {"commonwealth": "3 ms"}}
    s = state("allies_naval_3", units=units, wars=WAR)
    decision = answer(s, NavalPhase("commonwealth"))
    assert isinstance(decision, Sail) and "ms" in decision.units
    level = s.facts.scenarios["standard"].units["commonwealth"]
    assert "ms" in level[decision.path[-1]] and decision.path[-1] != "W2910"


def test_bombers_raid_industry_that_is_not_defended() -> None:
    units = {"W3118": {"commonwealth": "3 lrb, inf"}, "W3121": {"germany": "inf"}}
    s = state("allies_air_movement", turn=14, units=units, wars=WAR)
    decision = answer(s, AirMovement("commonwealth"))
    assert isinstance(decision, Raid) and decision.target in s.facts.industry


def test_italy_enters_when_france_is_beaten() -> None:
    s = state("axis_land_movement", turn=4, wars=WAR)
    right = Politics("germany")
    if next(right.decisions(s), None) is not None:
        assert bot.use(s, right, random.Random(1)) is None
    s = state("axis_land_movement", turn=4, wars=WAR, held={"W3019": "germany"})
    assert bot.use(s, right, random.Random(1)) == EnterWar("italy", "allies")


def test_nobody_breaks_the_peace_too_early() -> None:
    s = state("axis_land_movement", turn=4, wars=WAR)
    assert not willing(s, "germany", "ussr") and not willing(s, "japan", "usa")
    s = state("axis_land_movement", turn=10, wars=WAR)
    assert willing(s, "japan", "usa")


def test_landings_go_where_few_defend() -> None:
    units = {"W3118": {"commonwealth": "4 inf, 4 amph"}, BREST: {"germany": "8 inf"}}
    s = state("allies_land_movement", turn=16, units=units, wars=WAR, held={BREST: "germany"})
    assert landing.beach(s, "commonwealth", BREST, 4) < 0
    units[BREST] = {"germany": "inf"}
    s = state("allies_land_movement", turn=16, units=units, wars=WAR, held={BREST: "germany"})
    assert landing.beach(s, "commonwealth", BREST, 4) > 0


def test_the_usa_at_war_lends_a_part_of_its_points_where_a_pipeline_leads() -> None:
    war = [*WAR, ("germany", "usa")]
    s = state("production", base="setup", turn=12, wars=war)
    s.points = {("usa", ""): 40, ("commonwealth", "united_kingdom"): 8, ("germany", ""): 15}
    decision = answer(s, Production("commonwealth"))
    assert isinstance(decision, Send) and decision.nation == "usa"
    assert (decision.to, decision.to_country) == ("commonwealth", "united_kingdom")
    s.done = {"lend:W2910": decision.points}
    assert not isinstance(answer(s, Production("commonwealth")), Send), "once a turn"


def test_troops_overseas_are_drawn_to_where_ships_wait_for_a_landing() -> None:
    war = [*WAR, ("germany", "usa")]
    units = {
        "W2805": {"usa": "4 inf"},
        "W2810": {"usa": "4 ms"},
        "W3014": {"usa": "4 ms"},
        "W3118": {"usa": "3 amph", "commonwealth": "inf"},
        BREST: {"germany": "inf"},
    }
    held = dict.fromkeys([BREST, "W3019", "W2919", "W2920", "W2819"], "germany")
    s = state("allies_strategic_movement", turn=16, units=units, wars=war, held=held)
    assert landing.base(s, "usa", "germany") == "W3118"
    decision = answer(s, StrategicMovement("commonwealth"))
    assert isinstance(decision, Redeploy) and decision.end == "W3118"


def test_a_coast_in_reach_of_a_landing_is_garrisoned() -> None:
    units = {
        "W3118": {"commonwealth": "4 inf, 4 amph"},
        "W3019": {"germany": "8 inf"},
    }
    held = {BREST: "germany", "W3019": "germany"}
    s = state("axis_land_movement", turn=16, units=units, wars=WAR, held=held)
    missing = dict(march.missing(s, "axis"))
    assert missing[BREST] == 1
    decision = answer(s, LandMovement("germany"))
    assert isinstance(decision, Move)
    assert missing[decision.path[-1]] == sum(count for _, _, count in decision.units)


def test_the_japanese_fleet_strikes_before_it_is_at_war() -> None:
    units = {
        "E2610": {"japan": "4 surf_a, 4 surf_b"},
        "E2222": {"usa": "2 surf_a, 3 surf_b"},
    }
    s = state("axis_naval_1", turn=9, units=units, wars=[("china", "japan")])
    decision = answer(s, NavalPhase("germany"))
    assert isinstance(decision, Sail) and s.facts.distance(decision.path[-1], "E2222") <= 1
    s = state("axis_naval_1", turn=6, units=units, wars=[("china", "japan")])
    assert answer(s, NavalPhase("germany")) == Done()


def test_the_axis_does_not_wake_the_great_powers() -> None:
    units = {"W2524": {"italy": "4 inf"}, "W2525": {"commonwealth": "sd"}}
    wars = [*WAR, ("commonwealth", "italy"), ("france", "italy")]
    held = {"W2524": "italy"}
    s = state("axis_land_combat", turn=6, units=units, wars=wars, held=held)
    assert plans.provokes(s, "italy", "W2525"), "Suez brings the USA and the USSR closer to war"
    assert answer(s, DeclareAttacks("germany")) == Done()
    wars += [("germany", "ussr"), ("germany", "usa")]
    s = state("axis_land_combat", turn=12, units=units, wars=wars, held=held)
    assert not plans.provokes(s, "italy", "W2525")


def test_minor_allies_stay_where_they_may_be() -> None:
    units = {"W3022": {"hungary": "2 inf"}, DANZIG: {"poland": "2 inf"}}
    s = state("axis_land_movement", units=units, wars=[("germany", "poland")])
    for _ in range(3):
        decision = answer(s, LandMovement("germany"))
        assert decision == Done() or axis_minors.may_end(s, "hungary", decision.path[-1])


def test_what_stands_alone_is_overrun() -> None:
    units = {BERLIN: {"germany": "6 inf, 4 mech"}, DANZIG: {"poland": "inf"}}
    s = state("axis_land_movement", units=units, wars=[("germany", "poland")])
    decision = answer(s, LandMovement("germany"))
    assert isinstance(decision, Move) and DANZIG in decision.path


def test_who_has_landed_attacks_as_a_whole() -> None:
    s = state(
        "allies_land_combat",
        turn=16,
        wars=WAR,
        held={BREST: "germany"},
        units={
            BREST: {
                "germany": "inf",
                "commonwealth": {
                    "inf": [{"count": 9, "duty": "assault", "origin": "W3118"}],
                    "amph": [{"count": 9, "duty": "assault", "origin": "W3118"}],
                },
            }
        },
    )
    decision = answer(s, DeclareAttacks("commonwealth"))
    assert isinstance(decision, Declare)
    assert sum(number for *_, number in decision.force) == 9


def test_the_lifeline_to_britain_is_filled_first() -> None:
    units = {"W3217": {"commonwealth": "2 ms, inf"}, "W2910": {"commonwealth": "4 ms"}}
    s = state("allies_naval_3", turn=12, units=units, wars=WAR)
    decision = answer(s, NavalPhase("commonwealth"))
    assert isinstance(decision, Sail) and decision.path[-1] == "W3014"


def test_a_player_places_no_port_that_another_has_in_stock() -> None:
    s = state(
        "axis_naval_1",
        5,
        units={"W2424": {"commonwealth": "inf"}},
        wars=WAR,
        stock={"commonwealth": 1, "germany": 1},
    )
    rng = random.Random(1)
    placed = RULES.greedy_right(s, Harbours("commonwealth"), rng)
    assert placed == PlacePort("commonwealth", "W2424")
    assert RULES.greedy_right(s, Harbours("germany"), rng) is None


def test_nothing_is_ordered_that_comes_too_late() -> None:
    s = state("production", turn=20, wars=WAR)
    s.points = {("usa", ""): 40, ("commonwealth", "united_kingdom"): 20}
    s.started_before = {("usa", "mech"): 5, ("usa", "surf_a"): 1, ("usa", "ms"): 2}
    assert answer(s, Production("commonwealth")) == Done(), "infantry takes three Game-Turns, too"
    s.dead = {("usa", "inf"): 2}
    decision = answer(s, Production("commonwealth"))
    assert decision == Build("usa", "inf", 1, "", rebuilt=True)


def raids(defense: dict[str, Any]) -> Counter[str]:
    """Where twelve bombers in England go, with German industry that is defended so."""
    units = {"W3118": {"commonwealth": "12 lrb, inf"}, "W3019": {"germany": "inf"}, **defense}
    t = table("allies_air_movement", turn=14, units=units, wars=WAR, held={"W3019": "germany"})
    flying: Counter[str] = Counter()
    while isinstance(raid := answer(t.s, AirMovement("commonwealth")), Raid):
        flying[raid.target] += raid.number
        t.do(raid)
    return flying


def test_bombers_go_where_most_is_made_and_divide() -> None:
    homes = [hex for hex, whose in state().facts.industry.items() if whose == "germany"]
    flying = raids({hex: {"germany": "ad"} for hex in homes})
    assert flying.total() - flying["W3019"] > 8, "Paris makes one point"
    assert len(raids({})) > 2, "and no hex more than its multiple"


def test_bombers_stay_away_from_strong_air_defense() -> None:
    homes = [hex for hex, whose in state().facts.industry.items() if whose == "germany"]
    units = {hex: {"germany": "6 ad"} for hex in homes}
    units["W3118"] = {"commonwealth": "4 lrb, inf"}
    s = state("allies_air_movement", turn=14, units=units, wars=WAR)
    assert not isinstance(answer(s, AirMovement("commonwealth")), Raid)


def test_submarines_snort_when_what_they_hunt_is_near() -> None:
    units = {BREST: {"germany": "2 ss"}, "W2910": {"commonwealth": "2 ms"}}
    fields: dict[str, Any] = {"units": units, "wars": WAR, "held": {BREST: "germany"}}
    s = state("axis_naval_1", turn=18, **fields)
    assert answer(s, NavalPhase("germany")) == Snort(BREST, 2)
    s = state("axis_naval_1", turn=17, **fields)
    assert not isinstance(answer(s, NavalPhase("germany")), Snort), "there is none before 1944"


def test_the_usa_builds_one_atomic_bomb_in_time() -> None:
    war = [*WAR, ("germany", "usa")]
    s = state("production", turn=12, wars=war)
    s.points = {("usa", ""): 45}
    assert answer(s, Production("commonwealth")) == Build("usa", "abomb", 1)
    s.track = (Job("usa", "abomb", 21, 1),)
    assert getattr(answer(s, Production("commonwealth")), "type", "") != "abomb", "one"
    s = state("production", turn=14, wars=war)
    s.points = {("usa", ""): 45}
    decision = answer(s, Production("commonwealth"))
    assert isinstance(decision, Build) and decision.type != "abomb", "it would come too late"


def test_an_atomic_bomb_goes_to_the_bombers_and_is_dropped() -> None:
    war = [*WAR, ("germany", "usa")]
    units = {
        "W2805": {"usa": "inf"},
        "W2810": {"usa": "4 ms"},
        "W3014": {"usa": "4 ms"},
        "W3118": {"usa": "3 lrb", "commonwealth": "inf"},
        BERLIN: {"germany": "inf, ad"},
    }
    s = state("allies_strategic_movement", turn=22, units=units, wars=war, bombs={"W2805": 1})
    decision = answer(s, StrategicMovement("commonwealth"))
    assert isinstance(decision, Redeploy) and decision.units == (("usa", "abomb", 1),)
    assert decision.end == "W3118"
    s = state("allies_air_movement", turn=23, units=units, wars=war, bombs={"W3118": 1})
    decision = answer(s, AirMovement("commonwealth"))
    assert isinstance(decision, Raid) and decision.bomb and decision.number == 3
    assert s.facts.industry[decision.target] == "germany"


def test_armies_cross_the_ocean_to_another_port_if_the_best_is_full() -> None:
    war = [*WAR, ("germany", "usa")]
    units = {
        "W2805": {"usa": "4 inf"},
        "W2810": {"usa": "4 ms"},
        "W3014": {"usa": "4 ms"},
        "W3119": {"commonwealth": "10 inf"},
        "W3019": {"germany": "4 inf"},
    }
    held = {"W3019": "germany", "W3119": "commonwealth"}
    s = state("allies_strategic_movement", turn=18, units=units, wars=war, held=held)
    decision = answer(s, StrategicMovement("commonwealth"))
    assert isinstance(decision, Redeploy) and decision.units == (("usa", "inf", 4),)
    assert decision.end in ("W2919", BREST), "Antwerp is full"


def test_infantry_leaves_room_for_mechanized_points_at_the_front() -> None:
    war = [("germany", "ussr")]
    units = {
        "W3223": {"germany": "2 inf"},
        "W3124": {"ussr": "6 inf"},
        "W3225": {"ussr": "4 mech"},
    }
    s = state("allies_land_movement", turn=18, units=units, wars=war)
    few = march._mixed(s, "ussr", "W3124", {"inf": 5})
    units["W3225"] = {"ussr": "16 mech"}
    s = state("allies_land_movement", turn=18, units=units, wars=war)
    many = march._mixed(s, "ussr", "W3124", {"inf": 5, "mech": 2})
    assert (few, many) == ({"inf": 5}, {"inf": 0, "mech": 2})


PACIFIC = [("japan", "usa"), ("china", "japan")]
PEARL_HARBOR, LOS_ANGELES, NORFOLK, TOKYO = "E2222", "E2629", "W2705", "E2611"


def test_american_fleets_gather_at_home_while_they_are_the_weaker() -> None:
    units = {
        PEARL_HARBOR: {"usa": "2 surf_a, inf"},
        NORFOLK: {"usa": "surf_a"},
        "E2425": {"usa": "3 ms"},
        TOKYO: {"japan": "5 surf_a, inf"},
    }
    s = state("allies_naval_3", turn=12, units=units, wars=PACIFIC)
    assert sea.station(s, "usa") == LOS_ANGELES
    decision = answer(s, NavalPhase("commonwealth"))
    assert isinstance(decision, Sail) and decision.path[-1] == LOS_ANGELES
    units[PEARL_HARBOR] = {"usa": "6 surf_a, inf"}
    s = state("allies_naval_3", turn=12, units=units, wars=PACIFIC)
    assert sea.station(s, "usa") == PEARL_HARBOR
    assert sea.station(s, "japan") == ""


def test_a_strike_that_the_enemys_fleets_would_punish_is_not_made() -> None:
    units = {PEARL_HARBOR: {"usa": "surf_a, inf"}, "E2410": {"japan": "2 ms"}}
    s = state("allies_naval_1", turn=12, units=units, wars=PACIFIC)
    decision = answer(s, NavalPhase("commonwealth"))
    assert isinstance(decision, Sail) and "surf_a" in decision.units
    units[TOKYO] = {"japan": "6 surf_a, inf"}
    s = state("allies_naval_1", turn=12, units=units, wars=PACIFIC)
    assert not isinstance(answer(s, NavalPhase("commonwealth")), Sail)


def test_the_road_from_hawaii_has_as_many_ships_as_lead_there() -> None:
    units = {"E2425": {"usa": "3 ms"}, LOS_ANGELES: {"usa": "inf"}, TOKYO: {"japan": "5 surf_a"}}
    early = state("allies_naval_3", turn=12, units=units, wars=PACIFIC)
    assert "E2316" not in lines.wanted(early, "usa")
    later = state("allies_naval_3", turn=14, units=units, wars=PACIFIC)
    assert lines.wanted(later, "usa")["E2316"] == 3
    del units["E2425"]
    without = state("allies_naval_3", turn=14, units=units, wars=PACIFIC)
    assert "E2316" not in lines.wanted(without, "usa")


@pytest.mark.rule("gw75:18.14")
@pytest.mark.parametrize(
    ("power", "nation", "country"),
    [
        ("commonwealth", "commonwealth", "canada"),
        ("commonwealth", "commonwealth", "india"),
        ("germany", "japan", "manchukuo"),
    ],
)
def test_no_ships_are_ordered_where_none_can_appear(power: str, nation: str, country: str) -> None:
    """The industry of Canada, India and Manchukuo lies inland: their points make armies."""
    s = state(
        "production",
        8,
        base="setup",
        points={nation: {country: 12}},
        started_before={nation: {"ms": 3, "amph": 3, "inf": 3, "mech": 3}},
    )
    ordered = []
    for decision in build._wanted(s, power):
        if isinstance(decision, Build) and (decision.nation, decision.country) == (nation, country):
            ordered.append(decision.type)
    assert "inf" in ordered
    assert not {"ms", "amph", "asw", "ss", "surf_a", "surf_b"} & set(ordered)
