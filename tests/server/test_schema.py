"""The OpenAPI document is true: whatever is sent by its rules, the answers are what it says, and none is a failure."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from litestar.serialization import encode_json
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from parlour.server.app import make_app
from parlour.server.basics.config import Config
from serving import Seat, Server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def seats(shared_server: Server) -> list[Seat]:
    """A table that is played at, one that is open and one that is over."""
    place = shared_server.place
    playing, over = place.table_of("Ann", "Bob", game="goose")[0], place.table_of("Ann", "Bob")[0]
    (waiting,) = place.table_of("Ann", game="goose", seats=3)
    over.must("resign")
    return [playing, over, waiting]


# As it is served, in JSON.
schema = schemathesis.openapi.from_dict(json.loads(encode_json(make_app(Config()).openapi_schema.to_schema())))


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_are_what_the_document_says(case: Any, shared_server: Server, seats: list[Seat]) -> None:
    made_up = (case.path_parameters or {}).get("table")
    if made_up is not None and len(made_up) % 4:  # of four requests, three are about tables that there are
        seat = seats[len(made_up) % 4 - 1]
        case.path_parameters["table"] = seat.table
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {seat.token}"}
    if case.query and "wait" in case.query:
        case.query["wait"] = 0
    case.call_and_validate(base_url=shared_server.url, checks=CHECKS)


def test_the_document_tells_of_everything(shared_server: Server) -> None:
    paths = shared_server.place.http.get("/api/schema/openapi.json").json()["paths"]
    assert len(paths) >= 20
    for path, methods in paths.items():
        for operation in methods.values():
            assert operation["summary"], path
            assert {"400", "404", "429", "503"} <= operation["responses"].keys(), path
