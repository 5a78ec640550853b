"""What clients draw of Blitz!: the position, what happened, and the figures of the charts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import asdict

from sandtable.board.words import listed
from sandtable.games.blitz import words
from sandtable.games.blitz.areas import space_of, stacks_of
from sandtable.games.blitz.chart import charts, reading, upcoming
from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.goals import goals, sheets
from sandtable.games.blitz.model import Book, Combat, State
from sandtable.games.blitz.pieces import (
    SYMBOLS,
    counter_piece,
    draw_piece,
    factors_text,
    leaders_of,
    lost_piece,
    sheet_of,
)
from sandtable.games.blitz.rules.blitz import STEPS, in_blitz
from sandtable.games.blitz.rules.convoys import convoy_left
from sandtable.games.blitz.rules.counters import current_group, small_name
from sandtable.games.blitz.rules.income import accounts, income_of
from sandtable.games.blitz.rules.order import steps_of
from sandtable.games.blitz.rules.sides import acting_side, introduced, powers_of
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.games.blitz.rules.victory import gains
from sandtable.games.blitz.tables import Profile, UnitKind
from sandtable.kernel import events
from sandtable.kernel.display import (
    About,
    Battle,
    Combatant,
    Deed,
    Line,
    Moment,
    Picture,
    Piece,
    Pool,
    Power,
    Reading,
    Step,
    Throw,
    Track,
    UnitType,
)
from sandtable.kernel.events import Event

_NOTES = {
    "GAR": "Cheap defence. One of them can be built free each turn.",
    "INF": "The bulk of an army: attacks next door, holds ground.",
    "ARM": "Moves far. An attacker with more armour drives defenders out.",
    "MAR": "Lands from the sea at full strength; other units land at half.",
    "PARA": "Walks, rebases like an air unit, or drops into an attack from the air.",
    "FORT": "Never moves and only defends; its triangles cost the attacker factors.",
    "AA": "Fires at aircraft that attack its land area.",
    "BB": "Fights at sea, blocks enemy ships and supports landings.",
    "CV": "Fights in the air and at sea, and supports landings.",
    "SUB": "Slips past blockades, hunts convoys, and may evade a combat.",
    "TRS": "Carries land units of twice its Size.",
    "LL": "Brings Oil or Resources to an ally from the sea that it is named after.",
    "AIR": "Fights in the Air Round, then bombs: land units, ships or Factories.",
    "VWEAPON": "Bombs a Factory once.",
    "ABOMB": "Is carried by a bomber to a Factory, once.",
}
"""What a type of unit is for, in our words."""

_FOCUS = {
    "A": ("western_germany", "berlin", "paris", "belgium_netherlands", "poland", "london"),
    "B": ("london", "belgium_netherlands", "paris", "western_germany", "north_sea"),
    "C": ("london", "western_approaches", "north_sea", "paris", "iceland"),
    "D": ("berlin", "poland", "ukraine", "leningrad", "moscow", "stalingrad"),
    "E": ("tokyo", "manila", "marianas", "harbin", "chungking"),
}
"""Where the fighting of a scenario is; the others begin in Europe."""

_EUROPE = ("london", "berlin", "paris", "poland", "rome", "leningrad")


# --- a game as such ------------------------------------------------------------------------------


def about(s: State) -> About:
    """What does not change during a game: powers, areas in play, types of units."""
    facts, scenario = s.facts, s.scenario
    letter = "" if s.scenario_id == "campaign" else f"Scenario {s.scenario_id}: "
    later = scenario.own.get("harbin")
    spaces = {*s.in_play, later["area"]} if later else s.in_play
    every = {*facts.lands, *facts.seas}
    return About(
        game="blitz",
        title="Blitz! A World in Conflict",
        subtitle=f"{letter}{scenario.title}",
        powers=tuple(_power(facts, power) for power in scenario.powers),
        others=tuple(_power(facts, power) for power in _unplayed(facts, scenario.powers)),
        map="blitz",
        spaces=None if spaces >= every else tuple(sorted(spaces)),
        names={id: facts.names[id] for id in sorted(spaces)},
        types=_types(s),
        focus=tuple(id for id in _FOCUS.get(s.scenario_id, _EUROPE) if id in spaces),
        figures=tuple(figures(s)),
        charts=charts(facts),
        goals=goals(s),
    )


def _unplayed(facts: Facts, powers: Collection[str]) -> Iterator[str]:
    """The powers that a scenario leaves out; areas of theirs may be on its map."""
    playing = {*powers, *(id for power in powers for id in facts.powers[power].members)}
    return (id for id, power in facts.powers.items() if not power.members and id not in playing)


def _power(facts: Facts, id: str) -> Power:
    power = facts.powers[id]
    return Power(
        id=id,
        name=power.name,
        short=facts.short_name(id),
        colour=power.colour,
        side=power.side,
        side_name=words.side_name(power.side),
    )


def _types(s: State) -> tuple[UnitType, ...]:
    """The types of units that a scenario has, with the range of their numbers."""
    facts = s.facts
    kinds: dict[str, list[tuple[UnitKind, Profile]]] = {}
    for id in _in_the_game(s):
        for size in range(1, len(facts.kinds[id].sizes) + 1):
            type_ = facts.type_at[id, size]
            kinds.setdefault(type_, []).append((facts.kinds[id], facts.profiles[id, size]))
    return tuple(
        UnitType(
            id=id,
            name=type_.name,
            symbol=SYMBOLS[id],
            facts=_type_facts(type_.domain, kinds[id]),
            note=_NOTES[id],
        )
        for id, type_ in facts.types.items()
        if id in kinds
    )


def _in_the_game(s: State) -> set[str]:
    """Every unit that is on the map, or may come to be there."""
    counters = {small_name(c) for pool in s.pool.values() for c in pool} | set(s.units)
    counters |= {small_name(c) for groups in s.groups.values() for group in groups for c in group}
    return counters | {small_name(c) for c in (*s.aside, *s.removed)}


def _type_facts(domain: str, kinds: list[tuple[UnitKind, Profile]]) -> dict[str, str]:
    rows = {"Class": domain.capitalize(), "Moves": _span(kind.move for kind, _ in kinds)}
    for name, box in (("Land", "land"), ("Air", "air"), ("Naval", "naval"), ("Bombs", "bomb")):
        if any(getattr(profile, box) for _, profile in kinds):
            rows[name] = _span(getattr(profile, box) for _, profile in kinds)
    return rows


def _span(numbers: Iterable[int]) -> str:
    found = sorted(set(numbers))
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


# --- the picture ---------------------------------------------------------------------------------


def picture(s: State, powers: Collection[str]) -> Picture:
    """The position as somebody sees it who runs `powers`: others' secret books are left out.

    Rules: 1.9a
    """
    sheet, leaders = sheet_of(s.facts), leaders_of(s)
    attacked = {attack.target for attack in s.attacks if not attack.resolved}
    if s.combat is not None:
        attacked.add(s.combat.at)
    snowy = s.facts.turns[s.turn].snow
    spaces = {
        area: space_of(s, sheet, area, leaders, attacked, snowy)
        for area in (*s.control, *s.facts.seas)
        if area in s.in_play
    }
    return Picture(
        moment=_moment(s),
        spaces=spaces,
        tracks=_tracks(s, powers),
        sheets=sheets(s),
        pools=tuple(_pools(s, powers)),
        battle=battle(s),
        notes=tuple(_notes(s)),
    )


def _moment(s: State) -> Moment:
    title = words.turn_name(s)
    if not s.phase:
        step = f" · step {s.step}" if s.step else ""
        return Moment(title, f"{words.PHASE_NAMES['']}{step}", round=0)
    steps = [step for step in steps_of(s) if step in words.STEP_NAMES and _used(s, step)]
    at = steps.index(s.step) if s.step in steps else -1
    here = words.PHASE_NAMES[s.phase]
    if at >= 0:
        here = f"{here} · {words.STEP_NAMES[s.step]}"
    return Moment(
        title=title,
        phase=here,
        power=s.queue[0] if len(s.step) == 1 and s.queue else "",
        steps=tuple(
            Step(
                step,
                words.step_title(step),
                now=number == at,
                done=number < at,
                short=words.short_step(step),
            )
            for number, step in enumerate(steps)
        ),
        round=s.turn - s.scenario.turns[0] + 1,
        secret=bool(s.books),
    )


def _used(s: State, step: str) -> bool:
    """Whether anybody acts in a step: in a Blitz phase not all do."""
    if len(step) > 1 or not in_blitz(s) or not s.blitz:
        return True
    return any(
        step in STEPS[s.blitz.get(power, "free")] for power in powers_of(s, acting_side(s))
    ) or (step == s.step)


def _tracks(s: State, powers: Collection[str]) -> tuple[Track, ...]:
    """Points, goods, markers and forces by power, as far as the scenario has them; of those who
    spend in secret what they have left, to themselves, and to others what they had saved."""
    books = {power: s.books[power] for power in powers if power in s.books}
    columns: list[str] = []
    rows: dict[str, list[str]] = {power: [] for power in s.scenario.powers}

    def column(name: str, cells: Mapping[str, int | str]) -> None:
        columns.append(name)
        for power, row in rows.items():
            row.append(str(cells.get(power, "-")))

    if introduced(s, "C"):
        column("VP", s.vp)
        column("Oil", s.oil | {power: book.oil for power, book in books.items()})
    if introduced(s, "D"):
        column("Res.", s.resources | {power: book.resources for power, book in books.items()})
    if s.entry:
        column("It's War!", {power: f"box {box}" for power, box in s.entry.items()})
    if s.bombs:
        column("A-Bomb", {p: f"box {box}" if box else "ready" for p, box in s.bombs.items()})
    if in_blitz(s) and s.blitz:
        column("Blitz", {power: words.blitz_name(kind) for power, kind in s.blitz.items()})
    column("Size", {power: _size(s, power) for power in rows})
    column("Areas", _areas(s))
    return (Track("Powers", tuple(columns), {power: tuple(row) for power, row in rows.items()}),)


def _size(s: State, power: str) -> int:
    return sum(s.units[id].size for id in s.owned.get(power, ()))


def _areas(s: State) -> dict[str, int]:
    found = dict.fromkeys(s.scenario.powers, 0)
    for holder in s.control.values():
        if holder in found:
            found[holder] += 1
    return found


def _pools(s: State, powers: Collection[str]) -> Iterator[Pool]:
    """Secret orders of those who look, Force Pools, and what can be developed next."""
    for power in s.scenario.powers:
        if power in powers and power in s.books:
            yield _orders(s, power, s.books[power])
    for power in s.scenario.powers:
        if s.pool.get(power):
            pieces = tuple(counter_piece(s, counter) for counter in s.pool[power])
            yield Pool("Force Pool", power, pieces, "What can be built at the end of a turn.")
        group = current_group(s, power) if s.groups.get(power) else ()
        if group:
            later = sum(len(each) for each in s.groups[power]) - len(group)
            more = f"{words.number(later, 'counter')} in later Groups." if later else ""
            yield Pool(
                "To be developed next",
                power,
                tuple(counter_piece(s, counter) for counter in group),
                more,
            )


def _orders(s: State, power: str, book: Book) -> Pool:
    """What a power has ordered so far, and what it has left."""
    pieces = []
    for order in book.orders:
        unit = s.units.get(order.unit)
        where = s.facts.names[unit.at if unit else order.at]
        now = unit.size if unit else 0
        what = f"to Size {order.size}" if order.size else "given up"
        type_ = s.facts.type_at[order.unit, max(order.size, 1)]
        pieces.append(
            Piece(
                SYMBOLS[type_],
                s.facts.names[order.unit],
                id=order.unit,
                size=order.size,
                states=("new",) if not now else (),
                note=f"In {where}: {what}.",
            )
        )
    if book.commander is not None:
        commander, at, _ = book.commander
        name = s.facts.commanders[commander].name
        pieces.append(Piece("commander", name, id=commander, note=f"Goes to {s.facts.names[at]}."))
    return Pool("Orders of this turn (secret)", power, tuple(pieces), f"Left: {purse(s, book)}.")


def purse(s: State, book: Book) -> str:
    """What a book has left to spend, in words."""
    parts = [words.goods(book.oil, book.resources)]
    parts += [
        f"{words.goods(account.oil, account.resources)} only for "
        f"{words.names(s.facts, account.countries)}"
        for account in book.minors
        if account.oil or account.resources
    ]
    return "; ".join(parts)


def _notes(s: State) -> Iterator[str]:
    """Wars, trade, weather, and what else is in force."""
    facts = s.facts
    if s.wars:
        pairs = sorted({tuple(sorted(pair)) for pair in s.wars})
        wars = [f"{facts.short_name(one)} and {facts.short_name(two)}" for one, two in pairs]
        yield f"At war: {'; '.join(wars)}."
    for country, enemy in sorted(s.minor_wars):
        yield f"{facts.names[country]} is at war with {words.power_name(facts, enemy)}."
    for trade in s.trades:
        yield f"Trade: {words.trade_text(facts, trade)}."
    if facts.turns[s.turn].snow and introduced(s, "D"):
        yield "Snow lies this turn where the map has a snowflake."
    if in_blitz(s):
        yield from (
            f"{words.upper(words.power_name(facts, power))}: {words.blitz_name(kind)} Blitz."
            for power, kind in s.blitz.items()
        )
    for attack in s.attacks:
        if not attack.resolved:
            yield words.attack_text(s, attack)


# --- the combat that is being fought -------------------------------------------------------------

_TITLES = {
    "ground": "Ground Attack on",
    "factory": "Factory Attack on",
    "port": "Port Attack on",
    "sea": "Combat in",
}


def battle(s: State) -> Battle | None:
    """The combat that is being fought."""
    facts, combat = s.facts, s.combat
    if combat is None:
        return None
    title = f"{_TITLES[combat.kind]} {facts.names[combat.at]}"
    step = f"{combat.round.capitalize()} Round" if combat.round else "Before the first Round"
    attack, defence = upcoming(s)
    sides = (
        _combatant(s, combat, combat.attackers, "attacks", combat.factors[0], attack),
        _combatant(s, combat, combat.defenders, "defends", combat.factors[1], defence),
    )
    rounds = {"": 0, "air": 1}
    return Battle(combat.at, title, rounds.get(combat.round, 2), step, sides)


def _combatant(
    s: State,
    combat: Combat,
    units: tuple[tuple[str, str, int], ...],
    verb: str,
    factors: int | None,
    next_: Reading | None,
) -> Combatant:
    facts, side = s.facts, acting_side(s)
    powers = list(dict.fromkeys(power for _, power, _ in units))
    own_convoy = combat.convoy and (facts.side[combat.convoy] == side) == (verb == "attacks")
    if own_convoy and combat.convoy not in powers:
        powers.append(combat.convoy)
    if not powers and combat.at in s.control:
        powers = [s.control[combat.at]]
    here, lost = [], []
    strengths: dict[str, str] = {}
    sheet, leaders = sheet_of(facts), leaders_of(s)
    for id, power, size in units:
        unit = s.units.get(id)
        now = unit.size if unit is not None and unit.power == power else 0
        if now and id not in combat.left:
            piece = draw_piece(s, sheet, id, s.units_at(s.units[id].at), leaders, True)
            here.append((power, piece))
            strengths[piece.name] = factors_text(facts, id, now).split(";")[0]
        if now < size:
            type_ = facts.type_at[id, size]
            lost.append((power, Piece(SYMBOLS[type_], facts.names[id], id=id, size=size - now)))
    note = []
    if factors is not None:
        note.append(f"Fired with {words.number(factors, 'factor')} in the last Round.")
    if own_convoy:
        note.append(f"The convoy has {convoy_left(s, combat.at)} left.")
    gone = [id for id, _, _ in units if id in combat.left and id in s.units]
    if gone:
        note.append(f"{words.names(facts, gone)} had to leave.")
    names = listed(facts.short_name(power) if power else "Neutrals" for power in powers)
    if len(powers) > 1 or powers == ["western_allies"]:
        verb = verb.removesuffix("s")
    return Combatant(
        title=f"{names or 'Nobody'} {verb}",
        power=powers[0] if powers else "",
        stacks=stacks_of(s, here),
        strengths=strengths,
        lost=stacks_of(s, lost),
        note=" ".join(note),
        reading=next_,
    )


# --- figures -------------------------------------------------------------------------------------


def figures(s: State) -> dict[str, dict[str, float]]:
    """Numbers for the charts, by power; only those that the scenario has."""
    powers, facts = s.scenario.powers, s.facts
    found: dict[str, dict[str, float]] = {}
    if introduced(s, "C"):
        found["Victory Points"] = {power: float(s.vp[power]) for power in powers}
    if introduced(s, "B"):
        found["Income"] = {power: float(sum(income_of(s, power))) for power in powers}
    found["Forces"] = {power: float(_size(s, power)) for power in powers}
    factories = dict.fromkeys(powers, 0.0)
    for area, holder in s.control.items():
        if holder in factories:
            factories[holder] += facts.lands[area].factory
    found["Factories"] = factories
    found["Areas"] = {power: float(number) for power, number in _areas(s).items()}
    return found


def derived(s: State) -> dict[str, Any]:
    """What the rules derive from the position, as far as the scenario has it."""
    powers = s.scenario.powers
    found: dict[str, Any] = {}
    if introduced(s, "C"):
        awards: dict[str, dict[str, int]] = {power: {} for power in s.vp}
        for power, award, points in gains(s):
            if points and power in awards:
                awards[power][award] = points
        found |= {"victory_points": dict(s.vp), "awards": awards}
    if introduced(s, "D"):
        found["out_of_supply"] = [id for id in s.units if not in_supply(s, id)]
    if introduced(s, "B"):
        found["income"] = {
            power: {
                **income_of(s, power)._asdict(),
                "accounts": [asdict(account) for account in accounts(s, power)],
            }
            for power in powers
        }
    return found


# --- what happened -------------------------------------------------------------------------------

_LEVELS = {"turn_began": 0, "over": 0, "phase_began": 1}


def line(facts: Facts, event: Event) -> Line:
    """An event as a line of the log."""
    return events.line(
        event,
        words.sentence(facts, event),
        tuple(_throws(facts, event)),
        level=_LEVELS.get(event.kind, 2),
        deed=_DEEDS.get(event.kind, ""),
        quiet=event.kind in _QUIET,
        power=_whose(facts, event.data),
        spaces=_areas_of(facts, event.data),
        lost=lambda id, _: lost_piece(facts, id),
    )


_QUIET = ("returned", "displaced", "forced")
"""What comes home by itself after a combat, or only tries: it is no plan of anybody's."""

