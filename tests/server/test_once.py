"""What is acknowledged has happened, once, and will not be lost."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Any

import httpx
import pytest

from parlour.engine import fair
from parlour.server.basics.errors import StoreFailed
from parlour.server.rooms import proposals
from parlour.server.store import Append
from serving import Build, House, Seat, Server, bearer, mover, new_cid, play_out, refused

Start = Callable[..., Server]


def test_a_repeated_command_gets_its_first_answer(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    first = ann.must("act", cid="one", ply=0, action=3)
    bob.must("act", ply=1, action=3)
    assert ann.must("act", cid="one", ply=0, action=3) == first
    assert ann.must("act", cid="one", ply=2, action=5) == first, "it is the cid that counts"
    with ann.live() as one, ann.live() as two:
        for live in (one, two):
            answer = live.ask("act", cid="one", ply=0, action=3)
            assert answer == first
    assert [entry["kind"] for entry in house.log(ann.table)] == ["sit", "sit", "start", "act", "act"]


def test_the_same_cid_of_another_seat_is_another_command(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    ann.must("act", cid="one", ply=0, action=3)
    assert bob.must("act", cid="one", ply=1, action=3)["ply"] == 2


def test_a_refusal_is_repeated_too(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    refused(bob.do("act", cid="early", ply=1, action=3), "stale", 409)
    ann.must("act", ply=0, action=3)
    refused(bob.do("act", cid="early", ply=1, action=3), "stale", 409, "ply 0")
    bob.must("act", cid="now", ply=1, action=3)


@pytest.mark.parametrize("what", ["act", "undo", "chat", "draw", "resign", "leave", "bots", "start", "back"])
def test_every_command_happens_once(house: House, what: str) -> None:
    """Each is sent twice at once, from several threads, and again later."""
    body, ann = prepared(house, what)
    cid, answers = new_cid(), []

    def send() -> None:
        answers.append(ann.do(what, cid=cid, **body).json())

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    send()
    assert all(answer == answers[0] for answer in answers)
    assert [answer.get("cid") for answer in answers].count(cid) >= 1, answers
    kind = {"bots": "bot", "draw": "offer"}.get(what, what)
    assert [entry["kind"] for entry in house.log(ann.table)].count(kind) == 1


OWN = "a-token-of-our-own_0123456789abcdef"


def ask_for_seat(house: House, table: str, **wish: str) -> httpx.Response:
    return house.http.post(f"/api/tables/{table}/sit", json=wish)


def test_who_asks_again_for_a_seat_has_the_same_one(house: House) -> None:
    """The answers were lost: before the match, and when it had begun."""
    table = house.open(seats=2)["table"]["id"]
    ann = {"name": "Ann", "seal": fair.seal("anns"), "token": OWN}
    bob = {"name": "Bob", "nonce": "bobs", "token": OWN[::-1]}
    seats = [ask_for_seat(house, table, **wish).json()["seat"] for wish in (ann, ann, bob, bob)]
    assert seats == [0, 0, 1, 1]
    assert [entry["kind"] for entry in house.log(table)] == ["sit", "sit"]
    house.http.post(f"/api/tables/{table}/reveal", json={"cid": "1", "nonce": "anns"}, headers=bearer(OWN))
    again = ask_for_seat(house, table, **ann).json()
    assert (again["seat"], again["token"], again["table"]["phase"]) == (0, OWN, "playing")


def test_another_wish_with_the_same_token_is_refused(house: House) -> None:
    table = house.open(seats=2)["table"]["id"]
    ask_for_seat(house, table, name="Ann", nonce="a", token=OWN)
    refused(ask_for_seat(house, table, name="Ann", nonce="b", token=OWN), "seat_taken", 409)
    assert [seat["name"] for seat in house.view(table, OWN)["seats"]][:1] == ["Ann"]


def test_who_asks_again_for_the_kept_seat_of_a_rematch_has_it(house: House) -> None:
    ann, _ = over = house.table_of("Ann", "Bob", game="goose")
    play_out(over)
    ann.must("rematch")
    again = ann.view()["rematch"]
    first, second = (house.sit(again, "Ann", nonce="a", token=ann.token).number for _ in range(2))
    assert first == second


def test_a_token_is_renewed_by_one_of_your_own(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    renewed = house.http.post(f"/api/tables/{ann.table}/renew", json={"token": OWN}, headers=bearer(ann.token))
    assert renewed.json()["token"] == OWN
    assert house.view(ann.table, OWN)["you"] == ann.number


def test_who_has_left_is_answered_again_and_nobody_else(build: Build, tmp_path: Path) -> None:
    """Also by a server that was started since; the token holds nothing any more, and nobody is told its hash."""
    house = build(database=f"sqlite:///{tmp_path}/kept.sqlite")
    ann, bob, _ = house.table_of(
        "Ann", "Bob", "Cid", game="goose", seats=4
    )  # where nobody is left, the table goes soon
    first = ann.must("leave", cid="bye")
    refused(ann.do("leave", cid="another"), "unauthorised", 401)
    refused(ann.do("chat", cid="bye", text="still here"), "unauthorised", 401)
    assert bob.must("leave", cid="bye") != first, "another seat's command of the same name"
    again = build(database=f"sqlite:///{tmp_path}/kept.sqlite")
    assert Seat(again, ann.table, ann.number, ann.token).must("leave", cid="bye") == first
    assert [entry["body"] for entry in again.log(ann.table) if entry["kind"] == "leave"] == [{}, {}]


def test_a_cid_belongs_to_whoever_sat_there(house: House) -> None:
    """Not to the next person in that seat, nor to one who sits where a bot was put by a command of that name."""
    table = house.open("goose", seats=4)["table"]["id"]
    ann = house.sit(table, "Ann", seat=0)
    ann.must("chat", cid="1", text="hello")
    ann.must("leave", cid="2")
    bob = house.sit(table, "Bob", seat=0)
    bob.must("chat", cid="1", text="hello, too")
    bob.must("bots", cid="3", seat=1, bot="random")
    bob.must("bots", cid="4", seat=1, bot=None)
    carl = house.sit(table, "Carl", seat=1)
    carl.must("chat", cid="3", text="here")
    carl.must("chat", cid="4", text="I am")
    assert [line["text"] for line in house.view(table)["chat"]] == ["hello", "hello, too", "here", "I am"]


def prepared(house: House, what: str) -> tuple[dict[str, Any], Seat]:
    """A table at which the first seat can do this, and how."""
    if what in ("leave", "bots", "start"):
        (ann,) = house.table_of("Ann", game="goose", seats=3)
        before: dict[str, dict[str, Any]] = {
            "bots": {"seat": 1, "bot": "random"},
            "start": {"fill": "random"},
            "leave": {},
        }
        return before[what], ann
    if what == "undo":
        ann = mover(house.table_of("Ann", "Bob", game="game17", options={"edge": 4}))
        ann.must("act", ply=0, action=ann.view()["choices"][1]["action"])
        return {"ply": 1}, ann
    ann, _ = house.table_of("Ann", "Bob")
    if what == "back":
        house.run(away, house, ann)
    during: dict[str, dict[str, Any]] = {"act": {"ply": 0, "action": 3}, "chat": {"text": "hello"}}
    return during.get(what, {}), ann


async def away(house: House, seat: Seat) -> None:
    """A bot takes over for the seat, whose turn it is, and is about to think."""
    room = await house.services.rooms.get(seat.table)
    house.services.scheduler.wake = lambda room: None  # type: ignore[method-assign]  # it thinks for ever
    await room.attempt(lambda: proposals.take_over(room.table, seat.number, "absent", 0.0, 0.0))


def test_kept_seats_have_cids_of_their_own(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    ann.must("resign")
    ann.must("rematch")
    again = house.view(ann.table)["rematch"]
    for seat, words in ((ann, "ready?"), (bob, "not yet")):
        Seat(house, again, 1 - seat.number, seat.token).must("chat", cid="1", text=words)
    assert [line["text"] for line in house.view(again)["chat"]] == ["ready?", "not yet"]


def test_a_token_holds_one_seat(house: House) -> None:
    (ann,) = house.table_of("Ann", bots={"1": "random"})
    ann.must("resign")
    ann.must("rematch")
    again = house.view(ann.table)["rematch"]
    kept = Seat(house, again, 1, ann.token)
    kept.must("bots", seat=0)
    path = f"/api/tables/{again}"
    wish = {"name": "Ann", "token": ann.token}
    refused(house.http.post(f"{path}/sit", json=wish), "seat_taken", 409, "holds another seat")
    bob = house.sit(again, "Bob", seat=0)
    renewed = house.http.post(f"{path}/renew", json={"token": ann.token}, headers=bearer(bob.token))
    refused(renewed, "seat_taken", 409, "holds another seat")
    assert house.sit(again, "Ann", token=ann.token).number == 1


def test_after_a_restart_a_repeated_command_still_gets_its_first_answer(build: Build, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'x.sqlite'}"
    house = build(database=database)
    ann, bob = house.table_of("Ann", "Bob")
    acks = {"one": ann.must("act", cid="one", ply=0, action=3), "two": ann.must("chat", cid="two", text="hi")}
    put = house.sit(house.open("goose", seats=4)["table"]["id"], "Ann")
    bots = put.must("bots", cid="bots", seat=2, bot="random")
    again = build(database=database)
    for seat in (ann, bob, put):
        seat.at = again
    assert ann.must("act", cid="one", ply=0, action=3) == acks["one"]
    assert ann.must("chat", cid="two", text="hi") == acks["two"]
    assert put.must("bots", cid="bots", seat=2, bot="random") == bots
    assert len(again.log(ann.table)) == 5


def test_nothing_is_acknowledged_that_is_not_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer waits for the commit: while the store hangs there is none, and nobody is told anything."""
    ann, bob = house.table_of("Ann", "Bob")
    gate = threading.Event()
    commit = house.services.store._commit_all

    def slowly(group: Any) -> None:
        gate.wait(20)
        commit(group)

    monkeypatch.setattr(house.services.store, "_commit_all", slowly)
    with ann.live() as live, bob.live() as other:
        for socket in (live, other):
            socket.say("ping")
            socket.hear("pong")
        live.say("act", cid="one", ply=0, action=3)
        other.say("ping")
        other.hear("pong")
        with pytest.raises(Empty):
            other.hear("update", seconds=0.3)
        assert not [message for message in live.heard + other.heard if message["type"] in ("ack", "update")]
        gate.set()
        assert live.hear("ack")["number"] == 4
        assert other.hear("update")["number"] == 4


