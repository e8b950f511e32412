"""The position as the rules know it, for those that have the rules."""

from __future__ import annotations

import base64
import binascii

from parlour.client.errors import Unproved
from parlour.engine import registry
from parlour.engine.errors import OtherRules
from parlour.engine.state import State
from parlour.protocol import Position, TableView


def state_of(view: TableView, position: Position | None = None) -> State:
    """The state that a table was asked for with ``state=True``, or that an update of it carries."""
    game = registry.get(view.game)
    if game.version != view.rules:
        raise OtherRules(f"the server plays {game.name} by rules {view.rules}; this Parlour has rules {game.version}")
    shown = position or view.position
    if shown is None or shown.state is None:
        raise ValueError("the table was not asked for its state, or its match has not begun")
    try:
        return game.layout.unpack(base64.b64decode(shown.state, validate=True))
    except (binascii.Error, ValueError, IndexError) as error:
        raise Unproved(f"the server's state of {game.name} is none of this Parlour's") from error
