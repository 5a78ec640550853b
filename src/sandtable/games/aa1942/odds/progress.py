"""A battle that is being played, taken over as it stands: the board and the record of the combat
tell all that matters, within a round too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sandtable.games.aa1942.model import Stack, State
from sandtable.games.aa1942.odds.book import SEABORNE, Book, book_of
from sandtable.games.aa1942.odds.land import answer_land, land_lines
from sandtable.games.aa1942.odds.policy import read_policy
from sandtable.games.aa1942.odds.questions import Question
from sandtable.games.aa1942.odds.rest import ANTIAIRCRAFT, land_start, sea_start
from sandtable.games.aa1942.odds.sea import answer_sea, fleets
from sandtable.games.aa1942.rules.casualties import Casualties, ChooseCasualties, Hits
from sandtable.games.aa1942.rules.combat import Battle
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.result import Result

RESTS = ("press_or_retreat", "submerge_or_strike", "choose_casualties", "choose_bombardment")


def in_progress(game: Game, chosen: Casualties | None = None, **options: Any) -> Result:
    """The odds of the battle in which a game rests, if it is fought on from here.

    Between two rounds, that is where the attacker may retreat or submarines may submerge, at least
    one more round is fought. Where casualties have to be chosen, the hits are taken as
    `chosen` says or by the stated order of loss, and the round is fought to its end; it counts as
    the first of `rounds:N`. Where
    ships may bombard, all that are allowed to do. The options are those of `Policy`, and
    `territory`.
    """
    request: Any = next(iter(game.pending), None)
    if request is None or request.kind not in RESTS:
        what = f"waits for {request.kind.replace('_', ' ')}" if request else "is over"
        raise OddsError(f"The game {what}; it does not rest in a battle.")
    s: State = game.state
    if s.step == "raids":
        raise OddsError("The game waits for casualties of a bombing raid, not of a battle.")
    bombards = request.kind == "choose_bombardment"
    battle = Battle(s, request.territory if bombards else request.space)
    b = book_of(s.facts)
    attack = counted_side(b, battle.attackers)
    landed = {kind: n for kind, n in attack.items() if kind.endswith(SEABORNE)}
    territory = float(options.pop("territory", 0.0))
    options.setdefault("can_retreat", bool(battle.retreat_spaces()) or not on_foot(battle))
    q = Question(
        b,
        {kind: n for kind, n in attack.items() if kind not in landed},
        counted_side(b, battle.defenders),
        read_policy(options).ashore(bool(landed)),
        battle.sea,
        damaged=(damaged_ships(battle.attackers), damaged_ships(battle.standing())),
        territory=territory,
        begun=True,
    )
    if bombards:
        guns = sorted(
            b.units[t].bombard
            for row in request.ships.values()
            for t, n in row.items()
            for _ in range(n)
        )
        q.begun = False
        return answer_land(q, landed, tuple(guns[::-1][: request.limit]))
    if request.kind != "choose_casualties":
        return answer_sea(q) if battle.sea else answer_land(q, landed)
    return _within_a_round(battle, request, q, landed, chosen)


def _within_a_round(
    battle: Battle,
    request: ChooseCasualties,
    q: Question,
    landed: Mapping[str, int],
    chosen: Casualties | None,
) -> Result:
    """The odds where casualties have to be chosen."""
    record, hits = battle.record, request.hits
    if record.step == "bombardment":
        q.begun = False
        # So many guns that cannot miss.
        return answer_land(q, landed, (q.book.numbers.die,) * hits.any)
    gone = counted_side(q.book, dict(record.condemned))
    q = replace(q, gone=({}, gone))
    if chosen is not None:
        q, hits = _taken(q, request.of == "attacker", chosen), Hits()
        gone = q.gone[1]
    if not q.sea:
        if record.step == ANTIAIRCRAFT and chosen is None:
            q.gone = (_shot_down(q, landed, hits.any), gone)
        lines = land_lines(q, {**q.attack, **landed})
        before = sum(q.gone[0].values()), sum(gone.values())
        return answer_land(
            q, landed, start=land_start(*lines[:2], before, record.step, hits.any, q.book.numbers)
        )
    ours, theirs, dive = fleets(q)
    dives = dive[0] > 0, dive[1] > 0
    lost = _layered(q, q.gone[0]), _layered(q, gone)
    return answer_sea(q, sea_start(ours, theirs, dives, lost, hits, record, q.book.numbers.die))


def _layered(q: Question, gone: Mapping[str, int]) -> tuple[int, int, int]:
    """How many ships, submarines and aircraft are gone."""
    air = sum(n for kind, n in gone.items() if q.book.units[kind].domain == "air")
    subs = gone.get("submarine", 0)
    return sum(gone.values()) - subs - air, subs, air


def _taken(q: Question, attacker: bool, chosen: Casualties) -> Question:
    """The question when these have been lost, and battleships damaged."""
    gone, damaged = [dict(side) for side in q.gone], list(q.damaged)
    at = 0 if attacker else 1
    for names in chosen.lost.values():
        for name, number in names.items():
            kind, _, mark = name.partition(" (")
            kind += SEABORNE if mark.startswith("seaborne") else ""
            gone[at][kind] = gone[at].get(kind, 0) + number
            damaged[at] -= number if mark.startswith("damaged") else 0
    damaged[at] += sum(chosen.damaged.values())
    return replace(q, gone=(gone[0], gone[1]), damaged=(max(damaged[0], 0), max(damaged[1], 0)))


def counted_side(b: Book, side: Stack) -> dict[str, int]:
    """Units by type, in the order of the book; those that came from the sea apart."""
    number: Counter[str] = Counter()
    for unit, n in side.items():
        number[unit.type + SEABORNE if unit.duty == "seaborne" else unit.type] += n
    return {kind: number[kind] for kind in b.kinds if kind in number}


def on_foot(battle: Battle) -> bool:
    """Whether there are attackers that need a space to retreat to."""
    return any(
        unit.type not in battle.s.facts.air and unit.duty != "seaborne" for unit in battle.attackers
    )


def damaged_ships(side: Stack) -> int:
    return sum(n for unit, n in side.items() if unit.duty == "damaged")


def _shot_down(q: Question, landed: Mapping[str, int], hits: int) -> dict[str, int]:
    """The aircraft that antiaircraft fire takes, by the order of loss."""
    ours = land_lines(q, {**q.attack, **landed})[0]
    planes = ours.kinds[ours.exposed > 0][:hits].tolist()
    return dict(Counter(q.book.kinds[kind] for kind in planes))
