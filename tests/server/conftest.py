"""Fixtures for the server: in this process, where that shows all; as a program of its own, where it does not."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from litestar.testing import TestClient

from databases import Postgres, Redis
from parlour.server.app import make_app
from parlour.server.basics import steady
from parlour.server.basics.config import Config
from parlour.server.bots import jobs as bot_jobs
from parlour.server.running import services
from parlour.server.store import engine as engines
from serving import ROOMY, Build, House, Server


@pytest.fixture(scope="session", autouse=True)
def warm_bot() -> None:
    """The bot of most tests has its search compiled, so that none of them waits for that."""
    bot_jobs.warm("connect_four", "mcts:2")


@pytest.fixture(scope="session", autouse=True)
def fresh_metrics() -> None:
    """In this process, what is counted is told at once."""
    services.EXPOSE_EVERY = 0.0


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables and nothing in them: to copy it takes less time than to make it."""
    file = tmp_path_factory.mktemp("empty") / "empty.sqlite"
    engines.migrate(engine := engines.connect(f"sqlite:///{file}"))
    engine.dispose()
    return file


@pytest.fixture
def build(tmp_path: Path, empty_database: Path) -> Iterator[Build]:
    """Opens houses with settings of one's own; ``database`` names a file that outlives the house."""
    numbers = itertools.count()
    with contextlib.ExitStack() as stack:

        def opened(**settings: Any) -> House:
            file = shutil.copy(empty_database, tmp_path / f"house{next(numbers)}.sqlite")
            config = Config(**{"database": f"sqlite:///{file}", **ROOMY, **settings})
            return House(stack.enter_context(TestClient(make_app(config))))

        yield opened


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clocks of servers stand still but for what a test lets pass: what they say is exact on any machine."""
    now = time.monotonic()
    monkeypatch.setattr(steady, "time", SimpleNamespace(time=lambda: time.time(), monotonic=lambda: now))


@pytest.fixture
def house(build: Build) -> House:
    """A server in this process, with an empty database."""
    return build()


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server in this process for all tests of a module."""
    file = tmp_path_factory.mktemp("house") / "shared.sqlite"
    settings: dict[str, Any] = {"database": f"sqlite:///{file}", **ROOMY}
    with TestClient(make_app(Config(**settings))) as client:
        yield House(client)


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server in a process of its own for all tests of a module."""
    server = Server(tmp_path_factory.mktemp("server")).start()
    yield server
    server.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers as programs of their own."""
    started: list[Server] = []

    def start(*flags: str, **more: Any) -> Server:
        started.append(Server(tmp_path, *flags, **more))
        return started[-1].start()

    yield start
    for server in started:
        server.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with tempfile.TemporaryDirectory(prefix="parlour-postgres-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # its user has to get there
        cluster = Postgres(Path(folder)).start()
        yield cluster
        cluster.stop()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path).start()
    yield server
    server.stop()
