"""Python for browsers: Pyodide from npm, and msgspec from PyPI as it is made for it. Each is fetched once, by its own
client, which checks it against the hash that stands here; after that it lies in the user's cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_cache_path

from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole

PYODIDE = "314.0.7"  # as in npm/package.json
MSGSPEC = "msgspec==0.22.0 --hash=sha256:a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
TAGS = ("--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--implementation=cp", "--abi=cp314")
SECONDS = 600
HERE = Path(__file__).parent


class Runtime(NamedTuple):
    """What runs Python in a browser, and in Node.js while a site is built."""

    pyodide: Path
    wheels: list[Path]
    node: str


def runtime() -> Runtime:
    """Python for browsers, from the cache or from npm and PyPI."""
    node, npm = _program("node"), _program("npm")
    place = Path(os.environ.get("PARLOUR_CACHE") or user_cache_path("parlour")) / f"site-{PYODIDE}"
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".site-") as new:
            _fetch(Path(new), npm)
            try:
                Path(new).rename(place)
            except OSError:
                if not place.is_dir():  # else somebody else was faster
                    raise
            Path(new).mkdir(exist_ok=True)  # which is removed next
    return Runtime(place / "node_modules" / "pyodide", sorted((place / "wheels").glob("*.whl")), node)


def _fetch(new: Path, npm: str) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / "npm" / name, new / name)
    _run([npm, "ci", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"], new, "npm")
    write_whole(new / "wheels.txt", MSGSPEC + "\n")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    _run([*pip, "--only-binary=:all:", *TAGS, "--requirement=wheels.txt", "--dest=wheels"], new, "pip")


def _program(name: str) -> str:
    """Node.js and npm as they are installed, or as they come with this Python."""
    beside = os.pathsep.join((os.environ.get("PATH", ""), str(Path(sys.executable).parent)))
    found = shutil.which(name, path=beside)
    if found is None:
        raise ParlourError(f"a site is built with Node.js, and there is no {name}: pip install 'parlour[site]'")
    return found


def _run(command: list[str], folder: Path, client: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ParlourError(f"{client} did not fetch Python for browsers within {SECONDS // 60} minutes") from None
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).strip().splitlines() if line.strip()]
        raise ParlourError(
            f"{client} could not fetch Python for browsers: {lines[-1] if lines else 'it does not say why'}"
        )
