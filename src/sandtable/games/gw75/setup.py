"""The position at the start of a game: a scenario, or any position a user can think of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.games.gw75 import audit
from sandtable.games.gw75.checks import TYPES
from sandtable.games.gw75.facts import AXIS_MINORS, MAJORS, Pair, load_facts, pair
from sandtable.games.gw75.model import PHASES, Attack, Job, Mission, News, State, Unit
from sandtable.games.gw75.rules import (
    amphibious,
    attacks,
    axis_minors,
    china,
    indochina,
    industry,
    italy,
    naval_movement,
    ports,
    united_states,
    ussr,
    vichy,
    wars,
)
from sandtable.games.gw75.rules.terms import (
    FLEET,
    GROUND,
    LANDED,
    MOBILE,
    NAVAL,
    OPENED,
    OTHER,
    at_war,
    foes,
    ground,
    holder,
    phase_side,
    players,
    seize,
    side,
    tally,
)
from sandtable.kernel.errors import PositionError
from sandtable.kernel.package import read_position

_Count = Annotated[int, Meta(ge=0, le=999)]
_Some = Annotated[int, Meta(ge=1, le=999)]


class Piece(msgspec.Struct, forbid_unknown_fields=True):
    """Units of one type that are marked with something; the fields are those of `Unit`."""

    count: _Count = 1
    depleted: bool = False
    idle: bool = False
    left: Annotated[int, Meta(ge=-1, le=99)] = -1
    duty: str = ""
    origin: str = ""
    supply: Literal["", "defense", "none"] = ""
    cut: Annotated[int, Meta(ge=0, le=2)] = 0
    shot: tuple[str, ...] = ()
    met: tuple[str, ...] = ()


class Order(msgspec.Struct, forbid_unknown_fields=True):
    """Units on the Production Track, or due now."""

    nation: str
    type: str
    due: _Some
    number: _Some = 1
    country: str = ""
    hex: str = ""


class Raid(msgspec.Struct, forbid_unknown_fields=True):
    """A bombing mission."""

    nation: str
    base: str
    target: str
    number: _Some = 1
    bomb: bool = False


class Assault(msgspec.Struct, forbid_unknown_fields=True):
    """A land attack that was declared: its targets; hex, nation, type and number of its force."""

    targets: list[str]
    force: list[tuple[str, str, str, _Some]]


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A custom position. What is not named stays as in the scenario, without its units if the base
    is `empty`. `units`, `held`, `joined` and `violated` change what they name and nothing else; the
    other fields are given whole. A hex is held by the nation of its country if that is named, a
    nation that has joined `neutral` is neutral, one that was violated in turn 0 was not.

    It stands at the beginning of its phase, or of the turn of `mover` among the players of the side
    whose phase it is. Without `wars` the USA is at war from the turn of its automatic entry on. An
    industrial hex that another than its own power holds was captured in the turn before unless
    `captured` names it.
    """

    base: str = "setup"
    turn: int | None = None
    phase: str = PHASES[0]
    mover: str = ""
    units: dict[str, dict[str, dict[str, _Count | list[Piece]]]] = {}
    held: dict[str, str] = {}
    wars: list[tuple[str, str]] | None = None
    joined: dict[str, Literal["axis", "allies", "neutral"]] = {}
    violated: dict[str, _Count] = {}
    fallen: list[str] | None = None
    limited: list[tuple[str, str]] | None = None
    vichy: Literal["", "open", "declared", "axis", "allies", "gone"] | None = None
    marks: list[str] | None = None
    counts: dict[str, _Count] | None = None
    penalties: list[str] | None = None
    ports: list[str] | None = None
    destroyed: list[str] | None = None
    captured: dict[str, _Some] | None = None
    recaptured: list[str] | None = None
    bombed: dict[str, _Some] | None = None
    bombs: dict[str, _Some] | None = None
    capacity: dict[str, _Count] | None = None
    track: list[Order] | None = None
    started: dict[str, dict[str, _Some]] | None = None
    started_before: dict[str, dict[str, _Some]] | None = None
    dead: dict[str, dict[str, _Some]] | None = None
    points: dict[str, dict[str, _Count]] | None = None
    stock: dict[str, _Some] | None = None
    due: list[Order] | None = None
    missions: list[Raid] | None = None
    attacks: list[Assault] | None = None
    stand_fast: list[str] | None = None
    fought: list[str] | None = None
    done: dict[str, _Count] | None = None


