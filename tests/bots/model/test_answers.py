"""Reading answers: strictly as they were asked for, or forgivingly where it is clear which choice is meant."""

from __future__ import annotations

import pytest

import parlour
from parlour.bots.model.answers import NO_MARK, Answer, Reader
from parlour.engine.chance import Chance


def read(text: str, game: str = "choccer") -> Answer:
    match = parlour.new(game, seed=3)
    return Reader(match.seen_by(match.to_move).decision(Chance.at(1, 0))).read(text)


def first(game: str = "choccer") -> tuple[int, str]:
    match = parlour.new(game, seed=3)
    return match.legal()[0], match.text(match.legal()[0])


def test_the_line_that_was_asked_for_is_strict() -> None:
    action, text = first()
    assert read(f"I think.\n\nACTION: {text}\n") == Answer(action, text, is_strict=True)


@pytest.mark.parametrize(
    "answer",
    [
        "action: {text}",
        "**ACTION:** `{text}`",
        "- Action = {text}.",
        "### Final action: {text}\nI am sure of it.",
        "ACTION: Z9-Z9\nNo, that is wrong.\nACTION: {text}\nGood luck!",
        '```json\n{{"action": "{text}"}}\n```',
        '{{"reasoning": "because", "move": "{text}"}}',
        "{text}",
        "  {lower}  ",
        "I shall play {text}, as it gains a gem.",
        "ACTION: {text}: {words}",
        "ACTION: {text} ({words})",
        "ACTION: {words}",
        "ACTION: '{text}'",
        "\x1b[1mACTION: {text}\x1b[0m\nACTION: {text}",
    ],
)
def test_what_is_clear_is_forgiven(answer: str) -> None:
    match = parlour.new("choccer", seed=3)
    choice = match.seen_by(match.to_move).choices[0]
    said = answer.format(text=choice.text, lower=choice.text.lower(), words=choice.label)
    assert read(said).action == choice.action


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "\n\n \n",
        "I do not know.",
        "ACTION:",
        "ACTION: ",
        '{"action": null}',
        '{"action": [1, 2]}',
        "{" * 5000,
        "\x00\x1b]0;title\x07" * 100,
        "ACTION: " + "x" * 10**6,
        "a" * 10**6,
    ],
)
def test_what_says_nothing_is_no_choice(answer: str) -> None:
    found = read(answer)
    assert found.action is None
    assert found.problem
    assert len(found.problem) < 1000
    assert found.problem.isprintable()
    assert found.said.isprintable()


def test_two_choices_in_prose_are_none() -> None:
    match = parlour.new("choccer", seed=3)
    one, other = (choice.text for choice in match.seen_by(match.to_move).choices[:2])
    assert read(f"Either {one} or {other} would do, I cannot decide.").problem == NO_MARK


def test_a_number_in_prose_is_no_choice() -> None:
    """In Connect Four the choices are numbers, and "4 in a row" is none of them."""
    assert read("I want 4 discs in a row.", "connect_four").action is None
    assert read("ACTION: 4", "connect_four").action is not None
    assert read('{"action": 4}', "connect_four").action is not None


def test_what_is_marked_and_illegal_is_not_looked_for_elsewhere() -> None:
    """The model has said what it wants; the reason is that of the rules."""
    _, text = first()
    found = read(f"{text} is an idea, but no.\nACTION: A0-B0")
    assert found.action is None
    assert "A0-B0" in found.problem
    assert "is not a legal action here" in found.problem
