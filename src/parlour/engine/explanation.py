"""Explanations: what something in a picture is, or why something cannot be done, with the clause of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.engine.language import said

ENGINE = "parlour.engine"  # whose translations these are


class Explanation(Struct, frozen=True):
    """Words for a person who asks; ``clause`` is where the rulebook says it, or 0."""

    text: str
    clause: int = 0


def match_is_over() -> Explanation:
    return Explanation(said("The match is over.", ENGINE))


def not_your_turn(name: str) -> Explanation:
    return Explanation(said("It is {name}'s turn.", ENGINE).format(name=name))


def no_choice(tried: Sequence[str], count: int) -> Explanation:
    """The answer where the game knows none of its own."""
    words = "{tried} is none of your {count} choices now." if tried else "Choose one of your {count} choices."
    return Explanation(said(words, ENGINE).format(tried=" ".join(tried), count=count))


def unknown() -> Explanation:
    """The answer about something that the game does not explain."""
    return Explanation(said("The rulebook says more about this.", ENGINE))
