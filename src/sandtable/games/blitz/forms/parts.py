"""What all forms are made of: titles, rules that help, rows and choices for units and places."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from sandtable.games.blitz import bot, words
from sandtable.games.blitz.model import State
from sandtable.games.blitz.pieces import factors_text, symbol_of
from sandtable.games.blitz.rules.counters import small_name
from sandtable.games.blitz.rules.opening import power_in_play
from sandtable.kernel.decisions import Decision, Legal, Request, plain
from sandtable.kernel.display import Choice, Form, Help, Row

T = TypeVar("T")

HELP: dict[str, tuple[tuple[str, str], ...]] = {
    "return_to_base": (("4.1a", "Returning to base"), ("4.1d", "Staying at sea")),
    "move_to_sea": (
        ("4.2d", "Ships move to sea"),
        ("4.2e", "Aircraft move to sea"),
        ("4.3a", "Blocking"),
        ("4.2.trs-a", "Transports"),
    ),
    "embark_units": (("4.2.trs-b", "Embarking"),),
    "rebase_units": (
        ("5.1.nav-b", "Ships rebase"),
        ("5.1.air-a", "Aircraft rebase"),
        ("5.1.nav-d", "Transports"),
    ),
    "move_land": (
        ("5.2e", "Movement"),
        ("5.2c", "Entering enemy land"),
        ("5.2b", "Landing"),
        ("5.2f", "Land Routes"),
    ),
    "contest_area": (("5.2g", "Allies want the same area"),),
    "give_leave": (("1.3.stack-e", "Guests"),),
    "land_area_combat": (
        ("5.3a", "Announcing attacks"),
        ("5.3.type-b", "Ground Attacks"),
        ("5.3.type-a", "Factory Attacks"),
        ("5.3.type-c", "Port Attacks"),
        ("5.3.limit-b", "How many may attack"),
        ("6.2a", "The Land Round"),
    ),
    "settle_dispute": (("5.3.ally-a", "Allies attack the same area"),),
    "commit_defence": (("5.3.def-a", "Committing defenders"), ("6.1a", "The Air Round")),
    "choose_next_attack": (("5.3a", "The order of attacks"),),
    "choose_sea": (("4.4a", "Combat at sea"),),
    "call_combat": (("2.2.free-c", "Free Blitz at sea"),),
    "join_sea_combat": (("4.4b", "Aircraft join"),),
    "avoid_sea_combat": (("4.4c", "Submarines evade"),),
    "assign_damage": (("6.5.dmg-b", "Who takes damage"), ("6.5.dmg-a", "Damage")),
    "choose_returning": (("6.5.letter-b", "Letters S, L and B"),),
    "reduce_cargo": (("6.5.trs-b", "Damaged transports"),),
    "pick_retreating": (("6.6.retreat-a", "Retreats"),),
    "pick_blocked": (("6.6.adv-b", "Stopping an advance"),),
    "choose_retreat": (("6.6.retreat-c", "Where units retreat to"),),
    "choose_base": (("4.1a", "Returning to base"),),
    "choose_blitz": (
        ("2.2b", "Choosing a Blitz"),
        ("2.2c", "What it costs"),
        ("2.2.free-a", "Free Blitz"),
        ("2.2.land-a", "Land Blitz"),
        ("2.2.air-a", "Air Blitz"),
        ("2.2.naval-a", "Naval Blitz"),
        ("2.2.total-a", "Total Blitz"),
    ),
    "order_commander": (("9.5c", "Moving commanders"), ("9.5e", "What commanders add")),
    "partisan": (("7.1b", "Partisans"), ("7.1f", "What they cost")),
    "develop_weapons": (("7.3a", "Developing weapons"), ("7.3b", "Groups")),
    "lend_lease": (("7.4d", "Lend Lease"),),
    "keep_goods": (("7.7a", "Limits of a neutral power"),),
    "spend": (
        ("7.8a", "Spending"),
        ("7.8.build-a", "Building"),
        ("7.8.build-e", "Where units appear"),
        ("7.8.gar-a", "The free Garrison"),
        ("7.8.res-a", "Research"),
        ("7.8.end-a", "What is saved"),
    ),
    "sabotage_development": (("9.6d", "Sabotage of development"),),
    "sabotage_gar": (("9.6c", "Sabotage of a Garrison"),),
    "sabotage_spending": (("9.6b", "Sabotage of a build"),),
    "choose_home": (("3.4.conq-d", "A new home country"),),
    "choose_control": (("3.4.lib-c", "Giving countries back"), ("3.4.lib-e", "Giving areas back")),
    "liberate_foe": (("9.2l", "Liberate Foes"),),
    "choose_return": (("3.4.lib-g", "Units of a liberated country"),),
    "place_unit": (("6.6.overrun-a", "Units that have to leave"),),
    "loot_factory": (("9.9a", "Looting"),),
    "auction": (("9.1b", "Bidding"),),
    "road_choice": (("9.2a", "The Road to War"),),
    "japans_entry": (("F.japan-a", "Japan goes to war"),),
    "withdraw_armour": (("D.front-c", "The second front"),),
    "choose_soviet_target": (("E.ussr-d", "The USSR attacks"),),
    "offer_extra": (("E.econ-c", "Extra Resources"),),
}
"""Kind of request to the rules that bear on it, with short names."""


def help_of(request: Request) -> tuple[Help, ...]:
    """The rules that bear on a request."""
    return tuple(Help(id, name) for id, name in HELP.get(request.kind, ()))


def advice(legal: Legal) -> Decision:
    """What the game's own bot would decide."""
    return bot.decide(legal.state, legal.asked, random.Random(0))


