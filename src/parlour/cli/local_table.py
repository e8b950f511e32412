"""A match in this terminal: whoever sits at the keyboard is asked, bots choose by themselves."""

from __future__ import annotations

import contextlib
import importlib
import sys
import time
from pathlib import Path

from parlour.bots import Bot, Decision, box, hint, make_bot
from parlour.bots.hints import hint_in_words
from parlour.bots.referee import Referee
from parlour.bots.roster import title, with_titles
from parlour.cli.console import Quit, as_sentence, out, print_lines, print_plain, result_line, show_board
from parlour.cli.menu import Menu
from parlour.cli.what import what
from parlour.cli.win_chances import chances_line
from parlour.engine import replay
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.errors import BadNotation, NotWritten, ParlourError
from parlour.engine.game import Game
from parlour.engine.lesson import spoken
from parlour.engine.match import Match
from parlour.engine.printable import printable
from parlour.engine.seen import Seen

YOU = "you"
CLEARED = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what has scrolled out of it
AGAIN = 6  # events that are told again to whom the screen is handed

HELP = """\
Type an action as the list shows it, or its number. If there is only one action, Enter plays it.
  ?      this help, and every action in words
  list   every action
  board  draw the board again
  log    what has happened so far
  hint   the three best actions that a second of search finds
  what   what something on the board is: what D3
  undo   take your last choice back (not after a roll, nor after another person's choice)
  rules  the rulebook
  quit   leave; you can save the match and go on later"""


def _seat(game: Game, person: str) -> Bot | None:
    return None if person == YOU else make_bot(game, person)


