"""One browser and one server for all tests of a worker, and as many people as a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from browsing import PATIENCE, Crowd, crowd, launch
from serving import Place, Server

HERE = Path(__file__).parent
LONG = 3000.0  # seconds: no test lasts so long
_playwrights: list[asyncio.AbstractEventLoop] = []  # its event loop, while no test of the browser runs


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Playwright's event loop counts as running between its tests as well, where others run loops of their own."""
    if not item.path.is_relative_to(HERE):
        return (yield)
    asyncio._set_running_loop(_playwrights.pop() if _playwrights else None)
    try:
        return (yield)
    finally:
        if (loop := asyncio._get_running_loop()) is not None:
            _playwrights.append(loop)
            asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    running = launch(playwright)
    yield running
    running.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Nothing goes on at tables that tests have left.

    Else bots would take over there, and compile what they need in the one process in which all bots of the server
    think: on a busy machine those of a later test would wait for more than a minute.
    """
    running = Server(tmp_path_factory.mktemp("server"), grace=LONG).start()
    yield running
    running.close()


@pytest.fixture
def place(server: Server) -> Place:
    """The server's tables, as a program sees them: to set a scene quickly, and to check what came of it."""
    return server.place


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[Crowd]:
    with crowd(browser, server.url) as people:
        yield people
