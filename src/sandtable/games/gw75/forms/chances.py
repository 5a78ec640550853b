"""The odds of combats for a player: as they stand, or after a decision that is being thought about.

Imported when odds are asked for, because it brings NumPy along.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from sandtable.games.gw75 import words
from sandtable.games.gw75.charts import planned
from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import Attack, Force, LandBattle, Mission, SeaBattle, State
from sandtable.games.gw75.odds.outcome import Outcome, answer, fighting, resumed
from sandtable.games.gw75.odds.policy import Policy
from sandtable.games.gw75.odds.question import Question, sides_of
from sandtable.games.gw75.rules import attacks, bombing, land_combat, naval_combat, neutrals
from sandtable.games.gw75.rules.air import Raid
from sandtable.games.gw75.rules.amphibious import Invade
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.land_combat import Fight
from sandtable.games.gw75.rules.land_movement import Move
from sandtable.games.gw75.rules.losses import merged
from sandtable.games.gw75.rules.naval_combat import Engage
from sandtable.games.gw75.rules.naval_results import attack, key
from sandtable.games.gw75.rules.naval_zones import Part, strikers
from sandtable.games.gw75.rules.overrun import force_in
from sandtable.games.gw75.rules.stand_fast import eligible
from sandtable.games.gw75.rules.terms import OTHER, at_war, phase_side, players, warring
from sandtable.games.gw75.rules.transit import Spare, Strike, TransitAttack
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.display import NoQuestion, Odds, Reading
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Game
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds.errors import OddsError
from sandtable.odds.text import percent

MOST = 4_000
"""Courses: a combat that can take more has no odds in a form."""
POLICY = Policy()
WINS = {
    "land": "to clear the hex",
    "naval": "to sink or damage ships",
    "overrun": "to overrun",
    "transit": "to sink all",
    "air": "to do damage",
}

DECIDED = ("retreat", "advance")
"""Questions of a combat whose dice have all fallen."""

BACK = "naval_counter_attack"
"""The question after which it is the attackers who are in danger."""

GIVEN = {
    "land": "nobody is ordered to stand fast and the cheapest units are lost first",
    "overrun": "the cheapest units are lost first",
    "naval": "the defender receives the attack, all close in, and the cheapest are lost first",
    "transit": "the cheapest units are lost first",
    "air": "no other Air Defense comes and the cheapest units are lost first",
}
"""How the open choices are taken."""

Steps = Callable[[Table[State]], Procedure[Any]]


def odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the combat in `space` as it stands, or after `decision` of `power`."""
    s: State = game.state
    if space not in s.facts.hexes:
        raise NoQuestion("There is no combat here.")
    request = next((each for each in game.pending if each.power == power), None)
    if decision is not None:
        decision = _read(game, request, decision)
    try:
        found = fighting(s)
        if found is not None and space in found[1]:
            if any(each.kind in DECIDED for each in game.pending):
                raise NoQuestion("The combat is decided.")
            result, q = resumed(game, POLICY, (power, decision) if decision else None, MOST)
            back = any(each.kind == BACK for each in game.pending)
            return _told(s, q, result, power, (), back=back)
        q, notes = _planned(s, space, decision, request)
        return _told(s, q, answer(q), power, notes)
    except OddsError as error:
        raise NoQuestion(str(error)) from None


def _read(game: Game, request: Request | None, decision: Decision) -> Decision:
    if request is None:
        raise NoQuestion("It is not your turn to decide.")
    try:
        return game.legal(request).read(decision)
    except IllegalDecision as error:
        raise NoQuestion(error.reason) from None


def _planned(
    s: State, space: str, decision: Decision | None, request: Request | None
) -> tuple[Question, tuple[str, ...]]:
    """A combat that has not begun, and what is to be said about it."""
    copy = s.copy()
    match decision:
        case Declare(targets, force):
            return _attack(copy, Attack(targets, force))
        case Fight(target):
            return _attack(copy, _taken(copy, target))
        case Engage(target, force):
            return _engage(copy, target, merged(force))
        case Raid():
            return _raid(copy, decision)
        case Invade(path, units):
            return _land(copy, path, units)
        case Move(path, units):
            return _overrun(copy, path, units)
        case Spare():
            raise NoQuestion("Nobody is attacked then.")
    if isinstance(request, TransitAttack) and request.space == space:
        hexes = decision.hexes if isinstance(decision, Strike) else ()
        return _transit(copy, request, hexes or tuple(request.hexes))
    for each in s.attacks:
        if space in each.targets:
            copy.attacks = tuple(other for other in s.attacks if other != each)
            return _attack(copy, each)
    if any(each.target == space for each in s.missions):
        return _question(copy, "air", (space,), _flyers(copy, space), bombing.fly), ()
    raise NoQuestion("Nobody attacks here.")


