"""A user's data folder with one thing changed, and what is said about it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandtable.kernel.data import DataError


def changed(data: Path, folder: Path, file: str, old: str, new: str) -> Path:
    """A data folder with our `file`, in which `old` (which stands there once) became `new`."""
    text = (data / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return folder


def check_complaint(
    data: Path,
    load: Callable[[Path], Any],
    folder: Path,
    change: tuple[str, str, str],
    field: str,
    problem: str,
) -> DataError:
    """Change `old` to `new` in a `file`; the complaint, which names file, field and problem."""
    error = complaint(load, changed(data, folder, *change))
    assert (error.file, error.field) == (change[0], field)
    assert problem in error.problem
    assert error.line is not None
    return error


def complaint(load: Callable[[Path], Any], folder: Path) -> DataError:
    """What is wrong with a data folder."""
    with pytest.raises(DataError) as caught:
        load(folder)
    return caught.value


def first_change(data: Path, folder: Path, file: str) -> int:
    """The first line of a file in the folder that is not as in ours."""
    ours = (data / file).read_text(encoding="utf-8").splitlines()
    theirs = (folder / file).read_text(encoding="utf-8").splitlines()
    lines = enumerate(zip(ours, theirs, strict=False), start=1)
    return next(number for number, (our, their) in lines if our != their)
