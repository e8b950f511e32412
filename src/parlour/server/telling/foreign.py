"""Matches in files of other programs, for whoever looks at them: each game says which ones it can read."""

from __future__ import annotations

from itertools import islice

import msgspec

from parlour.engine import registry
from parlour.engine.foreign import ForeignPosition, ForeignReplay
from parlour.engine.game import Game
from parlour.protocol import EventView, Frame, Frames
from parlour.server.tables.frames import take_some


def read(text: bytes) -> tuple[Game, ForeignReplay] | None:
    """The game that claims a file, and the match in it; None if no game does."""
    try:
        keys = msgspec.json.decode(text, type=dict[str, msgspec.Raw]).keys()  # what stands there is left as it is
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None  # what is wrong with it, whoever takes it for a replay says
    for game in registry.all_games():
        if (reader := game.looks.foreign) is not None and reader.claims(keys):
            return game, reader.read(text)
    return None


def cut(text: bytes, first: int, count: int) -> Frames | None:
    """Some frames of such a match, from position ``first``; None if no game claims the file."""
    found = read(text)
    return None if found is None else _cut(*found, first, count)


def _cut(game: Game, replay: ForeignReplay, first: int, count: int) -> Frames:
    opening = next(replay.positions()).state
    size, backdrop = game.looks.backdrop(opening)
    shown = enumerate(islice(replay.positions(), first, first + count), first)
    return Frames(
        game=game.name,
        title=game.said(game.title),
        names=[game.seat_name(seat) for seat in range(opening.seats)],
        marks=game.looks.marks(opening.seats),
        plies=replay.plies,
        winners=replay.winners,
        size=size,
        backdrop=backdrop,
        frames=take_some(_frame(game, ply, position) for ply, position in shown),
    )


def _frame(game: Game, ply: int, position: ForeignPosition) -> Frame:
    state = position.state
    return Frame(
        ply=ply,
        seat=position.seat,
        text="",
        events=[EventView(position.text, list(position.steps))] if position.text else [],
        to_move=state.to_move,
        turn=ply,
        scores=game.scores(state),
        picks=[],
        scene=game.looks.scene(state),
    )
