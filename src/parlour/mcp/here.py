"""Tables in this process: a model against bots, or against other models that join. Nothing of it is kept."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

from parlour.bots import make_bot, usual
from parlour.bots.model import Briefing
from parlour.bots.referee import Referee
from parlour.bots.roster import exact, faces, names
from parlour.engine import registry
from parlour.engine.bots import Bot
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.errors import BadSeats, nearest
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.notation import words_of
from parlour.engine.printable import one_line
from parlour.engine.replay import EarlyEnd
from parlour.engine.verdict import verdict
from parlour.mcp.place import HeldSeat, Place, Told, Trouble, Wish, chat_text

ANYONE = "anyone"
MOST_TABLES = 200
LONGEST_NAME = 40
CODE_BYTES = 6


class Here(Place):
    """All tables of this process. The oldest is given up where they become too many."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}

    async def games(self) -> str:
        return "\n\n".join(describe(game) for game in registry.all_games())

    async def rulebook(self, game: str) -> str:
        return registry.get(game).words.rulebook

    async def open_table(self, wish: Wish) -> tuple[HeldSeat, str]:
        table = await asyncio.to_thread(Table, wish)
        code = secrets.token_urlsafe(CODE_BYTES)
        self.tables[code] = table
        while len(self.tables) > MOST_TABLES:
            self.tables.pop(next(iter(self.tables))).close()
        held = table.take(wish.seat, wish.name)
        table.go_on()
        free = table.free
        told = f"{len(free)} more have to join before it begins: join_table with table {code!r}." if free else ""
        return held, told

    async def join_table(self, table: str, name: str, seat: int | None, token: str) -> HeldSeat:
        found = self.tables.get(table)
        if found is None:
            raise Trouble(f"there is no table {one_line(table, 40)!r} here: open_table opens one, and tells its code")
        if token:
            raise Trouble("tables here have no tokens: these are for a server's tables (parlour mcp --server URL)")
        free = found.free
        if not free:
            raise Trouble("all seats at that table are taken")
        if seat is not None and seat not in free:
            raise Trouble(f"seat {seat} is not free: {', '.join(map(str, free))} are" if free else "no seat is free")
        held = found.take(free[0] if seat is None else seat, name)
        found.go_on()
        return held

    async def close(self) -> None:
        for table in self.tables.values():
            table.close()
        self.tables.clear()


def describe(game: Game) -> str:
    """A game for whoever has to choose one."""
    low, high = game.seats
    lines = [f"{game.name}: {game.title}. {game.summary}", f"  seats: {low} to {high}"]
    lines += [f"  option {each.name}: {each.help} (default {each.default})" for each in game.options]
    told = ", ".join(f"{face.name} ({face.title})" for face in faces(game))
    return "\n".join([*lines, f"  bots: {told}"])