def _question(
    s: State, kind: str, targets: tuple[str, ...], attackers: frozenset[str], steps: Steps
) -> Question:
    several = s.land is not None and len({part[0] for part in s.land.force}) > 1
    said = (POLICY.words(kind, several),)
    sides = sides_of(s, targets, attackers)
    return Question(s, kind, targets, attackers, sides, POLICY, steps, most=MOST, notes=said)


# --- on land --------------------------------------------------------------------------------------


def _attack(s: State, attack: Attack) -> tuple[Question, tuple[str, ...]]:
    """A land attack that is declared, or would be: with what is there and supplied now."""
    notes = []
    nations = frozenset(part[1] for part in attack.force)
    if not any(any(attacks.defenders(s, hex, min(nations))) for hex in attack.targets):
        raise NoQuestion("There is nobody to attack.")
    if any(neutrals.violates(s, nation, hex) for nation in nations for hex in attack.targets):
        notes.append("What follows from breaking the peace is left out.")
    if s.attacks or s.land is not None:
        notes.append("If no other attack is resolved first.")
    may = _may_stand(s, attack)
    s.land = LandBattle(attack.targets, tuple(sorted(attack.force)))
    q = _question(s, "land", attack.targets, nations, land_combat.battle)
    if may:
        standing = s.copy()
        standing.stand_fast |= may
        then = answer(_question(standing, "land", attack.targets, nations, land_combat.battle))
        names = " and ".join(s.facts.name(hex) for hex in sorted(may))
        notes.append(f"If {names} should stand fast: {percent(then.attacker_wins)} to clear it.")
    return q, tuple(notes)


def _taken(s: State, target: str) -> Attack:
    """The attack that is resolved next: no other comes before it."""
    attack = next(each for each in s.attacks if each.targets[0] == target)
    s.attacks = ()
    return attack


def _may_stand(s: State, attack: Attack) -> frozenset[str]:
    """The hexes that can still be ordered to stand fast against an attack."""
    other = OTHER.get(phase_side(s.phase), "")
    if not other or s.step == "fight" or not s.phase.endswith("land_combat"):
        return frozenset()
    declared = s.copy()
    declared.attacks = (attack,)
    can = {hex for player in players(s, other) for hex in eligible(declared, player)}
    return frozenset(can) - s.stand_fast


def _land(
    s: State, path: tuple[str, ...], units: tuple[tuple[str, str, int], ...]
) -> tuple[Question, tuple[str, ...]]:
    """An Amphibious Assault: the attack of those who land, by themselves."""
    start, hex = path[0], path[-1]
    nation = units[0][0]
    if not any(attacks.defenders(s, hex, nation)):
        raise NoQuestion("Nobody defends this coast.")
    _go(s, start, hex, units, duty="assault", origin=start)
    force = force_in(hex, units)
    if attacks.differential(s, Attack((hex,), force)) < 0:
        raise NoQuestion("They are too weak to attack there.")
    q, notes = _attack(s, Attack((hex,), force))
    return q, ("If all of them get ashore, and nobody joins them.", *notes)


def _overrun(
    s: State, path: tuple[str, ...], units: tuple[tuple[str, str, int], ...]
) -> tuple[Question, tuple[str, ...]]:
    nation = units[0][0]
    steps = (step for step in pairwise(path) if any(attacks.defenders(s, step[1], nation)))
    here, hex = next(steps, ("", ""))
    if not hex:
        raise NoQuestion("Nobody is overrun on this way.")
    if here != path[0]:
        _go(s, path[0], here, units)
    force = force_in(here, units)
    s.land = LandBattle((hex,), force)
    nations = frozenset(part[0] for part in units)
    q = _question(s, "overrun", (hex,), nations, lambda g: land_combat.overrun(g, hex, force))
    s.land = None
    return q, ()


def _go(
    s: State, start: str, to: str, units: tuple[tuple[str, str, int], ...], **marks: Any
) -> None:
    """Units of a copy are elsewhere."""
    for nation, type, number in units:
        for unit, count in sorted(s.stack(start).items()):
            if unit.nation == nation and unit.type == type and number and not unit.idle:
                some = min(count, number)
                s.take(start, unit, some)
                s.put(to, unit._replace(**marks), some)
                number -= some


# --- at sea and in the air ------------------------------------------------------------------------


def _engage(s: State, target: str, force: Force) -> tuple[Question, tuple[str, ...]]:
    """An engagement; whom the attack brings into the war is in it."""
    notes: tuple[str, ...] = ()
    for nation in {part[1] for part in force}:
        for unit in s.stack(target):
            if unit.type in ("surf_a", "surf_b", "asw", "ms", "amph") and naval_combat.enemy(
                s, nation, unit.nation, target
            ):
                if not at_war(s, nation, unit.nation):
                    notes = ("What follows from breaking the peace is left out.",)
                s.wars |= {pair(warring(nation), warring(unit.nation))}
                s.changed()
    s.sea = SeaBattle(target, tuple(sorted(force)))
    nations = frozenset(part[1] for part in force)
    return _question(s, "naval", (target,), nations, naval_combat.fight), notes


