"""Matches: new, legal, play, undo, journal, over, winners, scores."""

from __future__ import annotations

import random

import pytest

import parlour
from parlour.engine import registry
from parlour.engine.errors import (
    BadNotation,
    BadOption,
    BadSeats,
    BadSeed,
    IllegalAction,
    NothingToUndo,
    ParlourError,
    UnknownName,
)
from parlour.engine.game import Game
from parlour.engine.match import STEPS


def test_all_that_a_script_needs() -> None:
    match = parlour.new("goose", seats=4, seed=7, maze=30)
    assert match.options == {"maze": 30, "drink": 0, "stakes": 0}
    while not match.over:
        match.play(match.legal()[0])
    assert len(match.winners) == 1
    assert sum(match.scores) == 1
    assert match.legal() == []
    assert match.story[-1].endswith("reaches 63 and wins")


def test_the_same_seed_is_the_same_match() -> None:
    first, second, other = (parlour.new("goose", seed=seed) for seed in (7, 7, 8))
    for match in (first, second, other):
        for _ in range(10):
            match.play("roll")
    assert first.state == second.state != other.state
    assert first.journal == second.journal


def test_without_a_seed_every_match_is_another() -> None:
    assert parlour.new("goose").seed != parlour.new("goose").seed


def test_the_opening_is_told() -> None:
    match = parlour.new("goose", seed=1)
    assert match.story[-1].endswith("begins")
    assert match.plies == []


def test_actions_are_numbers_or_notation() -> None:
    by_number, by_text = parlour.new("choccer", seed=1), parlour.new("choccer", seed=1)
    action = by_number.legal()[0]
    by_number.play(action)
    by_text.play(by_text.text(action).lower())
    assert by_number.state == by_text.state


@pytest.mark.parametrize("action", [-1, 10**6, True, None, 2.0])
def test_an_illegal_action_carries_action_reason_and_position_and_changes_nothing(action: int) -> None:
    match = parlour.new("choccer", seed=1)
    match.play(match.legal()[3])
    before = match.state.copy()
    with pytest.raises(IllegalAction) as caught:
        match.play(action)
    assert caught.value.action is action
    assert caught.value.reason
    assert caught.value.position == before == match.state
    assert len(match.plies) == 1


def test_an_illegal_text_changes_nothing() -> None:
    match = parlour.new("choccer", seed=1)
    with pytest.raises(BadNotation, match="is not a legal action here"):
        match.play("Z9-Z9")
    assert match.plies == []


def test_nothing_can_be_played_when_it_is_over() -> None:
    match = parlour.new("goose", seed=7)
    while not match.over:
        match.play("roll")
    with pytest.raises(IllegalAction, match="the match is over"):
        match.play(0)
    with pytest.raises(BadNotation, match="the match is over"):
        match.play("roll")


def test_undo_takes_back_one_action() -> None:
    match = parlour.new("goose", seed=7)
    positions = [match.state.copy()]
    for _ in range(5):
        match.play("roll")
        positions.append(match.state.copy())
    for expected in reversed(positions[:-1]):
        match.undo()
        assert match.state == expected
    with pytest.raises(NothingToUndo):
        match.undo()


def test_at_a_table_nobody_takes_back_a_roll_or_another_seats_choice() -> None:
    goose = parlour.new("goose", seed=7)
    assert not goose.may_undo(goose.to_move)
    seat = goose.to_move
    goose.play("roll")
    assert not goose.may_undo(seat), "dice were rolled"
    choccer = parlour.new("choccer", seed=7)
    choccer.play(choccer.legal()[0])
    assert choccer.may_undo(0)
    assert not choccer.may_undo(1), "another seat's choice"
    choccer.play(choccer.legal()[0])
    assert choccer.undo_plies(0, bots=[1]) == 2, "the bot's answer goes with it"
    assert choccer.undo_plies(0) == 0, "a person has answered"
    choccer.play(choccer.legal()[0])
    assert choccer.undo_plies(0, bots=[1], choices=2) == 3
    assert choccer.undo_plies(0, bots=[1], choices=3) == 0, "there were no three"


