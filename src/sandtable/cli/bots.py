"""Getting bots ready before a game."""

from __future__ import annotations

from typing import Any

from sandtable.cli.odds import announce_compiling
from sandtable.kernel.ruleset import RuleSet


def make_ready(rules: RuleSet[Any], bots: str) -> None:
    """Prepare the rule set's knowledge where a greedy bot will ask for it.

    In this process and before the game, so that the wait is announced and nobody waits twice.
    """
    if "greedy" in bots:
        announce_compiling()
        rules.prepare()
