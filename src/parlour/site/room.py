"""A table in a browser: its log, whoever looks at it, and the bots that play there."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from parlour.bots import roster
from parlour.bots.hints import hint_in_words
from parlour.engine.bots import Bot, Decision
from parlour.engine.chance import Chance
from parlour.protocol import Acted, AnyEntry, AskHint, HintAnswer, HintLine, Reply, TableView
from parlour.server.basics.errors import Refusal
from parlour.server.basics.steady import SteadyClock
from parlour.server.bots import pauses
from parlour.server.rooms import proposals
from parlour.server.rooms.answers import Answers, Command
from parlour.server.rooms.deadlines import REVEAL_WITHIN
from parlour.server.rooms.holders import Holder, Holders
from parlour.server.rooms.proposals import Proposal
from parlour.server.tables.fold import Change, fold, fold_all
from parlour.server.tables.listener import Listener
from parlour.server.tables.presence import Presence
from parlour.server.tables.table import Table
from parlour.server.telling import views
from parlour.server.telling.broadcast import deliver, of_changes, tell_presence, welcome
from parlour.site.keeping import Conflict, Keeper, Kept

Respond = Callable[[Reply], None]
Propose = Callable[[], Proposal | None]
BOT_PAUSE = 1.0  # seconds, as at a server
ALONE_PAUSE = 1.0  # seconds between two actions of a match in which nobody has a seat
ATTEMPTS = 5  # while another page of this browser writes to the same table
HINTS_SHOWN = 3


class LocalRoom:
    """What a server's room is, for one browser: no limits, no clocks, and nobody from elsewhere."""

    def __init__(self, keeper: Keeper, clock: SteadyClock, table: Table, tokens: dict[str, int]) -> None:
        self.keeper, self.clock, self.table = keeper, clock, table
        self.holders = Holders(tokens)
        self.presence = Presence(clock)
        self.answers = Answers(None, table.id)
        self.lock = asyncio.Lock()
        self._bots: dict[tuple[int, str], Bot] = {}
        self._playing: asyncio.Task[None] | None = None
        self._began = clock.now()  # when bots began to play: since then, somebody waits for their turn

    @classmethod
    async def recall(cls, keeper: Keeper, clock: SteadyClock, kept: Kept) -> LocalRoom:
        room = cls(keeper, clock, Table(kept.spec), kept.tokens)
        for change in fold_all(room.table, await keeper.since(kept.spec.id, 0)):
            room.answers.remember(change)
        return room

    @property
    def id(self) -> str:
        return self.table.id

    # Who is here.

    def join(self, listener: Listener) -> None:
        self.presence.join(listener)
        self.tell_presence()
        self.wake()

    def part(self, listener: Listener) -> None:
        self.presence.part(listener)
        self.tell_presence()

    def hurry(self, seat: int) -> None:
        if self.table.player is not None:
            self.presence.hurry(seat)

    def tell_presence(self) -> None:
        tell_presence(self.presence, {}, "", [])

    def view(self, you: int | None, *, undoable: bool = False, pictures: bool = False) -> TableView:
        return views.table_view(self.table, you, self.presence.here(), pictures=pictures, undoable=undoable)

    def welcome(self, hears: Listener) -> bytes:
        return welcome(self.table, hears, list(self.presence.listeners), self.presence, self.presence.here(), {})

    # Changes.

    async def command(self, cid: str, propose: Propose, holder: Holder, respond: Respond) -> None:
        """Carry out what whoever holds a seat has asked for, once: the same cid again gets the same answer again."""
        known_as: Command = self.table.sitting(holder.seat), cid

        def proposal() -> Proposal | None:
            self.holders.check(holder)
            return propose()

        if (known := self.answers.to(known_as)) is not None:
            return respond(known)
        try:
            await self.attempt(proposal, respond)
        except Refusal as refusal:
            respond(self.answers.refuse(known_as, refusal))
        return None

    async def attempt(self, propose: Propose, respond: Respond | None = None) -> None:
        """Have what is proposed happen: kept first, then told. Raises Refusal: nothing has happened."""
        async with self.lock:
            for _ in range(ATTEMPTS):
                proposal = propose()
                if proposal is None:
                    return None
                after = self.table.twin()
                played = proposal.played
                changes = [
                    fold(after, entry, played if isinstance(entry, Acted) else None) for entry in proposal.entries
                ]
                seating = next((change.seating for change in changes if change.seating), [])
                tokens = self.holders.after(proposal, seating)
                line = views.table_line(after, self.clock.now())
                try:
                    await self.keeper.write(Kept(after.spec, tokens, line), list(proposal.entries))
                except Conflict:
                    await self._catch_up()
                    continue
                self.table = after
                self._hold(tokens)
                return self._tell(changes, respond)
        raise Refusal("busy", "too much happens at this table just now: try again")

    async def catch_up(self) -> None:
        """Look for what another page of this browser has done here."""
        async with self.lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        entries = await self.keeper.since(self.id, self.table.number)
        kept = await self.keeper.read(self.id) if entries else None
        if kept is None:
            return
        after = self.table.twin()
        changes = list(fold_all(after, entries))
        self.table = after
        self._hold(kept.tokens)
        self._tell(changes)

    def _hold(self, tokens: dict[str, int]) -> None:
        if tokens != self.holders.seats:
            self.holders = Holders(tokens)
            self.presence.hold(tokens)

    def _tell(self, changes: list[Change], respond: Respond | None = None) -> None:
        """Acknowledge, and tell whoever looks what has happened."""
        if self.table.player is None:
            self.presence.calm_down()
        for change in changes:
            if change.seating:
                self.presence.reseat(change.seating)
            ack = self.answers.remember(change)
            if respond is not None and ack is not None:
                respond(ack)
        listeners, here = list(self.presence.listeners), self.presence.here()
        try:
            deliver(of_changes(self.table, changes, listeners, self.presence, here, {}))
        finally:  # whatever a game does wrong in a picture, the match goes on
            self.wake()

    async def add(self, entries: list[AnyEntry]) -> None:
        """The first entries of a table that is opened."""
        await self.attempt(lambda: Proposal(entries))

    # What happens by itself.

    def wake(self) -> None:
        """Have bots play, while somebody looks."""
        is_due = self.table.player is not None or self.table.is_revealing or self._plays_by_itself
        if is_due and self.presence.listeners and (self._playing is None or self._playing.done()):
            self._playing = asyncio.get_running_loop().create_task(self._go_on())

    @property
    def _plays_by_itself(self) -> bool:
        return self.table.phase == "playing" and not self.table.spec.seats

    async def _go_on(self) -> None:
        while self.presence.listeners:
            match = self.table.match
            try:
                if self.table.is_revealing:
                    await asyncio.sleep(REVEAL_WITHIN)
                    await self.attempt(lambda: proposals.start_without(self.table, self.clock.now()))
                elif self.table.player is not None:
                    await self._play_bot()
                elif self._plays_by_itself and match is not None:
                    await asyncio.sleep(ALONE_PAUSE)
                    await self.attempt(partial(self._acts, match, match.legal()[0]))
                else:
                    return
            except Refusal:
                await asyncio.sleep(BOT_PAUSE)

    async def _play_bot(self) -> None:
        match, bot = self.table.match, self.table.player
        assert match is not None
        assert bot is not None
        if pauses.begins_round(self.table):
            self._began = self.table.turn_began
        pause = pauses.pause(self.table, self.presence, BOT_PAUSE, self._began, self.clock.now())
        if not pauses.may_be_skipped(self.table, self.presence):
            await asyncio.sleep(pause)
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.presence.all_hurry.wait(), max(pause, 0.001))  # what is sent goes out first
        if self.table.match is match:
            await self.attempt(partial(self._acts, match, self._choose(bot)))

    def _acts(self, match: object, action: int) -> Proposal | None:
        return proposals.bot_acts(self.table, action, self.clock.now()) if self.table.match is match else None

    def _choose(self, name: str) -> int:
        """The bot's action; if it fails, one by chance, so that the match goes on."""
        decision = self._decision()
        key = decision.seat, name
        try:
            bot = self._bots.setdefault(key, roster.make_bot(self.table.game, name))
            action = int(bot.choose(decision))
            if action in decision.legal:
                return action
        except Exception:  # whatever a game's bot does
            traceback.print_exc()
        return secrets.choice(decision.legal)

    def _decision(self) -> Decision:
        match = self.table.match
        assert match is not None
        decision = match.seen_by(match.to_move).decision(Chance.at(secrets.randbits(127), 0))
        return replace(decision, state=decision.state.copy())

    def hint(self, holder: Holder, asked: AskHint) -> HintAnswer:
        """The best actions for the seat to move; or how to play its turn."""
        table = self.table
        if not table.spec.hints:
            raise Refusal("forbidden", "this table is played without hints")
        if table.match is None or table.to_move != holder.seat:
            raise Refusal("not_your_turn", "you can ask for a hint only when it is your turn")
        seen, decision = table.match.seen_by(holder.seat), self._decision()
        if asked.turn:
            return HintAnswer(asked.cid, table.ply, [], turn=roster.plan(table.game, decision))
        found = roster.hint(table.game, decision)
        best = [HintLine(one, seen.text(one), tries, round(chance, 4)) for one, tries, chance in found[:HINTS_SHOWN]]
        return HintAnswer(asked.cid, table.ply, best, hint_in_words(found, seen.text))
