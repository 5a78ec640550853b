"""Decisions and small checks that the phases share."""

from __future__ import annotations

from sandtable.kernel.decisions import Decision


class Done(Decision, frozen=True, tag="done"):
    """Nothing more in this phase, or of this kind."""


UNDER_WAY = "under_way"
"""The step in which others decide about moves that are not complete: whether ships are stopped
between two zones, who answers attacks."""
