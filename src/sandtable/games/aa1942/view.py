"""The position and what happens in it, as clients draw them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from sandtable.board.words import listed
from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.facts import UnitType as Kind
from sandtable.games.aa1942.model import PHASES, State, Unit
from sandtable.games.aa1942.model import Stack as Units
from sandtable.games.aa1942.rules.assault import assaulted, launching_zones
from sandtable.games.aa1942.rules.bid import is_bidding
from sandtable.games.aa1942.rules.combat import Battle as Strip
from sandtable.games.aa1942.rules.combat import values
from sandtable.games.aa1942.rules.conduct_combat import other_battles
from sandtable.games.aa1942.rules.production import room_left
from sandtable.games.aa1942.rules.raids import raided
from sandtable.games.aa1942.rules.spaces import capital_lost, enemies_in, production
from sandtable.games.aa1942.rules.victory import cities_held
from sandtable.games.aa1942.words import (
    PHASE_NAMES,
    counted,
    power_name,
    sentence,
    units_in_words,
)
from sandtable.kernel import events
from sandtable.kernel.display import (
    About,
    Battle,
    Combatant,
    Deed,
    Line,
    Mark,
    Moment,
    Picture,
    Piece,
    Pool,
    Power,
    Space,
    Stack,
    Step,
    Throw,
    Track,
    UnitType,
)
from sandtable.kernel.events import Event

_SYMBOLS = {
    "antiaircraft_artillery": "antiaircraft",
    "aircraft_carrier": "carrier",
    "industrial_complex": "complex",
}
"""Where a type's symbol has another name than the type."""

SIDES = {"axis": "Axis", "allies": "Allies"}
_SHORT = {"united_kingdom": "UK", "united_states": "USA", "soviet_union": "USSR"}
_FOCUS = ("germany", "united_kingdom", "russia", "libya", "japan")
_FRONTS = {
    "soviet_union": ("karelia_ssr", "germany", "kazakh_ssr", "egypt"),
    "germany": ("united_kingdom", "russia", "egypt"),
    "united_kingdom": ("united_kingdom", "germany", "egypt", "india"),
    "japan": ("japan", "india", "eastern_australia", "sz56"),
    "united_states": ("eastern_united_states", "hawaiian_islands", "japan"),
}
"""Where each power's war begins."""

FIGURES = ("Income", "IPCs in hand", "Forces", "Victory cities")

_NOTES = {
    "infantry": "Attacks at 2 beside an artillery of its own, one for one.",
    "artillery": "Lifts one attacking infantry to 2.",
    "tank": "Blitzes: takes an empty enemy territory and goes on.",
    "antiaircraft_artillery": (
        "Before the first round up to three shots at attacking aircraft, each hits on a 1. "
        "Moves only in noncombat movement."
    ),
    "industrial_complex": "New units come in here, as many as the territory is worth.",
    "fighter": "Can land on aircraft carriers.",
    "bomber": "Can bomb industrial complexes.",
    "battleship": "Takes two hits; bombards at 4.",
    "aircraft_carrier": "Carries two fighters.",
    "cruiser": "Bombards at 3.",
    "destroyer": "Keeps enemy submarines from surprise and from submerging.",
    "submarine": "Strikes by surprise or submerges where no enemy destroyer is.",
    "transport": "Carries one land unit and one infantry; chosen last as a casualty.",
}


def symbol(type_: str) -> str:
    """The name of the symbol that a type of unit is drawn with."""
    return _SYMBOLS.get(type_, type_)


# --- the game as such ----------------------------------------------------------------------------


def about(s: State) -> About:
    """What does not change in this game."""
    facts = s.facts
    return About(
        game="aa1942",
        title="Axis & Allies 1942",
        subtitle=_subtitle(s.options),
        powers=tuple(
            Power(
                power,
                facts.names[power],
                _SHORT.get(power, facts.names[power]),
                facts.colours[power],
                facts.side[power],
                SIDES[facts.side[power]],
                _FRONTS[power],
            )
            for power in facts.powers
        ),
        map="aa1942",
        names={
            id: f"{space.name}, {space.label}" if space.sea and space.label else space.name
            for id, space in facts.spaces.items()
        },
        types=tuple(
            UnitType(kind.id, kind.name, symbol(kind.id), _profile(kind), _NOTES.get(kind.id, ""))
            for kind in facts.units.values()
        ),
        focus=_FOCUS,
        figures=FIGURES,
    )


