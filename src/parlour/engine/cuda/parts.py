"""What kernels are made of, for one game with its seats and options: compiled for a GPU, or plain for the simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from parlour.engine.chance import GAME_STREAM, POLICY_STREAM, Chance, below, seed_stream
from parlour.engine.cuda import storage
from parlour.engine.game import Game
from parlour.engine.turns import advance, begin


class Parts(NamedTuple):
    """Functions that kernels call."""

    device: Callable[..., Any]  # makes a function one that kernels can call
    new_state: Callable[..., Any]
    new_chance: Callable[..., Any]
    begin_game: Callable[..., Any]  # (state, chance, policy, words, number)
    play_ply: Callable[..., Any]  # (state, chance, policy): any legal action
    score: Callable[..., Any]
    won: Callable[..., Any]
    order: Callable[..., Any]
    widened: Callable[..., Any]


def compiled(game: Game, constants: Mapping[str, int], threads: int) -> Parts:
    """For a GPU."""
    from numba import cuda

    from parlour.engine.cuda.actions import new_counter, new_picker, picked
    from parlour.engine.cuda.draws import new_chance
    from parlour.engine.cuda.numbers import narrowed, widened
    from parlour.engine.cuda.states import StateType, state_functions
    from parlour.engine.cuda.translate import Translator

    kind = StateType(game.name, storage.slots(game, constants, threads), threads)
    new_state, clear = state_functions(kind)
    translated = Translator().function
    setup, legal, apply = map(translated, (game.setup, game.legal, game.apply))
    start, go_on, seed, draw = map(translated, (begin, advance, seed_stream, below))
    has_choices = game.max_actions > 1
    device = cuda.jit(device=True, forceinline=True)

    @device
    def begin_game(state, chance, policy, words, number):
        clear(state)
        seed(chance, words, number, GAME_STREAM)
        if has_choices:
            seed(policy, words, number, POLICY_STREAM)
        start(setup, state, chance, None)

    @device
    def play_ply(state, chance, policy):
        place = narrowed(0)
        if has_choices:
            count = legal(state, new_counter())
            if count > 1:
                place = draw(policy, count)
        chosen = new_picker(place)
        legal(state, chosen)
        go_on(apply, state, picked(chosen), chance, None)

    score, won, order = map(translated, (game.score, game.won, game.order))
    return Parts(device, new_state, new_chance, begin_game, play_ply, score, won, order, widened)


def simulated(game: Game, constants: Mapping[str, int]) -> Parts:
    """For Numba's simulator, where rules are plain Python over plain states."""

    def new_state():
        return game.layout.blank(**constants)

    def begin_game(state, chance, policy, words, number):
        fresh = new_state()
        for name in game.layout.fields:
            setattr(state, name, getattr(fresh, name))
        plain = [int(word) for word in words]
        seed_stream(chance.lanes, plain, int(number), GAME_STREAM)
        seed_stream(policy.lanes, plain, int(number), POLICY_STREAM)
        begin(game.setup, state, chance, None)

    def play_ply(state, chance, policy):
        legal = game.legal_actions(state)
        place = below(policy, len(legal)) if len(legal) > 1 else 0
        advance(game.apply, state, legal[place], chance, None)

    def new_chance():
        return Chance([0, 0, 0, 0])

    rules = (game.score, game.won, game.order)
    return Parts(lambda function: function, new_state, new_chance, begin_game, play_ply, *rules, int)
