"""A game at the terminal: answers, wrong answers, undo, saving, leaving."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rich.console import Console

import sandtable
from sandtable.cli.form import phrase
from sandtable.cli.screen import Screen
from sandtable.cli.session import Session
from sandtable.games.aa1942.rules.combat import Press
from tests.cli.runner import run
from tests.cli.typist import Typist
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
        "Purchase units. Germany has 41 IPCs, the money of this game.",
        "Germany bought 5 infantry and 3 tanks.",
        "Germany sent 1 infantry and 1 tank from Baltic States to Karelia S.S.R.",
        "Germany sent 1 bomber from Germany to Karelia S.S.R. by way of Baltic States.",
        "Germany attacked in Karelia S.S.R.",
        "Lost in Karelia S.S.R.: 4 infantry and 1 artillery of the Soviet Union.",
        "Germany took Karelia S.S.R. from the Soviet Union.",
        "Aircraft still have to land: ",
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
        ("repair germany 3", "There is no unit 'damage in germany'."),
        ("", "Type an answer, or help to see what may be answered."),
        ("0 infantry", "0 is no number of infantry."),
        ("{nonsense", "This is not JSON:"),
        ('{"kind": "done"}', "A decision of kind buy is asked for, not 'done'."),
        ("why", "No rule has refused your last line."),
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
        ("2 infantry from ukraine to karelia", "Too far: infantry move 1 space."),
        ("infantry from ukraine to poland", "Poland is friendly: a combat move has to lead to com"),
        ("infantry from ukraine to atlantis", "There is no space 'atlantis'."),
        ("9 infantry from ukraine to caucasus", "So many cannot: 9 infantry."),
        ("conquer", "Say what moves from where to where, for example infantry from Baltic States"),
        ("fighter from norway to sweden", "Sweden is neutral: no unit may enter or fly over it."),
        ("cruiser from norway to sz6", "There is no unit 'cruiser'. From Norway can move: 2 infan"),
        ("cruiser from sz5 to sz6", "No enemy is in Sea Zone 6: a combat move has to lead to comb"),
        ("tank from libya to libya", "The units are in Libya already."),
        ("raid uk with fighter from norway", "They cannot go to United Kingdom like that, but"),
        ("ship infantry from japan to alaska", "Nothing of yours in Japan can move now."),
        ("moves from atlantis", "There is no space 'atlantis'."),
    ],
)  # fmt: skip
def test_a_wrong_move_is_explained_and_changes_nothing(typed: str, said: str) -> None:
    told = germany(f"nothing\n{typed}\nundo")
    assert said in told
    assert "Taken back: Germany bought nothing." in told


def test_a_line_is_done_whole_or_not_at_all() -> None:
    told = germany("nothing\n3 inf from finland to kar; 9 inf from belorussia to kar\nundo")
    assert "Nothing of that line was done:" in told
    assert "Taken back: Germany bought nothing." in told


def test_units_of_several_kinds_move_in_one_line() -> None:
    told = germany("nothing\n3 infantry, tank, fighter from ukraine to caucasus\nshow caucasus")
    assert "Germany sent 3 infantry and 1 tank from Ukraine S.S.R. to Caucasus." in told
    assert "Germany sent 1 fighter from Ukraine S.S.R. to Caucasus." in told
    assert "Germany 3 infantry, tank,\n  fighter" in told


def test_why_shows_the_rule() -> None:
    told = germany("9 tank\nwhy")
    assert "(why shows the rule: purchase.afford)" in told
    assert "purchase.afford (p.10 Phase 1 Steps 1-2)" in told
    assert "cannot exceed the treasury" in told


def test_undo_goes_back_one_decision_after_the_other() -> None:
    told = germany(
        "2 tank\n3 inf from finland to karelia\nundo\nundo\n1 tank\nmoves from finland\nundo\nundo"
    )
    assert "Taken back: Germany sent 3 infantry from Finland to Karelia S.S.R." in told
    assert "Taken back: Germany bought 2 tanks." in told
    assert told.count("Taken back: Germany bought 1 tank.") == 1
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
    assert "Taken back: Germany bought 2 tanks." in result.output
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
    told = germany("board\nshow ukraine\nshow units\nshow us\nshow powers\nlog\nlog 1\nhelp")
    assert "  Baltic States               Germany infantry, tank" in told
    assert "Ukraine S.S.R.: Germany" in told
    assert "Worth 2 IPCs a turn." in told
    assert "  Caucasus                    Soviet Union 3 infantry, artillery, tank" in told
    assert "United States: Economy: In hand 42, Income 42" in told
    assert told.count("  Axis                               6           9") == 3
    assert "The Soviet Union bought nothing." in told
    assert "take back your last decision" in told


def test_every_example_can_be_typed() -> None:
    game = sandtable.new("aa1942", seed=8, options={"interceptors": True})
    typist, rng, kinds = Typist(game), random.Random(8), set()
    for _ in range(1500):
        request = rng.choice(game.pending)
        reader = typist.reader(request)
        if request.kind not in kinds:
            kinds.add(request.kind)
            assert len(Screen(reader.game.rules.about(game.state), typist.lexicon).question(
                reader, game.rules.picture(game.state, ())
            )) > 1  # fmt: skip
            for example in reader.examples():
                assert next(iter(typist.reader(request).read(example))) in reader.legal, example
        game.submit(request.power, game.legal(request).sample(rng))
    assert {"purchase", "combat_move", "choose_casualties", "press_or_retreat"} <= kinds


def test_moves_are_listed_with_numbers() -> None:
    told = germany("nothing\nmoves from finland\n1")
    assert "  1. 3 infantry: attack Karelia S.S.R.\n" in told
    assert "Germany sent 3 infantry from Finland to Karelia S.S.R." in told
    told = germany("nothing\nmoves to egypt\nmoves from brazil\nfinland\n99")
    assert "tank: attack Egypt" in told
    assert "There is nothing to list there." in told
    assert "Choose a number from 1 to 1." in told


def test_a_list_is_shown_again_when_it_has_changed() -> None:
    told = germany("nothing\n3 inf from finland to kar\n1\nundo")
    assert "  4. Finland: 3 infantry to Karelia S.S.R.\n" in told
    assert "The list has changed since; moves shows it as it is now." in told
    told = germany("2 tank\ndone\ndone\n1\n1 tank")
    assert "Place in Germany:" in told
    assert "Still to be placed: 2 tanks." in told
    assert "Still to be placed: 1 tank." in told


def test_advice_throws_no_dice() -> None:
    game = sandtable.new("aa1942", seed=5)
    for line in ("nothing", "infantry, tank from archangel to west russia", "done"):
        Typist(game).say(line)
    session = Session(game, {}, Console(quiet=True))
    while game.pending[0].kind != "press_or_retreat":
        game.submit(game.pending[0].power, game.legal(game.pending[0]).sample(random.Random(1)))
    request = game.pending[0]
    before = game.hash
    assert "rolled" not in session._foreseen(request, Press())
    assert game.hash == before


def test_secret_orders_are_shown_to_their_owner_only(tmp_path: Path) -> None:
    position = {"base": "setup", "phase": "turn_end", "step": "income"}
    game = sandtable.new("blitz", seed=3, options={"scenario": "D"}, position=position)
    game.save(tmp_path / "spend.json")
    told = run(
        "play", "--load", str(tmp_path / "spend.json"), "--as", "all",
        lines="build army group north\nshow pools\ndone\nshow pools\n",
    ).output  # fmt: skip
    assert "This is secret: only Germany should look at the screen now." in told
    mine, theirs = told.split("This is secret: only USSR")
    assert "Ordered: Army Group North to Size 4." in mine, "asked again with what is left"
    assert "Orders of this turn (secret), Germany: Army Group North" in mine
    assert "Orders of this turn (secret), Germany" not in theirs


def test_a_place_is_opened_by_its_number() -> None:
    told = germany("nothing\n4\n1")
    assert "Germany sent 3 infantry from Finland to Karelia S.S.R." in told


def test_why_forgets_older_refusals() -> None:
    told = germany("9 tank\n9 tanc\nwhy")
    assert "No rule has refused your last line." in told


def test_a_folder_is_no_save(tmp_path: Path) -> None:
    told = germany(f"save {tmp_path}").replace("\n", "")
    assert f"{tmp_path} is a folder; name a file" in told


def test_by_default_a_newcomer_plays_germany() -> None:
    result = run("play", "aa1942", "--bots", "random", "--seed", "1")
    assert result.exit_code == 0
    assert "You play Germany. Bots (random) play the others." in result.output
    assert "Soviet Union · Round 1" in result.output


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
    assert "United States · Round 6" in result.output
    last = "The game is over. The Axis hold 9 victory cities. Winners: Germany, Japan.\n"
    assert result.output.endswith(last)


def test_a_hint_can_be_taken() -> None:
    told = germany("hint\n1")
    assert "A bot would do this; 1 takes its advice:\n  1. " in told
    assert "Germany bought" in told


def test_options_reach_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    germany(f"save {file}", "-o", "interceptors=on", "-o", "cities=13", "-o", "victory=Total")
    options = sandtable.load(file).options
    assert (options["interceptors"], options["cities"], options["victory"]) == (True, 13, "total")


def test_a_game_without_forms_is_played_by_the_list_of_what_is_legal(
    toy: ToyRules, tmp_path: Path
) -> None:
    file = tmp_path / "toy.json"
    result = run(
        "play", "toy", "--as", "all", "--seed", "1",
        lines="help\nshow\nplace nowhere\nplace at=north\n7\nwin\n"
        f"place field=north\n1\nsave {file}",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for said in (
        "Place up to 2 stones.",
        "2. Place, field: north",
        "This game has no parts to show; board shows all of it.",
        "'place nowhere' is no answer here",
        "place has no field 'at'; it has field.",
        "Choose a number from 1 to 4.",
        "'win' is no answer here",
    ):
        assert said in result.output
    assert sandtable.load(file).version == 2


def test_rights_are_told_and_used(toy: ToyRules) -> None:
    told = run(
        "play", "toy", "--as", "all", "--seed", "1",
        lines="may\nmay war\nmay green\n99\nback\n2\nmay green\n1\nlog",
    ).output  # fmt: skip
    assert "You may also: Make gift (Red), Make gift (Green), " in told
    assert "There is nothing like that which you may do now." in told
    assert "Choose a number from 1 to 12." in told
    left, used = told.split("Green may> back")
    assert "Red> 2\n" in used and "Offered coins" not in left
    assert "Green may> 1\n  Offered coins: power green, coins 1." in used


def test_any_toy_game_can_be_finished_by_typing(toy: ToyRules) -> None:
    """Every request of the toy game, secret bids and offers included, takes its own phrase."""
    game = sandtable.new("toy", seed=3)
    typist, rng = Typist(game), random.Random(3)
    while game.pending:
        request = rng.choice(game.pending)
        decision = game.legal(request).sample(rng)
        assert typist.read(phrase(decision), request) == decision
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
        lines="2 tank from libya to egypt\ndone\n7 7\ndice 1,6\n6",
    )  # fmt: skip
    assert "Roll 2d6 for attack in" in result.output
    assert "A die with 6 sides cannot show 7." in result.output
    assert "2 tanks at 3 rolled 1 6: 1 hit." in result.output
    assert "Germany took Egypt from the United Kingdom." in result.output


def test_the_position_is_edited_and_that_taken_back() -> None:
    edit = 'edit {"treasury": {"soviet_union": 50}}'
    result = run(
        *("play", "aa1942", "--as", "ussr", "--seed", "1"),
        lines=f'edit nonsense\nedit {{"treasury": {{"soviet_union": -1}}}}\n{edit}\nundo\nquit\n',
    )
    assert "Say in JSON what is to be otherwise" in result.output
    assert "The edit is malformed" in result.output
    assert "Edited: The Soviet Union has 50 IPCs." in result.output
    assert "Taken back: Edited: The Soviet Union has 50 IPCs." in result.output
