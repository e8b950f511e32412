"""The rules of Choccer, clause by clause."""

from __future__ import annotations

import pytest

from choccer_positions import check_moves, options, play, position, put, shown
from clauses import clauses_of
from parlour.engine import Script, State
from parlour.games.choccer import GAME, events
from parlour.games.choccer.state import (
    BLACK,
    BLUE,
    CIRCLE,
    CLOVER,
    OPENING,
    RED,
    STAR,
    TRIANGLE,
    WHITE,
    ZONE_OF,
    draw_picture,
    square_name,
    square_of,
)

clause = clauses_of("choccer")


def opening() -> State:
    state = GAME.blank()
    GAME.open(state, Script())
    return state


def standing(state: State, piece: int) -> set[str]:
    return {square_name(square) for square, there in enumerate(state.board) if there == piece}


@clause(1, "columns A to K and rows 0 to 6, row 0 on top")
def test_names_of_squares() -> None:
    assert [square_name(square) for square in (0, 10, 11, 66, 76)] == ["A0", "K0", "A1", "A6", "K6"]
    assert [square_of(square_name(square)) for square in range(77)] == list(range(77))


@clause(1, "the six squares of columns A and B in rows 2, 3 and 4")
@clause(1, "Black's zone is those of columns J and K")
def test_zones() -> None:
    zone = {square_name(square): owner for square, owner in enumerate(ZONE_OF) if owner >= 0}
    assert zone == {f"{letter}{row}": WHITE if letter in "AB" else BLACK for row in (2, 3, 4) for letter in "ABJK"}


@clause(2, "White's triangles stand on D0, D1, D5 and D6, its circles on D2, D3 and D4")
@clause(2, "its stars on C1 and C5, its clovers on C2 and C4")
def test_white_at_the_opening() -> None:
    state = opening()
    assert standing(state, -TRIANGLE) == {"D0", "D1", "D5", "D6"}
    assert standing(state, -CIRCLE) == {"D2", "D3", "D4"}
    assert standing(state, -STAR) == {"C1", "C5"}
    assert standing(state, -CLOVER) == {"C2", "C4"}


@clause(2, "triangles on H0, H1, H5 and H6, circles on H2, H3 and H4, stars on I1 and I5, clovers on I2 and I4")
def test_black_at_the_opening() -> None:
    state = opening()
    assert standing(state, TRIANGLE) == {"H0", "H1", "H5", "H6"}
    assert standing(state, CIRCLE) == {"H2", "H3", "H4"}
    assert standing(state, STAR) == {"I1", "I5"}
    assert standing(state, CLOVER) == {"I2", "I4"}


@clause(2, "Black's mirror them")
def test_the_opening_is_a_mirror_image() -> None:
    board = opening().board
    assert all(board[row * 11 + column] == -board[row * 11 + 10 - column] for row in range(7) for column in range(11))


@clause(3, "The blue gems lie on F0 and F6, the red gem lies on F3")
def test_gems_at_the_opening() -> None:
    gems = {square_name(square): gem for square, gem in enumerate(opening().gem) if gem}
    assert gems == {"F0": BLUE, "F6": BLUE, "F3": RED}


def test_the_drawing_of_the_opening_is_the_opening() -> None:
    state = opening()
    assert draw_picture(state.board, state.gem) == OPENING.strip("\n")
    state.first = state.to_move
    assert position(OPENING) == state, "the lists of squares included"


@clause(4, "Black begins. Then both take turns")
def test_black_begins() -> None:
    state = opening()
    assert GAME.seat_name(state.to_move) == "Black"
    play(state, "H3-G3")
    assert GAME.seat_name(state.to_move) == "White"
    play(state, "D3-E3")
    assert GAME.seat_name(state.to_move) == "Black"


@clause(5, "do one thing with one of your pieces: move it, or let it pass the gem that it holds")
def test_one_thing_a_turn() -> None:
    state = put("E3=Or F3=T A0=t")
    assert options(state) == ["E3-E2", "E3-D3", "E3-E4", "E3>F3", "F3-E2", "F3-G2", "F3-E4", "F3-G4"]
    play(state, "E3-D3")
    assert (state.to_move, state.turns) == (WHITE, 1)


