"""A match is proved against what this seat saw itself: whoever cheats, or lies on the way, is found out."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import msgspec
import pytest

from hostile import Liar
from parlour import cli, protocol
from parlour.client import (
    AsyncClient,
    AsyncSeat,
    Client,
    Proof,
    Refused,
    Seat,
    Ticket,
    Unproved,
    calls,
    exchanges,
    run_bot,
)
from parlour.engine import fair
from serving import Server, until

# Parlour as it is, but for the version of a game's rules.
NEWER_GOOSE = """
import dataclasses
from parlour import cli
from parlour.engine import registry
known = registry.get
registry.get = lambda name: dataclasses.replace(known(name), version=known(name).version + (name == "goose"))
cli.main()
"""
Story = tuple[str, list[protocol.LogLine], Ticket]


@pytest.fixture(scope="module")
def match(server: Server) -> Story:
    with Client(server.url) as client:
        seat = client.sit(client.open_table("goose", seats=2, bots={1: "random"}).table.id, "Ada")
        run_bot(seat, lambda view: view.choices[0].action)
        table = seat.ticket.table
        return client.replay(table), client.log(table).entries, seat.ticket


def test_an_honest_match_is_proved(match: Story) -> None:
    text, log, ticket = match
    assert Proof(ticket).doubts(text, log) == []
    assert ticket.nonce
    assert ticket.commitment == json.loads(text)["dice"]["commitment"]


# A server that cheats, in its replay or in its log.


def other_secret(content: dict[str, Any]) -> None:
    """The server picks another secret after it has seen the nonces, and makes all else agree with it."""
    dice = content["dice"]
    dice["secret"] = "ab" * 32
    dice["commitment"] = fair.commitment(dice["secret"])
    content["seed"] = fair.seed(dice["secret"], dice["nonces"])


def other_nonce(content: dict[str, Any]) -> None:
    dice = content["dice"]
    dice["nonces"][0] = "mine"
    content["seed"] = fair.seed(dice["secret"], dice["nonces"])


def other_seal(content: dict[str, Any]) -> None:
    """The other seat chose its nonce when it knew ours."""
    content["dice"]["nonces"][1] = "chosen"
    content["dice"]["seals"][1] = fair.seal("chosen")


def no_seals(content: dict[str, Any]) -> None:
    del content["dice"]["seals"]


def no_dice(content: dict[str, Any]) -> None:
    del content["dice"]


def other_winners(content: dict[str, Any]) -> None:
    content["result"]["winners"] = [1 - seat for seat in content["result"]["winners"]]


def fewer_actions(content: dict[str, Any]) -> None:
    content["actions"].pop()


def ended_early(content: dict[str, Any]) -> None:
    content["ended"] = {"reason": "agreed", "winners": []}


def older_rules(content: dict[str, Any]) -> None:
    content["rules"] -= 1


@pytest.mark.parametrize(
    ("cheat", "found"),
    [
        (other_secret, "committed itself to another secret"),
        (other_nonce, "your nonce had no part"),
        (other_seal, "sealed before you revealed yours"),
        (no_seals, "sealed before you revealed yours"),
        (no_dice, "no proof"),
        (other_winners, "winners"),
        (fewer_actions, "not those of the log"),
        (ended_early, "does not say why the match ended early"),
        (older_rules, "older rules"),
    ],
)
def test_a_replay_that_cheats_is_found_out(match: Story, cheat: Callable[[dict[str, Any]], None], found: str) -> None:
    text, log, ticket = match
    content = json.loads(text)
    cheat(content)
    assert any(found in doubt for doubt in Proof(ticket).doubts(json.dumps(content), log))


def test_a_replay_that_is_none_proves_nothing(match: Story) -> None:
    _, log, ticket = match
    for text in ("", "{}", "null", '{"parlour": 1}', "[" * 100_000):
        assert len(Proof(ticket).doubts(text, log)) == 1


def test_a_log_that_is_not_whole_proves_nothing(match: Story) -> None:
    text, log, ticket = match
    acts = [line for line in log if line.kind == "act"]
    for cut in ([], log[1:], log[:-1], [*log, acts[-1]], [line for line in log if line not in acts[:1]]):
        assert Proof(ticket).doubts(text, cut)


@pytest.mark.parametrize("actions", [None, "roll", [None], [0, 0], [10**30], [{}]])
def test_a_log_of_nonsense_proves_nothing(match: Story, actions: Any) -> None:
    text, log, ticket = match
    first = next(line.number for line in log if line.kind == "act")
    wrong = [
        msgspec.structs.replace(line, body={**line.body, "actions": actions}) if line.number == first else line
        for line in log
    ]
    assert Proof(ticket).doubts(text, wrong)


# Somebody on the way who alters what is told.


def other_words(message: Any) -> None:
    for event in message.get("events", []):
        event["text"] += "!"


def other_story(message: Any) -> None:
    if "table" in message:
        message["table"]["story"] = [f"{line}!" for line in message["table"]["story"]]


def other_spent(message: Any) -> None:
    if message.get("kind") == "act":
        message["body"]["spent"] = 0.001


def other_act(message: Any) -> None:
    if message.get("kind") == "act":
        message["body"]["actions"] = [1]


def other_state(message: Any) -> None:
    if message["type"] == "update" and message["position"] and message["number"] > 5:
        state = message["position"]["state"]
        message["position"]["state"] = f"{state[:40]}{'B' if state[40] == 'A' else 'A'}{state[41:]}"


def other_winner(message: Any) -> None:
    if message.get("ending"):
        message["ending"]["winners"] = [1 - seat for seat in message["ending"]["winners"]]


def other_options(message: Any) -> None:
    if "table" in message:
        message["table"]["options"] = {**message["table"]["options"], "maze": 30}


def other_commitment(message: Any) -> None:
    if "table" in message:
        message["table"]["commitment"] = "0" * 64


def nothing(message: Any) -> None:
    """Tells everything as it is."""


async def play(seat: AsyncSeat) -> list[str]:
    """Play a seat by what its socket says; returns the doubts in the end."""
    async with aclosing(seat.events(state=True)) as told:
        async for message in told:
            if isinstance(message, protocol.Welcome) and message.table.choices:
                await seat.act(message.table.choices[0].action, message.table.position.ply)  # type: ignore[union-attr]
            elif isinstance(message, protocol.Choices) and message.choices:
                await seat.act(message.choices[0].action, message.ply)
            elif isinstance(message, protocol.Update) and message.phase == "over":
                break
    return await seat.verify()


async def play_through(liar: str, server: str) -> list[str]:
    async with AsyncClient(server) as sure, AsyncClient(liar) as unsure:
        opened = await sure.open_table("goose", seats=2, bots={1: "random"})
        ticket = (await sure.sit(opened.table.id, "Ada")).ticket
        return await play(unsure.seat(ticket.at(unsure.server)))


@pytest.mark.parametrize(
    ("lie", "found"),
    [
        (nothing, ""),
        (other_words, "told in other words"),
        (other_story, "tell of nothing in the log"),
        (other_spent, "was another when it was told"),
        (other_act, "was another when it was told"),
        (other_state, "was another when it was shown"),
        (other_winner, "ended in another way"),
        (other_options, "of another table"),
        (other_commitment, "committed itself to another secret"),
    ],
)
def test_whoever_alters_what_is_told_is_found_out(server: Server, lie: Callable[[Any], None], found: str) -> None:
    def alter(path: str, message: Any) -> Any:
        if path.endswith("/live"):
            lie(message)
        return message

    with Liar(server.url, alter) as liar:
        doubts = asyncio.run(play_through(liar.url, server.url))
    assert any(found in doubt for doubt in doubts) if found else doubts == []


def test_the_final_position_is_the_one_that_was_shown_last(match: Story) -> None:
    text, log, ticket = match
    proof = Proof(ticket)
    content = json.loads(text)
    ending = protocol.Ending("rules", content["result"]["winners"], "")
    proof._saw(protocol.Position(len(content["actions"]), 0, None, [], state="AAAA"), ending)
    assert "the final position was another when it was shown" in proof.doubts(text, log)


def test_an_action_is_the_one_that_was_chosen(match: Story) -> None:
    text, log, ticket = match
    mine = next(line for line in log if line.kind == "act" and line.seat == ticket.seat)
    ack = protocol.Ack("cid", mine.number, mine.body["ply"] + 1)
    proof = Proof(ticket)
    proof.acted(ack, mine.body["actions"])
    assert proof.doubts(text, log) == []
    proof.acted(ack, [99])
    assert any("not the action that you chose" in doubt for doubt in proof.doubts(text, log))


# What is honest is proved, whatever happened on the way.


def test_undone_choices_do_no_harm(client: Client) -> None:
    table = client.open_table("game17", seats=2, options={"rounds": 2}, bots={1: "zombie"}).table.id
    seat = client.sit(table, "Ada")

    undone: list[int] = []

    def choose(view: protocol.TableView) -> int:
        assert view.position is not None
        if not undone and len(view.choices) > 1:
            ply = seat.act(view.choices[1].action, view.position.ply).ply
            undone.append(ply)
            seat.look(state=True)
            seat.undo(ply)
        return view.choices[0].action

    run_bot(seat, choose, state=True)
    assert "undo" in [entry.kind for entry in client.log(table).entries]
    assert seat.verify() == []


def ended_by_draw(ada: Seat, bob: Seat) -> None:
    ada.draw()
    bob.draw("accept")


def ended_by_resigning(ada: Seat, bob: Seat) -> None:
    bob.resign()


@pytest.mark.parametrize("end", [ended_by_draw, ended_by_resigning])
def test_a_match_that_ends_early_is_proved(client: Client, end: Callable[[Seat, Seat], None]) -> None:
    table = client.open_table("goose", seats=2, options={"stakes": True}).table.id
    ada, bob = client.sit(table, "Ada"), client.sit(table, "Bob")
    for seat in (ada, bob):
        view = seat.look(state=True)
        if view.choices and view.position is not None:
            seat.act(view.choices[0].action, view.position.ply)
    end(ada, bob)
    for seat in (ada, bob):
        assert seat.look(state=True).phase == "over"
        assert seat.verify() == []


def staked(client: Client) -> tuple[Seat, Seat]:
    """A match that has begun, and in which something is at stake."""
    table = client.open_table("goose", seats=2, options={"stakes": True}).table.id
    ada, bob = client.sit(table, "Ada"), client.sit(table, "Bob")
    for seat in (ada, bob):
        view = seat.look(state=True)
        if view.choices and view.position is not None:
            seat.act(view.choices[0].action, view.position.ply)
            seat.look(state=True)
    return ada, bob


def test_a_match_that_the_operator_ends_is_proved(server: Server, client: Client) -> None:
    seats = staked(client)
    assert cli.run(["admin", "--database", server.database, "close", seats[0].ticket.table]) == 0
    until(lambda: seats[0].look(state=True).phase == "over")
    for seat in seats:
        assert seat.look(state=True).phase == "over"
        assert seat.verify() == []


def test_a_match_that_an_upgrade_ends_is_proved_by_programs_that_have_its_rules(
    serve: Callable[..., Server],
) -> None:
    server = serve()
    with Client(server.url) as client:
        seats = staked(client)
        server.stop()
        server.program = (sys.executable, "-c", NEWER_GOOSE)
        server.start()
        for seat in seats:
            view = seat.look(state=True)
            assert (view.phase, view.ending and view.ending.reason) == ("over", "upgrade")
            assert seat.verify() == []


def test_a_match_that_has_no_position_left_can_be_seen(serve: Callable[..., Server]) -> None:
    """The server was killed before it had kept an album, and then the rules were gone."""
    server = serve()
    with Client(server.url) as client:
        seats = staked(client)
        server.kill()
        server.program = (sys.executable, "-c", NEWER_GOOSE)
        server.start()
        for seat in seats:
            view = run_bot(seat, lambda view: view.choices[0].action)
            assert (view.phase, view.position, view.ending and view.ending.reason) == ("over", None, "upgrade")
            assert seat.verify() == []


def test_a_table_that_is_closed_before_its_match_begins_can_be_seen(server: Server, client: Client) -> None:
    seat = client.sit(client.open_table("goose", seats=2).table.id, "Ada")
    assert cli.run(["admin", "--database", server.database, "close", seat.ticket.table, "--text", "Too late."]) == 0
    until(lambda: seat.look().phase == "over")
    view = run_bot(seat, lambda view: view.choices[0].action)
    assert (view.position, view.ending and view.ending.text) == (None, "Too late.")
    with pytest.raises(Refused, match="before a match began"):
        seat.verify()


@pytest.mark.parametrize("claimed", [("operator", [0]), ("upgrade", []), ("resigned", [1]), ("agreed", [])])
def test_a_reason_that_the_log_does_not_give_is_found_out(
    server: Server, client: Client, claimed: tuple[str, list[int]]
) -> None:
    ada, bob = staked(client)
    assert cli.run(["admin", "--database", server.database, "close", ada.ticket.table]) == 0
    until(lambda: bob.look().phase == "over")
    content = json.loads(client.replay(ada.ticket.table))
    content["ended"] = dict(zip(("reason", "winners"), claimed, strict=True))
    doubts = Proof(ada.ticket).doubts(json.dumps(content), client.log(ada.ticket.table).entries)
    assert "the log does not say why the match ended early" in doubts


def test_nonces_are_sealed_until_all_have_sat_down_and_then_revealed(client: Client) -> None:
    table = client.open_table("goose", seats=3).table.id
    ada, bob = client.sit(table, "Ada"), client.sit(table, "Bob")
    before = client.table(table).seats
    assert [seat.nonce for seat in before] == ["", "", ""]
    assert [seat.seal for seat in before[:2]] == [fair.seal(seat.ticket.nonce) for seat in (ada, bob)]
    cid = client.sit(table, "Cid")
    entries = client.log(table).entries
    assert [entry.kind for entry in entries] == ["sit"] * 3 + ["reveal"] * 3 + ["start"]
    assert entries[-1].body == {}, "nobody was left out"
    seats = [ada, bob, cid]
    assert [seat.nonce for seat in client.table(table).seats] == [seat.ticket.nonce for seat in seats]
    assert {seat.ticket.seals for seat in seats} == {tuple(fair.seal(seat.ticket.nonce) for seat in seats)}


def test_a_seat_reveals_when_another_program_takes_the_last_seat(server: Server) -> None:
    async def play() -> None:
        async with AsyncClient(server.url) as one, AsyncClient(server.url) as other:
            table = (await one.open_table("connect_four")).table.id
            ada = await one.sit(table, "Ada")
            async with aclosing(ada.events()) as told:
                assert isinstance(await anext(told), protocol.Welcome)
                bob = await other.sit(table, "Bob")
                async for message in told:
                    if isinstance(message, protocol.Update) and message.kind == "start":
                        break
            assert ada.ticket.seals
            await ada.resign()
            assert await ada.verify() == await bob.verify() == []

    asyncio.run(asyncio.wait_for(play(), 60))


def test_a_seat_that_reveals_for_another_program_is_found_by_its_ticket(client: Client) -> None:
    """The program that took the seat ends before the match begins; another takes it up by the ticket."""
    table = client.open_table("goose", seats=2).table.id
    ticket = client.sit(table, "Ada").ticket
    with Client(client.server) as later:
        ada = later.seat(ticket)
        ada.start(fill="random")
        assert ada.ticket.seals
        run_bot(ada, lambda view: view.choices[0].action)
        assert ada.verify() == []
        kept = msgspec.json.decode(msgspec.json.encode(ada.ticket), type=Ticket)
        assert later.seat(kept).verify() == []
        assert later.seat(ticket).verify() != [], "it has not seen what the others had sealed"


# Where nothing was promised, nothing is proved.


def test_a_seat_without_a_commitment_cannot_be_proved(match: Story) -> None:
    text, log, ticket = match
    for bare in (Ticket(ticket.table, 0, "t"), msgspec.structs.replace(ticket, nonce="")):
        (doubt,) = Proof(bare).doubts(text, log)
        assert "taken by another program" in doubt


def test_a_table_that_changes_its_commitment_is_left(client: Client) -> None:
    """The server shows one commitment before the nonce and another after it."""
    table = client.open_table("goose").table
    sitting = exchanges.Seats("http://x").sit(table.id, "Ada")
    assert next(sitting).path == calls.table_path(table.id)
    call = sitting.send(table)
    wish = msgspec.json.decode(call.body or b"", type=protocol.Sit)
    assert wish.nonce == "", "it is sealed"
    assert len(wish.seal) == 64
    changed = msgspec.structs.replace(table, commitment="0" * 64)
    with pytest.raises(Unproved, match="changed its commitment"):
        sitting.send(protocol.Seated(0, "token", changed))