def test_what_the_store_does_not_take_has_not_happened(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = house.table_of("Ann", "Bob")

    async def full(append: Append) -> None:
        raise StoreFailed("disk full")

    with monkeypatch.context() as broken:
        broken.setattr(house.services.store, "append", full)
        refused(ann.do("act", cid="one", ply=0, action=3), "not_saved", 503, "try again")
        refused(house.http.post("/api/tables", json={"game": "goose"}), "not_saved", 503)
        assert house.view(ann.table)["position"]["ply"] == 0
    assert ann.must("act", cid="one", ply=0, action=3)["number"] == 4, "the same command, tried again"
    bob.must("act", ply=1, action=3)


def test_a_commit_that_seemed_to_fail_is_looked_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored, but the answer of the database was lost: the log knows."""
    ann, _ = house.table_of("Ann", "Bob")
    append = house.services.store.append

    async def lost(wanted: Append) -> None:
        await append(wanted)
        raise StoreFailed("connection lost")

    monkeypatch.setattr(house.services.store, "append", lost)
    first = ann.must("act", cid="one", ply=0, action=3)
    assert (first["cid"], first["number"], first["ply"]) == ("one", 4, 1)
    assert ann.must("act", cid="one", ply=0, action=3) == first
    assert len(house.log(ann.table)) == 4


def test_after_kill_all_that_was_acknowledged_is_there(serve: Start) -> None:
    """The server is killed in the middle of play, again and again, right after an acknowledgement."""
    server = serve()
    ann, bob = server.place.table_of("Ann", "Bob")
    acked: list[int] = []
    for ply, action in enumerate([3, 3, 4, 4]):
        seat = (ann, bob)[ply % 2]
        with seat.live() as live:
            live.say("act", cid=f"cid{ply}", ply=ply, action=action)
            acked.append(live.hear("ack")["number"])
            server.kill()
        server.start()
        assert [entry["number"] for entry in server.place.log(ann.table) if entry["kind"] == "act"] == acked
        assert seat.must("act", cid=f"cid{ply}", ply=ply, action=action)["number"] == acked[-1]
    assert server.place.view(ann.table)["position"]["ply"] == 4


def test_kill_in_the_middle_of_a_flood_loses_no_acknowledged_word(serve: Start) -> None:
    server = serve()
    tables = [server.place.table_of("Ann", "Bob") for _ in range(4)]
    acked: dict[str, list[str]] = {seats[0].table: [] for seats in tables}

    def talk(seat: Seat) -> None:
        with httpx.Client(base_url=server.url) as http, contextlib.suppress(httpx.TransportError):
            for _ in range(1000):
                cid = new_cid()
                answer = http.post(
                    f"/api/tables/{seat.table}/draw",
                    json={"cid": cid, "answer": "offer" if len(acked[seat.table]) % 2 == 0 else "decline"},
                    headers={"authorization": f"Bearer {seat.token}"},
                )
                if answer.status_code == 200:
                    acked[seat.table].append(cid)
                seat = next(other for seats in tables for other in seats if other.table == seat.table and other != seat)

    threads = [threading.Thread(target=talk, args=(seats[0],)) for seats in tables]
    for thread in threads:
        thread.start()
    while min(len(cids) for cids in acked.values()) < 10:
        pass
    server.kill()
    for thread in threads:
        thread.join()
    server.start()
    for seats in tables:
        kept = len([entry for entry in server.place.log(seats[0].table) if entry["kind"] in ("offer", "decline")])
        assert len(acked[seats[0].table]) <= kept <= len(acked[seats[0].table]) + 1
