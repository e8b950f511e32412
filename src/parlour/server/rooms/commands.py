"""Everything that can be done at tables, whichever way it was asked for: over HTTP or over a socket."""

from __future__ import annotations

import logging
import time
from functools import partial

from parlour.bots.hints import hint_in_words
from parlour.protocol import (
    Ack,
    Act,
    AskHint,
    Bye,
    Chat,
    Draw,
    HintAnswer,
    HintLine,
    Leave,
    PutBot,
    Reject,
    Rematch,
    Renew,
    Reply,
    Resign,
    Reveal,
    Sit,
    Start,
    TableCommand,
)
from parlour.server.basics import logs, metrics
from parlour.server.basics.errors import Refusal
from parlour.server.basics.limiter import processor_time
from parlour.server.people import limits
from parlour.server.people.names import clean_name
from parlour.server.people.tokens import hash_token, new_token
from parlour.server.rooms import proposals
from parlour.server.rooms.holders import Holder
from parlour.server.rooms.opener import Opener
from parlour.server.rooms.playing import Payers
from parlour.server.rooms.proposals import Asked, Proposal
from parlour.server.rooms.room import Respond, Room
from parlour.server.rooms.turn_messages import TurnMessages
from parlour.server.rooms.wishes import check_bot, once_more, propose_seat
from parlour.server.tables.past import PastTable
from parlour.server.telling.broadcast import encode

LOG = logging.getLogger("parlour.server")
HINTS_SHOWN = 3
LEAD_TO_AN_END = (Act, Draw, Leave, Rematch, Resign, Reveal)
GIVE_UP = (Leave, Resign)


