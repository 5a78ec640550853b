"""How the two sides play a battle: stated, not guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sandtable.games.gw36.facts import Facts
from sandtable.games.gw36.model import Stack, State
from sandtable.games.gw36.rules.battle import attackers, defenders, running
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties, choose
from sandtable.games.gw36.rules.retreat import Dive, MayDive, Press, Retreat, RetreatOrPress
from sandtable.games.gw36.rules.rounds import ChooseFire, FireAll
from sandtable.kernel.decisions import Decision, Request
from sandtable.odds.errors import OddsError

Left = dict[str, int]
Leave = str | int | Callable[[Left, Left], bool]
Order = str | Sequence[str]

ORDERS = ("cheapest", "weakest")
TARGETS = ("dearest",)
RETREATS = ("never", "air", "weaker", "rounds:N")
SUBS = ("strike", "submerge", "submerge:N", "last")
DAMAGE = "damage"


class Named(NamedTuple):
    """What a label of casualties says."""

    nation: str
    type: str
    hits: int


@cache
def named(label: str) -> Named:
    """The nation, type and damage of units as casualties name them."""
    match = re.match(r"([^:]+):(\w+)(?::(\d+))?", label)
    assert match is not None, label
    return Named(match[1], match[2], int(match[3] or 0))


@dataclass(frozen=True)
class Policy:
    """What both sides do where the rules let them choose.

    An order of loss is "cheapest" (least cost first, of the same cost the weaker), "weakest" (least
    fighting value first, of the same value the cheaper), or a list of types; types that it leaves
    out follow in the order of "cheapest". Hits that only damage a capital ship come before all
    others unless the list says where "damage" comes. With `keep_land` the attacker's last land unit
    is lost after aircraft. Whoever selects a target takes the "dearest", or by a list of types.

    The attacker retreats "never", when only "air" units are left to it, when it is "weaker" (its
    printed Attack values sum up to less than the Defense values it faces), after so many "rounds:N"
    (or a number), or where a function of what is left of both sides, by type, says so.

    Submarines "strike" to the end, "submerge" after the first round or a later one ("submerge:N"),
    or when they are the "last" of their side.
    """

    attack_order: Order = "cheapest"
    defend_order: Order = "cheapest"
    attack_targets: Order = "dearest"
    defend_targets: Order = "dearest"
    attack_subs: str = "strike"
    defend_subs: str = "strike"
    retreat: Leave = "never"
    keep_land: bool = False

    def check(self, facts: Facts) -> None:
        """OddsError if something in it is not known."""
        for order, words in (
            (self.attack_order, ORDERS),
            (self.defend_order, ORDERS),
            (self.attack_targets, TARGETS),
            (self.defend_targets, TARGETS),
        ):
            if isinstance(order, str) and order in words:
                continue
            for type_ in listed(order):
                if type_ not in facts.units and type_ != DAMAGE:
                    raise OddsError(
                        f"An order is {' or '.join(words)} or a list of types; not {type_!r}."
                    )
        for subs in (self.attack_subs, self.defend_subs):
            if subs not in SUBS and not re.fullmatch(r"submerge:\d+", subs):
                raise OddsError(f"Submarines can {', '.join(SUBS)}; not {subs!r}.")
        self.round_limit()

    def round_limit(self) -> int:
        """After how many rounds the attacker retreats; 0 if the rule is another one."""
        if callable(self.retreat) or self.retreat in RETREATS[:3]:
            return 0
        match = re.fullmatch(r"(?:rounds?:)?(\d+)", str(self.retreat))
        if match is None or match[1] == "0":
            raise OddsError(f"Retreat rules are {', '.join(RETREATS)}; not {self.retreat!r}.")
        return int(match[1])

    def decide(self, s: State, request: Request) -> Decision:
        """The answer to what is asked in a battle."""
        if isinstance(request, ChooseCasualties):
            return Casualties(self.casualties(s, request))
        if isinstance(request, ChooseFire):
            return FireAll()
        if isinstance(request, RetreatOrPress):
            if self.retreats(s.facts, running(s).round, attackers(s), defenders(s)):
                return Retreat(request.zones[0] if request.units else "")
            return Press()
        if isinstance(request, MayDive):
            attacks = named(next(iter(request.units))).nation in running(s).attackers
            own = attackers(s) if attacks else defenders(s)
            dives = self.dives(s.facts, "attack" if attacks else "defense", running(s).round, own)
            return Dive(dict(request.units)) if dives else Dive()
        raise OddsError(f"The odds know no answer to {request.kind.replace('_', ' ')}.")

    def retreats(self, facts: Facts, round_: int, ours: Stack, theirs: Stack) -> bool:
        """Whether the attacker breaks off after a round, if the rules allow it."""
        rule = self.retreat
        if rule == "never":
            return False
        if rule == "air":
            return all(facts.units[unit.type].air for unit in ours)
        if rule == "weaker":
            attack = sum((facts.units[u.type].attack or 0) * n for u, n in ours.items())
            defense = sum((facts.units[u.type].defense or 0) * n for u, n in theirs.items())
            return attack < defense
        if callable(rule):
            return rule(by_type(ours), by_type(theirs))
        return round_ >= self.round_limit()

    def dives(self, facts: Facts, side: str, round_: int, own: Stack) -> bool:
        """Whether the submarines of a side leave after a round."""
        rule = self.attack_subs if side == "attack" else self.defend_subs
        if rule == "last":
            return all(facts.units[unit.type].submarine for unit in own)
        first = int(rule.partition(":")[2] or 1)
        return rule.startswith("submerge") and round_ >= first

    def casualties(self, s: State, request: ChooseCasualties) -> dict[str, int]:
        """What the hits fall on."""
        units = s.facts.units
        hit_attacker = named(next(iter(request.tiers[0]))).nation in running(s).attackers
        if request.chosen_by_enemy:
            order = self.defend_targets if hit_attacker else self.attack_targets
            return choose(request, lambda keys: min(keys, key=_dearest(s.facts, order)))
        order = self.attack_order if hit_attacker else self.defend_order
        rank = _cheapest(s.facts, order, "attack" if hit_attacker else "defense")
        damage = -1 if DAMAGE not in listed(order) else listed(order).index(DAMAGE)
        room = {key: most for tier in request.tiers for key, most in tier.items()}
        spare = {}
        for key, most in room.items():
            who = named(key)
            life = units[who.type].hits - who.hits
            spare[key] = most // life * (life - 1)
        troops = sum(n for key, n in room.items() if units[named(key).type].land)

        def place(key: str) -> tuple[float, ...]:
            return (damage, 0.0) if spare[key] > 0 else rank(key)

        def prefer(keys: list[str]) -> str:
            nonlocal troops
            able = keys
            if self.keep_land and hit_attacker and troops == 1:
                able = [key for key in keys if not units[named(key).type].land] or keys
            key = min(able, key=place)
            spare[key] -= 1
            troops -= units[named(key).type].land
            return key

        return choose(request, prefer)


def by_type(units: Stack) -> Left:
    """Type to number."""
    left: Left = {}
    for unit, count in units.items():
        left[unit.type] = left.get(unit.type, 0) + count
    return left


def listed(order: Order) -> list[str]:
    """The types of an order that is a list, or a text with commas."""
    if isinstance(order, str):
        order = [] if order in (*ORDERS, *TARGETS) else order.split(",")
    return [type_.strip().lower().replace(" ", "_") for type_ in order]


def _cheapest(facts: Facts, order: Order, side: str) -> Callable[[str], tuple[float, ...]]:
    first = listed(order)

    def rank(key: str) -> tuple[float, ...]:
        who = named(key)
        kind = facts.units[who.type]
        cost = sum(kind.cost)
        value = (kind.attack if side == "attack" else kind.defense) or 0
        by = (value, cost) if order == "weakest" else (cost, value)
        place = first.index(who.type) if who.type in first else len(first)
        return (place, *by, -who.hits)

    return rank


def _dearest(facts: Facts, order: Order) -> Callable[[str], tuple[float, ...]]:
    first = listed(order)

    def rank(key: str) -> tuple[float, ...]:
        who = named(key)
        place = first.index(who.type) if who.type in first else len(first)
        return (place, -sum(facts.units[who.type].cost), -who.hits)

    return rank


def read_policy(facts: Facts, options: Mapping[str, object]) -> Policy:
    """A policy from what a question says; OddsError if there is no such option."""
    known = Policy.__dataclass_fields__
    for name in options:
        if name not in known:
            raise OddsError(f"The odds of gw36 have no option {name!r}.")
    policy = Policy(**options)  # type: ignore[arg-type]  # checked next
    policy.check(facts)
    return policy
