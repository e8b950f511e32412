"""What stands between a bot and the machine, in honest words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from parlour.bots.box.sandbox import CAPABILITIES, IS_LINUX, LANDLOCK, NAMESPACE, SECCOMP

FULL, PARTIAL, CRASH_ONLY = "full", "partial", "crash-only"


@dataclass(frozen=True)
class Protection:
    """``level`` is FULL, PARTIAL or CRASH_ONLY; ``items`` says for each thing whether it is held off, and how."""

    level: str
    items: Mapping[str, tuple[bool, str]]

    def __str__(self) -> str:
        """One line."""
        open_to = [name for name, (holds, _) in self.items.items() if not holds]
        return f"{self.level} protection" + (f"; not held off: {', '.join(open_to)}" if open_to else "")


def in_words(layers: Mapping[str, int], *, program: bool = False) -> Protection:
    """The layers that a bot reported, as what they are good for."""
    items = {
        "files": _files(layers),
        "network": _network(layers),
        "other processes": _others(layers, program=program),
        "new processes": _new(layers, program=program),
        "root's powers": _powers(layers),
        "limits": (True, "Time, CPU, memory, output and disk are limited; a bot that fails takes nothing else along."),
    }
    kept = [holds for name, (holds, _) in items.items() if name != "limits"]
    level = (
        FULL
        if all(kept)
        else PARTIAL
        if any(layers.get(layer) for layer in (LANDLOCK, SECCOMP, NAMESPACE))
        else CRASH_ONLY
    )
    return Protection(level, items)


def _files(layers: Mapping[str, int]) -> tuple[bool, str]:
    if layers.get(LANDLOCK):
        return True, "Landlock: it reads Python, system libraries and its own files, and writes to its own folder only."
    return False, "No Landlock: it can read and write whatever you can."


def _network(layers: Mapping[str, int]) -> tuple[bool, str]:
    if layers.get(SECCOMP):
        return True, "Seccomp: it can open no socket of any kind."
    if layers.get(LANDLOCK, 0) >= 4:
        return False, "Landlock: no TCP, but other ways into the network are open."
    return False, "It can use the network."


def _others(layers: Mapping[str, int], *, program: bool) -> tuple[bool, str]:
    if layers.get(NAMESPACE):
        return True, "Namespace: it sees no process but its own, and cannot signal any other."
    if layers.get(LANDLOCK, 0) >= 6:
        return True, "Landlock: it cannot signal or trace any process but its own."
    if layers.get(SECCOMP) and not program:
        return True, "Seccomp: it cannot signal or trace any process but its own."
    if layers.get(SECCOMP):
        return False, "Seccomp: it cannot trace other processes, but a program can signal yours."
    return False, "It can signal your other processes."


def _new(layers: Mapping[str, int], *, program: bool) -> tuple[bool, str]:
    if layers.get(SECCOMP) and not program:
        return True, "Seccomp: it cannot start any process; its threads are counted."
    if IS_LINUX and layers.get(NAMESPACE):
        return (
            True,
            "Threads and processes are counted; with too many, or at its end, the namespace ends with all of them.",
        )
    if IS_LINUX:
        return False, "Threads and processes are counted and ended one by one; a fast one might get away."
    return False, "It can start processes."


def _powers(layers: Mapping[str, int]) -> tuple[bool, str]:
    if layers.get(CAPABILITIES):
        return True, "It has no privileges, and can get none, even if you are root."
    return False, "It has all the privileges that you have."
