"""What clients draw of Global War: the position, what happened, and the figures of the charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from sandtable.games.gw36 import words
from sandtable.games.gw36.facts import Facts, UnitType
from sandtable.games.gw36.ledger import sheets
from sandtable.games.gw36.model import PHASES, Facility, Job, State, Unit
from sandtable.games.gw36.rules.battle import attackers, defenders, standing
from sandtable.games.gw36.rules.bombing import aimed
from sandtable.games.gw36.rules.income import bonus, value
from sandtable.games.gw36.rules.raiding import (
    convoy_modifier,
    escorts,
    patrols,
    raider_modifier,
    victims,
)
from sandtable.games.gw36.rules.terms import (
    acting,
    alliance,
    at_war_with_major,
    commander,
    enemies,
    foes,
    is_major,
    power_of,
)
from sandtable.games.gw36.rules.values import Shots, attack_shots, city, defense_shots, fort
from sandtable.games.gw36.rules.victory import achieved, score, total
from sandtable.games.gw36.rules.zones import crosses_river, ground
from sandtable.kernel import display, events
from sandtable.kernel.display import (
    About,
    Battle,
    Border,
    Combatant,
    Deed,
    Layer,
    Line,
    Mark,
    Moment,
    Picture,
    Piece,
    Pool,
    Power,
    Route,
    Space,
    Stack,
    Step,
    Throw,
    Track,
)
from sandtable.kernel.events import Event

SYMBOLS = {
    "militia": "garrison",
    "infantry": "infantry",
    "marine": "marines",
    "airborne": "paratroops",
    "mountain_infantry": "infantry",
    "colonial_infantry": "infantry",
    "foreign_legion": "infantry",
    "gurkha": "infantry",
    "cavalry": "unit",
    "motorized_infantry": "infantry",
    "mechanized_infantry": "armour",
    "advanced_mechanized_infantry": "armour",
    "panzergrenadier": "armour",
    "artillery": "artillery",
    "advanced_artillery": "artillery",
    "self_propelled_artillery": "artillery",
    "advanced_self_propelled_artillery": "artillery",
    "katyusha": "artillery",
    "anti_aircraft_artillery": "antiaircraft",
    "strategic_rocket": "v_weapon",
    "fighter": "fighter",
    "early_fighter": "fighter",
    "jet_fighter": "fighter",
    "tactical_bomber": "air_force",
    "seaplane": "air_force",
    "air_transport": "air_force",
    "medium_bomber": "bomber",
    "strategic_bomber": "bomber",
    "heavy_strategic_bomber": "bomber",
    "destroyer": "destroyer",
    "torpedo_boat_destroyer": "destroyer",
    "naval_transport": "transport",
    "attack_transport": "transport",
}
"""Types whose symbol their class does not tell."""

_FACILITIES = {
    "factory": "factory",
    "port": "port_small",
    "shipyard": "port_big",
    "dockyard": "port_big",
    "base": "flag",
    "border": "fortress",
}

LAYERS = (
    Layer("terrain", "Terrain"),
    Layer("rails", "Railways", off=True),
    Layer("ports", "Ports and bases"),
    Layer("convoys", "Convoys", off=True),
    Layer("forts", "Forts"),
    Layer("passages", "Straits"),
)

_FOCUS = ("berlin", "paris", "london", "rome", "warsaw", "moscow")
_ASIA = ("tokyo", "nanking", "peking", "shensi", "hong_kong")
_PACIFIC = ("sydney", "philippines", "hawaiian_islands", "java")
_FOCUSES = {
    "japan": _ASIA,
    "kmt": _ASIA,
    "ccp": _ASIA,
    "fec": ("calcutta", "burma", "british_malaya", "hong_kong"),
    "anzac": _PACIFIC,
    "usa": ("washington_dc", "san_francisco", "hawaiian_islands"),
    "free_france": ("paris", "northern_algeria", "syria"),
}


def symbol(kind: UnitType) -> str:
    """The symbol of a type of unit."""
    if kind.id in SYMBOLS:
        return SYMBOLS[kind.id]
    if kind.submarine:
        return "submarine"
    if kind.decks:
        return "carrier"
    if kind.naval:
        return "battleship" if kind.capital else "cruiser"
    return "tank" if kind.class_ == "vehicle" else "unit"


# --- a game as such ------------------------------------------------------------------------------


def about(s: State) -> About:
    """What does not change during a game."""
    return _about(s.facts, s.options["scenario"], s.options["rules"])


@lru_cache(maxsize=8)
def _about(facts: Facts, scenario: str, rules: str) -> About:
    return About(
        game="gw36",
        title="Global War 1936-1945",
        subtitle=f"From July {scenario} · {rules} rules",
        powers=tuple(_power(facts, id) for id in facts.powers),
        others=tuple(_power(facts, id) for id, each in facts.nations.items() if not each.player),
        map="gw36",
        names={id: zone_name(facts, id) for id in facts.zones},
        types=tuple(_type(kind) for kind in facts.units.values()),
        focus=_FOCUS,
        figures=("Income", "IPPs in hand", "Forces", "Zones", "Victory points"),
        layers=LAYERS,
    )


def zone_name(facts: Facts, zone: str) -> str:
    """A zone's full name; a sea zone with its number."""
    known = facts.zones[zone]
    return f"Sea zone {known.number}, {known.name}" if known.sea else known.name


