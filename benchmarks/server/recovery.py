"""How long a table takes to come back, for each game: after a few entries, halfway through a match, and near its end.

    python -m benchmarks.server.recovery

Milliseconds, each the middle of several tries, from asking for the table until it can be played at: all the time that
passed, and processor time, which other programs on the machine disturb less. First from all entries of its log, then
from the last snapshot that a server would have stored and the entries after it.
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
from parlour.server.basics.config import Config
from parlour.server.people.tokens import new_id
from parlour.server.rooms import keeper, proposals
from parlour.server.running.services import Services
from parlour.server.store import Append, Kept
from parlour.server.tables.fold import fold
from parlour.server.tables.snapshot import pack
from parlour.server.tables.table import Table, TableSpec
from parlour.server.telling.views import table_line

TARGET = 10.0  # milliseconds of processor time
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
    resolved = rules.resolve_options(options)
    spec = TableSpec(game, game, rules.version, resolved, seats, True, True, ClockSpec(), 90.0, "5e" * 32, time.time())
    table, log = Table(spec), list[AnyEntry]()

    def write(proposal: proposals.Proposal) -> None:
        for entry in proposal.entries:
            fold(table, entry, proposal.played if isinstance(entry, Acted) else None)
        log.extend(proposal.entries)

    for seat in range(seats):
        write(proposals.sit(table, proposals.ChosenSeat(seat), f"Seat {seat}", protocol.Sit(name="-"), time.time()))
    while table.match is not None and table.to_move is not None:
        command = protocol.Act(cid=f"c{table.ply}", ply=table.ply, action=dice.choice(table.match.legal()))
        write(proposals.propose(table, command, table.to_move, time.time()))
    return spec, log


async def store(services: Services, spec: TableSpec, log: list[AnyEntry]) -> None:
    table = Table(spec)
    await services.store.append(Append(spec.id, log, table_line(table, time.time()), None, opened=spec))


async def keep(services: Services, spec: TableSpec, log: list[AnyEntry]) -> None:
    """Have a snapshot stored, at the worst moment: almost as many entries follow it as ever do."""
    number = max(0, len(log) - keeper.ENTRIES + 1)
    if number >= keeper.ENTRIES:
        table = Table(spec)
        for entry in log[:number]:
            fold(table, entry)
        services.store.snapshots.write({spec.id: Kept(number, pack(table))})


async def recall(services: Services, table: str) -> tuple[float, float]:
    """Bring it back where it is not in memory; milliseconds that passed, and of processor time."""
    tries = []
    for _ in range(TRIES):
        services.rooms.in_memory.clear()
        began, worked = time.perf_counter(), time.process_time()
        await services.rooms.get(table)
        tries.append((time.perf_counter() - began, time.process_time() - worked))
    passed, worked = (1000 * statistics.median(column) for column in zip(*tries, strict=True))
    return passed, worked


async def measure(services: Services, game: str, seats: int, options: dict[str, int]) -> None:
    spec, log = play(game, seats, options)
    label = game + "".join(f" {option}={value}" for option, value in options.items())
    for length in sorted({min(100, len(log) // 3), len(log) // 2, int(0.97 * len(log))}):
        cut, entries = replace(spec, id=new_id()), log[:length]
        await store(services, cut, entries)
        whole = await recall(services, cut.id)
        await keep(services, cut, entries)
        passed, worked = await recall(services, cut.id)
        verdict = "" if worked < TARGET else f"  over {TARGET:g}"
        print(
            f"{label:20} {length:6} entries {whole[0]:10.1f} {whole[1]:8.1f} {passed:12.1f} {worked:8.1f}{verdict}",
            flush=True,
        )


async def main() -> None:
    print(f"{'':20} {'':14} {'from all entries':>19} {'from a snapshot':>21}")
    print(f"{'':20} {'':14} {'passed':>10} {'worked':>8} {'passed':>12} {'worked':>8}  ms")
    keeper.EVERY = 1e6  # snapshots are stored when this says so
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Config(database=f"sqlite:///{folder}/recovery.sqlite"))
        await services.open()
        for case in CASES:
            await measure(services, *case)
        await services.close()


if __name__ == "__main__":
    asyncio.run(main())
