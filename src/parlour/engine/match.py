"""A match: one game being played, from its opening to its end."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, SupportsIndex

from parlour.engine.chance import Chance
from parlour.engine.choosing import Choosing
from parlour.engine.errors import BadNotation, BadSeats, BadSeed, IllegalAction, NothingToUndo
from parlour.engine.game import Game
from parlour.engine.journal import Event
from parlour.engine.secrets import hidden
from parlour.engine.seen import WATCHER, Seen
from parlour.engine.sources import rules_hash
from parlour.engine.state import UNKNOWN, State
from parlour.engine.whole_numbers import whole_number

if TYPE_CHECKING:
    from rich.text import Text

    from parlour.engine.fair import DiceProof
    from parlour.engine.replay import EarlyEnd

MAX_SEED = 2**128 - 1
STEPS = 16  # plies from one position that is kept to the next: to play so many again takes a millisecond or two


@dataclass
class Ply:
    """One action that was played, and what came of it."""

    seat: int
    action: int
    text: str
    by_chance: bool  # whether dice or draws had a part in it
    events: list[Event] = field(default_factory=list)
    sealed: int = 0  # where others had still to choose at the same time: how many had, with this seat
    known: dict[int, Ply] | None = field(default=None, compare=False, repr=False)  # by seat, what it knows of this


class Match:
    """A game, its seats, its seed, and the actions so far. The same of all four gives the same match again.

    With a ``stream``, it is the match of that number in a batch of that seed.
    """

    def __init__(
        self,
        game: Game,
        seats: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        *,
        names: Sequence[str] | None = None,
        stream: int | None = None,
        **options: object,
    ) -> None:
        self.game = game
        self.options = game.resolve_options(options)
        self.seats = game.resolve_seats(seats, self.options)
        self.seed = secrets.randbits(63) if seed is None else check_seed(seed)
        self.names = list(names) if names is not None else [game.seat_name(seat) for seat in range(self.seats)]
        self.stream = None if stream is None else check_stream(stream)
        self.plies: list[Ply] = []
        self.ending: list[Event] = []  # what was told where the match ended early
        self.rules_hash: str | None = None  # of the rules by which it began; None: those that are here
        self.drawn = 0  # of the first plies, so many were drawn by lot: see ``parlour.engine.opening``
        self.skipped = 0  # plies of which only the action is known, since the match was taken up after them
        self.is_revealed = (
            False  # whether nothing in it is a secret any more: it is an earlier position of a match over
        )
        # What the replay said from which it was loaded. Once it goes on, it is another match, and has neither.
        self.ended: EarlyEnd | None = None
        self.dice: DiceProof | None = None
        self._begin()

    def _begin(self) -> None:
        self.state = self.game.blank(self.seats, **self.options)
        self.opening: list[Event] = []
        self._lanes = [] if self.stream is None else [Chance.of_game(self.seed, self.stream).lanes]
        chance = self._chance(0)
        self.game.open(self.state, chance, self.opening)
        self._keep(0, chance)
        self._stand()
        # Positions to play on from when something is taken back: since dice fell last, as a table undoes no further.
        self._kept: tuple[State, ...] = (self.state,)

    def _stand(self) -> None:
        """A position that is new has other choices."""
        self._legal: list[int] | None = None
        self.choosing = None if self.game.may_act is None else Choosing.at(self.game, self.state)

    def _chance(self, ply: int) -> Chance:
        """The chance of one ply; 0 is the opening. In a stream, each ply goes on where the one before it ended."""
        return Chance.at(self.seed, ply) if self.stream is None else Chance(self._lanes[ply])

    def _keep(self, ply: int, chance: Chance) -> None:
        if self.stream is not None:
            self._lanes[ply + 1 :] = [chance.lanes]

    def twin(self) -> Match:
        """The same match once more: what is played on it leaves this one as it is."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.plies, twin._lanes = self.plies[:], self._lanes[:]
        return twin

    @property
    def over(self) -> bool:
        """Whether it is over: by the rules, or early."""
        return bool(self.state.over) or self.ended is not None

    @property
    def is_retold(self) -> bool:
        """Whether it began by other rules than are here now, which call themselves by the same version."""
        return bool(self.rules_hash) and self.rules_hash != rules_hash(self.game)

    @property
    def to_move(self) -> int:
        """The seat whose choice it is."""
        return int(self.state.to_move)

    @property
    def asked(self) -> list[int]:
        """The seats that may choose now: the one to move; where several choose at once, all of these until all have."""
        if self.over:
            return []
        return [self.to_move] if self.choosing is None else list(self.choosing.asked)

    @property
    def chosen(self) -> list[int]:
        """Those of them that have chosen, and may choose again until all have."""
        return [] if self.choosing is None else sorted(self.choosing.sealed)

    @property
    def scores(self) -> list[int]:
        return self.game.scores(self.state)

    @property
    def winners(self) -> list[int]:
        """The seats that have won: none while the match goes on, several if they share the win."""
        return self.game.winners(self.state) if self.ended is None else list(self.ended.winners)

    @property
    def actions(self) -> list[int]:
        """All actions so far."""
        return [ply.action for ply in self.plies]

    @property
    def journal(self) -> list[Event]:
        """All that has happened, as events."""
        return self.opening + [event for ply in self.plies for event in ply.events] + self.ending

    @property
    def story(self) -> list[str]:
        """All that has happened, in words."""
        return [event.tell(self.name) for event in self.journal]

    def seen_by(self, seat: int | None) -> Seen:
        """The match as that seat sees it now; None is somebody who only watches."""
        if self.game.hide is not None and self.keeps_secrets:
            return Seen(KnownMatch(self, seat), seat)
        return Seen(self, seat)

    @property
    def keeps_secrets(self) -> bool:
        """Whether somebody may not know all of it: until it is over, in a game with secrets."""
        return self.game.has_secrets and not (self.over or self.is_revealed)

    def _known(self, seat: int) -> State:
        """The position in which that seat chooses, as it knows it; not to be changed."""
        if self.choosing is not None and seat in self.choosing.asked:
            return self.choosing.position(seat, is_hidden=self.keeps_secrets)
        return hidden(self.game, self.state, seat) if self.keeps_secrets else self.state

    def name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else self.game.seat_name(seat)

    def legal(self, seat: int | None = None) -> list[int]:
        """The legal actions of the seat to move, or of another that is asked, ascending; none where it is not."""
        if self.ended is not None:
            return []
        if self.choosing is not None:
            mover = self.to_move if seat is None else seat
            return self.game.legal_actions(self._known(mover)) if mover in self.choosing.asked else []
        if seat is not None and seat != self.state.to_move:
            return []
        if self._legal is None:
            self._legal = self.game.legal_actions(self.state)
        return list(self._legal)

    def text(self, action: int, seat: int | None = None) -> str:
        """A legal action in the game's notation."""
        return self.game.words.write(self._known(self.to_move if seat is None else seat), action)

    def read(self, text: str, seat: int | None = None) -> int:
        """The legal action that the text names."""
        if self.over:
            raise BadNotation(f"{text!r} cannot be played: the match is over")
        return self.game.words.read(self._known(self.to_move if seat is None else seat), text)

    def play(self, action: SupportsIndex | str, seat: int | None = None) -> list[Event]:
        """Play one action, given as a number or in notation; returns what happened.

        Where several seats choose at once, ``seat`` says whose it is: the choice is sealed, it replaces an earlier one
        of that seat, and nothing happens before all have chosen.
        """
        who = self.to_move if seat is None else self._check_asked(action, seat)
        return self.repeat(self._checked(self.read(action, who) if isinstance(action, str) else action, who), who)

    def repeat(self, action: int, seat: int | None = None) -> list[Event]:
        """Play an action that is known to be legal, since it was played before: nothing is checked."""
        self.dice = None
        if self.choosing is not None:
            return self._seal(self.choosing.having(self.to_move if seat is None else seat, action))
        number = self.state.ply + 1
        chance = self._chance(number)
        ply = Ply(self.to_move, action, self.text(action), by_chance=False)
        after = self.state.copy()
        self.game.play(after, action, chance, ply.events)
        self._keep(number, chance)
        ply.by_chance = chance.draws > 0
        self.state = after
        if ply.by_chance:
            self._kept = (after,)
        elif after.ply % STEPS == 0:
            self._kept = (*self._kept, after)
        self.plies.append(ply)
        self._stand()
        return ply.events

    def _seal(self, choosing: Choosing) -> list[Event]:
        """Play the choices so far from where nobody had chosen. What came of them is told when all have."""
        before = self.plies[: len(self.plies) - len(self.chosen)]
        state, plies, events = choosing.start.copy(), list[Ply](), list[Event]()
        for seat, action in choosing.in_order(state):
            number = state.ply + 1
            chance, text = self._chance(number), self.game.words.write(choosing.position(seat), action)
            self.game.play(state, action, chance, events if choosing.is_complete else None)
            self._keep(number, chance)
            plies.append(Ply(seat, action, text, chance.draws > 0, sealed=len(plies) + 1))
        self.state, self.plies = state, before + plies
        if not choosing.is_complete:
            self.choosing = choosing
            return []
        plies[-1].sealed, plies[-1].events = 0, events
        if any(ply.by_chance for ply in plies):
            self._kept = (state,)
        elif state.ply // STEPS > choosing.start.ply // STEPS:
            self._kept = (*self._kept, state)
        self._stand()
        return events

    def settled(self, winners: Sequence[int]) -> Match:
        """The match as it stands when it ends here by resignation, or as all agree (then nobody wins)."""
        twin = self.twin()
        twin.is_revealed = True
        if self.game.settle is not None:
            twin.state, twin.ending = self.state.copy(), []
            self.game.settle(twin.state, winners, twin.ending)
        return twin

    def take_up(self, played: Sequence[tuple[int, int]], state: State, *, by_chance: bool) -> None:
        """Go on from the position to which these seats have brought it by these actions, which are not played again.

        So what was told of them is not known. ``by_chance`` says whether dice or draws had a part in them.
        """
        known = {seat_and_action: Ply(*seat_and_action, "", by_chance) for seat_and_action in set(played)}
        self.plies = [known[seat_and_action] for seat_and_action in played]
        self.skipped = len(played)
        self.stand_at(state)

    def whole(self) -> Match:
        """The match with all that was told in it, also where it was taken up in the middle."""
        if not self.skipped:
            return self
        again = Match(self.game, self.seats, self.seed, names=self.names, **self.options)
        for ply in self.plies:
            again.repeat(ply.action, ply.seat)
        again.drawn, again.is_revealed = self.drawn, self.is_revealed
        again.rules_hash = self.rules_hash
        return again

    def at(self, state: State) -> Match:
        """The same match as it stood in that position."""
        twin = self.twin()
        twin.is_revealed = self.is_revealed or self.over
        twin.stand_at(state)
        return twin

    def positions(self) -> Iterator[State]:
        """Every position so far, from the opening on. It is one state that is played on: copy what you keep."""
        again = self.twin()
        again._begin()
        yield again.state
        for number, ply in enumerate(self.plies, 1):
            again._play_again(number, ply)
            yield again.state

    def stand_at(self, state: State) -> None:
        """Go on from this position: where the plies so far have led."""
        self.state = state
        self._kept = (state,)
        self._stand()

    def _check_asked(self, action: object, seat: object) -> int:
        """The seat, if it may choose now."""
        number = whole_number(seat)
        if number is None or not 0 <= number < self.seats:
            raise BadSeats(f"there is no seat {seat!r}: the match has {self.seats}, counted from 0")
        if number not in self.asked and not self.over:
            whose = ", ".join(map(self.name, self.asked))
            raise IllegalAction(action, f"{self.name(number)} is not asked now: {whose}", self._known(number).copy())
        return number

    def _checked(self, given: object, seat: int) -> int:
        """The action, if that seat can play it now."""
        action = whole_number(given)
        if action is None:
            raise IllegalAction(given, "an action is a whole number or a text in notation", self._known(seat).copy())
        if self.over:
            raise IllegalAction(action, "the match is over", self._known(seat).copy())
        legal = self.legal(seat)
        if action not in legal:
            reason = f"it is not one of the {len(legal)} legal actions of {self.name(seat)} at ply {self.state.ply}"
            raise IllegalAction(action, f"{reason}{self._why_not(action, seat)}", self._known(seat).copy())
        return action

    def _why_not(self, action: int, seat: int) -> str:
        """What the game has to say about an action that cannot be played, if it can be written down here at all."""
        if not 0 <= action < self.game.action_space:
            return ""
        try:
            text = self.game.words.write(self._known(seat), action)
            reason = self.game.words.reason(self._known(seat), text)
        except Exception:  # a game need not know how to write what cannot be played
            return ""
        return f". {text}: {reason}" if reason else ""

    def may_undo(self, seat: int) -> bool:
        """Whether, at a table, the seat may take the last action back: its own choice, and no dice rolled since."""
        return self.undo_plies(seat) == 1

    def undo_plies(self, seat: int, bots: Collection[int] = (), choices: int = 1) -> int:
        """How many plies go if, at a table, the seat takes its last choices back: those, and what bots have answered.

        0 where it cannot: dice have been rolled since, or the seat of a person has chosen. In a game with secrets, it
        never can: nobody can forget what an action has shown.
        """
        if self.game.has_secrets:
            return 0
        for back, ply in enumerate(reversed(self.plies), 1):
            if ply.by_chance or (ply.seat != seat and ply.seat not in bots):
                return 0
            choices -= ply.seat == seat
            if not choices:
                return back
        return 0

    def undo(self, plies: int = 1) -> None:
        """Take the last actions back, whatever they were: what stays is played again, from a position that was kept."""
        if not 0 < plies <= len(self.plies):
            raise NothingToUndo("there is no action to take back: the match has just begun")
        self.ended, self.dice, self.ending = None, None, []
        kept = self.plies[:-plies]
        self.drawn = min(self.drawn, len(kept))
        known = len(kept) - (kept[-1].sealed if kept else 0)
        kept, sealed = kept[:known], kept[known:]
        self._kept = tuple(state for state in self._kept if state.ply <= len(kept))
        if self._kept:
            self.state = self._kept[-1].copy()
        else:
            self._begin()
        for number, ply in enumerate(kept[self.state.ply :], self.state.ply + 1):
            self._play_again(number, ply)
        self.plies = kept
        self._stand()
        for ply in sealed:
            self.repeat(ply.action, ply.seat)

    def _play_again(self, number: int, ply: Ply) -> None:
        """Play what was played before, with the dice of its ply, and tell of it no more."""
        chance = self._chance(number)
        self.state.to_move = ply.seat
        self.game.play(self.state, ply.action, chance)
        self._keep(number, chance)

    def board(self, *, ascii: bool = False) -> Text:
        """The position as whoever watches sees it, as rich ``Text``."""
        return self.seen_by(None).board(ascii=ascii)

    def __str__(self) -> str:
        return str(self.board().plain)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        seed = "" if self.keeps_secrets else f", seed={self.seed}"  # whoever has the seed knows it all
        return f"<Match {self.game.name}, seats={self.seats}{seed}{options}, ply {self.state.ply}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture."""
        return self.seen_by(None)._repr_html_()

    def _repr_svg_(self) -> str:
        """The picture, for whatever takes SVG."""
        return self.seen_by(None).picture


