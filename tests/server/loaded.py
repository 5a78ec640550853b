"""Everything that a server process needs, loaded. See `network.Server`."""

import uvicorn  # noqa: F401

import sandtable.cli.app  # noqa: F401
from sandtable.kernel import registry
from sandtable.server import app  # noqa: F401
from sandtable.server.records import prepare

prepare()
for game in registry.game_ids():
    registry.find(game).prepare()
