"""What a seat can do now. It is sent more often than anything else, so each choice is kept as JSON."""

from __future__ import annotations

from collections.abc import Hashable

import msgspec

from parlour.engine.game import Game
from parlour.engine.language import current
from parlour.engine.seen import Seen
from parlour.engine.state import State
from parlour.protocol import Choices, ChoiceView
from parlour.server.tables.table import Table

MANY_CHOICES = 600  # above this, those that can be picked on the board are told in notation only: 80 KB of words
MANY_TRIES = 300  # above this, none is tried for whether it could be taken back
KNOWN_CHOICES = 20_000  # that are kept for each game and language: some 7 MB

_decode = msgspec.json.Decoder(ChoiceView).decode
_encode = msgspec.json.Encoder().encode


def choices(table: Table, seat: int | None, *, undoable: bool = False) -> list[ChoiceView]:
    """What the seat can do now; with ``undoable`` each is tried, to say whether it could be taken back."""
    if table.match is None or seat is None or not _may_choose(table, seat):
        return []
    return choices_of(table.match.seen_by(seat), undoable=undoable)


def _may_choose(table: Table, seat: int) -> bool:
    """Whether it is the choice of the seat's person, or would be if they came back."""
    return seat in table.asked and not table.is_gone(seat)


def choices_of(seen: Seen, *, undoable: bool = False) -> list[ChoiceView]:
    return [_decode(choice) for choice in _written(seen, undoable=undoable)]


def prompt(table: Table, seat: int | None) -> str:
    """What the seat has to decide now, in words."""
    if table.match is None or seat is None or not _may_choose(table, seat):
        return ""
    return _prompt(table.match.seen_by(seat))


def _prompt(seen: Seen) -> str:
    return seen.game.words.notation.prompt(seen.position)


def message(table: Table, seat: int, *, undoable: bool = False) -> bytes:
    """What tells the seat its choices: also who has just acted, since that may perhaps be undone."""
    match = table.match
    if match is None or not _may_choose(table, seat):
        return _encode(Choices(table.ply, [], table.may_undo(seat)))
    seen = match.seen_by(seat)
    empty = _encode(Choices(table.ply, [], table.may_undo(seat), _prompt(seen)))
    written = b",".join(_written(seen, undoable=undoable))
    return empty.replace(b'"choices":[]', b'"choices":[%b]' % written, 1)


def _written(seen: Seen, *, undoable: bool) -> list[bytes]:
    """Each choice in JSON."""
    legal, few = seen.legal, len(seen.legal) <= MANY_CHOICES
    found = _known_choices(seen.game, few=few).all(seen.position, legal)
    usual = seen.game.words.notation.usual(seen.position)
    if usual is not None and usual in legal:
        place = legal.index(usual)
        found[place] = _with(found[place], b"usual")
    if undoable and len(legal) <= MANY_TRIES:
        found = [
            _with(choice, b"undoable") if seen.can_undo(action) else choice
            for action, choice in zip(legal, found, strict=True)
        ]
    return found


def _with(choice: bytes, mark: bytes) -> bytes:
    return b'%b,"%b":true}' % (choice[:-1], mark)


class _KnownChoices:
    """The choices of a game as they are told in one language."""

    def __init__(self, game: Game, *, few: bool) -> None:
        self.game = game
        notation, picture = game.words.notation, game.looks.picture
        self._write, self._listed, self._describe = notation.write, notation.listed, notation.describe
        self._few = few
        self._picks, self._way = (picture.picks, picture.way) if picture else (game.looks.picks, game.looks.way)
        self._depends_on = notation.depends_on
        self._known: dict[tuple[int, Hashable], bytes] = {}

    def all(self, shown: State, legal: list[int]) -> list[bytes]:
        depends_on, known = self._depends_on, self._known.get
        if depends_on is None:
            return [self._make(shown, action) for action in legal]
        return [known(key := (action, depends_on(shown, action))) or self._keep(shown, key) for action in legal]

    def _keep(self, shown: State, key: tuple[int, Hashable]) -> bytes:
        choice = self._make(shown, key[0])
        if key[1] is not None and len(self._known) < KNOWN_CHOICES:
            self._known[key] = choice
        return choice

    def _make(self, shown: State, action: int) -> bytes:
        picks = list(self._picks(shown, action))
        choice = ChoiceView(
            action,
            self._write(shown, action),
            self._describe(shown, action) if self._few or not picks else "",
            picks,
            self._way(shown, action),
            listed=self._listed(shown, action),
        )
        return _encode(choice)


_KNOWN: dict[tuple[str, str, bool], _KnownChoices] = {}  # by game, language, and whether there are few


def _known_choices(game: Game, *, few: bool) -> _KnownChoices:
    known = _KNOWN.get((game.name, current(), few))
    if known is None or known.game is not game:
        known = _KNOWN[game.name, current(), few] = _KnownChoices(game, few=few)
    return known
