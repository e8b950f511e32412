"""The rules of game17, clause by clause: how it begins, and your turn."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from clauses import clauses_of
from game17_positions import NORTH, coins, legal, play, position, same
from parlour.engine import Chance, Match, Script
from parlour.engine.errors import BadNotation, BadOption, BadSeats
from parlour.games.game17 import GAME, events, rules
from parlour.games.game17.state.squares import neighbour, square_name

clause = clauses_of("game17")


@clause(1, "The board has 14 rows of 14 squares")
def test_the_board_is_14_by_14() -> None:
    state = GAME.blank()
    assert (state.edge, state.rounds) == (14, 50)
    assert GAME.layout.fields["owner"].length == 24 * 24
    state = GAME.blank(0)
    GAME.open(state, Chance.at(1, 0))
    assert sum(state.pieces) == 4 * 14 * 14


@clause(1, "2 to 24 squares along each edge")
@pytest.mark.parametrize("edge", [1, 25, 0, -3])
def test_other_edges_are_refused(edge: int) -> None:
    with pytest.raises(BadOption, match="option edge is 2 to 24"):
        GAME.blank(edge=edge)


@clause(1, "A0 is the top left corner")
def test_names_of_squares() -> None:
    assert [square_name(0, 0), square_name(2, 3), square_name(23, 23)] == ["A0", "D2", "X23"]


@clause(2, "whoever leaves the board over one edge comes in over the opposite one")
def test_the_edges_are_joined() -> None:
    state = position("A4 B0 B0\nB0 B0 B0\nB0 B0 B9")
    play(state, "A0n1 A0s1 A0e1 A0w1 end")
    assert same(state, "A0 A1 A1\nA1 B0 B0\nA1 B0 B9")


@clause(2, "every square has four neighbours, north, south, east and west")
@pytest.mark.parametrize("edge", [3, 14, 24])
def test_neighbours_are_four_and_mutual(edge: int) -> None:
    for square in range(edge * edge):
        row, column = divmod(square, edge)
        expected = [(row - 1, column), (row + 1, column), (row, column + 1), (row, column - 1)]
        found = [neighbour(edge, square, direction) for direction in range(4)]
        assert found == [(row % edge) * edge + column % edge for row, column in expected]
        assert [neighbour(edge, goal, back) for goal, back in zip(found, (1, 0, 3, 2), strict=True)] == [square] * 4


@clause(2, "the northern and the southern one are the same")
def test_two_by_two() -> None:
    state = position("A4 B2\nB0 B3")
    play(state, "A0n1 A0s1 A0e1 A0w1 end", [1])
    assert same(state, "A0 A4\nA2 B3"), "both ways lead to A2, and both to B1, where the coin decides for A"


@clause(3, "Every square begins with four pieces and an owner of its own")
@pytest.mark.parametrize("seats", [0, 1, 9])
def test_setup(seats: int) -> None:
    state = GAME.blank(seats, edge=3)
    # a shuffle that changes nothing, and a seat first, so that no zombie moves yet
    GAME.open(state, Script([*range(8, 0, -1)] * 2))
    assert state.pieces[:9] == [4] * 9
    assert state.owner[:9] == state.turn_order[:9] == list(range(9))
    assert (state.armed, state.seats_left, state.to_move) == (9, seats, 0)


@clause(3, "dealt one square by chance")
def test_every_deal_is_equally_likely() -> None:
    deals = Counter[tuple[int, ...]]()
    for draws in itertools.product(range(4), range(3), range(2)):
        owners = [0, 1, 2, 3]
        rules.shuffle(owners, 4, Script(draws))
        deals[tuple(owners)] += 1
    assert len(deals) == 24
    assert set(deals.values()) == {1}


@clause(3, "there can be from no player at all to one for each square")
def test_as_many_seats_as_squares() -> None:
    assert [GAME.resolve_seats(seats, {"edge": 14}) for seats in (None, 0, 196)] == [2, 0, 196]
    assert GAME.resolve_seats(576, {"edge": 24}) == 576
    with pytest.raises(BadSeats, match=r"with an edge of 14 takes at most 196 seats, one for each square, not 197"):
        GAME.blank(197)


@clause(4, "The order of turns is drawn once")
def test_the_order_of_turns() -> None:
    state = GAME.blank(3, edge=2)
    GAME.open(state, Script([3, 2, 1, 0, 1, 0]))  # the order 2 3 1 0: seat, zombie, seat, seat
    assert state.turn_order[:4] == [2, 3, 1, 0]
    assert state.first == state.to_move == 2
    assert [GAME.order(state, seat) for seat in range(3)] == [2, 1, 0]
    play(state, "end", [*coins(NORTH, NORTH, NORTH, NORTH), 0])
    assert state.to_move == 1
    play(state, "end end")
    assert (state.to_move, state.round, state.turns) == (2, 1, 4)


@clause(4, "Each owner has one turn in a round")
def test_one_turn_each() -> None:
    state = position("A4 B4\nC4 D4", seats=4)
    seats = []
    for _ in range(9):
        seats.append(state.to_move)
        play(state, "end")
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert (state.round, state.turns) == (2, 9)


@clause(5, "Give as many orders as you like, or none")
def test_no_order_at_all() -> None:
    state = position("A4 B4\nA1 B0")
    journal = play(state, "end")
    assert same(state, "A4 B4\nA1 B0")
    assert journal == [events.CarriedOut(0, 0)]
    assert state.to_move == 1


@clause(5, "Pieces of one square may go different ways")
def test_pieces_go_different_ways_and_the_rest_stays() -> None:
    state = position("B0 B0 B0\nB0 A9 B0\nB0 B0 B1")
    play(state, "B1n1 B1s2 B1e3 end")
    assert same(state, "B0 A1 B0\nB0 A3 A3\nB0 A2 B1")


@clause(5, "`D3e2` sends two pieces from D3 to the east")
def test_notation() -> None:
    state = position("B0 B0 B0 B0\nB0 B0 B0 B0\nB0 B0 B0 A2\nB0 B0 B0 B1")
    action = GAME.words.read(state, "d2 E2")
    assert GAME.words.write(state, action) == "D2e2"
    assert GAME.words.describe(state, action) == "send 2 pieces from D2 east to A2: nobody is there"
    assert GAME.words.describe(state, 0) == "end the turn; nothing moves"
    journal = play(state, "D2e2")
    assert journal == [events.Ordered(0, 2, 3, 2, 2)]
    assert journal[0].tell(lambda seat: "Ada") == "Ada orders 2 pieces from D2 to the east"
    assert GAME.words.describe(state, 0) == "end the turn: 2 pieces on the move"


@clause(8, "the larger number owns the square")
@clause(9, "toss a fair coin")
def test_an_order_says_what_comes_of_it() -> None:
    state = position("A5 a4 A0\nb0 A3 a3\nb9 b9 b9")

    def told(text: str) -> str:
        return GAME.words.describe(state, GAME.words.read(state, text)).partition(": ")[2]

    assert told("A0e5") == "5 against 4 wins"
    assert told("A0e4") == "4 against 4 is a coin toss"
    assert told("A0e3") == "3 against 4 loses"
    assert told("B1n1") == "1 against 4 loses"
    assert told("A0s1") == "nobody is there"
    assert told("A0w1") == "they join your own"
    play(state, "A0e4")
    assert told("B1n1") == "5 against 4 wins", "together with those that are ordered there already"


@clause(6, "no more than stand on the square and have no order yet")
def test_legal_orders() -> None:
    state = position("A2 B3\nA0 B0")
    assert legal(state) == {"end", *(f"A0{way}{count}" for way in "nsew" for count in (1, 2))}
    play(state, "A0s1")
    assert legal(state) == {"end", "A0n1", "A0e1", "A0w1"}
    play(state, "A0e1")
    assert legal(state) == {"end"}


@clause(6, "at most one order in each direction")
def test_one_order_each_way() -> None:
    state = position("A9 B3\nA0 B0")
    play(state, "A0n1")
    with pytest.raises(BadNotation):
        play(state, "A0n1")


@clause(6, "Nothing moves before you end your turn")
def test_orders_do_not_move() -> None:
    state = position("A9 B3\nA0 B0")
    play(state, "A0n1 A0e4")
    assert same(state, "A9 B3\nA0 B0")
    assert state.to_move == 0
    assert state.turns == 0


@clause(6, "you may take orders back until then")
def test_orders_can_be_taken_back() -> None:
    match = Match(GAME, 2, seed=4, edge=3)
    before, seat = match.state.copy(), match.to_move
    match.play(match.legal()[1])
    assert match.may_undo(seat)
    match.undo()
    assert match.state == before
    match.play("end")
    assert not match.may_undo(seat), "zombies have moved since"


@clause(7, "first all ordered pieces leave their squares, then all arrive")
def test_two_squares_change_places() -> None:
    state = position("A2 A3 B0\nB0 B0 B0\nB0 B0 B1")
    play(state, "A0e2 B0w3 end")
    assert same(state, "A3 A2 B0\nB0 B0 B0\nB0 B0 B1")


@clause(7, "No piece moves twice")
def test_arrivals_cannot_be_sent_on() -> None:
    state = position("A2 A0 B0\nB0 B0 B0\nB0 B0 B1")
    play(state, "A0e2")
    assert legal(state) == {"end"}
    play(state, "end")
    assert same(state, "A0 A2 B0\nB0 B0 B0\nB0 B0 B1")


@clause(8, "those who arrive join those who stayed")
def test_joining() -> None:
    state = position("A2 A3 B0\nB0 B0 B0\nB0 B0 B1")
    journal = play(state, "A0e1 end")
    assert same(state, "A1 A4 B0\nB0 B0 B0\nB0 B0 B1")
    assert journal[1:] == [events.CarriedOut(0, 1)], "nothing to settle"


@clause(8, "the larger number owns the square and all the pieces on it")
@pytest.mark.parametrize(("arrivals", "after"), [(4, "A0 A7"), (2, "A2 B5")])
def test_larger_number_owns_all(arrivals: int, after: str) -> None:
    state = position("A4 B3\nA0 B1")
    journal = play(state, f"A0e{arrivals} end")
    assert same(state, f"{after}\nA0 B1")
    assert journal[-1] == events.Clashed(0, 1, 0, 1, arrivals, 3, arrivals > 3)


@clause(8, "those who arrived, from all sides together")
def test_arrivals_from_all_sides_count_together() -> None:
    state = position("B0 A1 B0\nA1 B3 A1\nB0 A1 B1")
    play(state, "B0s1 A1e1 C1w1 B2n1 end")
    assert same(state, "B0 A0 B0\nA0 A7 A0\nB0 A0 B1")


@clause(9, "If the numbers are equal, toss a fair coin")
@pytest.mark.parametrize(("coin", "after"), [(1, "A1 A6"), (0, "A1 B6")])
def test_tie(coin: int, after: str) -> None:
    state = position("A4 B3\nA0 B1")
    journal = play(state, "A0e3 end", [coin])
    assert same(state, f"{after}\nA0 B1")
    assert isinstance(journal[-1], events.Clashed)
    assert journal[-1].toss
    assert journal[-1].taken == bool(coin)


@clause(10, "A square that is left empty keeps its last owner")
def test_empty_square_keeps_its_owner() -> None:
    state = position("A1 A0\nB0 B1")
    play(state, "A0e1 end end")
    assert same(state, "A0 A1\nB0 B1")


@clause(10, "until somebody else's pieces arrive")
def test_empty_square_is_taken_by_one_piece() -> None:
    state = position("A1 B0\nB0 B1")
    journal = play(state, "A0e1 end")
    assert same(state, "A0 A1\nB0 B1")
    assert journal[-1].tell(["Ada", "Bob"].__getitem__) == "Ada takes B0, left empty by Bob"


@clause(11, "A player without a square is out and is skipped")
def test_out() -> None:
    state = position("A4 B1\nC4 C0", seats=3)
    journal = play(state, "A0e2 end")
    assert journal[-1] == events.Out(1)
    assert (state.to_move, state.seats_left) == (2, 2)
    play(state, "end end")
    assert state.to_move == 2, "B is skipped in every round"


@clause(11, "A player with squares but no pieces has nothing to order: the turn passes by itself")
def test_no_pieces_but_squares() -> None:
    state = position("A4 B0\nC4 C0", seats=3)
    play(state, "end")
    assert state.to_move == 2, "B has no piece to send anywhere"
    assert (state.turns, state.seats_left) == (2, 3), "it has had its turn, and is not out"


@clause(11, "The squares still count")
def test_squares_without_pieces_count() -> None:
    state = position("A4 B0 B0\nC4 B0 B0\nC0 B0 B0", seats=3, rounds=1)
    play(state, "end end")
    assert GAME.winners(state) == [1]


@clause(11, "A player with squares but no pieces has nothing to order")
def test_the_last_piece_is_told() -> None:
    state = position("A2 B3 a1\nA0 B0 a0\nA0 B0 a0")
    journal = play(state, "A0e2 end")
    assert events.Disarmed(0) in journal
    assert state.to_move == 1
    assert events.Disarmed(0).tell(["Ada"].__getitem__) == "Ada has lost the last piece, and has nothing more to order"