_DEEDS: Mapping[str, Deed] = {
    "attack_announced": "battle",
    "attack_began": "battle",
    "attack_repelled": "decided",
    "sea_combat": "battle",
    "control_taken": "taken",
    "allied": "politics",
    "became_neutral": "politics",
    "conquered": "politics",
    "entered_war": "politics",
    "entry_moved": "politics",
    "italy_fell": "politics",
    "japan_at_war": "politics",
    "liberated": "politics",
    "power_conquered": "politics",
    "vichy_rejoined": "politics",
    "war_began": "politics",
    "war_declared": "politics",
}


def _areas_of(facts: Facts, data: Mapping[str, Any]) -> list[str]:
    """The areas of the countries that an event is about."""
    countries = (facts.countries.get(data.get(field, "")) for field in ("country", "against"))
    return [area for country in countries if country for area in country.areas]


def _whose(facts: Facts, data: Mapping[str, Any]) -> str:
    """The power whose unit an event is about."""
    unit = data.get("unit") or next(iter(data.get("units", ())), "")
    kind = facts.kinds.get(small_name(unit)) if unit else None
    return kind.power if kind else ""


def _throws(facts: Facts, event: Event) -> Iterator[Throw]:
    """The dice that an event tells of."""
    d = event.data
    for _, faces in events.thrown(d):
        if event.kind == "fired":
            yield Throw(
                label=f"{words.side_name(d['side'])}, {d['round'].capitalize()} Round",
                faces=faces,
                note=f"{words.number(d['factors'], 'factor')}: {words.combat_result(d)}",
                reading=reading(facts, (d["factors"], d["sum"]), die=faces[0]),
            )
        elif event.kind == "blockaded":
            yield Throw(
                label=f"Blockade of {facts.names[d['unit']]}",
                faces=faces,
                hits=(d["passed"],),
                note=f"needed more than {d['value']}",
            )
        else:
            yield Throw(label=_DICE.get(event.kind, "Die"), faces=faces)


_DICE = {
    "forced": "Forcing a passage",
    "fleet_rolled": "The crew of the fleet",
    "partisans_rolled": "Partisans",
    "sabotage_rolled": "Sabotage",
    "sabotaged": "Sabotage",
    "soviets_attacked": "The Soviet attack",
}
