"""A finished match without its pictures: every action in a line of words, how it ended, and with which scores."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from parlour.engine import replay
from parlour.engine.match import Match
from parlour.engine.seen import WATCHER
from parlour.engine.win_chances import judged_seats
from parlour.protocol import Ending, PlyLine, Summary
from parlour.server.tables import endings, frames
from parlour.server.tables.album import Album
from parlour.server.tables.past import PastTable
from parlour.server.tables.table import Table
from parlour.server.telling import foreign


def of_table(table: Table, album: Album | None) -> Summary:
    """The match of a table; it is over."""
    judged = not isinstance(table, PastTable) and table.spec.seats in judged_seats(table.game)
    if album is not None:
        played = (album.bare(ply) for ply in range(1, album.ply + 1))
        plies = [PlyLine(frame.seat, frame.events[0].text if frame.events else frame.text) for frame in played]
        return Summary(plies, table.ending, table.scores, table.keeps_score, judged)
    assert table.match is not None
    return _of_match(table.match, table.ending, table.name)


def of_replay(content: replay.Replay, match: Match) -> Summary:
    """The match of a replay file. One that was saved before its end has no ending."""
    ended, ending = content.ended, None
    if ended is not None:
        ending = Ending(ended.reason, ended.winners, "")
    elif match.over:
        ending = endings.by_rules(match, match.name)
    return replace(_of_match(match, ending, match.name), doubts=replay.doubts(content, played=match))


def of_foreign(text: bytes) -> Summary | None:
    """The match in a file of another program, if a game claims it: such a file tells no more than who has won."""
    found = foreign.read(text)
    if found is None:
        return None
    game, match = found
    plies = list[PlyLine]()
    for position in match.positions():
        plies.append(PlyLine(position.seat, position.text))
    judged = position.state.seats in judged_seats(game)
    return Summary(plies[1:], None, game.scores(position.state), judged=judged)


def _of_match(match: Match, ending: Ending | None, name: Callable[[int], str]) -> Summary:
    scores, scored = match.seen_by(None).scores, match.game.keeps_score(match.options)
    match, plies = frames.whole(match), list[PlyLine]()
    for ply in match.plies:
        event = ply.events[0] if ply.events else None
        if match.keeps_secrets:  # as whoever watches may know it: it was saved before its end
            plies.append(PlyLine(ply.seat, event.seen_by(WATCHER).tell(name) if event else ""))
        else:
            plies.append(PlyLine(ply.seat, event.tell(name) if event else ply.text))
    return Summary(plies, ending, scores, scored, judged=match.seats in judged_seats(match.game))
