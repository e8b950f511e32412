"""A seat is held by its token, and by nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from serving import Build, House, Live, bearer, mover, new_cid, refused

# Every command there is, as the body of its POST. Each would be carried out, were it sent with the right token.
COMMANDS: dict[str, dict[str, Any]] = {
    "act": {"ply": 0, "action": 3},
    "undo": {"ply": 1},
    "resign": {},
    "draw": {"answer": "offer"},
    "chat": {"text": "hello"},
    "back": {},
    "leave": {},
    "reveal": {"nonce": "mine"},
    "start": {"fill": "random"},
    "bots": {"seat": 1, "bot": "random"},
    "rematch": {},
    "hint": {},
}
TYPES = {"bots": "put_bot"}  # where a socket's word for it is another
# What is asked for by HTTP alone. A token that holds nothing is refused before the body is read.
BY_HTTP = {"renew": None, "push": {"endpoint": "https://push.example/1"}, "push/end": {}}


@pytest.fixture
def house(shared_house: House) -> House:
    """One for all: every test has tables of its own."""
    return shared_house


def test_every_command_is_tried(house: House) -> None:
    paths = house.http.get("/api/schema/openapi.json").json()["paths"]
    posts = {path.partition("{table_id}/")[2] for path, methods in paths.items() if "post" in methods}
    assert posts - {""} == {*COMMANDS, *BY_HTTP, "sit"}


def test_only_a_hash_of_the_token_is_stored(build: Build, tmp_path: Path) -> None:
    house = build(database=f"sqlite:///{tmp_path / 'x.sqlite'}")
    opened = house.open(public=False)
    ann = house.sit(opened["table"]["id"], "Ann", invite=opened["invite"])
    renewed = house.http.post(f"/api/tables/{ann.table}/renew", headers=bearer(ann.token)).json()["token"]
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("x.sqlite*"))
    assert b"Ann" in kept, "this is where things are stored"
    for token in (ann.token, renewed, opened["invite"]):
        assert len(token) >= 22, "128 bits and more"
        assert token.encode() not in kept


def wrong_tokens(house: House) -> dict[str, str | None]:
    (elsewhere,) = house.table_of("Ann", game="goose", seats=2)
    private = house.open(public=False)
    return {
        "none": None,
        "nonsense": "nonsense",
        "of another table": elsewhere.token,
        "an invitation": private["invite"],
        "a table's id": private["table"]["id"],
        "long": "x" * 5000,
        "not ASCII": "tökén",
    }


@pytest.mark.parametrize("what", [*COMMANDS, *BY_HTTP])
def test_no_wrong_token_does_anything(house: House, what: str) -> None:
    seats = house.table_of("Ann", "Bob")
    body = {"cid": new_cid(), **COMMANDS[what]} if what in COMMANDS else BY_HTTP[what]
    for name, token in wrong_tokens(house).items():
        headers = [(key.encode(), value.encode()) for key, value in bearer(token).items()]
        answer = house.http.post(f"/api/tables/{seats[0].table}/{what}", json=body, headers=headers)
        assert answer.status_code == 401, (name, answer.text)
        assert answer.json()["code"] == "unauthorised"
    assert [entry["kind"] for entry in house.log(seats[0].table)] == ["sit", "sit", "start"]


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic {token}", "{token}", "Bearer{token}"])
def test_the_token_comes_in_one_way(house: House, header: str) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    headers = {"authorization": header.format(token=ann.token)}
    refused(
        house.http.post(f"/api/tables/{ann.table}/chat", json={"cid": "1", "text": "x"}, headers=headers),
        "unauthorised",
        401,
    )


@pytest.mark.parametrize("what", COMMANDS)
def test_who_watches_can_do_nothing(house: House, what: str) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    with house.live(ann.table) as eve:
        answer = eve.ask(TYPES.get(what, what), **COMMANDS[what])
        assert (answer["type"], answer.get("code")) == ("reject", "unauthorised")
    assert len(house.log(ann.table)) == 3


def test_a_socket_with_a_wrong_token_is_closed(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob")
    for name, token in wrong_tokens(house).items():
        if token is None:
            continue
        with house.connect(f"/api/tables/{ann.table}/live") as wire:
            live = Live(wire)
            live.say("hello", token=token)
            heard = [live.hear()]
            while heard[-1]["type"] != "bye":
                heard.append(live.hear())
            assert heard[-1]["code"] in ("unauthorised", "bad_request"), name


def test_one_seat_cannot_play_another(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    refused(bob.do("act", ply=0, action=3), "not_your_turn", 409, "Ann")
    with bob.live() as live:
        assert live.ask("act", ply=0, action=3)["code"] == "not_your_turn"
    ann.must("act", ply=0, action=3)
    refused(bob.do("undo", ply=1), "no_undo", 409)


def test_choices_are_told_to_whose_they_are(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    assert ann.view()["choices"]
    assert ann.view()["you"] == 0
    assert bob.view()["choices"] == []


def test_a_token_that_was_renewed_holds_no_more(house: House) -> None:
    ann, bob = house.table_of("Ann", "Bob")
    with ann.live() as live:
        new = house.http.post(f"/api/tables/{ann.table}/renew", headers=bearer(ann.token)).json()
        assert live.hear("bye")["code"] == "unauthorised"
    assert new["seat"] == 0
    assert new["token"] != ann.token
    refused(ann.do("act", ply=0, action=3), "unauthorised", 401)
    ann.token = new["token"]
    ann.must("act", ply=0, action=3)
    bob.must("act", ply=1, action=3)


def test_another_tab_is_the_same_seat(house: House) -> None:
    ann = mover(house.table_of("Ann", "Bob", game="game17", options={"edge": 4}))
    order = ann.view()["choices"][1]["action"]
    with ann.live() as one, ann.live() as two:
        assert one.ask("act", ply=0, action=order)["type"] == "ack"
        assert two.hear("update")["body"]["actions"] == [order]
        assert two.ask("undo", ply=1)["type"] == "ack"
        assert [one.hear("update")["kind"] for _ in range(2)] == ["act", "undo"]


def test_coming_back_puts_you_in_your_seat(build: Build, tmp_path: Path) -> None:
    """After a lost connection, and after a restart of the server."""
    database = f"sqlite:///{tmp_path / 'x.sqlite'}"
    house = build(database=database)
    ann, _ = house.table_of("Ann", "Bob")
    ann.must("act", ply=0, action=3)
    with ann.live() as live:
        assert live.heard[0]["table"]["you"] == 0
    again = build(database=database)
    with again.live(ann.table, ann.token) as live:
        table = live.heard[0]["table"]
        assert (table["you"], table["position"]["ply"], table["may_undo"]) == (0, 1, False)
