"""Worker processes, begun and ended; here they do nothing but what each test is about."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from uvicorn.config import STARTUP_FAILURE

from parlour.server import workers
from parlour.server.cluster.placement import Beats
from parlour.server.workers import Workers
from serving import until


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Signals go where they went before."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def serve(folder: str) -> None:
    """Go on until told to stop."""
    beats = Beats(Path(folder))
    while True:
        beats.note(0)
        (Path(folder) / f"began-{os.getpid()}").touch()
        time.sleep(0.05)


def never_stop(folder: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(folder)


def die(folder: str) -> None:
    (Path(folder) / f"began-{os.getpid()}").touch()
    os.kill(os.getpid(), signal.SIGKILL)


def began(folder: Path) -> list[int]:
    return [int(file.name.removeprefix("began-")) for file in folder.glob("began-*")]


def stop_once(folder: Path, count: int) -> None:
    """Tell this process to stop when so many workers have begun."""

    def wait() -> None:
        until(lambda: len(began(folder)) >= count)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def lives(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


def test_workers_end_when_the_server_is_told_to_stop(tmp_path: Path) -> None:
    stop_once(tmp_path, 2)
    assert Workers(2, Beats(tmp_path), serve, str(tmp_path)).run() == 0
    assert not [process for process in began(tmp_path) if lives(process)]


def test_a_worker_that_does_not_stop_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "STOPS_WITHIN", 0.5)
    stop_once(tmp_path, 1)
    assert Workers(1, Beats(tmp_path), never_stop, str(tmp_path)).run() == 0
    assert not [process for process in began(tmp_path) if lives(process)]


def test_a_server_none_of_whose_workers_can_begin_ends(tmp_path: Path) -> None:
    assert Workers(2, Beats(tmp_path), sys.exit, STARTUP_FAILURE).run() == 1


def test_a_worker_that_dies_is_begun_again_after_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One that dies each time as it begins does not keep the machine busy with beginning."""
    begun_at = list[float]()
    begin_missing = Workers._begin_missing

    def note(self: Workers) -> None:
        before = self._workers[0]
        begin_missing(self)
        if self._workers[0] is not before:
            begun_at.append(time.monotonic())

    monkeypatch.setattr(Workers, "_begin_missing", note)
    monkeypatch.setattr(workers, "PAUSES", (0.0, 0.1, 0.4))
    stop_once(tmp_path, 4)
    assert Workers(1, Beats(tmp_path), die, str(tmp_path)).run() == 0
    pauses = [later - earlier for earlier, later in pairwise(begun_at)]
    assert all(pause >= least for pause, least in zip(pauses, (0.1, 0.4, 0.4), strict=False))
    assert "has died (SIGKILL): another is begun" in caplog.text


def test_one_that_does_not_begin_in_time_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lives, but never says that it serves."""
    monkeypatch.setattr(workers, "BEGINS_WITHIN", 4.0)
    monkeypatch.setattr(workers, "PAUSES", (0.0,))
    other = tmp_path / "elsewhere"
    other.mkdir()
    stop_once(other, 2)
    assert Workers(1, Beats(tmp_path), serve, str(other)).run() == 0


def test_no_worker_is_to_blame_when_the_whole_machine_stands_still(tmp_path: Path) -> None:
    beats = Beats(tmp_path)
    beats.note(0)

    class Here:
        pid = os.getpid()

        def kill(self) -> None:
            raise AssertionError("it is ended")

    worker = workers._Worker(Here(), beats)  # type: ignore[arg-type]
    worker.look(0.25)
    worker.look(3600.0)  # no more time has passed for this process, either
    assert worker.has_begun
    assert not worker.is_still
    for _ in range(20):
        worker.look(0.25)
    assert worker.is_still
    beats.note(0)
    worker.look(0.25)
    assert not worker.is_still
