"""Choices before, in and after a combat: who joins, who takes damage, who goes where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.board.words import listed
from sandtable.games.blitz import words
from sandtable.games.blitz.forms.parts import (
    advice,
    assign,
    choose,
    place_name,
    unit_choice,
    unit_name,
    unit_row,
)
from sandtable.games.blitz.model import State
from sandtable.games.blitz.pieces import factors_text
from sandtable.games.blitz.rules.bases import ChooseBase, Return
from sandtable.games.blitz.rules.convoys import convoy_left
from sandtable.games.blitz.rules.damage import LoseCargo, ReduceCargo
from sandtable.games.blitz.rules.land_round import Pick, PickBlocked, PickRetreating
from sandtable.games.blitz.rules.move_to_sea import Embark, EmbarkUnits, on_the_coast
from sandtable.games.blitz.rules.retreat import ChooseRetreat, Retreat
from sandtable.games.blitz.rules.rounds import (
    CONVOY,
    AssignDamage,
    ChooseReturning,
    Damage,
    Withdraw,
)
from sandtable.games.blitz.rules.sea_combat import (
    AvoidSeaCombat,
    CallCombat,
    ChooseSea,
    Engage,
    Evade,
    FightAt,
    FlyIn,
    JoinSeaCombat,
    flyers,
    forces,
)
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, Form, Limit, Prospect

# --- at sea --------------------------------------------------------------------------------------


def embark_units(legal: Legal, request: EmbarkUnits, s: State) -> Form:
    """What a transport takes aboard at the end of its move."""
    ship, sea = request.transport, s.units[request.transport].at
    rows = [
        unit_row(s, id, ("units",), group=f"In {s.facts.names[s.units[id].at]}")
        for id in on_the_coast(s, ship)
        if s.units[id].size <= request.room
    ]
    return assign(
        legal,
        "Embark",
        f"{s.facts.names[ship]} is in {s.facts.names[sea]}: take land units aboard from the "
        "coast, or nobody. Units aboard can attack any coast of this sea.",
        Embark(),
        rows,
        limits=(
            Limit("Units", len(rows), 1, quiet=True),
            Limit("Size aboard", request.room, weights={row.key: row.size for row in rows}),
        ),
        done_label="Take them aboard",
        pass_label="Take nobody aboard",
    )


def choose_sea(legal: Legal, request: ChooseSea, s: State) -> Form:
    """Which sea area has its combat next."""
    return choose(
        legal,
        "Combat at sea",
        "Choose the sea area whose combat is fought next. All of them are fought in the end.",
        [
            Choice(
                label=s.facts.names[sea],
                decision=plain(FightAt(sea)),
                detail=_who_fights(s, sea) + _who_may_come(s, sea),
                spaces=(sea,),
                battle=sea if forces(s, sea).attackers else "",
            )
            for sea in request.seas
        ],
        auto=plain(advice(legal)),
    )


def _who_fights(s: State, sea: str) -> str:
    who = forces(s, sea)
    sides = [", ".join(unit_name(s, id) for id in ids) for ids in (who.attackers, who.defenders)]
    text = f"{sides[0] or 'The convoy'} against {sides[1] or 'the convoy'}"
    rest = " with a convoy" if who.convoy and all(sides) else ""
    return f"{text}{rest}."


def _who_may_come(s: State, sea: str) -> str:
    more = [id for ids in flyers(s, sea).values() for id in ids]
    return f" {words.names(s.facts, more)} could fly in." if more else ""


def call_combat(legal: Legal, request: CallCombat, s: State) -> Form:
    """Whether to fight units that came by a Free Blitz."""
    name = s.facts.names[request.sea]
    return choose(
        legal,
        f"Combat in {name}?",
        f"The enemy has only a Free Blitz, so there is a combat in {name} only if you want it.",
        [
            Choice(
                "Fight",
                plain(Engage()),
                spaces=(request.sea,),
                tone="danger",
                battle=request.sea,
            )
        ],
        pass_label="No combat",
        notes=_both_sides(s, request.sea, request.power),
        battle=request.sea,
    )


def join_sea_combat(legal: Legal, request: JoinSeaCombat, s: State) -> Form:
    """Which air units fly to a combat at sea."""
    return _some(
        legal,
        "Fly to the combat?",
        f"There is a combat in {s.facts.names[request.sea]}. Your air units in range may join it.",
        FlyIn(()),
        request.units,
        request.sea,
        done_label="Join the combat",
        pass_label="Stay at base",
        battles=(Prospect(request.sea),),
    )


def avoid_sea_combat(legal: Legal, request: AvoidSeaCombat, s: State) -> Form:
    """Which submarines evade a combat at sea."""
    return _some(
        legal,
        "Evade?",
        f"There is a combat in {s.facts.names[request.sea]}. Your submarines may return to base "
        "before it begins, or stay and fight.",
        Evade(()),
        request.units,
        request.sea,
        done_label="Evade",
        pass_label="Stay and fight",
    )


def _some(
    legal: Legal,
    title: str,
    prompt: str,
    base: Decision,
    units: tuple[str, ...],
    sea: str,
    **more: Any,
) -> Form:
    """Which units do something before a combat at sea: at least one, or the offer is passed."""
    s = legal.state
    proposal = advice(legal)
    chosen = getattr(proposal, "units", ())
    rows = [unit_row(s, id, ("units",), value=int(id in chosen)) for id in units]
    return assign(
        legal,
        title,
        prompt,
        base,
        rows,
        limits=(Limit("Units", len(rows), 1, quiet=True),),
        notes=_both_sides(s, sea, legal.asked.power),
        battle=sea,
        **more,
    )


def _both_sides(s: State, sea: str, power: str) -> tuple[str, str]:
    """Who is in the combat of a sea area, as a power sees it."""
    who, side = forces(s, sea), s.facts.side
    there = [(s.units[id].power, unit_name(s, id)) for id in (*who.attackers, *who.defenders)]
    if who.convoy:
        there.append((who.convoy, f"a convoy (factor {convoy_left(s, sea)})"))
    mine = listed(name for owner, name in there if side[owner] == side[power])
    theirs = listed(name for owner, name in there if side[owner] != side[power])
    return f"Your side: {mine or 'nobody'}.", f"The enemy: {theirs or 'nobody'}."


# --- damage --------------------------------------------------------------------------------------


def assign_damage(legal: Legal, request: AssignDamage, s: State) -> Form:
    """Who takes the next point of damage."""
    text = "A point of damage in {place}: choose which of {whose} takes it."
    return _strike(legal, request, s, "Damage", text, Damage)


def choose_returning(legal: Legal, request: ChooseReturning, s: State) -> Form:
    """Who is the next that has to return to base."""
    text = "A letter sends units in {place} home: choose which of {whose} is next."
    return _strike(legal, request, s, "Sent home", text, Withdraw)


def _strike(
    legal: Legal,
    request: AssignDamage | ChooseReturning,
    s: State,
    title: str,
    text: str,
    answer: type[Damage] | type[Withdraw],
) -> Form:
    first, area = request.units[0], request.area
    owner = s.facts.convoys[area].power if first == CONVOY else s.units[first].power
    own = s.facts.side.get(owner) == s.facts.side[request.power]
    asked = text.format(
        place=s.facts.names[area], whose="your units" if own else "the enemy's units"
    )
    others = {s.units[id].power for id in request.units if id != CONVOY} - {request.power}
    if own and others:
        allies = listed(words.power_name(s.facts, each) for each in sorted(others))
        asked += f" You choose for {allies} as well: whoever has the most Size there does."
    return choose(
        legal,
        title,
        f"{asked} You and the enemy choose in turn.",
        _targets(s, area, request.units, answer),
        auto=plain(advice(legal)),
        battle=area,
    )


def _targets(
    s: State, area: str, units: tuple[str, ...], answer: type[Damage] | type[Withdraw]
) -> Iterator[Choice]:
    """Units that damage or a letter can strike, and the convoy."""
    for id in units:
        if id == CONVOY:
            left = convoy_left(s, area)
            yield Choice(
                f"The convoy (factor {left})",
                plain(answer(CONVOY)),
                "It loses a point of its factor.",
                symbol="convoy",
            )
            continue
        label = unit_name(s, id)
        if answer is Withdraw:
            yield unit_choice(s, id, Withdraw(id), label, spaces=())
            continue
        size = s.units[id].size
        fate = "It is destroyed."
        if size > 1:
            fate = f"Down to Size {size - 1}: {factors_text(s.facts, id, size - 1)}."
        yield unit_choice(s, id, Damage(id), label, detail=fate, spaces=())


def reduce_cargo(legal: Legal, request: ReduceCargo, s: State) -> Form:
    """Which unit aboard a damaged transport loses Size."""
    ship = s.facts.names[request.transport]
    return choose(
        legal,
        "Lost aboard",
        f"{ship} was damaged and cannot carry all that is aboard. Choose which unit loses Size.",
        [unit_choice(s, id, LoseCargo(id), unit_name(s, id), spaces=()) for id in request.units],
        auto=plain(advice(legal)),
        battle=request.area,
    )


# --- letters on land -----------------------------------------------------------------------------


def pick_retreating(legal: Legal, request: PickRetreating, s: State) -> Form:
    """Which defenders have to retreat."""
    return _pick(
        legal,
        request,
        "Drive them out",
        f"Your armour drives {words.number(request.count, 'enemy unit')} out of "
        f"{s.facts.names[request.area]}: pick which.",
    )


def pick_blocked(legal: Legal, request: PickBlocked, s: State) -> Form:
    """Which attackers may not advance."""
    return _pick(
        legal,
        request,
        "Stop them",
        f"Your fire keeps {words.number(request.count, 'enemy unit')} from advancing into "
        f"{s.facts.names[request.area]}: pick which.",
    )


def _pick(legal: Legal, request: PickRetreating | PickBlocked, title: str, prompt: str) -> Form:
    s = legal.state
    proposal = advice(legal)
    assert isinstance(proposal, Pick)
    if request.count == 1:
        return choose(
            legal,
            title,
            prompt,
            [unit_choice(s, id, Pick((id,)), unit_name(s, id), spaces=()) for id in request.units],
            auto=plain(proposal),
            battle=request.area,
        )
    rows = [unit_row(s, id, ("units",), value=int(id in proposal.units)) for id in request.units]
    return assign(
        legal,
        title,
        prompt,
        Pick(()),
        rows,
        done_label=title,
        limits=(Limit("Units", request.count, request.count),),
        auto=plain(proposal),
        battle=request.area,
    )


# --- where to ------------------------------------------------------------------------------------


def choose_retreat(legal: Legal, request: ChooseRetreat, s: State) -> Form:
    """Where a unit retreats to."""
    unit = request.unit
    return choose(
        legal,
        "Retreat",
        f"{unit_name(s, unit)} has to leave {s.facts.names[s.units[unit].at]}. "
        "Choose where it goes.",
        [
            unit_choice(
                s,
                unit,
                Retreat(area),
                s.facts.names[area],
                detail=_company(s, area, unit),
                spaces=(area,),
            )
            for area in request.areas
        ],
        auto=plain(advice(legal)),
        battle=s.combat.at if s.combat else s.units[unit].at,
    )


def _company(s: State, area: str, but: str) -> str:
    """Who is in an area, but for one unit."""
    there = [unit_name(s, id) for id in s.units_at(area) if id != but]
    return f"With {', '.join(there)}." if there else "Nobody is there."


def choose_base(legal: Legal, request: ChooseBase, s: State) -> Form:
    """Where a unit returns to."""
    unit = request.unit
    return choose(
        legal,
        "Return to base",
        f"{unit_name(s, unit)} has to return to base. Choose where it goes.",
        [
            unit_choice(
                s,
                unit,
                Return(unit, area, port),
                place_name(s, area, port),
                detail=_company(s, area, unit),
                spaces=(area,),
            )
            for area, port in request.places
        ],
        auto=plain(advice(legal)),
    )
