"""What is tried again, when, and for how long. A command keeps its cid, so it happens once however often it is sent."""

from __future__ import annotations

import random
import time
from typing import Generic, TypeVar

import httpx

from parlour.client.answers import reader
from parlour.client.calls import Call
from parlour.client.errors import BadAnswer, Refused, Unreachable
from parlour.protocol import Problem

T = TypeVar("T")

FIRST, LONGEST = 0.1, 3.0  # seconds between attempts
PATIENCE = 30.0  # seconds after which it is given up, unless told
LATER = {"too_fast", "busy"}  # nothing has happened; it may work later
MAYBE = {"not_saved"}  # the same, but only the log knows for certain
GATEWAY = {502, 503, 504}  # of a proxy whose server is away

_read_problem = reader(Problem)


class Pauses:
    """Longer and longer pauses, a little by chance so that not all come back at the same moment."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.renew()

    def renew(self) -> None:
        """It has worked: the next time begins anew."""
        self._next = FIRST
        self._began = time.monotonic()

    def take(self) -> float | None:
        """Seconds until the next attempt; None if there has been enough of them."""
        pause = self._next * random.uniform(0.5, 1)
        self._next = min(2 * self._next, LONGEST)
        return pause if time.monotonic() + pause - self._began < self.patience else None


class Attempts(Generic[T]):
    """The attempts at one call. Told how each went, it says how long to pause before the next, or has the answer."""

    def __init__(self, call: Call[T], server: str, patience: float) -> None:
        self.call = call
        self.server = server
        self.answers: list[T] = []
        self._pauses = Pauses(patience)

    def heard(self, status: int, content: bytes) -> float | None:
        """The server has answered."""
        if 300 <= status < 400:  # whoever is named there is not who a token was made for
            raise BadAnswer(f"{self.server} says that it is elsewhere (HTTP {status}): give that address itself")
        try:
            if 200 <= status < 300:
                self.answers.append(self.call.read(content))
                return None
            problem = _read_problem(content)
        except BadAnswer as error:
            if status in GATEWAY and self.call.repeatable:
                return self._again(Unreachable(f"{self.server} is away just now (HTTP {status})"))
            why = f"HTTP {status}: {error}"
            raise BadAnswer(f"{self.server} does not answer as a Parlour server does ({why})") from error
        refused = Refused(problem.code, problem.message)
        if problem.code in LATER or (problem.code in MAYBE and self.call.repeatable):
            return self._again(refused)
        raise refused

    def lost(self, error: httpx.TransportError | TimeoutError) -> float:
        """There was no answer. What may have been done, and can be done only once, is not tried again."""
        unsent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
        if not self.call.repeatable and not unsent:
            message = f"{self.server} has not answered; whether it was done is not known: look at the table"
            raise Unreachable(message) from error
        return self._again(Unreachable(f"{self.server} does not answer"))

    def _again(self, trouble: Refused | Unreachable) -> float:
        pause = self._pauses.take()
        if pause is None:
            raise trouble
        return pause
