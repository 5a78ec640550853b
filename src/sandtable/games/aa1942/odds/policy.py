"""How the two sides play: stated, not guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

from sandtable.odds.errors import OddsError

Left = dict[str, int]
Retreat = str | int | Callable[[Left, Left], bool]
Order = str | Sequence[str]

SUBS = ("strike", "submerge", "last", "submerge:N")
RETREATS = ("never", "air", "landing", "loss", "rounds:N")
MOST_ROUNDS = 90


@dataclass(frozen=True)
class Policy:
    """What both sides do where the rules let them choose.

    An order of loss is "cheapest" (least cost first, a weaker unit before a stronger of the same
    cost, and before all others what can no longer fire), "weakest" (least fighting value first,
    the cheaper before the dearer), or a list of unit types; types that it leaves out follow in
    the order of "cheapest". A battleship's first hit goes before everything unless the list says
    where "damage" comes.

    Submarines "strike" whenever they can, "submerge" as soon as they can, or as soon as they can
    from a round on ("submerge:N"), or submerge when they are the "last" fighting units of their
    side.

    The attacker retreats "never", when only "air" units are left, the same or, if a "landing" fails
    and nobody comes ashore, after the one round that the others have to fight; after so many
    "rounds:N" (or a number), where fighting on has a negative expected swing ("loss", with every
    later retreat foreseen), or where a function of what is left of both sides says so. Attacking
    transports that are left alone always flee if they can. With `keep_land` the last unit that can
    take the territory is lost after the aircraft.
    """

    attack_order: Order = "cheapest"
    defend_order: Order = "cheapest"
    attack_subs: str = "strike"
    defend_subs: str = "strike"
    retreat: Retreat = "never"
    keep_land: bool = False
    can_retreat: bool = True

    def __post_init__(self) -> None:
        self.submerging()
        self.round_limit()

    def submerging(self) -> tuple[int, int]:
        """When the submarines of both sides leave, as the kernel for layers has it."""
        return _submerging(self.attack_subs), _submerging(self.defend_subs)

    def ashore(self, landed: bool) -> Policy:
        """How the battle on land is fought when it is known whether anybody landed."""
        if self.retreat != "landing":
            return self
        return replace(self, retreat="air" if landed else 1)

    def round_limit(self) -> int:
        """After how many rounds the attacker retreats; 0 if the rule is another one."""
        rule = self.retreat
        if callable(rule) or rule in RETREATS[:4]:
            return 0
        match = re.fullmatch(r"(?:rounds?[:= ]?)?(\d+)", str(rule))
        if match:
            return _rounds(match[1], "A retreat comes after")
        raise OddsError(f"Retreat rules are {', '.join(RETREATS)}; not {rule!r}.")


def _submerging(subs: str) -> int:
    if subs in SUBS[:3]:
        return SUBS.index(subs)
    match = re.fullmatch(r"submerge[:= ]?(\d+)", str(subs))
    if match is None:
        raise OddsError(f"Submarines can {', '.join(SUBS)}; not {subs!r}.")
    return 1 + 4 * (_rounds(match[1], "Submarines submerge from one of") - 1)


def _rounds(text: str, what: str) -> int:
    if not 1 <= int(text) <= MOST_ROUNDS:
        raise OddsError(f"{what} 1 to {MOST_ROUNDS} rounds, not {text}.")
    return int(text)


def read_policy(options: Mapping[str, Any]) -> Policy:
    """A policy from what a question says; OddsError if there is no such option."""
    known = [field.name for field in fields(Policy)]
    for name in options:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise OddsError(f"The odds of aa1942 have no option {name!r}.{hint}")
    return Policy(**options)
