"""Who sits where: chosen, or drawn by lot when the match begins, by what nobody can have known before."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.client import Client
from parlour.engine import fair
from serving import Build, House, Seat, Server, refused, until

SECRET = "5e" * 32


def test_lots_give_every_seat_once_and_leave_what_was_chosen() -> None:
    assert fair.seating(SECRET, ["a", "b", "c", "d"], {2: 0})[2] == 0
    found = {tuple(fair.seating(SECRET, [str(number), "b", "c"], {})) for number in range(200)}
    assert len(found) == 6, "each of the six ways to sit down comes about"
    heads = sum(fair.seating(SECRET, [str(number), ""], {})[0] for number in range(1000))
    assert 450 < heads < 550, "of two seats, each as often as the other"


def names(house: House, table: str) -> list[str]:
    return [seat["name"] for seat in house.view(table)["seats"]]


def flipping(monkeypatch: pytest.MonkeyPatch, *, swaps: bool) -> None:
    """The next table has a secret by which two people without nonces change seats, or do not."""
    secrets = (f"{number:064x}" for number in range(100))
    secret = next(secret for secret in secrets if (fair.seating(secret, ["", ""], {}) == [1, 0]) == swaps)
    monkeypatch.setattr(fair, "new_secret", lambda: secret)


@pytest.mark.parametrize("swaps", [False, True])
def test_a_lot_is_drawn_when_the_match_begins(house: House, swaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody keeps their token, and a socket that is open plays the new seat."""
    flipping(monkeypatch, swaps=swaps)
    table = house.open()["table"]["id"]
    ann = house.sit(table, "Ann", lot=True)
    assert (ann.number, ann.view()["seats"][0]["lot"]) == (0, True)
    with ann.live() as live:
        live.ask("chat", text="hello")
        bob = house.sit(table, "Bob", lot=True)
        assert names(house, table) == (["Bob", "Ann"] if swaps else ["Ann", "Bob"])
        start = live.hear("update")
        while start["kind"] != "start":
            start = live.hear("update")
        assert start["body"] == {"seating": [1, 0] if swaps else [0, 1]}
        first, second = (bob, ann) if swaps else (ann, bob)
        assert (first.view()["you"], second.view()["you"]) == (0, 1)
        assert bob.number == (0 if swaps else 1), "whoever comes last is told at once"
        is_mine = start["position"]["to_move"] == ann.view()["you"]
        assert live.ask("act", ply=0, action=3)["type"] == ("ack" if is_mine else "reject")
        assert ann.view()["chat"][0]["seat"] == ann.view()["you"]
    assert not any(seat["lot"] or seat["wants"] is not None for seat in house.view(table)["seats"])


def test_who_leaves_it_to_the_lot_gives_way_to_who_chooses(house: House) -> None:
    table = house.open(seats=2)["table"]["id"]
    ann = house.sit(table, "Ann", lot=True)
    refused(house.http.post(f"/api/tables/{table}/sit", json={"name": "X", "seat": 0, "lot": True}), "bad_request", 400)
    bob = house.sit(table, "Bob", seat=0)
    assert names(house, table) == ["Bob", "Ann"], "whatever the lot says"
    assert (ann.view()["you"], bob.view()["you"]) == (1, 0)
    assert house.log(table)[1]["body"] == {"name": "Bob", "nonce": "", "wants": 0}


def test_what_was_chosen_is_kept_for_who_has_chosen_it(house: House) -> None:
    table = house.open("goose", seats=4)["table"]["id"]
    ann, bob = house.sit(table, "Ann", lot=True), house.sit(table, "Bob", seat=0)
    answer = house.http.post(f"/api/tables/{table}/sit", json={"name": "Cid", "seat": 0})
    refused(answer, "seat_taken", 409)
    ann.must("leave")
    cid = house.sit(table, "Cid")
    assert cid.number == 2, "the first seat is free just now, but it is Bob's"
    dora = house.sit(table, "Dora", lot=True)
    assert dora.number == 0
    dora.must("bots", seat=3, bot="random")
    assert names(house, table)[0] == "Bob"
    assert [bob.view()["you"], cid.view()["you"]] == [0, 2]


def test_bots_take_part_in_the_lot(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    flipping(monkeypatch, swaps=True)
    table = house.open(bots={"1": "random"})["table"]["id"]
    ann = house.sit(table, "Ann", lot=True)
    assert ann.number == 1
    assert [seat["kind"] for seat in house.view(table)["seats"]] == ["bot", "person"]


def test_another_process_and_a_restart_know_the_new_seats(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flipping(monkeypatch, swaps=True)
    database = f"sqlite:///{tmp_path / 'both.sqlite'}"
    one, two = (build(database=database, workers=2) for _ in range(2))
    table = one.open()["table"]["id"]
    ann = one.sit(table, "Ann", lot=True)
    assert two.view(table, ann.token)["you"] == 0
    two.sit(table, "Bob", lot=True)
    assert until(lambda: one.view(table, ann.token)["you"] == 1)
    later = build(database=database)
    assert (names(later, table), later.view(table, ann.token)["you"]) == (["Bob", "Ann"], 1)
    Seat(later, table, 1, ann.token).must("resign")
    assert later.view(table)["ending"]["winners"] == [0]


def test_a_client_proves_the_lots_with_the_dice(shared_server: Server) -> None:
    """Both nonces are sealed, so the lots are as fair as the dice."""
    with Client(shared_server.url) as client:
        table = client.open_table("connect_four").table.id
        ann, bob = client.sit(table, "Ann", lot=True), client.sit(table, "Bob", lot=True)
        seats = {ann.look().you: ann, bob.look().you: bob}
        assert seats.keys() == {0, 1}
        seats[1].resign()
        assert ann.verify() == bob.verify() == []
        again = ann.rematch()
        assert again.look().you == (0 if seats[1] is ann else 1), "sides are swapped"
