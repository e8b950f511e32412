"""Batches: many matches side by side, the same as one by one, and refusing whatever does not fit."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import multiprocessing
import os
import pickle
import signal
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from engine.coin_game import GAME as COIN
from parlour import Batch
from parlour.engine import registry, replay, rule
from parlour.engine.compiled.arrays import as_lines
from parlour.engine.compiled.batch_drivers import CHECK, LIST, MASK, batch_drivers
from parlour.engine.compiled.course import payoffs
from parlour.engine.compiled.drivers import new_scratch
from parlour.engine.errors import BadSeats, BadSeed, IllegalAction, ParlourError, UnknownName
from parlour.lab.simulate import simulate


def any_of(batch: Batch, rng: np.random.Generator) -> Any:
    """A random legal action for each row; 0 where there is none."""
    offsets, actions = batch.legal_list()
    counts = np.diff(offsets)
    places = offsets[:-1] + (rng.random(len(batch)) * counts).astype(np.int64)
    return np.where(counts > 0, actions[np.minimum(places, len(actions) - 1)], 0)


def wander(batch: Batch, steps: int, seed: int = 0) -> Batch:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(any_of(batch, rng))
    return batch


def same(one: Any, other: Any) -> bool:
    lanes, others = one._course.lanes, other._course.lanes
    return (one.states.tobytes(), lanes.tobytes()) == (other.states.tobytes(), others.tobytes())


def test_a_batch_plays_the_games_of_a_simulation() -> None:
    batch = Batch("goose", 50, seats=3, seed=5)
    while not batch.over().all():
        batch.step(np.zeros(50, np.int64))
    summary = simulate(registry.get("goose"), 50, 3, 5)
    assert batch.states["turns"].mean() == summary.mean_turns
    assert batch.winners().mean(axis=0).tolist() == pytest.approx(summary.win_share)
    assert batch.scores().mean(axis=0).tolist() == pytest.approx(summary.mean_scores)


@pytest.mark.parametrize(("game", "seats"), [("connect_four", 2), ("verfuchst", 3)])
def test_a_batch_says_what_interpreted_rules_say(game: str, seats: int) -> None:
    """Mask, list, observations, scores, winners, seat to move: row by row, along a whole match."""
    batch = Batch(game, 3, seats=seats, seed=2)
    rules, rng = batch.game, np.random.default_rng(1)
    while not batch.over().all():
        states = [batch.state(row) for row in range(3)]
        legal = [rules.legal_actions(state) for state in states]
        assert [np.flatnonzero(line).tolist() for line in batch.legal_mask()] == legal
        offsets, actions = batch.legal_list()
        assert [actions[offsets[row] : offsets[row + 1]].tolist() for row in range(3)] == legal
        assert [batch.legal(row) for row in range(3)] == legal
        assert batch.to_move().tolist() == [state.to_move for state in states]
        assert batch.observe().tolist() == [rules.observed(state, state.to_move) for state in states]
        assert batch.observe(1).tolist() == [rules.observed(state, 1) for state in states]
        assert batch.scores().tolist() == [rules.scores(state) for state in states]
        assert not batch.rewards()[[not state.over for state in states]].any()
        batch.step(any_of(batch, rng))
    for row in range(3):
        assert np.flatnonzero(batch.winners()[row]).tolist() == rules.winners(batch.state(row))
    assert not batch.legal_mask().any()


def test_auto_reset_begins_anew_and_tells_of_the_match_that_ended() -> None:
    batch, alone = Batch("connect_four", 40, seed=3, auto_reset=True), Batch("connect_four", 40, seed=3)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(60):
        before = batch.to_move()
        actions = any_of(batch, rng)
        batch.step(actions)
        over, rewards = batch.over(), batch.rewards()
        ended += int(over.sum())
        assert (batch.states["ply"][over] == 0).all()
        assert not batch.states["over"].any()
        assert (rewards[~over] == 0).all()
        won = over & batch.winners().any(axis=1)
        assert (rewards[won, before[won]] == 1).all()
        assert (rewards[won, 1 - before[won]] == -1).all()
        assert (batch.scores()[won, before[won]] == 1).all()
    assert ended > 40
    assert same(Batch("connect_four", 40, seed=3), alone)


def test_the_next_match_of_a_row_depends_on_no_other_row() -> None:
    """Goose: row 1 of three plays games 1, 4, 7 of the seed, whatever happens in other rows."""
    batch: Any = Batch("goose", 3, seats=2, seed=8)
    batch.reset([1])
    batch.reset(np.array([False, True, False]))
    many = Batch("goose", 8, seats=2, seed=8)
    assert batch.states[1].tobytes() == many.states[7].tobytes()
    assert batch.states[0].tobytes() == many.states[0].tobytes()
    batch.reset()
    assert [batch._course.number[row] for row in range(3)] == [3, 10, 5]
    batch.reset(seed=9)
    assert same(batch, Batch("goose", 3, seats=2, seed=9))


def test_threads_change_nothing() -> None:
    one, three = (wander(Batch("verfuchst", 50, seed=1, auto_reset=True, threads=count), 30) for count in (1, 3))
    assert same(one, three)
    assert (one.legal_mask() == three.legal_mask()).all()
    assert (one.observe() == three.observe()).all()
    assert all((a == b).all() for a, b in zip(one.legal_list(), three.legal_list(), strict=True))


def test_rows_are_chosen_and_go_on_as_they_would() -> None:
    batch = wander(Batch("verfuchst", 10, seed=4, auto_reset=True), 5)
    chosen = batch[[7, 2, 2]]
    assert len(chosen) == 3
    actions = any_of(batch, np.random.default_rng(3))
    batch.step(actions)
    chosen.step(actions[[7, 2, 2]])
    assert same(chosen, batch[[7, 2, 2]])
    assert len(batch[batch.to_move() == 0]) == (batch.to_move() == 0).sum()
    assert len(batch[2:5]) == 3


def test_a_row_is_copied_to_many() -> None:
    batch = wander(Batch("verfuchst", 6, seed=4, record=True), 3)
    batch.copy_row(0, [2, 3], with_chance=True)
    batch.copy_row(0, [4, 5])
    batch.step(np.full(6, 0) + any_of(batch, np.random.default_rng(0))[[0, 1, 0, 0, 0, 0]])
    packed = [batch.states[row].tobytes() for row in range(6)]
    assert packed[0] == packed[2] == packed[3]
    assert len({packed[0], packed[4], packed[5]}) > 1, "their dice differ"
    assert replay.dumps(batch.match(2)) == replay.dumps(batch.match(0))
    with pytest.raises(ParlourError, match="row 4 was copied without its chance"):
        batch.match(4)


@pytest.mark.parametrize("action", [-1, -2, 0, 3, 99, 2**40])
def test_in_a_finished_row_any_action_does_nothing_and_is_worth_nothing(action: int) -> None:
    batch = Batch("connect_four", 1)
    for column in (0, 1, 0, 1, 0, 1, 0):
        batch.step([column])
    assert (batch.over().tolist(), batch.rewards().tolist()) == ([True], [[1.0, -1.0]])
    before = batch.states.tobytes()
    for _ in range(2):
        batch.step([action])
        assert batch.states.tobytes() == before
        assert batch.rewards().tolist() == [[0.0, 0.0]]
        assert batch.over().tolist() == batch.winners()[:, 0].tolist() == [True]


def test_scores_of_a_match_that_was_cut_are_those_it_had() -> None:
    short = dataclasses.replace(registry.get("game17"), name="short_game17", ply_limit=40)
    batch, goes_on = (Batch(short, 3, seats=2, seed=1, auto_reset=auto, edge=4) for auto in (True, False))
    for each in (batch, goes_on):
        wander(each, 40)
    assert batch.cut().all()
    assert not batch.over().any()
    assert not batch.states["ply"].any(), "the next match has begun"
    assert goes_on.scores().any()
    assert batch.scores().tolist() == goes_on.scores().tolist()
    assert not batch.winners().any()


def test_threads_work_in_a_forked_process() -> None:
    batch = wander(Batch("goose", 8, seed=1, threads=2), 3)
    expected = wander(batch[:], 5).states.tobytes()
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads is what is tried
        child = os.fork()
    if child == 0:
        signal.alarm(60)
        os.write(writer, hashlib.sha256(wander(batch, 5).states.tobytes()).digest())
        os._exit(0)
    os.close(writer)
    told = os.read(reader, 32)
    os.waitpid(child, 0)
    os.close(reader)
    assert told == hashlib.sha256(expected).digest()


def test_numbers_are_whatever_counts_as_a_whole_number() -> None:
    match = parlour.new("connect_four", seats=np.int64(2), seed=np.uint8(7))
    for action in (np.int64(3), np.array(3), np.uint8(2)):
        match.play(action)
    assert match.actions == [3, 3, 2]
    assert {type(action) for action in match.actions} == {int}
    assert type(match.seed) is int
    assert parlour.new("goose", seed=1, maze=np.int32(30)).state.maze == 30
    wrong: Any
    for wrong in (True, 2.0, np.float64(2), np.array([3]), "", None):
        with pytest.raises(ParlourError):
            match.play(wrong)


@pytest.mark.parametrize(("game", "seats"), [("goose", 4), ("verfuchst", 2)])
def test_a_row_is_a_match_and_a_replay_file(game: str, seats: int, tmp_path: Path) -> None:
    batch = wander(Batch(game, 4, seats=seats, seed=6, auto_reset=True, record=True), 90)
    match = batch.match(2)
    assert match.state.pack() == batch.states[2].tobytes()
    file = tmp_path / "row.json"
    batch.save(2, file)
    assert replay.load(file).state == match.state
    action = match.legal()[0]
    match.play(action)
    batch.step([batch.legal(row)[0] for row in range(4)])
    assert match.state.pack() == batch.states[2].tobytes(), "its next dice are those of the row"
    match.undo()
    match.play(action)
    assert match.state.pack() == batch.states[2].tobytes()


def test_what_was_played_is_kept_only_if_asked_for() -> None:
    with pytest.raises(ParlourError, match="record=True"):
        Batch("goose", 1).match(0)


def test_buffers_of_the_caller_are_filled_in_place() -> None:
    batch = wander(Batch("verfuchst", 5, seed=1), 4)
    buffers: dict[str, Any] = {
        "legal_mask": np.empty((5, 68), np.bool_),
        "observe": np.empty((5, 362), np.int8),
        "to_move": np.empty(5, np.int64),
        "over": np.empty(5, np.bool_),
        "cut": np.empty(5, np.bool_),
        "rewards": np.empty((5, 4), np.float32),
        "scores": np.empty((5, 4), np.int64),
        "winners": np.empty((5, 4), np.bool_),
    }
    for name, out in buffers.items():
        verb = getattr(batch, name)
        assert verb(out=out) is out
        assert (out == verb()).all()
        for wrong, error in (
            (out.astype(np.float64), TypeError),
            (np.empty((6, *out.shape[1:]), out.dtype), ValueError),
            (np.empty((5, 2, *out.shape[1:]), out.dtype)[:, 0], ValueError),
            (out.tolist(), TypeError),
        ):
            with pytest.raises(error, match=f"^a buffer for {name} "):
                verb(out=wrong)
    offsets, actions = np.empty(6, np.int64), np.empty(100, np.int32)
    found = batch.legal_list(out=(offsets, actions))
    assert found[0] is offsets
    assert found[1].base is actions
    with pytest.raises(ValueError, match="a buffer for actions has the shape"):
        batch.legal_list(out=(offsets, np.empty(1, np.int32)))


WRONG_ACTIONS = {
    "fractions": ([0.0, 0.5, 0.0, 0.0], TypeError, "actions are whole numbers, not float64"),
    "truth": ([True] * 4, TypeError, "actions are whole numbers, not bool"),
    "text": (["0"] * 4, TypeError, "actions are whole numbers, not <U1"),
    "nothing": (None, TypeError, "actions are whole numbers, not object"),
    "too few": ([0], ValueError, r"a step of 4 rows takes 4 actions, not \(1,\)"),
    "too deep": ([[0] * 4], ValueError, r"a step of 4 rows takes 4 actions, not \(1, 4\)"),
    "too large": ([0, 0, 2**80, 0], TypeError, "actions are whole numbers, not object"),
    "unsigned": (np.full(4, 2**64 - 1, np.uint64), ValueError, r"actions are below 2\*\*63"),
    "illegal": ([0, 0, 7, 0], IllegalAction, "action 7 is illegal: it is not one of the legal actions of row 2"),
    "the engine's own": ([0, -1, -2, 0], IllegalAction, "action -1 is illegal: .* row 1"),
}


@pytest.mark.parametrize("wrong", WRONG_ACTIONS)
def test_actions_that_do_not_fit_are_refused_and_nothing_is_played(wrong: str) -> None:
    actions, error, words = WRONG_ACTIONS[wrong]
    batch = Batch("connect_four", 4, threads=2)
    before = batch.states.tobytes()
    with pytest.raises(error, match=words):
        batch.step(actions)
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("verb", ["legal", "state", "match", "reset", "__getitem__"])
@pytest.mark.parametrize("row", [4, -1, 10**9])
def test_a_batch_has_no_rows_beside_its_own(verb: str, row: int) -> None:
    with pytest.raises(IndexError, match=f"^there is no row {row}: the batch has 4, counted from 0$"):
        getattr(Batch("goose", 4, record=True), verb)(row)


@pytest.mark.parametrize(
    ("made", "error"),
    [
        (lambda: Batch("gose", 1), UnknownName),
        (lambda: Batch("goose", -1), ValueError),
        (lambda: Batch("goose", 1.5), TypeError),  # type: ignore[arg-type]
        (lambda: Batch("goose", True), TypeError),
        (lambda: Batch("goose", 1, seats=9), BadSeats),
        (lambda: Batch("goose", 1, seed=-1), BadSeed),
        (lambda: Batch("goose", 1, threads=0), ValueError),
        (lambda: Batch("goose", 4).legal(0.5), TypeError),  # type: ignore[arg-type]
        (lambda: Batch("goose", 4).reset([0.5]), TypeError),
        (lambda: Batch("goose", 4).reset([[0]]), ValueError),
        (lambda: Batch("goose", 4).reset([True]), ValueError),
        (lambda: Batch("goose", 4).reset([0], seed=1), ValueError),
        (lambda: Batch("goose", 4).observe(4), IndexError),
        (lambda: Batch("goose", 4).observe([0, 1]), ValueError),
        (lambda: Batch("goose", 4).observe(-1), IndexError),
        (lambda: Batch("goose", 4).observe(0.0), TypeError),
        (lambda: Batch("goose", 4).copy_row(4, 0), IndexError),
        (lambda: Batch("goose", 4).copy_row(0, [4]), IndexError),
        (lambda: parlour.new("goose", stream=-1), BadSeed),
    ],
)
def test_bad_input_raises(made: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        made()


def test_an_empty_batch() -> None:
    batch = Batch("goose", 0)
    batch.step([])
    assert len(batch) == len(batch.legal_mask()) == len(batch.observe()) == len(batch.legal_list()[1]) == 0


def test_a_batch_of_game17_works_by_lists() -> None:
    batch = Batch("game17", 3, seats=2, seed=1, edge=5, rounds=3)
    with pytest.raises(ParlourError, match=r"game17 has 5308418 actions, too many for a mask: use legal_list\(\)"):
        batch.legal_mask()
    offsets, actions = batch.legal_list()
    assert actions[offsets[1] : offsets[2]].tolist() == batch.game.legal_actions(batch.state(1))
    wander(batch, 20)
    assert batch.observe().shape == (3, 7490)
    assert batch.observe().tolist()[2] == batch.game.observed(batch.state(2), batch.state(2).to_move)


@rule
def list_by_overwriting(state: Any, actions: Any) -> int:
    """Puts every action somewhere, and goes on to the next place only where it is legal."""
    count = 0
    for action in range(6):
        actions[count] = action
        count += state.side >> action & 1
    return count


@rule
def list_and_look(state: Any, actions: Any) -> int:
    """Looks at what it has listed."""
    count = 0
    for action in range(6):
        if state.side >> action & 1 and (count == 0 or actions[count - 1] < action):
            actions[count] = action
            count += 1
    return count


@pytest.mark.parametrize("legal", [list_by_overwriting, list_and_look])
def test_the_legal_actions_do_not_depend_on_how_a_rule_lists_them(legal: Any) -> None:
    game = dataclasses.replace(COIN, name=legal.__name__, legal=legal, action_space=6, max_actions=6)
    rows, scratch = game.layout.rows(64), new_scratch(game)
    rows["side"], rows["over"][63] = np.arange(64), 1
    wanted = [[action for action in range(6) if side >> action & 1 and side < 63] for side in range(64)]
    driver = batch_drivers(game).legal_rows
    mask, counts = np.ones((64, 6), np.bool_), np.zeros(64, np.int64)
    listed, chosen = np.zeros(300, np.int32), np.zeros(64, np.int64)
    assert driver(rows, 0, 64, MASK, as_lines(mask), counts, listed, chosen, scratch) == 64
    assert [np.flatnonzero(line).tolist() for line in mask] == wanted
    assert driver(rows, 0, 64, LIST, as_lines(mask), counts, listed, chosen, scratch) == 64
    assert [part.tolist() for part in np.split(listed[: counts.sum()], np.cumsum(counts)[:-1])] == wanted
    assert driver(rows, 0, 64, LIST, as_lines(mask), counts, listed[:5], chosen, scratch) == 5, "no more room"
    for action in (-1, 0, 3, 6, 2**40):
        chosen[:] = action
        illegal = next(row for row, actions in enumerate(wanted) if actions and action not in actions)
        assert driver(rows, 0, 64, CHECK, as_lines(mask), counts, listed, chosen, scratch) == illegal


def test_payoffs_add_up_to_nothing() -> None:
    assert payoffs(2).tolist() == [[0, 0], [-1, 1], [0, 0]]
    assert payoffs(1).tolist() == [[-1, 1], [-1, 1]]
    four = payoffs(4)
    assert four[1].tolist() == pytest.approx([-1 / 3, 1])
    for winners in range(5):
        assert four[winners] @ [4 - winners, winners] == pytest.approx(0, abs=1e-6)


def test_games_states_matches_and_batches_can_be_copied_and_sent_to_other_processes() -> None:
    match = parlour.new("verfuchst", seats=3, seed=1)
    match.play(match.legal()[0])
    batch = wander(Batch("verfuchst", 4, seed=2, auto_reset=True, record=True, threads=2), 3)
    for copied in (copy.copy, copy.deepcopy, lambda kept: pickle.loads(pickle.dumps(kept))):
        assert copied(match.game) is match.game
        assert copied(match.state) == match.state
        twin = copied(match)
        assert (twin.state, twin.journal, twin.actions) == (match.state, match.journal, match.actions)
        twin.play(twin.legal()[0])
        assert twin.state != match.state
        again = copied(batch)
        assert same(again, batch)
        assert same(wander(again, 5), wander(batch[:], 5))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert (pool.submit(Batch.observe, batch).result() == batch.observe()).all()


def test_a_game_that_is_not_registered_goes_by_its_parts() -> None:
    from engine.race import GAME as RACE

    again = pickle.loads(pickle.dumps(RACE))
    assert [feature.name for feature in again.features] == [feature.name for feature in RACE.features]
    state = RACE.blank(2)
    assert pickle.loads(pickle.dumps(state)) == state
    assert again.observed(state, 0) == RACE.observed(state, 0)


def test_an_illegal_action_can_be_sent_to_another_process() -> None:
    match = parlour.new("connect_four", seed=1)
    with pytest.raises(IllegalAction) as raised:
        match.play(9)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.action, again.position) == (str(raised.value), 9, match.state)


def test_a_match_in_a_notebook_shows_its_picture() -> None:
    match = parlour.new("choccer", seed=1)
    assert match._repr_svg_() == match.seen_by(0)._repr_svg_() == match.game.looks.svg(match.state)
    assert "data:image/svg+xml;base64," in match._repr_html_()
    assert "seed=1" in match._repr_html_()