def test_a_match_as_text_is_its_board() -> None:
    match = parlour.new("choccer", seed=1)
    assert str(match) in match.board().plain


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"game": "gose"}, UnknownName, "did you mean 'goose'"),
        ({"game": "goose", "seats": 5}, BadSeats, "2 to 4 seats, not 5"),
        ({"game": "goose", "seats": "4"}, BadSeats, "2 to 4 seats, not '4'"),
        ({"game": "choccer", "seats": 3}, BadSeats, "takes 2 seats"),
        ({"game": "goose", "maze": 31}, BadOption, "39 or 30, not 31"),
        ({"game": "goose", "drink": "perhaps"}, BadOption, "yes or no"),
        ({"game": "goose", "mase": 30}, BadOption, "did you mean 'maze'"),
        ({"game": "goose", "seed": -1}, BadSeed, "not -1"),
        ({"game": "goose", "seed": "7"}, BadSeed, "not '7'"),
        ({"game": "goose", "seed": 2**128}, BadSeed, "whole number"),
    ],
)
def test_bad_input_says_what_was_expected(arguments: dict[str, object], error: type[ParlourError], words: str) -> None:
    with pytest.raises(error) as caught:
        parlour.new(**arguments)  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_rolls_dice_or_passes_the_turn_is_final() -> None:
    goose = parlour.new("goose", seed=7)
    roll = goose.seen_by(goose.to_move)
    assert [choice.can_undo for choice in roll.choices] == [False], "it rolls"
    orders = parlour.new("game17", seats=2, seed=7)
    before = orders.state.copy()
    finals = {choice.text for choice in orders.seen_by(orders.to_move).choices if not choice.can_undo}
    assert finals == {"end"}, "orders can be taken back until the turn is ended"
    assert orders.state == before, "to look is not to play"


class Counted:
    """A game that counts how often a rule is asked to play."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.played = 0
        play = Game.play

        def counted(game: Game, *given: object, **named: object) -> None:
            self.played += 1
            play(game, *given, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(Game, "play", counted)


def test_taking_back_costs_the_same_however_long_the_match_is(monkeypatch: pytest.MonkeyPatch) -> None:
    match, dice = parlour.new("choccer", seed=7), random.Random(4)
    positions = []
    while not match.over:
        positions.append(match.state)
        match.play(dice.choice(match.legal()))
    counted = Counted(monkeypatch)
    for expected in reversed(positions):
        counted.played = 0
        match.undo()
        assert match.state == expected
        assert counted.played < STEPS < len(positions) / 5
    assert match.plies == []


@pytest.mark.parametrize("stream", [None, 3])
def test_after_taking_back_the_same_dice_fall(stream: int | None) -> None:
    def begun() -> parlour.Match:
        return parlour.Match(registry.get("mazerunner"), 2, 7, stream=stream)

    straight, back_and_forth, dice = begun(), begun(), random.Random(4)
    while not straight.over:
        action = dice.choice(straight.legal())
        straight.play(action)
        back_and_forth.play(action)
        if dice.random() < 0.3:
            plies = dice.randint(1, min(20, len(back_and_forth.plies)))
            back_and_forth.undo(plies)
            for ply in straight.plies[-plies:]:
                back_and_forth.play(ply.action)
        assert back_and_forth.state == straight.state
    assert back_and_forth.plies == straight.plies


def test_whether_a_choice_is_final_is_known_without_playing_the_match_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = parlour.new("game17", seats=1, seed=7, edge=8)
    drawn: list[int] = []

    def draw(lanes: list[int], n: int) -> int:
        drawn.append(n)
        return 0

    monkeypatch.setattr("parlour.engine.chance.draw_below", draw)
    end = next(choice for choice in match.seen_by(0).choices if choice.text == "end")
    assert not end.can_undo
    assert not drawn, "at the first draw the answer is known"
