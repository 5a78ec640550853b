"""What is shown beside a question: prices, forces, neighbours, and how to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape

from sandtable.board.words import REGIONS, listed
from sandtable.cli.aa1942.lexicon import Lexicon
from sandtable.cli.errors import Unclear
from sandtable.cli.names import Names, simple
from sandtable.games.aa1942 import words
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.landing import unlanded
from sandtable.games.aa1942.rules.production import complexes
from sandtable.games.aa1942.rules.spaces import production
from sandtable.kernel.decisions import Request

if TYPE_CHECKING:
    from sandtable.cli.aa1942.grammar import Aa1942


# --- questions -----------------------------------------------------------------------------------


def prompt(grammar: Aa1942, request: Any) -> list[str]:
    """What is asked, what there is to know for it, and how to answer."""
    s = grammar.s
    lines = [f"[bold]{escape(grammar.plainly(request.prompt))}[/]"]
    match request.kind:
        case "purchase":
            lines.append(f"  {prices(s)}")
            lines += [
                f"  {words.space_name(s.facts, land)}: {damage} damage"
                for land, damage in request.damaged.items()
            ]
            lines.append(_say("5 infantry, 2 tank", *_repair(request), "nothing"))
        case "combat_move":
            lines.append(f"  [dim]In reach:[/] {', '.join(grammar.targets(request)) or 'nothing'}")
            lines.append(_say("2 infantry, tank from … to …", "moves", "done"))
        case "noncombat_move":
            lines += _to_land(s)
            lines.append(_say("2 infantry, tank from … to …", "moves", "done"))
        case "mobilize":
            places = [
                f"{words.space_name(s.facts, land)} ({room - s.placed.get(land, 0)})"
                for land, room in complexes(s).items()
            ]
            lines.append(f"  Complexes, and the units each can still bring in: {', '.join(places)}")
            lines.append(_say(*_placing(s, request), "done"))
        case "choose_battle":
            for number, space in enumerate((*request.battles, *request.optional), 1):
                free = " [dim](may be left alone)[/]" if space in request.optional else ""
                lines.append(f"  {number}. {words.space_name(s.facts, space)}{free}")
                lines.append(f"     {words.stack_in_words(s, space)}")
            lines.append(_say("a number or a name", *([] if request.battles else ["done"])))
        case "press_or_retreat":
            lines.append(f"  {words.stack_in_words(s, request.space)}")
            to = [f"retreat to {place}" for place in request.to] or ["retreat"]
            lines.append(_say("press", *to))
        case "choose_casualties":
            lines += [
                f"  {grammar.power(power)}: {_in_chart_order(s, row)}"
                for power, row in request.units.items()
            ]
            lines += _hit_limits(request)
            choice = grammar.default(request)
            if choice is not None:
                proposal = escape(grammar.phrase(request, choice))
                lines.append(f"  [dim]Enter for[/] [cyan]{proposal}[/][dim], or type others[/]")
        case "choose_bombardment":
            for zone, row in request.ships.items():
                ships = words.units_in_words(s.facts, row)
                lines.append(f"  {words.space_name(s.facts, zone)}: {ships}")
            lines.append("  [dim]Enter for as many as may[/], or type ships, or none")
        case "submerge_or_strike":
            lines.append(f"  {words.stack_in_words(s, request.space)}")
            lines.append(_say("strike", "submerge", "1"))
        case "engage_or_ignore":
            lines.append(f"  {words.stack_in_words(s, request.zone)}")
            lines.append(_say("attack", "ignore"))
        case "commit_interceptors":
            lines += [
                f"  {words.space_name(s.facts, land)}: {words.counted(s.facts, 'fighter', n)}"
                for land, n in request.fighters.items()
            ]
            lines.append(_say(f"1 in {next(iter(request.fighters))}", "all", "pass"))
        case "land_stranded":
            lines.append(_say(*request.to))
        case "share_space":
            lines.append(_say("yes", "no"))
        case _:
            return [escape(line) for line in [grammar.plainly(request.prompt)]]
    return lines


def _say(*examples: str) -> str:
    """How to answer: examples, and the way to more."""
    shown = " [dim]·[/] ".join(f"[cyan]{escape(example)}[/]" for example in (*examples, "help"))
    return f"  [dim]Type[/] {shown}"


def _placing(s: State, request: Any) -> list[str]:
    """Two placements that would be legal, as examples."""
    legal = (d for d in request.decisions(s) if hasattr(d, "space"))
    first = next(legal, None)
    if first is None:
        return []
    ((type_, _),) = first.units.items()
    return [f"{request.units[type_]} {type_} in {first.space}", f"all in {first.space}"]


def _repair(request: Any) -> list[str]:
    return [f"repair {land} {damage}" for land, damage in list(request.damaged.items())[:1]]


def _to_land(s: State) -> list[str]:
    """Aircraft that still have to land."""
    flying = [
        f"{words.counted(s.facts, unit.type, count)} in {words.space_name(s.facts, space)}"
        for space, unit, count in unlanded(s)
    ]
    return [f"  [yellow]Still to land: {listed(flying)}[/]"] if flying else []


def _in_chart_order(s: State, row: dict[str, int]) -> str:
    order = list(s.facts.units)
    names = sorted(row, key=lambda name: (order.index(name.split(" (")[0]), name))
    return ", ".join(f"{row[name]} {name.replace('_', ' ')}" for name in names)


def _hit_limits(request: Any) -> list[str]:
    notes = []
    if request.hits.air:
        notes.append(f"{request.hits.air} of the hits cannot strike submarines")
    if request.hits.sub:
        notes.append(f"{request.hits.sub} of the hits cannot strike aircraft")
    return [f"  [dim]{listed(notes)}[/]"] if notes else []


def prices(s: State) -> str:
    """What each unit costs."""
    shown = []
    for unit in s.facts.units.values():
        name = words.counted(s.facts, unit.id, 1, short=True).removeprefix("1 ")
        shown.append(f"{name} [bold]{unit.cost}[/]")
    return ", ".join(shown)


# --- help ----------------------------------------------------------------------------------------

_MOVES = (
    ("2 infantry, tank from ukraine to west russia", "land, sea and air units alike"),
    ("all infantry from poland to ukraine", "every one that can still move"),
    ("tank from poland via ukraine to caucasus", "by a way of your choice"),
    ("ship infantry, tank from germany to norway", "finds the transport and its way"),
    ("load 2 infantry from uk in sz7, sail sz6, land norway", "the same in your own words"),
)

_HELP: dict[str, tuple[tuple[str, str], ...]] = {
    "purchase": (
        ("5 infantry, 2 tank", "the whole order in one line"),
        ("4 inf, repair germany 3", "units and repairs together"),
        ("nothing", "keep the money"),
    ),
    "combat_move": (
        *_MOVES,
        ("raid germany with bomber from uk", "bomb an industrial complex"),
        ("done", "fight the battles; nothing can be sent after that"),
    ),
    "noncombat_move": (*_MOVES, ("done", "everything has landed; go on")),
    "choose_battle": (("egypt", "or its number"), ("done", "leave the others alone")),
    "choose_casualties": (
        ("", "Enter takes the proposal"),
        ("2 infantry, tank", "the units that are lost"),
        ("damage battleship", "its first hit does not sink a battleship"),
        ("uk infantry, us fighter", "where several powers defend together"),
    ),
    "press_or_retreat": (
        ("press", "fight another round"),
        ("retreat to libya", "break off; aircraft land later"),
    ),
    "submerge_or_strike": (
        ("strike", "all fire before the others do"),
        ("submerge", "all leave the battle"),
        ("1", "so many submerge, the others strike"),
    ),
    "engage_or_ignore": (("attack", "fight them first"), ("ignore", "land past them")),
    "choose_bombardment": (
        ("", "Enter takes as many as may fire"),
        ("battleship, 2 cruiser", "only these"),
        ("battleship in sz6", "of that zone"),
        ("none", "no bombardment"),
    ),
    "commit_interceptors": (
        ("2 in germany, 1 in france", "fighters that rise"),
        ("all", "every one"),
        ("pass", "none"),
    ),
    "land_stranded": (("egypt", "where the fighter lands"),),
    "share_space": (("yes", ""), ("no", "")),
    "mobilize": (
        ("3 infantry, tank in germany", ""),
        ("all in germany", "everything that is left"),
        ("destroyer in sz5", "ships go to a sea zone beside a complex"),
        ("done", "when nothing more can be placed; the rest is paid back"),
    ),
}


def help_lines(grammar: Aa1942, request: Request) -> list[str]:
    """The ways to answer a request, with examples of the moment where there are any."""
    lines = [f"[bold]{escape(grammar.plainly(request.prompt))}[/]"]
    rows = _HELP.get(request.kind, ())
    width = max((len(example) for example, _ in rows), default=0)
    lines += [f"  [cyan]{escape(e):<{width}}[/]  [dim]{escape(does)}[/]" for e, does in rows]
    if request.kind in ("combat_move", "noncombat_move"):
        lines.append("[bold]Legal now, for example[/]")
        lines += grammar.moves(request, "")[:4]
    if request.kind in ("purchase", "combat_move", "noncombat_move", "mobilize"):
        lines.append(
            "[dim]Names may be short: inf art arm aa ftr bmb bb cv ca dd ss tr; ukr, w russia, uk, "
            "sz5. Several orders in a line are parted by ; and done together or not at all.[/]"
        )
    return lines


# --- show ----------------------------------------------------------------------------------------


def show(s: State, lexicon: Lexicon, powers: Names, what: str) -> list[str]:
    """A space, a region, the sea, a power, the powers, the unit chart."""
    word = simple(what)
    if not word:
        raise Unclear("Show what? A space, sea, units, powers, europe, asia, … or board for all.")
    if word == "sea":
        return [words.at_sea(s)]
    if word in ("units", "prices", "chart"):
        return unit_chart(s)
    if word in ("powers", "cities", "income", "money"):
        return [words.powers(s)]
    for name in REGIONS:
        if word in name.lower().split() or word == name.lower():
            return [words.region(s, name)]
    if word not in lexicon.spaces and word in powers:
        return power_lines(s, powers.find(word))
    space = lexicon.spaces.find(what)
    if space in s.facts.powers:
        return [*space_lines(s, space), "", *power_lines(s, space)]
    return space_lines(s, space)


def unit_chart(s: State) -> list[str]:
    """The unit chart: cost, attack, defence, movement."""
    lines = [f"[bold]{'unit':<24}cost  attack  defence  move[/]"]
    for unit in s.facts.units.values():
        numbers = f"{unit.cost:>4}{unit.attack or '-':>8}{unit.defense or '-':>9}"
        lines.append(f"{unit.name:<24}{numbers}{unit.move or '-':>6}")
    return lines


def power_lines(s: State, power: str) -> list[str]:
    """A power's money and where its units are."""
    facts = s.facts
    lines = [
        f"[bold]{facts.names[power]}[/]: {s.treasury[power]} IPCs in hand, "
        f"income {production(s, power)}"
    ]
    for space in (*facts.territories, *facts.sea_zones):
        if any(unit.power == power for unit in s.stack(space)):
            lines.append(f"  {words.space_name(facts, space):<27}{words.stack_in_words(s, space)}")
    return lines


