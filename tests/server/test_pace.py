"""However much one address asks at once, others are answered in between."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

from parlour.server.basics.config import Config
from parlour.server.http.middleware import Middleware
from parlour.server.http.pace import IN_ONE_ROUND, Pace
from parlour.server.people.limits import RateLimits


def request(address: str) -> dict[str, Any]:
    return {"type": "http", "path": "/healthz", "method": "GET", "headers": [], "client": (address, 0)}


def test_what_comes_at_once_is_answered_in_rounds() -> None:
    answered = list[str]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        answered.append(scope["client"][0])

    async def ask() -> list[tuple[int, bool]]:
        middleware = Middleware(app, RateLimits(Config()))
        asked = [*["10.0.0.1"] * (3 * IN_ONE_ROUND), "10.0.0.2"]
        tasks = [asyncio.ensure_future(middleware(request(one), None, None)) for one in asked]  # type: ignore[arg-type]
        rounds = list[tuple[int, bool]]()
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            rounds.append((answered.count("10.0.0.1"), "10.0.0.2" in answered))
        return rounds

    rounds = asyncio.run(ask())
    assert rounds[0] == (IN_ONE_ROUND, True)
    steps = [after[0] - before[0] for before, after in pairwise(rounds)]
    assert max(steps) == IN_ONE_ROUND
    assert answered.count("10.0.0.1") == 3 * IN_ONE_ROUND


def test_who_does_not_wait_any_more_is_passed_over_and_nothing_is_kept() -> None:
    async def ask() -> Pace:
        pace = Pace(1)
        assert pace.turn("eve") is None
        gone, other = pace.turn("eve"), pace.turn("eve")
        assert gone is not None
        assert other is not None
        gone.cancel()
        await other
        for _ in range(3):
            await asyncio.sleep(0)
        assert pace.turn("eve") is None
        await asyncio.sleep(0)
        return pace

    pace = asyncio.run(ask())
    assert not pace._begun
    assert not pace._waiting