def _subtitle(options: Mapping[str, Any]) -> str:
    """The options that differ from the usual game, in a few words."""
    parts = []
    if options["victory"] == "total":
        parts.append("total victory")
    if options["setup"] == "tournament":
        parts.append("tournament set-up")
    if options["cities"] == 13:
        parts.append("13 victory cities")
    if options["interceptors"]:
        parts.append("interceptors")
    if options["luck"] == "low":
        parts.append("low luck")
    if options["bid"]:
        parts.append(f"a bid of {options['bid']} for the {options['bid_side'].capitalize()}")
    if options["dardanelles"]:
        parts.append("Turkish straits closed")
    text = listed(parts)
    return text[:1].upper() + text[1:] if text else "Standard victory"


def _profile(kind: Kind) -> dict[str, str]:
    facts = {"Cost": str(kind.cost)}
    if kind.domain != "facility":
        facts |= {
            "Move": str(kind.move),
            "Attack": str(kind.attack or "-"),
            "Defense": str(kind.defense or "-"),
        }
    return facts


# --- the position --------------------------------------------------------------------------------


def picture(s: State, powers: Collection[str]) -> Picture:
    """The position; nothing of it is secret, so it is the same for everybody."""
    return Picture(
        moment=_moment(s),
        spaces=_spaces(s),
        tracks=_tracks(s),
        pools=_pools(s),
        battle=battle(s),
    )


def _moment(s: State) -> Moment:
    now = PHASES.index(s.phase)
    if is_bidding(s):
        return Moment("Before round 1", "Bid", power=s.step.split()[1], round=s.round)
    return Moment(
        title=f"Round {s.round}",
        phase=PHASE_NAMES[s.phase],
        power=s.turn,
        steps=tuple(
            Step(phase, PHASE_NAMES[phase], now=at == now, done=at < now)
            for at, phase in enumerate(PHASES)
        ),
        round=s.round,
    )


def _tracks(s: State) -> tuple[Track, ...]:
    facts = s.facts
    needed = facts.thresholds["printed" if s.options["cities"] == 12 else "faq"]
    return (
        Track(
            "Economy",
            ("In hand", "Income"),
            {
                power: (
                    str(s.treasury[power]),
                    "capital lost" if capital_lost(s, power) else str(production(s, power)),
                )
                for power in facts.powers
            },
        ),
        Track(
            "Victory cities",
            ("Held", "Needed"),
            {
                side: (str(held), str(needed[s.options["victory"]][side]))
                for side, held in cities_held(s).items()
            },
        ),
    )


def _pools(s: State) -> tuple[Pool, ...]:
    if not s.bought:
        return ()
    kinds = s.facts.units
    pieces = tuple(
        Piece(symbol(type_), kinds[type_].name, count, states=("new",))
        for type_, count in s.bought.items()
    )
    note = "Bought this turn; they enter play in the phase Mobilize new units."
    return (Pool("Mobilization zone", s.turn, pieces, note),)


def _spaces(s: State) -> dict[str, Space]:
    at, control, complexes = s.at, s.control, s.complexes
    faq = s.options["cities"] != 12
    tags = _tags(s)
    return {
        space: _space(
            s.facts,
            space,
            control.get(space, ""),
            complexes.get(space),
            space in s.new_complexes,
            faq,
            tuple(at[space].items()) if space in at else (),
            tags.get(space, ()),
        )
        for space in s.facts.spaces
    }


def _tags(s: State) -> dict[str, tuple[str, ...]]:
    """Where a battle will be fought this turn, and where both sides are without one."""
    found: dict[str, tuple[str, ...]] = {}
    foes = s.facts.enemies[s.turn]
    ours = set().union(*(s.presence[ally] for ally in s.facts.allies[s.turn]))
    theirs = set().union(*(s.presence[foe] for foe in foes))
    for space in ours & theirs:
        found[space] = ("contested",)
    if s.phase in ("combat_move", "conduct_combat"):
        battles = [*other_battles(s)[0], *assaulted(s), *raided(s)]
        if s.battle:
            battles.append(s.battle)
        for space in battles:
            found[space] = ("battle",)
    return found


