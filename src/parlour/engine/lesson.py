"""Lessons: a guided first match of a game, as data: ``lesson.toml`` beside the rulebook.

A lesson is a few steps. Each stands on a real position, says what to do there, which actions are right, what it meant,
and what to answer if something else is tried:

    [[step]]
    begin = { seed = 7, played = ["4", "4"] }        without it, the step goes on where the last one ended
    say.en = "Three of yours lie in a row. Drop a disc into column 4."
    do = ["4"]
    then.en = "Four in a line: you have won."
    otherwise.en = "That is allowed, but column 4 wins at once."
    clause = 4

docs/write-a-game.md describes every key. Nothing here depends on what a learner did before: the position of a step is
always the same, so that a server keeps nothing.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import Any

import msgspec

from parlour.engine.errors import BadGame, IllegalAction, ParlourError
from parlour.engine.explanation import Explanation
from parlour.engine.game import Game
from parlour.engine.language import current
from parlour.engine.match import Match, Ply
from parlour.engine.notation import find_action, words_of

FILE = "lesson.toml"
Words = dict[str, str]  # by language
Value = int | list[int] | dict[str, int]  # of a field: a number, the first of a list, or some places of it


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position: a match of that seed after these actions, then with some fields of the state set."""

    seed: int = 1
    played: list[str] = []
    set: dict[str, Value] = {}


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said when one of these actions is tried in place of the right one."""

    to: list[str]
    say: Words


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to do, and what it means."""

    say: Words
    do: list[str]
    then: Words
    otherwise: Words
    begin: Begin | None = None
    answer: list[Answer] = []
    reply: list[str] = []  # what the others then play
    page: Words = {}  # how it is done on the page, where that is not plain
    typed: bool = False  # whether the terminal says how it is typed
    clause: int = 0

    @property
    def texts(self) -> list[Words]:
        page = [self.page] if self.page else []
        return [self.say, self.then, self.otherwise, *page, *(answer.say for answer in self.answer)]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: list[LessonStep]
    goal: Words = {}
    seats: int | None = None
    you: int = 0
    options: dict[str, int | bool] = {}


@dataclass(frozen=True)
class Verdict:
    """What comes of a try: an answer, and, if it was right, the match after it and after what the others played."""

    is_right: bool
    explanation: Explanation
    match: Match
    plies: list[Ply] = field(default_factory=list)


def spoken(words: Words) -> str:
    """The words in the language of the reader, or in English."""
    return (words.get(current()) or words["en"]).strip()


