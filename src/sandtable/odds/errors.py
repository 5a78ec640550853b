"""What can be wrong with a question."""

from __future__ import annotations

from sandtable.kernel.errors import SandtableError


class OddsError(SandtableError, ValueError):
    """A question that has no answer, in one sentence that says why."""
