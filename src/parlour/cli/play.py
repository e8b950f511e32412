"""``parlour play``: a match in the terminal."""

from __future__ import annotations

import contextlib
import importlib
import re
import time
from collections.abc import Sequence
from pathlib import Path

from parlour.bots import Bot, Decision, box, hint, make_bot, usual
from parlour.bots.hints import hint_in_words
from parlour.bots.referee import Referee
from parlour.bots.roster import FILE, PROCESS, exact, is_built_in, title, with_titles
from parlour.cli import options
from parlour.cli.console import (
    Quit,
    needs_ascii,
    out,
    parse_seed,
    parse_settings,
    parse_speed,
    print_lines,
    print_plain,
    result_line,
    show_board,
)
from parlour.cli.menu import Menu
from parlour.cli.replay import warn_of
from parlour.cli.what import what
from parlour.cli.win_chances import chances_line, check_judged
from parlour.engine import registry, replay
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.errors import BadNotation, NotWritten, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.printable import printable
from parlour.engine.seen import Seen

YOU = "you"
SERVERS = (
    "{file} was played at a server, and stays as it is. What you play from here is another match, and the server's "
    "proof of the dice is not in it; --save NEW keeps it."
)
FALSE = "The file stays as it is. --save NEW keeps what you play from here."

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


def play(asked: options.Play) -> None:
    """A match here, or at a server's table."""
    if asked.server is not None or asked.table is not None:
        from parlour.cli import online

        if asked.seed is not None or asked.speed or asked.chances:
            raise ParlourError("a server's tables take no --seed, --speed and --chances: these are for matches here")
        return online.play(asked)
    if asked.game is None:
        raise ParlourError("which game? parlour play GAME; parlour games lists them")
    if asked.name is not None or asked.clock is not None or asked.new or asked.lot or asked.anybody:
        only = "--name, --new, --clock, --lot and --anybody"
        raise ParlourError(f"{only} are for a server's tables: --server URL or --table LINK")
    return _play_here(asked.game, asked)


def _play_here(game: str, asked: options.Play) -> None:
    """Open a table, or one that was saved, and play it to its end or until the person leaves.

    With ``--watch`` nobody plays: for games that go on by themselves.
    """
    pause, ascii, save = parse_speed(asked.speed), needs_ascii(asked.ascii), asked.save
    kept: Path | None = None  # where the match is already, and stays as it goes on
    if not _is_file(game):
        match, who = _begin(game, asked.seat, parse_seed(asked.seed), asked.settings, watch=asked.watch)
    else:
        file = Path(game)
        match, who, is_true = _resume(file, asked.seat, asked.seed, asked.settings)
        if match.over:
            _show_end(match, file, save, ascii=ascii)
            return
        if match.dice is not None:
            match.dice = None
            print_plain(SERVERS.format(file=file), "yellow", ascii=ascii)
        elif is_true:
            kept = file
        else:
            print_plain(FALSE, "yellow", ascii=ascii)
    if asked.chances:
        check_judged(match)
    save = save or kept
    table = LocalTable(match, who, save, ascii, pause, chances=asked.chances)
    if save is not None and save != kept:
        replay.save(match, save)
    table.run()


def _show_end(match: Match, file: Path, save: Path | None, *, ascii: bool) -> None:
    """Nobody can play on: say how it ended. With ``save``, the file is copied."""
    if save is not None and save != file:
        replay.save(match, save)
    print_plain(f"{match.game.title}, seed {match.seed}", "bold", ascii=ascii)
    show_board(match.seen_by(None).board(ascii=ascii))
    print_plain(with_titles(match.game, result_line(match)), "bold", ascii=ascii)
    print_plain(f"The match is over. Watch it again: parlour replay {file}", ascii=ascii)


def _is_file(text: str) -> bool:
    return text not in registry.names() and (text.endswith(".json") or "/" in text or Path(text).is_file())


def _begin(
    name: str, seats: Sequence[str], seed: int | None, settings: Sequence[str], *, watch: bool
) -> tuple[Match, list[str]]:
    game = registry.get(name)
    options = game.resolve_options(parse_settings(settings))
    if seats and watch:
        raise ParlourError("--watch is for a game without players: leave out --seat")
    who = list(seats)
    if not who and not watch:
        who = [YOU] + [usual(game)] * (max(1, game.resolve_seats(None, options)) - 1)
    game.resolve_seats(len(who), options)
    who = [exact(game, person) for person in who]
    names = [f"{game.seat_name(seat)} ({person})" for seat, person in enumerate(who)]
    return Match(game, len(who), seed, names=names, **options), who


def _resume(
    file: Path, seats: Sequence[str], seed: str | None, settings: Sequence[str]
) -> tuple[Match, list[str], bool]:
    """A saved match; who plays on, nobody where it is over; and whether all is true that the file says of it.

    Names stay where the same play on: a name without a bot's is a person's.
    """
    if seed is not None or settings:
        raise ParlourError(f"{file} is a match that has begun: its seed and options cannot be changed")
    content = replay.read(file)
    match = replay.run(content, str(file))
    is_true = not warn_of(file, content, match)
    if match.over:
        return match, [], is_true
    who = list(seats) or [_who_sat(match.game, name, file) for name in match.names]
    if len(who) != match.seats:
        raise ParlourError(f"{file} is a match of {match.seats} seats, not {len(who)}")
    match.names = [
        name if not seats and "(" not in name else f"{match.game.seat_name(seat)} ({person})"
        for seat, (name, person) in enumerate(zip(match.names, who, strict=True))
    ]
    return match, who, is_true


def _who_sat(game: Game, name: str, file: Path) -> str:
    """Who plays on: the name of a seat ends in a bot's name, in brackets; anybody else is you.

    A file never says what is run. Bots with code of their own are named with --seat or not at all.
    """
    found = re.search(r"\((.*)\)$", name)
    person = found[1] if found else YOU
    if is_built_in(game, person):
        return person
    if person.startswith((FILE, PROCESS)):
        raise ParlourError(f"{file} was played by {person!r}, which no file may start: say who plays on, with --seat")
    return YOU


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

    @property
    def seen(self) -> Seen:
        """The match as this terminal shows it: to the person who is to move, else to whoever watches."""
        seat = self.match.to_move
        is_person = not self.match.over and seat < len(self.bots) and self.bots[seat] is None
        return self.match.seen_by(seat if is_person else None)

    @property
    def has_people(self) -> bool:
        return None in self.bots

    def run(self) -> None:
        _enable_line_editing()
        self._say(f"{self.match.game.title}, seed {self.match.seed}", "bold")
        if self.protection is not None:
            self._say(f"Bots in boxes: {self.protection}.", "dim")
        for name in dict.fromkeys(self.who):
            if name != (known := title(self.match.game, name)):
                print_plain(f"{known}: {name}", "dim", ascii=self.ascii)
        if self.has_people:
            self._say("Type ? for help, or rules for the rulebook.", "dim")
        if self.match.plies:
            self.told = len(self.seen.journal)
        try:
            while not self.match.over:
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


def _enable_line_editing() -> None:
    """Importing readline gives ``input`` arrow keys and a history, where the system has it."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
