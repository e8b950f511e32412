"""Some acts carry the position: a table that comes back plays only what follows the last of them."""

from __future__ import annotations

import random
import time

import pytest

from parlour.engine import registry
from parlour.server import entries as kinds
from parlour.server import frames, proposals, views
from parlour.server import messages as say
from parlour.server.clocks import ClockSpec
from parlour.server.entries import Entry
from parlour.server.table import KEY_EVERY, Facts, Table

OPTIONS = {"game17": {"edge": 5, "rounds": 40}}
BANK = ClockSpec("bank", 10_000, 3)


def play(name: str, seed: int, plies: int = 400) -> tuple[Table, list[Entry]]:
    """A match by chance, with undos and talk, as a room would have its log written."""
    game, dice = registry.get(name), random.Random(seed)
    options = game.settle_options(OPTIONS.get(name, {}))
    seats = max(2, game.settle_seats(None, options))
    facts = Facts(name, name, game.version, options, seats, True, True, BANK, 90.0, "5e" * 32, time.time())
    table, log = Table(facts), list[Entry]()

    def write(proposal: proposals.Proposal) -> None:
        for entry in proposal.entries:
            table.fold(entry, proposal.played if entry.kind == kinds.ACT else None)
        log.extend(proposal.entries[:-1])
        log.append(table.keyed(proposal.entries[-1]) if proposal.played else proposal.entries[-1])

    for seat in range(seats):
        write(proposals.sit(table, seat, f"Person {seat}", f"{seed}{seat}", time.time()))
    while table.match is not None and table.to_move is not None and table.ply < plies:
        seat = table.to_move
        command = say.Act(cid=f"a{table.number}", ply=table.ply, action=dice.choice(table.match.legal()))
        write(proposals.propose(table, command, seat, time.time(), dice.random()))
        if dice.random() < 0.2 and table.may_undo(seat):
            write(proposals.propose(table, say.Undo(cid=f"u{table.number}", ply=table.ply), seat, time.time(), 0.5))
        if dice.random() < 0.05:
            write(proposals.propose(table, say.Chat(cid=f"c{table.number}", text="well"), 0, time.time()))
    return table, log


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("seed", range(3))
def test_a_table_comes_back_as_it_was(name: str, seed: int) -> None:
    table, log = play(name, seed)
    back = Table(table.facts)
    acks = [(change.entry.number, change.ply) for change in back.fold_all(log)]
    assert table.match is not None
    assert back.match is not None
    assert back.match.state == table.match.state
    assert back.match.actions == table.match.actions
    assert [ply.seat for ply in back.match.plies] == [ply.seat for ply in table.match.plies]
    assert back.clock.left == table.clock.left
    assert (back.phase, back.ending, back.chat, back.number) == (table.phase, table.ending, table.chat, table.number)
    assert back.may_undo(table.to_move) == table.may_undo(table.to_move)
    plain = [msg for msg in log if Entry.KEY not in msg.body]
    assert len(plain) < len(log) or name in ("choccer", "connect_four", "goose")
    again = Table(table.facts)
    assert acks == [(again.fold(entry).entry.number, again.ply) for entry in log]


def test_only_what_follows_the_last_position_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table, log = play("mazerunner", 1)
    played = []
    original = type(table.match).repeat
    monkeypatch.setattr(
        type(table.match), "repeat", lambda self, action: (played.append(action), original(self, action))[1]
    )
    back = Table(table.facts)
    list(back.fold_all(log))
    assert 0 < len(played) < 4 * KEY_EVERY < table.ply


def test_play_goes_on_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes next is the same, undo too, and a match that is looked at afterwards is told from its beginning."""
    table, log = play("verfuchst", 2, plies=70)
    back = Table(table.facts)
    list(back.fold_all(log))
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
    entry = next(entry for entry in log if Entry.KEY in entry.body)
    change = next(change for change in Table(table.facts).fold_all(log) if change.entry == entry)
    assert Entry.KEY not in views.update(table, change, [], pictures=False).body
    assert entry.told.keys() == entry.body.keys() - {Entry.KEY}
