"""Checks of the lesson: every step can be done, and only as it says."""

from __future__ import annotations

from parlour.engine.check.blame import Failed
from parlour.engine.check.parts import clause_numbers
from parlour.engine.game import Game
from parlour.engine.lesson import Lesson

LONGEST = 500  # characters of a text


def check_lesson(game: Game) -> None:
    """If there is one: every step can be done as it says, everything else is answered, and no text lacks a language."""
    lesson = game.words.lesson
    if lesson is None:
        return
    for number in range(len(lesson.steps)):
        _check_step(lesson, number)
    spoken = {frozenset(words) for step in lesson.steps for words in step.texts}
    if lesson.goal:
        spoken.add(frozenset(lesson.goal))
        _check_text(lesson.goal, "lesson.toml: the goal")
    if len(spoken) > 1:
        raise Failed(f"lesson.toml: some texts are in {sorted(map(sorted, spoken))[0]}, others in more languages")


def _check_text(words: dict[str, str], what: str) -> None:
    long = [language for language, text in words.items() if len(text) > LONGEST or not text.strip()]
    if long:
        raise Failed(f"{what} in {long[0]!r} is empty, or longer than {LONGEST} characters")


def _check_step(lesson: Lesson, number: int) -> None:
    step, match = lesson.steps[number], lesson.start(number)
    place = f"lesson.toml: step {number + 1}"
    if step.clause and step.clause not in clause_numbers(lesson.game):
        raise Failed(f"{place} names clause {step.clause}, which the rulebook does not have")
    for words in step.texts:
        _check_text(words, f"{place}: a text")
    right = lesson.right(number)
    for action in match.legal():
        verdict = lesson.try_action(number, action)
        if verdict.is_right != (action in right) or not verdict.explanation.text:
            raise Failed(f"{place}: {match.text(action)!r} is not answered as it says")
