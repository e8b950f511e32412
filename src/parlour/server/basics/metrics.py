"""What Prometheus is told."""

from __future__ import annotations

import asyncio
import math
import os
import platform
import time
from bisect import bisect_left
from collections.abc import Mapping
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

import parlour

WAITS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # seconds

REQUESTS = Counter("parlour_requests", "HTTP requests", ["method", "status"])
COMMANDS = Counter("parlour_commands", "Commands of seats", ["kind", "answer"])
BOT_ACTIONS = Counter("parlour_bot_actions", "Actions played by bots")
PUSHES = Counter("parlour_pushes", "Messages to people whose turn it is", ["outcome"])
STARTS = Counter("parlour_starts", "Processes of this server that have begun")
MOVES = Histogram("parlour_move_seconds", "Time from a command to play to its acknowledgement", buckets=WAITS)
ANSWERS = Histogram("parlour_request_seconds", "Time until an HTTP request is answered", buckets=WAITS)
LAG = Histogram("parlour_loop_lag_seconds", "How late the event loop is for what is due", buckets=WAITS)
COMMITS = Histogram("parlour_commit_seconds", "Time of one commit to the store")
GROUPS = Histogram("parlour_commit_group", "Appends in one commit", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256))
TABLES = Gauge("parlour_tables_in_memory", "Tables in memory", multiprocess_mode="livesum")
SOCKETS = Gauge("parlour_sockets", "Open WebSockets", multiprocess_mode="livesum")
JOBS = Gauge("parlour_jobs", "Jobs that wait or are being done, by pool", ["pool"], multiprocess_mode="livesum")
BACKUP = Gauge("parlour_backup_timestamp_seconds", "When the last backup was made", multiprocess_mode="livemax")
STARTED = Gauge("parlour_start_time_seconds", "When the youngest process began", multiprocess_mode="livemax")
BUILD = Gauge("parlour_build_info", "1; what runs is in the labels", ["version", "python"], multiprocess_mode="livemax")
TASKS = Gauge("parlour_tasks", "Tasks on the event loop", multiprocess_mode="livesum")
BUS_UP = Gauge("parlour_redis_up", "Whether signals of other processes arrive over Redis", multiprocess_mode="livemin")
STANDING_STILL = Gauge(
    "parlour_workers_standing_still",
    "Workers that do not go on: others serve in their place",
    multiprocess_mode="livemax",
)
DRIFT = Gauge(
    "parlour_clock_drift_seconds",
    "How far this machine's clock and the database's differ",
    multiprocess_mode="livemax",
)
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where the library has the workers of one server count together


def note_start() -> None:
    """A process begins. What it will count is there at once, so that the first of its kind is seen to be one more."""
    STARTED.set(time.time())  # first: whoever sees the count sees the time, too
    STARTS.inc()
    BUILD.labels(parlour.__version__, platform.python_version()).set(1)
    for outcome in ("sent", "gone", "refused", "failed", "dropped"):
        PUSHES.labels(outcome)
    for method in ("GET", "POST"):
        REQUESTS.labels(method, "500")


class Tally:
    """What a histogram is to be told of. The library takes longer for each than all else that is counted here."""

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram
        self._bounds = histogram._upper_bounds
        self._counts = [0] * len(self._bounds)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def pass_on(self) -> None:
        """As often as ``observe`` would have done it, but all at once, for which the library has no name."""
        for bucket, count in zip(self._histogram._buckets, self._counts, strict=True):
            if count:
                bucket.inc(count)
        self._histogram._sum.inc(self._sum)
        self._counts = [0] * len(self._bounds)
        self._sum = 0.0


_moves, _answers, _lags = Tally(MOVES), Tally(ANSWERS), Tally(LAG)
note_move, note_answer = _moves.add, _answers.add
LOOK = 0.1  # seconds between two looks at how late the event loop is


async def watch_lag() -> None:
    """Measure how late the event loop is, again and again."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK
        await asyncio.sleep(LOOK)
        late = max(0.0, loop.time() - due)
        _lags.add(late)
        while late > LOOK:  # what would have been due meanwhile was late, too
            late -= LOOK
            _lags.add(late)


_commands: dict[tuple[str, str], int] = {}  # kinds and answers that the library has not been told of


def count_command(kind: str, answer: str) -> None:
    """The library takes longer to raise a count than all else that is counted here: it is told once a second."""
    _commands[kind, answer] = _commands.get((kind, answer), 0) + 1


def _pass_on() -> None:
    for (kind, answer), count in _commands.items():
        COMMANDS.labels(kind, answer).inc(count)
    _commands.clear()
    for tally in (_moves, _answers, _lags):
        tally.pass_on()


def note_commit(appends: int, seconds: float) -> None:
    GROUPS.observe(appends)
    COMMITS.observe(seconds)


def note_now(*, tables: int, sockets: int, redis_up: bool | None, drift: float, standing_still: int) -> None:
    """Write down the counts of this process. Every worker does so regularly, since any of them may be asked for all.

    ``redis_up`` is None where there is no Redis: then nobody is to be alarmed that it is down.
    """
    _pass_on()
    TABLES.set(tables)
    SOCKETS.set(sockets)
    TASKS.set(len(asyncio.all_tasks()))
    BUS_UP.set(math.nan if redis_up is None else redis_up)
    DRIFT.set(abs(drift))
    STANDING_STILL.set(standing_still)


def note_jobs(jobs: Mapping[str, int]) -> None:
    """How many jobs each pool has in hand."""
    for pool, count in jobs.items():
        JOBS.labels(pool).set(count)


def exposition() -> bytes:
    """All of it as text; of all workers, where there are several."""
    if SHARED_FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    _forget_dead(Path(os.environ[SHARED_FOLDER]))
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)


def _forget_dead(folder: Path) -> None:
    """Forget what dead workers had open."""
    for file in folder.glob("gauge_live*.db"):
        worker = int(file.stem.rpartition("_")[2])
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            mark_process_dead(worker, str(folder))
        except OSError:  # it lives, and belongs to somebody else
            continue
