"""What can go wrong, each with one sentence that says what to do about it."""

from collections.abc import Callable
from typing import Any


class SandtableError(Exception):
    """Base of every error that Sandtable raises on purpose."""


class UnknownGame(SandtableError):
    """The named game is not installed."""


class BrokenGame(UnknownGame):
    """A game is installed but cannot be played: its package has a defect."""


class OptionError(SandtableError):
    """A game option that does not exist, or a value that it does not take."""


class PositionError(SandtableError):
    """A custom position that cannot be set up; the sentence names the field."""


class SaveError(SandtableError):
    """A save file that cannot be read, was changed, or is of a later version."""


class RuleError(SandtableError):
    """A defect inside a rule. The game is exactly as it was before the decision."""


class IllegalDecision(SandtableError):
    """A decision that the rules, or the form of the request, do not allow.

    `reason` is one sentence with the names that people read, never ids: it is shown as it is, with
    a capital in front and one full stop behind, whatever name stands there (`the Soviet Union`,
    `Yakut S.S.R.`). `rule` is the id of the rule that forbids it, or "" where the decision is
    merely malformed. The game has not changed.
    """

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(reason, rule)
        self.reason = reason[:1].upper() + (reason[1:-1] if reason.endswith("..") else reason[1:])
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.reason} [{self.rule}]" if self.rule else self.reason


def passes(check: Callable[..., object], *args: Any, **more: Any) -> bool:
    """Whether a check of that lets it pass: it does not raise IllegalDecision."""
    try:
        check(*args, **more)
    except IllegalDecision:
        return False
    return True
