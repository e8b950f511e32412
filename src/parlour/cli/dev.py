"""``parlour dev``: a server for one game that is being written, for this machine alone."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import msgspec

from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.server import serve as serving
from parlour.server.basics.config import WATCHED, load_all
from parlour.server.basics.system import sqlite_address
from parlour.server.running.workshop import Watched

CHECK = [sys.executable, "-c", "from parlour.cli import main; main()", "check"]


def dev(folder: str, port: int) -> int:
    """Serve it until told to stop. Its tables are forgotten then."""
    if not 0 <= port < 65536:
        raise ParlourError(f"--port takes a number from 0 to 65535, not {port}")
    name = registry.add_folder(folder)
    os.environ[WATCHED] = msgspec.json.encode(Watched(name, [*CHECK, name, "--json"])).decode()
    with tempfile.TemporaryDirectory(prefix="parlour-dev-") as tables:
        flags = {
            "host": "127.0.0.1",
            "port": port,
            "workers": 1,
            "redis": "",
            "warm": False,
            "log": "text",
            "log_level": "warning",  # what is told of the game, and not each request
            "database": sqlite_address(Path(tables) / "tables.sqlite"),
        }
        return serving.serve(*load_all(flags, None, {}))  # for this machine alone, whatever is set for servers
