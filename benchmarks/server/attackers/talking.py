"""Attacks by sockets: those at tables of the attacker's own, and many at once."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.server import wire
from benchmarks.server.attackers.ground import Ground, Source
from benchmarks.server.attackers.stage import END, Held

ORDERS = 105  # in one act, as many as a message of 8 KiB takes and more
COMMANDS = 0.1  # seconds between the commands of a seat: as often as it may
SOCKETS = 380  # of one address, which may have 400
OPENED_AT_ONCE = 20
COMING = 0.022  # seconds between two sockets that one address opens: it may ask 50 times a second
TALK = 0.022  # seconds between the messages of one socket: 50 a second end it
SEATS = 576


class Chair:
    """A seat that is to move, and the socket by which it does."""

    def __init__(self, socket: wire.Socket, view: dict[str, Any]) -> None:
        self.socket = socket
        self.ply: int = view["position"]["ply"]
        self.choices: list[dict[str, Any]] = view["choices"]
        self.cids = itertools.count()

    def say(self, kind: str, **body: Any) -> None:
        self.socket.say(json.dumps({"type": kind, "cid": f"x{next(self.cids)}", **body}).encode())


async def _welcomed(source: Source, table: str, token: str | None, **wish: Any) -> tuple[wire.Socket, dict[str, Any]]:
    """A socket at a table, and what it was welcomed with."""
    heard: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def hear(text: bytes) -> None:
        if not heard.done() and text.startswith((b'{"type":"welcome"', b'{"type":"bye"')):
            heard.set_result(json.loads(text))

    socket = await source.socket(f"/api/tables/{table}/live", hear)
    socket.say(json.dumps({"type": "hello", "token": token, **wish}).encode())
    welcome = await heard
    if welcome["type"] == "bye":
        raise OSError(f"not welcomed: {welcome['message']}")
    return socket, welcome["table"]


async def _chair(source: Source, held: Held, **wish: Any) -> Chair:
    for token in held.tokens:
        socket, view = await _welcomed(source, held.table, token, **wish)
        if view["choices"]:
            return Chair(socket, view)
        socket.cut()
    raise OSError("no seat is to move")


def _orders(choices: list[dict[str, Any]]) -> list[int]:
    """Orders that can all be given together: one piece each, from one square after the other."""
    by_square: dict[str, dict[str, list[int]]] = {}
    for choice in choices[1:]:  # the first ends the turn
        by_square.setdefault(choice["picks"][0], {}).setdefault(choice["way"], []).append(choice["action"])
    found: list[int] = []
    for ways in by_square.values():
        pieces = max(map(len, ways.values()))
        found += [min(actions) for actions in ways.values()][:pieces]
    return found


async def undo(ground: Ground, large: list[Held]) -> None:
    """game17, the largest board, after 900 turns: two orders, and both are taken back, again and again."""
    chairs = [await _chair(source, held) for source, held in zip(ground.sources, large, strict=False)]
    await ground.begin()

    async def attack(chair: Chair) -> None:
        first, second = _orders(chair.choices)[:2]
        steps: Iterator[Callable[[], None]] = itertools.cycle(
            [
                lambda: chair.say("act", ply=chair.ply, action=first),
                lambda: chair.say("act", ply=chair.ply + 1, action=second),
                lambda: chair.say("undo", ply=chair.ply + 2),
                lambda: chair.say("undo", ply=chair.ply + 1),
            ]
        )
        await ground.every(COMMANDS, lambda: next(steps)())

    await asyncio.gather(*map(attack, chairs))


async def orders(ground: Ground, large: list[Held]) -> None:
    """The same table: 105 orders in one act, of which the last is none, so that nothing comes of them."""
    chairs = [await _chair(source, held) for source, held in zip(ground.sources, large, strict=False)]
    await ground.begin()

    async def attack(chair: Chair) -> None:
        actions = [*_orders(chair.choices)[: ORDERS - 1], 999_999_999]
        await ground.every(COMMANDS, lambda: chair.say("act", ply=chair.ply, actions=actions))

    await asyncio.gather(*map(attack, chairs))


async def ends(ground: Ground, large: list[Held]) -> None:
    """The same table: both seats end their turns as often as they may."""

    async def attack(source: Source, held: Held) -> None:
        pair = [await _welcomed(source, held.table, token) for token in held.tokens]
        chairs = [Chair(socket, view) for socket, view in pair]
        ply = itertools.count(max(chair.ply for chair in chairs))

        def end() -> None:
            now = next(ply)
            for chair in chairs:
                chair.say("act", ply=now, action=END)

        begun.append(None)
        await word.wait()
        await ground.every(COMMANDS, end)

    begun: list[None] = []
    word = asyncio.Event()
    attacking = [asyncio.create_task(attack(source, held)) for source, held in zip(ground.sources, large, strict=False)]
    while len(begun) < len(attacking):
        await asyncio.sleep(0.05)
    await ground.begin()
    word.set()
    await asyncio.gather(*attacking)


async def hello(ground: Ground, large: list[Held]) -> None:
    """The same table: hello again and again, which asks for all that there is."""
    wish = {"pictures": True, "state": True, "undoable": True, "chances": True}
    chairs = [await _chair(source, held, **wish) for source, held in zip(ground.sources, large, strict=False)]
    await ground.begin()
    again = json.dumps({"type": "hello", **wish}).encode()
    await asyncio.gather(*(ground.every(COMMANDS, lambda chair=chair: chair.socket.say(again)) for chair in chairs))  # type: ignore[misc]


async def touch(ground: Ground, large: list[Held]) -> None:
    """The same table on a phone: each order is followed by the question which choices could be taken back."""
    chairs = [await _chair(source, held, undoable=True) for source, held in zip(ground.sources, large, strict=False)]
    await ground.begin()

    async def attack(chair: Chair) -> None:
        first = _orders(chair.choices)[0]
        steps = itertools.cycle(
            [
                lambda: chair.say("act", ply=chair.ply, action=first),
                lambda: chair.say("undo", ply=chair.ply + 1),
            ]
        )
        await ground.every(COMMANDS, lambda: next(steps)())

    await asyncio.gather(*map(attack, chairs))


# Many at once.


async def _many(ground: Ground, path: str, count: int = SOCKETS, first: bytes = b"") -> list[wire.Socket]:
    """So many sockets of each source, as fast as they may be opened. ``first`` is what each says at once."""
    found: list[wire.Socket] = []

    async def come(source: Source) -> None:
        waiting = list(range(count))

        async def some() -> None:
            while waiting:
                waiting.pop()
                try:
                    socket = await source.socket(path)
                except OSError:
                    ground.counts["sockets refused"] += 1
                else:
                    socket.say(first)
                    found.append(socket)
                await asyncio.sleep(COMING * OPENED_AT_ONCE)

        await asyncio.gather(*(some() for _ in range(OPENED_AT_ONCE)))

    await asyncio.gather(*map(come, ground.sources))
    return found


async def _all_say(ground: Ground, sockets: list[wire.Socket], text: bytes, every: float) -> None:
    async def say() -> None:
        for number, socket in enumerate(sockets):
            socket.say(text)
            if number % 100 == 0:
                await asyncio.sleep(0)
        ground.counts["messages"] += len(sockets)

    await ground.every(every, say)


HELLO = b'{"type":"hello"}'


async def pings(ground: Ground, large: list[Held]) -> None:
    """Signs of life, on hundreds of sockets, each as often as a socket may."""
    sockets = await _many(ground, f"/api/tables/{large[0].table}/live", first=HELLO)
    await ground.begin()
    await _all_say(ground, sockets, b'{"type":"ping"}', TALK)


async def rejects(ground: Ground, large: list[Held]) -> None:
    """Commands of those who only watch, on hundreds of sockets, each as often as a socket may."""
    sockets = await _many(ground, f"/api/tables/{large[0].table}/live", first=HELLO)
    await ground.begin()
    await _all_say(ground, sockets, b'{"type":"act","cid":"x","ply":0,"action":1}', TALK)


async def lobby(ground: Ground, large: list[Held]) -> None:
    """Words that nobody asked for, on hundreds of sockets at the list of tables."""
    sockets = await _many(ground, "/api/lobby/live")
    await ground.begin()
    await _all_say(ground, sockets, b'{"type":"ping"}', TALK)


async def crowd(ground: Ground, large: list[Held]) -> None:
    """A table of 576 seats with hundreds of sockets, where each source talks, and sockets come and go."""
    table = await ground.sources[0].open_table(game="game17", seats=SEATS, options={"edge": 24})
    tokens = [await source.sit(table) for source in ground.sources]
    talking = [(await _welcomed(source, table, token))[0] for source, token in zip(ground.sources, tokens, strict=True)]
    await _many(ground, f"/api/tables/{table}/live", first=HELLO)
    await ground.begin()
    cids = itertools.count()

    def talk() -> None:
        for socket in talking:
            said = {"type": "chat", "cid": f"t{next(cids)}", "text": "x" * 300}
            socket.say(json.dumps(said).encode())

    async def come_and_go(source: Source) -> None:
        async def come() -> None:
            try:
                socket = await source.socket(f"/api/tables/{table}/live")
            except OSError:
                return
            socket.say(HELLO)
            await asyncio.sleep(0.01)
            socket.cut()
            ground.counts["came and went"] += 1

        await ground.every(COMING, come)

    await asyncio.gather(ground.every(0.5, talk), *map(come_and_go, ground.sources))


async def moves(ground: Ground, large: list[Held]) -> None:
    """Fifty matches of each address with itself, in which both play as fast as a seat may."""
    plays: list[tuple[Source, str, list[str]]] = []

    async def begin(source: Source) -> None:
        for _ in range(45):
            table = await source.open_table(game="goose", seats=2)
            plays.append((source, table, [await source.sit(table, name) for name in ("Eve", "Mal")]))
            await asyncio.sleep(5 * COMING)

    await asyncio.gather(*map(begin, ground.sources))
    word = asyncio.Event()

    async def play(source: Source, table: str, token: str) -> None:
        socket: wire.Socket
        asked = asyncio.Event()
        choice = [0, 0]

        def hear(text: bytes) -> None:
            place = text.rfind(b'"choices":[{"action":')
            if place >= 0:
                ply = text.find(b'"ply":')
                choice[:] = _number(text, ply + 6), _number(text, place + 21)
                asked.set()

        socket = await source.socket(f"/api/tables/{table}/live", hear)
        socket.say(json.dumps({"type": "hello", "token": token}).encode())
        await word.wait()
        for cid in itertools.count():
            await asked.wait()
            asked.clear()
            socket.say(b'{"type":"act","cid":"m%d","ply":%d,"action":%d}' % (cid, *choice))
            ground.counts["moves"] += 1

    tasks = [asyncio.create_task(play(source, table, token)) for source, table, pair in plays for token in pair]
    await asyncio.sleep(3)
    await ground.begin()
    word.set()
    await asyncio.sleep(ground.seconds)
    for task in tasks:
        task.cancel()


async def refused_bots(ground: Ground) -> None:
    """Bots that are not allowed, asked for at many seats while many large tables are open."""
    chairs = []
    for source in ground.sources:
        bots = {str(seat): "random" for seat in range(390)}
        first = await source.open_table(game="game17", seats=576, options={"edge": 24}, bots=bots)
        for _ in range(40):
            await source.open_table(game="game17", seats=576, options={"edge": 24})
            await asyncio.sleep(0.05)
        for number in range(60):
            token = await source.sit(first, f"E{number}")
            chairs.append((await _welcomed(source, first, token))[0])
            await asyncio.sleep(0.05)
    await ground.begin()
    cids = itertools.count()

    def start() -> None:
        for chair in chairs:
            chair.say(json.dumps({"type": "start", "cid": f"s{next(cids)}", "fill": "random"}).encode())

    await ground.every(COMMANDS, start)


async def choir(ground: Ground) -> None:
    """A table where hundreds sit, and all talk."""
    table = await ground.sources[0].open_table(game="game17", seats=576, options={"edge": 24})
    singers = []
    for number in range(190):
        for source in ground.sources:
            token = await source.sit(table, f"E{number}")
            singers.append((await _welcomed(source, table, token))[0])
        await asyncio.sleep(0.045)
    await asyncio.sleep(10)
    await ground.begin()
    cids = itertools.count()

    def sing() -> None:
        for singer in singers:
            said = {"type": "chat", "cid": f"t{next(cids)}", "text": "x" * 300}
            singer.say(json.dumps(said).encode())

    await ground.every(1.0, sing)


async def deaf(ground: Ground) -> None:
    """Sockets that ask for a large table again and again, and read nothing."""
    sockets = []
    hello = json.dumps({"type": "hello", "pictures": True, "state": True}).encode()
    for source in ground.sources:
        table = await source.open_table(game="game17", seats=2, options={"edge": 24})
        for name in ("Eve", "Mal"):
            await source.sit(table, name)
        for _ in range(100):
            socket = await source.socket(f"/api/tables/{table}/live")
            socket.deafen()
            sockets.append(socket)
            await asyncio.sleep(0.03)
    await ground.begin()
    turn = itertools.cycle(sockets)
    await ground.every(1 / 45 / len(ground.sources), lambda: next(turn).say(hello))


async def filters(ground: Ground) -> None:
    """The list of tables in all its forms, by sockets that come and go."""
    paths = itertools.cycle(
        f"/api/lobby/live?game={game}&company={company}&clock={clock}"
        for game in ("choccer", "goose", "game17", "mazerunner", "verfuchst")
        for company in ("people", "bots")
        for clock in ("none", "quick", "slow")
    )
    await ground.begin()

    async def attack(source: Source) -> None:
        async def come() -> None:
            try:
                socket = await source.socket(next(paths))
            except OSError:
                return
            socket.cut()
            ground.counts["came and went"] += 1

        await ground.every(0.022, come)

    await ground.by_each(attack)


def _number(text: bytes, start: int) -> int:
    end = start
    while text[end : end + 1].isdigit():
        end += 1
    return int(text[start:end])
