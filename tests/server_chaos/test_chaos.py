"""Matches played to their end while everything breaks at least once; benchmarks/server/chaos.py is the long form."""

from __future__ import annotations

from benchmarks.server import chaos

HARD = chaos.Pace(
    cuts=0.05,
    kill=3.0,
    disk=2.0,
    redis=2.0,
    stall=2.5,
    stalled=1.0,
    bots=1.5,
    backup=1.5,
    export=1.0,
    look=0.5,
    jump=0.3,
    outage=0.5,
    limit=300.0,
    most=4,
)


def test_one_server_on_sqlite_killed_with_its_disk_full_and_its_clock_jumping() -> None:
    ledger, wrong = chaos.on_sqlite(moves=150, matches=6, pace=HARD)
    assert wrong == []
    assert len(ledger.acknowledged) >= 150


def test_two_servers_on_postgresql_one_killed_one_stalled_and_redis_as_well() -> None:
    ledger, wrong = chaos.on_postgresql(moves=150, matches=6, pace=HARD)
    assert wrong == []
    assert len(ledger.acknowledged) >= 150
