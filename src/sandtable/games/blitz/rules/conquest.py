"""Conquest and liberation (3.4)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.counters import from_pool, hand_over, lift, nation_of, to_pool
from sandtable.games.blitz.rules.displaced import berths, put_out
from sandtable.games.blitz.rules.neutral_entry import shift
from sandtable.games.blitz.rules.set_aside import empty_pools, release, set_aside
from sandtable.games.blitz.rules.sides import (
    FRENCH,
    areas_of,
    country_of,
    home_of,
    introduced,
    is_country,
    out_of_game,
    side_of,
)
from sandtable.games.blitz.rules.supply import reaches
from sandtable.games.blitz.rules.victory import score
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.kits import ChooseOne, YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

RETURNED = ("germany", "great_britain", "japan", "usa", "ussr")
"""Countries that a liberator has to give back."""

CAPITALS = {"france": "paris", "italy": "rome"}
"""Countries that the first time fall, and are freed, with one area."""


class NameHome(Decision, frozen=True, tag="name_home"):
    """The new home country."""

    country: str


class ChooseHome(ChooseOne, frozen=True, tag="choose_home"):
    """A new home country for the units of a conquered one.

    Rules: 3.4.conq-d
    """

    country: str
    """The conquered one."""
    countries: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (NameHome,)
    among: ClassVar[str] = "countries"
    rule: ClassVar[str] = "3.4.conq-d"
    refusal: ClassVar[str] = "{asked} is not yours, or is conquered."


class GiveBack(Decision, frozen=True, tag="give_back"):
    """Return what was liberated to the power that had it first, or keep it."""

    yes: bool


class ChooseControl(YesOrNo, frozen=True, tag="choose_control"):
    """Whether a liberated country, or a land area, goes back to the power that had it first."""

    place: str
    """A country, or a land area."""
    owner: str
    """Who had it first."""

    answers: ClassVar[tuple[type[Decision], ...]] = (GiveBack,)


class Liberate(Decision, frozen=True, tag="liberate"):
    """Make the country one's ally, or leave it conquered."""

    yes: bool


class LiberateFoe(YesOrNo, frozen=True, tag="liberate_foe"):
    """Whether a conquered enemy minor becomes an ally (Liberate Foes, 9.2)."""

    country: str

    answers: ClassVar[tuple[type[Decision], ...]] = (Liberate,)


# --- what is so now ---------------------------------------------------------------------------


def _capital(s: State, country: str, side: str) -> str:
    """The one area that decides about a country, if it is a special case for this side now.

    Rules: 3.4.italy-a, 3.4.france-a, 3.4.vichy-c, 3.4.once-a, 3.3.austria-a, A.2b, F.3c, 9.2m
    """
    if country == "austria_czechoslovakia":
        return country if side == "allies" and _frees_for_allies(s, country) else ""
    capital = CAPITALS.get(country, "")
    if not capital:
        return ""
    if f"{country}_fell" not in s.flags:
        return capital if side != s.facts.side[s.facts.countries[country].owner] else ""
    return capital if f"{country}_freed" not in s.flags and country in s.conquered else ""


def _frees_for_allies(s: State, country: str) -> bool:
    """Whether the Allies liberate a country that never was theirs.

    Rules: 3.3.austria-a, 3.3.iberia-b, 9.2m
    """
    if country == "austria_czechoslovakia":
        return "road_to_war" not in s.flags or "austria_annexed" in s.flags
    return country == "iberia"


def _held(s: State, country: str, side: str) -> bool:
    """Whether a side has what it takes to conquer or liberate a country: all of its areas, with
    supply lines to them.

    Rules: 3.4.conq-a, 3.4.conq-b, A.2a, D.5a
    """
    capital = _capital(s, country, side)
    if capital:
        return side_of(s, s.control.get(capital, NEUTRAL)) == side
    areas = areas_of(s, country)
    return all(side_of(s, s.control[area]) == side for area in areas) and all(
        reaches(s, s.control[area], area) for area in areas
    )


# --- changes of hands -------------------------------------------------------------------------


