"""The client is small: people wait for it."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "src" / "sandtable" / "server" / "static"
MOST = 300_000


def test_the_client_has_at_most_300_kb_compressed() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    if not files:
        assert os.environ.get("CI") != "true", "the client has not been built"
        pytest.skip("The client has not been built: run make web.")
    assert any(path.suffix == ".js" for path in files)
    size = sum(len(gzip.compress(path.read_bytes(), 6)) for path in files)
    assert size <= MOST, f"{size} bytes"
