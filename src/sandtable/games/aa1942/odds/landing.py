"""Amphibious assaults: the sea battle or the bombardment, then the battle ashore."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sandtable.games.aa1942.odds.book import types_of
from sandtable.games.aa1942.odds.land import answer_land, walkover
from sandtable.games.aa1942.odds.questions import Question
from sandtable.games.aa1942.odds.sea import answer_sea
from sandtable.odds.errors import OddsError
from sandtable.odds.result import (
    DEADLOCK,
    DEFENDER,
    DRAW,
    RETREAT,
    Distribution,
    Result,
    likeliest_first,
)


def answer_landing(q: Question) -> Result:
    """Sea combat if there is any, else bombardment; then the land battle, for each number of
    transports that get through."""
    b = q.book
    if q.fleet_defend is None:
        return _ashore(q, q.seaborne(), q.bombard)
    sea = answer_sea(
        Question(b, q.fleet or {}, q.fleet_defend, q.policy, True, sample=q.sample, seed=q.seed)
    )
    ends = sea.distribution
    # The zone is cleared unless a defender is left who fights and has not submerged.
    held = np.isin(ends.ending, (DEFENDER, RETREAT, DEADLOCK))
    afloat = ends.attacker[:, sea.attacker_types.index("transport")]
    through = np.where(held, 0, afloat)

    everybody = _together(q.fleet or {}, q.attack, q.seaborne())
    against = _together(q.fleet_defend, q.defend)
    types_a, types_d = types_of(b, everybody), types_of(b, against)
    parts: list[Distribution] = []
    rounds = sea.rounds
    for landed in range(len(q.landing) + 1):
        for aboard in range(len(q.landing) + 1):
            # What is still aboard after a failed sea battle stays aboard, and alive.
            chosen = (through == landed) & ((afloat == aboard) if landed == 0 else True)
            if (landed and aboard) or not chosen.any():
                continue
            weight = float(ends.probability[chosen].sum())
            loads = q.seaborne(landed)
            if loads or q.attack:
                ashore = _ashore(q, loads, ())
                land = ashore.distribution
                rounds += weight * ashore.rounds
                names_a, names_d = ashore.attacker_types, ashore.defender_types
            else:
                land = Distribution(
                    np.ones(1),
                    np.zeros((1, 0), np.int64),
                    np.array([[q.defend[k] for k in types_of(b, q.defend)]], np.int64),
                    np.array([DEFENDER if q.defend else DRAW]),
                    np.zeros(1, bool),
                )
                names_a, names_d = (), types_of(b, q.defend)
            stay = q.seaborne(aboard) if landed == 0 else {}
            parts.append(
                _product(
                    Distribution(*(column[chosen] for column in ends)),
                    sea,
                    land,
                    names_a,
                    names_d,
                    types_a,
                    types_d,
                    stay,
                )
            )
    joined = Distribution(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    result = Result(
        attacker=everybody,
        defender=against,
        attacker_types=types_a,
        defender_types=types_d,
        cost=b.cost,
        territory=q.territory,
        expand=lambda: likeliest_first(*joined),
        rounds=rounds,
        runs=sea.runs,
        notes=sea.notes,
    )
    result.stages = {"sea": sea}
    return result


def _together(*forces: Mapping[str, int]) -> dict[str, int]:
    total: dict[str, int] = {}
    for force in forces:
        for kind, n in force.items():
            total[kind] = total.get(kind, 0) + n
    return total


def _ashore(q: Question, loads: Mapping[str, int], bombard: tuple[int, ...]) -> Result:
    """The land battle of a landing."""
    q = replace(q, policy=q.policy.ashore(bool(loads)))
    b = q.book
    if q.defend:
        return answer_land(q, loads, bombard)
    attack = {**q.attack, **loads}
    return walkover(
        b,
        attack,
        {},
        {
            "attacker": attack,
            "defender": {},
            "attacker_types": types_of(b, attack),
            "defender_types": (),
            "cost": b.cost,
            "territory": q.territory,
        },
    )


MOST_ENDS = 3_000_000


def _product(
    at_sea: Distribution,
    sea: Result,
    land: Distribution,
    names_a: tuple[str, ...],
    names_d: tuple[str, ...],
    types_a: tuple[str, ...],
    types_d: tuple[str, ...],
    stay: Mapping[str, int],
) -> Distribution:
    """Every end at sea with every end ashore: independent, once it is known who lands."""
    s, n = len(at_sea.probability), len(land.probability)
    if s * n > MOST_ENDS:
        raise OddsError(f"A landing with {s * n:,} ends is too large; ask for sea and land apart.")
    attacker = np.zeros((s, n, len(types_a)), np.int64)
    defender = np.zeros((s, n, len(types_d)), np.int64)
    for table, types, names, counts, axis in (
        (attacker, types_a, sea.attacker_types, at_sea.attacker, 0),
        (attacker, types_a, names_a, land.attacker, 1),
        (defender, types_d, sea.defender_types, at_sea.defender, 0),
        (defender, types_d, names_d, land.defender, 1),
    ):
        for k, kind in enumerate(names):
            column = counts[:, k]
            table[:, :, types.index(kind)] += column[:, None] if axis == 0 else column[None, :]
    for kind, number in stay.items():
        attacker[:, :, types_a.index(kind)] += number
    return Distribution(
        (at_sea.probability[:, None] * land.probability[None, :]).ravel(),
        attacker.reshape(s * n, -1),
        defender.reshape(s * n, -1),
        np.broadcast_to(land.ending, (s, n)).ravel(),
        np.broadcast_to(land.takes, (s, n)).ravel(),
    )
