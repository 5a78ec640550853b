"""A game at the terminal: answers, wrong answers, undo, saving, leaving."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import sandtable
from tests.cli.runner import run
from tests.kernel.toy import ToyRules

SOVIET_TURN = """
    nothing
    done
    done
"""
"""With `--as all` a Soviet turn in which nothing happens; it leads to Germany's."""


def germany(lines: str, *arguments: str) -> str:
    """What is printed when Germany's player types `lines` at the start of the first turn."""
    result = run("play", "aa1942", "--as", "all", "--seed", "5", *arguments,
                 lines=SOVIET_TURN + lines)  # fmt: skip
    assert result.exit_code == 0, result.output
    return result.output[result.output.index("Round 1 · Germany") :]


def test_a_german_turn() -> None:
    told = germany(
        """
        5 infantry, 3 tank
        3 infantry from finland to karelia
        infantry, tank from baltic states to karelia
        3 inf from Belorussia to kar
        art, arm from w russia to karelia
        fighter from norway to karelia; bomber from germany to karelia
        done
        ENTER
        ENTER
        press
        ENTER
        bomber, fighter from karelia to baltic
        2 infantry from poland to belorussia
        done
        5 infantry in germany
        2 tanks in italy
        all in germany
        """
    )
    for sentence in (
        "Buy units and repairs for up to 41 IPCs.",
        "Germany bought 5 infantry and 3 tanks.",
        "Germany sent 1 infantry and 1 tank from Baltic States to Karelia S.S.R.",
        "Germany sent 1 bomber from Germany to Karelia S.S.R. by way of Baltic States.",
        "Germany attacked in Karelia S.S.R.",
        "Lost in Karelia S.S.R.: 4 infantry and 1 artillery of the Soviet Union.",
        "Germany took Karelia S.S.R. from the Soviet Union.",
        "Still to land: 1 bomber in Karelia S.S.R. and 1 fighter in Karelia S.S.R.",
        "Germany moved 1 fighter and 1 bomber from Karelia S.S.R. to Baltic States.",
        "Germany placed 2 tanks in Italy.",
        "Germany placed 1 tank in Germany.",
        "Germany collected 43 IPCs.",
        "Round 1 · United Kingdom · Purchase units",
        "End of input: the game is left, and not saved.",
    ):
        assert sentence in told


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("5 tanc", "There is no unit 'tanc'. Did you mean Tank?"),
        ("9 tank", "The order costs 54 IPCs, but Germany has 41."),
        ("repair germany 3", "Germany has no damaged industrial complex in 'Germany'."),
        ("repair 3", "Say where to repair, for example repair germany 3."),
        ("", "Type an answer, or help to see what may be answered."),
        ("0 infantry", "0 is no number of units to buy (infantry)."),
        ("{nonsense", "This is not JSON:"),
        ('{"kind": "done"}', "A decision of kind buy is asked for, not 'done'."),
        ("why", "No rule has refused anything yet."),
        ("log much", "Type log, or log and a number of lines."),
        ("show xyzzy", "There is no space 'xyzzy'."),
        ("show", "Show what?"),
        ("save", "Name a file: save my-game.json"),
        ("undo", "Soviet Union has decided since; that stands."),
    ],
)
def test_a_wrong_line_is_explained_and_changes_nothing(typed: str, said: str) -> None:
    told = germany(f"{typed or 'ENTER'}\nnothing")
    assert said in told
    assert "Germany bought nothing." in told


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2 infantry from ukraine to karelia", "Karelia S.S.R. is 2 spaces from Ukraine S.S.R"),
        ("infantry from ukraine to poland", "Poland is friendly: a combat move has to lead to com"),
        ("infantry from ukraine to atlantis", "There is no space 'atlantis'."),
        ("9 infantry from ukraine to caucasus", "Germany has 3 infantry in Ukraine S.S.R., not 9."),
        ("infantry from ukraine", "Say what moves from where to where"),
        ("infantry from finland to sweden", "Sweden is neutral: no unit may enter it."),
        ("fighter from norway to sweden", "Sweden is neutral: no unit may enter or fly over it."),
        ("infantry from norway to uk", "There is no way by land from Norway to United Kingdom. sh"),
        ("infantry from norway to sz6", "Sea Zone 6 is sea; ship takes land units across: see hel"),
        ("cruiser from sz5 to norway", "Ships stay at sea; Norway is land."),
        ("cruiser from norway to sz6", "Ships are in sea zones, not in Norway."),
        ("cruiser from sz5 to sz6", "No enemy is in Sea Zone 6: a combat move has to lead to comb"),
        ("tank from libya to libya", "The units are in Libya already."),
        ("raid uk", "Say what raids whom from where"),
        ("raid uk with fighter from norway", "Fighters take part in raids only with the optional"),
        ("ship infantry from italy", "Say what is shipped: ship 2 infantry from germany to norway"),
        ("ship infantry from germany to poland", "Poland has no coast."),
        ("load infantry from germany in sz6, land uk", "Sea Zone 6 is not on the coast of Germ"),
        ("load infantry from germany, sail sz6, land egypt", "Sea Zone 6 is not on the coast of"),
        ("ship infantry from japan to alaska", "No transport can do that this turn; transports th"),
        ("sail sz6", "Say what is loaded or where it lands; an empty transport moves like an"),
        ("moves from atlantis", "There is no space 'atlantis'."),
    ],
)  # fmt: skip
def test_a_wrong_move_is_explained_and_changes_nothing(typed: str, said: str) -> None:
    told = germany(f"nothing\n{typed}\nundo")
    assert said in told
    assert "Taken back: nothing" in told


