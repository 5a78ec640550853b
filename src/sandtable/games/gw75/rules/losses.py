"""What is lost in land combat, by the choice of its owner (8.4)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from sandtable.games.gw75.model import Force, State, Unit
from sandtable.games.gw75.rules import attacks
from sandtable.games.gw75.rules.terms import DRIVEN, shares, strength_points
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Lose(Decision, frozen=True, tag="lose"):
    """What is lost: hex, nation, type and number."""

    losses: Force


class TakeLosses(Request, frozen=True, tag="land_losses"):
    """The owner chooses which points are lost: `total` of what is `at_risk`, `least` of them in
    hexes that stand fast, fortifications on a coast first.

    Rules: 8.42, 8.43, 7.14, 8.51e
    """

    total: int
    at_risk: Force
    least: tuple[tuple[str, int], ...] = ()
    counter: bool = False
    """Whether it is the Counter-Attack."""
    answers = (Lose,)

    def check(self, state: State, decision: Lose) -> None:
        name = state.facts.name
        have = {(hex, nation, type): number for hex, nation, type, number in self.at_risk}
        chosen: Counter[tuple[str, str, str]] = Counter()
        for hex, nation, type, number in decision.losses:
            chosen[hex, nation, type] += number
            if number < 1 or chosen[hex, nation, type] > have.get((hex, nation, type), 0):
                raise IllegalDecision(
                    f"{name(nation)} has {have.get((hex, nation, type), 0)} of {name(type)} to "
                    f"lose in {name(hex)}, not {number}.",
                    "8.42",
                )
        if chosen.total() != self.total:
            raise IllegalDecision(
                f"The loss is {strength_points(self.total)}, not {chosen.total()}.", "8.43"
            )
        for hex, least in self.least:
            if sum(n for (at, _, _), n in chosen.items() if at == hex) < least:
                raise IllegalDecision(
                    f"The stack in {name(hex)} stands fast and loses {least} more.", "8.8b"
                )
        if self.counter:
            return
        for hex in {at for at, _, _ in chosen}:
            if state.facts.hexes[hex].kind == "land":
                continue
            forts = sum(n for (at, _, type), n in have.items() if at == hex and type == "fort")
            taken = sum(n for (at, _, type), n in chosen.items() if at == hex and type == "fort")
            other = sum(n for (at, _, type), n in chosen.items() if at == hex and type != "fort")
            if other and taken < forts:
                raise IllegalDecision(
                    f"On the coast of {name(hex)} the fortification is lost first.", "7.14"
                )

    def decisions(self, state: State) -> Iterator[Lose]:
        """Every choice: those first that take what is cheapest, and the other way round."""
        seen = set()
        for order in ORDERS:
            found = self.by(state, order)
            if found.losses not in seen:
                seen.add(found.losses)
                yield found
        parts = [((hex, nation, type), number) for hex, nation, type, number in self.at_risk]
        for chosen in shares(sorted(parts), self.total):
            losses = tuple((*key, number) for key, number in chosen)
            if losses not in seen and passes(self.check, state, Lose(losses)):
                yield Lose(losses)

    def by(
        self, state: State, order: tuple[str, ...], shuffle: random.Random | None = None
    ) -> Lose:
        parts = list(self.at_risk)
        if shuffle:
            shuffle.shuffle(parts)
        parts.sort(
            key=lambda part: (
                not (part[2] == "fort" and state.facts.hexes[part[0]].kind != "land"),
                order.index(part[2]),
            )
        )
        least = dict(self.least)
        lost: Counter[tuple[str, str, str]] = Counter()
        left = self.total
        for wanted in (True, False):
            for hex, nation, type, number in parts:
                room = number - lost[hex, nation, type]
                take = min(room, left, least.get(hex, 0) if wanted else left)
                if take > 0:
                    lost[hex, nation, type] += take
                    left -= take
                    if wanted:
                        least[hex] -= take
        return Lose(tuple(sorted((*key, number) for key, number in lost.items())))

    def sample(self, state: State, rng: random.Random) -> Lose:
        return self.by(state, rng.choice(ORDERS), rng)


ORDERS = (
    ("fort", "sd", "inf", "mech"),
    ("inf", "sd", "fort", "mech"),
    ("mech", "inf", "sd", "fort"),
    ("sd", "fort", "inf", "mech"),
)
"""Orders in which types may be lost."""


def take_losses(
    g: Table[State],
    targets: tuple[str, ...],
    attacker: str,
    decider: str,
    loss: int,
    standing: dict[str, int],
) -> Procedure[int]:
    """The defender loses so many points, and one more for each stack that stands fast.

    Rules: 8.42, 8.43, 8.8b, 8.8g, 7.12a, 7.14
    """
    s = g.state
    at_risk: Counter[tuple[str, str, str]] = Counter()
    for hex in targets:
        for unit, count in attacks.defenders(s, hex, attacker):
            at_risk[hex, unit.nation, unit.type] += count
    total = min(loss + sum(standing.values()), at_risk.total())
    if not total:
        return 0
    least = []
    for hex, extra in sorted(standing.items()):
        have = sum(number for (at, _, _), number in at_risk.items() if at == hex)
        least.append((hex, min(extra, have)))
    parts = tuple(sorted((*key, number) for key, number in at_risk.items()))
    request = TakeLosses(decider, total, parts, tuple(least))
    if total == at_risk.total() or len(parts) == 1:
        lost = request.by(s, ORDERS[0]).losses
    else:
        lost = (yield from g.ask(request)).losses
    for hex, nation, type, number in lost:
        remove(s, hex, nation, type, number, forever=hex in s.stand_fast)
    g.emit("land_losses", space=targets[0], losses=by_owner(lost))
    return total


def remove(
    s: State, hex: str, nation: str, type: str, number: int, *, forever: bool = False
) -> None:
    """Destroy points of a type: first those that have retreated into the hex, and defend nothing;
    those that have landed last, as they are supplied."""
    for unit, count in sorted(s.stack(hex).items(), key=lambda each: _spared(each[0])):
        if unit.nation == nation and unit.type == type and number:
            some = min(count, number)
            s.destroy(hex, unit, some, forever=forever)
            number -= some


def _spared(unit: Unit) -> tuple[bool, bool, int]:
    return unit.duty not in DRIVEN, unit.duty != "", -unit.cut


def by_owner(force: Force) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for _, nation, type, number in force:
        types = found.setdefault(nation, {})
        types[type] = types.get(type, 0) + number
    return found


def merged(force: Force) -> Force:
    """Each hex, nation and type once, sorted."""
    return tuple(sorted((*kind, number) for kind, number in attacks.summed(force).items()))