_LAND = ("inf", "mech", "sd", "fort")
_SHIPS = ("surf_a", "surf_b", "ss", "ms", "amph")
DUTIES: dict[str, tuple[str, ...]] = {
    "": tuple(TYPES),
    "assault": ("inf", "mech", "amph"),
    "landed": ("inf", "mech", "amph"),
    "ashore": ("inf", "mech"),
    "attacked": ("inf", "mech"),
    "retreated": (*_LAND, *_SHIPS),
    "repelled": ("inf", "mech"),
    "snort": ("ss",),
    "support": ("asw",),
    "flown": ("lrb", "ad", "asw"),
    "new": (*_SHIPS, "asw"),
}
"""What units of a custom position may be doing, and which types can."""


MARKED = {"cut": GROUND, "shot": NAVAL, "met": NAVAL, "left": MOBILE | {"sd"} | NAVAL}
"""The types of units that can have some of the marks."""


MARKS = (
    italy.IN_AFRICA,
    united_states.LIMITED,
    ussr.LIMITED,
    axis_minors.ENTERED,
    indochina.EMBARGO,
    vichy.LEAVES,
)
COUNTS = (
    "first_battle:",
    "recaptured:",
    amphibious.BEACH,
    ussr.POLAND,
    ussr.INVADED,
    ussr.LOST,
    ussr.MILITIA,
    united_states.SURPRISE,
    united_states.LOST,
    italy.DRIVEN_OUT,
    axis_minors.FINNS,
    vichy.DECLARED,
    china.DEAD,
)
"""What rules remember by name; after a colon at the end the id of a nation or a hex follows."""
NUMBERS = (united_states.LOST, ussr.LOST, ussr.MILITIA, china.DEAD)
"""Those of them that are numbers; all others are Game-Turns."""
DONE = ("strategic:", "shipped:", "lend:", "transfer:", "bombs:", OPENED)
"""What is limited per phase, in the same way."""
OF_NATIONS = ("first_battle:", vichy.LEAVES, "strategic:")
"""What is remembered of nations; of all else with a colon it is hexes."""


def start(
    options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
) -> State:
    """The first position of a scenario, with whatever `position` changes."""
    facts = load_facts(data)
    s = State(facts, options)
    given = Position() if position is None else read_position(position, Position)
    _lay_out(s, with_units=given.base == "setup")
    if position is not None:
        _arrange(s, given)
    s.changed()
    note_captures(s)
    _check_captures(s)
    opening: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        opening[unit.nation, unit.type] += count
    s.opening = dict(sorted(opening.items()))
    for fault in audit.broken_invariants(s):
        raise PositionError(fault)
    if s.phase == PHASES[0] or (given.wars is None and not united_states.fully_at_war(s)):
        s.tell(News("turn", number=s.turn))  # what the calendar brings
    s.tell(News("phase", how=f"start of {s.phase}"))
    return s


def note_captures(s: State) -> None:
    """An industrial hex that another than its own power holds was captured in the turn before,
    unless it is noted when."""
    for hex, where in s.facts.hexes.items():
        if where.industry and holder(s, hex) not in (where.nation, where.industry):
            s.captured.setdefault(hex, s.turn - 1)


def _check_captures(s: State) -> None:
    """PositionError if industry is said to be captured that its own power holds, or recaptured that
    it does not."""
    for hex in sorted({*s.captured, *s.recaptured}):
        where, whose = s.facts.hexes[hex], holder(s, hex)
        own = whose in (where.nation, where.industry) and where.industry not in s.fallen
        if own == (hex in s.captured) or own != (hex in s.recaptured):
            which = "captured" if own else "recaptured"
            raise PositionError(f"{which}.{hex}: {s.facts.name(whose)} holds it.")


