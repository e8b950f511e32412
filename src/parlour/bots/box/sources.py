"""Where a bot comes from: a file, a folder, or a command."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from parlour.bots.box.limits import BotLimits
from parlour.bots.box.process.launch import Launch
from parlour.bots.box.sandbox import is_too_wide, readable_by_all
from parlour.bots.faults import BadBot
from parlour.engine.files import read_file

LARGEST_SOURCE = 1 << 20
LONGEST_FIRST_LINE = 256
MAIN = "bot.py"  # the file in a folder that is the bot
PROGRAM = "bot"  # the program in a folder that is the bot
BIN = "bin"  # what is in a folder of that name is installed: it may have libraries in the folder beside it
LIBRARIES = ("lib", "lib64")
OWN_PREFIX = ("conda-meta", "lib/jvm.cfg")  # where these are beside a bin, all libraries there are of one installation
BINARY = b"\x7fELF"


NO_PATH = (OSError, ValueError, RuntimeError)  # what the system and Python say of names that no file can have


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
    try:
        return _bot_file(name)
    except NO_PATH as error:
        raise BadBot(f"bot file {name!r} cannot be used: {_reason(error)}") from None


def _bot_file(name: str) -> Source:
    given = Path(name).expanduser()
    if not name.strip() or not given.exists():
        raise BadBot(f"there is no bot file {name!r}")
    path = given / MAIN if given.is_dir() else given
    if given.is_dir() and not path.resolve().is_relative_to(given.resolve()):
        raise BadBot(f"{path} leads out of its folder, to {path.resolve()}")
    if not path.is_file():
        missing = f"a folder needs a {MAIN} in it" if given.is_dir() else "it is not an ordinary file"
        raise BadBot(f"{name!r} is not a bot: {missing}")
    if given.is_dir() and is_too_wide(given):
        raise BadBot(f"{name!r} would let the bot read all of {given.resolve()}: name its file, or a folder of its own")
    readable = (str(given.resolve()),) if given.is_dir() else ()
    return Source(name, path=str(path.resolve()), text=_text(path, name), readable=readable)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _text(path: Path, name: str) -> str:
    try:
        raw = read_file(path, LARGEST_SOURCE)
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
    try:
        return _command(line, words)
    except NO_PATH as error:
        raise BadBot(f"process:{line} cannot be run: {_reason(error)}") from None


def _command(line: str, words: list[str]) -> Source:
    folder = Path(words[0]).expanduser()
    program = shutil.which(str(folder / PROGRAM) if folder.is_dir() else words[0])
    if program is None or not Path(program).is_file():
        raise BadBot(f"there is no program {words[0]!r} to run, or it may not be run")
    if folder.is_dir() and not Path(program).resolve().is_relative_to(folder.resolve()):
        raise BadBot(f"{program} leads out of its folder, to {Path(program).resolve()}")
    program = os.path.abspath(program)  # noqa: PTH100 - a link to a program may be how the program knows its name
    rest = [str(Path(word).resolve()) if Path(word).exists() else word for word in words[1:]]
    named = [word for word in rest if Path(word).is_absolute() and Path(word).exists()]
    own = [str(folder.resolve())] if folder.is_dir() else []
    opened = [part for installed in (program, *_interpreter(program)) for part in _parts_of(installed)]
    readable = [*own, *opened, *named]
    for path in readable:
        if is_too_wide(Path(path)):
            raise BadBot(f"process:{line} would let the bot read all of {path}; name a folder that holds less")
    return Source(f"process:{line}", command=(program, *rest), readable=tuple(dict.fromkeys(readable)))


def _interpreter(program: str) -> list[str]:
    """What the first line of a script names, if that is installed as a program: nothing else is opened to a script."""
    with contextlib.suppress(OSError, ValueError):
        line = read_file(program, LONGEST_FIRST_LINE).partition(b"\n")[0]
        named = os.fsdecode(line[2:].split()[0]) if line.startswith(b"#!") and line[2:].split() else ""
        places = (Path(named), Path(named).resolve())
        is_installed = named.startswith("/") and all(place.parent.name == BIN for place in places)
        if is_installed and os.access(named, os.X_OK) and _is_binary(named):
            return [named]
    return []


def _is_binary(program: str) -> bool:
    return read_file(program, len(BINARY)).startswith(BINARY)


def _parts_of(program: str) -> list[str]:
    """A program, what it is a link to, and the libraries of both."""
    parts = []
    for path in dict.fromkeys((Path(program), Path(program).resolve())):
        parts += [path, *(_libraries(path) if path.parent.name == BIN else ())]
    return [str(part) for part in parts if part.exists()]


def _libraries(program: Path) -> Iterator[Path]:
    """What belongs to an installed program: ``lib/python3.11`` and ``lib/libpython3.so`` to ``bin/python3``.

    What else is beside a ``bin`` may be anybody's: in ``~/.local/share`` people's programs keep what they know. And a
    link may lead anywhere.
    """
    prefix, name = program.parent.parent, re.escape(program.name.rstrip("-.0123456789"))
    is_all_its_own = any((prefix / mark).exists() for mark in OWN_PREFIX)
    wanted = re.compile(".*" if is_all_its_own else rf"{name}[-.0-9]*|lib{name}[-.0-9]*\.so[.0-9]*")
    real = prefix.resolve()
    found = []
    for folder in LIBRARIES:
        with contextlib.suppress(OSError):
            found += [entry for entry in (prefix / folder).iterdir() if name and wanted.fullmatch(entry.name)]
    yield from (entry for entry in found if entry.resolve().parent in [real / folder for folder in LIBRARIES])
    if (prefix / "pyvenv.cfg").resolve() == real / "pyvenv.cfg":
        yield prefix / "pyvenv.cfg"
