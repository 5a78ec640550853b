"""The `sandtable` command."""


def main() -> None:
    """Run the command line; the exit code is 0, 1 (a check failed), 2 (wrong input) or 130."""
    from sandtable.cli.app import app

    app(prog_name="sandtable")
