"""What calls cost: working and sleeping count, waiting for a core does not."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from game17.clock import Stopwatch


@pytest.fixture
def watch() -> Stopwatch:
    return Stopwatch(os.getpid())


def test_sleeping_is_no_way_out(watch: Stopwatch) -> None:
    """A busy machine may take some of the time that passes for waiting, but hardly half of it."""
    watch.start()
    time.sleep(0.2)
    assert 0.1 < watch.stop() < 10


def test_work_counts_whatever_else_happens(watch: Stopwatch) -> None:
    watch.start()
    began = time.process_time()
    while time.process_time() - began < 0.05:
        pass
    assert 0.05 <= watch.stop() < 10


def test_waiting_for_a_core_is_left_out(watch: Stopwatch, monkeypatch: pytest.MonkeyPatch) -> None:
    waited = watch._wait()
    monkeypatch.setattr(watch, "_wait", lambda: waited + 150_000_000)
    watch.start()
    time.sleep(0.2)
    first = watch.stop()
    watch.start()
    time.sleep(0.2)
    assert first < watch.stop() - 0.05, "the same wait is left out only once"


def test_the_clock_of_a_process_that_has_ended() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    watch = Stopwatch(process.pid)
    watch.start()
    process.communicate(b"\n")
    assert 0 < watch.stop() < 60
    watch.close()


def test_a_process_that_ends_while_the_watch_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> bytes:
        raise ProcessLookupError

    monkeypatch.setattr(os, "pread", gone)
    Stopwatch(os.getpid()).close()
