"""What happened to somebody since they last had a turn: read from the lines of the log and from the
position then and now, without knowing the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from sandtable.kernel.display import Line, Picture, Piece, Report, ReportItem, Stack

_MOST = 8
"""Spaces that are named one by one."""


class Standing(Struct, frozen=True):
    """A position, as far as a report compares it with a later one."""

    holders: dict[str, str]
    """Space to the power that has it."""
    forces: dict[str, tuple[str, ...]]
    """Space to the powers that have pieces there."""
    income: dict[str, float]
    """By power."""


def standing(picture: Picture, figures: Mapping[str, Mapping[str, float]]) -> Standing:
    """What a report has to know of a position. Income is the first of a game's figures that is
    called so, or Production."""
    holders: dict[str, str] = {}
    forces: dict[str, tuple[str, ...]] = {}
    for id, space in picture.spaces.items():
        if holder := space.holder or space.owner:
            holders[id] = holder
        if space.stacks:
            forces[id] = tuple(stack.power for stack in space.stacks)
    income = next((figures[name] for name in ("Income", "Production") if name in figures), {})
    return Standing(holders, forces, dict(income))


def report(
    powers: Collection[str],
    before: Standing,
    now: Standing,
    lines: Sequence[Line],
    first: int,
    names: Mapping[str, str],
) -> Report:
    """What the `lines` since then, of which the first stands at `first` in the log, have brought
    those who run `powers`. `names` are those of powers and spaces."""
    near = _near(powers, before) | _near(powers, now)
    touched = [at for at, line in enumerate(lines) if _touches(line, powers, near)]
    items = (
        *_battles(lines, set(touched), names),
        *(
            ReportItem("damage", line.text, spaces=line.spaces, power=line.harmed)
            for line in lines
            if line.harmed in powers
        ),
        *_spaces(powers, before, now, names),
        *_incomes(powers, before, now, names),
        *(
            ReportItem("politics", line.text, spaces=line.spaces, power=line.power)
            for line in lines
            if line.deed == "politics"
        ),
    )
    return Report(items, tuple(first + at for at in touched))


def _near(powers: Collection[str], at: Standing) -> set[str]:
    """The spaces that powers hold or stand in."""
    held = {space for space, holder in at.holders.items() if holder in powers}
    return held | {space for space, there in at.forces.items() if not set(powers).isdisjoint(there)}


def _touches(line: Line, powers: Collection[str], near: set[str]) -> bool:
    """Whether a line concerns powers: it is about them, or it ends where they are."""
    if line.level == 0:
        return False
    if line.deed == "politics" or line.power in powers or line.harmed in powers:
        return True
    if any(stack.power in powers for stack in line.lost):
        return True
    where = line.path[-1:] or line.spaces
    return bool(line.path or line.throws or line.lost) and not near.isdisjoint(where)


def _battles(
    lines: Sequence[Line], touched: set[int], names: Mapping[str, str]
) -> Iterator[ReportItem]:
    """The losses of each battle that concerns the powers: what was lost in a space in a turn."""
    chapter = 0
    groups: dict[tuple[int, str], dict[str, dict[str, Piece]]] = {}
    ours: set[tuple[int, str]] = set()
    for at, line in enumerate(lines):
        chapter += line.level == 0
        if not line.lost or not line.spaces:
            continue
        key = chapter, line.spaces[-1]
        if at in touched:
            ours.add(key)
        for stack in line.lost:
            pieces = groups.setdefault(key, {}).setdefault(stack.power, {})
            for piece in stack.pieces:
                have = pieces[piece.name].count if piece.name in pieces else 0
                pieces[piece.name] = Piece(
                    piece.symbol,
                    piece.name,
                    have + piece.count,
                    size=piece.size,
                    printed=piece.printed,
                )
    for key, lost in groups.items():
        if key in ours:
            stacks = tuple(Stack(power, tuple(pieces.values())) for power, pieces in lost.items())
            yield ReportItem("battle", names.get(key[1], key[1]), spaces=(key[1],), lost=stacks)


def _spaces(
    powers: Collection[str], before: Standing, now: Standing, names: Mapping[str, str]
) -> Iterator[ReportItem]:
    """The spaces that powers have gained and lost."""
    changed = [
        space
        for space in dict.fromkeys((*before.holders, *now.holders))
        if before.holders.get(space) != now.holders.get(space)
    ]
    gained: list[ReportItem] = []
    lost: list[ReportItem] = []
    for space in changed:
        old, new = before.holders.get(space, ""), now.holders.get(space, "")
        name = names.get(space, space)
        if new in powers and old not in powers:
            text = f"{name}, from {names.get(old, old)}" if old else name
            gained.append(ReportItem("gained", text, spaces=(space,), power=new))
        elif old in powers and new not in powers:
            text = f"{name}, to {names.get(new, new)}" if new else name
            lost.append(ReportItem("lost", text, spaces=(space,), power=new))
    yield from _few(lost)
    yield from _few(gained)


def _few(items: list[ReportItem]) -> Iterator[ReportItem]:
    """The first of them, and the others together: a hex map has many spaces."""
    most = len(items) if len(items) <= _MOST + 1 else _MOST
    yield from items[:most]
    if rest := items[most:]:
        spaces = tuple(space for item in rest for space in item.spaces)
        yield ReportItem(rest[0].kind, f"{len(rest)} more", spaces=spaces)


def _incomes(
    powers: Collection[str], before: Standing, now: Standing, names: Mapping[str, str]
) -> Iterator[ReportItem]:
    for power, income in now.income.items():
        was = before.income.get(power, 0.0)
        if power in powers and income != was:
            text = f"{names.get(power, power)}: {was:g} → {income:g} ({income - was:+g})"
            spaces = tuple(
                space
                for space in dict.fromkeys((*before.holders, *now.holders))
                if (before.holders.get(space) == power) != (now.holders.get(space) == power)
            )
            yield ReportItem("income", text, spaces=spaces, power=power)
