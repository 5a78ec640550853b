"""Saves: loading, replaying and verifying them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from sandtable.kernel import registry
from sandtable.kernel.dice import Dice, dice_from_header
from sandtable.kernel.display import Change
from sandtable.kernel.errors import SandtableError, SaveError, UnknownGame
from sandtable.kernel.game import Coming, Edited, Game, Given, Noted, Rolled
from sandtable.kernel.savefile import (
    FORMAT,
    FORMAT_VERSION,
    canonical,
    checksum,
    data_digest,
    edited_entries,
    written,
)
from sandtable.kernel.snapshots import Past, Snapshot


class Verification(msgspec.Struct, frozen=True):
    """What `verify` found: how much was re-run, and the first thing that is wrong ("" if none).

    `commitment` is what verified dice were committed to: compare it with what the host published.
    """

    game: str
    decisions: int
    rolls: int
    dice: str
    problem: str = ""
    commitment: str = ""
    edits: tuple[str, ...] = ()
    """Where the position was changed by hand, and how, a sentence each: what came before and after
    was played by the rules, these were not."""

    @property
    def ok(self) -> bool:
        return not self.problem


_FIELDS: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "rules_version": (str,),
    "options": (dict,),
    "position": (dict, type(None)),
    "data": (str, type(None)),
    "dice": (dict,),
    "journal": (list,),
    "hash": (str,),
    "checksum": (str,),
}
"""What a save must have, and in which form."""


def load(path: str | Path | bytes, *, data: str | Path | None = None, whole: bool = False) -> Game:
    """The game in a save (a file, or the bytes of one), ready to go on.

    A long game is taken up from its snapshot, and every decision since is checked again; what came
    before is run when you ask for it (its events, a position in it), and Misfit raised if it does
    not lead to the snapshot. Whoever wrote the file could have written any position there: `verify`
    finds that out, and with `whole` every decision is checked and the snapshot left alone.
    """
    name, save = _read(path, data)
    game = None if whole else _taken_up(save, data)
    if game is None:
        game = _run(save, len(save["journal"]), data)
    if game.hash != save["hash"]:
        raise SaveError(
            f"{name} does not lead to the position it was saved in: "
            "it was changed, or written by rules that differ from these."
        )
    return game


def replay(path: str | Path, until: int | None = None, *, data: str | Path | None = None) -> Game:
    """The game in a save after its first `until` journal entries (all of them if None).

    Dice that were rolled of themselves belong to the decision before them: a game is never
    between the two, and so may come out a few rolls longer.
    """
    _, save = _read(path, data)
    length = len(save["journal"])
    if until is not None and not (isinstance(until, int) and 0 <= until <= length):
        raise SaveError(f"{path} has {length} journal entries; there is no entry {until}.")
    return _run(save, length if until is None else until, data)


def verify(path: str | Path | bytes, *, data: str | Path | None = None) -> Verification:
    """Derive every roll again from the dice's secret or seed, and run every decision again."""
    _, save = _read(path, data)
    entries = _entries(save)
    rolls = [e for e in entries if isinstance(e, Rolled)]
    kind = str(save["dice"].get("kind"))

    commitment = str(save["dice"].get("commitment", ""))
    # Compared with the positions that it may have been taken from; no rule is let at it.
    snapshot: Snapshot | None = save.get("snapshot")
    seen: list[bytes] = []

    edits: list[str] = []

    class Watched(Game):
        def _edit(self, entry: Edited, state: Any, changes: tuple[Change, ...]) -> None:
            moment = self.rules.picture(self.state, ()).moment
            when = ", ".join(filter(None, (moment.title, moment.phase)))
            what = "; ".join(change.change for change in changes)
            edits.append(f"Entry {self.version + 1} ({when}): {what}.")
            super()._edit(entry, state, changes)

        def _keep(self, strict: bool) -> None:
            if snapshot is not None and self.version == snapshot.length:
                seen.append(canonical(self._here()))
            super()._keep(strict)

    def report(problem: str = "") -> Verification:
        decisions = sum(isinstance(entry, tuple) for entry in entries)
        return Verification(
            save["game"], decisions, len(rolls), kind, problem, commitment, tuple(edits)
        )

    try:
        wrong = "" if kind == "explicit" else wrong_roll(dice_from_header(save["dice"]), rolls)
        if wrong:
            return report(wrong)
        game = _run(save, len(entries), data, kind=Watched)
    except SaveError as error:
        return report(str(error))
    if game.hash != save["hash"]:
        return report("The decisions do not lead to the position that the save records.")
    if "snapshot" in save and canonical(snapshot) not in seen:
        return report("The snapshot is not a position that the decisions lead to.")
    return report()