def _power(facts: Facts, id: str) -> Power:
    nation = facts.nations[id]
    return Power(
        id=id,
        name=nation.name,
        short=words.SHORT.get(id, nation.name),
        colour="nobody" if nation.colour in ("", "white") else nation.colour,
        side=nation.alliance,
        side_name=words.ALLIANCES.get(nation.alliance, ""),
        focus=_FOCUSES.get(id, ()),
    )


def _type(kind: UnitType) -> display.UnitType:
    shown = {
        "Class": kind.class_.capitalize(),
        "Cost": "/".join(map(str, kind.cost)) or "-",
        "Attack": _number(kind.attack),
        "Defense": _number(kind.defense),
        "Move": str(kind.move),
    }
    return display.UnitType(kind.id, kind.name, symbol(kind), shown, words.abilities(kind))


def _number(value_: int | None) -> str:
    return "-" if value_ is None else str(value_)


# --- the position --------------------------------------------------------------------------------


def picture(s: State, powers: Collection[str]) -> Picture:
    """The position; nothing in it is secret."""
    fights = {zone for zone, _ in s.planned}
    if s.battle is not None:
        fights.add(s.battle.at)
    built = _built(s)
    objectives = achieved(s)
    return Picture(
        moment=_moment(s),
        spaces={zone: _space(s, zone, zone in fights, built) for zone in s.facts.zones},
        borders=(*_fixed_borders(s.facts), *_forts(s)),
        routes=(*_rails(s), *_convoys(s)),
        tracks=(_nations(s), _alliances(s, objectives)),
        sheets=sheets(s, objectives),
        pools=tuple(_pools(s)),
        battle=battle(s),
        notes=tuple(_notes(s)),
    )


def _moment(s: State) -> Moment:
    at = PHASES.index(s.phase)
    power = s.mover or s.facts.order[s.slot][0]
    return Moment(
        title=words.date(s.date),
        phase=f"{words.nations(s.facts, s.facts.order[s.slot])} · {words.PHASES[s.phase]}",
        power=power,
        steps=tuple(
            Step(phase, words.PHASES[phase], number == at, number < at, words.STEPS[phase])
            for number, phase in enumerate(PHASES)
        ),
        round=s.date - s.facts.scenarios[s.options["scenario"]].first + 1,
    )


def _space(s: State, zone: str, fight: bool, built: Mapping[str, list[str]]) -> Space:
    tags = ("battle",) if fight else ()
    stack = s.at.get(zone)
    stacks = _stacks(s.facts, stack.items()) if stack else ()
    if s.facts.zones[zone].sea:
        lines = tuple(words.line_text(s, line) for line in s.facts.lines_at.get(zone, ()))
        return Space(stacks=stacks, tags=tags, lines=lines)
    owner = s.possession[zone]
    facilities = s.facilities.get(zone, ())
    return Space(
        owner=owner,
        holder=s.control.get(owner, ""),
        marks=(*_fixed_marks(s.facts, zone), *_facility_marks(s.facts, facilities)),
        stacks=stacks,
        tags=tags,
        lines=(
            *_lines(s.facts, zone, owner, s.control.get(owner, ""), facilities),
            *built.get(zone, ()),
        ),
    )


