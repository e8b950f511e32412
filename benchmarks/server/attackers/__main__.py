"""One attack, in a process of its own, which ``attacks`` starts: its orders are one line of JSON."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import uvloop
from benchmarks.server import operators
from benchmarks.server.attackers import asking, raw, special, stage, talking
from benchmarks.server.attackers.ground import Ground, Source
from benchmarks.server.attackers.stage import Stage


async def _nothing(ground: Ground) -> None:
    await ground.begin()


@dataclass(frozen=True)
class Attack:
    """What is done, and what the server is set to besides."""

    run: Callable[..., Coroutine[Any, Any, None]]
    needs: tuple[str, ...] = ()  # of the stage, or the port of a push service
    proxied: bool = False
    settings: dict[str, object] = field(default_factory=dict)

    @property
    def about(self) -> str:
        return (self.run.__doc__ or "nobody attacks").splitlines()[0]


ATTACKS = {
    "nothing": Attack(_nothing),
    "undo": Attack(talking.undo, ("large",)),
    "orders": Attack(talking.orders, ("large",)),
    "ends": Attack(talking.ends, ("large",)),
    "hello": Attack(talking.hello, ("large",)),
    "touch": Attack(talking.touch, ("large",)),
    "looking": Attack(asking.looking, ("finished",)),
    "waiting": Attack(asking.waiting, ("finished",), proxied=True),
    "probes": Attack(asking.probes),
    "refusals": Attack(asking.refusals),
    "refusals by proxy": Attack(asking.refusals, proxied=True),
    "replays": Attack(asking.replays),
    "replays by proxy": Attack(asking.replays, proxied=True),
    "long replays": Attack(asking.long_replays),
    "crowd": Attack(talking.crowd, ("large",)),
    "notifications": Attack(special.notifications, ("service",)),
    "stopped": Attack(special.stopped, settings={"workers": 2}),
    "operator": Attack(special.operator, settings={"admin_token": operators.TOKEN}),
    "pings": Attack(talking.pings, ("large",)),
    "pings by proxy": Attack(talking.pings, ("large",), proxied=True),
    "rejects": Attack(talking.rejects, ("large",)),
    "lobby": Attack(talking.lobby, ("large",)),
    "moves": Attack(talking.moves, ("large",)),
    "connecting": Attack(asking.connecting),
    "searching": Attack(asking.searching),
    "listing": Attack(asking.listing),
    "games": Attack(asking.games),
    "views": Attack(asking.views, ("large",)),
    "looks": Attack(asking.looks, ("large",)),
    "renewing": Attack(asking.renewing, ("large",)),
    "sitting": Attack(asking.sitting, ("large",)),
    "explaining": Attack(asking.explaining, ("large",)),
    "opening": Attack(asking.opening),
    "forgetting": Attack(special.forgetting, ("finished",)),
    "storm": Attack(raw.storm),
    "pieces": Attack(raw.pieces),
    "heads": Attack(raw.heads),
    "nonsense": Attack(raw.nonsense),
    "packed": Attack(asking.packed),
    "wishes": Attack(asking.wishes),
    "pairing": Attack(asking.pairing),
    "cards": Attack(asking.cards),
    "bad tokens": Attack(asking.bad_tokens),
    "refused bots": Attack(talking.refused_bots),
    "choir": Attack(talking.choir),
    "deaf": Attack(talking.deaf),
    "filters": Attack(talking.filters),
}


async def attack(orders: dict[str, Any]) -> dict[str, Any]:
    wanted = ATTACKS[orders["attack"]]
    given: Stage = stage.from_json(orders["stage"])
    sources = [Source(orders["url"], number, orders["proxied"]) for number in range(orders["addresses"])]
    ground = Ground(sources, orders["seconds"], orders["server"], given.database)
    parts = {name: orders["service"] if name == "service" else getattr(given, name) for name in wanted.needs}
    for source in sources:
        source.heard.clear()
    before = time.process_time()
    await wanted.run(ground, **parts)
    told = sum((source.told for source in sources), Counter())
    counts = sum((source.heard for source in sources), ground.counts)
    return {"cpu": time.process_time() - before, "answers": dict(told), "counts": dict(counts)}


if __name__ == "__main__":
    _, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_most, _most))
    print(json.dumps(uvloop.run(attack(json.loads(sys.argv[1])))), flush=True)
