"""Blitzing the Road to War (9.2): thirteen choices before the war begins."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import ClassVar

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import NEUTRAL, State, Unit
from sandtable.games.blitz.rules.alignment import ally
from sandtable.games.blitz.rules.counters import biggest, deploy, grow, is_big, small_name, to_pool
from sandtable.games.blitz.rules.sides import areas_of
from sandtable.games.blitz.rules.stacking import full
from sandtable.games.blitz.tables import Placement, RoadOption
from sandtable.games.blitz.words import part_of_option
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

_MOVED = {"austria_czechoslovakia": "western_germany", "peking": "port_arthur"}
"""Where units set up instead if their area is not their power's after all."""


class ChooseOption(Decision, frozen=True, tag="choose_option"):
    """An option of the step, or a Standard Option.

    `target` is the trade agreement, country, counter or unit, good (oil or resource) or marker
    that a Standard Option is about; `detail` the land area for a new GAR, or up or down.
    """

    option: str
    target: str = ""
    detail: str = ""


class RoadChoice(Request, frozen=True, tag="road_choice"):
    """Choose an option of this step of the road to war, or a Standard Option."""

    step: int

    answers: ClassVar[tuple[type[Decision], ...]] = (ChooseOption,)

    def check(self, state: State, decision: ChooseOption) -> None:
        """Rules: 9.2a"""
        known = state.facts.road_options.get(decision.option)
        name = known.name if known else repr(state.facts.name(decision.option))
        if decision.option in STANDARD:
            if decision not in STANDARD[decision.option](state, self.power):
                target, detail = (
                    part_of_option(state.facts, part) for part in (decision.target, decision.detail)
                )
                raise IllegalDecision(f"{name} is not possible with {target!r} {detail!r}.", "9.2a")
            return
        options = state.facts.road[self.step].options
        option = options.get(decision.option)
        if option is None:
            raise IllegalDecision(f"There is no option {name} at step {self.step}.", "9.2a")
        if decision.target or decision.detail:
            raise IllegalDecision(f"{name} leaves nothing to choose.", "9.2a")
        if not _possible(state, option):
            raise IllegalDecision(f"{name} is not possible any more.", "9.2a")

    def decisions(self, state: State) -> Iterator[Decision]:
        for id, option in state.facts.road[self.step].options.items():
            if _possible(state, option):
                yield ChooseOption(id)
        for choices in STANDARD.values():
            yield from choices(state, self.power)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if rng.random() < 0.5:
            yield ChooseOption(rng.choice(list(state.facts.road[self.step].options)))
        choices = list(STANDARD.values())
        rng.shuffle(choices)
        for choice in choices:
            found = list(choice(state, self.power))
            if found:
                yield rng.choice(found)


# --- the position before the first step -------------------------------------------------------


def prepare(s: State) -> None:
    """Poland and Austria-Czechoslovakia are neutral, and nobody trades.

    Rules: 9.2b, 9.2m, 9.2q
    """
    s.flag("road_to_war")
    s.trades = ()
    for country in ("poland", "austria_czechoslovakia"):
        _make_neutral(s, country)


def _make_neutral(s: State, country: str) -> None:
    """A country belongs to nobody: its own units wait for it, others set up elsewhere."""
    s.set_ally(country, NEUTRAL)
    s.original.pop(country, None)
    for area in areas_of(s, country):
        for id in s.units_at(area):
            if s.facts.kinds[id].home == country:
                s.take(id)
                s.aside[id] = country
            else:
                s.change(id, at=_MOVED[area])
        s.set_control(area, NEUTRAL)


def _annex(s: State) -> None:
    """Germany has Austria-Czechoslovakia, and sets up there what its chart says.

    Rules: 9.2m
    """
    country = "austria_czechoslovakia"
    s.original[country] = "germany"
    s.set_ally(country, "germany")
    for area in areas_of(s, country):
        s.set_control(area, "germany")
        for placement in s.facts.weapons["germany"].setup:
            if placement.at == area and placement.unit in s.units:
                s.change(placement.unit, at=area)