def _lay_out(s: State, with_units: bool) -> None:
    """The scenario as it is set up."""
    scenario = s.facts.scenarios[s.options["scenario"]]
    s.turn = scenario.first
    s.wars = frozenset(pair(one, other) for one, others in scenario.wars for other in others)
    s.joined = dict(scenario.joined)
    s.fallen = frozenset(scenario.fallen)
    s.counts = dict(scenario.counts)
    s.vichy = "open" if s.options["vichy"] else ""
    for nation, hexes in scenario.held.items():
        for hex in hexes:
            s.hold(hex, nation)
    s.track = tuple(
        sorted(
            Job(each.nation, type, each.due, count)
            for each in scenario.track
            for type, count in each.units.items()
        )
    )
    if with_units:
        for nation, places in scenario.units.items():
            for hex, units in places.items():
                for type, count in units.items():
                    s.put(hex, Unit(nation, type), count)


# Custom positions.


def _arrange(s: State, given: Position) -> None:
    """Change the base as the position says; PositionError if it cannot be."""
    _set_the_clock(s, given)
    _arrange_politics(s, given)
    _arrange_industry(s, given)
    s.changed()
    for hex, nations in given.units.items():
        _known(hex, s.facts.hexes, "units")
        for nation, types in nations.items():
            _known(nation, s.facts.nations, f"units.{hex}")
            if nation in s.fallen.intersection(MAJORS):
                raise PositionError(f"units.{hex}: {s.facts.name(nation)} has fallen.")
            for type, pieces in types.items():
                _known(type, s.facts.types, f"units.{hex}.{nation}")
                _place(s, hex, nation, type, pieces)
        if hex not in given.held and s.facts.hexes[hex].dry:
            _occupy(s, hex)
        _check_company(s, hex)
    taken = any(side(s, holder(s, hex)) == "axis" for hex in s.facts.lands["poland"])
    if taken and s.turn > 1 and wars.at_peace(s, "ussr"):
        s.counts.setdefault(ussr.POLAND, s.turn - 1)  # it was invaded before
    _arrange_fighting(s, given)


def _check_company(s: State, hex: str) -> None:
    """PositionError if land units of two sides that are at peace are in a hex: one has violated the
    other by coming. Vichy France lets some stay beside it (20.18, 20.2).

    Rules: 5.57d, 11.3a
    """
    here = sorted({unit.nation for unit, _ in ground(s, hex)} - {"vichy"})
    for one, other in combinations(here, 2):
        if side(s, one) != side(s, other) and not at_war(s, one, other):
            names = f"{s.facts.name(one)} and {s.facts.name(other)}"
            raise PositionError(f"units.{hex}: {names} are at peace, and do not share a hex.")


def _occupy(s: State, hex: str) -> None:
    """Land units hold the hex of the other side in which they stand, unless they are landing."""
    for unit, _ in ground(s, hex):
        other = OTHER.get(side(s, unit.nation), "")
        if unit.duty != "assault" and side(s, holder(s, hex)) == other:
            seize(s, hex, unit.nation)


def _set_the_clock(s: State, given: Position) -> None:
    """The Game-Turn, the phase, and whose turn it is in it: the players of the side before that one
    are done. What was due in the turns before is no longer on the tracks."""
    if given.turn is not None:
        if given.turn not in s.facts.turns:
            raise PositionError(f"turn: there is no Game-Turn {given.turn}.")
        s.turn = given.turn
    s.phase = _known(given.phase, PHASES, "phase")
    s.track = tuple(job for job in s.track if job.due >= _next_due(s))
    if given.mover:
        phasing = phase_side(s.phase)
        if not phasing:
            raise PositionError("mover: it is a phase of both sides.")
        order = players(s, phasing)
        s.mover = _known(given.mover, order, "mover")
        s.finished = frozenset(order[: order.index(given.mover)])


