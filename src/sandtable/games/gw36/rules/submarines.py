"""Submarines and patrols that choose whether to fight (8.7, 8.9, 8.10).

Whoever moves announces first; then the other side decides for its submarines and patrols. It is
asked on the way only where its answer can stop the move; about zones in which moves end it is asked
once, when all combat movement is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.terms import commander
from sandtable.games.gw36.rules.zones import OFFSTAGE, foes_at, on_patrol
from sandtable.kernel.decisions import Decision
from sandtable.kernel.kits import Assign
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

ABSENT = frozenset({"submerged", "declined"})

FORCED = "forced"
"""The target of a submarine that could not decline: aircraft on patrol alone, with the destroyers
paired to them, fight it (8.9d, 8.9f)."""


class Engage(Decision, frozen=True, tag="engage"):
    """These submarines and patrols fight; the others decline."""

    units: dict[str, int]


class Intercept(Assign, frozen=True, tag="intercept"):
    """Which submarines and patrols fight Enemy ships that enter their sea zone.

    Rules: 8.7d, 8.7e, 8.7f, 8.9a, 8.9h, 8.10c
    """

    zone: str
    most: dict[str, int]
    against: dict[str, int]
    """What has entered, or is about to pass."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Engage,)
    rule: ClassVar[str] = "8.10c"
    refusal: ClassVar[str] = "Of {key} at most {limit} can engage, not {number}."

    def totals(self, state: State) -> range:
        return range(sum(self.most.values()) + 1)


