"""Folding: makes the table after an entry of the log from the table before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import msgspec

from parlour.engine import fair
from parlour.engine.journal import Event
from parlour.engine.match import Match
from parlour.engine.secrets import hidden
from parlour.protocol import (
    Acted,
    AnyEntry,
    BotSat,
    ChatLine,
    Closed,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Ending,
    Forgotten,
    Left,
    RematchOpened,
    Replaced,
    Resigned,
    Returned,
    Revealed,
    Said,
    Sat,
    Started,
    TokenRenewed,
    Undone,
)
from parlour.server.tables import endings
from parlour.server.tables.past import PastTable
from parlour.server.tables.table import Chair, Milestone, Table

CHAT_LINES = 100
STORY_LINES = 200  # of what has happened, that whoever comes to a table is told
MILESTONE_EVERY = 100  # events, at least, between two positions from which a match can be taken up
PLAYED = Started | Acted | Undone | Resigned | DrawAgreed  # what takes the rules


@dataclass
class Change:
    """What an entry did: its events, and whether the position has changed."""

    entry: AnyEntry
    sitting: int | None = None  # of whoever gave the command
    events: list[Event] = field(default_factory=list)
    moved: bool = False
    seating: list[int] = field(default_factory=list)  # the new seat of each old one, if people have changed seats
    ply: int = 0  # how many actions have been played after it, in the order of the rules


def fold(table: Table, entry: AnyEntry, played: Match | None = None) -> Change:
    """Apply a stored entry to the table. ``played`` is the match after it, if that is known already."""
    if entry.number != table.number + 1:
        raise AssertionError(f"entry {entry.number} cannot follow entry {table.number} of table {table.id}")
    change = Change(entry, table.sitting(entry.actor))
    _happen(table, entry, change, played)
    table.number = entry.number
    if (change.moved and not _is_sealed(table)) or _begins_turn(table, entry):
        table.turn_began, table.began_later = entry.at, {}
    elif isinstance(entry, Replaced | Returned) and entry.seat in table.awaited:
        table.began_later = {**table.began_later, entry.seat: entry.at}
    change.ply = entry.ply + len(entry.actions) if isinstance(entry, Acted) else table.ply
    return change


def _begins_turn(table: Table, entry: AnyEntry) -> bool:
    """Whether time counts from here though nobody has acted.

    A bot begins to play for whoever is to move, or they play again themselves; or the last seat was taken, and the
    seats have so long to reveal their nonces.
    """
    if isinstance(entry, Replaced | Returned):
        return table.awaited == [entry.seat] and table.choosing is None
    return table.is_revealing and isinstance(entry, Sat | BotSat)


def _is_sealed(table: Table) -> bool:
    """Whether somebody has chosen, and others choose at the same time: their time runs on."""
    return table.choosing is not None and bool(table.choosing.sealed)


def fold_all(table: Table, entries: Iterable[AnyEntry]) -> Iterator[Change]:
    """Apply entries to the table, one after the other."""
    for entry in entries:
        yield fold(table, entry)


def _happen(table: Table, entry: AnyEntry, change: Change, played: Match | None) -> None:
    chairs, seat = table.chairs, entry.seat
    if isinstance(entry, Started):
        table.rules_hash = entry.rules_hash
        _take_places(table, change)
    if isinstance(table, PastTable) and isinstance(entry, PLAYED):
        return table.pass_over(entry)
    match entry:
        case Acted():  # first, since almost every entry is one
            _act(table, entry, change, played)
        case Sat():
            who = Chair(person=entry.name, nonce=entry.nonce, seal=entry.seal, sitting=entry.number)
            chairs[seat] = replace(who, lot=entry.lot, wants=entry.wants)
        case Revealed():
            chairs[seat] = replace(chairs[seat], nonce=entry.nonce)
        case BotSat():
            chairs[seat] = Chair(bot=entry.bot)
        case Left():
            chairs[seat] = Chair()
        case Started():
            _start(table, change)
        case Undone():
            _undo(table, entry, change)
        case Resigned():
            _resign(table, entry, change)
        case DrawOffered():
            table.offer = seat
        case DrawDeclined():
            table.offer = None
        case DrawAgreed():
            table.offer = None
            _end_early(table, Ending("agreed", [], "a draw, as both agree"), change)
        case Said():
            if entry.reaction is None:
                table.chat = [*table.chat, ChatLine(seat, table.name(seat), entry.text, entry.at)][-CHAT_LINES:]
        case Replaced():
            _replace(table, entry)
        case Returned():
            _return(table, entry)
        case RematchOpened():
            table.rematch = entry.table
        case Closed():
            _close(table, entry, change)
        case TokenRenewed() | Forgotten():
            pass
    return None


def _take_places(table: Table, change: Change) -> None:
    """Lots are drawn, and people get the seats that they want."""
    if seating := table.seating:
        table.reseat(seating)
        change.seating = seating
        change.entry = msgspec.structs.replace(change.entry, seating=seating)


def opening(table: Table) -> Match:
    """The match of a table where all have sat down, before its first action."""
    spec = table.spec
    seed = fair.seed(spec.secret, [chair.nonce for chair in table.chairs])
    match = Match(table.game, spec.seats, seed, names=table.names, **spec.options)
    match.rules_hash = table.rules_hash
    return match


def _start(table: Table, change: Change) -> None:
    table.match = opening(table)
    change.events = table.match.opening
    change.moved = True
    table.event_count = len(change.events)
    _end_by_rules(table)


def _act(table: Table, entry: Acted, change: Change, played: Match | None) -> None:
    before = table.match
    assert before is not None
    if played is None:
        played = before.twin()
        for action in entry.actions:
            played.repeat(action, entry.seat)
    change.events = [event for ply in played.plies[len(before.plies) :] for event in ply.events]
    change.moved = True
    table.match = played
    table.event_count += len(change.events)
    choosing, is_replaced = before.choosing, False
    if choosing is None:
        known = hidden(table.game, before.state, entry.seat) if before.keeps_secrets else before.state
        table.picks = [spot for action in entry.actions for spot in table.game.looks.picks(known, action)]
        ends_turn = (played.state.turns, played.to_move) != (before.state.turns, before.to_move) or played.over
    else:  # one choice is a turn
        table.picks, ends_turn, is_replaced = [], True, entry.seat in choosing.sealed
    if entry.spent is not None and not is_replaced:  # a bot's choice costs and earns nothing
        gained = _run_clock(table, entry.seat, entry.spent, ends_turn=ends_turn)
        if gained:
            table.gains = {**table.gains, table.ply: gained}
    if played.plies[-1].by_chance:
        table.gains = {}  # nothing before this can be taken back
    _decline_by_playing_on(table, entry.seat)
    pass_milestone(table)
    _end_by_rules(table)


def pass_milestone(table: Table) -> None:
    """Keep the position that the match has now, if it is time for another one.

    Only where no undo can lead back past it: right after dice have fallen, or if they never have. Older ones that are
    not needed to tell the story are dropped.
    """
    match = table.match
    assert match is not None
    if match.chosen:  # others choose at the same time, and what has been chosen may change
        return
    last = table.milestones[-1].event_count if table.milestones else 0
    if table.event_count < last + MILESTONE_EVERY:
        return
    if not match.plies[-1].by_chance and any(ply.by_chance for ply in match.plies):
        return
    passed = (*table.milestones, Milestone(table.ply, table.event_count, match.state))
    old = sum(table.event_count - milestone.event_count >= STORY_LINES for milestone in passed)
    table.milestones = passed[max(0, old - 1) :]


def _run_clock(table: Table, seat: int, spent: float, *, ends_turn: bool) -> float:
    """The seat has acted after thinking for so long. Returns the seconds that it gains."""
    table.clocks.charge(seat, spent)
    left = table.clocks.left[seat]
    if ends_turn:
        table.clocks.end_turn(seat)
    return table.clocks.left[seat] - left


def _undo(table: Table, entry: Undone, change: Change) -> None:
    assert table.match is not None
    # The turn that the action may have ended goes on: what it gained is lost, and thinking since then still counts.
    stays = table.ply - entry.plies
    gained = sum(gain for ply, gain in table.gains.items() if ply > stays)
    table.clocks.charge(entry.seat, gained + entry.spent)
    table.gains = {ply: gain for ply, gain in table.gains.items() if ply <= stays}
    match = table.match.twin() if stays >= table.match.skipped else table.match.whole().twin()
    table.event_count -= sum(len(ply.events) for ply in match.plies[-entry.plies :])
    table.milestones = tuple(milestone for milestone in table.milestones if milestone.ply <= stays)
    match.undo(entry.plies)
    table.match = match
    table.picks = []
    change.moved = True


def _resign(table: Table, entry: Resigned, change: Change) -> None:
    seat = entry.seat
    if table.spec.seats == 2:
        winner = 1 - seat
        text = f"{table.name(seat)} resigns: {table.name(winner)} wins"
        _end_early(table, Ending("resigned", [winner], text), change)
    else:
        table.chairs[seat] = replace(table.chairs[seat], stand_in=entry.bot, away="resigned")


def _end_early(table: Table, ending: Ending, change: Change) -> None:
    """The match ends before the rules end it: what is at stake is given out, where something is."""
    assert table.match is not None
    table.ending = ending
    table.match = table.match.settled(ending.winners)
    change.events = table.match.ending
    change.moved = bool(change.events) or table.match.game.has_secrets  # of which all is shown now


def _close(table: Table, entry: Closed, change: Change) -> None:
    ending = Ending(entry.reason, [], entry.text)
    if table.match is None:
        table.ending = ending
    else:
        _end_early(table, ending, change)


def _replace(table: Table, entry: Replaced) -> None:
    seat = entry.seat
    table.clocks.charge(seat, entry.spent or 0.0)
    if entry.reason == "time":
        table.clocks.left[seat] = 0.0
    table.chairs[seat] = replace(table.chairs[seat], stand_in=entry.bot, away=entry.reason)


def _return(table: Table, entry: Returned) -> None:
    table.chairs[entry.seat] = replace(table.chairs[entry.seat], stand_in=None, away=None, since=table.ply)
    if table.spec.clock.kind == "turn":
        table.clocks.end_turn(entry.seat)  # a turn begins anew for whoever returns


def _decline_by_playing_on(table: Table, seat: int) -> None:
    if table.offer == 1 - seat:
        table.offer = None


def _end_by_rules(table: Table) -> None:
    match = table.match
    if match is not None and match.over:
        table.ending = endings.by_rules(match, table.name)
