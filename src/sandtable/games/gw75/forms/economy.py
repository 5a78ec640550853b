"""Forms of maintenance, reinforcements and production."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.games.gw75 import words
from sandtable.games.gw75.forms.parts import told_apart, why_not
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import lend_lease, maintenance, production
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.lend_lease import Send
from sandtable.games.gw75.rules.maintenance import Idle, Maintain
from sandtable.games.gw75.rules.production import Build, Production, Undeplete
from sandtable.games.gw75.rules.reinforcement import Place, Reinforce
from sandtable.games.gw75.rules.stacking import Remove, RemoveOverstack, own
from sandtable.games.gw75.rules.terms import commander
from sandtable.games.gw75.view import SYMBOLS
from sandtable.games.gw75.words import counted, turn
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Item, Limit, NoQuestion, Purse, Row
from sandtable.kernel.table import Table


def maintain(legal: Legal) -> Form:
    """Which units stay idle."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, Maintain)
    have = maintenance.units(s, request.nation)
    proposed = next(iter(request.decisions(s)))
    assert isinstance(proposed, Idle)
    value = {(hex, type): number for hex, type, number in proposed.units}
    cost = maintenance.upkeep(s, have)
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title=f"Maintenance: {s.facts.name(request.nation)}",
        prompt=f"All units cost {cost} to maintain, and {words.the(s.facts, request.nation)} has "
        f"{request.capacity}. Choose those that stay Unactivated, for {cost - request.capacity} at "
        "least: they neither move nor attack in this Game-Turn.",
        base={"kind": "idle", "units": []},
        rows=tuple(
            Row(
                f"{hex}:{type}",
                s.facts.types[type].name,
                ("units",),
                number,
                item=[hex, type, 1],
                value=value.get((hex, type), 0),
                symbol=SYMBOLS[type],
                power=request.nation,
                space=hex,
                group=s.facts.name(hex),
                note=f"{s.facts.types[type].upkeep / 2:g} each",
            )
            for (hex, type), number in sorted(have.items())
        ),
        limits=(
            Limit(
                "Active units take",
                request.capacity,
                weights={f"{hex}:{type}": s.facts.types[type].upkeep for hex, type in have},
                rest=2,
            ),
        ),
        help=(Help("18.10a", "Maintenance"),),
    )


def reinforce(legal: Legal) -> Form:
    """Where new units appear."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, Reinforce)
    most: dict[tuple[str, str, str, str], int] = {}
    for decision in legal:
        assert isinstance(decision, Place)
        key = (decision.nation, decision.type, decision.country, decision.space)
        most[key] = max(most.get(key, 0), decision.number)
    choices = []
    for (nation, type, country, hex), number in most.items():
        name = s.facts.types[type].name
        ordered = f"ordered for {s.facts.name(country)}" if country else ""
        choices.append(
            Choice(
                f"{counted(s.facts, type, number)} in {s.facts.name(hex)}",
                plain(Place(nation, type, hex, number, country)),
                detail=ordered,
                spaces=(hex,),
                symbol=SYMBOLS[type],
                power=nation,
                group=f"{name} of {words.the(s.facts, nation)}",
            )
        )
        least = s.facts.numbers.fort_points if type == "fort" else 1
        if number > least:
            choices.append(
                Choice(
                    f"{counted(s.facts, type, least)} in {s.facts.name(hex)}",
                    plain(Place(nation, type, hex, least, country)),
                    detail=ordered,
                    symbol=SYMBOLS[type],
                    power=nation,
                    group=f"{name} of {words.the(s.facts, nation)}",
                )
            )
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title="Reinforcements",
        prompt="Units that are due appear now; what cannot appear is lost. Choose where.",
        choices=tuple(choices),
        help=(Help("18.12a", "Where units appear"), Help("18.16", "Fortifications")),
    )


def produce(legal: Legal) -> Form:
    """The production sheet: what each pot of points can order."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, Production)
    choices = tuple(_orders(legal))
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title="Production",
        prompt="Spend the Production Points of each power: what is left is lost. Of each type one "
        "more than last Game-Turn may be begun. The other side does not see your orders.",
        choices=choices,
        items=tuple(_items(legal, choices)),
        purses=tuple(Purse(_pot(s, n, c), s.points[n, c]) for n, c in _spenders(s, request.power)),
        done=plain(Done()),
        done_label="End production",
        done_warning=_unspent(s, request.power),
        notes=tuple(_notes(s, request.power)),
        help=(
            Help("18.0c", "Costs"),
            Help("18.91a", "How many"),
            Help("18.76a", "Pipelines"),
            Help("18.81", "Lend-Lease"),
        ),
    )


