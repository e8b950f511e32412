"""Who may talk to the server, how much, and what is made of what they say."""

from __future__ import annotations

import contextlib
import json
import socket as sockets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from litestar.exceptions import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from parlour.server.people import limits
from parlour.server.people.limits import BODY_BYTES, FRAME_BYTES, REPLAY_BYTES
from parlour.server.store.schema import TABLES
from serving import Build, House, Live, Place, Server, bearer, closed_with, mover, refused, until

Start = Callable[..., Server]


@pytest.fixture
def house(shared_house: House) -> House:
    """One for all: every test has tables of its own."""
    return shared_house


# Whose pages may talk to us.

BAD_ORIGINS = ["https://evil.example", "null", "http://testserver.local.evil.example", "http://[", "", "file://"]


def test_pages_of_others_may_post_nothing(build: Build) -> None:
    house = build()
    for origin in BAD_ORIGINS:
        answer = house.http.post("/api/tables", json={"game": "goose"}, headers={"origin": origin})
        refused(answer, "forbidden", 403, "pages of that site")
        assert house.http.get("/api/tables").json() == [], origin


@pytest.mark.parametrize("path", ["/api/lobby/live", "/api/tables/x/live"])
@pytest.mark.parametrize("origin", BAD_ORIGINS)
def test_pages_of_others_may_open_no_socket(house: House, path: str, origin: str) -> None:
    with house.http.websocket_connect(path, headers={"origin": origin}) as socket:
        bye = json.loads(socket.receive_text(timeout=5))
        assert (bye["type"], bye["code"]) == ("bye", "forbidden")
        with pytest.raises(WebSocketDisconnect):
            socket.receive(timeout=5)


def test_our_own_pages_and_those_allowed_may(build: Build) -> None:
    house = build(origins=["https://games.example"])
    for origin in ("https://games.example", "http://testserver.local"):
        headers = {"origin": origin, "host": "testserver.local"}
        assert house.http.post("/api/tables", json={"game": "goose"}, headers=headers).status_code == 201
        with house.http.websocket_connect("/api/lobby/live", headers=headers) as socket:
            assert json.loads(socket.receive_text(timeout=5))["type"] == "lobby"


def test_a_form_on_a_page_cannot_post(house: House) -> None:
    """What a form sends without asking first is not JSON."""
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
        answer = house.http.post("/api/tables", content=b'{"game": "goose"}', headers={"content-type": kind})
        if answer.status_code == 201:
            assert "access-control-allow-origin" not in answer.headers
            evil = {"content-type": kind, "origin": "https://evil.example"}
            assert house.http.post("/api/tables", content=b'{"game": "goose"}', headers=evil).status_code == 403


# By which name we are asked.


def asked_as(house: House, host: str) -> tuple[int, str]:
    """What a request and a socket are answered that ask for the server by this name."""
    with house.http.websocket_connect("/api/lobby/live", headers={"host": host}) as socket:
        told = json.loads(socket.receive_text(timeout=5))
    return house.http.get("/api/games", headers={"host": host}).status_code, told["type"]


OWN_NAMES = ["localhost:8017", "127.0.0.1:8017", "[::1]:8017", "[::ffff:10.0.0.1]", "192.168.1.7", "club-pc:8017"]
OWN_NAMES += ["club-pc.local:8017", "club-pc.lan", sockets.gethostname(), "LOCALHOST", ""]


def test_names_that_only_this_network_has_are_the_servers_own(house: House) -> None:
    assert {name: asked_as(house, name) for name in OWN_NAMES} == dict.fromkeys(OWN_NAMES, (200, "lobby"))


def test_a_name_of_somebody_else_that_leads_here_is_refused(house: House, build: Build) -> None:
    for name in ("evil.example", "127.0.0.1.evil.example:8017", "localhost.evil.example", "evil.example."):
        assert asked_as(house, name) == (403, "bye")
    answer = house.http.get("/api/games", headers={"host": "evil.example"})
    refused(answer, "forbidden", 403, "evil.example: whoever runs it can name it in 'hosts'")
    assert house.http.get("/healthz", headers={"host": "evil.example"}).status_code == 200
    named = build(hosts=["Games.example"], trust_proxy="127.0.0.1")
    assert asked_as(named, "games.example:443") == (200, "lobby")
    assert asked_as(named, "evil.example") == (403, "bye")
    settings: list[dict[str, Any]] = [{"trust_proxy": "127.0.0.1"}, {"hosts": ["*"]}, {"host": "games.example"}]
    for own in settings:
        assert asked_as(build(**own), "games.example") == (200, "lobby")


