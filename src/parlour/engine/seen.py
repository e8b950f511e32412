"""What somebody sees of a match. All that ever leaves a match for somebody goes through here: ``match.seen_by(seat)``.

In a game without secrets everybody sees everything; only the choices differ: they are for the seat to move. In one with
secrets, the match that is seen here has been made of what the seat knows, and nothing else is in it.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from parlour.engine import explanation
from parlour.engine.bots import Decision, TimeLimit
from parlour.engine.chance import Chance, Drawn, NoChance
from parlour.engine.errors import BadSeats
from parlour.engine.explanation import Explanation
from parlour.engine.journal import Event
from parlour.engine.picture import Step, whole
from parlour.engine.state import UNKNOWN, State
from parlour.engine.win_chances import win_chances

if TYPE_CHECKING:
    from rich.text import Text

    from parlour.engine.match import Match

WATCHER = -1  # the seat of whoever only watches


class Choice:
    """One action that the seat may choose now. What is asked of it is worked out when it is asked."""

    __slots__ = ("_seen", "action")

    def __init__(self, seen: Seen, action: int) -> None:
        self._seen = seen
        self.action = action

    @property
    def text(self) -> str:
        """The action in the game's notation."""
        return self._seen.text(self.action)

    @property
    def label(self) -> str:
        """The action in words, where the notation alone would not tell; else nothing."""
        return self._seen.game.words.describe(self._seen.position, self.action)

    @property
    def picks(self) -> tuple[str, ...]:
        """The spots of the picture that name the action, in the order they are picked."""
        return self._seen.game.looks.picks(self._seen.position, self.action)

    @property
    def way(self) -> str:
        """What the action has in common with those of other spots."""
        return self._seen.game.looks.way(self._seen.position, self.action)

    @property
    def can_undo(self) -> bool:
        """Whether it can be taken back before others act."""
        return self._seen.can_undo(self.action)

    def __repr__(self) -> str:
        return f"<Choice {self.action}: {self.text}>"


