"""Proving a map: its borders are the borders of the rules, and everything on it can be found.

Two spaces share a border if they have pieces of line in common, across the seam too, of a length
that can be seen. What the rules call adjacent without such a border needs a drawn connector.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandtable.maps.board import Board, Pair
from sandtable.maps.sheet import LIMIT, Drawn, Sheet
from sandtable.maps.text import extent

SHORTEST = 2.0
"""A shared border that is shorter, in units of the sheet, proves nothing: it cannot be seen, and is
no border at all."""


@dataclass
class Report:
    """What a check found. A map is sound if there are no faults."""

    by_border: list[Pair] = field(default_factory=list)
    by_connector: list[Pair] = field(default_factory=list)
    surplus: dict[Pair, float] = field(default_factory=dict)
    """Shared borders that are no adjacency, with their length: drawn as impassable."""
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The report as text."""
        found = [
            f"adjacent pairs: {len(self.by_border) + len(self.by_connector)}, "
            f"{len(self.by_border)} proven by a shared border, "
            f"{len(self.by_connector)} by a connector",
            f"shared borders that are no adjacency, drawn as impassable: {len(self.surplus)}",
        ]
        found += [f"  {a} - {b}: {length:.0f}" for (a, b), length in sorted(self.surplus.items())]
        return found + [f"FAULT: {fault}" for fault in self.faults]


def check(board: Board, sheet: Sheet, plan: str = "") -> Report:
    """Compare a map with the board that it is to show, and with the fingerprint of what it should
    be built from, if that is given."""
    report = Report()
    if plan and plan != sheet.plan:
        report.faults.append("the declaration has changed since the map was built: build it again")
    for id in sorted(set(board.spaces) - set(sheet.spaces)):
        report.faults.append(f"{id} is missing")
    for id in sorted(set(sheet.spaces) - set(board.spaces)):
        report.faults.append(f"the game knows no space {id}")
    known = [id for id in board.spaces if id in sheet.spaces]
    for id in known:
        report.faults += _faults_of(sheet, board, sheet.spaces[id])
    for edge, owners in sheet.edges.items():
        if len(owners) > 2 or (len(owners) == 2 and owners[0] == owners[1]):
            at = tuple(round(v * sheet.scale) for v in edge[0])
            report.faults.append(f"{', '.join(sorted(owners))} overlap at {at}")
            break
    linked = {link.pair for link in board.links}
    for a, b in sorted(board.borders | linked):
        if (a, b) in linked - board.borders and (a, b) in sheet.connectors:
            report.by_connector.append((a, b))
        elif sheet.borders.get((a, b), 0.0) >= SHORTEST:
            report.by_border.append((a, b))
        elif (a, b) in sheet.connectors:
            report.by_connector.append((a, b))
        elif a in sheet.spaces and b in sheet.spaces:
            length = sheet.borders.get((a, b), 0.0)
            why = f"their border is only {length:.1f} long" if length else "they share no border"
            report.faults.append(f"{a} and {b} are adjacent: {why}, and no connector joins them")
    for (a, b), length in sheet.borders.items():
        if (a, b) not in board.borders | linked and length >= SHORTEST:
            report.surplus[(a, b)] = length
    for link in board.links:
        if link.pair not in sheet.connectors:
            report.faults.append(f"the {link.kind} of {' and '.join(link.pair)} is not drawn")
    for a, b in sorted(set(sheet.connectors) - board.borders - linked):
        report.faults.append(f"a connector joins {a} and {b}, which are not adjacent")
    for a, b in sorted({*board.sides, *sheet.sides}):
        here, there = board.sides.get((a, b), "none"), sheet.sides.get((a, b), "none")
        if here != there:
            report.faults.append(f"the border of {a} and {b} is {there} on the map, not {here}")
    if sheet.size > LIMIT:
        report.faults.append(f"the file has {sheet.size} bytes compressed, more than {LIMIT}")
    report.faults += _collisions(sheet)
    return report


def _faults_of(sheet: Sheet, board: Board, space: Drawn) -> list[str]:
    faults = []
    told = board.spaces[space.id]
    if space.sea != told.sea:
        faults.append(f"{space.id} is {'sea' if space.sea else 'land'} on the map only")
    if space.name != told.name:
        faults.append(f"{space.id} is called {space.name} on the map, not {told.name}")
    if not any(len(rings[0]) >= 3 for rings in space.polygons):
        faults.append(f"{space.id} has no shape")
    for what, point in (("label", space.label), ("unit", space.units)):
        if not inside(sheet, space, point):
            faults.append(f"the {what} point of {space.id} is not inside it")
    return faults


def inside(sheet: Sheet, space: Drawn, point: tuple[float, float]) -> bool:
    """Whether a point of the sheet lies in a space."""
    x, y = point[0] / sheet.scale, point[1] / sheet.scale
    odd = False
    for rings in space.polygons:
        for ring in rings:
            for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
                if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                    odd = not odd
    return odd


def text_box(text: dict[str, Any]) -> tuple[float, float, float, float]:
    """The room of a drawn name: left, top, right, bottom."""
    x, y = text["at"]
    width, height = extent(text["lines"], text["size"])
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _collisions(sheet: Sheet) -> list[str]:
    """Names that stand on each other."""
    named = [space for space in sheet.spaces.values() if space.text["lines"]]
    boxes = [(space.id, text_box(space.text)) for space in named]
    turns = (-sheet.width, 0.0, sheet.width) if sheet.wrap else (0.0,)
    faults = []
    for i, (a, (left, top, right, bottom)) in enumerate(boxes):
        for b, other in boxes[i + 1 :]:
            for turn in turns:
                apart = (
                    other[0] + turn >= right
                    or other[2] + turn <= left
                    or other[1] >= bottom
                    or other[3] <= top
                )
                if not apart:
                    faults.append(f"the names of {a} and {b} stand on each other")
    return faults
