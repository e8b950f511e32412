"""The event loop of a worker: as soon as the server takes connections, it takes those of other workers, too."""

from __future__ import annotations

from typing import Any

import uvloop

from parlour.server.http.connections import receive


class WorkersLoop(uvloop.Loop):
    """uvicorn says how its connections are made only when it asks the loop to listen."""

    async def create_server(self, protocol_factory: Any, *given: Any, **named: Any) -> Any:
        server = await super().create_server(protocol_factory, *given, **named)
        receive(protocol_factory)
        return server
