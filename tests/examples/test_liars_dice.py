"""The rules of Liar's Dice, clause by clause."""

from __future__ import annotations

import pytest
from liars_dice import BIDS, FACES, GAME, LIAR, Bid, Caught

from parlour.engine import UNKNOWN, Match, Script, State
from parlour.engine.check import run
from parlour.engine.errors import IllegalAction
from parlour.engine.secrets import hidden


def test_it_passes_every_check() -> None:
    assert [(result.title, result.problem) for result in run(GAME) if result.problem] == []


def bid(count: int, face: int) -> int:
    return FACES * (count - 1) + face - 1


def rolled(*hands: str) -> State:
    """A match in which the seats have rolled these faces."""
    state = GAME.blank(len(hands), dice=len(hands[0]))
    GAME.open(state, Script([int(face) for hand in hands for face in hand]))
    return state


def test_bids_rise_and_end_at_the_dice_there_are() -> None:
    """Clause 3: more dice, or as many of a higher face; never more than there are."""
    state = rolled("25", "36")
    assert GAME.legal_actions(state) == list(range(4 * FACES))  # and nothing to doubt
    GAME.play(state, bid(2, 3), Script())
    assert GAME.legal_actions(state) == [*range(bid(2, 4), 4 * FACES), LIAR]
    GAME.play(state, bid(4, 6), Script())
    assert GAME.legal_actions(state) == [LIAR]


@pytest.mark.parametrize(("count", "loser"), [(3, 1), (4, 1), (5, 0)])
def test_a_doubt_costs_who_was_wrong_a_die(count: int, loser: int) -> None:
    """Clause 4: as many as the bid says, or more, and the doubter loses a die; else the bidder."""
    state, journal = rolled("555", "561"), list[object]()
    assert sum(state.showing[FACES * seat + 4] for seat in range(2)) == 4
    GAME.play(state, bid(count, 5), Script(), journal)
    GAME.play(state, LIAR, Script([1] * 5), journal)
    assert journal[:2] == [Bid(0, count, 5), Caught(4, loser)]
    assert state.left[loser] == 2
    assert state.to_move == loser  # clause 5: who has lost a die begins
    assert state.bid == 0
    assert state.on_table == sum(state.left) == 5


def test_the_last_with_dice_wins() -> None:
    """Clause 5: whoever has no dice is out, and the next one begins."""
    state = rolled("5", "5", "1")
    GAME.play(state, bid(3, 5), Script())
    GAME.play(state, LIAR, Script([2, 3]))
    assert (list(state.left[:3]), state.to_move, state.over) == ([0, 1, 1], 1, 0)
    GAME.play(state, bid(1, 2), Script())
    assert state.to_move == 2  # seat 0 is passed over
    GAME.play(state, LIAR, Script())
    assert (list(state.left[:3]), state.over) == ([0, 1, 0], 1)
    assert GAME.winners(state) == [1]
    assert GAME.scores(state) == [0, 1, 0]


def test_you_look_at_your_own_dice_alone() -> None:
    """Clause 2."""
    state = rolled("25", "36", "11")
    known = hidden(GAME, state, 1)
    assert known.showing[6:12] == [0, 0, 1, 0, 0, 1]
    assert known.showing[:6] == known.showing[12:18] == [UNKNOWN] * 6
    assert GAME.looks.board(known).plain.splitlines()[:3] == ["Seat 1: ? ? ", "Seat 2: 3 6 ", "Seat 3: ? ? "]


def test_notation_and_story() -> None:
    match = Match(GAME, 2, seed=5, dice=1)
    match.play("1x3")
    with pytest.raises(IllegalAction):
        match.play(bid(1, 3))
    assert match.text(LIAR) == "liar"
    assert match.seen_by(None).story == ["Seat 1 rolls in secret", "Seat 2 rolls in secret", "Seat 1 bids 1 of face 3"]
    assert BIDS == LIAR
