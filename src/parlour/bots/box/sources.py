"""Where a bot comes from: a file, a folder, or a command."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.bots.box.sandbox import is_too_wide
from parlour.bots.faults import BadBot

LARGEST_SOURCE = 1 << 20
MAIN = "bot.py"  # the file in a folder that is the bot


@dataclass(frozen=True)
class Source:
    """``name`` is how people wrote it; ``readable`` is what the bot may read besides Python and the system."""

    name: str
    path: str = ""
    text: str = ""
    command: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()

    @property
    def is_program(self) -> bool:
        return bool(self.command)

    def order(self) -> dict[str, Any]:
        """The supervisor's part of it."""
        return {"path": self.path, "source": self.text, "command": self.command, "readable": self.readable}


def bot_file(name: str) -> Source:
    """``my_bot.py``, or a folder with a ``bot.py`` in it, which may read the folder."""
    given = Path(name).expanduser()
    if not name.strip() or not given.exists():
        raise BadBot(f"there is no bot file {name!r}")
    path = given / MAIN if given.is_dir() else given
    if not path.is_file():
        missing = f"a folder needs a {MAIN} in it" if given.is_dir() else "it is no ordinary file"
        raise BadBot(f"{name!r} is no bot: {missing}")
    readable = (str(given.resolve()),) if given.is_dir() else ()
    return Source(name, path=str(path.resolve()), text=_text(path, name), readable=readable)


def _text(path: Path, name: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_SOURCE + 1)
        if len(raw) > LARGEST_SOURCE:
            raise BadBot(f"{name} is larger than {LARGEST_SOURCE >> 20} MiB, which is too much for a bot file")
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise BadBot(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadBot(f"{name} is no text in UTF-8") from None


def command(line: str) -> Source:
    """A command line. Words that name files or folders are made absolute, and the bot may read what is there."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BadBot(f"process:{line} is no command line: {error}") from None
    if not words:
        raise BadBot("process: needs a command, for example process:./bot --flag")
    program = shutil.which(words[0])
    if program is None:
        raise BadBot(f"there is no program {words[0]!r} to run, or it may not be run")
    rest = [str(Path(word).resolve()) if Path(word).exists() else word for word in words[1:]]
    program = os.path.abspath(program)  # noqa: PTH100 - a link to a program may be how the program knows its name
    readable = [folder for word in (program, *rest) for folder in _readable(word)]
    return Source(f"process:{line}", command=(program, *rest), readable=tuple(dict.fromkeys(readable)))


def _readable(word: str) -> list[str]:
    """A named file brings its folder along, and a program in a ``bin`` the folder around that; never a whole home."""
    path = Path(word)
    if not path.is_absolute() or not path.exists():
        return []
    wanted = [path, path.resolve(), *(path.parent, path.resolve().parent)]
    wanted += [folder.parent for folder in wanted if folder.name == "bin"]
    return [str(found) for found in wanted if found.is_file() or not is_too_wide(found)]
