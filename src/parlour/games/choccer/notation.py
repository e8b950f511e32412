"""How actions are written: ``D3-E3`` moves a piece, ``D3>E4`` passes a gem, ``pass`` passes the turn."""

from __future__ import annotations

from parlour.engine import State
from parlour.games.choccer.rules import PASS_TURN, is_gem_pass, origin, target
from parlour.games.choccer.state import GEM_NAMES, KIND_NAMES, square_name


def write(state: State, action: int) -> str:
    if action == PASS_TURN:
        return "pass"
    return f"{square_name(origin(action))}{'>' if is_gem_pass(action) else '-'}{square_name(target(action))}"


def describe(state: State, action: int) -> str:
    if action == PASS_TURN:
        return "pass the turn"
    square, to = origin(action), target(action)
    piece, met = KIND_NAMES[abs(state.board[square])], KIND_NAMES[abs(state.board[to])]
    held, there = GEM_NAMES[state.gem[square]], GEM_NAMES[state.gem[to]]
    if is_gem_pass(action):
        return f"pass the {held} to the {met} on {square_name(to)}"
    if state.board[to]:
        return f"{piece} captures the {met} on {square_name(to)}" + (f" and its {there}" if state.gem[to] else "")
    if state.gem[to]:
        return f"{piece} picks up the {there} on {square_name(to)}"
    return f"{piece} {'carries the ' + held if state.gem[square] else 'goes'} to {square_name(to)}"
