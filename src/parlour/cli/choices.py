"""The legal actions as a person sees them: short, all, or in words; and how an answer picks one."""

from __future__ import annotations

from parlour.engine.errors import BadNotation
from parlour.engine.game import Game
from parlour.engine.state import State

FEW = 12  # so many are listed one a line, in words
MANY = 80  # more than so many are not listed unless asked for


class Choices:
    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state
        self.actions = game.legal_actions(state)
        self.texts = [game.write(state, action) for action in self.actions]
        # Where the notation itself is a number, a number is the notation.
        self.numbered = not any(text.isdecimal() for text in self.texts)

    def has(self, text: str) -> bool:
        return text.lower() in (known.lower() for known in self.texts)

    def pick(self, answer: str) -> int:
        """The action that the answer names."""
        if not answer and len(self.actions) == 1:
            return self.actions[0]
        if not answer:
            raise BadNotation(f"there are {len(self.actions)} actions to choose from, for example {self.texts[0]!r}")
        if self.numbered and answer.isascii() and answer.isdecimal():
            if len(answer) < 9 and 1 <= int(answer) <= len(self.actions):
                return self.actions[int(answer) - 1]
            raise BadNotation(f"there is no number {answer[:20]} in the list of {len(self.actions)}")
        return self.game.read(self.state, answer[:200])

    def short(self, width: int) -> str:
        """What to show before each question."""
        if len(self.actions) <= FEW:
            return self.in_words()
        if len(self.actions) <= MANY:
            return self.every(width)
        few = ", ".join(self.texts[:3] + self.texts[-2:])
        return f"{len(self.actions)} actions, for example {few}; type list to see all"

    def in_words(self) -> str:
        """One a line, with what it means."""
        wide = max(map(len, self.texts), default=0)
        lines = []
        for number, (action, text) in enumerate(zip(self.actions, self.texts, strict=True), 1):
            words = self.game.describe(self.state, action)
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
