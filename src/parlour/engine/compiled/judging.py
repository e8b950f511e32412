"""A judge in compiled code: the chances of many positions, and what each action of a position is worth."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import jit, new_features, over
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import WHOLE, Weights, chance_for, chance_seen
from parlour.engine.judge.file import Judge
from parlour.engine.rule import rule
from parlour.engine.turns import advance


def judging_scratch(game: Game, units: int) -> Any:
    """Room to work in, as the one row of an array: two generators, actions, features, and the sums of a judge.

    ``base`` is for a position near the one that is judged. It and the features can also be read as words of 64 bits.
    """
    fields: list[Any] = [("chance", np.int64, 4), ("policy", np.int64, 4), ("actions", np.int32, game.max_actions)]
    size, kind = game.observation_size if units else 0, np.dtype(game.observation_type)
    words = -(-size * kind.itemsize // 8)
    if units:
        fields += [("feature_words", np.int64, words), ("base_words", np.int64, words), ("each", np.int64, 1)]
        fields += [("active", np.int32, size), ("sums", np.int32, units), ("base_sums", np.int32, units)]
        fields += [("chances", np.int64, max(game.seats[1], 1))]
    laid = np.dtype(fields, align=True)
    names, places = list(laid.names or ()), dict(laid.fields or {})
    formats, offsets = [places[name][0] for name in names], [places[name][1] for name in names]
    for name, words_of in (("features", "feature_words"), ("base", "base_words")) if units else ():
        names.append(name)
        formats.append(np.dtype((kind, size)))
        offsets.append(places[words_of][1])
    form: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": laid.itemsize}
    made = np.zeros(1, np.dtype(form, align=True))
    made["chance"] = made["policy"] = (1, 2, 3, 4)
    if units:
        made["each"] = 8 // kind.itemsize
    return made


def no_weights(units: int) -> Weights:
    """Weights of the right types, to compile with."""
    hidden, bias = np.zeros((1, units), np.int16), np.zeros(units, np.int16)
    columns: list[Any] = [np.zeros(0, np.int32) for _ in range(8)]
    return Weights(*[*columns, hidden, bias, *(np.zeros(size, np.int32) for size in (units, 1, 1))])


@rule
def share_of(won, state, seat):
    """What the end of a match is worth to a seat: winners share the win; if nobody has won, all seats do."""
    winners = 0
    for other in range(state.seats):
        winners += 1 if won(state, other) else 0
    if winners == 0:
        return 1.0 / state.seats if state.seats > 1 else 0.0
    return 1.0 / winners if won(state, seat) else 0.0


@rule
def worth_after(won, observe, state, seat, weights, room):
    """What a position is worth to the seat, from 0 to 1: its share of the win, or its chance."""
    if state.over:
        return share_of(won, state, seat)
    return chance_for(observe, state, seat, weights, room.features, room.active, room.sums) / WHOLE


@rule
def judge_actions(apply, won, observe, rows, room, count, weights, throws, worths):
    """What each action is worth to the seat to move. Where dice have a part in it, that is the mean of several throws.

    ``rows[0]`` is the position, ``rows[1]`` is room to try an action in. The dice are those of ``room.chance``.
    """
    seat = rows[0].to_move
    for index in range(count):
        total, thrown = 0.0, 0
        while thrown < throws:
            rows[1] = rows[0]
            before = room.chance[0]
            advance(apply, rows[1], np.int64(room.actions[index]), room.chance, None)
            total += worth_after(won, observe, rows[1], seat, weights, room)
            thrown += 1
            if room.chance[0] == before:
                break
        worths[index] = total / thrown


def make_look(game: Game) -> Callable[..., Any]:
    legal, apply, won, observe = game.legal, game.apply, game.won, game.observe

    @jit
    def look(rows, scratch, weights, throws, worths):
        room = scratch[0]
        if rows[0].over:
            return 0
        count = legal(rows[0], room.actions)
        judge_actions(apply, won, observe, rows, room, count, weights, throws, worths)
        return count

    return look


def make_chances(game: Game) -> Callable[..., Any]:
    @jit
    def chances(seen, weights, scratch, found):
        for at in range(len(seen)):
            found[at] = chance_seen(seen[at], weights, scratch[0].active, scratch[0].sums)

    return chances


@cache
def compiled_look(game: Game, units: int) -> Callable[..., int]:
    """(rows, scratch, weights, throws, worths) -> how many actions; what each is worth to the seat to move."""
    with compiling(game, "judging.make_look", "judge"):
        look = make_look(game)
        look(over(game.layout.rows(2)), judging_scratch(game, units), no_weights(units), 1, np.zeros(1))
    return look


@cache
def compiled_chances(game: Game, units: int) -> Callable[..., None]:
    """(seen, weights, scratch, found): the chance of whoever sees each line of features, from 0 to WHOLE."""
    with compiling(game, "judging.make_chances", "chances"):
        chances = make_chances(game)
        chances(new_features(game, 0), no_weights(units), judging_scratch(game, units), np.zeros(0, np.int64))
    return chances


def chances_seen(judge: Judge, seen: Any) -> Any:
    """The chance of whoever sees each line of features, from 0 to WHOLE."""
    found = np.zeros(len(seen), np.int64)
    scratch = judging_scratch(judge.game, judge.units)
    compiled_chances(judge.game, judge.units)(seen, judge.weights, scratch, found)
    return found
