"""Many matches side by side: one array of states, stepped together."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from parlour.engine import registry
from parlour.engine.chance import seed_words
from parlour.engine.compiled.arrays import (
    a_whole_number,
    as_lines,
    buffer,
    row_number,
    row_numbers,
    thread_count,
    whole_numbers,
)
from parlour.engine.compiled.batch_drivers import CHECK, LARGEST_MASK, LEAVE, LIST, MASK, RESET, batch_drivers, no_mask
from parlour.engine.compiled.course import Course, Results, payoffs
from parlour.engine.compiled.drivers import new_scratch
from parlour.engine.compiled.recorded import Recorded
from parlour.engine.errors import IllegalAction, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import check_seed
from parlour.engine.state import State

NO_NUMBERS = np.zeros(0, np.int64)


class Batch(Recorded):
    """``count`` matches of a game. ``states`` is a structured array: ``batch.states["to_move"]`` and so on.

    Row i plays with chance of its own, the same as game i of ``parlour simulate`` with the same seed; its next match
    is game i + count. With ``auto_reset``, a row whose match has ended begins its next match in the same step. With
    ``record``, the actions of every row's match are kept, so that it can be had as a ``Match`` or as a replay file.

    Whatever returns an array takes a buffer for it as ``out``; without one the array is new.

    With ``device="cuda"`` it is a batch on a GPU, with the same verbs: see ``parlour.engine.cuda.batch``.
    """

    def __new__(cls, *given: Any, device: str = "cpu", **named: Any) -> Any:
        if device not in ("cpu", "cuda"):
            raise ParlourError(f"the device is cpu or cuda, not {device!r}")
        if device == "cpu":
            return object.__new__(cls)
        from parlour.engine.cuda.device import check_device

        check_device()
        from parlour.engine.cuda.batch import Batch as CudaBatch

        return CudaBatch(*given, **named)

    def __init__(
        self,
        game: Game | str,
        count: int,
        seats: int | None = None,
        seed: int = 0,
        *,
        auto_reset: bool = False,
        record: bool = False,
        threads: int = 1,
        device: str = "cpu",
        **options: object,
    ) -> None:
        self.game = registry.get(game) if isinstance(game, str) else game
        self.options = self.game.settle_options(options)
        self.seats = self.game.settle_seats(seats, self.options)
        self.seed = check_seed(seed)
        self.auto_reset, self.record = auto_reset, record
        rows = a_whole_number(count, "the number of rows")
        if rows < 0:
            raise ValueError(f"a batch has 0 rows or more, not {rows}")
        self.states = self.game.layout.rows(rows)
        self._opening = self.game.layout.rows(1)
        self.game.layout.write(self.game.blank(self.seats, **self.options), self._opening, 0)
        self._course = Course.of(rows, record=record)
        self._results = Results.of(rows, self.seats)
        self._without_dice = np.zeros(rows, np.bool_)  # rows whose actions were copied, but not the chance they met
        self._prepare(threads)
        self.reset()

    def _prepare(self, threads: int) -> None:
        """All that is not worth sending to another process."""
        self.threads = thread_count(threads)
        self._drivers = batch_drivers(self.game)
        self._no_mask = no_mask(self.game)
        self._words = np.array(seed_words(self.seed), np.int64)
        self._payoffs = payoffs(self.seats).astype(np.float32)
        self._scratch = [new_scratch(self.game) for _ in range(self.threads)]
        self._found: list[Any] = [np.zeros(0, np.int32)] * self.threads
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} {self.game.name}, seats={self.seats}, seed={self.seed}>"

    def __getstate__(self) -> dict[str, Any]:
        made_again = ("_drivers", "_no_mask", "_words", "_payoffs", "_scratch", "_found", "_pool")
        return {name: value for name, value in self.__dict__.items() if name not in made_again}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._prepare(self.threads)

    def __copy__(self) -> Batch:
        return self[:]

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self[:]

    def _each_stretch(self, work: Callable[[int, int, int], int]) -> list[int]:
        """Let every thread work on its stretch of the rows: ``work(first, last, thread)``."""
        if self._pool is None:
            return [work(0, len(self), 0)]
        ends = [len(self) * thread // self.threads for thread in range(self.threads + 1)]
        return list(self._pool.map(work, ends[:-1], ends[1:], range(self.threads)))

    # What can be done.

    def legal_mask(self, out: Any = None) -> Any:
        """One line per row, with True for every legal action; nothing is legal where a match is over."""
        if self.game.action_space > LARGEST_MASK:
            raise ParlourError(
                f"{self.game.name} has {self.game.action_space} actions, too many for a mask: use legal_list()"
            )
        mask = buffer(out, (len(self), self.game.action_space), np.bool_, "legal_mask")
        lines = as_lines(mask)
        self._each_stretch(lambda first, last, thread: self._legal(MASK, first, last, thread, mask=lines))
        return mask

    def legal_list(self, out: tuple[Any, Any] | None = None) -> tuple[Any, Any]:
        """All legal actions, one row after the other, and where each row begins among them: ``offsets, actions``.

        Row i has ``actions[offsets[i]:offsets[i + 1]]``, ascending. As a buffer it takes such a pair; there may be room
        for more actions than there are.
        """
        offsets = buffer(out[0] if out else None, (len(self) + 1,), np.int64, "offsets")
        offsets[0] = 0
        counts = offsets[1:]
        found = self._each_stretch(lambda first, last, thread: self._list_stretch(first, last, thread, counts))
        np.cumsum(counts, out=counts)
        total = int(offsets[-1])
        if out and isinstance(out[1], np.ndarray) and out[1].ndim == 1 and len(out[1]) > total:
            actions = buffer(out[1][:total], (total,), np.int32, "actions")
        else:
            actions = buffer(out[1] if out else None, (total,), np.int32, "actions")
        np.concatenate([part[:used] for part, used in zip(self._found, found, strict=True)], out=actions)
        return offsets, actions

    def _list_stretch(self, first: int, last: int, thread: int, counts: Any) -> int:
        """Fill the thread's own list, which grows as needed; how many actions there are."""
        stopped = self._legal(LIST, first, last, thread, counts=counts)
        while stopped < last:
            room = 2 * len(self._found[thread]) + self.game.max_actions
            self._found[thread] = np.zeros(room, np.int32)
            stopped = self._legal(LIST, first, last, thread, counts=counts)
        return int(counts[first:last].sum())

    def _legal(
        self,
        mode: int,
        first: int,
        last: int,
        thread: int,
        *,
        mask: Any = None,
        counts: Any = NO_NUMBERS,
        chosen: Any = NO_NUMBERS,
    ) -> int:
        lines, room = self._no_mask if mask is None else mask, self._scratch[thread]
        return int(
            self._drivers.legal_rows(self.states, first, last, mode, lines, counts, self._found[thread], chosen, room)
        )

    def legal(self, row: int) -> list[int]:
        """The legal actions of one row."""
        at = row_number(row, len(self))
        only, counts, found = self.states[at : at + 1], np.zeros(1, np.int64), np.zeros(self.game.max_actions, np.int32)
        self._drivers.legal_rows(only, 0, 1, LIST, self._no_mask, counts, found, counts, self._scratch[0])
        return [int(action) for action in found[: counts[0]]]

    def step(self, actions: Any, *, check: bool = True) -> None:
        """Play one action in every row that is not over. Where one is illegal, none is played.

        On the CPU illegal actions are always looked for, as that costs little; ``check`` is for batches on a GPU.
        """
        chosen = whole_numbers(actions, "actions")
        if chosen.shape != self.states.shape:
            raise ValueError(f"a step of {len(self)} rows takes {len(self)} actions, not {chosen.shape}")
        stopped = self._each_stretch(lambda first, last, thread: self._check(first, last, thread, chosen))
        for illegal in (row for row in stopped if row >= 0):
            reason = f"it is not one of the legal actions of row {illegal}"
            raise IllegalAction(int(chosen[illegal]), reason, self.state(illegal))
        self._results.clear()
        self._play(chosen)

    def _check(self, first: int, last: int, thread: int, chosen: Any) -> int:
        """The first illegal action's row, or -1."""
        row = self._legal(CHECK, first, last, thread, chosen=chosen)
        return row if row < last else -1

    def _play(self, chosen: Any) -> None:
        """``chosen`` has a legal action for each row, or LEAVE, or RESET."""
        if self.record:
            self._make_room()

        def play(first: int, last: int, thread: int) -> int:
            self._drivers.play_rows(
                self.states,
                first,
                last,
                chosen,
                self._course,
                self._results,
                self._opening,
                self._words,
                self._payoffs,
                self.auto_reset,
            )
            return 0

        self._each_stretch(play)

    def _make_room(self) -> None:
        """Every row's history has a place for its next action."""
        longest = int(self.states["ply"].max(initial=0)) + 1
        history = self._course.history
        if longest > history.shape[1]:
            more = np.zeros((len(self), 2 * longest), np.int32)
            more[:, : history.shape[1]] = history
            self._course = self._course._replace(history=more)

    def reset(self, rows: Any = None, *, seed: int | None = None) -> None:
        """Begin a new match in these rows, or in all; with a seed, all begin as a batch of that seed does."""
        if seed is not None:
            if rows is not None:
                raise ValueError("a seed is for all rows together")
            self.seed = check_seed(seed)
            self._words = np.array(seed_words(self.seed), np.int64)
            self._course.upcoming[:] = np.arange(len(self))
            self._course.stride[0] = len(self)
        chosen = np.full(len(self), LEAVE, np.int64)
        which = slice(None) if rows is None else row_numbers(rows, len(self))
        chosen[which] = RESET
        self._without_dice[which] = False
        self._play(chosen)

    # How it stands.

    def observe(self, seat: Any = None, out: Any = None) -> Any:
        """What a learner sees, one line of features per row: from the seat to move, or from that seat.

        ``seat`` is one for all rows, or one for each.
        """
        features = buffer(out, (len(self), self.game.observation_size), self.game.observation_type, "observe")
        seats = NO_NUMBERS if seat is None else self._seats_given(seat)
        if not self.seats:
            raise ParlourError("nobody observes: there are no seats")

        lines = as_lines(features)

        def see(first: int, last: int, thread: int) -> int:
            self._drivers.observe_rows(self.states, first, last, seats, lines)
            return 0

        self._each_stretch(see)
        return features

    def _seats_given(self, seat: Any) -> Any:
        seats = whole_numbers(seat, "seats")
        if seats.shape not in ((), (len(self),)):
            raise ValueError(f"seats are one for all rows or one for each of {len(self)}, not {seats.shape}")
        if seats.size and not (seats.min() >= 0 and seats.max() < self.seats):
            raise IndexError(f"seats are from 0 to {self.seats - 1}")
        return np.ascontiguousarray(np.broadcast_to(seats, (len(self),)))

    def to_move(self, out: Any = None) -> Any:
        """The seat whose choice it is, of each row."""
        return self._copied(self.states["to_move"], out, "to_move")

    def over(self, out: Any = None) -> Any:
        """Whether the row's match has ended; with ``auto_reset``, whether it ended in the last step."""
        if self.auto_reset:
            return self._copied(self._results.ended, out, "over")
        return self._copied(self.states["over"] != 0, out, "over")

    def cut(self, out: Any = None) -> Any:
        """Whether the row's match reached the game's limit of plies in the last step without an end."""
        return self._copied(self._results.cut, out, "cut")

    def rewards(self, out: Any = None) -> Any:
        """What the last step was worth to each seat: 0 unless the match ended in it.

        Then it is what the seat has won over an even share: 1 for a sole winner, and all together nothing.
        """
        return self._copied(self._results.rewards, out, "rewards")

    def scores(self, out: Any = None) -> Any:
        """The score of every seat; with ``auto_reset``, of the ended match where one ended in the last step."""
        scores = buffer(out, (len(self), self.seats), np.int64, "scores")
        self._tell_results(scores, np.empty((len(self), self.seats), np.bool_))
        return scores

    def winners(self, out: Any = None) -> Any:
        """Whether each seat has won; nobody has while a match goes on. With ``auto_reset``, as for scores."""
        wins = buffer(out, (len(self), self.seats), np.bool_, "winners")
        self._tell_results(np.empty((len(self), self.seats), np.int64), wins)
        return wins

    def _tell_results(self, scores: Any, wins: Any) -> None:
        self._drivers.results_rows(self.states, 0, len(self), scores, wins)
        if self.auto_reset:
            ended = self._results.ended
            scores[ended], wins[ended] = self._results.scores[ended], self._results.wins[ended]

    def _copied(self, array: Any, out: Any, what: str) -> Any:
        target = buffer(out, array.shape, array.dtype, what)
        target[...] = array
        return target

    # Rows.

    def __getitem__(self, rows: Any) -> Batch:
        """A batch of these rows alone, as copies: they go on just as they would here."""
        which = row_numbers(rows, len(self))
        chosen = object.__new__(type(self))
        chosen.__dict__.update(self.__getstate__())
        # As plain bytes: of a structured array NumPy copies the fields alone, and leaves what it finds between them.
        chosen.states = self.states.view(f"V{self.states.itemsize}")[which].view(self.states.dtype)
        chosen._opening = self._opening.copy()
        chosen._course, chosen._results = self._course.taken(which), self._results.taken(which)
        chosen._without_dice = self._without_dice[which]
        chosen._prepare(self.threads)
        return chosen

    def copy_row(self, row: int, to: Any, *, with_chance: bool = True) -> None:
        """Make other rows like this one. Without its chance they go on differently, each with its own."""
        source, which = row_number(row, len(self)), row_numbers(to, len(self))
        self.states[which] = self.states[source]
        for kept in self._results:
            kept[which] = kept[source]
        course = self._course
        course.history[which] = course.history[source]
        self._without_dice[which] = self._without_dice[source]
        if with_chance:
            course.lanes[which], course.number[which] = course.lanes[source], course.number[source]
        else:
            self._without_dice[which[which != source]] = True

    def state(self, row: int) -> State:
        """One row as a state that can be printed, drawn and given to bots."""
        return self.game.layout.read(self.states, row_number(row, len(self)))

    def _story(self, row: int) -> tuple[int, list[int]]:
        played = self._course.history[row, : int(self.states["ply"][row])]
        return int(self._course.number[row]), [int(action) for action in played]
