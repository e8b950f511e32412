"""Whether a finished match is what was promised: its result, its dice, and the seat's own part in them."""

from __future__ import annotations

from parlour.client.ticket import Ticket
from parlour.engine import replay


def doubts(text: str, ticket: Ticket) -> list[str]:
    """What is wrong with a replay, for somebody who held that seat (nothing: the match is proved)."""
    content = replay.loads(text, "the server's replay")
    found = replay.doubts(content, "the server's replay")
    dice = content.get("dice")
    if not isinstance(dice, dict):
        return [*found, "dice: the replay has no proof of them"]
    if ticket.commitment and dice.get("commitment") != ticket.commitment:
        found.append("dice: before you sat down, the table had committed itself to another secret")
    nonces = dice.get("nonces")
    if ticket.nonce and not (isinstance(nonces, list) and nonces[ticket.seat : ticket.seat + 1] == [ticket.nonce]):
        found.append("dice: your nonce had no part in them")
    return found