def _next_due(s: State) -> int:
    """The Game-Turn of which no reinforcements have been placed yet."""
    return s.turn + (PHASES.index(s.phase) > PHASES.index("reinforcement"))


def _arrange_politics(s: State, given: Position) -> None:
    nations = s.facts.nations
    if given.wars is not None:
        s.wars = frozenset(_war(s, both, "wars") for both in given.wars)
    for nation, which in given.joined.items():
        _known(nation, nations, "joined")
        if nation in (*MAJORS, *AXIS_MINORS) and which != nations[nation].side:
            raise PositionError(f"joined: {s.facts.name(nation)} does not change its side.")
        s.joined.pop(nation, None)
        if which != nations[nation].side:
            s.joined[nation] = which
        if which == "neutral" and given.wars is None:
            s.wars = frozenset(war for war in s.wars if nation not in war)
    for war in sorted(s.wars):
        _take_sides(s, given, war)
        if side(s, war[0]) == side(s, war[1]) and war != ("poland", "ussr"):
            names = " and ".join(map(s.facts.name, war))
            raise PositionError(f"wars: {names} are on one side.")
    for hex, nation in given.held.items():
        if not s.facts.hexes[_known(hex, s.facts.hexes, "held")].dry:
            raise PositionError(f"held.{hex}: nobody holds the sea.")
        s.hold(hex, _known(nation, nations, f"held.{hex}"))
    for nation, turn in given.violated.items():
        _known(nation, nations, "violated")
        if turn > s.turn:
            raise PositionError(f"violated.{nation}: Game-Turn {turn} is still to come.")
        s.violated.pop(nation, None)
        if turn:
            s.violated[nation] = turn
    if given.fallen is not None:
        s.fallen = _all_known(given.fallen, nations, "fallen")
        _have_fallen(s, given)
    if given.limited is not None:
        s.limited = frozenset(_war(s, both, "limited") for both in given.limited)
        for war in sorted(s.limited):
            if "usa" not in war and "ussr" not in war:
                raise PositionError("limited: only the USA and the USSR wage limited wars.")
    if given.vichy is not None:
        if bool(given.vichy) != s.options["vichy"]:
            raise PositionError("vichy: the option says whether Vichy France can be declared.")
        s.vichy = given.vichy
    if given.marks is not None:
        s.marks = frozenset(_remembered(s, mark, MARKS, "marks") for mark in given.marks)
    if any(pair("germany", ward) in s.wars for ward in ussr.WARDS):
        s.marks |= {ussr.LIMITED}
    if given.counts is not None:
        s.counts = {_remembered(s, id, COUNTS, "counts"): n for id, n in given.counts.items() if n}
        for id, turn in s.counts.items():
            if id not in NUMBERS and turn > s.turn:
                raise PositionError(f"counts.{id}: Game-Turn {turn} is still to come.")
    if s.vichy not in ("", "open"):
        s.counts.setdefault(vichy.DECLARED, max(1, s.turn - 2))
    if s.vichy not in indochina.CONTROLS and "vichy" in _nations(given):
        raise PositionError("vichy: there is no Vichy France in this position.")
    if given.joined.get("vichy", _side_of_vichy(s)) != _side_of_vichy(s):
        raise PositionError("joined: the side of Vichy France is said by `vichy`.")
    for war in sorted(s.wars):
        foe = war[war[0] == "vichy"]
        if "vichy" in war and (s.vichy != "axis" or side(s, foe) != "allies"):
            name = s.facts.name(foe)
            raise PositionError(f"wars: Vichy France is not at war with {name} then.")
    if s.vichy in indochina.CONTROLS:
        for hex in vichy.territory(s):
            if hex not in given.held:
                s.hold(hex, "vichy")
        _freeze_the_french(s)
    if s.vichy == "axis":
        s.join("vichy", "axis")
    _share_wars(s, given)


