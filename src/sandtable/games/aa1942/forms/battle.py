"""The questions of the combat phase."""

from __future__ import annotations

import random
from typing import Any

from sandtable.board.words import listed
from sandtable.games.aa1942.bot import decide
from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.forms.rules import ask
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.assault import Bombard, Engage
from sandtable.games.aa1942.rules.casualties import Casualties, player_of, quotas, target_class
from sandtable.games.aa1942.rules.combat import Dive, Press, Retreat
from sandtable.games.aa1942.rules.conduct_combat import Fight
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.rules.raids import Intercept
from sandtable.games.aa1942.view import symbol
from sandtable.games.aa1942.words import units_in_words
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Limit, Row

CLEAR = 0.9
"""A battle that the attacker wins this often is clear."""


def _bot(legal: Legal) -> Any:
    """What the game's own bot would decide: a proposal."""
    return decide(legal.state, legal.asked, random.Random(0))


def _chance(s: State, space: str) -> float | None:
    """The attacker's chance to win the battle in a space, if it is quickly found."""
    from sandtable.games.aa1942.forms.chances import quick_chance

    return quick_chance(s, space)


# --- which battle --------------------------------------------------------------------------------

_STEPS = {
    "raids": ("Bombing raids", "Choose the raid that is flown next."),
    "assaults": (
        "Amphibious assaults",
        "Choose the landing that comes next. Ships in the way are fought first.",
    ),
    "battles": ("Battles", "Choose the battle that is fought next, in any order you like."),
}


def choose_battle(legal: Legal, request: Any, s: State) -> Form:
    """The battles of this step; one that is as good as won can be chosen at once."""
    facts = s.facts
    title, prompt = _STEPS[request.step]
    choices = []
    for space in (*request.battles, *request.optional):
        decision = Fight(space)
        if space in request.optional and decision not in legal:
            continue
        free = space in request.optional
        choices.append(
            Choice(
                facts.name(space),
                plain(decision),
                detail=forces(s, space, request.step),
                spaces=(space,),
                group="May be left alone"
                if free
                else "Have to be fought"
                if request.optional
                else "",
                battle=space,
            )
        )
    auto = None
    for space in sorted(request.battles, key=facts.land_next.__contains__):
        chance = _chance(s, space)
        if chance is not None and chance >= CLEAR:
            auto = plain(Fight(space))
            break
    over = not request.battles
    if over:
        prompt = "Only submarines and transports are left. Attack them, or leave them alone."
    return ask(
        request,
        "choose",
        title=title,
        prompt=prompt,
        choices=tuple(choices),
        done=plain(Done()) if over else None,
        done_label="Leave them alone" if over else "",
        auto=auto,
    )


def forces(s: State, space: str, step: str) -> str:
    """Who meets whom in a battle of a step: `3 infantry and 1 tank against 2 infantry`."""
    foes = s.facts.enemies[s.turn]
    ours: dict[str, int] = {}
    theirs: dict[str, int] = {}
    raid = step == "raids"
    for unit, count in s.stack(space).items():
        if unit.power == s.turn and (unit.duty in ("raid", "escort")) == raid:
            ours[unit.type] = ours.get(unit.type, 0) + count
        elif unit.power in foes and (unit.duty == "intercept") == raid:
            theirs[unit.type] = theirs.get(unit.type, 0) + count
    for _, unit, count in s.units() if step == "assaults" else ():
        if unit.duty == "landing" and unit.target == space:
            for piece in unit.cargo:
                if piece.duty == "assault":
                    ours[piece.type] = ours.get(piece.type, 0) + count
    against = "the industrial complex" if raid else "nobody"
    if theirs:
        against = units_in_words(s.facts, theirs)
    return f"{units_in_words(s.facts, ours) or 'Nothing'} against {against}"


def engage_or_ignore(legal: Legal, request: Any, s: State) -> Form:
    """Attack submarines and transports in the zone of a landing, or sail past them."""
    where = s.facts.name(request.zone)
    offered = (
        (Engage(True), "Attack them", "Fight before the landing; no ship there bombards then."),
        (Engage(False), "Ignore them", "Land past them."),
    )
    choices = tuple(
        Choice(label, plain(decision), detail, battle=request.zone if decision.attack else "")
        for decision, label, detail in offered
        if decision in legal
    )
    return ask(
        request,
        "choose",
        title=f"Enemies in {where}",
        prompt=(
            f"Enemy submarines or transports are in {where}, from where you land. "
            "They need not be fought."
        ),
        choices=choices,
        auto=choices[0].decision if len(choices) == 1 else None,
        battle=request.zone,
    )


# --- raids and bombardment -----------------------------------------------------------------------


