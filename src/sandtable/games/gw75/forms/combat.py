"""Forms of land combat: attacks, orders, losses, Counter-Attack, retreat, advance."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.gw75 import words
from sandtable.games.gw75.forms.parts import part_of, several, told_apart
from sandtable.games.gw75.model import Attack, Force, State
from sandtable.games.gw75.rules import attacks, stacking
from sandtable.games.gw75.rules.advance import ChooseAdvance
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.counter_attack import ChooseStack, Stack
from sandtable.games.gw75.rules.declaring import DeclareAttacks, Withdraw, chances
from sandtable.games.gw75.rules.land_combat import ChooseAttack, Fight
from sandtable.games.gw75.rules.losses import ORDERS, TakeLosses
from sandtable.games.gw75.rules.neutrals import violates
from sandtable.games.gw75.rules.retreat import ChooseRetreat
from sandtable.games.gw75.rules.stand_fast import OrderStandFast
from sandtable.games.gw75.rules.terms import side
from sandtable.games.gw75.view import SYMBOLS
from sandtable.games.gw75.words import difference
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Limit, Prospect, Row
from sandtable.kernel.errors import IllegalDecision


def land_attacks(legal: Legal) -> Form:
    """The attacks that can be declared, each with its force and its differential."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, DeclareAttacks)
    choices = [_attack(s, attack) for attack in _all(s, request.power)]
    choices.sort(key=lambda choice: choice.tone)
    for attack in s.attacks:
        if attack.force and _mine(s, request, attack):
            names = " and ".join(map(s.facts.name, attack.targets))
            choices.append(
                Choice(
                    f"Call off the attack on {names}",
                    plain(Withdraw(attack.targets[0])),
                    spaces=attack.targets,
                    group="Declared",
                    tone="quiet",
                )
            )
    problem = ""
    try:
        request.check(s, Done())
    except IllegalDecision as error:
        problem = error.reason
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title="Land combat: declare attacks",
        prompt="Click a hex to attack it, with all that is free beside it or with a part. All "
        "attacks are declared first; then they are fought one after the other.",
        choices=tuple(choices),
        done=plain(Done()),
        done_label="Fight the attacks" if s.attacks else "No attacks",
        done_problem=problem,
        done_warning="" if s.attacks or not choices else "No attack has been declared.",
        battles=tuple(
            Prospect(attack.targets[0], f"{_sum(attack.force)} points, {_diff(s, attack)}")
            for attack in s.attacks
        ),
        help=(Help("8.0b", "Attacking"), Help("8.31", "Differential"), Help("8.51a", "Counter")),
    )


def _mine(s: State, request: DeclareAttacks, attack: Attack) -> bool:
    try:
        request.check(s, Withdraw(attack.targets[0]))
    except IllegalDecision:
        return False
    return True


def _all(s: State, player: str) -> Iterable[Attack]:
    """Attacks on single hexes, and on two hexes at once by who is next to both."""
    single = list(chances(s, player))
    yield from single
    for i, one in enumerate(single):
        for other in single[i + 1 :]:
            targets = (*one.targets, *other.targets)
            if targets[1] not in s.facts.near[targets[0]]:
                continue
            both = tuple(part for part in one.force if part in other.force)
            attack = Attack(targets, both)
            try:
                attacks.check(s, player, attack)
            except IllegalDecision:
                continue
            yield attack


def _sum(force: Force) -> int:
    return sum(number for *_, number in force)


def _diff(s: State, attack: Attack) -> str:
    return f"differential {difference(attacks.differential(s, attack))}"


