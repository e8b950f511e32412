"""Choices are told as they were written before; that must be what would be written now."""

from __future__ import annotations

import random

import msgspec
import pytest

import parlour
from parlour.engine.language import speaking
from parlour.protocol import Choices, ChoiceView
from parlour.server.telling import choices
from serving import House


def expected(match: parlour.Match, *, undoable: bool) -> list[ChoiceView]:
    seen, usual = match.seen_by(match.to_move), match.game.words.notation.usual(match.state)
    listed = match.game.words.notation.listed
    return [
        ChoiceView(
            choice.action,
            choice.text,
            choice.label,
            list(choice.picks),
            choice.way,
            undoable and choice.can_undo,
            listed(match.state, choice.action),
            choice.action == usual,
        )
        for choice in seen.choices
    ]


@pytest.mark.parametrize("game", ["choccer", "goose", "verfuchst", "connect_four", "mazerunner"])
def test_choices_are_told_as_the_game_words_them(game: str) -> None:
    match, dice = parlour.new(game, seats=2, seed=5), random.Random(5)
    for ply in range(40):
        if match.over:
            break
        for language in ("en", "de"):
            with speaking(language):
                told = choices.choices_of(match.seen_by(match.to_move), undoable=ply % 2 == 0)
                assert told == expected(match, undoable=ply % 2 == 0)
        match.play(dice.choice(match.legal()))


def test_of_many_choices_those_without_a_place_on_the_board_are_told_in_words() -> None:
    """A large army had a button "End" to end its turn."""
    match = parlour.new("game17", seats=1, seed=5)
    state = match.state
    mine = state.owner.index(0)
    state.pieces[mine], match._legal = 200, None
    told = choices.choices_of(match.seen_by(0))
    assert len(told) > choices.MANY_CHOICES
    assert [choice.label for choice in told if choice.text == "end"] == ["end the turn; nothing moves"]
    assert {choice.label for choice in told if choice.picks} == {""}


def test_the_message_holds_them_and_only_the_seat_to_move_has_any(shared_house: House) -> None:
    ann, _ = shared_house.table_of("Ann", "Bob")
    table = shared_house.services.rooms.in_memory[ann.table].table
    assert table.to_move == 0
    first, second = (msgspec.json.decode(choices.message(table, seat), type=Choices) for seat in (0, 1))
    assert first == Choices(0, choices.choices(table, 0), may_undo=False, prompt=choices.prompt(table, 0))
    assert first.choices
    assert second == Choices(0, [], may_undo=False)