def settle(g: Table[State], side: str) -> Procedure[None]:
    """Carry out every conquest and liberation that a side is due; supply can bring it about later
    than control.

    Rules: 3.0a, 3.4.conq-a, 3.4.lib-a
    """
    s = g.state
    if not introduced(s, "D"):
        return
    key = ("contested", side)
    contested: list[str] | None = s.cached(key)
    if contested is None:
        entered = {
            country_of(s, area)
            for area, power in s.control.items()
            if s.facts.side.get(power) == side
        }
        contested = sorted(each for each in entered if _holder(s, each) not in ("", side))
        s.keep(key, contested, lasting=True)
    for country in contested:
        yield from check(g, country, side)


def _holder(s: State, country: str) -> str:
    """The side that conquered a country, or else that of whoever governs it."""
    return s.conquered.get(country) or side_of(s, s.allied.get(country, NEUTRAL))


def check(g: Table[State], country: str, side: str) -> Procedure[bool]:
    """Conquer or liberate a country for a side if that is due; whether it was.

    Rules: 3.4.conq-a, 3.4.lib-a, 3.4.vichy-c, 3.3.austria-a, 3.3.iberia-b, F.3b
    """
    s = g.state
    if _holder(s, country) in ("", side) or not _held(s, country, side):
        return False
    first = s.original.get(country, NEUTRAL)
    if country not in s.conquered and not (
        side_of(s, first) == side or (side == "allies" and _frees_for_allies(s, country))
    ):
        yield from _conquer(g, country, side)
        return True
    if not introduced(s, "F"):
        return False
    yield from _liberate(g, country, side)
    return True


def give(g: Table[State], area: str, power: str) -> None:
    """Give a land area to a power; whoever scored for its Factory loses those points.

    Rules: 8.industry-a, 9.9b
    """
    s = g.state
    s.set_control(area, power)
    scorer, _ = s.factory_points.get(area, (power, False))
    if scorer != power:
        del s.factory_points[area]
        score(g, scorer, -s.facts.lands[area].factory, "control_industrial_might")


def _conquer(g: Table[State], country: str, side: str) -> Procedure[None]:
    """A country is conquered.

    Rules: 3.4.conq-c, 3.4.conq-e, 3.4.conq-f, A.2a, D.5a, F.3a
    """
    s = g.state
    loser = s.allied[country]
    s.conquered[country] = side
    s.forget()
    g.emit("conquered", country=country, side=side)
    first = country in CAPITALS and f"{country}_fell" not in s.flags
    if first:
        s.flag(f"{country}_fell")
    empty_pools(s, country)
    if first and country == "france" and introduced(s, "F"):
        yield from _fall_of_france(g)
    if out_of_game(s, loser):
        _leave_the_game(g, loser)
    elif introduced(s, "D"):
        yield from _new_home(g, country, loser)
    if side == "axis" and country in ("france", "great_britain"):
        yield from shift(g, "germany_conquers_france_or_britain")
    if country in ("turkey", "near_east") and any(
        s.control[area] == "germany" for area in areas_of(s, country)
    ):
        yield from shift(g, "germany_gains_turkey_or_near_east")
    if side == "axis" and "liberate_foes" in s.flags:
        yield from _liberate_foe(g, country)


def _new_home(g: Table[State], country: str, loser: str) -> Procedure[None]:
    """The loser names a new home country for the units on the map that have lost theirs.

    Rules: 3.4.conq-d, D.5a, F.3a
    """
    s = g.state
    homeless = [country, *(each for each, home in s.new_home.items() if home == country)]
    # AFA production looks at the home of British units (7.6d) even when none is on the map.
    if country != "great_britain" and not any(
        nation_of(s, id) in homeless for id, _ in s.of(loser)
    ):
        return
    choices = tuple(
        sorted(
            each
            for each, owner in s.allied.items()
            if owner == loser and each not in s.conquered and is_country(s, each)
        )
    )
    home = choices[0]
    if len(choices) > 1:
        answer = yield from g.ask(ChooseHome(loser, country, choices))
        home = answer.country
    for each in homeless:
        s.new_home[each] = home
    s.forget()
    g.emit("new_home", country=country, about=(home,), power=loser)


