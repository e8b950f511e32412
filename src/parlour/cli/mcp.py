"""``parlour mcp``: seats for language models, over the Model Context Protocol."""

from __future__ import annotations

import asyncio

from parlour.cli import options
from parlour.cli.console import print_plain
from parlour.engine.errors import ParlourError
from parlour.mcp.here import Here
from parlour.mcp.place import Place
from parlour.mcp.running import over_http, over_stdio


def serve(asked: options.Mcp) -> None:
    if asked.port is None and (asked.host or asked.hosts):
        raise ParlourError("--host and --allow-host are for HTTP: give --port, too")
    asyncio.run(_serve(asked))


async def _serve(asked: options.Mcp) -> None:
    place = _place(asked.server)
    if asked.port is None:
        await over_stdio(place)
    else:
        await over_http(place, asked.host or "127.0.0.1", asked.port, asked.hosts or [], print_plain)


def _place(server: str | None) -> Place:
    if server is None:
        return Here()
    from parlour.mcp.there import There  # it needs the client, which tables here do without

    return There(server)
