"""What is shown beside a question: who can do what, what lies around, and how to answer."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from sandtable.board.words import REGIONS
from sandtable.cli import form
from sandtable.cli.blitz.lexicon import Lexicon
from sandtable.cli.names import simple
from sandtable.games.blitz import words
from sandtable.games.blitz.forms.attacks import strengths
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.land_combat import AnnounceAttack
from sandtable.games.blitz.rules.sides import introduced
from sandtable.games.blitz.rules.steps import DeclareWar, StepRequest
from sandtable.kernel.decisions import Decision, Request

if TYPE_CHECKING:
    from sandtable.cli.blitz.grammar import Blitz

_GOALS = 6
"""So many goals of a unit are shown beside it; moves shows them all."""

_HOW = {
    "rebase_units": ("rebase luftwaffe to western germany",),
    "move_land": ("move army group b to belgium",),
    "land_area_combat": (
        "attack poland with army group center, north, 1st para, luftwaffe",
        "attack poland (with everything that can)",
    ),
    "commit_defence": ("defend paris with royal air force, armee de l'air; or none",),
    "choose_next_attack": ("fight poland",),
    "move_to_sea": (
        "sail europe trs to north sea carrying 2nd army",
        "fly coastal command to western approaches",
    ),
    "return_to_base": ("return home fleet to scotland",),
    "spend": ("build 18th army", "build army group a to size 2 in berlin", "research", "done"),
    "develop_weapons": ("develop army group south, pzaa", "develop pzaa removing san marco"),
}


def purse(s: State, power: str) -> str:
    """What a power has saved, in a line."""
    if power not in s.vp or not introduced(s, "B"):
        return ""
    if power in s.books:
        book = s.books[power]
        return f"{s.vp[power]} VP; to spend: {book.oil} Oil and {book.resources} Resources"
    return f"{s.vp[power]} VP, {s.oil[power]} Oil and {s.resources[power]} Resources saved"


def prompt(grammar: Blitz, request: Request) -> list[str]:
    """What is asked, what there is to know for it, and how to answer."""
    s = grammar.s
    lines = [f"[bold]{escape(_question(grammar, request))}[/]"]
    if isinstance(request, StepRequest):
        lines += _what_can_act(grammar, request)
        lines.append("[dim]  Enter or done ends the step; help shows examples, moves lists all.[/]")
        return lines
    if request.kind == "spend":
        lines += _accounts(s, request.power)
    if request.kind == "develop_weapons":
        lines += _groups(s, request.power)
    if request.kind == "commit_defence":
        lines += _attacks(grammar, request)
        lines.append("[dim]  defend … with …, or none; Enter leaves it to the bot.[/]")
        return lines
    if listed := form.choices(grammar.game.legal(request)):
        lines += [
            f"  {number}. {escape(grammar.phrase(request, decision))}"
            for number, decision in enumerate(listed, 1)
        ]
        lines.append("[dim]  Type a number or a name; Enter leaves it to the bot.[/]")
    return lines


def _question(grammar: Blitz, request: Request) -> str:
    """What is asked; where a request has no words of its own, those of its description."""
    text = request.prompt
    if type(request).prompt is Request.prompt:
        text = (inspect.getdoc(type(request)) or text).splitlines()[0]
    where = getattr(request, "area", "")
    names = grammar.s.facts.names
    return f"{names[where]}: {grammar.plainly(text)}" if where in names else grammar.plainly(text)


def _accounts(s: State, power: str) -> list[str]:
    """What there is to spend, and what has been ordered already."""
    book = s.books[power]
    lines = [f"  {book.oil} Oil, {book.resources} Resources"]
    lines += [
        f"  only for {words.names(s.facts, account.countries)}: {account.oil} Oil, "
        f"{account.resources} Resources"
        for account in book.minors
    ]
    if book.orders:
        ordered = [f"{words.name_of(s.facts, o.unit)} to Size {o.size}" for o in book.orders]
        lines.append(f"  [dim]ordered: {', '.join(ordered)}[/]")
    if s.pool[power]:
        pool = ", ".join(words.name_of(s.facts, counter) for counter in s.pool[power])
        lines.append(f"  [dim]Force Pool: {pool}[/]")
    lines.append("[dim]  build … to size … in …; done saves the rest; moves lists all.[/]")
    return lines


def _groups(s: State, power: str) -> list[str]:
    """The counters that are still to be developed."""
    return [
        f"  Group {number}: {', '.join(words.name_of(s.facts, counter) for counter in group)}"
        for number, group in enumerate(s.groups[power], 1)
        if group
    ]


def _what_can_act(grammar: Blitz, request: Request) -> list[str]:
    """The units that can do something in a step, with some of the places where they can do it."""
    s, facts = grammar.s, grammar.s.facts
    goals: dict[str, dict[str, None]] = {}
    targets: dict[tuple[str, str], dict[str, None]] = {}
    foes: list[str] = []
    for decision in grammar.game.legal(request):
        if isinstance(decision, DeclareWar):
            foes.append(words.name_of(facts, decision.on))
        elif isinstance(decision, AnnounceAttack):
            key = (decision.combat, decision.target)
            targets.setdefault(key, {}).update(dict.fromkeys(decision.units))
        elif unit := getattr(decision, "unit", ""):
            goals.setdefault(unit, {})[_goal(decision)] = None
    lines = []
    for unit, places in goals.items():
        some = [words.name_of(facts, place) for place in list(places)[:_GOALS] if place]
        more = " …" if len(places) > _GOALS else ""
        here = facts.names[s.units[unit].at]
        lines.append(f"  {words.sized(s, unit)} in {here}: {', '.join(some)}{more}")
    for (combat, target), units in targets.items():
        kind = "" if combat == "ground" else f" {combat}"
        lines.append(f"  [bold]{facts.names[target]}{kind}[/]: {_sizes(s, units)}")
        odds = _strengths(s, target, list(units)) if combat == "ground" else ""
        lines.append(f"    [dim]against {words.units_in(s, target) or 'nobody'}{odds}[/]")
    lines += [f"  [dim]announced: {_attack_line(s, attack)}[/]" for attack in s.attacks]
    if foes:
        lines.append(f"  [dim]You may declare war on {', '.join(foes)}.[/]")
    return lines


def _sizes(s: State, units: Iterable[str]) -> str:
    return ", ".join(words.sized(s, id) for id in units)


def _strengths(s: State, target: str, units: list[str]) -> str:
    """The factors of a Land Round if all these attack and nothing flies in."""
    factors = strengths(s, target, units)
    return f"; all together {factors[0]} factors against {factors[1]}" if factors else ""


def _goal(decision: Decision) -> str:
    path = getattr(decision, "path", ())
    return str(getattr(decision, "to", "")) or (path[-1] if path else "")


def _attacks(grammar: Blitz, request: Any) -> list[str]:
    s = grammar.s
    lines = []
    for number, units in request.choices.items():
        lines.append(f"  {_attack_line(s, s.attacks[int(number)])}")
        lines.append(f"    you could send {_sizes(s, units)}")
    return lines


def _attack_line(s: State, attack: Any) -> str:
    kind = "" if attack.kind == "ground" else f" ({attack.kind})"
    units = _sizes(s, [id for id in attack.units if id in s.units])
    return f"{s.facts.names[attack.target]}{kind} with {units}"


def help_lines(grammar: Blitz, request: Request) -> list[str]:
    """How the present question is answered, with examples."""
    lines = [f"[bold]{escape(_question(grammar, request))}[/]"]
    lines += [f"  {escape(example)}" for example in _HOW.get(request.kind, ())]
    if isinstance(request, StepRequest):
        lines += [
            "  declare war on belgium (where it is allowed)",
            "  done (or Enter): nothing more in this step",
            "Names may be shortened: army group center, center or agc; parts of a list are parted "
            "by commas. moves lists what is legal, moves luftwaffe what that unit can do; "
            "show poland shows an area, show luftwaffe a unit.",
        ]
        return lines
    return lines + [escape(line) for line in form.help_text(grammar.game.legal(request))]


def show(s: State, lexicon: Lexicon, what: str) -> list[str]:
    """An area, a unit, a region, or the whole board."""
    if not what:
        return [words.board(s)]
    region = next((name for name in REGIONS if simple(name).startswith(simple(what))), "")
    if region:
        return [words.region(s, region)]
    if simple(what) in ("powers", "pools"):
        return [words.powers(s), words.pools(s)]
    id = lexicon.anything.find(what)
    if id in (*s.facts.lands, *s.facts.seas):
        return _show_area(s, id)
    if id in s.facts.kinds:
        return _show_unit(s, id)
    if id in s.facts.countries:
        areas = [area for area in s.facts.countries[id].areas if area in s.control]
        return [words.area_line(s, area) for area in areas]
    return [words.powers(s)]


def _show_area(s: State, area: str) -> list[str]:
    facts = s.facts
    lines = [f"[bold]{facts.names[area]}[/]"]
    if area in facts.lands:
        land = facts.lands[area]
        holder = s.control.get(area)
        whose = "not in play" if holder is None else words.power_name(facts, holder or "")
        lines.append(
            f"  {facts.countries[land.country].name}, held by {whose}; {land.terrain}"
            f"{', island' if land.island else ''}; Factory {land.factory}, Oil {land.oil}, "
            f"Resources {land.resource}"
        )
        for port in land.ports:
            lines.append(f"  {port.size} port on {words.names(facts, port.seas)}")
        near = [*facts.land_next[area], *facts.coast[area]]
        lines.append(f"  borders {words.names(facts, near)}")
        for word, routes in (("land", facts.land_routes), ("air", facts.air_routes)):
            if routes[area]:
                lines.append(f"  {word} routes to {words.names(facts, routes[area])}")
    else:
        lines.append(f"  next to {words.names(facts, facts.sea_next[area])}")
        lines.append(f"  coast of {words.names(facts, facts.coast[area])}")
        if area in facts.convoys:
            convoy = facts.convoys[area]
            lines.append(f"  convoy {convoy.name} of factor {convoy.factor}")
    lines.append(f"  {words.units_in(s, area) or 'no units'}")
    return lines


def _show_unit(s: State, id: str) -> list[str]:
    kind = s.facts.kinds[id]
    unit = s.units.get(id)
    where = f"Size {unit.size} in {s.facts.names[unit.at]}" if unit else "not on the map"
    air = f", air movement {kind.air_move}" if kind.air_move else ""
    bombs = f", bombs {kind.bombing}" if kind.bombing else ""
    lines = [
        f"[bold]{kind.name}[/] {where}",
        f"  {s.facts.types[kind.type].name} of {s.facts.names[kind.home]}, "
        f"movement {kind.move}{air}{bombs}",
    ]
    for size, profile in enumerate(kind.sizes, 1):
        boxes = [
            f"{box} {getattr(profile, box)}"
            + "+" * getattr(profile, f"{box}_w", 0)
            + "-" * getattr(profile, f"{box}_r", 0)
            for box in ("land", "air", "naval", "bomb")
            if getattr(profile, box) or getattr(profile, f"{box}_w", 0)
        ]
        lines.append(f"  Size {size}: {', '.join(boxes) or 'no factors'}")
    return lines