@lru_cache(maxsize=1 << 14)
def _space(
    facts: Facts,
    space: str,
    owner: str,
    damage: int | None,
    new: bool,
    faq: bool,
    stack: tuple[tuple[Unit, int], ...],
    tags: tuple[str, ...],
) -> Space:
    known = facts.spaces[space]
    marks, lines = _features(facts, space, owner, damage, new, faq)
    return Space(
        owner=owner,
        marks=marks,
        stacks=stacks(facts, stack, sea=known.sea),
        tags=("neutral", *tags) if known.neutral else tags,
        lines=lines,
    )


def _features(
    facts: Facts, space: str, owner: str, damage: int | None, new: bool, faq: bool
) -> tuple[tuple[Mark, ...], tuple[str, ...]]:
    """What is printed in a space or built there: as marks, and as sentences."""
    known = facts.spaces[space]
    marks: list[Mark] = []
    lines: list[str] = []
    if known.neutral:
        lines.append("Neutral: no unit may enter or fly over it.")
    if known.ipc:
        ipcs = "1 IPC" if known.ipc == 1 else f"{known.ipc} IPCs"
        marks.append(Mark("ipc", f"Worth {ipcs}", str(known.ipc)))
        lines.append(f"Worth {ipcs} a turn.")
    elif owner:
        lines.append("Worth no IPCs.")
    for power, capital in facts.capital.items():
        if capital == space:
            title = f"{facts.capital_city[power]}, capital of {power_name(facts, power)}"
            marks.append(Mark("capital", title))
            lines.append(f"{title}.")
    for city, land in (facts.cities_faq if faq else facts.cities).items():
        if land == space:
            marks.append(Mark("city", f"Victory city: {city}"))
            lines.append(f"Victory city: {city}.")
    if damage is not None:
        room = max(0, known.ipc - damage)
        if damage:
            cap = facts.numbers.damage_cap_factor * known.ipc
            title = f"Industrial complex with {damage} of at most {cap} damage"
            marks.append(Mark("factory", title, f"-{damage}", "bad"))
        else:
            title = "Industrial complex"
            marks.append(Mark("factory", title))
        can = "nothing" if not room else "1 unit" if room == 1 else f"{room} units"
        lines.append(
            f"{title}: just built, it can be used from the next turn on."
            if new
            else f"{title}: {can} can be placed here a turn."
        )
    if owner and known.owner and known.owner != owner:
        lines.append(f"Belonged to {power_name(facts, known.owner)} at the start.")
    for (here, there), shores in facts.canals.items():
        if here == space:
            lines.append(
                f"A canal leads to {facts.name(there)}; it is open to a side that held "
                f"{listed(facts.name(shore) for shore in shores)} when the turn began."
            )
    return tuple(marks), tuple(lines)


def stacks(
    facts: Facts, stack: Iterable[tuple[Unit, int]], *, sea: bool = False, fighting: bool = False
) -> tuple[Stack, ...]:
    """Units as the stacks of their powers, in the order of play and of the unit chart. While they
    are `fighting` it does not matter who has moved."""
    by_power: dict[str, dict[Piece, int]] = {}
    for unit, count in stack:
        row = by_power.setdefault(unit.power, {})
        piece = _piece(facts, unit, sea)
        row[piece] = row.get(piece, 0) + count
    order = _chart(facts)
    return tuple(
        Stack(
            power,
            tuple(
                Piece(
                    p.symbol,
                    p.name,
                    n,
                    states=tuple(x for x in p.states if not (fighting and x in _IDLE)),
                    cargo=p.cargo,
                    note=p.note,
                )
                for p, n in sorted(
                    by_power[power].items(), key=lambda i: (order[i[0].name], i[0].states)
                )
            ),
        )
        for power in facts.powers
        if power in by_power
    )


@lru_cache(maxsize=8)
def _chart(facts: Facts) -> dict[str, int]:
    return {kind.name: at for at, kind in enumerate(facts.units.values())}


_IDLE = ("moved", "carried")