def _freeze_the_french(s: State) -> None:
    """What the scenario has of the French army is Vichy French overseas, and gone from European
    France; its aircraft and orders are gone. The navy stays.

    Rules: 20.12, 20.17
    """
    s.track = tuple(job for job in s.track if job.nation != "france")
    for hex, unit, count in list(s.units_of("france")):
        country = s.facts.hexes[hex].country
        if unit.type in NAVAL or (unit.type in GROUND and country == vichy.FREE):
            continue
        s.take(hex, unit, count)
        if unit.type in GROUND and country != vichy.HOME and holder(s, hex) == "vichy":
            s.put(hex, unit._replace(nation="vichy"), count)


def _side_of_vichy(s: State) -> str:
    """The side of Vichy France."""
    return "axis" if s.vichy == "axis" else "neutral"


def _share_wars(s: State, given: Position) -> None:
    """Wars that follow from others: those of Mongolia, of Vichy France on the side of the Axis, and
    of the USSR over Eastern Poland.

    Rules: 19.71b, 19.76a, 20.15b
    """
    s.changed()
    named = {*given.joined, *(nation for war in given.wars or () for nation in war)}
    if "mongolia" not in named:
        ussr.bring_mongolia(s)
    if s.vichy == "axis" and "vichy" not in named:
        s.wars |= {pair("vichy", foe) for foe in foes(s, "germany")}
    fighting = PHASES.index(s.phase) <= PHASES.index("allies_strategic_movement")
    if ussr.partitioning(s) and fighting and wars.at_peace(s, "ussr"):
        s.wars |= {("poland", "ussr")}
    s.changed()


def _nations(given: Position) -> set[str]:
    """The nations that have or hold something in a position, or wage wars."""
    found = {*given.held.values(), *given.joined}
    for war in given.wars or ():
        found.update(war)
    for stack in given.units.values():
        found.update(nation for nation, types in stack.items() if types)
    return found


def _remembered(s: State, name: str, known: tuple[str, ...], field: str) -> str:
    """A name of `known`; PositionError if it is none."""
    kind, colon, id = name.rpartition(":")
    of: Collection[str] = s.facts.nations if kind + colon in OF_NATIONS else s.facts.hexes
    if kind + colon in known and id in of:
        return name
    return _known(name, [each for each in known if not each.endswith(":")], field)


def _take_sides(s: State, given: Position, war: Pair) -> None:
    """Who is at war with a side is on the other one, as an invaded neutral is."""
    for nation, foe in (war, war[::-1]):
        if side(s, nation) == "neutral":
            if side(s, foe) == "neutral" or given.joined.get(nation) == "neutral":
                raise PositionError(
                    f"wars: {s.facts.name(nation)} is neutral, and cannot be at war with "
                    f"{s.facts.name(foe)}."
                )
            s.joined[nation] = OTHER[side(s, foe)]


def _have_fallen(s: State, given: Position) -> None:
    """A Major Power that has fallen is at war with nobody, and has neither units nor orders. What
    Italy held is Germany's if it is not named."""
    for power in sorted(s.fallen.intersection(MAJORS)):
        if given.wars is None:
            s.wars = frozenset(war for war in s.wars if power not in war)
        elif any(power in war for war in s.wars):
            raise PositionError(f"fallen: {s.facts.name(power)} is at war.")
        s.track = tuple(job for job in s.track if job.nation != power)
        for hex, unit, count in list(s.units_of(power)):
            s.take(hex, unit, count)
    if "italy" in s.fallen:
        for hex in s.facts.hexes:
            if holder(s, hex) == "italy":
                if hex in given.held:
                    raise PositionError(f"held.{hex}: Italy has fallen.")
                s.hold(hex, "germany")


def _war(s: State, both: tuple[str, str], field: str) -> Pair:
    for nation in both:
        _known(nation, s.facts.nations, field)
        if nation in AXIS_MINORS:
            raise PositionError(f"{field}: {s.facts.name(nation)} has Germany's wars.")
    if both[0] == both[1]:
        raise PositionError(f"{field}: {s.facts.name(both[0])} cannot be at war with itself.")
    return pair(*both)


