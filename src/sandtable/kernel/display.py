"""What clients draw: a position as a picture, a request as a form, an event as a line of the log.

Games fill these records in (`view.py` and `forms.py` of their packages); the server sends them as
JSON, and the client draws them without knowing the game. A space and a power are named by their
ids; colours, symbols, states, tags and kinds of lines are words of the vocabulary; what people read
is in the records themselves. Fields that are empty are left out of the JSON. The same records stand
in `web/src/lib/types.ts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Literal

from msgspec import Struct

from sandtable.kernel.errors import SandtableError
from sandtable.kernel.welcome import Guide


class NoQuestion(SandtableError):
    """What a client asked about a position (a reach, odds) has no answer there; it says why."""


# Plain data has no circles for the collector to find, and a reach has thousands of records.
class _Record(Struct, frozen=True, omit_defaults=True, gc=False):
    pass


# --- a game as such ------------------------------------------------------------------------------


class Power(_Record, frozen=True):
    """A power, or a minor or neutral country that nobody plays."""

    id: str
    name: str
    short: str
    colour: str
    side: str = ""
    side_name: str = ""
    focus: tuple[str, ...] = ()
    """The spaces that whoever plays it should see first, if not those of the game."""


class UnitType(_Record, frozen=True):
    """A row of the reference sheet: a type of unit with its symbol and what it can do."""

    id: str
    name: str
    symbol: str
    facts: dict[str, str]
    """Column to value: `{"Cost": "6", "Attack": "3"}`."""
    note: str = ""


class Chart(_Record, frozen=True):
    """A table that results are read off, for a dialog."""

    id: str
    title: str
    down: str
    """What the rows are: `Factors`."""
    across: str
    """What the columns are: `Die`."""
    columns: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]
    """Label to cells."""
    notes: tuple[str, ...] = ()
    """What the cells mean, and whatever else is read with it."""


class Term(_Record, frozen=True):
    """A part of a sum: `6th Army`, `+3`."""

    label: str
    value: str


class Reading(_Record, frozen=True):
    """A place in a chart from which something was read, or would be."""

    chart: str
    label: str
    """What leads there: `12 factors`."""
    row: str = ""
    column: str = ""
    """Empty as long as no die has fallen."""
    terms: tuple[Term, ...] = ()
    """The sum that gives the row."""
    note: str = ""


class Layer(_Record, frozen=True):
    """Marks, routes and borders that a player can switch off together, and on again."""

    id: str
    name: str
    off: bool = False
    """At first it is not shown."""


class About(_Record, frozen=True):
    """What does not change during a game. `map` is the game whose map it is played on, if any."""

    game: str
    title: str
    subtitle: str
    """The scenario, or the options that matter."""
    powers: tuple[Power, ...]
    """Those that play, in order of play."""
    others: tuple[Power, ...] = ()
    """Those that nobody plays and that own spaces or pieces."""
    map: str = ""
    spaces: tuple[str, ...] | None = None
    """The spaces in play; None is all of the map."""
    names: dict[str, str] = {}
    """Space to its full name where the map's label is shorter (`sz5` to "5 Baltic Sea Zone")."""
    types: tuple[UnitType, ...] = ()
    focus: tuple[str, ...] = ()
    """The spaces that a new player should see first."""
    figures: tuple[str, ...] = ()
    """The names of the figures that are charted, as `figures` gives them."""
    layers: tuple[Layer, ...] = ()
    charts: tuple[Chart, ...] = ()
    goals: dict[str, tuple[str, ...]] = {}
    """Power to what it has to do to win, in sentences to be read before the game."""
    guide: Guide | None = None
    """A walk through a first turn; put in by the package."""


# --- the position --------------------------------------------------------------------------------


class Piece(_Record, frozen=True):
    """Pieces that look alike. `states` are short words: damaged, moved, submerged, loaded, new."""

    symbol: str
    name: str
    count: int = 1
    id: str = ""
    """Of a unit that is unique: its id."""
    size: int = 0
    """Printed on the piece where units have sizes (0: they have none)."""
    printed: bool = False
    """Its number is its strength, printed below its symbol, as on the counters of hex games."""
    states: tuple[str, ...] = ()
    cargo: tuple[Piece, ...] = ()
    power: str = ""
    """Only where it differs from that of the stack: guests and passengers."""
    note: str = ""
    """More about it, for whoever points at it."""


