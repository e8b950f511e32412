"""Tables at a Parlour server: a model plays there like any other client, and learns what its seat is told."""

from __future__ import annotations

import contextlib
import time
from typing import Any

from parlour import protocol
from parlour.bots.model import Briefing
from parlour.client import AsyncClient, AsyncSeat, BadAnswer, Refused, Ticket, read_link, state_of
from parlour.client.address import write_link
from parlour.client.exchanges import MOVED_ON
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.notation import words_of
from parlour.engine.printable import one_line
from parlour.engine.seen import Seen
from parlour.mcp.here import ANYONE
from parlour.mcp.place import HeldSeat, Place, Told, Trouble, Wish, chat_text

PATIENCE = 10.0  # seconds in which a server that is away may come back, before a model is told


class There(Place):
    """The tables of one server. No other is ever asked, whatever links a model is given."""

    def __init__(self, server: str) -> None:
        self.client = AsyncClient(server, patience=PATIENCE)

    async def games(self) -> str:
        return "\n\n".join(_describe(game) for game in await self.client.games())

    async def rulebook(self, game: str) -> str:
        return await self.client.rulebook(game)

    async def open_table(self, wish: Wish) -> tuple[HeldSeat, str]:
        seats = len(wish.others) + 1 if wish.others and wish.seats is None else wish.seats
        others = [seat for seat in range(seats or 0) if seat != wish.seat]
        if wish.others and len(others) != len(wish.others):
            raise Trouble(f"{seats} seats take {len(others)} others, not {len(wish.others)}")
        bots = {seat: bot for seat, bot in zip(others, wish.others, strict=False) if bot != ANYONE}
        opened = await self.client.open_table(wish.game, seats=wish.seats or seats, options=wish.options, bots=bots)
        seat = await self.client.sit(opened.table.id, wish.name, seat=wish.seat, invite=opened.invite)
        held = HeldSeatThere(seat)
        link = write_link(self.client.server, opened.table.id, opened.invite)
        view = await seat.look()
        free = sum(each.kind == "free" for each in view.seats)
        return held, f"{free} more have to join before it begins, by this link: {link}" if free else ""

    async def join_table(self, table: str, name: str, seat: int | None, token: str) -> HeldSeat:
        link = read_link(table)
        if link.server not in (None, self.client.server):
            raise Trouble(f"that table is at {link.server}, and this plays at {self.client.server} alone")
        if token or link.token:
            held = self.client.seat(Ticket(link.table, seat or 0, token or str(link.token), server=self.client.server))
            if (await held.look()).you is None:
                raise Trouble("this token holds no seat at that table")
            return HeldSeatThere(held)
        if "/" not in table and (found := await self._by_code(table)) is not None:
            link = link._replace(table=found.table, invite=found.invite or None)
        return HeldSeatThere(await self.client.sit(link.table, name, seat=seat, invite=link.invite))

    async def _by_code(self, text: str) -> protocol.Invitation | None:
        """The table of a code that somebody was told; None where it is a table's id."""
        with contextlib.suppress(Refused):
            return await self.client.find(text)
        return None

    async def close(self) -> None:
        await self.client.close()


def _describe(game: protocol.GameView) -> str:
    lines = [f"{game.name}: {game.title}. {game.summary}", f"  seats: {game.seats[0]} to {game.seats[1]}"]
    lines += [f"  option {each.name}: {each.help} (default {each.default})" for each in game.options]
    told = ", ".join(f"{face.name} ({face.title})" for face in game.faces)
    return "\n".join([*lines, f"  bots: {told}"])


