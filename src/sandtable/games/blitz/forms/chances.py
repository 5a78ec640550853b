"""The odds of combats, as clients show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from sandtable import odds
from sandtable.games.blitz.chart import planned
from sandtable.games.blitz.model import Attack, State
from sandtable.games.blitz.odds.result import Result
from sandtable.games.blitz.rules.damage import LoseCargo
from sandtable.games.blitz.rules.land_combat import (
    DISPUTED,
    AnnounceAttack,
    Defend,
    ResolveAttack,
    combat_of,
    defence_choices,
)
from sandtable.games.blitz.rules.move_to_sea import Fly, Sail
from sandtable.games.blitz.rules.rounds import Damage, Withdraw
from sandtable.games.blitz.rules.sea_combat import Engage, FightAt, FlyIn, flyers, forces
from sandtable.games.blitz.rules.sides import OTHER, acting_side, partners, powers_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.display import NoQuestion, Odds, Reading
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError

_TITLES = {
    "ground": "Ground Attack on",
    "factory": "Factory Attack on",
    "port": "Port Attack on",
    "sea": "Combat in",
}

_WINS = {
    "ground": "Win: the attacker takes the area.",
    "factory": "Win: the Factory is damaged.",
    "port": "Win: a ship in port is damaged.",
    "sea": "Win: only the attacker is left in the sea.",
}

_GIVEN = "both sides give damage where it costs them least and the enemy most"

_MUCH = 0.005
"""Smaller chances are not mentioned."""

MOST, SAMPLES = 300, 256
"""A combat that takes more runs of the rules than that is estimated by so many at random, which
takes about half a second, and a full one where whole continents fly."""


def chances(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the combat in `space`: the one that is being fought, one that has been announced,
    or the one that `decision` would bring about."""
    s: State = game.state
    if space not in s.in_play:
        raise NoQuestion("There is no such area in play.")
    readings: list[Reading] = []
    help: list[float] = []
    try:
        if decision is None or isinstance(decision, ResolveAttack | FightAt | Engage):
            result, note = _as_it_stands(game, space, decision, readings, help)
        else:
            result, note = _if(game, space, decision, power, readings, help)
    except OddsError as error:
        raise NoQuestion(str(error)) from None
    return Odds(
        title=f"{_TITLES[result.kind]} {s.facts.names[result.target]}",
        win=result.attacker_wins,
        lose=result.defender_wins,
        draw=result.draw,
        lines=tuple(_lines(result)),
        losses=f"loses Size {result.attacker_loss:.1f}, destroys {result.defender_loss:.1f}",
        outcome="to do damage" if result.kind in ("factory", "port") else "",
        exact=result.exact,
        given=f"{_GIVEN}, and no help comes" if help else _GIVEN,
        helped=help[0] if help else None,
        note=" ".join((*result.notes, *note, *_error(result))),
        readings=tuple(readings),
    )


def _error(result: Result) -> Iterator[str]:
    if not result.exact:
        # Two standard errors of even chances.
        error = result.samples**-0.5
        yield f"From {result.samples} combats at random: give or take {error:.0%}."


def _as_it_stands(
    game: Game,
    space: str,
    decision: Decision | None,
    readings: list[Reading],
    help: list[float],
) -> tuple[Result, tuple[str, ...]]:
    s: State = game.state
    if s.combat is not None and s.combat.at == space:
        return odds.in_progress(game, most=MOST, sample=SAMPLES), ()
    if space in s.facts.seas:
        attackers = forces(s, space).attackers
        if s.step != "C" or not attackers:
            raise NoQuestion(f"No combat is due in {s.facts.names[space]}.")
        return _joined(game, space, attackers, help), _UNJOINED
    number = decision.attack if isinstance(decision, ResolveAttack) else None
    attack = _announced(s, space, number)
    if attack is None:
        raise NoQuestion(f"No attack on {s.facts.names[space]} is announced.")
    if attack.defended:
        return _on_land(game, attack, readings), ()
    return _helped(game, attack, readings, help), (_unhelped(s, space),)


def _announced(s: State, space: str, number: int | None = None) -> Attack | None:
    """The attack on an area that waits to be fought: by its number, or a Ground Attack first."""
    waiting = [
        attack
        for index, attack in enumerate(s.attacks)
        if attack.target == space
        and not attack.resolved
        and attack.kind != DISPUTED
        and number in (None, index)
    ]
    return min(waiting, key=lambda attack: attack.kind != "ground", default=None)


