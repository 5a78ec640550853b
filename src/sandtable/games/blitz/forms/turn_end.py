"""The end of a turn: Partisans, weapons, Lend Lease, goods, and the secret builds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import structs

from sandtable.board.words import listed
from sandtable.games.blitz import words
from sandtable.games.blitz.forms.parts import (
    advice,
    assign,
    choose,
    counter_row,
    place_name,
    unit_choice,
    unit_name,
)
from sandtable.games.blitz.model import Book, Order, State
from sandtable.games.blitz.pieces import SYMBOLS, factors_text, symbol_of
from sandtable.games.blitz.rules.commanders import Command
from sandtable.games.blitz.rules.income import Keep, KeepRequest
from sandtable.games.blitz.rules.lend_lease import CHINA, Lend, LendRequest
from sandtable.games.blitz.rules.partisans import PartisanRequest, PlacePartisan
from sandtable.games.blitz.rules.sabotage import (
    SabotageDevelopment,
    SabotageGar,
    SabotageSpending,
)
from sandtable.games.blitz.rules.scenarios import GiveUp, WithdrawArmour
from sandtable.games.blitz.rules.sides import introduced
from sandtable.games.blitz.rules.spend import (
    Build,
    DevelopBomb,
    Research,
    Sabotage,
    Scrap,
    SpendRequest,
    TestBomb,
    ordered,
)
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.weapons import Develop, DevelopRequest, removable
from sandtable.games.blitz.view import purse
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, Form, Item, Limit, NoQuestion, Purse, Row
from sandtable.kernel.errors import IllegalDecision, passes


def partisan(legal: Legal, request: PartisanRequest, s: State) -> Form:
    """Where a Partisan appears."""
    choices = [
        Choice(
            s.facts.names[area],
            plain(PlacePartisan(area)),
            f"Held by {words.power_name(s.facts, s.control[area])}: "
            f"{words.goods(s.facts.lands[area].oil, s.facts.lands[area].resource)}.",
            spaces=(area,),
            symbol="partisan",
            power=s.control[area],
        )
        for area in request.areas
    ]
    return choose(
        legal,
        "Partisans",
        "Partisans rise behind the enemy's lines and cost him an Oil or a Resource this turn. "
        "Choose where.",
        choices,
        pass_label="No Partisan",
    )


# --- weapons -------------------------------------------------------------------------------------


def develop_weapons(legal: Legal, request: DevelopRequest, s: State) -> Form:
    """Counters that are added to the Force Pool."""
    proposal = advice(legal)
    proposed = proposal if isinstance(proposal, Develop) else Develop()
    rows: list[Row] = []
    gone: list[Row] = []
    left = request.most
    for number, group in enumerate(s.groups[request.power], 1):
        if not group:
            continue
        head = f"Group {number}" if not rows else f"Group {number}, when all before it are taken"
        for counter in group:
            chosen = counter in proposed.add
            rows.append(counter_row(s, counter, ("add",), group=head, value=int(chosen)))
            if removable(s, request.power, counter):
                gone.append(
                    counter_row(
                        s,
                        counter,
                        ("remove",),
                        key=f"remove:{counter}",
                        group="Remove from the game instead",
                        value=int(counter in proposed.remove),
                    )
                )
        left -= sum(not removable(s, request.power, counter) for counter in group)
        if left <= 0:
            break
    added = {row.key: 1 for row in rows}
    limits = [Limit("Counters added", request.most, weights=added)]
    limits += [
        Limit(f"{row.label}: added or removed", 1, weights={str(row.item): 1, row.key: 1})
        for row in gone
    ]
    notes = []
    if request.first:
        name = s.facts.name(request.first)
        notes.append(f"A saboteur has {name} added first, if anything is.")
    return assign(
        legal,
        "Develop weapons",
        f"Add up to {words.number(request.most, 'counter')} to your Force Pool, from which you "
        "build. The next Group opens when all of one are taken.",
        Develop(),
        (*rows, *gone),
        limits=(Limit("Counters", len(rows) + len(gone), 1, quiet=True), *limits),
        notes=tuple(notes),
        done_label="Develop",
        pass_label="Develop nothing",
    )


# --- goods ---------------------------------------------------------------------------------------


def lend_lease(legal: Legal, request: LendRequest, s: State) -> Form:
    """How much of the Lend Lease is Oil."""
    proposal = advice(legal)
    assert isinstance(proposal, Lend)
    rows = [
        Row(
            key=recipient,
            label=f"Oil for {s.facts.name(recipient)}",
            path=("oil", recipient),
            most=min(amount, request.oil),
            value=proposal.oil.get(recipient, 0),
            symbol="oil",
            note=f"{amount} in all; the rest are Resources",
        )
        for recipient, amount in request.amounts.items()
        if recipient != CHINA
    ]
    total = sum(request.amounts.values())
    return assign(
        legal,
        "Lend Lease",
        f"Your Lend Lease units deliver {_delivered(s, request)} this turn. Choose how much of it "
        "is Oil; the rest are Resources.",
        Lend(),
        rows,
        limits=(Limit("Oil", request.oil, max(0, total - request.resources)),),
        notes=(f"You have {words.goods(request.oil, request.resources)} this turn.",),
        done_label="Deliver",
        pass_label="Deliver Resources only",
    )


def _delivered(s: State, request: LendRequest) -> str:
    return listed(
        f"{amount} to {s.facts.name(recipient)}" for recipient, amount in request.amounts.items()
    )


def keep_goods(legal: Legal, request: KeepRequest, s: State) -> Form:
    """What a power that is kept from the war keeps of its goods."""
    title = "Keep goods"
    prompt = (
        f"While you are kept from the war you can use only {request.limit} of this turn's Oil and "
        "Resources. Choose what to keep; the rest is lost."
    )
    if request.minors:
        return choose(legal, title, prompt, [_kept(s, request, each) for each in legal])
    proposal = advice(legal)
    assert isinstance(proposal, Keep)
    rows = (
        Row("oil", "Oil", ("oil",), request.oil, value=proposal.oil, symbol="oil"),
        Row(
            "resources",
            "Resources",
            ("resources",),
            request.resources,
            value=proposal.resources,
            symbol="resource",
        ),
    )
    return assign(
        legal,
        title,
        prompt,
        Keep(0, 0),
        rows,
        limits=(Limit("Kept", request.limit, request.limit),),
        done_label="Keep them",
    )


def _kept(s: State, request: KeepRequest, decision: Decision) -> Choice:
    assert isinstance(decision, Keep)
    parts = [words.goods(decision.oil, decision.resources)]
    parts += [
        f"{number} of {words.names(s.facts, countries)}"
        for number, countries in zip(decision.minors, request.countries, strict=True)
        if number
    ]
    return Choice(f"Keep {', '.join(parts)}", plain(decision))


# --- spending ------------------------------------------------------------------------------------


def spend(legal: Legal, request: SpendRequest, s: State) -> Form:
    """Everything that Oil and Resources can be spent on, one thing at a time."""
    book = s.books[request.power]
    choices: list[Choice] = []
    for decision in legal:
        if isinstance(decision, Build):
            choices += _builds(s, request, decision)
        elif isinstance(decision, Scrap):
            choices.append(_scrap(s, decision))
        elif isinstance(decision, Command):
            choices.append(command_choice(s, decision, _PLACE))
        elif not isinstance(decision, Done):
            choices.append(_project(s, decision))
        choices += _with_oil(s, request, decision)
    notes = [f"Left to spend: {purse(s, book)}."]
    if book.free_gar:
        notes.append("One new Garrison is free this turn.")
    for country in book.duties:
        notes.append(f"{s.facts.names[country]} spends its first Resource on a unit of its own.")
    if book.orders:
        orders = [
            f"{s.facts.name(o.unit)} {f'to Size {o.size}' if o.size else 'given up'}"
            for o in book.orders
        ]
        notes.append(f"Ordered: {', '.join(orders)}.")
    return choose(
        legal,
        "Spend",
        "Build up your forces in secret: each Size costs one Resource, or an Oil when they are "
        "spent. " + _SAVED[_saving(s)][0],
        sorted(choices, key=_rank),
        items=tuple(_items(s, request, choices)),
        purses=tuple(_purses(s, book)),
        done=plain(Done()),
        done_label=_SAVED[_saving(s)][1],
        done_problem=legal.why_not(Done()),
        done_warning=_unspent(s, book),
        notes=tuple(notes),
    )


def draft(legal: Legal, decision: Decision) -> None:
    """Enter an order into the book of a copy of the position."""
    s, power = legal.state, legal.asked.power
    if not isinstance(decision, Build | Scrap | Command | DevelopBomb):
        raise NoQuestion("That is decided at once, by a die.")
    s.books[power] = ordered(s, power, s.books[power], decision)


def _purses(s: State, book: Book) -> Iterator[Purse]:
    """Oil and Resources, and what only some countries can spend."""
    yield Purse("Resources", book.resources)
    if book.oil or introduced(s, "C"):
        yield Purse("Oil", book.oil)
    for account in book.minors:
        whose = words.names(s.facts, account.countries)
        yield Purse(f"Only for {whose}", account.oil + account.resources)


_MUCH = 3
"""So many Resources are seldom saved on purpose."""


def _unspent(s: State, book: Book) -> str:
    """What whoever is done now loses, or saves though there is much of it."""
    saving = _saving(s)
    lost = words.goods(book.oil if saving == "nothing" else 0, book.resources)
    if saving != "all" and lost != "nothing":
        return f"{lost} would be lost."
    if book.passing > 0:
        return f"{words.number(book.passing, 'Resource')} cannot be saved and would be lost."
    if book.resources >= _MUCH:
        return f"{words.number(book.resources, 'Resource')} would be saved and not spent."
    return ""


def _items(s: State, request: SpendRequest, choices: Iterable[Choice]) -> Iterator[Item]:
    """The lines of the order sheet: units on the map by their areas, then the Force Pool; with
    those that are ordered and cannot become bigger."""
    facts, book = s.facts, s.books[request.power]
    orders = {order.unit: order for order in book.orders}
    open_ = {choice.item for choice in choices if choice.item}
    built = {id for id, order in orders.items() if not _shrinks(s, order)}
    placed = sorted(open_ | built, key=lambda id: (*_place(s, id), facts.names[id]))
    for id in placed:
        unit, order = s.units.get(id), orders.get(id)
        size = order.size if order else unit.size if unit else 0
        note = factors_text(facts, id, max(size, 1))
        if unit is None and order is not None:
            note = f"new in {place_name(s, order.at, order.port)}: {note}"
        bigger = Build(id, size + 1)
        why = "" if id in open_ else _why_not(s, request, bigger)
        yield Item(
            key=id,
            label=f"{facts.names[id]} ({facts.type_at[id, max(size, 1)]})",
            group=_place(s, id)[1],
            symbol=SYMBOLS[facts.type_at[id, max(size, 1)]],
            power=request.power,
            size=size,
            space=unit.at if unit else order.at if order else "",
            note=note,
            why=why,
        )


def _shrinks(s: State, order: Order) -> bool:
    """Whether a unit on the map is to be reduced or given up."""
    unit = s.units.get(order.unit)
    return unit is not None and order.size < unit.size


def _place(s: State, id: str) -> tuple[int, str]:
    """Where a unit stands in the sheet: areas by their names, the Force Pool after them."""
    unit = s.units.get(id)
    return (0, s.facts.names[unit.at]) if unit else (1, "Force Pool")


def _why_not(s: State, request: SpendRequest, build: Build) -> str:
    try:
        request.check(s, build)
    except IllegalDecision as error:
        return error.reason
    return ""


_SAVED = {
    "all": (
        "What you do not spend is saved, and saved Oil pays for Blitzes.",
        "Done, save the rest",
    ),
    "oil": (
        "Resources that you do not spend are lost; Oil is saved, and pays for Blitzes.",
        "Done, save the Oil",
    ),
    "nothing": ("What you do not spend is lost.", "Done spending"),
}
"""What becomes of goods that are not spent, and how one is done."""


def _saving(s: State) -> str:
    """What can be saved in a scenario."""
    return "all" if introduced(s, "D") else "oil" if introduced(s, "C") else "nothing"


_ENLARGE, _FORTS, _PROJECTS = "Enlarge units on the map", "New fortresses", "Research and projects"
_PLACE, _GIVE_UP = "Place a commander", "Give units up"
_WITH_OIL = "Pay with Oil, keep Resources"


def _rank(choice: Choice) -> tuple[int, str]:
    """Enlarging first, then new units place by place, then the rest; giving up last."""
    order = {_ENLARGE: 0, _FORTS: 2, _PROJECTS: 3, _PLACE: 4, _WITH_OIL: 5, _GIVE_UP: 6}
    place = order.get(choice.group, 1)
    return place, choice.group if place == 1 else ""


def _builds(s: State, request: SpendRequest, first: Build) -> Iterator[Choice]:
    """A build by one Size, and by as many as possible."""
    yield structs.replace(build_choice(s, request.power, first), item=first.unit)
    most = first
    for size in range(first.size + 1, len(s.facts.kinds[first.unit].sizes) + 1):
        bigger = Build(first.unit, size, first.at, first.port)
        if not passes(request.check, s, bigger):
            break
        most = bigger
        yield build_choice(s, request.power, most)


def _with_oil(s: State, request: SpendRequest, decision: Decision) -> Iterator[Choice]:
    """The same paid with an Oil, where that leaves a Resource to be saved.

    Who wants to pay several can order one Size after the other.
    """
    book = s.books[request.power]
    if not book.oil or not book.resources or _saving(s) != "all":
        return
    if not isinstance(decision, Build | Research | DevelopBomb | TestBomb | Sabotage):
        return
    power, paid = request.power, structs.replace(decision, oil=1)
    try:
        if ordered(s, power, book, paid).oil == book.oil:
            return  # It is free, or another account pays for it.
    except IllegalDecision:
        return
    choice = build_choice(s, power, paid) if isinstance(paid, Build) else _project(s, paid)
    yield structs.replace(choice, group=_WITH_OIL)


def build_choice(s: State, power: str, decision: Build) -> Choice:
    """A build with its place and what it costs."""
    facts, id, book = s.facts, decision.unit, s.books[power]
    unit = s.units.get(id)
    order = next((order for order in book.orders if order.unit == id), None)
    at = decision.at or (unit.at if unit else order.at if order else "")
    port = decision.port or (unit.port if unit else order.port if order else "")
    now = order.size if order else unit.size if unit else 0
    after = ordered(s, power, book, decision)
    free = after.free_gar != book.free_gar
    cost = "Free" if free else f"Costs {decision.size - now}{_oil(decision)}"
    new = unit is None and order is None
    group = f"New in {facts.names[at]}" if new else _ENLARGE
    label = f"{facts.names[id]} ({facts.type_at[id, decision.size]}) to Size {decision.size}"
    if new and facts.kinds[id].type == "FORT":
        # They may be built anywhere, which would fill every group.
        group, label = _FORTS, f"{label} in {facts.names[at]}"
    return Choice(
        label=label,
        decision=plain(decision),
        detail=f"{cost}. {place_name(s, at, port)}: {factors_text(facts, id, decision.size)}.",
        spaces=(at,),
        symbol=SYMBOLS[facts.type_at[id, decision.size]],
        power=power,
        group=group,
    )


def _oil(decision: Decision) -> str:
    return " Oil" if getattr(decision, "oil", 0) else ""


def _scrap(s: State, decision: Scrap) -> Choice:
    name = s.facts.names[decision.unit]
    label = f"Reduce {name} to Size {decision.size}" if decision.size else f"Give up {name}"
    return unit_choice(
        s,
        decision.unit,
        decision,
        label,
        detail=f"It is {unit_name(s, decision.unit)} in "
        f"{s.facts.names[s.units[decision.unit].at]}.",
        group=_GIVE_UP,
        tone="danger",
    )


def _project(s: State, decision: Decision) -> Choice:
    """Something else than units that a Resource is spent on."""
    success = s.facts.numbers.research_success
    cost = f"Costs 1{_oil(decision)}."
    match decision:
        case Research():
            label, detail, symbol = (
                "Research weapons",
                f"{cost} A die of {success} or less finds a weapon of your current Group "
                "(1 is added while you are at war with no enemy power).",
                "",
            )
        case DevelopBomb():
            label, detail, symbol = (
                "Develop the A-Bomb",
                f"{cost} It moves one box down, so that a test succeeds more easily.",
                "atomic_bomb",
            )
        case TestBomb():
            label, detail, symbol = (
                "Test the A-Bomb",
                f"{cost} A die above its box makes it ready.",
                "atomic_bomb",
            )
        case Sabotage(victim):
            label, detail, symbol = (
                f"Sabotage {words.power_name(s.facts, victim)}",
                f"{cost} A die decides what your saboteurs achieve.",
                "",
            )
        case _:
            label, detail, symbol = decision.kind.replace("_", " ").capitalize(), "", ""
    return Choice(
        label,
        plain(decision),
        detail,
        symbol=symbol,
        group=_PROJECTS,
        final=not isinstance(decision, DevelopBomb),
    )


def command_choice(s: State, decision: Command, group: str) -> Choice:
    """Where a commander goes, and whom he leads."""
    commander = s.facts.commanders[decision.commander]
    where = s.facts.names[decision.at]
    adds = [
        f"{number} {box}"
        for box in ("land", "air", "naval", "strategic")
        if (number := getattr(commander, box))
    ]
    detail = f"Leads {commander.commands} units; adds {', '.join(adds) or 'no factors'}."
    if decision.unit:
        size = s.units[decision.unit].size
        detail = f"{words.upper(factors_text(s.facts, decision.unit, size))}. {detail}"
    verb = f"leads {unit_name(s, decision.unit)}" if decision.unit else f"goes to {where}"
    return Choice(
        label=f"{commander.name} {verb}",
        decision=plain(decision),
        detail=detail,
        spaces=(decision.at,),
        symbol="commander",
        group=group,
    )


def sabotage_spending(legal: Legal, request: SabotageSpending, s: State) -> Form:
    """Which unit a victim's first Resource is spent on."""
    victim = words.power_name(s.facts, request.victim)
    return choose(
        legal,
        "Sabotage",
        f"Your saboteurs spend the first Resource of {victim}. Choose the unit that it is wasted "
        "on.",
        [build_choice(s, request.victim, each) for each in legal if isinstance(each, Build)],
    )


