"""Whole games over the network: what is told, the past, and the end."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fastapi import FastAPI

import sandtable
from sandtable.kernel.dice import SeededDice, VerifiedDice
from sandtable.kernel.game import Rolled
from sandtable.kernel.savefile import save_text
from sandtable.kernel.saves import load, verify
from tests.server.conftest import EITHER, Player, guest
from tests.server.playing import MINE, THEIRS, Watcher, decide, places, table, watching


def halves(player: Player, game: str, options: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The powers of a game for two players."""
    found = places(player, game, options)
    middle = len(found) // 2
    return flat(found[:middle]), flat(found[middle:])


def flat(seats: list[list[str]]) -> list[str]:
    return [power for powers in seats for power in powers]


def two_handed(anna: Player, ben: Player, game: str, **options: Any) -> str:
    """A started game between Anna and Ben."""
    hers, his = halves(anna, game, options)
    return table(anna, game, [(anna, hers), (ben, his)], options=options)


def play(
    id: str, players: dict[Watcher, Player], rng: random.Random, most: int, undo: float = 0.0
) -> int:
    """Play at random until it is over, or for so many versions; the version reached."""
    version = max(watcher.mirror.version for watcher in players)
    end = version + most
    while version < end:
        for watcher, player in players.items():
            mirror = watcher.until(version)
            if mirror.undo and rng.random() < undo:
                body = {"power": mirror.undo, "version": version}
                version = player.post(f"/api/games/{id}/undo", body)["version"]
                break
            if mirror.pending:
                version = decide(player, id, rng.choice(mirror.pending)["power"], version, rng)
                break
        else:
            break
    for watcher in players:
        watcher.until(version)
    return version


@EITHER
def test_a_whole_game_between_two_with_a_spectator_ends_and_verifies(
    anna: Player, ben: Player, app: FastAPI
) -> None:
    id = two_handed(anna, ben, "blitz", scenario="A")
    carl = guest(app, "Carl")
    with watching(anna, id) as hers, watching(ben, id) as his, watching(carl, id) as other:
        assert hers.mirror.info["secret"] is None
        commitment = hers.mirror.info["commitment"]
        version = play(id, {hers: anna, his: ben}, random.Random(5), 1000)
        other.until(version)
        info = hers.until_type("info")["info"]
        assert info["status"] == "over"
        assert info["result"]["winners"]
        assert info["entropy"] == [MINE, THEIRS]
        assert hers.mirror.log == his.mirror.log == other.mirror.log
        assert other.mirror.pending == [] and other.mirror.undo == ""
    text = carl.http.get(f"/api/games/{id}/save").text
    found = verify(text.encode())
    assert found.ok, found.problem
    assert found.commitment == commitment
    assert found.rolls > 0
    anna.post(f"/api/games/{id}/undo", {"power": "germany", "version": version}, 409)


@pytest.mark.parametrize("game", ["aa1942", "blitz"])
def test_who_reconnects_at_any_time_has_what_a_newcomer_has(
    anna: Player, ben: Player, game: str
) -> None:
    rng = random.Random(3)
    id = two_handed(anna, ben, game)
    with watching(anna, id) as hers, watching(ben, id) as his:
        left: list[tuple[int, list[Any]]] = []
        for _ in range(12):
            play(id, {hers: anna, his: ben}, rng, 8, undo=0.3)
            left.append((his.mirror.version, list(his.mirror.log)))
        stands = {step["version"] for step in anna.get(f"/api/games/{id}/history")["steps"]}
        assert any(version not in stands for version, _ in left), "nothing was ever taken back"
        for version, log in left:
            with watching(ben, id, version=version, log=len(log)) as back:
                back.mirror.log = [
                    log[number] if line is None else line
                    for number, line in enumerate(back.mirror.log)
                ]
                assert back.mirror.seen() == his.mirror.seen()
        with watching(ben, id) as fresh:
            assert fresh.mirror.seen() == his.mirror.seen()


@pytest.mark.parametrize("game", ["aa1942", "blitz"])
def test_the_timeline_shows_what_was_seen(anna: Player, ben: Player, game: str) -> None:
    rng = random.Random(4)
    id = two_handed(anna, ben, game)
    seen: dict[int, Any] = {}
    with watching(anna, id) as hers, watching(ben, id) as his:
        for _ in range(70):
            version = play(id, {hers: anna, his: ben}, rng, 1, undo=0.1)
            seen[version] = hers.mirror.seen()[1]
        log = hers.mirror.log
    steps = anna.get(f"/api/games/{id}/history")["steps"]
    for step in steps:
        lines = log[slice(*step["lines"])]
        assert step["text"] == lines[0]["text"] if lines else "has decided" in step["text"]
    stands = {step["version"] for step in steps}
    gone = 0
    for version, picture in seen.items():
        answer = anna.http.get(f"/api/games/{id}/view", params={"at": version})
        if answer.status_code == 404:
            gone += 1
            assert version not in stands
            continue
        then = answer.json()
        assert then["version"] == version
        spaces = {name: what for name, what in then["picture"]["spaces"].items() if what}
        assert {**then["picture"], "spaces": spaces} == picture
    assert gone
    assert stands <= set(seen)
    assert all(step["text"] and step["level"] in (0, 1, 2) for step in steps)
    anna.get(f"/api/games/{id}/view", 404, at=10_000)
    figures = anna.get(f"/api/games/{id}/history")["figures"]
    assert figures[0]["version"] == 0 and figures[0]["values"]


