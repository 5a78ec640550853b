"""Battles played through the game's own rules, with stated play on both sides."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.odds.book import DAMAGE, SEABORNE, book, loss_order, order_key
from sandtable.games.aa1942.rules.assault import (
    Bombard,
    ChooseBombardment,
    Engage,
    EngageOrIgnore,
)
from sandtable.games.aa1942.rules.casualties import Casualties, ChooseCasualties
from sandtable.games.aa1942.rules.combat import (
    Dive,
    Press,
    PressOrRetreat,
    Retreat,
    SubmergeOrStrike,
)
from sandtable.games.aa1942.rules.conduct_combat import ChooseBattle, Fight, conduct_combat
from sandtable.kernel import registry
from sandtable.kernel.table import Table

ATTACKER, DEFENDER = "germany", "soviet_union"
LAND, LAND_ORIGIN = "karelia_ssr", "baltic_states"
SEA, SEA_ORIGIN = "sz4", "sz3"

Left = tuple[Counter[str], Counter[str]]
Stop = Callable[[Mapping[str, int], Mapping[str, int]], bool]


def start(
    attack: Mapping[str, int],
    defend: Mapping[str, int],
    *,
    sea: bool,
    landing: tuple[Mapping[str, int], ...] = (),
    fleet: Mapping[str, int] | None = None,
    fleet_defend: Mapping[str, int] | None = None,
    can_retreat: bool = True,
) -> State:
    """A position at the beginning of Conduct Combat with one battle to fight."""
    rules: Any = registry.find("aa1942")
    options = rules.read_options({})
    s: State = rules.start(
        options, {"base": "empty", "turn": ATTACKER, "phase": "conduct_combat"}, None
    )
    s.control[LAND] = s.start_control[LAND] = DEFENDER
    s.control[LAND_ORIGIN] = s.start_control[LAND_ORIGIN] = ATTACKER
    kinds = s.facts.units

    def put(force: Mapping[str, int], power: str, space: str, origin: str) -> None:
        for kind, n in force.items():
            if power == ATTACKER:
                came = "" if kinds[kind].domain == "air" or not can_retreat else origin
                s.put(space, Unit(power, kind, used=1, origin=came), n)
            else:
                s.put(space, Unit(power, kind), n)

    space, origin = (SEA, SEA_ORIGIN) if sea else (LAND, LAND_ORIGIN)
    put(attack, ATTACKER, space, origin)
    put(defend, DEFENDER, space, "")
    if landing:
        put({k: n for k, n in (fleet or {}).items() if k != "transport"}, ATTACKER, SEA, SEA_ORIGIN)
        put(fleet_defend or {}, DEFENDER, SEA, "")
        for load in landing:
            cargo = tuple(
                Unit(ATTACKER, kind, duty="assault") for kind, n in load.items() for _ in range(n)
            )
            ship = Unit(ATTACKER, "transport", 1, SEA_ORIGIN, "landing", LAND, tuple(sorted(cargo)))
            s.put(SEA, ship)
    return s


class Player:
    """Answers every request of a battle as a policy says."""

    def __init__(self, options: Mapping[str, Any], stop: Stop | None = None) -> None:
        self.orders = {
            "attacker": loss_order(
                book(), order_key(options.get("attack_order", "cheapest")), True
            ),
            "defender": loss_order(
                book(), order_key(options.get("defend_order", "cheapest")), False
            ),
        }
        self.subs = {
            ATTACKER: options.get("attack_subs", "strike"),
            DEFENDER: options.get("defend_subs", "strike"),
        }
        self.keep_land = options.get("keep_land", False)
        self.retreat = options.get("retreat", "never")
        self.loads = options.get("loads", ())
        self.stop = stop

    def answer(self, s: State, request: Any) -> Any:
        if isinstance(request, ChooseCasualties):
            return self.casualties(s, request)
        if isinstance(request, PressOrRetreat):
            to = request.to[0] if request.to else ""
            return Retreat(to) if self.retreats(s, request) else Press()
        if isinstance(request, SubmergeOrStrike):
            return Dive(request.submarines if self.dives(s, request) else 0)
        if isinstance(request, ChooseBattle):
            return Fight((*request.battles, *request.optional)[0])
        if isinstance(request, EngageOrIgnore):
            return Engage(True)
        if isinstance(request, ChooseBombardment):
            guns = sorted(
                ((s.facts.units[t].bombard, z, t) for z, row in request.ships.items()
                 for t, n in row.items() for _ in range(n)), reverse=True
            )[: request.limit]  # fmt: skip
            ships: dict[str, dict[str, int]] = {}
            for _, zone, kind in guns:
                ships.setdefault(zone, {}).setdefault(kind, 0)
                ships[zone][kind] += 1
            return Bombard(ships)
        raise AssertionError(request)

    def casualties(self, s: State, request: ChooseCasualties) -> Casualties:
        """Down the order of loss, as long as a hit is left that may strike the unit."""
        (power, named), hits = next(iter(request.units.items())), request.hits
        queue: list[str] = []
        for kind in self.orders[request.of]:
            if kind == DAMAGE:
                queue += [DAMAGE] * named.get("battleship", 0)
            elif kind == "transport":
                continue
            else:
                base, at_sea = kind.removesuffix(SEABORNE), SEABORNE in kind
                for name, n in named.items():
                    if name.split(" (")[0] == base and ("(seaborne)" in name) == at_sea:
                        queue += [name] * n
        if self.keep_land and request.of == "attacker":
            land = [k for k, n in enumerate(queue) if n != DAMAGE and _unit(n).captures]
            if land:
                queue.append(queue.pop(land[-1]))
        air = sub = total = damage = 0
        lost: Counter[str] = Counter()
        all_hits = hits.any + hits.air + hits.sub
        for name in queue:
            if total == all_hits:
                break
            if name == DAMAGE:
                damage += 1
            elif _unit(name).domain == "air" and s.facts.spaces[request.space].sea:
                if air == hits.any + hits.air:
                    continue
                air += 1
                lost[name] += 1
            elif name == "submarine":
                if sub == hits.any + hits.sub:
                    continue
                sub += 1
                lost[name] += 1
            else:
                lost[name] += 1
            total += 1
        # Every whole battleship that sinks has been damaged before, and the other way round.
        sunk = lost.pop("battleship", 0)
        hurt = lost.pop("battleship (damaged)", 0)
        ships = sunk + hurt
        before = named.get("battleship (damaged)", 0)
        from_damaged = min(ships, before)
        from_whole = ships - from_damaged
        damage -= from_whole
        if from_damaged:
            lost["battleship (damaged)"] = from_damaged
        if from_whole:
            lost["battleship"] = from_whole
        spare = all_hits - total
        for load in [*self.loads, None]:
            label = "transport" if load is None else f"transport ({', '.join(sorted(load))})"
            have = named.get(label, 0) - lost[label]
            n = min(spare, have if load is None else min(1, have))
            lost[label] += n
            spare -= n
        choice = {name: n for name, n in lost.items() if n}
        return Casualties({power: choice} if choice else {}, {power: damage} if damage > 0 else {})

    def retreats(self, s: State, request: PressOrRetreat) -> bool:
        ours, theirs = on_strip(s, request.space)
        sea = s.facts.spaces[request.space].sea
        ours_types = {kind.removesuffix(SEABORNE) for kind in ours}
        fighting = {kind for kind in ours_types if s.facts.units[kind].attack}
        enemies = {kind for kind in theirs if s.facts.units[kind].defense}
        planes = {kind for kind in ours_types if s.facts.units[kind].domain == "air"}
        if sea and not fighting:
            return bool(enemies)  # transports alone flee
        if sea and (
            (fighting == planes and enemies == {"submarine"})
            or (fighting == {"submarine"} and enemies == {"fighter"})
        ):
            return True  # nobody can hit; transports are still there
        if self.retreat == "air":
            return fighting == planes == ours_types
        if str(self.retreat).startswith("rounds"):
            return request.round >= int(str(self.retreat).split(":")[1])
        return self.stop is not None and self.stop(ours, theirs)

    def dives(self, s: State, request: SubmergeOrStrike) -> bool:
        how = self.subs[request.power]
        side = on_strip(s, request.space)[0 if request.power == ATTACKER else 1]
        alone = all(kind in ("submarine", "transport") for kind in side)
        return how == "submerge" or (how == "last" and alone)


def _unit(name: str) -> Any:
    return book().units[name.split(" (")[0]]


def on_strip(s: State, space: str) -> tuple[dict[str, int], dict[str, int]]:
    """Units of both sides in a battle, by type; seaborne ones apart."""
    sides: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for unit, n in s.stack(space).items():
        if unit.duty in ("submerged", "fought"):
            continue
        side = sides[0 if unit.power == ATTACKER else 1]
        kind = unit.type + (SEABORNE if unit.duty == "seaborne" else "")
        side[kind] = side.get(kind, 0) + n
    return sides


def play(begin: State, player: Player, seed: int) -> State:
    """Fight the battle; the state when Conduct Combat is over."""
    rng = random.Random(seed)
    s = begin.copy()

    def draw(kind: str, lines: object, dice: int, sides: int) -> tuple[int, ...]:
        return tuple(int(rng.random() * sides) + 1 for _ in range(dice))

    g: Table[State] = Table(s, draw, lambda event: None, lambda strict: None)
    game = conduct_combat(g)
    try:
        asked = next(game)
        while True:
            answers = {}
            for request in asked.requests:
                answers[request.power] = player.answer(s, request)
                request.check(s, answers[request.power])  # type: ignore[attr-defined]
            asked = game.send(answers)
    except StopIteration:
        return s


def left(s: State) -> Left:
    """What is left of both sides, cargo included."""
    sides: Left = (Counter(), Counter())
    for _, unit, n in s.units():
        for piece in (unit, *unit.cargo):
            sides[0 if piece.power == ATTACKER else 1][piece.type] += n
    return sides
