"""Distances on a graph of areas."""

from __future__ import annotations

from sandtable.board.graphs import Distances, distances

NEIGHBOURS = {"a": ("b",), "b": ("a", "c"), "c": ("b",), "d": ()}


def test_distances_are_worked_out_for_the_origins_that_are_asked_for() -> None:
    near = Distances(NEIGHBOURS)
    assert not near
    assert near["a"]["c"] == 2
    assert near["a"] == distances(NEIGHBOURS, "a") == {"a": 0, "b": 1, "c": 2}
    assert set(near) == {"a"}
    assert near["a"] is near["a"]
    assert near["d"] == {"d": 0}
