"""Positions nobody would play: each is refused with a sentence, or can be played on."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

import sandtable
from sandtable.games.aa1942.facts import load_facts
from sandtable.kernel.errors import PositionError

FACTS = load_facts(None)
LAND = ("fighter", "bomber", "infantry", "tank")
SEA = ("aircraft_carrier", "fighter", "fighter", "transport", "submarine", "destroyer")
PERSONS = {"players": {power: [power] for power in FACTS.powers}}


def odd_position(rng: random.Random, phase: str) -> dict[str, Any]:
    """A few units around some sea zone, carriers and aircraft above all, anybody's land."""
    turn, centre = rng.choice(FACTS.powers), rng.choice(FACTS.sea_zones)
    near = [space for space, far in FACTS.air_distance[centre].items() if far <= 3]
    near = [s for s in near if s in FACTS.sea_next or FACTS.spaces[s].owner]
    control = {
        space: rng.choice((turn, rng.choice(FACTS.powers)))
        for space in near
        if space not in FACTS.sea_next and rng.random() < 0.5
    }
    units: dict[str, Any] = {}
    for _ in range(rng.randint(1, 8)):
        space = rng.choice(near)
        sea = space in FACTS.sea_next
        holder = control.get(space, FACTS.spaces[space].owner)
        power = turn if sea and rng.random() < 0.7 else holder or rng.choice(FACTS.powers)
        type_ = rng.choice(SEA if sea else LAND)
        pieces: Any = rng.randint(1, 2)
        if power == turn and type_ in FACTS.air and phase != "combat_move":
            duty = rng.choice(("fought", "") if phase == "conduct_combat" else ("fought", "landed"))
            pieces = [{"count": rng.randint(1, 3), "used": rng.randint(0, 4), "duty": duty}]
        units.setdefault(space, {}).setdefault(power, {})[type_] = pieces
    bought = {"aircraft_carrier": rng.randint(0, 2), "fighter": rng.randint(0, 2)}
    return {
        "base": "empty",
        "turn": turn,
        "phase": phase,
        "units": units,
        "control": control,
        "bought": bought if rng.random() < 0.5 else {},
    }


@pytest.mark.parametrize("phase", ["combat_move", "conduct_combat", "noncombat_move", "mobilize"])
def test_odd_positions_are_refused_or_can_be_played_on(phase: str) -> None:
    rng = random.Random(phase)
    played = 0
    for seed in range(80):
        position = odd_position(rng, phase)
        try:
            game = sandtable.new("aa1942", seed=seed, position=position, options=PERSONS)
        except PositionError:
            continue
        played += 1
        for _ in range(8):
            request = game.pending[0]
            for _ in islice(request.propose(game.state, rng), 12):
                pass  # whoever asks for more proposals gets them, and no error
            game.submit(request.power, game.legal(request).sample(rng))
            assert game.rules.audit(game.state) == [], position
    assert played > 15