@clause(6, "A circle moves one square up, down, left or right")
def test_circle() -> None:
    check_moves("""
           A  B  C  D  E  F  G  H  I  J  K
        0  .  .  .  .  .  .  .  .  .  .  .
        1  .  .  .  .  .  .  .  .  .  .  .
        2  .  .  .  .  .  x  .  .  .  .  .
        3  .  .  .  .  x  O! x  .  .  .  .
        4  .  .  .  .  .  x  .  .  .  .  .
        5  .  .  .  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .  .  .  .
    """)


@clause(6, "A triangle moves one square diagonally")
def test_triangle() -> None:
    check_moves("""
           A  B  C  D  E  F  G  H  I  J  K
        0  .  .  .  .  .  .  .  .  .  x  .
        1  .  .  .  .  .  .  .  .  .  .  T!
        2  .  .  .  .  .  .  .  .  .  x  .
        3  .  .  .  .  .  .  .  .  .  .  .
        4  .  .  .  .  .  .  .  .  .  .  .
        5  .  .  .  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .  .  .  .
    """)


@clause(7, "A clover moves one, two or three squares up, down, left or right")
@clause(7, "All of a move is in one direction")
def test_clover() -> None:
    check_moves("""
           A  B  C  D  E  F  G  H  I  J  K
        0  .  .  .  .  x  .  .  .  .  .  .
        1  .  .  .  .  x  .  .  .  .  .  .
        2  .  .  .  .  x  .  .  .  .  .  .
        3  .  x  x  x  C! x  x  x  .  .  .
        4  .  .  .  .  x  .  .  .  .  .  .
        5  .  .  .  .  x  .  .  .  .  .  .
        6  .  .  .  .  x  .  .  .  .  .  .
    """)


@clause(7, "A star moves one, two or three squares diagonally")
def test_star() -> None:
    check_moves("""
           A  B  C  D  E  F  G  H  I  J  K
        0  .  .  .  .  .  x  .  x  .  .  .
        1  .  .  .  .  .  .  s! .  .  .  .
        2  .  .  .  .  .  x  .  x  .  .  .
        3  .  .  .  .  x  .  .  .  x  .  .
        4  .  .  .  x  .  .  .  .  .  x  .
        5  .  .  .  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .  .  .  .
    """)


@clause(8, "No piece moves past another piece or onto a square with a piece of its own side")
def test_pieces_are_in_the_way() -> None:
    check_moves("""
           A  B  C  D  E  F  G  H  I  J  K
        0  .  .  .  .  .  .  .  .  .  .  .
        1  .  .  .  .  .  tx .  .  .  .  .
        2  .  .  .  .  .  x  .  .  .  .  .
        3  .  .  .  O  x  C! x  x  ox .  .
        4  .  .  .  .  .  T  .  .  .  .  .
        5  .  .  .  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .  .  .  .
    """)


@clause(8, "Clovers and stars may move past gems without picking them up")
def test_past_gems() -> None:
    check_moves("""
           A  B  C  D  E  F  G  H  I  J  K
        0  .  x  .  .  .  .  .  x  .  .  .
        1  .  .  x  .  .  .  x  .  .  .  .
        2  .  .  .  bx .  rx .  .  .  .  .
        3  .  .  .  .  S! .  .  .  .  .  .
        4  .  .  .  x  .  x  .  .  .  .  .
        5  .  .  x  .  .  .  bx .  .  .  .
        6  .  x  .  .  .  .  .  x  .  .  .
    """)
    state = put("E3=S F2=r")
    journal = play(state, "E3-G1")
    assert shown(state) == "G1=S F2=r"
    assert journal == [events.Moved(BLACK, STAR, square_of("E3"), square_of("G1"))]


@clause(9, "You capture a piece of your opponent by moving onto its square. It leaves the board for good")
def test_capture() -> None:
    state = put("E3=T F4=c A0=o")
    journal = play(state, "E3-F4")
    assert shown(state) == "A0=o F4=T"
    assert list(state.count) == [1, 1]
    assert journal[1] == events.Captured(BLACK, CLOVER, square_of("F4"), 2)


@clause(10, "the piece that captured it holds the gem now")
def test_the_captor_wins_the_gem() -> None:
    state = put("E3=C H3=sr C0=t")
    journal = play(state, "E3-H3")
    assert shown(state) == "C0=t H3=Cr"
    assert events.WonGem(BLACK, RED, square_of("H3")) in journal
    play(state, "C0-D1", "H3-G3")
    assert shown(state) == "D1=t G3=Cr"


