"""The commands other than play: what they print, and what they say to wrong input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable
from sandtable.kernel import registry
from tests.cli.runner import refused, run
from tests.kernel.toy import ToyRules


def test_games_lists_powers_and_options() -> None:
    result = run("games")
    assert result.exit_code == 0
    assert "aa1942: Axis & Allies 1942, 2nd Edition" in result.output
    assert "soviet_union, germany" in result.output
    assert "victory = standard (default) | total" in result.output


def test_version() -> None:
    assert run("--version").output == f"sandtable {sandtable.__version__}\n"


def test_without_a_command_the_commands_are_listed() -> None:
    result = run()
    assert result.exit_code == 0
    for command in ("play", "simulate", "replay", "verify", "rules", "games", "odds"):
        assert command in result.output


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"sandtable {sandtable.__version__}\n"


def test_listing_the_games_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['sandtable', 'games']\n"
        "from sandtable.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('rich', 'numpy', 'numba', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_rules_end_with_the_count() -> None:
    result = run("rules", "aa1942")
    index = (registry.find("aa1942").folder / "rules.yaml").read_text(encoding="utf-8")
    total = index.count("\n    rule: ")
    last = result.stdout.splitlines()[-1]
    assert last.startswith("rules under test: ")
    assert last.endswith(f" of {total}")
    assert "combat-move.purpose (p.11 Phase 2)" in result.stdout


def test_rules_of_a_game_without_an_index(toy: ToyRules, tmp_path: Path) -> None:
    assert not (toy.folder / "rules.yaml").exists()
    assert refused("rules", "toy") == "toy has no rule index."


def test_simulate_sums_up() -> None:
    arguments = ("simulate", "aa1942", "--games", "2", "--bots", "random", "--max-rounds", "1")
    result = run(*arguments, "--seed", "4")
    assert result.exit_code == 0, result.output
    assert "2 games of aa1942, seed 4" in result.stdout
    assert "rounds            1 to 1, 1.0 on average" in result.stdout
    assert "not finished      2" in result.stdout
    assert "decisions per second" in result.stdout


def test_simulate_as_json_is_repeatable() -> None:
    arguments = ("simulate", "aa1942", "--games", "2", "--bots", "allies=random,axis=random")
    first, second = (
        json.loads(run(*arguments, "--max-rounds", "1", "--json", "-o", "cities=13").stdout)
        for _ in range(2)
    )
    assert first["games"] == 2
    assert first["decisions"] == second["decisions"] > 0
    assert first["wins"] == {"allies": 0, "axis": 0}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["play", "aa1943"],
            "There is no game 'aa1943'; there are: aa1942, blitz, gw36, gw75. Did you mean aa1942?",
        ),
        (["simulate", "chess"], "There is no game 'chess'; there are: aa1942, blitz, gw36, gw75."),
        (["rules", "chess"], "There is no game 'chess'; there are: aa1942, blitz, gw36, gw75."),
        (["play"], "Name a game: sandtable play aa1942"),
        (
            ["play", "aa1942", "--as", "Gremany"],
            "There is no power 'Gremany'. Did you mean Germany? There are: soviet_union, germany,",
        ),
        (["play", "aa1942", "--as", "united"], "'united' could be United Kingdom or United States"),
        (["play", "aa1942", "--as", ","], "Name powers, for example --as soviet_union"),
        (["play", "aa1942", "--bots", "clever"], "There is no bot 'clever'; there are: random,"),
        (
            ["play", "aa1942", "-o", "fog=1"],
            "aa1942 has no option 'fog'; it has: bid, bid_side, cities,",
        ),
        (["play", "aa1942", "-o", "victory=huge"], "Option victory takes 'standard', 'total', not"),
        (["play", "aa1942", "-o", "victory"], "An option is written name=value, not 'victory'."),
        (["play", "aa1942", "-o", "cities=13", "-o", "cities=12"], "Option cities is given twice."),
        (["play", "aa1942", "--seed", "-1"], "A seed is a whole number from 0 to 2**64 - 1, not"),
        (["play", "aa1942", "--seed", "x"], "Invalid value for '--seed'"),
        (["play", "aa1942", "--data", "nowhere"], "nowhere: no such folder"),
        (["play", "--load", "nowhere"], "nowhere cannot be read: No such file or directory."),
        (["replay", "nowhere"], "nowhere cannot be read: No such file or directory."),
        (["verify", "nowhere"], "nowhere cannot be read: No such file or directory."),
        (["replay"], "Missing argument 'FILE'."),
        (["simulate", "aa1942", "--games", "0"], "Invalid value for '--games'"),
        (["simulate", "aa1942", "--bots", "clever"], "There is no bot 'clever'; there are: random"),
        (["simulate", "aa1942", "--bots", "axis="], "Bots are named as axis=greedy,allies=random,"),
        (
            ["simulate", "aa1942", "--bots", "rome=greedy"],
            "There is no power or side 'rome'; there",
        ),
        (
            ["simulate", "aa1942", "-o", "fog=1"],
            "aa1942 has no option 'fog'; it has: bid, bid_side, cities,",
        ),
        (["conquer"], "No such command 'conquer'."),
        (["games", "--all"], "No such option: --all"),
    ],
)
def test_wrong_input_gets_one_sentence(arguments: list[str], said: str) -> None:
    assert refused(*arguments).startswith(said)


def test_data_files_can_be_replaced(tmp_path: Path) -> None:
    own = registry.find("aa1942").folder / "data" / "units.yaml"
    text = own.read_text(encoding="utf-8")
    cheap = text.replace("cost: 20, attack: 4, defense: 4", "cost: 1, attack: 4, defense: 4")
    assert cheap != text
    (tmp_path / "units.yaml").write_text(cheap, encoding="utf-8")
    typed = "24 battleship\nquit\nENTER"
    result = run("play", "aa1942", "--as", "ussr", "--data", str(tmp_path), lines=typed)
    assert "The Soviet Union bought 24 battleships." in result.output


def test_a_wrong_data_file_is_named_with_its_line(tmp_path: Path) -> None:
    own = registry.find("aa1942").folder / "data" / "units.yaml"
    wrong = own.read_text(encoding="utf-8").replace("move: 2", "move: two")
    (tmp_path / "units.yaml").write_text(wrong, encoding="utf-8")
    assert refused("play", "aa1942", "--data", str(tmp_path)).startswith("units.yaml, line ")
