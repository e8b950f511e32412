"""Many matches side by side on the device: the same verbs, rows and games as those of the batch on the CPU."""

from __future__ import annotations

from functools import cache
from typing import Any, NoReturn

import numpy as np
from numba import cuda

from parlour.engine import registry
from parlour.engine.chance import seed_words
from parlour.engine.compiled.arrays import a_whole_number, row_number, row_numbers, whole_numbers
from parlour.engine.compiled.batch_drivers import LARGEST_MASK
from parlour.engine.compiled.course import payoffs
from parlour.engine.cuda import batch_parts, storage
from parlour.engine.cuda.arrays import Array, is_on_device
from parlour.engine.cuda.batch_kernels import (
    LEAVE,
    RESET,
    add_up,
    clear_items,
    copy_items,
    is_staged,
    make_kernels,
    set_offsets,
)
from parlour.engine.cuda.batch_parts import THREADS
from parlour.engine.cuda.device import check_device, compiling, is_simulated, launch
from parlour.engine.errors import IllegalAction, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import check_seed
from parlour.engine.state import State

NO_RECORD = "a batch on a GPU keeps no actions: record, match and save are for batches on the CPU"
STRETCH = 256  # rows whose counts one thread adds up


@cache
def _kernels(game: Game, constants: tuple[tuple[str, int], ...]) -> Any:
    fixed = dict(constants)
    parts = batch_parts.simulated(game, fixed) if is_simulated() else batch_parts.compiled(game, fixed)
    return make_kernels(parts, game, fixed["seats"])