@lru_cache(maxsize=4096)
def _fixed_marks(facts: Facts, zone: str) -> tuple[Mark, ...]:
    known = facts.zones[zone]
    marks = []
    if known.objective:
        marks.append(Mark("capital", "Objective City"))
    elif known.city:
        marks.append(Mark("city", "City"))
    if known.ipp:
        marks.append(Mark("ipc", f"Worth {known.ipp} IPP", str(known.ipp)))
    ground = {"marsh": "swamp", "tundra": "snow"}.get(known.terrain, known.terrain)
    if ground != "normal":
        marks.append(Mark(ground, known.terrain.capitalize(), layer="terrain"))
    return tuple(marks)


@lru_cache(maxsize=4096)
def _facility_marks(facts: Facts, facilities: tuple[Facility, ...]) -> tuple[Mark, ...]:
    """One mark each for factories, for ports, for yards, for bases and for what is fortified: a
    number where there are several, and all of them in its title."""
    groups: dict[str, list[Facility]] = {}
    for facility in facilities:
        symbol_ = _FACILITIES.get(facts.facilities[facility.type].group, "flag")
        groups.setdefault(symbol_, []).append(facility)
    return tuple(
        Mark(
            symbol_,
            "; ".join(_facility(facts, each) for each in some),
            _letters(facts, some),
            "bad" if any(each.damage for each in some) else "",
            {"factory": "", "fortress": "forts"}.get(symbol_, "ports"),
        )
        for symbol_, some in groups.items()
    )


def _letters(facts: Facts, some: list[Facility]) -> str:
    """On the mark of facilities: how many units a factory makes, otherwise how many there are."""
    (first, *others) = (facts.facilities[each.type] for each in some)
    if first.group == "factory":
        return str(first.production)
    return str(len(some)) if others else ""


def _facility(facts: Facts, facility: Facility) -> str:
    title = facts.facilities[facility.type].name
    if facility.at:
        title += f" at {words.zone(facts, facility.at)}"
    return title + (f", damaged ({facility.damage})" if facility.damage else "")


@lru_cache(maxsize=4096)
def _lines(
    facts: Facts, zone: str, owner: str, controller: str, facilities: tuple[Facility, ...]
) -> tuple[str, ...]:
    """The card of a land zone: whose it is, what kind of ground, what stands there."""
    known = facts.zones[zone]
    whose = f"Possessed by {facts.name(owner)}"
    if controller:
        whose += f", which {facts.name(controller)} Controls"
    told = [f"{whose}."]
    if known.owner != owner:
        told.append(f"Originally of {facts.name(known.owner)}.")
    if known.terrain != "normal":
        told.append(f"{known.terrain.capitalize()}.")
    if known.objective:
        told.append("An Objective City: one Victory Point.")
    told += [f"{_facility(facts, facility)}." for facility in facilities]
    return tuple(told)


def _built(s: State) -> dict[str, list[str]]:
    """Zone to what is being built there."""
    found: dict[str, list[str]] = {}
    for job in s.track:
        if job.at:
            rest = f"{job.left} instalments to pay" if job.left else "ready"
            text = f"{words.thing(s.facts, job.what)} is being built here: {rest}."
            found.setdefault(job.at, []).append(text)
    return found


def _stacks(facts: Facts, units: Iterable[tuple[Unit, int]]) -> tuple[Stack, ...]:
    by_nation: dict[str, list[Piece]] = {}
    for unit, count in units:
        by_nation.setdefault(unit.nation, []).append(_piece(facts, unit, count))
    return tuple(Stack(nation, tuple(pieces)) for nation, pieces in by_nation.items())


_STATES = {
    "submerged": "submerged",
    "moved": "moved",
    "fought": "fought",
    "retreated": "repelled",
}