class Lesson:
    """The lesson of a game. Steps are counted from 0."""

    def __init__(self, game: Game, content: _File) -> None:
        self.game = game
        self.goal = content.goal  # what one plays for: said before the first step
        self.steps = content.step
        self.options = game.resolve_options(content.options)
        self.seats = game.resolve_seats(content.seats, self.options)
        self.you = content.you
        if not 0 <= self.you < self.seats:
            raise self._error(f"you = {self.you} is no seat: there are {self.seats}, counted from 0")
        if not self.steps:
            raise self._error("a lesson has at least one [[step]]")

    @cached_property
    def positions(self) -> list[Match]:
        """The match where each step begins; not to be changed. Raises BadGame where one cannot be done."""
        found: list[Match] = []
        goes_on: Match | None = None
        for number, step in enumerate(self.steps):
            if step.begin is None and goes_on is None and number > 0:
                raise self._error("it needs a begin: the step before can be done in several ways", number)
            found.append(self._begin(step, goes_on, number))
            self._check(found[-1], number)
            goes_on = self.try_action(number, self._action(found[-1], step.do[0], number), found[-1]).match
            goes_on = goes_on if len(step.do) == 1 else None
        return found

    def start(self, number: int) -> Match:
        """The match as a step begins."""
        return self.positions[number].twin()

    def try_text(self, number: int, text: str) -> Verdict:
        """What comes of typing this. What cannot be played at all is answered with the reason."""
        match = self.positions[number]
        try:
            action = find_action(text, {match.text(action): action for action in match.legal()})
        except ParlourError:
            return Verdict(False, match.seen_by(self.you).why_not(words_of(text)), match)
        return self.try_action(number, action)

    def try_action(self, number: int, action: int, start: Match | None = None) -> Verdict:
        """What comes of an action. Raises IllegalAction where it cannot be played."""
        step, match = self.steps[number], start or self.positions[number]
        if action not in match.legal():
            reason = match.seen_by(self.you).why_not(())
            raise IllegalAction(action, reason.text, match.state.copy())
        if action not in {self._action(match, text, number) for text in step.do}:
            return Verdict(False, self._answer(match, number, action), match)
        after = match.twin()
        before = len(after.plies)
        after.play(action)
        for text in step.reply:
            after.play(self._action(after, text, number))
        return Verdict(True, Explanation(spoken(step.then), step.clause), after, after.plies[before:])

    def right(self, number: int) -> list[int]:
        """The actions that the step asks for."""
        return [self._action(self.positions[number], text, number) for text in self.steps[number].do]

    def _answer(self, match: Match, number: int, action: int) -> Explanation:
        step = self.steps[number]
        said = [answer.say for answer in step.answer if match.text(action) in answer.to]
        return Explanation(spoken(said[0] if said else step.otherwise), step.clause)

    def _begin(self, step: LessonStep, goes_on: Match | None, number: int) -> Match:
        if step.begin is None and goes_on is not None:
            return goes_on
        begin = step.begin or Begin()
        options: dict[str, Any] = self.options
        match = Match(self.game, self.seats, begin.seed, **options)
        for text in begin.played:
            match.play(self._action(match, text, number))
        return self._with(match, begin.set, number) if begin.set else match

    def _with(self, match: Match, fields: Mapping[str, Value], number: int) -> Match:
        state = match.state.copy()
        for name, value in fields.items():
            declared = state.layout.fields.get(name)
            if declared is None or (declared.length is None) != isinstance(value, int):
                raise self._error(f"the state has no field {name!r} that can be set to {value!r}", number)
            try:
                setattr(state, name, value if isinstance(value, int) else _changed(getattr(state, name), value))
            except (ValueError, IndexError) as error:
                raise self._error(f"field {name!r} cannot be set to {value!r}: {error}", number) from error
        try:
            state.pack()
        except OverflowError as error:
            raise self._error(str(error), number) from error
        return match.at(state)

    def _check(self, match: Match, number: int) -> None:
        """Whether the step can be done here, and only by the learner."""
        step, name = self.steps[number], match.name
        if match.over or match.to_move != self.you:
            found = "the match is over" if match.over else f"it is the turn of {name(match.to_move)}"
            raise self._error(f"{found}; the learner is {name(self.you)}", number)
        if not step.do:
            raise self._error("it has nothing to do", number)
        right = {self._action(match, text, number) for text in step.do}
        for answer in step.answer:
            for text in answer.to:
                if self._action(match, text, number) in right:
                    raise self._error(f"{text!r} is right, and has another answer", number)

    def _action(self, match: Match, text: str, number: int) -> int:
        try:
            return match.read(text)
        except ParlourError as error:
            raise self._error(str(error), number) from error

    def _error(self, words: str, number: int | None = None) -> BadGame:
        place = "" if number is None else f" step {number + 1}:"
        return BadGame(f"game {self.game.name!r}: {FILE}:{place} {words}")


def _changed(values: list[int], given: list[int] | dict[str, int]) -> list[int]:
    """The values of a field, with those given in place of the first ones, or at the places that are named."""
    if isinstance(given, list):
        return given + values[len(given) :]
    changed = values[:]
    for place, value in given.items():
        changed[int(place)] = value
    return changed


def load(game: Game) -> Lesson | None:
    """The lesson in a game's folder; None where there is none."""
    file = resources.files(importlib.import_module(game.package)) / FILE
    return read(game, file.read_bytes()) if file.is_file() else None


def read(game: Game, content: bytes) -> Lesson:
    """A lesson from the content of its file. What is wrong with it is said in one line."""
    try:
        found = msgspec.convert(tomllib.loads(content.decode()), _File)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadGame(f"game {game.name!r}: {FILE}: {error}") from error
    if found.goal and not found.goal.get("en"):
        raise BadGame(f"game {game.name!r}: {FILE}: the goal has no 'en'")
    lacking = [number for number, step in enumerate(found.step, 1) for words in step.texts if not words.get("en")]
    if lacking:
        raise BadGame(f"game {game.name!r}: {FILE}: step {lacking[0]}: a text has no 'en'")
    return Lesson(game, found)