_DUTIES: dict[str, tuple[str, str]] = {
    "raid": ("moved", "Bombs the industrial complex"),
    "bombed": ("moved", "Has bombed this turn"),
    "escort": ("moved", "Escorts the bombers"),
    "intercept": ("moved", "Intercepts the bombers"),
    "landing": ("moved", "Lands its cargo"),
    "loaded": ("moved", "Taken aboard this turn"),
    "assault": ("moved", "To be landed"),
    "seaborne": ("moved", "Landed from the sea: cannot retreat"),
    "submerged": ("submerged", "Submerged: out of the battle"),
    "damaged": ("damaged", "Has taken one hit"),
    "fought": ("moved", "Has fought this turn"),
    "retreated": ("moved", "Has retreated this turn"),
    "offloaded": ("moved", "Has landed its cargo"),
    "bombarded": ("moved", "Has bombarded this turn"),
    "moved": ("moved", "Has moved this turn"),
    "landed": ("moved", "Has landed"),
    "new": ("new", "Placed this turn"),
}
"""What a unit did this turn: the state of its piece, and words about it."""


@lru_cache(maxsize=1 << 12)
def _piece(facts: Facts, unit: Unit, sea: bool) -> Piece:
    kind = facts.units[unit.type]
    state, note = _DUTIES.get(unit.duty, ("", ""))
    if not state and unit.used:
        state, note = "moved", "Has moved this turn"
    elif not state and sea and kind.domain == "air":
        state, note = "carried", "On a carrier"
    if unit.target:
        note = f"Lands its cargo in {facts.name(unit.target)}"
    if kind.domain == "air" and unit.used and unit.duty != "landed":
        left = kind.move - unit.used
        note = f"{note}; can still fly {left} {'space' if left == 1 else 'spaces'}".lstrip("; ")
    return Piece(
        symbol(unit.type),
        kind.name,
        states=(state,) if state else (),
        cargo=tuple(_aboard(facts, unit)),
        note=note,
    )


def _aboard(facts: Facts, ship: Unit) -> list[Piece]:
    tally: dict[Piece, int] = {}
    for unit in ship.cargo:
        piece = Piece(
            symbol(unit.type),
            facts.units[unit.type].name,
            power=unit.power if unit.power != ship.power else "",
        )
        tally[piece] = tally.get(piece, 0) + 1
    return [Piece(p.symbol, p.name, n, power=p.power) for p, n in tally.items()]


# --- the battle ----------------------------------------------------------------------------------


_STEPS = {
    "": "Before the first round",
    "bombardment": "Ships bombard before the landing",
    "antiaircraft": "Antiaircraft fire before the first round",
    "submarines": "Submarines may submerge",
    "strike": "Submarines strike by surprise",
    "strike_back": "Defending submarines strike by surprise",
    "attack": "The attacker fires",
    "defence": "The defender fires back",
    "retreat": "Another round, or retreat",
    "air_battle": "Air battle: bombers and escorts fire",
    "interceptors": "Air battle: interceptors fire back",
    "complex": "The industrial complex fires at the bombers",
    "bombs": "The bombs fall",
}
"""The steps of a combat in words."""


def battle(s: State) -> Battle | None:
    """The battle or raid that is being fought."""
    if not s.battle:
        return None
    space = battlefield(s)
    if s.step == "raids":
        return _raid(s, space)
    strip = Strip(s, space)
    facts = s.facts
    where = facts.name(space)
    title = f"{power_name(facts, s.turn, start=True)} attacks in {where}"
    if space != s.battle:
        title = f"{title}, before the landing in {facts.name(s.battle)}"
    defender = _defender(s, space, strip.defenders)
    return Battle(
        space,
        title,
        strip.record.round,
        _STEPS[strip.record.step],
        (
            _combatant(strip, s.turn, attacking=True),
            _combatant(strip, defender, attacking=False),
        ),
    )


def battlefield(s: State) -> str:
    """The space in which is fought now: before a landing, its zones come one by one."""
    if s.combat is not None:
        return s.combat.at
    if s.step != "assaults":
        return s.battle
    for zone in launching_zones(s, s.battle):
        if zone not in s.fought | s.ignored and enemies_in(s, zone, s.turn):
            return zone
    return s.battle