class KnownMatch(Match):
    """What one seat knows of a match that keeps secrets: nothing else is in it, and nobody can play on it."""

    def __init__(self, match: Match, seat: int | None) -> None:
        knows = WATCHER if seat is None else seat
        self.game, self.options, self.seats = match.game, match.options, match.seats
        self.names, self.stream, self.seed = match.names, None, 0
        self.state = hidden(match.game, match.state, knows)
        self.plies = [_known_ply(ply, knows) for ply in match.plies]
        self.opening = [event.seen_by(knows) for event in match.opening]
        self.ending: list[Event] = []
        self.drawn, self.skipped, self.is_revealed = match.drawn, match.skipped, False
        self.ended = self.dice = self._legal = None
        self._kept, self._lanes = (), []
        self.choosing = None if match.choosing is None else match.choosing.known_to(knows)
        if self.choosing is not None and knows in self.choosing.asked and knows not in self.choosing.sealed:
            self.state.to_move = knows  # to each of them, it is their turn

    def _chance(self, ply: int) -> Chance:
        raise IllegalAction(
            UNKNOWN, "this is what a seat knows of a match, and only the match itself goes on", self.state
        )


def _known_ply(ply: Ply, seat: int) -> Ply:
    """What the seat knows of a ply: of another seat's, what was told. It is worked out once."""
    if ply.known is None:
        ply.known = {}
    if (known := ply.known.get(seat)) is None:
        events = [event.seen_by(seat) for event in ply.events]
        told = (ply.action, ply.text) if ply.seat == seat else (UNKNOWN, "")
        known = ply.known[seat] = Ply(ply.seat, *told, ply.by_chance, events, ply.sealed)
    return known


def check_seed(seed: object) -> int:
    """The seed, if it is one."""
    number = whole_number(seed)
    if number is None or not 0 <= number <= MAX_SEED:
        raise BadSeed(f"a seed is a whole number from 0 to 2**128 - 1, not {seed!r}")
    return number


def check_stream(stream: object) -> int:
    """The number of a match in a batch, if it is one."""
    number = whole_number(stream)
    if number is None or not 0 <= number < 2**63:
        raise BadSeed(f"the stream of a match is a whole number from 0 to 2**63 - 1, not {stream!r}")
    return number


def new(
    game: str | Game, seats: SupportsIndex | None = None, seed: SupportsIndex | None = None, **options: Any
) -> Match:
    """A new match: ``parlour.new("goose", seats=4, seed=7, maze=30)``."""
    from parlour.engine import registry

    return Match(registry.get(game) if isinstance(game, str) else game, seats, seed, **options)
