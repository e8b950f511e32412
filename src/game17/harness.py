"""What runs around a bot file inside its box: loads it, hands it boards, sends back its orders.

Whatever it says is taken for what the bot says, and trusted no more: the bot shares its process.
"""

from __future__ import annotations

import importlib.util
import os
import random
import struct
import sys
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from game17 import T800, zombie
from game17.basic_mover import BasicMover, GetMover, asks, get_mover_factory
from game17.messages import ASK, BEGIN, LOST, ORDERS, READY, of_line, to_line
from parlour.bots.box.process.launch import ANSWERS, QUESTIONS
from parlour.games.game17.notation.orders import BadOrders, Orders, read_orders, shown

HEADER = 4  # whole numbers before the board in a BEGIN: owner, rounds, size, seed
SAME = b"T800"  # what a READY says about a file that has the package's own T800 play
MOST = 2**15 - 1  # pieces in an order: more than there are, and no longer than two bytes
IMPORTED = (T800, zombie)  # by nearly all bots, so before they are forked
_T800 = dict(vars(T800))  # as it was before any bot could change it


def serve(arguments: Mapping[str, Any]) -> None:
    """Load the bot file, then answer until there are no more questions."""
    path: str = arguments["path"]
    sys.argv = [path]
    sys.stdout = sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    if arguments["folder"]:
        os.chdir(arguments["folder"])
    try:
        get_mover = load(path)
    except BaseException as error:
        os.write(ANSWERS, to_line(LOST, said(error).encode()))
        return
    os.write(ANSWERS, to_line(READY, SAME if is_t800(get_mover) else b""))
    bot = _Bot(get_mover)
    handlers: dict[bytes, Callable[[bytes], bytes]] = {BEGIN: bot.begin, ASK: bot.ask}
    with os.fdopen(QUESTIONS, "rb") as questions:
        for line in questions:
            kind, body = of_line(line)
            try:
                answer = to_line(ORDERS, handlers[kind](body))
            except BadOrders as error:
                answer = to_line(LOST, str(error).encode())
            except BaseException as error:
                answer = to_line(LOST, said(error).encode())
            while answer:
                answer = answer[os.write(ANSWERS, answer) :]


def load(path: str) -> GetMover:
    """Import a file as the public program does, and find ``make_moves`` or ``get_mover`` in it."""
    name = Path(path).stem
    sys.path.append(str(Path(path).parent))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{Path(path).name} is not a Python file")
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

    def begin(self, body: bytes) -> bytes:
        """A new game: generators of its own, and a new mover."""
        message = np.frombuffer(body, np.int64)
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

    def ask(self, body: bytes) -> bytes:
        """A turn. What the mover returns is read here and now: it may be a generator, which works only then."""
        message = np.frombuffer(body, np.int16)
        squares = self._size * self._size
        if isinstance(self._mover, BasicMover):
            self._mover.rounds_left = int(message[0]) + 1
        if self._mover is None:
            raise BadOrders("it has no mover for this game")
        moves = self._mover(self._shaped(message[1 : 1 + squares]), self._shaped(message[1 + squares :]))
        return packed(read_orders(moves, self._size))

    def _shaped(self, squares: Any) -> Any:
        """A board of the bot's own."""
        return squares.astype(np.int64).reshape(self._size, self._size)


def packed(orders: Orders) -> bytes:
    """Two bytes each for the way and the count."""
    flat = chain.from_iterable((way, min(count, MOST)) for way, count in orders)
    return struct.pack(f"={2 * len(orders)}h", *flat)


def said(error: BaseException) -> str:
    """``ZeroDivisionError: division by zero``."""
    words = shown(error) if not str(error) else " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {words}"