@lru_cache(maxsize=20_000)
def _piece(facts: Facts, unit: Unit, count: int) -> Piece:
    kind = facts.units[unit.type]
    states = [_STATES[unit.duty]] if unit.duty in _STATES else []
    if unit.hits:
        states.append("damaged")
    if unit.cargo:
        states.append("loaded")
    return Piece(
        symbol(kind),
        kind.name,
        count,
        states=tuple(states),
        cargo=tuple(_piece(facts, piece, 1) for piece in unit.cargo),
        note=words.duty(facts, unit),
    )


@lru_cache(maxsize=8)
def _fixed_borders(facts: Facts) -> tuple[Border, ...]:
    rivers = (
        Border(pair, "river", title=name, layer="terrain") for pair, name in facts.rivers.items()
    )
    hills = {
        tuple(sorted(way)): kind for way, kind in facts.border_terrain.items() if kind == "mountain"
    }
    mountains = (Border((one, other), "mountain", layer="terrain") for one, other in sorted(hills))
    straits = (
        Border(passage.between, "straits", title=passage.name, layer="passages")
        for passage in facts.passages.values()
        if not passage.canal
    )
    return (*rivers, *mountains, *straits)


def _forts(s: State) -> Iterator[Border]:
    for zone, facilities in s.facilities.items():
        for facility in facilities:
            if s.facts.facilities[facility.type].group == "border" and facility.at:
                if s.facts.zones[facility.at].sea:
                    continue  # Guns at a coast are a mark: a coast is too long to be drawn over.
                one, other = sorted((zone, facility.at))
                name = s.facts.facilities[facility.type].name
                yield Border((one, other), "fortified", s.possession[zone], name, "forts")


def _rails(s: State) -> Iterator[Route]:
    for pair, gauge in s.railways.items():
        cut = s.rail_damage.get(pair, 0)
        title = {"regular": "Railway", "broad": "Broad-gauge railway"}.get(gauge, "Change of gauge")
        yield Route("rail", pair, state="cut" if cut else "", title=title, layer="rails")


def _convoys(s: State) -> Iterator[Route]:
    for line in s.facts.lines.values():
        total = sum(worth for _, worth in line.values)
        lost = sum(s.raided.get((line.id, nation), 0) for nation, _ in line.values)
        ends = [end for end in (line.ends[0], *line.path, line.ends[1]) if end]
        yield Route(
            "convoy",
            tuple(dict.fromkeys(ends)),
            owner=line.values[0][0] if line.values else "",
            label=f"{total - lost}/{total}" if lost else str(total or ""),
            title=line.name,
            layer="convoys",
        )


def _nations(s: State) -> Track:
    """What is on the national sheets in a table; who is not in the game is not in it."""
    rows: dict[str, tuple[str, ...]] = {}
    for nation in s.facts.powers:
        if nation in s.surrendered:
            rows[nation] = ("-", "-", "-", "gone")
        elif nation != "free_france" or "france" in s.surrendered:
            rows[nation] = (
                str(s.treasury.get(nation, 0)),
                str(s.income.get(nation, 0)),
                str(bonus(s, nation)),
                "war" if at_war_with_major(s, nation) else "peace",
            )
    return Track("Nations", ("IPP", "Income", "Bonus", "At"), rows)


def _alliances(s: State, objectives: Mapping[str, Mapping[str, int]]) -> Track:
    points = total(s, objectives)
    return Track(
        "Victory points",
        ("Points",),
        {side: (str(points[side]),) for side in words.ALLIANCES},
    )


def _pools(s: State) -> Iterator[Pool]:
    """The Production Chart, nation by nation: what is alike is one piece with a number."""
    for nation in s.facts.powers:
        jobs = Counter(
            job._replace(paid=False, damage=0) for job in s.track if job.nation == nation
        )
        if jobs:
            pieces = (_job(s.facts, job, count) for job, count in sorted(jobs.items()))
            yield Pool("Production Chart", nation, tuple(pieces), _ready(s.facts, jobs))


def _ready(facts: Facts, jobs: Mapping[Job, int]) -> str:
    ready: dict[str, int] = {}
    for job, count in jobs.items():
        if not job.left:
            ready[job.what] = ready.get(job.what, 0) + count
    return f"Ready: {words.units(facts, ready)}." if ready else ""


