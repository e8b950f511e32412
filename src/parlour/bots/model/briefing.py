"""A briefing: what a seat sees of a match, in words for a language model. It is bounded, whatever the game is.

Names, stories and rulebooks may come from anybody. So each line of them begins with a bar, and nothing in it can end
the line: whatever a name says, it stays a name in a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from parlour.engine.bots import Decision
from parlour.engine.game import Game
from parlour.engine.printable import one_line, printable
from parlour.engine.seen import Seen
from parlour.engine.state import State

LONGEST_RULEBOOK = 40_000  # characters: the longest of the built-in games has 14,000
LONGEST_LINE = 300
MOST_LINES = 120  # of a board
MOST_EVENTS = 40
MOST_SEATS = 40
MOST_CHOICES = 150  # lines; what differs in its last number alone shares one
FEW = 40  # choices: so many have a line each
BAR = "| "
RANGE = re.compile(r"(.*?)(\d{1,9})", re.S)


@dataclass(frozen=True)
class Briefing:
    """How a match stands for one seat. ``choices`` are in notation, each with its words where it has some."""

    title: str
    you: str
    ply: int
    seats: Sequence[str] = ()  # a line about each of the first
    story: Sequence[str] = ()  # all that has happened
    board: str = ""
    asked: str = ""  # what is to be decided
    choices: Sequence[tuple[str, str]] = ()
    to_move: str = ""  # who is up, where it is not you
    ending: str = ""
    chosen: str = ""  # what you have chosen, while others have still to choose at the same time

    @classmethod
    def of_decision(cls, decision: Decision) -> Briefing:
        """What a bot is told that has to choose now."""
        return _brief(decision.game, decision.state, decision.seat, decision.names, decision.story(), decision.legal)

    @classmethod
    def of_seen(cls, seen: Seen, ending: str = "") -> Briefing:
        """The match as a seat sees it, whoever is up."""
        names = [seen.name(seat) for seat in range(seen.shown.seats)]
        position = seen.position if seen.legal else seen.shown
        briefing = _brief(seen.game, position, seen.seat, names, seen.story, seen.legal, ending)
        others = [names[seat] for seat in seen.asked if seat not in (seen.seat, *seen.chosen)]
        chosen = "" if seen.sealed is None else seen.text(seen.sealed)
        return replace(briefing, to_move=" and ".join(others[:MOST_SEATS]) or briefing.to_move, chosen=chosen)

    def text(self, since: int = 0) -> str:
        """All of it. Of the story, what came after the first ``since`` lines."""
        parts = [
            f"You are {one_line(self.you, LONGEST_LINE)}. {self.ply} actions have been played.",
            _part("The seats:", self.seats),
            _part("What has happened since you were told last:", self._news(since)),
            _part("The board:", _lines(self.board, MOST_LINES)),
            self._question(),
        ]
        return "\n\n".join(part for part in parts if part)

    def _news(self, since: int) -> list[str]:
        new = list(self.story[since:])
        left_out = [f"({len(new) - MOST_EVENTS} earlier lines are left out)"] if len(new) > MOST_EVENTS else []
        return [*left_out, *new[-MOST_EVENTS:]]

    def _question(self) -> str:
        if self.ending:
            return f"The match is over: {one_line(self.ending, LONGEST_LINE)}"
        if not self.choices:
            return f"You have nothing to choose now: it is {one_line(self.to_move, LONGEST_LINE)}'s turn."
        asked = f"It is your turn: {one_line(self.asked, LONGEST_LINE)}." if self.asked else "It is your turn."
        if self.chosen:
            others = one_line(self.to_move, LONGEST_LINE)
            asked = f"You have chosen {one_line(self.chosen, LONGEST_LINE)}, and may choose again until {others} has."
        return f"{asked}\n{_part(f'Your choices ({len(self.choices)}):', list_choices(self.choices))}"


def _brief(
    game: Game,
    state: State,
    seat: int,
    names: Sequence[str],
    story: Sequence[str],
    legal: Sequence[int],
    ending: str = "",
) -> Briefing:
    called = list(names) or [game.seat_name(each) for each in range(state.seats)]
    options = {option.name: int(getattr(state, option.name)) for option in game.options}
    notation, has_scores = game.words.notation, game.keeps_score(options)
    return Briefing(
        game.said(game.title),
        _called(game, seat, called[seat]) if 0 <= seat < len(called) else "somebody who only watches",
        state.ply,
        [_seat_line(game, state, each, name, has_scores) for each, name in enumerate(called[:MOST_SEATS])],
        story,
        str(game.looks.board(state).plain),
        notation.prompt(state) if legal else "",
        [(notation.write(state, action), notation.describe(state, action)) for action in legal],
        called[state.to_move] if 0 <= state.to_move < len(called) else "nobody",
        ending,
    )


def _seat_line(game: Game, state: State, seat: int, name: str, has_scores: bool) -> str:
    out = ", out of the match" if game.out(state, seat) else ""
    score = f": score {game.score(state, seat)}" if has_scores else ""
    return f"{_called(game, seat, name)}{score}{out}"


def _called(game: Game, seat: int, name: str) -> str:
    """Who sits there, as the board and the story say it."""
    own = game.seat_name(seat)
    return name if own in name else f"{own} ({name})"


def list_choices(choices: Sequence[tuple[str, str]], most: int = MOST_CHOICES) -> list[str]:
    """A line for each choice; where they are many, one for those that differ in their last number alone.

    Where even these are too many, some from all over the list stand for the others, and a line says so.
    """
    lines = [_choice_line(*choice) for choice in choices]
    if len(lines) > FEW:
        lines = [_range_line(run) for run in _runs(choices)]
    if len(lines) <= most:
        return lines
    shown = [lines[place * len(lines) // most] for place in range(most)]
    left = len(lines) - most
    return [*shown, f"(and {left} lines more, written in the same way: whatever the rules allow can be chosen)"]


def _choice_line(text: str, label: str) -> str:
    words = one_line(label, LONGEST_LINE)
    return f"{one_line(text, LONGEST_LINE)}: {words}" if words else one_line(text, LONGEST_LINE)


def _runs(choices: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Neighbours whose texts differ in a last number that counts on."""
    run: list[tuple[str, str]] = []
    for choice in choices:
        if run and not _follows(run[-1][0], choice[0]):
            yield run
            run = []
        run.append(choice)
    if run:
        yield run


