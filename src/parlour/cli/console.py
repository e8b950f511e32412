"""What the commands share: the two consoles, and how arguments become values."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from parlour.engine.errors import BadOption, ParlourError
from parlour.engine.match import Match, check_seed
from parlour.engine.printable import printable
from parlour.engine.verdict import verdict

if TYPE_CHECKING:
    from parlour.engine.replay import EarlyEnd

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class Quit(Exception):
    """The person at the terminal leaves the table."""


def parse_settings(settings: Sequence[str]) -> dict[str, object]:
    """``["maze=30"]`` as ``{"maze": "30"}``."""
    parsed: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise BadOption(f"--set takes OPTION=VALUE, for example maze=30, not {setting!r}")
        if name.strip() in parsed:
            raise BadOption(f"option {name.strip()} is set twice")
        parsed[name.strip()] = value.strip()
    return parsed


def parse_seed(text: str | None) -> int | None:
    """A seed as typed; None where none was given."""
    if text is None:
        return None
    return check_seed(int(text) if text.isascii() and text.isdecimal() and len(text) < 50 else text)


def parse_speed(speed: float) -> float:
    """Seconds of pause for a speed in actions a second."""
    if not (math.isfinite(speed) and speed >= 0):
        raise ParlourError(f"--speed takes a number from 0 up, not {speed!r}")
    return min(1 / speed, 3600) if speed else 0.0


def confirm(what: str) -> None:
    """Go on only if the person at the terminal says so; where nobody can be asked, ``--yes`` says it."""
    if not (sys.stdin.isatty() and err.is_terminal):
        raise ParlourError(f"{what}: give --yes to go on")
    err.print(Text(f"{what}. Go on? [y/N] "), end="")
    if input().strip().lower() not in ("y", "yes"):
        raise ParlourError("nothing was played")


def in_words(seconds: float) -> str:
    """A length of time in its two largest units: ``3 hours 20 minutes``."""
    units = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
    left, found = max(1, round(seconds)), []
    for name, size in units:
        count, left = divmod(left, size)
        if count:
            found.append(f"{count:,} {name}{'s' if count != 1 else ''}")
    return " ".join(found[:2])


def needs_ascii(asked: bool) -> bool:
    """Whether to draw with ASCII only: when asked to, or when the terminal can show nothing else."""
    return asked or out.options.ascii_only


def show_board(board: Text | str) -> None:
    out.print(board if isinstance(board, Text) else str(board), no_wrap=True, crop=False, overflow="ignore")


def print_plain(text: str, style: str = "", *, ascii: bool = False, to: Console = out) -> None:
    """Print one line of words, wherever they come from: nothing in them is markup, and nothing steers the terminal."""
    shown = printable(text)
    told = Text(to_ascii(shown) if ascii else shown, style=style)
    # A terminal would break a long line within a word; whoever reads from a pipe or a file gets the line as it is.
    to.print(told, soft_wrap=not to.is_terminal, overflow="ignore", crop=False)


def as_sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def print_lines(text: str, *, ascii: bool = False) -> None:
    """Print text of several lines."""
    for line in text.split("\n"):
        print_plain(line, ascii=ascii)


ASCII_FORMS = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "…": "...", "·": "-", "→": "->", "×": "x", "’": "'", "½": ".5"}
)


def to_ascii(text: str) -> str:
    return text.translate(ASCII_FORMS).encode("ascii", "replace").decode()


EARLY = {
    "agreed": "all agreed to end it",
    "upgrade": "an upgrade of the server ended it",
    "operator": "whoever runs the server ended it",
}


def _early_verdict(match: Match, ended: EarlyEnd) -> str:
    """Who has won, and why the match ended before its rules said so."""
    names = [match.name(seat) for seat in ended.winners]
    who = f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}" if names else "nobody wins"
    reason = ended.reason
    why = " by resignation" if reason == "resigned" else f": {EARLY.get(reason, f'it ended early ({reason})')}"
    return f"{who}{why}, after {len(match.plies)} plies"


def result_line(match: Match) -> str:
    """Who won, and the scores."""
    if match.ended is not None:
        head = _early_verdict(match, match.ended)
    else:
        head = verdict(match, match.name) if match.over else f"not over after {len(match.plies)} plies"
    known = match.seen_by(None).scores
    scores = ", ".join(f"{match.name(seat)} {score}" for seat, score in enumerate(known))
    return f"{head} ({scores})" if scores else head
