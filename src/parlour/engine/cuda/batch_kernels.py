"""The kernels of a batch, one thread for each row. The same code runs in Numba's simulator."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numba import cuda

from parlour.engine.compiled.course import BEGIN, LEAVE, PLAY, note_end, what_to_do
from parlour.engine.cuda.batch_parts import THREADS
from parlour.engine.cuda.storage import BLOCK_BYTES


def make_kernels(parts, game, seats):
    """All kernels of a game with so many seats."""
    return SimpleNamespace(
        **make_legal_kernels(parts, game.action_space),
        **make_course_kernels(parts, seats, game.ply_limit),
        **make_view_kernels(parts, seats, game.observation_size, np.dtype(game.observation_type).type),
    )


def make_legal_kernels(parts, actions):
    bind, mark, count, fill, allows = parts.bind, parts.mask, parts.count, parts.fill, parts.allows

    def mark_row(columns, capacity, row, mask, first):
        state = bind(columns, capacity, row)
        if state.over == 0:
            mark(state, mask, first)

    mask_rows = make_lines(parts.device(mark_row), actions, np.bool_)

    @cuda.jit
    def count_rows(columns, capacity, rows, counts):
        row = cuda.grid(1)
        if row < rows:
            state = bind(columns, capacity, row)
            counts[row] = count(state) if state.over == 0 else 0

    @cuda.jit
    def list_rows(columns, capacity, rows, offsets, found):
        row = cuda.grid(1)
        if row < rows:
            state = bind(columns, capacity, row)
            if state.over == 0:
                fill(state, found, offsets[row], offsets[row + 1] - offsets[row])

    @cuda.jit
    def check_rows(columns, capacity, rows, chosen, illegal):
        row = cuda.grid(1)
        if row < rows:
            state = bind(columns, capacity, row)
            if state.over == 0 and not allows(state, chosen[row]):
                cuda.atomic.min(illegal, 0, row)

    return {"mask_rows": mask_rows, "count_rows": count_rows, "list_rows": list_rows, "check_rows": check_rows}


def make_lines(fill_row, length, kind):
    """A kernel that fills a line of an array for each row: (columns, capacity, rows, lines).

    Lines that are short enough are made in shared memory and leave it together, so that neighbours write to
    neighbours; longer ones are filled where they are, and must be clear before.
    """
    size, staged = THREADS * length, is_staged(length, kind)

    @cuda.jit
    def lines_in_turns(columns, capacity, rows, lines):
        made = cuda.shared.array(size, kind)
        thread, row, first = cuda.threadIdx.x, cuda.grid(1), cuda.blockIdx.x * cuda.blockDim.x
        if row < rows:
            for place in range(length):
                made[thread * length + place] = 0
            fill_row(columns, capacity, row, made, thread * length)
        cuda.syncthreads()
        for place in range(thread, min(cuda.blockDim.x, rows - first) * length, cuda.blockDim.x):
            lines[first * length + place] = made[place]

    @cuda.jit
    def lines_in_place(columns, capacity, rows, lines):
        row = cuda.grid(1)
        if row < rows:
            fill_row(columns, capacity, row, lines, row * length)

    return lines_in_turns if staged else lines_in_place


def is_staged(length, kind):
    """Whether lines of that length are made in shared memory."""
    return THREADS * length * np.dtype(kind).itemsize <= BLOCK_BYTES


@cuda.jit
def as_numbers(flags, numbers):
    """1 for each truth value that is true, else 0."""
    row = cuda.grid(1)
    if row < len(flags):
        numbers[row] = 1 if flags[row] else 0


@cuda.jit
def clear_items(items):
    for place in range(cuda.grid(1), len(items), cuda.gridsize(1)):
        items[place] = 0


def make_course_kernels(parts, seats, limit):
    bind, keep, new_chance, begin_game, play = (
        parts.bind,
        parts.keep,
        parts.new_chance,
        parts.begin_game,
        parts.play,
    )
    score, won, widened, end = parts.score, parts.won, parts.widened, parts.device(note_end)
    decide = parts.device(what_to_do)

    @cuda.jit
    def play_rows(
        columns,
        capacity,
        rows,
        chosen,
        resetting,
        lanes,
        number,
        upcoming,
        stride,
        results,
        words,
        payoffs,
        auto_reset,
        history,
    ):
        row = cuda.grid(1)
        if row >= rows:
            return
        state, chance = bind(columns, capacity, row), new_chance()
        task = decide(chosen[row], state.over, resetting)
        if not resetting or task == BEGIN:
            results.ended[row] = False
            results.cut[row] = False
            for seat in range(seats):
                results.rewards[row * seats + seat] = 0
        if task == LEAVE:
            return
        begins = task == BEGIN
        if task == PLAY:
            for lane in range(4):
                chance[lane] = lanes[lane * capacity + row]
            place = widened(state.ply) * capacity + row
            if place < len(history):
                history[place] = chosen[row]
            play(state, chosen[row], chance)
            if state.over != 0 or state.ply >= limit:
                end(score, won, widened, state, row, results, payoffs)
                begins = auto_reset
        if begins:
            number[row] = upcoming[row]
            upcoming[row] += stride
            begin_game(state, chance, words, number[row])
        keep(state, columns, capacity, row)
        for lane in range(4):
            lanes[lane * capacity + row] = chance[lane]

    return {"play_rows": play_rows}


def make_view_kernels(parts, seats, size, kind):
    bind, see, score, won, widened = parts.bind, parts.see, parts.score, parts.won, parts.widened

    def see_row(columns, capacity, row, features, first):
        state = bind(columns, capacity, row)
        see(state, widened(state.to_move), features, first)

    observe_rows = make_lines(parts.device(see_row), size, kind)

    @cuda.jit
    def observe_from(columns, capacity, rows, given, features):
        """As the seat sees it that is given for each row. The features must be clear before."""
        row = cuda.grid(1)
        if row < rows:
            see(bind(columns, capacity, row), given[row], features, row * size)

    @cuda.jit
    def results_rows(columns, capacity, rows, ended, cut, ended_scores, ended_wins, scores, wins):
        """Of the match that goes on; where one has ended or was cut and another begun, of that one."""
        row = cuda.grid(1)
        if row < rows:
            state = bind(columns, capacity, row)
            for seat in range(seats):
                place = row * seats + seat
                if len(ended) > 0 and (ended[row] or cut[row]):
                    scores[place] = ended_scores[place]
                    wins[place] = ended_wins[place]
                else:
                    scores[place] = widened(score(state, seat))
                    wins[place] = state.over != 0 and bool(won(state, seat))

    return {"observe_rows": observe_rows, "observe_from": observe_from, "results_rows": results_rows}


@cuda.jit
def copy_items(source, source_strides, sources, target, target_strides, targets, length):
    """Items of some rows to other rows. Strides are from an item to the next, and from a row to the next."""
    place = cuda.grid(1)
    if place < len(targets):
        start = sources[place] * source_strides[1]
        to = targets[place] * target_strides[1]
        for item in range(length):
            target[to + item * target_strides[0]] = source[start + item * source_strides[0]]


@cuda.jit
def add_up(counts, rows, stretch, sums):
    """Of every stretch of so many rows, the sum."""
    part = cuda.grid(1)
    if part < len(sums):
        total = 0
        for row in range(part * stretch, min((part + 1) * stretch, rows)):
            total += counts[row]
        sums[part] = total


@cuda.jit
def set_offsets(counts, rows, stretch, before, offsets):
    """Where each row begins, where the stretches begin at ``before``."""
    part = cuda.grid(1)
    if part < len(before):
        total = before[part]
        for row in range(part * stretch, min((part + 1) * stretch, rows)):
            offsets[row] = total
            total += counts[row]
        if part == len(before) - 1:
            offsets[rows] = total
