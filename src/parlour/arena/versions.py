"""What results depend on besides what was announced: the code of Parlour, and all that a bot is made of.

Each is told as a digest: results that come of two versions of it are never mixed.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shlex
import stat
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import parlour
from parlour.bots.box import Source, bot_file, command
from parlour.bots.model import read_settings
from parlour.bots.roster import FILE, MODEL, PROCESS, judge_file
from parlour.engine.game import Game

SHORT = 12  # digits of the digest that people are shown
LEFT_OUT = {"__pycache__", ".git"}  # what comes and goes beside a bot that stays as it is
PARTS = ("parlour.engine", "parlour.bots", "parlour.arena")  # of Parlour's code, by which matches are played


def code_version(game: Game) -> str:
    """Parlour's version, with a digest of the code that plays the game's matches."""
    digest = _digest(_of_tree(_place(package)) for package in (*PARTS, game.package))
    return f"{parlour.__version__} ({digest[:SHORT]})"


def bot_version(game: Game, name: str) -> str:
    """A digest of all that a bot brings along: its file, or the whole folder, program, judge. Else nothing."""
    if name.startswith(FILE):
        source = bot_file(name.removeprefix(FILE))
        return _digest([source.text.encode(), *(_of_tree(Path(folder)) for folder in source.readable)])
    if name.startswith(PROCESS):
        return _digest(_of_tree(path) for path in _of_program(command(name.removeprefix(PROCESS))))
    if name.startswith(MODEL):
        return _digest(_of_tree(path) for path in read_settings(name.removeprefix(MODEL)).files)
    judge = judge_file(game, name)
    return _digest([_of_tree(judge)]) if judge is not None else ""


def _of_program(source: Source) -> Iterator[Path]:
    """The program, and whatever else the command names; not what is installed beside the program."""
    folder = Path(shlex.split(source.name.removeprefix(PROCESS))[0]).expanduser()
    if folder.is_dir():
        yield folder
    yield Path(source.command[0])
    yield from (Path(word) for word in source.command[1:] if Path(word).is_absolute() and Path(word).exists())


def _place(package: str) -> Path:
    file = Path(str(importlib.import_module(package).__file__))
    return file.parent if file.name == "__init__.py" else file


def _digest(parts: Iterable[bytes]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part).digest())
    return whole.hexdigest()


def _of_tree(place: Path) -> bytes:
    """A digest of a file, or of all files below a folder with their names, and where links among them lead."""
    if not place.is_dir():
        return _of_file(place.resolve())
    whole = hashlib.sha256()
    for folder, inside, files in os.walk(place):
        inside[:] = sorted(set(inside) - LEFT_OUT)
        for name in sorted(files) + [name for name in inside if (Path(folder) / name).is_symlink()]:
            path = Path(folder) / name
            told = _of_file(path) + (os.fsencode(path.readlink()) if path.is_symlink() else b"")
            whole.update(hashlib.sha256(os.fsencode(path.relative_to(place))).digest())
            whole.update(hashlib.sha256(told).digest())
    return whole.digest()


def _of_file(path: Path) -> bytes:
    """A digest of what is in it. What is no ordinary file, or cannot be read, has nothing in it."""
    try:
        seen = path.stat()
        if not stat.S_ISREG(seen.st_mode):
            return b""
        return _of_content(path, seen.st_ino, seen.st_size, seen.st_mtime_ns)
    except OSError:
        return b""


@lru_cache(10_000)
def _of_content(path: Path, inode: int, size: int, changed: int) -> bytes:
    """Read anew only where the file has changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