def _follows(one: str, other: str) -> bool:
    before, after = RANGE.fullmatch(one), RANGE.fullmatch(other)
    return bool(before and after and before[1] == after[1] and int(after[2]) == int(before[2]) + 1)


def _range_line(run: list[tuple[str, str]]) -> str:
    if len(run) < 3:
        return "; ".join(_choice_line(*choice) for choice in run)
    return f"{one_line(run[0][0], LONGEST_LINE)} to {_choice_line(run[-1][0], run[-1][1])} ({len(run)} choices)"


def _part(heading: str, lines: Sequence[str]) -> str:
    """A heading, and each line with a bar."""
    return "\n".join([heading, *(BAR + one_line_kept(line) for line in lines)]) if lines else ""


def one_line_kept(line: str) -> str:
    """A line that nothing in it can end, with its spaces: boards are made of them."""
    plain = printable(line)
    return plain if len(plain) <= LONGEST_LINE else plain[: LONGEST_LINE - 1] + "…"


def _lines(text: str, most: int) -> list[str]:
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines if len(lines) <= most else [*lines[:most], f"({len(lines) - most} lines more)"]


def quoted(text: str, longest: int = LONGEST_RULEBOOK) -> str:
    """A text of several lines, such as a rulebook, with a bar before each."""
    cut = text[:longest]
    lines = [BAR + printable(line) for line in cut.split("\n")]
    return "\n".join([*lines, "(the rest is left out)"] if len(text) > longest else lines)
