"""The rules of Goofspiel, clause by clause; and beside OpenSpiel's, over many random matches."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest
from goofspiel import GAME, MOST_CARDS, NOT_YET, Bid, Taken, Turned

from parlour.engine import UNKNOWN, Match, Script, State
from parlour.engine.check import run
from parlour.engine.secrets import hidden


def test_it_passes_every_check() -> None:
    assert [(result.title, result.problem) for result in run(GAME) if result.problem] == []


def opened(prize: int, seats: int = 2, cards: int = MOST_CARDS) -> State:
    """A match in which that prize is turned up first."""
    state = GAME.blank(seats, cards=cards)
    GAME.open(state, Script([prize - 1]))
    return state


def bid(state: State, *cards: int, draws: tuple[int, ...] = (0,)) -> list[Any]:
    """All bid these cards; ``draws`` tells which of the prizes that are left is next."""
    journal: list[Any] = []
    for card in cards:
        GAME.play(state, card - 1, Script(list(draws)), journal)
    return journal


def test_the_highest_bid_takes_the_prize_and_all_are_spent() -> None:
    """Clauses 2 and 4."""
    state = opened(12, seats=3)
    assert bid(state, 3, 9, 1, draws=(10,)) == [Bid(0, "3"), Bid(1, "9"), Bid(2, "A"), Taken(1), Turned("J")]
    assert (state.points, state.prize, state.to_move) == ([0, 12, 0, 0], 11, 0)
    assert [card + 1 for card in GAME.legal_actions(state)] == [1, 2, *range(4, 14)]


@pytest.mark.parametrize("cards", [(7, 7, 2), (2, 7, 7), (7, 2, 7), (7, 7, 7)])
def test_nobody_takes_a_prize_for_which_several_bid_the_highest(cards: tuple[int, ...]) -> None:
    """Clause 4."""
    state = opened(5, seats=3)
    assert not any(isinstance(event, Taken) for event in bid(state, *cards))
    assert sum(state.points) == 0


def test_when_all_cards_are_spent_most_points_win() -> None:
    """Clause 5."""
    state = opened(1, cards=2)
    bid(state, 2, 1)
    assert not state.over
    bid(state, 1, 2)
    assert state.over
    assert (GAME.scores(state), GAME.winners(state)) == ([1, 2], [1])
    tied = opened(1, cards=2)
    bid(tied, 2, 2)
    bid(tied, 1, 1)
    assert GAME.winners(tied) == [0, 1]


def test_nobody_sees_a_bid_before_all_have_bid() -> None:
    """Clause 3."""
    state = opened(4, seats=3)
    bid(state, 9)
    assert [hidden(GAME, state, seat).bid[0] for seat in (-1, 0, 1, 2)] == [UNKNOWN, 9, UNKNOWN, UNKNOWN]
    assert [GAME.waits_for(hidden(GAME, state, seat)) for seat in (-1, 0, 1, 2)] == [[1, 2]] * 4
    assert GAME.looks.board(hidden(GAME, state, 1)).plain.splitlines()[1].endswith("K; bids ?")


def test_you_may_choose_another_until_all_have() -> None:
    """Clause 3."""
    match = Match(GAME, 3, seed=4)
    match.play("K", seat=2)
    match.play("3", seat=0)
    match.play("2", seat=2)
    assert match.journal == match.opening
    assert match.play("9", seat=1)[:3] == [Bid(0, "3"), Bid(1, "9"), Bid(2, "2")]
    assert match.state.bid == [NOT_YET] * 4
    assert match.actions == [2, 8, 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("cards", [4, 13])
def test_it_is_openspiels_game(seats: int, cards: int) -> None:
    """The same prizes and bids: the same hands, points and winners, in every round of many random matches."""
    theirs = pyspiel.load_game("goofspiel", {"players": seats, "num_cards": cards})
    for number in range(60):
        lots, their = random.Random(number), theirs.new_initial_state()
        prizes = lots.sample(range(cards), cards)
        match = opened(prizes[0] + 1, seats, cards)
        for round in range(cards):
            if their.is_chance_node():
                left = sorted(prizes[round:])
                assert [outcome for outcome, _ in their.chance_outcomes()] == left
                their.apply_action(prizes[round])
            bids = [lots.choice(hand) for hand in hands(match, seats)]
            if not their.is_terminal():  # OpenSpiel plays the last cards by itself
                assert their.is_simultaneous_node()
                assert hands(match, seats) == [their.legal_actions(seat) for seat in range(seats)]
                their.apply_actions(bids)
            draws = (sorted(prizes[round + 1 :]).index(prizes[round + 1]),) if round + 1 < cards else ()
            bid(match, *(card + 1 for card in bids), draws=draws)
        assert match.over
        assert their.is_terminal()
        winners = GAME.winners(match)
        assert [seat for seat in range(seats) if their.returns()[seat] >= 0] == winners or len(winners) == seats
        assert points(their, seats) == match.points[:seats]


def hands(state: State, seats: int) -> list[list[int]]:
    """What each seat may bid."""
    found = []
    for seat in range(seats):
        known = hidden(GAME, state, seat)
        known.to_move = seat
        found.append(GAME.legal_actions(known))
    return found


def points(their: Any, seats: int) -> list[int]:
    """The points that OpenSpiel's text of a position tells: ``Points: 3 7``."""
    line = next(line for line in str(their).splitlines() if line.startswith("Points: "))
    return [int(word) for word in line.split()[1:]]
