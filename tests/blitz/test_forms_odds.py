"""The odds that clients ask for: of a combat announced, intended, or being fought."""

from __future__ import annotations

import pytest

from sandtable.games.blitz import RULES, odds
from sandtable.games.blitz.forms import chances
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, Defend, ResolveAttack
from sandtable.games.blitz.rules.move_land import March
from sandtable.games.blitz.rules.move_to_sea import Sail
from sandtable.games.blitz.rules.steps import Done
from sandtable.kernel.display import NoQuestion
from tests.blitz.table import Play

POLAND = AnnounceAttack(
    "ground", "poland", ("ger_army_group_center", "ger_army_group_north", "ger_luftwaffe")
)


def table() -> Play:
    return Play("A", base="setup", phase="axis_activities", step="F")


def test_the_odds_of_an_intended_attack_are_those_of_the_odds_engine() -> None:
    play = table()
    before = play.game.hash
    found = RULES.odds(play.game, "poland", POLAND, "germany")
    exact = odds.battle(list(POLAND.units), target="poland", game=play.game)
    assert (found.win, found.lose) == (exact.attacker_wins, exact.defender_wins)
    assert found.win + found.lose + found.draw == pytest.approx(1)
    assert found.exact and found.title == "Ground Attack on Poland"
    assert "Without help" in found.note
    assert any("Size" in line for line in found.lines)
    assert play.game.hash == before


def test_an_announced_attack_has_odds_as_it_stands_and_with_the_defence() -> None:
    play = table().do("germany", POLAND)
    play.do("germany", AnnounceAttack("ground", "paris", ("ger_army_group_b", "ger_stukas")))
    play.do("germany", Done())
    alone = RULES.odds(play.game, "paris", None, "afa")
    helped = RULES.odds(
        play.game, "paris", Defend({"1": ("afa_armee_de_l_air", "afa_royal_air_force")}), "afa"
    )
    assert helped.win <= alone.win
    assert "Air Round" in " ".join(helped.lines) and "Air Round" not in " ".join(alone.lines)
    play.do("afa", Defend())
    chosen = RULES.odds(play.game, "paris", ResolveAttack(1), "germany")
    assert chosen.win == alone.win
    assert "Without help" not in chosen.note


def test_a_combat_that_is_being_fought_counts_its_dice() -> None:
    play = table().do("germany", POLAND, Done())
    play.roll(1).roll(6)
    assert play.asked("germany").kind == "assign_damage"
    found = RULES.odds(play.game, "poland", None, "germany")
    # The German die is known to have done nothing.
    assert found.win == 0.0 and found.lose == 1.0


def test_a_ship_that_puts_to_sea_knows_what_it_may_meet() -> None:
    play = Play(
        "campaign",
        phase="axis_activities",
        step="B",
        units={
            "ger_bb_fleet": {"at": "western_germany", "size": 2, "port": "north_sea"},
            "afa_home_fleet": {"at": "north_sea", "size": 2},
        },
    )
    found = RULES.odds(play.game, "north_sea", Sail("ger_bb_fleet", ("north_sea",)), "germany")
    assert found.title == "Combat in North Sea"
    assert found.win + found.lose + found.draw == pytest.approx(1)
    assert found.draw > 0


def test_large_combats_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    play = table()
    exact = RULES.odds(play.game, "poland", POLAND, "germany")
    monkeypatch.setattr(chances, "_MOST", 3)
    found = RULES.odds(play.game, "poland", POLAND, "germany")
    assert not found.exact and "give or take" in found.note
    assert found.win == pytest.approx(exact.win, abs=0.12)
    assert found == RULES.odds(play.game, "poland", POLAND, "germany"), "the same each time"


@pytest.mark.parametrize(
    ("space", "decision"),
    [
        ("poland", None),
        ("atlantis", None),
        ("berlin", March("ger_army_group_center", ("western_germany",))),
        ("poland", AnnounceAttack("ground", "poland", ())),
        ("paris", POLAND),
    ],
)
def test_where_there_is_no_combat_there_are_no_odds(space: str, decision: object) -> None:
    with pytest.raises(NoQuestion) as error:
        RULES.odds(table().game, space, decision, "germany")  # type: ignore[arg-type]
    assert str(error.value).endswith(".")
