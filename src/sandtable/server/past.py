"""What is asked about the past of a game. `Room` gives what is needed for an answer, as it stands;
the answer itself, which may take long, needs no room any more."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from sandtable.kernel.display import Line, Picture, Space
from sandtable.kernel.game import Decided, Entry, Game, Given
from sandtable.kernel.log import Log
from sandtable.kernel.report import Standing, report, standing
from sandtable.server.marks import Marks
from sandtable.server.snapshots import Sample

Powers = frozenset[str]
"""Of one viewer."""

_LINE = msgspec.json.Decoder(Line)


class Story(Struct):
    """What `history` needs to know. It stays as it is when the game goes on."""

    marks: Marks
    stands: Sequence[int]
    """The versions to tell of."""
    viewer: Powers
    """Who counts them."""
    lines: Log[bytes]
    hidden: set[int]
    names: dict[str, str]
    samples: Sequence[Sample]


class Since(Struct):
    """What `told_of` needs to know: where some powers stood, and where they stand."""

    powers: Powers
    before: Standing
    game: Game
    lines: list[bytes]
    first: int


class Scenes(Struct):
    """What `replay` needs to know. `game` is a copy that stays as it is."""

    game: Game
    powers: Powers
    start: int
    """The journal's length at the position with which it begins."""
    steps: list[tuple[int, int]]
    """Of each step the number of its version and the length of its journal."""


class Moment(Struct):
    """A version of the game as somebody wants to see it. `game` is a copy that stays as it is."""

    game: Game
    length: int
    number: int
    """Of the version, for whoever asks."""
    powers: Powers
    about: Raw

    @property
    def then(self) -> Game:
        """The game as it was."""
        now = self.length == self.game.version
        return self.game if now else self.game.at(self.length)


def view(moment: Moment) -> dict[str, Any]:
    """The position at a moment."""
    game = moment.then
    picture = game.rules.picture(game.state, moment.powers)
    return {"version": moment.number, "about": moment.about, "picture": whole(picture)}


def history(past: Story) -> dict[str, Any]:
    """One step for each decision that stands, and the figures."""
    lines = list(past.lines)
    hidden = sorted(past.hidden)
    steps = []
    for version in past.stands:
        mark = past.marks[version]
        shown = [
            _LINE.decode(lines[number])
            for number in range(past.marks[version - 1].events, mark.events)
            if number not in past.hidden
        ]
        # What it decided is not said: it may be a secret.
        text = shown[0].text if shown else f"{past.names.get(mark.power, mark.power)} has decided."
        level = min((line.level for line in shown), default=2)
        # Where the lines stand in the log of whoever asks.
        told = mark.events - bisect_left(hidden, mark.events)
        steps.append(
            {
                "version": past.marks.number(past.viewer, version),
                "text": text,
                "power": mark.power,
                "level": level,
                "lines": (told - len(shown), told),
            }
        )
    figures = [
        Sample(past.marks.number(past.viewer, each.version), each.title, each.values)
        for each in past.samples
    ]
    return {"steps": steps, "figures": figures}


def replay(scenes: Scenes) -> dict[str, Any]:
    """A position, and what changes with each of the steps that follow it, as `update` tells it."""
    game = scenes.game.at(scenes.start)
    journal = scenes.game.journal.since(scenes.start)
    picture = game.rules.picture(game.state, scenes.powers)
    first, steps = picture, []
    for version, length in scenes.steps:
        entries = journal[game.version - scenes.start : length - scenes.start]
        game.follow([again(entry) for entry in entries])
        now = game.rules.picture(game.state, scenes.powers)
        steps.append({"version": version, "changes": difference(picture, now)})
        picture = now
    return {"picture": whole(first), "steps": steps}


def again(entry: Entry) -> Given:
    """An entry of a journal, to be followed once more."""
    return (entry.power, entry.decision) if isinstance(entry, Decided) else entry


def told_of(since: Since | None) -> dict[str, Any]:
    """The report, if there is one."""
    if since is None:
        return {"report": None}
    rules, state = since.game.rules, since.game.state
    now = standing(rules.picture(state, ()), rules.figures(state))
    about = rules.about(state)
    names = {power.id: power.name for power in (*about.powers, *about.others)} | about.names
    lines = [_LINE.decode(line) for line in since.lines]
    told = report(since.powers, since.before, now, lines, since.first, names)
    return {"report": told}


def whole(picture: Picture) -> dict[str, Any]:
    """A whole picture. Its sections are named even if they are empty, as they are when they change:
    a client that was told of changes has the same as one that comes new."""
    return {name: getattr(picture, name) for name in Picture.__struct_fields__}


def difference(before: Picture | None, now: Picture) -> dict[str, Any]:
    """The sections of a picture that differ; of the spaces only those that do."""
    changes = {
        name: getattr(now, name)
        for name in Picture.__struct_fields__
        if name != "spaces" and (before is None or getattr(now, name) != getattr(before, name))
    }
    old = before.spaces if before is not None else {}
    spaces = {space: what for space, what in now.spaces.items() if old.get(space) != what}
    spaces |= {space: Space() for space in old if space not in now.spaces}
    if spaces or before is None:
        changes["spaces"] = spaces
    return changes
