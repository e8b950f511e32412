"""Nonsense and play out of turn, over sockets and HTTP, against a live server: nothing may fail, nothing may change.

    python -m benchmarks.server.fuzz --messages 100000

Every message here is one that must be refused. Whoever only watches sends commands of every kind; a seat acts when it
is not its turn, at plies that are not now, and what is not legal; and all of them send what is not a message at all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from benchmarks.server.house import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parlour.engine import registry

WORKERS = 6
BATCH = 18  # a socket is closed after twenty messages that make no sense
OVER_HTTP = 0.2  # the part of all messages
VOLATILE = ("here", "left")  # of a seat: these change by themselves


@dataclass
class Target:
    """A table; the tokens of those who may do nothing there just now, and what its seat to move may not do."""

    id: str
    ply: int = 0
    idle: list[str] = field(default_factory=list)
    mover: str | None = None
    legal: frozenset[int] = frozenset()


def commands(chance: random.Random, ply: int) -> list[dict[str, Any]]:
    """Commands of every kind, as they should look."""
    cid = f"{chance.getrandbits(64):x}"
    kinds: list[dict[str, Any]] = [
        {"type": "act", "ply": ply, "action": chance.randrange(2000)},
        {"type": "act", "ply": ply, "text": chance.choice(["roll", "end", "4", "H0-G1"])},
        {"type": "act", "ply": ply, "actions": [chance.randrange(2000) for _ in range(chance.randrange(1, 9))]},
        {"type": "undo", "ply": ply},
        {"type": "resign"},
        {"type": "draw", "answer": chance.choice(["offer", "accept", "decline"])},
        {"type": "chat", "text": "hello"},
        {"type": "back"},
        {"type": "leave"},
        {"type": "start", "fill": "random"},
        {"type": "put_bot", "seat": 0, "bot": "random"},
        {"type": "rematch"},
        {"type": "hint"},
    ]
    return [{**kind, "cid": cid} for kind in kinds]


def out_of_turn(chance: random.Random, target: Target) -> dict[str, Any]:
    """What somebody at the table may not do, though it looks as it should."""
    acts = [command for command in commands(chance, target.ply) if command["type"] in ("act", "undo")]
    useless = [command for command in commands(chance, target.ply) if command["type"] in ("back", "start", "put_bot")]
    answer = {"type": "draw", "answer": chance.choice(["accept", "decline"]), "cid": f"{chance.getrandbits(64):x}"}
    return chance.choice([*acts, *useless, answer])


def not_now(chance: random.Random, target: Target) -> dict[str, Any]:
    """What whoever is to move may not do: act at another ply, or what is not legal."""
    action = chance.randrange(2**31)
    while action in target.legal:
        action = chance.randrange(2**31)
    wrong_ply = target.ply + chance.choice([1, 2, 1000])
    cid = f"{chance.getrandbits(64):x}"
    return chance.choice(
        [
            {"type": "act", "cid": cid, "ply": target.ply, "action": action},
            {"type": "act", "cid": cid, "ply": target.ply, "actions": [action] * chance.randrange(1, 50)},
            {"type": "act", "cid": cid, "ply": target.ply, "text": f"no such thing {action}"},
            {"type": "act", "cid": cid, "ply": wrong_ply, "action": min(target.legal, default=0)},
            {"type": "undo", "cid": cid, "ply": wrong_ply},
        ]
    )


def odd_value(chance: random.Random) -> Any:
    return chance.choice(
        [None, True, -1, 2**31, 2**64, 10**400, 1e308, "", "\x00", "\ud800", "x" * 3000, [], {}, [[[]]], {"a": {}}, "١"]
    )


def nonsense(chance: random.Random, target: Target) -> str | bytes:
    """What is not a message: not JSON, or not one of ours."""
    command = chance.choice(commands(chance, target.ply))
    text = json.dumps(command)
    key = chance.choice(list(command))
    broken: list[str | bytes] = [
        text[: chance.randrange(len(text))],
        text + chance.choice(["}", "x", text]),
        json.dumps({**command, "unknown": odd_value(chance)}),
        json.dumps({name: value for name, value in command.items() if name not in ("cid", key)}),
        json.dumps({**command, "cid": odd_value(chance)}),
        json.dumps({**command, "cid": "no spaces allowed"}),
        json.dumps({**command, "type": odd_value(chance)}),
        json.dumps([command]),
        json.dumps(odd_value(chance)),
        "[" * chance.randrange(1, 8000),
        '{"type":' * chance.randrange(1, 900),
        "".join(chr(chance.choice([chance.randrange(1, 128), chance.randrange(0xE000, 0x10FFFF)])) for _ in range(20)),
        chance.randbytes(chance.randrange(1, 200)),
    ]
    return chance.choice(broken)


class Fuzzer:
    """One worker's share of all messages."""

    def __init__(self, server: Server, targets: list[Target], seed: int) -> None:
        self.server = server
        self.targets = targets
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def run(self, messages: int) -> None:
        async with httpx.AsyncClient(base_url=self.server.url, timeout=30) as http:
            while self.counts.total() < messages:
                if self.chance.random() < OVER_HTTP:
                    for _ in range(BATCH):
                        await self.post(http)
                else:
                    await self.socket()

    async def socket(self) -> None:
        """A handful of messages over one socket: each is to be refused, in order."""
        target = self.chance.choice(self.targets)
        token = self.chance.choice([None, *target.idle, target.mover])
        address = f"{self.server.url.replace('http', 'ws')}/api/tables/{target.id}/live"
        async with connect(address, compression=None, max_size=2**24) as socket:
            await socket.send(json.dumps({"type": "hello", **({"token": token} if token else {})}))
            sent = [self._message(target, token) for _ in range(BATCH)]
            for message in sent:
                await socket.send(message)
            await socket.send('{"type": "ping"}')
            await self._hear(socket, len(sent))
        self.counts["sockets"] += len(sent)

    def _message(self, target: Target, token: str | None) -> str | bytes:
        if self.chance.random() < 0.4:
            return nonsense(self.chance, target)
        if token is None:
            return json.dumps(self.chance.choice(commands(self.chance, target.ply)))
        make = not_now if token == target.mover else out_of_turn
        return json.dumps(make(self.chance, target))

    async def _hear(self, socket: ClientConnection, expected: int) -> None:
        refused = 0
        try:
            while (message := json.loads(await asyncio.wait_for(socket.recv(), 30)))["type"] != "pong":
                refused += message["type"] == "reject"
                if message["type"] in ("ack", "bye"):
                    self.wrong.append(f"answered {message}")
        except (ConnectionClosed, TimeoutError) as error:
            self.wrong.append(f"a socket ended after {refused} of {expected} answers: {error!r}")
            return
        if refused != expected:
            self.wrong.append(f"{refused} of {expected} messages were refused")

    async def post(self, http: httpx.AsyncClient) -> None:
        chance, target = self.chance, self.chance.choice(self.targets)
        token = chance.choice([None, "wrong", *target.idle])
        headers = {"authorization": f"Bearer {token}"} if token else {}
        if chance.random() < 0.5:
            message = (
                out_of_turn(chance, target) if token in target.idle else chance.choice(commands(chance, target.ply))
            )
            what = message.pop("type").replace("put_bot", "bots")
            answer = await http.post(f"/api/tables/{target.id}/{what}", json=message, headers=headers)
        else:
            answer = await http.request(**self._odd_request(target), headers={**headers, **self._odd_headers()})
        self.counts["http"] += 1
        if answer.status_code >= 500 or (answer.status_code < 400 and answer.request.method not in ("GET", "HEAD")):
            self.wrong.append(f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:200]}")

    def _odd_request(self, target: Target) -> dict[str, Any]:
        chance = self.chance
        odd = "".join(chance.choice("ab%/.?#;&=é-_~") for _ in range(chance.randrange(1, 30)))
        body = nonsense(chance, target)
        table = f"/api/tables/{target.id}"
        where = chance.choice(["/act", "/undo", "/draw", "/bots", "/back"])
        what = chance.choice(["log", "frames", "picture"])
        return chance.choice(
            [
                {"method": "POST", "url": f"{table}{where}x", "content": body},
                {
                    "method": "POST",
                    "url": f"{table}{chance.choice(['/act', '/undo', '/draw', '/bots'])}",
                    "content": body,
                },
                {"method": "POST", "url": "/api/tables", "json": {"game": "goose", "options": {"x": odd}}},
                {"method": "POST", "url": "/api/replays", "json": {"parlour": 1, "game": "goose", "seed": odd}},
                {"method": "POST", "url": "/api/replays", "content": body},
                {"method": chance.choice(["PUT", "DELETE", "PATCH", "BREW"]), "url": f"{table}{where}"},
                {
                    "method": "GET",
                    "url": f"{table}/{what}?since={odd}&ply={odd}",
                },
                {"method": "GET", "url": f"/api/tables?name={odd}&before={odd}&limit={odd}"},
                {"method": "GET", "url": f"/api/tables/{odd}"},
                {"method": "GET", "url": f"/x{odd}"},
            ]
        )

    def _odd_headers(self) -> dict[str, str]:
        return self.chance.choice(
            [
                {},
                {"content-type": "text/plain"},
                {"content-type": "application/x-msgpack"},
                {"origin": "http://["},
                {"content-encoding": "gzip"},
                {"accept": "text/html"},
                {"x-forwarded-for": "nobody"},
            ]
        )


