"""Forms of politics: who Aligns, what becomes of France, and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.games.gw36 import words
from sandtable.games.gw36.model import State
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Help

_ASKED = {
    "assign_minor": ("Who takes it over", "Which of you does {minor} go to?"),
    "align_poland": ("Poland", "Poland may join you now. Does it Align?"),
    "align_balkans": ("The Balkans", "Which nation Aligns with you this turn?"),
    "align_iraq": ("Iraq", "Which Axis power does Iraq Align with?"),
    "recruits": ("Recruits", "Where do the recruits of {minor} go, and as what?"),
    "create_vichy": ("Vichy", "France has surrendered. Do you create Vichy France?"),
    "evacuate": ("Evacuation", "Units in France may leave. Where to?"),
    "sail_home": ("Ships of the French", "Where do these ships sail?"),
    "pass_minors": ("Surrender", "Who takes over the Minor Powers that you command?"),
    "relocate_capital": ("A new capital", "Where does your government go?"),
    "contest_slovakia": ("Slovakia", "Germany annexes Slovakia. Do you contest it?"),
}


def _form(legal: Legal) -> Form:
    """A choice among what is legal."""
    s: State = legal.state
    asked: Any = legal.asked
    title, prompt = _ASKED[asked.kind]
    minor = getattr(asked, "minor", "")
    choices = tuple(
        Choice(_label(s, plain(decision)), plain(decision), spaces=_spaces(s, plain(decision)))
        for decision in legal
    )
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title=title,
        prompt=prompt.format(minor=s.facts.name(minor) if minor else "the Minor Power"),
        choices=choices,
        help=(Help(asked.rule, "The rule"),) if asked.rule else (),
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
            parts.append(words.zone(s.facts, value) if value else "Nothing")
        elif isinstance(value, dict):
            parts.append(words.units(s.facts, value))
        else:
            parts.append(f"{key.replace('_', ' ')} {value}")
    return ", ".join(parts) or given["kind"].replace("_", " ").capitalize()


def _spaces(s: State, given: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        value for value in given.values() if isinstance(value, str) and value in s.facts.zones
    )


FORMS: dict[str, Callable[[Legal], Form]] = dict.fromkeys(_ASKED, _form)