@clause(11, "A piece that moves onto the square of a gem picks it up, and carries it along with every further move")
def test_pick_up_and_carry() -> None:
    state = put("G3=O F3=r A0=o")
    assert events.PickedUp(BLACK, RED, square_of("F3")) in play(state, "G3-F3")
    assert shown(state) == "A0=o F3=Or"
    journal = play(state, "A0-B0", "F3-F2")
    assert shown(state) == "B0=o F2=Or"
    assert journal == [events.Carried(BLACK, CIRCLE, RED, square_of("F3"), square_of("F2"))]


@clause(11, "Gems do not move on their own")
@clause(11, "It cannot put it down")
def test_there_is_no_putting_down() -> None:
    assert options(put("F3=Or A0=b")) == ["F3-F2", "F3-E3", "F3-G3", "F3-F4"]


@clause(12, "While it holds one, it cannot capture, and it cannot move onto the square of another gem")
@clause(12, "though a clover or a star may move past one")
def test_holding_a_gem() -> None:
    check_moves("""
           A  B  C  D  E  F   G  H  I  J  K
        0  .  .  .  .  .  .   .  .  .  .  .
        1  .  .  .  .  .  t   .  .  .  .  .
        2  .  .  .  .  .  x   .  .  .  .  .
        3  .  .  .  .  o  Cb! x  r  x  .  .
        4  .  .  .  .  .  b   .  .  .  .  .
        5  .  .  .  .  .  x   .  .  .  .  .
        6  .  .  .  .  .  tb  .  .  .  .  .
    """)


@clause(12, "A piece holds one gem at most")
def test_a_holder_does_not_capture_a_holder() -> None:
    assert options(put("A0=Ob A1=or B0=t")) == ["pass"]


@clause(13, "another piece of its side that holds none and is at most two columns and two rows away")
def test_who_can_be_passed_to() -> None:
    state = position("""
           A  B  C  D  E  F  G  H  I  J  K
        0  .  .  .  O  .  .  .  .  .  .  .
        1  .  .  .  T  .  C  .  O  .  .  .
        2  .  .  .  .  t  .  .  .  .  .  .
        3  .  .  S  .  .  Tr .  .  O  .  .
        4  .  .  .  .  .  Ob S  .  .  .  .
        5  .  .  .  .  .  .  .  T  .  .  .
        6  .  .  .  .  .  C  .  .  .  .  .
    """)
    passes = [text for text in options(state) if ">" in text]
    assert passes == ["F3>D1", "F3>F1", "F3>H1", "F3>G4", "F3>H5", "F4>G4", "F4>H5", "F4>F6"]


@clause(13, "Nothing needs to be clear between them")
@clause(13, "That is the whole turn")
def test_a_pass_over_others() -> None:
    state = put("F3=Tr G3=o H3=C A0=t")
    journal = play(state, "F3>H3")
    assert shown(state) == "A0=t F3=T G3=o H3=Cr"
    assert journal == [events.PassedGem(BLACK, RED, square_of("F3"), square_of("H3"))]
    assert state.to_move == WHITE


@clause(13, "a piece that holds a gem may pass it")
def test_a_pass_near_the_edge_stays_on_the_board() -> None:
    assert [text for text in options(put("K0=Ob A1=T A2=T J0=t J1=t", BLACK)) if ">" in text] == []


@clause(14, "a piece of yours holds it in your opponent's zone, whether it was carried there")
@pytest.mark.parametrize(
    ("before", "seat", "action", "after"),
    [
        ("C3=Ob A0=t", BLACK, "C3-B3", "A0=t B3=O"),
        ("G2=cb A0=T", WHITE, "G2-J2", "A0=T J2=c"),
        ("D4=C B4=b A0=t", BLACK, "D4-B4", "A0=t B4=C"),
        ("I1=t J2=b A0=T", WHITE, "I1-J2", "A0=T J2=t"),
        ("C1=T B2=ob A0=t", BLACK, "C1-B2", "A0=t B2=T"),
        ("D4=Tb B4=O A0=t", BLACK, "D4>B4", "A0=t B4=O D4=T"),
    ],
    ids=["carried", "carried by White", "picked up", "picked up by White", "won", "passed"],
)
def test_scoring_a_gem(before: str, seat: int, action: str, after: str) -> None:
    state = put(before, seat)
    journal = play(state, action)
    assert shown(state) == after
    assert state.points[seat] == 4 + ("=ob" in before)
    assert isinstance(journal[-1], events.Scored)
    assert not state.over