class Commands:
    """Carries out what people and programs ask for."""

    def __init__(self, opener: Opener, turn_messages: TurnMessages) -> None:
        self.opener = opener
        self.rooms, self.bots, self.limits, self.clock = opener.rooms, opener.bots, opener.limits, opener.clock
        self.turn_messages = turn_messages

    # Tables and seats.

    async def sit(self, room: Room, wish: Sit, token: str | None, address: str) -> tuple[int, str]:
        """Take a seat; returns its number and the token that holds it."""
        self.opener.check_open()
        _check_length(room)
        name = clean_name(wish.name, room.table.spec.seats)
        self.limits.restrictions.check_name(name, self.clock.now())
        fresh = wish.token or new_token()
        held_by = token or fresh
        await room.attempt(
            lambda: propose_seat(room.table, room.holders, wish, name, token, fresh, self.clock.now()),
            payers=(address,),
        )
        seat = room.holders.seat_of(held_by)  # lots may have been drawn
        LOG.info("%s sits at seat %d", name, seat, extra=logs.with_details(person=name, seat=seat))
        room.touch(seat)
        return seat, held_by

    async def renew(self, room: Room, holder: Holder, wish: Renew, address: str) -> str:
        """Another token for the seat: those that held it before do so no more."""
        _check_length(room)
        seat, token = holder.seat, wish.token or new_token()
        old = [listener for listener in room.presence.listeners if listener.seat == seat]
        await room.attempt(partial(self._propose_token, room, holder, token), payers=_payers(room, seat, address))
        for listener in old:
            listener.dismiss(encode(Bye("unauthorised", "this seat has another token now")))
        return token

    def _propose_token(self, room: Room, holder: Holder, token: str) -> Proposal:
        room.holders.check(holder)
        room.holders.check_free(token, holder.seat)
        return proposals.renew(room.table, holder.seat, hash_token(token), self.clock.now())

    async def welcome_back(self, room: Room, holder: Holder, address: str) -> None:
        """Somebody is here again: no bot need play for them."""
        await room.attempt(partial(self._propose_return, room, holder), payers=_payers(room, holder.seat, address))

    def _propose_return(self, room: Room, holder: Holder) -> Proposal | None:
        room.holders.check(holder)
        return proposals.give_back(room.table, holder.seat, self.clock.now())

    # What seats do.

    async def answer(self, room: Room, holder: Holder, command: TableCommand, address: str) -> Ack:
        """Have a seat's command carried out, and wait for the answer. Raises Refusal where it is refused."""
        answers: list[Reply] = []
        await self.carry_out(room, holder, command, answers.append, address)
        if isinstance(answers[0], Reject):
            raise Refusal(answers[0].code, answers[0].message)
        return answers[0]

    async def carry_out(
        self, room: Room, holder: Holder, command: TableCommand, respond: Respond, address: str
    ) -> None:
        """Have a seat's command carried out; the answer is given before anybody is told what happened.

        ``address`` is whose command it is.
        """
        counted = partial(self._count, room, holder, command, time.perf_counter(), respond)
        try:
            self._check(room, holder.seat, command, address)
            if isinstance(command, Rematch) and room.table.phase == "over" and room.table.rematch is None:
                bots = sum(chair.bot is not None for chair in room.table.chairs)
                self.opener.check_bots(self.opener.owner(address), bots)
                await self.opener.check_tables(address)
        except Refusal as refusal:
            return counted(Reject(command.cid, refusal.code, str(refusal)))
        payers = _payers(room, holder.seat, address)
        if not isinstance(command, Rematch):
            return await carry_out(room, holder, command, counted, payers)
        rematch = partial(self._rematch, room, holder.seat, command, address)
        return await room.command(command.cid, rematch, holder, counted, payers)

    def _count(
        self, room: Room, holder: Holder, command: TableCommand, began: float, respond: Respond, reply: Reply
    ) -> None:
        """Count a command and its answer, and give the answer."""
        kind, took = type(command).__name__.lower(), time.perf_counter() - began
        metrics.count_command(kind, "ack" if isinstance(reply, Ack) else reply.code)
        if isinstance(command, Act) and isinstance(reply, Ack):
            metrics.note_move(took)
        if LOG.isEnabledFor(logging.DEBUG):
            # Why an action is refused may tell what the seat knows, and nobody else.
            why = "" if isinstance(reply, Ack) or room.table.keeps_secrets else f": {reply.message}"
            outcome = "ack" if isinstance(reply, Ack) else f"{reply.code}{why}"
            details = logs.with_details(seat=holder.seat)
            LOG.debug("%s of seat %d in %.1f ms: %s", kind, holder.seat, took * 1000, outcome, extra=details)
        if isinstance(command, GIVE_UP) and isinstance(reply, Ack):
            self.turn_messages.forget(room, holder.seat)
        respond(reply)

    def _check(self, room: Room, seat: int, command: TableCommand, address: str) -> None:
        """Whether the command is within limits, and names bots that there are."""
        if isinstance(room.table, PastTable) and not isinstance(command, Chat):
            raise Refusal("not_playing", room.table.old_rules)
        if not isinstance(command, LEAD_TO_AN_END):
            _check_length(room)
        self.limits.restrictions.check_name(room.table.chairs[seat].person or "", self.clock.now())
        who = f"{room.id}:{seat}"
        self.limits.check(self.limits.commands, who, "too many commands at once")
        room.playing.check(_payers(room, seat, address))
        if isinstance(command, Chat):
            self.limits.check(self.limits.chat, who, "too much talk at once")
        if isinstance(command, Rematch | Start):
            self.opener.check_open()
        bot = command.fill if isinstance(command, Start) else command.bot if isinstance(command, PutBot) else None
        if bot is not None:
            check_bot(room.table.game, bot)
            owner = room.owner or self.opener.owner(address)
            with processor_time(partial(room.playing.charge, _payers(room, seat, address))):
                self.opener.check_bots(owner, len(room.table.free) if isinstance(command, Start) else 1)

    async def leave(self, room: Room, token: str, command: Leave, address: str) -> Ack:
        """Give a seat up. Before the match this ends the token; the same command is still answered as it was."""
        try:
            seat = await room.find_seat(token)
        except Refusal:
            answered = await room.answers.to_leaver(token, command.cid)
            if answered is None:
                raise
            return answered
        return await self.answer(room, Holder(seat, hash_token(token)), command, address)

    def _rematch(self, room: Room, seat: int, command: Rematch, address: str) -> Proposal:
        """A table like this one, with a seat kept for everybody: the next one, so that sides are swapped.

        It counts for the address that asks for it.
        """
        kept, bots, tokens = once_more(room.table, room.holders)
        spec = self.opener.again(room.table.spec, kept)
        _, opening = self.rooms.opening(spec, bots, tokens, address)
        proposal = proposals.rematch(room.table, opening.table_id, seat, self.clock.now(), command.cid)
        proposal.also = [opening]
        return proposal

    async def hint(self, room: Room, holder: Holder, asked: AskHint, address: str) -> HintAnswer:
        """The best actions for the seat to move, as far as a second of thought can tell; or how to play its turn."""
        table, seat = room.table, holder.seat
        if not table.spec.hints:
            raise Refusal("forbidden", "this table is played without hints")
        if table.match is None or seat not in table.asked:
            raise Refusal("not_your_turn", "you can ask for a hint only when it is your turn")
        self.limits.check(self.limits.hints, f"{room.id}:{seat}", "one hint at a time")
        seen, ply = table.match.seen_by(seat), table.ply
        if asked.turn:
            turn = await self.bots.plan(table.match, seat, address)
            room.holders.check(holder)
            return HintAnswer(asked.cid, ply, [], turn=turn)
        found = await self.bots.hint(table.match, seat, address)
        room.holders.check(holder)
        best = [
            HintLine(action, seen.text(action), tries, round(chance, 4))
            for action, tries, chance in found[:HINTS_SHOWN]
        ]
        return HintAnswer(asked.cid, ply, best, hint_in_words(found, seen.text))


async def carry_out(room: Room, holder: Holder, command: Asked, respond: Respond, payers: Payers = ()) -> None:
    """Have a seat's command carried out, without a look at any limits."""
    await room.command(command.cid, partial(_proposed, room, holder, command), holder, respond, payers)


def _proposed(room: Room, holder: Holder, command: Asked) -> Proposal:
    return proposals.propose(room.table, command, holder.seat, room.clock.now(), room.spent(holder.seat))


def _payers(room: Room, seat: int, address: str) -> Payers:
    """Whom it counts for what a seat does: its person, and the seat, wherever that person is."""
    return address, f"{room.id}:{seat}"


def _check_length(room: Room) -> None:
    """Whether there is room in the table's log for what could go on without end."""
    if room.table.number >= limits.TABLE_ENTRIES:
        raise Refusal("too_large", "too much has happened at this table: end the match, and open another table")