class Seen:
    """A match as one seat sees it, at the moment it was asked for: what is played later does not change it.

    Nothing is copied or worked out before it is asked for.
    """

    def __init__(self, match: Match, seat: int | None) -> None:
        self.seat = WATCHER if seat is None else seat
        if not WATCHER <= self.seat < match.seats:
            raise BadSeats(f"there is no seat {seat!r}: the match has {match.seats}, counted from 0")
        self.game = match.game
        self.shown: State = match.state  # not to be changed: ``state`` is a copy
        self._match = match
        self._plies, self._played = match.plies, len(match.plies)
        self._ending, self._ended = match.ending, match.ended
        self._choosing = match.choosing

    @cached_property
    def state(self) -> State:
        """The position, as a copy: it is safe to try things on it."""
        return self.shown.copy()

    @cached_property
    def position(self) -> State:
        """The position in which this seat chooses; not to be changed.

        It is ``shown``; but where several choose at once, it is what this seat knows when the rules ask it, whoever has
        chosen by now.
        """
        if self._choosing is None or self.seat not in self.asked:
            return self.shown
        return self._choosing.position(self.seat, is_hidden=self._match.keeps_secrets)

    @property
    def ply(self) -> int:
        """How many actions were played."""
        return int(self.shown.ply)

    @property
    def over(self) -> bool:
        return bool(self.shown.over) or self._ended is not None

    @property
    def to_move(self) -> int:
        """The seat whose choice it is."""
        return int(self.shown.to_move)

    @property
    def asked(self) -> list[int]:
        """The seats that may choose now: the one to move; where several choose at once, all of these until all have."""
        if self.over:
            return []
        return [self.to_move] if self._choosing is None else list(self._choosing.asked)

    @property
    def chosen(self) -> list[int]:
        """Those of them that have chosen, and may choose again until all have."""
        return [] if self._choosing is None else sorted(self._choosing.sealed)

    @property
    def sealed(self) -> int | None:
        """What this seat has chosen while others have still to choose at the same time."""
        return None if self._choosing is None else self._choosing.sealed.get(self.seat)

    @property
    def scores(self) -> list[int]:
        return self.game.scores(self.shown)

    @property
    def winners(self) -> list[int]:
        """The seats that have won: none while the match goes on, several if they share the win."""
        return self.game.winners(self.shown) if self._ended is None else list(self._ended.winners)

    def name(self, seat: int) -> str:
        return self._match.name(seat)

    def is_out(self, seat: int) -> bool:
        """Whether the seat plays no more, while the others go on."""
        return bool(self.game.out(self.shown, seat))

    # What the seat can do.

    @cached_property
    def legal(self) -> list[int]:
        """The actions that this seat may choose now, ascending; none where it is not asked."""
        if self._choosing is not None:
            return self.game.legal_actions(self.position) if self.seat in self.asked else []
        if self.over or self.seat != self.to_move:
            return []
        return self._match.legal() if self._match.state is self.shown else self.game.legal_actions(self.shown)

    @property
    def played(self) -> list[int]:
        """The actions that led to the position in which this seat chooses, as far as it knows them."""
        actions = self.actions
        if self._choosing is None:
            return actions
        before = len(actions) - len(self.chosen)
        return actions[:before] + [UNKNOWN] * (int(self.position.ply) - before)

    @cached_property
    def choices(self) -> list[Choice]:
        """The same actions, each with all that a person has to know about it."""
        return [Choice(self, action) for action in self.legal]

    def text(self, action: int) -> str:
        """An action in the game's notation."""
        return self.game.words.write(self.position, action)

    def can_undo(self, action: int) -> bool:
        """Whether it can be taken back before others act: no dice have a part in it, and the turn does not pass.

        With secrets it cannot: it may show what nobody can forget.
        """
        if self.game.has_secrets:
            return False
        after = self.shown.copy()
        try:
            self.game.play(after, action, NoChance())
        except Drawn:  # the answer is no, whatever would come of it
            return False
        return not after.over and after.to_move == self.to_move

    def why_not(self, tried: Sequence[str]) -> Explanation:
        """Why this seat cannot do that now: the picks, or the typed words, of what was tried."""
        if self.over:
            return explanation.match_is_over()
        if self.seat not in self.asked:
            return explanation.not_your_turn(self.name(self.to_move))
        reason = self.game.words.why_not(self.position, tried) or (self.explain(tried[-1]) if tried else None)
        return reason or explanation.no_choice(tried, len(self.legal))

    def decision(self, chance: Chance, clock: TimeLimit | None = None) -> Decision:
        """What a bot in this seat is asked."""
        names = [self.name(seat) for seat in range(self._match.seats)]
        told = clock or TimeLimit(), self.played, names, lambda: self.story
        return Decision(self.game, self.position.copy(), self.legal, chance, *told)

    @cached_property
    def observation(self) -> list[int]:
        """What a learner in this seat sees: the game's features, one after the other."""
        if self.seat == WATCHER:
            raise BadSeats("whoever only watches has no seat to observe from")
        return self.game.observed(self.position, self.seat)

    @cached_property
    def chances(self) -> list[float] | None:
        """How likely each seat is to win, from 0 to 1, by the judge that comes with the game; None without one."""
        return win_chances(self.game, self.shown)

    # What it looks like.

    def board(self, *, ascii: bool = False) -> Text:
        """The position as rich ``Text``."""
        return self.game.looks.board(self.shown, ascii=ascii)

    @cached_property
    def backdrop(self) -> tuple[tuple[float, float], str]:
        """The size of the picture, and what in it never changes during a match, as SVG."""
        return self.game.looks.backdrop(self.shown)

    @cached_property
    def scene(self) -> str:
        """What in the picture changes from position to position, as SVG."""
        return "".join(self.scene_parts)

    @cached_property
    def scene_parts(self) -> tuple[str, ...]:
        """The same in parts, most of which stay as they are from one position to the next."""
        return self.game.looks.scene_parts(self.shown)

    @property
    def picture(self) -> str:
        """The position as a picture of its own: an SVG document."""
        size, ground = self.backdrop
        return whole(size, self.game.said(self.game.title), ground, self.scene)

    def explain(self, name: str) -> Explanation | None:
        """What the spot or thing of that name in the picture is and does."""
        return self.game.looks.explain(self.shown, name)

    def known(self, event: Event) -> Event:
        """An event of the match, as far as this seat may know it."""
        return event.seen_by(self.seat) if self._match.keeps_secrets else event

    def motion(self, event: Event) -> list[Step]:
        """What moves in the picture when the event happens."""
        return self.game.looks.motion(event)

    # What has happened.

    @property
    def actions(self) -> list[int]:
        """All actions so far."""
        return [ply.action for ply in self._plies[: self._played]]

    @property
    def journal(self) -> list[Event]:
        """All that has happened, as events."""
        played = [event for ply in self._plies[: self._played] for event in ply.events]
        return self._match.opening + played + self._ending

    @property
    def story(self) -> list[str]:
        """All that has happened, in words."""
        return [event.tell(self.name) for event in self.journal]

    @property
    def news(self) -> list[Event]:
        """What came of the last action; before the first one, what the opening was."""
        return self._plies[self._played - 1].events if self._played else self._match.opening

    def last_events(self, count: int) -> list[Event]:
        """The last events of the journal, so many at most, without a walk through all of it."""
        found = self._ending[:]
        for number in range(self._played - 1, -1, -1):
            found[:0] = self._plies[number].events
            if len(found) >= count:
                break
        else:
            found[:0] = self._match.opening
        return found[-count:] if count else []

    def __repr__(self) -> str:
        return f"<Seen by {'a watcher' if self.seat == WATCHER else f'seat {self.seat}'}: {self._match!r}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, as an image of its own, so that two on a page do not mix."""
        drawn = base64.b64encode(self.picture.encode()).decode()
        words = html.escape(repr(self._match))
        return f'<div>{words}</div><img alt="{words}" width="480" src="data:image/svg+xml;base64,{drawn}">'

    def _repr_svg_(self) -> str:
        """The picture, for whatever takes SVG."""
        return self.picture
