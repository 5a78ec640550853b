"""The exact distribution of a battle, step by step through its rounds as `rules.rounds`,
`rules.land_combat` and `rules.naval_combat` have them.

A `Cloud` is the chances of pairs of sides. Each step moves chances from pairs to pairs; pairs that
the dice lead to on different ways are one from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.odds.field import ATTACK, DEFENSE, OTHER, Field, Salvo, Ways
from sandtable.odds.errors import OddsError
from sandtable.odds.result import ATTACKER, DEADLOCK, DEFENDER, DRAW, RETREAT

Reals = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Kinds = frozenset[tuple[str, str, str]]

NEGLIGIBLE = 1e-13
"""A battle is over when the rest that still moves is less likely than that."""


class TooLarge(OddsError):
    """A battle has more states than are allowed."""


class Cloud(NamedTuple):
    """The chances of pairs: `chance[d, a]` is that of defense[d] and attack[a]."""

    attack: Numbers
    defense: Numbers
    chance: Reals

    def turned(self) -> Cloud:
        """The same with the sides exchanged."""
        return Cloud(self.defense, self.attack, self.chance.T)

    @property
    def mass(self) -> float:
        return float(self.chance.sum())


class Plan(NamedTuple):
    """Where the chances of a cloud go when a type fires."""

    owns: Numbers
    targets: Numbers
    moves: list[tuple[Numbers, Numbers, Reals, Reals]]
    """From places, to places, with shares, by weights of those who fire."""


class Resume(NamedTuple):
    """Where a round is taken up."""

    side: str
    """Whose types fire."""
    fired: frozenset[str]
    struck: dict[str, frozenset[Unit]]
    """Who had first strike, by side."""


End = tuple[int, int, int]
"""The numbers of the attacker and the defender, and how it ended."""


class Fight:
    """A battle from a cloud of pairs to its ends."""

    def __init__(self, field: Field, most: int) -> None:
        self.field = field
        self.most = most
        """So many pairs are allowed at a time."""
        self.ends: dict[End, float] = {}
        self.lasted: list[float] = []
        """The chances that it lasts 0, 1, 2 … rounds more."""
        self._grouped: dict[Any, list[tuple[tuple[str, ...], Numbers]]] = {}
        self._plans: dict[Any, list[Plan]] = {}
        """What has been found out about steps, which are the same in each later round."""
        self._known: dict[tuple[Kinds, Kinds], tuple[bool, bool]] = {}

    def finish(self, cloud: Cloud, round_: int, resume: Resume) -> Cloud:
        """Fight a round to its end."""
        now = min(round_, 2)
        side = resume.side
        cloud = self._fired(side, cloud, now, resume.struck[side], resume.fired)
        if side == ATTACK:
            cloud = self._volley(DEFENSE, cloud, now, resume.struck[DEFENSE])
        return self._between(self._bury(cloud, now), round_)

    def run(self, cloud: Cloud, round_: int) -> None:
        """Fight on to the end, after so many rounds."""
        limit = self.field.policy.round_limit()
        while True:
            before = cloud
            cloud = self._sweep(cloud)
            if not round_ and self.field.land:
                cloud = self._unopposed(cloud)
            cloud = self._cut(cloud)
            self._note()
            if not cloud.mass:
                return
            round_ += 1
            cloud = self._round(cloud, round_)
            cloud = self._between(cloud, round_)
            if round_ > max(2, limit) and _still(before, cloud):
                self._stuck(cloud)
                self._note()
                return

    def _unopposed(self, cloud: Cloud) -> Cloud:
        """Where the guns have left no defender all units of a landing go ashore."""
        field = self.field
        rows = []
        for p, a, d in pairs(cloud):
            if not field.units(DEFENSE, d):
                ((_, a),) = field.after("unopposed", ATTACK, a, 0)
            rows.append((p, a, d))
        return gather(rows)

    def _note(self) -> None:
        self.lasted.append(sum(self.ends.values()) - sum(self.lasted))

    def _stuck(self, cloud: Cloud) -> None:
        for p, a, d in pairs(cloud):
            self._end(p, a, d, DEADLOCK)

    def _end(self, p: float, attack: int, defense: int, how: int) -> None:
        key = (attack, defense, how)
        self.ends[key] = self.ends.get(key, 0.0) + p

    # --- a round --------------------------------------------------------------------------------

    def _round(self, cloud: Cloud, round_: int) -> Cloud:
        now = min(round_, 2)
        if now > 1:
            nobody: frozenset[Unit] = frozenset()
            cloud = self._volley(ATTACK, cloud, now, nobody)
            cloud = self._volley(DEFENSE, cloud, now, nobody)
        else:
            # Who fires first depends on the pair; there are few pairs at the start of a battle.
            clouds = []
            for p, a, d in pairs(cloud):
                struck = {side: self.field.strikers(side, a, d) for side in (ATTACK, DEFENSE)}
                part = self._first_strike(p, a, d, struck)
                part = self._volley(ATTACK, part, now, struck[ATTACK])
                clouds.append(self._volley(DEFENSE, part, now, struck[DEFENSE]))
            cloud = merged(clouds)
        return self._bury(cloud, now)

    def _bury(self, cloud: Cloud, now: int) -> Cloud:
        return self._each(DEFENSE, cloud, lambda d: self.field.after("bury", DEFENSE, d, now))

    def _first_strike(self, p: float, a: int, d: int, struck: dict[str, frozenset[Unit]]) -> Cloud:
        """Both sides roll as they stand, then both suffer."""
        field = self.field
        rolls: dict[str, list[dict[Salvo, float]]] = {ATTACK: [], DEFENSE: []}
        for side, own, other in ((ATTACK, a, d), (DEFENSE, d, a)):
            units = frozenset(field.units(side, own))
            shots = field.shots(side, own, other, 1, units - struck[side])
            for type_, rows in shots.items():
                if field.can_hit(side, type_, other):
                    rolls[side].append(field.salvos(side, type_, rows, 1))
        works = field.works(a, d)
        if works:
            rolls[DEFENSE].append(field.salvos(DEFENSE, "fortification", works, 1))
        ours, theirs = {a: 1.0}, {d: 1.0}
        for salvos in rolls[ATTACK]:
            theirs = self._suffered(DEFENSE, theirs, salvos)
        for salvos in rolls[DEFENSE]:
            ours = self._suffered(ATTACK, ours, salvos)
        return gather(
            (p * q * r, own, other) for own, q in ours.items() for other, r in theirs.items()
        )

    def _suffered(
        self, side: str, numbers: dict[int, float], salvos: dict[Salvo, float]
    ) -> dict[int, float]:
        found: dict[int, float] = {}
        for number, p in numbers.items():
            for salvo, q in salvos.items():
                for r, to in self.field.suffers(side, number, salvo.hits, True, True):
                    found[to] = found.get(to, 0.0) + p * q * r
        return found

    def _volley(self, side: str, cloud: Cloud, round_: int, done: frozenset[Unit]) -> Cloud:
        """All types of a side fire one after the other. Those that find nothing to hit when their
        turn comes are skipped; those that found nothing at the start have another chance."""
        return self._fired(side, cloud, round_, done, frozenset())

    def _fired(
        self, side: str, cloud: Cloud, round_: int, done: frozenset[Unit], fired: frozenset[str]
    ) -> Cloud:
        """The types that have not `fired` do."""
        if side == DEFENSE:
            return self._pass(side, cloud.turned(), round_, done, fired).turned()
        groups: dict[bool, list[int]] = {}
        for place, own in enumerate(cloud.attack.tolist()):
            groups.setdefault(self.field.hunting(own), []).append(place)
        parts = []
        for places in groups.values():
            part = Cloud(cloud.attack[places], cloud.defense, cloud.chance[:, places])
            if self._other(int(part.attack[0])):
                self.field.facing = int(part.attack[0])
            parts.append(self._pass(side, part, round_, done, fired))
            self.field.facing = 0
        return merged(parts)

    def _other(self, attack: int) -> bool:
        """Whether an attacker differs from that of the start in what matters to the defender."""
        return self.field.hunting(attack) != self.field.hunting(0)

    def _pass(
        self, side: str, cloud: Cloud, round_: int, done: frozenset[Unit], fired: frozenset[str]
    ) -> Cloud:
        parts = []
        for types, places in self._groups(side, cloud, round_, done, fired):
            part = Cloud(cloud.attack, cloud.defense[places], cloud.chance[places])
            if types:
                for type_ in types:
                    part = self._fire(side, type_, part, round_, done)
                part = self._pass(side, part, round_, done, fired | set(types))
            parts.append(part)
        return merged(parts)

    def _groups(
        self, side: str, cloud: Cloud, round_: int, done: frozenset[Unit], fired: frozenset[str]
    ) -> list[tuple[tuple[str, ...], Numbers]]:
        """Which types fire at which targets in this pass, and the places of these."""
        key = (side, round_, done, fired, *_key(cloud))
        if key in self._grouped:
            return self._grouped[key]
        field = self.field
        types: dict[int, list[str]] = {}
        groups: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        for place, target in enumerate(cloud.defense.tolist()):
            like = field.like(OTHER[side], target, round_)
            if like not in types:
                found: set[str] = set()
                for own in cloud.attack.tolist():
                    found.update(field.shots(side, own, like, round_, done))
                types[like] = sorted(found - fired)
            able = tuple(t for t in types[like] if field.can_hit(side, t, target))
            groups.setdefault((like, able), []).append(place)
        plan = [(able, np.array(places)) for (_, able), places in groups.items()]
        self._grouped[key] = plan
        return plan

    def _fire(
        self, side: str, type_: str, cloud: Cloud, round_: int, done: frozenset[Unit]
    ) -> Cloud:
        """One type fires. The cloud's `attack` is the side that fires, whichever it is."""
        key = (side, type_, round_, done, *_key(cloud))
        if key not in self._plans:
            self._plans[key] = self._volleys(side, type_, cloud, round_, done)
        parts = []
        for plan in self._plans[key]:
            chance = np.zeros((len(plan.targets), len(plan.owns)))
            for source, goal, share, weight in plan.moves:
                add_rows(chance, goal, cloud.chance[source] * share[:, None] * weight)
            parts.append(Cloud(plan.owns, plan.targets, chance))
        return merged(parts)

    def _volleys(
        self, side: str, type_: str, cloud: Cloud, round_: int, done: frozenset[Unit]
    ) -> list[Plan]:
        """Where the chances go when a type fires: for targets that are the same to it, and for
        each number of vehicles that break down."""
        field = self.field
        owns, targets = cloud.attack.tolist(), cloud.defense.tolist()
        groups: dict[int, list[int]] = {}
        for place, target in enumerate(targets):
            able = field.can_hit(side, type_, target)
            like = field.like(OTHER[side], target, round_) if able else -1
            groups.setdefault(like, []).append(place)
        plans = []
        for like, places in groups.items():
            weights: dict[Salvo, Reals] = {}
            for k, own in enumerate(owns):
                rows = None
                if like >= 0:
                    rows = field.shots(side, own, like, round_, done).get(type_)
                salvos = field.salvos(side, type_, rows, round_) if rows else {Salvo(): 1.0}
                for salvo, p in salvos.items():
                    weights.setdefault(salvo, np.zeros(len(owns)))[k] = p
            by_broken: dict[int, dict[Salvo, Reals]] = {}
            for salvo, weight in weights.items():
                by_broken.setdefault(salvo.broken, {})[salvo] = weight
            for broken, some in by_broken.items():
                numbers = [field.breaks(own, type_, broken) for own in owns]
                plans.append(self._plan(side, targets, places, some, numbers, round_))
        return plans

    def _plan(
        self,
        side: str,
        targets: list[int],
        places: list[int],
        weights: dict[Salvo, Reals],
        owns: list[int],
        round_: int,
    ) -> Plan:
        """The targets at these places suffer what is rolled."""
        moves: list[tuple[list[int], list[int], list[float], Reals]] = []
        for salvo, weight in weights.items():
            source, goals, share = [], [], []
            for place in places:
                ways: Ways = ((1.0, targets[place]),)
                if salvo.hits:
                    ways = self.field.suffers(
                        OTHER[side], targets[place], salvo.hits, round_ == 1, False
                    )
                for p, to in ways:
                    source.append(place)
                    goals.append(to)
                    share.append(p)
            moves.append((source, goals, share, weight))
        found = np.unique(np.array([to for _, goals, _, _ in moves for to in goals]))
        self._allow(len(found) * len(owns))
        return Plan(
            np.array(owns),
            found,
            [
                (np.array(source), np.searchsorted(found, goals), np.array(share), weight)
                for source, goals, share, weight in moves
            ],
        )

    def _allow(self, number: int) -> None:
        if number > self.most:
            raise TooLarge(
                f"This battle can stand in more than {self.most:,} ways at a time; that is too "
                "much for exact odds. Let it be estimated by battles at random (sample)."
            )

    # --- between rounds -------------------------------------------------------------------------

    def _between(self, cloud: Cloud, round_: int) -> Cloud:
        """What comes after a round, until the next one begins or the battle is over."""
        field = self.field
        now = min(round_, 2)
        if field.land:
            cloud = self._each(ATTACK, cloud, lambda a: field.after("break_down", ATTACK, a, now))
            cloud = self._part(cloud)
            if round_ == 1:
                cloud = self._each(ATTACK, cloud, lambda a: field.after("ashore", ATTACK, a, 1))
            cloud = self._cut(cloud)
        else:
            cloud = self._cut(self._sweep(cloud))
            cloud = self._each(DEFENSE, cloud, lambda d: self._dive(DEFENSE, d, round_))
            cloud = self._each(ATTACK, cloud, lambda a: self._dive(ATTACK, a, round_))
            cloud = self._cut(cloud)
        return self._retreat(cloud, round_)

    def _part(self, cloud: Cloud) -> Cloud:
        """After a border clash the attackers go back."""
        if not any(self.field.clash(a) for a in cloud.attack.tolist()):
            return cloud
        staying = []
        for p, a, d in pairs(cloud):
            if self.field.clash(a):
                ((_, to),) = self.field.after("fall_back", ATTACK, a, 2)
                self._end(p, to, d, RETREAT)
            else:
                staying.append((p, a, d))
        return gather(staying)

    def _dive(self, side: str, number: int, round_: int) -> Ways:
        field = self.field
        units = field.units(side, number)
        if not field.policy.dives(field.base.facts, side, round_, units):
            return ((1.0, number),)
        return field.after("dive", side, number, 2)

    def _retreat(self, cloud: Cloud, round_: int) -> Cloud:
        """The attacker breaks off where the policy says so and the rules allow it."""
        field = self.field
        policy, facts = field.policy, field.base.facts
        if policy.retreat == "never":
            return cloud
        limit = policy.round_limit()
        if limit and round_ < limit:
            return cloud
        staying = []
        for p, a, d in pairs(cloud):
            ours, theirs = field.units(ATTACK, a), field.units(DEFENSE, d)
            to = a
            if policy.retreats(facts, round_, ours, theirs):
                ((_, to),) = field.after("retreat", ATTACK, a, 2)
            if field.units(ATTACK, to):
                staying.append((p, to, d))
            else:
                self._end(p, to, d, RETREAT)
        return gather(staying)

    def _each(self, side: str, cloud: Cloud, change: Callable[[int], Ways]) -> Cloud:
        """Every side of a kind changes by itself."""
        turned = cloud if side == DEFENSE else cloud.turned()
        source, share, goals = [], [], []
        for k, number in enumerate(turned.defense.tolist()):
            for p, to in change(number):
                source.append(k)
                share.append(p)
                goals.append(to)
        if goals == turned.defense.tolist():
            return cloud
        found, where = np.unique(np.array(goals, np.int64), return_inverse=True)
        chance = np.zeros((len(found), len(turned.attack)))
        add_rows(chance, where, turned.chance[source] * np.array(share)[:, None])
        result = Cloud(turned.attack, found, chance)
        return result if side == DEFENSE else result.turned()

    def _flags(self, cloud: Cloud) -> tuple[Flags, Flags]:
        """For each pair whether it fights on, and whether some of it are swept away: that depends
        on the kinds of units only."""
        field = self.field
        tables = []
        for side, numbers in ((ATTACK, cloud.attack), (DEFENSE, cloud.defense)):
            kinds: dict[Kinds, int] = {}
            first: list[int] = []
            places = []
            for number in numbers.tolist():
                what = field.kinds(side, number)
                if what not in kinds:
                    kinds[what] = len(first)
                    first.append(number)
                places.append(kinds[what])
            tables.append((list(kinds), first, places))
        (ours, first_a, at_a), (theirs, first_d, at_d) = tables
        table = np.zeros((2, len(theirs), len(ours)), np.bool_)
        for k, others in enumerate(theirs):
            for j, own in enumerate(ours):
                if (own, others) not in self._known:
                    a, d = first_a[j], first_d[k]
                    self._known[own, others] = (
                        field.contested(a, d),
                        field.swept(a, d) != (a, d),
                    )
                table[:, k, j] = self._known[own, others]
        flags = table[:, at_d][:, :, at_a]
        return flags[0], flags[1]

    def _sweep(self, cloud: Cloud) -> Cloud:
        """Rockets or transports that are left alone are destroyed."""
        swept = self._flags(cloud)[1] & (cloud.chance > 0)
        if not swept.any():
            return cloud
        rest = cloud._replace(chance=np.where(swept, 0.0, cloud.chance))
        moved = cloud._replace(chance=np.where(swept, cloud.chance, 0.0))
        return merged([rest, gather((p, *self.field.swept(a, d)) for p, a, d in pairs(moved))])

    def _over(self, p: float, a: int, d: int) -> None:
        """A battle has ended. On land attackers that can hit nobody do not stay."""
        field = self.field
        ours, theirs = bool(field.units(ATTACK, a)), bool(field.units(DEFENSE, d))
        how = DEADLOCK if ours and theirs else DRAW
        if ours != theirs:
            how = ATTACKER if ours else DEFENDER
        elif ours and field.land:
            ((_, to),) = field.after("fall_back", ATTACK, a, 2)
            if not field.units(ATTACK, to):
                lost = field.sides[ATTACK][to].gone != field.sides[ATTACK][a].gone
                how = DEFENDER if lost else RETREAT
            a = to
        self._end(p, a, d, how)

    def _cut(self, cloud: Cloud) -> Cloud:
        """Battles that are over are taken out."""
        over = ~self._flags(cloud)[0] & (cloud.chance > 0)
        if not over.any():
            return cloud
        for p, a, d in pairs(cloud._replace(chance=np.where(over, cloud.chance, 0.0))):
            self._over(p, a, d)
        return tight(cloud._replace(chance=np.where(over, 0.0, cloud.chance)))


