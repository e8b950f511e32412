"""What a command would add to a table's log, or why not. Nothing changes here: a room stores it, the table folds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parlour.bots import usual
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.server import entries as kinds
from parlour.server import messages as say
from parlour.server.entries import Entry
from parlour.server.errors import Refused
from parlour.server.seats import clean_chat
from parlour.server.table import LEFT, RESIGNED, Table

Draft = tuple[str, int, dict[str, Any]]  # kind, seat and body of an entry to be


@dataclass
class Proposal:
    """Entries to be stored, and the match as they leave it, where working them out has played it."""

    entries: list[Entry]
    played: Match | None = None


def propose(table: Table, command: say.TableCommand, seat: int, at: float, spent: float = 0.0) -> Proposal:
    """What the seat's command adds. The last entry carries its cid; ``spent`` is the time the seat has thought."""
    spent = round(spent, 3)
    if isinstance(command, say.Act):
        drafts, played = _act(table, command, seat, spent)
    elif isinstance(command, say.Undo):
        drafts, played = _undo(table, command, seat, spent), None
    else:
        drafts, played = _DRAFTS[type(command)](table, command, seat), None
    return Proposal(_number(table, drafts, at, command.cid), played)


def sit(table: Table, seat: int, name: str, nonce: str, at: float) -> Proposal:
    """A person sits down; with that, the match begins if no seat is left free."""
    drafts: list[Draft] = [(kinds.SIT, seat, {"name": name, "nonce": nonce})]
    return Proposal(_number(table, drafts + _start_if_full(table, {seat}), at))


def deal_bots(table: Table, bots: dict[int, str], at: float) -> Proposal:
    """Bots take their seats as the table is opened; if they take all, the match begins."""
    drafts: list[Draft] = [(kinds.BOT, seat, {"bot": bot}) for seat, bot in sorted(bots.items())]
    return Proposal(_number(table, drafts + _start_if_full(table, set(bots)), at))


def take_over(table: Table, seat: int, reason: str, at: float, spent: float) -> Proposal:
    """A bot plays for a person who stays away."""
    body = {"bot": usual(table.game), "reason": reason, "spent": round(spent, 3)}
    return Proposal(_number(table, [(kinds.AWAY, seat, body)], at))


def give_back(table: Table, seat: int, at: float) -> Proposal | None:
    """The person has returned; nothing, if nobody plays in their place or the bot must go on."""
    if table.phase != "playing" or not table.chairs[seat].away:
        return None
    try:
        return Proposal(_number(table, _return(table, seat), at))
    except Refused:
        return None


def bot_acts(table: Table, action: int, at: float) -> Proposal:
    """The bot whose choice it is plays."""
    match = _playing(table)
    after = match.twin()
    after.play(action)
    drafts: list[Draft] = [(kinds.ACT, match.to_move, {"ply": table.ply, "actions": [action]})]
    return Proposal(_number(table, drafts, at), after)


def rematch(table: Table, other: str, seat: int, at: float, cid: str) -> Proposal:
    """The same table once more, under another id."""
    if table.rematch is not None:
        raise Refused("stale", "there is a rematch already")
    return Proposal(_number(table, [(kinds.REMATCH, seat, {"table": other})], at, cid))


def renew(table: Table, seat: int, at: float) -> Proposal:
    """The seat gets another token."""
    return Proposal(_number(table, [(kinds.RENEW, seat, {})], at))


def _number(table: Table, drafts: list[Draft], at: float, cid: str | None = None) -> list[Entry]:
    last = len(drafts) - 1
    return [
        Entry(table.number + 1 + place, at, kind, seat, cid if place == last else None, body)
        for place, (kind, seat, body) in enumerate(drafts)
    ]


def _playing(table: Table) -> Match:
    if table.phase != "playing" or table.match is None:
        raise Refused("not_playing", "the match is over" if table.ending else "the match has not begun")
    return table.match


def _check_open(table: Table) -> None:
    if table.phase != "open":
        raise Refused("not_open", "the match has begun already")


def _check_ply(table: Table, ply: int) -> None:
    if ply != table.ply:
        raise Refused("stale", f"the match is at ply {table.ply}, not {ply}")


def _start_if_full(table: Table, taken: set[int]) -> list[Draft]:
    return [] if set(table.free) - taken else [(kinds.START, kinds.TABLE, {})]


def _act(table: Table, command: say.Act, seat: int, spent: float) -> tuple[list[Draft], Match]:
    match = _playing(table)
    _check_ply(table, command.ply)
    if seat != match.to_move:
        raise Refused("not_your_turn", f"it is {table.name(match.to_move)}'s turn")
    returns = _return(table, seat) if table.chairs[seat].away else []
    after = match.twin()
    for action in _chosen(command):
        if after.over or after.to_move != seat:
            raise Refused("illegal_action", "your turn is over before all of these actions are played")
        try:
            after.play(action)
        except ParlourError as error:
            raise Refused("illegal_action", str(error)) from error
    actions = [ply.action for ply in after.plies[table.ply :]]
    return [*returns, (kinds.ACT, seat, {"ply": command.ply, "actions": actions, "spent": spent})], after


