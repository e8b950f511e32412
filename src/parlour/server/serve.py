"""``parlour serve``: the server as a program."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import tempfile
from typing import Any

import msgspec
import uvicorn

from parlour.server import logs
from parlour.server.config import FROM_PARENT, TIME_OFFSET, Config
from parlour.server.errors import BadConfiguration
from parlour.server.limits import FRAME_BYTES
from parlour.server.steady import time_offset
from parlour.server.store import engine

FACTORY = "parlour.server.app:from_environment"


def serve(config: Config) -> int:
    """Serve until told to stop. Returns the exit code."""
    logs.set_up(config.log)
    migrate(config)
    port = _free_port(config)
    os.environ[FROM_PARENT] = msgspec.json.encode(config).decode()
    os.environ[TIME_OFFSET] = str(time_offset())
    if config.workers > 1:
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="parlour-metrics-"))
    print(f"Parlour is at http://{_shown(config.host)}:{port}  (Ctrl-C ends it)", file=sys.stderr, flush=True)
    # uvicorn ends well and then raises the signal that ended it once more: that, too, is to be a good end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.run(FACTORY, **settings(config, port))
    return 0


def migrate(config: Config) -> None:
    """Bring the database up to date."""
    database = engine.connect(config.database_url)
    engine.migrate(database)
    database.dispose()


def settings(config: Config, port: int) -> dict[str, Any]:
    """What uvicorn is told."""
    return {
        "factory": True,
        "host": config.host,
        "port": port,
        "workers": config.workers if config.workers > 1 else None,
        "loop": "uvloop" if sys.platform != "win32" else "auto",
        "ws": "websockets-sansio",
        "ws_max_size": FRAME_BYTES,
        "ws_per_message_deflate": False,  # it costs more memory for each socket than all else together
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "access_log": False,
        "log_config": None,
        "log_level": "warning",
        "server_header": False,
        "proxy_headers": bool(config.trust_proxy),
        "forwarded_allow_ips": config.trust_proxy or None,
        "timeout_graceful_shutdown": 10,
        "backlog": 4096,
    }


def _free_port(config: Config) -> int:
    """The port, if nobody else has it; 0 means any that is free."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((config.host, config.port))
            return int(probe.getsockname()[1])
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadConfiguration(f"cannot serve at {config.host}:{config.port}: {reason}") from error


def _shown(host: str) -> str:
    return {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, f"[{host}]" if ":" in host else host)
