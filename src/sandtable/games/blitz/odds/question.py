"""From a question as it is asked to a combat that is about to begin.

Units stand where the position has them, or where the question puts them; then the attack is
announced through the rules, which refuse what may not be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from sandtable.games.blitz import RULES
from sandtable.games.blitz.model import State
from sandtable.games.blitz.odds.names import Given, Named, clause, read_area, read_units, unit_names
from sandtable.games.blitz.odds.place import (
    bring_to_sea,
    clear,
    embark,
    put,
    put_to_sea,
)
from sandtable.games.blitz.odds.policy import Play, Policy, read_order
from sandtable.games.blitz.odds.tree import MOST
from sandtable.games.blitz.rules.land_combat import (
    AnnounceAttack,
    CommitDefence,
    Defend,
    LandAreaCombat,
    SettleDispute,
    land_area_combat,
    unfit,
)
from sandtable.games.blitz.rules.order import begin_step, rest_units
from sandtable.games.blitz.rules.over import GameOver
from sandtable.games.blitz.rules.rounds import in_port
from sandtable.games.blitz.rules.sea_combat import combats, flyers
from sandtable.games.blitz.rules.sides import OTHER, acting_side, introduced
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.setup import faults
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.kernel.errors import IllegalDecision, PositionError, SandtableError
from sandtable.kernel.game import Game
from sandtable.kernel.saves import load as load_save
from sandtable.kernel.start import read_position
from sandtable.kernel.table import Table
from sandtable.odds.errors import OddsError

KINDS = ("ground", "factory", "port", "sea")


@dataclass(frozen=True)
class Question:
    """A combat that is about to begin."""

    state: State
    kind: str
    target: str
    policy: Policy
    territory: float = 0.0
    notes: tuple[str, ...] = ()
    most: int = MOST
    """So many runs of the rules are made at most."""
    sample: int = 0
    """Combats at random that are fought where that is not enough."""


class _Ready(Exception):
    """The combat is about to begin."""


def question(
    attack: Given = "",
    defend: Given = "",
    *,
    target: str = "",
    combat: str = "",
    port: str = "",
    flying: Given = "",
    scenario: str = "",
    options: Mapping[str, Any] | None = None,
    turn: int | None = None,
    position: Mapping[str, Any] | str | Path | None = None,
    load: str | Path | None = None,
    game: Game | None = None,
    attack_order: str | Sequence[str] = "cheapest",
    defend_order: str | Sequence[str] = "cheapest",
    defend_subs: str = "stay",
    territory: float = 0.0,
    most: int = MOST,
    sample: int = 0,
    data: str | Path | None = None,
) -> Question:
    """Read a question; OddsError with one sentence if there is anything wrong with it.

    The position is a scenario's set-up (`scenario`, `options`), a custom `position`, a file that
    holds a position or a saved game (`load`), or a `game`. Units are named, with a Size and a place
    if they are not to be as they stand: "army group center 3, luftwaffe @ poland". `attack` names
    all that attack. In `defend`, units that have to stand in the area (on land: land units; in a
    Port Attack and at sea: ships) take the place of those that stand there; air units join them.
    `combat` is ground, factory, port or sea; without it, what the target and the units suggest.
    `flying` are the PARAs that fly in, if they could walk as well. `most` and `sample` as in
    `Question`; `data` is a folder whose data files take the place of the game's own.
    """
    s = _position(scenario, options, turn, position, load, game, data)
    attackers = read_units(s.facts, attack, "attacker")
    defenders = read_units(s.facts, defend, "defender")
    if not attackers:
        raise OddsError("The attacker has no units: name them, for instance '18th army 2'.")
    if not target:
        raise OddsError("Say which area is attacked.")
    area = read_area(s.facts, target)
    if area not in s.in_play:
        raise OddsError(f"{s.facts.names[area]} is not in play in scenario {s.scenario_id}.")
    kind = _kind(s, area, combat, port, attackers)
    if port and kind != "port":
        raise OddsError("Only a Port Attack names a port.")
    before = set(faults(s))
    _begin(s, "C" if kind == "sea" else "F", attackers)
    play = policy(s, attack_order, defend_order, defend_subs)
    try:
        if kind == "sea":
            q = _sea(s, area, attackers, defenders, play, before)
        else:
            dropped = [unit.id for unit in read_units(s.facts, flying, "attacker")]
            for id in dropped:
                if all(id != unit.id for unit in attackers):
                    raise OddsError(f"{s.facts.names[id]} is to fly in, but does not attack.")
            berth = _port(s, area, port) if kind == "port" else ""
            q = _land(s, kind, area, berth, attackers, defenders, dropped, play, before)
    except PositionError as error:
        raise OddsError(str(error)) from None
    except GameOver:
        raise OddsError("The game is over in this position.") from None
    return replace(q, territory=territory, most=most, sample=sample)


# --- the position -----------------------------------------------------------------------------


def _position(
    scenario: str,
    options: Mapping[str, Any] | None,
    turn: int | None,
    position: Mapping[str, Any] | str | Path | None,
    load: str | Path | None,
    game: Game | None,
    data: str | Path | None,
) -> State:
    if sum(each is not None for each in (position, load, game)) > 1:
        raise OddsError("Give one of a position, a file and a game.")
    try:
        if load is not None and is_save(load):
            game = load_game(load)
        if game is not None:
            if scenario or options:
                raise OddsError("A game has its scenario and its options.")
            s: State = game.state.copy()
        else:
            chosen = dict(options or {})
            if scenario:
                chosen["scenario"] = scenario
            given = read_position(position if load is None else load)
            s = RULES.start(RULES.read_options(chosen), given, Path(data) if data else None)
    except SandtableError as error:
        raise OddsError(str(error)) from None
    if turn is not None:
        first, last = s.scenario.turns
        if not first <= turn <= last:
            raise OddsError(f"Scenario {s.scenario_id} has Turns {first} to {last}, not {turn}.")
        s.turn = turn
        s.forget()
    return s


def is_save(path: str | Path) -> bool:
    """Whether a file holds a saved game, not a position."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise OddsError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        return False
    return isinstance(content, dict) and "journal" in content