def _leave_china_alone(s: State) -> None:
    """China is a neutral country at war with nobody; its counters wait for an alliance.

    Rules: 9.2d
    """
    s.minor_wars = frozenset(war for war in s.minor_wars if war[0] != "china")
    _make_neutral(s, "china")
    for counter in s.pool["usa"]:
        if s.facts.kinds[small_name(counter)].home == "china":
            s.aside[counter] = "china"
    s.pool["usa"] = tuple(counter for counter in s.pool["usa"] if counter not in s.aside)


# --- the steps ----------------------------------------------------------------------------------


def choose_options(g: Table[State]) -> Procedure[None]:
    """The powers choose in the order of the steps; the number of the step is kept in `s.step`.

    Germany and the AFA are at war when it is over, as in every game.

    Rules: 9.2a, 9.2c
    """
    s = g.state
    for number in range(int(s.step or 1), len(s.facts.road) + 1):
        s.step = str(number)
        power = s.facts.road[number].power
        g.checkpoint()
        choice: ChooseOption = yield from g.ask(RoadChoice(power, number))
        g.emit(
            "option_chosen",
            power=power,
            step=number,
            option=choice.option,
            about=tuple(part for part in (choice.target, choice.detail) if part),
        )
        yield from _carry_out(g, power, choice)
        s.forget()
    s.step = ""


def _carry_out(g: Table[State], power: str, choice: ChooseOption) -> Procedure[None]:

    s, target = g.state, choice.target
    if choice.option == "alliance":
        yield from ally(g, target, power)
    elif choice.option == "trade_agreement":
        s.trades = (*s.trades, target)
    elif choice.option == "rearmament":
        _fetch(s, target)
        to_pool(s, power, target)
    elif choice.option == "mobilization":
        if target in s.units:
            grow(s, target, s.units[target].size + 1)
        else:
            deploy(s, power, target, 1, choice.detail)
    elif choice.option == "stockpile":
        if target == "oil":
            s.oil[power] += 1
            s.flag(f"stockpiled_oil:{power}")
        else:
            s.resources[power] += 1
    elif choice.option == "propaganda":
        s.entry[target] += 1 if choice.detail == "up" else -1
    else:
        yield from _effects(g, power, s.facts.road_options[choice.option])


def _effects(g: Table[State], power: str, option: RoadOption) -> Procedure[None]:
    """What one of a power's own options does.

    Rules: 9.2g, 9.2h, 9.2k, 9.2l, 9.2m, 9.2n, 9.2o, 9.2r
    """
    s = g.state
    if option.flag:
        s.flag(option.flag)
    if option.flag == "austria_annexed":
        _annex(s)
    elif option.flag == "china_neutral":
        _leave_china_alone(s)
    if option.trade:
        s.trades = (*s.trades, option.trade)
    if option.allies:
        yield from ally(g, option.allies, power)
    for placement in option.sets_up:
        _set_up(s, placement)
    for counter in option.develops:
        _fetch(s, counter)
        to_pool(s, power, counter)
    s.resources[power] += option.resources
    for marker, boxes in option.entry.items():
        if marker in s.entry:
            s.entry[marker] += boxes


def _possible(s: State, option: RoadOption) -> bool:
    """Whether nothing that was chosen before stands against an option."""
    if option.flag == "austria_annexed" and s.allied["austria_czechoslovakia"] != NEUTRAL:
        return False
    if option.trade and not _free_to_trade(s, option.trade):
        return False
    if option.allies and s.allied[option.allies] != NEUTRAL:
        return False
    if any(_undeveloped(s, counter) is None for counter in option.develops):
        return False
    return all(_can_set_up(s, placement) for placement in option.sets_up)


def _free_to_trade(s: State, trade: str) -> bool:
    """Whether an agreement can be made: a country trades once, and only while it is neutral.

    Rules: 9.2d, 9.2q
    """
    agreement = s.facts.trade[trade]
    if not agreement.country:
        return trade not in s.trades
    return s.allied.get(agreement.country) == NEUTRAL and all(
        s.facts.trade[other].country != agreement.country for other in s.trades
    )


