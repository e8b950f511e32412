"""The caller's side of the fork server: starts it when the first bot is wanted, and has it fork supervisors."""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable

from platformdirs import user_cache_path

from parlour.bots.box.process.forkserver_main import NAME_LENGTH
from parlour.bots.box.process.launch import HASH_SEED
from parlour.bots.faults import BadBot
from parlour.engine import folders

PRELOADED = ("numpy", "numba", "parlour.engine.compiled.search", "parlour.bots.mcts", "parlour.bots.box.harness")

_START = "from parlour.bots.box.process.forkserver_main import main; main()"
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
# Where Python and its packages are found, and how rules are compiled. Bots can see these.
_KEPT = ("HOME", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "PYTHONPYCACHEPREFIX", folders.ADDED)
_KEPT_FAMILY = "NUMBA_"


class ForkServer:
    """A process from which supervisors are forked. Processes that are forked from its owner may use it, too."""

    def __init__(self, modules: Iterable[str] = PRELOADED) -> None:
        """Start it. It imports those modules while the caller goes on."""
        self._owner = os.getpid()
        self._requests, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, str(theirs.fileno()), *modules],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=clean_environment(),
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def fork(self, game: str, handles: list[int]) -> None:
        """A supervisor with these handles; the caller may close its own copies. ConnectionError: it has ended."""
        if len(game.encode()) > NAME_LENGTH:
            raise BadBot(f"a game's name is at most {NAME_LENGTH} bytes long, unlike {game!r}")
        # One message, which no other can get into, whoever shares this socket.
        socket.send_fds(self._requests, [game.encode().ljust(NAME_LENGTH, b"\0")], handles)

    def close(self) -> None:
        """End it; the bots that were forked from it go on. In a forked process, only let go of it."""
        self._requests.close()
        if self._owner == os.getpid():
            self._process.terminate()
            self._process.wait()
        else:
            self._process.returncode = 0  # or Python would warn that it still runs


def clean_environment() -> dict[str, str]:
    """Next to nothing: what is in here stays in the memory of every bot."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_FAMILY)}
    cache = os.environ.get("PARLOUR_CACHE") or str(user_cache_path("parlour"))
    fixed = {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONHASHSEED": HASH_SEED}
    return {**fixed, "PARLOUR_CACHE": cache, **kept, **_ONE_THREAD}


_lock = threading.Lock()
_server: ForkServer | None = None


def fork_server() -> ForkServer:
    """This process's fork server, started if there is none yet."""
    global _server
    with _lock:
        if _server is None:
            _server = ForkServer()
        return _server


def replace(gone: ForkServer) -> ForkServer:
    """Another one for one that has ended."""
    global _server
    with _lock:
        if _server is gone:
            gone.close()
            _server = ForkServer()
    return fork_server()


@atexit.register
def _at_exit() -> None:
    if _server is not None:
        _server.close()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
