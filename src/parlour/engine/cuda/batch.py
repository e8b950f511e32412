"""Many matches side by side on the device: the same verbs, rows and games as those of the batch on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from parlour.engine import registry
from parlour.engine.chance import seed_words
from parlour.engine.compiled.arrays import a_whole_number, row_numbers, thread_count, whole_numbers
from parlour.engine.compiled.batch_drivers import LARGEST_MASK
from parlour.engine.cuda.arrays import Array, is_on_device
from parlour.engine.cuda.batch_kernels import LEAVE, RESET, add_up, clear_items, is_staged, set_offsets
from parlour.engine.cuda.batch_parts import THREADS
from parlour.engine.cuda.batch_rows import Rows, on_host
from parlour.engine.cuda.cache import is_warm
from parlour.engine.cuda.device import compiling, is_simulated, launch
from parlour.engine.errors import IllegalAction, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import check_seed

STRETCH = 256  # rows whose counts one thread adds up


class Batch(Rows):
    """``count`` matches of a game on a GPU. All arrays stay there: PyTorch, CuPy and JAX share them without a copy.

    ``states`` has an array for each field: ``batch.states["to_move"]`` and so on. Row i plays the same games as row i
    of a batch on the CPU with the same seed. Actions may come from the device or from the host. ``threads`` is for
    batches on the CPU: here every row has a thread of its own.
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
        threads: int = 1,
        **options: object,
    ) -> None:
        self.game = registry.get(game) if isinstance(game, str) else game
        self.options = self.game.settle_options(options)
        self.seats = self.game.settle_seats(seats, self.options)
        self.auto_reset, self.record, self.threads = auto_reset, record, thread_count(threads)
        self._rows = a_whole_number(count, "the number of rows")
        if self._rows < 0:
            raise ValueError(f"a batch has 0 rows or more, not {self._rows}")
        self._prepare()
        self.reset(seed=seed)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} {self.game.name} on the GPU, seats={self.seats}, seed={self.seed}>"

    def _run(self, kernel: str, *arguments: Any) -> None:
        """Let a kernel work on all rows."""
        if self._rows:
            run = getattr(self._kernels, kernel)
            if not is_simulated() and not is_warm(run):
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

    def legal_list(self, out: tuple[Any, Any] | None = None) -> tuple[Any, Any]:
        """All legal actions, one row after the other, and where each row begins among them: ``offsets, actions``.

        Row i has ``actions[offsets[i]:offsets[i + 1]]``, ascending. As a buffer it takes such a pair; there may be room
        for more actions than there are.
        """
        offsets = _buffer(out[0] if out else None, (len(self) + 1,), np.int64, "offsets")
        total = self._set_offsets(offsets)
        actions = _with_room(out[1] if out else None, total)
        if total:
            self._run("list_rows", offsets.flat, actions.flat)
        return offsets if out is None else out[0], actions

    def _set_offsets(self, offsets: Array) -> int:
        """Where each row begins; how many actions there are in all."""
        if not len(self):
            offsets.flat.copy_to_device(np.zeros(1, np.int64))
            return 0
        counts = cuda.device_array(len(self), np.int64)
        self._run("count_rows", counts)
        stretches = -(-len(self) // STRETCH)
        sums = cuda.device_array(stretches, np.int64)
        blocks = -(-stretches // THREADS), min(THREADS, stretches)
        launch(add_up, *blocks, counts, len(self), STRETCH, sums)
        ends = np.cumsum(sums.copy_to_host())
        before = cuda.to_device(np.concatenate([[0], ends[:-1]]))
        launch(set_offsets, *blocks, counts, len(self), STRETCH, before, offsets.flat)
        return int(ends[-1])

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
        if self.record:
            self._make_room()
        self._play(chosen.flat)

    def _check(self, chosen: Array) -> None:
        self._run("check_rows", chosen.flat, self._illegal)
        row = int(self._illegal.copy_to_host()[0])
        if row < len(self):
            self._illegal.copy_to_device(np.array([len(self)], np.int64))
            reason = f"it is none of the legal actions of row {row}"
            raise IllegalAction(int(chosen.numpy()[row]), reason, self.state(row))

    def _play(self, chosen: Any) -> None:
        """``chosen`` has a legal action for each row, or LEAVE, or RESET."""
        course = (self._lanes, self._number, self._upcoming, self._stride)
        results = [kept.flat for kept in (self._ended, self._cut, self._rewards, self._scores, self._wins)]
        self._run("play_rows", chosen, *course, *results, self._words, self._payoffs, self.auto_reset, self._history)

    def reset(self, rows: Any = None, *, seed: int | None = None) -> None:
        """Begin a new match in these rows, or in all; with a seed, all begin as a batch of that seed does."""
        if seed is not None:
            if rows is not None:
                raise ValueError("a seed is for all rows together")
            self.seed = check_seed(seed)
            self._words = cuda.to_device(np.array(seed_words(self.seed), np.int64))
            self._upcoming, self._stride = cuda.to_device(np.arange(self._capacity)), len(self)
        chosen = np.full(len(self), LEAVE, np.int64)
        which = slice(None) if rows is None else row_numbers(on_host(rows), len(self))
        chosen[which] = RESET
        self._without_dice[which] = False
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
            observe_unchecked(self, self._seats_given(seat), features)
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

    def _numbers(self, given: Any, what: str) -> Array:
        """Whole numbers on the device, wherever they come from."""
        if is_on_device(given):
            found = Array.of(given)
            if found.dtype.kind not in "iu":
                raise TypeError(f"{what} are whole numbers, not {found.dtype}")
            return found
        on_host = whole_numbers(given, what)
        return Array(cuda.to_device(on_host.reshape(-1)), on_host.shape)


def observe_unchecked(batch: Batch, seats: Any, features: Array) -> None:
    """What each row's seat sees. The seats are whole numbers of 64 bits on the device, and the host does not wait."""
    batch._clear(features)
    batch._run("observe_from", seats, features.flat)


def _with_room(given: Any, total: int) -> Any:
    """The caller's buffer for so many actions, without what is too much of it; a new one where there is none."""
    if given is not None and is_on_device(given) and len(Array.of(given).shape) == 1 and len(Array.of(given)) > total:
        given = Array(Array.of(given).flat[:total], (total,))
    return _buffer(given, (total,), np.int32, "actions")


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
