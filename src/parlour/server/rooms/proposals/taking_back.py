"""Taking back one's own last choice."""

from __future__ import annotations

from parlour.protocol import AnyEntry, Undo, Undone
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.proposals.proposal import check_ply, playing
from parlour.server.tables.table import Table


def undo(table: Table, command: Undo, seat: int, spent: float) -> list[AnyEntry]:
    match = playing(table)
    check_ply(table, command.ply)
    plies = table.undo_plies(seat, command.choices)
    if not plies:
        reason = (
            "in a game with secrets nothing is taken back: nobody can forget what an action has shown"
            if match.game.has_secrets
            else "you can take back only your own last choice, before dice are rolled and before another person is to "
            "choose"
        )
        raise Refusal("no_undo", reason)
    return [Undone(seat=seat, ply=command.ply, spent=spent if match.to_move == seat else 0.0, plies=plies)]
