"""Order of play: turns, phases and rounds (p.10)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from sandtable.games.aa1942.model import PHASES, Stack, State, Unit
from sandtable.games.aa1942.rules.bid import place_bid
from sandtable.games.aa1942.rules.combat_move import combat_move
from sandtable.games.aa1942.rules.conduct_combat import conduct_combat
from sandtable.games.aa1942.rules.mobilize import mobilize_units
from sandtable.games.aa1942.rules.noncombat_move import noncombat_move, seat_guests
from sandtable.games.aa1942.rules.purchase import purchase_units
from sandtable.games.aa1942.rules.spaces import hostile_zone
from sandtable.games.aa1942.rules.victory import check_victory, collect_income
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

PROCEDURES: dict[str, Callable[[Table[State]], Procedure[None]]] = {
    "purchase": purchase_units,
    "combat_move": combat_move,
    "conduct_combat": conduct_combat,
    "noncombat_move": noncombat_move,
    "mobilize": mobilize_units,
}


def play(g: Table[State]) -> Procedure[Result]:
    """Play from the present phase to the end of the game.

    Rules: order.round, order.phases, order.round.end, order.voluntary
    """
    s = g.state
    yield from place_bid(g)
    while True:
        if s.phase == "collect_income":
            collect_income(g)
            result = end_turn(g)
            if result is not None:
                return result
        else:
            yield from PROCEDURES[s.phase](g)
            s.step = ""
            s.phase = PHASES[PHASES.index(s.phase) + 1]
            if s.phase in ("combat_move", "noncombat_move") or (s.phase == "mobilize" and s.bought):
                g.emit("phase_began", power=s.turn, phase=s.phase)


def end_turn(g: Table[State]) -> Result | None:
    """Close the turn; after the last power's turn check for victory; open the next.

    Rules: order.round.end, victory.check
    """
    s = g.state
    seas = s.facts.sea_next
    for zone in [space for space in s.presence[s.turn] if space in seas]:
        seat_guests(s, zone, (s.turn,))
    rest_units(s)
    s.bought, s.placed = {}, {}
    s.new_complexes = s.fought = s.ignored = s.refused = s.touched = frozenset()
    powers = s.facts.powers
    after = powers.index(s.turn) + 1
    if after == len(powers):
        result = check_victory(s)
        if result is not None:
            g.emit("won", winners=result.winners, reason=result.reason)
            return result
        s.round += 1
    s.turn = powers[after % len(powers)]
    s.phase = PHASES[0]
    begin_turn(s)
    g.emit("turn_began", power=s.turn, round=s.round)
    return None


def rest_units(s: State) -> None:
    """Forget what units did this turn."""
    for space in {**s.presence[s.turn], **dict.fromkeys((*s.fought, *s.touched))}:
        stack = s.stack(space)
        for unit in stack:
            if unit.used or unit.duty or (unit.cargo and any(p.duty for p in unit.cargo)):
                break
        else:
            continue
        rested: Stack = {}
        loaded = False
        for unit, count in stack.items():
            fresh = _fresh(unit.power, unit.type)
            if unit.cargo:
                loaded = True
                cargo = sorted(_fresh(piece.power, piece.type) for piece in unit.cargo)
                fresh = replace(fresh, cargo=tuple(cargo))
            rested[fresh] = rested.get(fresh, 0) + count
        # By power and type they are in order already.
        s.at[space] = dict(sorted(rested.items())) if loaded else rested


@cache
def _fresh(power: str, type_: str) -> Unit:
    return Unit(power, type_)


def begin_turn(s: State) -> None:
    """Note what the turn's rules look back to; the power's fighters leave allied carriers.

    Rules: canal.timing, noncombat.air.landing-territory, combat.retreat.sea-friendly-start,
        multi.fighter-ally-carrier, unit.carrier.guest-turn
    """
    s.start_control = s.control.copy()
    s.reach = None
    seas = s.facts.sea_next
    s.hostile_at_start = frozenset(
        [
            zone
            for foe in s.facts.enemies[s.turn]
            for zone in s.presence[foe]
            if zone in seas and hostile_zone(s, zone, s.turn)
        ]
    )
    for ally in s.facts.powers:
        if ally == s.turn or ally not in s.facts.allies[s.turn]:
            continue
        for zone in [space for space in s.presence[ally] if space in seas]:
            for carrier, count in list(s.at[zone].items()):
                if carrier.cargo and carrier.power == ally and carrier.type == "aircraft_carrier":
                    left = tuple(piece for piece in carrier.cargo if piece.power != s.turn)
                    own = len(carrier.cargo) - len(left)
                    if own:
                        s.change(zone, carrier, count, cargo=left)
                        s.put(zone, Unit(s.turn, "fighter"), count * own)
