"""The odds against combats that are played out: every face of every die, through the public face,
with decisions made here by the policy that the odds state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

import sandtable
from sandtable import odds
from sandtable.games.gw75.facts import load_facts
from sandtable.kernel.decisions import CHANCE, Decision, Roll
from sandtable.odds.text import percent
from tests.gw75.table import position

FACTS = load_facts()
COST = {"inf": 2, "mech": 3, "sd": 2, "fort": 1.5, "ad": 2, "lrb": 4, "ms": 1, "amph": 3}
COST |= {"asw": 3, "ss": 4, "surf_a": 12, "surf_b": 9}
ATTACK = {"mech": 1, "inf": 1, "ss": 1, "asw": 2, "surf_b": 3, "surf_a": 5}
DEFENSE = {"ss": 1, "amph": 1, "asw": 2, "surf_a": 3, "surf_b": 3}
COMBAT = {"land_losses", "counter_attack", "advance", "retreat", "roll", "transit_attack"}
COMBAT |= {"respond", "pursue", "close_in", "support", "deplete", "naval_counter_attack"}
COMBAT |= {"naval_losses", "naval_retreat", "bomber_losses"}
OTHER = {"E2611": {"japan": "inf"}}
"""Somebody who has something to decide when the combat is over."""
WARS = [("germany", "france"), ("germany", "commonwealth"), ("germany", "ussr"), ("japan", "usa")]
WARS += [("germany", "usa"), ("italy", "france"), ("italy", "commonwealth")]
PARIS, BAVARIA, RUHR = "W3019", "W3020", "W3120"
BRUSSELS, BREST, MARSEILLE = "W3119", "W3018", "W2920"
A, B, C = "W2809", "W2810", "W2811"
Force = list[tuple[str, str, str, int]]


def cheap(type: str) -> tuple[float, int]:
    return COST[type], ATTACK.get(type, 0)


def decide(game: Any, request: Any, ours: set[str]) -> Decision | dict[str, Any]:
    """The default policy."""
    match request.kind:
        case "land_losses":
            have = {part[:3]: part[3] for part in request.at_risk}

            def first(part: Any) -> Any:
                walls = part[2] == "fort" and FACTS.hexes[part[0]].kind != "land"
                return request.counter or not walls, cheap(part[2]), part

            lost: Counter[Any] = Counter()
            for hex, least in (*request.least, ("", request.total)):
                for part in sorted(have, key=first):
                    room = min(have[part] - lost[part], request.total - lost.total())
                    taken = min(room, least) if hex in ("", part[0]) else 0
                    lost[part] += taken
                    least -= taken
            return {"kind": "lose", "losses": [[*part, n] for part, n in (+lost).items()]}
        case "counter_attack":
            points: Counter[str] = Counter()
            mech: Counter[str] = Counter()
            for hex, _, type, number in game.state.land.force:
                points[hex] += number
                mech[hex] += number * (type == "mech")
            return {
                "kind": "stack",
                "hex": min(request.options, key=lambda hex: (points[hex], -mech[hex], hex)),
            }
        case "advance":
            best: list[Any] = []
            for to in request.hexes:
                room, moves = 10, []
                for hex, nation, number in request.mech:
                    moves.append([hex, nation, min(number, room), to])
                    room -= min(number, room)
                best = max(best, [move for move in moves if move[2]], key=_points)
            return {"kind": "advance", "moves": best}
        case "respond":
            return {"kind": "stand"}
        case "pursue" | "naval_retreat":
            return {"kind": "choose", "option": request.options[0]}
        case "close_in":
            ways = [way for way in ("all", "surf_b", "stay") if way in request.options]
            return {"kind": "choose", "option": ways[0]}
        case "support":
            return {"kind": "numbers", "numbers": dict(request.most)}
        case "naval_counter_attack":

            def defense(hex: str) -> tuple[int, str]:
                stack = game.state.stack(hex).items()
                return sum(DEFENSE[u.type] * n for u, n in stack if u.nation in ours), hex

            chosen = min(filter(None, request.options), key=defense)
            return {"kind": "choose", "option": chosen}
        case "naval_losses" | "deplete":

            def spared(key: str) -> Any:
                words = key.split()
                return words[3:] != ["deplete"], cheap(words[2]), "depleted" not in words, key

            left, numbers = request.total, {}
            for key in sorted(request.most, key=spared):
                if left:
                    numbers[key] = min(left, request.most[key])
                    left -= numbers[key]
            return {"kind": "numbers", "numbers": numbers}
        case "transit_attack":
            able = sum(request.hexes.values()) + request.others >= request.defense
            return {"kind": "strike" if able else "spare"}
    return next(iter(game.legal(request)))


def _points(moves: list[Any]) -> int:
    return sum(move[2] for move in moves)


def ends(game: Any, ours: set[str]) -> Iterator[tuple[Fraction, Any]]:
    """Every end of the combat that a game is in, with its chance."""
    waiting = [(Fraction(1), game.clone())]
    while waiting:
        share, each = waiting.pop()
        request = each.pending[0]
        if request.kind not in COMBAT:
            yield share, each
        elif request.power == CHANCE:
            for face in range(1, 7):
                copy = each.clone()
                copy.submit(CHANCE, Roll((face,)))
                waiting.append((share / 6, copy))
        else:
            each.submit(request.power, decide(each, request, ours))
            waiting.append((share, each))


def standing(game: Any) -> Counter[tuple[bool, str]]:
    """Whether Axis, and type with its mark, to number."""
    found: Counter[tuple[bool, str]] = Counter()
    for _, unit, count in game.state.units():
        mark = " (depleted)" if unit.depleted else ""
        found[FACTS.nations[unit.nation].side == "axis", unit.type + mark] += count
    return found


def compare(game: Any, result: Any, ours: set[str], targets: list[str]) -> None:
    """What is left of both sides, the chance to clear the hexes and to be in one of them."""
    played: dict[Any, Fraction] = defaultdict(Fraction)
    before = standing(game)
    axis = FACTS.nations[min(ours)].side == "axis"
    cleared = taken = Fraction(0)
    for share, end in ends(game, ours):
        now = standing(end)
        lost = [(key[0] == axis, key[1], now[key] - before[key]) for key in sorted({*now, *before})]
        played[frozenset(each for each in lost if each[2])] += share
        there = [unit for hex in targets for unit in end.state.stack(hex)]
        land = [u for u in there if FACTS.types[u.type].domain == "land" and u.duty != "assault"]
        held = any(unit.nation not in ours for unit in land)
        cleared += share * (not held)
        taken += share * (not held and any(unit.nation in ours for unit in land))
    told: dict[Any, float] = defaultdict(float)
    for share, *left in zip(result.probability, result.attacker, result.defender, strict=True):
        change = {
            (side == 0, type, int(number) - start.get(type, 0))
            for side, start, types in (
                (0, result.attacker_start, result.attacker_types),
                (1, result.defender_start, result.defender_types),
            )
            for type, number in zip(types, left[side], strict=True)
        }
        told[frozenset(each for each in change if each[2])] += float(share)
    assert dict(told) == pytest.approx({key: float(share) for key, share in played.items()})
    if result.kind == "land":
        assert result.attacker_wins == pytest.approx(float(cleared))
        assert result.takes_territory == pytest.approx(float(taken))


def started(phase: str, turn: int, units: Mapping[str, Any], **fields: Any) -> Any:
    game = position(phase, turn, units={**OTHER, **units}, wars=WARS, **fields)
    return sandtable.new("gw75", position=game, chance="explicit")


def begin(game: Any, decision: dict[str, Any], space: str) -> Any:
    """Make a decision and go on to the first die or choice of the combat in a hex, which stands
    fast if it may; the odds that a client is told beforehand."""
    request = game.pending[0]
    told = game.rules.odds(game, space, game.legal(request).read(decision), request.power)
    game.submit(request.power, decision)
    while game.pending[0].kind not in COMBAT:
        stands = game.pending[0].kind == "stand_fast"
        order = {"kind": "stand_fast", "hexes": [space]} if stands else {"kind": "done"}
        game.submit(game.pending[0].power, order)
    return told


LAND: dict[str, tuple[dict[str, Any], Force, list[str], dict[str, Any], dict[str, Any] | None]] = {
    "one against one": (
        {PARIS: {"france": "inf"}, BAVARIA: {"germany": "mech"}},
        [(BAVARIA, "germany", "mech", 1)],
        [PARIS],
        {},
        {"attack": "1 mech", "defend": "1 inf"},
    ),
    "equal strength": (
        {PARIS: {"france": "10 inf"}, BAVARIA: {"germany": "10 inf"}},
        [(BAVARIA, "germany", "inf", 10)],
        [PARIS],
        {},
        {"attack": "10 inf", "defend": "10 inf"},
    ),
    "more losses than units": (
        {PARIS: {"france": "3 inf"}, BAVARIA: {"germany": "10 inf"}, RUHR: {"germany": "10 mech"}},
        [(BAVARIA, "germany", "inf", 10), (RUHR, "germany", "mech", 10)],
        [PARIS],
        {},
        {"attack": "10 inf / 10 mech", "defend": "3 inf"},
    ),
    "two stacks": (
        {
            PARIS: {"france": "6 inf, mech"},
            BAVARIA: {"germany": "5 inf, 3 mech"},
            RUHR: {"germany": "6 mech"},
        },
        [
            (BAVARIA, "germany", "inf", 5),
            (BAVARIA, "germany", "mech", 3),
            (RUHR, "germany", "mech", 4),
        ],
        [PARIS],
        {},
        {"attack": "5 inf, 3 mech / 4 mech", "defend": "6 inf, 1 mech"},
    ),
    "fort and Self-Defense": (
        {PARIS: {"france": "3 inf, 2 fort, sd"}, BAVARIA: {"germany": "9 mech"}},
        [(BAVARIA, "germany", "mech", 9)],
        [PARIS],
        {},
        {"attack": "9 mech", "defend": "3 inf, 2 fort, 1 sd"},
    ),
    "fort on a coast, no way to retreat": (
        {BREST: {"france": "3 inf, 2 fort, sd"}, PARIS: {"germany": "9 mech"}},
        [(PARIS, "germany", "mech", 9)],
        [BREST],
        {},
        None,
    ),
    "across mountains": (
        {MARSEILLE: {"france": "3 inf"}, BAVARIA: {"germany": "9 mech"}},
        [(BAVARIA, "germany", "mech", 9)],
        [MARSEILLE],
        {},
        None,
    ),
    "several nations": (
        {
            PARIS: {"france": "3 inf", "commonwealth": "2 inf, 2 mech"},
            BAVARIA: {"germany": "5 mech", "italy": "2 inf"},
            RUHR: {"germany": "3 inf"},
        },
        [
            (BAVARIA, "germany", "mech", 5),
            (BAVARIA, "italy", "inf", 2),
            (RUHR, "germany", "inf", 3),
        ],
        [PARIS],
        {},
        None,
    ),
    "two hexes": (
        {
            PARIS: {"france": "3 inf, 2 fort"},
            BRUSSELS: {"france": "4 inf"},
            RUHR: {"germany": "10 mech"},
        },
        [(RUHR, "germany", "mech", 10)],
        [PARIS, BRUSSELS],
        {"held": {BRUSSELS: "france"}},
        {
            "attack": "10 mech",
            "defend": "3 inf, 2 fort / 4 inf",
            "hex": "Paris/Brussels",
            "origin": "Ruhr",
        },
    ),
    "spring": (
        {PARIS: {"france": "2 inf, 2 fort"}, BAVARIA: {"germany": "10 mech"}},
        [(BAVARIA, "germany", "mech", 10)],
        [PARIS],
        {"turn": 3},
        {"attack": "10 mech", "defend": "2 inf, 2 fort", "season": "spring"},
    ),
    "stand fast": (
        {PARIS: {"france": "5 inf"}, BAVARIA: {"germany": "10 mech"}},
        [(BAVARIA, "germany", "mech", 10)],
        [PARIS],
        {"turn": 8, "counts": {"first_battle:france": 1}},
        {"attack": "10 mech", "defend": "5 inf", "stand_fast": True},
    ),
    "one of two stands fast": (
        {
            PARIS: {"france": "3 inf"},
            BRUSSELS: {"france": "3 inf, mech"},
            RUHR: {"germany": "10 mech"},
        },
        [(RUHR, "germany", "mech", 10)],
        [PARIS, BRUSSELS],
        {"turn": 8, "counts": {"first_battle:france": 1}, "held": {BRUSSELS: "france"}},
        None,
    ),
    "the Russian winter": (
        {"W3124": {"ussr": "8 inf"}, "W3123": {"germany": "9 inf"}},
        [("W3124", "ussr", "inf", 8)],
        ["W3123"],
        {"turn": 10, "counts": {"invaded_ussr": 8}, "phase": "allies_land_combat"},
        {"attack": "8 inf", "defend": "9 inf", "season": "first_winter", "attacker": "ussr"},
    ),
}


@pytest.mark.rule("gw75:8.41", "gw75:8.44", "gw75:8.51a", "gw75:8.61a")
@pytest.mark.parametrize("name", LAND)
def test_a_land_attack_played_out(name: str) -> None:
    units, force, targets, fields, asked = LAND[name]
    ours = {part[1] for part in force}
    game = started(**{"phase": "axis_land_combat", "turn": 4, "units": units, **fields})
    attack = {"kind": "attack", "targets": targets, "force": [list(part) for part in force]}
    form = begin(game, attack, targets[0])
    result = odds.in_progress(game)
    compare(game, result, ours, targets)
    if "counts" not in fields or "invaded_ussr" in fields["counts"]:
        assert form.win == pytest.approx(result.attacker_wins)
    if asked:
        compare(game, odds.battle("gw75", **asked), ours, targets)


SEA: dict[str, tuple[dict[str, Any], Force, str, dict[str, Any]]] = {
    "two segments": (
        {B: {"usa": "surf_a, 2 surf_b"}, A: {"japan": "2 surf_a, 2 surf_b"}},
        [(A, "japan", "surf_a", 2), (A, "japan", "surf_b", 2)],
        B,
        {},
    ),
    "two hexes close in": (
        {B: {"usa": "2 surf_b"}, A: {"japan": "2 surf_a"}, C: {"japan": "3 surf_b, ss"}},
        [(A, "japan", "surf_a", 2), (C, "japan", "surf_b", 3), (C, "japan", "ss", 1)],
        B,
        {},
    ),
    "a part of the fleet": (
        {B: {"usa": "2 surf_b"}, A: {"japan": "4 surf_a"}},
        [(A, "japan", "surf_a", 2)],
        B,
        {},
    ),
    "a convoy": (
        {B: {"usa": "5 ms, surf_b"}, A: {"germany": "4 ss"}},
        [(A, "germany", "ss", 4)],
        B,
        {"held": {BREST: "germany"}},
    ),
    "own ASW units over the attackers": (
        {
            "W3118": {"commonwealth": "3 asw"},
            "W3017": {"germany": "3 surf_b"},
            "W2918": {"commonwealth": "3 surf_b, surf_a"},
        },
        [("W2918", "commonwealth", "surf_b", 3), ("W2918", "commonwealth", "surf_a", 1)],
        "W3017",
        {"turn": 8, "phase": "allies_naval_2"},
    ),
    "ASW units of both sides, those of a friend": (
        {
            "W3118": {"commonwealth": "3 asw"},
            BREST: {"germany": "asw"},
            "W3017": {"germany": "3 surf_b"},
            "W2918": {"usa": "4 surf_b, surf_a"},
        },
        [("W2918", "usa", "surf_b", 4), ("W2918", "usa", "surf_a", 1)],
        "W3017",
        {"turn": 10, "phase": "allies_naval_2", "held": {BREST: "germany"}},
    ),
}


@pytest.mark.rule("gw75:15.0g", "gw75:15.73", "gw75:15.53")
@pytest.mark.parametrize("name", SEA)
def test_an_engagement_played_out(name: str) -> None:
    units, force, target, fields = SEA[name]
    game = started(**{"phase": "axis_naval_2", "turn": 4, "units": units, **fields})
    engage = {"kind": "engage", "target": target, "force": [list(part) for part in force]}
    form = begin(game, engage, target)
    result = odds.in_progress(game)
    assert form.lines[0] == (
        f"Nobody who was attacked is left there: {percent(result.attacker_wins)}."
    )
    assert result.attacker_wins <= form.win + 1e-9
    compare(game, result, {part[1] for part in force}, [])


@pytest.mark.rule("gw75:17.31a", "gw75:17.31b", "gw75:17.61a")
@pytest.mark.parametrize(("number", "guns", "bomb"), [(5, 3, 0), (1, 9, 0), (20, 1, 0), (3, 4, 1)])
def test_a_raid_played_out(number: int, guns: int, bomb: int) -> None:
    london = "W3118"
    units = {london: {"commonwealth": f"{guns} ad"}, RUHR: {"germany": f"{number} lrb"}}
    fields: dict[str, Any] = {"held": {BRUSSELS: "germany"}, "bombs": {RUHR: 1} if bomb else {}}
    game = started("axis_air_movement", 16, units, **fields)
    raid = {"kind": "raid", "nation": "germany", "base": RUHR, "target": london, "number": number}
    form = begin(game, {**raid, "bomb": bool(bomb)}, london)
    result = odds.in_progress(game)
    assert form.win == pytest.approx(result.attacker_wins)
    compare(game, result, {"germany"}, [])
    asked = odds.battle("gw75", f"{number} lrb", f"{guns} ad", bomb=bool(bomb))
    compare(game, asked, {"germany"}, [])
    assert asked.damage == pytest.approx(result.damage)
