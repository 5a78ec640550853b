"""General combat: the battle sequence on land and at sea (p.16-18)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.games.aa1942.model import Combat, Stack, State, Unit, with_more
from sandtable.games.aa1942.rules.casualties import Hits, take_casualties
from sandtable.games.aa1942.rules.conquest import capture
from sandtable.games.aa1942.rules.spaces import (
    friendly_territory,
    hostile_territory,
    hostile_zone,
)
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import HowMany
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

Line = list[tuple[Unit, int, int]]
"""Units that fire together: unit, number, the highest roll that hits."""


OUT_OF_BATTLE = ("raid", "bombed", "escort", "submerged", "retreated", "fought")
"""What units of the acting power did or do that keeps them out of any (further) battle."""


class Press(Decision, frozen=True, tag="press"):
    """Fight another round."""


class Retreat(Decision, frozen=True, tag="retreat"):
    """Break off. Land and sea units go to `to`; aircraft stay until they land."""

    to: str = ""


class PressOrRetreat(Request, frozen=True, tag="press_or_retreat"):
    """The attacker's choice at the end of a combat round."""

    space: str
    round: int
    to: tuple[str, ...]
    """The spaces that land or sea units can retreat to; empty if only aircraft would retreat."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Press, Retreat)

    def check(self, state: State, decision: Press | Retreat) -> None:
        """Rules: combat.retreat.destination, combat.retreat.together"""
        if isinstance(decision, Press):
            return
        if self.to and decision.to not in self.to:
            places = " or ".join(map(state.facts.name, self.to))
            raise IllegalDecision(
                f"The retreat from {state.facts.name(self.space)} leads to {places}, "
                f"not to {state.facts.name(decision.to)}.",
                "combat.retreat.destination",
            )
        if not self.to and decision.to:
            raise IllegalDecision(
                "Aircraft stay where they are until noncombat movement.", "combat.retreat.air"
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Press()
        for space in self.to or ("",):
            yield Retreat(space)


class Dive(Decision, frozen=True, tag="dive"):
    """Submerge that many submarines; the others make a surprise strike."""

    submarines: int


class SubmergeOrStrike(HowMany, frozen=True, tag="submerge_or_strike"):
    """How many submarines submerge before the dice of a round.

    Rules: combat.sub.step2.choice
    """

    space: str
    submarines: int

    answers: ClassVar[tuple[type[Decision], ...]] = (Dive,)
    among: ClassVar[str] = "submarines"
    rule: ClassVar[str] = "combat.sub.step2.choice"
    refusal: ClassVar[str] = "Of {most} submarines {asked} cannot submerge."


class Battle:
    """The battle strip: who fights whom in a space, read off the state. Making one changes
    nothing; what is noted or removed goes into the state.

    Complexes, raiders, interceptors, cargo and the attacker's allies are not on it; guests aboard
    the defenders' carriers are, as airborne units.

    Rules: combat.strip.ic, combat.strip.cargo, multi.ally-excluded, multi.defend-together,
        multi.no-joint-attack, option.air-battle.excluded, unit.destroyer.ally-none,
        amphib.air.defender-land-only, unit.carrier.fighter-defense, sbr.bomber-committed,
        amphib.sea-combat.all-participate
    """

    __slots__ = ("_attackers", "_defenders", "_stack", "attacker", "s", "sea", "space")

    def __init__(self, s: State, space: str) -> None:
        self.s = s
        self.space = space
        self.sea = s.facts.spaces[space].sea
        self.attacker = s.turn
        self._read()

    def _read(self) -> None:
        """Put both sides on the strip: again only when the stack has been replaced."""
        self._stack = self.s.at.get(self.space)
        self._attackers: Stack = {}
        self._defenders: Stack = {}
        enemies = self.s.facts.enemies[self.attacker]
        for unit, count in self._stack.items() if self._stack else ():
            if unit.power == self.attacker:
                if unit.duty not in OUT_OF_BATTLE:
                    self._attackers[unit] = count
            elif unit.power in enemies and unit.duty not in ("intercept", "submerged"):
                for piece in airborne(unit) if unit.cargo else (unit,):
                    self._defenders[piece] = self._defenders.get(piece, 0) + count

    @property
    def attackers(self) -> Stack:
        """Do not change it."""
        if self.s.at.get(self.space) is not self._stack:
            self._read()
        return self._attackers

    @property
    def defenders(self) -> Stack:
        """Those behind the casualty strip included; do not change it."""
        if self.s.at.get(self.space) is not self._stack:
            self._read()
        return self._defenders

    @property
    def record(self) -> Combat:
        """How the battle stands; before its first step, how it will begin."""
        combat = self.s.combat
        if combat is not None and combat.at == self.space:
            return combat
        kinds = self.s.facts.units
        came = {u.origin for u in self.attackers if u.origin and kinds[u.type].domain != "air"}
        return Combat(self.space, origins=tuple(sorted(came)))

    # --- who is there --------------------------------------------------------------------

    def combat_units(self, side: Stack, *, attacking: bool) -> list[Unit]:
        """The units of a side that have a value to roll against."""
        facts = self.s.facts
        fighting = facts.attacking if attacking else facts.defending
        return [unit for unit in side if unit.type in fighting]

    def has(self, side: Stack, type_: str) -> bool:
        for unit in side:  # noqa: SIM110 (asked many times in every round: no generator)
            if unit.type == type_:
                return True
        return False

    def standing(self) -> Stack:
        """The defenders that are not behind the casualty strip."""
        left = dict(self.defenders)
        for unit, count in self.record.condemned:
            left[unit] -= count
            if not left[unit]:
                del left[unit]
        return left

    def note(self, **fields: Any) -> None:
        """Put into the record how the battle stands now."""
        self.s.combat = replace(self.record, **fields)

    def remove(self, dead: Stack) -> None:
        """Take units off the strip and the board.

        Rules: transport.cargo, carrier.guest.cargo, combat.casualties.remove
        """
        for unit, count in dead.items():
            self.s.destroy(self.space, unit, count)
        if dead:
            self.note(lost=with_more(self.record.lost, dead))

    def retreat_spaces(self) -> tuple[str, ...]:
        """Where attacking land or sea units can retreat to.

        Adjacent spaces from which attackers entered, friendly now and, at sea, when the turn
        began.

        Rules: combat.retreat.destination, combat.retreat.sea-friendly-start
        """
        s = self.s
        origins = self.record.origins
        if self.sea:
            return tuple(
                zone
                for zone in origins
                if zone not in s.hostile_at_start and not hostile_zone(s, zone, self.attacker)
            )
        return tuple(land for land in origins if friendly_territory(s, land, self.attacker))


def airborne(unit: Unit) -> tuple[Unit, ...]:
    """A defending unit as it fights: a carrier, and apart from it the guest fighters it carries.

    Rules: unit.carrier.fighter-defense
    """
    if unit.type != "aircraft_carrier":
        return (unit,)
    guests = (Unit(guest.power, guest.type) for guest in unit.cargo)
    return (replace(unit, cargo=()), *guests)


def put_in_the_air(s: State, space: str) -> None:
    """The defenders' guest fighters leave their carriers.

    Rules: unit.carrier.fighter-defense
    """
    for unit, count in list(s.stack(space).items()):
        if unit.cargo and unit.power in s.facts.enemies[s.turn]:
            s.take(space, unit, count)
            for piece in airborne(unit):
                s.put(space, piece, count)


# --- the sequence -------------------------------------------------------------------------------


def general_combat(g: Table[State], space: str) -> Procedure[None]:
    """Fight a battle to its end and conclude it; one that is under way is taken up again between
    two rounds.

    Rules: combat.general.sequence, combat.general.simultaneous, combat.end.order,
        combat.sub.strike.repeat, combat.unit-overrides, unit.sub.no-step2
    """
    battle = Battle(g.state, space)
    if battle.s.combat is None or battle.record.step == "bombardment":
        yield from open_battle(g, battle)
    while not is_over(g, battle) or _only_transports(battle):
        g.checkpoint(strict=True)
        if battle.record.round and (yield from press_or_retreat(g, battle)):
            break
        if _only_transports(battle):
            break
        battle.note(round=battle.record.round + 1)
        if battle.sea:
            yield from sea_round(g, battle)
        else:
            yield from fire(g, battle)
    conclude(g, battle)


def open_battle(g: Table[State], battle: Battle) -> Procedure[None]:
    """Step 1 and what comes before the first round: guests take off, antiaircraft artillery fires.

    Rules: unit.carrier.fighter-defense
    """
    s, space = battle.s, battle.space
    put_in_the_air(s, space)
    battle.note(step="")
    g.emit("battle_began", space=space, power=battle.attacker)
    if not battle.sea:
        yield from antiaircraft_fire(g, battle)


def is_over(g: Table[State], battle: Battle) -> bool:
    """Condition A: whether a side has nothing left that can fire or retreat. Units that cannot
    defend themselves are destroyed without dice.

    Rules: combat.end.elimination, combat.end.only-transports, combat.general.no-resistance
    """
    if battle.sea:
        if not _deadlocked(battle):
            return False
        _sink_defenceless(g, battle)
        if not battle.attackers or not battle.defenders:
            return True
        return not _hunted(battle)
    if not battle.attackers:
        return True
    if not battle.combat_units(battle.defenders, attacking=False):
        # Antiaircraft artillery alone does not resist (unit.aaa.alone).
        left = battle.defenders
        battle.remove(left)
        _report_losses(g, battle, left, "defender")
        return True
    return False


def _can_hit_combat_unit(battle: Battle, side: Stack, other: Stack, *, attacking: bool) -> bool:
    """Whether some unit of a side can hit a fighting unit of the other."""
    kinds = battle.s.facts.units
    targets = {
        "sub" if u.type == "submarine" else kinds[u.type].domain
        for u in battle.combat_units(other, attacking=not attacking)
    }
    for unit in battle.combat_units(side, attacking=attacking):
        if unit.type == "submarine":
            struck = targets - {"air"}
        elif kinds[unit.type].domain == "air" and not battle.has(side, "destroyer"):
            struck = targets - {"sub"}
        else:
            struck = targets
        if struck:
            return True
    return False


def _deadlocked(battle: Battle) -> bool:
    """Whether the fighting units of the two sides cannot hit each other."""
    return not _can_hit_combat_unit(
        battle, battle.attackers, battle.defenders, attacking=True
    ) and not _can_hit_combat_unit(battle, battle.defenders, battle.attackers, attacking=False)


def _sink_defenceless(g: Table[State], battle: Battle) -> None:
    """Destroy transports that nothing defends, with their cargo, where no fighting unit can hit
    another.

    Attackers' transports are lost only if they cannot retreat.

    Rules: combat.transports.defenseless, combat.transports.stalemate,
        combat.transports.attacker, unit.transport.auto-destroy
    """
    sides = [(battle.defenders, battle.combat_units(battle.attackers, attacking=True))]
    if not battle.retreat_spaces():
        foes = battle.combat_units(battle.defenders, attacking=False)
        sides.append((battle.attackers, foes))
    for side, foes in sides:
        sunk = {unit: count for unit, count in side.items() if unit.type == "transport"}
        if foes and sunk:
            battle.remove(sunk)
            g.emit("defenceless", space=battle.space, losses=_tally(sunk))


def _hunted(battle: Battle) -> bool:
    """Whether attacking transports that could retreat from defenders able to hit them keep a battle
    going in which no fighting unit can hit another.

    Rules: combat.transports.stalemate, combat.end.only-transports
    """
    foes = battle.combat_units(battle.defenders, attacking=False)
    return bool(foes) and battle.has(battle.attackers, "transport")


def _only_transports(battle: Battle) -> bool:
    """Whether both sides of a sea battle have nothing but transports left.

    Rules: combat.end.only-transports
    """
    if not battle.sea or not battle.attackers or not battle.defenders:
        return False
    for side in (battle.attackers, battle.defenders):
        for unit in side:
            if unit.type != "transport":
                return False
    return True


def antiaircraft_fire(g: Table[State], battle: Battle) -> Procedure[None]:
    """Antiaircraft artillery fires once, before the first round, at attacking aircraft.

    Three dice per gun, at most one per aircraft; casualties are gone at once. Guns with no
    combat unit beside them do not fire: there is no battle.

    Rules: unit.aaa.fire.when, unit.aaa.fire.dice, unit.aaa.fire.casualty, unit.aaa.alone,
        combat-move.air.aaa-only-target, sbr.aaa-none
    """
    s, numbers = g.state, g.state.facts.numbers
    kinds = s.facts.units
    planes = {u: n for u, n in battle.attackers.items() if kinds[u.type].domain == "air"}
    guns = sum(n for u, n in battle.defenders.items() if u.type == "antiaircraft_artillery")
    dice = min(numbers.aaa_dice_per_gun * guns, sum(planes.values()))
    if not dice or not battle.combat_units(battle.defenders, attacking=False):
        return
    battle.note(step="antiaircraft")
    owner = min(u.power for u in battle.defenders if u.type == "antiaircraft_artillery")
    hit_on, sides = numbers.aaa_hits_on, numbers.die
    lines = (RollLine(owner, "antiaircraft_artillery", dice, hit_on, sides),)
    faces = yield from g.roll("antiaircraft", lines)
    hits = sum(face <= hit_on for face in faces)
    g.emit("antiaircraft", space=battle.space, lines=lines, dice=faces, hits=hits)
    dead = yield from take_casualties(
        g, battle.space, planes, Hits(any=hits), of="attacker", attacker=battle.attacker
    )
    battle.remove(dead)
    _report_losses(g, battle, dead, "attacker")


def values(battle: Battle, side: Stack, *, attacking: bool) -> Line:
    """The units of a side that roll, each with its value, in the order of the unit list.

    An attacking infantry beside an artillery of its own hits on 2, one for one.

    Rules: combat.strip.hit-number, unit.artillery.support, combat.reevaluate,
        combat.fire.attacker, combat.fire.defender
    """
    facts, numbers = battle.s.facts, battle.s.facts.numbers
    kinds, order = facts.units, facts.unit_order
    line: Line = []
    support = 0
    if attacking:
        for unit, count in side.items():
            if unit.type == "artillery":
                support += numbers.infantry_per_artillery * count
    firing = battle.combat_units(side, attacking=attacking)
    if len(firing) > 1:
        firing.sort(key=lambda unit: (order[unit.type], unit))
    for unit in firing:
        count = side[unit]
        value = kinds[unit.type].attack if attacking else kinds[unit.type].defense
        if unit.type == "infantry" and support:
            helped = min(support, count)
            line.append((unit, helped, numbers.supported_attack))
            support -= helped
            count -= helped
        if count:
            line.append((unit, count, value))
    return line


def _roll_lines(line: Line, sides: int) -> tuple[RollLine, ...]:
    """The dice of a line; units that differ only in how they came here roll as one."""
    groups: dict[tuple[str, str, int], int] = {}
    for unit, count, value in line:
        key = (unit.power, unit.type, value)
        groups[key] = groups.get(key, 0) + count
    return tuple(
        RollLine(power, type_, count, value, sides)
        for (power, type_, value), count in groups.items()
    )


def roll_line(g: Table[State], battle: Battle, line: Line, step: str) -> Procedure[Hits]:
    """Roll for a line of units; their hits by what they can strike. With low luck the values of
    those that can strike the same are added up: each full die is a hit, and one die decides about
    the rest.

    Rules: combat.strip.hit-number, unit.sub.cannot-hit-air, unit.sub.air-immune
    """
    if not line:
        return Hits()
    battle.note(step=step)
    kinds = g.state.facts.units
    aided = battle.record.aided[step == "defence"]

    def strikes(type_: str) -> str:
        if type_ == "submarine":
            return "sub"
        return "air" if kinds[type_].domain == "air" and battle.sea and not aided else "any"

    lines = _roll_lines(line, g.state.facts.numbers.die)
    scored = {"any": 0, "air": 0, "sub": 0}
    sure: dict[str, Any] = {}
    if g.state.options.get("luck") == "low":
        lines = _low_luck(lines, strikes, scored)
        sure = {"sure": sum(scored.values())}
    faces = yield from g.roll(step, lines)
    at = 0
    for _, type_, count, value, _ in lines:
        hits = 0
        for face in faces[at : at + count]:
            if face <= value:
                hits += 1
        at += count
        scored[strikes(type_)] += hits
    g.emit(
        "fired",
        space=battle.space,
        step=step,
        round=battle.record.round,
        lines=lines,
        dice=faces,
        hits=sum(scored.values()),
        **sure,
    )
    return Hits(**scored)


def _low_luck(
    lines: tuple[RollLine, ...], strikes: Callable[[str], str], scored: dict[str, int]
) -> tuple[RollLine, ...]:
    """The dice that are left to roll: one for the rest of those that can strike the same, told of
    by the first of them. The sure hits are added to `scored`."""
    left = []
    for target in scored:
        alike = [line for line in lines if strikes(line.type) == target]
        if not alike:
            continue
        first = alike[0]
        sure, rest = divmod(sum(line.count * line.value for line in alike), first.sides)
        scored[target] += sure
        if rest:
            left.append(RollLine(first.power, first.type, 1, rest, first.sides))
    return tuple(left)


def fire(g: Table[State], battle: Battle) -> Procedure[None]:
    """Steps 3 to 5: the attackers fire, the defenders fire back, casualties go.

    Rules: combat.fire.attacker, combat.fire.attacker.casualties, combat.fire.defender,
        combat.fire.defender.casualties, combat.casualties.remove, combat.general.simultaneous,
        amphib.bombard.casualties-fire, combat.fire.sub-once
    """
    line = values(battle, _yet_to_fire(battle, 0), attacking=True)
    hits = yield from roll_line(g, battle, line, "attack")
    yield from condemn(g, battle, hits)
    line = values(battle, _yet_to_fire(battle, 1), attacking=False)
    hits = yield from roll_line(g, battle, line, "defence")
    yield from lose_attackers(g, battle, hits)
    clear_strip(g, battle)


def _yet_to_fire(battle: Battle, side: int) -> Stack:
    """The attackers (0) or defenders (1) less submarines that made a surprise strike."""
    units = battle.defenders if side else battle.attackers
    if not battle.record.struck[side]:
        return units
    return {u: n for u, n in units.items() if u.type != "submarine"}


def condemn(g: Table[State], battle: Battle, hits: Hits) -> Procedure[None]:
    """The defender moves a unit behind the casualty strip for each hit."""
    dead = yield from take_casualties(
        g, battle.space, battle.standing(), hits, of="defender", attacker=battle.attacker
    )
    if dead:
        battle.note(condemned=with_more(battle.record.condemned, dead))


def lose_attackers(g: Table[State], battle: Battle, hits: Hits) -> Procedure[None]:
    """The attacker takes hits; what is lost goes at once."""
    dead = yield from take_casualties(
        g, battle.space, battle.attackers, hits, of="attacker", attacker=battle.attacker
    )
    battle.remove(dead)
    _report_losses(g, battle, dead, "attacker")


def clear_strip(g: Table[State], battle: Battle) -> None:
    """Step 5: remove the defender's casualties."""
    dead = dict(battle.record.condemned)
    if dead:
        battle.note(condemned=())
        battle.remove(dead)
        _report_losses(g, battle, dead, "defender")


