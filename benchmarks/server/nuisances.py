"""Others, who make work for the server while people play: they look at everything, wait, take back, do not answer."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import random
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from benchmarks.server import house, wire
from benchmarks.server.faults import Rest
from benchmarks.server.ledger import Ledger
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

LOOKED, WAITED, TAKEN_BACK = "table looked at", "wait for news", "move taken back"
TOLD = "message to a push service that never answers"
NUISANCES = {LOOKED, WAITED, TAKEN_BACK, TOLD}
LARGE: dict[str, Any] = {"game": "game17", "seats": 2, "options": {"edge": 12}}
AT_ONCE = 20  # tables looked at, or requests that wait
RECENT = 200  # tables of which some are looked at
OF_A_TABLE = 40  # moves taken back at a table
Url = Callable[[], str]


def every_nuisance(url: Url, push: int, rest: Rest, ledger: Ledger) -> list[Coroutine[Any, Any, None]]:
    """All of these, and a push service at this port."""
    return [
        look_at_all(url, rest, ledger),
        wait_for_news(url, rest, ledger),
        take_back(url, rest, ledger),
        be_told(url, push, rest, ledger),
    ]


async def look_at_all(url: Url, rest: Rest, ledger: Ledger) -> None:
    """Somebody reads one match after the other, so that tables come back from the store and leave again."""
    async with httpx.AsyncClient(timeout=60) as http:
        while ledger.troubles[LOOKED] < rest.most and not rest.done.is_set():
            tables = list(ledger.matches)[-RECENT:]
            chosen = random.sample(tables, min(AT_ONCE, len(tables)))
            paths = [f"{url()}/api/tables/{table}{random.choice(('', '/replay', '/log'))}" for table in chosen]
            asked = [_tried(http.get(path), ledger, LOOKED) for path in paths]
            await asyncio.gather(*asked)
            await rest(0.2)


async def wait_for_news(url: Url, rest: Rest, ledger: Ledger) -> None:
    """Requests that wait for what has not happened yet."""
    async with httpx.AsyncClient(timeout=60) as http:
        while ledger.troubles[WAITED] < rest.most and not rest.done.is_set():
            tables = list(ledger.matches)[-AT_ONCE:]
            paths = [f"{url()}/api/tables/{table}/log?since=100000&wait=2" for table in tables]
            await asyncio.gather(*(_tried(http.get(path), ledger, WAITED) for path in paths))
            await rest(0.1)


async def take_back(url: Url, rest: Rest, ledger: Ledger) -> None:
    """Two who play on a large board, and take back each move."""
    async with httpx.AsyncClient(timeout=60) as http:
        while ledger.troubles[TAKEN_BACK] < rest.most and not rest.done.is_set():
            with contextlib.suppress(httpx.HTTPError, KeyError, ValueError, StopIteration):
                await _play_and_take_back(http, url(), rest, ledger)
            await rest(0.2)


async def _play_and_take_back(http: httpx.AsyncClient, url: str, rest: Rest, ledger: Ledger) -> None:
    at, tokens = await _two_seats(http, url, **LARGE)
    for _ in range(OF_A_TABLE):
        if rest.done.is_set():
            return
        views = [(await http.get(at, headers=_bearer(token))).json() for token in tokens]
        token, view = next((token, view) for token, view in zip(tokens, views, strict=True) if view["choices"])
        ply, order = view["position"]["ply"], random.choice(view["choices"][1:] or view["choices"])["action"]
        for what, body in (("act", {"ply": ply, "action": order}), ("undo", {"ply": ply + 1})):
            command = http.post(f"{at}/{what}", json={"cid": secrets.token_hex(8), **body}, headers=_bearer(token))
            await _tried(command, ledger, TAKEN_BACK if what == "undo" else "")
    await _resign(http, at, tokens[0], ledger)


async def be_told(url: Url, push: int, rest: Rest, ledger: Ledger) -> None:
    """Somebody who is away is to be told of each turn by a push service that never answers, at this port."""
    async with silent_service(push, ledger.troubles), httpx.AsyncClient(timeout=60) as http:
        while not rest.done.is_set():
            with contextlib.suppress(httpx.HTTPError, OSError, TimeoutError, KeyError, ValueError):
                at, tokens = await _two_seats(http, url(), game="connect_four", seats=2)
                wish = subscription(f"http://{house.HOST}:{push}/{secrets.token_hex(8)}")
                await http.post(f"{at}/push", json=wish, headers=_bearer(tokens[1]))
                await _come_and_go(at, tokens[1])
                first = {"cid": "1", "ply": 0, "action": 3}
                await http.post(f"{at}/act", json=first, headers=_bearer(tokens[0]))
                await rest(0.1)  # the message is on its way
                await _resign(http, at, tokens[0], ledger)
            await rest(0.3)


async def _resign(http: httpx.AsyncClient, at: str, token: str, ledger: Ledger) -> None:
    """End the match. One that both leave would be played to its end by bots, and these are not what is measured."""
    await _tried(http.post(f"{at}/resign", json={"cid": "last"}, headers=_bearer(token)), ledger, "")


async def _come_and_go(at: str, token: str) -> None:
    """Whoever had a socket and has none any more is away at once."""
    address, welcomed = urlsplit(at), asyncio.Event()
    async with asyncio.timeout(5):
        socket = await wire.connect(at.removesuffix(address.path), f"{address.path}/live", lambda _: welcomed.set())
        socket.say(msgspec.json.encode({"type": "hello", "token": token}))
        await welcomed.wait()
        socket.cut()


@contextlib.asynccontextmanager
async def silent_service(port: int, told: Counter[str]) -> AsyncIterator[None]:
    """A push service that takes messages and never answers."""

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told[TOLD] += 1
        open_lines.add(writer)
        with contextlib.suppress(OSError):
            while await reader.read(65536):
                pass
        open_lines.discard(writer)
        writer.close()

    open_lines: set[asyncio.StreamWriter] = set()
    listening = await asyncio.start_server(hear, house.HOST, port)
    try:
        yield
    finally:
        listening.close()
        for writer in list(open_lines):
            writer.transport.abort()


def subscription(endpoint: str) -> dict[str, str]:
    """What a browser would send, to be told at this address."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    text = [base64.urlsafe_b64encode(raw).rstrip(b"=").decode() for raw in (point, secrets.token_bytes(16))]
    return {"endpoint": endpoint, "p256dh": text[0], "auth": text[1]}


async def _two_seats(http: httpx.AsyncClient, url: str, **wish: Any) -> tuple[str, list[str]]:
    table = (await http.post(f"{url}/api/tables", json=wish)).json()["table"]["id"]
    at = f"{url}/api/tables/{table}"
    return at, [(await http.post(f"{at}/sit", json={"name": name})).json()["token"] for name in ("Ned", "Nia")]


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def _tried(asked: Any, ledger: Ledger, trouble: str) -> None:
    """Ask, whatever becomes of it while servers die: only an error of the server itself is wrong."""
    with contextlib.suppress(httpx.HTTPError):
        answer = await asked
        if trouble and answer.is_success:
            ledger.troubles[trouble] += 1
        if answer.status_code == 500:
            ledger.wrong.append(f"{answer.request.url.path} was answered with 500: {answer.text}")