def _arrange_industry(s: State, given: Position) -> None:
    """Ports, production and what is left of it."""
    facts = s.facts
    plants = {id for id, hex in facts.hexes.items() if hex.industry}
    sources = plants | {id for id, hex in facts.hexes.items() if hex.center}
    coasts = {id for id, hex in facts.hexes.items() if hex.dry and hex.wet}
    land = {id for id, hex in facts.hexes.items() if hex.dry}
    if given.penalties is not None:
        s.penalties = tuple(sorted(_all_known(given.penalties, sources, "penalties")))
    sets = {"ports": coasts, "destroyed": sources, "recaptured": plants}
    for field, hexes in sets.items():
        named = getattr(given, field)
        if named is not None:
            setattr(s, field, _all_known(named, hexes, field))
    numbers: tuple[tuple[str, Collection[str]], ...] = (
        ("captured", plants),
        ("bombed", plants),
        ("bombs", land),
        ("capacity", MAJORS),
        ("stock", MAJORS),
    )
    for field, known in numbers:
        named = getattr(given, field)
        if named is not None:
            setattr(s, field, {_known(id, known, field): named[id] for id in sorted(named)})
    for hex, turn in s.captured.items():
        if turn > s.turn:
            raise PositionError(f"captured.{hex}: Game-Turn {turn} is still to come.")
    for field in ("started", "started_before", "dead", "points"):
        named = getattr(given, field)
        if named is not None:
            nations: Collection[str] = MAJORS if field == "points" else facts.nations
            table = {}
            for nation, entries in named.items():
                _known(nation, nations, field)
                inner = industry.pots(s, nation) if field == "points" else facts.types
                for id, n in entries.items():
                    table[nation, _known(id, inner, f"{field}.{nation}")] = n
            setattr(s, field, dict(sorted(table.items())))
    for nation, type in s.dead:
        if facts.types[type].rebuilt is None:
            raise PositionError(f"dead.{nation}: a {facts.name(type)} is never rebuilt.")
    for nation in sorted({nation for nation, _ in s.points} & s.fallen):
        raise PositionError(f"points: {facts.name(nation)} has fallen.")
    for field in ("track", "due"):
        named = getattr(given, field)
        if named is not None:
            setattr(s, field, tuple(sorted(_job(s, order, field) for order in named)))


def _job(s: State, order: Order, field: str) -> Job:
    """Units on the Production Track: PositionError if nobody can have ordered them so."""
    facts = s.facts
    name = facts.name(order.type)
    major = _known(order.nation, facts.nations, field) in MAJORS
    kind = facts.types[_known(order.type, facts.types, field)]
    if order.due < _next_due(s):
        what = f"Game-Turn {order.due} is over"
        what = f"what was due in Game-Turn {s.turn} is placed" if order.due == s.turn else what
        raise PositionError(f"{field}: {what}.")
    if field == "due" and order.due > s.turn:
        raise PositionError(f"due: what comes in Game-Turn {order.due} is on the `track`.")
    if order.nation in s.fallen:
        raise PositionError(f"{field}: {facts.name(order.nation)} has fallen.")
    countries = (
        industry.pots(s, order.nation)
        if major
        else (id for id, country in facts.countries.items() if country.nation == order.nation)
    )
    _known(order.country, ("", *countries), f"{field}.country")
    if order.hex:
        _refit(s, order, field)
    elif not kind.new or (not major and order.type != "inf"):
        raise PositionError(f"{field}: {facts.name(order.nation)} never gets {name} units.")
    if order.type == "fort" and order.number % facts.numbers.fort_points:
        raise PositionError(f"{field}: a {name} is a unit of two Strength Points.")
    return Job(**msgspec.structs.asdict(order))


