"""Where a bot comes from: a file, a folder, or a command."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from parlour.bots.box.limits import BotLimits
from parlour.bots.box.process.launch import Launch
from parlour.bots.box.sandbox import is_too_wide, readable_by_all
from parlour.bots.faults import BadBot

LARGEST_SOURCE = 1 << 20
MAIN = "bot.py"  # the file in a folder that is the bot
PROGRAM = "bot"  # the program in a folder that is the bot
INSTALLED = ("lib", "lib64", "libexec", "share", "pyvenv.cfg")  # what programs in a bin need beside it


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

    def can_read(self, path: Path) -> bool:
        """Whether the path is the bot's own, in its folder, or where every bot may read."""
        found = path.resolve()
        opened = (*self.readable, *readable_by_all(program=self.is_program))
        return any(found.is_relative_to(Path(folder).resolve()) for folder in opened)

    def launch(self, game: str, limits: BotLimits) -> Launch:
        """What a supervisor is to start."""
        launch = Launch(limits.to_json(), self.command, readable=self.readable, game=game)
        if self.is_program:
            return launch
        folder = self.readable[0] if self.readable else ""
        arguments = {"path": self.path, "source": self.text, "folder": folder}
        return replace(launch, entry="parlour.bots.box.harness:serve", arguments=arguments)


def bot_file(name: str) -> Source:
    """``my_bot.py``, or a folder with a ``bot.py`` in it, which may read the folder."""
    given = Path(name).expanduser()
    if not name.strip() or not given.exists():
        raise BadBot(f"there is no bot file {name!r}")
    path = given / MAIN if given.is_dir() else given
    if not path.is_file():
        missing = f"a folder needs a {MAIN} in it" if given.is_dir() else "it is not an ordinary file"
        raise BadBot(f"{name!r} is not a bot: {missing}")
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
        raise BadBot(f"{name} is not text in UTF-8") from None


def command(line: str) -> Source:
    """A command line. Files and folders that its words name are made absolute, and the bot may read just those.

    The first word is a program, or a folder with a program called ``bot`` in it, which may read the folder.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BadBot(f"process:{line} is not a command line: {error}") from None
    if not words:
        raise BadBot("process: needs a command, for example process:./bot --flag")
    folder = Path(words[0]).expanduser()
    program = shutil.which(str(folder / PROGRAM) if folder.is_dir() else words[0])
    if program is None:
        raise BadBot(f"there is no program {words[0]!r} to run, or it may not be run")
    if folder.is_dir() and not Path(program).resolve().is_relative_to(folder.resolve()):
        raise BadBot(f"{program} leads out of its folder, to {Path(program).resolve()}")
    program = os.path.abspath(program)  # noqa: PTH100 - a link to a program may be how the program knows its name
    rest = [str(Path(word).resolve()) if Path(word).exists() else word for word in words[1:]]
    named = [word for word in rest if Path(word).is_absolute() and Path(word).exists()]
    own = [str(folder.resolve())] if folder.is_dir() else []
    readable = [*own, *_parts_of(program), *_parts_of(_interpreter(program)), *named]
    for path in readable:
        if is_too_wide(Path(path)):
            raise BadBot(f"process:{line} would let the bot read all of {path}; name a folder that holds less")
    return Source(f"process:{line}", command=(program, *rest), readable=tuple(dict.fromkeys(readable)))


def _interpreter(program: str) -> str:
    """The program that the first line of a script names; the script itself if it is none."""
    with contextlib.suppress(OSError), Path(program).open("rb") as file:
        words = file.readline(256).split()
        named = os.fsdecode(words[0].removeprefix(b"#!")) if words and words[0].startswith(b"#!/") else ""
        if named and os.access(named, os.X_OK):  # nothing else that a script names is opened to it
            return named
    return program


def _parts_of(program: str) -> list[str]:
    """A program, what it is a link to, and the folders that are installed beside a ``bin`` that it is in."""
    parts = []
    for path in (Path(program), Path(program).resolve()):
        parts.append(path)
        if path.parent.name == "bin":
            parts += [path.parent.parent / name for name in INSTALLED]
    return [str(part) for part in parts if part.exists()]