def load_game(path: str | Path) -> Game:
    """The game in a save; OddsError if it is none of Blitz!."""
    try:
        game = load_save(path)
    except SandtableError as error:
        raise OddsError(str(error)) from None
    if game.rules.id != "blitz":
        raise OddsError(f"{path} holds a game of {game.rules.id}, not of blitz.")
    return game


def _begin(s: State, step: str, attackers: Sequence[Named]) -> None:
    """Make it the attackers' phase and the step of the combat.

    If it is their phase already, what they did in it and their Blitz count; otherwise it is their
    next Activities.
    """
    sides = []
    for unit in attackers:
        power = s.units[unit.id].power if unit.id in s.units else s.facts.kinds[unit.id].power
        sides.append(s.facts.side.get(power, ""))
        if sides[-1] != sides[0]:
            one, two = (s.facts.names[each.id] for each in (attackers[0], unit))
            raise OddsError(f"{one} and {two} are not on the same side.")
    if not sides[0]:
        raise OddsError(f"{s.facts.names[attackers[0].id]} is neutral and cannot attack.")
    own = "axis" if sides[0] == "axis" else "allied"
    if not s.phase.startswith(own):
        rest_units(s)
        s.phase = f"{own}_activities"
    s.attacks = ()
    begin_step(s, step)
    s.forget()


def _kind(s: State, area: str, combat: str, port: str, attackers: Sequence[Named]) -> str:
    sea = area in s.facts.seas
    if not combat:
        if sea:
            combat = "sea"
        elif any(s.facts.domain[unit.id] == "land" for unit in attackers):
            combat = "ground"
        else:
            factory = s.facts.lands[area].factory and not port
            combat = "factory" if factory else "port"
    if combat not in KINDS:
        raise OddsError(f"A combat is one of {', '.join(KINDS)}, not {combat!r}.")
    if sea != (combat == "sea"):
        what = "sea" if sea else "land"
        raise OddsError(f"{s.facts.names[area]} is a {what} area: there is no {combat} combat.")
    return combat


