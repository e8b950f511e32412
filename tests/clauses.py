"""Tests of rules cite the clause they guard: ``@clause(4, "Clovers and stars move up to three squares")``.

The words quoted must stand in that clause of the game's rulebook, so that rulebook, rule and test stay together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from parlour.engine import Game, registry

Test = TypeVar("Test", bound=Callable[..., object])


def clauses(rulebook: str) -> dict[int, str]:
    """The numbered clauses of a rulebook, white space folded. A clause ends where the next one or a heading begins."""
    parts = re.split(r"^(\d+)\. ", re.sub(r"^#.*$", "\n", rulebook, flags=re.M), flags=re.M)
    return {int(number): " ".join(text.split()) for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def clauses_of(game: str | Game) -> Callable[[int, str], Callable[[Test], Test]]:
    """The decorator for tests of one game."""
    known = clauses((registry.get(game) if isinstance(game, str) else game).words.rulebook)

    def clause(number: int, quote: str) -> Callable[[Test], Test]:
        assert " ".join(quote.split()) in known[number], f"{quote!r} is not in clause {number}: {known[number]!r}"
        return lambda test: test

    return clause
