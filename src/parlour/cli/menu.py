"""What a person can choose from: listed short, in full or in words; and how an answer picks one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from parlour.engine.errors import BadNotation
from parlour.engine.notation import find_action
from parlour.engine.printable import one_line

FEW = 12  # so many are listed one a line, in words
MANY = 80  # more than so many are not listed unless asked for
LONGEST = 200  # characters of a choice that are shown


class Offered(Protocol):
    """An action that can be chosen, as a match here or a server's table offers it."""

    @property
    def action(self) -> int: ...

    @property
    def text(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def way(self) -> str: ...


class Menu:
    """The choices that somebody has."""

    def __init__(self, choices: Sequence[Offered]) -> None:
        self.choices = choices
        self.texts = [one_line(choice.text, LONGEST) for choice in choices]
        # Where the notation itself is a number, a number is the notation.
        self.numbered = not any(text.isdecimal() for text in self.texts)

    def has(self, text: str) -> bool:
        return text.lower() in (known.lower() for known in self.texts)

    def pick(self, answer: str) -> int:
        """The action that the answer names."""
        if not answer and len(self.choices) == 1:
            return self.choices[0].action
        if not answer:
            raise BadNotation(f"there are {len(self.choices)} actions to choose from, for example {self.texts[0]!r}")
        if self.numbered and answer.isascii() and answer.isdecimal():
            if len(answer) < 9 and 1 <= int(answer) <= len(self.choices):
                return self.choices[int(answer) - 1].action
            raise BadNotation(f"there is no number {answer[:20]} in the list of {len(self.choices)}")
        return find_action(answer[:200], {choice.text: choice.action for choice in self.choices})

    def short(self, width: int) -> str:
        """What to show before each question."""
        if len(self.choices) <= FEW:
            return self.in_words()
        if len(self.choices) <= MANY:
            return self.every(width)
        few = ", ".join(self.texts[:3] + self.texts[-2:])
        return f"{len(self.choices)} actions, for example {few}; type list to see all"

    def in_words(self) -> str:
        """One a line, with what it means."""
        wide = max(map(len, self.texts), default=0)
        lines = []
        for number, (choice, text) in enumerate(zip(self.choices, self.texts, strict=True), 1):
            words = one_line(choice.label or choice.way, LONGEST)
            lines.append(f"{self._number(number)}{text:<{wide}}  {words}".rstrip())
        return "\n".join(lines)

    def every(self, width: int) -> str:
        """All of them, in columns."""
        cells = [f"{self._number(number)}{text}" for number, text in enumerate(self.texts, 1)]
        wide = max(map(len, cells), default=0) + 2
        columns = max(1, (width - 1) // wide)
        rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
        return "\n".join("".join(cell.ljust(wide) for cell in row).rstrip() for row in rows)

    def _number(self, number: int) -> str:
        return f"{number:>4}  " if self.numbered else "  "