def prepare(http: httpx.Client) -> list[Target]:
    """For each game a table where a match has begun; besides, one that is open and one that is over."""
    targets = [_begun(http, game.name) for game in registry.all_games()]
    open_table = http.post("/api/tables", json={"game": "goose", "seats": 4, "public": False}).json()["table"]["id"]
    over = _begun(http, "connect_four")
    assert over.mover is not None
    http.post(f"/api/tables/{over.id}/resign", json={"cid": "end"}, headers={"authorization": f"Bearer {over.mover}"})
    return [*targets, Target(open_table), Target(over.id)]


def _begun(http: httpx.Client, game: str) -> Target:
    # Nobody is to be taken over while the fuzzer is at work: that would change something.
    wish = {"game": game, "seats": 2, "clock": {"kind": "turn", "seconds": 86400}}
    table = http.post("/api/tables", json=wish).json()["table"]["id"]
    tokens = [http.post(f"/api/tables/{table}/sit", json={"name": name}).json()["token"] for name in ("Ann", "Bob")]
    views = [_view(http, table, token) for token in tokens]
    mover = views[0]["position"]["to_move"]
    legal = frozenset(choice["action"] for choice in views[mover]["choices"])
    return Target(table, views[0]["position"]["ply"], [tokens[1 - mover]], tokens[mover], legal)


