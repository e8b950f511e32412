"""A game on the screen: redrawn in place on a terminal, frame after frame in a pipe."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO

import numpy as np

from game17.colours import ZOMBIES, Rgb, ink, rgb
from game17.files import frame
from game17.game17 import Board, apply_diff

RESET = "\x1b[0m"
DIMMEST = 70


def board_lines(
    owners: Board,
    numbers: Board,
    colours: Mapping[int, str] | None = None,
    *,
    counts: bool = False,
    plain: bool = False,
) -> list[str]:
    """The board, one line for each row, or two with ``counts``. ``plain`` has no colour.

    With ``colours`` a square shows its pieces on its owner's colour; without, its owner, brighter with more pieces.
    """
    width = max(3, len(str(int(max(owners.max(), numbers.max())))) + 1)
    known = {player: rgb(name) for player, name in (colours or {}).items()}
    brightest = max(int(numbers.max()), 1)
    lines = []
    for owner_row, number_row in zip(owners.tolist(), numbers.tolist(), strict=True):
        squares = []
        for owner, number in zip(owner_row, number_row, strict=True):
            back = known.get(owner, ZOMBIES) if known else _brightness(number, brightest)
            squares.append(_square(f"{number if known and not plain else owner:{width}d}", back, plain=plain))
        lines.append("".join(squares))
        if counts and (plain or not known):
            lines.append("".join(f"{number:{width}d}" for number in number_row))
    return lines


def _brightness(number: int, brightest: int) -> Rgb:
    shade = min(DIMMEST + max(number, 0) * (255 - DIMMEST) // brightest, 255)
    return shade, shade, min(2 * shade, 255)


def _square(text: str, back: Rgb, *, plain: bool) -> str:
    if plain:
        return text
    red, green, blue = ink(back)
    return f"\x1b[48;2;{back[0]};{back[1]};{back[2]}m\x1b[38;2;{red};{green};{blue}m{text}{RESET}"


class BoardScreen:
    """Shows frames over each other on a terminal; elsewhere, one after the other. No colour where NO_COLOR is set."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stdout
        self.watched = self.out.isatty()
        self.in_place = self.watched and os.environ.get("TERM") != "dumb"
        self.plain = bool(os.environ.get("NO_COLOR")) or not self.in_place
        self._shown = 0

    def show(self, lines: list[str]) -> None:
        if len(lines) >= shutil.get_terminal_size().lines:
            self.in_place = False  # it would not fit, and the cursor could not go back to its beginning
        up = f"\x1b[{self._shown}A" if self.in_place and self._shown else ""
        clear = "\x1b[2K" if self.in_place else ""
        self.out.write(up + "".join(f"{clear}{line}\n" for line in lines))
        if not self.in_place:
            self.out.write("\n")
        self.out.flush()
        self._shown = len(lines)


def show_game(
    game: Mapping[str, Any], *, counts: bool = False, colours: Mapping[int, str] | None = None, speed: float = 1.0
) -> None:
    """Show a record turn by turn, a round in about a second; ``speed`` 2 is twice as fast, 0 does not wait at all.

    It does not wait either where nobody watches: in a pipe.
    """
    owners, numbers = np.array(game["owners"]), np.array(game["numbers"])
    screen = BoardScreen()

    def draw(head: str) -> None:
        screen.show([head, *board_lines(owners, numbers, colours, counts=counts, plain=screen.plain)])

    draw("the opening")
    for diff in game["diffs"]:
        apply_diff(numbers, diff["numbers"])
        apply_diff(owners, diff["owners"])
        draw(f"round {diff['round']}, player {diff['owner']}")
        if speed > 0 and screen.watched:
            time.sleep(1 / speed / max(len(np.unique(owners[numbers > 0])), 1))
    squares = {int(owner): int(np.count_nonzero(owners == owner)) for owner in np.unique(owners)}
    print(frame(["squares"], list(squares.items())))
