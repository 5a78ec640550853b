"""The odds that clients ask for: of a combat announced, intended, or being fought."""

from __future__ import annotations

import pytest

from sandtable import odds
from sandtable.games.blitz import RULES
from sandtable.games.blitz.forms import chances
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, Defend, ResolveAttack
from sandtable.games.blitz.rules.move_land import March
from sandtable.games.blitz.rules.move_to_sea import Sail
from sandtable.games.blitz.rules.steps import Done, Wait
from sandtable.kernel.decisions import Pass
from sandtable.kernel.display import NoQuestion
from sandtable.odds.errors import OddsError
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
    exact = odds.battle("blitz", list(POLAND.units), target="poland", game=play.game)
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
    play.do("afa", Pass())
    chosen = RULES.odds(play.game, "paris", ResolveAttack(1), "germany")
    assert chosen.win == alone.win
    assert "Without help" not in chosen.note


def test_a_combat_that_is_being_fought_counts_its_dice() -> None:
    play = table().do("germany", POLAND, Done())
    play.dice(1).dice(6)
    assert play.request_of("germany").kind == "assign_damage"
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
    monkeypatch.setattr(chances, "MOST", 3)
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


def rivals() -> Play:
    """The USSR has announced an attack on Berlin, which the AFA could attack as well."""
    play = Play(
        "campaign",
        phase="allied_activities",
        step="F",
        units={
            "sov_western_front": {"at": "poland", "size": 2},
            "afa_1st_army_group": {"at": "western_germany", "size": 2},
            "ger_army_group_a": {"at": "berlin", "size": 1},
        },
        wars=[["afa", "germany"], ["ussr", "germany"]],
        control={"poland": "ussr", "western_germany": "afa"},
    )
    order = AnnounceAttack("ground", "berlin", ("sov_western_front",))
    while play.game.pending[0].power != "ussr":
        play.do(play.game.pending[0].power, Wait())
    play.do("ussr", order, Done())
    while play.game.pending[0].power != "afa":
        play.do(play.game.pending[0].power, Done())
    return play


def test_an_attack_that_an_ally_has_announced_before_has_odds_of_its_own() -> None:
    play = rivals()
    alone = odds.battle("blitz", ["afa_1st_army_group"], target="berlin", game=play.game)
    mine = AnnounceAttack("ground", "berlin", ("afa_1st_army_group",))
    found = RULES.odds(play.game, "berlin", mine, "afa")
    assert (found.win, found.lose) == (alone.attacker_wins, alone.defender_wins)


def test_powers_that_cannot_attack_together_have_no_odds_together() -> None:
    play = rivals()
    both = ["afa_1st_army_group", "sov_western_front"]
    with pytest.raises(OddsError, match="cannot attack Berlin together"):
        odds.battle("blitz", both, target="berlin", game=play.game)


def test_an_attack_on_what_an_ally_attacks_says_that_one_has_to_give_way() -> None:
    play = rivals()
    form = RULES.form(play.game.legal(play.request_of("afa")))
    attack = next(choice for choice in form.choices if choice.battle == "berlin")
    assert attack.label == "Ground Attack on Berlin"
    assert attack.detail.endswith(
        "The USSR announced an attack on it before: one of you has to give way."
    )


def test_raids_are_told_by_the_damage_they_do() -> None:
    play = Play(
        "campaign",
        phase="allied_activities",
        step="F",
        units={"afa_bomber_command": {"at": "london", "size": 2}},
        wars=[["afa", "germany"]],
    )
    raid = AnnounceAttack("factory", "western_germany", ("afa_bomber_command",))
    found = RULES.odds(play.game, "western_germany", raid, "afa")
    assert found.outcome == "to do damage"
    assert found.losses == "loses Size 0.0, destroys 0.0"


def test_help_that_may_still_come_makes_a_range() -> None:
    play = table()
    found = RULES.odds(
        play.game,
        "paris",
        AnnounceAttack("ground", "paris", ("ger_army_group_b", "ger_stukas")),
        "germany",
    )
    assert found.helped is not None and found.helped <= found.win
    assert "no help comes" in found.given


def test_damage_that_is_being_given_counts() -> None:
    play = table().do("germany", POLAND, Done())
    play.dice(1).dice(6)
    request = play.request_of("germany")
    assert request.kind == "assign_damage" and len(request.units) > 1
    for id in request.units:
        decision = next(d for d in play.game.legal(request) if d.unit == id)
        found = RULES.odds(play.game, "poland", decision, "germany")
        after = play.game.clone()
        after.submit("germany", decision)
        if after.state.combat is not None:
            assert found.win == RULES.odds(after, "poland", None, "germany").win
