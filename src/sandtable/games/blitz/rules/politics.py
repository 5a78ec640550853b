"""Who is at war: declarations of war and what they cause (3.1, 3.2)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules import alignment
from sandtable.games.blitz.rules.neutral_entry import JAPAN_STRUCK, go_to_war, shift
from sandtable.games.blitz.rules.sides import (
    areas_of,
    at_war,
    introduced,
    is_country,
    out_of_game,
    usa_at_war,
)
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

CLOSED_TO_USSR = ("central_europe", "finland", "germany", "sweden")
CLOSED_TO_ALLIES = ("brazil", "chile", "mexico", "venezuela")


def check_declaration(s: State, power: str, on: str) -> None:
    """Raise IllegalDecision if a power may not declare war on a country or power.

    Rules: A.1a, A.1c, F.1a, 3.1a, 3.1b, 3.2a, 3.2b, 3.2c, 9.2f
    """
    facts = s.facts
    name = facts.name(on)
    if not introduced(s, "F") and on not in (s.scenario.declarable or ()):
        raise IllegalDecision(f"War cannot be declared on {name!r} in this scenario.", "A.1c")
    if on in s.scenario.powers:
        if facts.side[on] == facts.side[power]:
            raise IllegalDecision(f"{name} is on your own side.", "3.2b")
        if at_war(s, power, on):
            raise IllegalDecision(f"You are at war with {name} already.", "3.2a")
        if out_of_game(s, on):
            raise IllegalDecision(f"{name} is out of the game.", "3.4.conq-c")
    elif on not in s.allied or not is_country(s, on):
        raise IllegalDecision(f"There is no country or power {name!r} in play.", "3.2a")
    elif facts.countries[on].follows:
        leader = facts.names[facts.countries[on].follows]
        raise IllegalDecision(f"{name} goes with {leader}: declare war on that.", "3.2.align-d")
    elif on in s.conquered or s.allied[on] != NEUTRAL:
        side = s.conquered.get(on) or facts.side[s.allied[on]]
        if side == facts.side[power]:
            raise IllegalDecision(f"{name} is on your own side.", "3.2b")
        raise IllegalDecision(
            f"{name} is not neutral: declare war on the power that has it.", "3.2c"
        )
    elif not alignment.taker(s, power, on):
        raise IllegalDecision(f"Nobody is left to ally with {name}.", "3.2.align-a")
    _check_limits(s, power, on)


def _check_limits(s: State, power: str, on: str) -> None:
    """Raise IllegalDecision where the rules close a target to a power for the time being.

    Rules: 3.2d, 3.2e, 3.2f, 3.2g, 3.2h, F.1a, 7.2h, 9.2g, 9.2h, 9.2k
    """
    name, road = s.facts.names[on], "road_to_war" in s.flags
    pact = not road or "secret_german_pact" in s.flags
    early = s.turn < s.facts.numbers.pact_turn and s.control.get("paris") != "germany"
    if (power, on) == ("germany", "ussr") and pact and early:
        raise IllegalDecision(
            "Germany can declare war on the USSR from Turn 5 on, or when it controls Paris.", "3.2d"
        )
    if power == "usa" and "usa" in s.entry and not usa_at_war(s):
        raise IllegalDecision("The neutral USA cannot declare war.", "3.2e")
    if power == "ussr" and "ussr" in s.entry and not at_war(s, "ussr", "germany"):
        closed = on in CLOSED_TO_USSR
        if road:
            closed = "secret_soviet_pact" in s.flags and (on == "germany" or _trades(s, on))
        if closed:
            raise IllegalDecision(f"The USSR cannot declare war on {name} as yet.", "3.2f")
    doctrine = not road or "monroe_doctrine" in s.flags
    if s.facts.side[power] == "allies" and on in CLOSED_TO_ALLIES and doctrine:
        raise IllegalDecision(f"No Ally can declare war on {name}.", "3.2h")


def _trades(s: State, country: str) -> bool:
    """Whether a country has a trade agreement with Germany."""
    agreements = (s.facts.trade[name] for name in s.trades)
    return any(each.country == country and each.to == "germany" for each in agreements)


def declarations(s: State, power: str) -> list[str]:
    """The countries and powers that a power may declare war on now, sorted."""
    key = ("declarations", power, s.turn)
    found: list[str] | None = s.cached(key)
    if found is None:
        if introduced(s, "F"):
            targets = {each for each in s.scenario.powers if (power, each) not in s.wars}
            targets |= {each for each, owner in s.allied.items() if owner == NEUTRAL}
        else:
            targets = set(s.scenario.declarable or ())
        found = [on for on in sorted(targets) if passes(check_declaration, s, power, on)]
        s.keep(key, found, lasting=True)
    return found


class Declared(NamedTuple):
    """War that a power has declared on another, or on a neutral country."""

    power: str
    on: str


def begin_war(g: Table[State], war: Declared) -> Procedure[None]:
    """Two powers are at war; or a neutral country, with those that go with it, joins the enemy.

    Rules: 3.2a, 3.2.align-a, 3.2.align-d, A.1b
    """
    s, (power, on) = g.state, war
    g.emit("war_declared", power=power, against=on)
    if on in s.scenario.powers:
        yield from go_to_war(g, power, on)
        return
    followers = [id for id, country in s.facts.countries.items() if country.follows == on]
    for country in (on, *followers):
        if s.allied.get(country) == NEUTRAL:
            yield from alignment.ally(g, country, alignment.taker(s, power, country), power)


def alarm(g: Table[State], war: Declared) -> Procedure[None]:
    """What a declaration of war does to the markers.

    Rules: 7.2b, 7.2c, data.neutral-entry
    """
    s, (power, on) = g.state, war
    if war in (("japan", "afa"), ("japan", "belgium_netherlands")):
        # The USA takes note for good.
        s.flag(JAPAN_STRUCK)
        yield from shift(g, "japan_declares_on_afa_or_dutch")
    elif war == ("ussr", "japan"):
        yield from shift(g, "ussr_declares_on_japan")
    elif war == ("japan", "ussr"):
        yield from shift(g, "japan_declares_on_ussr")
    elif on not in s.scenario.powers:
        allied = s.facts.side[power] == "allies"
        yield from shift(g, "allies_declare_on_minor" if allied else "axis_declares_on_minor")
    if (
        on not in s.scenario.powers
        and s.facts.side[power] == "axis"
        and any(
            s.facts.lands[other].country == "ussr"
            for area in areas_of(s, on)
            for other in s.facts.land_next[area]
        )
    ):
        yield from shift(g, "axis_declares_beside_ussr")
