"""Verfuchst, clause by clause. In pictures, letters are the seats' pieces and g is a guardian."""

from __future__ import annotations

import pytest

from clauses import clauses_of
from parlour.engine import Script, State
from parlour.games.verfuchst import GAME, events
from parlour.games.verfuchst.state.tiles import VALUE, is_lucky
from verfuchst_positions import options, play, position, shown, taken

clause = clauses_of("verfuchst")

OPENING = "9=g 10=g 11=g 12=g 13=g 14=g 15=g 16=g"


def opened(seats: int, begins: int = 0, die: int = 4) -> State:
    state = GAME.blank(seats)
    GAME.open(state, Script([begins, die]))
    return state


@clause(1, "Everyone puts three pieces on the start")
@pytest.mark.parametrize(("seats", "start"), [(2, "RRRBBB"), (3, "RRRBBBGGG"), (4, "RRRBBBGGGYYY")])
def test_three_pieces_each_on_the_start(seats: int, start: str) -> None:
    assert shown(opened(seats)) == f"start={start} {OPENING}"


@clause(1, "Two to four can play")
def test_two_to_four_can_play() -> None:
    assert GAME.seats == (2, 4)


@clause(2, "−1 −2 −3 −4 −5 −6 −7 −8, six lucky tiles, +8 +7 +6 +5 +4 +3 +2 +1, −1 −2 −3 −4 −5 −6 −7 −8 −9 −10")
def test_the_path() -> None:
    laid = ["lucky" if is_lucky(tile) else VALUE[tile] for tile in range(1, 33)]
    assert laid == [*range(-1, -9, -1), *["lucky"] * 6, *range(8, 0, -1), *range(-1, -11, -1)]
    assert opened(2).path == 2**34 - 1, "and all of it lies there"


@clause(3, "Put one guardian on each of the six lucky tiles (9 to 14), one on +8 (15) and one on +7 (16)")
def test_the_guardians() -> None:
    state = opened(2)
    guarded = [tile for tile in range(34) if state.guardians_on[tile]]
    assert guarded == [*filter(is_lucky, range(34)), VALUE.index(8), VALUE.index(7)]
    assert sum(state.guardians_on) == 8


@clause(4, "Draw lots for who begins")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_anyone_may_begin(seat: int) -> None:
    state = GAME.blank(3)
    journal: list[object] = []
    GAME.open(state, Script([seat, 5]), journal)
    assert state.to_move == state.first == seat
    assert journal == [events.Begins(seat), events.Rolled(seat, 5)]


@clause(4, "Play goes clockwise")
def test_play_goes_clockwise() -> None:
    state = opened(3, begins=1)
    seats = []
    for _ in range(4):
        seats.append(state.to_move)
        play(state, "start")
    assert seats == [1, 2, 0, 1]


@clause(5, "On your turn roll the die")
def test_the_die_is_rolled_before_the_choice() -> None:
    state = opened(2, die=4)
    assert state.die == 4
    journal = play(state, "start", rolls=[6])
    assert shown(state) == f"start=RRBBB 4=R {OPENING}"
    assert journal == [events.Moved(0, 0, 4), events.Rolled(1, 6)]
    assert state.die == 6


@clause(5, "move one of your own pieces, or one guardian, towards the goal by exactly as many tiles as the die shows")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_by_exactly_the_die(die: int) -> None:
    state = position("start=RRBBB 5=Rg 20=g", die)
    piece, guardian = state.copy(), state
    play(piece, "5")
    play(guardian, "g5")
    assert shown(piece) == f"start=RRBBB 5=g {5 + die}=R 20=g"
    assert shown(guardian) == f"start=RRBBB 5=R {5 + die}=g 20=g"


@clause(5, "That is the whole turn")
def test_one_move_is_a_turn() -> None:
    state = position("start=RRBB 5=RBg", die=2)
    for turn, text in enumerate(["5", "g5", "start"], start=1):
        play(state, text)
        assert state.turns == state.ply == turn
        assert state.to_move == turn % 2


