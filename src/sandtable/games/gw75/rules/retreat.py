"""How land units retreat (8.9)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules import italy, neutrals, stacking, supply, zones
from sandtable.games.gw75.rules.attacks import defenders
from sandtable.games.gw75.rules.terms import (
    DRIVEN,
    cited,
    enemy_ground,
    enters,
    friendly_ground,
    ground,
    side,
    tally,
)
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Retreat(Decision, frozen=True, tag="retreat"):
    """Where the units of a hex go: nation, type, number and hex of each part."""

    moves: tuple[tuple[str, str, int, str], ...]

    @property
    def merged(self) -> Counter[tuple[str, str, str]]:
        """Nation, type and hex to the number that goes."""
        return tally(((nation, type, hex), number) for nation, type, number, hex in self.moves)


class ChooseRetreat(Request, frozen=True, tag="retreat"):
    """The defender chooses where the survivors of a hex retreat to; `parts` is nation, type, number
    and the hexes that they may go to."""

    hex: str
    parts: tuple[tuple[str, str, int, tuple[str, ...]], ...]
    room: tuple[tuple[str, int], ...]
    """Of each of the hexes: Strength Points that fit in."""
    answers = (Retreat,)

    def check(self, state: State, decision: Retreat) -> None:
        name = state.facts.name
        sent: Counter[tuple[str, str]] = Counter()
        into: Counter[str] = Counter()
        allowed = {(nation, type): hexes for nation, type, _, hexes in self.parts}
        for nation, type, number, hex in decision.moves:
            if number < 1:
                raise IllegalDecision("Of each kind that is named at least one goes.", "8.44")
            if (nation, type) not in allowed:
                raise IllegalDecision(
                    f"{name(nation)} has no {name(type)} that retreats from {name(self.hex)}.",
                    "8.44",
                )
            if hex not in allowed[nation, type]:
                raise IllegalDecision(*_why_not(state, nation, type, self.hex, hex))
            sent[nation, type] += number
            into[hex] += number
        for nation, type, number, _ in self.parts:
            if sent[nation, type] != number:
                raise IllegalDecision(
                    f"All {number} of {name(nation)}'s {name(type)} retreat, not "
                    f"{sent[nation, type]}.",
                    "8.44",
                )
        room = dict(self.room)
        full = [hex for hex, number in into.items() if number > room[hex]]
        if full and self.fits(state):
            raise IllegalDecision(
                f"{name(full[0])} would be overstacked, and there is room elsewhere.", "7.12b"
            )

    def fits(self, state: State) -> bool:
        """Whether all can retreat without overstacking: filled up hex by hex, those with the
        fewest places to go first. Nobody has to violate a neutral for it who can go elsewhere."""
        room = dict(self.room)
        for nation, _, number, hexes in sorted(self.parts, key=lambda part: len(part[3])):
            peaceful = [hex for hex in hexes if not neutrals.violates(state, nation, hex)]
            for hex in peaceful or hexes:
                going = max(0, min(number, room[hex]))
                room[hex] -= going
                number -= going
            if number:
                return False
        return True

    def decisions(self, state: State) -> Iterator[Retreat]:
        """All to one hex where that is possible, and one that fills up hex by hex."""
        common = [hex for hex, _ in self.room if all(hex in hexes for *_, hexes in self.parts)]
        found = [*(self.all_to(hex) for hex in common), self._spread()]
        seen = set()
        for decision in found:
            if decision.moves not in seen and _legal(self, state, decision):
                seen.add(decision.moves)
                yield decision

    def all_to(self, hex: str) -> Retreat:
        """All of them to one hex."""
        return Retreat(tuple((nation, type, n, hex) for nation, type, n, _ in self.parts))

    def _spread(self) -> Retreat:
        room = dict(self.room)
        moves = []
        for nation, type, number, hexes in sorted(self.parts, key=lambda part: len(part[3])):
            for hex in hexes:
                going = max(0, min(number, room[hex]))
                if going:
                    moves.append((nation, type, going, hex))
                    room[hex] -= going
                    number -= going
            if number:
                moves.append((nation, type, number, hexes[0]))
        merged = Retreat(tuple(moves)).merged
        return Retreat(tuple((nation, type, n, hex) for (nation, type, hex), n in merged.items()))

    def sample(self, state: State, rng: random.Random) -> Retreat:
        return rng.choice(list(self.decisions(state)))


def _legal(request: ChooseRetreat, state: State, decision: Retreat) -> bool:
    try:
        request.check(state, decision)
    except IllegalDecision:
        return False
    return True


def options(s: State, unit: Unit, hex: str, leaving: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The hexes that a unit can retreat to: free of Enemy Zones of Control if there is one, else
    hexes with Friendly land units; these too if it would violate somebody in all that are free.
    Those in which it violates nobody come first; those that are `leaving` are none.

    Rules: 8.9a, 8.9b, 8.91a, 8.92a, 8.92b, 6.31, 6.32a, 6.32b
    """
    around = [near for near in _near(s, unit, hex) if near not in leaving]
    open_ = [near for near in around if not zones.controlled(s, unit.nation, near)]
    breaches = [near for near in open_ if neutrals.violates(s, unit.nation, near)]
    peaceful = [near for near in open_ if near not in breaches]
    friendly = (near for near in around if friendly_ground(s, unit.nation, near))
    return (*(peaceful or friendly), *breaches)


