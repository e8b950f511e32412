"""Where compiled code is kept: the user's cache folder, under a name that contains a hash of the sources.

Numba does not notice when the file of a rule changes, only when the file of a driver does. With the hash in the
folder's name, an edited rule never runs stale.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import caching as numba_caching
from platformdirs import user_cache_path

from parlour.engine.errors import NoCache
from parlour.engine.game import Game
from parlour.engine.sources import fingerprint, rules_of, sources

KEEP_DAYS = 30

config: Any = numba.config  # its settings are made at run time


class _Files(numba_caching.IndexDataCacheFile):
    """Files of compiled code. What is damaged counts as missing: it is compiled again, and written anew."""

    def save(self, key: Any, data: Any) -> None:
        try:
            super().save(key, data)
        except OSError as error:  # a full disk
            raise _no_cache(self._cache_path, error) from error

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except OSError:
            raise
        except Exception:  # whatever comes of unpickling half a file
            return {}

    def _load_data(self, name: str) -> Any:
        try:
            return super()._load_data(name)
        except OSError:
            raise
        except Exception as error:
            raise FileNotFoundError(name) from error


numba_caching.IndexDataCacheFile = _Files  # type: ignore[misc]


def folder(game: Game) -> Path:
    """The folder for the compiled code of just these sources."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info} {config.BOUNDSCHECK}".encode())
    for source in sources(game):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    digest.update(fingerprint(rules_of(game)).encode())
    return root() / f"{game.name}-{digest.hexdigest()[:16]}"


def root() -> Path:
    """The folder around all of them."""
    return Path(os.environ.get("PARLOUR_CACHE") or user_cache_path("parlour")) / "compiled"


_shared: list[Path] = []


def share(other: Path) -> None:
    """From here on, what another cache's root holds is linked into this one instead of being compiled again."""
    _shared.append(other)


def _link_shared(home: Path) -> None:
    for other in _shared:
        for file in (other / home.name).rglob("*.nb[ci]"):
            link = home / file.relative_to(other / home.name)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)


def home(game: Game) -> Path:
    """The game's folder, made if need be; those that nobody has used for long are removed."""
    found = folder(game)
    try:
        if not found.exists():
            _link_shared(found)
        found.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_cache(found, error) from error
    with suppress(PermissionError):  # a bot in its box has no use for times of files
        os.utime(found)
    _forget_old(found)
    return found


def _no_cache(folder: str | Path, error: OSError) -> NoCache:
    return NoCache(f"compiled rules cannot be kept in {folder}: {error.strerror} (set PARLOUR_CACHE)")


@contextmanager
def caching(game: Game, rules: Sequence[Callable[..., Any]] = ()) -> Iterator[Path]:
    """Within this, Numba keeps what it compiles in the folder given: that of the game, or one inside it.

    It also makes vectors of neighbouring stores, which it does not do otherwise: observations take a third of the time.
    ``rules`` are those that are compiled along with the game's own, such as a policy.
    """
    kept = home(game)
    target = kept / fingerprint(rules)[:16] if rules else kept
    before = config.CACHE_DIR, config.SLP_VECTORIZE
    config.CACHE_DIR, config.SLP_VECTORIZE = str(target), 1
    try:
        yield target
    finally:
        config.CACHE_DIR, config.SLP_VECTORIZE = before


@contextmanager
def alone(folder: Path, place: str) -> Iterator[None]:
    """Within this, no other process compiles what is made at that place; those that want it, too, wait and load it.

    Where files cannot be locked, or the folder cannot be written to, each compiles for itself.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            lock = stack.enter_context(_lock_file(folder, place).open("w"))
            fcntl.lockf(lock, fcntl.LOCK_EX)  # let go when the file is closed, or when the process ends
        yield


def _lock_file(folder: Path, place: str) -> Path:
    """Beside the game's folder: bots may read what is in there, and whoever can read a file can lock it."""
    game, *inside = folder.relative_to(root()).parts
    locks = root() / f"{game}.locks"
    locks.mkdir(parents=True, exist_ok=True)
    return locks / "-".join([*inside, place])


def _forget_old(target: Path) -> None:
    """Remove what was compiled from sources that nobody has used for a month."""
    oldest = time.time() - KEEP_DAYS * 86400
    game = target.name.rpartition("-")[0]
    for other in target.parent.glob(f"{game}-*"):
        if other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)
