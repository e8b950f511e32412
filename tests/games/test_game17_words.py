"""What people read of game17: the board in a terminal, and the story."""

from __future__ import annotations

from typing import Any

import pytest

from game17_positions import EAST, coins, play, position
from parlour.engine import Chance, Match, State
from parlour.games.game17 import GAME, events
from parlour.games.game17.notation import NOTATION
from parlour.games.game17.rules import END
from parlour.games.game17.seats import owner_marks, seat_mark
from parlour.games.game17.terminal.looks import owner_style


def shown(state: State, *, ascii: bool = True) -> list[str]:
    return [line.rstrip() for line in GAME.looks.board(state, ascii=ascii).plain.splitlines()]


def test_the_board_of_the_seat_to_move() -> None:
    state = position("A4 B3 a0\nA12 A0 a5\nB0 b1 b120")
    play(state, "A0s1 A0e2 A1n7")
    assert shown(state) == [
        "Round 1 of 50 |  A  Red to move",
        "     A    B    C",
        " 0 [A 4* B 3  b .  0",
        " 1 [A12^[A .] b 5  1",
        " 2  B .  a 1  a120 2",
        "     A    B    C",
        "Orders: A0 v1 >2 (1 left) | A1 ^7 (5 left)",
        "             squares pieces turn                 squares pieces turn",
        "> A  Red           3     16    1      b  Zombie 1      2      5    3",
        "  a  Zombie 2      2    121    4      B  Blue          2      3    2",
    ]


def test_arrows_in_unicode() -> None:
    state = position("A4 B3\nA0 B0")
    assert "Orders: none yet" in shown(state, ascii=False)
    play(state, "A0w2")
    assert " 0 [A 4← B 3  0" in shown(state, ascii=False)
    assert "Orders: A0 ←2 (2 left)" in shown(state, ascii=False)


def test_the_end() -> None:
    state = position("A4 B3\nA0 B0", rounds=1)
    play(state, "end end")
    assert shown(state)[0] == "Round 1 of 1 | over: Red and Blue have the most: 2 squares each"
    assert not any("Orders" in line or "[" in line for line in shown(state))


def test_zombies_alone() -> None:
    state = GAME.blank(0)
    GAME.open(state, Chance.at(3, 0))
    assert shown(state)[0] == "Round 1 of 50 | the zombies are alone: go lets them play the round"
    assert shown(state)[-1] == " and 196 zombies more: 196 squares, 784 pieces"


def test_marks() -> None:
    assert [seat_mark(seat) for seat in (0, 25, 26, 51, 52, 575)] == ["A", "Z", "AA", "AZ", "BA", "VD"]
    assert len({seat_mark(seat) for seat in range(576)}) == 576
    state = position("A4 b3 a0\nA0 c0 a5\na0 b1 d1")
    assert owner_marks(state) == {0: "A", 1: "B", 2: "a", 3: "b"}, "zombies by size, from two squares up"


def test_every_owner_has_a_colour_and_the_seat_to_move_stands_out() -> None:
    state = position("A4 B3\na0 b1")
    styles = [owner_style(state, owner) for owner in range(4)]
    assert len({style.bgcolor for style in styles}) == 4
    assert [bool(style.bold) for style in styles] == [True, False, False, False]


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("edge", range(2, 25))
@pytest.mark.parametrize("crowd", ["none", "few", "all"])
def test_the_board_fits_80_columns(edge: int, crowd: str, ascii: bool) -> None:
    seats = {"none": 0, "few": min(26, edge**2), "all": edge**2}[crowd]
    state = GAME.blank(seats, edge=edge)
    GAME.open(state, Chance.at(edge, 0))
    state.pieces[: edge**2] = [4 * (square + 1) for square in range(edge**2)]
    lines = shown(state, ascii=ascii)
    assert max(map(len, lines)) <= 80
    rows = [line for line in lines if line.split()[:1] == [str(edge - 1)]]
    assert rows[0].endswith(f" {edge - 1}"), "row numbers on both sides"