def _near(s: State, unit: Unit, hex: str) -> Iterator[str]:
    """Hexes next to it that retreat is not forbidden into whatever stands round them."""
    for near in s.facts.land[hex]:
        if not _closed(s, unit, hex, near)[0]:
            yield near


def _closed(s: State, unit: Unit, hex: str, near: str) -> tuple[str, str]:
    """Why a unit cannot retreat into a hex next to its own whatever stands round that, and the
    rule; empty if it can. Units of a nation without any source would be eliminated outside their
    Home Country.

    Rules: 8.91a, 8.92a, 8.92b, 9.11, 19.92a
    """
    name, to = s.facts.name, s.facts.hexes[near]
    if s.facts.land[hex][near]:
        return f"Nobody retreats across the mountains to {name(near)}.", "8.91a"
    if enemy_ground(s, unit.nation, near):
        return f"Enemies are in {name(near)}.", "8.91a"
    if unit.type == "sd" and to.country != s.facts.hexes[hex].country:
        return "Self-Defense units do not retreat out of their Home Country.", "8.92a"
    if to.nation != unit.nation and supply.sourceless(s, unit.nation):
        return f"Units of {name(unit.nation)} are lost outside their Home Country.", "9.11"
    victim = neutrals.violates(s, unit.nation, near)
    if victim and side(s, unit.nation) != "axis":
        return f"Allied units do not retreat into a neutral country, as to {name(near)}.", "8.92b"
    # Whoever stands there would be an Enemy by the invasion, but for Italians.
    if victim and any(not italy.comes_in(s, unit.nation, u.nation) for u, _ in ground(s, near)):
        return f"Units of {name(victim)} are in {name(near)}.", "8.91a"
    why = neutrals.barred(s, unit.nation, near)
    return (why, cited(why)) if why else ("", "")


def _why_not(s: State, nation: str, type: str, hex: str, to: str) -> tuple[str, str]:
    """Why units that retreat cannot go to a hex, and the rule."""
    name = s.facts.name
    if to not in s.facts.land[hex]:
        return f"No retreat leads from {name(hex)} to {name(to)}.", "8.9a"
    why, rule = _closed(s, Unit(nation, type), hex, to)
    if why:
        return why, rule
    if not zones.controlled(s, nation, to):
        return f"{name(to)} was attacked together with {name(hex)}.", "8.91a"
    if friendly_ground(s, nation, to):
        return f"{name(to)} is in an Enemy Zone of Control, and there are free hexes.", "8.9b"
    return f"{name(to)} is in an Enemy Zone of Control.", "8.91a"


def retreat(
    g: Table[State], hex: str, attacker: str, decider: str, leaving: tuple[str, ...]
) -> Procedure[None]:
    """The survivors in a hex retreat one hex, by a way of the defender's choice; those who have
    none are eliminated. Fortifications stay. Hexes that are `leaving` in the same combat are no
    place to go to.

    Rules: 8.44, 8.45, 8.9a, 8.91b, 8.91c, 7.12b
    """
    s = g.state
    parts: dict[tuple[str, str], tuple[int, tuple[str, ...]]] = {}
    lost: dict[str, Counter[str]] = {}
    for unit, count in list(defenders(s, hex, attacker)):
        if unit.type == "fort":
            continue
        ways = options(s, unit, hex, leaving)
        if not ways:
            s.destroy(hex, unit, count)
            lost.setdefault(unit.nation, Counter())[unit.type] += count
        else:
            before = parts.get((unit.nation, unit.type), (0, ways))
            parts[unit.nation, unit.type] = before[0] + count, ways
    if lost:
        g.emit("no_retreat", space=hex, losses={n: dict(types) for n, types in lost.items()})
    if not parts:
        return
    hexes = sorted(
        {way for _, ways in parts.values() for way in ways},
        key=lambda way: (any(neutrals.violates(s, nation, way) for nation, _ in parts), way),
    )
    request = ChooseRetreat(
        decider,
        hex,
        tuple((nation, type, n, ways) for (nation, type), (n, ways) in sorted(parts.items())),
        tuple((way, stacking.room(s, way, side(s, next(iter(parts))[0]))) for way in hexes),
    )
    if len(hexes) == 1:
        decision = request.all_to(hexes[0])
    else:
        decision = yield from g.ask(request)
    for (nation, type, way), number in decision.merged.items():
        _go(s, hex, nation, type, number, way)
        g.emit("retreated", power=nation, units={type: number}, path=[hex, way])


def _go(s: State, hex: str, nation: str, type: str, number: int, way: str) -> None:
    for unit, count in list(s.stack(hex).items()):
        if unit.nation == nation and unit.type == type and number:
            going = min(count, number)
            s.take(hex, unit, going)
            landed = unit.duty in zones.SHORE or unit.duty == "repelled"
            s.put(way, unit._replace(duty="repelled" if landed else "retreated"), going)
            number -= going
    victim = neutrals.violates(s, nation, way)
    if victim:
        s.tell(News("violated", nation, victim, way))
    enters(s, way, nation)


def recover(s: State) -> None:
    """A Land Combat Phase is over: nobody is marked as retreated or as having attacked."""
    for hex, unit, count in s.on_duty(*DRIVEN, "attacked"):
        s.change(hex, unit, count, duty="")
