"""One server for the tests of a module, and a client for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parlour.client import Client
from serving import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Starts a server that the test has for itself."""
    started: list[Server] = []

    def start() -> Server:
        started.append(Server(tmp_path))
        return started[-1].start()

    yield start
    for server in started:
        server.close()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client
