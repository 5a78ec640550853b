"""Forms of production and of placing units."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36 import words
from sandtable.games.gw36.model import Job, State
from sandtable.games.gw36.rules.alignment import Influence
from sandtable.games.gw36.rules.chart import instalments
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.early_fighters import Convert
from sandtable.games.gw36.rules.lend_lease import Deliver
from sandtable.games.gw36.rules.placement import Place, Reassign, Refit
from sandtable.games.gw36.rules.production import (
    Advance,
    Build,
    Buy,
    Deny,
    Lend,
    Outfit,
    Upgrade,
)
from sandtable.games.gw36.rules.repairs import Dock, Repair
from sandtable.games.gw36.rules.research import Research
from sandtable.games.gw36.view import symbol
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Row

_MOST = 400
"""Choices that a form lists."""


def produce(legal: Legal) -> Form:
    """What the money can buy now, by kind."""
    s: State = legal.state
    nation = legal.asked.power
    return Form(
        kind=legal.asked.kind,
        power=nation,
        component="choose",
        title="Production",
        prompt=f"Spend your {s.treasury.get(nation, 0)} IPP: begin units and facilities, pay the "
        "next instalments, repair, research. What is paid for is placed at the end of the turn.",
        choices=_choices(s, nation, legal),
        done=plain(Done()),
        done_label="End production",
        help=(
            Help("7.1a", "Building units"),
            Help("7.3a", "Instalments"),
            Help("7.6a", "Research"),
        ),
    )


def place_units(legal: Legal) -> Form:
    """Where what is ready can be put."""
    s: State = legal.state
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Place units",
        prompt="Place what is ready, carry out upgrades and deliver lend-lease. What you leave "
        "waits for a later turn.",
        choices=_choices(s, legal.asked.power, legal),
        done=plain(Done()),
        done_label="Collect income",
        help=(Help("11.1a", "Placing units"), Help("11.4a", "Delivery")),
    )


def _choices(s: State, nation: str, legal: Legal) -> tuple[Choice, ...]:
    found: list[Choice] = []
    several: dict[tuple[str, str, str, str], tuple[Choice, int]] = {}
    for decision in legal:
        if isinstance(decision, Buy | Outfit):
            # One entry for any number of a type.
            what = decision.unit if isinstance(decision, Buy) else decision.upgrade
            key = (decision.kind, what, decision.to, getattr(decision, "at", ""))
            if isinstance(decision, Buy) and decision.fast:
                key = (*key[:3], f"{key[3]} fast")
            old = several.get(key)
            most = max(decision.number, old[1] if old else 0)
            several[key] = (_choice(s, nation, decision), most)
            continue
        if isinstance(decision, Done):
            continue
        found.append(_choice(s, nation, decision))
        if len(found) >= _MOST:
            break
    grouped = [_numbered(choice, most) for choice, most in several.values()]
    return tuple(sorted((*grouped, *found), key=lambda each: each.group))


def _numbered(choice: Choice, most: int) -> Choice:
    rows = (Row("number", "How many", ("number",), max(most, 1), value=1),)
    decision = {key: value for key, value in choice.decision.items() if key != "number"}
    return Choice(
        choice.label,
        decision,
        choice.detail,
        choice.spaces,
        choice.symbol,
        choice.power,
        choice.group,
        rows if most > 1 else (),
    )


def _choice(s: State, nation: str, decision: Decision) -> Choice:
    label, detail, group, spaces, mark = _described(s, nation, decision)
    return Choice(label, plain(decision), detail, spaces, mark, group=group)


def _described(
    s: State, nation: str, decision: Decision
) -> tuple[str, str, str, tuple[str, ...], str]:
    """Label, detail, group, spaces and symbol of a decision."""
    name = s.facts.name
    if isinstance(decision, Buy):
        kind = s.facts.units[decision.unit]
        price = "/".join(map(str, kind.cost))
        lent = f" for {name(decision.to)}" if decision.to else ""
        at = f" in {words.zone(s.facts, decision.at)}" if decision.at else ""
        quick = ", two instalments at once" if decision.fast else ""
        group = "2 Lend-lease" if decision.to else "1 Units"
        return f"{kind.name}{lent}{at}{quick}", f"{price} IPP", group, (), symbol(kind)
    if isinstance(decision, Advance):
        kind_ = s.facts.units.get(decision.what)
        at = f" in {words.zone(s.facts, decision.at)}" if decision.at else ""
        mark = symbol(kind_) if kind_ else "factory"
        return (
            f"Go on with {name(decision.what)}{at}",
            f"{decision.left} left",
            "0 Instalments",
            ((decision.at,) if decision.at in s.facts.zones else ()),
            mark,
        )
    if isinstance(decision, Build):
        where = f" towards {words.zone(s.facts, decision.border)}" if decision.border else ""
        job = Job(nation, decision.facility, 0, decision.at, decision.border, fast=decision.fast)
        price = "/".join(map(str, instalments(s, nation, job)))
        quick = ", two instalments at once" if decision.fast else ""
        label = f"{name(decision.facility)} in {name(decision.at)}{where}{quick}"
        return label, f"{price} IPP", f"5 {name(decision.facility)}", (decision.at,), "factory"
    if isinstance(decision, Upgrade):
        label = f"Upgrade the {name(decision.facility)} in {name(decision.at)}"
        return label, "", "4 Upgrades", (decision.at,), "factory"
    if isinstance(decision, Outfit):
        what = {
            "militia_upgrade": "Militia to Infantry",
            "motorized_upgrade": "Infantry to Motorized",
        }
        lent = f" for {name(decision.to)}" if decision.to else ""
        return what.get(decision.upgrade, decision.upgrade) + lent, "", "4 Upgrades", (), "infantry"
    if isinstance(decision, Research):
        return f"Research {name(decision.technology)}", "", "3 Research", (), "unit"
    if isinstance(decision, Influence):
        return _plain(s, decision, "Influence"), "", "3 Influence", (), "flag"
    if isinstance(decision, Repair | Dock):
        return _plain(s, decision, "Repair"), "", "4 Repairs", (), "damage"
    if isinstance(decision, Lend):
        return (
            f"Lend {decision.ipp} IPP to {name(decision.to)}",
            "",
            "2 Lend-lease",
            (),
            "lend_lease",
        )
    if isinstance(decision, Convert | Deny):
        return _plain(s, decision, decision.kind.capitalize()), "", "6 Other", (), "unit"
    if isinstance(decision, Place):
        what_ = words.units(s.facts, decision.units)
        fetched = f", aircraft from {name(decision.fetch)}" if decision.fetch else ""
        (first, *_) = decision.units
        label = f"{what_} in {words.zone(s.facts, decision.space)}{fetched}"
        return label, "", f"1 {name(first)}", (decision.space,), symbol(s.facts.units[first])
    if isinstance(decision, Refit):
        label = f"{decision.number} upgraded in {name(decision.space)}"
        return label, "", "2 Upgrades", (decision.space,), "infantry"
    if isinstance(decision, Deliver | Reassign):
        return _plain(s, decision, "Lend-lease"), "", "3 Lend-lease", (), "lend_lease"
    return _plain(s, decision, decision.kind), "", "9 Other", (), ""


def _plain(s: State, decision: Decision, what: str) -> str:
    """A decision with its fields in words."""
    return f"{what}: {', '.join(_fields(s, decision))}"


def _fields(s: State, decision: Decision) -> Iterator[str]:
    for field in decision.__struct_fields__:
        value = getattr(decision, field)
        if value in ("", (), {}, None, False):
            continue
        if isinstance(value, str):
            yield words.zone(s.facts, value)
        elif isinstance(value, dict):
            yield words.units(s.facts, value)
        elif isinstance(value, tuple):
            yield " - ".join(words.zone(s.facts, str(each)) for each in value)
        else:
            yield f"{field.replace('_', ' ')} {value}"
