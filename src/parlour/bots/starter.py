"""The file that ``parlour new-bot`` writes."""

from __future__ import annotations

import os
import shlex
import textwrap
from pathlib import Path

from parlour.bots.fields import describe_fields
from parlour.engine.files import write_whole
from parlour.engine.game import Game

_STARTER = '''\
"""A bot for {title}.

Check it:           parlour check-bot {file}
Play against it:    parlour play {game} {seats}
Let bots play it:   parlour match {game} {rivals}
Read the rules:     parlour rules {game}
"""

GAME = "{game}"


class Bot:
    """One object is made for every match: what it keeps in ``self``, it still knows at its next turn.

    If you need no memory, write a plain function ``choose(decision)`` instead of this class.
    """

    def choose(self, decision):
        """Return one of ``decision.legal``, as a number or as its text.

        decision.state      a copy of the position; the end of this file lists its fields
        decision.seat       the seat you play, from 0
        decision.legal      the legal actions, as numbers
        decision.text(a)    an action as people write it, for example {example!r}
        decision.chance     random numbers for you: below(n) gives a whole number from 0 to n - 1
        decision.clock      .seconds for this action, and a .bank of extra seconds for the whole match
        decision.actions    all actions that were played before
        decision.game       the rules: legal_actions(state), play(state, action, chance), score(state, seat)

        Use print() to see what your bot does: check-bot shows the last lines.
        """
        worths = {{action: self.worth(decision, action) for action in decision.legal}}
        best = max(worths.values())
        good = [action for action in worths if worths[action] == best]
        return good[decision.chance.below(len(good))]

    def worth(self, decision, action):
        """How good an action is. Write something better here! For a start, look at the position after the action:

        after = decision.state.copy()
        decision.game.play(after, action, decision.chance)
        return decision.game.score(after, decision.seat)
        """
        return 0


# The fields of decision.state: name, type, meaning. Types i8, i16, i32 and i64 are whole numbers of so many bits;
# i8[4] is a list of four.
#
{fields}
{numbers}'''


def starter(game: Game, file: str) -> str:
    """A bot that plays the game legally, with comments on how to make it play well."""
    fits = file.isprintable() and not set(file) & set('"\\')  # into the text of the file
    named = {kind: shlex.quote(f"{kind}{file}") if fits else f"{kind}FILE" for kind in ("", "file:")}
    state = game.blank()
    count = max(1, state.seats)
    return _STARTER.format(
        title=game.title,
        game=game.name,
        file=named[""],
        seats=" ".join(["--seat you", f"--seat {named['file:']}", *["--seat random"] * count][:count]),
        rivals=" ".join([named["file:"], *["greedy"] * count][:count]),
        example=_example(game),
        fields="\n".join(_fields(game)),
        numbers="\n".join(["", *_numbers(game), ""]) if game.players.bots.numbers else "",
    )


def _fields(game: Game) -> list[str]:
    """One line each: the name, the type with its size, the meaning."""
    found = describe_fields(game)
    wide, wider = (max(len(field[part]) for field in found) for part in range(2))
    return [f"#   {name:<{wide}}  {kind:<{wider}}  {meaning}".rstrip() for name, kind, meaning in found]


def _numbers(game: Game) -> list[str]:
    """What the numbers in some fields stand for, a few names a line."""
    told = ["# What the numbers in these fields stand for:", "#"]
    for kind, names in game.players.bots.numbers.items():
        words = [f"{number} {name}" for number, name in enumerate(names)]
        told += textwrap.wrap(", ".join(words), 116, initial_indent=f"#   {kind}: ", subsequent_indent="#     ")
    return told


def _example(game: Game) -> str:
    from parlour.engine.match import Match

    match = Match(game, seed=0)
    return match.text(match.legal()[0]) if not match.over else "pass"


def write_starter(game: Game, file: Path) -> None:
    """Write it to a new file; one that is there is left alone."""
    write_whole(file, starter(game, os.fspath(file)), overwrite=False)