@clause(14, "at the end of your turn")
def test_moving_through_the_zone_scores_nothing() -> None:
    state = put("A5=Sb E0=t")
    play(state, "A5-C3")
    assert shown(state) == "E0=t C3=Sb", "past B4, which is in the zone"
    assert state.points == [0, 0]


@clause(14, "In your own zone nothing is scored")
@pytest.mark.parametrize(("before", "seat", "action"), [("I3=Or", BLACK, "I3-J3"), ("C3=or", WHITE, "C3-B3")])
def test_own_zone(before: str, seat: int, action: str) -> None:
    state = put(before, seat)
    play(state, action)
    assert state.points == [0, 0]
    assert not state.over


@clause(15, "If you can neither move nor pass a gem, you pass the turn. It counts as one of your turns")
def test_nothing_to_play() -> None:
    state = put("A0=Tb B1=t", BLACK, turns=10)
    assert options(state) == ["pass"], "a holder cannot capture its way out"
    assert play(state, "pass") == [events.PassedTurn(BLACK)]
    assert (state.turns, state.to_move) == (11, WHITE)


@clause(15, "If you can neither move nor pass a gem, you pass the turn")
def test_a_side_without_pieces_passes_to_the_end() -> None:
    state = put("E3=t F4=T", WHITE, turns=90)
    play(state, "E3-F4", *["pass", "F4-E3", "pass", "E3-F4"] * 2, "pass")
    assert state.over
    assert GAME.winners(state) == [WHITE]


@clause(15, "You may not pass the turn otherwise")
def test_no_passing_of_choice() -> None:
    assert "pass" not in options(opening())


@clause(16, "The match ends at once when the red gem is scored")
def test_the_red_gem_ends_the_match() -> None:
    state = put("C3=Or A0=t")
    journal = play(state, "C3-B3")
    assert state.over
    assert GAME.scores(state) == [10, 0]
    assert GAME.winners(state) == [BLACK]
    assert GAME.legal_actions(state) == []
    assert journal[1:] == [events.Scored(BLACK, RED, square_of("B3"), 10, square_of("C3")), events.Won(BLACK, 10, 0)]


@clause(16, "Otherwise it ends after 100 turns, 50 for each side")
def test_a_hundred_turns() -> None:
    state = opening()
    taken = [0, 0]
    for text in ["H3-G3", "D3-E3", "G3-H3", "E3-D3"] * 25:
        assert not state.over
        taken[state.to_move] += 1
        play(state, text)
    assert state.over
    assert taken == [50, 50]


@clause(17, "A captured circle or triangle is worth 1 point, a captured clover or star 2, whichever piece captured it")
@pytest.mark.parametrize("captor", "OTCS")
@pytest.mark.parametrize(("victim", "points"), [("o", 1), ("t", 1), ("c", 2), ("s", 2)])
def test_points_of_pieces(captor: str, victim: str, points: int) -> None:
    at = "E4" if captor in "OC" else "F4"
    state = put(f"E3={captor} {at}={victim}")
    play(state, f"E3-{at}")
    assert GAME.scores(state) == [points, 0]


@clause(17, "A scored blue gem is worth 4 points, the red gem 10")
def test_points_of_gems() -> None:
    state = put("C2=Ob H2=cb C4=Or A0=o", BLACK)
    play(state, "C2-B2", "H2-J2", "C4-B4")
    assert GAME.scores(state) == [14, 4]


@clause(18, "More points win, whoever scored the red gem")
def test_the_red_gem_may_not_be_enough() -> None:
    state = put("C3=Or A0=t")
    state.points[WHITE] = 11
    play(state, "C3-B3")
    assert GAME.winners(state) == [WHITE]


@clause(18, "With equal points the match is a draw, and nobody wins")
def test_a_draw() -> None:
    state = put("A0=O K6=o", WHITE, turns=99)
    state.points[:] = [3, 3]
    assert play(state, "K6-K5")[-1] == events.Drawn(3)
    assert state.over
    assert GAME.winners(state) == []
