"""How many requests of one address begin in one round of the event loop, so that others come in between.

Hundreds may come at once, on as many connections. If all began in one round, everybody else would wait for all of them,
and a move takes several rounds.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque

IN_ONE_ROUND = 8  # more than a browser asks at once


class Pace:
    """The rounds of one event loop."""

    def __init__(self, most: int = IN_ONE_ROUND) -> None:
        self._most = most
        self._begun: Counter[str] = Counter()  # in this round, by address, and those that wait for the next
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def turn(self, address: str) -> asyncio.Future[None] | None:
        """What a request has to wait for before it begins; nothing, as almost always."""
        loop = asyncio.get_running_loop()
        if not self._begun:
            loop.call_soon(self._begin_round)
        self._begun[address] += 1
        if self._begun[address] <= self._most:
            return None
        turn = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        return turn

    def _begin_round(self) -> None:
        self._begun.clear()
        for address, waiting in list(self._waiting.items()):
            for _ in range(min(self._most, len(waiting))):
                turn = waiting.popleft()
                if not turn.done():  # whoever waited may have gone
                    turn.set_result(None)
                self._begun[address] += 1
            if not waiting:
                del self._waiting[address]
        if self._begun:
            asyncio.get_running_loop().call_soon(self._begin_round)
