"""Where units can go: all that is offered is legal, all that is legal is offered."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import sandtable
from sandtable.games.aa1942.forms.moves import Chosen, cargo_of
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.movement import movers
from sandtable.games.aa1942.rules.transports import plan_voyage
from sandtable.kernel.display import NoQuestion, Reach
from tests.aa1942.positions import played
from tests.aa1942.table import Move, Sail, Table, sail, table

GAMES: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
    ("random", 21, 6, {"interceptors": True}),
    ("random", 22, 6, {"dardanelles": True}),
    ("greedy", 23, 2, {}),
)


def reach(t: Table, space: str, **chosen: int) -> Reach:
    return t.game.rules.reach(t.game.legal(t.request), space, chosen)


def labels(found: Reach, goal: str) -> list[str]:
    return [choice.label for choice in found.ways[goal].decisions]


# --- in played games -----------------------------------------------------------------------------


def _sampled(every: int) -> Any:
    """Some positions of the games in which units can be moved."""
    rng = random.Random(7)
    for bot, seed, rounds, options in GAMES:
        for game in played(bot, seed, rounds, options):
            if game.pending[0].kind.endswith("_move") and rng.random() < 1 / every:
                yield game, rng


def _choose(rows: Any, rng: random.Random) -> dict[str, int]:
    """Some units of a mover; cargo with a transport."""
    row = rng.choice(rows)
    chosen = {row.key: rng.randint(1, row.most)}
    if row.key.startswith("load/"):
        # What there is room for.
        chosen[row.key] = min(chosen[row.key], 2 if row.key.endswith("/infantry") else 1)
        ship = next(r for r in rows if r.symbol == "transport")
        chosen[ship.key] = 1
    return chosen


def test_every_way_is_legal_and_leads_to_its_space() -> None:
    offered = 0
    for game, rng in _sampled(4):
        legal = game.legal(game.pending[0])
        for mover in rng.sample(game.rules.form(legal).movers, 1):
            try:
                found = game.rules.reach(legal, mover.space, _choose(mover.rows, rng))
            except NoQuestion:
                continue
            assert not set(found.ways) & set(found.refused)
            listed = [
                c.decision for way in found.ways.values() if not way.aside for c in way.decisions
            ]
            assert all(c.decision in listed for way in found.ways.values() for c in way.decisions)
            assert set(found.ways) | set(found.refused) <= set(game.state.facts.spaces)
            for goal, way in found.ways.items():
                assert way.path[0] == mover.space or game.state.facts.spaces[way.path[0]].sea
                assert way.path[-1] == goal
                for choice in way.decisions:
                    offered += 1
                    decision = legal.read(choice.decision)
                    assert isinstance(decision, Move | Sail)
                    assert goal in (decision.path[-1], getattr(decision, "offload", ""))
            assert "_" not in found.elsewhere + "".join(w.reason for w in found.refused.values())
    assert offered > 1000


def test_whatever_is_legal_is_offered_and_not_refused() -> None:
    checked: Counter[str] = Counter()
    for game, rng in _sampled(40):
        request = game.pending[0]
        legal = game.legal(request)
        decisions = [d for d in legal if isinstance(d, Move | Sail)]
        for decision in rng.sample(decisions, min(25, len(decisions))):
            s: State = game.state
            goal = getattr(decision, "offload", "") or decision.path[-1]
            if goal == decision.path[0]:
                continue  # there and back, which nobody needs
            found = game.rules.reach(legal, decision.path[0], _as_chosen(s, decision))
            assert goal in found.ways, (decision, found.refused.get(goal))
            assert goal not in found.refused
            after = _after(game, decision)
            same = [
                choice
                for choice in found.ways[goal].decisions
                if _after(game, legal.read(choice.decision)) == after
            ]
            assert same, decision
            checked[decision.kind + s.phase] += 1
    assert all(checked[kind] > 5 for kind in ("movecombat_move", "movenoncombat_move"))
    assert checked["sailnoncombat_move"] > 5


def _as_chosen(s: State, decision: Move | Sail) -> dict[str, int]:
    """The rows by which a player would choose what a decision moves."""
    chosen: Counter[str] = Counter()
    if isinstance(decision, Sail):
        ship = plan_voyage(s, decision).transport
        owner = "" if ship.power == s.turn else ship.power
        chosen[Chosen("transport", cargo_of(ship), owner).key] = 1
        for load in decision.load:
            for type_, count in load.units.items():
                chosen[Chosen(type_, load=load.territory).key] += count
    elif all(type_ in s.facts.air for type_ in decision.units):
        chosen.update(decision.units)
    else:
        for unit, count in movers(s, decision, "", ""):
            chosen[Chosen(unit.type, cargo_of(unit)).key] += count
    return dict(chosen)


def _after(game: sandtable.Game, decision: Move | Sail) -> Any:
    """Who is where after a decision, and who holds what; not by which way they came."""
    copy = game.clone()
    copy.submit(copy.pending[0].power, decision)
    s: State = copy.state
    units: Counter[Any] = Counter()
    for space, unit, count in s.units():
        cargo = tuple((piece.power, piece.type, piece.duty) for piece in unit.cargo)
        units[space, unit.power, unit.type, unit.duty, unit.target, cargo] += count
    return units, s.control


def test_a_refused_space_cannot_be_reached_by_any_legal_decision() -> None:
    compared = 0
    for game, rng in _sampled(60):
        legal = game.legal(game.pending[0])
        goals: dict[tuple[str, str, int], set[str]] = {}
        for decision in legal:
            if isinstance(decision, Move):
                ((type_, count),) = decision.units.items()
                goals.setdefault((decision.path[0], type_, count), set()).add(decision.path[-1])
        movers = game.rules.form(legal).movers
        for mover in rng.sample(movers, min(3, len(movers))):
            for row in mover.rows:
                if "/" in row.key or "+" in row.key or row.symbol == "transport":
                    continue
                found = game.rules.reach(legal, mover.space, {row.key: row.most})
                reachable = goals.get((mover.space, row.key, row.most), set())
                assert not reachable & set(found.refused)
                assert reachable - {mover.space} <= set(found.ways)
                compared += 1
    assert compared > 30


# --- land ----------------------------------------------------------------------------------------


def test_tanks_are_offered_each_way_that_takes_something_else() -> None:
    t = table(
        "germany",
        units={"belorussia": {"germany": "tank"}},
        control={"west_russia": "soviet_union", "baltic_states": "soviet_union"},
    )
    found = reach(t, "belorussia", tank=1)
    way = found.ways["karelia_ssr"]
    taken = {choice.detail for choice in way.decisions}
    assert taken == {
        "",
        "taking West Russia on the way",
        "taking Baltic States on the way",
    }
    assert not way.battle and way.note == "Nobody defends it."
    assert labels(found, "belorussia") == ["Blitz and return to Belorussia"] * 2


def test_a_combat_move_to_friends_is_refused_with_the_rule() -> None:
    t = table("germany", units={"germany": {"germany": "infantry"}})
    found = reach(t, "germany", infantry=1)
    assert found.refused["france"].rule == "combat-move.purpose"
    assert found.refused["france"].reason.startswith("France is friendly")
    assert found.refused["switzerland"].rule == "neutral.impassable"
    assert found.elsewhere == "Too far: infantry move 1 space."


def test_land_units_are_taken_across_the_sea_by_a_transport_that_can_come() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz8": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "3 infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    way = reach(t, "united_kingdom", infantry=2).ways["norway"]
    assert way.battle
    assert (way.path[0], way.path[-1]) == ("sz8", "norway")
    many = reach(t, "united_kingdom", infantry=3)
    assert "norway" not in many.ways
    assert many.refused["sz8"].rule == "unit.transport.capacity"


def test_kinds_of_units_that_move_apart_are_not_asked_about_together() -> None:
    t = table("germany", units={"germany": {"germany": "infantry, fighter"}})
    for chosen in ({"infantry": 1, "fighter": 1}, {"infantry": 2}, {}, {"infantry": 0}, {"x": 1}):
        with pytest.raises(NoQuestion):
            reach(t, "germany", **chosen)
    with pytest.raises(NoQuestion):
        reach(t, "atlantis", infantry=1)


# --- air -----------------------------------------------------------------------------------------


def test_bombers_may_attack_or_raid() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "germany": {"germany": "infantry"},
        },
    )
    found = reach(t, "united_kingdom", bomber=1)
    assert labels(found, "germany") == [
        "Attack in Germany",
        "Bomb the industrial complex in Germany",
    ]
    assert labels(found, "italy") == ["Bomb the industrial complex in Italy"]
    assert found.ways["italy"].battle
    assert "united_kingdom" in found.landings
    assert found.refused["france"].rule == "combat-move.purpose"


def test_aircraft_are_told_where_they_can_land_after_an_attack() -> None:
    t = table(
        "germany",
        units={
            "france": {"germany": "fighter"},
            "sz8": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
    )
    found = reach(t, "france", fighter=1)
    assert set(found.ways) == {"sz8", "united_kingdom"}
    assert found.ways["sz8"].note.startswith("Can land in France")
    assert "france" in found.landings


def test_in_noncombat_movement_aircraft_land_where_their_range_allows() -> None:
    t = table(
        "germany",
        "noncombat_move",
        units={
            "sz8": {"germany": {"fighter": [{"used": 3, "duty": "fought"}]}},
            "france": {"germany": "infantry"},
        },
    )
    found = reach(t, "sz8", fighter=1)
    assert set(found.ways) == {"france", "northwestern_europe"}
    assert found.refused["united_kingdom"].rule == "noncombat.air.no-captured"
    assert found.elsewhere == "Too far: they can still fly 1 space."


# --- sea -----------------------------------------------------------------------------------------


def test_ships_are_offered_every_way_that_leaves_another_retreat() -> None:
    t = table(
        "germany", units={"sz5": {"germany": "cruiser"}, "sz3": {"united_kingdom": "destroyer"}}
    )
    way = reach(t, "sz5", cruiser=1).ways["sz3"]
    assert way.battle
    vias = {choice.decision["path"][1] for choice in way.decisions}
    facts = t.s.facts
    assert vias == set(facts.sea_next["sz5"]) & set(facts.sea_next["sz3"])


def test_a_loaded_transport_may_sail_or_land_all_or_a_part() -> None:
    t = table(
        "germany",
        "noncombat_move",
        units={"sz5": {"germany": "transport"}},
        cargo={
            "sz5": {
                "germany": [{"ship": "transport", "load": {"germany": {"infantry": 1, "tank": 1}}}]
            }
        },
    )
    found = reach(t, "sz5", **{"transport+infantry+tank": 1})
    here = [c.label for c in found.ways["norway"].decisions if c.detail == "from Sea Zone 5"]
    assert here == ["Land in Norway", "Land 1 infantry in Norway", "Land 1 tank in Norway"]
    assert labels(found, "sz6")[0] == "Sail to Sea Zone 6"
    assert any(label.startswith("Land in") for label in labels(found, "sz6"))
    assert not found.ways["sz6"].aside


def test_what_is_loaded_in_combat_movement_has_to_land() -> None:
    t = table(
        "germany",
        units={
            "sz5": {"germany": "transport"},
            "germany": {"germany": "2 infantry"},
            "karelia_ssr": {"soviet_union": "infantry"},
        },
    )
    found = reach(t, "sz5", **{"transport": 1, "load/germany/infantry": 2})
    assert labels(found, "karelia_ssr") == ["Assault Karelia S.S.R."]
    assert set(found.ways["sz5"].decisions[0].decision) >= {"load", "offload"}
    assert found.ways["sz5"].aside and not found.ways["karelia_ssr"].aside
    assert found.refused["norway"].rule == "combat-move.purpose"


def test_an_empty_transport_is_told_what_it_could_do_in_an_attack() -> None:
    units = {"sz5": {"germany": "transport"}, "germany": {"germany": "infantry"}}
    found = reach(table("germany", units=units), "sz5", transport=1)
    assert not found.ways
    assert found.elsewhere.startswith("Choose one transport and what it takes aboard")
    later = reach(table("germany", "noncombat_move", units=units), "sz5", transport=1)
    assert later.ways and later.elsewhere == "Too far: transports move 2 spaces."


def test_of_transports_with_different_cargo_the_chosen_one_sails() -> None:
    t = table(
        "germany",
        "noncombat_move",
        units={"sz5": {"germany": "2 transport, cruiser"}},
        cargo={"sz5": {"germany": [{"ship": "transport", "load": {"germany": {"infantry": 1}}}]}},
    )
    loaded = reach(t, "sz5", **{"transport+infantry": 1}).ways["sz6"].decisions[0].decision
    assert loaded["cargo"] == {"infantry": 1}
    empty = reach(t, "sz5", transport=1).ways["sz6"].decisions[0].decision
    assert empty["cargo"] == {}
    t.do(t.game.legal(t.request).read(loaded))
    assert t.cargo("sz6", "germany") == [["germany infantry"]]


def test_ships_with_different_cargo_are_moved_one_after_the_other() -> None:
    t = table(
        "germany",
        "noncombat_move",
        units={"sz5": {"germany": "2 transport, cruiser"}},
        cargo={"sz5": {"germany": [{"ship": "transport", "load": {"germany": {"infantry": 1}}}]}},
    )
    with pytest.raises(NoQuestion, match="one after the other"):
        reach(t, "sz5", **{"transport+infantry": 1, "cruiser": 1})
    # All of them together need not be told apart.
    found = reach(t, "sz5", **{"transport+infantry": 1, "transport": 1, "cruiser": 1})
    assert "sz6" in found.ways


def test_an_ally_lands_its_units_from_another_powers_transport() -> None:
    t = table(
        "united_states",
        units={
            "sz6": {"united_kingdom": "transport"},
            "norway": {"germany": "infantry"},
        },
        cargo={
            "sz6": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_states": {"infantry": 2}}}
                ]
            }
        },
    )
    found = reach(t, "sz6", **{"united_kingdom/transport+infantry+infantry": 1})
    assert labels(found, "norway")[0] == "Assault Norway"
    assert found.ways["norway"].decisions[0].decision["owner"] == "united_kingdom"


def test_a_cruiser_may_join_an_assault_that_has_been_announced() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, cruiser"},
            "united_kingdom": {"united_kingdom": "infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    assert not reach(t, "sz7", cruiser=1).ways
    t.do(sail("sz7 > sz6", "infantry from united_kingdom in sz7", offload="norway"))
    found = reach(t, "sz7", cruiser=1)
    assert labels(found, "sz6") == ["Support the landing from Sea Zone 6"]
    assert set(found.ways) == {"sz6"}


@pytest.mark.rule("aa1942:unit.transport.capacity")
def test_a_full_transport_refuses_more_with_the_true_reason() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz8": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "3 infantry, 2 tank"},
            "france": {"germany": "infantry"},
        },
    )
    infantry, tank = "load/united_kingdom/infantry", "load/united_kingdom/tank"
    (mover,) = (
        mover for mover in t.game.rules.form(t.game.legal(t.request)).movers if mover.space == "sz8"
    )
    assert (mover.rows[0].holds, mover.rows[0].aboard) == (2, 0)
    assert "france" in reach(t, "sz8", transport=1, **{infantry: 1, tank: 1}).ways
    room = "it carries one land unit of any kind plus one infantry."
    for chosen, why in (
        ({infantry: 3}, f"The transport is full: {room}"),
        ({tank: 2}, f"The transport has no room for that: {room}"),
        ({tank: 3}, "No more of them are in United Kingdom to be loaded."),
    ):
        with pytest.raises(NoQuestion) as refused:
            reach(t, "sz8", transport=1, **chosen)
        assert str(refused.value) == why
    # Nor is that too far for those who would walk.
    assert reach(t, "united_kingdom", infantry=3).elsewhere.endswith(room)
