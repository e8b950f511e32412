"""Whatever number or text comes from outside, no database is asked for what it cannot take."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints
from urllib.parse import quote

import pytest
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from databases import Postgres
from parlour.server.api import access
from serving import Build, House, new_cid

TOKEN = "a token of twenty signs"
NUMBERS = [-1, 2**31, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, "9" * 5000, "1e309", "-1e308", "nan", "inf", "0x1"]
TEXTS = ["\x00", "a\x00b", "x" * 3000, "%", ""]
IN_JSON = [*NUMBERS[:7], 1e308, -1e308, 1.5, True, None, [], {}, "\x00", "a\x00b", "x" * 3000]
KNOWN = {"game": "choccer", "step": 0, "number": 0, "code": "K7M4XQ", "name": "x", "path": "x"}
NEEDED: dict[str, dict[str, Any]] = {"explain": {"name": "x"}, "why-not": {"tried": "x"}}


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, build: Build) -> House:
    if request.param == "sqlite":
        return build(admin_token=TOKEN)
    cluster: Postgres = request.getfixturevalue("postgres")
    return build(admin_token=TOKEN, database=cluster.new_database())


def handlers(house: House) -> Iterator[tuple[str, HTTPRouteHandler]]:
    """What answers a GET, with its path."""
    for route in house.http.app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if "GET" in handler.http_methods and not route.path_format.endswith("/backup"):
                    yield route.path_format, handler


def parameters(handler: HTTPRouteHandler) -> set[str]:
    """The names of what can be asked for, and of more: others are passed over."""
    names = set(handler.parsed_fn_signature.parameters)
    return names | set(get_type_hints(access.provide_filter)) | {"state"} if "wanted" in names else names


def test_no_question_is_too_much(house: House) -> None:
    table = house.table_of("Ann", "Bob", game="choccer")[0]
    failed = {}
    value: Any
    for path, handler in handlers(house):
        token = TOKEN if "/admin" in path else table.token if "/tables/{" in path else None
        headers = {"authorization": f"Bearer {token}"} if token else {}
        needed = NEEDED.get(path.rpartition("/")[2], {})
        for name, value in itertools.product(parameters(handler), NUMBERS + TEXTS):
            if f"{{{name}}}" in path and value != "":
                places = {**KNOWN, "table_id": table.table, name: value}
                asked = path.format(**{key: quote(str(part), safe="") for key, part in places.items()})
                answer = house.http.get(asked, params=needed, headers=headers)
            else:
                asked = path.format(**KNOWN, table_id=table.table)
                answer = house.http.get(asked, params={**needed, name: value}, headers=headers)
            if answer.status_code >= 500:
                failed[f"{asked} {name}={str(value)[:40]!r}"] = answer.text
    assert not failed


def numbers(handler: HTTPRouteHandler) -> list[str]:
    """The names of the numbers among what can be asked for."""
    hints = {name: found.annotation for name, found in handler.parsed_fn_signature.parameters.items()}
    return [name for name, hint in hints.items() if {int, float} & {hint, *get_args(hint)}]


def test_every_number_has_bounds(house: House) -> None:
    table = house.table_of("Ann", "Bob", game="choccer")[0]
    checked, unbounded = 0, list[str]()
    for path, handler in handlers(house):
        for name in numbers(handler):
            if f"{{{name}}}" in path or name == "watcher":
                continue
            token = TOKEN if "/admin" in path else table.token
            for value in (2**63, -(2**63) - 1, "nan", "inf", "1e308"):
                asked = path.format(**KNOWN, table_id=table.table)
                query = {**NEEDED.get(path.rpartition("/")[2], {}), name: value}
                answer = house.http.get(asked, params=query, headers={"authorization": f"Bearer {token}"})
                checked += 1
                if answer.status_code != 400:
                    unbounded.append(f"{asked} {name}={value}: {answer.status_code}")
    assert not unbounded
    assert checked >= 40


def bodies(table: str) -> dict[str, dict[str, Any]]:
    """What can be sent where; all that is left out is text of a kind that is here."""
    command = {"cid": "c1"}
    clock = {"kind": "turn", "seconds": 60, "increment": 1}
    wish = {"game": "goose", "seats": 2, "options": {"maze": 30}, "bots": {"1": "random"}, "clock": clock, "grace": 10}
    at = f"/api/tables/{table}/"
    return {
        "/api/tables": {**wish, "name": "Ann"},
        "/api/pairings": {**wish, "bots": {}},
        f"{at}act": {**command, "ply": 0, "action": 1, "text": "x", "actions": [1]},
        f"{at}undo": {**command, "ply": 0},
        f"{at}bots": {**command, "seat": 1, "bot": "random"},
        f"{at}chat": {**command, "text": "x"},
        f"{at}sit": {"name": "Eve", "seat": 1, "nonce": "x", "invite": "x", "token": "x" * 32},
        "/api/games/choccer/lesson/0": {"action": 1, "text": "x"},
        "/api/replays": {
            "parlour": 1,
            "game": "goose",
            "rules": 1,
            "seats": 2,
            "options": {},
            "seed": 7,
            "actions": [0],
        },
        "/api/admin/ban": {"kind": "name", "value": "zed", "seconds": 10, "why": "x"},
        "/api/admin/unban": {"kind": "name", "value": "zed"},
        "/api/admin/close": {"table": "x", "text": "x"},
        "/api/admin/delete": {"table": "x"},
        "/api/admin/export": {"name": "x", "table": "x"},
        "/api/admin/forget": {"name": "x", "table": "x"},
        "/api/admin/maintenance": {"message": "x"},
    }


def spoilt(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The body with one thing in it that is something else."""
    for key, value in body.items():
        for odd in IN_JSON:
            yield {**body, key: odd}
            if isinstance(value, list):
                yield {**body, key: [odd]}
        if isinstance(value, dict):
            yield from ({**body, key: inner} for inner in spoilt(value))
            yield {**body, key: {"\x00": 1}}


def test_nothing_that_is_sent_is_too_much(house: House) -> None:
    seat = house.table_of("Ann", "Bob", game="choccer")[0]
    failed = {}
    for path, body in bodies(seat.table).items():
        token = TOKEN if "/admin" in path else seat.token if "/tables/" in path else None
        headers = {"authorization": f"Bearer {token}"} if token else {}
        for one in spoilt(body):
            sent = {**one, "cid": new_cid()} if one.get("cid") == "c1" else one
            answer = house.http.post(path, content=json.dumps(sent), headers=headers)
            if answer.status_code >= 500:
                failed[f"{path} {str(one)[:200]}"] = answer.text
    assert not failed
