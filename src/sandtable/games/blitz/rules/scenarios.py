"""The scenarios' own rules (A to F)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def begin_turn(g: Table[State]) -> Procedure[None]:
    """What happens as a turn begins."""
    return
    yield


def reinforce(g: Table[State]) -> Procedure[None]:
    """Reinforcements that a scenario brings at the end of a turn."""
    return
    yield


def soviet_attack(g: Table[State]) -> Procedure[None]:
    """Scenario E: the attack of the USSR on Harbin and beyond."""
    return
    yield


def after_action(g: Table[State]) -> Procedure[None]:
    """What a scenario looks at after everything that is done: an immediate end, a garrison."""
    return
    yield


def before_builds(g: Table[State]) -> Procedure[None]:
    """What a scenario takes or gives before the builds of a turn are made."""
    return
    yield
