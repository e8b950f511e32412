"""What a browser needs of Parlour and of the games, as one archive of sources."""

from __future__ import annotations

import importlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import parlour
from parlour.engine import folders, registry
from parlour.engine.language import dictionary

PARTS = (
    *("engine", "engine/judge", "engine/kit", "bots", "games", "protocol", "server", "site"),
    *(f"server/{name}" for name in ("basics", "people", "tables", "telling", "bots", "rooms", "rooms/proposals")),
)
BESIDE = ("rich",)  # draws boards of the terminal, for games without a picture
LEFT_OUT = {"__pycache__", "node_modules", "tests", ".git", ".venv", "build", "dist"}
LARGEST = 32 << 20  # bytes of one file


def sources(games: Iterable[str], wheels: Iterable[Path]) -> bytes:
    """The archive: Parlour's part, these games, and what the wheels hold."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        names = set[str]()
        for name, content in (*_parlour(), *_games(games), *_from_wheels(wheels)):
            if name not in names:
                names.add(name)
                archive.writestr(name, content)
    return packed.getvalue()


def _parlour() -> Iterator[tuple[str, bytes]]:
    root = Path(parlour.__file__).parent
    for part in ("", *PARTS):
        yield from _files(root / part, root.parent, deep=False)
    for module in BESIDE:
        yield from _package(module)


def _games(games: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Their folders or files, and what makes them known to the registry."""
    lines = [f"[{registry.GROUP}]"]
    for name in games:
        game, local = registry.get(name), folders.added().get(name)
        module = importlib.import_module(game.package)
        top = game.package if game.package.startswith("parlour.") else game.package.partition(".")[0]
        constant = next(key for key, value in vars(module).items() if value is game)
        lines.append(f"{name} = {game.package}:{constant}")
        home = Path(importlib.import_module(top).__file__ or "")
        if local is not None:
            home = local.home / "__init__.py" if local.home.is_dir() else local.home
        if home.name != "__init__.py":
            yield home.name, home.read_bytes()
        else:
            depth = top.count(".") + 1
            yield from _files(home.parent, home.parents[depth], deep=True)
    yield "parlour_site-1.dist-info/METADATA", b"Metadata-Version: 2.1\nName: parlour-site\nVersion: 1\n"
    yield "parlour_site-1.dist-info/entry_points.txt", "\n".join(lines).encode()


def _package(module: str) -> Iterator[tuple[str, bytes]]:
    spec = find_spec(module)
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent
        yield from _files(folder, folder.parent, deep=True)


def _files(folder: Path, root: Path, *, deep: bool) -> Iterator[tuple[str, bytes]]:
    """All files there, with their names below ``root``. Translations are read here: a browser has no Babel."""
    for file in sorted(folder.rglob("*") if deep else folder.glob("*")):
        name = file.relative_to(root)
        if not file.is_file() or LEFT_OUT & set(name.parts) or file.suffix == ".pyc" or file.stat().st_size > LARGEST:
            continue
        if file.suffix == ".po":
            texts = dictionary(".".join(name.parent.parts), file.stem)
            yield f"{name.as_posix()}.json", json.dumps(texts, ensure_ascii=False).encode()
        else:
            yield name.as_posix(), file.read_bytes()


def _from_wheels(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith("/"):
                    yield name, archive.read(name)
