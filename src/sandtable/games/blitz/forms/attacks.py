"""Land area combat: announcing attacks, committing defenders, choosing what is fought next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Literal

from sandtable.games.blitz import words
from sandtable.games.blitz.forms.parts import (
    advice,
    assign,
    choose,
    place_name,
    unit_name,
    unit_row,
)
from sandtable.games.blitz.forms.steps import step_form
from sandtable.games.blitz.model import Attack, State
from sandtable.games.blitz.rules.blitz import blitz_of, check_blitz, motorized
from sandtable.games.blitz.rules.factors import land_factors
from sandtable.games.blitz.rules.land_combat import (
    DISPUTED,
    AnnounceAttack,
    ChooseNextAttack,
    CommitDefence,
    Defend,
    GiveWay,
    LandAreaCombat,
    ResolveAttack,
    SettleDispute,
    committed,
    fronts_of,
    ships_of,
    targets_of,
    unfit,
    wings_of,
    within_limits,
)
from sandtable.games.blitz.rules.land_round import attack_strength, defence_strength, over_route
from sandtable.games.blitz.rules.rounds import factory_left, in_port
from sandtable.games.blitz.rules.sides import may_attack, partners
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Limit, Prospect, Row
from sandtable.kernel.errors import passes

Kind = Literal["ground", "factory", "port"]

_NAMES = {"ground": "Ground Attack", "factory": "Factory Attack", "port": "Port Attack"}

_MOST_DROPS = 3
"""All sets of so many PARAs are offered; of more, each alone and all together."""


# --- announcing ----------------------------------------------------------------------------------


def land_area_combat(legal: Legal, request: LandAreaCombat, s: State) -> Form:
    """Step F: each target with the units that can attack it."""
    choices = tuple(_attacks(s, request))
    mine = [attack for attack in s.attacks if request.power in attack.powers]
    return step_form(
        legal,
        "Attack",
        "Announce all your attacks: choose an enemy area and who attacks it. "
        "They are fought when everybody is done, after the defender has sent help.",
        "Done announcing" if s.attacks else "No attacks",
        component="choose",
        choices=choices,
        notes=[words.attack_text(s, attack) for attack in s.attacks if attack not in mine],
        battles=[Prospect(target) for target in dict.fromkeys(each.target for each in mine)],
        undone="No attack has been announced." if choices and not mine else "",
    )


def _attacks(s: State, request: LandAreaCombat) -> Iterator[Choice]:
    power, busy = request.power, committed(s)
    wings = [id for id in wings_of(s, power) if id not in busy]
    ships = [id for id in ships_of(s, power) if id not in busy]
    bombs = [id for id in wings if s.type(id) == "ABOMB"]
    fronts = {target: [id for id in ids if id not in busy] for target, ids in fronts_of(s, power)}
    reached: dict[str, list[str]] = {}
    for id in wings:
        if s.type(id) != "ABOMB":
            for target in targets_of(s, id):
                reached.setdefault(target, []).append(id)
    targets = {*fronts, *reached, *(a for id in ships for a in s.facts.coast[s.units[id].at])}
    for target in sorted(targets & s.control.keys(), key=lambda area: s.facts.names[area]):
        near = [*reached.get(target, ()), *ships]
        yield from _ground(s, request, target, fronts.get(target, []), near)
        if s.facts.lands[target].factory:
            yield from _raid(s, request, "factory", target, "", [*near, *bombs])
        for port in s.facts.ports[target]:
            if in_port(s, target, port):
                yield from _raid(s, request, "port", target, port, near)


def _able(s: State, ids: Iterable[str], kind: Kind, target: str, port: str = "") -> list[str]:
    """Those of the units that may join in an attack."""
    return [
        id
        for id in ids
        if may_attack(s, id, target)
        and unfit(s, id, kind, target, port) is None
        and passes(check_blitz, s, id, "F", attack=kind)
    ]


def _joined(s: State, power: str, kind: str, target: str) -> Attack | None:
    """The partner's attack that an attack would join."""
    allies = partners(s, power)
    return next(
        (
            attack
            for attack in s.attacks
            if (attack.kind, attack.target) == (kind, target)
            and power not in attack.powers
            and attack.powers[0] in allies
        ),
        None,
    )