def _defender(s: State, space: str, defenders: Units) -> str:
    """The power that stands for the defenders."""
    powers = {unit.power for unit in defenders}
    holder = s.control.get(space, "")
    if holder in powers or not powers:
        return holder if holder in s.facts.enemies[s.turn] else min(powers, default="")
    return next(power for power in s.facts.powers if power in powers)


def _combatant(strip: Strip, power: str, *, attacking: bool) -> Combatant:
    s = strip.s
    facts = s.facts
    side = strip.attackers if attacking else strip.defenders
    strengths: dict[str, dict[int, int]] = {}
    for unit, count, value in values(strip, side, attacking=attacking):
        row = strengths.setdefault(facts.units[unit.type].name, {})
        row[value] = row.get(value, 0) + count
    words = {name: _strength(row) for name, row in strengths.items()}
    loaded = strip.record.step in ("", "bombardment")
    loaded &= any(facts.units[unit.type].domain == "air" for unit in strip.attackers)
    for unit in side:
        fires = loaded and unit.type == "antiaircraft_artillery"
        word = "fires at aircraft first" if fires else "does not fire"
        words.setdefault(facts.units[unit.type].name, word)
    names = listed(
        power_name(facts, each, start=not at)
        for at, each in enumerate(
            p for p in facts.powers if p == power or any(u.power == p for u in side)
        )
    )
    verb = "attack" if attacking else "defend"
    several = len({unit.power for unit in side}) > 1
    return Combatant(
        title=f"{names} {verb if several else verb + 's'}" if names else "Nobody defends",
        power=power,
        stacks=stacks(facts, side.items(), sea=strip.sea, fighting=True),
        strengths=words,
        lost=_lost(s, attacking=attacking),
        note=" ".join(filter(None, (_reason(strip, side, attacking), _condemned(s, attacking)))),
    )


def _reason(strip: Strip, side: Units, attacking: bool) -> str:
    """Why some of them hit with more than is printed, or others with less effect."""
    types = {unit.type for unit in side}
    if not strip.sea:
        lifts = attacking and {"artillery", "infantry"} <= types
        value = strip.s.facts.numbers.supported_attack
        return f"Each artillery lifts one infantry to {value}." if lifts else ""
    if not strip.has(strip.defenders if attacking else strip.attackers, "submarine"):
        return ""
    if "destroyer" in types:
        return "Their destroyers keep enemy submarines from striking by surprise and submerging."
    if any(strip.s.facts.units[type_].domain == "air" for type_ in types):
        return "Without a destroyer their aircraft cannot hit submarines."
    return ""


def _lost(s: State, *, attacking: bool) -> tuple[Stack, ...]:
    """What a side has lost in the combat so far."""
    if s.combat is None:
        return ()
    foes = s.facts.enemies[s.turn]
    gone = [(unit, n) for unit, n in s.combat.lost if (unit.power in foes) != attacking]
    plain = ((replace(unit, used=0, origin="", duty="", target=""), n) for unit, n in gone)
    return stacks(s.facts, plain)


def _condemned(s: State, attacking: bool) -> str:
    if attacking:
        return ""
    tally: dict[str, int] = {}
    for unit, count in s.combat.condemned if s.combat is not None else ():
        tally[unit.type] = tally.get(unit.type, 0) + count
    if not tally:
        return ""
    return f"Already hit, fires once more: {units_in_words(s.facts, tally)}."


def _strength(row: Mapping[int, int]) -> str:
    """`hits at 3`; where some are supported `2 hit at 2, 1 at 1`."""
    if len(row) == 1:
        return f"hits at {next(iter(row))}"
    (first, count), *rest = sorted(row.items(), reverse=True)
    return ", ".join([f"{count} hit at {first}", *(f"{n} at {value}" for value, n in rest)])


