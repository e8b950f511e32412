"""What a command would add to a table's log, or why it may not. Nothing happens before it is stored and folded."""

from __future__ import annotations

from parlour.protocol import Act, AnyEntry, Back, BotSat, Chat, Draw, Leave, PutBot, Resign, Reveal, Start, Undo
from parlour.server.rooms.proposals.acting import act, bot_acts
from parlour.server.rooms.proposals.agreeing import draw
from parlour.server.rooms.proposals.beginning import open_table, reveal, start, start_without
from parlour.server.rooms.proposals.being_away import back, give_back, leave, take_over
from parlour.server.rooms.proposals.proposal import Proposal, check_right, numbered
from parlour.server.rooms.proposals.rematch import rematch
from parlour.server.rooms.proposals.resigning import resign
from parlour.server.rooms.proposals.sitting import ChosenSeat, put_bot, renew, sit
from parlour.server.rooms.proposals.taking_back import undo
from parlour.server.rooms.proposals.talking import say
from parlour.server.tables.table import Table

# All but a rematch, which needs its table first.
Asked = Act | Undo | Resign | Draw | Chat | Back | Leave | Reveal | Start | PutBot

__all__ = [
    "Asked",
    "ChosenSeat",
    "Proposal",
    "bot_acts",
    "give_back",
    "open_table",
    "propose",
    "rematch",
    "renew",
    "sit",
    "start_without",
    "take_over",
]


def propose(table: Table, command: Asked, seat: int, at: float, spent: float = 0.0) -> Proposal:
    """What the seat's command adds. The last entry carries its cid; ``spent`` is the time the seat has thought."""
    check_right(table, command, seat)
    played, revoked = None, list[int]()
    drafts: list[AnyEntry]
    spent = round(spent, 3)
    match command:
        case Act():
            drafts, played = act(table, command, seat, spent)
        case Undo():
            drafts = undo(table, command, seat, spent)
        case Resign():
            drafts = resign(table, seat)
        case Draw():
            drafts = draw(table, command, seat)
        case Chat():
            drafts = [say(seat, command)]
        case Back():
            drafts = back(table, seat)
        case Leave():
            drafts = leave(table, seat)
            revoked = [seat] if table.phase == "open" else []
        case Reveal():
            drafts = reveal(table, command, seat)
        case Start():
            drafts = start(table, command, seat)
            revoked = [draft.seat for draft in drafts if isinstance(draft, BotSat)]  # a kept seat's, too
        case PutBot():
            drafts = put_bot(table, command, seat)
    return Proposal(numbered(table, drafts, at, command.cid), played, revoked=revoked)
