"""The position as the rules know it, for those that have the rules."""

from __future__ import annotations

import base64
import binascii

from parlour.client.errors import BadAnswer
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
        raise BadAnswer("the table has no state to show: its match has not begun, or it was not asked for state=True")
    try:
        packed = base64.b64decode(shown.state, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadAnswer(f"the server's state of {game.name} is not in base64") from error
    if len(packed) != game.layout.dtype.itemsize:
        raise BadAnswer(f"the server's state of {game.name} has {len(packed)} bytes, not {game.layout.dtype.itemsize}")
    return game.layout.unpack(packed)
