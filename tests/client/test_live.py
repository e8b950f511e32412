"""What is heard over a table's socket: in order, without a gap, whatever happens to the connection."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from pathlib import Path

import msgspec
import pytest

from parlour import protocol
from parlour.client import AsyncClient, BadAnswer, Client, Interruption, Refused, Unreachable, run_bot_async
from parlour.client.stream import Busy, Stream
from serving import Server


def encoded(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message)


def update(number: int) -> bytes:
    seats = [protocol.SeatView(0, "free", "Red", "", 0)]
    return encoded(protocol.Update(number=number, kind="chat", seat=0, body={}, phase="open", seats=seats))


@pytest.fixture
def welcome(client: Client) -> protocol.Welcome:
    table = client.open_table("goose", bots={1: "random"}).table.id
    client.sit(table, "Ada")
    return protocol.Welcome(protocol.VERSION, client.table(table))


def test_a_gap_is_noticed_and_asked_about(welcome: protocol.Welcome) -> None:
    stream = Stream(None, pictures=False, state=False)
    stream.hello()
    number = welcome.table.number
    assert stream.hear(update(number + 1)) is None, "nothing counts before the welcome"
    assert stream.hear(encoded(welcome)) == welcome
    assert stream.hear(update(number)) is None, "old news"
    heard = stream.hear(update(number + 1))
    assert isinstance(heard, protocol.Update)
    assert not stream.is_lost
    assert stream.hear(update(number + 3)) is None
    assert stream.is_lost
    assert '"hello"' in stream.hello()
    assert not stream.is_lost
    assert stream.hear(update(number + 4)) is None, "the welcome will have it"
    assert stream.hear(encoded(welcome)) == welcome


def test_why_the_server_closes_a_socket(welcome: protocol.Welcome) -> None:
    stream = Stream(None, pictures=False, state=False)
    with pytest.raises(Refused, match="no such table"):
        stream.hear(encoded(protocol.Bye("not_found", "there is no such table")))
    with pytest.raises(Busy):
        stream.hear(encoded(protocol.Bye("too_many", "too many connections")))
    with pytest.raises(BadAnswer, match="does not understand"):
        stream.hear(b'{"type": "riddle"}')


def test_a_match_is_heard_from_its_beginning_to_its_end(server: Server) -> None:
    async def play() -> None:
        async with AsyncClient(server.url) as client:
            table = (await client.open_table("goose", seats=2)).table.id
            async with aclosing(client.watch(table, state=True)) as told:
                first = await anext(told)
                assert isinstance(first, protocol.Welcome)
                seats = [await client.sit(table, name) for name in ("Ada", "Bob")]
                bots = [asyncio.create_task(run_bot_async(seat, lambda view: view.choices[0].action)) for seat in seats]
                numbers = [first.table.number]
                async for message in told:
                    if isinstance(message, protocol.Update):
                        numbers.append(message.number)
                        if message.position is not None:
                            assert message.position.state
                        if message.phase == "over":
                            break
            assert numbers == list(range(len(numbers)))
            views = await asyncio.gather(*bots)
            assert {view.number for view in views} == {numbers[-1]}
            assert [await seat.verify() for seat in seats] == [[], []]

    asyncio.run(play())


def test_a_seat_hears_its_choices_and_its_commands_work(server: Server) -> None:
    async def play() -> None:
        async with AsyncClient(server.url) as client:
            assert {game.name for game in await client.games()} >= {"goose"}
            table = (await client.open_table("connect_four")).table.id
            ada, bob = await client.sit(table, "Ada"), await client.sit(table, "Bob")
            async with aclosing(bob.events()) as told:
                welcome = await anext(told)
                assert isinstance(welcome, protocol.Welcome)
                assert welcome.table.you == 1
                await ada.act(3, 0)
                choices = [message async for message in until_choices(told)][-1]
                assert choices.ply == 1
                await bob.act(choices.choices[0].action, 1)
            await ada.chat("hello")
            await bob.draw()
            await ada.draw("decline")
            await bob.resign()
            again = await ada.rematch()
            assert (await bob.rematch()).ticket.table == again.ticket.table
            with pytest.raises(Refused):
                await ada.undo(2)

    asyncio.run(play())


async def until_choices(told):  # type: ignore[no-untyped-def]
    async for message in told:
        if isinstance(message, protocol.Choices):
            yield message
            return


def test_the_server_goes_and_comes_back(tmp_path: Path) -> None:
    server = Server(tmp_path).start()

    async def play() -> None:
        async with AsyncClient(server.url, patience=60) as client:
            table = (await client.open_table("connect_four")).table.id
            ada, bob = await client.sit(table, "Ada"), await client.sit(table, "Bob")
            async with aclosing(ada.events()) as told:
                assert isinstance(await anext(told), protocol.Welcome)
                server.kill()
                assert isinstance(await until_kind(told, Interruption), Interruption)
                await asyncio.to_thread(server.start)
                await bob.chat("still there?")
                welcome = await until_kind(told, protocol.Welcome)
                if not welcome.table.chat:  # it came back before Bob spoke
                    assert (await until_kind(told, protocol.Update)).kind == "chat"

    try:
        asyncio.run(play())
    finally:
        server.close()


async def until_kind(told, kind):  # type: ignore[no-untyped-def]
    async for message in told:
        if isinstance(message, kind):
            return message
    raise AssertionError("the socket says no more")


def test_who_closes_the_socket_is_gone_though_they_spoke_over_http_just_before(tmp_path: Path) -> None:
    server = Server(tmp_path, grace=1).start()

    async def play() -> None:
        async with AsyncClient(server.url) as client:
            table = (await client.open_table("connect_four")).table.id
            ada, bob = await client.sit(table, "Ada"), await client.sit(table, "Bob")
            async with aclosing(ada.events()) as told:
                async with aclosing(bob.events()) as heard:
                    await anext(heard)
                    await ada.act(3, 0)
                    await bob.look()
                while (await until_kind(told, protocol.Update)).kind != "away":
                    pass

    try:
        asyncio.run(asyncio.wait_for(play(), 20))  # long before a request counts as being there no more
    finally:
        server.close()


def test_a_table_that_there_is_not(server: Server) -> None:
    async def watch(url: str, patience: float) -> None:
        async with AsyncClient(url, patience=patience) as client, aclosing(client.watch("nowhere")) as told:
            await anext(told)

    with pytest.raises(Refused, match="no such table"):
        asyncio.run(watch(server.url, 5))
    with pytest.raises(Unreachable, match="does not answer"):
        asyncio.run(watch("http://127.0.0.1:9", 0))


def test_the_lobby_tells_itself_again_when_it_changes(server: Server) -> None:
    async def look() -> None:
        async with AsyncClient(server.url) as client, aclosing(client.lobby()) as told:
            before = await anext(told)
            assert isinstance(before, protocol.LobbyView)
            table = (await client.open_table("verfuchst")).table.id
            async for lobby in told:
                assert isinstance(lobby, protocol.LobbyView)
                if any(line.id == table for line in lobby.tables):
                    return

    asyncio.run(asyncio.wait_for(look(), 20))


def test_who_sees_pictures_says_how_fast_bots_shall_play() -> None:
    hello = json.loads(Stream("token", pictures=True, state=False, pace="fast").hello())
    assert (hello["pictures"], hello["pace"]) == (True, "fast")
