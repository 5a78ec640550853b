"""Drawing for a terminal what games give to clients: pictures, forms and lines of the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from rich.markup import escape

from sandtable.cli.errors import Unclear
from sandtable.cli.names import Lexicon, simple
from sandtable.cli.reading import Reader, rows_in_words
from sandtable.kernel.display import (
    About,
    Battle,
    Choice,
    Line,
    Odds,
    Picture,
    Piece,
    Row,
    Sheet,
    Space,
    Stack,
)
from sandtable.kernel.errors import SandtableError
from sandtable.kernel.vocabulary import WORDS, find
from sandtable.maps.board import MapError, board_of

LISTED = 24
"""So many lines a list has in a question; `moves` has more."""

_GOALS = 5
_MOVES = 15
"""So many moves of others are told one by one."""


class Screen:
    """A game's powers, spaces and pieces in Rich markup."""

    def __init__(self, about: About, lexicon: Lexicon) -> None:
        self.about = about
        self.lexicon = lexicon
        self._colours = {power.id: power.colour for power in (*about.powers, *about.others)}
        self._sides = {power.side: power.side_name for power in about.powers}

    def power(self, id: str, width: int = 0) -> str:
        """A power's or a side's name, in its colour."""
        name = self._sides.get(id) or self.lexicon.power(id)
        return coloured(self._colours.get(id, ""), f"{escape(name):<{width}}")

    # --- the position ------------------------------------------------------------------------

    def tables(self, picture: Picture) -> list[str]:
        """The tables of numbers by power."""
        lines: list[str] = []
        for track in picture.tracks:
            lines.append(f"[bold]{track.title:<26}[/]{''.join(f'{c:>12}' for c in track.columns)}")
            for id, cells in track.rows.items():
                mark = ">" if id == picture.moment.power else " "
                lines.append(f"{mark} {self.power(id, 24)}{''.join(f'{c:>12}' for c in cells)}")
        return lines + [f"[dim]{escape(note)}[/]" for note in picture.notes]

    def purse(self, picture: Picture, power: str) -> str:
        """A power's numbers in a line."""
        side = next((p.side for p in self.about.powers if p.id == power), "")
        return " · ".join(
            f"{track.title}: "
            + ", ".join(f"{c} {v}" for c, v in zip(track.columns, row, strict=True))
            for track in picture.tracks
            if (row := track.rows.get(power) or track.rows.get(side))
        )

    def board(self, picture: Picture) -> list[str]:
        """Every space with something in it, by who holds it, and what stands beside the map; or the
        position in words, where there are no spaces."""
        lines = [*self.tables(picture), *escape(picture.text).splitlines()]
        held: dict[str, dict[str, Space]] = {}
        for id, space in picture.spaces.items():
            held.setdefault(space.holder or space.owner, {})[id] = space
        order = [power.id for power in (*self.about.powers, *self.about.others)]
        for owner in sorted(held, key=lambda id: order.index(id) if id in order else len(order)):
            lines += ["", f"[bold]{self.power(owner) if owner else 'Nobody, and at sea'}[/]"]
            empty = []
            for id, space in held[owner].items():
                if space.stacks or "battle" in space.tags:
                    lines.append(self._space_line(id, space))
                elif owner:
                    empty.append(escape(self.lexicon.space(id)))
            if empty:
                lines.append(f"  [dim]no units:[/] {', '.join(empty)}")
        return [*lines, *self.pools(picture)]

    def pools(self, picture: Picture) -> list[str]:
        """Pieces beside the map."""
        return [
            f"[bold]{escape(pool.title)}[/], {self.power(pool.power)}: {self._pieces(pool.pieces)}"
            + (f" [dim]{escape(pool.note)}[/]" if pool.note else "")
            for pool in picture.pools
        ]

    def _space_line(self, id: str, space: Space) -> str:
        marks = " ".join(f"{_plain(m.symbol)} {m.text}".strip() for m in space.marks)
        tags = "".join(f"[red]{tag}[/] " for tag in space.tags if tag in ("battle", "contested"))
        name = escape(self.lexicon.space(id))
        return f"  {name:<26}  {tags}{self.stacks(space.stacks) or '-'} [dim]{escape(marks)}[/]"

    def stacks(self, stacks: Iterable[Stack]) -> str:
        """`Germany 3 infantry, tank; Japan fighter`."""
        return "; ".join(
            f"{self.power(s.power) if s.power else 'Neutral'} {self._pieces(s.pieces)}"
            for s in stacks
        )

    def _pieces(self, pieces: Iterable[Piece]) -> str:
        return ", ".join(self._piece(piece) for piece in pieces) or "nothing"

    def _piece(self, piece: Piece) -> str:
        name = piece.name if piece.id else piece.name.lower()
        text = f"{piece.count} {name}" if piece.count > 1 else name
        about = [f"Size {piece.size}"] if piece.size else []
        about += [state for state in piece.states if state in ("damaged", "submerged")]
        about += [f"with {self._pieces(piece.cargo)}"] if piece.cargo else []
        whose = f"{self.power(piece.power)} " if piece.power else ""
        return f"{whose}{escape(text)}" + (f" ({', '.join(about)})" if about else "")

    def battle(self, battle: Battle) -> list[str]:
        """Both sides of the battle that is being fought."""
        lines = []
        for side in battle.sides:
            strong = ", ".join(f"{name} {how}" for name, how in side.strengths.items())
            lost = f" · lost {self._force(side.lost, side.power)}" if side.lost else ""
            force = self._force(side.stacks, side.power)
            lines.append(f"  [bold]{escape(side.title)}[/]: {force}{lost}")
            notes = "; ".join(filter(None, (strong, side.note)))
            lines += [f"    [dim]{escape(notes)}[/]"] if notes else []
        return lines

    def _force(self, stacks: Sequence[Stack], power: str) -> str:
        """Stacks of a side; if all is one power's the title has named it."""
        if [stack.power for stack in stacks] == [power]:
            return self._pieces(stacks[0].pieces)
        return self.stacks(stacks) or "nothing"

    # --- a part of it ------------------------------------------------------------------------

    def show(self, picture: Picture, what: str) -> list[str]:
        """A space, a power, the powers, what stands beside the map, the types of units."""
        word = simple(what)
        if not word:
            raise Unclear("Show what? A space, a power, a unit, powers, units, or pools.")
        if word in ("powers", "tables", "money", "income"):
            return self.tables(picture)
        if word in ("units", "types", "chart", "prices"):
            return self.types()
        if word == "pools":
            return self.pools(picture) or ["There is nothing beside the map."]
        lines: list[str] = []
        space = word in self.lexicon.spaces and self.lexicon.spaces.find(word)
        if space in picture.spaces:
            lines += self._space(picture, str(space))
        if word in self.lexicon.powers:
            lines += self._of_power(picture, self.lexicon.powers.find(word))
        return lines or self._unit(picture, word) or [self._unknown(what)]

    def _unknown(self, what: str) -> str:
        self.lexicon.spaces.find(what)
        raise Unclear(f"{what} is not in play.")

    def types(self) -> list[str]:
        """The reference sheet."""
        columns = list(
            dict.fromkeys(column for type_ in self.about.types for column in type_.facts)
        )
        lines = [f"[bold]{'':<24}{''.join(f'{column:>10}' for column in columns)}[/]"]
        for type_ in self.about.types:
            cells = "".join(f"{type_.facts.get(column, ''):>10}" for column in columns)
            lines.append(f"{type_.name:<24}{cells}")
        return lines

    def _space(self, picture: Picture, id: str) -> list[str]:
        space = picture.spaces[id]
        whose = f": {self.power(space.owner)}" if space.owner else ""
        whose += f", held by {self.power(space.holder)}" if space.holder else ""
        lines = [f"[bold]{escape(self.about.names.get(id, self.lexicon.space(id)))}[/]{whose}"]
        lines += [f"  {escape(line)}" for line in (*space.lines, *self._lines_of(picture, id))]
        lines.append(f"  {self.stacks(space.stacks) or 'no units'}")
        near = [other for other in self._neighbours(id) if other in picture.spaces]
        if near:
            lines.append("[dim]next to it[/]")
        for other in near:
            owner = picture.spaces[other].holder or picture.spaces[other].owner
            there = self.stacks(picture.spaces[other].stacks)
            nobody = f"[dim]{f'{self.power(owner)}: ' if owner else ''}no units[/]"
            lines.append(f"  {escape(self.lexicon.space(other)):<26}  {there or nobody}")
        return lines

    def _lines_of(self, picture: Picture, id: str) -> Iterator[str]:
        """What leads through a space and along its borders, as on the cards of the browser."""
        for border in picture.borders:
            if id in border.pair:
                other = border.pair[0] if border.pair[1] == id else border.pair[1]
                what = border.title or self._of(WORDS.borders[border.kind].name, border.owner)
                yield f"{what}, towards {self.lexicon.space(other)}."
        for route in picture.routes:
            if id in route.path:
                what = route.title or self._of(WORDS.routes[route.kind].name, route.owner)
                yield f"{', '.join(filter(None, (what, route.label, route.state)))}."

    def _of(self, what: str, owner: str) -> str:
        return f"{what} of {self.lexicon.power(owner)}" if owner else what

    def _neighbours(self, id: str) -> list[str]:
        try:
            board = board_of(self.about.map)
        except (MapError, SandtableError):
            return []
        pairs = {*board.borders, *(link.pair for link in board.links)}
        return sorted(b if a == id else a for a, b in pairs if id in (a, b))

    def _of_power(self, picture: Picture, power: str) -> list[str]:
        lines = [f"[bold]{self.power(power)}[/]: {escape(self.purse(picture, power))}"]
        for id, space in picture.spaces.items():
            if own := [stack for stack in space.stacks if stack.power == power]:
                lines.append(f"  {escape(self.lexicon.space(id)):<26}  {self.stacks(own)}")
        for sheet in picture.sheets:
            if sheet.power == power:
                lines += self._sheet(sheet)
        return lines

    def _sheet(self, sheet: Sheet) -> list[str]:
        """What a power's sheet says, under its headings."""
        lines, heading = [], ""
        for row in sheet.rows:
            if row.group != heading:
                heading = row.group
                lines.append(f"[bold]{escape(heading)}[/]")
            text = f"  {escape(row.label)}: {escape(row.value)}"
            marks = {"good": f"{text} [green]holds[/]", "dim": f"[dim]{text}[/]"}
            lines.append(marks.get(row.tone, text))
        return lines

    def _unit(self, picture: Picture, word: str) -> list[str]:
        """Where the units are that are called so."""
        lines = []
        for id, space in picture.spaces.items():
            for stack in space.stacks:
                for piece in stack.pieces:
                    if simple(piece.name).startswith(word) or f" {word}" in simple(piece.name):
                        where = escape(self.lexicon.space(id))
                        note = f" [dim]{escape(piece.note)}[/]" if piece.note else ""
                        lines.append(f"  {where:<26}  {self.stacks([_only(stack, piece)])}{note}")
        return lines

    # --- what is asked -----------------------------------------------------------------------

    def question(self, reader: Reader, picture: Picture) -> list[str]:
        """The form of a request: what is asked, what there is, and how to answer."""
        form = reader.form
        if form.component == "schema":
            lines = [f"[bold]{escape(form.prompt)}[/]"]
        else:
            lines = [f"[bold]{escape(form.title.rstrip('.'))}.[/] {escape(form.prompt)}"]
        if picture.battle is not None and form.battle:
            lines += self.battle(picture.battle)
        lines += [f"  {escape(note)}" for note in form.notes]
        if form.purses:
            purses = ", ".join(f"{purse.label} {purse.left}" for purse in form.purses)
            lines.append(f"  Left: {escape(purses)}.")
        if form.network is not None and form.network.courses:
            told = [f"{one.label} {one.left} of {one.capacity}" for one in form.network.courses]
            lines.append(
                f"  {escape(form.network.title)}, what is left: {escape(', '.join(told))}."
            )
        lines += [f"  {escape(p.detail)}" for p in form.battles if p.detail]
        lines += ["  [dim]odds tells the chances[/]"] if form.battles else []
        lines += self.rows(form.rows, costs=form.component == "buy")
        lines += self._movers(reader)
        lines += self.choices(form.choices[:LISTED], len(reader.movers))
        if len(form.choices) > LISTED:
            more = len(form.choices) - LISTED
            lines.append(f"  [dim]… and {more} more: moves lists all, moves NAME some of them[/]")
        lines += [
            f"  [dim]{escape(limit.label)}: {_range(limit.least, limit.most)}[/]"
            for limit in form.limits
            if not limit.quiet
        ]
        lines += [f"  [yellow]{escape(w)}[/]" for w in (form.done_problem, form.done_warning) if w]
        return [*lines, self.how(reader)]

    def how(self, reader: Reader) -> str:
        """How to answer: what Enter does, and lines that are legal now."""
        enter, label = "", ""
        if reader.proposal is not None:
            _, label = reader.proposal
            enter = f"[dim]Enter for[/] [cyan]{escape(label)}[/][dim], or type[/] "
        examples = (*(each for each in reader.examples() if each != label), "help")
        shown = [f"[cyan]{escape(example)}[/]" for example in examples]
        return f"  {enter or '[dim]Type[/] '}{' [dim]·[/] '.join(shown)}"

    def rows(self, rows: Sequence[Row], *, costs: bool) -> Iterator[str]:
        """Rows by their groups: how many there are of each, or what they cost."""
        groups: dict[str, list[Row]] = {}
        for row in rows:
            groups.setdefault(row.group, []).append(row)
        for group, some in groups.items():
            if costs:
                each = [f"{escape(row.label)} [bold]{row.cost}[/]" for row in some if row.most]
            else:
                each = [
                    escape(rows_in_words([(row, row.most)]))
                    + (f" (Size {row.size})" if row.size else "")
                    for row in some
                ]
            if each:
                yield f"  {f'[dim]{escape(group)}:[/] ' if group else ''}{', '.join(each)}"

    def _movers(self, reader: Reader) -> Iterator[str]:
        """Movers that can go somewhere, with some of their goals."""
        for number, (mover, goals) in enumerate(reader.movers, 1):
            some = [escape(self.lexicon.space(goal)) for goal in goals[:_GOALS]]
            more = " …" if len(goals) > _GOALS else ""
            own = ((row, row.most) for row in mover.rows if not row.cargo)
            where = escape(self.lexicon.space(mover.space))
            units = escape(rows_in_words(own))
            yield f"  {number}. {where}: {units} [dim]to {', '.join(some)}{more}[/]"

    def choices(self, choices: Iterable[Choice], before: int = 0) -> Iterator[str]:
        """Choices with their numbers, under their headings."""
        group = ""
        for number, choice in enumerate(choices, before + 1):
            if choice.group != group:
                group = choice.group
                yield f"  [bold]{escape(group)}[/]" if group else ""
            detail = f"  [dim]{escape(choice.detail)}[/]" if choice.detail else ""
            yield f"  {number}. {escape(choice.label)}{detail}"

    def odds(self, odds: Odds) -> list[str]:
        """The odds of a battle."""
        draw = f", neither {odds.draw:.0%}" if odds.draw >= 0.005 else ""
        head = f"{odds.outcome or 'won'} {odds.win:.0%}, lost {odds.lose:.0%}{draw}"
        lines = [f"[bold]{escape(odds.title)}[/]: {head}"]
        return lines + [f"  {escape(line)}" for line in (*odds.lines, odds.note) if line]

    # --- what happened -----------------------------------------------------------------------

    def told(self, lines: Sequence[Line], seats: Collection[str]) -> list[str]:
        """What happened, for the people in `seats`: what they take part in die by die, battles of
        others by how they ended, and not every move of others."""
        mine = {
            space
            for line in lines
            if line.power in seats or any(throw.power in seats for throw in line.throws)
            for space in line.spaces
        }
        battles = {_place(line) for line in lines if line.deed == "battle"}
        ends = {_place(line): at for at, line in enumerate(lines)}
        moves = {
            at
            for at, line in enumerate(lines)
            if line.path and not line.deed and line.power not in seats
        }
        told = []
        for at, line in enumerate(lines):
            text = f"  {escape(line.text)}"
            if line.kind in ("turn_began", "phase_began"):
                continue  # The headings say so.
            if line.power in seats or (_place(line) in mine and at not in moves):
                told.append(f"[bold]{text}[/]" if line.deed == "battle" else text)
            elif at in moves:
                told += [text] if len(moves) <= _MOVES else []
            elif _place(line) not in battles or line.deed == "taken" or at == ends[_place(line)]:
                told.append(text)
        if len(moves) > _MOVES:
            told.append(f"  [dim]… and {len(moves)} moves: log tells them[/]")
        return told


def coloured(colour: str, text: str) -> str:
    """Text in a power's colour, in Rich markup; plain without one."""
    return f"[{find('colours', WORDS.colours, colour).terminal}]{text}[/]" if colour else text


def _plain(symbol: str) -> str:
    return symbol.replace("_", " ")


def _place(line: Line) -> str:
    """Where something happened."""
    return next(iter((*line.path[-1:], *line.spaces)), "")


def _only(stack: Stack, piece: Piece) -> Stack:
    return Stack(stack.power, (piece,))


def _range(least: int, most: int) -> str:
    if least == most:
        return f"exactly {most}"
    return f"{least} to {most}" if least > 0 else f"at most {most}"