def _attack(s: State, attack: Attack) -> Choice:
    names = " and ".join(map(s.facts.name, attack.targets))
    origins = sorted({hex for hex, *_ in attack.force})
    leader = attack.force[0][1]
    defense = attacks.defense(s, attack.targets, origins, leader)
    detail = f"{attacks.strength(s, attack.force)} against {defense}: {_diff(s, attack)}"
    group = "Attacks on two hexes" if len(attack.targets) > 1 else "Attacks"
    victim = next((whom for hex in attack.targets if (whom := violates(s, leader, hex))), "")
    if victim:
        detail += f"; violates the peace of {words.the(s.facts, victim)}"
        group = "Attacks on those who are at peace"
    return Choice(
        label=f"Attack {names}",
        decision={"kind": "attack", "targets": list(attack.targets), "force": []},
        detail=detail,
        spaces=attack.targets[:1],
        group=group,
        rows=told_apart(
            s, [part_of(s, hex, nation, type, n, n) for hex, nation, type, n in attack.force]
        ),
        limits=(Limit(f"Strength Points against a Defense of {defense}", _sum(attack.force), 1),),
        battle=attack.targets[0],
        tone="danger" if victim else "",
    )


def next_attack(legal: Legal) -> Form:
    """Which attack is fought next."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, ChooseAttack)
    by_target = {attack.targets[0]: attack for attack in s.attacks}
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title="Land combat",
        prompt="Choose the attack that is fought next. Mechanized units that advance can cut off "
        "the retreat of others.",
        choices=tuple(
            Choice(
                s.facts.name(hex),
                plain(Fight(hex)),
                detail=_diff(s, by_target[hex]),
                spaces=(hex,),
                battle=hex,
            )
            for hex in request.options
        ),
        auto=plain(Fight(request.options[0])),
        help=(Help("8.0c", "Resolving attacks"),),
    )


def stand_fast(legal: Legal) -> Form:
    """Orders to hold out at all costs."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, OrderStandFast)
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title="Stand fast?",
        prompt="A stack that is ordered to hold out at all costs loses one point more, need not "
        "retreat and bars the hex; what it loses cannot be rebuilt.",
        base={"kind": "stand_fast", "hexes": []},
        rows=tuple(
            Row(
                hex,
                s.facts.name(hex),
                ("hexes",),
                1,
                item=hex,
                space=hex,
                note=_attacked(s, hex),
            )
            for hex in request.hexes
        ),
        pass_label="No such order",
        auto={"kind": "stand_fast", "hexes": []},
        help=(Help("8.8a", "Stand Fast"),),
    )


def _attacked(s: State, hex: str) -> str:
    """Who attacks a hex, and how strongly."""
    return "; ".join(
        f"attacked by {words.nations(s.facts, dict.fromkeys(part[1] for part in each.force))} at "
        f"{difference(attacks.differential(s, each))}"
        for each in s.attacks
        if hex in each.targets and each.force
    )


def land_losses(legal: Legal) -> Form:
    """Which points are lost."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, TakeLosses)
    proposed = request.by(s, ORDERS[0] if not request.counter else ORDERS[1])
    value = {part[:3]: part[3] for part in proposed.losses}
    where = request.at_risk[0][0]
    who = "The Counter-Attack costs" if request.counter else "The attack costs"
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title="Losses",
        prompt=f"{who} {request.total} of your Strength Points: choose which.",
        base={"kind": "lose", "losses": []},
        rows=told_apart(
            s,
            [
                part_of(s, hex, nation, type, n, value.get((hex, nation, type), 0), into="losses")
                for hex, nation, type, n in request.at_risk
            ],
        ),
        limits=(Limit("Strength Points", request.total, request.total),),
        auto=plain(proposed),
        battle=s.land.targets[0] if s.land is not None else where,
        help=(Help("8.42", "Losses"),),
    )


def counter_attack(legal: Legal) -> Form:
    """Which stack is counter-attacked."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, ChooseStack) and s.land is not None
    choices = []
    for hex in request.options:
        parts = tuple((n, t, c) for at, n, t, c in s.land.force if at == hex)
        choices.append(
            Choice(s.facts.name(hex), plain(Stack(hex)), detail=several(s, parts), spaces=(hex,))
        )
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title="Counter-Attack",
        prompt="Choose the stack of the attackers on which the Counter-Attack is made: a small one "
        "gives a better column.",
        choices=tuple(choices),
        auto=choices[0].decision,
        battle=s.land.targets[0],
        help=(Help("8.51a", "Counter-Attack"),),
    )