def _job(facts: Facts, job: Job, count: int) -> Piece:
    kind = facts.units.get(job.what)
    place = f" in {zone_name(facts, job.at)}" if job.at in facts.zones else ""
    lent = f" for {facts.name(job.for_)}" if job.for_ else ""
    rest = f"{job.left} to pay" if job.left else "ready"
    return Piece(
        symbol(kind) if kind else "lend_lease" if job.ipp else "factory",
        f"{words.thing(facts, job.what)}{place}{lent}: {rest}",
        count,
        size=job.left,
        states=() if job.left else ("new",),
    )


def _notes(s: State) -> Iterator[str]:
    """Wars, pacts, civil wars and what else is in force."""
    facts = s.facts
    for power in facts.powers:
        others = [
            other
            for other in sorted(foes(s, power), key=lambda id: (not facts.nations[id].player, id))
            if not (
                facts.nations[other].player
                and facts.powers.index(other) < facts.powers.index(power)
            )
        ]
        if others and power == power_of(s, power):
            yield f"{facts.name(power)} is at war with {words.nations(facts, others)}."
    for one, other in sorted(s.wars):
        if not facts.nations[one].player and not facts.nations[other].player:
            yield f"{facts.name(one)} and {facts.name(other)} are at war."
    for pact in sorted(s.pacts):
        yield f"In force: {words.PACTS[pact]}."
    for pact, power in sorted(s.offers):
        yield f"{facts.name(power)} offers {words.PACTS[pact]}."
    by: dict[str, list[str]] = {}
    for minor, controller in sorted(s.control.items()):
        by.setdefault(controller, []).append(minor)
    for controller, minors in by.items():
        yield f"{facts.name(controller)} Controls {words.nations(facts, minors)}."
    joined: dict[str, list[str]] = {}
    for minor, major in sorted(s.aligned.items()):
        joined.setdefault(major, []).append(minor)
    for major, minors in joined.items():
        yield f"Aligned with {facts.name(major)}: {words.nations(facts, minors)}."
    for nation in sorted(s.evolved):
        yield f"{facts.name(nation)} has become a Major Power."
    closed: dict[str, list[str]] = {}
    for passage, nation in sorted(s.closed):
        closed.setdefault(passage, []).append(nation)
    for passage, nations in closed.items():
        yield f"{facts.name(passage)} is closed to {words.nations(facts, nations)}."
    if s.burma_road:
        yield "The Burma Road is open."


# --- the battle that is being fought --------------------------------------------------------------

_STEPS = {
    "": "Before the first round",
    "first_strike": "First strike",
    "attack": "Attackers fire",
    "defense": "Defenders fire",
    "retreat": "Fight on or retreat",
}


_SORTIES = {
    "raid": ("Convoy raid in", ("raid", "mine"), "raids"),
    "bombing": ("Bombing raid on", ("bomb", "escort_bombers"), "bombs"),
    "carpet": ("Carpet bombing of", ("carpet", "escort_bombers"), "bombs"),
    "rocket": ("Rockets on", ("rocket",), "fires"),
    "attrition": ("Artillery fire on", ("attrition",), "fires"),
}
"""Combats that are not fought in rounds: their titles, the duties of who attacks, what they do."""


def battle(s: State) -> Battle | None:
    """The battle, raid or bombing that is being fought."""
    fight = s.battle
    if fight is None:
        kind, _, zone = s.step.partition(" ")
        return _sortie(s, kind, zone) if s.phase == "combat" and kind in _SORTIES else None
    ours, theirs = attackers(s), defenders(s)
    sea = s.facts.zones[fight.at].sea
    sides = []
    for verb, units, shots, role in (
        ("attacks", ours, attack_shots(s, ours), "attack"),
        ("defends", standing(s), defense_shots(s, theirs), "defense"),
    ):
        lost = [
            (unit, count)
            for unit, count in (*fight.lost, *(fight.condemned if role == "defense" else ()))
            if (unit.nation in fight.attackers) == (role == "attack")
        ]
        strengths = {
            s.facts.units[type_].name: _hits_at(rows, getattr(s.facts.units[type_], role))
            for type_, rows in shots.items()
        }
        note = " ".join(_circumstances(s, role)) if not sea else ""
        sides.append(_side(s, verb, units.items(), strengths, lost, note))
    return Battle(
        fight.at,
        f"{'Naval battle' if sea else 'Battle'} of {zone_name(s.facts, fight.at)}",
        fight.round,
        _STEPS.get(fight.step, fight.step),
        tuple(sides),
    )


