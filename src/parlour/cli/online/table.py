"""A server's table, as somebody at this terminal sees it: what is told there, and how it is shown."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import TypeVar

from parlour import protocol
from parlour.bots import roster
from parlour.cli.console import as_sentence, out
from parlour.cli.menu import Menu
from parlour.cli.online.screen import Screen
from parlour.cli.online.wording import in_words
from parlour.client import AsyncClient, BadAnswer, Interruption, Message, Ticket, state_of
from parlour.engine import registry
from parlour.engine.explanation import Explanation
from parlour.engine.state import State

T = TypeVar("T")
RECENT = 6  # lines of the story that are told to whoever comes in the middle


class RemoteTable:
    """One table. It knows no rules: what can be chosen is what the server says; only the board is drawn here."""

    def __init__(self, client: AsyncClient, view: protocol.TableView, ticket: Ticket | None, screen: Screen) -> None:
        self.client = client
        self.view = view
        self.seat = client.seat(ticket) if ticket is not None else None
        self.you = view.you
        self.screen = screen
        self.game = registry.get(view.game)
        screen.titled = partial(roster.with_titles, self.game)
        self.number = view.number  # of the last entry that was heard
        self.seats = view.seats
        self.phase = view.phase
        self.position = view.position
        self.ending = view.ending
        self.story: list[str] = []
        self.menu: Menu | None = None  # while it is for this seat to choose, and the server has said what from
        self.is_interrupted = False
        self._shown: object = None  # the position and the choices that were shown last
        self._waits_for: int | None = None
        self._warned: set[int] = set()
        self._notice = ""
        self._has_told_gone = False

    @property
    def ply(self) -> int:
        return self.position.ply if self.position else 0

    @property
    def prompt(self) -> str:
        return f"{self.name(self.you)}> " if self.menu is not None and self.you is not None else "> "

    @property
    def is_gone(self) -> bool:
        """Whether a bot plays to the end for somebody who sits here, so that they only watch."""
        return self.phase == "playing" and self.you is not None and self.seats[self.you].gone

    def name(self, seat: int) -> str:
        return self.seats[seat].name if 0 <= seat < len(self.seats) else "the table"

    def events(self) -> AsyncGenerator[Message, None]:
        """All that is told here."""
        return self.seat.events(state=True) if self.seat else self.client.watch(self.view.id, state=True)

    def hear(self, message: Message) -> None:
        """Take in what the server tells, and show it."""
        match message:
            case Interruption():
                if not self.is_interrupted:
                    self.screen.say(f"{message.reason}; trying again …", "yellow")
                self.is_interrupted = True
            case protocol.Welcome():
                self._welcome(message.table)
            case protocol.Update():
                self._update(message)
            case protocol.Choices():
                self._offer(message.ply, message.choices)
            case protocol.PresenceUpdate():
                self._presence(message)

    def acted(self, ack: protocol.Ack) -> None:
        """A choice was made or taken back: nothing can be chosen until the server sends new choices."""
        if self.number < ack.number:
            self.menu = None

    def _welcome(self, view: protocol.TableView) -> None:
        if self.is_interrupted:
            self.screen.say("Connected again.", "green")
        self.is_interrupted = False
        self.view, self.number, self.seats, self.phase = view, view.number, view.seats, view.phase
        self.you = view.you
        self.position, self.ending = view.position, view.ending
        for line in _news(self.story, view.story):
            self.screen.say(f"  {line}")
        self.story = list(view.story)
        self._tell_gone()
        self._stand()
        self._offer(self.ply, view.choices)

    def _update(self, update: protocol.Update) -> None:
        self.number, self.seats, self.phase = update.number, update.seats, update.phase
        self.ending = update.ending
        if self.you is not None and (seating := update.body.get("seating")):
            self.you = seating[self.you]
            self.screen.say(f"The seats are settled: you are {self.game.seat_name(self.you)}", "bold")
        if line := in_words(update, self.name, self.you, partial(roster.title, self.game)):
            self.screen.say(line, "cyan" if update.kind == "chat" else "dim")
            if update.kind == "undo":
                self.story.append(line)
        for event in update.events:
            self.story.append(event.text)
            self.screen.say(f"  {event.text}")
        self._tell_gone()
        if update.position is not None or update.ending is not None:
            before, self.position = self.position, update.position or self.position
            is_same = before and self.position and self.position.at_once and before.ply == self.position.ply
            if not is_same:  # nothing has happened where others have chosen at the same time
                self._shown = None
            self._stand()

    def _presence(self, presence: protocol.PresenceUpdate) -> None:
        """Somebody whose turn it is has gone, or whoever runs the server has something to say: say so, once."""
        if presence.notice and presence.notice != self._notice:
            self.screen.say(presence.notice, "yellow")
        self._notice = presence.notice
        for seat, seconds in presence.grace.items():
            if seat != self.you and seat not in self._warned:
                self.screen.say(f"{self.name(seat)} is away: a bot takes over in {seconds:.0f} seconds", "dim")
        self._warned = (self._warned | set(presence.grace)) - set(presence.here)

    def _stand(self) -> None:
        """The position has changed: show it to people who watch, or say whose turn it is. Choices come next."""
        self.menu = None
        if self.phase != "playing" or self.position is None:
            return
        to_move = None if self.position.at_once else self.position.to_move
        if self.you is None or self.is_gone:
            self.show_board()
        elif to_move not in (None, self.you, self._waits_for) and self.seats[to_move].kind == "person":
            self.screen.say(f"It is {self.name(to_move)}'s turn.", "dim")
        self._waits_for = to_move

    def why_gone(self) -> str:
        """Why somebody who sits here only watches."""
        assert self.you is not None
        seat = self.seats[self.you]
        why = {"resigned": "You have resigned", "left": "You have left"}.get(seat.away or "", "Your time is used up")
        return f"{why}: {roster.title(self.game, seat.stand_in or 'a bot')} plays on in your place"

    def _tell_gone(self) -> None:
        """Say once that one only watches from now on."""
        if not self.is_gone:
            return
        self.menu = None
        if not self._has_told_gone:
            self.screen.say(f"{self.why_gone()}. Watch how it ends, or type quit to go.", "bold")
        self._has_told_gone = True

    def _offer(self, ply: int, choices: list[protocol.ChoiceView]) -> None:
        """This seat can choose: ask, and show the board unless it is there already."""
        known = self.position if self.position is not None and ply == self.position.ply else None
        if self.phase != "playing" or known is None or not choices or self.is_gone:
            self.menu = None
            return
        self.menu = Menu(choices)
        if known.at_once and known.at_once.yours is not None:
            self._tell_chosen(known.at_once, choices)
            return
        shown = (known.state, choices)
        if shown != self._shown:
            self.show_board()
            if asked := self._asked(self.game.words.notation.prompt):
                self.screen.say(as_sentence(asked))
            self.screen.show(self.menu.short(out.width))
        self._shown = shown

    def _tell_chosen(self, at_once: protocol.AtOnce, choices: list[protocol.ChoiceView]) -> None:
        """This seat has chosen, and others have still to choose at the same time."""
        chosen = next((one.label or one.text for one in choices if one.action == at_once.yours), "")
        names = ", ".join(self.name(seat) for seat in at_once.asked if seat not in at_once.chosen)
        if (shown := (chosen, names)) != self._shown:
            self.screen.say(f"You have chosen: {chosen}. Change it, or wait for {names}.", "dim")
        self._shown = shown

    def show_board(self) -> None:
        if self.position is not None:
            self.screen.board(self._asked(lambda state: self.game.looks.board(state, ascii=self.screen.ascii)))

    def explain(self, name: str) -> Explanation | None:
        """What the spot of that name is; nothing before the match."""
        return self._asked(lambda state: self.game.looks.explain(state, name)) if self.position is not None else None

    def _asked(self, ask: Callable[[State], T]) -> T:
        """What the game says about the position that the server shows."""
        assert self.position is not None
        state = state_of(self.view, self.position)
        try:
            return ask(state)
        except Exception as error:  # whatever a game does with a position that no match has
            raise BadAnswer(f"the server shows a position that {self.game.title} does not have") from error


def _news(known: list[str], told: list[str]) -> list[str]:
    """The new lines of the story; at the first time, the last few."""
    for overlap in range(min(len(known), len(told)), 0, -1):
        if known[-overlap:] == told[:overlap]:
            return told[overlap:]
    return told[-RECENT:]
