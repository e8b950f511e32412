"""Whether a finished match is the one that this program saw: its dice, its actions, its positions and its ending."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from parlour import protocol
from parlour.client.seating import Seating
from parlour.client.ticket import Ticket
from parlour.engine import replay
from parlour.engine.errors import ParlourError
from parlour.engine.journal import Event
from parlour.engine.match import Match
from parlour.engine.replay import EarlyEnd, Replay
from parlour.engine.secrets import hidden
from parlour.engine.state import UNKNOWN, State

REPLAY = "the server's replay"


class Proof:
    """What this program has seen of a match itself, noted as it happens.

    When the match is over, ``doubts`` compares all of it with the server's own account, the replay and the log. Of
    what was seen, only hashes are kept. What this seat could not know while the match went on may have been hidden.
    """

    def __init__(self, ticket: Ticket) -> None:
        self.ticket = ticket
        self._table: bytes | None = None  # the game, its rules and options
        self._commitments = {ticket.commitment}
        self._entries: dict[int, bytes] = {}  # by their numbers
        self._told: dict[int, bytes] = {}  # what was said of an entry, in words
        self._story: set[bytes] = set()  # the lines of the story
        self._acts: dict[int, bytes] = {}  # the entries of this program's own actions
        self._positions: set[tuple[int, bytes]] = set()  # each with its ply
        self._last: tuple[int, bytes] | None = None
        self._ending: bytes | None = None

    # What is seen.

    def saw_table(self, view: protocol.TableView) -> None:
        """The whole table was looked at."""
        self._table = _hash([view.game, view.rules, view.options, len(view.seats)])
        self._commitments.add(view.commitment)
        self._story |= {_hash(line) for line in view.story}
        self._saw(view.position, view.ending)

    def saw_update(self, update: protocol.Update) -> None:
        """Something has happened."""
        self._entries[update.number] = _hash([update.kind, update.seat, update.body])
        self._told[update.number] = _hash([event.text for event in update.events])
        self._saw(update.position, update.ending)

    def saw_entries(self, lines: Iterable[protocol.LogLine]) -> None:
        """The log was read, or a part of it."""
        for line in lines:
            self._entries[line.number] = _hash([line.kind, line.seat, line.body])

    def acted(self, ack: protocol.Ack, actions: list[int]) -> None:
        """The server has acknowledged these actions of this seat."""
        self._acts[ack.number] = _hash([ack.ply - len(actions), actions])

    def _saw(self, position: protocol.Position | None, ending: protocol.Ending | None) -> None:
        if position is not None and position.state is not None:
            self._last = (position.ply, _hash_state(position.state))
            self._positions.add(self._last)
        if ending is not None:
            self._ending = _hash([ending.reason, ending.winners])
            if ending.reason == "upgrade":  # the server cannot show the position any more in which that left the match
                self._last = None

    # What is made of it.

    def doubts(self, text: str, log: Sequence[protocol.LogLine]) -> list[str]:
        """Why the match is not proved, given the server's replay and its whole log (no reason: it is)."""
        if not self.ticket.commitment or not self.ticket.nonce:
            return ["this seat was taken by another program, and only that one knows what was promised before"]
        found: list[str] = []
        try:
            content = replay.loads(text, REPLAY)
            seating = Seating(log, content.seats)
            found += self._doubt_dice(content, seating)
            found += self._doubt_match(content, log, seating.after[self.ticket.seat])
            found += replay.doubts(content, REPLAY)
        except (ParlourError, msgspec.ValidationError) as error:
            found.append(str(error))
        return found

    def _doubt_dice(self, content: Replay, seating: Seating) -> list[str]:
        dice, seat = content.dice, seating.after[self.ticket.seat]
        if dice is None:
            return ["dice: the replay has no proof of them"]
        found = []
        if self._commitments != {dice.commitment}:
            found.append("dice: before you sat down, the table had committed itself to another secret")
        if dice.nonces[seat : seat + 1] != [self.ticket.nonce]:
            found.append("dice: your nonce had no part in them")
        seals = [seal or nonce for seal, nonce in zip(dice.seals, dice.nonces, strict=False)]
        if [seals[after] for after in seating.after if after < len(seals)] != list(self.ticket.seals):
            found.append("dice: the nonces are not those that the seats had sealed before you revealed yours")
        return found + seating.doubts(dice)

    def _doubt_match(self, content: Replay, log: Sequence[protocol.LogLine], seat: int) -> list[str]:
        """Let the log happen once more, and compare it with what was seen, and with the replay."""
        match = replay.start(content, REPLAY)
        found = [] if self._table in (None, _hash_table(content)) else ["the replay is of another table"]
        positions, story = self._positions.copy(), self._story.copy()
        for line in log:
            match, events = _happen(match, line, content)
            told = [[event.tell(match.name) for event in known] for known in _as_told(match, events, seat)]
            found += self._doubt_entry(line, told, seat, is_secret=match.game.has_secrets)
            positions -= _as_shown(match, seat)
            story -= {_hash(text) for texts in told for text in texts}
        if [line.number for line in log] != list(range(1, len(log) + 1)) or self._entries.keys() - range(len(log) + 1):
            found.append("the log is not whole")
        if match.actions != content.actions:
            found.append("the actions of the replay are not those of the log")
        if positions:
            found.append(f"the position after ply {min(positions)[0]} was another when it was shown")
        if story:
            found.append("the story had lines that tell of nothing in the log")
        return found + self._doubt_ending(match, content, log)

    def _doubt_entry(self, line: protocol.LogLine, told: list[list[str]], seat: int, *, is_secret: bool) -> list[str]:
        """``told`` are the words in which it may have been told: all, and what this seat could know of them."""
        number = line.number
        bodies = [_hash([line.kind, line.seat, line.body])]
        if is_secret and line.kind == "act" and line.seat != seat:
            unknown = {**line.body, "actions": [UNKNOWN] * len(_actions(line))}
            bodies.append(_hash([line.kind, line.seat, unknown]))
        if self._entries.get(number, bodies[0]) not in bodies:
            return [f"entry {number} of the log was another when it was told"]
        mine = _hash([line.body.get("ply"), line.body.get("actions")])
        if number in self._acts and (line.kind, line.seat, self._acts[number]) != ("act", seat, mine):
            return [f"entry {number} of the log is not the action that you chose"]
        if self._told.get(number, _hash(told[0])) not in map(_hash, told):
            return [f"entry {number} of the log was told in other words: {' '.join(told[0]) or 'nothing happened'}"]
        return []

    def _doubt_ending(self, match: Match, content: Replay, log: Sequence[protocol.LogLine]) -> list[str]:
        found = []
        ended = content.ended or EarlyEnd("rules", match.winners)
        if self._ending not in (None, _hash([ended.reason, ended.winners])):
            found.append("the match ended in another way when it was told")
        if content.ended is not None and ended not in [_early_end(line, content.seats) for line in log]:
            found.append("the log does not say why the match ended early")
        if content.ended is None and not match.over:
            found.append("the match of the replay is not over")
        if self._ending and self._last not in (None, _position(match, match.state)):
            found.append("the final position was another when it was shown")
        return found


