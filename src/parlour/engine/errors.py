"""What can go wrong, in one tree. Every message is one line that a person can act on.

ParlourError
├── UnknownName        no such game (with the nearest name, where one is close)
├── BadOption          an option that the game does not have, or a value it does not take
├── BadSeats           a number of seats that the game does not take
├── BadSeed            a seed that is not a whole number from 0 up
├── BadNotation        a text that names no legal action
├── IllegalAction      an action that may not be played here; the match stays as it was
├── NothingToUndo      no action to take back
├── BadGame            a game whose folder does not fit the engine
├── BadBot             a bot file or program that cannot be used (in bots.box)
├── BotFault           a bot that misbehaved when asked: its status and what happened (in bots.box)
├── NoCache            a folder for compiled rules that cannot be written
├── MissingExtra       something needs more than is installed (in engine.extras)
├── BadJudge           a judge's file that cannot be read, or does not fit the game
├── NotWritten         a file that cannot be written; what was there before is still there
├── BadTournament      a tournament that cannot be held, or a folder that is not its own
└── BadReplay          a file that is not a replay
    └── OtherRules     a replay of rules that are not the ones at hand
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ParlourError(Exception):
    """Anything that Parlour can explain to the person who caused it."""


class NoCache(ParlourError):
    pass


class UnknownName(ParlourError):
    pass


class BadOption(ParlourError):
    pass


class BadSeats(ParlourError):
    pass


class BadJudge(ParlourError):
    pass


class BadSeed(ParlourError):
    pass


class BadNotation(ParlourError):
    pass


class IllegalAction(ParlourError):
    """Carries the action, the reason and the position it was tried in."""

    def __init__(self, action: object, reason: str, position: object) -> None:
        super().__init__(f"action {action} is illegal: {reason}")
        self.action = action
        self.reason = reason
        self.position = position

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[object, str, object]]:
        return type(self), (self.action, self.reason, self.position)


class NothingToUndo(ParlourError):
    pass


class BadGame(ParlourError):
    pass


class NotWritten(ParlourError):
    pass


class BadTournament(ParlourError):
    pass


class BadReplay(ParlourError):
    pass


class OtherRules(BadReplay):
    pass


def first_line(error: Exception) -> str:
    """An error of somebody else's code, in one line: its kind, and the first line that it says."""
    words = str(error).splitlines()
    return f"{type(error).__name__}: {words[0]}" if words else type(error).__name__


def nearest(word: str, known: Iterable[str]) -> str:
    """``; did you mean 'goose'?`` where a known word is close, else nothing."""
    close = difflib.get_close_matches(word.lower(), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