def draft(legal: Legal, decision: Decision) -> None:
    """Enter an order into a copy of the position."""
    g: Table[State] = Table(legal.state, lambda *_: None, lambda event: None, lambda strict: None)
    match decision:
        case Build():
            production.build(g, decision)
        case Undeplete():
            production.undeplete(g, decision)
        case Send():
            lend_lease.send(g, decision)
        case _:
            raise NoQuestion("Only orders are drafted.")


def _spenders(s: State, player: str) -> Iterator[tuple[str, str]]:
    """The pots of a player that have points, or had them before they were spent."""
    for (nation, country), points in sorted(s.points.items()):
        if commander(s, nation) == player:
            spent = any(number for (owner, _), number in s.started.items() if owner == nation)
            if points or spent:
                yield nation, country


def _items(legal: Legal, choices: Iterable[Choice]) -> Iterator[Item]:
    """The lines of the production sheet: every type that a power can order at all."""
    s: State = legal.state
    open_ = {choice.item for choice in choices}
    for nation, country in _spenders(s, legal.asked.power):
        for type, kind in s.facts.types.items():
            for rebuilt in (False, True):
                if (kind.rebuilt if rebuilt else kind.new) is None:
                    continue
                if rebuilt and not s.dead.get((nation, type)):
                    continue
                build = Build(nation, type, 1, country, rebuilt)
                cost, time = production.price(s, type, rebuilt)
                key = _line(build)
                yield Item(
                    key=key,
                    label=f"{kind.name}{' (rebuilt)' if rebuilt else ''}",
                    group=_pot(s, nation, country),
                    symbol=SYMBOLS[type],
                    power=nation,
                    note=_price(s, cost, time),
                    why="" if key in open_ else legal.why_not(build),
                )


def _line(build: Build) -> str:
    return f"{build.nation}:{build.country}:{build.type}:{int(build.rebuilt)}"


def _pots(s: State, player: str) -> Iterator[tuple[str, str, int]]:
    for (nation, country), points in sorted(s.points.items()):
        if points and commander(s, nation) == player:
            yield nation, country, points


def _pot(s: State, nation: str, country: str) -> str:
    """What a pot is called: by the country where a power has several."""
    return s.facts.name(country or nation)


def _price(s: State, cost: int, time: int) -> str:
    """`2 points, Turn 5, Fall 1940`."""
    return f"{cost} point{'' if cost == 1 else 's'}, {turn(s.facts, s.turn + time)}"


def _unspent(s: State, player: str) -> str:
    left = [f"{_pot(s, n, c)} {points}" for n, c, points in _pots(s, player)]
    return f"Points that would be lost: {', '.join(left)}." if left else ""


def _notes(s: State, player: str) -> Iterator[str]:
    for nation in dict.fromkeys(n for n, _, _ in _pots(s, player)):
        began = [
            counted(s.facts, type, number)
            for (owner, type), number in sorted(s.started.items())
            if owner == nation and number
        ]
        if began:
            yield f"{words.sentenced(words.the(s.facts, nation))} has begun: {', '.join(began)}."