def _report_losses(g: Table[State], battle: Battle, dead: Stack, of: str) -> None:
    if dead:
        g.emit("lost", space=battle.space, of=of, losses=_tally(dead))


def _tally(units: Stack) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for unit, count in sorted(units.items()):
        row = table.setdefault(unit.power, {})
        row[unit.type] = row.get(unit.type, 0) + count
    return table


def sea_round(g: Table[State], battle: Battle) -> Procedure[None]:
    """A round at sea: submarines strike by surprise or submerge, then all others fire.

    What destroyers cancel is settled by who is there when the round begins.

    Rules: combat.sub.step2.choice, combat.sub.step2.destroyer-cancels,
        combat.sub.submerge.before-dice, combat.sub.strike.casualty-removal, combat.fire.sub-once,
        unit.destroyer.cancel, combat.reevaluate
    """
    ours = battle.has(battle.attackers, "destroyer")
    theirs = battle.has(battle.defenders, "destroyer")
    battle.note(aided=(ours, theirs), struck=(False, False))
    if not theirs:
        yield from _submerge(g, battle, battle.attackers)
    if not ours:
        yield from _submerge(g, battle, battle.defenders)
    if _undefended(g, battle):
        return
    striking = not theirs and battle.has(battle.attackers, "submarine")
    lurking = not ours and battle.has(battle.defenders, "submarine")
    if striking or lurking:
        battle.note(struck=(striking, lurking))
        yield from _surprise_strikes(g, battle)
        if _undefended(g, battle):
            return
    yield from fire(g, battle)