def gather(rows: Iterable[tuple[float, int, int]]) -> Cloud:
    """A cloud from chances of pairs (attack, defense)."""
    found: dict[tuple[int, int], float] = {}
    for p, a, d in rows:
        if p:
            found[a, d] = found.get((a, d), 0.0) + p
    attack = sorted({a for a, _ in found})
    defense = sorted({d for _, d in found})
    chance = np.zeros((len(defense), len(attack)))
    at_a, at_d = {a: k for k, a in enumerate(attack)}, {d: k for k, d in enumerate(defense)}
    for (a, d), p in found.items():
        chance[at_d[d], at_a[a]] = p
    return Cloud(np.array(attack, np.int64), np.array(defense, np.int64), chance)


def _key(cloud: Cloud) -> tuple[bytes, bytes]:
    return cloud.attack.tobytes(), cloud.defense.tobytes()


def merged(clouds: list[Cloud]) -> Cloud:
    """Several clouds as one."""
    if len(clouds) == 1:
        return clouds[0]
    attack = np.unique(np.concatenate([cloud.attack for cloud in clouds]))
    defense = np.unique(np.concatenate([cloud.defense for cloud in clouds]))
    chance = np.zeros((len(defense), len(attack)))
    for cloud in clouds:
        rows = np.searchsorted(defense, cloud.defense)
        columns = np.searchsorted(attack, cloud.attack)
        chance[np.ix_(rows, columns)] += cloud.chance
    return Cloud(attack, defense, chance)