def commit_interceptors(legal: Legal, request: Any, s: State) -> Form:
    """How many fighters rise over each raided territory."""
    facts = s.facts
    proposal = _bot(legal)
    values = proposal.fighters if isinstance(proposal, Intercept) else {}
    rows = []
    for land, based in sorted(request.fighters.items()):
        coming: dict[str, int] = {}
        for unit, count in s.stack(land).items():
            if unit.duty in ("raid", "escort"):
                coming[unit.type] = coming.get(unit.type, 0) + count
        rows.append(
            Row(
                key=land,
                label=f"Fighters over {facts.name(land)}",
                path=("fighters", land),
                most=based,
                value=values.get(land, 0),
                symbol="fighter",
                power=request.power,
                space=land,
                note=f"against {units_in_words(facts, coming)}",
            )
        )
    return ask(
        request,
        "assign",
        title="Interceptors",
        prompt=(
            "Enemy bombers come to bomb your industrial complexes. Fighters that you send up "
            f"fight them first and hit with {facts.numbers.air_battle_defense} or less, bombers "
            f"and escorts with {facts.numbers.air_battle_attack}. They do not defend the "
            "territory in a battle afterwards."
        ),
        base={"kind": "intercept"},
        rows=tuple(rows),
        limits=(Limit("Fighters", sum(request.fighters.values()), least=1),),
        done_label="Intercept",
    )


def choose_bombardment(legal: Legal, request: Any, s: State) -> Form:
    """Which ships bombard: as many as units land."""
    facts = s.facts
    proposal: Bombard = _bot(legal)
    where = facts.name(request.territory)
    rows = tuple(
        Row(
            key=f"{zone}:{type_}",
            label=facts.units[type_].name,
            path=("ships", zone, type_),
            most=min(count, request.limit),
            value=proposal.ships.get(zone, {}).get(type_, 0),
            symbol=symbol(type_),
            power=request.power,
            group=facts.name(zone),
            space=zone,
            note=f"hits with {facts.units[type_].bombard} or less",
        )
        for zone, row in sorted(request.ships.items())
        for type_, count in row.items()
    )
    number = "One unit lands" if request.limit == 1 else f"{request.limit} units land"
    ships = "one ship" if request.limit == 1 else f"{request.limit} ships"
    return ask(
        request,
        "assign",
        title=f"Bombard {where}",
        prompt=f"{number}, so up to {ships} may fire once. What they hit still fires back.",
        base={"kind": "bombard"},
        rows=rows,
        limits=(Limit("Ships that bombard", request.limit),),
        done_label="Bombard",
        auto=plain(proposal),
        battle=request.territory,
    )


# --- the rounds ----------------------------------------------------------------------------------


def submerge_or_strike(legal: Legal, request: Any, s: State) -> Form:
    """How many submarines leave the battle before the dice fall."""
    boats = request.submarines
    lone = boats == 1
    attacking = request.power == s.turn
    chance = _chance(s, request.space)
    ahead = chance is not None and (chance if attacking else 1 - chance) >= CLEAR
    choices = [
        Choice(
            "Strike" if lone else f"{_all(boats).capitalize()} strike",
            plain(Dive(0)),
            f"{'It fires' if lone else 'They fire'} first; what is hit is gone before it can fire.",
            symbol="submarine",
            power=request.power,
            battle=request.space,
        )
    ]
    for number in range(boats, 0, -1):
        left = boats - number
        label = f"Submerge {number}, {left} {'strikes' if left == 1 else 'strike'}"
        if number == boats:
            label = "Submerge" if lone else f"Submerge {_all(boats)}"
        choices.append(
            Choice(
                label,
                plain(Dive(number)),
                "Out of the battle: hits nothing, and cannot be hit.",
                symbol="submarine",
                power=request.power,
            )
        )
    return ask(
        request,
        "choose",
        title=f"Submarines in {s.facts.name(request.space)}",
        prompt=(
            f"No enemy destroyer is near your {'submarine' if lone else 'submarines'}. "
            f"{'It' if lone else 'They'} may strike by surprise, or submerge and leave the battle."
        ),
        choices=tuple(choices),
        auto=plain(Dive(0)) if ahead else None,
        battle=request.space,
    )


def _all(count: int) -> str:
    return "both" if count == 2 else f"all {count}"


