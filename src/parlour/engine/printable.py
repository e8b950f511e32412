"""Text from outside (replays, servers, bots, names), made harmless for a terminal and for a log."""

from __future__ import annotations


def printable(text: str) -> str:
    """One line in which nothing steers a terminal: control characters, line ends and direction marks become spaces."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)


def one_line(text: str, longest: int) -> str:
    """The same, with single spaces and cut short."""
    line = " ".join(printable(text[: 4 * longest]).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
