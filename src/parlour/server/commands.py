"""Everything that can be done at tables, whichever way it was asked for: over HTTP or over a socket."""

from __future__ import annotations

import secrets
from functools import partial

from parlour.engine import fair, registry
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.protocol import (
    Ack,
    Act,
    Bye,
    Chat,
    Draw,
    HintAnswer,
    HintLine,
    Leave,
    OpenTable,
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
from parlour.server import limits, metrics, proposals
from parlour.server.bot_service import BotService, check_bot
from parlour.server.broadcast import encode
from parlour.server.errors import Refusal
from parlour.server.limits import RateLimits
from parlour.server.names import clean_name, differing
from parlour.server.past import PastTable
from parlour.server.placement import Placement
from parlour.server.proposals import Proposal
from parlour.server.room import Answer, Room
from parlour.server.rooms import Rooms
from parlour.server.table import TableSpec
from parlour.server.tokens import hash_token, new_token, same

HINTS_SHOWN = 3
LEAD_TO_AN_END = (Act, Draw, Leave, Rematch, Resign, Reveal)


class Commands:
    """Carries out what people and programs ask for."""

    def __init__(self, rooms: Rooms, bots: BotService, limits: RateLimits, placement: Placement) -> None:
        self.rooms = rooms
        self.bots = bots
        self.limits = limits
        self.placement = placement
        self.config = rooms.config
        self.clock = rooms.deadlines.clock

    # Tables and seats.

    async def open_table(self, wish: OpenTable, address: str) -> tuple[Room, str]:
        """A new table; also the invitation that is needed to sit down if it is not public."""
        self._check_open()
        self.limits.check(self.limits.tables, address, "you have opened many tables")
        try:
            game = registry.get(wish.game)
            options = game.settle_options(wish.options)
            seats = game.settle_seats(wish.seats, options)
        except ParlourError as error:
            raise Refusal("bad_option", str(error)) from error
        if wish.name:
            clean_name(wish.name)
        if trouble := wish.clock.trouble():
            raise Refusal("bad_option", trouble)
        bots = {_seat_number(seat, seats): check_bot(game, bot) for seat, bot in wish.bots.items()}
        self._check_bots(address, len(bots))
        invite = new_token()
        spec = TableSpec(
            id=self.placement.new_id(),
            game=game.name,
            rules=game.version,
            options=options,
            seats=seats,
            public=wish.public,
            hints=wish.hints,
            clock=wish.clock,
            grace=wish.grace if wish.grace is not None else self.config.grace,
            secret=secrets.token_hex(fair.SECRET_BYTES),
            created=self.clock.now(),
            invite_hash=hash_token(invite),
        )
        self._warm(game, set(bots.values()), address)
        return await self.rooms.add(spec, bots, address), invite

    def _check_open(self) -> None:
        """Whether tables may be opened and matches may begin."""
        self.limits.standing.check_open()
        if self.config.drain:
            raise Refusal("maintenance", "this server will stop soon: matches go on, but none begins", 60.0)

    def _warm(self, game: Game, bots: set[str], address: str) -> None:
        for bot in bots:
            self.bots.warm(game, bot, address)

    async def sit(self, room: Room, wish: Sit, token: str | None) -> tuple[int, str]:
        """Take a seat; returns its number and the token that holds it."""
        self._check_open()
        _check_length(room)
        name = clean_name(wish.name)
        self.limits.standing.check_name(name, self.clock.now())
        fresh = wish.token or new_token()
        taken: tuple[int, str] = (0, "")

        def propose() -> Proposal | None:
            nonlocal taken
            table = room.table
            known = _seat_taken_before(room, wish, token or fresh)
            if known is not None:
                taken = known, token or fresh
                return None
            if table.phase != "open":
                raise Refusal("not_open", "the match has begun already")
            seat = _place(room, wish, token)
            _check_own(room, fresh, seat)
            taken = seat, token or fresh
            others = [chair.person for chair in table.chairs if chair.person is not None]
            proposal = proposals.sit(table, seat, differing(name, others), wish, self.clock.now())
            proposal.tokens = {} if token else {hash_token(fresh): seat}
            return proposal

        await room.attempt(propose)
        room.touch(taken[0])
        return taken

    async def renew(self, room: Room, seat: int, wish: Renew) -> str:
        """Another token for the seat: those that held it before do so no more."""
        _check_length(room)
        token = wish.token or new_token()
        old = [listener for listener in room.presence.listeners if listener.seat == seat]

        def propose() -> Proposal:
            _check_own(room, token, seat)
            return proposals.renew(room.table, seat, hash_token(token), self.clock.now())

        await room.attempt(propose)
        for listener in old:
            listener.dismiss(encode(Bye("unauthorised", "this seat has another token now")))
        return token

    async def welcome_back(self, room: Room, seat: int) -> None:
        """Somebody is here again: no bot need play for them."""
        await room.attempt(lambda: proposals.give_back(room.table, seat, self.clock.now()))

    # What seats do.

    async def answer(self, room: Room, seat: int, command: TableCommand) -> Ack:
        """Have a seat's command carried out, and wait for the answer. Raises Refusal where it is refused."""
        answers: list[Reply] = []
        await self.carry_out(room, seat, command, answers.append)
        if isinstance(answers[0], Reject):
            raise Refusal(answers[0].code, answers[0].message)
        return answers[0]

    async def carry_out(self, room: Room, seat: int, command: TableCommand, answer: Answer) -> None:
        """Have a seat's command carried out; the answer is given before anybody is told what happened."""
        kind = type(command).__name__.lower()

        def counted(reply: Reply) -> None:
            metrics.COMMANDS.labels(kind, "ack" if isinstance(reply, Ack) else reply.code).inc()
            answer(reply)

        try:
            self._check(room, seat, command)
        except Refusal as refusal:
            return counted(Reject(command.cid, refusal.code, str(refusal)))
        propose = partial(self._rematch, room, seat, command) if isinstance(command, Rematch) else None
        return await room.command(command, seat, counted, propose)

    def _check(self, room: Room, seat: int, command: TableCommand) -> None:
        """Whether the command is within limits, and names bots that there are."""
        if isinstance(room.table, PastTable) and not isinstance(command, Chat):
            raise Refusal("not_playing", room.table.old_rules)
        if not isinstance(command, LEAD_TO_AN_END):
            _check_length(room)
        self.limits.standing.check_name(room.table.chairs[seat].person or "", self.clock.now())
        who = f"{room.id}:{seat}"
        self.limits.check(self.limits.commands, who, "too many commands at once")
        if isinstance(command, Chat):
            self.limits.check(self.limits.chat, who, "too much talk at once")
        if isinstance(command, Rematch | Start):
            self._check_open()
        if isinstance(command, Rematch) and room.table.phase == "over" and room.table.rematch is None:
            self.limits.check(self.limits.tables, room.owner, "you have opened many tables")
        bot = command.fill if isinstance(command, Start) else command.bot if isinstance(command, PutBot) else None
        if bot is not None:
            check_bot(room.table.game, bot)
            self._check_bots(room.owner, len(room.table.free) if isinstance(command, Start) else 1)

    def _check_bots(self, address: str, more: int) -> None:
        """Whether bots at tables of this address may become so many more."""
        if not more:
            return
        mine = (room.table for room in self.rooms.in_memory.values() if room.owner == address)
        bots = sum(chair.bot is not None for table in mine if table.phase != "over" for chair in table.chairs)
        if bots + more > self.config.bots_per_address:
            raise Refusal("too_many", "too many bots play at tables of your address: let some matches end first")

    async def leave(self, room: Room, token: str, command: Leave) -> Ack:
        """Give a seat up. Before the match this ends the token; the same command is still answered as it was."""
        try:
            seat = await room.find_seat(token)
        except Refusal:
            answered = room.answer_to_leaver(token, command.cid)
            if answered is None:
                raise
            return answered
        return await self.answer(room, seat, command)

    def _rematch(self, room: Room, seat: int, command: Rematch) -> Proposal:
        """A table like this one, with a seat kept for everybody: the next one, so that sides are swapped."""
        count = len(room.table.chairs)
        chairs = [((seat + 1) % count, chair) for seat, chair in enumerate(room.table.chairs)]
        kept = {seat: chair.person for seat, chair in chairs if chair.person is not None}
        bots = {seat: chair.bot for seat, chair in chairs if chair.bot is not None}
        secret = secrets.token_hex(fair.SECRET_BYTES)
        spec = room.table.spec.again(self.placement.new_id(), secret, self.clock.now(), kept)
        tokens = {digest: (held + 1) % count for digest, held in room.tokens.items() if room.table.chairs[held].person}
        _, opening = self.rooms.opening(spec, bots, tokens)
        return proposals.rematch(room.table, opening, seat, self.clock.now(), command.cid)

    async def hint(self, room: Room, seat: int, cid: str, address: str) -> HintAnswer:
        """The best actions for the seat to move, as far as a second of thought can tell."""
        table = room.table
        if not table.spec.hints:
            raise Refusal("forbidden", "this table is played without hints")
        if table.match is None or table.to_move != seat:
            raise Refusal("not_your_turn", "you can ask for a hint only when it is your turn")
        self.limits.check(self.limits.hints, f"{room.id}:{seat}", "one hint at a time")
        seen, ply = table.match.seen_by(seat), table.ply
        found = await self.bots.hint(table.match, address)
        best = [
            HintLine(action, seen.text(action), tries, round(chance, 4))
            for action, tries, chance in found[:HINTS_SHOWN]
        ]
        return HintAnswer(cid, ply, best)


def _check_length(room: Room) -> None:
    """Whether there is room in the table's log for what could go on without end."""
    if room.table.number >= limits.TABLE_ENTRIES:
        raise Refusal("too_large", "too much has happened at this table: end the match, and open another table")


def _seat_taken_before(room: Room, wish: Sit, token: str) -> int | None:
    """The seat that the same request has taken before, if its answer was lost."""
    try:
        seat = room.seat_of(token)
    except Refusal:
        return None
    chair = room.table.chairs[seat]
    if chair.person is None:
        return None
    if chair.seal != wish.seal or (not wish.seal and chair.nonce != wish.nonce):
        raise Refusal("seat_taken", "you sit here already")
    return seat


def _place(room: Room, wish: Sit, token: str | None) -> int:
    """Which seat: the one that was kept for whoever has this token, the one they wish for, or any that is free."""
    table = room.table
    if token is not None:
        return room.seat_of(token)
    if not table.spec.public and not (wish.invite and same(hash_token(wish.invite), table.spec.invite_hash)):
        raise Refusal("forbidden", "this table is private: sit down with the link that invites you")
    free = [seat for seat in table.free if seat not in table.spec.kept]
    if not table.spec.seats:
        raise Refusal("seat_taken", "this table has no seats: you can only watch it")
    if wish.seat is None and not free:
        raise Refusal("seat_taken", "all seats are taken")
    seat = free[0] if wish.seat is None else wish.seat
    if seat >= table.spec.seats:
        raise Refusal("bad_request", f"there are seats 0 to {table.spec.seats - 1}, no seat {seat}")
    if seat not in free:
        raise Refusal("seat_taken", f"that seat is {table.name(seat)}'s")
    return seat


def _check_own(room: Room, token: str, seat: int) -> None:
    """Refuse a token that already holds another seat of the table."""
    if room.tokens.get(hash_token(token), seat) != seat:
        raise Refusal("seat_taken", "this token holds another seat here: make one of its own")


def _seat_number(text: str, seats: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 5 and int(text) < seats:
        return int(text)
    there_are = f"seats 0 to {seats - 1}" if seats else "no seats"
    raise Refusal("bad_option", f"there are {there_are} for bots, and none called {text!r:.20}")
