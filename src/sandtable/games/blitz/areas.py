"""Areas as clients draw them: who holds them, what is printed and what stands there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from sandtable.games.blitz import words
from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.pieces import Sheet, draw_piece
from sandtable.games.blitz.rules.convoys import convoy_left, convoy_stands
from sandtable.games.blitz.rules.factors import snow_at
from sandtable.games.blitz.rules.sides import country_of, introduced
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.kernel.display import Mark, Piece, Space, Stack


def space_of(
    s: State,
    sheet: Sheet,
    area: str,
    leaders: Mapping[str, str],
    attacked: Collection[str],
    snowy: bool,
) -> Space:
    facts, there = s.facts, s.at.get(area, ())
    supply = introduced(s, "D")
    pieces = tuple(
        (
            s.units[id].power,
            draw_piece(s, sheet, id, there, leaders, not supply or _supplied(s, id)),
        )
        for id in there
        if not s.units[id].aboard
    )
    snow = snow_at(s, area) if snowy else ""
    commanders = (
        tuple(c for c, (at, _) in s.commanders.items() if at == area) if s.commanders else ()
    )
    land = area in facts.lands
    key: tuple[Any, ...]
    if land:
        country = country_of(s, area)
        key = (
            area,
            s.scenario_id,
            s.control[area],
            country,
            s.allied.get(country, NEUTRAL),
            s.conquered.get(country, ""),
            s.factory_damage.get(area, 0),
            area in s.partisans,
        )
    else:
        convoy = area in facts.convoys
        key = (
            area,
            convoy and convoy_stands(s, area),
            convoy and s.convoy_damage.get(area, 0),
            convoy and convoy_left(s, area),
        )
    key = (*key, pieces, snow, commanders, area in attacked)
    found = sheet.spaces.get(key)
    if found is None:
        found = sheet.spaces[key] = Space(
            owner=s.control[area] if land else "",
            marks=tuple(
                (*_land_marks(s, area), *_more_marks(s, area, snow, commanders))
                if land
                else (*_sea_marks(s, area), *_more_marks(s, area, snow, commanders))
            ),
            stacks=stacks_of(s, pieces),
            tags=tuple(_tags(s, area, snow, pieces, area in attacked)),
            lines=tuple(_land_lines(s, area) if land else _sea_lines(s, area)),
        )
    return found


def _supplied(s: State, id: str) -> bool:
    """Whether a unit has a supply line; neutral ones need none."""
    return s.units[id].power == NEUTRAL or in_supply(s, id)


def stacks_of(s: State, pieces: Iterable[tuple[str, Piece]]) -> tuple[Stack, ...]:
    """Pieces by power: in the order of the scenario, neutral ones last."""
    by_power: dict[str, list[Piece]] = {}
    for power, piece in pieces:
        by_power.setdefault(power, []).append(piece)
    order = [*s.scenario.powers, *sorted(by_power)]
    return tuple(
        Stack(power, tuple(by_power[power]))
        for power in sorted(by_power, key=lambda power: (power == NEUTRAL, order.index(power)))
    )


def _tags(
    s: State, area: str, snow: str, pieces: Iterable[tuple[str, Piece]], attacked: bool
) -> Iterator[str]:
    if attacked:
        yield "battle"
    if len({s.facts.side.get(power) for power, _ in pieces}) > 1:
        yield "contested"
    if snow:
        yield "snow"


def _land_marks(s: State, area: str) -> Iterator[Mark]:
    land = s.facts.lands[area]
    if land.factory:
        damage = s.factory_damage.get(area, 0)
        hurt = f", {damage} of it damaged" if damage else ""
        yield Mark(
            "factory",
            f"Factory of {land.factory}{hurt}",
            str(land.factory - damage),
            "bad" if damage else "",
        )
    if land.oil:
        yield Mark("oil", f"{land.oil} Oil", str(land.oil))
    if land.resource:
        yield Mark("resource", words.number(land.resource, "Resource"), str(land.resource))
    for port in land.ports:
        seas = words.names(s.facts, port.seas)
        yield Mark(f"port_{port.size}", f"{port.size.capitalize()} port on {seas}")
    if area in s.partisans:
        yield Mark("partisan", "Partisan: an Oil or a Resource is lost", tone="bad")
    if land.terrain != "clear":
        yield Mark(land.terrain, _terrain(s, area), tone="dim")


def _terrain(s: State, area: str) -> str:
    """What the terrain of a land area does, in words."""
    name = s.facts.lands[area].terrain
    effect = s.facts.terrain[name]
    parts = [f"entering takes {effect.move} movement"] if effect.move > 1 else []
    if effect.halves == "attackers":
        parts.append("attackers are halved")
    elif effect.halves:
        parts.append("air and naval support is halved")
    if effect.white:
        parts.append("attackers are easier to hit")
    if effect.armour:
        parts.append(f"counts as {effect.armour} armour for the defender")
    return f"{name.capitalize()}: {', '.join(parts)}" if parts else name.capitalize()


def _more_marks(s: State, area: str, snow: str, commanders: Iterable[str]) -> Iterator[Mark]:
    if snow == "snow" and area in s.facts.lands:
        yield Mark("snow", "Snow: no air units or carriers here, attackers are halved", tone="dim")
    elif snow:
        what = "aircraft and carriers are halved" if area in s.facts.seas else "bombing is halved"
        yield Mark("snow", f"Snow: {what}", tone="dim")
    for id in commanders:
        commander = s.facts.commanders[id]
        yield Mark("commander", f"{commander.name}, {commander.commands} commander")


def _sea_marks(s: State, area: str) -> Iterator[Mark]:
    convoy = s.facts.convoys.get(area)
    if convoy is None:
        return
    owner = words.power_name(s.facts, convoy.power)
    if not convoy_stands(s, area):
        yield Mark("convoy", f"Convoy {convoy.name} of {owner}: destroyed", "x", "dim")
        return
    damage = s.convoy_damage.get(area, 0)
    hurt = f", {damage} of it damaged" if damage else ""
    yield Mark(
        "convoy",
        f"Convoy {convoy.name} of {owner}: factor {convoy.factor}{hurt}",
        str(convoy_left(s, area)),
        "bad" if damage else "",
    )


def _land_lines(s: State, area: str) -> Iterator[str]:
    facts, land, country = s.facts, s.facts.lands[area], country_of(s, area)
    about_it = facts.countries[country]
    kind = "island of" if land.island else "part of"
    yield f"{'An' if land.island else 'A'} {kind} {about_it.name}."
    holder, ruler = s.control[area], s.allied.get(country, NEUTRAL)
    if holder == NEUTRAL:
        yield "Neutral: nobody may enter or fly over it."
    elif country in s.conquered:
        yield (
            f"Held by {words.power_name(facts, holder)}; {about_it.name} is conquered by the "
            f"{words.side_name(s.conquered[country])}."
        )
    elif ruler != holder:
        yield (
            f"Held by {words.power_name(facts, holder)}; {about_it.name} is "
            f"{words.power_name(facts, ruler)}'s."
        )
    else:
        yield f"Held by {words.power_name(facts, holder)}."
    if land.terrain != "clear":
        yield f"{_terrain(s, area)}."
    for word, routes in (("Land", facts.land_routes), ("Air", facts.air_routes)):
        if routes[area]:
            yield f"{word} route to {words.names(facts, routes[area])}."


def _sea_lines(s: State, area: str) -> Iterator[str]:
    coast = [land for land in s.facts.coast[area] if land in s.control]
    if coast:
        yield f"Coast of {words.names(s.facts, coast)}."
