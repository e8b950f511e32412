"""``match.seen_by(seat)``: what leaves a match for somebody, at the moment it was asked for."""

from __future__ import annotations

import pytest

from parlour.engine import Match, registry
from parlour.engine.chance import Chance
from parlour.engine.check import play_random
from parlour.engine.errors import BadSeats
from parlour.engine.explanation import Explanation
from parlour.engine.notation import Notation
from parlour.engine.seen import WATCHER


def match_of(name: str, plies: int = 12) -> Match:
    match = Match(registry.get(name), seed=5)
    play_random(match, plies)
    return match


@pytest.mark.parametrize("name", registry.names())
def test_everybody_sees_what_the_match_says(name: str) -> None:
    match = match_of(name)
    for seat in (None, *range(match.seats)):
        seen = match.seen_by(seat)
        assert seen.state == match.state
        assert (seen.ply, seen.over, seen.to_move) == (match.state.ply, match.over, match.to_move)
        assert (seen.scores, seen.winners) == (match.scores, match.winners)
        assert (seen.actions, seen.journal, seen.story) == (match.actions, match.journal, match.story)
        assert seen.board().plain == match.board().plain
        assert seen.picture == match.game.looks.svg(match.state)


@pytest.mark.parametrize("name", registry.names())
def test_choices_are_for_the_seat_to_move(name: str) -> None:
    match = match_of(name)
    mine = match.seen_by(match.to_move)
    assert [choice.action for choice in mine.choices] == mine.legal == match.legal()
    for choice in mine.choices[:50]:
        assert choice.text == match.text(choice.action)
        assert choice.label == match.game.words.describe(match.state, choice.action)
        assert choice.picks == match.game.looks.picks(match.state, choice.action)
        assert choice.way == match.game.looks.way(match.state, choice.action)
    for seat in {WATCHER, *range(match.seats)} - {match.to_move}:
        assert match.seen_by(seat).choices == []
        assert match.seen_by(seat).legal == []


def test_what_is_done_to_the_state_stays_outside() -> None:
    match = match_of("choccer")
    seen = match.seen_by(0)
    board = seen.board().plain
    seen.state.board[0] = 4
    assert match.state.board[0] == 0
    assert seen.board().plain == board


def test_a_later_action_changes_nothing_that_was_seen() -> None:
    match = match_of("verfuchst")
    seen, again = match.seen_by(match.to_move), match.seen_by(match.to_move)
    story, actions, legal = seen.story, seen.actions, seen.legal
    match.play(match.legal()[0])
    match.undo()
    match.undo()
    match.play(match.legal()[-1])
    assert (again.story, again.actions, again.legal) == (story, actions, legal)
    assert again.state == seen.state


def test_the_last_events_are_the_end_of_the_journal() -> None:
    match = match_of("goose", 30)
    seen = match.seen_by(None)
    for count in (0, 1, 5, len(seen.journal), len(seen.journal) + 9):
        assert seen.last_events(count) == seen.journal[len(seen.journal) - min(count, len(seen.journal)) :]


def test_an_action_can_be_undone_while_no_dice_fall_and_the_turn_stays() -> None:
    match = match_of("game17", 0)
    by_text = {choice.text: choice.can_undo for choice in match.seen_by(match.to_move).choices}
    assert not by_text.pop("end")
    assert all(by_text.values())
    goose = match_of("goose", 0)
    assert [choice.can_undo for choice in goose.seen_by(goose.to_move).choices] == [False]


def test_a_bot_is_asked_through_the_same_door() -> None:
    match, chance = match_of("choccer"), Chance.at(1, 0)
    decision = match.seen_by(match.to_move).decision(chance)
    assert (decision.seat, decision.legal, decision.actions) == (match.to_move, match.legal(), match.actions)
    assert decision.state == match.state
    assert decision.state is not match.state
    assert decision.chance is chance


@pytest.mark.parametrize("seat", [2, -2, 99])
def test_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises(BadSeats, match=rf"^there is no seat {seat}: the match has 2, counted from 0$"):
        match_of("choccer").seen_by(seat)


def test_a_game_that_knows_no_reason_gives_the_general_one(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(registry.get("connect_four"), seed=1)
    monkeypatch.setitem(vars(match.game.words), "notation", Notation(write=match.game.words.notation.write))
    assert match.seen_by(0).why_not(("nowhere",)) == Explanation("nowhere is none of your 7 choices now.")
    assert match.seen_by(0).why_not(()) == Explanation("Choose one of your 7 choices.")
    assert match.seen_by(0).why_not(("4",)) == match.seen_by(0).explain("4"), "what it is, at least"
