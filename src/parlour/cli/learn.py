"""``parlour learn``: a game step by step, then a match against the easiest bot."""

from __future__ import annotations

import textwrap

from parlour.bots import roster
from parlour.cli import play as playing
from parlour.cli.console import Quit, needs_ascii, out, print_lines, print_plain, show_board
from parlour.cli.local_table import YOU
from parlour.cli.menu import Menu
from parlour.cli.options import Play
from parlour.cli.what import find
from parlour.engine import registry
from parlour.engine.errors import BadNotation, BadOption, ParlourError
from parlour.engine.explanation import Explanation
from parlour.engine.language import LANGUAGES, current, speaking
from parlour.engine.lesson import Lesson, Verdict, spoken
from parlour.engine.match import Match

WIDTH = 78
GERMAN = {
    "Learn {title}: {count} steps, about {minutes} minutes. Type ? for help.": (
        "{title} lernen: {count} Schritte, etwa {minutes} Minuten. Mit ? kommt Hilfe."
    ),
    "Step {number} of {count}": "Schritt {number} von {count}",
    "clause {clause} of the rulebook": "Regel {clause} im Regelheft",
    "Enter: go on": "Enter: weiter",
    "You know the game. Enter: a match against the easiest bot. q: leave": (
        "Du kennst das Spiel. Enter: eine Partie gegen den leichtesten Gegner. q: Schluss"
    ),
    "Try: {text}": "Versuche: {text}",
    "Type: {text}": "Tippe: {text}",
    " or ": " oder ",
    "Type what and the name of something on the board, such as what D3.": (
        "Tippe what und den Namen von etwas auf dem Brett, etwa what D3."
    ),
}
HELP = {
    "en": """\
Type an action as the list shows it, or its number. If there is only one action, Enter plays it.
  show   what this step wants you to do
  list   every action          board  draw the board again
  rules  the rulebook          skip   on to the next step
  what   what something on the board is: what D3
  quit   leave""",
    "de": """\
Gib eine Aktion so ein, wie sie in der Liste steht, oder ihre Nummer; gibt es nur eine, genügt Enter.
  show   was dieser Schritt von dir will
  list   alle Aktionen         board  das Brett noch einmal
  rules  das Regelheft         skip   weiter zum nächsten Schritt
  what   was etwas auf dem Brett ist: what D3
  quit   Schluss""",
}


def learn(name: str, language: str, *, ascii: bool) -> None:
    """Go through the lesson of a game; whoever comes to its end is offered a match."""
    if language not in LANGUAGES:
        raise BadOption(f"--language takes {' or '.join(LANGUAGES)}, not {language!r}")
    lesson = registry.get(name).words.lesson
    if lesson is None:
        raise ParlourError(f"{name} has no lesson; parlour rules {name} shows its rulebook")
    try:
        with speaking(language):
            Teacher(lesson, ascii=needs_ascii(ascii)).run()
    except Quit:
        return
    game = lesson.game
    others = [roster.faces(game)[0].name] * (game.resolve_seats(None, lesson.options) - 1)
    settings = [f"{option}={value}" for option, value in lesson.options.items()]
    playing.play(Play(name, seat=[YOU, *others], settings=settings, ascii=ascii))


def _said(text: str) -> str:
    return GERMAN[text] if current() == "de" else text


class Teacher:
    """One lesson in this terminal."""

    def __init__(self, lesson: Lesson, *, ascii: bool) -> None:
        self.lesson = lesson
        self.ascii = ascii

    def run(self) -> None:
        """All steps. Raises Quit where the person leaves."""
        game, count = self.lesson.game, len(self.lesson.steps)
        title = _said("Learn {title}: {count} steps, about {minutes} minutes. Type ? for help.")
        self._say(title.format(title=game.said(game.title), count=count, minutes=max(3, count // 2)), "bold")
        if self.lesson.goal:
            self._wrapped(spoken(self.lesson.goal))
        for number in range(count):
            self._step(number)
            is_last = number == count - 1
            last = "You know the game. Enter: a match against the easiest bot. q: leave"
            if self._input(f"{_said(last if is_last else 'Enter: go on')} ").lower() in ("q", "quit", "exit"):
                raise Quit

    def _step(self, number: int) -> None:
        count, match = len(self.lesson.steps), self.lesson.start(number)
        out.print()
        self._say(_said("Step {number} of {count}").format(number=number + 1, count=count), "bold cyan")
        show_board(match.seen_by(self.lesson.you).board(ascii=self.ascii))
        self._wrapped(self._task(number))
        menu = Menu(match.seen_by(self.lesson.you).choices)
        print_lines(menu.short(out.width), ascii=self.ascii)
        while True:
            answer = self._input("> ")
            if answer.lower() == "skip":
                return
            if not self._obey(answer.lower(), menu, match, number):
                verdict = self._try(number, answer, menu, match)
                self._tell(verdict)
                if verdict.is_right:
                    return

    def _task(self, number: int) -> str:
        """What to do, and how it is typed where nobody would guess that."""
        step = self.lesson.steps[number]
        ways = _said(" or ").join(step.do)
        return spoken(step.say) + (f" {_said('Type: {text}').format(text=ways)}" if step.typed else "")

    def _try(self, number: int, answer: str, menu: Menu, match: Match) -> Verdict:
        try:
            return self.lesson.try_action(number, menu.pick(answer))
        except BadNotation:
            return self.lesson.try_text(number, answer)

    def _tell(self, verdict: Verdict) -> None:
        seen = verdict.match.seen_by(self.lesson.you)
        for event in (event for ply in verdict.plies for event in ply.events):
            self._say(f"  {seen.known(event).tell(seen.name)}", "dim")
        if verdict.is_right:
            show_board(seen.board(ascii=self.ascii))
        self._explain(verdict.explanation, "green" if verdict.is_right else "yellow")

    def _explain(self, told: Explanation, style: str) -> None:
        clause = _said("clause {clause} of the rulebook").format(clause=told.clause)
        self._wrapped(f"{told.text} ({clause})" if told.clause else told.text, style)

    def _obey(self, command: str, menu: Menu, match: Match, number: int) -> bool:
        """Do what a command word asks; False when it is none."""
        if command in ("quit", "q", "exit"):
            raise Quit
        if menu.has(command):
            return False
        if command in ("?", "help"):
            print_lines(HELP[current()], ascii=self.ascii)
        elif command == "show":
            texts = ", ".join(match.text(action) for action in self.lesson.right(number)[:3])
            self._say(_said("Try: {text}").format(text=texts), "yellow")
        elif command == "list":
            print_lines(menu.in_words(), ascii=self.ascii)
        elif command == "board":
            show_board(match.seen_by(self.lesson.you).board(ascii=self.ascii))
        elif command.partition(" ")[0] == "what":
            self._what(match, command.partition(" ")[2].strip())
        elif command == "rules":
            print_lines(match.game.words.rulebook_in(current()), ascii=self.ascii)
        else:
            return False
        return True

    def _what(self, match: Match, name: str) -> None:
        found = find(match.seen_by(self.lesson.you).explain, name)
        usage = "Type what and the name of something on the board, such as what D3."
        self._explain(found or Explanation(_said(usage)), "")

    def _input(self, prompt: str) -> str:
        try:
            return input(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            print()
            raise Quit from None

    def _wrapped(self, text: str, style: str = "") -> None:
        for line in textwrap.wrap(text, min(WIDTH, out.width - 1)):
            self._say(line, style)

    def _say(self, text: str, style: str = "") -> None:
        print_plain(text, style, ascii=self.ascii)