def sabotage_gar(legal: Legal, request: SabotageGar, s: State) -> Form:
    """Which GAR a victim may build free."""
    victim = words.power_name(s.facts, request.victim)
    return choose(
        legal,
        "Sabotage",
        f"Choose the only Garrison that {victim} may build free this turn.",
        [counter_choice(s, each, getattr(each, "unit", "")) for each in legal],
    )


def sabotage_development(legal: Legal, request: SabotageDevelopment, s: State) -> Form:
    """Which counter a victim adds first."""
    victim = words.power_name(s.facts, request.victim)
    return choose(
        legal,
        "Sabotage",
        f"Choose the counter that {victim} has to add first to its Force Pool.",
        [counter_choice(s, each, getattr(each, "counter", "")) for each in legal],
    )


def counter_choice(s: State, decision: Decision, counter: str) -> Choice:
    """An answer that is about a counter beside the map."""
    row = counter_row(s, counter, ())
    return Choice(row.label, plain(decision), row.note, symbol=row.symbol, power=row.power)


def withdraw_armour(legal: Legal, request: WithdrawArmour, s: State) -> Form:
    """Which ARM units leave the game."""
    proposal = advice(legal)
    assert isinstance(proposal, GiveUp)
    rows = [
        Row(
            key=id,
            label=s.facts.names[id],
            path=("sizes", id),
            most=size,
            value=proposal.sizes.get(id, 0),
            symbol=symbol_of(s, id),
            power=request.power,
            size=size,
            space=s.units[id].at,
            note=f"Size {size} in {s.facts.names[s.units[id].at]}",
        )
        for id, size in request.units.items()
    ]
    return assign(
        legal,
        "The second front",
        f"Armour of total Size {request.size} leaves the game for the second front. "
        "Whole units go; only one may go in part.",
        GiveUp({}),
        rows,
        limits=(Limit("Size", request.size, request.size),),
        done_label="Withdraw them",
    )