def _raid(s: State, space: str) -> Battle:
    facts, numbers = s.facts, s.facts.numbers
    here = s.stack(space)
    raiders = {u: n for u, n in here.items() if u.duty in ("raid", "escort", "bombed")}
    rising = {u: n for u, n in here.items() if u.duty == "intercept"}
    attack = f"hits at {numbers.air_battle_attack}"
    ours = {facts.units[u.type].name: attack for u in raiders} if rising else {"Bomber": "bombs"}
    theirs = {"Fighter": f"hits at {numbers.air_battle_defense}"} if rising else {}
    where = facts.name(space)
    step = "Air battle" if rising else "The industrial complex fires, then bombs fall"
    if s.combat is not None:
        step = _STEPS[s.combat.step]
    return Battle(
        space,
        f"Bombing raid on {where}",
        0,
        step,
        (
            Combatant(
                f"{power_name(facts, s.turn, start=True)} bombs",
                s.turn,
                stacks(facts, raiders.items(), fighting=True),
                ours,
                _lost(s, attacking=True),
            ),
            Combatant(
                f"{power_name(facts, s.control[space], start=True)} defends",
                s.control[space],
                stacks(facts, rising.items(), fighting=True),
                theirs,
                _lost(s, attacking=False),
                note=f"One shot at each bomber, which hits at {numbers.raid_defense_hits_on}.",
            ),
        ),
    )


# --- numbers for charts --------------------------------------------------------------------------


def figures(s: State) -> dict[str, dict[str, float]]:
    """Income, money, the price of all units on the board, and victory cities, by power."""
    facts = s.facts
    cities = (facts.cities if s.options["cities"] == 12 else facts.cities_faq).values()
    forces = dict.fromkeys(facts.powers, 0.0)
    for _, unit, count in s.units():
        for piece in (unit, *unit.cargo):
            forces[piece.power] += facts.units[piece.type].cost * count
    return {
        "Income": {power: float(production(s, power)) for power in facts.powers},
        "IPCs in hand": {power: float(s.treasury[power]) for power in facts.powers},
        "Forces": forces,
        "Victory cities": {
            power: float(sum(s.control[land] == power for land in cities)) for power in facts.powers
        },
    }


def derived(s: State) -> dict[str, Any]:
    """What the rules derive from the position."""
    return {
        "income": {p: 0 if capital_lost(s, p) else production(s, p) for p in s.facts.powers},
        "victory_cities": cities_held(s),
        "production_left": room_left(s),
    }


# --- what happened -------------------------------------------------------------------------------

_LEVELS = {
    "turn_began": 0,
    "won": 0,
    "bought": 1,
    "phase_began": 1,
    "battle_began": 1,
    "collected": 1,
    "no_income": 1,
}
_DEEDS: Mapping[str, Deed] = {
    "attack_move": "battle",
    "assault_announced": "battle",
    "battle_began": "battle",
    "battle_ended": "decided",
    "captured": "taken",
    "plundered": "politics",
}


def line(facts: Facts, event: Event) -> Line:
    """An event as a line of the log, with its dice."""
    data = event.data
    return events.line(
        event,
        sentence(facts, event),
        _throws(facts, event.kind, data),
        level=_LEVELS.get(event.kind, 2),
        deed=_DEEDS.get(event.kind, ""),
        power=next((row[0] for row in data.get("lines", ())), ""),
        spaces=(*data.get("repairs", ()), *data.get("fighters", ())),
        lost=lambda type_, count: Piece(symbol(type_), facts.units[type_].name, count),
    )


_FIRE = {
    "antiaircraft_artillery": "Antiaircraft fire",
    "industrial_complex": "Industrial complex",
}


def _throws(facts: Facts, kind: str, data: Mapping[str, Any]) -> tuple[Throw, ...]:
    """The dice of an event, line by line. Guns, complexes and bombs are not as many as the dice."""
    throws = []
    for row, faces in events.thrown(data):
        if kind == "bombed":
            points = data["damage"]
            note = f"{points} {'point' if points == 1 else 'points'} of damage"
            throws.append(Throw("Bombs", faces, note=note))
            continue
        label = _FIRE.get(row.type) or counted(facts, row.type, row.count)
        sure = 0
        if "sure" in data:
            # All of them stand with the first die.
            sure = 0 if throws else data["sure"]
            label = f"{sure} sure, a die for the rest" if sure else "A die for the rest"
        note = "needed a 1" if row.value == 1 else f"needed {row.value} or less"
        hits = tuple(face <= row.value for face in faces)
        throws.append(Throw(label, faces, hits, row.power, note, sure=sure))
    return tuple(throws)
