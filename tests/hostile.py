"""Servers that lie, babble or keep silent: on this machine alone, for tests of those who listen to them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import uvicorn
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from threaded import ThreadedLines, ThreadedServer

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Alter = Callable[[str, Any], Any]


class Rude(ThreadedLines):
    """Has every connection answered by a function that reads and writes bytes as it likes. Notes what it was sent."""

    def __init__(self, answer: Answer) -> None:
        self._say = answer
        self.heard = b""

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heard += await reader.readuntil(b"\r\n\r\n")
        await self._say(reader, writer)


class Speaker(ThreadedServer):
    """A WebSocket server that says what a function says."""

    def __init__(self, say: Callable[[ServerConnection], Awaitable[None]]) -> None:
        self._say = say

    async def _run(self) -> None:
        self._end = asyncio.Event()
        async with serve(self._take, "127.0.0.1", 0, close_timeout=0.1) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._ready.set()
            await self._end.wait()

    def _stop(self) -> None:
        self._end.set()

    async def _take(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self._say(connection)


class Liar(ThreadedServer):
    """Stands between a client and a server, and alters what the server says: each JSON answer, each socket message.

    ``alter`` is given the path and what was said, and returns what is said instead.
    """

    def __init__(self, server: str, alter: Alter) -> None:
        self._target = server
        self._alter = alter

    async def _run(self) -> None:
        config = uvicorn.Config(self._app, port=0, log_level="error", lifespan="off", interface="asgi3")
        self._server = uvicorn.Server(config)
        telling = asyncio.create_task(self._tell())
        each_anew = httpx.Limits(max_keepalive_connections=0)  # no connection is closed just when it is used again
        async with httpx.AsyncClient(base_url=self._target, timeout=60, limits=each_anew) as self._http:
            await self._server.serve()
        await telling

    async def _tell(self) -> None:
        while not self._server.started:
            await asyncio.sleep(0.01)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        self._ready.set()

    def _stop(self) -> None:
        self._server.should_exit = self._server.force_exit = True

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        await (self._request if scope["type"] == "http" else self._socket)(scope, receive, send)

    async def _request(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            part = await receive()
            body, more = body + part.get("body", b""), part.get("more_body", False)
        path = scope["raw_path"].decode()
        query = scope["query_string"].decode()
        headers = {key: value for key, value in scope["headers"] if key in (b"authorization", b"content-type")}
        answer = await self._http.request(scope["method"], f"{path}?{query}", content=body, headers=headers)
        content = json.dumps(self._alter(path, answer.json())).encode()
        kind = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": kind})
        await send({"type": "http.response.body", "body": content})

    async def _socket(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        async with connect(f"ws{self._target.removeprefix('http')}{scope['path']}", max_size=None) as onward:
            asking = asyncio.create_task(self._forward(receive, onward))
            with contextlib.suppress(ConnectionClosed):
                async for message in onward:
                    altered = json.dumps(self._alter(scope["path"], json.loads(message)))
                    await send({"type": "websocket.send", "text": altered})
            asking.cancel()

    async def _forward(self, receive: Any, onward: Any) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            await onward.send(message["text"])
        await onward.close()
