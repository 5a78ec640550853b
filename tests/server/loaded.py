"""Everything that a server process needs, loaded. See `network.Server`."""

import uvicorn  # noqa: F401

import sandtable.cli.app  # noqa: F401
import tests.server.network  # noqa: F401
from sandtable.server import app  # noqa: F401
from sandtable.server.records import prepare

prepare()