def choose_casualties(legal: Legal, request: Any, s: State) -> Form:
    """Which units take the hits; the limits are exactly the rule."""
    facts, hits = s.facts, request.hits
    proposal: Casualties = _bot(legal)
    order = {type_: at for at, type_ in enumerate(facts.units)}
    several = len(request.units) > 1
    most = quotas(s, request)
    fighting, transports = most["all"], most["transport"]
    rows: list[Row] = []
    targets: dict[str, dict[str, int]] = {"air": {}, "sub": {}, "transport": {}, "other": {}}
    whole: list[Limit] = []
    for power, named in request.units.items():
        group = facts.names[power] if several else ""
        for name, count in sorted(named.items(), key=lambda i: (order[_type(i[0])], i[0])):
            type_, key = _type(name), f"{power}:{name}"
            target = target_class(s, type_)
            if not most[target]:
                continue  # Nothing can or may strike it.
            points = facts.units[type_].hits
            if name == "battleship" and points > 1:
                scar = f"{power}:damaged"
                rows.append(
                    Row(
                        key=scar,
                        label="Battleship, first hit",
                        path=("damaged", power),
                        most=count,
                        value=proposal.damaged.get(power, 0),
                        symbol="battleship",
                        power=power,
                        group=group,
                        states=("damaged",),
                        note="Stays in the battle, and is repaired after it",
                    )
                )
                targets["other"][scar] = 1
                if fighting > count:
                    weights = {scar: 1, key: 1}
                    whole.append(Limit("Battleships hit", count, weights=weights, quiet=True))
            elif name.endswith("(damaged)"):
                points -= 1
            targets[target][key] = points
            rows.append(
                Row(
                    key=key,
                    label=_label(facts, name),
                    path=("lost", power, name),
                    most=count,
                    value=proposal.lost.get(power, {}).get(name, 0),
                    symbol=symbol(type_),
                    power=power,
                    cost=facts.units[type_].cost,
                    group=group,
                    states=("damaged",) if name.endswith("(damaged)") else (),
                    note="Takes two of the hits" if points > 1 else "",
                )
            )
    limits = [
        Limit(
            "Hits assigned",
            fighting,
            fighting,
            targets["air"] | targets["sub"] | targets["other"],
        )
    ]
    if targets["transport"]:
        limits.append(Limit("Transports lost", transports, transports, targets["transport"]))
    notes = []
    if targets["air"] and hits.sub:
        limits.append(Limit("Aircraft hit", most["air"], weights=targets["air"], quiet=True))
        notes.append(f"{_hits(hits.sub)} from submarines cannot strike aircraft.")
    if targets["sub"] and hits.air:
        limits.append(Limit("Submarines hit", most["sub"], weights=targets["sub"], quiet=True))
        notes.append(f"{_hits(hits.air)} from aircraft cannot strike submarines.")
    if len({player_of(s)[power] for power in request.units}) > 1:
        notes.append("Others own some of these units. If you do not agree, the attacker chooses.")
    where = facts.name(request.space)
    mine = request.power in request.units
    who = f"You, the {request.of}, take" if mine else f"The {request.of} takes"
    return ask(
        request,
        "assign",
        title=f"Casualties in {where}",
        prompt=(
            f"{who} {_hits(hits.total)}. "
            f"Choose which of {'your' if mine else 'its'} units are lost; a proposal is filled in."
        ),
        base={"kind": "casualties"},
        rows=tuple(rows),
        limits=(*limits, *whole),
        done_label="Take these losses",
        auto=plain(proposal),
        battle=request.space,
        notes=tuple(notes),
    )


def _type(name: str) -> str:
    return name.split(" (", 1)[0]


def _hits(count: int) -> str:
    return "1 hit" if count == 1 else f"{count} hits"


def _label(facts: Facts, name: str) -> str:
    """`fighter (range 2)` is `Fighter, can fly 2 more`; `transport (infantry)` is told with its
    cargo."""
    type_, _, rest = name.partition(" (")
    label = facts.units[type_].name
    rest = rest.removesuffix(")")
    if not rest:
        return label
    if rest == "seaborne":
        return f"{label}, from the sea"
    if rest == "damaged":
        return f"{label}, damaged"
    if rest.startswith("range "):
        return f"{label}, can fly {rest.removeprefix('range ')} more"
    cargo, _, goal = rest.partition(" for ")
    pieces = []
    for piece in cargo.split(", "):
        power, _, kind = piece.rpartition(" ")
        name = facts.units[kind].name.lower()
        pieces.append(f"{facts.names[power]} {name}" if power else name)
    bound = f" for {facts.name(goal)}" if goal else ""
    return f"{label} with {listed(pieces)}{bound}"


def press_or_retreat(legal: Legal, request: Any, s: State) -> Form:
    """Another round, or away."""
    facts = s.facts
    where = facts.name(request.space)
    chance = _chance(s, request.space)
    seaborne = sum(
        n for u, n in s.stack(request.space).items() if u.power == s.turn and u.duty == "seaborne"
    )
    stay = "Units that came from the sea fight on." if seaborne else ""
    if request.to:
        away = [
            Choice(
                f"Retreat to {facts.name(space)}",
                plain(Retreat(space)),
                stay or "All leave together; aircraft land later.",
                spaces=(space,),
                tone="danger",
            )
            for space in request.to
        ]
    else:
        away = [
            Choice(
                "Break off",
                plain(Retreat()),
                stay or "The aircraft leave the battle and land later.",
                tone="danger",
            )
        ]
    return ask(
        request,
        "choose",
        title=f"{where}: after round {request.round}",
        prompt=(
            f"Fight another round in {where}, or break off the attack? "
            "The odds are those of fighting on to the end."
        ),
        choices=(
            Choice(
                "Press the attack",
                plain(Press()),
                "Another round of fire.",
                spaces=(request.space,),
                battle=request.space,
                tone="primary",
            ),
            *away,
        ),
        auto=plain(Press()) if chance is not None and chance >= CLEAR else None,
        battle=request.space,
    )