# --- units and places ----------------------------------------------------------------------------


def unit_name(s: State, id: str) -> str:
    """A unit with its type and Size: `Luftwaffe (AIR 2)`."""
    return words.sized(s, id)


def unit_row(
    s: State,
    id: str,
    path: tuple[str, ...],
    *,
    key: str = "",
    group: str = "",
    value: int = 0,
    note: str = "",
    cargo: bool = False,
) -> Row:
    """A unit that is taken into the list at `path`, or not."""
    unit = s.units[id]
    return Row(
        key=key or id,
        label=s.facts.names[id],
        path=path,
        most=1,
        item=id,
        value=value,
        symbol=symbol_of(s, id),
        power=unit.power,
        size=unit.size,
        group=group,
        space=unit.at,
        note=(note or factors_text(s.facts, id, unit.size)) + _of_an_ally(s, id),
        states=tuple(deed for deed in unit.done if deed in ("carried", "fought")),
        cargo=cargo,
    )


def _of_an_ally(s: State, id: str) -> str:
    """Whose unit it is, if its country is only an ally of the power that orders it."""
    home = s.facts.kinds[id].home
    if home in s.facts.homes.get(s.units[id].power, (home,)):
        return ""
    return f"; of {s.facts.names[home]}, which is on your side: you order its units"


def counter_row(
    s: State, counter: str, path: tuple[str, ...], *, key: str = "", group: str = "", value: int = 0
) -> Row:
    """A counter beside the map that is taken into the list at `path`, or not."""
    small = small_name(counter)
    first = 3 if counter != small else 1
    return Row(
        key=key or counter,
        label=s.facts.name(counter),
        path=path,
        most=1,
        item=counter,
        value=value,
        symbol=symbol_of(s, counter),
        power=power_in_play(s.facts, s.scenario, s.facts.kinds[small].power),
        group=group,
        note=f"at Size {first}: {factors_text(s.facts, small, first)}",
    )


def place_name(s: State, area: str, port: str = "") -> str:
    """An area; with its port, if it has several: `Denmark, port on Baltic Sea`."""
    name = s.facts.names[area]
    if port and len(s.facts.ports[area]) > 1:
        return f"{name}, port on {s.facts.names[port]}"
    return name


def unit_choice(s: State, id: str, decision: Decision, label: str, **more: Any) -> Choice:
    """An answer that is about a unit on the map."""
    unit = s.units[id]
    more.setdefault("detail", factors_text(s.facts, id, unit.size))
    more.setdefault("spaces", (unit.at,))
    return Choice(
        label=label,
        decision=plain(decision),
        symbol=symbol_of(s, id),
        power=unit.power,
        **more,
    )


def choose(legal: Legal, title: str, prompt: str, choices: Iterable[Choice], **more: Any) -> Form:
    """A form in which one of several answers is chosen. What is asked in the middle of a combat
    belongs to it."""
    request, s = legal.asked, legal.state
    more.setdefault("battle", s.combat.at if s.combat is not None else "")
    return Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title=title,
        prompt=prompt,
        choices=tuple(choices),
        help=help_of(request),
        **more,
    )


def assign(
    legal: Legal, title: str, prompt: str, base: Decision, rows: Iterable[Row], **more: Any
) -> Form:
    """A form in which units or numbers are chosen together."""
    request = legal.asked
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title=title,
        prompt=prompt,
        base=plain(base),
        rows=tuple(rows),
        help=help_of(request),
        **more,
    )


def yes_or_no(
    answer: Callable[[bool], Decision], yes: str, no: str, **more: Any
) -> Iterator[Choice]:
    """Two answers."""
    yield Choice(yes, plain(answer(True)), tone="primary", **more)
    yield Choice(no, plain(answer(False)))