def _rivals(s: State, power: str, target: str) -> str:
    """What an attack on an area that an ally attacks already comes to."""
    allies = partners(s, power)
    rivals = dict.fromkeys(
        each
        for attack in s.attacks
        if attack.target == target and attack.powers[0] not in allies
        for each in attack.powers
    )
    if not rivals:
        return ""
    names = words.upper(words.names(s.facts, rivals))
    return f" {names} announced an attack on it before: one of you has to give way."


def _ground(
    s: State, request: LandAreaCombat, target: str, front: list[str], near: list[str]
) -> Iterator[Choice]:
    """A Ground Attack on an area, and the same with PARAs that drop from the air."""
    land = [id for id in front if passes(request.check, s, AnnounceAttack("ground", target, (id,)))]
    support = _able(s, [id for id in near if s.domain(id) != "land"], "ground", target)
    paras = [
        id
        for id in near
        if s.domain(id) == "land"
        and passes(request.check, s, AnnounceAttack("ground", target, (id,), flying=(id,)))
    ]
    joined = _joined(s, request.power, "ground", target)
    for drops in _drops(paras):
        walking = [id for id in land if id not in drops]
        choice = _choice(s, request, "ground", target, "", walking, support, drops, joined)
        if choice is not None:
            yield choice


def _drops(paras: list[str]) -> Iterator[tuple[str, ...]]:
    """The sets of PARAs that may fly, the empty one first."""
    yield ()
    if len(paras) > _MOST_DROPS:
        yield from ((id,) for id in paras)
        yield tuple(paras)
        return
    for number in range(1, len(paras) + 1):
        yield from combinations(paras, number)


def _raid(
    s: State, request: LandAreaCombat, kind: Kind, target: str, port: str, near: list[str]
) -> Iterator[Choice]:
    """A Factory or Port Attack."""
    units = _able(s, [id for id in near if s.domain(id) != "land"], kind, target, port)
    joined = _joined(s, request.power, kind, target)
    choice = _choice(s, request, kind, target, port, [], units, (), joined)
    if choice is not None:
        yield choice


def _choice(
    s: State,
    request: LandAreaCombat,
    kind: Kind,
    target: str,
    port: str,
    land: list[str],
    others: list[str],
    drops: tuple[str, ...],
    joined: Attack | None,
) -> Choice | None:
    """An attack with the units that can take part in it; None if it cannot be announced."""
    base = AnnounceAttack(kind, target, drops, port, drops)
    if not _possible(s, request, base, [*land, *others]):
        return None
    proposed = _proposed(s, kind, target, land, others, drops)
    rows = [
        unit_row(s, id, ("units",), group=_group(s, id), value=int(id in proposed))
        for id in (*land, *others)
    ]
    name = s.facts.names[target]
    what = f"{_NAMES[kind]} on {place_name(s, target, port)}"
    if joined is not None:
        what = f"Join the {what}"
    if drops:
        verb = "drops" if len(drops) == 1 else "drop"
        what = f"{what}, {words.names(s.facts, drops)} {verb}"
    return Choice(
        label=what,
        decision=plain(base),
        detail=_detail(s, kind, target, port, [*proposed, *drops], drops, joined)
        + _rivals(s, request.power, target),
        spaces=(target,),
        power=s.control[target],
        group=name,
        rows=tuple(rows),
        limits=tuple(_limits(s, request.power, target, land, others, drops, joined, kind)),
        battle=target,
    )


def _possible(s: State, request: LandAreaCombat, base: AnnounceAttack, units: list[str]) -> bool:
    """Whether the attack can be announced with some of the units."""
    kind, target, port, drops = base.combat, base.target, base.port, base.flying
    if drops:
        return passes(request.check, s, base)
    return any(
        passes(request.check, s, AnnounceAttack(kind, target, (id,), port))
        for id in units
        if s.type(id) != "ABOMB"
    )


def _group(s: State, id: str) -> str:
    domain = s.domain(id)
    if domain == "land":
        return f"From {s.facts.names[s.units[id].at]}"
    return "Air units" if domain == "air" else "Ships"


