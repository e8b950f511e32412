"""Options: the variants a game can be played in. Each is also a field of the state, so that rules can ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from parlour.engine.errors import BadOption, nearest
from parlour.engine.state import Field, i32
from parlour.engine.whole_numbers import whole_number

YES, NO = ("yes", "true", "on"), ("no", "false", "off")


@dataclass(frozen=True)
class Option:
    """One choice before the match: either among ``choices`` or a whole number from ``low`` to ``high``.

    An option whose default is a bool is a switch. ``suggested`` is what people are offered first who open a table on
    the page, where that is not the default: a smaller board to learn on, say. All else begins with the default.
    """

    name: str
    default: int
    help: str
    choices: tuple[int, ...] = ()
    low: int = 0
    high: int = 1
    field: Field = i32
    suggested: int | None = None

    def __post_init__(self) -> None:
        if self.suggested is not None:
            self.value(self.suggested)

    @property
    def suggestion(self) -> int:
        """What the page offers first."""
        return self.default if self.suggested is None else self.suggested

    @property
    def is_switch(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def takes(self) -> str:
        """What values it takes, for people: ``yes or no``, ``39 or 30``, ``1 to 1000``."""
        if self.is_switch:
            return "yes or no"
        return " or ".join(map(str, self.choices)) if self.choices else f"{self.low} to {self.high}"

    def value(self, given: object) -> int:
        """The value given as an int or as text, if the option takes it."""
        value = self._number(given)
        allowed = self.choices or range(self.low, self.high + 1)
        if value is None or value not in allowed:
            raise BadOption(f"option {self.name} is {self.takes}, not {given!r}")
        return value

    def _number(self, given: object) -> int | None:
        if isinstance(given, str):
            word = given.strip().lower()
            if self.is_switch and word in YES + NO:
                return int(word in YES)
            return int(word) if word.removeprefix("-").isdecimal() and word.isascii() and len(word) < 12 else None
        if isinstance(given, bool):
            return int(given) if self.is_switch else None
        return whole_number(given)


def resolve(game: str, options: Iterable[Option], given: Mapping[str, object]) -> dict[str, int]:
    """Every option's value: as given, else its default."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            has = ", ".join(known) if known else "none"
            raise BadOption(f"{game} has no option {name!r} (it has: {has}){nearest(name, known)}")
    return {name: option.value(given.get(name, option.default)) for name, option in known.items()}
