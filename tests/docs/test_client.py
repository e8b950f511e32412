"""docs/client.md: every program there runs, and every public name of the client is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour import client
from serving import Server

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.M | re.S)
SHELLS = (client.Client, client.Seat, client.AsyncClient, client.AsyncSeat)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.close()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.splitlines()[-1].strip())
def test_every_program_runs(program: str, server: Server) -> None:
    changed = program.replace("http://localhost:8017", server.url).replace("mcts:2", "random")
    exec(compile(changed, "client.md", "exec"), {})


def test_every_public_name_is_explained_and_has_an_example() -> None:
    code = "\n".join(PROGRAMS)
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.M | re.S)
    for name in client.__all__:
        assert re.search(rf"`(client\.|seat\.)?{name}\b", prose), f"{name} is not explained"
    shown = {name for name in client.__all__ if re.search(rf"\b{name}\b", code)}
    made_by_others = {"AsyncSeat", "Link", "Message", "Proof", "Seat"}  # sit, read_link, events, seat.proof, sit
    assert shown == set(client.__all__) - made_by_others


def test_every_method_is_named() -> None:
    for shell in SHELLS:
        methods = [name for name in vars(shell) if not name.startswith("_")]
        inner = {"ask", "carry_out", "close", "server", "client", "seat"}
        assert [name for name in methods if name not in inner and f"{name}" not in PAGE] == []


def test_every_public_name_has_a_docstring() -> None:
    for name in client.__all__:
        part = getattr(client, name)
        if name != "Message":  # a union of types, which has none
            assert (part.__doc__ or "").strip(), name
    for shell in SHELLS:
        for name, part in vars(shell).items():
            if not name.startswith("_"):
                assert (part.__doc__ or "").strip(), f"{shell.__name__}.{name}"