class HeldSeatThere:
    """A seat at a server's table."""

    def __init__(self, seat: AsyncSeat) -> None:
        self.seat = seat
        self._told = Told()
        self._story: list[str] = []

    async def look(self, wait: float) -> str:
        view, end = await self._view(), time.monotonic() + wait
        while not _is_asked(view) and (left := end - time.monotonic()) > 0.5:
            await self.seat.log(view.number, min(left, 20.0))
            view = await self._view()
        self._follow(view.story)
        return self._told.text(self._briefing(view), [(line.name, line.text) for line in view.chat])

    async def _view(self) -> protocol.TableView:
        return await self.seat.look(state=True)

    def _follow(self, story: list[str]) -> None:
        """Put the end of the story, which is all that a server tells, behind what is known of it."""
        for known in range(min(len(self._story), len(story)), 0, -1):
            if self._story[-known:] == story[:known]:
                self._story += story[known:]
                return
        self._story += story

    def _briefing(self, view: protocol.TableView) -> Briefing:
        names = [seat.name or "nobody yet" for seat in view.seats]
        you, position = view.you, view.position
        to_move = position.to_move if position is not None else None
        seen = _seen(view)
        return Briefing(
            view.title,
            names[you] if you is not None and you < len(names) else "somebody who only watches",
            position.ply if position is not None else 0,
            [_seat_line(seat, has_score=view.scored) for seat in view.seats],
            self._story.copy(),
            str(seen.board().plain) if seen is not None else "",
            view.prompt,
            [(choice.text, choice.label) for choice in view.choices],
            names[to_move] if to_move is not None and to_move < len(names) else "nobody",
            view.ending.text if view.ending is not None else "",
        )

    async def act(self, choice: str, wait: float) -> str:
        view = await self._view()
        if view.phase == "open":
            raise Trouble("the match has not begun: others have to join")
        if view.phase == "over" or view.position is None:
            raise Trouble("the match is over")
        if view.you is not None and view.seats[view.you].away is not None:
            await self.seat.back()  # a bot of the server plays while nobody is here
        try:
            await self.seat.act(choice, view.position.ply)
        except Refused as refused:
            if refused.code in MOVED_ON:
                raise Trouble(f"{refused}: look at the table again") from refused
            raise
        return await self.look(wait)

    async def why_not(self, tried: str) -> str:
        view = await self._view()
        seen = _seen(view)
        if seen is None:
            raise Trouble("that can be told only during the match, and where the game is installed here, too")
        if any("".join(tried.split()).lower() == "".join(each.text.split()).lower() for each in view.choices):
            return f"{one_line(tried, 100)!r} can be played now."
        reason = seen.why_not(words_of(tried))
        return f"{reason.text} (clause {reason.clause})" if reason.clause else reason.text

    async def say(self, text: str) -> str:
        await self.seat.chat(chat_text(text))
        return "Said."

    async def resign(self) -> str:
        await self.seat.resign()
        view = await self._view()
        return view.ending.text if view.ending is not None else "You have resigned. A bot plays on in your place."


def _is_asked(view: protocol.TableView) -> bool:
    is_asked = bool(view.choices) and view.position is not None and view.position.to_move == view.you
    return is_asked or view.phase == "over"


def _seat_line(seat: protocol.SeatView, *, has_score: bool) -> str:
    about = [f"score {seat.score}"] if has_score else []
    about += ["out of the match"] if seat.out else []
    about += [f"{seat.left:.0f} s on the clock"] if seat.left is not None else []
    return f"{seat.name or 'nobody yet'}{': ' if about else ''}{', '.join(about)}"


def _seen(view: protocol.TableView) -> Seen | None:
    """The position as this Parlour knows it; None where it does not have the game, or not by these rules."""
    if view.position is None or view.position.state is None or view.you is None:
        return None
    if view.game not in registry.names():
        return None
    try:
        state = state_of(view)
        game = registry.get(view.game)
        options: dict[str, Any] = game.resolve_options(view.options)
        match = Match(game, len(view.seats), 0, names=[seat.name for seat in view.seats], **options)
        match.stand_at(state)
        seen = match.seen_by(view.you)
        seen.board()
    except ParlourError:
        return None
    except Exception as error:  # whatever a game does with a position that no match has
        raise BadAnswer(f"the server shows a position that {view.title} does not have") from error
    return seen