class Stack(_Record, frozen=True):
    """The pieces of one power in a space."""

    power: str
    pieces: tuple[Piece, ...]


class Mark(_Record, frozen=True):
    """Something printed or put into a space: factory, city, oil, port, damage, partisan."""

    symbol: str
    title: str
    """In words, for whoever points at it."""
    text: str = ""
    """A number or a letter on it."""
    tone: Literal["", "good", "bad", "dim"] = ""
    layer: str = ""
    """The id of the layer that it belongs to; without one it is always shown."""


class Space(_Record, frozen=True):
    """A space as it stands: whose it is, what is there. `tags`: contested, battle, snow, …"""

    owner: str = ""
    holder: str = ""
    """Who occupies it, where that is not its owner."""
    marks: tuple[Mark, ...] = ()
    stacks: tuple[Stack, ...] = ()
    tags: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    """Sentences about it for its card: what it is worth, terrain, supply."""


class Border(_Record, frozen=True):
    """A border between two neighbours that is more than a line: a river, a fortified front. Those
    that never change are on the map; these come on top of them."""

    pair: tuple[str, str]
    kind: str
    owner: str = ""
    """It has the colour of this power."""
    title: str = ""
    """In words, where the kind does not say enough."""
    layer: str = ""


class Route(_Record, frozen=True):
    """A line through spaces: a convoy, a railway, a pipeline."""

    kind: str
    path: tuple[str, ...]
    owner: str = ""
    """It has the colour of this power."""
    state: Literal["", "cut", "planned"] = ""
    label: str = ""
    """A few letters on it: what it is worth."""
    title: str = ""
    """In words, for the cards of its spaces."""
    layer: str = ""


class Step(_Record, frozen=True):
    """A part of a turn, in the phase tracker."""

    id: str
    name: str
    now: bool = False
    done: bool = False
    short: str = ""
    """In a word or two, where there is little room; empty if `name` is short enough."""


class Moment(_Record, frozen=True):
    """Where in the game we are."""

    title: str
    """`Round 3`, `Turn 2 (Jun 1940 to Dec 1940)`."""
    phase: str
    power: str = ""
    """Whose turn it is, where turns belong to powers."""
    steps: tuple[Step, ...] = ()
    round: int = 0
    secret: bool = False
    """What is decided now is secret: people at one screen look away while another of them plays."""


class Track(_Record, frozen=True):
    """A small table of numbers by power: money, income, victory points."""

    title: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]
    """Power (or side) to cells."""


class SheetRow(_Record, frozen=True):
    """A line of a power's sheet: what, and how much of it."""

    group: str
    """The heading under which it stands; rows of a group are together."""
    label: str
    value: str = ""
    tone: Literal["", "good", "dim"] = ""
    """It holds, or it does not."""


class Sheet(_Record, frozen=True):
    """Everything about one power that is more than a table of all: income by source, technologies,
    objectives."""

    power: str
    rows: tuple[SheetRow, ...]


class Pool(_Record, frozen=True):
    """Pieces beside the map: bought, in a force pool, under development. `space` if they wait for
    one."""

    title: str
    power: str
    pieces: tuple[Piece, ...]
    note: str = ""


class Combatant(_Record, frozen=True):
    """A side of the battle that is being fought."""

    title: str
    """`Germany attacks`."""
    power: str
    stacks: tuple[Stack, ...]
    strengths: dict[str, str] = {}
    """Name of a piece to its strength here, in a word (`hits at 3`, `4 factors`)."""
    lost: tuple[Stack, ...] = ()
    note: str = ""
    reading: Reading | None = None
    """What it fires with next, as it stands."""
    player: str = ""
    """The power that decides for it, where that is another one."""