def policy(
    s: State,
    attack_order: str | Sequence[str] = "cheapest",
    defend_order: str | Sequence[str] = "cheapest",
    defend_subs: str = "stay",
) -> Policy:
    """How both sides play."""
    if defend_subs not in ("stay", "evade"):
        raise OddsError(f"Defending submarines stay or evade, not {defend_subs!r}.")
    known = unit_names(s.facts)
    ours, theirs = read_order(attack_order, known), read_order(defend_order, known)
    return Policy(Play(*ours), Play(*theirs, evade=defend_subs == "evade"))


def _defend(
    s: State, area: str, defenders: Sequence[Named], domain: str, port: str = ""
) -> list[str]:
    """Put the defenders where they are: those of the domain that has to stand in the area there,
    instead of whoever does; the others, who are returned, where they stand and join from."""
    side = OTHER[acting_side(s)]
    at_sea = area in s.facts.seas
    named = [unit.id for unit in defenders]
    for unit in defenders:
        power = s.units[unit.id].power if unit.id in s.units else s.facts.kinds[unit.id].power
        if s.facts.side.get(power) != side:
            raise OddsError(f"{s.facts.names[unit.id]} is not on the defender's side.")
    if any(s.facts.domain[id] == domain for id in named):
        clear(s, area, side, named, "" if at_sea else domain)
    joining = []
    for unit in defenders:
        if s.facts.domain[unit.id] == domain:
            put(s, unit, area, port)
        else:
            put(s, unit, unit.at)
            if not at_sea or s.units[unit.id].at != area:
                joining.append(unit.id)
    return joining


def _check(s: State, before: set[str]) -> None:
    """Raise OddsError if the units have been put where they cannot be."""
    for wrong in faults(s):
        if wrong not in before:
            raise OddsError(wrong)


# --- at sea -------------------------------------------------------------------------------------


def _sea(
    s: State,
    sea: str,
    attackers: Sequence[Named],
    defenders: Sequence[Named],
    policy: Policy,
    before: set[str],
) -> Question:
    """A combat in a sea area: of those who are named, or else of those who are there."""
    facts, side = s.facts, acting_side(s)
    if not introduced(s, "C"):
        raise OddsError(f"There are no combats at sea in scenario {s.scenario_id}.")
    for unit in attackers:
        if facts.domain[unit.id] == "land":
            raise OddsError(f"{facts.names[unit.id]} is a land unit and cannot fight at sea.")
    clear(s, sea, side, [unit.id for unit in attackers])
    for unit in attackers:
        bring_to_sea(s, unit, sea)
    joining = _defend(s, sea, defenders, "naval")
    _check(s, before)
    able = {id for ids in flyers(s, sea).values() for id in ids}
    for id in joining:
        if id not in able:
            raise OddsError(f"{facts.names[id]} cannot fly to {facts.names[sea]}.")
    s.fought = frozenset(facts.seas) - {sea}
    if sea not in combats(s):
        raise OddsError(f"No combat is due in {facts.names[sea]}: nobody there fights them.")
    return Question(s, "sea", sea, replace(policy, joins=frozenset(joining)))


# --- on land ------------------------------------------------------------------------------------


def _port(s: State, area: str, port: str) -> str:
    """The port that is attacked; the only one with ships, if none is named."""
    name = s.facts.names[area]
    ports = s.facts.ports[area]
    if port:
        sea = read_area(s.facts, port)
        found = [id for id, each in ports.items() if sea == id or sea in each.seas]
        if not found:
            raise OddsError(f"{name} has no port on {s.facts.names[sea]}.")
        return found[0]
    full = [id for id in ports if in_port(s, area, id)]
    if len(full) > 1:
        names = ", ".join(full)
        raise OddsError(f"{name} has ships in several ports: say which one of {names}.")
    return full[0] if full else next(iter(ports), "")


