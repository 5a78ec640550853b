"""Forms of production and of placing units."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from sandtable.games.gw36 import words
from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import Job, State
from sandtable.games.gw36.rules.alignment import Influence
from sandtable.games.gw36.rules.chart import UPGRADES, due, instalment, instalments
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.early_fighters import Convert
from sandtable.games.gw36.rules.income import DivideIncome, bonus
from sandtable.games.gw36.rules.lend_lease import Deliver
from sandtable.games.gw36.rules.lend_lease import most as most_lent
from sandtable.games.gw36.rules.placement import Place, Reassign, Refit, units_ready
from sandtable.games.gw36.rules.placing import places
from sandtable.games.gw36.rules.production import (
    Advance,
    Build,
    Buy,
    Deny,
    Lend,
    Outfit,
    Upgrade,
    candidates,
)
from sandtable.games.gw36.rules.repairs import Dock, Repair
from sandtable.games.gw36.rules.research import Research, dice
from sandtable.games.gw36.rules.terms import on, power_of
from sandtable.games.gw36.view import symbol, zone_name
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Limit, Row
from sandtable.kernel.errors import IllegalDecision

_LEND_LEASE = "Lend-lease"

_GROUPS = (
    "Go on building",
    "Units",
    "Upgrade units",
    "Repair",
    "Research",
    "Win a Minor Power over",
    "Factories",
    "Ports and yards",
    "Bases",
    "Fortifications and guns",
    "Railways",
    "Enlarge facilities",
    _LEND_LEASE,
    "Other",
)
"""The headings of the Production Phase, in order."""

_BUILDINGS = {
    "factory": "Factories",
    "port": "Ports and yards",
    "shipyard": "Ports and yards",
    "dockyard": "Ports and yards",
    "base": "Bases",
    "border": "Fortifications and guns",
    "rail": "Railways",
}


class _Told(Struct, frozen=True):
    """A decision in words."""

    label: str
    group: str
    detail: str = ""
    spaces: tuple[str, ...] = ()
    symbol: str = ""


# --- production ----------------------------------------------------------------------------------


def produce(legal: Legal) -> Form:
    """What the money can buy now, under headings."""
    s: State = legal.state
    nation = legal.asked.power
    money = s.treasury.get(nation, 0)
    choices = []
    for decision in candidates(s, nation, most=1):
        if isinstance(decision, Lend) and decision.ipp > 1:
            continue  # the form of a single one asks how many
        try:
            legal.asked.check(s, decision)
        except IllegalDecision:
            continue
        choices.append(_choice(s, nation, decision, money))
    choices.sort(key=_place_of)
    return Form(
        kind=legal.asked.kind,
        power=nation,
        component="choose",
        title="Production",
        prompt=f"You have {money} IPP to build, repair and research. What is paid for in full is "
        "placed at the end of the turn.",
        choices=tuple(choices),
        done=plain(Done()),
        done_label="End production",
        done_warning=_forgotten(s, nation, money, 3 if choices else money + 1),
        notes=(" ".join(_notes(s, nation)),),
        help=(
            Help("7.1a", "Building units"),
            Help("7.3a", "Instalments"),
            Help("7.6a", "Research"),
        ),
    )


def _lent(s: State, receiver: str) -> str:
    """The heading for what is lent to a nation."""
    return f"{_LEND_LEASE} to {s.facts.name(receiver)}"


def _place_of(choice: Choice) -> tuple[int, str]:
    """The order of headings: as listed, lend-lease by receiver."""
    lent = choice.group.startswith(_LEND_LEASE)
    return _GROUPS.index(_LEND_LEASE if lent else choice.group), choice.group


def _notes(s: State, nation: str) -> Iterator[str]:
    yield f"Income {s.income.get(nation, 0)} IPP a turn, bonus {bonus(s, nation)} as it stands."
    ready = words.units(s.facts, units_ready(s, nation))
    if ready != "nothing":
        yield f"To be placed this turn: {ready}."
    rolls = dice(s, nation)
    if rolls:
        yield f"Research rolls left: {rolls}."


def _forgotten(s: State, nation: str, money: int, spare: int) -> str:
    """What could still be done with the money; less than `spare` is not worth a word."""
    unpaid = [
        s.facts.name(job.what)
        for job in s.track
        if job.nation == nation and job.left and not job.paid
        if instalment(s, nation, job) <= money
    ]
    if unpaid:
        return f"Nothing has been paid this turn for: {', '.join(dict.fromkeys(unpaid))}."
    rolls = dice(s, nation)
    if rolls:
        return f"You have {rolls} research roll{'s' if rolls > 1 else ''} left."
    return f"You have not spent {money} IPP." if money >= spare else ""


def _choice(s: State, nation: str, decision: Decision, money: int) -> Choice:
    told = _told(s, nation, decision)
    given = plain(decision)
    rows: tuple[Row, ...] = ()
    limits: tuple[Limit, ...] = ()
    price = most = 0
    if isinstance(decision, Buy) and not decision.to:
        kind = s.facts.units[decision.unit]
        price = due(s, nation, Job(nation, kind.id, 0, at=decision.at, fast=decision.fast))
        most = money // max(price, 1)
        if kind.per_turn:
            most = min(most, kind.per_turn - s.done.get(f"bought:{nation}:{kind.id}", 0))
    elif isinstance(decision, Outfit) and decision.upgrade == "motorized_upgrade":
        price = UPGRADES[decision.upgrade].ipp
        most = money // price
    field = "number"
    if isinstance(decision, Lend):
        price, most, field = 1, min(money, most_lent(s, decision.to)), "ipp"
    if most > 1:
        given = {key: value for key, value in given.items() if key != field}
        rows = (Row(field, told.label, (field,), most, value=1, cost=price),)
        limits = (Limit("IPP", money, by_cost=True),)
    single = isinstance(decision, Lend) and not rows
    return Choice(
        f"1 {told.label}" if single else told.label,
        given,
        told.detail,
        told.spaces,
        told.symbol,
        group=told.group,
        rows=rows,
        limits=limits,
    )


def _price(parts: tuple[int, ...]) -> str:
    """`3 IPP`, `3 turns of 4 IPP`, `5, then 6 IPP`."""
    if len(parts) == 1:
        return f"{parts[0]} IPP"
    if len(set(parts)) == 1:
        return f"{len(parts)} turns of {parts[0]} IPP"
    return f"{', then '.join(map(str, parts))} IPP"


def _unit(kind: UnitType, parts: tuple[int, ...]) -> str:
    shown = [_price(parts)]
    if kind.attack is not None:
        shown.append(f"attack {kind.attack}")
    if kind.defense is not None:
        shown.append(f"defense {kind.defense}")
    shown.append(f"moves {kind.move}")
    return " · ".join(shown)


def _told(s: State, nation: str, decision: Decision) -> _Told:
    """A decision of the Production Phase in words."""
    facts, name = s.facts, s.facts.name
    if isinstance(decision, Buy):
        kind = facts.units[decision.unit]
        parts = instalments(s, nation, Job(nation, kind.id, 0, fast=decision.fast))
        lent = f" for {name(decision.to)}" if decision.to else ""
        at = f" in {name(decision.at)}" if decision.at else ""
        quick = ", two instalments at once" if decision.fast else ""
        group = _lent(s, decision.to) if decision.to else "Units"
        spaces = (decision.at,) if decision.at else ()
        label = f"{kind.name}{lent}{at}{quick}"
        return _Told(label, group, _unit(kind, parts), spaces, symbol(kind))
    if isinstance(decision, Advance):
        job = Job(nation, decision.what, decision.left, decision.at, decision.border, decision.to)
        job = next((each for each in s.track if each[:6] == job[:6] and not each.paid), job)
        unit = facts.units.get(decision.what)
        place = decision.at if decision.at in facts.zones else ""
        label = f"{words.thing(facts, decision.what)}{f' in {name(place)}' if place else ''}"
        detail = f"{instalment(s, nation, job)} IPP now, " + (
            "then it is ready" if decision.left == 1 else f"{decision.left - 1} more turns"
        )
        mark = symbol(unit) if unit else "factory"
        return _Told(label, "Go on building", detail, (place,) if place else (), mark)
    border = getattr(decision, "border", "")
    towards = f" towards {words.zone(facts, border)}" if border else ""
    if isinstance(decision, Build):
        building = facts.facilities.get(decision.facility)
        job = Job(nation, decision.facility, 0, decision.at, decision.border, fast=decision.fast)
        quick = ", two instalments at once" if decision.fast else ""
        return _Told(
            f"{name(decision.facility)} in {name(decision.at)}{towards}{quick}",
            _BUILDINGS[building.group if building else "rail"],
            _price(instalments(s, nation, job)),
            (decision.at,),
            "fortress" if building and building.group == "border" else "factory",
        )
    if isinstance(decision, Upgrade):
        label = f"{name(decision.facility)} in {name(decision.at)}{towards}"
        upgrade = facts.facilities[decision.facility].upgrade
        detail = f"to {name(upgrade[0])}" if upgrade else ""
        return _Told(label, "Enlarge facilities", detail, (decision.at,), "factory")
    if isinstance(decision, Outfit):
        lent = f" for {name(decision.to)}" if decision.to else ""
        price = f"{UPGRADES[decision.upgrade].ipp} IPP each"
        return _Told(
            words.UPGRADES[decision.upgrade] + lent, "Upgrade units", price, (), "infantry"
        )
    if isinstance(decision, Research):
        technology = facts.technologies[decision.technology]
        stage = s.tech.get((power_of(s, nation), technology.id), 0)
        detail = (
            f"Stage {stage + 1} of {len(technology.stages)}, on {technology.stages[stage]} or more"
        )
        return _Told(technology.name, "Research", detail, (), "unit")
    if isinstance(decision, Influence):
        label = f"{name(decision.nation)} for {decision.ipp} IPP"
        detail = "Pay and roll; the more is paid, the likelier."
        return _Told(label, "Win a Minor Power over", detail, (), "flag")
    if isinstance(decision, Repair):
        border = f" ({words.zone(facts, decision.border)})" if decision.border else ""
        label = f"{name(decision.facility)} in {words.zone(facts, decision.at)}{border}"
        detail = f"{decision.points} points of damage"
        return _Told(label, "Repair", detail, (decision.at,), "damage")
    if isinstance(decision, Dock):
        label = f"{name(decision.ship)} to the yards of {name(decision.at)}"
        return _Told(label, "Repair", f"{decision.hits} damage", (decision.at,), "damage")
    if isinstance(decision, Lend):
        label = f"IPP to {name(decision.to)}"
        return _Told(label, _lent(s, decision.to), "Delivered at the end", (), "lend_lease")
    if isinstance(decision, Convert):
        what = "Scrap" if decision.scrap else "Modernise"
        label = f"{what} {decision.number} Early Fighters in {words.zone(facts, decision.space)}"
        return _Told(label, "Other", "", (decision.space,), "fighter")
    assert isinstance(decision, Deny)
    what = "Deny" if decision.denied else "Allow"
    return _Told(f"{what} the Soviet Union the bonus of the Arctic convoys", "Other")


# --- placing units -------------------------------------------------------------------------------


def place_units(legal: Legal) -> Form:
    """Zone by zone what can be placed there, upgrades and deliveries."""
    s: State = legal.state
    nation = legal.asked.power
    box = units_ready(s, nation)
    waiting = words.units(s.facts, box)
    return Form(
        kind=legal.asked.kind,
        power=nation,
        component="choose",
        title="Place units",
        prompt="Place what is ready, carry out upgrades and deliver lend-lease. What you leave "
        "waits for a later turn.",
        choices=(*_sites(legal, s, nation, box), *_others(legal, s, nation)),
        done=plain(Done()),
        done_label="Collect income",
        done_warning=f"Not placed: {waiting}." if box else "",
        notes=(f"Ready: {waiting}.",) if box else (),
        help=(Help("11.1a", "Placing units"), Help("11.4a", "Delivery")),
    )


def _sites(legal: Legal, s: State, nation: str, box: dict[str, int]) -> Iterator[Choice]:
    """A zone with the units that it could take; as many as go are filled in."""
    at: dict[str, list[str]] = {}
    for type_ in box:
        if not (s.facts.units[type_].decks and on(s, "advanced_carriers")):
            for space in places(s, nation, type_):
                at.setdefault(space, []).append(type_)
    for space, types in sorted(at.items(), key=lambda item: (-len(item[1]), item[0])):
        proposed: dict[str, int] = {}
        rows = []
        for type_ in types:
            most = _most(legal, s, space, {}, type_, box[type_])
            if not most:
                continue
            fits = _most(legal, s, space, proposed, type_, most)
            if fits:
                proposed[type_] = fits
            kind = s.facts.units[type_]
            rows.append(
                Row(
                    type_,
                    kind.name,
                    ("units", type_),
                    most,
                    value=fits,
                    symbol=symbol(kind),
                    power=nation,
                )
            )
        if rows:
            yield Choice(
                f"Place in {words.zone(s.facts, space)}",
                {"kind": "place", "space": space, "units": {}},
                words.units(s.facts, {row.key: row.most for row in rows}),
                (space,),
                rows[0].symbol,
                nation,
                "At sea" if s.facts.zones[space].sea else "On land",
                tuple(rows),
            )


def _most(
    legal: Legal, s: State, space: str, beside: dict[str, int], type_: str, count: int
) -> int:
    """How many of a type can be placed in a zone beside others."""
    for number in range(count, 0, -1):
        try:
            legal.asked.check(s, Place(space, {**beside, type_: number}))
        except IllegalDecision:
            continue
        return number
    return 0


def _others(legal: Legal, s: State, nation: str) -> Iterator[Choice]:
    """Carriers with aircraft, upgrades and lend-lease."""
    name = s.facts.name
    for decision in legal:
        if isinstance(decision, Place):
            if len(decision.units) == 1:
                continue
            beside = f", aircraft from {name(decision.fetch)}" if decision.fetch else ""
            label = (
                f"{words.units(s.facts, decision.units)} in {zone_name(s.facts, decision.space)}"
            )
            yield Choice(
                label + beside,
                plain(decision),
                spaces=(decision.space,),
                symbol="carrier",
                power=nation,
                group="Carriers",
            )
        elif isinstance(decision, Refit):
            lent = f" of {name(decision.to)}" if decision.to else ""
            what = words.UPGRADES[decision.upgrade]
            label = f"{decision.number} in {name(decision.space)}: {what}{lent}"
            yield Choice(
                label,
                plain(decision),
                spaces=(decision.space,),
                symbol="infantry",
                group="Upgrades",
            )
        elif isinstance(decision, Deliver):
            label = f"Deliver {words.thing(s.facts, decision.what)} to {name(decision.to)}"
            path = decision.path
            way = " - ".join(words.zone(s.facts, zone) for zone in path)
            group = _lent(s, decision.to)
            yield Choice(label, plain(decision), way, path, "lend_lease", group=group)
        elif isinstance(decision, Reassign):
            label = (
                f"Keep {words.thing(s.facts, decision.what)} that was meant for {name(decision.to)}"
            )
            group = _lent(s, decision.to)
            yield Choice(label, plain(decision), symbol="lend_lease", group=group)


def divide_income(legal: Legal) -> Form:
    """Shares of the Wartime Economy for the parts of the Commonwealth."""
    s: State = legal.state
    asked = legal.asked
    assert isinstance(asked, DivideIncome)
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="assign",
        title="Wartime Economy",
        prompt=f"Your wartime economy has made {asked.ipp} IPP more. Give away what you like; the "
        "rest is yours.",
        base={"kind": "divide", "shares": {}},
        rows=tuple(
            Row(nation, s.facts.name(nation), ("shares", nation), asked.ipp, power=nation)
            for nation in asked.among
        ),
        limits=(Limit("IPP given away", asked.ipp),),
        pass_label="Keep all",
        help=(Help("7.8.wartime-economy-b", "Wartime Economy"),),
    )
