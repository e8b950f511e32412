"""Large bodies: replay files that somebody sends, to have them shown. Nobody else waits for them."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest
from litestar import Request

import parlour
from parlour.engine import diagram, registry, replay
from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal
from parlour.server.people.limits import REPLAY_BYTES, RateLimits
from parlour.server.telling import foreign
from parlour.server.telling.drawing import BODIES, BODIES_PER_ADDRESS, Drawing
from serving import Build, House, refused

PATHS = ["", "/summary", "/chances"]


def saved(seed: int = 5) -> str:
    match = parlour.new("choccer", seed=seed)
    match.play(match.legal()[0])
    return replay.dumps(match)


@pytest.mark.parametrize("path", PATHS)
def test_who_has_had_too_much_drawn_is_refused_before_the_body_is_read(
    build: Build, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    house = build(drawing_per_second=0.001)
    read = list[bool]()
    stream = Request.stream

    def reads(request: Any) -> Any:
        read.append(True)
        return stream(request)

    monkeypatch.setattr(Request, "stream", reads)
    assert house.http.post(f"/api/replays{path}", content=saved()).status_code in (200, 404)
    assert read.pop()
    house.services.limits.drawing.charge("testclient", 1000)
    refused(house.http.post(f"/api/replays{path}", content=saved()), "too_fast", 429)
    assert not read


@pytest.mark.parametrize("path", PATHS)
def test_a_body_is_decoded_off_the_event_loop_and_counts(
    build: Build, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    house = build(drawing_per_second=0.001)
    threads, reading = list[str](), foreign.read

    def read(text: bytes) -> Any:
        threads.append(threading.current_thread().name)
        return reading(text)

    monkeypatch.setattr(foreign, "read", read)
    refused(house.http.post(f"/api/replays{path}", content=b'{"a":[' + b"[]," * 100_000 + b"0]}"), "bad_request", 400)
    assert threads == ["drawing_0"]
    _, earned, now = house.services.limits.drawing._find("testclient")
    assert earned > now, "it has to be earned back"


def test_so_many_bodies_are_held_at_once() -> None:
    """Of one address, and of all together."""

    class Slow:
        async def body(self) -> bytes:
            await asyncio.sleep(3600)
            return b""

    async def send() -> list[str]:
        drawing = Drawing(RateLimits(Config()))

        async def one(address: str) -> str:
            try:
                await asyncio.wait_for(drawing.of_body(Slow(), address, len), 0.2)
            except Refusal as refusal:
                return refusal.code
            except TimeoutError:
                return "held"
            return ""

        first = await asyncio.gather(*(one("10.0.0.1") for _ in range(BODIES_PER_ADDRESS + 1)))
        many = await asyncio.gather(*(one(f"10.0.1.{number}") for number in range(BODIES + 1)))
        drawing.close()
        return [*first, *many, *(await asyncio.gather(one("10.0.0.1")))]

    held = ["held"] * BODIES_PER_ADDRESS
    assert asyncio.run(send()) == [*held, "too_fast", *["held"] * BODIES, "busy", "held"]


@pytest.mark.parametrize("seed", [2**53 + 1, 2**64 + 1, 2**128 - 1])
@pytest.mark.parametrize("path", ["", "/summary"])
def test_a_seed_is_what_the_file_says(house: House, seed: int, path: str) -> None:
    """However large it is: a file with another seed is another match."""
    match = diagram.played(registry.get("goose"), 2, seed, 12)
    found = house.http.post(f"/api/replays{path}", content=replay.dumps(match)).json()
    assert found["scores" if path else "names"] == (match.scores if path else match.names)
    if not path:
        assert found["frames"][-1]["scores"] == match.scores


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/octet-stream", ""])
def test_the_file_is_taken_as_it_is(house: House, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}
    found = house.http.post("/api/replays", content=saved(2**60).encode(), headers=headers)
    assert found.json()["plies"] == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b'{"parlour": 1, "game": "\xff"}',
        b'{"diffs": "\xff", "owners": []}',
        b"[]",
        b'"parlour"',
        b'{"diffs": ' + b"[" * 5000,
        b'{"diffs": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        json.dumps({"diffs": [], "owners": 1}).encode(),
        b'{"parlour": 1' + b"0" * 5000 + b"}",
    ],
    ids=range(10),
)
@pytest.mark.parametrize("path", PATHS)
def test_what_is_no_replay_is_refused_in_one_line(house: House, body: bytes, path: str) -> None:
    answer = house.http.post(f"/api/replays{path}", content=body)
    refused(answer, "bad_request", 400)
    assert "\n" not in answer.json()["message"]


def test_what_is_larger_than_a_megabyte_is_refused(house: House) -> None:
    refused(house.http.post("/api/replays", content=b" " * (REPLAY_BYTES + 1)), "too_large", 413)
