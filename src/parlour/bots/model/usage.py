"""What a language model has used in a match, and how often its first answer was one that can be played."""

from __future__ import annotations

from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Amount = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


class ModelUse(msgspec.Struct, forbid_unknown_fields=True):
    """Counts of one seat in one match, or of many together.

    ``cost`` is in whatever money the prices are. Tokens are as the address tells them; where it does not, they are
    guessed from the length of the texts, and ``guessed`` counts such answers.
    """

    seat: Count = 0
    choices: Count = 0  # that it was asked for
    legal_first: Count = 0  # of these, how often the first answer could be played
    strict_first: Count = 0  # of those, how often it was written just as it was asked for
    answers: Count = 0
    guessed: Count = 0
    tokens_in: Count = 0
    tokens_out: Count = 0
    cost: Amount = 0.0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def add(self, other: ModelUse) -> None:
        """Count what another match has used, too."""
        for name in self.__struct_fields__:
            if name != "seat":
                setattr(self, name, getattr(self, name) + getattr(other, name))