def _refit(s: State, order: Order, field: str) -> None:
    """A depleted unit that is being restored: PositionError if that cannot be."""
    facts, price = s.facts, s.facts.types[order.type].undepletion
    hex = _known(order.hex, facts.hexes, f"{field}.hex")
    name = facts.name(order.type)
    if price is None:
        raise PositionError(f"{field}.hex: {name} is never restored, and has no hex.")
    if not facts.hexes[hex].industry or (order.type == "surf_a" and not ports.there(s, hex)):
        raise PositionError(f"{field}.hex: no {name} is restored in {facts.name(hex)}.")
    if order.due >= s.turn + price[1] + (s.phase == PHASES[-1]):
        raise PositionError(f"{field}: {name} is restored in {price[1]} Game-Turns.")


def _arrange_fighting(s: State, given: Position) -> None:
    """What was declared, and what was done in the phase so far."""
    hexes, nations = s.facts.hexes, s.facts.nations
    if given.missions is not None:
        for raid in given.missions:
            _known(raid.nation, nations, "missions")
            _known(raid.base, hexes, "missions")
            target = hexes[_known(raid.target, hexes, "missions")]
            if not target.industry and not (raid.bomb and target.center):
                raise PositionError(f"missions: {s.facts.name(raid.target)} is no target.")
            if not at_war(s, raid.nation, holder(s, raid.target)):
                name = s.facts.name
                raise PositionError(
                    f"missions: {name(raid.target)} is held by no Enemy of {name(raid.nation)}."
                )
        sent = tally(((raid.base, raid.nation), raid.number) for raid in given.missions)
        for (base, nation), number in sent.items():
            _present(s, base, nation, "lrb", number, "missions")
            if not s.phase.startswith(f"{side(s, nation)}_air_"):
                raise PositionError("missions: they are flown in the Air Phases of their side.")
        s.missions = tuple(
            sorted(Mission(**msgspec.structs.asdict(raid)) for raid in given.missions)
        )
        for (base, nation), number in sent.items():
            _take_off(s, base, nation, number)
    if given.attacks is not None:
        s.attacks = _attacks(s, given.attacks)
    for field in ("stand_fast", "fought"):
        named = getattr(given, field)
        if named is not None:
            setattr(s, field, _all_known(named, hexes, field))
    if given.done is not None:
        s.done = {_remembered(s, id, DONE, "done"): n for id, n in given.done.items()}


def _take_off(s: State, base: str, nation: str, number: int) -> None:
    """So many LRB units of a base are on missions: they have flown."""
    there = [(u, n) for u, n in s.stack(base).items() if (u.nation, u.type) == (nation, "lrb")]
    left = number - sum(count for unit, count in there if unit.duty)
    for unit, count in there:
        if not unit.duty and left > 0:
            s.change(base, unit, min(left, count), duty="flown")
            left -= count


def _attacks(s: State, given: list[Assault]) -> tuple[Attack, ...]:
    found = tuple(_attack(s, each) for each in given)
    for target, number in Counter(hex for each in found for hex in each.targets).items():
        if number > 1:
            raise PositionError(f"attacks: {s.facts.name(target)} is attacked twice.")
    for kind, count in attacks.summed(part for each in found for part in each.force).items():
        _present(s, *kind, count, "attacks")
        if s.phase != f"{side(s, kind[1])}_land_combat":
            raise PositionError("attacks: they are made in the Land Combat Phase of their side.")
    return tuple(sorted(found))


def _attack(s: State, given: Assault) -> Attack:
    if not given.targets or not given.force:
        raise PositionError("attacks: an attack has a target and a force.")
    targets = _all_known(given.targets, s.facts.hexes, "attacks")
    for hex, nation, type, _ in given.force:
        _known(hex, s.facts.hexes, "attacks")
        _known(nation, s.facts.nations, "attacks")
        _known(type, ("inf", "mech"), "attacks")
        for target in targets:
            if target != hex and target not in s.facts.near[hex]:
                raise PositionError(f"attacks: {hex} and {target} are not adjacent.")
            if target != hex and target not in s.facts.land[hex]:
                raise PositionError(f"attacks: land units cannot cross from {hex} to {target}.")
    return Attack(tuple(sorted(targets)), tuple(sorted(given.force)))


