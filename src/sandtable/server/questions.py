"""What a player asks about a position: forms, legal decisions, reach and odds. They look at a copy
of the game and change nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from sandtable.kernel.decisions import Decision, Legal, Request, plain, read_decision
from sandtable.kernel.display import (
    Calculator,
    Form,
    NoQuestion,
    Plan,
    Reach,
    Row,
    Way,
    reckoning,
)
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Game, Rolled
from sandtable.server.schemas import (
    Draft,
    EditorAnswer,
    LegalDecisions,
    OddsAnswer,
    PlanQuestion,
    Verdict,
    WhatIfAnswer,
    WhatIfQuestion,
)

SECRET = "What others decide in secret is known when all have decided."
LEGAL_SECONDS = 1.0
"""So long legal decisions are looked for."""


def form(game: Game, request: Request) -> Form:
    """The request as a client shows it."""
    legal = game.legal(request)
    made = game.rules.form(legal)
    # In an offer the request stands for "the same, or pass".
    offered = legal.request is not legal.asked
    return msgspec.structs.replace(made, optional=True) if offered else made


def draft(game: Game, request: Request, first: Sequence[dict[str, Any]]) -> Draft:
    """The form of a request as it would be after some decisions of an order sheet."""
    asked = game.legal(request)
    legal = Legal(asked.asked, asked.state.copy())
    refused, reason = [], ""
    for number, given in enumerate(first):
        try:
            game.rules.draft(legal, legal.read(given))
        except (IllegalDecision, NoQuestion) as error:
            refused.append(number)
            reason = reason or str(error)
    return Draft(game.rules.form(legal), refused, reason)


def editor(game: Game, space: str, power: str) -> EditorAnswer:
    """What can be changed by hand about a space, the units of a power and the whole position."""
    if game.no_edit:
        return EditorAnswer(None, game.no_edit)
    try:
        return EditorAnswer(game.rules.editor(game.state, space, power))
    except NoQuestion as none:
        return EditorAnswer(None, str(none))


def legal_decisions(game: Game, request: Request, limit: int) -> LegalDecisions:
    """All legal decisions if they are at most `limit`, otherwise some at random."""
    legal = game.legal(request)
    end = time.monotonic() + LEGAL_SECONDS
    found: list[Decision] = []
    complete = True
    for decision in legal:
        if len(found) == limit or time.monotonic() > end:
            complete = False
            break
        found.append(decision)
    if not complete or not found:
        found = _sampled(legal, limit, time.monotonic() + LEGAL_SECONDS) or found
        complete = False
    return LegalDecisions([plain(decision) for decision in found], complete)


def check(game: Game, request: Request, decision: object) -> Verdict:
    """Whether a decision is allowed."""
    try:
        game.legal(request).read(decision)
    except IllegalDecision as error:
        return Verdict(False, error.reason, error.rule)
    return Verdict(True, "", "")


def reach(
    game: Game, request: Request, space: str, chosen: Mapping[str, int], *, some: bool = False
) -> Reach:
    """Where chosen units can go; NoQuestion if they cannot be chosen so. With `some` units that
    cannot go may stay, and those that do not move together go one after the other."""
    legal = game.legal(request)
    if some:
        for mover in game.rules.form(legal).movers:
            if mover.space == space and not mover.single:
                rows = [row for row in mover.rows if chosen.get(row.key, 0) > 0]
                if len(rows) > 1 and not any(row.cargo for row in rows):
                    return _reach_of_some(game, legal, space, rows, chosen)
    return game.rules.reach(legal, space, chosen)


def _reach_of_some(
    game: Game, legal: Legal, space: str, rows: Sequence[Row], chosen: Mapping[str, int]
) -> Reach:
    """Where any of the chosen units can go, with all others that can."""

    @cache
    def ask(keys: tuple[str, ...]) -> Reach:
        try:
            return game.rules.reach(legal, space, {key: chosen[key] for key in keys})
        except NoQuestion as none:
            return Reach({}, elsewhere=str(none))

    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row.key)
    alone = {row.key: ask((row.key,)) for row in rows}
    # Together they may be strong enough where nobody is alone.
    whole = [ask(tuple(members)) for members in groups.values()]
    ways: dict[str, Way] = {}
    for goal in dict.fromkeys(goal for reach in (*alone.values(), *whole) for goal in reach.ways):
        parts: list[tuple[tuple[str, ...], Way]] = []
        for members in groups.values():
            able = tuple(key for key in members if goal in alone[key].ways)
            if goal in ask(tuple(members)).ways:
                able = tuple(members)
            # If they cannot all go together, each goes by itself.
            joint = [able] if able and goal in ask(able).ways else [(key,) for key in able]
            parts += [(keys, ask(keys).ways[goal]) for keys in joint]
        (_, way), *others = parts
        gone = {key for keys, _ in parts for key in keys}
        ways[goal] = msgspec.structs.replace(
            way,
            then=tuple(other.decisions[0].decision for _, other in others),
            stay={row.key: chosen[row.key] for row in rows if row.key not in gone},
        )
    refused = {
        goal: why
        for reach in (*reversed(alone.values()), *whole)
        for goal, why in reach.refused.items()
        if goal not in ways
    }
    elsewhere = next((reach.elsewhere for reach in alone.values() if reach.elsewhere), "")
    landings = dict.fromkeys(place for reach in alone.values() for place in reach.landings)
    return Reach(ways, refused, elsewhere, tuple(landings))


def plan(game: Game, request: Request, asked: PlanQuestion) -> Plan:
    """What it takes to give courses another capacity."""
    wanted = {each.ends: each.capacity for each in asked.wanted}
    return game.rules.plan(game.legal(request), wanted)


def odds(
    game: Game,
    power: str,
    space: str,
    decision: dict[str, Any] | None,
    first: Sequence[dict[str, Any]] = (),
    powers: Collection[str] = (),
) -> OddsAnswer:
    """The odds of a battle as it stands, or after a decision, and others before it; or why there
    are none, which is no mistake of whoever asks: the game may have moved on. `powers` are all that
    they run: what others have decided in secret, odds do not tell either."""
    game = game.clone()
    waiting = {each.power for each in game.pending}
    if {each.power for each in game.asked.requests} - waiting - {power, *powers}:
        return OddsAnswer(None, SECRET)
    try:
        answer: Decision | None = None
        for each in first:
            before, asked, told = game.version, game.asked, len(game.events)
            game.submit(power, each)
            shown = not game.asked.any or any(e.to is None for e in game.events.since(told))
            if asked.any and shown:
                # It was the last that was waited for.
                return OddsAnswer(None, SECRET)
            if any(isinstance(entry, Rolled) for entry in game.journal.since(before)):
                return OddsAnswer(None, "What the dice show is not known yet.")
        if decision is not None:
            request = next((each for each in game.pending if each.power == power), None)
            if request is None:
                return OddsAnswer(None, "Nothing waits for you just now.")
            answer = read_decision(decision, game.legal(request).request.answers)
        return OddsAnswer(game.rules.odds(game, space, answer, power))
    except NoQuestion as none:
        return OddsAnswer(None, str(none))
    except IllegalDecision as illegal:
        return OddsAnswer(None, illegal.reason)


def what_if(game: Game, asked: WhatIfQuestion) -> WhatIfAnswer:
    """The battle calculator of a space, and its answer; or why there is none."""
    found: Calculator | None = None
    try:
        found = game.rules.calculator(game, asked.space, asked.power)
        given = reckoning(found, asked.attack, asked.defend, asked.settings)
        if not given.attack or not given.defend:
            return WhatIfAnswer(found, None, "Put units on both sides.")
        return WhatIfAnswer(found, game.rules.reckon(game, found, given))
    except NoQuestion as none:
        return WhatIfAnswer(found, None, str(none))


def _sampled(legal: Legal, limit: int, end: float) -> list[Decision]:
    """Different decisions at random, as many as are found in the time."""
    rng = random.Random()
    found: dict[bytes, Decision] = {}
    tries = 0
    while len(found) < limit and tries < 4 * limit and time.monotonic() < end:
        decision = legal.sample(rng)
        found.setdefault(msgspec.json.encode(decision), decision)
        tries += 1
    return list(found.values())