def _side(
    s: State,
    verb: str,
    units: Iterable[tuple[Unit, int]],
    strengths: dict[str, str],
    lost: Iterable[tuple[Unit, int]] = (),
    note: str = "",
    nation: str = "",
) -> Combatant:
    units = tuple(units)
    nations = list(dict.fromkeys(unit.nation for unit, _ in units)) or [nation] * bool(nation)
    names = words.nations(s.facts, nations) or "Nobody"
    several = len(nations) > 1 or names.endswith(("ists", "icans"))
    return Combatant(
        f"{names} {verb.removesuffix('s') if several else verb}",
        nations[0] if nations else "",
        _stacks(s.facts, units),
        strengths,
        _stacks(s.facts, lost),
        note,
        player=commander(s, nations[0]) if nations else "",
    )


def _hits_at(rows: Iterable[Shots], printed: int | None) -> str:
    """`hits at 5 (printed 4)`; where not all hit alike `2 hit at 5, 1 at 4 (printed 4)`."""
    counts: Counter[int] = Counter()
    for row in rows:
        counts[row.value] += row.count
    (first, number), *rest = sorted(counts.items(), reverse=True)
    if rest:
        text = ", ".join([f"{number} hit at {first}", *(f"{n} at {value}" for value, n in rest)])
    else:
        text = f"hits at {first}"
    return text if printed is None or set(counts) == {printed} else f"{text} (printed {printed})"


def _circumstances(s: State, role: str) -> Iterator[str]:
    """What changes the printed values of a side in a land battle."""
    fight = s.battle
    assert fight is not None
    land = ground(s, fight.at)
    first = fight.round <= 1
    if role == "attack":
        if land != "normal":
            yield f"They attack in {land} terrain."
        landers = [unit for unit in attackers(s) if s.facts.units[unit.type].land]
        if first and any(crosses_river(s, u.origin, fight.at) for u in landers if u.origin):
            yield "They cross a river: -1 in the first round."
        if any(s.facts.units[unit.type].supports for unit in landers):
            yield "Each artillery lifts one infantry."
        return
    walls = city(s, fight.at)
    if walls:
        yield "They hold a city." if walls == "city" else "Their city is surrounded."
    works = fort(s)
    if works.bonus and first:
        yield f"Fortifications: {works.dice} dice at {works.value}, and +{works.bonus} at first."
    if fight.surprise and first:
        yield "They are surprised: -1 in the first round."


def _sortie(s: State, kind: str, zone: str) -> Battle:
    title, duties, verb = _SORTIES[kind]
    flown = kind in ("rocket", "attrition")
    if flown:
        ours = [(unit, count) for _, unit, count in aimed(s, zone, kind)]
    else:
        here = s.stack(zone).items()
        ours = [(u, n) for u, n in here if u.duty in duties and u.nation in acting(s)]
    theirs: list[tuple[Unit, int]] = []
    strengths: dict[str, str] = {}
    note, nation = "", s.possession.get(zone, "")
    if kind == "raid":
        raider = ours[0][0].nation if ours else ""
        prey = victims(s, raider, zone) if raider else []
        nation = prey[0][1] if prey else ""
        if nation:
            guard = {**escorts(s, zone, nation), **patrols(s, zone, nation, raider)}
            theirs = list(guard.items())
            more = convoy_modifier(s, zone, nation, raider)
            note = f"The convoy is worth {prey[0][0]}, and adds {more} to its die."
        for unit, _ in ours:
            name = s.facts.units[unit.type].name
            strengths[name] = f"adds {raider_modifier(s, unit)} to its die"
    elif kind in ("carpet", "attrition") and ours:
        theirs = [
            (unit, count)
            for unit, count in s.stack(zone).items()
            if s.facts.units[unit.type].land and enemies(s, unit.nation, ours[0][0].nation)
        ]
    steps = {"raid": "Raiders against the convoy", "bombing": "Interceptors, then bombs"}
    return Battle(
        zone,
        f"{title} {zone_name(s.facts, zone)}",
        0,
        steps.get(kind, "One round"),
        (
            _side(s, verb, ours, strengths, nation=s.mover),
            _side(s, "defends", theirs, {}, note=note, nation=nation),
        ),
    )


