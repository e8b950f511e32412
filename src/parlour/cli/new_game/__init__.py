"""``parlour new-game``: a package to start from. What it writes is the game in ``template``, under another name."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from parlour.cli.console import print_plain
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole

TEMPLATE = "parlour.cli.new_game.template"
NAME, TITLE = "small_game", "Small game"
LONGEST = 40
WRITTEN = (".py", ".md", ".toml")


def new_game(name: str, folder: Path | None) -> None:
    """Write the package into a new folder, which has the game's name unless told otherwise."""
    check_name(name)
    folder = folder or Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ParlourError(f"{folder} is there already: name another folder, as in parlour new-game {name} FOLDER")
    for path, text in files(name).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text, overwrite=False)
    place = shlex.quote(str(folder))
    print_plain(f"{folder} has a small game that works. Make it yours; its README.md says which file is what.")
    for command, what in (("dev", "play it in a browser, while you change it"), ("check", "test it")):
        print_plain(f"  {f'parlour {command} {place}':<40} {what}")


def check_name(name: str) -> None:
    """Whether a game can have that name: Python imports it, and Parlour finds it by it."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > LONGEST or keyword.iskeyword(name):
        raise ParlourError(
            f"{name!r} cannot be a game's name: it takes small letters, digits and _, begins with a letter, and has "
            f"at most {LONGEST} characters, such as my_game"
        )
    if name in registry.names():
        raise ParlourError(f"there is a game {name!r} already: choose another name")
    if name in sys.stdlib_module_names or name in ("parlour", "tests"):
        raise ParlourError(f"Python has a module {name!r} already: choose another name")


def files(name: str) -> dict[str, str]:
    """By path in the new folder, what is written there."""
    title = name.replace("_", " ").strip().capitalize()
    return {
        path.replace(NAME, name): _renamed(text, name, title)
        for path, text in _read(resources.files(TEMPLATE), "").items()
    }


def _read(folder: Traversable, path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            found |= _read(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(WRITTEN):
            found[path + entry.name] = entry.read_text("utf-8")
    return found


def _renamed(text: str, name: str, title: str) -> str:
    """The template's text, where the game has another name."""
    return text.replace(f"{TEMPLATE}.{NAME}", name).replace(NAME, name).replace(TITLE, title)