@clause(5, "It makes no difference which of two pieces of yours, or of two guardians, you move off the same tile")
def test_one_action_for_each_tile_to_move_from() -> None:
    assert options(position("start=BB 7=RRBgg 12=Rg")) == ["7", "12", "g7", "g12"]
    assert options(position("start=RRR 4=B")) == ["start"]


@clause(6, "only while it shares a score tile with at least one piece, be it yours or anyone else's")
def test_guardians_need_company() -> None:
    state = position("start=RR 3=R 9=g 10=Bg 11=g 20=Y 25=YGg", seats=4)
    assert options(state) == ["start", "3", "g10", "g25"]


@clause(6, "only while it shares a score tile with at least one piece")
def test_company_comes_and_goes() -> None:
    state = position("start=RRBB 8=R 10=g 30=B", die=2)
    play(state, "8", rolls=[1])
    assert options(state) == ["start", "30", "g10"], "the piece has come to the guardian"
    play(state, "g10", rolls=[1])
    assert options(state) == ["start", "10"], "the guardian has left"
    play(state, "10", rolls=[1])
    assert options(state) == ["start", "30", "g11"], "the piece has followed"
    play(state, "start", rolls=[1])
    play(state, "11", rolls=[1])
    assert options(state) == ["start", "1", "30"], "the piece has left"


@clause(6, "only while it shares a score tile with at least one piece")
def test_a_guardian_may_come_to_a_piece_and_be_moved_on() -> None:
    state = position("start=R 12=Bg 15=R", die=3)
    play(state, "g12", rolls=[2])
    assert options(state) == ["12", "g15"]


@clause(6, "shares a score tile")
def test_the_goal_is_no_score_tile() -> None:
    state = position("32=RRBg")
    assert state.guardians_on[33] == 7
    assert state.pieces_on[33] == 3
    assert options(state) == ["32", "g32"]
    play(state, "g32")
    assert options(state) == ["32"]


@clause(7, "a move may pass pieces and guardians, and any number of them may stand on one tile")
def test_nobody_is_in_the_way() -> None:
    state = position("1=R 2=B 3=Bg 4=RRggg 5=B", die=3)
    play(state, "1")
    assert shown(state) == "2=B 3=Bg 4=RRRggg 5=B"


@clause(8, "the path closes over the gap")
def test_gaps_are_no_steps() -> None:
    state = position("start=RRBBB 5=Rg", die=3, taken={"B": [6, 8, 9]})
    piece, guardian = state.copy(), state
    play(piece, "5")
    play(guardian, "g5")
    assert shown(piece) == "start=RRBBB 5=g 11=R"
    assert shown(guardian) == "start=RRBBB 5=R 11=g"


@clause(8, "The gap does not count as a step")
def test_a_tile_taken_this_turn_is_a_gap_in_the_next() -> None:
    state = position("start=RRBBB 2=R", die=1)
    play(state, "2", rolls=[3])
    play(state, "start")
    assert shown(state) == "start=RRBB 3=R 4=B"


@clause(9, "with steps to spare, these expire")
@pytest.mark.parametrize("die", [2, 3, 6])
def test_steps_beyond_the_goal_expire(die: int) -> None:
    state = position("start=RRBBB 31=R", die)
    journal = play(state, "31")
    assert shown(state) == "start=RRBBB"
    assert state.pieces_on[33] == 1
    assert events.CameHome(0, 1) in journal


@clause(9, "with steps to spare, these expire")
def test_gaps_bring_the_goal_nearer() -> None:
    state = position("start=RRBBB 20=R", die=2, taken={"B": list(range(22, 33))})
    play(state, "20")
    assert shown(state) == "start=RRBBB"


@clause(9, "A piece on the goal is home, and out of play")
def test_a_piece_that_is_home_cannot_move() -> None:
    assert options(position("start=R 12=B")) == ["start"]


@clause(10, "A guardian that moves past the last score tile also goes to the goal, and is out of play")
def test_a_guardian_goes_to_the_goal() -> None:
    state = position("start=RRRBB 31=Bg", die=5)
    journal = play(state, "g31")
    assert shown(state) == "start=RRRBB 31=B"
    assert events.GuardianLeft() in journal
    assert options(state) == ["start", "31"]


