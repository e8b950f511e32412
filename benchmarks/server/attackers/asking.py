"""Attacks by requests over HTTP."""

from __future__ import annotations

import asyncio
import itertools
import json

from benchmarks.server.attackers.ground import AGAIN, Ground, Source
from benchmarks.server.attackers.stage import END, LARGEST, Held

ALLOWED = 48.0  # requests a second of one address: it may send 50
FLOOD = 20_000.0
WAITING = 2000  # requests that are to wait for news
ONE_MEGABYTE = 1_000_000


async def _flood(ground: Ground, requests: list[tuple[str, bytes | None]], *, lines: int, rate: float) -> None:
    """Each source asks these in turn."""
    await ground.begin()

    async def ask(source: Source) -> None:
        prepared = itertools.cycle([source.request(path, body) for path, body in requests])
        await ground.keep_asking(source, lambda: next(prepared), lines, rate)

    await ground.by_each(ask)


async def looking(ground: Ground, finished: list[str]) -> None:
    """Matches that are over, each a table to be brought back, as many as an address may look at."""
    await ground.begin()
    tables = iter(finished)

    async def ask(source: Source) -> None:
        await ground.keep_asking(source, lambda: source.request(f"/api/tables/{next(tables)}"), 20, ALLOWED)

    await ground.by_each(ask)


async def waiting(ground: Ground, finished: list[str]) -> None:
    """2,000 requests that wait for news, by way of a trusted proxy."""
    await ground.begin()
    each = WAITING // len(ground.sources)

    async def ask(source: Source) -> None:
        request = source.request(f"/api/tables/{finished[0]}/log?since=100000&wait=30")
        await ground.keep_asking(source, request, each, FLOOD)

    await ground.by_each(ask)


async def probes(ground: Ground) -> None:
    """How the server is, on 190 connections."""
    paths: list[tuple[str, bytes | None]] = [("/metrics", None), ("/healthz", None), ("/readyz", None)]
    await _flood(ground, paths, lines=190, rate=FLOOD)


async def refusals(ground: Ground) -> None:
    """What there is not, on 190 connections."""
    await _flood(ground, [("/api/nothing", None)], lines=190, rate=FLOOD)


async def connecting(ground: Ground) -> None:
    """Connections that end as soon as they are open."""
    await ground.begin()

    async def come(source: Source) -> None:
        async def some() -> None:
            while not ground.is_over and ground.counts["connections"] < 100_000:
                try:
                    line = await source.line()
                except OSError:
                    await asyncio.sleep(AGAIN)
                    continue
                line.cut()
                ground.counts["connections"] += 1

        await asyncio.gather(*(some() for _ in range(8)))

    await ground.by_each(come)


