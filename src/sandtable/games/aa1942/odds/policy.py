"""How the two sides play: stated, not guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sandtable.odds.errors import OddsError

Left = dict[str, int]
Retreat = str | int | Callable[[Left, Left], bool]
Order = str | Sequence[str]
Subs = Literal["strike", "submerge", "last"]

SUBS: tuple[Subs, ...] = ("strike", "submerge", "last")
RETREATS = ("never", "air", "loss", "rounds:N")


@dataclass(frozen=True)
class Policy:
    """What both sides do where the rules let them choose.

    An order of loss is "cheapest" (least cost first, a weaker unit before a stronger of the same
    cost, and before all others what can no longer fire), "weakest" (least fighting value first,
    the cheaper before the dearer), or a list of unit types; types that it leaves out follow in
    the order of "cheapest". A battleship's first hit goes before everything unless the list says
    where "damage" comes.

    Submarines "strike" whenever they can, "submerge" as soon as they can, or submerge when they
    are the "last" fighting units of their side.

    The attacker retreats "never", when only "air" units are left, after so many "rounds:N" (or a
    number), where fighting on has a negative expected swing ("loss", with every later retreat
    foreseen), or where a function of what is left of both sides says so. Attacking transports
    that are left alone always flee if they can. With `keep_land` the last unit that can take the
    territory is lost after the aircraft.
    """

    attack_order: Order = "cheapest"
    defend_order: Order = "cheapest"
    attack_subs: Subs = "strike"
    defend_subs: Subs = "strike"
    retreat: Retreat = "never"
    keep_land: bool = False
    can_retreat: bool = True

    def __post_init__(self) -> None:
        for subs in (self.attack_subs, self.defend_subs):
            if subs not in SUBS:
                raise OddsError(f"Submarines can {', '.join(SUBS)}; not {subs!r}.")
        self.round_limit()

    def round_limit(self) -> int:
        """After how many rounds the attacker retreats; 0 if the rule is another one."""
        rule = self.retreat
        if rule in ("never", "air", "loss") or callable(rule):
            return 0
        match = re.fullmatch(r"(?:rounds?[:= ]?)?(\d+)", str(rule))
        if match:
            rounds = int(match[1])
            if not 1 <= rounds <= 90:
                raise OddsError(f"A retreat comes after 1 to 90 rounds, not {rounds}.")
            return rounds
        raise OddsError(f"Retreat rules are {', '.join(RETREATS)}; not {rule!r}.")