def _undefended(g: Table[State], battle: Battle) -> bool:
    """Whether the battle ends in the middle of a round, because a side has nothing left that
    fights. Sides that cannot hit each other still fire before that is looked at.

    Rules: combat.transports.defenseless, combat.end.elimination
    """
    return not (
        battle.combat_units(battle.attackers, attacking=True)
        and battle.combat_units(battle.defenders, attacking=False)
    ) and is_over(g, battle)


def _submerge(g: Table[State], battle: Battle, side: Stack) -> Procedure[None]:
    """Ask each owner how many submarines submerge; those that do leave the battle for good.

    Rules: combat.sub.submerge.effect, combat.sub.submerge.before-dice
    """
    s = g.state
    powers = sorted({u.power for u in side if u.type == "submarine"}, key=s.facts.powers.index)
    for power in powers:
        boats = {u: n for u, n in side.items() if u.type == "submarine" and u.power == power}
        battle.note(step="submarines")
        answer: Dive = yield from g.ask(SubmergeOrStrike(power, battle.space, sum(boats.values())))
        left = answer.submarines
        for unit, count in sorted(boats.items()):
            diving = min(left, count)
            if diving:
                s.change(battle.space, unit, diving, duty="submerged")
                left -= diving
        if answer.submarines:
            g.emit(
                "submerged", space=battle.space, power=power, units={"submarine": answer.submarines}
            )


