"""A map as one SVG picture: a preview, and something to print."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from html import escape
from math import hypot

from sandtable.kernel.vocabulary import NOBODY, WORDS, Stroke, Symbol, find
from sandtable.maps.board import Board, MapError, Pair
from sandtable.maps.check import SHORTEST, inside, text_box
from sandtable.maps.sheet import Drawn, Edge, Sheet
from sandtable.maps.text import LINE
from sandtable.maps.topology import Polygon

CLOSED = "#d9d3c5"
SEA, SEA_LINE, SEA_TEXT = "#d7e5eb", "#93b3c4", "#4f7589"
SNOW_SEA = "#e6eef2"
NO_SEA = "#e3e6e4"
"""Water outside the game."""
COAST, BORDER, INK, SIGN = "#7c8d92", "#8d8577", "#3b3a36", "#6d6555"


def draw(board: Board, sheet: Sheet, view: str | None = None) -> str:
    """The map as SVG; `view` is the name of a part of it, else the whole sheet."""
    left, top, width, height = (0.0, sheet.top, sheet.width, sheet.height)
    if view is not None:
        if view not in sheet.views:
            raise MapError(f"There is no view {view}; there are: {', '.join(sheet.views)}.")
        left, top, width, height = sheet.views[view]
    zoom = 1.0 if view is None else min(3.0, 1600 / width)
    body = [*_areas(board, sheet), *_lines(board, sheet)]
    body += [*_sides(board, sheet), *_links(board, sheet)]
    body += _texts(board, sheet)
    # Where the map goes round, what sticks out on one side comes in on the other.
    turns = (-1, 1) if sheet.wrap else ()
    copies = "".join(f'<use href="#map" x="{turn * sheet.width}"/>' for turn in turns)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * zoom:.0f}" '
            f'height="{height * zoom:.0f}" viewBox="{left} {top} {width} {height}" '
            'font-family="Source Sans 3, Lato, Helvetica, Arial, sans-serif">',
            f"<title>{escape(board.game)}</title>",
            f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{NO_SEA}"/>',
            '<g id="map" stroke-linejoin="round" stroke-linecap="round">',
            *body,
            "</g>",
            copies,
            "</svg>",
        ]
    )


def _areas(board: Board, sheet: Sheet) -> Iterable[str]:
    for space in sheet.spaces.values():
        if space.sea or space.coast:
            snow = board.grid is None and board.spaces[space.id].weather
            fill = SNOW_SEA if snow else SEA
            yield _path(sheet, space.polygons, f'fill="{fill}" id="{space.id}"')
    yield _path(sheet, sheet.land, f'fill="{CLOSED}" stroke="{COAST}" stroke-width="0.5"')
    for space in sheet.spaces.values():
        if not space.sea:
            fill = _fill(board, space)
            more = ' fill-opacity="0.75"' if space.island else ""
            if space.coast and space.id in sheet.shores:
                shore = f'fill="{fill}" stroke="{COAST}" stroke-width="0.4"'
                yield _path(sheet, space.polygons, f'fill="{fill}" fill-opacity="0.3"')
                yield _path(sheet, sheet.shores[space.id], shore)
            else:
                yield _path(sheet, space.polygons, f'fill="{fill}" id="{space.id}"{more}')
    yield _path(sheet, sheet.islets, f'fill="{COAST}" fill-opacity="0.55"')


def _fill(board: Board, space: Drawn) -> str:
    told = board.spaces[space.id]
    if told.neutral:
        return CLOSED
    if told.owner is None:
        nobody = WORDS.colours[NOBODY].light.land
        if board.grid is None or not told.terrain:
            return nobody
        return find("terrain", WORDS.terrain, told.terrain).light or nobody
    return find("colours", WORDS.colours, board.colours.get(told.owner, NOBODY)).light.land


def _lines(board: Board, sheet: Sheet) -> Iterable[str]:
    """Each border once, by what it parts."""
    joined = board.borders | {link.pair for link in board.links}
    kinds: dict[str, list[Edge]] = defaultdict(list)
    for edge, owners in sheet.edges.items():
        seas = [sheet.spaces[id].sea for id in owners]
        if len(owners) == 1:
            # Beyond the edge of a globe's land is water, beyond that of a hex nothing.
            outside = ("sea", "border") if board.grid else ("edge", "coast")
            kinds[outside[0] if seas[0] else outside[1]].append(edge)
            continue
        both: Pair = (min(owners), max(owners))
        if both not in joined and sheet.borders.get(both, 0) >= SHORTEST:
            kinds["closed"].append(edge)
        elif all(seas):
            kinds["sea"].append(edge)
        elif not any(seas):
            kinds["border"].append(edge)
        elif sheet.shores:
            kinds["sea"].append(edge)
        else:
            kinds["coast"].append(edge)
    styles = {
        "sea": f'stroke="{SEA_LINE}" stroke-width="0.9" stroke-dasharray="5 2.5"',
        "coast": f'stroke="{COAST}" stroke-width="0.8"',
        "border": f'stroke="{BORDER}" stroke-width="0.9"',
        "closed": 'stroke="#96584a" stroke-width="2"',
    }
    for kind, style in styles.items():
        yield f'<path d="{_trace(sheet, kinds[kind])}" fill="none" {style}/>'


def _sides(board: Board, sheet: Sheet) -> Iterable[str]:
    """Borders that are more than a line."""
    edges: dict[str, list[Edge]] = defaultdict(list)
    for edge, owners in sheet.edges.items():
        kind = board.sides.get((min(owners), max(owners)))
        if kind is not None:
            edges[kind].append(edge)
    for kind, those in edges.items():
        yield _stroke(_trace(sheet, those), find("borders", WORDS.borders, kind))


def _trace(sheet: Sheet, edges: list[Edge]) -> str:
    """Edges as the data of a path."""
    scale = sheet.scale
    return "".join(
        "M" + "L".join(f"{x * scale:g},{y * scale:g}" for x, y in chain) for chain in _chains(edges)
    )


def _chains(edges: list[Edge]) -> list[list[tuple[int, int]]]:
    """Edges joined to lines, so that dashes run on."""
    ends = defaultdict(list)
    for i, (a, b) in enumerate(edges):
        ends[a].append(i)
        ends[b].append(i)
    used: set[int] = set()
    chains = []

    def follow(start: tuple[int, int], first: int) -> list[tuple[int, int]]:
        chain, at, i = [start], start, first
        while True:
            used.add(i)
            a, b = edges[i]
            at = b if at == a else a
            chain.append(at)
            onward = [j for j in ends[at] if j not in used]
            if len(ends[at]) != 2 or not onward:
                return chain
            i = onward[0]

    for point, here in ends.items():
        if len(here) != 2:
            for i in here:
                if i not in used:
                    chains.append(follow(point, i))
    for i, (a, _) in enumerate(edges):
        if i not in used:
            chains.append(follow(a, i))
    return chains


def _links(board: Board, sheet: Sheet) -> Iterable[str]:
    """Canals, straits and routes, and borders that only a line can show."""
    kinds = {link.pair: link.kind for link in board.links}
    for both, path in sheet.connectors.items():
        stroke = find("links", WORDS.links, kinds.get(both, "border"))
        text = "M" + "L".join(f"{x:g},{y:g}" for x, y in path)
        yield _stroke(text, stroke)
        if stroke.ends:
            for x, y in (path[0], path[-1]):
                yield f'<circle cx="{x:g}" cy="{y:g}" r="{stroke.width:g}" fill="{stroke.light}"/>'


def _stroke(path: str, stroke: Stroke) -> str:
    """A line as the vocabulary has it, with a light edge."""
    halo = f'stroke="#ffffff" stroke-opacity="0.7" stroke-width="{stroke.width + 1.6:g}"'
    dashes = " ".join(f"{length:g}" for length in stroke.dash)
    lines = [
        halo,
        f'stroke="{stroke.light}" stroke-width="{stroke.width:g}" stroke-dasharray="{dashes}"',
    ]
    if stroke.ticks:
        long, thick, gap = stroke.ticks
        lines.append(
            f'stroke="{stroke.light}" stroke-width="{long:g}" stroke-linecap="butt" '
            f'stroke-dasharray="{thick:g} {gap:g}"'
        )
    return "".join(f'<path d="{path}" fill="none" {line}/>' for line in lines)


def _texts(board: Board, sheet: Sheet) -> Iterable[str]:
    for space in sheet.spaces.values():
        told = board.spaces[space.id]
        text = space.text
        (x, y), size, lines = text["at"], text["size"], text["lines"]
        style = f'fill="{INK}"'
        if space.sea:
            style = f'fill="{SEA_TEXT}" font-style="italic" font-family="Georgia, Gelasio, serif"'
        halo = SEA if space.sea or space.island else "#ffffff"
        first = y - (len(lines) - 1) / 2 * LINE * size + 0.35 * size
        spans = "".join(
            f'<tspan x="{x:g}" y="{first + i * LINE * size:.1f}">{escape(line)}</tspan>'
            for i, line in enumerate(lines)
        )
        font = f'text-anchor="middle" font-size="{size:g}" {style}'
        if lines:
            yield from _leader(sheet, space)
            yield (
                f'<text {font} stroke="{halo}" stroke-opacity="0.5" stroke-width="{size / 5:.1f}">'
                f"{spans}</text><text {font}>{spans}</text>"
            )
        if space.number:
            top = min(y for rings in space.polygons for _, y in rings[0]) * sheet.scale
            yield (
                f'<text text-anchor="middle" font-size="7" x="{space.units[0]:g}" '
                f'y="{top + 14:g}" fill="{SEA_TEXT if space.sea else SIGN}">'
                f"{escape(space.number)}</text>"
            )
        ux, uy = space.units
        signs = []
        if told.terrain:
            signs.append((find("terrain", WORDS.terrain, told.terrain).symbol, SIGN))
        if told.weather and not space.sea and board.grid is None:
            signs.append((find("weather", WORDS.weather, told.weather).symbol, "#4f7f9d"))
        shown = [(symbol, colour) for symbol, colour in signs if symbol]
        for i, (symbol, colour) in enumerate(shown):
            x = ux + (i - (len(shown) - 1) / 2) * 16
            yield _sign(find("symbols", WORDS.symbols, symbol), x, uy, 14, colour)


def _sign(symbol: Symbol, x: float, y: float, side: float, colour: str) -> str:
    """A symbol round a point."""
    at = f"translate({x - side / 2:g},{y - side / 2:g}) scale({side / 24:.3g})"
    fill = f'<path d="{symbol.fill}" fill="{colour}" fill-rule="evenodd"/>' if symbol.fill else ""
    line = f'<path d="{symbol.line}" fill="none" stroke="{colour}" stroke-width="{symbol.width}"/>'
    return f'<g transform="{at}">{fill}{line if symbol.line else ""}</g>'


def _leader(sheet: Sheet, space: Drawn) -> Iterable[str]:
    """A thin line from the edge of a space to a name that stands beside it."""
    left, top, right, bottom = text_box(space.text)
    x, y = space.label
    if space.island or (left <= x <= right and top <= y <= bottom):
        return
    ex, ey = min(max(x, left), right), min(max(y, top), bottom)
    steps = [(x + (ex - x) * i / 40, y + (ey - y) * i / 40) for i in range(40)]
    x, y = [step for step in steps if inside(sheet, space, step)][-1]
    if hypot(ex - x, ey - y) < 4:
        return
    yield f'<path d="M{x:g},{y:g}L{ex:g},{ey:g}" stroke="{INK}" stroke-width="0.5"/>'


def _path(sheet: Sheet, polygons: list[Polygon], attributes: str) -> str:
    scale = sheet.scale
    text = "".join(
        "M" + "L".join(f"{x * scale:g},{y * scale:g}" for x, y in ring) + "Z"
        for rings in polygons
        for ring in rings
    )
    return f'<path d="{text}" fill-rule="evenodd" {attributes}/>'
