"""Playing a turn: phases and steps in their order (2.1), and the scenarios' own sequences."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.games.blitz.model import PHASES, State
from sandtable.games.blitz.rules.before import before_the_game
from sandtable.games.blitz.rules.blitz import takes_part
from sandtable.games.blitz.rules.choose_blitz import choose_blitz
from sandtable.games.blitz.rules.commanders import move_commanders
from sandtable.games.blitz.rules.consequences import open_phase
from sandtable.games.blitz.rules.income import determine_income
from sandtable.games.blitz.rules.land_combat import land_area_combat
from sandtable.games.blitz.rules.lend_lease import deliver_lend_lease
from sandtable.games.blitz.rules.move_land import move_land_units
from sandtable.games.blitz.rules.move_to_sea import move_to_sea
from sandtable.games.blitz.rules.neutral_entry import progress_to_war
from sandtable.games.blitz.rules.over import GameOver
from sandtable.games.blitz.rules.partisans import place_partisans
from sandtable.games.blitz.rules.rebase import rebase_units
from sandtable.games.blitz.rules.return_to_base import return_to_base
from sandtable.games.blitz.rules.scenarios import begin_turn, reinforce, soviet_attack
from sandtable.games.blitz.rules.sea_combat import sea_area_combat
from sandtable.games.blitz.rules.sides import acting_side, out_of_game, powers_of
from sandtable.games.blitz.rules.spend_resources import spend_resources
from sandtable.games.blitz.rules.victory import count_victory, final_result
from sandtable.games.blitz.rules.weapons import develop_weapons
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

STEPS: dict[str, Callable[[Table[State]], Procedure[None]]] = {
    "begin": begin_turn,
    "open": open_phase,
    "blitz": choose_blitz,
    "commanders": move_commanders,
    "A": return_to_base,
    "B": move_to_sea,
    "C": sea_area_combat,
    "D": rebase_units,
    "E": move_land_units,
    "soviets": soviet_attack,
    "F": land_area_combat,
    "partisans": place_partisans,
    "entry": progress_to_war,
    "weapons": develop_weapons,
    "lend_lease": deliver_lend_lease,
    "income": determine_income,
    "spend": spend_resources,
    "reinforce": reinforce,
    "victory": count_victory,
}

_ACTIVITIES = {"A": "DEF", "B": "ABDEF", "C": "ABCD"}
"""The lettered steps of the first scenarios; all others have A to F."""

_TURN_END = {
    "A": ("reinforce", "victory"),
    "B": ("income", "spend", "victory"),
    "C": ("weapons", "income", "spend", "victory"),
    "D": ("weapons", "lend_lease", "income", "spend", "victory"),
    "E": ("weapons", "lend_lease", "income", "spend", "reinforce", "victory"),
}
"""The steps of the turn's end; scenario F and the campaign have them all."""


_SETTLING = ("C", "E")
"""After these steps alliances and conquests are looked for that no change of control brings about:
by a land unit's place, or by supply."""


def play(g: Table[State]) -> Procedure[Result]:
    """Play from the present step to the end of the game.

    Rules: 2.1a, 2.1b, 2.1c, 2.1d, A.8a
    """
    s = g.state
    try:
        if not s.phase:
            yield from before_the_game(g)
            s.phase = PHASES[0]
            begin_step(s, "begin")
            g.emit("turn_began", turn=s.turn)
        while True:
            yield from STEPS[s.step](g)
            if s.step in _SETTLING:
                yield from open_phase(g)
            advance(g)
    except GameOver as over:
        s.combat = None
        g.emit("over", winners=over.result.winners, reason=over.result.reason)
        return over.result


def steps_of(s: State) -> tuple[str, ...]:
    """The steps of the present phase, in order.

    Rules: 2.1c, 2.1d, 2.1e, A.chart-a, A.8a, C.5b
    """
    if s.phase == "turn_end":
        return _TURN_END.get(
            s.scenario_id,
            ("partisans", "entry", "weapons", "lend_lease", "income", "spend", "victory"),
        )
    letters = tuple(_ACTIVITIES.get(s.scenario_id, "ABCDEF"))
    first = ("begin",) if s.phase == PHASES[0] else ()
    blitz = ("blitz",) if s.phase.endswith("blitzes") else ()
    commanders = ("commanders",) if s.options["commanders"] else ()
    if "soviets" in s.scenario.own and s.phase == "allied_activities":
        letters = (*letters[:-1], "soviets", letters[-1])
    return (*first, "open", *blitz, *commanders, *letters)


def begin_step(s: State, step: str) -> None:
    """Set up the queue of a step: every power of the side that takes part in it.

    Rules: 2.1e, 3.4.conq-c
    """
    s.step = step
    s.waited = 0
    s.fought = frozenset()
    s.queue = ()
    if len(step) == 1:
        s.queue = tuple(
            power
            for power in powers_of(s, acting_side(s))
            if takes_part(s, power, step) and not out_of_game(s, power)
        )


def advance(g: Table[State]) -> None:
    """Go to the next step, phase or turn.

    Rules: 2.1a, 2.1b
    """
    s = g.state
    steps = steps_of(s)
    after = steps.index(s.step) + 1
    if after < len(steps):
        begin_step(s, steps[after])
        return
    rest_units(s)
    phase = PHASES.index(s.phase) + 1
    if phase == len(PHASES):
        if s.turn >= s.scenario.turns[1]:
            raise GameOver(final_result(s))
        s.turn += 1
        s.phase = PHASES[0]
        s.taken, s.deeds = {}, {}
        g.emit("turn_began", turn=s.turn)
    else:
        s.phase = PHASES[phase]
        g.emit("phase_began", phase=s.phase, turn=s.turn)
    begin_step(s, steps_of(s)[0])


def rest_units(s: State) -> None:
    """Forget what units did in the phase that ends."""
    s.attacks = ()
    s.blitz, s.free_used = {}, {}
    for id, unit in s.units.items():
        if unit.done:
            s.units[id] = replace(unit, done=())