def _chosen(command: say.Act) -> list[int] | list[str]:
    given = [way for way in (command.action, command.text, command.actions) if way is not None]
    if len(given) != 1:
        raise Refused("bad_request", "to act, give one of action, text and actions")
    if command.actions is not None:
        return command.actions
    return [command.text] if command.text is not None else [command.action or 0]


def _undo(table: Table, command: say.Undo, seat: int, spent: float) -> list[Draft]:
    match = _playing(table)
    _check_ply(table, command.ply)
    if not match.may_undo(seat):
        raise Refused("no_undo", "only your own last choice can be taken back, and not past a roll")
    return [(kinds.UNDO, seat, {"ply": command.ply, "spent": spent if match.to_move == seat else 0.0})]


def _resign(table: Table, command: say.Resign, seat: int) -> list[Draft]:
    _playing(table)
    if table.chairs[seat].away in (RESIGNED, LEFT):
        raise Refused("forbidden", f"you have {table.chairs[seat].away} already")
    return [(kinds.RESIGN, seat, {"bot": usual(table.game)})]


def _draw(table: Table, command: say.Draw, seat: int) -> list[Draft]:
    _playing(table)
    if table.facts.seats != 2:
        raise Refused("forbidden", "a draw can be agreed on only where two play")
    if command.answer == "offer" and table.offer is None:
        if table.chairs[1 - seat].player is not None:
            raise Refused("forbidden", "a bot does not agree on a draw")
        return [(kinds.OFFER, seat, {})]
    if table.offer == seat:
        raise Refused("forbidden", "you have offered a draw already; it is for the other to answer")
    if table.offer is None:
        raise Refused("forbidden", "nobody has offered you a draw")
    return [(kinds.DECLINE if command.answer == "decline" else kinds.AGREE, seat, {})]


def _chat(table: Table, command: say.Chat, seat: int) -> list[Draft]:
    return [(kinds.CHAT, seat, {"text": clean_chat(command.text)})]


def _back(table: Table, command: say.Back, seat: int) -> list[Draft]:
    _playing(table)
    if not table.chairs[seat].away:
        raise Refused("forbidden", "nobody plays in your place")
    return _return(table, seat)


def _return(table: Table, seat: int) -> list[Draft]:
    """The person takes the seat again, unless it was given up or its time is used up."""
    if table.chairs[seat].away in (RESIGNED, LEFT):
        raise Refused("forbidden", f"you have {table.chairs[seat].away}: a bot plays on in your place")
    if table.facts.clock.kind == "bank" and table.clock.allows(seat) == 0:
        raise Refused("forbidden", "your time is used up: a bot plays on in your place")
    return [(kinds.BACK, seat, {})]


def _leave(table: Table, command: say.Leave, seat: int) -> list[Draft]:
    if table.phase == "open":
        return [(kinds.LEAVE, seat, {})]
    _playing(table)
    if table.chairs[seat].away in (RESIGNED, LEFT):
        raise Refused("forbidden", f"you have {table.chairs[seat].away} already")
    return [(kinds.AWAY, seat, {"bot": usual(table.game), "reason": LEFT})]


def _start(table: Table, command: say.Start, seat: int) -> list[Draft]:
    _check_open(table)
    if table.free and command.fill is None:
        raise Refused("forbidden", f"{len(table.free)} of {table.facts.seats} seats are still free")
    drafts: list[Draft] = [(kinds.BOT, free, {"bot": command.fill}) for free in table.free]
    return [*drafts, (kinds.START, seat, {})]


def _put_bot(table: Table, command: say.PutBot, seat: int) -> list[Draft]:
    _check_open(table)
    if command.seat >= table.facts.seats:
        raise Refused("bad_request", f"there are seats 0 to {table.facts.seats - 1}, no seat {command.seat}")
    if table.chairs[command.seat].person is not None or command.seat in table.facts.kept:
        raise Refused("seat_taken", f"that seat is {table.name(command.seat)}'s")
    if command.bot is None:
        return [(kinds.LEAVE, command.seat, {"by": seat})]
    drafts: list[Draft] = [(kinds.BOT, command.seat, {"bot": command.bot, "by": seat})]
    return drafts + [(kind, start, {"by": seat}) for kind, start, _ in _start_if_full(table, {command.seat})]


_DRAFTS: dict[type[Any], Callable[[Table, Any, int], list[Draft]]] = {
    say.Resign: _resign,
    say.Draw: _draw,
    say.Chat: _chat,
    say.Back: _back,
    say.Leave: _leave,
    say.Start: _start,
    say.PutBot: _put_bot,
}
