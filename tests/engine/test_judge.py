"""A judge says the same interpreted and compiled, and its file is refused where it does not fit.

``simulated_gpu`` compares it with the GPU's.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import parlour
from judges import BENT, any_judge
from parlour.bots.judged import search_advice
from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.compiled.compiling import _teach_chance
from parlour.engine.compiled.judging import chances_seen, judging_scratch
from parlour.engine.compiled.minimax import begin_base, set_base
from parlour.engine.compiled.search import Searcher
from parlour.engine.errors import BadJudge
from parlour.engine.features import Feature
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import (
    FARTHEST,
    ONE,
    TOTAL_BITS,
    WHOLE,
    chance_from,
    chance_near,
    chance_of,
    chance_seen,
)
from parlour.engine.judge.curve import POINTS, STRAIGHT, chance_table, is_curve
from parlour.engine.judge.file import Judge, from_bytes, load
from parlour.engine.judge.inputs import WIDEST, inputs
from parlour.engine.rule import prepare
from parlour.engine.state import State


def positions(game: Game, seats: int, count: int) -> list[State]:
    """Positions of matches at random."""
    found: list[State] = []
    dice, own = Chance.of_game(3, 0), Chance.of_game(3, 0, 1)
    while len(found) < count:
        state = game.blank(seats)
        game.open(state, dice)
        while not state.over and len(found) < count:
            legal = game.legal_actions(state)
            game.play(state, legal[own.below(len(legal))], dice)
            found.append(state.copy())
    return found


@pytest.mark.parametrize(("name", "seats"), [("connect_four", 2), ("verfuchst", 3)])
@pytest.mark.parametrize("largest", [300, 32_767])
def test_interpreted_and_compiled_judges_agree(name: str, seats: int, largest: int) -> None:
    game = registry.get(name)
    judge = any_judge(game, largest)
    seen = [game.observed(state, seat) for state in positions(game, seats, 60) for seat in range(seats)]
    size = game.observation_size
    plain = [chance_seen(line, judge.plain, [0] * size, [0] * judge.units) for line in seen]
    assert chances_seen(judge, np.array(seen, game.observation_type)).tolist() == plain
    assert len(set(plain)) > (20 if largest == 300 else 0)


@pytest.mark.parametrize("name", ["connect_four", "choccer", "verfuchst"])
def test_what_a_judge_says_is_the_same_if_only_changes_are_added(name: str) -> None:
    """After an action, the sums of the position before it are changed in place of being added up anew."""
    game = registry.get(name).players.judged_game
    judge = any_judge(game, 300)
    _teach_chance()
    prepare()
    observe = game.observe

    @numba.njit
    def both(rows: Any, scratch: Any, weights: Any) -> tuple[int, int]:
        room, view = scratch[0], 1 - rows[0].to_move
        begin_base(weights, room)
        set_base(observe, rows[0], weights, room)
        near = chance_near(observe, rows[1], view, weights, room)
        return near, chance_from(observe, rows[1], view, weights, room.features, room.active, room.sums)

    rows, scratch, found = game.layout.rows(2), judging_scratch(game, judge.units), set()
    states = positions(game, 2, 90)
    for before, after in itertools.pairwise(states):
        for row, state in enumerate((before, after)):
            game.layout.write(state, rows, row)
        near, whole = both(rows, scratch, judge.weights)
        assert near == whole
        found.add(near)
    assert len(found) > 20


def test_a_judge_may_see_other_features_than_a_learner() -> None:
    game = registry.get("choccer")
    twin = game.players.judged_game
    assert twin.players.judged_game is twin
    assert game.observation_size != twin.observation_size
    made = any_judge(twin, 300)
    read = from_bytes(game, made.to_bytes(), "a file")
    assert read.game is twin
    state = positions(game, 2, 30)[-1]
    assert read.chances(state) == made.chances(state)
    searcher = Searcher(game, search_advice(read), judge=read)
    searcher.at(state)
    searcher.look(20)
    assert {action for action, _, _ in searcher.ranking()} == set(game.legal_actions(state))
    with pytest.raises(BadJudge, match="other features"):
        from_bytes(game, any_judge(game, 300).to_bytes(), "a file")


def test_no_sum_leaves_32_bits_where_all_weights_are_as_large_as_can_be() -> None:
    game = registry.get("verfuchst")
    judge = any_judge(game, 300)
    for sign in (-1, 1):
        extreme = dataclasses.replace(judge, hidden=np.full_like(judge.hidden, sign * 32_767))
        seen = np.tile(np.array([[sign]], game.observation_type), (1, game.observation_size))
        plain = chance_seen(seen[0].tolist(), extreme.plain, [0] * seen.size, [0] * judge.units)
        assert chances_seen(extreme, seen).tolist() == [plain]


def test_numbers_of_many_values_lie_between_knots_and_are_cut_at_their_ends() -> None:
    features = (Feature("much", (), "of many values", low=-(2**40), high=2**40), Feature("few", (), "", low=-2, high=3))
    known = inputs(dataclasses.replace(registry.get("connect_four"), features=features))
    assert (known.wide, known.wide_low, known.wide_high) == ([0], [-WIDEST], [WIDEST])
    assert known.rows == (2 * WIDEST >> known.wide_bits[0]) + 2 + 6
    assert (known.low, known.high) == ([0, -2], [0, 3])
    assert known.first[1] - 2 == known.rows - 6  # the first row of the second number


def test_what_chance_drew_for_the_choice_to_come_is_not_looked_at() -> None:
    game = registry.get("verfuchst")
    judge, state = any_judge(game, 300), positions(game, 2, 9)[-1]
    rolled = []
    for die in range(1, 7):
        state.die = die
        rolled.append(judge.chances(state))
    assert all(chances == rolled[0] for chances in rolled)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_chances_of_all_seats_add_up_to_one(seats: int) -> None:
    game = registry.get("verfuchst")
    judge = any_judge(game, 100)
    for state in positions(game, seats, 10):
        assert sum(judge.chances(state)) == pytest.approx(1, abs=0.001)


def test_the_table_of_chances_rises_and_is_even() -> None:
    table = chance_table(STRAIGHT)
    assert all(low < high for low, high in itertools.pairwise(table))
    assert all(low + high == WHOLE for low, high in zip(table, reversed(table), strict=True))
    assert chance_of(0, table) == WHOLE // 2
    assert (chance_of(-(2**31) + 1, table), chance_of(2**31 - 1, table)) == (table[0], table[-1] - 1)
    assert chance_of(1 << TOTAL_BITS, table) / WHOLE == pytest.approx(0.731059, abs=1e-4)
    assert table[0] / WHOLE == pytest.approx(1 / (1 + np.exp(FARTHEST)), abs=1e-5)


def test_a_curve_says_what_log_odds_stand_for_and_keeps_their_order() -> None:
    """The curve has a point at every half, and is straight in between."""
    table = chance_table(BENT)
    assert all(low <= high for low, high in itertools.pairwise(table))
    for place in (0, 12, POINTS // 2, 21, POINTS - 1):
        chance, odds = table[place * (len(table) - 1) // (POINTS - 1)] / WHOLE, BENT[place] / ONE
        assert chance == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-5)
    between = (BENT[21] + BENT[22]) / 2 / ONE  # a quarter above the log-odds of the 21st point, 2.5
    total = round(2.75 * (1 << TOTAL_BITS))
    assert chance_of(total, table) / WHOLE == pytest.approx(1 / (1 + np.exp(-between)), abs=1e-4)


def test_what_is_no_curve() -> None:
    assert is_curve(STRAIGHT)
    assert is_curve(list(BENT))
    points = list(STRAIGHT)
    wrong: list[Any] = [points[1:], "", None, [*points[:-1], points[-2]], [*points[:-1], points[-1] + 1]]
    wrong += [[-(2**40), *points[1:]], [float(point) for point in points], points[::-1], [True] * POINTS]
    assert not any(map(is_curve, wrong))


def test_a_file_of_the_first_format_still_loads(tmp_path: Path) -> None:
    """It has no curve, and says what it always said."""
    game = registry.get("connect_four")
    judge = dataclasses.replace(any_judge(game, 300), curve=STRAIGHT)
    first, second, packed = judge.to_bytes().split(b"\n", 2)
    assert first == b"parlour judge 2"
    told = json.loads(second)
    del told["curve"]
    before = b"\n".join([b"parlour judge 1", json.dumps(told).encode(), packed])
    assert from_bytes(game, before, "old.judge").to_bytes() == judge.to_bytes()
    with pytest.raises(BadJudge, match="its second line"):
        from_bytes(game, before.replace(b"judge 1", b"judge 2"), "new.judge")


def test_a_file_holds_all_of_a_judge(tmp_path: Path) -> None:
    game = registry.get("connect_four")
    judge, path = any_judge(game, 300), tmp_path / "mine.judge"
    judge.save(path)
    again = load(game, path)
    for name in ("hidden", "bias", "output", "final", "record", "curve"):
        assert np.all(getattr(again, name) == getattr(judge, name))
    assert [path] == list(tmp_path.iterdir())
    with pytest.raises(BadJudge, match="trained with 2 seats, not with 3"):
        again.at(3)


def test_where_a_judge_knows_too_few_seats_others_beside_it_take_over() -> None:
    game = registry.get("verfuchst").players.judged_game
    known = any_judge(game, 300)
    four = dataclasses.replace(known, final=known.final + 2_000_000, record={**known.record, "seats": [4]})
    both = four.beside([known])
    assert both.seats == [2, 3, 4]
    for seats, judge in ((2, known), (3, known), (4, four)):
        state = parlour.new("verfuchst", seats=seats, seed=1).state
        assert both.at(seats).final == judge.final
        assert both.chances(state) == judge.chances(state)
    with pytest.raises(BadJudge, match="differ in their units: train them with the same number"):
        both.beside([dataclasses.replace(known, bias=known.bias[:4])])


def test_a_file_that_does_not_fit_is_refused() -> None:
    game = registry.get("connect_four")
    content = any_judge(game, 300).to_bytes()
    others: list[tuple[Any, bytes, str]] = [
        (registry.get("choccer"), content, "x.judge is a judge of connect_four, not of choccer"),
        (dataclasses.replace(game, version=2), content, "version 1 of the rules of connect_four, which is at 2"),
        (dataclasses.replace(game, features=(*game.features, Feature("new", (), ""))), content, "other features"),
        (game, b"PK" + content, "not a judge's file"),
        (game, content[:-9], "damaged"),
        (game, content.replace(b'"units": 8', b'"units": 9'), "as many weights as it says"),
        (game, content.replace(b'"units": 8', b'"units": "8"'), "its second line"),
        (game, content.replace(b'"seats": [2]', b'"seats": 2'), "its second line"),
        (game, content.replace(b'"curve": [', b'"curve": [9, '), "its second line"),
        (game, content.replace(b"{", b"[", 1), "its second line"),
        (game, content + bytes(1 << 20), "not a judge's file"),
    ]
    for other, wrong, words in others:
        with pytest.raises(BadJudge, match=words):
            from_bytes(other, wrong, "x.judge")


def test_a_missing_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadJudge, match="cannot be read: No such file"):
        load(registry.get("connect_four"), tmp_path / "none.judge")


def test_output_weights_that_could_overflow_are_refused() -> None:
    judge = any_judge(registry.get("connect_four"), 300)
    with pytest.raises(BadJudge, match="32 bits"):
        Judge(judge.game, judge.hidden, judge.bias, judge.output, 2**31 - 1, judge.record)
