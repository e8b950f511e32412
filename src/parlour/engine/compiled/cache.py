"""Where compiled code is kept: the user's cache folder, under a name that contains a hash of the sources.

Numba does not notice when the file of a rule changes, only when the file of a driver does. With the hash in the
folder's name, an edited rule never runs stale.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from platformdirs import user_cache_path

from parlour.engine.game import Game

KEEP_DAYS = 30

config: Any = numba.config  # its settings are made at run time


def sources(game: Game) -> list[Path]:
    """Every file the game's compiled code depends on: the engine's, and those in the game's folder."""
    engine = Path(__file__).parent.parent
    found = sorted(engine.rglob("*.py"))
    home = importlib.import_module(game.package)
    for folder in getattr(home, "__path__", []):
        found += sorted(Path(folder).rglob("*.py"))
    if not hasattr(home, "__path__") and home.__file__:
        found.append(Path(home.__file__))
    return found


def folder(game: Game) -> Path:
    """The folder for the compiled code of just these sources."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info} {config.BOUNDSCHECK}".encode())
    for source in sources(game):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    root = Path(os.environ.get("PARLOUR_CACHE") or user_cache_path("parlour"))
    return root / "compiled" / f"{game.name}-{digest.hexdigest()[:16]}"


def is_warm(game: Game, place: str) -> bool:
    """Whether the function made at that place (``module.factory``) has been compiled before, for the game as it is."""
    return any(folder(game).rglob(f"{place}.*.nbi"))


@contextmanager
def caching(game: Game) -> Iterator[None]:
    """Within this, Numba keeps what it compiles in the game's folder."""
    target = folder(game)
    target.mkdir(parents=True, exist_ok=True)
    with suppress(PermissionError):  # a bot in its box has no use for times of files
        os.utime(target)
    _forget_old(target)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(target)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _forget_old(target: Path) -> None:
    """Remove what was compiled from sources that nobody has used for a month."""
    oldest = time.time() - KEEP_DAYS * 86400
    game = target.name.rpartition("-")[0]
    for other in target.parent.glob(f"{game}-*"):
        if other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)
