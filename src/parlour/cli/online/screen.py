"""What is shown in the terminal, around a prompt that may be waiting there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.cli.console import out, print_lines, print_plain, show_board, to_ascii
from parlour.engine.printable import printable

LONGEST = 1000  # characters of a line


class Screen:
    """Prints above the prompt. Nothing that a server sends can steer the terminal."""

    def __init__(self, *, ascii: bool) -> None:
        self.ascii = ascii
        self.titled: Callable[[str], str] = str  # how bots are called at the table
        self._prompt = ""  # that stands in the last line now

    def say(self, text: str, style: str = "") -> None:
        """One line, from wherever it comes."""
        self._clear()
        print_plain(self.titled(text[:LONGEST]), style, ascii=self.ascii)

    def show(self, text: str) -> None:
        """Text of several lines, written here. What a server says goes into one line each."""
        self._clear()
        print_lines(text, ascii=self.ascii)

    def board(self, board: Any) -> None:
        self._clear()
        show_board(board)

    def prompt(self, text: str) -> None:
        """Show the prompt in the last line, unless it is there."""
        if self._prompt != text:
            self._clear()
            self._prompt = text
            shown = printable(self.titled(text[:LONGEST]))
            print(to_ascii(shown) if self.ascii else shown, end="", flush=True)

    def entered(self) -> None:
        """A line was typed: the prompt has gone up with it."""
        self._prompt = ""

    def _clear(self) -> None:
        if self._prompt:
            print("\r\x1b[K" if out.is_terminal else "", end="" if out.is_terminal else "\n", flush=True)
            self._prompt = ""
