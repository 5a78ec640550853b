"""Settings by environment variables, and what is said about bad ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable.server.config import Config, ConfigError


def read(tmp_path: Path, **given: str) -> Config:
    variables = {f"SANDTABLE_{name}": value for name, value in given.items()}
    return Config.read({"SANDTABLE_HOME": str(tmp_path / "home"), **variables})


def test_without_settings_the_database_is_a_file_in_a_folder_that_is_made(tmp_path: Path) -> None:
    config = read(tmp_path)
    assert config.database_url == f"sqlite:///{tmp_path}/home/sandtable.db"
    assert (tmp_path / "home").is_dir()
    assert (config.host, config.port, config.rate) == ("127.0.0.1", 8000, 1.0)
    assert config.address == "http://127.0.0.1:8000"


def test_empty_variables_count_as_not_set(tmp_path: Path) -> None:
    assert read(tmp_path, PORT="", DATABASE_URL=" ", RATE="") == read(tmp_path)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_used_with_its_driver(tmp_path: Path, scheme: str) -> None:
    config = read(tmp_path, DATABASE_URL=f"{scheme}://ann:secret@db/games")
    assert config.database_url == "postgresql+psycopg://ann:secret@db/games"
    assert not config.sqlite


def test_tls_is_known_from_the_public_address(tmp_path: Path) -> None:
    config = read(tmp_path, PUBLIC_URL="https://sand.example/")
    assert config.https
    assert config.address == "https://sand.example"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PORT", "http", "SANDTABLE_PORT is a whole number from 0 to 65535, not 'http'."),
        ("PORT", "70000", "SANDTABLE_PORT"),
        ("PORT", "-1", "SANDTABLE_PORT"),
        ("PORT", "٣", "SANDTABLE_PORT"),
        ("WORKERS", "0", "SANDTABLE_WORKERS"),
        ("AWAY_SECONDS", "soon", "SANDTABLE_AWAY_SECONDS"),
        ("RATE", "fast", "SANDTABLE_RATE"),
        ("RATE", "nan", "SANDTABLE_RATE"),
        ("RATE", "-1", "SANDTABLE_RATE"),
        ("LOG", "xml", "SANDTABLE_LOG is one of text, json, not 'xml'."),
        ("LOG_LEVEL", "loud", "SANDTABLE_LOG_LEVEL"),
        ("LOCAL_WEBHOOKS", "maybe", "SANDTABLE_LOCAL_WEBHOOKS"),
        ("PUBLIC_URL", "sand.example", "SANDTABLE_PUBLIC_URL"),
        ("PUBLIC_URL", "https://sand.example/games", "SANDTABLE_PUBLIC_URL"),
        ("PROXIES", "10.0.0.1, proxy", "SANDTABLE_PROXIES"),
        ("SMTP_URL", "mail.example", "SANDTABLE_SMTP_URL"),
        ("SMTP_URL", "smtp://mail.example", "SANDTABLE_MAIL_FROM"),
        ("DATABASE_URL", "mysql://ann:secret@db/games", "'mysql'"),
        ("DATABASE_URL", "games.db", "sqlite:///FILE"),
        ("PROCESSES", "2", "Several server processes need a PostgreSQL database"),
    ],
)
def test_a_bad_setting_is_named(tmp_path: Path, name: str, value: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, **{name: value})
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(ConfigError, match="name another one with SANDTABLE_HOME"):
        read(tmp_path)


def test_a_folder_that_cannot_be_written_to_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root, who often runs tests, may write everywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(ConfigError, match="cannot be written to"):
        read(tmp_path)
