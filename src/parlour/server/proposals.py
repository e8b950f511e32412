"""What a command would add to a table's log, or why it may not. Nothing happens before it is stored and folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from parlour.bots import usual
from parlour.engine import fair
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.protocol import (
    TABLE,
    Act,
    Acted,
    AnyEntry,
    Back,
    BotSat,
    Chat,
    Draw,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Leave,
    Left,
    PutBot,
    Reason,
    Rematch,
    RematchOpened,
    Replaced,
    Resign,
    Resigned,
    Returned,
    Reveal,
    Revealed,
    Said,
    Sat,
    Sit,
    Start,
    Started,
    TableCommand,
    TokenRenewed,
    Undo,
    Undone,
)
from parlour.server.errors import Refusal
from parlour.server.names import clean_chat
from parlour.server.store import Append
from parlour.server.table import Table


@dataclass
class Proposal:
    """Entries to be stored, and what is stored along with them: all of it or nothing."""

    entries: Sequence[AnyEntry]
    played: Match | None = None  # the match as they leave it, where working them out has played it
    tokens: dict[str, int] = field(default_factory=dict)  # hashes of tokens that are new, and their seats
    revoked: list[int] = field(default_factory=list)  # seats whose tokens end
    also: list[Append] = field(default_factory=list)  # at other tables
    term: int | None = None  # of the lease under which this is done, where only its holder may do it


def propose(table: Table, command: TableCommand, seat: int, at: float, spent: float = 0.0) -> Proposal:
    """What the seat's command adds. The last entry carries its cid; ``spent`` is the time the seat has thought."""
    _check_right(table, command, seat)
    played, revoked = None, list[int]()
    drafts: list[AnyEntry]
    spent = round(spent, 3)
    match command:
        case Act():
            drafts, played = _act(table, command, seat, spent)
        case Undo():
            drafts = _undo(table, command, seat, spent)
        case Resign():
            drafts = _resign(table, seat)
        case Draw():
            drafts = _draw(table, command, seat)
        case Chat():
            drafts = [Said(seat=seat, text=clean_chat(command.text))]
        case Back():
            drafts = _back(table, seat)
        case Leave():
            drafts = _leave(table, seat)
            revoked = [seat] if table.phase == "open" else []
        case Reveal():
            drafts = _reveal(table, command, seat)
        case Start():
            drafts = _start(table, command, seat)
            revoked = [draft.seat for draft in drafts if isinstance(draft, BotSat)]  # a kept seat's, too
        case PutBot():
            drafts = _put_bot(table, command, seat)
        case Rematch():
            raise AssertionError("a rematch is proposed once its table is there")
    return Proposal(_number(table, drafts, at, command.cid), played, revoked=revoked)


def _check_right(table: Table, command: TableCommand, seat: int) -> None:
    """Check what a person may do while a bot plays for their seat.

    Whoever was only absent may act, which brings them back, or come back, leave or resign. Whoever has given the seat
    up, or used up a bank of time, may do nothing more in this match. Everybody may talk, and ask for a rematch.
    """
    away = table.chairs[seat].away
    if away is None or table.phase != "playing" or isinstance(command, Chat | Rematch):
        return
    if away in ("resigned", "left"):
        raise Refusal("forbidden", f"you have {away}: a bot plays on in your place")
    if away == "time" and table.spec.clock.kind == "bank":
        raise Refusal("forbidden", "your time is used up: a bot plays on in your place")
    if isinstance(command, Undo | Draw):
        raise Refusal("forbidden", "a bot plays in your place: come back first")


class Place(NamedTuple):
    """Where somebody sits until the match begins, and the seat that they will have then, if it is another one."""

    seat: int
    lot: bool = False
    wants: int | None = None


def sit(table: Table, place: Place, name: str, wish: Sit, at: float) -> Proposal:
    """A person sits down; with that, the match begins if no seat is left free and nothing is to be revealed."""
    nonce = "" if wish.seal else wish.nonce
    drafts: list[AnyEntry] = [Sat(**place._asdict(), name=name, nonce=nonce, seal=wish.seal)]
    return Proposal(_number(table, drafts if wish.seal else drafts + _start_if_full(table, {place.seat}), at))


def start_without(table: Table, at: float) -> Proposal | None:
    """The match begins, without the nonces that were not revealed in time."""
    if not table.is_revealing:
        return None
    return Proposal(_number(table, [Started(left_out=table.sealed)], at))