def _surprise_strikes(g: Table[State], battle: Battle) -> Procedure[None]:
    """Step 2: striking submarines of both sides fire; then what they hit is gone without firing.

    Rules: combat.sub.strike.attacker, combat.sub.strike.defender,
        combat.sub.strike.casualty-removal
    """
    line = values(battle, _striking(battle, 0), attacking=True)
    hits = yield from roll_line(g, battle, line, "strike")
    yield from condemn(g, battle, hits)
    line = values(battle, _striking(battle, 1), attacking=False)
    hits = yield from roll_line(g, battle, line, "strike_back")
    yield from lose_attackers(g, battle, hits)
    clear_strip(g, battle)


def _striking(battle: Battle, side: int) -> Stack:
    """The submarines of the attacker (0) or defender (1), if they strike by surprise."""
    units = battle.defenders if side else battle.attackers
    struck = battle.record.struck[side]
    return {u: n for u, n in units.items() if struck and u.type == "submarine"}


# --- the end of a round, and of a battle --------------------------------------------------------


def press_or_retreat(g: Table[State], battle: Battle) -> Procedure[bool]:
    """Condition B: the attacker may retreat; True if the battle is over for it.

    Seaborne units cannot retreat: they fight on while the others leave.

    Rules: combat.retreat.who, combat.retreat.together, combat.retreat.air,
        amphib.land.seaborne-no-retreat, amphib.land.retreat-overland,
        amphib.land.retreat-together, unit.air.landing-proof.no-guarantee
    """
    s, kinds = g.state, g.state.facts.units
    movers = {
        u: n
        for u, n in battle.attackers.items()
        if kinds[u.type].domain != "air" and u.duty != "seaborne"
    }
    planes = {u: n for u, n in battle.attackers.items() if kinds[u.type].domain == "air"}
    spaces = battle.retreat_spaces() if movers else ()
    if (movers and not spaces) or not (movers or planes):
        return False
    battle.note(step="retreat")
    answer: Press | Retreat = yield from g.ask(
        PressOrRetreat(battle.attacker, battle.space, battle.record.round, spaces)
    )
    if isinstance(answer, Press):
        return False
    g.emit(
        "retreated",
        path=(battle.space, answer.to) if answer.to else (battle.space,),
        power=battle.attacker,
    )
    for unit, count in planes.items():
        s.change(battle.space, unit, count, duty="fought")
    for unit, count in movers.items():
        s.take(battle.space, unit, count)
        s.put(answer.to, _withdrawn(unit), count)
    return not battle.attackers