def _proposed(
    s: State, kind: Kind, target: str, land: list[str], others: list[str], drops: tuple[str, ...]
) -> list[str]:
    """Land units as many as may attack, with as much support as counts."""
    if kind != "ground":
        return [id for id in others if s.type(id) != "ABOMB"]
    strongest = sorted(land, key=lambda id: -land_factors(s, id) / s.units[id].size)
    # Only the last resort: one unit across a Land Route, which is out of those limits.
    chosen = list(within_limits(s, target, [*drops, *strongest])) or strongest[:1]
    if not any(s.domain(id) == "land" for id in s.units_at(target)):
        return [id for id in chosen if id not in drops]
    worth = sum(land_factors(s, id) for id in chosen)
    for id in sorted(others, key=lambda id: -land_factors(s, id)):
        if worth <= 0:
            break
        chosen.append(id)
        worth -= land_factors(s, id)
    return [id for id in chosen if id not in drops]


def _limits(
    s: State,
    power: str,
    target: str,
    land: list[str],
    others: list[str],
    drops: tuple[str, ...],
    joined: Attack | None,
    kind: Kind,
) -> Iterator[Limit]:
    """How many land units may attack, and what an attack needs."""
    numbers = s.facts.numbers
    there = [id for id in (*(joined.units if joined else ()), *drops) if s.domain(id) == "land"]
    if kind == "ground":
        if not there:
            yield Limit("Land units", len(land), 1, dict.fromkeys(land, 1))
        if s.facts.lands[target].island:
            room = numbers.island_size - sum(s.units[id].size for id in there)
            yield Limit("Size on the island", room, weights={id: s.units[id].size for id in land})
        yield from _by_origin(s, target, land, joined)
    elif kind == "factory" and joined is None:
        air = [id for id in others if s.domain(id) == "air" and s.type(id) != "ABOMB"]
        yield Limit("Air units", len(air), 1, dict.fromkeys(air, 1))
    else:
        yield Limit("Units", len(others), 1)
    if blitz_of(s, power) == "foot":
        motors = [id for id in (*land, *others) if motorized(s, id)]
        if len(motors) > 1:
            yield Limit("Armour, air and naval units", 1, weights=dict.fromkeys(motors, 1))


def _by_origin(s: State, target: str, land: list[str], joined: Attack | None) -> Iterator[Limit]:
    most = s.facts.numbers.attack_size_per_area
    walking = [
        id
        for id in (joined.units if joined else ())
        if s.domain(id) == "land" and joined is not None and id not in joined.flying
    ]
    for origin in dict.fromkeys(s.units[id].at for id in land):
        ids = [id for id in land if s.units[id].at == origin]
        room = most - sum(s.units[id].size for id in walking if s.units[id].at == origin)
        if sum(s.units[id].size for id in ids) > room:
            sizes = {id: s.units[id].size for id in ids}
            yield Limit(f"Size from {s.facts.names[origin]}", room, weights=sizes)
        routed = [id for id in ids if origin in s.facts.lands and over_route(s, id, target)]
        if len(routed) > 1:
            yield Limit("Units on the Land Route", 1, weights=dict.fromkeys(routed, 1))


def _detail(
    s: State,
    kind: Kind,
    target: str,
    port: str,
    units: list[str],
    drops: tuple[str, ...],
    joined: Attack | None,
) -> str:
    """Whom it is against, and the factors with the proposed units."""
    if kind == "factory":
        guns = [id for id in s.units_at(target) if s.type(id) == "AA"]
        guarded = f", guarded by {_listed(s, guns)}" if guns else ""
        return f"The Factory has {factory_left(s, target)} left{guarded}."
    if kind == "port":
        return f"Against {_listed(s, in_port(s, target, port))}."
    defenders = [id for id in s.units_at(target) if s.domain(id) == "land"]
    if not defenders:
        return "No land unit defends it."
    against = f"Against {_listed(s, defenders)}."
    units = [*(joined.units if joined else ()), *units]
    factors = strengths(s, target, units, (*drops, *(joined.flying if joined else ())))
    if factors is None:
        return against
    return f"{against} As proposed: {words.number(factors[0], 'factor')} against {factors[1]}."


