"""Blitz! at the terminal: what people type, and what they are told."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable.cli.blitz import GRAMMAR
from sandtable.cli.errors import Unclear
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, Defend, ResolveAttack
from sandtable.games.blitz.rules.move_land import March
from sandtable.games.blitz.rules.move_to_sea import Fly, Sail
from sandtable.games.blitz.rules.rebase import Rebase
from sandtable.games.blitz.rules.rounds import Damage
from sandtable.games.blitz.rules.spend import Build, DoneSpending
from sandtable.games.blitz.rules.steps import DeclareWar, Done
from sandtable.kernel.decisions import CHANCE, Decision
from sandtable.kernel.errors import IllegalDecision
from tests.cli.runner import run


class Talk:
    """A game and its grammar, at a step."""

    def __init__(self, scenario: str = "A", **position: Any) -> None:
        self.game = sandtable.new(
            "blitz",
            options={"scenario": scenario},
            position={"base": "setup", **position},
            chance="explicit",
        )
        self.grammar = GRAMMAR(self.game)

    def read(self, line: str) -> Decision:
        (request,) = self.game.pending
        return self.grammar.read(request, line)

    def say(self, *lines: str) -> Talk:
        for line in lines:
            request = self.game.pending[0]
            self.game.submit(request.power, self.grammar.read(request, line))
        return self

    def roll(self, *faces: int) -> Talk:
        for face in faces:
            self.game.submit(CHANCE, {"kind": "dice", "faces": [face]})
        return self

    def prompt(self) -> str:
        return "\n".join(self.grammar.prompt(self.game.pending[0]))


CENTER, NORTH, PARA = "ger_army_group_center", "ger_army_group_north", "ger_1st_para"


def test_attacks_name_units_in_short() -> None:
    talk = Talk(phase="axis_activities", step="F")
    expected = AnnounceAttack("ground", "poland", (CENTER, NORTH, PARA, "ger_luftwaffe"))
    for line in (
        "attack poland with army group center, north, 1st para, luftwaffe",
        "attack Poland with Army Group Center, Army Group North and 1st Para, Luftwaffe.",
        "attack pol with agc + agn & the 1st para and luft",
        "attack poland",
        "attack poland with all",
    ):
        assert talk.read(line) == expected, line
    assert talk.read("done") == Done() == talk.grammar.default(talk.game.pending[0])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("attack poland with north sea fleet", "no such unit"),
        ("attack moscow", "Nothing of yours can attack Moscow"),
        ("attack atlantis with luftwaffe", "no area 'atlantis'"),
        ("attack poland with luftwaffe", "needs a land unit"),
        ("attack poland with army group", "could be Army Group"),
        ("conquer poland", "Begin with"),
        ("declare war on sweden", ""),
    ],
)
def test_what_cannot_be_done_is_told(line: str, problem: str) -> None:
    talk = Talk(phase="axis_activities", step="F")
    before = talk.game.hash
    with pytest.raises((Unclear, IllegalDecision)) as refusal:
        talk.read(line)
    assert problem in str(refusal.value)
    assert talk.game.hash == before


def test_moves_and_rebases() -> None:
    talk = Talk(phase="axis_activities", step="E")
    assert talk.read("move army group b to berlin") == March("ger_army_group_b", ("berlin",))
    assert talk.read("march center to western germany") == March(CENTER, ("western_germany",))
    assert talk.read("declare war on belgium") == DeclareWar("belgium_netherlands")
    talk = Talk(phase="axis_activities", step="D")
    assert talk.read("rebase luftwaffe to wg") == Rebase("ger_luftwaffe", "western_germany")
    assert talk.read("move stukas to berlin") == Rebase("ger_stukas", "berlin")


def test_ships_find_their_way() -> None:
    talk = Talk("B", phase="allied_activities", step="B")
    sail = talk.read("sail europe trs to north sea carrying 8th army")
    assert sail == Sail("afa_europe_trs", ("north_sea",), load=("afa_8th_army",))
    far = talk.read("sail home fleet to western approaches")
    assert far == Sail("afa_home_fleet", ("north_sea", "western_approaches"))
    talk = Talk("C", phase="allied_activities", step="B")
    fly = Fly("afa_coastal_command", "north_atlantic")
    assert talk.read("fly coastal to north atlantic") == fly
    assert talk.read("move coastal command to north atlantic") == fly
    with pytest.raises(IllegalDecision, match=r"(?i)air|range|reach|far"):
        talk.read("move canadian air force to mediterranean")


def test_a_combat_is_talked_through() -> None:
    talk = Talk(phase="axis_activities", step="F")
    talk.say("declare war on belgium", "attack poland", "attack belgium", "done")
    assert "Belgium-Netherlands with 18th Army (INF 2)" in talk.prompt()
    assert talk.read("none") == Defend() == talk.read("defend none")
    joins = talk.read("defend belgium with raf, armee")
    assert joins == Defend({"1": ("afa_royal_air_force", "afa_armee_de_l_air")})
    talk.say("none")
    assert "1. fight Poland" in talk.prompt()
    assert talk.read("belgium") == ResolveAttack(1) == talk.read("fight belgium") == talk.read("2")
    talk.say("poland").roll(3, 5)
    assert "which unit takes the next point of damage" in talk.prompt().lower()
    assert talk.read("north") == Damage(NORTH) == talk.read("damage army group north")
    with pytest.raises(IllegalDecision):
        talk.read("luftwaffe")


def test_a_para_that_cannot_walk_flies() -> None:
    talk = Talk("B", phase="allied_activities", step="F")
    attack = talk.read("attack paris with 82nd airborne")
    assert attack == AnnounceAttack(
        "ground", "paris", ("usa_82nd_airborne",), flying=("usa_82nd_airborne",)
    )


def test_builds() -> None:
    talk = Talk("B", phase="turn_end", step="income")
    request = next(r for r in talk.game.pending if r.power == "germany")
    assert request.kind == "spend"

    def read(line: str) -> Decision:
        return talk.grammar.read(request, line)

    assert read("build luftwaffe") == Build("ger_luftwaffe", 2)
    placed = read("build 6th army in berlin to size 2")
    assert placed == Build("ger_6th_army", 2, "berlin")
    assert read("done") == DoneSpending()
    assert "Resources" in "\n".join(talk.grammar.prompt(request))


def test_areas_units_and_countries_are_shown() -> None:
    grammar = Talk().grammar
    assert "air routes to Paris and Belgium-Netherlands" in "\n".join(grammar.show("london"))
    assert "Size 2: air 3, bomb 3" in "\n".join(grammar.show("luftwaffe"))
    assert "Vichy France" in "\n".join(grammar.show("france"))
    assert "Royal Air Force" in "\n".join(grammar.show("europe"))
    with pytest.raises(Unclear):
        grammar.show("atlantis")


@pytest.mark.parametrize("scenario", ["A", "B", "C", "D", "E", "F", "campaign"])
def test_what_is_listed_can_be_typed(scenario: str) -> None:
    options = {"scenario": scenario, "commanders": True, "sabotage": True, "looting": True}
    game = sandtable.new("blitz", seed=11, options=options)
    grammar = GRAMMAR(game)
    rng = random.Random(11)
    asked: dict[str, int] = {}
    for _ in range(500):
        if not game.pending:
            break
        request = rng.choice(game.pending)
        decision = game.legal(request).sample(rng)
        asked[request.kind] = asked.get(request.kind, 0) + 1
        if asked[request.kind] < 12:
            line = grammar.phrase(request, decision)
            assert grammar.read(request, line) == decision, line
            assert grammar.prompt(request) and grammar.help(request)
            assert isinstance(grammar.title(request)[0], str)
        game.submit(request.power, decision)


def test_seats_are_those_of_the_scenario() -> None:
    western = Talk("B").grammar
    assert western.newcomer == "germany"
    assert western.seats(("usa",)) == ("western_allies",)
    assert western.seats(("germany", "afa", "usa")) == ("germany", "western_allies")
    assert western.seats(()) == ()
    assert Talk("E").grammar.newcomer == "japan"
    with pytest.raises(Unclear, match="Scenario B is played by germany, western_allies"):
        western.seats(("japan",))


def test_scenario_a_is_played_at_the_terminal() -> None:
    result = run(
        "play", "blitz", "--seed", "4",
        lines="""
        declare war on belgium
        ENTER
        ENTER
        attack poland with army group center, north, 1st para, luftwaffe
        attack belgium with 18th army, army group b, stukas
        done
        """
        + "ENTER\n" * 60,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for told in (
        "Germany declared war on Belgium-Netherlands.",
        "The AFA set up Belg.-Neth. Army of Size 1 in Belgium-Netherlands.",
        "Germany announced a Ground Attack on Poland with Army Group Center",
        "Land Round in Poland: the Axis with 10 factors",
        "The game is over.",
    ):
        assert told in result.output
