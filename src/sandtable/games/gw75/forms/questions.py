"""Forms of the short questions: a hex among several, ships to be lost, wars to enter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from sandtable.games.gw75 import words
from sandtable.games.gw75.forms.parts import several, told_apart
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.bombing import BomberLosses
from sandtable.games.gw75.rules.merchant_shipping import LendShips
from sandtable.games.gw75.rules.naval_combat import Pursue, Support
from sandtable.games.gw75.rules.naval_results import DepleteOne, NavalLosses
from sandtable.games.gw75.rules.occupation import PutToSea
from sandtable.games.gw75.rules.rights import FULL, EnterWar
from sandtable.games.gw75.rules.tables import Die
from sandtable.games.gw75.rules.terms import GROUND, NAVAL, SURFACE
from sandtable.games.gw75.rules.ussr import MILITIA, PlaceMilitia
from sandtable.games.gw75.view import SYMBOLS
from sandtable.games.gw75.words import difference
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Limit, Row
from sandtable.kernel.kits import Assign


class Question(NamedTuple):
    """What is asked: title, prompt (fields of the request stand in it in braces, by name), what a
    hex is chosen for, the rule, and what it is called to choose none."""

    title: str
    prompt: str
    label: str
    rule: str
    about: str
    none: str = ""


WHERE = {
    "naval_counter_attack": Question(
        "Naval Counter-Attack",
        "Those who were attacked in {space} can strike back once, even if none of them is left "
        "(then at +0). Choose at whom.",
        "Counter-Attack {}",
        "15.72",
        "Counter-Attack",
        "Do not strike back",
    ),
    "naval_retreat": Question(
        "Retreat after combat",
        "Your ships in {space} have to retreat: they have lost more than the Enemy, or as much in "
        "defense. Choose where to.",
        "Retreat to {}",
        "15.0i",
        "Retreat",
    ),
    "holding_area": Question(
        "Which Holding Area?",
        "Enemy land units go by sea, and the Merchant Ships that carry them can be attacked in one "
        "Holding Area. These are equally near: choose one, then whether you attack there.",
        "The ships in {}",
        "15.32b",
        "Attacks on cargo",
    ),
    "put_to_sea": Question(
        "Put out to sea",
        "The Enemy has entered {space}, and the ships of {nation} have to leave: {ships}. "
        "Choose where to.",
        "To {}",
        "8.64",
        "Ships in a lost port",
    ),
    "pay_violation": Question(
        "The price of a violation",
        "{nation} has violated the neutrality of {whom}. Choose the hex whose Victory Points the "
        "Axis has from now on, whoever holds it.",
        "{}",
        "11.0b",
        "Violations",
    ),
    "place_militia": Question(
        "Soviet militia",
        "Militia appears in Industrial Hexes, one Strength Point in each; so many are still to "
        "come: {left}. Choose where.",
        "In {}",
        "19.78b",
        "Militia",
    ),
    "regenerate": Question(
        "China recovers",
        "A Chinese Strength Point that was destroyed reappears. Choose the Supply Center.",
        "In {}",
        "19.51b",
        "China",
    ),
    "choose_free_french": Question(
        "Free French",
        "The invasion ends Vichy France. The units nearest to it join the Allies, all others are "
        "removed; these are equally near. Choose those that join.",
        "Those in {}",
        "20.16",
        "Free French",
    ),
}
"""Requests whose options are hexes."""

WAYS: dict[str, tuple[Question, dict[str, str]]] = {
    "pursue": (
        Question(
            "They avoid combat",
            "{leaving} {how}. Choose whom you attack.",
            "",
            "15.81b",
            "Retreat before combat",
        ),
        {
            "transit": "Transit Attack on those that avoid combat",
            "attack": "Attack those that stay to fight",
            "nothing": "Attack nobody",
        },
    ),
    "close_in": (
        Question(
            "Second segment",
            "The attack on {space} may go on at close quarters: ships that close in enter the hex, "
            "and who has lost more in the end retreats (the defender, if both have lost as much).",
            "",
            "15.0f",
            "Second segment",
        ),
        {
            "all": "Close in with all Surface units",
            "surf_b": "Close in with Surface-B units only",
            "stay": "Attack from here",
            "stop": "Break off",
        },
    ),
}
"""Requests whose options are words."""

NUMBERS = {
    "support": Question(
        "ASW support",
        "ASW units can add their Defense Strength to {space}; then they can do so nowhere else in "
        "this phase.",
        "ASW units",
        "15.35b",
        "Support",
    ),
    "naval_losses": Question(
        "Losses at sea",
        "{rolled}You lose {total} of your fleets in {space}: choose which.",
        "Fleets",
        "15.15",
        "Losses",
    ),
    "deplete": Question(
        "Depletion",
        "{rolled}One of the units that attacked {space} is Depleted: choose which.",
        "Units",
        "15.52a",
        "Depletion",
    ),
    "bomber_losses": Question(
        "Bombers",
        "{rolled}Over {space} {total} of your Long Range Bombers {fate}: choose which.",
        "Bombers",
        "17.31a",
        "Bombing",
    ),
}
"""Requests that are answered with numbers of units."""


def _words(legal: Legal, text: str) -> str:
    s: State = legal.state
    request = legal.asked
    fields = {name: getattr(request, name) for name in request.__struct_fields__}
    told = {
        name: words.the(s.facts, value) if isinstance(value, str) else value
        for name, value in fields.items()
    }
    if isinstance(request, PlaceMilitia):
        told["left"] = s.counts[MILITIA]
    if isinstance(request, Pursue):
        told["leaving"] = _who(s, request.leaving)
        one = sum(sum(types.values()) for types in request.leaving.values()) == 1
        told["how"] = (
            f"retreat{'s' if one else ''} before combat from {told['space']} to {told['to']}"
            if request.to
            else f"decline{'s' if one else ''} combat in {told['space']}"
        )
    if isinstance(request, PutToSea):
        told["ships"] = _there(s, request.space, NAVAL, request.nation)
    if isinstance(request, NavalLosses | DepleteOne | BomberLosses):
        told["rolled"] = _rolled(request.die)
    if isinstance(request, BomberLosses):
        told["fate"] = (
            f"{'is' if request.total == 1 else 'are'} "
            f"{'turned back' if request.aborted else 'destroyed'}"
        )
    return words.sentenced(text.format_map(told))


def _who(s: State, forces: Mapping[str, Mapping[str, int]]) -> str:
    """Units of nations in words."""
    return " and ".join(
        f"{several(s, [(nation, *part) for part in types.items()])} of {words.the(s.facts, nation)}"
        for nation, types in forces.items()
    )


def _rolled(die: Die | None) -> str:
    """What has been rolled: its event comes only after the choice."""
    if die is None:
        return ""
    less = f", less {die.less}," if die.less else ""
    return f"A {die.face}{less} was rolled at {difference(die.differential)}. "


def _form(legal: Legal, asked: Question, **fields: Any) -> Form:
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        title=asked.title,
        prompt=_words(legal, asked.prompt),
        battle=getattr(legal.asked, "space", "") if legal.state.sea is not None else "",
        help=(Help(asked.rule, asked.about),),
        **fields,
    )


def _there(s: State, hex: str, types: Collection[str], nation: str = "") -> str:
    """Units in a hex, of one nation if that is named, in words."""
    return several(
        s,
        [
            (unit.nation, unit.type, number)
            for unit, number in s.stack(hex).items()
            if unit.type in types and nation in ("", unit.nation)
        ],
    )


def _worth(s: State, kind: str, hex: str) -> str:
    """What is to be said of a hex that can be chosen."""
    if kind == "pay_violation":
        industry = bool(s.facts.hexes[hex].industry)
        points = s.facts.victory.industry if industry else s.facts.victory.center
        name = "Industrial Hex" if industry else "Supply Center"
        return f"{name}, {points} Victory Point{'' if points == 1 else 's'}"
    if kind == "choose_free_french":
        return _there(s, hex, GROUND, "vichy")
    return _there(s, hex, SURFACE | {"ms"}) if kind == "holding_area" else ""


def where(legal: Legal) -> Form:
    """One of several hexes, which can be clicked; or none, where that is an option."""
    asked = WHERE[legal.asked.kind]
    choices = []
    for decision in legal:
        given = plain(decision)
        hex = given["option"]
        if not hex:
            choices.append(Choice(asked.none or "Nowhere", given, tone="quiet"))
            continue
        label = asked.label.format(legal.state.facts.name(hex))
        detail = _worth(legal.state, legal.asked.kind, hex)
        choices.append(Choice(label, given, detail=detail, spaces=(hex,)))
    choices.sort(key=lambda choice: choice.tone)
    return _form(legal, asked, component="choose", choices=tuple(choices))


def _against(legal: Legal, option: str) -> str:
    """Whom an answer to a retreat attacks."""
    if not isinstance(legal.asked, Pursue) or option == "nothing":
        return ""
    whom = legal.asked.leaving if option == "transit" else legal.asked.staying
    return _who(legal.state, whom)


def how(legal: Legal) -> Form:
    """One of several ways to go on."""
    asked, labels = WAYS[legal.asked.kind]
    choices = []
    for decision in legal:
        given = plain(decision)
        option = given["option"]
        quiet = option in ("nothing", "stop")
        detail = _against(legal, option)
        choices.append(Choice(labels[option], given, detail, tone="quiet" if quiet else ""))
    return _form(legal, asked, component="choose", choices=tuple(choices))


def numbers(legal: Legal) -> Form:
    """So many of the units in each hex; what costs least is proposed."""
    s: State = legal.state
    request = legal.asked
    assert isinstance(request, Assign)
    asked = NUMBERS[request.kind]
    most = request.limits(s)
    totals = request.totals(s)
    # ASW units that support are only Depleted, and what is Depleted is worth less.
    left = totals[-1] if isinstance(request, Support) else totals[0]
    value = {}
    for key in sorted(most, key=lambda key: (not key.endswith("deplete"), "depleted" not in key)):
        value[key] = min(left, most[key])
        left -= value[key]
    rows = [_row(s, key, number, value[key]) for key, number in most.items()]
    return _form(
        legal,
        asked,
        component="assign",
        base={"kind": "numbers", "numbers": {}},
        rows=told_apart(s, rows),
        limits=(Limit(asked.label, totals[-1], totals[0]),),
        pass_label="None" if not totals[0] else "",
        auto={"kind": "numbers", "numbers": {key: n for key, n in value.items() if n}},
    )


def _row(s: State, key: str, most: int, value: int) -> Row:
    """A row for `hex nation type` with `depleted` or `deplete`, or for bombers: `nation hex`."""
    parts = key.split()
    if parts[0] in s.facts.hexes:
        hex, nation, type, *marks = parts
    else:
        (nation, hex), type, marks = parts, "lrb", []
    notes = {"depleted": "Depleted", "deplete": "Depleted instead of lost"}
    return Row(
        key=key,
        label=s.facts.types[type].name,
        path=("numbers", key),
        most=most,
        value=value,
        symbol=SYMBOLS[type],
        power=nation,
        group=s.facts.name(hex),
        space=hex,
        note=", ".join(notes[mark] for mark in marks),
    )


def declare_vichy(legal: Legal) -> Form:
    """Whether there is a Vichy France."""
    numbers = legal.state.facts.numbers
    gone, allies = numbers.french_navy_gone, numbers.french_navy_allies
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Vichy France?",
        prompt="France has fallen. The Axis may leave it a government of its own. That is asked "
        "only now.",
        choices=(
            Choice(
                "Declare Vichy France",
                {"kind": "answer", "yes": True},
                detail="What the Axis has not taken, and the colonies, are neutral. A die decides "
                f"on the French fleet: up to {gone} it is removed, with {gone + 1}"
                f"{f' to {allies}' if allies > gone + 1 else ''} it is Free French, with more "
                "German.",
                tone="primary",
            ),
            Choice(
                "No Vichy France",
                {"kind": "answer", "yes": False},
                detail="France fights on from overseas, with its colonies and its fleet.",
            ),
        ),
        help=(Help("20.11", "Vichy France"),),
    )


def politics(legal: Legal) -> Form:
    """Wars that can be entered."""
    s: State = legal.state
    choices = []
    for decision in legal:
        assert isinstance(decision, EnterWar)
        name = words.sentenced(words.the(s.facts, decision.nation))
        detail = ""
        if decision.against == FULL:
            label = f"{name}: from limited to full war"
            detail = "It produces as at war from then on."
        elif decision.against == "allies":
            label = f"{name} enters the war at Germany's side"
            detail = "Germany's Enemies are its own then."
        elif decision.against == "germany":
            label = f"{name} enters a limited war with Germany"
            detail = "It produces as in peace-time."
        else:
            label = f"{name} goes to war with {words.the(s.facts, decision.against)}"
        choices.append(
            Choice(label, plain(decision), detail=detail, power=decision.nation, tone="danger")
        )
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Enter the war",
        prompt="You can enter these wars now, or later: in any phase but combat, as long as the "
        "right to them lasts.",
        choices=tuple(choices),
        help=(Help("19.21a", "Italy"), Help("19.37a", "USA"), Help("19.72a", "USSR")),
    )


def harbours(legal: Legal) -> Form:
    """Where a Port can be placed."""
    s: State = legal.state
    choices = []
    # Places with names first: there are hundreds.
    for given in sorted(map(plain, legal), key=lambda each: not s.facts.hexes[each["space"]].name):
        hex = s.facts.hexes[given["space"]]
        choices.append(
            Choice(
                f"In {s.facts.name(given['space'])}",
                given,
                detail=s.facts.name(hex.country) if hex.country else "",
                spaces=(given["space"],),
                power=given["nation"],
                group=f"Port of {words.the(s.facts, given['nation'])}",
            )
        )
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Place a Port",
        prompt="A Port that is ready can be placed on any Friendly coast that has none. It is "
        "never moved.",
        choices=tuple(choices),
        help=(Help("18.53", "Ports"),),
    )


def shipping(legal: Legal) -> Form:
    """Merchant Ships that the USA can lend."""
    s: State = legal.state
    most: dict[tuple[str, str], int] = {}
    for decision in legal:
        assert isinstance(decision, LendShips)
        key = (decision.to, decision.space)
        most[key] = max(most.get(key, 0), decision.number)
    choices = [
        Choice(
            f"Hand over from {s.facts.name(hex)}",
            {**plain(LendShips(hex, to)), "number": 0},
            detail=f"{number} to spare",
            spaces=(hex,),
            power=to,
            symbol=SYMBOLS["ms"],
            group=f"To {s.facts.name(to)}",
            rows=(
                Row(
                    "number",
                    s.facts.types["ms"].name,
                    ("number",),
                    number,
                    value=1,
                    symbol=SYMBOLS["ms"],
                    power="usa",
                ),
            ),
            limits=(Limit("Ships", number, 1),),
        )
        for (to, hex), number in most.items()
    ]
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Lend Merchant Ships",
        prompt="While the United States is at peace it may hand Merchant Ships that it can spare "
        "over to an Ally.",
        choices=tuple(choices),
        help=(Help("19.12a", "Neutral Merchant Fleets"),),
    )


FORMS: dict[str, Callable[[Legal], Form]] = {
    **dict.fromkeys(WHERE, where),
    **dict.fromkeys(WAYS, how),
    **dict.fromkeys(NUMBERS, numbers),
    "declare_vichy": declare_vichy,
    "politics": politics,
    "harbours": harbours,
    "shipping": shipping,
}