class Battle(_Record, frozen=True):
    """The battle that is being fought, for the battle board."""

    space: str
    title: str
    round: int
    step: str
    sides: tuple[Combatant, ...]
    """The attacker first."""


class Picture(_Record, frozen=True):
    """A position as somebody may see it."""

    moment: Moment
    spaces: dict[str, Space]
    """Only spaces in play."""
    borders: tuple[Border, ...] = ()
    routes: tuple[Route, ...] = ()
    tracks: tuple[Track, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    pools: tuple[Pool, ...] = ()
    battle: Battle | None = None
    notes: tuple[str, ...] = ()
    """What else matters: wars, weather, agreements."""
    text: str = ""
    """The position in words, in the place of a map that there is none of."""


# --- what happened -------------------------------------------------------------------------------


class Throw(_Record, frozen=True):
    """Dice of one kind of unit: what they needed, and what they showed."""

    label: str
    faces: tuple[int, ...]
    hits: tuple[bool, ...] = ()
    """For each face whether it hit, where a die hits or misses."""
    power: str = ""
    note: str = ""
    """`needed 3 or less`, `12 factors`, `2 points of damage`."""
    reading: Reading | None = None
    """Where its result stands in a chart."""
    sure: int = 0
    """Hits beside them for which no die was needed."""


Deed = Literal["", "battle", "decided", "taken", "politics"]
"""Units fight in a space, the fight is decided, a power has taken the space, or the relations of
powers have changed."""


class Line(_Record, frozen=True):
    """An event in the log. `level`: 0 a new round or turn, 1 a phase, 2 everything else."""

    kind: str
    text: str
    spaces: tuple[str, ...] = ()
    power: str = ""
    throws: tuple[Throw, ...] = ()
    level: int = 2
    path: tuple[str, ...] = ()
    """What a map shows of it afterwards: the way that units took, or the space of the `deed`."""
    deed: Deed = ""
    fight: str = ""
    """The battle that it belongs to, by an id that no other battle of the game has."""
    battle: Battle | None = None
    """How that battle stands as it is told, where that is not as in the line before."""
    over: bool = False
    """With it the battle is over."""
    lost: tuple[Stack, ...] = ()
    """The pieces that were lost, by the powers that had them."""
    harmed: str = ""
    """The power whose industry, convoys or money it has damaged."""


class ReportItem(_Record, frozen=True):
    """A line of the report."""

    kind: Literal["battle", "damage", "gained", "lost", "income", "politics"]
    text: str
    spaces: tuple[str, ...] = ()
    """It leads there."""
    lost: tuple[Stack, ...] = ()
    power: str = ""
    """Of an income or of damage: whose. Of a space: who has it now."""


class Report(_Record, frozen=True):
    """What happened to some powers since they last had a turn."""

    items: tuple[ReportItem, ...]
    touched: tuple[int, ...] = ()
    """The places of the lines of the log that concerned them."""


# --- what is asked -------------------------------------------------------------------------------


class Row(_Record, frozen=True):
    """A number to be chosen in a form, and where it goes in the decision: by `path` (a mapping in
    a mapping: ["lost", "germany", "infantry"]) or, if `item` is given, once for each chosen one
    into the list at `path`."""

    key: str
    label: str
    path: tuple[str, ...]
    most: int
    item: Any = None
    value: int = 0
    """Proposed."""
    symbol: str = ""
    power: str = ""
    size: int = 0
    cost: int = 0
    """In the unit of the form's budget."""
    group: str = ""
    """The heading under which it stands; rows of a group are together."""
    space: str = ""
    note: str = ""
    states: tuple[str, ...] = ()
    cargo: bool = False
    """Of a mover: it goes aboard a chosen unit, not by itself."""
    holds: int = 0
    """Of a mover: how many units one of it carries."""
    aboard: int = 0
    """And how many it carries already."""


class Limit(_Record, frozen=True):
    """What the chosen numbers have to satisfy: `least <= sum of weight * number <= most`. Shown as
    a running total; the game itself decides."""

    label: str
    most: int
    least: int = 0
    weights: dict[str, int] | None = None
    """Row key to weight; None counts every row once."""
    by_cost: bool = False
    """The weight of a row is its cost."""
    quiet: bool = False
    """Shown only when it is not met."""
    spare: int | None = None
    """Of a budget: so much may be left without a word; what is more is asked about once."""
    rest: int = 0
    """Not 0: what counts is what is not chosen, those of one label together, in units of so much,
    rounded up."""


class Odds(_Record, frozen=True):
    """The odds of a battle: chances from 0 to 1 of the sides, attacker first."""

    title: str
    win: float
    lose: float
    draw: float = 0.0
    lines: tuple[str, ...] = ()
    """Expected losses and the like, in sentences."""
    losses: str = ""
    """The expected losses in a few words, for lists: `loses 4, destroys 9`."""
    outcome: str = ""
    """What `win` is the chance of, where that is no victory: `to do damage`."""
    exact: bool = True
    """Counted, not estimated: under what is `given`, where anything is still to be chosen."""
    given: str = ""
    """What it holds under, in a clause: `nobody retreats`; empty if nobody has a choice left."""
    helped: float | None = None
    """`win` if all the help comes that may still come to the defender, where any may."""
    note: str = ""
    """On what assumptions, or how large the error is."""
    readings: tuple[Reading, ...] = ()
    """What both sides would fire with."""


class Setting(_Record, frozen=True):
    """Something that a calculator can be told: one of its choices."""

    id: str
    label: str
    choices: dict[str, str]
    """Value to words; the first is how it is if nobody says otherwise."""


class Calculator(_Record, frozen=True):
    """A battle as somebody thinks of it: both sides can be changed. The numbers that rows propose
    are those of the map."""

    title: str
    space: str
    """Where it is fought; empty if nowhere in particular."""
    attack: tuple[Row, ...]
    defend: tuple[Row, ...]
    settings: tuple[Setting, ...] = ()


class Change(Struct, frozen=True):
    """Something that is otherwise after an edit."""

    change: str
    """In words, without a full stop: `2 Infantry of Germany added to Ukraine`."""
    power: str = ""
    space: str = ""


class Pick(_Record, frozen=True):
    """Something of an edited position that is one of some choices, and where it goes in the
    patch."""

    label: str
    path: tuple[str, ...]
    value: str
    """How it is."""
    choices: dict[str, str]
    """Value to words."""
    group: str = ""


class Editor(_Record, frozen=True):
    """What can be edited in a space, and in the whole position: the rows and picks propose what
    there is, and their paths say where a number or a choice that is another goes in the patch."""

    title: str
    space: str
    """Empty if no space was asked about."""
    power: str
    """Whose units can be added, of `powers`."""
    powers: dict[str, str]
    """Id to name of all that can have units there."""
    rows: tuple[Row, ...]
    picks: tuple[Pick, ...] = ()


class Choice(_Record, frozen=True):
    """One of the answers. Either `decision` is complete, or `rows` have to be filled in first."""

    label: str
    decision: dict[str, Any]
    detail: str = ""
    spaces: tuple[str, ...] = ()
    """Clicking one of them on the map takes this choice."""
    symbol: str = ""
    power: str = ""
    group: str = ""
    rows: tuple[Row, ...] = ()
    limits: tuple[Limit, ...] = ()
    battle: str = ""
    """The space of the battle whose odds go with it (ask for them)."""
    tone: Literal["", "primary", "danger", "quiet"] = ""
    follows: tuple[str, ...] = ()
    """What would come of it, in sentences, for what is asked about twice."""
    item: str = ""
    """The line of the order sheet that it raises by one: several choices where a place has to be
    chosen."""
    final: bool = False
    """It cannot wait in an order sheet: dice fall at once."""


class Item(_Record, frozen=True):
    """A line of an order sheet: something of which more can be ordered, or has been."""

    key: str
    label: str
    group: str = ""
    """The heading under which it stands; lines of a group are together."""
    symbol: str = ""
    power: str = ""
    size: int = 0
    space: str = ""
    note: str = ""
    why: str = ""
    """Why no more of it can be ordered."""


class Purse(_Record, frozen=True):
    """What can be spent in an order sheet."""

    label: str
    left: int


class Mover(_Record, frozen=True):
    """Units in a space that may move: `rows` are chosen from, then `reach` is asked. Only rows of
    one group go together; the rows of cargo to load stand under groups of their own and go with any
    of them."""

    space: str
    rows: tuple[Row, ...]
    single: bool = False
    """Units move one at a time: of the rows that are not cargo only one can be chosen."""


class Course(_Record, frozen=True):
    """A line that is kept up from one space to another: a pipeline, with what it carries."""

    ends: tuple[str, str]
    label: str
    capacity: int = 0
    left: int = 0
    """What of it is not used yet."""
    path: tuple[str, ...] = ()
    """The way that it takes, from end to end; empty if there is none."""
    stations: dict[str, int] = {}
    """The spaces of its way on which it rests, in order, with the units there."""
    note: str = ""


class Network(_Record, frozen=True):
    """Lines that a player keeps up."""

    title: str
    courses: tuple[Course, ...]
    ends: tuple[str, ...] = ()
    """The spaces between which courses can be laid and changed now (`plan` of the rule set); none
    if they are only shown."""
    note: str = ""
    """What is there to lay them with."""


class Plan(_Record, frozen=True):
    """What it takes to give courses another capacity."""

    network: Network
    """As it would be; as it is if there is a problem."""
    moves: tuple[Choice, ...] = ()
    """The decisions that do it, one after the other; the spaces of each are its way."""
    problem: str = ""
    """Why it cannot be done."""


class Prospect(_Record, frozen=True):
    """A battle that will be fought: its odds can be asked for as they stand."""

    space: str
    detail: str = ""
    """Who meets whom there."""


class Help(_Record, frozen=True):
    """A rule that bears on the question: its id in the index and a short name."""

    id: str
    name: str


class Form(_Record, frozen=True):
    """A request as a client shows it.

    `component`: `buy` (rows with costs and a budget), `assign` (rows within limits), `choose`
    (one of `choices`), `move` (movers, and a reach for what is chosen), `schema` (a plain form from
    `schema`). Beside it stand, in every component, `choices`: other decisions that are allowed now.
    """

    kind: str
    power: str
    component: Literal["buy", "assign", "choose", "move", "schema"]
    title: str
    prompt: str
    """What is to be done, in a sentence or two for a person who does not know the rules well."""
    base: dict[str, Any] = {}
    """`buy`, `assign`: the decision into which the rows are put."""
    rows: tuple[Row, ...] = ()
    limits: tuple[Limit, ...] = ()
    choices: tuple[Choice, ...] = ()
    movers: tuple[Mover, ...] = ()
    network: Network | None = None
    """`move`: lines that the moves keep up or that carry them."""
    items: tuple[Item, ...] = ()
    """`choose`: the lines of an order sheet, raised by the choices that name them. What is ordered
    there waits until the step ends, so that it can be changed (`draft` of the rule set)."""
    purses: tuple[Purse, ...] = ()
    done: dict[str, Any] | None = None
    """The decision that ends the step, where there is one."""
    done_label: str = ""
    pass_label: str = ""
    """What it means to take nothing: to pass an offer, or to give an `assign` without any row."""
    done_problem: str = ""
    """Why the step cannot end yet."""
    done_warning: str = ""
    """What whoever ends the step now may have forgotten, as a sentence: it is asked about once."""
    battles: tuple[Prospect, ...] = ()
    """`move`: what the moves so far lead to; `assign`: what the answer bears on, so that the odds
    of each stand beside it with what is chosen."""
    auto: dict[str, Any] | None = None
    """In a battle: what a player would decide who lets clear battles be fought out."""
    battle: str = ""
    """The space of the battle that it belongs to."""
    optional: bool = False
    """An offer that may be passed: {"kind": "pass"}. Set by the server."""
    help: tuple[Help, ...] = ()
    schema: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    """What to keep in mind here: aircraft that still have to land, capacity left."""


class Way(_Record, frozen=True):
    """A space that the chosen units can reach: one or more decisions that do it."""

    decisions: tuple[Choice, ...]
    """The plain one first; others by another route, as a bombing raid, and so on."""
    path: tuple[str, ...]
    """Of the first."""
    battle: bool = False
    """It leads to a battle: odds can be asked for with the decision."""
    note: str = ""
    aside: bool = False
    """All its decisions are also those of ways to other spaces: lists can do without it."""
    cost: int = 0
    """What it takes of their movement, drawn in the space."""
    then: tuple[dict[str, Any], ...] = ()
    """The decisions by which others of the chosen units come along, after any of `decisions`. Set
    by the server, where not all of them move together."""
    stay: dict[str, int] = {}
    """Of the chosen units, by the keys of their rows, those that cannot go there."""


class Refusal(_Record, frozen=True):
    """Why a space cannot be reached, with the rule."""

    reason: str
    rule: str = ""


class Reach(_Record, frozen=True):
    """Where the chosen units can go, and why not to other spaces that a player would try."""

    ways: dict[str, Way]
    refused: dict[str, Refusal] = {}
    elsewhere: str = ""
    """Why every other space is out of the question."""
    landings: tuple[str, ...] = ()
    """Where aircraft among them could land afterwards, if that matters."""


def filled(
    base: Mapping[str, Any], rows: Iterable[Row], numbers: Mapping[str, int]
) -> dict[str, Any]:
    """The decision that the numbers of a form's rows make of its base."""
    decision: dict[str, Any] = deepcopy(dict(base))
    for row in rows:
        number = numbers.get(row.key, 0)
        if number < 1:
            continue
        at = decision
        for step in row.path[:-1]:
            at = at.setdefault(step, {})
        if row.item is None:
            at[row.path[-1]] = number
        else:
            at[row.path[-1]] = [*at.get(row.path[-1], ()), *[row.item] * number]
    return decision


class Reckoning(Struct, frozen=True):
    """What a calculator is asked: the numbers of its rows, and its settings."""

    attack: dict[str, int]
    defend: dict[str, int]
    settings: dict[str, str]


def reckoning(
    asked: Calculator,
    attack: Mapping[str, int] | None,
    defend: Mapping[str, int] | None,
    settings: Mapping[str, str],
) -> Reckoning:
    """What is asked of a calculator, whole and within its bounds; NoQuestion says what is not."""
    sides = []
    for rows, given in ((asked.attack, attack), (asked.defend, defend)):
        known = {row.key: row for row in rows}
        numbers = {row.key: row.value for row in rows} if given is None else dict(given)
        for key, number in numbers.items():
            if key not in known:
                raise NoQuestion("There is no such unit in this battle.")
            if not 0 <= number <= known[key].most:
                raise NoQuestion(f"{known[key].label}: 0 to {known[key].most}, not {number}.")
        sides.append({key: number for key, number in numbers.items() if number})
    chosen = {}
    for setting in asked.settings:
        value = settings.get(setting.id, next(iter(setting.choices)))
        if value not in setting.choices:
            raise NoQuestion(f"{setting.label}: there is no such choice.")
        chosen[setting.id] = value
    return Reckoning(sides[0], sides[1], chosen)


# --- what is typed -------------------------------------------------------------------------------


class Verbs(_Record, frozen=True):
    """What people type in a terminal beside the words of the forms (`verbs.py` of a package)."""

    names: dict[str, tuple[str, ...]] = {}
    """Space or power to what else it is called."""
    units: dict[str, tuple[str, ...]] = {}
    """A unit as the rows of forms call it to its short names."""
    phrases: tuple[tuple[str, str], ...] = ()
    """Regular expressions, and what to read instead; in this order."""
    verbs: tuple[tuple[str, dict[str, Any]], ...] = ()
    """What a line may begin with, and the fields that the decision has to have then. Of several
    entries that begin alike the first is taken that makes sense."""
    newcomer: str = ""
    """The power to play when none is named; by default the first in order of play."""