async def replays(ground: Ground) -> None:
    """A megabyte of JSON that is no replay."""
    body = b'{"parlour":1,"x":[' + b"[1]," * ((ONE_MEGABYTE - 40) // 4) + b"0]}"
    await _flood(ground, [("/api/replays", body)], lines=8, rate=ALLOWED)


async def long_replays(ground: Ground) -> None:
    """Matches on the largest board, of nearly as many rounds as there may be."""
    result = {"over": False, "scores": [0, 0], "winners": [], "state": ""}
    replay = {"parlour": 1, "rules": 2, "names": ["a", "b"], "actions": [END] * 1990, "result": result}
    bodies = [json.dumps({**LARGEST, **replay, "seed": seed}).encode() for seed in range(16)]  # the last few are kept
    await _flood(ground, [("/api/replays/summary", body) for body in bodies], lines=4, rate=ALLOWED)


async def searching(ground: Ground) -> None:
    """Tables of somebody whom nobody knows."""
    await _flood(ground, [("/api/tables?name=qqq&phase=over", None)], lines=50, rate=ALLOWED)


async def listing(ground: Ground) -> None:
    """The longest list of tables."""
    await _flood(ground, [("/api/tables?phase=over&limit=100", None)], lines=20, rate=ALLOWED)


async def games(ground: Ground) -> None:
    """All that is told of the games, and of the protocol."""
    await _flood(ground, [("/api/games", None), ("/api/schema/openapi.json", None)], lines=20, rate=ALLOWED)


async def _at_large(ground: Ground, large: list[Held], ask: str, *, body: bytes | None = None) -> None:
    """Each source asks something of its large table, with its token."""
    await ground.begin()
    pairs = {source.number: held for source, held in zip(ground.sources, large, strict=False)}

    async def attack(source: Source) -> None:
        held = pairs[source.number]
        request = source.request(f"/api/tables/{held.table}{ask}", body, held.tokens[0])
        await ground.keep_asking(source, request, 10, ALLOWED)

    await ground.by_each(attack)


async def views(ground: Ground, large: list[Held]) -> None:
    """The largest table, with all that can be asked of it."""
    await _at_large(ground, large, "?pictures=true&undoable=true&state=true&chances=true")


async def looks(ground: Ground, large: list[Held]) -> None:
    """The largest table, with its picture."""
    await _at_large(ground, large, "?pictures=true")


async def renewing(ground: Ground, large: list[Held]) -> None:
    """Another token for a seat at the largest table, again and again: the answer shows the table."""
    await ground.begin()

    async def attack(source: Source) -> None:
        held = large[ground.sources.index(source)]
        wished = itertools.count()
        token = held.tokens[0]
        lines = 1

        def request() -> bytes:
            nonlocal token
            old, token = token, f"{source.number:02d}{next(wished):030d}"
            return source.request(f"/api/tables/{held.table}/renew", json.dumps({"token": token}).encode(), old)

        await ground.keep_asking(source, request, lines, ALLOWED)

    await ground.by_each(attack)


async def sitting(ground: Ground, large: list[Held]) -> None:
    """Somebody who sits at a large table sits down there once more, again and again."""
    tables = [await source.open_table(game="game17", seats=500, options={"edge": 24}) for source in ground.sources]
    tokens = [f"{source.number:02d}" * 16 for source in ground.sources]
    await ground.begin()

    async def attack(source: Source) -> None:
        place = ground.sources.index(source)
        body = json.dumps({"name": "Eve", "token": tokens[place]}).encode()
        await ground.keep_asking(source, source.request(f"/api/tables/{tables[place]}/sit", body), 10, ALLOWED)

    await ground.by_each(attack)


async def explaining(ground: Ground, large: list[Held]) -> None:
    """Why something cannot be done at the largest table."""
    await _at_large(ground, large, "/why-not?tried=A1&tried=B2")


async def opening(ground: Ground) -> None:
    """The largest tables that can be opened, with bots at as many seats as there may be."""
    bots = {str(seat): "random" for seat in range(300)}
    body = json.dumps({"game": "game17", "seats": 576, "options": {"edge": 24}, "bots": bots}).encode()
    await _flood(ground, [("/api/tables", body)], lines=20, rate=ALLOWED)


async def wishes(ground: Ground) -> None:
    """Tables for which thousands of bots are wished."""
    bots = {text: "random" for seat in range(576) for text in (f"{seat:04d}", f"{seat:03d}", str(seat))}
    body = json.dumps({"game": "game17", "seats": 576, "options": {"edge": 24}, "bots": bots}).encode()
    await _flood(ground, [("/api/tables", body)], lines=10, rate=ALLOWED)


async def pairing(ground: Ground) -> None:
    """Somebody to play with, wished for again and again."""
    await _flood(ground, [("/api/pairings", b'{"game":"choccer"}')], lines=20, rate=ALLOWED)


async def cards(ground: Ground) -> None:
    """Pictures for links."""
    games = ("choccer", "goose", "game17", "mazerunner", "verfuchst")
    paths = [f"/api/games/{name}/preview.png?language={language}" for name in games for language in ("en", "de")]
    await _flood(ground, [(path, None) for path in paths], lines=20, rate=ALLOWED)


async def bad_tokens(ground: Ground) -> None:
    """Looking at others' tables with tokens that hold no seat there."""
    await ground.begin()
    lines = await ground.sources[0].ask("/api/tables?phase=playing&limit=50")
    tables = itertools.cycle([line["id"] for line in lines])

    async def ask(source: Source) -> None:
        make = lambda: source.request(f"/api/tables/{next(tables)}", token="x" * 40)  # noqa: E731
        await ground.keep_asking(source, make, 20, ALLOWED)

    await ground.by_each(ask)


async def packed(ground: Ground) -> None:
    """A large table just begun, with its picture, packed."""
    wish = {"game": "game17", "seats": 2, "options": {"edge": 24}}
    paths: list[str] = []
    for source in ground.sources:
        table = await source.open_table(**wish)
        for name in ("Eve", "Mal"):
            await source.sit(table, name)
        paths.append(f"/api/tables/{table}?pictures=true&state=true")
    await ground.begin()

    async def ask(source: Source) -> None:
        request = source.request(paths[ground.sources.index(source)])
        request = request.replace(b"\r\n", b"\r\nAccept-Encoding: gzip\r\n", 1)
        await ground.keep_asking(source, request, 10, ALLOWED)

    await ground.by_each(ask)
