"""What can be typed at a server's table."""

from __future__ import annotations

from collections.abc import Callable

from parlour.bots import usual
from parlour.cli.console import Quit, out
from parlour.cli.menu import Menu
from parlour.cli.online.inbox import Inbox
from parlour.cli.online.table import RemoteTable
from parlour.cli.what import what
from parlour.engine.errors import BadNotation

HELP = """\
Type an action as the list shows it, or its number. If there is only one action, Enter plays it.
  ?        this help, and every action in words
  list     every action
  board    draw the board again
  log      what has happened so far
  hint     the three best actions that a second of search finds
  what …   what something on the board is: what D3
  undo     take your last choice back (not after a roll, nor after another seat's choice)
  say …    say something to everybody
  draw     offer a draw; accept or decline answers an offer
  resign   give the match up
  leave    give the seat up: a bot plays on
  back     take over from the bot that plays for you
  start    begin, with bots at the seats that are free (start random: with bots of that name)
  rules    the rulebook
  quit     go; your seat is kept, and the same command brings you back"""
LOOKING = ("?", "list", "board", "what", "log", "rules", "quit")
LONGEST_NOTATION = 100  # characters that a server takes
FOR_GOOD = ("resign", "leave")  # asked for twice


class TypedCommands:
    """Obeys what is typed at a table."""

    def __init__(self, table: RemoteTable, inbox: Inbox) -> None:
        self.table = table
        self.inbox = inbox
        self._say = table.screen.say
        self._unsure = ""  # what has been asked for once
        self._looks: dict[str, Callable[[], None]] = {
            "?": self._help,
            "help": self._help,
            "list": self._list,
            "board": table.show_board,
            "log": self._log,
            "rules": lambda: table.screen.show(table.game.words.rulebook),
        }

    def obey(self, line: str) -> None:
        """Do what the line asks, or say why not."""
        word, _, rest = line.strip().partition(" ")
        word, unsure, self._unsure = word.lower(), self._unsure, ""
        if word in ("quit", "q", "exit"):
            raise Quit
        if word == "what" and not self._is_choice(word):
            self._say(what(self.table.explain, rest.strip()))
        elif word in self._looks and not self._is_choice(word):
            self._looks[word]()
        elif self.table.seat is None:
            self._say(f"You only watch. You can type {', '.join(LOOKING)}.", "yellow")
        elif self.inbox.sending:
            self._say("Not yet: the server has not answered your last choice.", "yellow")
        elif word in FOR_GOOD and word != unsure:
            self._unsure = word
            self._say(f"This cannot be taken back: type {word} again if you mean it.", "yellow")
        elif not self._command(word, rest.strip()):
            self._act(line.strip())

    def _is_choice(self, word: str) -> bool:
        """Whether the word is how an action is written here."""
        return self.table.menu is not None and self.table.menu.has(word)

    def _command(self, word: str, rest: str) -> bool:
        """Send what a command word asks for; False when it is none."""
        table, seat = self.table, self.table.seat
        assert seat is not None
        if self._is_choice(word):
            return False
        sent = {
            "hint": lambda: seat.hint(),
            "undo": lambda: seat.undo(table.ply),
            "say": lambda: seat.chat(rest),
            "draw": lambda: seat.draw(),
            "accept": lambda: seat.draw("accept"),
            "decline": lambda: seat.draw("decline"),
            "resign": lambda: seat.resign(),
            "leave": lambda: seat.leave(),
            "back": lambda: seat.back(),
            "start": lambda: seat.start(rest or usual(table.game)),
            "rematch": lambda: seat.rematch(),
        }.get(word)
        if sent is None or (word == "say" and not rest):
            return False
        self.inbox.send(word, sent())
        return True

    def _act(self, line: str) -> None:
        table = self.table
        if table.phase == "over":
            self._say("The match is over. Type rematch for another, or Enter to leave.", "yellow")
        elif table.menu is None or table.seat is None:
            if line:
                self._say(f"Not now: {self._why()}. Type ? for help.", "yellow")
        else:
            chosen = self._chosen(table.menu, line)
            if chosen is not None:
                self.inbox.send("act", table.seat.act(chosen, table.ply))

    def _chosen(self, menu: Menu, line: str) -> int | str | None:
        """The action that was typed. What names none is left to the server, which says why it cannot be played."""
        try:
            return menu.pick(line)
        except BadNotation as error:
            if line and len(line) <= LONGEST_NOTATION and not line.isdecimal():
                return line
            self._say(f"{error}. Type ? for help.", "yellow")
            return None

    def _why(self) -> str:
        table = self.table
        if table.phase == "open":
            return "the match has not begun; type start, and bots take the free seats"
        if table.is_gone:
            why = table.why_gone()
            return why[0].lower() + why[1:]
        to_move = table.position.to_move if table.position else None
        if to_move is None:
            return "nobody is to move"
        return (
            "the server has not yet said what you can choose"
            if to_move == table.you
            else f"it is {table.name(to_move)}'s turn"
        )

    def _help(self) -> None:
        self.table.screen.show(HELP)
        if self.table.menu:
            self.table.screen.show(self.table.menu.in_words())

    def _list(self) -> None:
        if self.table.menu is None:
            self._say(f"Nothing to choose: {self._why()}.")
        else:
            self.table.screen.show(self.table.menu.every(out.width))

    def _log(self) -> None:
        for line in self.table.story:
            self._say(f"  {line}")
