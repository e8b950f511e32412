"""The Game of the Goose on the screen."""

from __future__ import annotations

import re

import pytest

from parlour.engine import Match, State
from parlour.engine.check import play_random
from parlour.games.goose import GAME
from parlour.games.goose.state.spaces import GOOSE
from parlour.games.goose.terminal import SPACES

OPENING = """\
 START  R B
╷   ▾   ╶───────────────────────────────────────────────────────────────╮
│1      ┊2      ┊3      ┊4      ┊5      ┊6      ┊7      ┊8      ┊9      │
│       ┊       ┊       ┊       ┊goose  ┊Bridge ┊       ┊       ┊goose  │
├───────────────────────────────────────────────────────────────╮╌╌╌╌╌╌╌│
│28     ┊29     ┊30     ┊31     ┊32     ┊33     ┊34     ┊35     │10     │
│       ┊       ┊       ┊Well   ┊goose  ┊       ┊       ┊       │       │
│╌╌╌╌╌╌╌╭───────────────────────────────────────────────╮╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│
│27     │48     ┊49     ┊50     ┊51     ┊52     ┊53     │36     │11     │
│goose  │       ┊       ┊goose  ┊       ┊Prison ┊       │goose  │       │
│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌╭───────────────────────────────╮╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│
│26     │47     │60     ┊61     ┊62     ┊63     │54     │37     │12     │
│       │       │       ┊       ┊       ┊END    │goose  │       │       │
│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌╶───────────────────────╯╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│
│25     │46     │59     ┊58     ┊57     ┊56     ┊55     │38     │13     │
│       │       │goose  ┊Death  ┊       ┊       ┊       │       │       │
│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌╰───────────────────────────────────────╯╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│
│24     │45     ┊44     ┊43     ┊42     ┊41     ┊40     ┊39     │14     │
│       │goose  ┊       ┊       ┊Maze   ┊goose  ┊       ┊       │goose  │
│╌╌╌╌╌╌╌╰───────────────────────────────────────────────────────╯╌╌╌╌╌╌╌│
│23     ┊22     ┊21     ┊20     ┊19     ┊18     ┊17     ┊16     ┊15     │
│goose  ┊       ┊       ┊       ┊Hotel  ┊goose  ┊       ┊       ┊       │
╰───────────────────────────────────────────────────────────────────────╯
"""


def position(*spaces: int, to_move: int = 0, **options: int) -> State:
    state = GAME.blank(len(spaces), **options)
    state.position[: len(spaces)] = spaces
    state.to_move = to_move
    return state


def plain(state: State, *, ascii: bool = False) -> str:
    return str(GAME.looks.board(state, ascii=ascii).plain)


def cells(board: str) -> dict[int, tuple[str, str]]:
    """What stands on each space, and what it shows, read off the board from its walls."""
    lines = board.splitlines()[3:25]
    found = {}
    for upper, lower in zip(lines[1::3], lines[2::3], strict=True):
        for one, other in zip(re.split("[│┊|:]", upper)[1:-1], re.split("[│┊|:]", lower)[1:-1], strict=True):
            number, _, standing = one.strip().partition(" ")
            found[int(number)] = (standing.strip(), other.strip())
    return found


def test_the_spiral() -> None:
    assert "\n".join(plain(position(0, 0)).splitlines()[2:25]) == OPENING.rstrip("\n")


def test_the_spiral_goes_inwards_step_by_step() -> None:
    """Each space lies beside the one before it, and the rounds come ever nearer to the middle."""
    where = {space: cell for cell, space in SPACES.items()}
    assert sorted(where) == list(range(1, 64))
    for space in range(2, 64):
        (row, column), (before_row, before_column) = where[space], where[space - 1]
        assert abs(row - before_row) + abs(column - before_column) == 1
    depth = [min(row, 6 - row, column, 8 - column) for row, column in (where[space] for space in range(1, 64))]
    assert depth == sorted(depth)


@pytest.mark.parametrize("ascii", [False, True])
def test_every_space_is_drawn_with_what_it_shows(ascii: bool) -> None:
    drawn = cells(plain(position(0, 0, drink=1), ascii=ascii))
    assert sorted(drawn) == list(range(1, 64))
    hazards = {6: "Bridge", 19: "Hotel", 31: "Well", 42: "Maze", 52: "Prison", 58: "Death", 61: "Drink", 63: "END"}
    for space, (_, shows) in drawn.items():
        assert shows == hazards.get(space, "goose" if GOOSE[space] else "")


def test_the_drink_is_drawn_where_it_is_played() -> None:
    assert cells(plain(position(0, 0)))[61] == ("", "")
    assert "Drink" not in plain(position(0, 0))


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_every_piece_stands_on_its_space(seed: int, ascii: bool) -> None:
    match = Match(GAME, 4, seed)
    for _ in range(12):
        board = plain(match.state, ascii=ascii)
        drawn = cells(board)
        for seat, letter in enumerate("RBGY"):
            on = [space for space, (standing, _) in drawn.items() if letter in standing]
            space = match.state.position[seat]
            assert on == ([space] if space else [])
            assert (letter in board.splitlines()[2].removeprefix(" START")) == (space == 0)
        play_random(match, 3)


def test_pieces_share_the_start_the_well_and_the_prison() -> None:
    assert " START  R B G Y" in plain(position(0, 0, 0, 0))
    assert cells(plain(position(31, 31, 31, 31)))[31] == ("RBGY", "Well")
    assert cells(plain(position(52, 1, 52, 0)))[52] == ("RG", "Prison")


def test_a_line_for_each_seat() -> None:
    state = position(0, 19, 31, 52, to_move=0)
    state.resting[1] = 1
    state.trapped_since[2:4] = [3, 5]
    assert [line.rstrip() for line in plain(state).splitlines()[25:29]] == [
        "▶  R  Red     on the start",
        "   B  Blue    on 19, misses a turn at the Hotel",
        "   G  Green   on 31, waits in the Well",
        "   Y  Yellow  on 52, waits in the Prison",
    ]


def test_a_freed_piece_waits_no_more() -> None:
    assert "on 31 " in plain(position(31, 1))
    assert "waits" not in plain(position(31, 1))


def test_the_stakes() -> None:
    state = position(4, 7, 8, stakes=1)
    state.balance[:3] = [-3, 0, 12]
    state.pool = 9
    board = plain(state)
    assert "for a pool of 9" in board
    assert re.findall("balance (.*)", board) == ["−3", "0", "+12"]
    assert "balance" not in plain(position(4, 7))


def test_the_maze_leads_where_the_option_says() -> None:
    assert "Maze: to 39" in plain(position(0, 0))
    assert "Maze: to 30" in plain(position(0, 0, maze=30))


def test_whose_turn_it_is_and_who_has_won() -> None:
    state = position(5, 62, to_move=1)
    assert plain(state).startswith(" Blue  is up")
    state.position[1], state.over = 63, 1
    assert plain(state).startswith(" Blue  has reached 63 and wins")
    assert "▶" not in plain(state)


def test_ascii_is_ascii_and_takes_the_same_room() -> None:
    state = position(0, 31, 52, 60, stakes=1, drink=1)
    board, fancy = plain(state, ascii=True), plain(state)
    assert board.isascii()
    assert [len(line) for line in board.splitlines()] == [len(line) for line in fancy.splitlines()]
    assert max(map(len, fancy.splitlines())) <= 80
