"""Somebody who plays Choccer while others attack the server; in a process of its own, which ``attacks`` starts.

    python -m benchmarks.server.victim URL SECONDS

Every move is timed from when it was due to when the other's socket has it, and visitors come who look at the list of
tables and open one. It says ``ready``, waits for a line, plays, and says in JSON what became of it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import sys
import time
from dataclasses import dataclass, field

import httpx
import uvloop
from benchmarks.server.load import Play, Tally, schedule, send_all, share, sit_down

MATCHES = 4
RATE = 40.0  # moves a second, of all matches together: five of each seat, half of what it may
VISITORS = "127.0.3.1"  # where they come from
LOOK_EVERY, OPEN_EVERY = 0.25, 1.0  # seconds
PATIENCE = 5.0  # seconds, after which a visitor goes away


@dataclass
class Visits:
    """What became of those who came meanwhile: how long each was waited for, and how many in vain."""

    waits: list[float] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)

    async def come(self, http: httpx.AsyncClient, *, opens: bool) -> None:
        began = time.perf_counter()
        try:
            wish = {"game": "choccer", "seats": 2}
            answer = await (http.post("/api/tables", json=wish) if opens else http.get("/api/tables?limit=5"))
            if answer.is_success:
                self.waits.append(time.perf_counter() - began)
                return
            outcome = f"{'opening' if opens else 'looking'}: {answer.json()['code']}"
        except httpx.HTTPError as error:
            outcome = type(error).__name__
        self.refused[outcome] = self.refused.get(outcome, 0) + 1


async def _visit(url: str, visits: Visits, every: float, count: int, *, opens: bool) -> None:
    """Each on a connection of its own."""
    for _ in range(count):
        way = httpx.AsyncHTTPTransport(local_address=VISITORS)
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, transport=way) as http:
            began = time.perf_counter()
            await visits.come(http, opens=opens)
            await asyncio.sleep(max(0.0, began + every - time.perf_counter()))


async def run(url: str, seconds: float) -> dict[str, object]:
    tally, visits = Tally(), Visits()
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        plays = [Play(url, http, "choccer", tally) for _ in range(MATCHES)]
        await sit_down(plays)
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        gc.collect()
        gc.freeze()
        gc.disable()
        before = time.process_time()
        moments = schedule(plays, RATE, seconds)
        await asyncio.gather(
            send_all(plays, moments),
            _visit(url, visits, LOOK_EVERY, int(seconds / LOOK_EVERY), opens=False),
            _visit(url, visits, OPEN_EVERY, int(seconds / OPEN_EVERY), opens=True),
        )
    return {
        "p50": tally.share(0.5),
        "p99": tally.share(0.99),
        "max": tally.share(1),
        "p99 from sent": share(tally.ways, 0.99),
        "moves": len(tally.waits),
        "due": len(moments),
        "visits": len(visits.waits),
        "visit": 1000 * statistics.median(visits.waits) if visits.waits else 0.0,
        "refused": visits.refused,
        "problems": dict(tally.problems),
        "cpu": time.process_time() - before,
    }


if __name__ == "__main__":
    print(json.dumps(uvloop.run(run(sys.argv[1], float(sys.argv[2])))))
