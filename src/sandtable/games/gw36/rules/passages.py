"""Straits and canals: who may close them to whom (1.15, Tables 1-1 and 1-2)."""

from __future__ import annotations

from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.terms import enemies, foes, power_of


def owners(s: State, passage: str) -> tuple[str, ...]:
    """The nations that open and close a passage: who possesses its controlling zones (a neutral's
    passage nobody), and whoever else the table names.

    Rules: 1.15b, table-1-2f
    """
    closing = s.facts.politics.passages[passage]
    holders = {s.possession[zone] for zone in s.facts.passages[passage].zones}
    able = {holder for holder in holders if s.facts.nations[holder].player}
    return tuple(sorted(able | ({closing.also} if closing.also else set())))


def may_close(s: State, power: str, passage: str, to: str) -> str:
    """Empty if a power may close a passage to a nation now; else the sentence that says why not.

    Rules: 1.15b, table-1-1c, table-1-2a, table-1-2b, table-1-2c, table-1-2d, table-1-2e,
        table-1-2f
    """
    facts = s.facts
    name = facts.name(passage)
    closing = facts.politics.passages[passage]
    if power not in owners(s, passage):
        return f"{facts.name(power)} does not possess the zones that control {name}."
    if power_of(s, power) == power_of(s, to):
        return f"{facts.name(power)} cannot close {name} to itself."
    if closing.to == "enemies" and not enemies(s, power, to):
        return f"{name} can be closed to Enemies only."
    sheet = facts.sheets[power]
    needed = sheet.actions.get(closing.income, 0) if closing.income else 0
    if s.income[power] < needed:
        return f"{facts.name(power)} can close {name} from an income of {needed} IPPs on."
    return ""


def close_to_enemies(s: State, one: str, other: str) -> None:
    """When two nations come to be at war, each closes its passages to the other. Their owners may
    open them again.

    Rules: 1.15b
    """
    for owner, foe in ((one, other), (other, one)):
        for passage in s.facts.politics.passages:
            for holder in owners(s, passage):
                if power_of(s, holder) == owner and not may_close(s, holder, passage, foe):
                    s.closed |= {(passage, power_of(s, foe))}


def change_hands(s: State, zone: str) -> None:
    """When the zone that controls a passage changes hands, the new owner's orders count: it is
    closed to those with whom that one is at war.

    Rules: 1.15b, table-1-1b, table-1-2d
    """
    for passage, record in s.facts.passages.items():
        if zone not in record.zones or passage not in s.facts.politics.passages:
            continue
        s.closed = frozenset(closed for closed in s.closed if closed[0] != passage)
        for owner in owners(s, passage):
            for foe in foes(s, owner):
                if not may_close(s, owner, passage, foe):
                    s.closed |= {(passage, foe)}
