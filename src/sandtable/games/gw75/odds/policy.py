"""How the two sides play a combat: stated, not guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.advance import Advance, ChooseAdvance
from sandtable.games.gw75.rules.bombing import BomberLosses
from sandtable.games.gw75.rules.counter_attack import ChooseStack, Stack
from sandtable.games.gw75.rules.losses import TakeLosses
from sandtable.games.gw75.rules.naval_combat import (
    CloseIn,
    CounterAttack,
    Decline,
    FallBack,
    Pursue,
    Respond,
    Stand,
    Support,
)
from sandtable.games.gw75.rules.naval_results import DepleteOne, NavalLosses, defense_of
from sandtable.games.gw75.rules.naval_zones import Part
from sandtable.games.gw75.rules.terms import GROUND
from sandtable.games.gw75.rules.transit import Spare, Strike, TransitAttack
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.kits import Choose, Numbers
from sandtable.odds.errors import OddsError

Order = str | Sequence[str]

ORDERS = ("cheapest", "weakest")
CHOICES = {
    "counter": ("weakest", "strongest", "none"),
    "advance": ("all", "one", "none"),
    "respond": ("stand", "retreat", "decline"),
    "pursue": ("attack", "transit", "nothing"),
    "close": ("all", "surf_b", "stop"),
    "support": ("all", "none"),
    "transit": ("strike", "spare"),
}
"""What may be said of each choice; the first is the default."""


@dataclass(frozen=True)
class Policy:
    """What both sides do where the rules let them choose.

    An order of loss is "cheapest" (fewest Production Points first), "weakest" (least Attack
    Strength first), or a list of types, which those that it leaves out follow from the cheapest on;
    of several hexes the one with the lowest number is first. What a rule has lost first is lost
    first.

    The defender Counter-Attacks the "weakest" stack of the attackers or the "strongest"; at sea
    "none" is allowed, on land a Counter-Attack always takes place. After a land attack "all"
    Mechanized points that fit in advance, "one", or "none"; who has to retreat goes to the first of
    the hexes that are open.

    At sea the defender receives the attack ("stand"), retreats before combat with all that can
    ("retreat"), or declines combat where that is allowed ("decline"). The attacker then attacks
    those who stay if there are any ("attack"), makes the Transit Attack on those who leave
    ("transit"), or neither ("nothing"); for the second segment it closes in with "all" Surface
    units, with "surf_b" ones only, or ends the engagement after the first ("stop"). "all" ASW
    units that can support a defense do so, or "none"; whoever can make a Transit Attack does
    ("strike") or does not ("spare").
    """

    attack_order: Order = "cheapest"
    defend_order: Order = "cheapest"
    counter: str = "weakest"
    advance: str = "all"
    respond: str = "stand"
    pursue: str = "attack"
    close: str = "all"
    support: str = "all"
    transit: str = "strike"

    def check(self, facts: Facts) -> None:
        """OddsError if something in it is not known."""
        for order in (self.attack_order, self.defend_order):
            for type in _listed(order):
                if type not in facts.types:
                    raise OddsError(
                        f"An order is {' or '.join(ORDERS)} or a list of types; not {type!r}."
                    )
        for name, words in CHOICES.items():
            if getattr(self, name) not in words:
                raise OddsError(
                    f"The choice of {name} is one of {', '.join(words)}; "
                    f"not {getattr(self, name)!r}."
                )

    def decide(self, s: State, request: Request, attackers: frozenset[str]) -> Decision:
        """The answer to what is asked in a combat, in which these nations attack."""
        match request:
            case TakeLosses():
                order = self.attack_order if request.counter else self.defend_order
                return request.by(s, _ranked(s.facts, order, GROUND))
            case ChooseStack():
                return Stack(self._stack(s, request.options))
            case ChooseAdvance():
                return self._advance(s, request)
            case NavalLosses() | DepleteOne() | BomberLosses():
                return self._lose(s, request, attackers)
            case Respond():
                return self._respond(request)
            case Pursue() | CloseIn():
                return Choose(self._go_on(request))
            case Support():
                return Numbers(dict(request.most) if self.support == "all" else {})
            case CounterAttack():
                return Choose(self._hex(s, request, attackers))
            case TransitAttack():
                strength = sum(request.hexes.values()) + request.others
                strikes = self.transit == "strike" and strength >= request.defense
                return Strike() if strikes else Spare()
        return next(iter(request.decisions(s)))

    # --- on land ----------------------------------------------------------------------------------

    def _stack(self, s: State, hexes: tuple[str, ...]) -> str:
        """The stack with the fewest points that attack, or the most; of equal ones that with more
        Mechanized points."""
        assert s.land is not None
        force = s.land.force

        def strength(hex: str) -> tuple[int, int, str]:
            points = sum(part[3] for part in force if part[0] == hex)
            mech = sum(part[3] for part in force if part[0] == hex and part[2] == "mech")
            return -points if self.counter == "strongest" else points, -mech, hex

        return min(hexes, key=strength)

    def _advance(self, s: State, request: ChooseAdvance) -> Advance:
        found = [each for each in request.decisions(s) if each.moves]
        if self.advance == "none" or not found:
            return Advance(())

        def points(decision: Advance) -> int:
            return sum(number for _, _, number, _ in decision.moves)

        return (max if self.advance == "all" else min)(found, key=points)

    # --- at sea and in the air --------------------------------------------------------------------

    def _lose(
        self, s: State, request: NavalLosses | DepleteOne | BomberLosses, attackers: frozenset[str]
    ) -> Numbers:
        order = self.attack_order if _whose(request) in attackers else self.defend_order
        types = _ranked(s.facts, order, frozenset(s.facts.types))
        bombers = isinstance(request, BomberLosses)

        def place(key: str) -> tuple[float, ...]:
            if bombers:
                return (-request.most[key],)
            words = key.split()
            spared = words[3:] == ["deplete"]
            return (-1 if spared else types.index(words[2]), "depleted" not in words)

        left, chosen = request.total, {}
        for key in sorted(request.most, key=lambda each: (place(each), each)):
            taken = min(left, request.most[key])
            if taken:
                chosen[key] = taken
                left -= taken
        return Numbers(chosen)

    def _respond(self, request: Respond) -> Decision:
        if self.respond == "decline" and request.decline:
            return Decline()
        if self.respond == "retreat" and request.hexes:
            return FallBack(request.hexes[0])
        return Stand()

    def _go_on(self, request: Pursue | CloseIn) -> str:
        wanted = {
            "attack": ("attack", "transit"),
            "transit": ("transit", "attack"),
            "nothing": (),
            "all": ("all", "surf_b", "stay"),
            "surf_b": ("surf_b", "stay", "all"),
            "stop": ("stop",),
        }[self.pursue if isinstance(request, Pursue) else self.close]
        for option in wanted:
            if option in request.options:
                return option
        return request.options[-1] if isinstance(request, Pursue) else request.options[0]

    def _hex(self, s: State, request: CounterAttack, attackers: frozenset[str]) -> str:
        if self.counter == "none":
            return ""

        def defense(hex: str) -> tuple[int, str]:
            there = (
                Part(hex, unit, count)
                for unit, count in s.stack(hex).items()
                if unit.nation in attackers
            )
            found = defense_of(s, there)
            return -found if self.counter == "strongest" else found, hex

        return min(filter(None, request.options), key=defense)

    # --- in words ---------------------------------------------------------------------------------

    def words(self, kind: str, several: bool) -> str:
        """The policy in a sentence or two, as far as it matters in a kind of combat."""
        said = [
            f"The attacker loses {_in_words(self.attack_order)}, "
            f"the defender {_in_words(self.defend_order)}"
        ]
        if kind in ("land", "naval") and (several or kind == "naval"):
            if kind == "naval" and self.counter == "none":
                said.append("the defender does not Counter-Attack")
            else:
                which = "strongest" if self.counter == "strongest" else "weakest"
                said.append(f"the {which} stack of the attackers is Counter-Attacked")
        if kind == "land":
            advance = {
                "all": "all Mechanized points that fit in advance",
                "one": "one Mechanized point advances",
                "none": "nobody advances",
            }[self.advance]
            said.append(f"{advance} into a vacated hex")
        if kind == "naval":
            said += [
                {
                    "stand": "the defender does not retreat before combat",
                    "retreat": "the defender retreats before combat where he can",
                    "decline": "the defender declines combat where he may",
                }[self.respond],
                {
                    "all": "for the second segment all Surface units close in",
                    "surf_b": "for the second segment Surface-B units close in",
                    "stop": "the attacker stops after the first segment if he may",
                }[self.close],
                "all ASW units that can support the defense do"
                if self.support == "all"
                else "no ASW unit supports the defense",
                "Transit Attacks are made" if self.transit == "strike" else "none is shot at",
            ]
        return "; ".join(said) + "."


def _whose(request: NavalLosses | DepleteOne | BomberLosses) -> str:
    """The nation of the units that a choice is about: keys are hex, nation and type, of bombers
    nation and base."""
    words = next(iter(request.most)).split()
    return words[0] if isinstance(request, BomberLosses) else words[1]


def worth(facts: Facts, label: str) -> float:
    """The Production Points of a Strength Point or fleet. A Fortification of two points costs what
    the unit does; what cannot be built counts as Infantry; a Depleted unit is worth less by what it
    takes to undeplete it."""
    type, _, mark = label.partition(" ")
    kind = facts.types[type]
    cost = float(kind.new[0]) if kind.new else worth(facts, "inf")
    if type == "fort":
        cost /= facts.numbers.fort_points
    if mark and kind.undepletion:
        cost -= kind.undepletion[0]
    return cost


def _ranked(facts: Facts, order: Order, types: frozenset[str]) -> tuple[str, ...]:
    """All types in the order in which they are lost."""
    first = _listed(order)

    def by(type: str) -> tuple[float, ...]:
        cost, attack = worth(facts, type), facts.types[type].attack
        place = first.index(type) if type in first else len(first)
        return (place, attack, cost) if order == "weakest" else (place, cost, attack)

    return tuple(sorted(sorted(types), key=by))


def _listed(order: Order) -> list[str]:
    """The types of an order that is a list, or a text with commas."""
    if isinstance(order, str):
        order = [] if order in ORDERS else order.split(",")
    return [str(type).strip().lower().replace(" ", "_").replace("-", "_") for type in order]


def _in_words(order: Order) -> str:
    if isinstance(order, str) and order in ORDERS:
        return f"the {order} units first"
    return f"{', '.join(_listed(order))} first"


def read_policy(facts: Facts, options: Mapping[str, object]) -> Policy:
    """A policy from what a question says; OddsError if there is no such option."""
    known = {field.name for field in fields(Policy)}
    for name in options:
        if name not in known:
            raise OddsError(f"The odds of gw75 have no option {name!r}.")
    policy = Policy(**options)  # type: ignore[arg-type]  # checked next
    policy.check(facts)
    return policy
