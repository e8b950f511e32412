"""Where the names of push services lead. Whoever has a name can let the question for it wait for half a minute.

So questions have threads of their own, which nothing else waits for. They belong to no pool: a process that ends does
not wait for them either. Nobody waits for an answer longer than a few seconds, and answers are kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections import OrderedDict
from typing import NamedTuple

WITHIN = 5.0  # seconds to wait for an answer
FRESH = 300.0  # seconds for which an answer is used
STALE = 3600.0  # seconds for which it is used if there is no newer one to be had
KNOWN = 1000  # names
AT_ONCE = 128  # questions, each with a thread: it waits, and needs next to nothing


class _Lookup(NamedTuple):
    addresses: list[str]
    at: float


class Names:
    """The names that one process has asked for."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Lookup] = OrderedDict()
        self._asked: dict[str, asyncio.Future[list[str]]] = {}

    async def addresses(self, host: str) -> list[str]:
        """All addresses of a host. Raises OSError where it has none, and TimeoutError where nobody says which."""
        known = self._known.get(host)
        age = time.monotonic() - known.at if known else STALE
        if known and age < FRESH:
            return known.addresses
        try:
            async with asyncio.timeout(WITHIN):
                return await asyncio.shield(self._asked.get(host) or self._ask(host))
        except OSError:  # TimeoutError is one
            if known and age < STALE:
                return known.addresses
            raise

    def _ask(self, host: str) -> asyncio.Future[list[str]]:
        if len(self._asked) >= AT_ONCE:
            raise TimeoutError("too many names are being looked up")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        self._asked[host] = answer
        answer.add_done_callback(lambda _: self._note(host, answer))

        def look_up() -> None:
            try:
                result = _look_up(host)
            except (OSError, ValueError) as error:
                set_outcome, outcome = _fail, OSError(str(error))
            else:
                set_outcome, outcome = _succeed, result  # type: ignore[assignment]
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(set_outcome, answer, outcome)

        threading.Thread(target=look_up, name="push-name", daemon=True).start()
        return answer

    def _note(self, host: str, answer: asyncio.Future[list[str]]) -> None:
        del self._asked[host]
        if answer.cancelled() or answer.exception() is not None:
            return
        self._known[host] = _Lookup(answer.result(), time.monotonic())
        self._known.move_to_end(host)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)


def _look_up(host: str) -> list[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(entry[4][0]).partition("%")[0] for entry in found]


def _succeed(answer: asyncio.Future[list[str]], addresses: list[str]) -> None:
    if not answer.done():
        answer.set_result(addresses)


def _fail(answer: asyncio.Future[list[str]], error: OSError) -> None:
    if not answer.done():
        answer.set_exception(error)