def _leave_the_game(g: Table[State], power: str) -> None:
    """Set aside what a completely conquered power has on the map.

    Rules: 3.4.conq-c, F.3a
    """
    s = g.state
    g.emit("power_conquered", power=power)
    for id in sorted(id for id, unit in s.units.items() if unit.power == power):
        if id in s.units:
            set_aside(g, id)


# --- liberation -------------------------------------------------------------------------------


def _liberate(g: Table[State], country: str, side: str) -> Procedure[None]:
    """A country is liberated: the power with most of its areas has it, or gives it back.

    Its units go with it; those that serve the other side are set aside.

    Rules: 3.4.lib-a, 3.4.lib-b, 3.4.lib-c, 3.4.lib-d, 3.4.lib-g, 3.4.vichy-c, F.3b
    """
    s = g.state
    areas = [area for area in areas_of(s, country) if side_of(s, s.control[area]) == side]
    held = {power: sum(s.control[area] == power for area in areas) for power in s.scenario.powers}
    tied = [power for power in s.scenario.powers if held[power] == max(held.values())]
    liberator = tied[0]
    if len(tied) > 1:
        line = RollLine("", country, 1, 0, sides=len(tied))
        (face,) = yield from g.roll("liberation", (line,))
        liberator = tied[face - 1]
    ally = yield from _whose(g, country, country, liberator)
    changes_sides = country not in s.conquered
    if country in CAPITALS:
        s.flag(f"{country}_freed")
    s.conquered.pop(country, None)
    s.forget()
    s.new_home.pop(country, None)
    s.set_ally(country, ally)
    s.original.setdefault(country, ally)
    _keep_own_wars(s, country)
    g.emit("liberated", country=country, power=liberator, recipient=ally)
    if ally != liberator:
        for area in areas:
            give(g, area, ally)
    if country == "vichy_france":
        _end_vichy(g, ally)
    _take_over_units(g, country, ally, changes_sides)
    yield from release(g, country)


def _whose(g: Table[State], place: str, country: str, liberator: str) -> Procedure[str]:
    """Who gets a liberated country, or a land area of it: the liberator, or whoever had it first.

    Rules: 3.4.lib-b, 3.4.lib-c, 3.4.lib-e, 3.4.lib-f
    """
    s = g.state
    first = s.original.get(country, NEUTRAL)
    for back in (first, s.allied.get(country, NEUTRAL)):
        if back in s.scenario.powers and side_of(s, back) == side_of(s, liberator):
            break
    else:
        return liberator
    if liberator in (first, back) or (place != country and out_of_game(s, back)):
        return liberator
    if country in RETURNED:
        return back
    answer = yield from g.ask(ChooseControl(liberator, place, back))
    return back if answer.yes else liberator


def liberate_area(g: Table[State], area: str, power: str) -> Procedure[None]:
    """Decide about a single land area taken back from the enemy, not its whole country.

    Rules: 3.4.lib-e, 3.4.lib-f
    """
    s = g.state
    if side_of(s, s.facts.lands[area].owner) not in ("", side_of(s, power)):
        return
    owner = yield from _whose(g, area, country_of(s, area), power)
    if owner != power:
        give(g, area, owner)
        g.emit("given_back", space=area, recipient=owner, power=power)


def _take_over_units(g: Table[State], country: str, ally: str, changes_sides: bool) -> None:
    """The units of a liberated country, on the map and in Force Pools, are its ally's now.

    Those that serve the other side are set aside if the country changes sides.

    Rules: 3.4.lib-d
    """
    s = g.state
    for id in sorted(s.units):
        if id not in s.units or nation_of(s, id) != country:
            continue
        power = s.units[id].power
        if side_of(s, power) == side_of(s, ally):
            hand_over(g, id, ally)
        elif changes_sides and power != NEUTRAL:
            set_aside(g, id)
    for power in s.scenario.powers:
        for counter in s.pool[power]:
            if power != ally and nation_of(s, counter) == country:
                from_pool(s, power, counter)
                if side_of(s, power) == side_of(s, ally):
                    to_pool(s, ally, counter)
                else:
                    s.aside[counter] = country