def _happen(match: Match, line: protocol.LogLine, content: Replay) -> tuple[Match, list[Event]]:
    """Let an entry of the log happen in the match; returns it as it is then, and the events."""
    if line.kind == "start":
        return match, match.opening
    if line.kind == "act":
        return match, [event for action in _actions(line) for event in _play(match, line.seat, action)]
    if line.kind == "undo":
        match.undo(int(line.body.get("plies", 1)))
    elif content.ended is not None and content.ended == _early_end(line, content.seats):
        settled = match.settled(content.ended.winners)
        return settled, settled.ending
    return match, []


def _play(match: Match, seat: int, action: int) -> list[Event]:
    """Play an action of the log.

    Where several choose at once, nobody is told what another has chosen at first and replaced: any stands for it.
    """
    if match.choosing is None:
        return match.play(action)
    return match.play(match.legal(seat)[0] if action == UNKNOWN and match.legal(seat) else action, seat)


def _early_end(line: protocol.LogLine, seats: int) -> EarlyEnd | None:
    """How a match ends early by this entry of its log; None if it goes on."""
    if line.kind == "resign" and seats == 2:
        return EarlyEnd("resigned", [1 - line.seat])
    if line.kind == "agree":
        return EarlyEnd("agreed", [])
    return EarlyEnd(str(line.body.get("reason")), []) if line.kind == "close" else None


def _actions(line: protocol.LogLine) -> list[int]:
    return msgspec.convert(line.body.get("actions"), list[int])


def _as_told(match: Match, events: list[Event], seat: int) -> list[list[Event]]:
    """What has happened, and what that seat could know of it before the end."""
    return [events, [event.seen_by(seat) for event in events]] if match.game.has_secrets else [events]


def _as_shown(match: Match, seat: int) -> set[tuple[int, bytes]]:
    """The position, and what that seat could know of it before the end."""
    shown = [match.state, hidden(match.game, match.state, seat)] if match.game.has_secrets else [match.state]
    if match.choosing is not None:
        seen = match.seen_by(seat)
        shown += [seen.shown, seen.position]
    return {_position(match, state) for state in shown}


def _position(match: Match, state: State) -> tuple[int, bytes]:
    return len(match.plies) - len(match.chosen), hashlib.sha256(state.pack()).digest()


def _hash(value: object) -> bytes:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).digest()


def _hash_table(content: Replay) -> bytes:
    return _hash([content.game, content.rules, content.options, content.seats])


def _hash_state(state: str) -> bytes:
    try:
        return hashlib.sha256(base64.b64decode(state, validate=True)).digest()
    except (binascii.Error, ValueError):
        return b""  # the same as no position that there is
