"""Which tables leave the event loop: those of large games, and those at which things usually take long."""

from __future__ import annotations

import asyncio
import time

import pytest

from parlour.protocol import ClockSpec
from parlour.server.basics.config import Config
from parlour.server.people.limits import RateLimits
from parlour.server.rooms.playing import SLOW, Playing
from parlour.server.tables.table import Table, TableSpec


class Watch:
    """Work that takes as much processor time as it is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(time, "thread_time", lambda: self.now)

    def work(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


@pytest.fixture
def playing() -> Playing:
    return Playing(RateLimits(Config()))


def a_table(game: str) -> Table:
    return Table(TableSpec("a", game, 1, {}, 2, True, True, ClockSpec(), 90.0, "5e" * 32, 0.0))


def do(playing: Playing, watch: Watch, table: Table, *pieces: float) -> None:
    async def all_of_them() -> None:
        for seconds in pieces:
            await playing.do(table, ("somebody",), watch.work, seconds)

    asyncio.run(all_of_them())


def test_what_was_held_up_once_stays_on_the_event_loop(playing: Playing, watch: Watch) -> None:
    table = a_table("connect_four")
    do(playing, watch, table, *[SLOW / 8] * 10, 8 * SLOW)
    assert not playing.is_large(table)


def test_what_usually_takes_long_leaves_the_event_loop_until_it_no_longer_does(playing: Playing, watch: Watch) -> None:
    table = a_table("connect_four")
    do(playing, watch, table, *[2 * SLOW] * 10)
    assert playing.is_large(table)
    do(playing, watch, table, *[SLOW / 8] * 10)
    assert not playing.is_large(table)


def test_what_takes_very_long_leaves_the_event_loop_at_once(playing: Playing, watch: Watch) -> None:
    table = a_table("connect_four")
    do(playing, watch, table, 100 * SLOW)
    assert playing.is_large(table)


def test_large_games_are_never_on_the_event_loop(playing: Playing) -> None:
    assert playing.is_large(a_table("game17"))