def _transit(
    s: State, request: TransitAttack, hexes: tuple[str, ...]
) -> tuple[Question, tuple[str, ...]]:
    """A Transit Attack that is asked for, by all in these hexes who can make it."""
    hex = request.space
    moving = [
        Part(hex, unit, min(count, request.units[unit.type]))
        for unit, count in sorted(s.stack(hex).items())
        if unit.nation == request.nation and unit.type in request.units
    ]
    if not moving:
        raise NoQuestion("There are no odds for these ships.")
    enemies = strikers(s, request.nation, hex, moving[0].unit.type)
    shot = frozenset().union(*(part.unit.shot for part in moving))
    force = [part for part in enemies if part.hex in hexes and key(part) not in shot]
    nations = frozenset(part.unit.nation for part in force)

    def steps(g: Table[State]) -> Procedure[None]:
        yield from attack(g, "transit_attack", force, moving, space=hex)

    q = _question(s, "transit", (hex,), nations, steps)
    sides: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for side, parts in zip(sides, (force, moving), strict=True):
        for part in parts:
            side[part.unit.type] = side.get(part.unit.type, 0) + part.count
    return Question(s, "transit", (hex,), nations, sides, POLICY, steps, notes=q.notes), ()


def _raid(s: State, raid: Raid) -> tuple[Question, tuple[str, ...]]:
    """A bombing mission, with those that were sent to the same hex before."""
    number = raid.number
    for unit, count in sorted(s.stack(raid.base).items()):
        able = unit.type == "lrb" and unit.nation == raid.nation and not unit.duty
        if able and not unit.idle and not unit.supply and number:
            some = min(count, number)
            s.change(raid.base, unit, some, duty="flown")
            number -= some
    s.missions = (*s.missions, Mission(raid.nation, raid.base, raid.target, raid.number, raid.bomb))
    q = _question(s, "air", (raid.target,), _flyers(s, raid.target), bombing.fly)
    return q, ("With the Air Defense that is there now.",)


def _flyers(s: State, target: str) -> frozenset[str]:
    """Who flies to a hex; missions to others are put aside."""
    s.missions = tuple(each for each in s.missions if each.target == target)
    return frozenset(each.nation for each in s.missions)


# --- in words -------------------------------------------------------------------------------------


def _told(
    s: State,
    q: Question,
    result: Outcome,
    power: str,
    notes: tuple[str, ...],
    *,
    back: bool = False,
) -> Odds:
    """A result in words, with what is taken for granted if others have to choose in it; `back`: of
    a Counter-Attack at sea, and what may follow it."""
    name = s.facts.name
    open_ = any(player != power for player, _ in result.asked) or bool(notes)
    verb = {"air": "bomb", "overrun": "overrun"}.get(q.kind, "attack")
    if len(q.attackers) == 1:
        verb += "s"
    who = words.nations(s.facts, sorted(q.attackers))
    wins = _harm(result) if q.kind == "naval" else result.attacker_wins
    title = f"{words.sentenced(who)} {verb} {' and '.join(name(hex) for hex in q.targets)}"
    if back:
        wins, title = 1 - _harm(result, 0), f"The Counter-Attack on {who}"
    lines = list(result.notes[: -len(q.notes)])
    if q.kind == "naval":
        lines.insert(0, f"Nobody who was attacked is left there: {percent(result.attacker_wins)}.")
    if q.kind in ("land", "overrun"):
        lines.insert(0, f"Takes the hex: {percent(result.takes_territory)}.")
    for side, types, start in (
        ("The attacker", "attacker", result.attacker_start),
        ("The defender", "defender", result.defender_start),
    ):
        left = result.expected_left(types)
        gone = sum(start.values()) - sum(left.values())
        lines.append(f"{side} loses {gone:.1f} of {sum(start.values())} on average.")
    lines += notes
    return Odds(
        title,
        wins,
        1 - wins,
        0.0,
        tuple(lines),
        _losses(result),
        outcome="to come off unharmed" if back else WINS[q.kind],
        exact=result.exact,
        given=GIVEN[q.kind] if open_ else "",
        note=" ".join(q.notes),
        readings=_readings(q),
    )


def _harm(result: Outcome, side: int = 1) -> float:
    """The chance that a side loses anything, or that it is Depleted: by default the defender."""
    start = (result.attacker_start, result.defender_start)[side]
    return result.expectation(
        lambda *left: float(any(left[side].get(type, 0) < n for type, n in start.items()))
    )


def _losses(result: Outcome) -> str:
    """What both sides lose on average; bombs cost the defender Production Points themselves."""
    bombed = sum(points * share for points, share in result.damage.items())
    return (
        f"loses {result.attacker_loss:.1f}, destroys {result.defender_loss + bombed:.1f} "
        "(in Production Points)"
    )


def _readings(q: Question) -> tuple[Reading, ...]:
    """Where the die of an attack on land is read, as long as it has not fallen."""
    land = q.state.land
    if q.kind != "land" or land is None or land.step:
        return ()
    return (planned(q.state, Attack(land.targets, land.force)),)