def _liberate_foe(g: Table[State], country: str) -> Procedure[None]:
    """Germany may make a conquered enemy minor its ally, if it has most of it.

    Rules: 9.2l
    """
    s = g.state
    held = [s.control[area] for area in areas_of(s, country)]
    if s.facts.countries[country].major or held.count("germany") * 2 <= len(held):
        return
    answer = yield from g.ask(LiberateFoe("germany", country))
    if answer.yes:
        del s.conquered[country]
        s.forget()
        s.new_home.pop(country, None)
        s.set_ally(country, "germany")
        _keep_own_wars(s, country)
        g.emit("liberated", country=country, power="germany", recipient="germany")
        _take_over_units(g, country, "germany", True)
        yield from release(g, country)


def _keep_own_wars(s: State, country: str) -> None:
    """Of the wars that a country fights apart from its power, keep those that it still can."""
    power = s.allied[country]
    s.minor_wars = frozenset(
        (minor, foe)
        for minor, foe in s.minor_wars
        if minor != country or (side_of(s, foe) != side_of(s, power) and (power, foe) not in s.wars)
    )
    s.forget()


# --- the fall of France -----------------------------------------------------------------------


def _fall_of_france(g: Table[State]) -> Procedure[None]:
    """The steps that follow when France is conquered for the first time.

    Rules: 3.4.france-b, 3.4.france-c, 3.4.france-d, 3.4.france-e, 3.4.france-f
    """
    s = g.state
    s.flag("vichy")
    s.forget()
    power = s.original["france"]
    for id in sorted(s.units):
        home = s.facts.kinds[id].home
        if home in ("france", "french_north_africa") and s.domain(id) != "naval" and id in s.units:
            set_aside(g, id)
    cleared: list[str] = []
    for country in FRENCH:
        areas = areas_of(s, country)
        allied = [area for area in areas if side_of(s, s.control[area]) == "allies"]
        if country == "vichy_france":
            s.original[country] = power
            allied = list(areas)
        if not allied:
            continue
        for area in allied:
            give(g, area, NEUTRAL)
        cleared += allied
        s.set_ally(country, NEUTRAL)
        s.conquered.pop(country, None)
        s.forget()
        g.emit("became_neutral", country=country)
        empty_pools(s, country)
    for id in sorted(s.units):
        if s.facts.kinds[id].home == "france" and "vichy_france" in s.control:
            port = next(iter(s.facts.ports["vichy_france"]))
            hand_over(g, id, NEUTRAL)
            s.change(id, at="vichy_france", port=port)
            g.emit("interned", unit=id, space="vichy_france")
    for area in cleared:
        for id in s.units_at(area):
            if s.units[id].power != NEUTRAL and not s.units[id].aboard:
                yield from _send_home(g, id)


def _send_home(g: Table[State], id: str) -> Procedure[None]:
    """A unit in a country that turned neutral goes to its home country, where its owner likes.

    Rules: 3.4.france-e
    """
    places = [
        (area, port)
        for area in areas_of(g.state, home_of(g.state, id))
        for port in berths(g.state, id, area)
    ]
    yield from put_out(g, id, g.state.units[id].power, places)


def _end_vichy(g: Table[State], ally: str) -> None:
    """Vichy France is liberated: its army is gone, the French fleets there are the ally's.

    If France was freed before, Vichy France is a part of it again, fleets included.

    Rules: 3.4.vichy-d, 3.4.vichy-e
    """
    s = g.state
    army = "min_vichy_army"
    if army in s.units:
        lift(g, army)
        g.emit("set_aside", unit=army, space="vichy_france")
    for power in s.scenario.powers:
        s.pool[power] = tuple(counter for counter in s.pool[power] if counter != army)
    s.aside.pop(army, None)
    s.removed |= {army}
    if "france_freed" in s.flags:
        s.unflag("vichy")
        s.set_ally("vichy_france", NEUTRAL)
        ally = s.allied["france"]
        g.emit("vichy_rejoined", power=ally)
    for id in s.units_at("vichy_france"):
        if s.facts.kinds[id].home == "france" and s.domain(id) == "naval":
            s.change(id, power=ally)
