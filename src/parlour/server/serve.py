"""``parlour serve``: the server as a program."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

from parlour.server.basics import logs, system
from parlour.server.basics.config import FOLDER, FROM_PARENT, REDIS_EXAMPLE, TIME_OFFSET, Config, unknown
from parlour.server.basics.errors import BadConfiguration
from parlour.server.basics.steady import time_offset
from parlour.server.basics.system import raise_file_limit, sole_user
from parlour.server.cluster.placement import Beats
from parlour.server.http.connections import HttpConnection
from parlour.server.http.guard import Guard
from parlour.server.http.sockets import SocketConnection
from parlour.server.people.limits import FRAME_BYTES
from parlour.server.push import messages
from parlour.server.store import engine
from parlour.server.tables.sizes import Sizes
from parlour.server.workers import Workers, work

LOG = logging.getLogger("parlour.server")
FACTORY = "parlour.server.app:from_environment"
PING_EVERY = 20.0  # seconds; a socket that leaves one unanswered for as long is closed
FOLDERS = "parlour-serve-"  # how the names of workers' folders begin
OTHER_FILES = 200  # that a process has open besides connections: its database, its bots' pipes, its code


def serve(config: Config, overruled: Iterable[str] = ()) -> int:
    """Serve until told to stop. Returns the exit code. ``overruled`` are sentences about settings that do not count."""
    logs.set_up(config.log, level=config.log_level)
    for sentence in overruled:
        LOG.warning("%s", sentence)
    Sizes(config.largest)  # what is wrong there is said now, not by each worker
    config = msgspec.structs.replace(config, hash_key=config.hash_key or secrets.token_hex(16))
    with sole_user(config.database_url), _workers_folder(config) as folder:
        system.show_stacks_when_asked(folder, and_of_workers=True)
        migrate(config)
        port = _free_port(config)
        config = msgspec.structs.replace(config, port=port)
        files = raise_file_limit()
        _warn(config, files)
        os.environ[FROM_PARENT] = msgspec.json.encode(config).decode()
        os.environ[TIME_OFFSET] = str(time_offset())
        os.environ[FOLDER] = str(folder)
        _greet(config, port)
        return _run(config, port, Guard(config, files - OTHER_FILES), folder)


def _run(config: Config, port: int, guard: Guard, folder: Path) -> int:
    """Serve, in this process or in workers."""
    if config.workers > 1:
        served = uvicorn.Config(FACTORY, **settings(config, port, guard))
        beats = None if sys.platform == "win32" else Beats(folder)
        return Workers(config.workers, beats, work, served, [served.bind_socket()], guard).run()
    # uvicorn ends well and then raises the signal that ended it once more: that, too, is to be a good end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.run(FACTORY, **settings(config, port, guard))
    return 0


def migrate(config: Config) -> None:
    """Bring the database up to date."""
    database = engine.connect(config.database_url)
    engine.migrate(database)
    database.dispose()


def settings(config: Config, port: int, guard: Guard) -> dict[str, Any]:
    """The settings of uvicorn."""
    return {
        "factory": True,
        "host": config.host,
        "port": port,
        "workers": 1,  # as uvicorn counts: see Workers
        "loop": _loop(config),
        "http": partial(HttpConnection, guard),
        "ws": partial(SocketConnection, guard),
        "ws_max_size": FRAME_BYTES,
        "ws_per_message_deflate": False,  # it costs more memory for each socket than all else together
        "ws_ping_interval": PING_EVERY,
        "ws_ping_timeout": PING_EVERY,
        "access_log": False,
        "log_config": None,
        "log_level": None,  # see logs
        "server_header": False,
        "proxy_headers": False,  # see forwarded
        "timeout_graceful_shutdown": 10,
        "backlog": 512,  # all that wait are taken in one round of the loop: 25 ms, some 50 µs each
    }


def _loop(config: Config) -> str:
    if sys.platform == "win32":
        return "auto"
    return "parlour.server.workers_loop:WorkersLoop" if config.workers > 1 else "uvloop"


@contextlib.contextmanager
def _workers_folder(config: Config) -> Iterator[Path]:
    """A folder in which all workers count together, for as long as the server runs."""
    system.remove_left_behind(Path(tempfile.gettempdir()), FOLDERS)
    with tempfile.TemporaryDirectory(prefix=FOLDERS) as name, system.marked_as_used(Path(name)):
        if config.workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = name
        yield Path(name)


def _warn(config: Config, files: int) -> None:
    """Warn of settings that do not work as meant, though the server can run."""
    for name in unknown():
        LOG.warning("there is no setting %s", name)
    if files < config.connections + config.sockets + OTHER_FILES:
        LOG.warning(
            "this process may open %d files only, so at most %d connections and sockets: raise the limit (ulimit -n)",
            files,
            files - OTHER_FILES,
        )
    if config.push and not messages.is_installed():
        LOG.info("nobody can be notified of their turn: pip install 'parlour[push]', or set push = false")
    if config.redis and (trouble := _redis_trouble(config.redis)):
        LOG.warning("redis cannot be reached: looking at the store instead (%s)", trouble)


def _redis_trouble(address: str) -> str | None:
    import redis  # it comes with an extra

    try:
        with redis.from_url(address, socket_timeout=2, socket_connect_timeout=2) as connection:
            connection.ping()
    except ValueError as error:  # never with the address: it may have a password in it
        raise BadConfiguration(
            f"redis is an address such as {REDIS_EXAMPLE}; what is set has a part that is none"
        ) from error
    except (redis.RedisError, OSError) as error:
        return str(error)
    return None


def _greet(config: Config, port: int) -> None:
    below = "" if config.base_path == "/" else config.base_path
    host = system.reached_at(config.host) or socket.gethostname()
    greeting = f"Parlour is at http://{host}:{port}{below}"
    if logs.style_or_default(config.log) == "json":
        LOG.info(greeting)
    else:
        print(f"{greeting}  (Ctrl-C ends it)", file=sys.stderr, flush=True)


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