def _orders(legal: Legal) -> Iterator[Choice]:
    s: State = legal.state
    for nation, country, points in _pots(s, legal.asked.power):
        group = f"{_pot(s, nation, country)}: {words.points(points)}"
        for type, kind in s.facts.types.items():
            for rebuilt in (False, True):
                build = Build(nation, type, 1, country, rebuilt)
                if why_not(legal, build) is not None:
                    continue
                cost, time = production.price(s, type, rebuilt)
                again = " (rebuilt)" if rebuilt else ""
                yield Choice(
                    f"{kind.name}{again}",
                    {**plain(build), "number": 0},
                    detail=_price(s, cost, time),
                    symbol=SYMBOLS[type],
                    power=nation,
                    group=group,
                    rows=(
                        Row(
                            "number",
                            kind.name,
                            ("number",),
                            _most(legal, build),
                            value=1,
                            symbol=SYMBOLS[type],
                            cost=cost,
                        ),
                    ),
                    limits=(Limit("Points", points, by_cost=True),),
                    item=_line(build),
                )
    for decision in legal:
        if isinstance(decision, Undeplete):
            yield Choice(
                f"Restore {counted(s.facts, decision.type, decision.number)} of "
                f"{words.the(s.facts, decision.nation)} in {s.facts.name(decision.space)}",
                plain(decision),
                group="Depleted units",
                power=decision.nation,
                spaces=(decision.space,),
            )
    yield from _sends(legal)


def _sends(legal: Legal) -> Iterator[Choice]:
    """Who can get Production Points from whom, and as many as may be chosen."""
    s: State = legal.state
    most: dict[tuple[str, str, str, str], int] = {}
    for each in lend_lease.options(s, legal.asked.power):
        key = each.nation, each.country, each.to, each.to_country
        most[key] = max(most.get(key, 0), each.points)
    for (nation, country, to, to_country), points in most.items():
        yield Choice(
            f"Send points from {_pot(s, nation, country)} to {_pot(s, to, to_country)}",
            {**plain(Send(nation, to, 1, country, to_country)), "points": 0},
            detail=f"{words.points(points)} at most",
            group="Lend-Lease and transfers",
            power=nation,
            rows=(Row("points", "Production Points", ("points",), points, value=1),),
        )


def lend(legal: Legal) -> Form:
    """Points for the powers of other players."""
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Lend-Lease",
        prompt="Before the orders are given in secret: Production Points for powers that other "
        "players command, as far as pipelines carry them.",
        choices=tuple(_sends(legal)),
        done=plain(Done()),
        done_label="Lend no more",
        help=(Help("18.81", "Lend-Lease"),),
    )


def _most(legal: Legal, build: Build) -> int:
    """How many of a type can be ordered at once."""
    s: State = legal.state
    cost, _ = production.price(s, build.type, build.rebuilt)
    points = s.points[build.nation, build.country]
    most = min(production.limit(s, build.nation, build.type), points // cost)
    if build.rebuilt:
        most = min(most, s.dead.get((build.nation, build.type), 0))
    return max(most, 1)


def remove_overstack(legal: Legal) -> Form:
    """What is taken off an overstacked hex."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, RemoveOverstack)
    have = own(s, request.power, request.space)
    proposed = next(legal.asked.decisions(s))
    assert isinstance(proposed, Remove)
    value = {(nation, type): number for nation, type, number in proposed.units}
    rows = [
        Row(
            f"{nation}:{type}",
            s.facts.types[type].name,
            ("units",),
            number,
            item=[nation, type, 1],
            value=value.get((nation, type), 0),
            symbol=SYMBOLS[type],
            power=nation,
            space=request.space,
        )
        for (nation, type), number in have.items()
    ]
    # A fortification goes as a whole.
    spare = 1 if any(type == "fort" for _, type in have) else 0
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title="Too many in one hex",
        prompt=f"You have {sum(have.values())} Strength Points in {s.facts.name(request.space)}, "
        f"{request.number} too many: choose what is taken off the map.",
        base={"kind": "remove", "units": []},
        rows=told_apart(s, rows),
        limits=(Limit("Strength Points", request.number + spare, request.number),),
        auto=plain(proposed),
        help=(Help("7.37", "Overstacking"),),
    )


FORMS = {
    "lend": lend,
    "maintain": maintain,
    "reinforce": reinforce,
    "production": produce,
    "remove_overstack": remove_overstack,
}