class Batch:
    """``count`` matches of a game on a GPU. All arrays stay there: PyTorch, CuPy and JAX share them without a copy.

    ``states`` has an array for each field: ``batch.states["to_move"]`` and so on. Row i plays the same games as row i
    of a batch on the CPU with the same seed. Actions may come from the device or from the host.
    """

    def __init__(
        self,
        game: Game | str,
        count: int,
        seats: int | None = None,
        seed: int = 0,
        *,
        auto_reset: bool = False,
        record: bool = False,
        **options: object,
    ) -> None:
        check_device()
        if record:
            raise ParlourError(NO_RECORD)
        self.game = registry.get(game) if isinstance(game, str) else game
        self.options = self.game.settle_options(options)
        self.seats = self.game.settle_seats(seats, self.options)
        self.auto_reset = auto_reset
        self._rows = a_whole_number(count, "the number of rows")
        if self._rows < 0:
            raise ValueError(f"a batch has 0 rows or more, not {self._rows}")
        self._constants = {"seats": self.seats, **self.options}
        self._kernels = _kernels(self.game, tuple(sorted(self._constants.items())))
        self._capacity = max(-(-self._rows // 16) * 16, 16)  # so that every column begins where its items may
        self._make_columns()
        rows, per_seat = (self._rows,), (self._rows, self.seats)
        self._lanes = cuda.device_array(4 * self._capacity, np.uint32)
        self._number = cuda.device_array(self._capacity, np.int64)
        self._over = Array(self.states["over"].flat.view(np.bool_), rows)
        self._ended, self._cut = Array.new(rows, np.bool_), Array.new(rows, np.bool_)
        self._rewards = Array.new(per_seat, np.float32)
        self._scores, self._wins = Array.new(per_seat, np.int64), Array.new(per_seat, np.bool_)
        self._payoffs = cuda.to_device(payoffs(self.seats).reshape(-1))
        self.reset(seed=seed)

    def _make_columns(self) -> None:
        """All states, field by field: those of all rows lie side by side."""
        slots = storage.slots(self.game, self._constants, THREADS, columns=True)
        opening = np.zeros(sum(slot.size for slot in slots) * self._capacity, np.uint8)
        for slot in slots:
            part = opening[slot.offset * self._capacity : (slot.offset + slot.size) * self._capacity]
            part.view(f"i{slot.bits // 8}")[:] = slot.value
        self._columns = cuda.to_device(opening)
        self.states = {slot.name: self._column(slot) for slot in slots}

    def _column(self, slot: storage.Slot) -> Array:
        size, start = slot.bits // 8, slot.offset * self._capacity
        items = self._columns[start : start + slot.size * self._capacity].view(f"i{size}")
        if self.game.layout.fields[slot.name].length is None:
            return Array(items, (self._rows,))
        return Array(items, (self._rows, slot.length), (size, size * self._capacity))

    def __len__(self) -> int:
        return self._rows

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} {self.game.name} on the GPU, seats={self.seats}, seed={self.seed}>"

    def _run(self, kernel: str, *arguments: Any) -> None:
        """Let a kernel work on all rows."""
        if self._rows:
            run = getattr(self._kernels, kernel)
            if not is_simulated() and not run.overloads:
                with compiling(self.game.name, kernel.replace("_", " ")):
                    return self._launch(run, *arguments)
            self._launch(run, *arguments)
        return None

    def _launch(self, run: Any, *arguments: Any) -> None:
        threads = min(THREADS, self._rows)
        launch(run, -(-self._rows // threads), threads, self._columns, self._capacity, self._rows, *arguments)

    # What can be done.

    def legal_mask(self, out: Any = None) -> Any:
        """One line per row, with True for every legal action; nothing is legal where a match is over."""
        if self.game.action_space > LARGEST_MASK:
            raise ParlourError(
                f"{self.game.name} has {self.game.action_space} actions, too many for a mask: use legal_list()"
            )
        mask = _buffer(out, (len(self), self.game.action_space), np.bool_, "legal_mask")
        self._fill_lines("mask_rows", mask)
        return mask if out is None else out

    def _fill_lines(self, kernel: str, lines: Array) -> None:
        if not is_staged(lines.shape[1], lines.dtype):
            self._clear(lines)
        self._run(kernel, lines.flat)

    def _clear(self, array: Array) -> None:
        if array.size:
            blocks, threads = (1, 1) if is_simulated() else (min(-(-array.size // THREADS), 4096), THREADS)
            launch(clear_items, blocks, threads, array.flat)

    def legal_list(self) -> tuple[Array, Array]:
        """All legal actions, one row after the other, and where each row begins among them: ``offsets, actions``."""
        counts, offsets = cuda.device_array(max(len(self), 1), np.int64), Array.new((len(self) + 1,), np.int64)
        if not len(self):
            offsets.flat.copy_to_device(np.zeros(1, np.int64))
            return offsets, Array.new((0,), np.int32)
        self._run("count_rows", counts)
        stretches = -(-len(self) // STRETCH)
        sums = cuda.device_array(stretches, np.int64)
        blocks = -(-stretches // THREADS), min(THREADS, stretches)
        launch(add_up, *blocks, counts, len(self), STRETCH, sums)
        ends = np.cumsum(sums.copy_to_host())
        before = cuda.to_device(np.concatenate([[0], ends[:-1]]))
        launch(set_offsets, *blocks, counts, len(self), STRETCH, before, offsets.flat)
        actions = Array.new((int(ends[-1]),), np.int32)
        self._run("list_rows", offsets.flat, actions.flat)
        return offsets, actions

    def legal(self, row: int) -> list[int]:
        """The legal actions of one row."""
        return self.game.legal_actions(self.state(row))

    def step(self, actions: Any, *, check: bool = True) -> None:
        """Play one action in every row that is not over. Where one is illegal, none is played.

        To look for illegal ones the host waits for the device. With ``check=False`` it does not, and an illegal action
        does whatever the rules make of it.
        """
        chosen = self._numbers(actions, "actions")
        if chosen.shape != (len(self),):
            raise ValueError(f"a step of {len(self)} rows takes {len(self)} actions, not {chosen.shape}")
        if check:
            self._check(chosen)
        self._play(chosen.flat)

    def _check(self, chosen: Array) -> None:
        illegal = cuda.to_device(np.array([len(self)], np.int64))
        self._run("check_rows", chosen.flat, illegal)
        row = int(illegal.copy_to_host()[0])
        if row < len(self):
            reason = f"it is none of the legal actions of row {row}"
            raise IllegalAction(int(chosen.numpy()[row]), reason, self.state(row))

    def _play(self, chosen: Any) -> None:
        """``chosen`` has a legal action for each row, or LEAVE, or RESET."""
        course = (self._lanes, self._number, self._upcoming, self._stride)
        results = [kept.flat for kept in (self._ended, self._cut, self._rewards, self._scores, self._wins)]
        self._run("play_rows", chosen, *course, *results, self._words, self._payoffs, self.auto_reset)

    def reset(self, rows: Any = None, *, seed: int | None = None) -> None:
        """Begin a new match in these rows, or in all; with a seed, all begin as a batch of that seed does."""
        if seed is not None:
            if rows is not None:
                raise ValueError("a seed is for all rows together")
            self.seed = check_seed(seed)
            self._words = cuda.to_device(np.array(seed_words(self.seed), np.int64))
            self._upcoming, self._stride = cuda.to_device(np.arange(self._capacity)), len(self)
        chosen = np.full(len(self), LEAVE, np.int64)
        given = rows if rows is None or isinstance(rows, slice) else np.asarray(rows)
        chosen[slice(None) if given is None else row_numbers(given, len(self))] = RESET
        self._play(cuda.to_device(chosen))

    # How it stands.

    def observe(self, seat: Any = None, out: Any = None) -> Any:
        """What a learner sees, one line of features per row: from the seat to move, or from that seat.

        ``seat`` is one for all rows, or one for each.
        """
        if not self.seats:
            raise ParlourError("nobody observes: there are no seats")
        shape = (len(self), self.game.observation_size)
        features = _buffer(out, shape, self.game.observation_type, "observe")
        if seat is None:
            self._fill_lines("observe_rows", features)
        else:
            seats = self._seats_given(seat)
            self._clear(features)
            self._run("observe_from", seats, features.flat)
        return features if out is None else out

    def _seats_given(self, seat: Any) -> Any:
        seats = self._numbers(seat, "seats")
        on_host = seats.numpy()
        if seats.shape not in ((), (1,), (len(self),)):
            raise ValueError(f"seats are one for all rows or one for each of {len(self)}, not {seats.shape}")
        if on_host.size and not (on_host.min() >= 0 and on_host.max() < self.seats):
            raise IndexError(f"seats are from 0 to {self.seats - 1}")
        return cuda.to_device(np.ascontiguousarray(np.broadcast_to(on_host.astype(np.int64), (len(self),))))

    def to_move(self, out: Any = None) -> Any:
        """The seat whose choice it is, of each row."""
        return self._copied(self.states["to_move"], out, "to_move")

    def over(self, out: Any = None) -> Any:
        """Whether the row's match has ended; with ``auto_reset``, whether it ended in the last step."""
        return self._copied(self._ended if self.auto_reset else self._over, out, "over")

    def cut(self, out: Any = None) -> Any:
        """Whether the row's match reached the game's limit of plies in the last step without an end."""
        return self._copied(self._cut, out, "cut")

    def rewards(self, out: Any = None) -> Any:
        """What the last step was worth to each seat: 0 unless the match ended in it.

        Then it is what the seat has won over an even share: 1 for a sole winner, and all together nothing.
        """
        return self._copied(self._rewards, out, "rewards")

    def _copied(self, array: Array, out: Any, what: str) -> Any:
        target = _buffer(out, array.shape, array.dtype, what)
        if target.size:
            target.flat.copy_to_device(array.flat[: target.size])
        return target if out is None else out

    def scores(self, out: Any = None) -> Any:
        """The score of every seat; with ``auto_reset``, of the ended match where one ended in the last step."""
        scores = _buffer(out, (len(self), self.seats), np.int64, "scores")
        self._tell_results(scores, Array.new((len(self), self.seats), np.bool_))
        return scores if out is None else out

    def winners(self, out: Any = None) -> Any:
        """Whether each seat has won; nobody has while a match goes on. With ``auto_reset``, as for scores."""
        wins = _buffer(out, (len(self), self.seats), np.bool_, "winners")
        self._tell_results(Array.new((len(self), self.seats), np.int64), wins)
        return wins if out is None else out

    def _tell_results(self, scores: Array, wins: Array) -> None:
        ended = self._ended.flat if self.auto_reset else cuda.to_device(np.zeros(0, np.bool_))
        self._run("results_rows", ended, self._scores.flat, self._wins.flat, scores.flat, wins.flat)

    # Rows.

    def __getitem__(self, rows: Any) -> Batch:
        """A batch of these rows alone, as copies: they go on just as they would here."""
        which = row_numbers(rows if isinstance(rows, slice) else np.asarray(rows), len(self))
        options: dict[str, Any] = {**self.options}
        chosen = Batch(self.game, len(which), self.seats, self.seed, auto_reset=self.auto_reset, **options)
        chosen._stride = self._stride
        self._copy(which, chosen, np.arange(len(which)), with_chance=True)
        return chosen

    def __copy__(self) -> Batch:
        return self[:]

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self[:]

    def copy_row(self, row: int, to: Any, *, with_chance: bool = True) -> None:
        """Make other rows like this one. Without its chance they go on differently, each with its own."""
        source = row_number(row, len(self))
        which = row_numbers(to if isinstance(to, slice) else np.asarray(to), len(self))
        which = which[which != source]
        self._copy(np.full(len(which), source), self, which, with_chance=with_chance)

    def _copy(self, sources: Any, other: Batch, targets: Any, *, with_chance: bool) -> None:
        """Rows of this batch to rows of another, which may be this one; to another, with what they play next."""
        if not len(targets):
            return
        from_rows, to_rows = cuda.to_device(sources.astype(np.int64)), cuda.to_device(targets.astype(np.int64))
        kept = zip(self._kept(), other._kept(), strict=True)
        for (source, strides, length, is_chance, is_next), (target, other_strides, *_) in kept:
            if (with_chance or not is_chance) and (other is not self or not is_next):
                ways = cuda.to_device(np.array(strides)), cuda.to_device(np.array(other_strides))
                given = (source, ways[0], from_rows, target, ways[1], to_rows, length)
                launch(copy_items, -(-len(targets) // THREADS), min(THREADS, len(targets)), *given)

    def _kept(self) -> list[tuple[Any, tuple[int, int], int, bool, bool]]:
        """All that there is of rows: the items, their strides, how many a row has; chance is what it goes on with."""
        found = [
            (column.flat, (self._capacity, 1), column.shape[1] if len(column.shape) > 1 else 1, False, False)
            for column in self.states.values()
        ]
        for array in (self._ended, self._cut, self._rewards, self._scores, self._wins):
            length = array.shape[1] if len(array.shape) > 1 else 1
            found.append((array.flat, (1, length), length, False, False))
        found.append((self._lanes, (self._capacity, 1), 4, True, False))
        found.append((self._number, (self._capacity, 1), 1, True, False))
        found.append((self._upcoming, (self._capacity, 1), 1, True, True))
        return found

    def state(self, row: int) -> State:
        """One row as a state that can be printed, drawn and given to bots."""
        at = row_number(row, len(self))
        state = self.game.layout.blank(**self._constants)
        for name, column in self.states.items():
            setattr(state, name, column.numpy()[at].tolist())
        return state

    def match(self, row: int) -> NoReturn:
        raise ParlourError(NO_RECORD)

    def save(self, row: int, path: object, *, overwrite: bool = False) -> NoReturn:
        raise ParlourError(NO_RECORD)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a batch on a GPU cannot be pickled: its memory is on the device")

    def _numbers(self, given: Any, what: str) -> Array:
        """Whole numbers on the device, wherever they come from."""
        if is_on_device(given):
            found = Array.of(given)
            if found.dtype.kind not in "iu":
                raise TypeError(f"{what} are whole numbers, not {found.dtype}")
            return found
        on_host = whole_numbers(given, what)
        return Array(cuda.to_device(on_host.reshape(-1)), on_host.shape)


def _buffer(given: Any, shape: tuple[int, ...], kind: Any, what: str) -> Array:
    """The caller's buffer, if it fits to the letter; a new one where there is none."""
    if given is None:
        return Array.new(shape, kind)
    if not is_on_device(given):
        raise TypeError(f"a buffer for {what} is an array on the device, not a {type(given).__name__}")
    found = Array.of(given)
    if found.dtype != np.dtype(kind):
        raise TypeError(f"a buffer for {what} has the type {np.dtype(kind)}, not {found.dtype}")
    if found.shape != shape:
        raise ValueError(f"a buffer for {what} has the shape {shape}, not {found.shape}")
    return found
