"""What a bot is kept from, in honest words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from parlour.bots.box.sandbox import selftest

FULL, PARTIAL, CRASH_ONLY = "full", "partial", "crash-only"

# For each promise: what holds where it is kept, and what may happen where it is not.
_WORDS = {
    selftest.FILES: (
        "It reads Python, system libraries and its own files, and writes to its own folder only.",
        "It can read or write files that are not its own.",
    ),
    selftest.NAMES: (
        "Other files do not even exist for it.",
        "It can find out which other files there are, how large they are and when they were changed.",
    ),
    selftest.ATTRIBUTES: (
        "It cannot change modes, owners, times, locks or attributes of any file, nor watch files.",
        "It can change modes, owners and times of files that belong to you.",
    ),
    selftest.NETWORK: ("It can open no socket of any kind.", "It can use the network."),
    selftest.OTHERS: (
        "It sees no process but its own, and can neither signal nor trace any other.",
        "It can see or signal your other processes.",
    ),
    selftest.SHARED: (
        "It shares no memory, semaphores, messages or keys with any other process.",
        "It can leave shared memory and messages behind, and reach those of others.",
    ),
    selftest.NEW: (
        "What it starts is ended with it; a bot file can start no process at all.",
        "It can start processes that might outlive it.",
    ),
    selftest.PRIVILEGES: (
        "It has no privileges, and can get none, even if you are root.",
        "It has the privileges that you have.",
    ),
    selftest.MEMORY: (
        "The kernel gives it no more memory than its limit.",
        "Its memory is measured 20 times a second: for a moment it can take more than its limit.",
    ),
    selftest.DISK: (
        "The kernel gives it no more disk than its limit.",
        "Its folder is measured 20 times a second: files that have no name any more are not counted.",
    ),
    selftest.TASKS: (
        "The kernel gives it no more threads and processes than its limit.",
        "Its threads and processes are counted 20 times a second: for a moment it can have more than its limit.",
    ),
    selftest.IDLE: (
        "It is stopped while it is not asked.",
        "It can use processor time while others think.",
    ),
}
_BARRIERS = (selftest.FILES, selftest.NETWORK, selftest.PRIVILEGES)


@dataclass(frozen=True)
class Protection:
    """``level`` is FULL, PARTIAL or CRASH_ONLY; ``items`` says for each promise whether it is kept, and in words."""

    level: str
    items: Mapping[str, tuple[bool, str]]

    def __str__(self) -> str:
        """One line."""
        open_to = [name for name, (holds, _) in self.items.items() if not holds]
        return f"{self.level} protection" + (f"; not held off: {', '.join(open_to)}" if open_to else "")


def in_words(kept: Mapping[str, bool]) -> Protection:
    """What a bot's process found out when it tried, in words."""
    items = {}
    for promise, (held, open_to) in _WORDS.items():
        holds = kept.get(promise, False)
        items[promise] = holds, held if holds else open_to
    if all(holds for holds, _ in items.values()):
        return Protection(FULL, items)
    return Protection(PARTIAL if any(items[promise][0] for promise in _BARRIERS) else CRASH_ONLY, items)
