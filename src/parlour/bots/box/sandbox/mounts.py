"""A file system of its own for a bot: what it may read, read-only; a small folder in memory to write to; nothing else.

Other files are not merely refused to it: their names do not exist. What it writes is counted by the kernel, and is
gone with the last process that sees it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from parlour.bots.box.sandbox import kernel

_FLAGS = kernel.MS_NOSUID | kernel.MS_NODEV
_ROOT_OPTIONS = "mode=755,size=1m,nr_inodes=20000"
_SMALL_PROC = ("/proc/cpuinfo", "/proc/meminfo")  # what runtimes look for
_MOST_LINKS = 40  # as the kernel has it


def enter(common: tuple[str, ...], own: tuple[str, ...], folder: str, *, size: int, files: int) -> None:
    """From here on, this process sees these paths and ``folder``, which is empty and holds so much.

    ``common`` are those that every bot sees. Needs the right to mount. If it raises, all is as before.
    """
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", folder, "tmpfs", _FLAGS, _ROOT_OPTIONS)
    try:
        _build(folder, plan(common))
        _build(folder, plan(own), among=plan(common).places)
        _mount_proc(folder)
        inside = _make_folder(folder + folder)
        kernel.make_read_only(folder)
        options = f"mode=777,size={max(size, 1)},nr_inodes={files + 1}"  # only this bot can reach it
        kernel.mount("tmpfs", inside, "tmpfs", _FLAGS, options)
        kernel.pivot_root(folder)
    except OSError:
        kernel.unmount(folder)
        raise


@dataclass(frozen=True)
class MountPlan:
    """How to make paths appear elsewhere: links to make anew, and places to bind."""

    links: dict[str, str]
    places: dict[str, bool]  # whether it is a folder


@cache
def plan(paths: tuple[str, ...]) -> MountPlan:
    links: dict[str, str] = {}
    places: dict[str, bool] = {}
    for path in paths:
        passed, place = _resolve(path)
        links |= passed
        if place:
            places[place] = os.path.isdir(place)  # noqa: PTH112
    outermost = {place: is_folder for place, is_folder in places.items() if not _is_below(place, places)}
    return MountPlan({link: to for link, to in links.items() if not _is_below(link, outermost)}, outermost)


def _resolve(path: str) -> tuple[dict[str, str], str]:
    """The links on the way to a path, with their targets, and where it leads to; "" if nowhere."""
    links: dict[str, str] = {}
    waiting, at = _words(path), ""
    while waiting and len(links) < _MOST_LINKS:
        part = waiting.pop(0)
        if part == "..":
            at = at.rpartition("/")[0]
        elif os.path.islink(f"{at}/{part}"):  # noqa: PTH114
            target = links[f"{at}/{part}"] = os.readlink(f"{at}/{part}")  # noqa: PTH115
            at = "" if target.startswith("/") else at
            waiting = _words(target) + waiting
        else:
            at = f"{at}/{part}"
    return links, at if os.path.exists(at) else ""  # noqa: PTH110


def _words(path: str) -> list[str]:
    return [word for word in path.split("/") if word not in ("", ".")]


def _is_below(path: str, places: dict[str, bool]) -> bool:
    return any(parent in places for parent in _parents(path))


def _parents(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _build(root: str, planned: MountPlan, among: dict[str, bool] | None = None) -> None:
    """Make what is planned appear below ``root``, where ``among`` is already."""
    there = among or {}
    for link, target in planned.links.items():
        if not _is_below(link, there) and not os.path.lexists(root + link):
            _make_folder((root + link).rpartition("/")[0])
            os.symlink(target, root + link)  # noqa: PTH211
    for place, is_folder in planned.places.items():
        if place not in there and not _is_below(place, there):
            _bind(root, place, is_folder=is_folder)


def _make_folder(path: str) -> str:
    os.makedirs(path, 0o755, exist_ok=True)  # noqa: PTH103
    return path


def _bind(root: str, place: str, *, is_folder: bool) -> None:
    target = root + place
    if is_folder:
        _make_folder(target)
    else:
        _make_folder(target.rpartition("/")[0])
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.mount(place, target, flags=kernel.MS_BIND | kernel.MS_REC)


def _mount_proc(root: str) -> None:
    """The processes of its own namespace. Where containers do not allow that, two files at least."""
    _make_folder(f"{root}/proc")
    with contextlib.suppress(OSError):
        kernel.mount("proc", f"{root}/proc", "proc", _FLAGS | kernel.MS_NOEXEC)
        return
    for file in _SMALL_PROC:
        _bind(root, file, is_folder=False)
