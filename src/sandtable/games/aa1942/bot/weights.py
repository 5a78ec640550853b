"""What the bot goes by: what things are worth, which chances it takes, how far it looks."""

from __future__ import annotations

import math

# What things are worth, in IPCs.
INCOME_WORTH = 3.0
"""Of one IPC of income: the turns for which one may hope to collect it."""
CITY_WORTH = 12.0
CAPITAL_WORTH = 15.0
COMPLEX_WORTH = 4.0
VICTORY_WORTH = 100.0
"""Of a city that wins the game."""

# Chances of winning a battle, or of losing a place in the enemy's next turn.
ATTACK_FROM = 0.66
"""With less, no attack is begun."""
ENOUGH = 0.93
"""With so much, nothing more is sent."""
RETREAT_BELOW = 0.3
HOLD_RISK = 0.05
"""Of losing a captured territory again: with so little, nothing more is sent there."""
MOST_STEPS = 40
"""Parts in which units of a kind are added to an attack: one by one, unless there are more."""
MOST_TRIES = 200
"""Steps of an attack that are tried one by one; of more, several at a time."""
CAPITAL_RISK = 0.1
"""Of losing the capital: with more, units are held back or brought in."""
CITY_RISK = 0.3
"""The same for other cities and for complexes."""
FLEET_RISK = 0.4
"""Of losing a fleet: with more, it is given escorts."""
DOOMED = 0.6
"""With more, a post is not reinforced; if it is no city, it is given up."""
LOST = 0.9
"""With more, nothing is placed there any more."""
WORTH_MOVING = 0.25
"""How much safer a refuge has to be."""

# Distances, in spaces.
MARCH_WORTH = 12.0
"""The worth for which troops march a space farther; so many IPCs of defenders cost a zone."""
SAIL_WORTH = 6.0
"""The worth for which ships sail a zone farther."""
MOST_PULL = 3.0
MOST_SAIL = 4.0
"""So many spaces at most do troops and ships go farther, or less far, for what awaits them."""
NEAR_FRONT = 3.0
"""From so near the front, landed troops march on."""
FAR_FROM_FRONT = 5.0
"""From farther away, troops on the same continent go by ship if they can."""
CONVOY_REACH = 3
"""From so far a transport can land troops."""
LOOKOUT = 2
"""So much farther away does a city see convoys coming."""
SEA_FEAR = 6.0
"""The detour that a transport makes rather than be sunk for certain."""
FAR_ENOUGH = 50.0
"""More than any way on the board is long."""

# Numbers of units.
LEAST_GARRISON = 2
"""Land units that stay in a city in any case, so that nobody just walks in."""
MOST_ESCORTS = 3
"""Destroyers bought in a turn."""
MOST_TRANSPORTS = 12
TRANSPORTS_PER_TURN = 3
BACKLOG = 4
"""Troops per transport that wait for a passage: if there are more, aircraft are bought."""
AIR_FLEET = 2
"""Aircraft bought in a turn on such grounds."""
MOST_SUITORS = 6
"""Landing places that are compared closely."""

# The odds.
MOST_STATES = 2_500
"""Pairs of states of a battle on land for which exact odds come quickly enough."""
MOST_WORK = 1_000_000
"""The same at sea: pairs of states, times the dice of both sides."""
RARE = 1e-6
SPREAD = 1.25
"""How much wider battles scatter than the dice of their expected course."""
MOST_ROUNDS = 12

TROOPS = ("infantry", "infantry", "artillery", "infantry", "tank")
"""The order in which new land units are bought, again and again."""
LOSS_ORDER = (
    "antiaircraft_artillery",
    "infantry",
    "artillery",
    "submarine",
    "tank",
    "destroyer",
    "fighter",
    "cruiser",
    "bomber",
    "aircraft_carrier",
    "battleship",
    "transport",
)
"""Who is lost first, as long as there is a choice."""
loss_rank = {type_: rank for rank, type_ in enumerate(LOSS_ORDER)}.__getitem__

Counts = dict[str, int]
"""Units by type."""

FAR = math.inf

AAA = "antiaircraft_artillery"
