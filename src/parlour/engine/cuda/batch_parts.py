"""What the kernels of a batch are made of: compiled for a GPU, or plain for the simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from parlour.engine.chance import GAME_STREAM, Chance, seed_stream
from parlour.engine.cuda import storage
from parlour.engine.game import Game
from parlour.engine.state import State
from parlour.engine.turns import advance, begin

THREADS = 128  # of a block


class BatchParts(NamedTuple):
    """Functions that kernels call. ``columns`` and ``capacity`` are those of the batch."""

    device: Callable[..., Any]  # makes a function one that kernels can call
    bind: Callable[..., Any]  # (columns, capacity, row) -> the row's state
    keep: Callable[..., Any]  # (state, columns, capacity, row): put it back
    new_chance: Callable[..., Any]
    begin_game: Callable[..., Any]  # (state, chance, words, number)
    play: Callable[..., Any]  # (state, action, chance)
    mask: Callable[..., Any]  # (state, mask, first): mark the legal actions
    count: Callable[..., Any]  # (state) -> how many legal actions there are
    fill: Callable[..., Any]  # (state, actions, first, size): list that many of them
    allows: Callable[..., Any]  # (state, action) -> whether it is legal
    see: Callable[..., Any]  # (state, seat, features, first)
    score: Callable[..., Any]
    won: Callable[..., Any]
    widened: Callable[..., Any]


def compiled(game: Game, constants: Mapping[str, int]) -> BatchParts:
    """For a GPU."""
    from numba import cuda

    from parlour.engine.cuda import sinks
    from parlour.engine.cuda.actions import new_counter
    from parlour.engine.cuda.draws import new_chance
    from parlour.engine.cuda.numbers import narrowed, widened
    from parlour.engine.cuda.states import StateType, row_functions, state_functions
    from parlour.engine.cuda.translate import Translator

    kind = StateType(game.name, storage.slots(game, constants, THREADS, columns=True), THREADS)
    bind, keep = row_functions(kind)
    _, clear = state_functions(kind)
    translated = Translator().function
    setup, legal, apply, observe = map(translated, (game.setup, game.legal, game.apply, game.observe))
    start, go_on, seed, score, won = map(translated, (begin, advance, seed_stream, game.score, game.won))
    new_checker, has_found, new_masker, finish_mask = (
        sinks.new_checker,
        sinks.has_found,
        sinks.new_masker,
        sinks.finish_mask,
    )
    new_filler, features_at = sinks.new_filler, sinks.features_at
    device = cuda.jit(device=True, forceinline=True)

    @device
    def begin_game(state, chance, words, number):
        clear(state)
        seed(chance, words, number, GAME_STREAM)
        start(setup, state, chance, None)

    @device
    def play(state, action, chance):
        go_on(apply, state, narrowed(action), chance, None)

    @device
    def mask(state, marked, first):
        made = new_masker(marked, first)
        finish_mask(made, narrowed(legal(state, made)))

    @device
    def count(state):
        return widened(legal(state, new_counter()))

    @device
    def fill(state, actions, first, size):
        legal(state, new_filler(actions, first, narrowed(size)))

    @device
    def allows(state, action):
        made = new_checker(narrowed(action))
        return narrowed(action) == action and has_found(made, narrowed(legal(state, made)))

    @device
    def see(state, seat, features, first):
        observe(state, seat, features_at(features, first))

    return BatchParts(
        device, bind, keep, new_chance, begin_game, play, mask, count, fill, allows, see, score, won, widened
    )


class Lanes(Chance):
    """Chance whose lanes kernels read and write."""

    __slots__ = ()

    def __getitem__(self, lane: int) -> int:
        return self.lanes[lane]

    def __setitem__(self, lane: int, word: int) -> None:
        self.lanes[lane] = int(word)


def simulated(game: Game, constants: Mapping[str, int]) -> BatchParts:
    """For Numba's simulator, where rules are plain Python over plain states."""
    slots = storage.slots(game, constants, THREADS, columns=True)
    arrays = {name for name, field in game.layout.fields.items() if field.length is not None}

    def column(columns, capacity, slot):
        held = columns._item._ary[slot.offset * capacity : (slot.offset + slot.size) * capacity]
        return held.view(f"i{slot.bits // 8}").reshape(slot.length, capacity)

    def bind(columns, capacity, row):
        state = game.layout.blank(**constants)
        for slot in slots:
            values = column(columns, capacity, slot)[:, row].tolist()
            setattr(state, slot.name, values if slot.name in arrays else values[0])
        return state

    def keep(state, columns, capacity, row):
        for slot in slots:
            column(columns, capacity, slot)[:, row] = getattr(state, slot.name)

    def begin_game(state: State, chance, words, number):
        fresh = game.layout.blank(**constants)
        for name in game.layout.fields:
            setattr(state, name, getattr(fresh, name))
        seed_stream(chance.lanes, [int(word) for word in words], int(number), GAME_STREAM)
        begin(game.setup, state, chance, None)

    def play(state, action, chance):
        advance(game.apply, state, int(action), chance, None)

    def mask(state, marked, first):
        for action in game.legal_actions(state):
            marked[first + action] = 1

    def fill(state, actions, first, size):
        for place, action in enumerate(game.legal_actions(state)):
            actions[first + place] = action

    def see(state, seat, features, first):
        for place, value in enumerate(game.observed(state, int(seat))):
            features[first + place] = value

    return BatchParts(
        lambda function: function,
        bind,
        keep,
        lambda: Lanes([0, 0, 0, 0]),
        begin_game,
        play,
        mask,
        lambda state: len(game.legal_actions(state)),
        fill,
        lambda state, action: int(action) in game.legal_actions(state),
        see,
        game.score,
        game.won,
        int,
    )