def open_table(table: Table, bots: dict[int, str], at: float) -> list[AnyEntry]:
    """The first entries of a new table. Bots take their seats at once; if they take all seats, the match begins."""
    drafts: list[AnyEntry] = [BotSat(seat=seat, bot=bot) for seat, bot in sorted(bots.items())]
    return _number(table, drafts + _start_if_full(table, set(bots)), at)


def take_over(table: Table, seat: int, reason: Reason, at: float, spent: float) -> Proposal:
    """A bot plays for a person who stays away."""
    away = Replaced(seat=seat, bot=usual(table.game), reason=reason, spent=round(spent, 3))
    return Proposal(_number(table, [away], at))


def give_back(table: Table, seat: int, at: float) -> Proposal | None:
    """The person has returned; nothing, if nobody plays in their place or the bot must go on."""
    if table.phase != "playing" or not table.chairs[seat].away:
        return None
    try:
        _check_right(table, Back(cid="back"), seat)
    except Refusal:
        return None
    return Proposal(_number(table, [Returned(seat=seat)], at))


def bot_acts(table: Table, action: int, at: float, excuse: str = "") -> Proposal:
    """The bot whose choice it is plays; with an excuse, it says so once."""
    match = _playing(table)
    after = match.twin()
    after.play(action)
    seat = TABLE if table.to_move is None else table.to_move
    drafts: list[AnyEntry] = [Acted(seat=seat, ply=table.ply, actions=[action])]
    if excuse and not any(line.text == excuse for line in table.chat):
        drafts.insert(0, Said(seat=seat, text=excuse))
    return Proposal(_number(table, drafts, at), after)


def rematch(table: Table, opening: Append, seat: int, at: float, cid: str) -> Proposal:
    """The same table once more: it is opened along with the entry that says so, or not at all."""
    if table.phase != "over":
        raise Refusal("not_over", "the match is not over yet")
    if table.rematch is not None:
        raise Refusal("stale", "there is a rematch already")
    entries = _number(table, [RematchOpened(seat=seat, table=opening.table_id)], at, cid)
    return Proposal(entries, also=[opening])


def renew(table: Table, seat: int, token_hash: str, at: float) -> Proposal:
    """The seat gets another token, and the old ones end."""
    entries = _number(table, [TokenRenewed(seat=seat)], at)
    return Proposal(entries, tokens={token_hash: seat}, revoked=[seat])


def _number(table: Table, drafts: Sequence[AnyEntry], at: float, cid: str | None = None) -> list[AnyEntry]:
    """The drafts as entries that follow the table's last. The last answers the command, if none says that it does."""
    entries = [
        msgspec.structs.replace(draft, number=number, at=at) for number, draft in enumerate(drafts, table.number + 1)
    ]
    if cid is not None and all(draft.cid is None for draft in drafts):
        entries[-1] = msgspec.structs.replace(entries[-1], cid=cid)
    return entries


def _playing(table: Table) -> Match:
    if table.phase != "playing" or table.match is None:
        raise Refusal("not_playing", "the match is over" if table.ending else "the match has not begun")
    return table.match


def _check_open(table: Table) -> None:
    """Whether who sits where may still change. Not once nonces are revealed: whoever came then would know them."""
    if table.phase != "open":
        raise Refusal("not_open", "the match has begun already")
    if table.is_revealing:
        raise Refusal("not_open", "the match is about to begin")


def _check_ply(table: Table, ply: int) -> None:
    if ply != table.ply:
        raise Refusal("stale", f"the match is at ply {table.ply}, not {ply}")


def _start_if_full(table: Table, taken: set[int], by: int | None = None) -> list[AnyEntry]:
    return [] if set(table.free) - taken or table.sealed else [Started(by=by)]


def _reveal(table: Table, command: Reveal, seat: int) -> list[AnyEntry]:
    if not table.is_revealing:
        raise Refusal("not_open", "nonces are revealed when all have sat down, and before the match begins")
    if not table.chairs[seat].is_sealed or fair.seal(command.nonce) != table.chairs[seat].seal:
        raise Refusal("bad_request", "this is not the nonce that you have sealed")
    starts: list[AnyEntry] = [] if table.sealed != [seat] else [Started()]
    return [Revealed(seat=seat, nonce=command.nonce, cid=command.cid), *starts]


