"""Declaring war and allying (3.1-3.3)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def open_phase(g: Table[State]) -> Procedure[None]:
    """What has to be settled as a side's phase begins."""
    return
    yield


def check_declaration(s: State, power: str, on: str) -> None:
    """Raise IllegalDecision if a power may not declare war on a country or power."""
    raise NotImplementedError


def declarations(s: State, power: str) -> list[str]:
    """The countries and powers that a power may declare war on now, sorted."""
    return []


def declare_war(g: Table[State], power: str, on: str) -> Procedure[None]:
    """Declare war and carry out its effects."""
    return
    yield
