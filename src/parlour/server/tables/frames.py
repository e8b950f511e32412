"""A match position by position, for whoever looks at it afterwards; and as a replay, with the proof of its dice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import msgspec

from parlour.engine import fair, replay
from parlour.engine.match import Match
from parlour.engine.secrets import hidden
from parlour.engine.seen import WATCHER
from parlour.engine.state import State
from parlour.protocol import EventView, Frame, Frames
from parlour.server.basics.errors import Refusal
from parlour.server.tables.table import Table

MOST = 200  # frames at once
MOST_BYTES = 2**20  # after which no further frame is added to an answer


def cut(match: Match, first: int, count: int, winners: list[int] | None = None) -> Frames:
    """Some frames of a match, from ply ``first``. Who won is told where the rules do not say so."""
    match = whole(match)
    game, found = match.game, take_some(_frames(match, first, count))
    size, backdrop = match.seen_by(None).backdrop
    won = match.winners if winners is None else winners
    marks = game.looks.marks(match.seats)
    return Frames(game.name, game.said(game.title), match.names, marks, len(match.plies), won, size, backdrop, found)


def take_some(frames: Iterator[Frame]) -> list[Frame]:
    """As many as go into one answer; whoever wants the others asks again. There is always room for one."""
    found, size = list[Frame](), 0
    for frame in frames:
        found.append(frame)
        size += len(msgspec.json.encode(frame))
        if size > MOST_BYTES:
            break
    return found


def all_frames(match: Match) -> Iterator[Frame]:
    return _frames(match, 0, len(match.plies) + 1)


def _frames(match: Match, first: int, count: int) -> Iterator[Frame]:
    picks: tuple[str, ...] = ()  # where the action was chosen that led to the position
    for ply, state in enumerate(islice(match.positions(), first + count)):
        if ply >= first:
            yield _frame(match, state, ply, picks)
        if first <= ply + 1 <= len(match.plies) and not match.keeps_secrets:
            picks = match.game.looks.picks(state, match.plies[ply].action)


@lru_cache(maxsize=4)
def whole(match: Match) -> Match:
    """A match that is over, with all that was told in it. It is kept, because people go back and forth in it."""
    return match.whole()


def _frame(match: Match, state: State, ply: int, picks: tuple[str, ...]) -> Frame:
    """Of a match that keeps secrets, such as one that was saved before its end, what whoever watches may know."""
    game = match.game
    played = match.plies[ply - 1] if ply else None
    events = played.events if played else match.opening
    if match.keeps_secrets:
        state, events = hidden(game, state, WATCHER), [event.seen_by(WATCHER) for event in events]
    return Frame(
        ply=ply,
        seat=played.seat if played else None,
        text=played.text if played and not match.keeps_secrets else "",
        events=[EventView(event.tell(match.name), game.looks.motion(event)) for event in events],
        to_move=state.to_move,
        turn=state.turns,
        scores=game.scores(state),
        picks=list(picks),
        scene=game.looks.scene(state),
    )


def state_at(match: Match, ply: int) -> State:
    """The position after that many actions."""
    if ply > len(match.plies):
        raise Refusal("not_found", f"the match has {len(match.plies)} plies, not {ply}")
    return next(islice(match.positions(), ply, None))


def picture(match: Match, ply: int) -> str:
    """The position after that many actions, as SVG."""
    return match.at(state_at(match, ply)).seen_by(None).picture


def replay_text(table: Table) -> str:
    """The replay of a finished match."""
    assert table.match is not None
    return replay.dumps(table.match, dice=dice_of(table), ended=early_end_of(table))


def dice_of(table: Table) -> fair.DiceProof:
    nonces = [chair.nonce for chair in table.chairs]
    seals = [chair.seal for chair in table.chairs] if any(chair.seal for chair in table.chairs) else []
    return fair.DiceProof(table.commitment, table.spec.secret, nonces, seals)


def early_end_of(table: Table) -> replay.EarlyEnd | None:
    """How the match ended, where it was not by the rules."""
    ending = table.ending
    return None if ending is None or ending.reason == "rules" else replay.EarlyEnd(ending.reason, ending.winners)