def _can_set_up(s: State, placement: Placement) -> bool:
    """Whether a placement changes anything, and its counters are to be had."""
    id, unit = placement.unit, s.units.get(placement.unit)
    if placement.add:
        return unit is not None and unit.size + placement.add <= len(s.facts.kinds[id].sizes)
    if unit is not None:
        return unit.size < placement.size
    held = s.control.get(placement.at)
    return held == s.facts.kinds[id].power and id not in s.aside


def _set_up(s: State, placement: Placement) -> None:
    """Place a unit, or make one that is on the map bigger; counters come from pool or Group."""
    id, unit = placement.unit, s.units.get(placement.unit)
    size = unit.size + placement.add if unit is not None and placement.add else placement.size
    if unit is None:
        _fetch(s, id)
    if is_big(size) and (unit is None or not is_big(unit.size)):
        _fetch(s, id + BIG)
    if unit is None:
        power = s.facts.kinds[id].power
        s.put(id, Unit(power, size, placement.at, placement.port))
    else:
        s.change(id, size=size)


def _undeveloped(s: State, counter: str) -> str | None:
    """The power that has a counter in one of its Groups."""
    return next(
        (p for p, groups in s.groups.items() if any(counter in group for group in groups)), None
    )


def _fetch(s: State, counter: str) -> None:
    """Take a counter out of the Force Pool or Group that it is in."""
    for power in s.scenario.powers:
        s.pool[power] = tuple(each for each in s.pool[power] if each != counter)
        s.groups[power] = tuple(
            tuple(each for each in group if each != counter) for group in s.groups[power]
        )


# --- the Standard Options -------------------------------------------------------------------------


def _agreements(s: State, power: str) -> Iterator[ChooseOption]:
    for id, trade in s.facts.trade.items():
        if trade.country and trade.to == power and _free_to_trade(s, id):
            yield ChooseOption("trade_agreement", id)


def _alliances(s: State, power: str) -> Iterator[ChooseOption]:
    for id in s.trades:
        trade = s.facts.trade[id]
        if trade.to == power and s.allied.get(trade.country) == NEUTRAL:
            yield ChooseOption("alliance", trade.country)


def _rearmaments(s: State, power: str) -> Iterator[ChooseOption]:
    for counter in s.groups[power][0]:
        yield ChooseOption("rearmament", counter)


def _mobilizations(s: State, power: str) -> Iterator[ChooseOption]:
    for id, unit in sorted(s.of(power)):
        if unit.size < biggest(s, power, id) and (
            full(s, unit.at, s.domain(id), unit.size + 1, unit.port, (id,)) is None
        ):
            yield ChooseOption("mobilization", id)
    for id in s.pool[power]:
        if not id.endswith(BIG) and s.facts.kinds[id].type == "GAR":
            for area in areas_of(s, s.facts.kinds[id].home):
                if s.control[area] == power and full(s, area, "land", 1) is None:
                    yield ChooseOption("mobilization", id, area)


def _stockpiles(s: State, power: str) -> Iterator[ChooseOption]:
    yield ChooseOption("stockpile", "resource")
    if f"stockpiled_oil:{power}" not in s.flags:
        yield ChooseOption("stockpile", "oil")


def _propaganda(s: State, power: str) -> Iterator[ChooseOption]:
    for marker, box in s.entry.items():
        yield ChooseOption("propaganda", marker, "up")
        if box:
            yield ChooseOption("propaganda", marker, "down")


STANDARD: dict[str, Callable[[State, str], Iterator[ChooseOption]]] = {
    "trade_agreement": _agreements,
    "alliance": _alliances,
    "rearmament": _rearmaments,
    "mobilization": _mobilizations,
    "stockpile": _stockpiles,
    "propaganda": _propaganda,
}
"""The Standard Options, with the ways to use each.

Rules: 9.2a
"""