def _withdrawn(unit: Unit) -> Unit:
    """A unit after its retreat: cargo stays aboard, an assault is off.

    Rules: unit.transport.retreat-no-offload, unit.transport.stay-at-sea
    """
    cargo = tuple(Unit(piece.power, piece.type) for piece in unit.cargo)
    return replace(unit, duty="retreated", target="", cargo=cargo)


def conclude(g: Table[State], battle: Battle) -> None:
    """Step 7: survivors stay, battleships are repaired, a territory may change hands.

    Rules: combat.conclude.air-no-capture, combat.conclude.capture, unit.land.capture,
        unit.battleship.repair, noncombat.eligible, combat.transports.counts-as-combat
    """
    s, space, kinds = g.state, battle.space, g.state.facts.units
    attackers, defenders = battle.attackers, battle.defenders
    lands = any(kinds[u.type].captures for u in attackers)
    if lands and not defenders and hostile_territory(s, space, battle.attacker):
        capture(g, space, battle.attacker)
    g.emit(
        "battle_ended",
        space=space,
        attackers=_tally(attackers),
        defenders=_tally(defenders),
    )
    for unit, count in list(s.stack(space).items()):
        if unit.duty == "damaged":
            unit = s.change(space, unit, count, duty="")
        if unit.power == battle.attacker and unit.duty in ("", "seaborne"):
            s.change(space, unit, count, duty="fought")
    s.fought |= {space}
    s.combat = None
