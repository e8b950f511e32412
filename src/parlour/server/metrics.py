"""What Prometheus is told."""

from __future__ import annotations

import asyncio
import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

REQUESTS = Counter("parlour_requests", "HTTP requests", ["method", "status"])
COMMANDS = Counter("parlour_commands", "Commands of seats", ["kind", "answer"])
BOT_ACTIONS = Counter("parlour_bot_actions", "Actions played by bots")
COMMITS = Histogram("parlour_commit_seconds", "Time of one commit to the store")
GROUPS = Histogram("parlour_commit_group", "Appends in one commit", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256))
TABLES = Gauge("parlour_tables_in_memory", "Tables in memory", multiprocess_mode="livesum")
SOCKETS = Gauge("parlour_sockets", "Open WebSockets", multiprocess_mode="livesum")
TASKS = Gauge("parlour_tasks", "Tasks on the event loop", multiprocess_mode="livesum")
BUS_UP = Gauge("parlour_redis_up", "Whether hints arrive over Redis", multiprocess_mode="min")


def note_commit(appends: int, seconds: float) -> None:
    GROUPS.observe(appends)
    COMMITS.observe(seconds)


def exposition() -> bytes:
    """All of it as text; of all workers, where there are several."""
    TASKS.set(len(asyncio.all_tasks()))
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)
