"""Running the command line in a test, with scripted input."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from sandtable.cli.app import app


def run(*arguments: str, lines: str = "") -> Result:
    """The result of `sandtable ARGUMENTS`; `lines` is what the player types, a line each.

    Blank lines are passed over; ENTER is an empty one.
    """
    words = [line.strip() for line in lines.splitlines() if line.strip()]
    typed = "".join(f"{'' if word == 'ENTER' else word}\n" for word in words)
    return CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1"}).invoke(
        app, arguments, input=typed, prog_name="sandtable"
    )


def refused(*arguments: str, lines: str = "") -> str:
    """The one sentence with which `sandtable ARGUMENTS` ends, with exit code 2."""
    result = run(*arguments, lines=lines)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("sandtable: ")
    assert result.stderr.count("\n") == 1, "more than one line: " + result.stderr
    return result.stderr.removeprefix("sandtable: ").strip()
