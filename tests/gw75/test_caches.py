"""What is worked out once and kept, along random games: the same as worked out from nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import sandtable
from sandtable.games.gw75.facts import MAJORS, Facts
from sandtable.games.gw75.model import Job, State
from sandtable.games.gw75.rules import (
    attacks,
    declaring,
    naval_zones,
    neutrals,
    pipelines,
    ports,
    reinforcement,
    supply,
    tracing,
    zones,
)
from sandtable.games.gw75.rules.terms import OTHER, commander, nations, relations, side

EVERY = 20
"""Decisions between two comparisons."""
DECISIONS = 420


def afresh(s: State) -> State:
    """The same position, of which nothing was worked out yet, and of no other one neither."""
    facts = replace(s.facts, _kept={}, _distances={}, _within={}, _voyages={})
    return State.from_plain(s.plain(), facts, s.options)


def known(s: State) -> dict[str, object]:
    """Whatever is kept, in words that do not depend on how it was come by."""
    found: dict[str, object] = {"relations": relations(s)}
    for nation in sorted(s.presence):
        found[f"army of {nation}"] = zones.army(s, nation)
        found[f"front of {nation}"] = zones.front(s, nation)
        found[f"others than {nation}"] = declaring._others(s, nation)
        found[f"fleet of {nation}"] = naval_zones.fleet(s, nation).units
        found[f"enemies of {nation} at sea"] = naval_zones.enemies(s, nation)._replace(armed=())
        found[f"zones of {nation}"] = naval_zones._zones(s, nation)
        found[f"ports of {nation}"] = ports.of(s, nation)
        found[f"sources of {nation}"] = supply.sources(s, nation)
        for grade in ("attack", "defense"):
            found[f"own {grade} of {nation}"] = ports.own(s, nation, grade)
        found[f"homes of {nation}"] = [ports.home(s, nation, hex) for hex in sorted(s.at)]
        found[f"supply of {nation}"] = [supply.state(s, nation, hex) for hex in sorted(s.at)]
        found[f"havens of {nation}"] = [ports.nearest(s, nation, hex) for hex in sorted(s.at)]
        found[f"forts of {nation}"] = reinforcement.linked(s, nation)
        ways = tracing.ways(s, nation)
        found[f"ways of {nation}"] = ways.area
        found[f"parts of {nation}"] = _pieces(ways.part)
        net = pipelines.net(s, nation)
        found[f"net of {nation}"] = (net.ships, net.links, net.closed)
        found[f"closed to {nation}"] = pipelines._closed(s, nation)
        found[f"groups of {nation}"] = _pieces(net.shape.groups)
        found[f"docks of {nation}"] = [net.areas(port) for port in ports.of(s, nation)]
        found[f"moored of {nation}"] = sorted(net.moored(ports.of(s, nation)))
    for hex, unit, _ in s.units():
        if unit.type in supply.ORDER and side(s, unit.nation) in OTHER:
            found[f"supply of {unit} in {hex}"] = supply.split(s, hex, unit)
    for which in OTHER:
        found[f"rations of {which}"] = supply.rations(s, which)
    found["marked"] = s.with_marks()
    for nation in MAJORS:
        for type in ("inf", "fort", "ms"):
            job = Job(nation, type, s.turn)
            found[f"{type} of {nation} appear"] = reinforcement.candidates(s, job)
    for nation in s.violated:
        found[f"{nation} forsaken"] = neutrals.forsaken(s, nation)
    for player in {commander(s, nation) for nation in s.presence}:
        found[f"nations of {player}"] = nations(s, player)
        found[f"targets of {player}"] = declaring._targets(s, player)
        found[f"ready: {player}"] = attacks.ready(s, player)
    return found


def _pieces(part: dict[str, int]) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for hex in sorted(part):
        found.setdefault(part[hex], []).append(hex)
    return sorted(found.values())


def paths_lead(facts: Facts, ways: tracing.Ways, hexes: list[str], goals: tuple[str, ...]) -> None:
    """Paths to goals are found as if they were traced from each of the goals."""
    lands = [tracing.overland(facts, ways.area, goal) for goal in goals]
    found = {hex for land in lands for hex in land.found}
    known = ways.seek(goals)
    for hex in hexes:
        assert ways.joins(hex, known) == (hex in found), (hex, goals)
        assert ways.paths(hex) == tracing.overland(facts, ways.area, hex).found


def lines_lead(s: State, net: pipelines.Net, coasts: list[str]) -> None:
    """Pipelines lead where ships can go past all that is closed, whatever of it bears on them."""
    step, end = s.facts.numbers.pipeline_step, s.facts.numbers.pipeline_end
    for hex in (*net.ships, *coasts):
        far = s.facts.voyages(hex, step, net.closed)
        near = {area: far[area] for area in net.ships if area in far}
        if hex in net.ships:
            assert net.links[hex] == {area: near[area] for area in near if area != hex}, hex
        assert net.areas(hex) == {area: near[area] for area in near if near[area] <= end}, hex


@pytest.mark.parametrize("scenario", ["standard", "watermark"])
def test_what_is_kept_is_what_it_would_be_worked_out_anew(scenario: str) -> None:
    game = sandtable.new(
        "gw75", seed=3, options={"scenario": scenario, "vichy": True, "indochina": True}
    )
    rng = random.Random(3)
    for number in range(DECISIONS):
        rights = game.may
        request = rng.choice(rights) if rights and rng.random() < 0.05 else game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
        if number % EVERY == 0:
            s = game.state
            kept, new = known(s), known(afresh(s))
            for what, value in new.items():
                assert kept[what] == value, what
            for nation in rng.sample(sorted(s.presence), 4):
                goals = supply.sources(s, nation).attack + supply.sources(s, nation).defense
                hexes = rng.sample(s.facts.land_hexes, 60) + sorted(zones.army(s, nation).hexes)
                paths_lead(s.facts, tracing.ways(s, nation), hexes, goals)
                paths_lead(s.facts, tracing.ways(s, nation), hexes, tuple(rng.sample(hexes, 3)))
                coasts = [hex for hex in hexes if hex in s.facts.coasts]
                lines_lead(s, pipelines.net(s, nation), [*ports.of(s, nation), *coasts])
        if number % 150 == 100:
            game = game.clone()
