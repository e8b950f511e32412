"""Some acts carry the position: a table that comes back plays only what follows the last of them."""

from __future__ import annotations

import random
import time

import pytest

from parlour import protocol
from parlour.engine import registry
from parlour.engine.journal import Event
from parlour.engine.match import Match
from parlour.protocol import Acted, AnyEntry, ClockSpec
from parlour.server import frames, proposals, views
from parlour.server.fold import KEY_EVERY, STORY_LINES, fold, fold_all, keyed
from parlour.server.table import Table, TableSpec

OPTIONS = {"game17": {"edge": 5, "rounds": 40}}
BANK = ClockSpec("bank", 10_000, 3)


def play(name: str, seed: int, plies: int = 400) -> tuple[Table, list[AnyEntry]]:
    """A match by chance, with undos and talk, as a room would have its log written."""
    game, dice = registry.get(name), random.Random(seed)
    options = game.settle_options(OPTIONS.get(name, {}))
    seats = max(2, game.settle_seats(None, options))
    spec = TableSpec(name, name, game.version, options, seats, True, True, BANK, 90.0, "5e" * 32, time.time())
    table, log = Table(spec), list[AnyEntry]()

    def write(proposal: proposals.Proposal) -> None:
        for entry in proposal.entries:
            fold(table, entry, proposal.played if isinstance(entry, Acted) else None)
        *before, last = proposal.entries
        log.extend([*before, keyed(table, last) if isinstance(last, Acted) else last])

    for seat in range(seats):
        write(
            proposals.sit(
                table,
                proposals.Place(seat),
                f"Person {seat}",
                protocol.Sit(name="-", nonce=f"{seed}{seat}"),
                time.time(),
            )
        )
    while table.match is not None and table.to_move is not None and table.ply < plies:
        seat = table.to_move
        command = protocol.Act(cid=f"a{table.number}", ply=table.ply, action=dice.choice(table.match.legal()))
        write(proposals.propose(table, command, seat, time.time(), dice.random()))
        if dice.random() < 0.2 and table.may_undo(seat):
            write(
                proposals.propose(table, protocol.Undo(cid=f"u{table.number}", ply=table.ply), seat, time.time(), 0.5)
            )
        if dice.random() < 0.05:
            write(proposals.propose(table, protocol.Chat(cid=f"c{table.number}", text="well"), 0, time.time()))
    return table, log


def has_key(entry: AnyEntry) -> bool:
    return isinstance(entry, Acted) and entry.key is not None


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("seed", range(3))
def test_a_table_comes_back_as_it_was(name: str, seed: int) -> None:
    table, log = play(name, seed)
    back = Table(table.spec)
    acks = [(change.entry.number, change.ply) for change in fold_all(back, log)]
    assert table.match is not None
    assert back.match is not None
    assert back.match.state == table.match.state
    assert back.match.actions == table.match.actions
    assert [ply.seat for ply in back.match.plies] == [ply.seat for ply in table.match.plies]
    assert back.clocks.left == table.clocks.left
    assert (back.phase, back.ending, back.chat, back.number) == (table.phase, table.ending, table.chat, table.number)
    assert back.may_undo(table.to_move) == table.may_undo(table.to_move)
    assert (back.picks, back.turn_began, back.told) == (table.picks, table.turn_began, table.told)
    assert views.story(back, back.match) == views.story(table, table.match), "people see what they saw before"
    plain = [entry for entry in log if not has_key(entry)]
    assert len(plain) < len(log) or name in ("choccer", "connect_four", "goose")
    again = Table(table.spec)
    assert acks == [(fold(again, entry).entry.number, again.ply) for entry in log]


def test_only_what_follows_the_last_position_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table, log = play("mazerunner", 1)
    played: list[int] = []
    original = Match.repeat

    def counted(match: Match, action: int) -> list[Event]:
        played.append(action)
        return original(match, action)

    monkeypatch.setattr(Match, "repeat", counted)
    back = Table(table.spec)
    list(fold_all(back, log))
    assert back.match is not None
    assert 0 < len(played) < table.ply - 3 * KEY_EVERY
    assert back.told - sum(len(ply.events) for ply in back.match.plies[: back.match.skipped]) >= STORY_LINES


def test_play_goes_on_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes next is the same, undo too, and a match that is looked at afterwards is told from its beginning."""
    table, log = play("mazerunner", 2, plies=390)
    back = Table(table.spec)
    list(fold_all(back, log))
    assert back.match is not None
    assert table.match is not None
    assert back.match.skipped
    action = table.match.legal()[0]
    table.match.play(action)
    back.match.play(action)
    assert back.match.state == table.match.state
    assert frames.cut(back.match, 0, 50) == frames.cut(table.match, 0, 50)
    back.match.undo()
    table.match.undo()
    assert back.match.state == table.match.state


def test_nobody_is_told_the_key() -> None:
    table, log = play("mazerunner", 3, plies=80)
    entry = next(entry for entry in log if has_key(entry))
    change = next(change for change in fold_all(Table(table.spec), log) if change.entry == entry)
    assert "key" not in views.update(table, change, [], pictures=False).body
    assert entry.told.keys() == entry.body.keys() - {"key"}
