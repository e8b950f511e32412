"""Events: what happened, as objects with words.

A rule tells what it does with ``if journal is not None: journal.append(Rolled(seat, 3, 4))``. Interpreted, the events
make logs, animation and sound; compiled, the journal is ``None`` and the whole branch is pruned away.
(Pruning needs that bare test: put further conditions inside it.)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, TypeVar, cast, dataclass_transform

from parlour.engine.language import said

Seat = Annotated[int, "a seat, which is told by its name"]
Kind = TypeVar("Kind")


class Event:
    """Base of all events. ``words`` says it; a field declared ``Seat`` is told by the seat's name.

    >>> @event
    ... class Rolled(Event):
    ...     words = "{seat} rolls {first} and {second}"
    ...     seat: Seat
    ...     first: int
    ...     second: int
    >>> Rolled(0, 3, 4).tell(lambda seat: "Red")
    'Red rolls 3 and 4'
    """

    words: ClassVar[str]
    parts: ClassVar[tuple[tuple[str, bool], ...]] = ()  # the fields, and which of them are seats
    loud: ClassVar[bool] = False  # whether everybody should notice it, wherever they look

    def tell(self, name: Callable[[int], str]) -> str:
        """This event in words. Override it where one template cannot say it."""
        return self.said(self.words).format(**self.spoken(name))

    @classmethod
    def said(cls, text: str) -> str:
        """A text of this event in the language of the reader."""
        return said(text, cls.__module__.rpartition(".")[0] or cls.__module__)

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        """The event's fields as the template gets them: seats by name, the rest as they are."""
        return {field: name(getattr(self, field)) if is_seat else getattr(self, field) for field, is_seat in self.parts}

    def to_json(self) -> dict[str, Any]:
        """The event as plain data: its name under ``event``, then its fields."""
        return {"event": type(self).__name__, **dataclasses.asdict(self)}  # type: ignore[call-overload]


@dataclass_transform(frozen_default=True)
def event(kind: type[Kind]) -> type[Kind]:
    """Make an event of a class: a frozen dataclass."""
    made: Any = dataclasses.dataclass(frozen=True, slots=True)(kind)
    made.parts = tuple((field.name, field.type in (Seat, "Seat")) for field in dataclasses.fields(made))
    return cast("type[Kind]", made)