def test_a_line_is_done_whole_or_not_at_all() -> None:
    told = germany("nothing\n3 inf from finland to kar; 9 inf from belorussia to kar\nundo")
    assert "Nothing of that line was done:" in told
    assert "Taken back: nothing" in told


def test_units_of_several_kinds_move_in_one_line() -> None:
    told = germany("nothing\n3 infantry, tank, fighter from ukraine to caucasus\nshow caucasus")
    assert "Germany sent 3 infantry and 1 tank from Ukraine S.S.R. to Caucasus." in told
    assert "Germany sent 1 fighter from Ukraine S.S.R. to Caucasus." in told
    assert "Germany 3 infantry, tank, fighter" in told


def test_why_shows_the_rule() -> None:
    told = germany("9 tank\nwhy")
    assert "(why shows the rule: purchase.afford)" in told
    assert "purchase.afford (p.10 Phase 1 Steps 1-2)" in told
    assert "cannot exceed the treasury" in told


def test_undo_goes_back_one_decision_after_the_other() -> None:
    told = germany(
        "2 tank\n3 inf from finland to karelia\nundo\nundo\n1 tank\nmoves from finland\nundo\nundo"
    )
    assert "Taken back: 3 infantry from finland to karelia_ssr" in told
    assert "Taken back: 2 tank" in told
    assert "Germany bought 1 tank." in told
    assert told.count("Taken back: tank") == 1
    assert "Soviet Union has decided since; that stands." in told


def test_undo_at_the_start() -> None:
    result = run("play", "aa1942", "--as", "ussr", "--seed", "1", lines="undo")
    assert "There is nothing to take back: this is the start of the game." in result.output


def test_undo_does_not_go_behind_the_dice() -> None:
    told = germany(
        "nothing\n3 inf from finland to kar\ninf, tank from baltic to kar\ndone\n"
        "undo\nENTER\nundo\n"
    )  # fmt: skip
    assert told.count("Dice have been rolled since your last decision, so it stands.") == 2