def test_a_save_goes_on_and_can_be_finished(anna: Player, ben: Player) -> None:
    game = sandtable.new("blitz", seed=11, options={"scenario": "A"})
    rng = random.Random(1)
    for _ in range(20):
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
    hers, his = halves(anna, "blitz", {})
    id = table(anna, "blitz", [(anna, hers), (ben, his)], save=save_text(game))
    with watching(anna, id) as first, watching(ben, id) as second:
        assert first.mirror.version == 20
        assert len(anna.get(f"/api/games/{id}/history")["steps"]) == 20
        assert first.mirror.undo == ""
        play(id, {first: anna, second: ben}, rng, 1000)
    text = anna.http.get(f"/api/games/{id}/save").text
    again = load(text.encode())
    assert again.result is not None
    assert list(again.journal)[: game.version] == list(game.journal)


def test_nobody_knows_the_dice_of_a_game_that_goes_on_from_a_save(
    anna: Player, ben: Player
) -> None:
    game = sandtable.new("blitz", seed=11, options={"scenario": "A"})
    rng = random.Random(1)
    for _ in range(20):
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
    hers, his = halves(anna, "blitz", {})
    id = table(anna, "blitz", [(anna, hers), (ben, his)], save=save_text(game))
    begun = anna.get(f"/api/games/{id}")
    assert begun["entropy"] == [MINE, THEIRS] and begun["secret"] is None
    with watching(anna, id) as first, watching(ben, id) as second:
        play(id, {first: anna, second: ben}, rng, 1000)
    over = anna.get(f"/api/games/{id}")
    dice = VerifiedDice(over["secret"], tuple(over["entropy"]), id)
    assert dice.commitment == begun["commitment"]
    text = anna.http.get(f"/api/games/{id}/save").content
    found = verify(text)
    assert found.ok and found.commitment == begun["commitment"]
    rolls = [entry for entry in load(text).journal if isinstance(entry, Rolled)]
    before = sum(isinstance(entry, Rolled) for entry in game.journal)
    assert 0 < before < len(rolls)
    assert all(
        roll.faces == (SeededDice(11) if n < before else dice).roll(n, len(roll.faces), roll.sides)
        for n, roll in enumerate(rolls)
    )
    # And so on: from this save as well.
    once_more = table(anna, "blitz", [(anna, [*hers, *his])], save=text.decode())
    assert verify(anna.http.get(f"/api/games/{once_more}/save").content).ok


def test_a_won_game_of_aa1942_is_over_at_once(anna: Player, ben: Player) -> None:
    control = dict.fromkeys(
        ["karelia_ssr", "india", "western_united_states", "russia", "united_kingdom"], "japan"
    )
    position = {"base": "empty", "turn": "united_states", "phase": "purchase", "control": control}
    game = sandtable.new("aa1942", seed=1, position=position)
    seats = [
        (anna, ["germany", "japan"]),
        (ben, ["soviet_union", "united_kingdom", "united_states"]),
    ]
    id = table(anna, "aa1942", seats, save=save_text(game))
    with watching(ben, id) as his:
        play(id, {his: ben}, random.Random(1), 50)
        his.until_type("info")
        assert his.mirror.info["status"] == "over"
        assert his.mirror.info["result"]["winners"] == ["germany", "japan"]
    assert ben.get("/api/games", list="mine")["games"][0]["result"]["winners"]


def test_bots_play_until_a_person_has_to(anna: Player) -> None:
    powers = places(anna, "blitz", {})
    mine, others = powers[-1], flat(powers[:-1])
    id = table(anna, "blitz", [(anna, mine), ("greedy", others)])
    with watching(anna, id) as hers:
        while not hers.mirror.pending:
            hers.next()
        version = hers.mirror.version
        assert version > 0
        steps = anna.get(f"/api/games/{id}/history")["steps"]
        assert {step["power"] for step in steps} <= set(others)
        decide(anna, id, hers.mirror.pending[0]["power"], version, random.Random(1))
        hers.until(version + 1)


def test_bots_play_a_whole_game_by_themselves(anna: Player) -> None:
    id = table(anna, "blitz", [("random", powers) for powers in places(anna, "blitz", {})])
    with watching(anna, id) as hers:
        while hers.mirror.info["status"] != "over":
            hers.next()
    assert verify(anna.http.get(f"/api/games/{id}/save").content).ok


def test_what_is_observed_names_the_version_to_decide_for(anna: Player, ben: Player) -> None:
    hers, his = halves(anna, "blitz", {})
    id = table(anna, "blitz", [(anna, hers), (ben, his)])
    with watching(anna, id) as first, watching(ben, id) as second:
        play(id, {first: anna, second: ben}, random.Random(3), 25)
        version = first.mirror.version
        for player, powers in ((anna, hers), (ben, his)):
            seen = player.get(f"/api/games/{id}/observe", power=powers[0])
            assert seen["version"] == version, "not the length of the journal: it tells of rolls"
            later = player.get(f"/api/games/{id}/observe", power=powers[0], since=3)
            assert later == {**seen, "events": seen["events"][3:]}
            assert seen["events_in_all"] == len(seen["events"]) > 3