def _present(s: State, hex: str, nation: str, type: str, count: int, field: str) -> None:
    found = sum(
        number
        for unit, number in s.stack(hex).items()
        if (unit.nation, unit.type) == (nation, type)
    )
    if found < count:
        name = s.facts.name
        raise PositionError(
            f"{field}: {name(nation)} has {found} {name(type)} in {name(hex)}, and not {count}."
        )


def _place(s: State, hex: str, nation: str, type: str, pieces: int | list[Piece]) -> None:
    """The units of a type that a nation has in a hex are these."""
    where = f"units.{hex}.{nation}.{type}"
    name = s.facts.name(type)
    if s.facts.types[type].domain == "marker":
        raise PositionError(f"{where}: {name} is no unit; see `ports`, `bombs` and `stock`.")
    for unit, count in list(s.stack(hex).items()):
        if unit.nation == nation and unit.type == type:
            s.take(hex, unit, count)
    for piece in [Piece(pieces)] if isinstance(pieces, int) else pieces:
        if type not in DUTIES[_known(piece.duty, DUTIES, f"{where}.duty")]:
            raise PositionError(f"{where}.duty: {piece.duty} is no duty of {name}.")
        if piece.depleted and s.facts.types[type].undepletion is None:
            raise PositionError(f"{where}.depleted: {name} is never depleted.")
        if piece.supply and type in _LAND:
            raise PositionError(f"{where}.supply: land units are judged when it matters.")
        for field, types in MARKED.items():
            if getattr(piece, field) != getattr(Piece(), field) and type not in types:
                raise PositionError(f"{where}.{field}: {name} has no such mark.")
        most = _allowance(s, nation, type)
        if piece.left > most:
            raise PositionError(f"{where}.left: {name} has at most {most} Movement Points.")
        if piece.origin:
            _known(piece.origin, s.facts.hexes, f"{where}.origin")
        if piece.duty == "assault" and not (piece.origin and ports.there(s, piece.origin)):
            raise PositionError(f"{where}.origin: a landing has a port that it came from.")
        fields = msgspec.structs.asdict(piece)
        count = fields.pop("count")
        fields["met"] = tuple(sorted(_all_known(piece.met, s.facts.hexes, f"{where}.met")))
        fields["shot"] = tuple(sorted(_shooters(s, piece.shot, f"{where}.shot")))
        if count:
            s.put(hex, Unit(nation, type, **fields), count)
            landing = piece.duty in LANDED and side(s, nation) == phase_side(s.phase)
            if landing and s.facts.hexes[hex].wet:
                s.counts[f"{amphibious.BEACH}{hex}"] = s.turn


def _allowance(s: State, nation: str, type: str) -> int:
    """The most Movement Points that a unit can have in a phase."""
    numbers = s.facts.numbers
    if type == "ms":
        return numbers.merchant_move  # if only in the third Naval Phase
    if type in NAVAL:
        return naval_movement.allowance(s, Unit(nation, type))
    return numbers.fair_allowance


def _shooters(s: State, names: tuple[str, ...], field: str) -> Iterator[str]:
    """Kinds of units that made Transit Attacks: hex, nation and type."""
    for name in dict.fromkeys(names):
        words = name.split(" ")
        if len(words) != 3 or words[2] not in FLEET:
            raise PositionError(f"{field}: {name!r} is no hex, nation and type of a fleet.")
        _known(words[0], s.facts.hexes, field)
        _known(words[1], s.facts.nations, field)
        yield name


def _all_known(ids: Iterable[str], known: Collection[str], field: str) -> frozenset[str]:
    return frozenset(_known(id, known, field) for id in ids)


def _known(id: str, known: Collection[str], field: str) -> str:
    """The id; PositionError if there is no such thing."""
    if id not in known:
        raise PositionError(f"{field}: there is no {id!r} here.")
    return id