def test_save_and_load(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    told = germany(f"2 tank\nsave {file}\nquit").replace("\n", "")
    assert (
        f"Saved as {file}. Go on later with: sandtable play --load {file}"
        in told.replace("\n", " ")
        or "Saved as" in told
    )
    assert "Save the game?" not in told
    game = sandtable.load(file)
    assert (game.pending[0].power, game.pending[0].kind) == ("germany", "combat_move")
    result = run("play", "--load", str(file), "--as", "germany", lines="undo\n1 tank\nsave\nquit")
    assert "You play Germany." in result.output
    assert "Taken back: 2 tank" in result.output
    assert sandtable.load(file).state.bought == {"tank": 1}


def test_a_file_is_not_written_over_by_accident(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann", encoding="utf-8")
    told = germany(f"save {file}\nn\n")
    assert "Not saved." in told
    assert file.read_text(encoding="utf-8") == "Dear Ann"
    germany(f"save {file}\ny\n")
    assert sandtable.load(file).version > 0


def test_a_save_that_fails_says_so() -> None:
    told = germany("save nowhere/at/all.json\nnothing")
    assert "The game cannot be saved as nowhere/at/all.json: No such file or directory." in told
    assert "Germany bought nothing." in told


def test_quit_offers_to_save(tmp_path: Path) -> None:
    assert "Save the game?" in germany("quit\nENTER")
    told = germany(f"quit\n{tmp_path}/no/such.json\n{tmp_path}/game.json\n")
    assert "cannot be saved" in told
    assert sandtable.load(tmp_path / "game.json").state.turn == "germany"


def test_ctrl_c_leaves_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    result = run("play", "aa1942", "--as", "ussr", "--seed", "1")
    assert result.exit_code == 130
    assert "Stopped: the game is left, and not saved." in result.output


def test_board_show_log_and_help() -> None:
    told = germany("board\nshow sea\nshow europe\nshow units\nshow us\nlog\nlog 1\nhelp")
    assert "Axis 6 of 9 victory cities: Berlin, Paris, Rome, Shanghai, Manila, Tokyo" in told
    assert told.count("Baltic Sea") == 2
    assert told.count("Karelia S.S.R.") >= 2
    assert "United States: 42 IPCs in hand, income 42" in told
    assert "The Soviet Union bought nothing." in told
    assert "5 infantry, 2 tank" in told
    assert "take back your last decision" in told


def test_moves_lists_lines_that_can_be_typed() -> None:
    told = germany("nothing\nmoves from finland\n3 infantry from finland to karelia_ssr")
    assert "  3 infantry from finland to karelia_ssr\n" in told
    assert "Germany sent 3 infantry from Finland to Karelia S.S.R." in told
    told = germany("nothing\nmoves to egypt\nmoves from brazil")
    assert "tank from libya to egypt" in told
    assert "There is nothing legal to list there." in told


def test_by_default_a_newcomer_plays_germany() -> None:
    result = run("play", "aa1942", "--bots", "random", "--seed", "1")
    assert result.exit_code == 0
    assert "You play Germany. Bots (random) play the others." in result.output
    assert "Soviet Union · round 1" in result.output


def test_seats_are_powers_and_sides() -> None:
    both = run("play", "aa1942", "--as", "axis", "--bots", "random", "--seed", "1").output
    assert "You play Germany, Japan." in both
    same = run("play", "aa1942", "--as", "JAPAN, germany", "--bots", "random", "--seed", "1").output
    assert same == both


def test_bots_play_to_the_end(tmp_path: Path) -> None:
    """The last turn of a round in which the Axis hold nine cities."""
    cities = ("united_kingdom", "karelia_ssr", "india")
    position = {
        "base": "empty",
        "turn": "united_states",
        "round": 6,
        "units": {"sz19": {"united_states": {"cruiser": 1}}},
        "control": dict.fromkeys(cities, "germany"),
    }
    file = tmp_path / "late.json"
    sandtable.new("aa1942", seed=3, position=position).save(file)
    result = run("play", "--load", str(file), "--as", "none")
    assert result.exit_code == 0
    assert "Bots (greedy) play every power." in result.output
    assert "United States · round 6" in result.output
    last = "The game is over. The Axis hold 9 victory cities. Winners: Germany, Japan.\n"
    assert result.output.endswith(last)


def test_a_hint_can_be_typed() -> None:
    told = germany("hint")
    hint = told.split("A bot would say: ")[1].splitlines()[0]
    assert "Germany bought" in germany(hint)


def test_options_reach_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    germany(f"save {file}", "-o", "interceptors=on", "-o", "cities=13", "-o", "victory=Total")
    options = sandtable.load(file).options
    assert (options["interceptors"], options["cities"], options["victory"]) == (True, 13, "total")


def test_a_game_without_its_own_grammar_is_played_by_its_schema(
    toy: ToyRules, tmp_path: Path
) -> None:
    file = tmp_path / "toy.json"
    result = run(
        "play", "toy", "--as", "all", "--seed", "1",
        lines="help\nshow\nplace nowhere\nplace a b\nplace at=north\n7\nwin\nplace 'north\n"
        f"place north\n1\nsave {file}",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for said in (
        "Place up to 2 stones.",
        "Choose by number:",
        "2. place field=north",
        "This game has no parts to show; board shows all of it.",
        "There is no field nowhere.",
        "place takes no more than 1 fields: 'b'.",
        "place has no field 'at'; it has field.",
        "Choose a number from 1 to 4.",
        "Begin with curse or done or place, or type help to see what may be answered.",
        "The quotes in this line do not fit together (No closing quotation).",
    ):
        assert said in result.output
    assert sandtable.load(file).version == 2


def test_any_toy_game_can_be_finished_by_typing(toy: ToyRules) -> None:
    """Every request of the toy game, secret bids and offers included, takes its own phrase."""
    from sandtable.cli.grammar import Grammar

    game = sandtable.new("toy", seed=3)
    grammar = Grammar(game)
    rng = random.Random(3)
    while game.pending:
        request = rng.choice(game.pending)
        decision = game.legal(request).sample(rng)
        assert grammar.help(request)
        assert grammar.prompt(request)
        assert grammar.read(request, grammar.phrase(request, decision)) == decision
        game.submit(request.power, decision)


def test_people_roll_their_own_dice_where_chance_is_explicit(tmp_path: Path) -> None:
    position = {
        "base": "empty",
        "turn": "germany",
        "phase": "combat_move",
        "units": {
            "libya": {"germany": {"tank": 2}},
            "egypt": {"united_kingdom": {"infantry": 1}},
        },
    }
    file = tmp_path / "open.json"
    sandtable.new("aa1942", position=position, chance="explicit").save(file)
    result = run(
        "play", "--load", str(file), "--as", "all",
        lines="2 tank from libya to egypt\ndone\ndice 7,7\ndice 1,6\ndice 6",
    )  # fmt: skip
    assert "Roll 2d6 for attack in Egypt" in result.output
    assert "A die with 6 sides cannot show 7." in result.output
    assert "2 tanks at 3 rolled 1 6: 1 hit." in result.output
    assert "Germany took Egypt from the United Kingdom." in result.output
