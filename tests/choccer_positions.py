"""Positions of Choccer, in and out as text."""

from __future__ import annotations

from parlour.engine import Event, Script, State
from parlour.games.choccer import GAME
from parlour.games.choccer.rules import PASS_TURN, is_gem_pass, origin, target
from parlour.games.choccer.state import BLACK, PIECES, WHITE, cells, draw_picture, read_picture, square_of


def position(picture: str, to_move: int = BLACK, turns: int = 0) -> State:
    """The position that a picture shows."""
    state = GAME.blank()
    board, gem = read_picture(picture)
    state.board, state.gem = list(board), list(gem)
    for seat, sign in ((BLACK, 1), (WHITE, -1)):
        squares = [square for square, piece in enumerate(board) if piece * sign > 0]
        state.count[seat] = len(squares)
        state.pieces[seat * PIECES : seat * PIECES + len(squares)] = squares
    state.to_move, state.turns = to_move, turns
    return state


def put(pieces: str, to_move: int = BLACK, turns: int = 0) -> State:
    """An otherwise empty board: ``D3=Tb E4=t`` has a black triangle with a blue gem on D3, a white one on E4."""
    squares = ["."] * 77
    for item in pieces.split():
        name, _, cell = item.partition("=")
        squares[square_of(name)] = cell
    rows = [f"{row} " + " ".join(squares[row * 11 : row * 11 + 11]) for row in range(7)]
    return position("\n".join(["A B C D E F G H I J K", *rows]), to_move, turns)


def shown(state: State) -> str:
    """The pieces and gems of a position, as ``put`` takes them."""
    drawn = cells(draw_picture(state.board, state.gem))
    return " ".join(f"{'ABCDEFGHIJK'[at % 11]}{at // 11}={cell}" for at, cell in enumerate(drawn) if cell != ".")


def play(state: State, *texts: str) -> list[Event]:
    """Play these actions, each of which must be legal; what the last one did."""
    journal: list[Event] = []
    for text in texts:
        journal = []
        GAME.play(state, GAME.words.read(state, text), Script(), journal)
    return journal


def options(state: State) -> list[str]:
    """The legal actions, in notation."""
    return [GAME.words.write(state, action) for action in GAME.legal_actions(state)]


def check_moves(picture: str) -> None:
    """The piece marked ``!`` can move to the squares marked ``x`` and to no others."""
    marked = cells(picture)
    mover = next(at for at, cell in enumerate(marked) if cell.endswith("!"))
    expected = [at for at, cell in enumerate(marked) if cell.endswith("x")]
    bare = [cell.rstrip("!x") or "." for cell in marked]
    rows = [f"{row} " + " ".join(bare[row * 11 : row * 11 + 11]) for row in range(7)]
    state = position("\n".join(["A B C D E F G H I J K", *rows]))
    state.to_move = BLACK if state.board[mover] > 0 else WHITE
    moves = [action for action in GAME.legal_actions(state) if action != PASS_TURN and not is_gem_pass(action)]
    assert sorted(target(action) for action in moves if origin(action) == mover) == expected
