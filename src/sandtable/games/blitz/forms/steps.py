"""The steps in which units move: who can move, and what else may be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from sandtable.games.blitz import words
from sandtable.games.blitz.forms.parts import (
    help_of,
    unit_choice,
    unit_name,
    unit_row,
)
from sandtable.games.blitz.forms.wars import wars
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import choices, compelled
from sandtable.games.blitz.rules.blitz import blitz_of, check_blitz, free_left
from sandtable.games.blitz.rules.move_land import ContestArea, Land, March, MoveLand, paths
from sandtable.games.blitz.rules.move_to_sea import Fly, MoveToSea, Sail, check_mover, embarks
from sandtable.games.blitz.rules.movement import air_range, air_reach, capacity, port_seas
from sandtable.games.blitz.rules.rebase import (
    Rebase,
    RebaseUnits,
    bases_in_reach,
    may_rebase,
    passengers,
)
from sandtable.games.blitz.rules.return_to_base import ReturnToBase, at_sea
from sandtable.games.blitz.rules.steps import Done, StepRequest, Wait
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Mover, Prospect, Row
from sandtable.kernel.errors import IllegalDecision, passes

_HOW = "Choose a unit, then the area that it moves to."

LOAD = "load:"
"""What the key of a row begins with that is to be taken aboard."""


def step_form(
    legal: Legal,
    title: str,
    prompt: str,
    done_label: str,
    *,
    component: Literal["move", "choose"] = "move",
    movers: Iterable[Mover] = (),
    choices: Iterable[Choice] = (),
    notes: Iterable[str] = (),
    battles: Iterable[Prospect] = (),
    undone: str = "",
) -> Form:
    """A step: its own actions, declarations of war, waiting, and being done."""
    request, s = legal.asked, legal.state
    assert isinstance(request, StepRequest)
    return Form(
        kind=request.kind,
        power=request.power,
        component=component,
        title=title,
        prompt=prompt,
        choices=(*choices, *wars(s, request.power), *_waiting(s)),
        movers=tuple(movers),
        done=plain(Done()),
        done_label=done_label,
        done_problem=legal.why_not(Done()),
        done_warning=undone,
        battles=tuple(battles),
        help=help_of(request),
        notes=tuple((*_free_blitz(s, request.power), *notes)),
    )


def _waiting(s: State) -> Iterator[Choice]:
    if s.waited < len(s.queue) - 1:
        others = words.names(s.facts, s.queue[1:])
        yield Choice(
            label=f"Let {others} go first",
            decision=plain(Wait()),
            detail="You are asked again afterwards.",
            tone="quiet",
        )


def _free_blitz(s: State, power: str) -> Iterator[str]:
    if blitz_of(s, power) == "free":
        yield f"Free Blitz: units of total Size {free_left(s, power)} may still move."


def _by_space(s: State, rows: Iterable[Row]) -> tuple[Mover, ...]:
    """Rows as movers, in the order of the areas' names."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.space, []).append(row)
    return tuple(
        Mover(space, tuple(found[space]), single=True)
        for space in sorted(found, key=lambda space: s.facts.names[space])
    )


# --- A: return to base ---------------------------------------------------------------------------


def return_to_base(legal: Legal, request: ReturnToBase, s: State) -> Form:
    """Step A."""
    rows, forced = [], []
    for id in sorted(at_sea(s, request.power)):
        if not passes(check_blitz, s, id, "A", s.cargo(id)) or not choices(s, id, s.units[id].at):
            continue
        must = blitz_of(s, request.power) != "free" and compelled(s, id)
        if must:
            forced.append(unit_name(s, id))
        cargo = s.cargo(id)
        carries = f"carries {words.names(s.facts, cargo)}" if cargo else ""
        note = "; ".join(part for part in ("has to return" if must else "", carries) if part)
        rows.append(unit_row(s, id, (), note=note))
    notes = [f"{name} has to return now: its bases are too far, or cut off." for name in forced]
    return step_form(
        legal,
        "Return to base",
        "Bring air and naval units home from the sea, or leave them out there. "
        "Choose a unit, then where it goes.",
        "Leave the others at sea",
        movers=_by_space(s, rows),
        notes=notes,
    )


# --- B: move to sea ------------------------------------------------------------------------------


def can_put_to_sea(s: State, request: MoveToSea, id: str) -> bool:
    """Whether a unit can go to some sea area now."""
    try:
        check_mover(s, id)
    except IllegalDecision:
        return False
    if s.domain(id) == "naval":
        return any(passes(request.check, s, Sail(id, (sea,))) for sea in port_seas(s, id))
    reached = air_reach(s, s.units[id].at, air_range(s, id))
    return any(passes(request.check, s, Fly(id, sea)) for sea in reached if sea in s.facts.seas)


