"""How actions are written: ``D3-E3`` moves a piece, ``D3>E4`` passes a gem, ``pass`` passes the turn."""

from __future__ import annotations

from functools import cache

from parlour.engine import State
from parlour.engine.language import cache_spoken
from parlour.engine.notation import Notation
from parlour.games.choccer import GAME
from parlour.games.choccer.reasons import why_not
from parlour.games.choccer.rules import PASS_TURN, is_gem_pass, origin, target
from parlour.games.choccer.state import GEM_NAMES, KIND_NAMES, PIECES, square_name


def write(state: State, action: int) -> str:
    return _written(action)


@cache
def _written(action: int) -> str:
    if action == PASS_TURN:
        return "pass"
    return f"{square_name(origin(action))}{'>' if is_gem_pass(action) else '-'}{square_name(target(action))}"


def describe(state: State, action: int) -> str:
    if action == PASS_TURN:
        return GAME.said("pass the turn")
    square, to, is_pass = _parts(action)
    board, gem = state.board, state.gem
    kind = board[to] if is_pass else board[square]
    return _sentence(square, to, is_pass, abs(kind), abs(board[to]), gem[square], gem[to])


@cache
def _parts(action: int) -> tuple[int, int, bool]:
    """From which square to which, and whether it is a gem that goes there."""
    return origin(action), target(action), is_gem_pass(action)


@cache_spoken
def _sentence(start: int, to: int, is_pass: bool, kind: int, met: int, held: int, there: int) -> str:
    return GAME.said(_words(is_pass, met, held, there)).format(
        kind=GAME.said(KIND_NAMES[kind]),
        met=GAME.said(f"the {KIND_NAMES[met]}"),
        gem=GAME.said(GEM_NAMES[held or there]),  # a holder goes to no other gem, and passes to none that holds one
        start=square_name(start),
        to=square_name(to),
    )


def depends_on(state: State, action: int) -> tuple[int, ...]:
    """What is on the two squares."""
    if action == PASS_TURN:
        return ()
    square, to, _ = _parts(action)
    board, gem = state.board, state.gem
    return board[square], board[to], gem[square], gem[to]


def _words(is_pass: bool, met: int, held: int, there: int) -> str:
    """The words for a move or the pass of a gem, before the names are put in."""
    if is_pass:
        return "pass the {gem} from {start} to the {kind} on {to}"
    if met:
        return (
            "{kind} from {start} captures {met} on {to} and its {gem}"
            if there
            else "{kind} from {start} captures {met} on {to}"
        )
    if there:
        return "{kind} from {start} picks up the {gem} on {to}"
    return "{kind} carries the {gem} from {start} to {to}" if held else "{kind} from {start} to {to}"


def prompt(state: State) -> str:
    """What the points are for, and what to pick."""
    first = state.to_move * PIECES
    holds = any(state.gem[square] for square in state.pieces[first : first + state.count[state.to_move]])
    if holds:
        return GAME.said("bring your gem to the other zone: pick a piece")
    return GAME.said("gems and captures score: pick a piece")


NOTATION = Notation(write=write, describe=describe, depends_on=depends_on, why_not=why_not, prompt=prompt)