def test_a_number_without_room_is_told_below() -> None:
    state = GAME.blank(2, edge=24)
    GAME.open(state, Chance.at(1, 0))
    assert not any("++" in line for line in shown(state))
    state.pieces[0], state.pieces[575] = 100, 2304
    lines = shown(state)
    assert lines[2].split()[1].endswith("++")
    assert "++ is A0 100, X23 2304" in lines


def test_many_orders_are_cut_short() -> None:
    state = GAME.blank(1, edge=24)
    state.pieces[:576] = [4] * 576
    state.squares_of[0], state.pieces_of[0], state.seats_left = 576, 2304, 1
    for square in range(576):
        state.ordered[square * 4], state.leaving[square] = 1, 1
    orders = [line for line in shown(state) if line.startswith(("Orders", "..."))]
    assert orders[-1] == "... 576 squares with orders, 576 pieces in all"


def test_many_seats_are_summed_up() -> None:
    state = GAME.blank(196)
    GAME.open(state, Chance.at(1, 0))
    lines = shown(state)
    assert lines[-1] == " and 184 seats more: 184 squares, 736 pieces"
    assert sum(line.startswith(">") for line in lines) == 1, "the seat to move is among those listed"


def test_a_clash_in_words() -> None:
    def told(*fields: Any) -> str:
        return events.Clashed(*fields).tell(["Ada", "Bob"].__getitem__)

    assert told(0, 1, 2, 3, 4, 3, 1) == "Ada takes D2 from Bob, 4 against 3"
    assert told(0, 1, 2, 3, 2, 3, 0) == "Bob holds D2 against Ada, 3 against 2, and takes them all"
    assert told(0, 1, 2, 3, 3, 3, 1) == "Ada meets Bob on D2, 3 against 3: the coin gives all to Ada"
    assert told(0, 1, 2, 3, 3, 3, 0) == "Ada meets Bob on D2, 3 against 3: the coin gives all to Bob"
    assert told(0, events.ZOMBIE, 0, 0, 2, 1, 1) == "Ada takes A0 from a zombie, 2 against 1"


def test_what_zombies_do_to_a_seat_is_summed_up() -> None:
    state = position("a3 A2 A0\nb1 A2 A0\nc1 A0 A9", seats=1)
    journal = play(state, "end", [*coins(EAST, EAST, EAST), *coins(EAST), *coins(EAST)])
    story = [event.tell(lambda seat: "Ada") for event in journal]
    assert story == [
        "Ada ends the turn: nothing is on the move",
        "3 zombies on the move: 2 squares taken, 0 coin tosses",
        "Ada loses B0, B2 with 2 pieces to zombies, holds B1 and gains 1 piece",
        "round 2 of 50 begins",
    ]


def test_the_story_of_an_opening() -> None:
    match = Match(GAME, 1, seed=5)
    where = match.state.turn_order.index(0) + 1
    assert match.story[0] == "four pieces on each of the 196 squares: 1 player and 195 zombies share them"
    assert match.story[1].startswith("Red begins on ")
    assert match.story[1].endswith(f", and is number {where} in the order of turns")
    assert match.story[2] == "round 1 of 50 begins"
    assert match.story[3].startswith(f"{match.state.turns} zombies on the move: ")
    assert 0 < match.state.turns < where, "some were out before their first turn"


@pytest.mark.parametrize(
    ("drawing", "prompt", "usual"),
    [
        ("A4 B3\na5 b5", "pick a square of yours, then where to", None),
        ("A4 B4\na5 b5", "nobody beside you is weaker: wait, or toss a coin", None),
        ("A4 B5\na5 b5", "nobody beside you is weaker: better wait", END),
        ("A4 B9\na9 A0", "nobody beside you is weaker: gather, or wait", None),
    ],
)
def test_the_game_says_where_it_is_better_to_wait(drawing: str, prompt: str, usual: int | None) -> None:
    assert NOTATION.prompt(position(drawing)) == prompt
    assert NOTATION.usual(position(drawing)) == usual


def test_to_end_the_turn_is_usual_only_after_an_order() -> None:
    state = position("A4 B3 a0\nA12 A0 a5\nB0 b1 b120")
    assert NOTATION.usual(state) is None
    play(state, "A0s1")
    assert NOTATION.usual(state) == END
