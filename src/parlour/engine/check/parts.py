"""What a game says of itself: its parts load, its rulebook is there, and rules cite clauses that exist."""

from __future__ import annotations

import re
from collections import Counter

from parlour.engine.check.blame import CLAUSES, Failed
from parlour.engine.check.matches import extremes
from parlour.engine.game import Game
from parlour.engine.sources import reached, rules_of


def check_parts(game: Game) -> None:
    """Notation, terminal, picture and bots load; options fit their fields; the usual number of seats is taken."""
    _ = game.words.notation, game.looks.terminal, game.looks.picture, game.looks.foreign, game.players.bots
    for option in game.options:
        for value in (int(option.default), *extremes(option)):
            if not option.field.low <= value <= option.field.high:
                raise Failed(f"option {option.name} takes {value}, which its field cannot hold")
    game.resolve_seats(None, game.resolve_options({}))
    twice = [name for name, count in Counter(game.seat_names).items() if count > 1]
    if twice:
        raise Failed(f"two seats are called {twice[0]!r}: people could not tell them apart")
    for face in game.players.bots.faces:
        if not face.name or not face.title.strip() or not face.character.strip():
            raise Failed(f"the face {face.name!r} needs a name, a title and words for what it is like")
    if game.max_actions < 1 or game.ply_limit < 1:
        raise Failed("max_actions and ply_limit are numbers from 1 up")


def check_rulebook(game: Game) -> None:
    """The rulebook has clauses, numbered from 1 without gaps; every clause that a rule cites is there."""
    try:
        numbers = clause_numbers(game)
    except OSError as error:
        raise Failed(f"there is no rulebook.md in the folder of {game.package}") from error
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise Failed(f"the clauses of rulebook.md should be numbered from 1 without gaps, not {numbers}")
    for rule in reached(rules_of(game)):
        cited = CLAUSES.match(rule.__doc__ or "")
        for number in re.findall(r"\d+", cited[1]) if cited else ():
            if int(number) not in numbers:
                raise Failed(f"{rule.__name__} cites clause {number}; the rulebook has {len(numbers)} clauses")


def clause_numbers(game: Game) -> list[int]:
    """The clauses of the rulebook, as they come."""
    return [int(number) for number in re.findall(r"^(\d+)\. ", game.words.rulebook, flags=re.M)]
