"""Checks of the borders that a data file draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.board.graphs import distances
from sandtable.kernel.data import Document, Key


def check_borders(
    document: Document[Any], id: str, borders: Mapping[str, tuple[str, ...]], *path: Key
) -> None:
    """Every neighbour of `id` exists, is named once, is another space, and names `id` as well."""
    for index, other in enumerate(borders[id]):
        document.check_known(other, borders, "neighbour", *path, index)
        if other == id:
            raise document.error(f"{id} cannot be its own neighbour", *path, index)
        if id not in borders[other]:
            raise document.error(f"{other} does not name {id} in return", *path, index)
    document.check_distinct(borders[id], *path)


def check_connected(
    document: Document[Any], neighbours: Mapping[str, tuple[str, ...]], tables: Mapping[str, str]
) -> None:
    """Any space can be reached from any other; borders have two sides. `tables` says in which table
    of the document a space stands."""
    reached = distances(neighbours, next(iter(neighbours)))
    beyond = [id for id in neighbours if id not in reached]
    if beyond:
        # The smaller part is the mistake.
        lost = min(reached, beyond, key=len)
        first = next(iter(lost))
        raise document.error("cut off from a part of the board", tables[first], first)
