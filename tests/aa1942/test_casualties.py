"""Which hits fall on which units, and the duty to assign as many as possible (p.17, p.28-30)."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import islice, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.casualties import ChooseCasualties, Hits, due, take_casualties
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.table import Table as Kernel
from tests.aa1942.battles import land, line, sea
from tests.aa1942.table import Casualties, Dive, Done, Press, Retreat, move, table

# --- the oracle -----------------------------------------------------------------------------------
# Every way to deal out single hits to single units, one by one; no cleverness.

POINTS = {"battleship": 2}
AIR = {"fighter", "fighter (range 2)", "bomber"}

Outcome = tuple[tuple[tuple[str, str, int], ...], tuple[tuple[str, int], ...]]


def can_strike(kind: str, name: str) -> bool:
    if kind == "air":
        return name != "submarine"
    if kind == "sub":
        return name not in AIR
    return True


def oracle(hits: Hits, units: dict[str, dict[str, int]]) -> tuple[set[Outcome], int, int]:
    """All legal outcomes, and how many hits fall on fighting units and on transports."""
    kinds = ["any"] * hits.any + ["air"] * hits.air + ["sub"] * hits.sub
    pieces = [(p, name) for p, row in units.items() for name, n in row.items() for _ in range(n)]
    best = (0, 0)
    found: set[Outcome] = set()
    dealt = {()}
    for kind in kinds:
        step = set()
        for struck in dealt:
            step.add(struck)
            for at, (_, name) in enumerate(pieces):
                if can_strike(kind, name) and struck.count(at) < POINTS.get(name, 1):
                    step.add(tuple(sorted((*struck, at))))
        dealt = step
    for struck in dealt:
        ships = sum(pieces[at][1].startswith("transport") for at in struck)
        # As many hits as possible; among these, as few as possible on transports.
        rank = (len(struck), -ships)
        if rank > best:
            best, found = rank, set()
        if rank == best:
            lost: Counter[tuple[str, str]] = Counter()
            scars: Counter[str] = Counter()
            for at, count in Counter(struck).items():
                power, name = pieces[at]
                if count == POINTS.get(name, 1):
                    lost[power, name] += 1
                else:
                    scars[power] += 1
            found.add(
                (
                    tuple(sorted((p, name, n) for (p, name), n in lost.items())),
                    tuple(sorted(scars.items())),
                )
            )
    return found, best[0] + best[1], -best[1]


def outcome(choice: Casualties) -> Outcome:
    return (
        tuple(sorted((p, name, n) for p, row in choice.lost.items() for name, n in row.items())),
        tuple(sorted(choice.damaged.items())),
    )


NAMES = (
    "fighter",
    "fighter (range 2)",
    "submarine",
    "destroyer",
    "battleship",
    "battleship (damaged)",
    "transport",
    "transport (tank)",
)
FORCES = st.dictionaries(
    st.sampled_from(("united_kingdom", "united_states")),
    st.dictionaries(st.sampled_from(NAMES), st.integers(1, 2), min_size=1, max_size=3),
    min_size=1,
    max_size=2,
)
HITS = st.builds(Hits, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


@cache
def board() -> State:
    return table("germany").s


@pytest.mark.rule(
    "aa1942:combat.fire.max-hits",
    "aa1942:combat.casualty.transport-last",
    "aa1942:unit.sub.cannot-hit-air",
    "aa1942:unit.sub.air-immune",
    "aa1942:unit.battleship.two-hits",
)
@settings(max_examples=250, deadline=None)
@given(HITS, FORCES, st.randoms(use_true_random=False))
def test_the_listed_choices_are_exactly_the_legal_ones(hits, units, rng):
    legal, fighting, transports = oracle(hits, units)
    s = board()
    assert due(s, hits, units) == (fighting, transports)
    request = ChooseCasualties("united_kingdom", "sz8", hits, units, "defender")
    listed = [outcome(choice) for choice in request.decisions(s)]
    assert len(listed) == len(set(listed))
    assert set(listed) == legal
    for _ in range(5):
        choice = request.sample(s, random.Random(rng.random()))
        request.check(s, choice)
        assert outcome(choice) in legal


@pytest.mark.rule("aa1942:combat.fire.max-hits", "aa1942:combat.casualty.transport-last")
@settings(max_examples=60, deadline=None)
@given(HITS, FORCES)
def test_the_check_refuses_everything_else(hits, units):
    legal, _, _ = oracle(hits, units)
    request = ChooseCasualties("united_kingdom", "sz8", hits, units, "defender")
    names = [(p, name, n) for p, row in units.items() for name, n in row.items()]
    whole = [(p, row["battleship"]) for p, row in units.items() if "battleship" in row]
    for numbers in product(*(range(n + 1) for _, _, n in names)):
        for scars in product(*(range(n + 1) for _, n in whole)):
            lost: dict[str, dict[str, int]] = {}
            for (power, name, _), count in zip(names, numbers, strict=True):
                if count:
                    lost.setdefault(power, {})[name] = count
            marks = {p: n for (p, _), n in zip(whole, scars, strict=True) if n}
            choice = Casualties(lost, marks)
            try:
                request.check(board(), choice)
            except IllegalDecision as error:
                assert outcome(choice) not in legal
                assert error.rule
            else:
                assert outcome(choice) in legal


def test_choices_in_a_large_fleet_battle_are_listed_one_by_one() -> None:
    """Trying all numbers of all units would never come to the first."""
    fleet = {
        **{"fighter": 9, "fighter (range 1)": 5, "fighter (range 2)": 5, "bomber (range 2)": 4},
        **{"submarine": 8, "battleship": 6, "battleship (damaged)": 3, "aircraft_carrier": 5},
        **{"destroyer": 9, "cruiser": 7, "transport": 9, "transport (infantry)": 5},
    }
    for hits in (Hits(2, 2, 2), Hits(25, 3, 3), Hits(60, 5, 20), Hits(0, 3, 40)):
        units = {"united_kingdom": fleet, "united_states": fleet}
        request = ChooseCasualties("united_kingdom", "sz8", hits, units, "defender")
        listed = list(islice(request.decisions(board()), 200))
        assert len({outcome(choice) for choice in listed}) == 200
        for choice in listed:
            request.check(board(), choice)


@pytest.mark.rule("aa1942:combat.fire.defender.casualties")
@pytest.mark.parametrize("of", ["attacker", "defender"])
@pytest.mark.parametrize(
    "lost",
    [
        {"germany": {"infantry": 1}},
        {"united_kingdom": {"infantry": 0}},
        {"united_kingdom": {"x": 1}},
    ],
)
def test_a_refusal_of_casualties_names_its_rule(of: str, lost: dict[str, dict[str, int]]) -> None:
    units = {"united_kingdom": {"infantry": 2, "tank": 2}}
    request = ChooseCasualties("united_kingdom", "united_kingdom", Hits(1), units, of)
    with pytest.raises(IllegalDecision) as error:
        request.check(board(), Casualties(lost))
    assert error.value.rule == f"combat.fire.{of}.casualties"


def units_of(name: str, power: str) -> Unit:
    if name == "fighter (range 2)":
        return Unit(power, "fighter", used=2)
    if name == "battleship (damaged)":
        return Unit(power, "battleship", duty="damaged")
    if name == "transport (tank)":
        return Unit(power, "transport", cargo=(Unit(power, "tank"),))
    return Unit(power, name)


@pytest.mark.rule(
    "aa1942:combat.fire.attacker.casualties",
    "aa1942:combat.fire.defender.casualties",
    "aa1942:combat.fire.max-hits",
    "aa1942:unit.battleship.two-hits",
)
@settings(max_examples=200, deadline=None)
@given(HITS, FORCES, st.randoms(use_true_random=False))
def test_what_is_taken_off_is_what_was_chosen_and_nobody_is_asked_without_a_choice(
    hits, units, rng
):
    legal, _, _ = oracle(hits, units)
    wanted = rng.choice(sorted(legal))
    s = board().copy()
    stack = {units_of(name, power): n for power, row in units.items() for name, n in row.items()}
    for unit, count in stack.items():
        s.put("sz8", unit, count)
    g: Any = Kernel(s, lambda *_: None, lambda _: None, lambda _: None)
    play = take_casualties(g, "sz8", dict(stack), hits, of="defender", attacker="germany")
    try:
        asked = next(play)
    except StopIteration as stop:
        dead = stop.value
        (wanted,) = legal  # nothing to choose
    else:
        (request,) = asked.requests
        lost: dict[str, dict[str, int]] = {}
        for power, name, count in wanted[0]:
            lost.setdefault(power, {})[name] = count
        answer = Casualties(lost, dict(wanted[1]))
        request.check(s, answer)
        with pytest.raises(StopIteration) as done:
            play.send({request.power: answer})
        dead = done.value.value
    expected = {units_of(name, power): n for power, name, n in wanted[0]}
    assert dead == expected
    for power, count in wanted[1]:
        hurt = Unit(power, "battleship", duty="damaged")
        assert s.stack("sz8")[hurt] == stack.get(hurt, 0) + count


# --- the book's examples --------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.fire.max-hits")
def test_the_books_example_of_attacking_submarines() -> None:
    # A cruiser and two submarines score three hits on a destroyer and a carrier with a fighter.
    t = sea("cruiser, 2 submarine", "destroyer, aircraft_carrier, fighter").dice(1, 1, 1)
    assert t.asked == "chance roll"
    t.dice(6, 6, 6)
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat.fire.max-hits")
def test_a_cruisers_hit_goes_on_the_fighter_if_the_submarines_need_the_ships() -> None:
    t = sea("cruiser, 2 submarine", "destroyer, aircraft_carrier, 2 fighter").dice(1, 1, 1)
    assert t.asked == "united_kingdom choose_casualties"
    t.refused(
        Casualties({"united_kingdom": {"destroyer": 1, "aircraft_carrier": 1}}),
        "combat.fire.max-hits",
    )
    t.refused(
        Casualties({"united_kingdom": {"destroyer": 1, "fighter": 2}}), "unit.sub.cannot-hit-air"
    )
    t.do(Casualties({"united_kingdom": {"destroyer": 1, "aircraft_carrier": 1, "fighter": 1}}))


@pytest.mark.rule("aa1942:combat.fire.max-hits")
def test_the_books_example_of_a_defending_submarine() -> None:
    # A cruiser and a submarine score two hits on a destroyer and a fighter.
    t = sea("destroyer, fighter", "cruiser, submarine").dice(6, 6).dice(1, 1)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "germany") == {}


@pytest.mark.rule("aa1942:combat.fire.max-hits", "aa1942:unit.sub.air-immune")
def test_aircraft_hits_and_ship_hits_share_the_targets_so_that_none_is_lost() -> None:
    # A fighter and a cruiser hit a submarine and a cruiser: the cruiser's hit has to go on the
    # submarine, because the fighter's cannot.
    t = sea("fighter, cruiser", "submarine, cruiser, transport").do(Dive(0)).dice(6).dice(1, 1)
    assert line(t) == "1 cruiser at 3"
    t.dice(6)
    assert t.units("sz8", "united_kingdom") == {}
    t = sea("fighter, cruiser", "2 submarine, cruiser, transport").do(Dive(0)).dice(6, 6).dice(1, 1)
    t.refused(
        Casualties({"united_kingdom": {"cruiser": 1, "transport": 1}}),
        "combat.casualty.transport-last",
    )
    t.refused(Casualties({"united_kingdom": {"submarine": 2}}), "unit.sub.air-immune")
    t.do(Casualties({"united_kingdom": {"cruiser": 1, "submarine": 1}}))


# --- transports last ------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.casualty.transport-last")
def test_a_defender_cannot_give_a_transport_for_a_warship() -> None:
    t = sea("2 cruiser", "2 destroyer, transport").dice(1, 1)
    # Two hits, two destroyers: nothing to choose.
    t.dice(6, 6)
    assert t.units("sz8", "united_kingdom") == {}
    t = sea("2 cruiser", "destroyer, cruiser, transport").dice(1, 6)
    t.refused(Casualties({"united_kingdom": {"transport": 1}}), "combat.casualty.transport-last")
    t.do(Casualties({"united_kingdom": {"destroyer": 1}}))


@pytest.mark.rule("aa1942:combat.casualty.transport-last")
def test_an_attacker_cannot_give_a_transport_for_a_warship() -> None:
    t = sea("destroyer, cruiser, 2 transport", "2 cruiser").dice(6, 6).dice(1, 6)
    t.refused(Casualties({"germany": {"transport": 1}}), "combat.casualty.transport-last")
    t.do(Casualties({"germany": {"destroyer": 1}}))
    assert t.units("sz8", "germany") == {"cruiser": 1, "transport": 2}


@pytest.mark.rule("aa1942:combat.casualty.transport-last")
def test_a_damaged_battleship_goes_before_a_transport() -> None:
    t = sea("2 cruiser", "battleship, transport").dice(1, 1)
    assert line(t) == "1 battleship at 4"
    t.dice(6)
    # Both hits sink the battleship; the transport was defenceless then.
    assert t.s.lost == {
        ("united_kingdom", "battleship"): 1,
        ("united_kingdom", "transport"): 1,
    }


@pytest.mark.rule("aa1942:combat.casualty.transport-last")
def test_submarine_hits_reach_transports_past_fighters() -> None:
    t = sea("3 submarine", "aircraft_carrier, fighter, 2 transport").do(Dive(0)).dice(1, 1, 6)
    # Carrier first, then a transport: the fighter cannot be hit by a submarine.
    assert t.units("sz8", "united_kingdom") == {"fighter": 1, "transport": 1}


@pytest.mark.rule("aa1942:combat.casualty.transport-last")
def test_aircraft_hits_reach_transports_past_submarines() -> None:
    t = sea("2 fighter, cruiser", "submarine, 2 transport").do(Dive(0)).dice(6).dice(1, 6, 6)
    assert t.asked == "germany press_or_retreat"
    assert t.units("sz8", "united_kingdom") == {"submarine": 1, "transport": 1}


@pytest.mark.rule("aa1942:combat.casualty.transport-last")
def test_hits_of_a_step_are_dealt_out_together_before_a_transport_is_struck() -> None:
    # The cruiser's hit on a fighter and the submarines' on the ships spare the transport.
    t = sea("cruiser, 2 submarine", "destroyer, aircraft_carrier, 2 fighter, transport")
    t.dice(1, 1, 1)
    t.refused(
        Casualties({"united_kingdom": {"destroyer": 1, "aircraft_carrier": 1, "transport": 1}}),
        "combat.casualty.transport-last",
    )
    t.do(Casualties({"united_kingdom": {"destroyer": 1, "aircraft_carrier": 1, "fighter": 1}}))


# --- battleships ----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.battleship.two-hits")
def test_a_defending_battleship_sinks_at_its_second_hit_and_fights_on_until_then() -> None:
    t = sea("2 destroyer", "battleship").dice(1, 6)
    assert line(t) == "1 battleship at 4"
    t.dice(6).do(Press()).dice(6, 6)
    assert line(t) == "1 battleship at 4"
    t.dice(6).do(Press()).dice(1, 6)
    assert line(t) == "1 battleship at 4"  # it fires once more from behind the strip
    t.dice(6)
    assert t.units("sz8", "united_kingdom") == {}
    assert t.s.lost == {("united_kingdom", "battleship"): 1}


@pytest.mark.rule("aa1942:unit.battleship.two-hits")
def test_an_attacking_battleship_sinks_at_its_second_hit() -> None:
    t = sea("battleship", "2 destroyer").dice(6).dice(1, 6).do(Press())
    assert line(t) == "1 battleship at 4"
    t.dice(6).dice(6, 1)
    assert t.units("sz8", "germany") == {}


@pytest.mark.rule("aa1942:unit.battleship.two-hits")
def test_two_hits_on_two_battleships_are_scattered_or_sink_one() -> None:
    for choice, left in (
        (Casualties(damaged={"united_kingdom": 2}), 2),
        (Casualties({"united_kingdom": {"battleship": 1}}), 1),
    ):
        t = sea("2 destroyer", "2 battleship").dice(1, 1)
        assert t.asked == "united_kingdom choose_casualties"
        t.refused(Casualties(damaged={"united_kingdom": 1}), "combat.fire.max-hits")
        t.refused(Casualties(damaged={"united_kingdom": 3}), "unit.battleship.two-hits")
        t.refused(
            Casualties({"united_kingdom": {"battleship": 1}}, {"united_kingdom": 1}),
            "combat.fire.max-hits",
        )
        t.do(choice)
        assert line(t) == "2 battleship at 4"
        t.dice(6, 6)
        assert t.units("sz8", "united_kingdom") == {"battleship": left}


@pytest.mark.rule("aa1942:unit.battleship.two-hits")
def test_a_third_hit_sinks_one_of_two_damaged_battleships() -> None:
    t = sea("3 destroyer", "2 battleship").dice(1, 1, 1)
    assert {outcome(c) for c in t.game.legal(t.request)} == {
        ((("united_kingdom", "battleship", 1),), (("united_kingdom", 1),))
    }
    t = sea("3 destroyer", "2 battleship").dice(1, 1, 6)
    t.do(Casualties(damaged={"united_kingdom": 2})).dice(6, 6).do(Press()).dice(1, 6, 6)
    t.dice(6, 6)
    assert t.units("sz8", "united_kingdom") == {"battleship": 1}


@pytest.mark.rule("aa1942:unit.battleship.two-hits")
def test_the_owner_chooses_between_the_damaged_and_the_whole_battleship() -> None:
    t = (
        sea("3 destroyer", "2 battleship")
        .dice(1, 6, 6)
        .do(Casualties(damaged={"united_kingdom": 1}))
    )
    t.dice(6, 6).do(Press()).dice(1, 1, 6)
    assert t.request.units == {"united_kingdom": {"battleship": 1, "battleship (damaged)": 1}}
    assert {outcome(c) for c in t.game.legal(t.request)} == {
        ((("united_kingdom", "battleship", 1),), ()),
        ((("united_kingdom", "battleship (damaged)", 1),), (("united_kingdom", 1),)),
    }
    t.do(Casualties({"united_kingdom": {"battleship": 1}})).dice(6, 6).do(Press())
    t.dice(1, 6, 6).dice(6)
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:unit.battleship.two-hits", "aa1942:combat.sub.strike.casualty-removal")
def test_a_surprise_strike_and_a_normal_hit_in_one_round_sink_a_battleship() -> None:
    t = sea("submarine, cruiser", "battleship").do(Dive(0)).dice(1).dice(1)
    # It was hit in step 3, not by surprise, and so still fires.
    assert line(t) == "1 battleship at 4"
    t.dice(6)
    assert t.units("sz8", "united_kingdom") == {}
    t = sea("2 submarine, cruiser", "battleship, cruiser").do(Dive(0)).dice(1, 1)
    t.do(Casualties({"united_kingdom": {"battleship": 1}}))
    # Two strikes sink it before it fires.
    t.dice(6)
    assert line(t) == "1 cruiser at 3"


@pytest.mark.rule("aa1942:unit.battleship.two-hits")
def test_a_first_hit_may_be_put_on_a_battleship_to_save_another_ship() -> None:
    t = sea("cruiser, destroyer", "battleship, destroyer").dice(1, 6)
    t.do(Casualties(damaged={"united_kingdom": 1}))
    t.dice(6, 6)
    assert t.units("sz8", "united_kingdom") == {"battleship": 1, "destroyer": 1}


@pytest.mark.rule("aa1942:unit.battleship.repair")
@pytest.mark.parametrize("attacking", [True, False])
def test_a_surviving_battleship_is_whole_after_the_battle(attacking):
    if attacking:
        t = sea("battleship", "destroyer").dice(1).dice(1)
        power = "germany"
    else:
        t = sea("destroyer", "battleship").dice(1).dice(1)
        power = "united_kingdom"
    assert t.asked == "germany noncombat_move"
    (unit,) = [u for u in t.s.stack("sz8") if u.power == power]
    assert unit.type == "battleship"
    assert unit.duty != "damaged"


@pytest.mark.rule("aa1942:unit.battleship.repair")
def test_a_battleship_that_retreats_is_repaired_too() -> None:
    t = sea("battleship", "2 destroyer").dice(6).dice(1, 6).do(Retreat("sz9"))
    (unit,) = t.s.stack("sz9")
    assert (unit.type, unit.duty) == ("battleship", "retreated")
    assert [u.duty for u in t.s.stack("sz8")] == [""]


@pytest.mark.rule("aa1942:unit.battleship.repair")
def test_a_defending_battleship_is_repaired_when_the_attacker_breaks_off() -> None:
    t = sea("2 destroyer", "battleship").dice(1, 6).dice(6).do(Retreat("sz9"))
    (unit,) = t.s.stack("sz8")
    assert (unit.type, unit.duty) == ("battleship", "")


# --- antiaircraft artillery as a casualty ---------------------------------------------------------


@pytest.mark.rule("aa1942:unit.aaa.casualty")
def test_a_gun_may_be_given_for_a_hit() -> None:
    t = land("2 infantry", "2 infantry, antiaircraft_artillery").dice(1, 6)
    assert t.asked == "germany choose_casualties"
    t.do(Casualties({"germany": {"antiaircraft_artillery": 1}}))
    assert line(t) == "2 infantry at 2"
    t.dice(6, 6)
    assert t.units("west_russia", "germany") == {"infantry": 2}


@pytest.mark.rule("aa1942:unit.aaa.casualty", "aa1942:combat.fire.max-hits")
def test_guns_count_when_more_hits_are_scored_than_units_fight() -> None:
    t = land("2 tank", "infantry, antiaircraft_artillery").dice(1, 1)
    assert line(t) == "1 infantry at 2"
    t.dice(6)
    assert t.units("west_russia", "germany") == {}


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.fire.defender.casualties")
def test_fighters_are_told_apart_by_the_range_they_have_left() -> None:
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "fighter"},
            "novosibirsk": {"soviet_union": "fighter"},
            "west_russia": {"germany": "infantry"},
        },
    )
    t.do(
        move("fighter", "russia > west_russia"),
        move("fighter", "novosibirsk > russia > west_russia"),
        Done(),
    )
    t.dice(6, 6).dice(1)
    assert t.request.units == {"soviet_union": {"fighter (range 2)": 1, "fighter (range 3)": 1}}
    t.do(Casualties({"soviet_union": {"fighter (range 3)": 1}}))
    assert [u.used for u in t.s.stack("west_russia") if u.type == "fighter"] == [2]