def _act(table: Table, command: Act, seat: int, spent: float) -> tuple[list[AnyEntry], Match]:
    match = _playing(table)
    _check_ply(table, command.ply)
    if seat != match.to_move:
        raise Refusal("not_your_turn", f"it is {table.name(match.to_move)}'s turn")
    returns: list[AnyEntry] = [Returned(seat=seat)] if table.chairs[seat].away else []
    chosen = _chosen(command)
    after = _play(match, chosen)
    actions = [ply.action for ply in after.plies[table.ply :]]
    unplayed = len(chosen) - len(actions)
    return [*returns, Acted(seat=seat, ply=command.ply, actions=actions, spent=spent, unplayed=unplayed)], after


def _play(match: Match, actions: list[int] | list[str]) -> Match:
    """The match after these actions: all or none are played, but only up to the first that rolls dice.

    What comes after that is not even looked at: whether it is legal would tell what the dice were, before they count.
    """
    after, seat = match.twin(), match.to_move
    for action in actions:
        if after.over or after.to_move != seat:
            raise Refusal("illegal_action", "your turn is over before all of these actions are played")
        try:
            after.play(action)
        except ParlourError as error:
            raise Refusal("illegal_action", str(error)) from error
        if after.plies[-1].by_chance:
            break
    return after


def _chosen(command: Act) -> list[int] | list[str]:
    given = [way for way in (command.action, command.text, command.actions) if way is not None]
    if len(given) != 1:
        raise Refusal("bad_request", "to act, give one of action, text and actions")
    if command.actions is not None:
        return command.actions
    return [command.text] if command.text is not None else [command.action or 0]


def _undo(table: Table, command: Undo, seat: int, spent: float) -> list[AnyEntry]:
    match = _playing(table)
    _check_ply(table, command.ply)
    plies = table.undo_plies(seat)
    if not plies:
        reason = (
            "you can take back only your own last choice, before dice are rolled and before another person is to choose"
        )
        raise Refusal("no_undo", reason)
    return [Undone(seat=seat, ply=command.ply, spent=spent if match.to_move == seat else 0.0, plies=plies)]


def _resign(table: Table, seat: int) -> list[AnyEntry]:
    _playing(table)
    return [Resigned(seat=seat, bot=usual(table.game))]


def _draw(table: Table, command: Draw, seat: int) -> list[AnyEntry]:
    _playing(table)
    if table.spec.seats != 2:
        raise Refusal("forbidden", "a draw can be agreed on only where two play")
    if command.answer == "offer" and table.offer is None:
        if table.chairs[1 - seat].player is not None:
            raise Refusal("forbidden", "a bot does not agree on a draw")
        return [DrawOffered(seat=seat)]
    if table.offer == seat:
        raise Refusal("forbidden", "you have offered a draw already; it is for the other to answer")
    if table.offer is None:
        raise Refusal("forbidden", "nobody has offered you a draw")
    return [DrawDeclined(seat=seat) if command.answer == "decline" else DrawAgreed(seat=seat)]


def _back(table: Table, seat: int) -> list[AnyEntry]:
    _playing(table)
    if not table.chairs[seat].away:
        raise Refusal("forbidden", "nobody plays in your place")
    return [Returned(seat=seat)]


def _leave(table: Table, seat: int) -> list[AnyEntry]:
    if table.phase == "open":
        _check_open(table)
        return [Left(seat=seat)]
    _playing(table)
    return [Replaced(seat=seat, bot=usual(table.game), reason="left")]


def _start(table: Table, command: Start, seat: int) -> list[AnyEntry]:
    _check_open(table)
    if table.free and command.fill is None:
        raise Refusal("forbidden", f"{len(table.free)} of {table.spec.seats} seats are still free")
    by = seat if table.sealed else None
    filled: list[AnyEntry] = [BotSat(seat=free, bot=command.fill or "", by=by) for free in table.free]
    return filled if table.sealed else [*filled, Started(seat=seat)]


def _put_bot(table: Table, command: PutBot, seat: int) -> list[AnyEntry]:
    _check_open(table)
    if command.seat >= table.spec.seats:
        raise Refusal("bad_request", f"there are seats 0 to {table.spec.seats - 1}, no seat {command.seat}")
    if table.chairs[command.seat].person is not None or command.seat in table.spec.kept:
        raise Refusal("seat_taken", f"that seat is {table.name(command.seat)}'s")
    if command.bot is None:
        return [Left(seat=command.seat, by=seat)]
    return [BotSat(seat=command.seat, bot=command.bot, by=seat), *_start_if_full(table, {command.seat}, by=seat)]
