"""A battle that is being played, taken over as it stands.

Between two rounds the board shows all that matters. Within a round three things are not on it:
which units are behind the casualty strip, who has fired, and where the attackers may retreat to.
The events of the round and a copy of the game that is played on with dice that miss tell them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sandtable.games.aa1942.model import Stack, State
from sandtable.games.aa1942.odds.book import SEABORNE, book
from sandtable.games.aa1942.odds.land import answer_land, land_lines
from sandtable.games.aa1942.odds.policy import Policy
from sandtable.games.aa1942.odds.questions import Question
from sandtable.games.aa1942.odds.rest import (
    ANTIAIRCRAFT,
    STRIKE,
    STRIKE_BACK,
    Hits,
    Round,
    land_start,
    sea_start,
)
from sandtable.games.aa1942.odds.sea import answer_sea, fleets
from sandtable.games.aa1942.rules.combat import Battle, Dive
from sandtable.kernel.decisions import CHANCE, Roll
from sandtable.kernel.game import Game
from sandtable.kernel.ruleset import Event
from sandtable.odds.errors import OddsError
from sandtable.odds.result import Result

RESTS = ("press_or_retreat", "submerge_or_strike", "choose_casualties", "choose_bombardment")
FIRE = ("fired", "antiaircraft", "bombarded", "raid_fire")


@dataclass
class _Foreseen:
    """What a round that is played to its end brings to light."""

    lost: dict[str, int] = field(default_factory=dict)
    """Defenders that were behind the casualty strip."""
    damaged: int = 0
    """Defending battleships with one hit."""
    can_retreat: bool | None = None
    """None if nobody was left who could be asked."""


def in_progress(game: Game, **options: Any) -> Result:
    """The odds of the battle in which a game rests, if it is fought on from here.

    Between two rounds, that is where the attacker may retreat or submarines may submerge, at least
    one more round is fought. Where casualties have to be chosen, the hits are taken by the stated
    order of loss and the round is fought to its end; it counts as the first of `rounds:N`. Where
    ships may bombard, all that are allowed to do. The options are those of `Policy`, and
    `territory`.
    """
    request: Any = next(iter(game.pending), None)
    if request is None or request.kind not in RESTS:
        what = f"waits for {request.kind.replace('_', ' ')}" if request else "is over"
        raise OddsError(f"The game {what}; it does not rest in a battle.")
    bombards = request.kind == "choose_bombardment"
    space = request.territory if bombards else request.space
    if request.kind == "choose_casualties" and _last_fire(game, space)[0].kind == "raid_fire":
        raise OddsError("The game waits for casualties of a bombing raid, not of a battle.")
    s: State = game.state
    battle = Battle(s.copy(), space)
    attack = counted_side(battle.attackers)
    landed = {kind: n for kind, n in attack.items() if kind.endswith(SEABORNE)}
    ours = {kind: n for kind, n in attack.items() if kind not in landed}
    damaged = damaged_ships(battle.attackers), damaged_ships(battle.defenders)
    theirs = counted_side(battle.defenders)
    territory = float(options.pop("territory", 0.0))
    seen = _Foreseen() if bombards else _foresee(game, space)
    if seen.can_retreat is None:
        seen.can_retreat = bool(battle.retreat_spaces()) or not on_foot(battle)
    options.setdefault("can_retreat", seen.can_retreat)
    play = Policy(**options)
    q = Question(ours, theirs, play, battle.sea, damaged=damaged, territory=territory, begun=True)
    if bombards:
        units = book().units
        guns = sorted(
            units[t].bombard
            for row in request.ships.values()
            for t, n in row.items()
            for _ in range(n)
        )
        q.begun = False
        return answer_land(q, landed, tuple(guns[::-1][: request.limit]))
    if request.kind != "choose_casualties":
        return answer_sea(q) if battle.sea else answer_land(q, landed)
    return _within_a_round(game, request, q, landed, seen)


def _within_a_round(
    game: Game, request: Any, q: Question, landed: Mapping[str, int], seen: _Foreseen
) -> Result:
    """The odds where casualties have to be chosen."""
    fire, this_round = _last_fire(game, request.space)
    hits = Hits(request.hits.any, request.hits.air, request.hits.sub)
    if fire.kind == "bombarded":
        q.begun = False
        # So many guns that cannot miss.
        return answer_land(q, landed, (book().numbers.die,) * hits.any)
    gone, hurt = seen.lost, seen.damaged
    if request.of == "defender":
        standing: Counter[str] = Counter()
        for named in request.units.values():
            for name, n in named.items():
                standing[name.partition(" (")[0]] += n
        gone = dict(Counter(q.defend) - standing)
        hurt = sum(row.get("battleship (damaged)", 0) for row in request.units.values())
    q = replace(q, gone=({}, gone), damaged=(q.damaged[0], hurt))
    step = fire.data.get("step", ANTIAIRCRAFT)
    if not q.sea:
        if step == ANTIAIRCRAFT:
            q.gone = (_shot_down(q, landed, hits.any), gone)
        lines = land_lines(q, {**q.attack, **landed})
        before = sum(q.gone[0].values()), sum(gone.values())
        return answer_land(q, landed, start=land_start(*lines[:2], before, step, hits.any))
    # What destroyers cancel was settled when the round began.
    lost = {e.data["of"] for e in this_round if e.kind == "lost" and _names(e, "destroyer")}
    aided = (
        "destroyer" in q.attack or "attacker" in lost,
        "destroyer" in q.defend or "defender" in lost,
    )
    steps = {e.data["step"] for e in this_round if e.kind == "fired"}
    lurking = step == STRIKE and not aided[0] and "submarine" in q.defend
    now = Round(aided, (STRIKE in steps, lurking or STRIKE_BACK in steps))
    ours, theirs, dive = fleets(q)
    subs, air = gone.get("submarine", 0), gone.get("fighter", 0)
    behind = sum(gone.values()) - subs - air, subs, air
    dives = dive[0] > 0, dive[1] > 0
    return answer_sea(q, sea_start(ours, theirs, dives, behind, step, hits, now))


def counted_side(side: Stack) -> dict[str, int]:
    """Units by type, in the order of the book; those that came from the sea apart."""
    number: Counter[str] = Counter()
    for unit, n in side.items():
        number[unit.type + SEABORNE if unit.duty == "seaborne" else unit.type] += n
    return {kind: number[kind] for kind in book().kinds if kind in number}


def on_foot(battle: Battle) -> bool:
    """Whether there are attackers that need a space to retreat to."""
    return any(
        book().units[unit.type].domain != "air" and unit.duty != "seaborne"
        for unit in battle.attackers
    )


def damaged_ships(side: Stack) -> int:
    return sum(n for unit, n in side.items() if unit.duty == "damaged")


def _names(event: Event, kind: str) -> bool:
    return any(kind in row for row in event.data["units"].values())


def _shot_down(q: Question, landed: Mapping[str, int], hits: int) -> dict[str, int]:
    """The aircraft that antiaircraft fire takes, by the order of loss."""
    ours = land_lines(q, {**q.attack, **landed})[0]
    planes = ours.kinds[ours.exposed > 0][:hits].tolist()
    return dict(Counter(book().kinds[kind] for kind in planes))


def _last_fire(game: Game, space: str) -> tuple[Event, list[Event]]:
    """The fire whose casualties have to be chosen, and the events of its round from the first
    dice on."""
    since: list[Event] = []
    last: Event | None = None
    dice = 0  # the length of `since` up to the first dice of the round
    for k in range(len(game.events) - 1, -1, -1):
        event = game.events[k]
        if space not in (event.data.get("space"), event.data.get("territory")):
            continue
        if event.kind in FIRE:
            if last is not None and event.data.get("round") != last.data.get("round"):
                break
            last = last or event
            dice = len(since) + 1
        since.append(event)
        if event.kind in ("battle_began", "bombarded"):
            break
    assert last is not None, f"nobody has fired in {space}"
    return last, since[:dice]


def _foresee(game: Game, space: str) -> _Foreseen:
    """Play a copy of the game to the end of the round, with dice that all miss."""
    copy = game.clone()
    copy.dice = None
    seen = _Foreseen()
    first = len(copy.events)
    under_way = _last_round(game, space)
    while copy.pending:
        request: Any = copy.pending[0]
        new = [e for e in copy.events.since(first) if e.data.get("space") == space]
        under_way |= {e.data["round"] for e in new if e.kind == "fired"}
        if any(e.kind == "battle_ended" for e in new):
            break
        if request.kind == "press_or_retreat":
            seen.can_retreat = True  # nobody is asked who cannot
            break
        if len(under_way) > 1 or (under_way and request.kind == "submerge_or_strike"):
            # A new round has begun without the question.
            seen.can_retreat = None if not on_foot(Battle(copy.state.copy(), space)) else False
            break
        if request.kind == "roll":
            copy.submit(CHANCE, Roll((request.sides,) * request.dice))
        elif request.kind == "submerge_or_strike":
            copy.submit(request.power, Dive(0))
        else:
            copy.submit(request.power, next(request.propose(copy.state, random.Random(0))))
    for event in copy.events.since(first):
        if event.kind == "lost" and event.data["of"] == "defender":
            for row in event.data["units"].values():
                for kind, n in row.items():
                    seen.lost[kind] = seen.lost.get(kind, 0) + n
            break
    seen.damaged = damaged_ships(Battle(copy.state.copy(), space).defenders)
    return seen


def _last_round(game: Game, space: str) -> set[int]:
    """The number of the round under way, if its dice have fallen."""
    if game.pending[0].kind != "choose_casualties":
        return set()
    fire = _last_fire(game, space)[0]
    return {fire.data["round"]} if fire.kind == "fired" else set()
