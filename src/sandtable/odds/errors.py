"""What can be wrong with a question."""

from __future__ import annotations


class OddsError(ValueError):
    """A question that has no answer, in one sentence that says why."""
