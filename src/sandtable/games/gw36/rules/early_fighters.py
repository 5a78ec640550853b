"""Early War Fighters (15.9): converted, scrapped or kept from January 1940 on."""

from __future__ import annotations

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.chart import MODERN_FIGHTERS, check_money, pay
from sandtable.games.gw36.rules.terms import on
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.table import Table

CONVERSION = 4
"""What it costs to convert an Early War Fighter, and what a scrapped one brings (15.9)."""


class Convert(Decision, frozen=True, tag="convert"):
    """Turn Early War Fighters in a zone, or aboard carriers there, into Fighters; or scrap them."""

    space: str
    number: int
    scrap: bool = False


def early_fighters(s: State, nation: str, zone: str) -> int:
    """Early War Fighters of a nation in a zone, with those aboard its carriers."""
    return sum(
        count * (unit.type == "early_fighter" or sum(p.type == "early_fighter" for p in unit.cargo))
        for unit, count in s.stack(zone).items()
        if unit.nation == nation
    )


def check_convert(s: State, nation: str, convert: Convert) -> None:
    """Rules: 15.9b, 15.9c"""
    if not on(s, "early_fighters") or s.date < MODERN_FIGHTERS:
        raise IllegalDecision("Early War Fighters are converted from January 1940 on.", "15.9b")
    here = early_fighters(s, nation, convert.space)
    if not 1 <= convert.number <= here:
        raise IllegalDecision(
            f"{s.facts.name(nation)} has {here} Early War Fighters in "
            f"{s.facts.name(convert.space)}.",
            "15.9c",
        )
    if not convert.scrap:
        check_money(s, nation, CONVERSION * convert.number)


def convert_fighters(g: Table[State], nation: str, convert: Convert) -> None:
    """Rules: 15.9c"""
    s = g.state
    price = -CONVERSION if convert.scrap else CONVERSION
    pay(s, nation, price * convert.number)
    left = convert.number
    for unit, count in list(s.stack(convert.space).items()):
        if unit.nation != nation:
            continue
        while left and count:
            new = _converted(unit, convert.scrap, left)
            if new is None:
                break
            changed, number = new
            s.take(convert.space, unit)
            if changed is not None:
                s.put(convert.space, changed)
            left -= number
            count -= 1
    key = (nation, "early_fighter")
    s.lost[key] = s.lost.get(key, 0) + convert.number
    if not convert.scrap:
        new_key = (nation, "fighter")
        s.built[new_key] = s.built.get(new_key, 0) + convert.number
    g.emit(
        "converted", power=nation, space=convert.space, number=convert.number, scrap=convert.scrap
    )


def _converted(unit: Unit, scrap: bool, most: int) -> tuple[Unit | None, int] | None:
    """An Early War Fighter, or a carrier with some of them, as it is afterwards, and how many were
    changed; None if there is nothing to change."""
    if unit.type == "early_fighter":
        return (None if scrap else unit._replace(type="fighter")), 1
    number, cargo = 0, []
    for piece in unit.cargo:
        if piece.type == "early_fighter" and number < most:
            number += 1
            if scrap:
                continue
            piece = piece._replace(type="fighter")
        cargo.append(piece)
    return (unit._replace(cargo=tuple(sorted(cargo))), number) if number else None
