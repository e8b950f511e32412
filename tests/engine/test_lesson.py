"""Lessons: what a file may say, what comes of a try, and what is wrong with it in one line."""

from __future__ import annotations

import pytest

from parlour.engine import registry
from parlour.engine.errors import BadGame, IllegalAction, ParlourError
from parlour.engine.language import speaking
from parlour.engine.lesson import Lesson, read

FOUR = registry.get("connect_four")
STEP = """
[[step]]
begin = { played = ["4", "1", "4", "1", "4", "1"] }
say.en = "Win."
say.de = "Gewinne."
do = ["4"]
then.en = "Won."
otherwise.en = "Column 4 wins."
clause = 4
  [[step.answer]]
  to = ["1"]
  say.en = "That only stops Yellow."
"""


def lesson(text: str = STEP) -> Lesson:
    return read(FOUR, text.encode())


def test_what_is_right_is_played_and_everything_else_is_answered() -> None:
    learnt = lesson()
    won = learnt.try_text(0, "4")
    assert (won.is_right, won.explanation.text, won.explanation.clause) == (True, "Won.", 4)
    assert won.match.winners == [0]
    assert [ply.action for ply in won.plies] == [3]
    assert learnt.try_text(0, "1").explanation.text == "That only stops Yellow."
    assert learnt.try_text(0, "2").explanation.text == "Column 4 wins."
    assert not learnt.try_text(0, "2").is_right


def test_what_cannot_be_played_is_answered_with_the_reason() -> None:
    full = STEP.replace('["4", "1", "4", "1", "4", "1"]', '["7", "7", "7", "7", "7", "7"]')
    told = lesson(full).try_text(0, "7").explanation
    assert (told.text, told.clause) == ("Column 7 is full: it holds six discs.", 3)
    with pytest.raises(IllegalAction):
        lesson().try_action(0, 99)


def test_a_step_is_always_the_same_whatever_was_tried() -> None:
    learnt = lesson()
    learnt.try_text(0, "4")
    assert learnt.start(0).legal() == lesson().start(0).legal()
    assert len(learnt.start(0).plies) == 6


def test_a_step_goes_on_where_the_last_one_ended_with_what_the_others_answered() -> None:
    first = STEP.replace('["4", "1", "4", "1", "4", "1"]', "[]").replace('do = ["4"]', 'do = ["4"]\nreply = ["5"]')
    second = STEP.replace('begin = { played = ["4", "1", "4", "1", "4", "1"] }\n', "")
    learnt = lesson(first + second)
    assert [ply.text for ply in learnt.start(1).plies] == ["4", "5"]


def test_fields_are_set_whole_in_part_and_by_place() -> None:
    goose = registry.get("goose")
    begin = "begin = { set = { to_move = 0, position = [7, 3], resting = { 1 = 1 } } }"
    text = STEP.replace('begin = { played = ["4", "1", "4", "1", "4", "1"] }', begin).replace('["4"]', '["roll"]')
    learnt = read(goose, text.partition("  [[step.answer]]")[0].replace("clause = 4", "").encode())
    state = learnt.start(0).state
    assert (state.position[:3], state.resting[:2]) == ([7, 3, 0], [0, 1])


def test_texts_are_in_the_language_of_the_reader_or_in_english() -> None:
    learnt = lesson(STEP.replace('then.en = "Won."', 'then.en = "Won."\nthen.de = "Gewonnen."'))
    with speaking("de"):
        assert learnt.try_text(0, "4").explanation.text == "Gewonnen."
        assert learnt.try_text(0, "2").explanation.text == "Column 4 wins."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('do = ["4"]', 'do = ["9"]'), "step 1: '9' is not a legal action here"),
        (('do = ["4"]', "do = []"), "step 1: it has nothing to do"),
        (('to = ["1"]', 'to = ["4"]'), "step 1: '4' is right, and has another answer"),
        (('"4", "1"] }', '"4"] }'), "step 1: it is the turn of Yellow; the learner is Red"),
        (('say.en = "Win."', 'say.fr = "Gagne."'), "step 1: a text has no 'en'"),
        (('do = ["4"]', 'do = "4"'), "Expected `array`, got `str`"),
        (("clause = 4", "klause = 4"), "unknown field `klause`"),
        (("[[step]]", "seats = 3\n[[step]]"), "connect_four takes 2 seats, not 3"),
        (("[[step]]", "you = 2\n[[step]]"), "you = 2 is no seat: there are 2, counted from 0"),
        (("[[step]]", "[[step]"), "lesson.toml: "),
        (('played = ["4"', 'set = { die = 3 }, played = ["4"'), "the state has no field 'die' that can be set to 3"),
        (('played = ["4"', 'set = { height = { 9 = 1 } }, played = ["4"'), "field 'height' cannot be set"),
        (('played = ["4"', 'set = { height = [999] }, played = ["4"'), "field 'height' holds"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(change: tuple[str, str], said: str) -> None:
    assert change[0] in STEP
    with pytest.raises(ParlourError) as caught:
        assert lesson(STEP.replace(*change)).positions
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_after_several_right_ways_a_step_needs_a_beginning() -> None:
    second = STEP.replace('begin = { played = ["4", "1", "4", "1", "4", "1"] }\n', "")
    with pytest.raises(BadGame, match="step 2: it needs a begin"):
        assert lesson(STEP.replace('do = ["4"]', 'do = ["4", "5"]') + second).positions