@clause(11, "a piece that is not home can move with any roll")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("tile", ["start", "17", "32"])
def test_a_seat_in_play_always_has_a_move(tile: str, die: int) -> None:
    """Even where every other tile is gone."""
    gone = [other for other in range(1, 33) if str(other) != tile]
    state = position(f"{tile}=RB", die, taken={"B": gone})
    assert options(state) == [tile]
    play(state, tile)
    assert shown(state) == f"{tile}=B"


@clause(11, "You may not pass")
def test_every_action_is_a_move() -> None:
    state = position("start=B 12=RBg", die=2)
    for action in GAME.legal_actions(state):
        after = state.copy()
        GAME.play(after, action, Script([1]))
        assert shown(after) != shown(state)


@clause(12, "When one of your pieces leaves a score tile, and neither a piece nor a guardian remains on it")
@pytest.mark.parametrize(
    ("on_tile", "takes"), [("R", True), ("RR", False), ("RB", False), ("Rg", False), ("RRgg", False)]
)
def test_taking(on_tile: str, takes: bool) -> None:
    state = position(f"start=B 5={on_tile} 6=g", die=1)
    journal = play(state, "5")
    assert taken(state, "R") == ([5] if takes else [])
    assert (events.Took(0, 5) in journal) == takes


@clause(12, "neither a piece nor a guardian remains on it")
def test_whoever_leaves_last_takes() -> None:
    state = position("start=R 5=RBg", die=1)
    play(state, "5", "5")
    assert taken(state, "R") == taken(state, "B") == [], "the guardian holds the tile"
    state = position("start=R 5=RBg", die=1)
    play(state, "g5", "5", "5")
    assert taken(state, "R") == [5], "the guardian and Blue left before"


@clause(12, "You take it at once, before the next turn")
def test_taken_at_once() -> None:
    journal = play(position("start=B 5=R", die=1), "5", rolls=[2])
    assert journal == [events.Moved(0, 5, 6), events.Took(0, 5), events.Rolled(1, 2)]


@clause(13, "The start and the goal are never taken")
def test_the_start_is_never_taken() -> None:
    state = position("start=R 5=B", die=3)
    play(state, "start", "5")
    assert taken(state, "R") == []
    assert state.path & 1
    assert state.taken_by[0] == 0


@clause(13, "The start and the goal are never taken")
def test_the_goal_is_never_taken() -> None:
    state = position("32=R 31=B")
    play(state, "32", "31")
    assert state.over, "Blue's step led past tile 32, which Red has taken, to the goal"
    assert state.path >> 33 & 1
    assert state.taken_by[33] == 0


@clause(13, "Moving a guardian never takes a tile, for the piece beside it stays")
@pytest.mark.parametrize("on_tile", ["Rg", "Bg", "RBggg"])
def test_a_guardian_takes_nothing(on_tile: str) -> None:
    state = position(f"start=RB 5={on_tile}", die=1)
    play(state, "g5")
    assert taken(state, "R") == taken(state, "B") == []


@clause(14, "Once all three of your pieces are home, your turns are skipped")
def test_seats_that_are_home_are_skipped() -> None:
    state = position("30=R 5=BB 32=G 8=Y", die=3, to_move="G", seats=4)
    journal = play(state, "32")
    assert events.Finished(2) in journal
    seats = []
    for text in ("8", "30", "5"):
        seats.append(state.to_move)
        play(state, text, rolls=[6])
    assert seats == [3, 0, 1]
    assert state.to_move == 3, "not Green, who is home"


@clause(14, "you move no guardians either")
def test_the_last_seat_plays_alone() -> None:
    state = position("5=BBBg 32=R", die=1)
    play(state, "32", "g5", "5")
    assert state.to_move == 1
    assert state.turns == 3


@clause(15, "The match ends when every piece is home")
def test_the_end() -> None:
    state = position("31=R 32=B", die=6)
    play(state, "31")
    assert not state.over
    journal = play(state, "32", rolls=[])
    assert state.over
    assert GAME.legal_actions(state) == []
    assert events.Finished(1) not in journal, "there is nothing left to be skipped in"


