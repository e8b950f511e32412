"""Builds the pages: a folder that any host of static files can serve, under any path."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import msgspec

import parlour
from parlour.engine.errors import ParlourError
from parlour.engine.files import read_file, write_whole
from parlour.site import fetch, pack

WEB = Path(parlour.__file__).parent / "server" / "web"  # made by tools/web
MARK = "parlour-site.json"  # says that a folder is a site, which may be built anew
ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PAGES = ("", "replay", "rules", "learn")
OF_GAMES = ("rules", "learn")
OF_SITES = re.compile("local-house|engine")  # scripts that pages at a server never load
SECONDS = 600


class Told(msgspec.Struct):
    """Which of the games can be played in a browser, and why others cannot."""

    games: list[str]
    bad: dict[str, str]


class Built(NamedTuple):
    """What was built."""

    folder: Path
    games: list[str]
    left_out: dict[str, str]  # games, and why
    bytes: int
    engine: int  # bytes of what a browser loads before the first board


def build(folder: Path, games: list[str], *, needs_all: bool = False) -> Built:
    """Build the pages of these games in a folder, which is new, empty, or has pages that were built before.

    A game that cannot be played in a browser is left out; where all are needed, nothing is built then.
    """
    if not (WEB / "index.html").is_file():
        raise ParlourError("the browser's pages are not built: run `make setup` in the source folder")
    _check(folder)
    runtime = fetch.runtime()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as beside:
        new = Path(beside) / "site"
        told = _make(new, games, runtime, needs_all=needs_all)
        if folder.is_dir():
            folder.rename(Path(beside) / "old")
        new.rename(folder)
    files = [file for file in folder.rglob("*") if file.is_file()]
    engine = sum(file.stat().st_size for file in files if file.parent.name.startswith("engine-"))
    return Built(folder, told.games, told.bad, sum(file.stat().st_size for file in files), engine)


def _check(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise ParlourError(f"{folder} is not a folder: nothing was built")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise ParlourError(f"{folder} has files that are no site of Parlour: nothing was built")


def _make(new: Path, games: list[str], runtime: fetch.Runtime, *, needs_all: bool) -> Told:
    with tempfile.TemporaryDirectory(prefix="parlour-site-") as made_in:
        made = Path(made_in)
        write_whole(made / "sources.zip", pack.sources(games, runtime.wheels))
        (made / "out").mkdir()
        _prepare(runtime, made)
        told = msgspec.json.decode((made / "out" / "games.json").read_bytes(), type=Told)
        if not told.games or (needs_all and told.bad):
            raise ParlourError(f"this cannot be played in a browser: {_reasons(told.bad)}")
        shutil.copytree(WEB, new, ignore=shutil.ignore_patterns("built-from"))
        engine = {name: runtime.pyodide / name for name in ENGINE} | {"parlour.zip": made / "out" / "engine.zip"}
        lock = json.loads((runtime.pyodide / "pyodide-lock.json").read_text("utf-8"))
        write_whole(made / "pyodide-lock.json", json.dumps(lock | {"packages": {}}))  # none of its packages is used
        engine["pyodide-lock.json"] = made / "pyodide-lock.json"
        answers = json.loads((made / "out" / "answers.json").read_text("utf-8"))
        kept = {name: made / "out" / name for name in ("answers.json", *answers.values())}
        folders = [_add(new, "engine", engine), _add(new, "kept", kept)]
    _write_pages(new, told.games, *folders)
    _fill_worker(new, folders)
    write_whole(new / MARK, json.dumps({"parlour": parlour.__version__, "games": told.games}) + "\n")
    return told


def _prepare(runtime: fetch.Runtime, made: Path) -> None:
    """Have the sources loaded and compiled by the Python of browsers."""
    script = Path(__file__).with_name("prepare.mjs")
    command = [runtime.node, str(script), str(runtime.pyodide), str(made / "sources.zip"), str(made / "out")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ParlourError(f"the games could not be made ready within {SECONDS // 60} minutes") from None
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise ParlourError(f"the games could not be made ready for browsers: {why[0][:500]}")


def _reasons(bad: dict[str, str]) -> str:
    return "; ".join(f"{game}: {why}" for game, why in bad.items())


def _add(new: Path, kind: str, files: dict[str, Path]) -> str:
    """Put files into a folder whose name has a hash of them, so that browsers may keep them for good."""
    digest = hashlib.sha256()
    for name, file in sorted(files.items()):
        digest.update(name.encode() + b"\0" + file.read_bytes())
    folder = f"{kind}-{digest.hexdigest()[:12]}"
    (new / folder).mkdir()
    for name, file in files.items():
        shutil.copy(file, new / folder / name)
    return folder


def _write_pages(new: Path, games: list[str], engine: str, kept: str) -> None:
    """One document serves all pages. A host of files has to find it at every address that somebody may open first."""
    document = (new / "index.html").read_text("utf-8")
    document = document.replace("<html ", f'<html data-engine="{engine}" data-kept="{kept}" ', 1)
    for path in (*PAGES, *(f"{page}/{game}" for page in OF_GAMES for game in games)):
        up = "../" * len(Path(path).parts) or "./"
        placed = document.replace('"./', f'"{up}').replace("<html ", f'<html data-root="{up}" ', 1)
        (new / path).mkdir(parents=True, exist_ok=True)
        write_whole(new / path / "index.html", placed)


def _fill_worker(new: Path, folders: list[str]) -> None:
    """Have the service worker keep the engine and the answers, too."""
    worker = read_file(new / "worker.js").decode()
    found = re.search(r"^const FILES = (\[.*\]);", worker, re.MULTILINE)
    if found is None:
        raise ParlourError("worker.js among the browser's pages is not what this version of Parlour builds")
    files = json.loads(found[1])
    files += sorted(f"assets/{file.name}" for file in (new / "assets").glob("*.js") if OF_SITES.match(file.name))
    files += sorted(str(file.relative_to(new)) for folder in folders for file in (new / folder).iterdir())
    version = hashlib.sha256("\n".join([*files, (new / "index.html").read_text("utf-8")]).encode()).hexdigest()[:12]
    worker = worker.replace(found[0], f"const FILES = {json.dumps(files)};", 1)
    worker = re.sub(r'^const VERSION = ".*?"', f'const VERSION = "{version}"', worker, count=1, flags=re.MULTILINE)
    write_whole(new / "worker.js", worker)
