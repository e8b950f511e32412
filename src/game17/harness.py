"""What runs around a bot file in the bot's own process: loads it, hands it boards, sends back its moves."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from game17 import T800
from game17.basic_mover import BasicMover, GetMover, asks, get_mover_factory
from game17.channel import ASK, BEGIN, LOST, MOVES, READY, Channel, Closed
from game17.moves import BadMoves, read_moves, shown

HEADER = 4  # whole numbers before the board in a BEGIN: owner, rounds, size, seed
SAME = b"T800"  # what a READY says about a file that has the package's own T800 play
_T800 = dict(vars(T800))  # as it was before any bot could change it


def serve(channel: Channel, path: str) -> None:
    """Load the bot file, then answer until the channel is closed."""
    try:
        get_mover = load(path)
    except BaseException as error:
        channel.send(LOST, said(error).encode())
        return
    channel.send(READY, SAME if is_t800(get_mover) else b"")
    bot = _Bot(get_mover)
    handlers: dict[int, Callable[[Any], bytes]] = {BEGIN: bot.begin, ASK: bot.ask}
    try:
        while True:
            kind, body = channel.receive()
            try:
                answer = MOVES, handlers[kind](np.frombuffer(body, np.int64))
            except BadMoves as error:
                answer = LOST, str(error).encode()
            except BaseException as error:
                answer = LOST, said(error).encode()
            channel.send(*answer)
    except Closed:
        return


def load(path: str) -> GetMover:
    """Import a file as the public program does, and find ``make_moves`` or ``get_mover`` in it."""
    name = Path(path).stem
    sys.path.append(str(Path(path).parent))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{Path(path).name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    if callable(getattr(module, "make_moves", None)):
        return get_mover_factory(module.make_moves)
    if callable(getattr(module, "get_mover", None)):
        get_mover: GetMover = module.get_mover
        return get_mover
    raise ImportError("it has neither make_moves nor get_mover")


def is_t800(get_mover: GetMover) -> bool:
    """Whether it plays as the package's own T800 does: by that very function, in whose module nothing was changed."""
    return asks(get_mover, _T800["make_moves"]) and all(vars(T800).get(name) is was for name, was in _T800.items())


class _Bot:
    def __init__(self, get_mover: GetMover) -> None:
        self._get_mover = get_mover
        self._mover: Any = None
        self._size = 0

    def begin(self, message: Any) -> bytes:
        """A new game: generators of its own, and a new mover."""
        owner, rounds, self._size, seed = message[:HEADER].tolist()
        random.seed(seed)
        np.random.seed(seed % 2**32)
        squares = self._size * self._size
        owners, order = message[HEADER : HEADER + squares], message[HEADER + squares :].tolist()
        opening = self._shaped(owners)
        self._mover = None
        self._mover = self._get_mover(
            owner=owner, owners=opening, numbers=np.full_like(opening, 4), turn_order=order, num_rounds=rounds
        )
        return b""

    def ask(self, message: Any) -> bytes:
        """A turn. What the mover returns is read here and now: it may be a generator, which works only then."""
        squares = self._size * self._size
        if isinstance(self._mover, BasicMover):
            self._mover.rounds_left = int(message[0]) + 1
        if self._mover is None:
            raise BadMoves("it has no mover for this game")
        moves = self._mover(self._shaped(message[1 : 1 + squares]), self._shaped(message[1 + squares :]))
        return np.array(read_moves(moves, self._size), np.int64).tobytes()

    def _shaped(self, squares: Any) -> Any:
        return squares.reshape(self._size, self._size).copy()


def said(error: BaseException) -> str:
    """``ZeroDivisionError: division by zero``."""
    words = shown(error) if not str(error) else " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {words}"