@clause(15, "Tiles still on the path count for nobody")
def test_tiles_on_the_path_count_for_nobody() -> None:
    state = position("16=R 32=B", die=1, to_move="B", taken={"R": list(range(18, 32))})
    play(state, "32", "16", "17", rolls=[1, 6])
    assert state.over
    assert taken(state, "R") == list(range(16, 32))
    assert GAME.scores(state)[1] == -10, "+8 and the lucky tiles are still on the path"


def hand(*tiles: int) -> State:
    return position("start=R 1=B", taken={"R": list(tiles)})


@clause(16, "Your score is the sum of the tiles in front of you")
def test_the_sum() -> None:
    assert GAME.scores(hand(2, 5, 15, 17)) == [-2 - 5 + 8 + 6, 0]


@clause(16, "each lucky tile you hold turns your most negative tile that is still negative into a positive one")
@pytest.mark.parametrize(
    ("tiles", "score"),
    [
        ((9, 1, 8), 8 - 1),
        ((9, 10, 1, 8), 8 + 1),
        ((9, 8, 30), 8 - 8),
        ((9, 10, 32, 31, 5), 10 + 9 - 5),
        ((9, 10, 11, 12, 13, 14, 1, 2, 3, 4, 5, 6, 7), 7 + 6 + 5 + 4 + 3 + 2 - 1),
        ((11, 15, 22, 23), 8 + 1 + 1),
    ],
)
def test_lucky_tiles(tiles: tuple[int, ...], score: int) -> None:
    assert GAME.scores(hand(*tiles)) == [score, 0]


@clause(16, "−10 becomes +10")
def test_turning_is_told_at_the_end() -> None:
    state = position("32=R", taken={"R": [9, 3], "B": [20]})
    journal = play(state, "32", rolls=[])
    assert journal[-4:] == [events.Turned(0, -10), events.Scored(0, 7), events.Scored(1, 3), events.Won(0)]


@clause(16, "each lucky tile you hold")
@pytest.mark.parametrize("tile", [9, 10, 11, 12, 13, 14])
def test_each_of_the_six_is_lucky_once_taken(tile: int) -> None:
    state = position(f"start=B {tile}=R", die=6, taken={"R": [32]})
    play(state, str(tile))
    assert GAME.scores(state)[0] == 10


@clause(16, "that is still negative")
def test_a_later_and_worse_tile_is_turned_instead() -> None:
    state = position("5=R 1=B", die=1, taken={"R": [9, 3]})
    assert GAME.scores(state)[0] == 3
    play(state, "5")
    assert GAME.scores(state)[0] == 5 - 3


@clause(17, "A lucky tile itself counts nothing")
def test_lucky_tiles_count_nothing() -> None:
    assert GAME.scores(hand(9, 10, 11)) == [0, 0]


@clause(17, "the superfluous ones are ignored")
def test_superfluous_lucky_tiles() -> None:
    assert GAME.scores(hand(9, 10, 11, 12, 3, 15)) == [3 + 8, 0]


@clause(18, "The highest score wins")
def test_the_highest_score_wins() -> None:
    state = position("32=R", taken={"R": [15], "B": [16], "G": [31], "Y": [17]}, seats=4)
    journal = play(state, "32", rolls=[])
    assert GAME.scores(state) == [8 - 10, 7, -9, 6]
    assert GAME.winners(state) == [1]
    assert journal[-1] == events.Won(1)


@clause(18, "All who tie for it share the win")
def test_ties_share_the_win() -> None:
    state = position("32=R", taken={"R": [9], "B": [15, 21], "G": [1]}, seats=3)
    journal = play(state, "32", rolls=[])
    assert GAME.scores(state) == [10, 10, -1]
    assert GAME.winners(state) == [0, 1]
    assert journal[-2:] == [events.SharedWin(0), events.SharedWin(1)]


@clause(18, "The highest score wins")
def test_all_may_be_below_zero() -> None:
    state = position("32=R", taken={"B": [31]})
    play(state, "32", rolls=[])
    assert GAME.winners(state) == [1]