class Table:
    """One match, and who sits there. Bots choose in threads; whatever changes wakes whoever waits."""

    def __init__(self, wish: Wish) -> None:
        game = registry.get(wish.game)
        options = game.resolve_options(wish.options)
        others = list(wish.others)
        seats = len(others) + 1 if others and wish.seats is None else wish.seats
        count = game.resolve_seats(seats, options)
        if not 0 <= wish.seat < count:
            raise BadSeats(f"there is no seat {wish.seat}: the match has {count}, counted from 0")
        others = others or [usual(game)] * (count - 1)
        if len(others) != count - 1:
            raise BadSeats(f"{count} seats take {count - 1} others, not {len(others)}")
        who = [_known(game, each) for each in others]
        who.insert(wish.seat, ANYONE)
        names = [f"{game.seat_name(seat)} ({bot})" for seat, bot in enumerate(who)]
        self.match = Match(game, count, names=names, **options)
        self.bots: list[Bot | None] = [None if bot == ANYONE else make_bot(game, bot) for bot in who]
        self.free = [seat for seat, bot in enumerate(self.bots) if bot is None]
        self.chat: list[tuple[str, str]] = []
        self.problem = ""  # why it cannot go on
        self._referee = Referee(count)
        self._changed = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None

    def take(self, seat: int, name: str) -> HeldSeatHere:
        """Sit down."""
        self.free.remove(seat)
        self.match.names[seat] = f"{self.match.game.seat_name(seat)} ({one_line(name, LONGEST_NAME) or 'model'})"
        return HeldSeatHere(self, seat)

    def close(self) -> None:
        if self._playing is not None:
            self._playing.cancel()

    def changed(self) -> None:
        """Wake whoever waits."""
        self._changed.set()
        self._changed = asyncio.Event()

    def go_on(self) -> None:
        """Let the bots play that are to move, beside everything else."""
        self.changed()
        if self._playing is None or self._playing.done():
            self._playing = asyncio.get_running_loop().create_task(self._let_bots_play())

    async def _let_bots_play(self) -> None:
        match = self.match
        try:
            while self._goes_on(match) and (seat := self._next_bot(match)) is not None:
                bot = self.bots[seat]
                chance = Chance.of_game(match.seed, match.state.ply, POLICY_STREAM + 1 + seat)
                decision = match.seen_by(seat).decision(chance)
                ruling = await asyncio.to_thread(self._referee.ask, seat, bot, decision)
                if self.match is not match or self.bots[seat] is not bot:
                    break  # somebody has resigned meanwhile
                match.play(ruling.action, seat)
                self.changed()
        except Exception as error:  # whatever a game's rules do: its players are told
            self.problem = one_line(f"the game failed: {type(error).__name__}: {error}", 300)
            self.changed()

    def _goes_on(self, match: Match) -> bool:
        return not (self.free or match.over or match.state.ply >= match.game.ply_limit)

    def _next_bot(self, match: Match) -> int | None:
        """A bot that has to choose now."""
        asked = (seat for seat in match.asked if seat not in match.chosen)
        return next((seat for seat in asked if self.bots[seat] is not None), None)

    async def until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait until it holds, for so many seconds at most."""
        end = time.monotonic() + seconds
        while not holds() and (left := end - time.monotonic()) > 0:
            try:
                await asyncio.wait_for(self._changed.wait(), left)
            except TimeoutError:
                return

    @property
    def ending(self) -> str:
        """How the match ended, in words; nothing while it goes on."""
        match = self.match
        if not match.over:
            return ""
        scores = ", ".join(f"{match.name(seat)} {score}" for seat, score in enumerate(match.scores))
        if match.ended is None:
            return f"{verdict(match, match.name)} ({scores})"
        won = " and ".join(match.name(seat) for seat in match.ended.winners) or "nobody"
        return f"{match.ended.reason}: {won} wins ({scores})"

    def give_up(self, seat: int) -> None:
        """The seat resigns: with one other it has lost; among more, a bot plays on in its place."""
        if self.match.seats > 2:
            self.bots[seat] = make_bot(self.match.game, usual(self.match.game))
        else:
            winners = [each for each in range(self.match.seats) if each != seat]
            self.match = self.match.settled(winners)
            self.match.ended = EarlyEnd("resigned", winners)
        self.go_on()


def _known(game: Game, name: str) -> str:
    """A bot's exact name. No name that a model says starts a program, reads a file or has a bot think for an hour."""
    found = exact(game, name)
    if found != ANYONE and found not in names(game):
        near = nearest(name, [ANYONE, *names(game)])
        raise Trouble(f"nobody called {one_line(name, 40)!r} plays {game.name} here: list_games tells who does{near}")
    return found


class HeldSeatHere:
    """A seat at a table in this process."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self._told = Told()
        self._has_resigned = False

    @property
    def _is_asked(self) -> bool:
        table = self.table
        if table.match.over or table.problem or self._has_resigned:
            return True
        return not table.free and self.seat in table.match.asked and self.seat not in table.match.chosen

    async def look(self, wait: float) -> str:
        table = self.table
        await table.until(lambda: self._is_asked, wait)
        seen = table.match.seen_by(self.seat)
        words = self._told.text(Briefing.of_seen(seen, table.ending), table.chat)
        if table.problem:
            return f"{words}\n\nThe match cannot go on: {table.problem}"
        if table.free:
            return f"{words}\n\nThe match begins when {len(table.free)} more have joined."
        return words

    async def act(self, choice: str, wait: float) -> str:
        self._check_turn()
        match = self.table.match
        match.play(match.read(choice, self.seat), self.seat)
        self.table.go_on()
        return await self.look(wait)

    def _check_turn(self) -> None:
        table, match = self.table, self.table.match
        if table.problem:
            raise Trouble(f"the match cannot go on: {table.problem}")
        if match.over:
            raise Trouble(f"the match is over: {table.ending}")
        if self._has_resigned:
            raise Trouble("you have resigned: a bot plays on in your place")
        if table.free:
            raise Trouble(f"the match has not begun: {len(table.free)} more have to join")
        if self.seat not in match.asked:
            whose = " and ".join(map(match.name, match.asked))
            raise Trouble(f"it is not your turn, but that of {whose}: look with wait")

    async def why_not(self, tried: str) -> str:
        seen = self.table.match.seen_by(self.seat)
        try:
            if seen.legal and self.table.match.read(tried, self.seat) in seen.legal:
                return f"{one_line(tried, 100)!r} can be played now."
        except Exception:  # it cannot, and why is asked next
            pass
        reason = seen.why_not(words_of(tried))
        return f"{reason.text} (clause {reason.clause})" if reason.clause else reason.text

    async def say(self, text: str) -> str:
        self.table.chat.append((self.table.match.name(self.seat), chat_text(text)))
        self.table.changed()
        return "Said."

    async def resign(self) -> str:
        if self.table.match.over or self._has_resigned:
            raise Trouble("there is nothing to resign: you play no more")
        if self.table.free:
            raise Trouble("the match has not begun")
        self._has_resigned = True
        self.table.give_up(self.seat)
        return self.table.ending or "You have resigned. A bot plays on in your place."
