"""docs/protocol.md is the protocol: every message, request, code and entry is there, and every example is one."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from parlour.client import Client
from parlour.protocol import STATUS, AnyEntry, Command, commands, messages, views
from parlour.protocol.entries import Entry
from parlour.server.app import make_app
from parlour.server.basics.config import Config
from serving import Server

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", PAGE, flags=re.M | re.S))
TYPES = [
    kind
    for module in (commands, messages, views)
    for kind in vars(module).values()
    if inspect.isclass(kind)
    and issubclass(kind, msgspec.Struct)
    and kind.__module__ == module.__name__
    and kind is not Command
]
OTHER_TITLES = {"HintAnswer": "hint of the server"}  # both a command and its answer are called hint


def title(kind: type[msgspec.Struct]) -> str:
    return OTHER_TITLES.get(kind.__name__) or str(kind.__struct_config__.tag or kind.__name__)


def examples(section: str) -> list[dict[str, Any]]:
    """The objects in the section's block, one after another."""
    (block,) = re.findall(r"^```json\n(.*?)^```$", SECTIONS[section], flags=re.M | re.S)
    found, rest = [], block.strip()
    while rest:
        example, end = json.JSONDecoder().raw_decode(rest)
        found.append(example)
        rest = rest[end:].strip()
    return found


def filled(value: Any) -> Any:
    """The example with examples of other types where it names them."""
    if isinstance(value, dict):
        return {key: filled(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner) for inner in value]
    if isinstance(value, str) and value in {kind.__name__ for kind in TYPES}:
        return filled(examples(value)[0])
    return value


def test_every_section_is_a_message_and_every_message_has_one() -> None:
    assert set(SECTIONS) == {title(kind) for kind in TYPES}


@pytest.mark.parametrize("kind", TYPES, ids=title)
def test_every_example_is_one_and_shows_every_field(kind: type[msgspec.Struct]) -> None:
    shown: set[str] = set()
    for example in examples(title(kind)):
        msgspec.json.decode(msgspec.json.encode(filled(example)), type=kind)
        assert set(example) <= {*kind.__struct_fields__, *(["type"] if kind.__struct_config__.tag else [])}
        shown |= set(example) - {"type"}
    assert shown == set(kind.__struct_fields__)


@pytest.mark.parametrize("kind", get_args(AnyEntry), ids=lambda kind: str(kind.__struct_config__.tag))
def test_every_part_of_an_entry_is_told(kind: type[Entry]) -> None:
    table = PAGE[PAGE.index("## Entries") : PAGE.index("## Refusals")]
    tag = str(kind.__struct_config__.tag)
    (row,) = [row for row in table.splitlines() if row.startswith("|") and f"`{tag}`" in row.split("|")[1]]
    told = set(kind.__struct_fields__) - set(Entry.__struct_fields__) - set(kind.HIDDEN)
    assert {name for name in told if f"`{name}`" not in row} == set()


def test_every_request_is_there_and_no_other(tmp_path: Path) -> None:
    paths = make_app(Config(database=f"sqlite:///{tmp_path}/none.sqlite")).openapi_schema.paths or {}
    known = {
        f"{method.upper()} {path}"
        for path, item in paths.items()
        for method in ("get", "post", "put", "patch", "delete")
        if getattr(item, method)
    }
    assert set(re.findall(r"^\| `((?:GET|POST) \S+)` \|", PAGE, flags=re.M)) == known


def test_every_query_parameter_is_there(tmp_path: Path) -> None:
    paths = make_app(Config(database=f"sqlite:///{tmp_path}/none.sqlite")).openapi_schema.paths or {}
    rows = dict(re.findall(r"^\| `(GET \S+|POST \S+)` \| (.*) \|$", PAGE, flags=re.M))
    for path, item in paths.items():
        for method in ("get", "post"):
            for parameter in getattr(getattr(item, method), "parameters", None) or []:
                if parameter.param_in == "query":
                    assert re.search(rf"`{parameter.name}\b", rows[f"{method.upper()} {path}"]), (path, parameter.name)


def test_every_refusal_is_there_with_its_status() -> None:
    assert {code: int(status) for code, status in re.findall(r"^\| `(\w+)` \| (\d{3}) \|", PAGE, flags=re.M)} == STATUS


def test_every_kind_of_entry_is_there() -> None:
    table = PAGE[PAGE.index("## Entries") : PAGE.index("## Refusals")]
    shown = {kind for row in re.findall(r"^\| (`.*?) \|", table, flags=re.M) for kind in re.findall(r"`(\w+)`", row)}
    assert shown == {str(kind.__struct_config__.tag) for kind in get_args(AnyEntry)}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path).start()
    yield running
    running.close()


def test_the_program_runs(server: Server) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.M | re.S)
    program = program.replace("http://localhost:8017", server.url).replace("mcts:2", "random")
    exec(compile(textwrap.dedent(program), "protocol.md", "exec"), {})
    with Client(server.url) as client:
        assert [line.names[0] for line in client.tables("over")] == ["Ada"]
