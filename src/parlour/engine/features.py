"""Features: what a learner sees of a position, from the side of one seat.

A game declares its features, each with a name, a shape and a meaning, and fills them in one rule,
``observe(state, seat, features)``. They lie one after the other in one flat array of whole numbers: these are the same
to the byte interpreted, compiled and on a GPU. Most of them are zeros and ones, and most games need a byte for each: a
quarter of what floats would take in a batch of millions or in a replay buffer. One call makes floats of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlour.engine.errors import BadGame
from parlour.engine.rule import rule
from parlour.engine.state import Field, i8, i16, i32, i64


@dataclass(frozen=True)
class Feature:
    """One number that a learner sees, or an array of them, each from ``low`` to ``high``.

    ``drawn`` is for what chance has drawn for the choice to come, such as a die that is rolled before it. A judge of
    positions after an action does not look at it: to whoever chooses the action, it is not known yet.
    """

    name: str
    shape: tuple[int, ...]  # () for one number
    help: str
    low: int = 0
    high: int = 1
    drawn: bool = False

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Sight:
    """What a judge looks at, where that is other than what a learner sees: features, and the rule that fills them.

    A learner needs the whole position as it lies, since it has to find its actions there. A judge need not: it may see
    the board from each seat's own side, and what a good player notices, such as which pieces are threatened.
    """

    features: tuple[Feature, ...]
    observe: Callable[..., None]


def starts(features: Sequence[Feature]) -> tuple[int, ...]:
    """Where each feature begins in the flat array, and at last the size of that array."""
    return tuple(sum(feature.size for feature in features[:count]) for count in range(len(features) + 1))


def narrowest(features: Sequence[Feature]) -> Field:
    """The narrowest type that holds every number of all features."""
    low, high = min((f.low for f in features), default=0), max((f.high for f in features), default=0)
    found = next((field for field in (i8, i16, i32, i64) if field.low <= low and high <= field.high), None)
    if found is None:
        raise BadGame(f"a feature is a whole number of at most 64 bits, not one from {low} to {high}")
    return found


def split(features: Sequence[Feature], observation: Any) -> dict[str, Any]:
    """Observations by the names of their features, each in its shape. The last axis of the array is the flat one."""
    at, found = starts(features), {}
    for feature, first in zip(features, at, strict=False):
        part = observation[..., first : first + feature.size]
        found[feature.name] = part.reshape((*part.shape[:-1], *feature.shape))
    return found


def check_features(game: str, features: Sequence[Feature]) -> None:
    """Names are different; every shape is made of lengths from 1 up."""
    names = [feature.name for feature in features]
    for feature in features:
        if names.count(feature.name) > 1:
            raise BadGame(f"game {game!r}: two features are called {feature.name!r}")
        if any(length < 1 for length in feature.shape) or feature.low > feature.high:
            raise BadGame(f"game {game!r}: feature {feature.name!r} has room for nothing")


def features_of_fields(fields: Mapping[str, Field]) -> tuple[Feature, ...]:
    """What a learner sees of a game that declares no features: all fields of the state, as they are."""
    found = [Feature("to_move", (), "1 where it is the seat's choice")]
    for name, field in fields.items():
        shape = () if field.length is None else (field.length,)
        found.append(Feature(name, shape, f"the field {name!r} of the state", field.low, field.high))
    return tuple(found)


def observe_fields(fields: Mapping[str, Field]) -> Callable[..., None]:
    """The rule that fills these features. It is made line by line, since compiled rules know no fields by name."""
    at = starts(features_of_fields(fields))[1:]
    lines = ["def observe(state, seat, features):", "    features[0] = state.to_move == seat"]
    for (name, field), first in zip(fields.items(), at, strict=False):
        if field.length is None:
            lines.append(f"    features[{first}] = state.{name}")
        else:
            lines.append(f"    for place in range({field.length}):")
            lines.append(f"        features[{first} + place] = state.{name}[place]")
    made: dict[str, Any] = {"__name__": __name__}
    exec("\n".join(lines), made)
    observe: Callable[..., None] = rule(made["observe"])
    return observe
