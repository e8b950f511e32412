"""Events: what happened, as objects with words.

A rule tells what it does with ``if journal is not None: journal.append(Rolled(seat, 3, 4))``. Interpreted, the events
make logs, animation and sound; compiled, the journal is ``None`` and the whole branch is pruned away.
(Pruning needs that bare test: put further conditions inside it.)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Self, TypeVar, cast, dataclass_transform, get_origin

from parlour.engine.errors import BadGame
from parlour.engine.language import said
from parlour.engine.state import UNKNOWN

SEAT, SECRET = "a seat, which is told by its name", "told only to the seats that the event is about"
Kind = TypeVar("Kind")
Value = TypeVar("Value")
Seat = Annotated[int, SEAT]
Secret = Annotated[Value, SECRET]


class Event:
    """Base of all events. ``words`` says it; a field declared ``Seat`` is told by the seat's name.

    A field declared ``Secret[int]`` is told only to the seats of the event, its other fields declared ``Seat``: to all
    others it is ``UNKNOWN``, and ``others`` says it to them, without that field.

    >>> @event
    ... class Rolled(Event):
    ...     words = "{seat} rolls {first} and {second}"
    ...     seat: Seat
    ...     first: int
    ...     second: int
    >>> Rolled(0, 3, 4).tell(lambda seat: "Red")
    'Red rolls 3 and 4'
    >>> @event
    ... class Dealt(Event):
    ...     words = "{seat} is dealt the {card}"
    ...     others = "{seat} is dealt a card"
    ...     seat: Seat
    ...     card: Secret[int]
    >>> Dealt(0, 7).seen_by(1).tell(lambda seat: "Red")
    'Red is dealt a card'
    """

    words: ClassVar[str]
    others: ClassVar[str] = ""  # what those are told whom it does not concern
    parts: ClassVar[tuple[tuple[str, bool], ...]] = ()  # the fields, and which of them are seats
    secrets: ClassVar[tuple[str, ...]] = ()  # the fields that only those are told whom it concerns
    loud: ClassVar[bool] = False  # whether everybody should notice it, wherever they look
    quiet: ClassVar[bool] = False  # whether what happened before it is more worth a line, where there is just one

    def tell(self, name: Callable[[int], str]) -> str:
        """This event in words. Override it where one template cannot say it."""
        is_whole = not self.secrets or getattr(self, self.secrets[0]) != UNKNOWN
        return self.said(self.words if is_whole else self.others).format(**self.spoken(name))

    def concerns(self, seat: int) -> bool:
        """Whether the seat is told all of it: it is one of the event's. Override it where that is another matter."""
        return any(is_seat and name not in self.secrets and getattr(self, name) == seat for name, is_seat in self.parts)

    def seen_by(self, seat: int) -> Self:
        """The event as that seat knows it: all of it, or with secret fields unknown."""
        if not self.secrets or self.concerns(seat):
            return self
        return dataclasses.replace(self, **dict.fromkeys(self.secrets, UNKNOWN))  # type: ignore[type-var]

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
    fields = dataclasses.fields(made)
    made.parts = tuple((field.name, _is_marked(field.type, SEAT, "Seat", "Secret[Seat]")) for field in fields)
    made.secrets = tuple(field.name for field in fields if _is_marked(field.type, SECRET, "Secret["))
    if made.secrets and not made.others and made.tell is Event.tell:
        raise BadGame(f"event {kind.__name__}: {made.secrets[0]!r} is secret: say in 'others' what the others are told")
    told = next((name for name in made.secrets if f"{{{name}" in made.others), "")
    if told:
        raise BadGame(f"event {kind.__name__}: {told!r} is secret, and 'others' would tell it")
    return cast("type[Kind]", made)


def _is_marked(kind: Any, mark: str, *written: str) -> bool:
    """Whether a field is declared so; where annotations are not evaluated, its type is the text of it."""
    if isinstance(kind, str):
        return any(kind == text or (text.endswith("[") and kind.startswith(text)) for text in written)
    return get_origin(kind) is Annotated and mark in kind.__metadata__