def _view(http: httpx.Client, table: str, token: str) -> dict[str, Any]:
    view: dict[str, Any] = http.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {token}"}).json()
    return view


def standing(http: httpx.Client, targets: list[Target]) -> list[Any]:
    """All that anybody can know of these tables, but for who is there and how time passes."""
    found = []
    for target in targets:
        view = http.get(f"/api/tables/{target.id}", params={"state": True}).json()
        for seat in view["seats"]:
            for name in VOLATILE:
                seat.pop(name)
        found.append((view, http.get(f"/api/tables/{target.id}/log").json()))
    return [found, sorted(line["id"] for line in http.get("/api/tables", params={"limit": 100}).json())]


async def fuzz(server: Server, targets: list[Target], messages: int, seed: int) -> list[Fuzzer]:
    workers = [Fuzzer(server, targets, seed + number) for number in range(WORKERS)]
    await asyncio.gather(*(worker.run(messages // WORKERS + 1) for worker in workers))
    return workers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=17)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        server = Server(f"sqlite:///{folder}/fuzz.sqlite", log=log)
        server.start()
        try:
            wrong = _run(server, wanted.messages, wanted.seed)
        finally:
            server.stop()
        wrong += [line for line in log.read_text("utf-8").splitlines() if "Traceback" in line or " error " in line]
    for line in wrong[:20]:
        print(f"WRONG {line}")
    print("something is wrong" if wrong else "nothing failed, nothing changed")
    return 1 if wrong else 0


def _run(server: Server, messages: int, seed: int) -> list[str]:
    with httpx.Client(base_url=server.url, timeout=30) as http:
        targets = prepare(http)
        before, began = standing(http, targets), time.monotonic()
        workers = asyncio.run(fuzz(server, targets, messages, seed))
        counts = sum((worker.counts for worker in workers), Counter())
        told = ", ".join(f"{count} over {how}" for how, count in counts.items() if count)
        print(f"{counts.total()} messages ({told}) in {time.monotonic() - began:.0f} s")
        wrong = [line for worker in workers for line in worker.wrong]
        if standing(http, targets) != before:
            wrong.append("a table has changed")
        if http.get("/readyz").status_code != 200:
            wrong.append("the server is not ready")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