# What every answer says to browsers.


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/api/games"),
        ("GET", "/api/games/goose/rulebook"),
        ("GET", "/api/schema/openapi.json"),
        ("GET", "/healthz"),
        ("GET", "/metrics"),
        ("GET", "/nowhere"),
        ("GET", "/api/tables/nothing"),
        ("DELETE", "/api/games"),
        ("POST", "/api/tables"),
        ("OPTIONS", "/api/tables"),
    ],
)
def test_every_answer_has_the_security_headers(house: House, method: str, path: str) -> None:
    headers = house.http.request(method, path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers
    assert "set-cookie" not in headers


def test_a_bug_is_told_without_its_insides(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr("parlour.server.telling.views.game_view", broken)
    answer = house.http.get("/api/games")
    refused(answer, "bug", 500)
    assert "42" not in answer.text
    assert "content-security-policy" in answer.headers


# How much is too much.


def test_a_body_has_a_limit(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    large = {"cid": "1", "text": "x" * BODY_BYTES}
    refused(ann.do("chat", **large), "too_large", 413)
    refused(house.http.post("/api/tables", json={"game": "x" * BODY_BYTES}), "too_large", 413, "the body of this")
    refused(house.http.post("/api/tables"), "bad_request", 400, "the body is missing")
    refused(house.http.post("/api/replays", json={"game": "x" * REPLAY_BYTES}), "too_large", 413)
    assert house.http.post("/api/replays", json={"game": "x" * BODY_BYTES}).json()["code"] == "bad_request"


def address(server: Server, table: str) -> str:
    return f"ws://127.0.0.1:{server.port}/api/tables/{table}/live"


@pytest.mark.parametrize("body", ["[" * 5000, '{"a":' * 5000, '{"cid": ' + "[" * 5000])
def test_what_is_nested_too_deep_is_nonsense(house: House, body: str) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    for path in ("/api/replays", "/api/tables", f"/api/tables/{ann.table}/act"):
        refused(house.http.post(path, content=body, headers=bearer(ann.token)), "bad_request", 400)
    with ann.live() as live:
        live.wire.send(body)
        assert live.hear("reject")["code"] == "bad_request"


def test_a_frame_has_a_limit(shared_server: Server) -> None:
    table = shared_server.place.open()["table"]["id"]
    for text in ("x" * (FRAME_BYTES + 1), "ä" * (FRAME_BYTES // 2 + 1), '{"type": "hello", "x": "' + "y" * FRAME_BYTES):
        with connect(address(shared_server, table)) as socket:
            socket.send(text)
            assert closed_with(socket) == 1009
    with connect(address(shared_server, table)) as socket:
        with contextlib.suppress(ConnectionClosed):  # which may happen before the last fragment is on its way
            socket.send(["x" * FRAME_BYTES, "y"])  # the same in fragments
        assert closed_with(socket) == 1009


def test_binary_frames_are_nonsense(shared_server: Server) -> None:
    table = shared_server.place.open()["table"]["id"]
    with connect(address(shared_server, table)) as socket:
        socket.send(b"\x00\xff")
        assert json.loads(socket.recv(5))["code"] == "bad_request"
        assert closed_with(socket) == 4000


def test_nonsense_is_answered_and_then_ends_the_socket(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    with ann.live() as live:
        for _ in range(20):
            live.wire.send("nonsense")
        answers = [live.hear("reject", "bye") for _ in range(21)]
    assert {answer["code"] for answer in answers} == {"bad_request"}
    assert answers[-1]["type"] == "bye"


def test_a_wrong_message_is_named_by_its_cid(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    with ann.live() as live:
        live.say("act", cid="mine", ply="zero")
        answer = live.hear("reject")
        assert (answer["cid"], answer["code"]) == ("mine", "bad_request")
        assert "ply" in answer["message"]


@pytest.mark.parametrize(
    "first", [{"type": "ping"}, {"type": "act", "cid": "1", "ply": 0}, {"type": "hello", "version": 1}, {"type": "x"}]
)
def test_the_first_word_is_hello(house: House, first: dict[str, Any]) -> None:
    table = house.open()["table"]["id"]
    with house.connect(f"/api/tables/{table}/live") as wire:
        live = Live(wire)
        live.say(**first)
        assert live.hear("bye")["code"] == "bad_request"


def test_a_socket_for_no_table_is_told(house: House) -> None:
    with house.connect("/api/tables/nowhere/live") as wire:
        live = Live(wire)
        live.say("hello")
        assert live.hear("bye")["code"] == "not_found"


def test_a_seat_has_a_rate(build: Build) -> None:
    house = build(commands_per_second=2)
    ann, bob = house.table_of("Ann", "Bob")
    codes = [ann.do("act", ply=9, action=3).json()["code"] for _ in range(10)]
    assert codes == ["stale"] * 8 + ["too_fast"] * 2
    assert bob.do("act", ply=9, action=3).json()["code"] == "stale", "another seat has its own"
    with ann.live() as live:
        assert live.ask("act", ply=9, action=3)["code"] == "too_fast"
    time.sleep(0.6)
    assert ann.do("act", ply=9, action=3).json()["code"] == "stale"


def test_too_fast_is_no_last_word(build: Build) -> None:
    """A command that came too fast can be sent again, under its cid."""
    house = build(commands_per_second=1)
    ann, _ = house.table_of("Ann", "Bob")
    while ann.do("act", ply=9, action=3).status_code != 429:
        pass
    refused(ann.do("act", cid="mine", ply=0, action=3), "too_fast", 429)
    time.sleep(1.1)
    assert ann.must("act", cid="mine", ply=0, action=3)["ply"] == 1


def test_an_address_has_a_rate(build: Build) -> None:
    house = build(requests_per_second=3)
    answers = [house.http.get("/api/games").status_code for _ in range(14)]
    assert answers == [200] * 12 + [429] * 2
    with house.connect("/api/lobby/live") as wire:
        assert Live(wire).hear()["code"] == "too_fast"


def test_asking_for_the_whole_table_again_counts_as_a_request(build: Build) -> None:
    house = build(requests_per_second=5)
    table = house.open()["table"]["id"]
    with house.live(table) as live:
        for _ in range(25):
            live.say("hello")
        assert live.hear("reject")["code"] == "too_fast"


def test_an_address_has_so_many_tables_at_once(build: Build) -> None:
    """Those that have ended do not count, nor do those where nothing has happened for an hour."""
    house = build(tables_per_address=2)
    for _ in range(5):  # a club that ends its matches is never locked out
        ann, _ = house.table_of("Ann", "Bob")
        ann.must("resign")
    one, _ = house.open(), house.open()
    answer = house.http.post("/api/tables", json={"game": "goose"})
    refused(answer, "too_many", 429, "2 tables of your address")
    assert int(answer.headers["retry-after"]) >= 1
    refused(house.http.post("/api/pairings", json={"game": "mazerunner"}), "too_many", 429, "2 tables")
    still = TABLES.update().where(TABLES.c.id == one["table"]["id"]).values(changed=time.time() - 3700)
    with house.services.store.engine.begin() as connection:
        connection.execute(still)
    house.open()


def test_many_who_open_tables_at_once_get_no_more_than_one_after_another(build: Build) -> None:
    """What was written together with it counts, too."""
    house = build(tables_per_address=3, requests_per_second=1000)
    client = house.http

    def open_one(_: int) -> int:
        return client.post("/api/tables", json={"game": "goose"}).status_code

    with ThreadPoolExecutor(12) as threads:
        assert sorted(threads.map(open_one, range(12))) == [201] * 3 + [429] * 9


def test_a_rematch_counts_as_a_table(build: Build) -> None:
    house = build(tables_per_address=2)
    ann, bob = house.table_of("Ann", "Bob")
    house.open()
    ann.must("resign")
    house.open()
    refused(bob.do("rematch"), "too_many", 429, "2 tables of your address")


def test_an_address_opens_so_many_tables_in_an_hour(build: Build) -> None:
    house = build(tables_per_hour=3)
    for _ in range(3):
        ann, _ = house.table_of("Ann", "Bob")
        ann.must("resign")
    refused(house.http.post("/api/tables", json={"game": "goose"}), "too_fast", 429, "tables")
    refused(ann.do("rematch"), "too_fast", 429, "tables")


def test_asking_for_a_rematch_too_early_costs_the_others_nothing(build: Build) -> None:
    """It is their address that the rematch would count for."""
    house = build(tables_per_hour=2)
    ann, bob = house.table_of("Ann", "Bob")
    for _ in range(5):
        refused(bob.do("rematch"), "not_over", 409)
    ann.must("resign")
    ann.must("rematch")


def test_a_table_s_log_has_an_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever fills it can still end the match, and nothing else."""
    ann, bob = house.table_of("Ann", "Bob")
    full = house.services.rooms.in_memory[ann.table].table.number
    monkeypatch.setattr(limits, "TABLE_ENTRIES", full)
    more: dict[str, dict[str, Any]] = {"chat": {"text": "x"}, "undo": {"ply": 0}, "start": {}, "bots": {"seat": 1}}
    for what, body in more.items():
        refused(ann.do(what, **body), "too_large", 413, "open another table")
    refused(house.http.post(f"/api/tables/{ann.table}/renew", headers=bearer(ann.token)), "too_large", 413)
    refused(house.http.post(f"/api/tables/{ann.table}/sit", json={"name": "Cid"}), "too_large", 413)
    mover([ann, bob]).must("act", ply=0, action=0)
    bob.must("resign")
    bob.must("rematch")


@pytest.mark.parametrize("limit", ["sockets", "sockets_per_address", "sockets_per_network"])
def test_there_are_so_many_sockets(build: Build, limit: str) -> None:
    house = build(**{limit: 2})
    table = house.open()["table"]["id"]
    with house.live(table):
        with house.live(table):
            for path in ("/api/lobby/live", f"/api/tables/{table}/live"):
                with house.connect(path) as wire:
                    assert Live(wire).hear()["code"] == "too_many"
        until(lambda: house.services.limits.sockets.total() == 1)
        with house.live(table):
            pass
    until(lambda: house.services.limits.sockets.total() == 0)


def test_who_does_not_read_is_dropped(shared_server: Server) -> None:
    """Others go on, and what waits for the one that does not read is bounded."""
    place = shared_server.place
    ann, bob = place.table_of("Ann", "Bob", game="choccer")
    raw = sockets.create_connection(("127.0.0.1", shared_server.port))
    with (
        connect(address(shared_server, ann.table), sock=raw, max_queue=1, compression=None) as deaf,
        bob.live() as live,
    ):
        hello = '{"type": "hello", "pictures": true}'
        deaf.send(hello)
        until(lambda: _watching(place, ann.table) == 1)
        asked = 0
        while _watching(place, ann.table) == 1:
            assert asked < 10_000, "as much as it likes waits for it"
            for _ in range(200):
                deaf.send(hello)  # each is answered with the whole board
            asked += 200
        assert live.ask("chat", text="still here")["type"] == "ack"
        raw.shutdown(sockets.SHUT_RDWR)


def _watching(place: Place, table: str) -> int:
    with place.live(table) as probe:
        return int(probe.hear("presence")["watching"]) - 1


def test_who_says_nothing_is_shown_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.api.live.HELLO_WITHIN", 0.1)
    table = house.open()["table"]["id"]
    with house.connect(f"/api/tables/{table}/live") as wire:
        assert Live(wire).hear()["type"] == "bye"


# What is made of what they say.


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  Ann \t Smith ", "Ann Smith"),
        ("An\u202en\u2066a\u2069", "Anna"),
        ("An\u200bn\x00a\x07\x1b", "Anna"),
        ("Ann\nBob", "Ann Bob"),
        ("<b>Ann</b>", "<b>Ann</b>"),
        ("Åsa", "Åsa"),
        ("نورا", "نورا"),
    ],
)
def test_names_and_chat_are_one_plain_line(house: House, given: str, shown: str) -> None:
    seat = house.sit(house.open()["table"]["id"], given)
    assert house.view(seat.table)["seats"][0]["name"] == shown
    seat.must("chat", text=given)
    assert house.view(seat.table)["chat"][0]["text"] == shown
    answer = house.http.get(f"/api/tables/{seat.table}")
    assert answer.headers["content-type"].startswith("application/json"), "no browser takes it for HTML"


@pytest.mark.parametrize(
    ("names", "code"),
    [(["   ", "\u200b\u202e", "x" * 25, "x" * 300], "bad_name"), (["", "x" * 301, 5, None], "bad_request")],
)
def test_a_name_is_neither_empty_nor_long(house: House, names: list[object], code: str) -> None:
    table = house.open()["table"]["id"]
    for name in names:
        refused(house.http.post(f"/api/tables/{table}/sit", json={"name": name}), code, 400)


def test_names_in_pictures_stay_text(house: House) -> None:
    seats = house.table_of("<script>x", "&amp;", game="choccer")
    picture = house.http.get(f"/api/tables/{seats[0].table}/picture").text
    view = seats[0].view(pictures=True)
    for drawn in (picture, view["backdrop"], view["position"]["scene"]):
        assert "<script" not in drawn


def test_tokens_are_never_in_addresses(shared_server: Server) -> None:
    """A token in the query is not read, so that nobody gets used to putting it there."""
    ann, _ = shared_server.place.table_of("Ann", "Bob")
    answer = httpx.post(
        f"{shared_server.url}/api/tables/{ann.table}/act?token={ann.token}", json={"cid": "1", "ply": 0, "action": 3}
    )
    refused(answer, "unauthorised", 401)
    assert ann.token not in shared_server.place.http.get(f"/api/tables/{ann.table}", headers=bearer(ann.token)).text


def test_a_client_that_vanishes_leaves_nothing_behind(build: Build) -> None:
    house = build()
    table = house.open()["table"]["id"]
    for _ in range(5):
        with house.live(table):
            pass
    until(lambda: not house.services.rooms.in_memory[table].presence.listeners)
    assert house.services.limits.sockets.total() == 0


def test_a_closed_socket_is_closed(shared_server: Server) -> None:
    table = shared_server.place.open()["table"]["id"]
    with connect(address(shared_server, table)) as socket:
        socket.send('{"type": "hello", "token": "wrong"}')
        assert json.loads(socket.recv(5))["code"] == "unauthorised"
        with pytest.raises(ConnectionClosed):
            socket.recv(5)
        assert socket.close_code == 4000
