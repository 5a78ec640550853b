"""The units that technologies bring (7.8), and what they cost."""

import pytest

from sandtable.games.gw36.facts import load_facts

UNITS = {
    # attack, defense, move, cost, technology
    "advanced_artillery": (4, 4, 1, (4,), "advanced_artillery"),
    "advanced_self_propelled_artillery": (4, 4, 2, (5,), "advanced_artillery"),
    "advanced_mechanized_infantry": (4, 5, 2, (4,), "advanced_mechanized_infantry"),
    "heavy_armor": (8, 7, 2, (8,), "heavy_armor"),
    "jet_fighter": (8, 8, 4, (12,), "jet_fighter"),
    "heavy_strategic_bomber": (None, 3, 6, (13,), "heavy_strategic_bomber"),
    "advanced_submarine": (4, 4, 3, (7,), "advanced_submarines"),
    "strategic_rocket": (None, None, 1, (6,), "strategic_rockets"),
    "heavy_battleship": (10, 10, 3, (7, 7, 7), "heavy_battleship"),
    "heavy_carrier": (0, 2, 3, (6, 6, 6), "heavy_carrier"),
    "attack_transport": (None, None, 2, (9,), "attack_transport"),
}


@pytest.mark.rule(
    "gw36:7.8.advanced-artillery-a",
    "gw36:7.8.advanced-artillery-b",
    "gw36:7.8.advanced-mech-a",
    "gw36:7.8.heavy-armor-a",
    "gw36:7.8.jet-fighter-a",
    "gw36:7.8.heavy-bomber-a",
    "gw36:7.8.advanced-sub-a",
    "gw36:7.8.rockets-a",
    "gw36:7.8.heavy-battleship-a",
    "gw36:7.8.heavy-carrier-a",
    "gw36:7.8.attack-transport-a",
)
@pytest.mark.parametrize("type_", sorted(UNITS))
def test_the_numbers_of_advanced_units(type_):
    kind = load_facts().units[type_]
    found = (kind.attack, kind.defense, kind.move, kind.cost, kind.tech)
    assert found == UNITS[type_]


@pytest.mark.rule(
    "gw36:7.8.heavy-armor-b",
    "gw36:7.8.heavy-bomber-b",
    "gw36:7.8.heavy-carrier-b",
    "gw36:7.8.heavy-battleship-b",
    "gw36:7.8.advanced-mech-b",
)
def test_what_else_advanced_units_can_do():
    units = load_facts().units
    assert (units["heavy_armor"].target_range, units["heavy_armor"].targets) == (1, ("vehicle",))
    bomber = units["heavy_strategic_bomber"]
    assert (bomber.strategic_dice, bomber.carpet_dice, bomber.carpet_at) == (3, 5, 2)
    assert bomber.interception == 2
    assert units["jet_fighter"].interception == 5
    assert units["jet_fighter"].air_superiority and units["jet_fighter"].on_deck
    assert units["heavy_carrier"].decks == 3
    assert (units["heavy_battleship"].hits, units["heavy_battleship"].capital) == (3, True)
    assert units["advanced_mechanized_infantry"].blitz == "pair2"
    assert units["advanced_submarine"].raid == 4