def space_lines(s: State, space: str) -> list[str]:
    """A space and its neighbours, with what is in them."""
    facts = s.facts
    known = facts.spaces[space]
    title = f"[bold]{known.name}[/]" + (f" ({known.label})" if known.label else "")
    if known.neutral:
        return [f"{title}: neutral; no unit may enter it or fly over it."]
    if not known.sea:
        title += f": {facts.names[s.control[space]]}, {known.ipc} IPCs"
    lines = [title, f"  {words.stack_in_words(s, space) or 'no units'}"]
    city = next((city for city, land in facts.cities_faq.items() if land == space), "")
    if city and (city in facts.cities or s.options["cities"] == 13):
        lines.append(f"  victory city: {city}")
    if space in s.complexes:
        damage = s.complexes[space]
        lines.append(
            f"  industrial complex, damage {damage}: brings in {max(0, known.ipc - damage)}"
        )
    lines.append("[dim]next to it[/]")
    names = {
        there: ", ".join(filter(None, (facts.spaces[there].name, facts.spaces[there].label)))
        for there in facts.neighbours[space]
    }
    width = max(len(name) for name in names.values())
    for there, name in names.items():
        holder = "" if facts.spaces[there].sea else f"{facts.names[s.control[there]]}: "
        units = words.stack_in_words(s, there)
        lines.append(f"  {name:<{width}}  {units or f'[dim]{holder}no units[/]'}")
    return lines