class LocalTable:
    """One match in this terminal."""

    def __init__(
        self, match: Match, who: list[str], save: Path | None, ascii: bool, pause: float, *, chances: bool = False
    ) -> None:
        self.match = match
        self.who = who
        self.bots = [_seat(match.game, person) for person in who]
        self.save = save
        self.ascii = ascii
        self.pause = pause
        self.chances = chances
        self.referee = Referee(match.seats)
        self.protection = box.make_ready(self.bots)
        self.told = 0  # how much of the journal has been printed
        self.holder: int | None = None  # who has the screen, where people share it and have secrets
        self.shares = match.game.has_secrets and self.bots.count(None) > 1
        if self.shares and not out.is_terminal:
            raise ParlourError(f"{match.game.name} has secrets: several people need a terminal that can be cleared")

    @property
    def seen(self) -> Seen:
        """The match as this terminal shows it: to the only person here, or whoever is to move, or watches."""
        seat = self.match.to_move
        if self.bots.count(None) == 1:
            return self.match.seen_by(self.bots.index(None))
        is_person = not self.match.over and seat < len(self.bots) and self.bots[seat] is None
        return self.match.seen_by(seat if is_person else None)

    @property
    def has_people(self) -> bool:
        return None in self.bots

    def run(self) -> None:
        _enable_line_editing()
        seed = "" if self.match.keeps_secrets else f", seed {self.match.seed}"
        self._say(f"{self.match.game.title}{seed}", "bold")
        if self.protection is not None:
            self._say(f"Bots in boxes: {self.protection}.", "dim")
        for name in dict.fromkeys(self.who):
            if name != (known := title(self.match.game, name)):
                print_plain(f"{known}: {name}", "dim", ascii=self.ascii)
        if self.has_people:
            if (lesson := self.match.game.words.lesson) and lesson.goal:
                self._say(spoken(lesson.goal))
            self._say("Type ? for help, or rules for the rulebook.", "dim")
        if self.match.plies:
            self.told = len(self.seen.journal)
        try:
            while not self.match.over:
                self._hand_over()
                self._tell()
                self._turn()
            self._tell()
            self._show_board()
            self._say(result_line(self.match), "bold")
            for seat in sorted(self.referee.out):
                self._say(f"{self.match.name(seat)} lost the match through a fault, and cannot win it.", "yellow")
            if self.save:
                self._say(f"Saved in {self.save}. Watch it again: parlour replay {self.save}")
        except Quit:
            self._leave()
        finally:
            self._close_boxes()

    def _hand_over(self) -> None:
        """Where people who share this screen have secrets: clear it, and wait until the next of them sits there."""
        seat = self.match.to_move
        if not self.shares or seat == self.holder or self.bots[seat] is not None:
            return
        out.file.write(CLEARED)
        self.holder = seat
        self._input(f"Hand over to {self.match.name(seat)}, who presses Enter: ")
        self.told = max(0, self.told - AGAIN)

    def _close_boxes(self) -> None:
        """End the bots that run in processes of their own, and show what they printed."""
        box.close_all(self.bots)
        for seat, bot in enumerate(self.bots):
            if words := box.last_words(bot):
                self._say(f"What {self.match.name(seat)} printed ended with:")
                for line in words:
                    self._say(f"  {line}", "dim")

    def _let_choose(self, bot: Bot) -> None:
        """Play what the bot chooses, or what the referee says where it fails."""
        seat, name = self.match.to_move, self.match.name(self.match.to_move)
        ruling = self.referee.ask(seat, bot, self._decision())
        if ruling.fault and ruling.is_out:
            self._say(f"{name} has lost the match, and plays at random from here: {ruling.fault}", "red")
        elif ruling.fault:
            self._say(f"{name} has lost the turn, and a random action is played: {ruling.fault}", "yellow")
        self.match.play(ruling.action)

    def _turn(self) -> None:
        if not self.bots:
            self._wait()
            self.match.play(self.match.legal()[0])
        elif (bot := self.bots[self.match.to_move]) is None:
            self._show_board()
            self._ask()
        else:
            self._wait()
            self._let_choose(bot)
        if self.save:
            replay.save(self.match, self.save, overwrite=True)

    def _show_board(self) -> None:
        show_board(self.seen.board(ascii=self.ascii))
        if self.chances:
            self._say(chances_line(self.seen), "dim")

    def _wait(self) -> None:
        """Pause before a bot acts, so that people who only watch can see the board."""
        if not self.has_people and self.pause:
            self._show_board()
        time.sleep(self.pause)

    def _ask(self) -> None:
        """Ask the person to move until they give a legal action."""
        menu = Menu(self.seen.choices)
        if asked := self.match.game.words.notation.prompt(self.seen.shown):
            self._say(as_sentence(asked))
        self._show(menu.short(out.width))
        while True:
            answer = self._input(f"{self.match.name(self.match.to_move)}> ")
            if answer.lower() == "undo":
                if self._undo():
                    return
            elif not self._obey(answer.lower(), menu):
                try:
                    self.match.play(menu.pick(answer))
                    return
                except BadNotation as error:
                    is_number = menu.numbered and answer.isdecimal()
                    reason = error if is_number or not answer else self._reason(error, answer)
                    self._say(f"{reason}. Type ? for help.", "yellow")

    def _reason(self, error: BadNotation, answer: str) -> BadNotation:
        """The error, with the reason that the game knows."""
        return self.match.game.words.with_reason(error, self.seen.shown, answer)

    def _obey(self, command: str, menu: Menu) -> bool:
        """Do what a command word asks; False when it is none."""
        if command in ("quit", "q", "exit"):
            raise Quit
        if menu.has(command):
            return False
        if command in ("?", "help"):
            self._show(HELP)
            self._show(menu.in_words())
        elif command == "list":
            self._show(menu.every(out.width))
        elif command == "board":
            self._show_board()
        elif command == "log":
            for line in self.seen.story:
                self._say(f"  {line}")
        elif command == "rules":
            self._show(self.match.game.words.rulebook)
        elif command == "hint":
            self._hint()
        elif command.partition(" ")[0] == "what":
            self._say(what(self.seen.explain, command.partition(" ")[2].strip()))
        else:
            return False
        return True

    def _hint(self) -> None:
        """The three actions that a second of search likes best, and how much better the best is."""
        hints = hint(self.match.game, self._decision())
        if words := hint_in_words(hints, self.seen.text):
            self._say(words)
        for action, playouts, chance in hints[:3]:
            self._say(f"  {self.seen.text(action)}: about {chance:.0%} to win, after {playouts:,} trials")
        _drop_typed()

    def _decision(self) -> Decision:
        """What the seat to move is asked. Its generator depends on nothing but the seed and the ply."""
        seat = self.match.to_move
        chance = Chance.of_game(self.match.seed, self.seen.ply, POLICY_STREAM + 1 + seat)
        return self.match.seen_by(seat).decision(chance)

    def _undo(self) -> bool:
        """Take the last choice of whoever is to move back, with what bots have answered; False where it cannot be."""
        seat, bots = self.match.to_move, [seat for seat, bot in enumerate(self.bots) if bot is not None]
        plies = self.match.undo_plies(seat, bots)
        if plies:
            self._say(f"Taken back: {', '.join(ply.text for ply in self.match.plies[-plies:])}")
            self.match.undo(plies)
            self.told = len(self.seen.journal)
        else:
            self._say(self._why_no_undo(seat), "yellow")
        return plies > 0

    def _why_no_undo(self, seat: int) -> str:
        if self.match.game.has_secrets:
            return "In a game with secrets nothing is taken back: nobody can forget what they have seen."
        plies = self.match.plies
        mine = [number for number, ply in enumerate(plies) if ply.seat == seat]
        if not mine:
            return f"There is nothing to take back: {'you have not' if plies else 'nobody has'} played yet."
        is_rolled = any(ply.by_chance for ply in plies[mine[-1] :])
        since = "dice have been rolled" if is_rolled else "another person has chosen"
        return f"You cannot take that back: {since} since."

    def _tell(self) -> None:
        journal = self.seen.journal
        for event in journal[self.told :]:
            self._say(f"  {event.tell(self.match.name)}")
        self.told = len(journal)

    def _leave(self) -> None:
        """Offer to save, unless the match is kept already."""
        while not self.save:
            try:
                name = self._input("Save this match? A file name, or Enter to leave without: ")
            except Quit:
                name = ""
            if not name:
                self._say("Not saved.")
                return
            try:
                replay.save(self.match, name)
                self.save = Path(name)
            except NotWritten as error:
                self._say(f"{error}.", "yellow")
        self._say(f"Saved in {self.save}. Go on with it: parlour play {self.save}")

    def _input(self, prompt: str) -> str:
        try:
            return input(printable(with_titles(self.match.game, prompt))).strip()
        except (EOFError, KeyboardInterrupt):
            print()
            raise Quit from None

    def _say(self, text: str, style: str = "") -> None:
        """A line, in which bots are called as people know them."""
        print_plain(with_titles(self.match.game, text), style, ascii=self.ascii)

    def _show(self, text: str) -> None:
        print_lines(text, ascii=self.ascii)


def _drop_typed() -> None:
    """What was typed while nothing was asked is not an answer to what is asked next."""
    if sys.stdin.isatty():
        import termios  # not there on Windows

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _enable_line_editing() -> None:
    """Importing readline gives ``input`` arrow keys and a history, where the system has it."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
