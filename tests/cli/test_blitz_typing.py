"""Blitz! at the terminal: what people type, and what they are told."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.cli.errors import Unclear
from sandtable.cli.names import Lexicon
from sandtable.cli.reading import Several
from sandtable.cli.seats import seats_named
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, Defend, ResolveAttack
from sandtable.games.blitz.rules.move_land import March
from sandtable.games.blitz.rules.move_to_sea import Fly, Sail
from sandtable.games.blitz.rules.rebase import Rebase
from sandtable.games.blitz.rules.rounds import Damage
from sandtable.games.blitz.rules.spend import Build
from sandtable.games.blitz.rules.steps import DeclareWar, Done
from sandtable.kernel.decisions import CHANCE, Pass
from sandtable.kernel.display import Power, Verbs
from sandtable.kernel.errors import IllegalDecision
from tests.cli.runner import run
from tests.cli.typist import Typist

CENTER, NORTH, PARA = "ger_army_group_center", "ger_army_group_north", "ger_1st_para"


def talk(scenario: str = "A", **position: Any) -> Typist:
    """A game at a step, whose dice are chosen."""
    game = sandtable.new(
        "blitz",
        options={"scenario": scenario},
        position={"base": "setup", **position},
        chance="explicit",
    )
    return Typist(game)


def test_attacks_name_units_in_short() -> None:
    typist = talk(phase="axis_activities", step="F")
    for line in (
        "attack poland with army group center, north, 1st para, luftwaffe",
        "attack Poland with Army Group Center, Army Group North and 1st Para, Luftwaffe.",
        "attack pol with agc + agn & the 1st para and luft",
        "attack poland",
        "attack poland with all",
        "Ground Attack on Poland",
    ):
        attack = typist.read(line)
        assert isinstance(attack, AnnounceAttack)
        assert (attack.combat, attack.target, attack.flying) == ("ground", "poland", ())
        assert set(attack.units) == {CENTER, NORTH, PARA, "ger_luftwaffe"}, line
    assert typist.read("done") == Done()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("attack poland with north sea fleet", "There is no unit 'north sea fleet'"),
        ("attack moscow", "no answer here"),
        ("attack poland with luftwaffe", "needs a land unit"),
        ("attack poland with army group", "could be Army Group"),
        ("conquer poland", "'conquer poland' is no answer here: type a number of the list"),
        ("declare war on sweden", "no answer here"),
    ],
)
def test_what_cannot_be_done_is_told(line: str, problem: str) -> None:
    typist = talk(phase="axis_activities", step="F")
    before = typist.game.hash
    with pytest.raises((Unclear, IllegalDecision)) as refusal:
        typist.read(line)
    assert problem in str(refusal.value)
    assert typist.game.hash == before


def test_moves_and_rebases() -> None:
    typist = talk(phase="axis_activities", step="E")
    assert typist.read("move army group b to berlin") == March("ger_army_group_b", ("berlin",))
    assert typist.read("march center to western germany") == March(CENTER, ("western_germany",))
    assert typist.read("agc > wg") == March(CENTER, ("western_germany",))
    assert typist.read("declare war on belgium") == DeclareWar("belgium_netherlands")
    typist = talk(phase="axis_activities", step="D")
    assert typist.read("rebase luftwaffe to wg") == Rebase("ger_luftwaffe", "western_germany")
    assert typist.read("move stukas to berlin") == Rebase("ger_stukas", "berlin")


def test_several_units_move_in_one_line() -> None:
    typist = talk(phase="axis_activities", step="E")
    typist.say("center, north to western germany")
    units = typist.game.state.units
    assert units[CENTER].at == units[NORTH].at == "western_germany"


def test_a_unit_without_a_goal_is_told_where_it_can_go() -> None:
    typist = talk(phase="axis_activities", step="D")
    with pytest.raises(Several) as found:
        typist.read("luftwaffe")
    assert [choice.label for choice in found.value.choices] == [
        "Luftwaffe: rebase to Western Germany"
    ]


def test_ships_find_their_way() -> None:
    typist = talk("B", phase="allied_activities", step="B")
    sail = typist.read("sail europe trs to north sea carrying 8th army")
    assert sail == Sail("afa_europe_trs", ("north_sea",), load=("afa_8th_army",))
    far = typist.read("sail home fleet to western approaches")
    assert far == Sail("afa_home_fleet", ("north_sea", "western_approaches"))
    typist = talk("C", phase="allied_activities", step="B")
    fly = Fly("afa_coastal_command", "north_atlantic")
    assert typist.read("fly coastal to north atlantic") == fly
    assert typist.read("move coastal command to north atlantic") == fly
    with pytest.raises(IllegalDecision, match=r"(?i)air|range|reach|far|cannot get"):
        typist.read("move canadian air force to mediterranean")


def test_a_combat_is_talked_through() -> None:
    typist = talk(phase="axis_activities", step="F")
    typist.say("declare war on belgium", "attack poland", "attack belgium", "done")
    assert "Ground Attack on Belgium" in typist.reader().form.rows[-1].group
    assert typist.read("none") == typist.read("nobody") == Pass()
    helped = typist.read("defend belgium with raf, armee")
    assert isinstance(helped, Defend)
    assert set(helped.units["1"]) == {"afa_royal_air_force", "afa_armee_de_l_air"}
    typist.say("none")
    assert typist.read("belgium") == ResolveAttack(1) == typist.read("fight belgium")
    typist.say("poland")
    for face in (3, 5):
        typist.game.submit(CHANCE, {"kind": "dice", "faces": [face]})
    assert "takes it" in typist.reader().form.prompt
    assert typist.read("north") == Damage(NORTH) == typist.read("damage army group north")
    with pytest.raises(Unclear):
        typist.read("luftwaffe")


def test_a_para_that_cannot_walk_drops() -> None:
    typist = talk("B", phase="allied_activities", step="F")
    drop = AnnounceAttack("ground", "paris", ("usa_82nd_airborne",), flying=("usa_82nd_airborne",))
    assert typist.read("attack paris with 82nd airborne") == drop
    helped = typist.read("attack paris flying 82nd airborne")
    assert isinstance(helped, AnnounceAttack)
    assert helped.flying == drop.flying and len(helped.units) > 1


def test_builds() -> None:
    typist = talk("B", phase="turn_end", step="income")
    request = next(r for r in typist.game.pending if r.power == "germany")
    assert request.kind == "spend"
    assert typist.read("build luftwaffe", request) == Build("ger_luftwaffe", 2)
    placed = typist.read("build 6th army in berlin to size 2", request)
    assert placed == Build("ger_6th_army", 2, "berlin")
    assert typist.read("done", request) == Done()


def test_seats_are_those_of_the_scenario() -> None:
    typist = talk("B")
    about = typist.game.rules.about(typist.game.state)
    assert seats_named(about, typist.lexicon, "usa") == ("western_allies",)
    both = ("germany", "western_allies")
    assert seats_named(about, typist.lexicon, "germany, afa, usa") == both
    assert seats_named(about, typist.lexicon, "none") == ()
    with pytest.raises(Unclear, match="There are: germany, western_allies"):
        seats_named(about, typist.lexicon, "japan")


def test_nobody_plays_a_neutral() -> None:
    game = talk("A").game
    about = game.rules.about(game.state)
    sweden = Power("sweden", "Sweden", "Sweden", "grey")
    about = replace(about, others=(*about.others, sweden))
    with pytest.raises(Unclear, match="Nobody plays Sweden"):
        seats_named(about, Lexicon(about, (), Verbs()), "sweden")


def test_scenario_a_is_played_at_the_terminal() -> None:
    result = run(
        "play", "blitz", "--seed", "4",
        lines="""
        declare war on belgium
        done
        done
        attack poland with army group center, north, 1st para, luftwaffe
        attack belgium with 18th army, army group b, stukas
        done
        """
        + "ENTER\ndone\n1\n" * 40,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for told in (
        "Germany declared war on Belgium-Netherlands.",
        "The AFA set up Belg.-Neth. Army of Size 1 in Belgium-Netherlands.",
        "Germany announced a Ground Attack on Poland with 1st Para, Army Group Center",
        "Land Round in Poland: the Axis with 10 factors",
        "The game is over.",
    ):
        assert told in result.output
