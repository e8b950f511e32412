"""How long a table takes to come back from its log, for each game, halfway through a match and near its end.

    python -m benchmarks.server.recovery

Milliseconds, each the middle of several tries, from asking for the table until it can be played at: all the time that
passed, and processor time, which other programs on the machine disturb less.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from dataclasses import replace

from parlour import protocol
from parlour.engine import registry
from parlour.protocol import Acted, AnyEntry, ClockSpec
from parlour.server import proposals
from parlour.server.config import Config
from parlour.server.fold import fold
from parlour.server.services import Services
from parlour.server.store import Append
from parlour.server.table import Table, TableSpec
from parlour.server.tokens import new_id
from parlour.server.views import table_line

TARGET = 50.0  # milliseconds
TRIES = 7
CASES: list[tuple[str, int, dict[str, int]]] = [
    ("choccer", 2, {}),
    ("connect_four", 2, {}),
    ("goose", 4, {}),
    ("verfuchst", 4, {}),
    ("mazerunner", 4, {}),
    ("game17", 2, {"rounds": 50}),
]


def play(game: str, seats: int, options: dict[str, int]) -> tuple[TableSpec, list[AnyEntry]]:
    """The log of a match by people who play by chance."""
    rules, dice = registry.get(game), random.Random(1)
    settled = rules.settle_options(options)
    spec = TableSpec(game, game, rules.version, settled, seats, True, True, ClockSpec(), 90.0, "5e" * 32, time.time())
    table, log = Table(spec), list[AnyEntry]()

    def write(proposal: proposals.Proposal) -> None:
        for entry in proposal.entries:
            fold(table, entry, proposal.played if isinstance(entry, Acted) else None)
        log.extend(proposal.entries)

    for seat in range(seats):
        write(proposals.sit(table, proposals.Place(seat), f"Seat {seat}", protocol.Sit(name="-"), time.time()))
    while table.match is not None and table.to_move is not None:
        command = protocol.Act(cid=f"c{table.ply}", ply=table.ply, action=dice.choice(table.match.legal()))
        write(proposals.propose(table, command, table.to_move, time.time()))
    return spec, log


async def store(services: Services, spec: TableSpec, log: list[AnyEntry]) -> None:
    table = Table(spec)
    await services.store.append(Append(spec.id, log, table_line(table, time.time()), None, opened=spec))


async def recall(config: Config, table: str) -> tuple[float, float]:
    """Bring it back in a server that does not know it; milliseconds that passed, and of processor time."""
    services = Services(config)
    await services.open()
    began, worked = time.perf_counter(), time.process_time()
    await services.rooms.get(table)
    took = time.perf_counter() - began, time.process_time() - worked
    await services.close()
    return 1000 * took[0], 1000 * took[1]


async def measure(config: Config, game: str, seats: int, options: dict[str, int]) -> list[str]:
    spec, log = play(game, seats, options)
    lines = []
    for part, name in ((0.5, "halfway"), (0.97, "near the end")):
        cut = replace(spec, id=new_id())
        entries = log[: max(seats + 2, int(part * len(log)))]
        services = Services(config)
        await services.open()
        await store(services, cut, entries)
        await services.close()
        tries = [await recall(config, cut.id) for _ in range(TRIES)]
        passed, worked = (statistics.median(column) for column in zip(*tries, strict=True))
        label = game + "".join(f" {option}={value}" for option, value in options.items())
        verdict = "" if passed < TARGET else f"  over {TARGET:g}"
        lines.append(f"{label:22} {name:13} {len(entries):6} entries {passed:8.1f} {worked:8.1f}{verdict}")
    return lines


async def main() -> None:
    print(f"{'':22} {'':13} {'':14} {'passed':>8} {'worked':>8}  ms")
    with tempfile.TemporaryDirectory() as folder:
        config = Config(database=f"sqlite:///{folder}/recovery.sqlite")
        for case in CASES:
            print("\n".join(await measure(config, *case)), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
