"""Going through phases and turns in which nothing is decided."""

from __future__ import annotations

from tests.aa1942.table import Buy, Done, Table


def pass_phase(t: Table) -> None:
    """Let the acting power do nothing more in the present phase, but place what it bought."""
    kind = t.request.kind
    if kind == "mobilize":
        t.do(next(iter(t.game.legal(t.request))))
    else:
        t.do(Buy() if kind == "purchase" else Done())


def pass_to(t: Table, phase: str) -> Table:
    """Do nothing until the acting power is asked in `phase`."""
    power = t.s.turn
    while t.s.phase != phase:
        pass_phase(t)
        assert t.s.turn == power, f"{power} was never asked in {phase}"
    return t


def pass_turn(t: Table) -> Table:
    """Do nothing more in this turn."""
    power, round_ = t.s.turn, t.s.round
    while (t.s.turn, t.s.round) == (power, round_) and t.game.result is None:
        pass_phase(t)
    return t


def pass_turns(t: Table, power: str) -> Table:
    """Do nothing until a turn of `power` begins; at least one turn ends."""
    pass_turn(t)
    while t.s.turn != power:
        pass_turn(t)
    return t
