"""How actions are written: ``D3-E3`` moves a piece, ``D3>E4`` passes a gem, ``pass`` passes the turn."""

from __future__ import annotations

from functools import cache

from parlour.engine import State
from parlour.engine.language import cache_spoken
from parlour.engine.notation import Notation
from parlour.games.choccer import GAME
from parlour.games.choccer.reasons import why_not
from parlour.games.choccer.rules import PASS_TURN, is_gem_pass, origin, target
from parlour.games.choccer.state import GEM_NAMES, KIND_NAMES, square_name


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
    square, to = origin(action), target(action)
    gem = state.gem[square] or state.gem[to]  # a holder goes to no other gem, and passes to none that holds one
    kind = state.board[to] if is_gem_pass(action) else state.board[square]
    return _sentence(_words(state, action), abs(kind), abs(state.board[to]), gem, to)


@cache_spoken
def _sentence(words: str, kind: int, met: int, gem: int, to: int) -> str:
    return GAME.said(words).format(
        kind=GAME.said(KIND_NAMES[kind]),
        met=GAME.said(f"the {KIND_NAMES[met]}"),
        gem=GAME.said(GEM_NAMES[gem]),
        to=square_name(to),
    )


def _words(state: State, action: int) -> str:
    """The words for a move or the pass of a gem, before the names are put in."""
    square, to = origin(action), target(action)
    if is_gem_pass(action):
        return "pass the {gem} to the {kind} on {to}"
    if state.board[to]:
        return "{kind} captures {met} on {to} and its {gem}" if state.gem[to] else "{kind} captures {met} on {to}"
    if state.gem[to]:
        return "{kind} picks up the {gem} on {to}"
    return "{kind} carries the {gem} to {to}" if state.gem[square] else "{kind} goes to {to}"


NOTATION = Notation(write=write, describe=describe, why_not=why_not)
