"""The page's types are those of the protocol."""

from __future__ import annotations

import runpy
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "protocol_types.py"


def test_the_types_of_the_page_are_made_from_the_protocol_as_it_is() -> None:
    made = runpy.run_path(str(TOOL))
    written = made["TARGET"].read_text("utf-8")
    assert written == made["typescript"](), "web/src/protocol.ts is stale: run `make protocol`"
