"""One server for the tests of a module, and a home where seats are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seats are kept here."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PYTHONUTF8", "1")
    return tmp_path / "state" / "parlour" / "seats"
