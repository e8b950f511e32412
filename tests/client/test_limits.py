"""Servers that say too much, take too long, or send a client elsewhere: nobody listens to them."""

from __future__ import annotations

import asyncio
import resource
import time
import zlib
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection

import parlour
import telling
from hostile import Rude, Speaker
from parlour import protocol
from parlour.client import AsyncClient, BadAnswer, Client, Interruption, Message, Refused, Ticket, Unreachable, calls
from parlour.client import limits as client_limits
from parlour.protocol import OpenTable

TOKEN = "my-secret-token"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


async def endless_body(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"\r\n")
    while True:
        writer.write(b" " * 2**20)
        await writer.drain()


async def endless_chunks(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"transfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"100000\r\n" + b" " * 2**20 + b"\r\n")
        await writer.drain()


async def endless_headers(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD)
    while True:
        writer.write(b"x-more: " + b"x" * 2**16 + b"\r\n")
        await writer.drain()


async def silence(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def dripping_headers(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    for byte in HEAD * 1000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)


async def dripping_body(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


async def a_bomb(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A little that would become much, if it were unpacked."""
    packer = zlib.compressobj(wbits=31)
    packed = b"".join(packer.compress(b" " * 2**20) for _ in range(256)) + packer.flush()
    writer.write(HEAD + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed) + packed)
    await writer.drain()


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("answer", [endless_body, endless_chunks, a_bomb])
def test_an_answer_without_end_is_not_read(answer: Callable[..., Awaitable[None]]) -> None:
    before = peak_memory()
    with Rude(answer) as rude, Client(rude.url, patience=0) as client, pytest.raises(BadAnswer):
        client.games()
    assert peak_memory() - before < 8 * client_limits.ANSWER_BYTES


OPENING = calls.open_table(OpenTable("goose"))  # which is not asked for twice


@pytest.mark.parametrize("answer", [endless_headers, silence, dripping_headers, dripping_body])
def test_nobody_waits_for_ever(answer: Callable[..., Awaitable[None]]) -> None:
    began = time.monotonic()
    with Rude(answer) as rude, Client(rude.url, patience=0) as client:
        with pytest.raises(Unreachable, match="does not answer"):
            client.ask(replace(calls.games(), seconds=0.5))
        opening = replace(OPENING, seconds=0.5)
        with pytest.raises(Unreachable, match="whether it was done is not known"):
            client.ask(opening)
    assert time.monotonic() - began < 10


# Sockets.


async def hear(url: str, token: str | None = TOKEN, patience: float = 0) -> list[Message]:
    """All that a table's socket says, until the client gives up; what it raises then is raised."""
    heard: list[Message] = []
    async with AsyncClient(url, patience=patience) as client, aclosing(client.watch("table", token=token)) as told:
        async for message in told:
            heard.append(message)
            if isinstance(message, Interruption):
                break
    return heard


def welcome(number: int = 0) -> str:
    view = telling.view(parlour.new("goose", seats=2, seed=1), number=number)
    return msgspec.json.encode(protocol.Welcome(protocol.VERSION, view)).decode()


def chat(number: int) -> str:
    match = parlour.new("goose", seats=2, seed=1)
    update = protocol.Update(number, "chat", 0, {"text": "hi"}, "playing", telling.seats(match))
    return msgspec.json.encode(update).decode()


async def one_huge_message(socket: ServerConnection) -> None:
    await socket.send(welcome())
    await socket.send(" " * (client_limits.MESSAGE_BYTES + 1))
    await socket.wait_closed()


async def endless_fragments(socket: ServerConnection) -> None:
    async def parts():  # type: ignore[no-untyped-def]
        while True:
            yield " " * 2**20

    await socket.send(welcome())
    await socket.send(parts())


@pytest.mark.parametrize("say", [one_huge_message, endless_fragments])
def test_a_message_without_end_is_not_read(say: Callable[[ServerConnection], Awaitable[None]]) -> None:
    before, began = peak_memory(), time.monotonic()
    with Speaker(say) as speaker, pytest.raises(BadAnswer, match="far too long"):
        asyncio.run(hear(speaker.url))
    assert time.monotonic() - began < client_limits.CLOSE + 10
    assert peak_memory() - before < 8 * client_limits.MESSAGE_BYTES


async def no_welcome(socket: ServerConnection) -> None:
    await socket.recv()
    await socket.wait_closed()


async def anything_but_a_welcome(socket: ServerConnection) -> None:
    for number in range(1000):
        await socket.send(chat(number))
        await asyncio.sleep(0.05)


async def no_second_welcome(socket: ServerConnection) -> None:
    """A message is missing, so the client asks how things stand: and gets no answer."""
    await socket.send(welcome())
    await socket.send(chat(7))
    await socket.wait_closed()


async def a_message_that_never_ends(socket: ServerConnection) -> None:
    async def parts():  # type: ignore[no-untyped-def]
        while True:
            yield " "
            await asyncio.sleep(0.05)

    await socket.send(welcome())
    await socket.send(parts())


@pytest.mark.parametrize(
    "say",
    [no_welcome, anything_but_a_welcome, no_second_welcome, a_message_that_never_ends],
    ids=lambda say: say.__name__,
)
def test_a_socket_is_not_waited_for_for_ever(
    say: Callable[[ServerConnection], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_limits, "WELCOME", 0.5)
    monkeypatch.setattr(client_limits, "MESSAGE", 0.5)
    monkeypatch.setattr(client_limits, "CLOSE", 0.1)
    began = time.monotonic()
    with Speaker(say) as speaker, pytest.raises(Unreachable, match="does not answer"):
        asyncio.run(hear(speaker.url))
    assert time.monotonic() - began < 8


def test_a_quiet_table_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def quiet(socket: ServerConnection) -> None:
        await socket.send(welcome())
        await asyncio.sleep(1)
        await socket.send(chat(1))

    monkeypatch.setattr(client_limits, "WELCOME", 0.2)
    monkeypatch.setattr(client_limits, "MESSAGE", 0.2)
    with Speaker(quiet) as speaker:
        heard = asyncio.run(hear(speaker.url, patience=5))
    assert [type(message) for message in heard] == [protocol.Welcome, protocol.Update, Interruption]


# Elsewhere.


def sending_to(elsewhere: str, status: int) -> Callable[..., Awaitable[None]]:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        location = elsewhere.encode() + b"/api/tables/table"
        writer.write(b"HTTP/1.1 %d Moved\r\nlocation: %s\r\ncontent-length: 0\r\n\r\n" % (status, location))
        await writer.drain()

    return answer


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_sent_elsewhere(status: int) -> None:
    with Rude(silence) as elsewhere, Rude(sending_to(elsewhere.url, status)) as rude, Client(rude.url) as client:
        with pytest.raises(BadAnswer, match="elsewhere"):
            client.seat(Ticket("table", 0, TOKEN)).look()
        with pytest.raises(BadAnswer, match="elsewhere"):
            asyncio.run(hear(rude.url, patience=60))
        assert elsewhere.heard == b"", "no token, and nothing else"
        assert TOKEN.encode() in rude.heard


def test_a_token_is_for_its_own_server() -> None:
    with Rude(silence) as other, Client(other.url) as client:
        ticket = Ticket("table", 0, TOKEN, server="http://localhost:8017")
        with pytest.raises(Refused, match="held at http://localhost:8017"):
            client.seat(ticket)
        with pytest.raises(Refused, match="held at http://localhost:8017"):
            AsyncClient(other.url).seat(ticket)
        assert other.heard == b""


@pytest.mark.parametrize("token", ["", " ", "a b", "a\r\nhost: x", "ä", "\x00"])
def test_what_is_no_token_is_not_sent(token: str) -> None:
    with Rude(silence) as rude, Client(rude.url, patience=0) as client:
        with pytest.raises(Refused, match="not the token"):
            client.seat(Ticket("table", 0, token)).look()
        assert rude.heard == b""