# --- numbers for charts ---------------------------------------------------------------------------


def figures(s: State) -> dict[str, dict[str, float]]:
    """Income, money, the price of all units, zones and victory points, by power."""
    facts = s.facts
    forces = dict.fromkeys(facts.powers, 0.0)
    zones = dict.fromkeys(facts.powers, 0.0)
    for _, unit, count in s.units():
        for piece in (unit, *unit.cargo):
            if piece.nation in forces:
                forces[piece.nation] += sum(facts.units[piece.type].cost) * count
    for owner in s.possession.values():
        if owner in zones:
            zones[owner] += 1
    points = score(s)
    return {
        "Income": {power: float(s.income.get(power, 0)) for power in facts.powers},
        "IPPs in hand": {power: float(s.treasury.get(power, 0)) for power in facts.powers},
        "Forces": forces,
        "Zones": zones,
        "Victory points": {power: float(points[alliance(s, power)]) for power in facts.powers},
    }


def derived(s: State) -> dict[str, Any]:
    """What the rules derive from the position."""
    powers = s.facts.powers
    return {
        "victory_points": score(s),
        "land_value": {power: value(s, power) for power in powers},
        "bonus_income": {power: bonus(s, power) for power in powers},
        "at_war_with_a_major_power": [p for p in powers if at_war_with_major(s, p)],
        "major_powers": [p for p in powers if is_major(s, p)],
    }


# --- what happened --------------------------------------------------------------------------------

_LEVELS = {
    "calendar": 0,
    "game_ended": 0,
    "turn_began": 0,
    "battle_began": 1,
    "war_declared": 1,
    "collected": 1,
}
_DEEDS: Mapping[str, Deed] = {
    "battle_began": "battle",
    "battle_ended": "decided",
    "possessed": "taken",
    "abyssinian_war_won": "politics",
    "aligned": "politics",
    "annexation_begun": "politics",
    "annexed": "politics",
    "burma_road": "politics",
    "capital_moved": "politics",
    "chinese_war_won": "politics",
    "defeated": "politics",
    "france_liberated": "politics",
    "influence": "politics",
    "pact_ended": "politics",
    "pact_offered": "politics",
    "pact_signed": "politics",
    "passage_closed": "politics",
    "passage_opened": "politics",
    "permission_withdrawn": "politics",
    "permitted": "politics",
    "spanish_war_won": "politics",
    "surrender_reversed": "politics",
    "surrendered": "politics",
    "vichy_colonies": "politics",
    "vichy_created": "politics",
    "vichy_navy": "politics",
    "vichy_surrendered": "politics",
    "war_declared": "politics",
    "war_joined": "politics",
}


def line(facts: Facts, event: Event) -> Line:
    """An event as a line of the log, with its dice."""
    return events.line(
        event,
        words.sentence(facts, event),
        tuple(_throws(facts, event)),
        level=_LEVELS.get(event.kind, 2),
        deed=_DEEDS.get(event.kind, ""),
        power=next((row[0] for row in event.data.get("lines", ())), ""),
        # The end of a battle sums up what was told before.
        lost=None if event.kind == "battle_ended" else partial(_fallen, facts),
    )


def _fallen(facts: Facts, type_: str, count: int) -> Piece:
    kind = facts.units[type_]
    return Piece(symbol(kind), kind.name, count)


def _throws(facts: Facts, event: Event) -> Iterator[Throw]:
    for row, faces in events.thrown(event.data):
        label = words.rolled(facts, row, event.kind)
        if row.value and event.kind != "researched":
            hits = tuple(face <= row.value for face in faces)
            yield Throw(label, faces, hits, row.power, f"needed {row.value} or less")
        else:
            yield Throw(label, faces, power=row.power)
