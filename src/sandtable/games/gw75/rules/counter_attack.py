"""The Counter-Attack after an attack on land (8.5), and after an Overrun (5.66)."""

from __future__ import annotations

from sandtable.games.gw75.model import Force, State
from sandtable.games.gw75.rules import attacks, politics, supply, weather
from sandtable.games.gw75.rules.losses import ORDERS, TakeLosses, by_owner
from sandtable.games.gw75.rules.tables import column, die
from sandtable.games.gw75.rules.terms import commander
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Stack(Decision, frozen=True, tag="stack"):
    """The stack that is counter-attacked."""

    hex: str


class ChooseStack(ChooseOne, frozen=True, tag="counter_attack"):
    """The defender chooses the stack of the attackers that is counter-attacked.

    Rules: 8.51a
    """

    options: tuple[str, ...]
    answers = (Stack,)
    rule = "8.51a"
    refusal = "Nobody attacked from {asked}."


def answer(
    g: Table[State], targets: tuple[str, ...], force: Force, attacker: str, decider: str
) -> Procedure[Force]:
    """The survivors counter-attack one stack of the attackers; it always takes place. Those who
    cannot attack it add nothing: forts, Self-Defense units, Unactivated ones, those without Attack
    Supply, those that have retreated there, and those whose politics forbid it. What is left of the
    attackers is returned.

    Rules: 8.51a, 8.51b, 8.51c, 8.51d, 8.51f, 19.24a, 19.92b
    """
    s = g.state
    stacks = tuple(sorted({hex for hex, _, _, _ in force}))
    chosen = stacks[0]
    if len(stacks) > 1:
        chosen = (yield from g.ask(ChooseStack(decider, stacks))).hex
    able = [
        (hex, unit)
        for hex in targets
        for unit, _ in attacks.defenders(s, hex, attacker)
        if attacks.can_attack(s, hex, unit)
        and not politics.may_attack(s, unit.nation, attacker, chosen)
    ]
    survivors = sum(
        weather.strength(s, unit.nation, supply.split(s, hex, unit)["attack"]) for hex, unit in able
    )
    origins = [hex for hex, _ in able]
    target = tuple(part for part in force if part[0] == chosen)
    lost = yield from counter_attack(g, target, survivors, origins, decider, targets)
    gone = {part[:3]: part[3] for part in lost}
    left = ((*part[:3], part[3] - gone.get(part[:3], 0)) for part in force)
    return tuple(part for part in left if part[3])


def counter_attack(
    g: Table[State],
    stack: Force,
    survivors: int,
    origins: list[str],
    decider: str,
    about: tuple[str, ...],
) -> Procedure[Force]:
    """A Counter-Attack on a stack of attackers: on the column of the difference, at least +0. The
    owner of the stack chooses what is lost, which is returned; it does not retreat. It is told as
    `about` the hexes that were attacked.

    Rules: 8.51c, 8.51d, 8.51e, 8.51f, 5.66
    """
    s = g.state
    hex, nation, _, _ = stack[0]
    strength = weather.defense(s, hex, attacks.strength(s, stack))
    if origins and all(s.facts.land[origin].get(hex, False) for origin in origins):
        strength *= s.facts.numbers.mountain_defense
    differential = max(survivors - strength, 0)
    face = yield from die(g, "land_counter_attack", decider)
    loss = column(s.facts.tables.land, differential)[face - 1]
    total = min(loss, sum(number for _, _, _, number in stack))
    g.emit(
        "counter_attack",
        power=decider,
        against=nation,
        space=hex,
        about=about,
        differential=differential,
        sum=(("", "survivors", survivors), ("", "defense", -strength)),
        lines=(RollLine(decider, "", 1, 0),),
        dice=[face],
        loss=total,
    )
    if not total:
        return ()
    request = TakeLosses(commander(s, nation), total, stack, counter=True)
    if len(stack) == 1 or total == sum(number for _, _, _, number in stack):
        lost = request.by(s, ORDERS[1]).losses
    else:
        lost = (yield from g.ask(request)).losses
    for at, owner, type, number in lost:
        _remove_attackers(s, at, owner, type, number)
    g.emit("counter_losses", space=hex, about=about, losses=by_owner(lost))
    return lost


def _remove_attackers(s: State, hex: str, nation: str, type: str, number: int) -> None:
    """Destroy points that attacked: those that are marching to an Overrun, or are marked, before
    those who have landed there and may have done so."""
    for unit, count in sorted(s.stack(hex).items(), key=lambda each: _PART.get(each[0].duty, 2)):
        if unit.nation == nation and unit.type == type and number:
            some = min(count, number)
            s.destroy(hex, unit, some)
            number -= some


_PART = {"march": 0, "attacked": 0, "assault": 0, "landed": 1}
"""Duties of units that can have attacked, the surest first."""
