"""Many matches side by side: what a batch is, wherever its rows are."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self, SupportsIndex

import numpy as np

from parlour.engine import registry, replay
from parlour.engine.compiled.arrays import a_whole_number, row_number, row_numbers, thread_count
from parlour.engine.compiled.course import LARGEST_MASK, NO_ACTION, Results
from parlour.engine.errors import IllegalAction, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match, check_seed
from parlour.engine.secrets import refuse_secrets
from parlour.engine.state import State


class Batch:
    """``count`` matches of a game. ``states`` has the fields of all: ``batch.states["to_move"]`` and so on.

    Row i plays with chance of its own, the same as game i of ``parlour simulate`` with the same seed; its next match
    is game i + count. With ``auto_reset``, a row whose match has ended begins its next match in the same step. With
    ``record``, the actions of every row's match are kept, so that it can be had as a ``Match`` or as a replay file.

    Whatever returns an array takes a buffer for it as ``out``; without one the array is new.

    On the CPU, ``states`` is a structured array, and ``threads`` share the rows. With ``device="cuda"`` the rows are on
    a GPU, and so are all arrays: PyTorch, CuPy and JAX share them without a copy. There ``states`` has an array for
    each field, actions may come from the device or from the host, and every row has a thread of its own.
    """

    states: Any
    _results: Results
    _over: Any  # whether the match of each row has ended
    _without_dice: Any  # rows whose actions were copied, but not the chance they met
    _where = ""

    def __new__(cls, *_: Any, device: str = "cpu", **__: Any) -> Self:
        """The batch of that device."""
        kind: Any = cls if cls is not Batch else _kind(device)
        made: Self = object.__new__(kind)
        return made

    def __init__(
        self,
        game: Game | str,
        count: int,
        seats: SupportsIndex | None = None,
        seed: SupportsIndex = 0,
        *,
        auto_reset: bool = False,
        record: bool = False,
        threads: int = 1,
        device: str = "cpu",
        **options: object,
    ) -> None:
        self.game = registry.get(game) if isinstance(game, str) else game
        self.options = self.game.resolve_options(options)
        self.seats = self.game.resolve_seats(seats, self.options)
        self.auto_reset, self.record, self.threads = auto_reset, record, thread_count(threads)
        rows = a_whole_number(count, "the number of rows")
        if rows < 0:
            raise ValueError(f"a batch has 0 rows or more, not {rows}")
        self.seed = check_seed(seed)
        self._make_rows(rows)
        self.reset(seed=seed)

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, rows: Any) -> Self:
        """A batch of these rows alone, as copies: they go on just as they would here."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self[:]

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self[:]

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} {self.game.name}{self._where}, seats={self.seats}, seed={self.seed}>"

    # What can be done.

    def legal_mask(self, out: Any = None) -> Any:
        """One line per row, with True for every legal action; nothing is legal where a match is over."""
        if self.game.action_space > LARGEST_MASK:
            raise ParlourError(
                f"{self.game.name} has {self.game.action_space} actions, too many for a mask: use legal_list()"
            )
        mask = self._buffer(out, (len(self), self.game.action_space), np.bool_, "legal_mask")
        self._mark(mask)
        return mask if out is None else out

    def legal_list(self, out: tuple[Any, Any] | None = None) -> tuple[Any, Any]:
        """All legal actions, one row after the other, and where each row begins among them: ``offsets, actions``.

        Row i has ``actions[offsets[i]:offsets[i + 1]]``, ascending. As a buffer it takes such a pair; there may be room
        for more actions than there are.
        """
        offsets = self._buffer(out[0] if out else None, (len(self) + 1,), np.int64, "offsets")
        actions = self._list(offsets, out[1] if out else None)
        return offsets if out is None else out[0], actions

    def legal(self, row: int) -> list[int]:
        """The legal actions of one row."""
        raise NotImplementedError

    def step(self, actions: Any, *, check: bool = True, rows: Any = None) -> None:
        """Play one action in every row that is not over. Where one is illegal, none is played.

        With ``rows``, only those are played: what stands among the actions for the others does not matter.

        In a row whose match is over, any action does nothing and is worth nothing.

        On a GPU, the host waits for the device to look for illegal ones. With ``check=False`` it does not, and an
        illegal action does whatever the rules make of it. On the CPU they are always looked for, as that costs little.
        """
        chosen = self._numbers(actions, "actions")
        if chosen.shape != (len(self),):
            raise ValueError(f"a step of {len(self)} rows takes {len(self)} actions, not {chosen.shape}")
        played = chosen if rows is None else self._only(chosen, rows, NO_ACTION)
        if rows is not None and check:  # what is legal anyway, where nothing is played
            chosen = self._only(chosen, rows, self._first_legal())
        illegal = self._first_illegal(chosen, check=check)
        if illegal < len(self):
            reason = f"it is not one of the legal actions of row {illegal}"
            raise IllegalAction(int(np.asarray(chosen)[illegal]), reason, self.state(illegal))
        self._make_ready()
        self._play(played)

    def _only(self, chosen: Any, rows: Any, others: Any) -> Any:
        """The actions of these rows, and something else in all others."""
        where = np.zeros(len(self), np.bool_)
        where[row_numbers(self._on_host(rows), len(self))] = True
        return self._numbers(np.where(where, np.asarray(chosen), others), "actions")

    def _first_legal(self) -> Any:
        """A legal action of each row that is not over."""
        offsets, actions = map(np.asarray, self.legal_list())
        first, goes_on = np.zeros(len(self), np.int64), np.diff(offsets) > 0
        first[goes_on] = actions[offsets[:-1][goes_on]]
        return first

    def reset(self, rows: Any = None, *, seed: SupportsIndex | None = None) -> None:
        """Begin a new match in these rows, or in all; with a seed, all begin as a batch of that seed does."""
        if seed is not None:
            if rows is not None:
                raise ValueError("a seed is for all rows together")
            self.seed = check_seed(seed)
            self._count_anew()
        self._play(self._begins(rows), resetting=True)

    def _begins(self, rows: Any) -> Any:
        """1 for each row that is to begin a new match."""
        which = slice(None) if rows is None else row_numbers(self._on_host(rows), len(self))
        begins = np.zeros(len(self), np.int64)
        begins[which] = 1
        self._without_dice[which] = False
        return self._numbers(begins, "rows")

    # How it stands.

    def observe(self, seat: Any = None, out: Any = None) -> Any:
        """What a learner sees, one line of features per row: from the seat to move, or from that seat.

        ``seat`` is one for all rows, or one for each.
        """
        if not self.seats:
            raise ParlourError("nobody observes: there are no seats")
        refuse_secrets(self.game, "a batch would show every seat all of them: use parlour.rl.aec, or Match.seen_by")
        shape = (len(self), self.game.observation_size)
        features = self._buffer(out, shape, self.game.observation_type, "observe")
        self._see(features, None if seat is None else self._seats_given(seat))
        return features if out is None else out

    def _seats_given(self, seat: Any) -> Any:
        if type(seat) is int and 0 <= seat < self.seats:
            return np.full(len(self), seat, np.int64)
        seats = np.asarray(self._numbers(seat, "seats")).astype(np.int64, copy=False)
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
        return self._copied(self._results.ended if self.auto_reset else self._over, out, "over")

    def cut(self, out: Any = None) -> Any:
        """Whether the row's match reached the game's limit of plies in the last step without an end."""
        return self._copied(self._results.cut, out, "cut")

    def rewards(self, out: Any = None) -> Any:
        """What the last step was worth to each seat: 0 unless the match ended in it.

        Then it is what the seat has won over an even share: 1 for a sole winner, and all together nothing.
        """
        return self._copied(self._results.rewards, out, "rewards")

    def scores(self, out: Any = None) -> Any:
        """The score of every seat; with ``auto_reset``, of the match that ended or was cut in the last step."""
        shape = (len(self), self.seats)
        scores = self._buffer(out, shape, np.int64, "scores")
        self._tell_results(scores, self._buffer(None, shape, np.bool_, "winners"))
        return scores if out is None else out

    def winners(self, out: Any = None) -> Any:
        """Whether each seat has won; nobody has while a match goes on. With ``auto_reset``, as for scores."""
        shape = (len(self), self.seats)
        wins = self._buffer(out, shape, np.bool_, "winners")
        self._tell_results(self._buffer(None, shape, np.int64, "scores"), wins)
        return wins if out is None else out

    def _copied(self, array: Any, out: Any, what: str) -> Any:
        target = self._buffer(out, array.shape, array.dtype, what)
        self._copy_all(array, target)
        return target if out is None else out

    # Rows.

    def copy_row(self, row: int, to: Any, *, with_chance: bool = False) -> None:
        """Make other rows like this one; the dice to come stay their own, unless they are copied, too.

        Whoever tries an action in a copy that has the same dice knows what the dice will show.
        """
        raise NotImplementedError

    def state(self, row: int) -> State:
        """One row as a state that can be printed, drawn and given to bots."""
        raise NotImplementedError

    def match(self, row: int) -> Match:
        """One row as a match with all its actions, to go on with; the dice to come are those of the row."""
        at = row_number(row, len(self))
        if not self.record:
            raise ParlourError("a batch that is made with record=True keeps what was played; this one does not")
        if self._without_dice[at]:
            raise ParlourError(f"row {at} was copied without its chance: its match cannot be played again")
        options: dict[str, Any] = {**self.options}
        number, actions = self._story(at)
        match = Match(self.game, self.seats, self.seed, stream=number, **options)
        for action in actions:
            match.repeat(action)
        return match

    def save(self, row: int, path: str | Path, *, overwrite: bool = False) -> None:
        """One row as a replay file."""
        replay.save(self.match(row), path, overwrite=overwrite)

    # What each device does in its own way.

    def _make_rows(self, count: int) -> None:
        """Room for the rows, with whatever is in it."""
        raise NotImplementedError

    def _count_anew(self) -> None:
        """Row i plays game i of the seed next."""
        raise NotImplementedError

    def _numbers(self, given: Any, what: str) -> Any:
        """Whole numbers where the rows are, wherever they come from."""
        raise NotImplementedError

    def _on_host(self, rows: Any) -> Any:
        """Rows that the caller names, wherever the array of their numbers is."""
        raise NotImplementedError

    def _buffer(self, given: Any, shape: tuple[int, ...], kind: Any, what: str) -> Any:
        """The caller's buffer, if it fits to the letter; a new one where there is none."""
        raise NotImplementedError

    def _copy_all(self, array: Any, target: Any) -> None:
        raise NotImplementedError

    def _mark(self, mask: Any) -> None:
        """Fill a mask of legal actions."""
        raise NotImplementedError

    def _list(self, offsets: Any, room: Any) -> Any:
        """Fill ``offsets``, and list the legal actions: in the room given, if there is any."""
        raise NotImplementedError

    def _first_illegal(self, chosen: Any, *, check: bool) -> int:
        """The first row with an illegal action; where there is none, the number of rows."""
        raise NotImplementedError

    def _make_ready(self) -> None:
        """For a step: if actions are kept, every row's history has a place for its next one."""
        raise NotImplementedError

    def _play(self, chosen: Any, *, resetting: bool = False) -> None:
        """Play the action of each row; in a reset, begin a match in each row that has 1."""
        raise NotImplementedError

    def _see(self, features: Any, seats: Any) -> None:
        """Fill the features: from the seats given, or from those to move."""
        raise NotImplementedError

    def _tell_results(self, scores: Any, wins: Any) -> None:
        raise NotImplementedError

    def _story(self, row: int) -> tuple[int, list[int]]:
        """The number of the game that the row plays, and its actions so far."""
        raise NotImplementedError


def _kind(device: str) -> type[Batch]:
    if device == "cpu":
        from parlour.engine.compiled.batch import CpuBatch

        return CpuBatch
    if device != "cuda":
        raise ParlourError(f"the device is cpu or cuda, not {device!r}")
    from parlour.engine.cuda.device import check_device

    check_device()
    from parlour.engine.cuda.batch import CudaBatch

    return CudaBatch