def move_to_sea(legal: Legal, request: MoveToSea, s: State) -> Form:
    """Step B."""
    rows: list[Row] = []
    for id in sorted(s.owned.get(request.power, ())):
        if s.domain(id) != "land" and can_put_to_sea(s, request, id):
            rows.append(unit_row(s, id, ()))
    rows += _loads(s, rows, lambda ship: _embarking(s, ship))
    return step_form(
        legal,
        "Move to sea",
        "Send ships and naval aircraft out to sea, one at a time. "
        "Transports can take land units of twice their Size along.",
        "Done moving to sea",
        movers=_by_space(s, rows),
    )


def _embarking(s: State, ship: str) -> list[str]:
    if not capacity(s, ship) or not in_supply(s, ship):
        return []
    return [each for each in s.units_at(s.units[ship].at) if embarks(s, ship, each)]


def _loads(s: State, rows: Iterable[Row], waiting: Any) -> list[Row]:
    """Rows for what the units in `rows` can take along from where they are, each once."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for each in waiting(row.key):
            found.setdefault(each, []).append(s.facts.names[row.key])
    return [
        unit_row(
            s,
            each,
            (),
            key=f"{LOAD}{each}",
            group="Take aboard",
            note=f"can go aboard {' or '.join(ships)}",
            cargo=True,
        )
        for each, ships in sorted(found.items())
    ]


# --- D: rebase -----------------------------------------------------------------------------------


def can_rebase(s: State, request: RebaseUnits, id: str) -> bool:
    """Whether a unit can rebase somewhere now."""
    return (
        may_rebase(s, id) is None
        and passes(check_blitz, s, id, "D")
        and any(passes(request.check, s, Rebase(id, *base)) for base in bases_in_reach(s, id))
    )


def rebase_units(legal: Legal, request: RebaseUnits, s: State) -> Form:
    """Step D."""
    units = [
        id
        for id in sorted(s.owned.get(request.power, ()))
        if (s.domain(id) != "land" or s.type(id) == "PARA") and can_rebase(s, request, id)
    ]
    rows = [unit_row(s, id, ()) for id in units]
    rows += _loads(s, rows, lambda unit: passengers(s, unit))
    what = "air and naval units" if any(s.domain(id) == "naval" for id in units) else "air units"
    return step_form(
        legal,
        "Rebase",
        f"Move {what} to other bases, so that they are in range of what comes next. "
        f"Each can go {s.facts.numbers.rebase_factor} times as far as its movement.",
        "Done rebasing",
        movers=_by_space(s, rows),
    )


# --- E: move land units --------------------------------------------------------------------------


def can_march(s: State, request: MoveLand, id: str) -> bool:
    """Whether a land unit can move somewhere now."""
    unit = s.units[id]
    if unit.aboard:
        return any(passes(request.check, s, Land(id, area)) for area in s.facts.coast[unit.at])
    if "moved" in unit.done or "landed" in unit.done or not in_supply(s, id):
        return False
    return any(passes(request.check, s, March(id, path)) for path in paths(s, id))


def move_land(legal: Legal, request: MoveLand, s: State) -> Form:
    """Step E."""
    rows = [
        unit_row(s, id, (), group="Aboard" if s.units[id].aboard else "")
        for id in sorted(s.owned.get(request.power, ()))
        if s.domain(id) == "land" and s.facts.kinds[id].move and can_march(s, request, id)
    ]
    landing = any(s.units[row.key].aboard for row in rows)
    return step_form(
        legal,
        "Move land units",
        "Move armies over land, one at a time; empty enemy areas are taken on the way. "
        + ("Units aboard transports can land on a friendly coast." if landing else _HOW),
        "Done moving",
        movers=_by_space(s, rows),
    )


def contest_area(legal: Legal, request: ContestArea, s: State) -> Form:
    """An ally is about to take an area that one could move into as well."""
    facts = s.facts
    owner = s.units[request.unit].power
    rival = words.power_name(facts, owner)
    claims: list[Choice] = []
    for decision in legal:
        unit, path = getattr(decision, "unit", ""), getattr(decision, "path", ())
        if not unit:
            continue
        via = f" by way of {words.names(facts, path[:-1])}" if len(path) > 1 else ""
        claims.append(
            unit_choice(
                s, unit, decision, f"{facts.names[unit]} takes it{via}", spaces=(s.units[unit].at,)
            )
        )
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title=f"Who takes {facts.names[request.area]}?",
        prompt=f"{words.upper(rival)} {words.verb(owner, 'is', 'are')} about to take "
        f"{facts.names[request.area]}, and you could, too. Claim it with a unit of yours, or leave "
        "it. If both want it, whoever comes the shorter way takes it.",
        choices=tuple(claims),
        pass_label=f"Leave it to {rival}",
        help=help_of(request),
    )
