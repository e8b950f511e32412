"""Games from folders and files that are not installed, as the command line takes them: ``parlour check FOLDER``.

To load a game is to run its Python. So only the command line adds folders, and never a request. What it has added is in
the environment, for the processes that it starts.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import tomllib
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from parlour.engine.errors import BadGame, first_line

GROUP = "parlour.games"
ADDED = "PARLOUR_FOLDERS"  # in the environment: what the command line has added
NOTHING = "there is no game in it: a game is a folder with __init__.py, one with pyproject.toml, or a file NAME.py"


class Local(msgspec.Struct, frozen=True):
    """Where a game that is not installed is: a module in a folder, and the constant there."""

    folder: str
    module: str
    constant: str = "GAME"

    @property
    def top(self) -> str:
        """The package, or the only module, of the game."""
        return self.module.partition(".")[0]

    @property
    def home(self) -> Path:
        """The folder or the file of all that belongs to the game."""
        package = Path(self.folder, self.top)
        return package if package.is_dir() else package.with_suffix(".py")

    def offer(self, name: str) -> EntryPoint:
        return EntryPoint(name, f"{self.module}:{self.constant}", GROUP)


class _Finder(MetaPathFinder):
    """Finds the packages of these games, each in its folder, and nothing else there."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}

    def know(self, local: Local) -> None:
        self.folders[local.top] = local.folder
        # Python takes what it has compiled for current if the file has the same size and is of the same second.
        sys.dont_write_bytecode = True

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        folder = self.folders.get(name)
        return None if folder is None else PathFinder.find_spec(name, [folder])


_FINDER = _Finder()
sys.meta_path.insert(0, _FINDER)


def added() -> dict[str, Local]:
    """By name, the games that the command line has added: here, or before it started this process."""
    found = msgspec.json.decode(os.environ.get(ADDED) or "{}", type=dict[str, Local])
    for local in found.values():
        _FINDER.know(local)
    return found


def is_place(text: str) -> bool:
    """Whether this means a folder or a file of a game, rather than a game's name."""
    return text.endswith(".py") or (text != "" and Path(text).is_dir()) or os.sep in text


def add(path: str | Path, installed: dict[str, str]) -> str:
    """Have the game in this folder or file loaded, and found by its name from now on, which is returned.

    ``installed`` are the names of the games that are, with what each is loaded from.
    """
    local = find(Path(path))
    if (there := _elsewhere(local)) is not None:
        raise BadGame(f"{path} cannot be loaded: Python knows another module {local.top!r}, {there}: rename yours")
    _FINDER.know(local)
    try:
        name = _name(local, path)
    except BadGame:  # half of it may be loaded
        _drop(local.top)
        del _FINDER.folders[local.top]
        raise
    if name in installed and installed[name].partition(":")[0].partition(".")[0] != local.top:
        raise BadGame(f"{path}: another game is called {name!r}, and is installed: choose another name for yours")
    os.environ[ADDED] = json.dumps({**_environment(), name: msgspec.to_builtins(local)})
    return name


def loaded(name: str) -> dict[str, ModuleType]:
    """The game's modules, as Python has them now."""
    top = added()[name].top
    return {module: found for module, found in list(sys.modules.items()) if module.partition(".")[0] == top}


def restore(name: str, before: dict[str, ModuleType]) -> None:
    """Have these modules stand for the game again."""
    _drop(added()[name].top)
    sys.modules.update(before)


def _drop(top: str) -> None:
    """Have Python know nothing of a package."""
    for module in [module for module in sys.modules if module.partition(".")[0] == top]:
        del sys.modules[module]


def reload(name: str) -> None:
    """Have the game's Python read anew. Raises what its code raises, and half of it may be there then."""
    local = added()[name]
    restore(name, {})
    importlib.invalidate_caches()
    game = local.offer(name).load()
    for part in (game.notation, game.terminal, game.picture, game.bots, game.foreign):
        if part:
            importlib.import_module(part)


def forget() -> None:
    """Find none of these games any more."""
    for top in _FINDER.folders:
        _drop(top)
    _FINDER.folders.clear()
    os.environ.pop(ADDED, None)


def _environment() -> dict[str, Any]:
    return dict(json.loads(os.environ.get(ADDED) or "{}"))


def find(path: Path) -> Local:
    """Where the game of a folder or a file is."""
    if not path.exists():
        raise BadGame(f"there is no folder or file {path}")
    path = path.resolve()
    if path.is_file():
        if path.suffix != ".py":
            raise BadGame(f"{path}: {NOTHING}")
        if not (path.parent / "__init__.py").is_file():
            return _named(Local(str(path.parent), path.stem))
        path = path.parent
    if (path / "pyproject.toml").is_file() and not (path / "__init__.py").is_file():
        return _of_project(path)
    if not (path / "__init__.py").is_file():
        raise BadGame(f"{path}: {NOTHING}")
    return _named(Local(str(path.parent), path.name))


def _named(local: Local) -> Local:
    if not local.top.isidentifier():
        raise BadGame(f"{local.home}: {local.top!r} is no name that Python can import: letters, digits and _ make one")
    return local


def _of_project(folder: Path) -> Local:
    """What the project offers as a game."""
    file = folder / "pyproject.toml"
    try:
        project = tomllib.loads(file.read_text("utf-8")).get("project", {})
        offers = list(project.get("entry-points", {}).get(GROUP, {}).values())
    except (ValueError, AttributeError) as error:
        raise BadGame(f"{file} cannot be read: {first_line(error)}") from error
    if len(offers) != 1 or not isinstance(offers[0], str):
        found = "none" if not offers else str(len(offers))
        raise BadGame(f'{file} should offer one game, under [project.entry-points."{GROUP}"], and offers {found}')
    module, _, constant = offers[0].partition(":")
    local = Local("", module.strip(), constant.strip() or "GAME")
    for place in (folder, folder / "src"):
        if msgspec.structs.replace(local, folder=str(place)).home.exists():
            return msgspec.structs.replace(local, folder=str(place))
    raise BadGame(f"{file} names the module {local.top!r}, which is not beside it")


def _elsewhere(local: Local) -> str | None:
    """Where Python finds the module now, if that is not in the game's folder."""
    if local.top in sys.stdlib_module_names:
        return "which comes with it"
    if local.top in _FINDER.folders:
        found: str | None = _FINDER.folders[local.top]
        return None if found == local.folder else f"in {found}"
    try:
        spec = importlib.util.find_spec(local.top)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    package = local.home if local.home.is_file() else local.home / "__init__.py"
    return None if Path(spec.origin).resolve() == package else f"in {spec.origin}"


def _name(local: Local, path: str | Path) -> str:
    """What the game calls itself, which takes loading it."""
    try:
        game = local.offer("").load()
    except Exception as error:
        raise BadGame(f"{path} cannot be loaded: {told(error)}") from error
    name = getattr(game, "name", None)
    if not isinstance(name, str):
        raise BadGame(f"{path}: {local.constant} in {local.module} is a {type(game).__name__}, not a Game")
    return name


def told(error: BaseException) -> str:
    """An error of a game's own code: the file, the line and what is wrong, in one line."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(Path(error.filename))} line {error.lineno}: {type(error).__name__}: {error.msg}"
    said = str(error) if isinstance(error, BadGame) else first_line(error)  # type: ignore[arg-type]
    place, trace = "", error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_file() and Path(__file__).parent not in file.parents and "importlib" not in file.parts:
            place = f"{_short(file)} line {trace.tb_lineno}: "
        trace = trace.tb_next
    return place + said


def _short(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"