def retreat(legal: Legal) -> Form:
    """Where survivors go: so many of each kind to each hex."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, ChooseRetreat)
    proposed = next(request.decisions(s))
    value = proposed.merged
    rows = [
        Row(
            f"{to}:{nation}:{type}",
            s.facts.types[type].name,
            ("moves",),
            number,
            item=[nation, type, 1, to],
            value=value[nation, type, to],
            symbol=SYMBOLS[type],
            power=nation,
            group=f"To {s.facts.name(to)}",
            note=f"violates the peace of {words.the(s.facts, whom)}" if whom else "",
            space=to,
        )
        for to, _ in request.room
        for nation, type, number, hexes in request.parts
        for whom in (violates(s, nation, to),)
        if to in hexes
    ]
    all_go = [
        Limit(several(s, [(nation, type, number)]), number, number, weights=weights, quiet=True)
        for nation, type, number, hexes in request.parts
        for weights in [{f"{to}:{nation}:{type}": 1 for to in hexes}]
    ]
    room = [
        Limit(
            f"Room in {s.facts.name(to)}",
            max(0, number),  # others may be too many there already
            weights={row.key: 1 for row in rows if row.space == to},
            quiet=True,
        )
        for to, number in request.room
        if request.fits(s)
    ]
    total = sum(number for _, _, number, _ in request.parts)
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title="Retreat",
        prompt=f"Your units in {s.facts.name(request.hex)} have to retreat. Choose where to.",
        base={"kind": "retreat", "moves": []},
        rows=told_apart(s, rows),
        limits=(Limit("Strength Points", total, total), *all_go, *room),
        auto=plain(proposed),
        battle=s.land.targets[0] if s.land is not None else request.hex,
        help=(Help("8.9a", "Retreat"),),
    )


def advance(legal: Legal) -> Form:
    """Who advances where."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, ChooseAdvance)
    rows = []
    which = side(s, request.mech[0][1])
    for to in request.hexes:
        # All that fit, where there is nothing to choose between.
        room = stacking.room(s, to, which) if len(request.hexes) == 1 else 0
        for hex, nation, number in request.mech:
            if to in s.facts.land[hex]:
                value = max(0, min(number, room))
                room -= value
                rows.append(
                    Row(
                        f"{hex}:{nation}:{to}",
                        f"Mechanized from {s.facts.name(hex)}",
                        ("moves",),
                        number,
                        item=[hex, nation, 1, to],
                        value=value,
                        symbol=SYMBOLS["mech"],
                        power=nation,
                        group=f"Into {s.facts.name(to)}",
                        space=to,
                    )
                )
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title="Advance after combat",
        prompt="Mechanized units that attacked may enter the vacated hexes.",
        base={"kind": "advance", "moves": []},
        rows=told_apart(s, rows),
        limits=tuple(
            Limit(
                f"Room in {s.facts.name(to)}",
                stacking.room(s, to, which),
                weights={row.key: 1 for row in rows if row.space == to},
                quiet=True,
            )
            for to in request.hexes
        ),
        pass_label="Stay",
        auto={
            "kind": "advance",
            "moves": [row.item for row in rows for _ in range(row.value)],
        },
        battle=s.land.targets[0] if s.land is not None else "",
        help=(Help("8.61a", "Advance"),),
    )


FORMS = {
    "land_attacks": land_attacks,
    "next_attack": next_attack,
    "stand_fast": stand_fast,
    "land_losses": land_losses,
    "counter_attack": counter_attack,
    "retreat": retreat,
    "advance": advance,
}
