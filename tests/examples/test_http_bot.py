"""The example of a bot that needs nothing but HTTP."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.client import Client
from serving import Server

FILE = Path(__file__).parents[2] / "examples" / "http_bot.py"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path, commands_per_second=10, requests_per_second=50).start()  # as it usually is
    yield running
    running.close()


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, str(FILE), *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_opens_a_table_or_joins_one_and_plays_to_the_end(server: Server) -> None:
    assert run(server.url, "connect_four", "random").strip()
    with Client(server.url) as client:
        (line,) = client.tables("over", name="http bot")
        assert line.phase == "over"
        table = client.open_table("choccer", bots={0: "random"}).table.id
        told = run(server.url, "--table", table)
        view = client.table(table)
        assert (view.phase, view.seats[1].name) == ("over", "http bot")
        assert view.ending is not None
        assert told.strip() == view.ending.text


def test_a_refusal_is_one_line(server: Server) -> None:
    done = subprocess.run(
        [sys.executable, str(FILE), server.url, "nothing", "random"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "there is no game 'nothing'" in done.stderr


def test_it_is_short_and_imports_nothing_that_python_does_not_have() -> None:
    source = FILE.read_text("utf-8")
    assert len(source.splitlines()) <= 60
    modules = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert modules <= set(sys.stdlib_module_names)