def _count(units: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for type_, count in units:
        found[type_] = found.get(type_, 0) + count
    return dict(sorted(found.items()))


def choosers(
    s: State, foes: frozenset[str], zone: str, *, submarines: bool, patrols: bool, decks: bool
) -> dict[str, dict[str, int]]:
    """Nation to the types and numbers of its units in a sea zone that may choose to fight:
    submarines, aircraft on patrol, and aircraft aboard carriers.

    Rules: 8.7d, 8.7k, 8.9a
    """
    kinds = s.facts.units
    found: dict[str, list[tuple[str, int]]] = {}
    for unit, count in s.stack(zone).items():
        if unit.nation not in foes or unit.duty in OFFSTAGE:
            continue
        if (submarines and kinds[unit.type].submarine) or (patrols and unit.duty == "patrol"):
            found.setdefault(unit.nation, []).append((unit.type, count))
        elif decks and not kinds[unit.type].air and on_patrol(s, unit):
            for piece in unit.cargo:
                if kinds[piece.type].patrol:
                    found.setdefault(piece.nation, []).append((piece.type, count))
    return {nation: _count(units) for nation, units in sorted(found.items())}


def ask(
    g: Table[State], zone: str, able: dict[str, dict[str, int]], against: dict[str, int]
) -> Procedure[dict[str, dict[str, int]]]:
    """Ask those who decide for these nations; nation to what engages. Nations for which nobody
    decides fight with their patrols, not with their submarines."""
    s = g.state
    kinds = s.facts.units
    engaged: dict[str, dict[str, int]] = {}
    asked: dict[str, list[str]] = {}
    for nation, units in able.items():
        power = commander(s, nation)
        if power:
            asked.setdefault(power, []).append(nation)
        else:
            engaged[nation] = {t: n for t, n in units.items() if not kinds[t].submarine}
    answers = yield from g.offer(
        [
            Intercept(
                power,
                zone,
                _count((t, n) for nation in nations for t, n in able[nation].items()),
                against,
            )
            for power, nations in asked.items()
        ]
    )
    for power, nations in asked.items():
        left = dict(answers[power].units) if power in answers else {}
        for nation in nations:
            chosen: dict[str, int] = {}
            for type_, most in able[nation].items():
                taken = min(most, left.get(type_, 0))
                if taken:
                    chosen[type_] = taken
                    left[type_] -= taken
            engaged[nation] = chosen
    return engaged


def decline(
    s: State, zone: str, able: dict[str, dict[str, int]], engaged: dict[str, dict[str, int]]
) -> None:
    """Mark the submarines and patrols that do not fight in this zone this turn.

    Rules: 8.7e, 8.9c
    """
    kinds = s.facts.units
    for nation, units in able.items():
        for type_, most in units.items():
            left = most - engaged.get(nation, {}).get(type_, 0)
            for unit, count in sorted(s.stack(zone).items()):
                if left <= 0:
                    break
                if unit.nation != nation or unit.type != type_ or unit.duty in OFFSTAGE:
                    continue
                if not kinds[type_].submarine and unit.duty != "patrol":
                    continue
                target = "" if kinds[type_].submarine else "patrol"
                s.change(zone, unit, min(left, count), duty="declined", target=target)
                left -= count


def _met(zone: str, nation: str) -> str:
    return f"engaged:{zone}:{nation}"


def challenge(
    g: Table[State], nation: str, zone: str, units: dict[str, int], *, flies: bool
) -> Procedure[bool]:
    """Ships are about to pass a sea zone: whether submarines or patrols there stop them. Patrols
    may let them go on unless they have aircraft with them (`flies`), and so may submarines;
    submarines that pass are stopped by patrols only.

    Rules: 8.7d, 8.7e, 8.7f, 8.7k, 8.7l, 8.9e, 8.9f, 8.9h, 8.10b, 8.10c
    """
    s = g.state
    kinds = s.facts.units
    under = all(kinds[type_].submarine for type_ in units)
    foes = foes_at(s, nation, zone)
    able = choosers(s, foes, zone, submarines=not under, patrols=True, decks=under)
    if not able:
        return False
    bound = {
        other: found
        for other, some in able.items()
        if flies and (found := {t: n for t, n in some.items() if not kinds[t].submarine})
    }
    engaged = bound or (yield from ask(g, zone, able, units))
    stopped = any(engaged.values())
    if stopped:
        if not bound:
            decline(s, zone, able, engaged)
        for other in engaged:
            s.done[_met(zone, other)] = 1
    g.emit("intercepted" if stopped else "let_pass", power=nation, space=zone, units=units)
    return stopped


ENTERED = frozenset({"attack", "screen", "landing", "declined", "bombard", "follow"})
STAYED = frozenset({"convoy", "blockade"})


def respond(g: Table[State], zone: str, nations: tuple[str, ...]) -> Procedure[bool]:
    """Where the moves of these nations have ended in a sea zone: which submarines and patrols of
    the Enemy fight, and whether there is a battle.

    A submarine cannot decline while an attacker's aircraft is on patrol there; a patrol cannot
    decline if the attacker has aircraft there.

    Rules: 8.6c, 8.7c, 8.7d, 8.7e, 8.7l, 8.9a, 8.9b, 8.9c, 8.9d, 8.9g, 8.9h, 8.9i, 8.10c, 9.8b
    """
    s = g.state
    kinds = s.facts.units
    ours = [u for u in s.stack(zone) if u.nation in nations]
    mine = [u for u in ours if u.duty in ENTERED or (u.duty in STAYED and (u.used or u.origin))]
    foes = frozenset().union(*(foes_at(s, unit.nation, zone) for unit in mine))
    theirs = [u for u in s.stack(zone) if u.nation in foes]
    if not mine or not theirs:
        return False
    fights = any(u.duty in ("attack", "screen") for u in mine)
    under = all(kinds[u.type].submarine for u in mine)
    flies = any(kinds[u.type].air or (u.cargo and kinds[u.type].decks) for u in ours)
    patrols = any(on_patrol(s, u) for u in ours)
    able = choosers(
        s,
        foes,
        zone,
        submarines=not under and not (fights and patrols),
        patrols=not (fights and flies),
        decks=under and not fights,
    )
    able = {nation: units for nation, units in able.items() if not s.done.get(_met(zone, nation))}
    engaged: dict[str, dict[str, int]] = {}
    if able:
        against = _count((u.type, s.stack(zone)[u]) for u in mine)
        engaged = yield from ask(g, zone, able, against)
        decline(s, zone, able, engaged)
    stopped = any(engaged.values()) or any(s.done.get(_met(zone, u.nation)) for u in theirs)
    if stopped:
        _drawn_in(s, zone, nations)
        if all(u.target == FORCED for u in s.stack(zone) if u.nation in nations and _fights(u)):
            _hunted(s, zone, foes, engaged)
    elif not fights:
        return False
    elif not any(
        not kinds[u.type].submarine for u in theirs if u.duty not in ("submerged", "declined")
    ):
        _hunt(s, zone, nations)
    return any(
        u.nation in foes and u.duty not in ("submerged", "declined") for u in s.stack(zone)
    ) and any(u.nation in nations and _fights(u) for u in s.stack(zone))


def _fights(unit: Unit) -> bool:
    return unit.duty in ("attack", "screen")


def _hunt(s: State, zone: str, nations: tuple[str, ...]) -> None:
    """Only submarines are there, and they cannot decline: aircraft on patrol attack them, with one
    destroyer each (none if all are Advanced Submarines); the other ships have nothing to fight.

    Rules: 8.9d, 9.10a, 12.2.destroyer-c, 7.8.advanced-sub-c
    """
    kinds = s.facts.units
    foes = frozenset().union(*(foes_at(s, nation, zone) for nation in nations))
    prey = [u for u in s.stack(zone) if u.nation in foes and u.duty not in ABSENT]
    if not can_hunt(s, zone, nations):
        return
    aircraft = sum(
        count * (1 if kinds[unit.type].air else len(unit.cargo))
        for unit, count in s.stack(zone).items()
        if unit.nation in nations and _fights(unit) and on_patrol(s, unit)
    )
    _take_off(s, zone, frozenset(nations), None, "attack")
    for unit, count in [] if aircraft else sorted(s.stack(zone).items()):
        if unit.nation in nations and unit.duty == "patrol":
            s.change(zone, unit, count, duty="attack", target="patrol")
            aircraft += count
    pairs = 0 if all(u.type == "advanced_submarine" for u in prey) else aircraft
    for unit, count in sorted(s.stack(zone).items()):
        if unit.nation not in nations or not _fights(unit) or kinds[unit.type].air:
            continue
        if unit.type == "destroyer":
            joins = min(count, pairs)
            pairs -= joins
            count -= joins
        if count:
            s.change(zone, unit, count, duty="moved", target="")


def _hunted(s: State, zone: str, foes: frozenset[str], engaged: dict[str, dict[str, int]]) -> None:
    """A submarine that did not want to fight is fought by the aircraft that stopped it, with one
    destroyer each; all other ships stay out of it.

    Rules: 8.9d, 8.9f, 8.9i, 12.2.destroyer-c
    """
    kinds = s.facts.units
    aircraft = sum(
        count
        for unit, count in s.stack(zone).items()
        if unit.nation in foes and unit.duty == "patrol"
    )
    wanted = {
        (nation, type_): number
        - sum(
            count
            for unit, count in s.stack(zone).items()
            if (unit.nation, unit.type, unit.duty) == (nation, type_, "patrol")
        )
        for nation, some in engaged.items()
        for type_, number in some.items()
    }
    stopped = frozenset(nation for nation in foes if s.done.get(_met(zone, nation)))
    aircraft += _take_off(s, zone, foes, wanted, "deck")
    aircraft += _take_off(s, zone, stopped, None, "deck")
    for unit, count in sorted(s.stack(zone).items()):
        if unit.nation not in foes or unit.duty in ABSENT or kinds[unit.type].air:
            continue
        if unit.type == "destroyer":
            joins = min(count, aircraft)
            aircraft -= joins
            count -= joins
        if count:
            s.change(zone, unit, count, duty="declined", target=unit.duty)


def _take_off(
    s: State,
    zone: str,
    nations: frozenset[str],
    wanted: dict[tuple[str, str], int] | None,
    duty: str,
) -> int:
    """Aircraft leave the carriers of these nations to fight submarines, as many of a nation and
    type as are wanted (None: all); how many. The carriers themselves stay out of it.

    Rules: 8.7k, 8.9d
    """
    kinds = s.facts.units
    flown = 0
    for ship, count in sorted(s.stack(zone).items()):
        if ship.nation not in nations or ship.duty in ABSENT or not kinds[ship.type].decks:
            continue
        if not on_patrol(s, ship) or (duty == "attack" and not _fights(ship)):
            continue
        for _ in range(count):
            stay = []
            for piece in ship.cargo:
                key = (piece.nation, piece.type)
                if not kinds[piece.type].patrol or (wanted is not None and wanted.get(key, 0) < 1):
                    stay.append(piece)
                    continue
                if wanted is not None:
                    wanted[key] -= 1
                s.put(zone, piece._replace(duty=duty, target="", origin=zone))
                flown += 1
            s.change(zone, ship, 1, cargo=tuple(stay))
    return flown


def _drawn_in(s: State, zone: str, nations: tuple[str, ...]) -> None:
    """Units that came for something else have to fight: submarines that wanted to slip by, ships
    that were to escort or to blockade."""
    for unit, count in sorted(s.stack(zone).items()):
        if unit.nation not in nations:
            continue
        if unit.duty == "declined":
            s.change(zone, unit, count, duty="attack", target=FORCED)
        elif unit.duty in STAYED and (unit.used or unit.origin):
            s.change(zone, unit, count, duty="attack", target="")


def can_hunt(s: State, zone: str, nations: Iterable[str]) -> bool:
    """Whether these nations have aircraft on patrol in a sea zone, without which submarines cannot
    be attacked.

    Rules: 8.9d, 8.9g, 9.10a
    """
    return any(unit.nation in nations and on_patrol(s, unit) for unit in s.stack(zone))
