"""Questions about battles, read and checked against the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sandtable.games.aa1942.odds.book import AAA, SEABORNE, Book, Data, Given, book, force
from sandtable.games.aa1942.odds.policy import Policy, read_policy
from sandtable.odds.errors import OddsError
from sandtable.odds.force import Force, in_words

DEFAULT = Policy()


@dataclass(slots=True)
class Question:
    """A battle as it was asked for, read and checked."""

    book: Book
    attack: dict[str, int]
    defend: dict[str, int]
    policy: Policy
    sea: bool = False
    landing: tuple[dict[str, int], ...] = ()
    """What each transport lands, in the order in which the transports are lost."""
    fleet: dict[str, int] | None = None
    fleet_defend: dict[str, int] | None = None
    bombard: tuple[int, ...] = ()
    damaged: tuple[int, int] = (0, 0)
    territory: float = 0.0
    sample: int = 0
    seed: int = 0
    begun: bool = False
    """A battle in progress: antiaircraft artillery has fired."""
    gone: tuple[dict[str, int], dict[str, int]] = ({}, {})
    """Those of `attack` and `defend` who are lost whatever happens: first in the order."""

    def seaborne(self, transports: int | None = None) -> dict[str, int]:
        """What lands if so many transports are left."""
        loads = (
            self.landing if transports is None else self.landing[len(self.landing) - transports :]
        )
        total: dict[str, int] = {}
        for load in loads:
            for kind, n in load.items():
                total[kind + SEABORNE] = total.get(kind + SEABORNE, 0) + n
        return total


def question(
    attack: Given = "",
    defend: Given = "",
    *,
    sea: bool | None = None,
    landing: Given | Sequence[Given] | None = None,
    fleet: Given | None = None,
    fleet_defend: Given | None = None,
    fight_at_sea: bool | None = None,
    damaged: tuple[int, int] = (0, 0),
    territory: float = 0.0,
    sample: int = 0,
    seed: int = 0,
    data: Data = None,
    **policy: Any,
) -> Question:
    """Read a question; OddsError says what the rules do not allow. `data` is a folder whose data
    files take the place of the game's own; the other options are those of `Policy`."""
    b = book(data)
    ours, theirs = force(b, attack), force(b, defend, "defender")
    play = read_policy(policy) if policy else DEFAULT
    if sea is None:
        sea = _at_sea(b, tuple(ours), tuple(theirs))
    if landing is not None or fleet is not None:
        if sea:
            raise OddsError("In a landing the ships belong to `fleet` and `fleet_defend`.")
        return _landing(
            b,
            ours,
            theirs,
            play,
            landing or "",
            fleet,
            fleet_defend,
            fight_at_sea,
            territory,
            sample,
            seed,
        )
    if play.retreat == "landing":
        raise OddsError("Nobody lands in this battle: name what does as `landing`.")
    _check_sides(b, ours, theirs, sea)
    if damaged != (0, 0):
        for side, n in zip((ours, theirs), damaged, strict=True):
            if not 0 <= n <= b.spare(side):
                raise OddsError(f"There are no {n} ships that could be damaged.")
    return Question(
        b, ours, theirs, play, sea, (), None, None, (), damaged, territory, sample, seed
    )


def _check_sides(b: Book, ours: Force, theirs: Force, sea: bool) -> None:
    reason = fault(b, tuple(ours), tuple(theirs), sea)
    if reason:
        raise OddsError(reason)


@lru_cache(maxsize=4096)
def _at_sea(b: Book, ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    return any(b.units[kind].domain == "sea" for kind in (*ours, *theirs))


@lru_cache(maxsize=4096)
def fault(b: Book, ours: tuple[str, ...], theirs: tuple[str, ...], sea: bool) -> str | None:
    """What is wrong with these types of unit meeting there."""
    units = b.units
    for side, of in ((ours, "attacker"), (theirs, "defender")):
        if not side:
            return f"The {of} has no units."
        wrong = [k for k in side if units[k].domain == ("land" if sea else "sea")]
        if wrong:
            name = units[wrong[0]].name.lower()
            return f"The {of}'s {name} cannot fight {'at sea' if sea else 'on land'}."
    if AAA in ours:
        return "Antiaircraft artillery can never attack."
    if sea:
        if not any(units[kind].attack for kind in ours):
            return "Transports cannot attack without a unit that fights beside them."
        if "bomber" in theirs:
            return "Bombers cannot defend at sea; only fighters on carriers can."
    return None


def _landing(
    b: Book,
    ours: dict[str, int],
    theirs: dict[str, int],
    play: Policy,
    landing: Given | Sequence[Given],
    fleet: Given | None,
    fleet_defend: Given | None,
    fight: bool | None,
    territory: float,
    sample: int,
    seed: int,
) -> Question:
    units = b.units
    if isinstance(landing, str | Mapping):
        loads = pack(b, force(b, landing, "landing"))
    else:
        loads = [force(b, load, "landing") for load in landing]
        for load in loads:
            if len(pack(b, load)) > 1:
                raise OddsError(f"One transport cannot carry {in_words(load)}.")
    landed = sum(sum(load.values()) for load in loads)
    if not landed:
        raise OddsError("A landing needs land units on transports.")
    everybody = dict(ours)
    for load in loads:
        for kind, n in load.items():
            if not units[kind].captures:
                raise OddsError(
                    f"{kind.replace('_', ' ').capitalize()} cannot be landed to attack."
                )
            everybody[kind] = everybody.get(kind, 0) + n
    if theirs:
        _check_sides(b, everybody, theirs, sea=False)
    ships, guard = force(b, fleet or ""), force(b, fleet_defend or "", "defender")
    at_sea = any(units[kind].surface for kind in guard)
    if fight is None:
        fight = at_sea
    if at_sea and not fight:
        raise OddsError("Surface warships in the zone have to be fought before a landing.")
    if fight:
        if not guard:
            raise OddsError("There is nothing to fight at sea.")
        _check_sides(b, ships, guard, sea=True)
        if ships.get("transport", 0) != len(loads):
            raise OddsError(
                f"{len(loads)} loads need as many transports in the fleet, not "
                f"{ships.get('transport', 0)}."
            )
    elif any(units[kind].domain == "land" for kind in ships):
        raise OddsError("Land units cannot be part of a fleet.")
    guns = sorted(
        (units[kind].bombard for kind, n in ships.items() for _ in range(n) if units[kind].bombard),
        reverse=True,
    )
    return Question(
        b,
        ours,
        theirs,
        play,
        landing=tuple(loads),
        fleet=ships,
        fleet_defend=guard if fight else None,
        bombard=() if fight else tuple(guns[:landed]),
        territory=territory,
        sample=sample,
        seed=seed,
    )


def pack(b: Book, cargo: Mapping[str, int]) -> list[dict[str, int]]:
    """Loads for as few transports as possible, the cheapest first: it is lost first."""
    numbers, units = b.numbers, b.units
    infantry = cargo.get("infantry", 0)
    loads: list[dict[str, int]] = []
    for kind, n in cargo.items():
        if units[kind].domain != "land":
            raise OddsError(f"{kind.replace('_', ' ').capitalize()} cannot be landed.")
        if kind != "infantry":
            for _ in range(n):
                beside = min(infantry, numbers.transport_infantry)
                infantry -= beside
                loads.append({kind: 1, "infantry": beside} if beside else {kind: 1})
    full = numbers.transport_any + numbers.transport_infantry
    while infantry > 0:
        loads.append({"infantry": min(full, infantry)})
        infantry -= full
    return sorted(loads, key=lambda load: sum(units[k].cost * n for k, n in load.items()))
