"""A server as a stranger finds it, and somebody who tries to stop it for others. All of it on 127.0.0.1."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from attacker import STRICT, Attacker
from serving import Server

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server, with all limits as they are where nothing is set."""
    server = Server(tmp_path_factory.mktemp("guarded"), **STRICT).start()
    yield server
    server.close()


@pytest.fixture
def attacker(guarded: Server) -> Iterator[Attacker]:
    """With an address of its own in each test, so that no test suffers for what another did."""
    number = next(_numbers)
    found = Attacker(guarded, f"127.1.{number // 250}.{number % 250 + 1}")
    yield found
    found.leave()