def tight(cloud: Cloud) -> Cloud:
    """Without sides that have no chance."""
    rows, columns = cloud.chance.any(axis=1), cloud.chance.any(axis=0)
    return Cloud(cloud.attack[columns], cloud.defense[rows], cloud.chance[np.ix_(rows, columns)])


def pairs(cloud: Cloud) -> Iterator[tuple[float, int, int]]:
    """The pairs that have a chance: it, the attacker, the defender."""
    rows, columns = np.nonzero(cloud.chance)
    yield from zip(
        cloud.chance[rows, columns].tolist(),
        cloud.attack[columns].tolist(),
        cloud.defense[rows].tolist(),
        strict=True,
    )


def add_rows(to: Reals, at: Numbers, rows: Reals) -> None:
    """Add each row to the row of `to` with that number; numbers can repeat."""
    width = to.shape[1]
    flat = (at[:, None] * width + np.arange(width)).ravel()
    to += np.bincount(flat, weights=rows.ravel(), minlength=to.size).reshape(to.shape)


def _still(one: Cloud, other: Cloud) -> bool:
    """Whether a round has changed next to nothing."""
    if abs(one.mass - other.mass) > NEGLIGIBLE:
        return False
    change = merged([one, other._replace(chance=-other.chance)])
    return float(np.abs(change.chance).sum()) < NEGLIGIBLE