def wrong_roll(dice: Dice, rolls: Iterable[Rolled]) -> str:
    """A sentence about the first roll that is not what these dice give; "" if all are."""
    for number, roll in enumerate(rolls):
        if dice.roll(number, len(roll.faces), roll.sides) != roll.faces:
            return f"Roll {number + 1} ({roll.kind}) is not what the dice give."
    return ""


def _read(source: str | Path | bytes, data: str | Path | None) -> tuple[str, dict[str, Any]]:
    """The name of a save and its checked content: the snapshot is a record, or None if it does not
    fit, all else as it is."""
    path = "The save" if isinstance(source, bytes) else str(source)
    try:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
        fields = msgspec.json.decode(content, type=dict[str, Raw])
        raw = {name: _field(name, value) for name, value in fields.items()}
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {error.strerror}.") from None
    except msgspec.ValidationError:
        raise SaveError(f"{path} is not a Sandtable save.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise SaveError(f"{path} is not a complete save: it is cut off or is not JSON.") from None
    if raw.get("format") != FORMAT:
        raise SaveError(f"{path} is not a Sandtable save.")
    version = raw.get("format_version")
    if not isinstance(version, int) or version < 1:
        raise SaveError(f"{path} does not say which save format it has.")
    if version != FORMAT_VERSION:
        what = "update it" if version > FORMAT_VERSION else "the save is of no released version"
        raise SaveError(
            f"{path} has save format {version}, this Sandtable reads {FORMAT_VERSION}: {what}."
        )
    for key, kinds in _FIELDS.items():
        if key not in raw:
            raise SaveError(f"{path} is damaged: it has no field {key!r}.")
        if not isinstance(raw[key], kinds):
            raise SaveError(f"{path} is damaged: its field {key!r} has the wrong form.")
    body = ("journal", "hash", "checksum", "snapshot")
    head = {key: raw[key] for key in raw if key not in body}
    sealed = [head, raw["hash"]]
    if raw["checksum"] != checksum(sealed, raw["journal"]):
        # As somebody's editor may have laid it out.
        raw["journal"] = [written(_plain(entry)) for entry in raw["journal"]]
    if raw["checksum"] != checksum(sealed, raw["journal"]):
        raise SaveError(f"{path} was changed after it was written: its checksum does not fit.")
    try:
        rules = registry.find(raw["game"])
    except UnknownGame as error:
        raise SaveError(f"{path} cannot be played here. {error}") from None
    if _version_number(raw["rules_version"]) > _version_number(rules.version):
        raise SaveError(
            f"{path} was played with {raw['game']} rules {raw['rules_version']}, "
            f"this Sandtable has {rules.version}: update it."
        )
    if raw.get("edited", []) != list(edited_entries(raw["journal"])):
        raise SaveError(f"{path} was changed: it does not say which of its entries are edits.")
    if raw["data"] != data_digest(data):
        raise SaveError(f"{path} was played with other data files: name their folder with data.")
    if "snapshot" in raw:
        raw["snapshot"] = _fitting(raw)
    return path, raw


def _field(name: str, value: Raw) -> Any:
    """A field of a save. The entries of the journal stay as they are written: few of them may be
    needed."""
    with suppress(msgspec.ValidationError):
        return msgspec.json.decode(value, type=list[Raw] if name == "journal" else Any)
    return None


def _fitting(save: dict[str, Any]) -> Snapshot | None:
    """The snapshot of a save as a record; None if it was not taken of this journal."""
    try:
        given = save["snapshot"]
        fields = {name: value for name, value in given.items() if name != "checksum"}
        snapshot = msgspec.convert(fields, Snapshot)
        fits = given["checksum"] == checksum([save["checksum"], snapshot])
    except (AttributeError, KeyError, TypeError, msgspec.ValidationError):
        return None
    return snapshot if fits and 0 < snapshot.length <= len(save["journal"]) else None


def _entries(save: dict[str, Any], start: int = 0) -> list[Given]:
    """The journal of a save from the entry `start` on, with plain decisions."""
    return [
        entry_from_plain(_plain(entry), str(number))
        for number, entry in enumerate(save["journal"][start:], start)
    ]


def _plain(written: bytes | Raw) -> Any:
    try:
        return msgspec.json.decode(written)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def entry_from_plain(entry: Any, name: str) -> Given:
    """An entry of a save; a decision is read when its request is there."""
    if isinstance(entry, dict) and isinstance(entry.get("by"), str):
        return entry["by"], {key: value for key, value in entry.items() if key != "by"}
    try:
        if isinstance(entry, dict) and "note" in entry:
            return msgspec.convert(entry, Noted)
        if isinstance(entry, dict) and entry.keys() == {"edit"}:
            return msgspec.convert({"patch": entry["edit"]}, Edited)
        fields = {"faces": entry["roll"], "sides": entry["sides"], "kind": entry["for"]}
        return msgspec.convert(fields, Rolled)
    except (KeyError, TypeError, msgspec.ValidationError):
        raise SaveError(
            f"Journal entry {name} is neither a decision, a roll, a note nor an edit."
        ) from None


def _version_number(text: object) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in str(text).split("."))
    except ValueError:
        raise SaveError(f"{text!r} is not a version of the rules.") from None


