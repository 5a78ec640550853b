"""Strategic bombing raids, with the optional escorts and interceptors (p.14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from sandtable.games.aa1942.model import Combat, Stack, State, with_more
from sandtable.games.aa1942.rules.casualties import Hits, take_casualties
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.kits import Assign
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Intercept(Decision, frozen=True, tag="intercept"):
    """Commit fighters as interceptors, territory to number."""

    fighters: dict[str, int]


class CommitInterceptors(Assign, frozen=True, tag="commit_interceptors"):
    """Which fighters rise against the bombers over their own territories; or pass.

    Rules: option.air-battle.intercept
    """

    fighters: dict[str, int]
    """Raided territories with the fighters based there."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Intercept,)
    among: ClassVar[str] = "fighters"
    rule: ClassVar[str] = "option.air-battle.intercept"
    refusal: ClassVar[str] = "Of the {limit} fighters based in {key} {number} cannot rise."
    wrong_total: ClassVar[str] = "Name fighters that rise, or pass."

    def totals(self, state: State) -> range:
        return range(1, sum(self.fighters.values()) + 1)


def raided(s: State) -> list[str]:
    """The territories that bombers are about to raid."""
    power, at = s.turn, s.at
    found = {
        space
        for space in s.presence[power]
        for unit in at[space]
        if unit.duty == "raid" and unit.power == power
    }
    return sorted(found)


def commit_interceptors(g: Table[State]) -> Procedure[None]:
    """Defenders commit fighters after combat movement and before any combat.

    Rules: option.air-battle.intercept, option.air-battle.commit-timing,
        option.air-battle.excluded
    """
    s = g.state
    if not s.options["interceptors"]:
        return
    based: dict[str, dict[str, int]] = {}
    for territory in raided(s):
        for unit, count in s.stack(territory).items():
            if unit.type == "fighter" and unit.power in s.facts.enemies[s.turn]:
                based.setdefault(unit.power, {})[territory] = count
    g.checkpoint()
    answers = yield from g.offer(
        CommitInterceptors(power, based[power]) for power in s.facts.powers if power in based
    )
    for power, answer in answers.items():
        for territory, count in answer.fighters.items():
            fighter = next(
                u for u in s.stack(territory) if u.type == "fighter" and u.power == power
            )
            s.change(territory, fighter, count, duty="intercept")
            s.touched |= {territory}
        g.emit("intercepting", power=power, fighters=answer.fighters)


def _with_duty(s: State, territory: str, *duties: str) -> Stack:
    return {u: n for u, n in s.stack(territory).items() if u.duty in duties}


def strategic_bombing_raid(g: Table[State], territory: str) -> Procedure[None]:
    """An air battle if there are interceptors; the complex fires; surviving bombers do damage.

    Rules: sbr.target, sbr.ic-fire, sbr.aaa-none, sbr.damage-roll, sbr.cap, sbr.bomber-committed,
        option.air-battle.when, option.air-battle.escort-retire, option.air-battle.raid-continues,
        def.damage-marker, mobilize.ic.indestructible
    """
    s, numbers = g.state, g.state.facts.numbers
    if _with_duty(s, territory, "intercept"):
        yield from air_battle(g, territory)
    bombers = _with_duty(s, territory, "raid")
    _note(s, territory, "complex")
    hits = yield from _fire(
        g,
        territory,
        "complex",
        {(s.control[territory], "industrial_complex"): sum(bombers.values())},
        numbers.raid_defense_hits_on,
    )
    dead = yield from take_casualties(
        g, territory, dict(bombers), Hits(any=hits), of="attacker", attacker=s.turn
    )
    _destroy(g, territory, dead)
    bombers = _with_duty(s, territory, "raid")
    _note(s, territory, "bombs")
    dice = sum(bombers.values()) * numbers.raid_dice_per_bomber
    lines = (RollLine(s.turn, "bomber", dice, 0, numbers.die),)
    faces = yield from g.roll("bombs", lines)
    cap = numbers.damage_cap_factor * s.facts.spaces[territory].ipc
    before = s.complexes[territory]
    s.complexes[territory] = max(before, min(cap, before + sum(faces)))
    for unit, count in bombers.items():
        s.change(territory, unit, count, duty="bombed")
    damage = s.complexes[territory] - before
    g.emit(
        "bombed",
        space=territory,
        against=s.control[territory],
        lines=lines,
        dice=faces,
        damage=damage,
    )


def air_battle(g: Table[State], territory: str) -> Procedure[None]:
    """One round: bombers and escorts fire first at 1, then surviving interceptors at 2.

    Rules: option.air-battle.when, option.air-battle.attacker-fire,
        option.air-battle.defender-fire
    """
    s, numbers = g.state, g.state.facts.numbers
    flying = _with_duty(s, territory, "raid", "escort")
    _note(s, territory, "air_battle")
    hits = yield from _fire(g, territory, "air_battle", _tally(flying), numbers.air_battle_attack)
    dead = yield from take_casualties(
        g,
        territory,
        _with_duty(s, territory, "intercept"),
        Hits(any=hits),
        of="defender",
        attacker=s.turn,
    )
    _destroy(g, territory, dead)
    defending = _tally(_with_duty(s, territory, "intercept"))
    _note(s, territory, "interceptors")
    hits = yield from _fire(g, territory, "interceptors", defending, numbers.air_battle_defense)
    dead = yield from take_casualties(
        g, territory, dict(flying), Hits(any=hits), of="attacker", attacker=s.turn
    )
    _destroy(g, territory, dead)


def _note(s: State, territory: str, step: str) -> None:
    """Put into the record how the raid stands now."""
    s.combat = replace(s.combat or Combat(territory), step=step)


def _tally(stack: Stack) -> dict[tuple[str, str], int]:
    """How many aircraft of each power and type there are."""
    tally: dict[tuple[str, str], int] = {}
    for unit, count in sorted(stack.items()):
        tally[unit.power, unit.type] = tally.get((unit.power, unit.type), 0) + count
    return tally


def _fire(
    g: Table[State], territory: str, step: str, dice: Mapping[tuple[str, str], int], value: int
) -> Procedure[int]:
    """Roll so many dice for each power and type, all at the same value; the hits."""
    sides = g.state.facts.numbers.die
    lines = tuple(RollLine(*who, count, value, sides) for who, count in dice.items())
    faces = yield from g.roll(step, lines)
    hits = sum(face <= value for face in faces)
    if faces:
        g.emit("raid_fire", space=territory, step=step, lines=lines, dice=faces, hits=hits)
    return hits


def _destroy(g: Table[State], territory: str, dead: Stack) -> None:
    s = g.state
    assert s.combat is not None, "a raid without a step"
    s.combat = replace(s.combat, lost=with_more(s.combat.lost, dead))
    for unit, count in dead.items():
        s.destroy(territory, unit, count)
        g.emit("shot_down", space=territory, losses={unit.power: {unit.type: count}})
