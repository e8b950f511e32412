"""Large answers, written and packed off the event loop: to do so for a megabyte takes as long as twenty moves."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any, ParamSpec

import msgspec
from litestar.response import Response

from parlour.server.api.access import Asked

JSON = "application/json"
LEVEL = 4
SMALL = 1000  # bytes that are sent as they are
Given = ParamSpec("Given")


def packing(request: Asked, work: Callable[Given, Any]) -> Callable[Given, Response[Any]]:
    """The same work, whose outcome is the answer to a request: in JSON, and packed if whoever asks can unpack it."""
    is_packed = "gzip" in request.headers.get("accept-encoding", "")

    def packed(*given: Given.args, **named: Given.kwargs) -> Response[Any]:
        outcome = work(*given, **named)
        body = outcome.encode() if isinstance(outcome, str) else msgspec.json.encode(outcome)
        headers = {"vary": "Accept-Encoding"}
        if is_packed and len(body) > SMALL:
            body, headers = gzip.compress(body, LEVEL, mtime=0), headers | {"content-encoding": "gzip"}
        return Response(body, media_type=JSON, headers=headers)

    return packed