def _run(
    save: dict[str, Any], length: int, data: str | Path | None, kind: type[Game] = Game
) -> Game:
    """Play the first `length` journal entries of a save, checking each."""
    dice, entries = _dice(save), _entries(save)
    while dice is not None and length < len(entries) and isinstance(entries[length], Rolled):
        length += 1
    return resume(
        save["game"],
        save["options"],
        save["position"],
        dice,
        entries[:length],
        data=data,
        kind=kind,
    )


def _taken_up(save: dict[str, Any], data: str | Path | None) -> Game | None:
    """The game of a save, played on from its snapshot; None if it has none that fits."""
    snapshot = save.get("snapshot")
    if snapshot is None:
        return None
    before = save["journal"][: snapshot.length]
    past = Past(snapshot, lambda length: _run(save, length, data), before, edited_entries(before))
    try:
        game = resume(
            save["game"],
            save["options"],
            save["position"],
            _dice(save),
            _entries(save, snapshot.length),
            data=data,
            past=past,
        )
        fits = game.hash == save["hash"] and not game.rules.audit(game.state)
    except Exception:  # Whatever comes of a position that cannot be.
        return None
    return game if fits else None


def _dice(save: dict[str, Any]) -> Dice | None:
    explicit = save["dice"].get("kind") == "explicit"
    return None if explicit else dice_from_header(save["dice"])


def resume(
    game_id: str,
    options: Mapping[str, Any],
    position: Mapping[str, Any] | None,
    dice: Dice | None,
    entries: Sequence[Given],
    *,
    data: str | Path | None = None,
    past: Past | None = None,
    kind: type[Game] = Game,
) -> Game:
    """The game with this journal (after that of `past`), ready to go on with `dice` (None: chance
    is explicit). Every decision is checked again; SaveError names the entry that does not fit."""
    rules = registry.find(game_id)
    folder = None if data is None else Path(data)
    at = start = past.snapshot.length if past is not None else 0
    try:
        chosen = rules.read_options(options)
        state = rules.start(chosen, position, folder)
        recorded = None if dice is None else Coming(start, entries)
        game = kind(
            rules, chosen, state, dice, setup=position, data=folder, recorded=recorded, past=past
        )
        game._recorded = None
        at = game.version
        try:
            game.follow(entries[at - start :])
        finally:
            at = game.version
    except SandtableError as error:
        raise SaveError(f"Journal entry {at} cannot be played again: {error}") from None
    return game