def strengths(
    s: State, target: str, units: Iterable[str], flying: tuple[str, ...] = ()
) -> tuple[int, int] | None:
    """The factors of both sides in the Land Round of an attack with these units, if nothing flies
    in; None if there is none."""
    by_domain: dict[bool, list[str]] = {True: [], False: []}
    for id in units:
        by_domain[s.domain(id) == "land"].append(id)
    land, support = by_domain[True], by_domain[False]
    defenders = [id for id in s.units_at(target) if s.domain(id) == "land"]
    if not land or not defenders:
        return None
    return (
        attack_strength(s, target, land, support, defenders, flying) or 0,
        defence_strength(s, target, land, defenders, []) or 0,
    )


def _listed(s: State, ids: Iterable[str]) -> str:
    return ", ".join(unit_name(s, id) for id in ids)


def settle_dispute(legal: Legal, request: SettleDispute, s: State) -> Form:
    """Two allies want to attack the same area."""
    name, rival = s.facts.names[request.target], words.power_name(s.facts, request.rival)
    return choose(
        legal,
        f"Who attacks {name}?",
        f"{words.upper(rival)} {words.verb(request.rival, 'wants', 'want')} to attack {name}, too, "
        "and you cannot both. "
        "If you do not give way, nobody attacks it.",
        (
            Choice(
                f"Give way to {rival}", plain(GiveWay(True)), "Your attack there is called off."
            ),
            Choice("Do not give way", plain(GiveWay(False)), "Nobody attacks it.", tone="danger"),
        ),
        battle=request.target,
    )


# --- defending -----------------------------------------------------------------------------------


def commit_defence(legal: Legal, request: CommitDefence, s: State) -> Form:
    """Which air and naval units join in the defence, and against which attack."""
    proposal = advice(legal)
    proposed = proposal.units if isinstance(proposal, Defend) else {}
    rows: list[Row] = []
    keys: dict[str, list[str]] = {}
    for number, units in request.units.items():
        attack = s.attacks[int(number)]
        head = f"{_NAMES[attack.kind]} on {s.facts.names[attack.target]}"
        for id in units:
            key = f"{number}:{id}"
            keys.setdefault(id, []).append(key)
            chosen = id in proposed.get(number, ())
            rows.append(unit_row(s, id, ("units", number), key=key, group=head, value=int(chosen)))
    limits = tuple(
        Limit(f"{s.facts.names[id]} fights once", 1, weights=dict.fromkeys(rows_of, 1))
        for id, rows_of in keys.items()
        if len(rows_of) > 1
    )
    notes = [words.attack_text(s, s.attacks[int(number)]) for number in request.units]
    targets = [s.attacks[int(number)].target for number in request.units]
    return assign(
        legal,
        "Defend",
        "Send air units and ships to help where you are attacked, or nobody. "
        "Land units defend where they stand.",
        Defend({}),
        rows,
        limits=(Limit("Units", len(rows), 1, quiet=True), *limits),
        notes=tuple(notes),
        done_label="Send them",
        pass_label="Send nobody",
        battles=tuple(Prospect(target) for target in dict.fromkeys(targets)),
        battle=targets[0] if len(set(targets)) == 1 else "",
    )


# --- resolving -----------------------------------------------------------------------------------


def choose_next_attack(legal: Legal, request: ChooseNextAttack, s: State) -> Form:
    """Which attack is fought next."""
    choices = []
    for decision in legal:
        assert isinstance(decision, ResolveAttack)
        attack = s.attacks[decision.attack]
        if attack.kind == DISPUTED:
            continue
        with_ = [id for id in attack.units if id in s.units]
        guards = [id for id in attack.defenders if id in s.units]
        help_ = f", helped by {_listed(s, guards)}" if guards else ""
        choices.append(
            Choice(
                label=f"{_NAMES[attack.kind]} on {s.facts.names[attack.target]}",
                decision=plain(decision),
                detail=f"With {_listed(s, with_)}{help_ and '; the defender is'}"
                f"{help_.removeprefix(',')}.",
                spaces=(attack.target,),
                power=s.control[attack.target],
                battle=attack.target,
            )
        )
    return choose(
        legal,
        "Next attack",
        "Choose the attack that is fought next. The order can matter: units retreat to areas "
        "that are not attacked any more.",
        choices,
        auto=plain(advice(legal)),
    )
