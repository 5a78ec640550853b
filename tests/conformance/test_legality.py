"""One legality check: `legal` and `submit` agree; only a legal decision has an effect."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable import IllegalDecision
from sandtable.kernel import registry
from sandtable.kernel.decisions import Decision, Request, plain
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table
from tests.conformance.driver import first, new, seeds_of, step, steps_of, stride_of
from tests.conformance.mutation import garbage, mutated, names_in
from tests.kernel.toy import FIELDS, Place, PlaceStones, ToyRules, ToyState

LISTED = 12
"""How many of the listed decisions are tried at one point."""

MUTANTS = 20
"""How many wrong decisions are tried at one point."""


def points(game_id: str) -> Iterator[tuple[sandtable.Game, Request, random.Random]]:
    """Games at many points, each with one of the pending requests; rolls are requests too."""
    for seed in seeds_of(game_id):
        game = new(game_id, seed=seed, chance="explicit")
        rng = random.Random(seed)
        for number in range(steps_of(game_id)):
            if not game.pending:
                break
            if number % stride_of(game_id) == 0:
                luck = random.Random(f"{seed} {number}")
                yield game, luck.choice(game.pending), luck
            step(game, rng)


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(plain(value)))


def assert_unchanged(game: sandtable.Game, before: sandtable.Game, hash_before: str) -> None:
    assert game.version == before.version
    assert game.pending == before.pending
    assert len(game.events) == len(before.events)
    assert game.hash == hash_before


def outcome(game: sandtable.Game, power: str, decision: object) -> tuple[bool, sandtable.Game]:
    """Whether a copy of the game takes the decision; the copy."""
    copy = game.clone()
    try:
        copy.submit(power, decision)
    except IllegalDecision as error:
        assert error.reason.strip()
        return False, copy
    return True, copy


def test_every_request_and_decision_survives_json(game_id: str) -> None:
    for game, request, rng in points(game_id):
        again = msgspec.convert(through_json(request), type(request), str_keys=True)
        assert again == request
        decision = game.legal(request).sample(rng)
        sent = through_json(decision)
        assert sent["kind"] == decision.kind
        assert "by" not in sent  # That is where a save says who decided.
        assert msgspec.convert(sent, type(decision), str_keys=True) == decision
        typed, from_json = game.clone(), game.clone()
        typed.submit(request.power, decision)
        from_json.submit(request.power, sent)
        assert from_json.hash == typed.hash
        assert list(from_json.journal) == list(typed.journal)
        assert list(from_json.events) == list(typed.events)


def test_sampled_decisions_are_legal_and_accepted(game_id: str) -> None:
    for game, request, rng in points(game_id):
        legal = game.legal(request)
        for _ in range(3):
            decision = legal.sample(rng)
            assert decision in legal
            accepted, _ = outcome(game, request.power, decision)
            assert accepted


def test_listed_decisions_are_legal_accepted_and_different(game_id: str) -> None:
    for game, request, _ in points(game_id):
        legal = game.legal(request)
        listed = first(legal, LISTED)
        assert listed, f"{request} lists no decision"
        assert listed == first(legal, LISTED)
        texts = [json.dumps(plain(decision), sort_keys=True) for decision in listed]
        assert len(set(texts)) == len(texts)
        for decision in listed:
            assert decision in legal
            accepted, _ = outcome(game, request.power, decision)
            assert accepted


def test_legal_and_submit_agree_on_changed_decisions(game_id: str) -> None:
    seen = {True: 0, False: 0}
    names: set[str] = set()
    for game, request, rng in points(game_id):
        names |= names_in(through_json(request)) | names_in(game.state.plain())
        words = sorted(names)
        legal = game.legal(request)
        before = game.hash
        original = through_json(legal.sample(rng))
        for _ in range(MUTANTS):
            mutant = mutated(original, words, rng)
            allowed = mutant in legal
            accepted, copy = outcome(game, request.power, mutant)
            assert accepted == allowed, mutant
            if accepted:
                assert copy.version > game.version
            else:
                assert_unchanged(copy, game, before)
            seen[accepted] += 1
        assert_unchanged(game, game, before)
    # Both happen, or nothing was tested.
    assert seen[True] > 0
    assert seen[False] > 0


def test_refusals_say_names_and_end_with_one_full_stop(game_id: str) -> None:
    ids: set[str] = set()
    sent: set[str] = set()
    refused = set()
    for game, request, rng in points(game_id):
        about = game.rules.about(game.state)
        facts = getattr(game.state, "facts", None)
        things = {*getattr(facts, "names", ()), *getattr(facts, "commanders", ())}
        things |= {power.id for power in about.powers} | {type_.id for type_ in about.types}
        # What has an underscore, a point or a number in it is no word, nor is a space in small.
        ids |= {id for id in things if re.search(r"[a-z]\d|_|\.", id)}
        # The number of a hex is on the map, and in its name.
        ids |= {id for id, name in about.names.items() if id not in name}
        sent |= ids | names_in(through_json(request)) | names_in(game.state.plain())
        legal = game.legal(request)
        original = through_json(legal.sample(rng))
        for _ in range(3 * MUTANTS):
            mutant = mutated(original, sorted(sent), rng)
            try:
                legal.read(mutant)
            except IllegalDecision as error:
                said = error.reason
                assert said[0] == said[0].upper(), said
                assert said.endswith(".") and not said.endswith(".."), said
                if error.rule:  # What is merely malformed names its kind as it was sent.
                    # What is no id is quoted as it was sent, whatever is in it.
                    quoted = {word for word in re.findall(r"'([^']*)'", said) if word not in ids}
                    for word in quoted:
                        said = said.replace(f"'{word}'", "")
                    found = ids.intersection(re.findall(r"[\w.]*\w", said))
                    assert not found, (said, mutant)
                    refused.add(error.rule)
    assert refused, "No rule has refused anything."


def test_garbage_changes_nothing(game_id: str) -> None:
    for game, request, rng in points(game_id):
        kinds = [str(answer.__struct_config__.tag) for answer in request.answers]
        before = game.hash
        for _ in range(MUTANTS):
            sent = garbage(rng)
            if isinstance(sent, dict) and rng.random() < 0.7:
                sent["kind"] = rng.choice(kinds)
            allowed = sent in game.legal(request)
            accepted, copy = outcome(game, request.power, sent)
            assert accepted == allowed, sent
            if not accepted:
                assert_unchanged(copy, game, before)
        # On the game itself too, and for whoever is not asked.
        for power in (*game.rules.powers, "nobody", ""):
            with pytest.raises(IllegalDecision):
                game.submit(power, {"kind": rng.choice(("", "nonsense")), "x": garbage(rng)})
        with pytest.raises(IllegalDecision):
            game.submit(request.power, {"kind": kinds[0]}, version=game.version + 1)
        assert_unchanged(game, game, before)


def test_a_power_cannot_answer_for_another(game_id: str) -> None:
    for game, request, rng in points(game_id):
        decision = game.legal(request).sample(rng)
        before = game.hash
        for other in game.pending:
            if decision not in game.legal(other):
                with pytest.raises(IllegalDecision):
                    game.submit(other.power, decision)
        asked = {other.power for other in game.pending}
        for power in game.rules.powers:
            if power not in asked:
                with pytest.raises(IllegalDecision):
                    game.submit(power, decision)
        assert_unchanged(game, game, before)


# --- the tests above can fail --------------------------------------------------------------


class Lenient(PlaceStones, frozen=True, tag="place_stones"):
    """Lists what it does not allow."""

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        yield Place("moon")


class Blind(PlaceStones, frozen=True, tag="place_stones"):
    """Allows what the rules cannot do."""

    def check(self, state: ToyState, decision: Decision) -> None:
        pass


class Silent(PlaceStones, frozen=True, tag="place_stones"):
    """Raises what nobody expects."""

    def check(self, state: ToyState, decision: Decision) -> None:
        if isinstance(decision, Place):
            FIELDS.index(decision.field)


class Mutating(PlaceStones, frozen=True, tag="place_stones"):
    """Changes the state while it only should check."""

    def check(self, state: ToyState, decision: Decision) -> None:
        state.coins["red"] += 1
        super().check(state, decision)


class Opaque(PlaceStones, frozen=True, tag="place_stones"):
    """Carries something that JSON cannot."""

    what: Any = print


def playing(request: type[PlaceStones]) -> ToyRules:
    class Wrong(ToyRules):
        def play(self, g: Table[ToyState]) -> Procedure[Result]:
            for _ in range(30):
                g.checkpoint()
                answer = yield from g.ask(request("red", 2))
                if isinstance(answer, Place):
                    g.state.add_stones(answer.field, "red", 1)
            return Result((), "Over.")

    return Wrong()


@pytest.mark.parametrize(
    ("request_type", "check"),
    [
        (Lenient, test_sampled_decisions_are_legal_and_accepted),
        (Lenient, test_listed_decisions_are_legal_accepted_and_different),
        (Blind, test_legal_and_submit_agree_on_changed_decisions),
        (Silent, test_legal_and_submit_agree_on_changed_decisions),
        (Mutating, test_legal_and_submit_agree_on_changed_decisions),
        (Mutating, test_garbage_changes_nothing),
        (Opaque, test_every_request_and_decision_survives_json),
    ],
)
def test_a_wrong_request_is_found(request_type: Any, check: Any) -> None:
    registry.add(playing(request_type))
    with pytest.raises((AssertionError, sandtable.SandtableError, TypeError)):
        check("toy")
    registry.add(playing(PlaceStones))
    check("toy")