def _land(
    s: State,
    kind: str,
    target: str,
    port: str,
    attackers: Sequence[Named],
    defenders: Sequence[Named],
    dropped: list[str],
    policy: Policy,
    before: set[str],
) -> Question:
    """An attack on a land area, announced and defended."""
    guards = _defend(s, target, defenders, "naval" if kind == "port" else "land", port)
    notes = _bring_up(s, kind, target, port, attackers, dropped)
    _check(s, before)
    _announce(s, kind, target, port, [unit.id for unit in attackers], dropped, guards)
    if kind == "ground" and not any(s.domain(id) == "land" for id in s.units_at(target)):
        notes.append(f"No land unit defends {s.facts.names[target]}.")
    return Question(s, kind, target, policy, notes=tuple(notes))


def _bring_up(
    s: State,
    kind: str,
    target: str,
    port: str,
    attackers: Sequence[Named],
    dropped: list[str],
) -> list[str]:
    """Put the attackers where they are said to be, and those who cannot attack from where they
    stand where they can: PARAs fly, land units embark, ships put to sea. What was done, told."""
    notes = []
    for unit in attackers:
        if unit.at in s.facts.seas:
            put_to_sea(s, unit)
        else:
            put(s, unit, unit.at)
    for id in (unit.id for unit in attackers if not unit.at):
        if id in dropped or unfit(s, id, kind, target, port) is None:
            continue
        if kind == "ground" and unfit(s, id, kind, target, flying=True) is None:
            dropped.append(id)
            notes.append(f"{s.facts.names[id]} flies in.")
        elif s.domain(id) != "air" and s.units[id].at in s.facts.lands:
            notes += embark(s, id, kind, target, port)
    return notes


def _announce(
    s: State,
    kind: str,
    target: str,
    port: str,
    units: Sequence[str],
    flying: Sequence[str],
    guards: Sequence[str],
) -> None:
    """Announce the attack and its defence through the rules, up to the first Round."""
    plan: dict[str, list[str]] = {}
    core = {"ground": "land", "factory": "air"}.get(kind)
    for id in sorted(units, key=lambda id: core is not None and s.domain(id) != core):
        plan.setdefault(s.units[id].power, []).append(id)
    for power in plan:
        if power not in s.queue:
            raise OddsError(f"{s.facts.names[power]} does not act in this step.")
    s.queue = (*plan, *(power for power in s.queue if power not in plan))
    combat = cast(Literal["ground", "factory", "port"], kind)
    attacks = {
        power: AnnounceAttack(
            combat, target, tuple(ids), port, tuple(id for id in flying if id in ids)
        )
        for power, ids in plan.items()
    }

    def answer(request: Request) -> Decision:
        if isinstance(request, LandAreaCombat):
            return attacks.pop(request.power) if request.power in attacks else Done()
        if isinstance(request, SettleDispute):
            name = s.facts.names[target]
            raise OddsError(f"The powers of these units cannot attack {name} together.")
        assert isinstance(request, CommitDefence), request
        able = tuple(id for id in guards if id in request.units.get("0", ()))
        return Defend({"0": able}) if able else Pass()

    def keep(strict: bool) -> None:
        if strict:
            raise _Ready

    playing = land_area_combat(Table(s, lambda *_: None, lambda event: None, keep))
    try:
        asked = next(playing)
        while True:
            answers: dict[str, Decision] = {}
            for request in asked.requests:
                answers[request.power] = answer(request)
                if answers[request.power] != Pass():
                    request.check(s, answers[request.power])
            asked = playing.send(answers)
    except _Ready:
        pass
    except IllegalDecision as error:
        raise OddsError(error.reason) from None
    for id in guards:
        if id not in s.attacks[0].defenders:
            refusal = unfit(s, id, kind, target, port)
            why = f": {clause(refusal.reason)}" if refusal else "."
            names = s.facts.names
            raise OddsError(f"{names[id]} cannot join in the defence of {names[target]}{why}")
