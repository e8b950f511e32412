"""The rules of the Game of the Goose, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from clauses import clauses_of
from parlour.engine import Match, Script, State
from parlour.games.goose import GAME, events

clause = clauses_of("goose")


def position(*spaces: int, to_move: int = 0, **options: int) -> State:
    """A position with the pieces on these spaces; stakes, where they are on, already paid."""
    state = GAME.blank(len(spaces), **options)
    state.position[: len(spaces)] = spaces
    state.to_move = to_move
    return state


def throw(state: State, first: int, second: int) -> list[Any]:
    journal: list[object] = []
    GAME.play(state, 0, Script([first, second]), journal)
    return journal


@clause(1, "Everyone puts a piece on the start")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_pieces_begin_on_the_start(seats: int) -> None:
    state = GAME.blank(seats)
    GAME.open(state, Script([6, 6, *[1, 1] * (seats - 1)]))
    assert state.position == [0, 0, 0, 0]


@clause(2, "the highest sum begins")
def test_highest_throw_begins() -> None:
    state = GAME.blank(3)
    GAME.open(state, Script([1, 2, 6, 5, 3, 3]))
    assert state.to_move == state.first == 1


@clause(2, "Those tied for the highest throw again")
def test_tied_leaders_throw_again() -> None:
    state = GAME.blank(3)
    script = Script([6, 5, 1, 1, 5, 6, 2, 2, 3, 3])
    GAME.open(state, script)
    assert state.to_move == 2
    assert script.left == []


@clause(2, "Everyone throws both dice")
def test_every_throw_for_the_beginning_is_told_with_its_dice() -> None:
    journal: list[object] = []
    GAME.open(GAME.blank(3), Script([6, 5, 1, 1, 5, 6, 2, 2, 3, 3]), journal)
    assert journal == [
        events.ThrewToBegin(0, 6, 5),
        events.ThrewToBegin(1, 1, 1),
        events.ThrewToBegin(2, 5, 6),
        events.ThrewToBegin(0, 2, 2),
        events.ThrewToBegin(2, 3, 3),
        events.Begins(2),
    ]


@clause(2, "Play goes clockwise")
def test_play_goes_clockwise() -> None:
    state = position(1, 2, 3, to_move=2)
    throw(state, 1, 3)
    assert state.to_move == 0


@clause(3, "move your piece forward by their sum")
def test_move_by_the_sum() -> None:
    state = position(1, 0)
    journal = throw(state, 3, 4)
    assert state.position[:2] == [8, 0]
    assert journal == [events.Rolled(0, 3, 4), events.Moved(0, 1, 8)]


@clause(3, "There is nothing to decide")
def test_there_is_one_action() -> None:
    assert GAME.legal_actions(position(0, 0)) == [0]


@clause(4, "If you throw 6 and 3 while your piece stands on the start, move to space 26")
@pytest.mark.parametrize(("dice", "space"), [((6, 3), 26), ((3, 6), 26), ((5, 4), 53), ((4, 5), 53)])
def test_nine_from_the_start(dice: tuple[int, int], space: int) -> None:
    state = position(0, 0)
    throw(state, *dice)
    assert state.position[0] == space


@clause(4, "again whenever Death or a swap has sent you back to the start")
def test_nine_from_the_start_after_death() -> None:
    state = position(55, 1)
    throw(state, 1, 2)
    assert state.position[0] == 0
    throw(state, 1, 1)
    throw(state, 5, 4)
    assert state.position[0] == 53


@clause(4, "while your piece stands on the start")
def test_nine_from_elsewhere_is_an_ordinary_throw() -> None:
    state = position(1, 0)
    throw(state, 6, 3)
    assert state.position[0] == 10


@clause(5, "it moves on by the same throw, again and again")
def test_every_goose_on_the_way_is_told() -> None:
    state = position(1, 0)
    journal = throw(state, 2, 2)
    assert state.position[0] == 13
    assert events.OnGoose(0, 5) in journal
    assert events.OnGoose(0, 9) in journal


@clause(5, "Spaces 5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54 and 59 show a goose")
def test_the_geese() -> None:
    from parlour.games.goose.state.spaces import GOOSE

    geese = [space for space, goose in enumerate(GOOSE) if goose]
    assert geese == [5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59]
    assert len(GOOSE) == 64


@clause(6, "The first piece to land exactly on space 63 wins at once")
def test_exactly_63_wins() -> None:
    state = position(60, 0)
    throw(state, 1, 2)
    assert state.over
    assert GAME.winners(state) == [0]
    assert GAME.legal_actions(state) == []


@clause(6, "count the extra points backwards from 63")
def test_too_many_count_backwards() -> None:
    state = position(60, 0)
    throw(state, 2, 3)
    assert state.position[0] == 61
    assert not state.over


@clause(6, "count the extra points backwards from 63")
def test_counting_back_is_told_with_the_way() -> None:
    told = [event.tell(GAME.seat_name) for event in throw(position(60, 0), 2, 4)]
    assert told[1] == "Red moves from 60 to 63 and counts 3 back, to 60"


@clause(6, "A goose met that way moves the piece further back by the throw")
def test_a_goose_met_backwards_is_told_as_such() -> None:
    told = [event.tell(GAME.seat_name) for event in throw(position(62, 0), 2, 3)]
    assert told[1:] == [
        "Red moves from 62 to 63 and counts 4 back, to 59",
        "space 59 is a goose: Red moves further back by the same throw",
        "Red moves back from 59 to 54",
        "space 54 is a goose: Red moves further back by the same throw",
        "Red moves back from 54 to 49",
    ]


@clause(6, "A goose met that way moves the piece further back by the throw")
def test_goose_met_backwards() -> None:
    state = position(62, 0)
    throw(state, 2, 3)
    assert state.position[0] == 49, "back to 59, a goose; back to 54, a goose; back to 49"


@clause(6, "A goose met that way moves the piece further back by the throw")
def test_goose_met_forwards_then_too_many() -> None:
    state = position(51, 0)
    throw(state, 4, 4)
    assert state.position[0] == 51, "59 is a goose; 67 counts back to 59, a goose met backwards; back to 51"


@clause(6, "A hazard reached backwards counts as well")
def test_death_met_backwards() -> None:
    state = position(60, 0)
    throw(state, 4, 4)
    assert state.position[0] == 0


@clause(7, "that piece goes to the space where yours began this turn")
def test_landing_on_a_piece_swaps() -> None:
    state = position(10, 13)
    journal = throw(state, 1, 2)
    assert state.position[:2] == [13, 10]
    assert events.Swapped(0, 1, 13, 10) in journal


@clause(7, "where yours began this turn")
def test_swap_after_geese_goes_to_where_the_turn_began() -> None:
    state = position(1, 13)
    throw(state, 2, 2)
    assert state.position[:2] == [13, 1]


@clause(7, "any waiting it had is over")
def test_a_piece_swapped_out_of_the_hotel_waits_no_more() -> None:
    state = position(16, 19)
    state.resting[1] = 1
    throw(state, 1, 2)
    assert state.position[:2] == [19, 16]
    assert state.resting[:2] == [1, 0]
    assert state.to_move == 1


@clause(7, "Being sent there triggers nothing")
def test_being_sent_to_the_well_triggers_nothing() -> None:
    state = position(31, 34)
    throw(state, 1, 2)
    assert state.position[:2] == [34, 31]
    assert state.trapped_since[1] == 0
    assert state.to_move == 1


@clause(7, "Nobody swaps on the start")
def test_nobody_swaps_on_the_start() -> None:
    state = position(55, 0)
    throw(state, 1, 2)
    assert state.position[:2] == [0, 0]


@clause(8, "never one that it passes")
def test_a_goose_passes_over_hazards() -> None:
    state = position(3, 0)
    throw(state, 1, 1)
    assert state.position[0] == 7


@clause(8, "it rests there, and may swap there")
def test_swap_at_the_end_of_the_bridge() -> None:
    state = position(2, 12)
    throw(state, 1, 3)
    assert state.position[:2] == [12, 2]


@clause(9, "Go to space 12")
def test_bridge() -> None:
    state = position(2, 0)
    throw(state, 1, 3)
    assert state.position[0] == 12


@clause(10, "Miss one turn")
def test_hotel() -> None:
    state = position(17, 0)
    throw(state, 1, 1)
    assert state.to_move == 1
    throw(state, 1, 1)
    assert state.to_move == 1, "seat 0 misses this turn"
    assert state.turns == 2, "a missed turn is no turn taken"
    throw(state, 1, 1)
    assert state.to_move == 0


@clause(11, "Wait until someone else lands there")
@pytest.mark.parametrize("hole", [31, 52])
def test_well_and_prison_hold_and_release(hole: int) -> None:
    state = position(hole - 2, hole - 8, 1)
    throw(state, 1, 1)
    assert state.trapped_since[0]
    throw(state, 1, 2)
    throw(state, 1, 1)
    assert state.to_move == 1, "seat 0 is skipped"
    throw(state, 2, 3)
    assert state.position[:2] == [hole, hole], "no swap there"
    assert state.trapped_since[0] == 0
    assert state.trapped_since[1] > 0
    throw(state, 1, 1)
    assert state.to_move == 0, "free to move on the next turn"
    throw(state, 1, 2)
    assert state.position[0] == hole + 3


@clause(12, "the one who has waited longest is freed")
def test_when_all_are_trapped_the_longest_is_freed() -> None:
    state = position(31, 50)
    state.trapped_since[0] = 1
    state.to_move = 1
    journal = throw(state, 1, 1)
    assert state.trapped_since[0] == 0
    assert state.to_move == 0
    assert events.FreedAtLast(0) in journal


@clause(13, "Go back to space 39")
def test_maze() -> None:
    state = position(40, 0)
    throw(state, 1, 1)
    assert state.position[0] == 39


@clause(13, "go back to space 30")
def test_french_maze() -> None:
    state = position(40, 0, maze=30)
    throw(state, 1, 1)
    assert state.position[0] == 30


@clause(14, "Put your piece back on the start")
def test_death() -> None:
    state = position(56, 0)
    throw(state, 1, 1)
    assert state.position[0] == 0


@clause(15, "Finish your drink. Nothing else happens")
def test_drink() -> None:
    state = position(58, 0, drink=1)
    journal = throw(state, 1, 2)
    assert state.position[0] == 61
    assert events.OnHazard(0, 61) in journal
    assert events.OnHazard(0, 61) not in throw(position(58, 0), 1, 2)


@clause(16, "at the beginning everyone pays one stake into the pool")
def test_everyone_pays_at_the_beginning() -> None:
    state = GAME.blank(3, stakes=1)
    GAME.open(state, Script([6, 6, 1, 1, 1, 1]))
    assert state.pool == 3
    assert state.balance == [-1, -1, -1, 0]


@clause(16, "When two pieces swap, both players pay one more")
def test_a_swap_costs_both() -> None:
    state = position(10, 13, stakes=1)
    throw(state, 1, 2)
    assert state.balance[:2] == [-1, -1]
    assert state.pool == 2


@clause(16, "whoever lands on a hazard pays one more")
@pytest.mark.parametrize("hazard", [6, 19, 31, 42, 52, 58, 61])
def test_each_hazard_costs_one(hazard: int) -> None:
    state = position(hazard - 3, 0, stakes=1, drink=1)
    throw(state, 1, 2)
    assert state.balance[:2] == [-1, 0]


@clause(16, "at the beginning everyone pays one stake into the pool")
def test_the_first_stakes_are_told() -> None:
    journal: list[object] = []
    GAME.open(GAME.blank(2, stakes=1), Script([6, 6, 1, 1]), journal)
    assert journal[:2] == [events.PaidStake(0, 1), events.PaidStake(1, 2)]


@clause(16, "When two pieces swap, both players pay one more; whoever lands on a hazard pays one more")
def test_every_further_stake_is_told() -> None:
    state = position(3, 12, stakes=1)
    journal = throw(state, 1, 2)
    assert [event for event in journal if isinstance(event, events.PaidStake | events.OnHazard | events.Swapped)] == [
        events.OnHazard(0, 6),
        events.PaidStake(0, 1),
        events.Swapped(0, 1, 12, 3),
        events.PaidStake(0, 2),
        events.PaidStake(1, 3),
    ]


@clause(16, "Option `stakes`")
def test_without_stakes_none_are_told() -> None:
    assert not [event for event in throw(position(3, 12), 1, 2) if isinstance(event, events.PaidStake)]


@clause(17, "The winner takes the pool")
def test_the_winner_takes_the_pool() -> None:
    state = position(60, 0, stakes=1)
    state.pool = 5
    throw(state, 1, 2)
    assert state.pool == 0
    assert GAME.scores(state) == [5, 0]


def staked(seats: int = 2, pool: int = 5) -> Match:
    """A match for stakes, with that much in the pool, and Blue to have begun."""
    match = Match(GAME, seats, seed=1, stakes=True)
    match.state.first, match.state.pool = 1, pool
    match.state.balance[:seats] = [-pool + seats - 1] + [-1] * (seats - 1)
    return match


@clause(17, "If one of two players gives up, the other takes it")
def test_whoever_stays_takes_the_pool() -> None:
    match = staked()
    ended = match.settled([1])
    assert ended.scores == [-4, 4]
    assert ended.state.pool == 0
    assert ended.ending == [events.TookPool(1, 5)]
    assert ended.story[-1] == "Blue takes the pool of 5"
    assert match.scores == [-4, -1], "the match itself stays as it was played"
    assert match.ending == []


@clause(17, "If you agree to stop before anyone has won, share the pool equally")
def test_an_agreed_end_shares_the_pool() -> None:
    ended = staked(pool=6).settled([])
    assert ended.scores == [-2, 2]
    assert ended.ending == [events.SharedPool(1, 3), events.SharedPool(0, 3)]


@clause(17, "what cannot be shared goes stake by stake to those who play first, from whoever began")
@pytest.mark.parametrize(("seats", "pool", "shares"), [(2, 5, [2, 3]), (3, 5, [1, 2, 2]), (4, 3, [0, 1, 1, 1])])
def test_stakes_that_cannot_be_shared(seats: int, pool: int, shares: list[int]) -> None:
    match = staked(seats, pool)
    ended = match.settled([])
    gained = [after - before for before, after in zip(match.scores, ended.scores, strict=True)]
    assert gained == shares
    assert ended.state.pool == 0


@clause(17, "The winner takes the pool")
def test_without_stakes_there_is_nothing_to_settle() -> None:
    ended = Match(GAME, 2, seed=1).settled([0])
    assert ended.ending == []
    assert ended.scores == [0, 0]


@clause(18, "The winner scores 1 and the others 0")
def test_score_without_stakes() -> None:
    state = position(60, 0)
    throw(state, 1, 2)
    assert GAME.scores(state) == [1, 0]
