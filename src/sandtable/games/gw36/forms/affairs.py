"""Forms of politics: who Aligns, what becomes of France, and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.games.gw36 import words
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.civil_wars import Redeploy
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.view import symbol
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Row

_ASKED = {
    "assign_minor": ("Who takes it over", "Which of you does {minor} go to?"),
    "align_poland": ("Poland", "Poland may join you now. Does it Align?"),
    "align_balkans": ("The Balkans", "Which nation Aligns with you this turn?"),
    "align_iraq": ("Iraq", "Which Axis power does Iraq Align with?"),
    "recruits": ("Recruits", "Recruits of {minor} have come. Where do they go, and as what?"),
    "create_vichy": ("Vichy", "France has surrendered. Do you create Vichy France?"),
    "evacuate": ("Evacuation", "Units in France may leave. Where to?"),
    "sail_home": ("Ships of the French", "Where do these ships sail?"),
    "pass_minors": ("Surrender", "Who takes over the Minor Powers that you command?"),
    "relocate_capital": ("A new capital", "Where does your government go?"),
    "contest_slovakia": (
        "Slovakia",
        "Germany annexes Slovakia. Do you contest it? It is fought over if Britain and France both "
        "do.",
    ),
    "answer_return": (
        "Return a land zone",
        "{owner} asks for {zone}, which was its own. Do you return it? If not, it may declare war.",
    ),
    "may_land": ("Behind the screen", "Your force has come through to {space}. Does it land?"),
}


def _form(legal: Legal) -> Form:
    """A choice among what is legal."""
    s: State = legal.state
    asked: Any = legal.asked
    title, prompt = _ASKED[asked.kind]
    fields = {"minor": "the Minor Power"}
    for field in ("minor", "nation", "owner", "zone", "space"):
        if id := getattr(asked, field, ""):
            fields["minor" if field == "nation" else field] = words.zone(s.facts, id)
    text = prompt.format_map(fields)
    choices = tuple(
        Choice(_label(s, plain(decision)), plain(decision), spaces=_spaces(s, plain(decision)))
        for decision in legal
    )
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title=title,
        prompt=f"{text[:1].upper()}{text[1:]}",
        choices=choices,
        help=tuple(Help(rule, title) for rule in (getattr(asked, "rule", "9.7b"),) if rule),
    )


def arrange_spain(legal: Legal) -> Form:
    """Units of Spain go where its winner's patron likes them."""
    s: State = legal.state
    asked: Any = legal.asked
    name = s.facts.name
    most: dict[tuple[str, str, str], int] = {}
    for decision in legal:
        if isinstance(decision, Redeploy):
            key = (decision.unit, decision.origin, decision.to)
            most[key] = max(most.get(key, 0), decision.count)
    choices = tuple(
        Choice(
            f"{name(unit)} to {words.zone(s.facts, to)}",
            {"kind": "redeploy", "unit": unit, "count": 1, "origin": origin, "to": to},
            spaces=(origin, to),
            symbol=symbol(s.facts.units[unit]),
            power=asked.nation,
            group=f"From {words.zone(s.facts, origin)}",
            rows=(Row("count", "How many", ("count",), number, value=1),) if number > 1 else (),
        )
        for (unit, origin, to), number in most.items()
    )
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title="Spain",
        prompt=f"The civil war is won. You may spread the forces of {name(asked.nation)} over its "
        "land zones, and its ships over its ports.",
        choices=choices,
        done=plain(Done()),
        done_label="Leave them so",
        help=(Help("13.1t", "After the Spanish Civil War"),),
    )


def _label(s: State, given: dict[str, Any]) -> str:
    """A decision in words."""
    if given["kind"] == "answer":
        return "Yes" if given["yes"] else "No"
    parts = []
    for key, value in given.items():
        if key == "kind":
            continue
        if isinstance(value, str):
            parts.append(words.zone(s.facts, value) if value else "None")
        elif isinstance(value, dict):
            parts.append(words.units(s.facts, value))
        else:
            parts.append(f"{key.replace('_', ' ')} {value}")
    return ", ".join(parts) or given["kind"].replace("_", " ").capitalize()


def _spaces(s: State, given: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        value for value in given.values() if isinstance(value, str) and value in s.facts.zones
    )


FORMS: dict[str, Callable[[Legal], Form]] = {
    **dict.fromkeys(_ASKED, _form),
    "arrange_spain": arrange_spain,
}
