"""Whether a person is told, on standard error, what takes a while."""

from __future__ import annotations

_quiet = False


def be_quiet() -> None:
    """From here on nobody is told: in a process whose output is read by programs."""
    global _quiet
    _quiet = True


def are_told() -> bool:
    return not _quiet