def _if(
    game: Game,
    space: str,
    decision: Decision,
    power: str,
    readings: list[Reading],
    help: list[float],
) -> tuple[Result, tuple[str, ...]]:
    """The odds after a decision, if it leads to a combat in `space`."""
    s: State = game.state
    names = s.facts.names
    if isinstance(decision, AnnounceAttack) and decision.target == space:
        attack = Attack(
            decision.combat, space, (power,), decision.units, decision.port, decision.flying
        )
        for other in s.attacks:
            if (other.kind, other.target) == (attack.kind, space) and (
                power not in other.powers and other.powers[0] in partners(s, power)
            ):
                attack = replace(
                    other,
                    units=(*other.units, *decision.units),
                    flying=(*other.flying, *decision.flying),
                )
        return _helped(game, attack, readings, help), (_unhelped(s, space),)
    if isinstance(decision, Damage | Withdraw | LoseCargo) and s.combat is not None:
        if len(game.pending) > 1:
            raise NoQuestion("Others have to decide as well.")
        return odds.in_progress(game, then=(power, decision), most=MOST, sample=SAMPLES), ()
    if isinstance(decision, Defend):
        for number, units in decision.units.items():
            attack = s.attacks[int(number)] if number.isdigit() else s.attacks[0]
            if attack.target == space:
                return _on_land(game, replace(attack, defenders=units), readings), ()
        found = _announced(s, space)
        if found is not None:
            return _on_land(game, replace(found, defenders=()), readings), ("Without your help.",)
    if isinstance(decision, FlyIn):
        who = forces(s, space)
        return _at_sea(game, space, who.attackers, decision.units), ()
    end = decision.path[-1] if isinstance(decision, Sail) and decision.path else ""
    end = decision.to if isinstance(decision, Fly) else end
    if end == space and space in s.facts.seas and isinstance(decision, Sail | Fly):
        present = forces(s, space).attackers
        units = tuple(dict.fromkeys((*present, decision.unit)))
        return _at_sea(game, space, units), ("If it gets there, and nobody else comes.",)
    raise NoQuestion(f"That leads to no combat in {names[space]}.")


def _unhelped(s: State, space: str) -> str:
    return f"Without help that the defender may still send to {s.facts.names[space]}."


_UNJOINED = ("Without air units that may still fly in.",)


def _helped(game: Game, attack: Attack, readings: list[Reading], help: list[float]) -> Result:
    """The odds of an attack if nobody comes to help; and into `help` those if all come who can."""
    s: State = game.state
    result = _on_land(game, attack, readings)
    before, s.attacks = s.attacks, (replace(attack, defenders=()),)
    able = [
        id
        for power in powers_of(s, OTHER[acting_side(s)])
        for id in defence_choices(s, power).get("0", ())
    ]
    s.attacks = before
    if able:
        with suppress(OddsError, NoQuestion):  # perhaps they cannot all come together
            help.append(_on_land(game, replace(attack, defenders=tuple(able)), []).attacker_wins)
    return result


def _joined(game: Game, sea: str, attackers: Iterable[str], help: list[float]) -> Result:
    """The odds of a combat at sea, likewise."""
    s: State = game.state
    result = _at_sea(game, sea, attackers)
    other = OTHER[acting_side(s)]
    able = [
        id for power, ids in flyers(s, sea).items() if s.facts.side[power] == other for id in ids
    ]
    if able:
        with suppress(OddsError, NoQuestion):
            help.append(_at_sea(game, sea, attackers, able).attacker_wins)
    return result


def _on_land(game: Game, attack: Attack, readings: list[Reading]) -> Result:
    """The odds of an attack on a land area with these units and defenders; and into `readings` what
    both sides would fire with."""
    s: State = game.state
    units = [id for id in attack.units if id in s.units]
    if not units:
        raise NoQuestion("Choose who attacks.")
    before, s.combat = s.combat, combat_of(s, attack)
    if s.combat is not None:
        readings += planned(s)
    s.combat = before
    result: Result = odds.battle(
        "blitz",
        units,
        [id for id in attack.defenders if id in s.units],
        target=attack.target,
        combat=attack.kind,
        port=attack.port,
        flying=[id for id in attack.flying if id in s.units],
        game=game,
        most=MOST,
        sample=SAMPLES,
    )
    return result


def _at_sea(game: Game, sea: str, attackers: Iterable[str], joining: Iterable[str] = ()) -> Result:
    result: Result = odds.battle(
        "blitz",
        list(attackers),
        list(joining),
        target=sea,
        combat="sea",
        game=game,
        most=MOST,
        sample=SAMPLES,
    )
    return result


def _lines(result: Result) -> Iterator[str]:
    """What a win is, expected losses, and what else may happen."""
    yield _WINS[result.kind]
    for round_, sides in result.factors.items():
        spans = [_span(sides.get(side)) for side in ("attacker", "defender")]
        yield f"{round_.capitalize()} Round, factors: {spans[0]} against {spans[1]}."
    yield (
        f"On average the attacker loses Size {result.attacker_loss:.1f} of "
        f"{sum(result.attacker_start.values())}, the defender {result.defender_loss:.1f} of "
        f"{sum(result.defender_start.values())}."
    )
    if result.retreats > _MUCH:
        yield f"A defender has to retreat: {result.retreats:.0%}."
    if result.blocked > _MUCH:
        yield f"An attacker may not advance: {result.blocked:.0%}."
    for what, points in (("Factory", "factory"), ("convoy", "convoy")):
        mean = result.mean(lambda end, points=points: getattr(end, points))  # type: ignore[misc]
        if mean > _MUCH:
            yield f"Damage to the {what}: {mean:.1f} on average."
    if result.ends_game > _MUCH:
        yield f"The game ends with it: {result.ends_game:.0%}."


def _span(span: tuple[int, int] | None) -> str:
    if span is None:
        return "none"
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
