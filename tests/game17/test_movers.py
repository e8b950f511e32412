"""Zombies, T800s and movers in this process, on the compiled turns."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import game17
from game17 import T800, files, game_runners, zombie
from game17.basic_mover import as_get_mover
from game17.games import GameSetting
from game17.live_game import LiveGame
from game17.local_movers import play_local
from parlour.engine import Chance
from parlour.engine.errors import NotWritten
from parlour.games.game17 import GAME
from parlour.games.game17.bots.t800 import plan_t800
from parlour.games.game17.notation.orders import read_orders


def board(seed: int, size: int = 6) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    return random.integers(0, 4, (size, size)), random.integers(0, 9, (size, size)) * random.integers(
        0, 2, (size, size)
    )


def sent(moves: Any) -> dict[tuple[int, int], int]:
    total: dict[tuple[int, int], int] = {}
    for (row, column), way, count in moves:
        assert way in "nsew"
        assert count > 0
        total[int(row), int(column)] = total.get((int(row), int(column)), 0) + int(count)
    return total


def test_a_zombie_moves_all_its_pieces_and_nothing_else() -> None:
    owners, numbers = board(1)
    moves = zombie.make_moves(2, None, owners, numbers)
    assert isinstance(moves, list)
    assert isinstance(moves[0], tuple)
    assert isinstance(moves[0][0], np.ndarray)
    assert sent(moves) == {(i, j): n for i, j, n in game17.find_owned_pieces(2, owners, numbers).tolist()}


@pytest.mark.parametrize("seed", range(20))
def test_the_mover_and_the_rule_of_the_t800_have_the_same_directions(seed: int) -> None:
    """Two tellings of the same: whatever one could send, the other could, and both send all or nothing."""
    owners, numbers = board(seed)
    state = GAME.blank(4, edge=6)
    state.owner[:36], state.pieces[:36] = owners.ravel().tolist(), numbers.ravel().tolist()
    seen: list[set[int]] = [set(), set()]
    for attempt in range(40):
        plan = state.copy()
        plan_t800(plan, 1, Chance.at(seed, attempt))
        seen[0] |= {way for way, pieces in enumerate(plan.ordered) if pieces}
        assert all(plan.leaving[square] in (0, state.pieces[square]) for square in range(36))
        moves = T800.make_moves(1, 3, owners, numbers)
        seen[1] |= {way for way, _ in read_orders(moves, 6)}
        assert all(count == numbers[square] for square, count in sent(moves).items())
    for square in range(36):
        chances = T800.zombie_strategy(
            [numbers[tuple(game17.destination((square // 6, square % 6), way, 6))] for way in "nsew"],
            int(numbers[square // 6, square % 6]),
        )
        likely = {
            square * 4 + way
            for way in range(4)
            if chances[way] > 0.2 and owners.ravel()[square] == 1 and numbers.ravel()[square]
        }
        assert likely <= seen[0]
        assert likely <= seen[1]


def test_t800s_alone_never_move() -> None:
    """196 T800s: nobody has enough for anybody."""
    table = LiveGame(14, 5, seed=1, t800s=range(196))
    assert all(turn["numbers"].size == 0 for turn in table.record()["diffs"])
    assert set(table.scores.values()) == {1}
    movers = {player: game17.get_mover_factory(T800.make_moves) for player in range(16)}
    assert set(game_runners.game17(movers, board_size=4, num_rounds=3)[0].values()) == {1}


def test_a_game_has_scores_times_and_a_record() -> None:
    movers = {1: game17.get_mover_factory(zombie.make_moves), 2: game17.get_mover_factory(zombie.make_moves)}
    scores, times, record = game_runners.game17(movers, board_size=4)
    assert sum(scores.values()) == 16
    assert times.keys() == {1, 2}
    assert all(type(time) is float for time in times.values())
    owners, numbers = record["owners"].copy(), record["numbers"].copy()
    for turn in record["diffs"]:
        assert turn["owners"].shape[1:] == (3,)
        for row, column, new in turn["owners"]:
            owners[row, column] = new
        for row, column, new in turn["numbers"]:
            numbers[row, column] = new
        assert numbers.sum() == 64
    assert {int(owner): int((owners == owner).sum()) for owner in np.unique(owners)} == scores
    assert game_runners.game17({}, board_size=4)[1] == {}


def test_the_written_game_is_the_record() -> None:
    table = LiveGame(7, 20, seed=3, t800s=[1, 2])
    assert json.loads(table.to_json()) == json.loads(json.dumps(table.record(), cls=game_runners.NumPyEncoder))


def test_make_moves_is_told_the_rounds_left_and_gets_copies() -> None:
    told = []

    def make_moves(owner: int, rounds_left: int, owners: Any, numbers: Any) -> list[Any]:
        told.append(rounds_left)
        assert type(owner) is int
        assert owners.dtype == numbers.dtype == np.int64
        owners[:], numbers[:] = owner, 99
        return []

    def get_mover(owner: Any, owners: Any, numbers: Any, turn_order: Any, num_rounds: Any) -> Any:
        owners[:], numbers[:] = owner, 99
        turn_order.clear()
        return game17.get_mover_factory(make_moves)(owner=owner, num_rounds=num_rounds)

    for factory in (game17.get_mover_factory(make_moves), get_mover):
        told.clear()
        scores, _, _ = game_runners.game17({3: factory}, board_size=14, num_rounds=2)
        assert told in ([1, 0], [1], [])
        assert scores.get(3, 0) <= 1, "it owns no more for having written on its copies"


@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit, KeyError])
def test_whatever_a_mover_raises_costs_its_turn(error: type[BaseException], capsys: pytest.CaptureFixture[str]) -> None:
    def make_moves(*_: Any) -> list[Any]:
        raise error("so there")

    _, times, _ = game_runners.game17({1: game17.get_mover_factory(make_moves)}, board_size=3, num_rounds=2)
    assert times[1] >= 0 or times[1] == -1
    assert error.__name__ in capsys.readouterr().err or times[1] == -1


def test_numpys_seed_makes_games_repeatable() -> None:
    def play() -> str:
        np.random.seed(5)
        movers = {1: game17.get_mover_factory(T800.make_moves)}
        return json.dumps(game_runners.game17(movers, board_size=5)[2], cls=game_runners.NumPyEncoder)

    assert play() == play()


def test_the_functions_of_the_public_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    movers = {1: game17.get_mover_factory(T800.make_moves), 2: game17.get_mover_factory(zombie.make_moves)}
    ranks = game17.battle_royale(
        movers, tmp_path / "royale", num_games=6, board_size=6, num_rounds=30, time_threshold=0
    )
    assert set().union(*ranks) == {1, 2}
    ranks = game17.round_robin(movers, str(tmp_path / "robin"), 6, 30, 0)
    assert sorted(file.name for file in (tmp_path / "robin").iterdir()) == [
        "1 vs 2.json",
        "round-robin-summary.txt",
        "round-robin.txt",
    ]
    wins, longest = game17.vs_zombies({4: movers[1]}, num_games=5, board_size=6)
    assert 0 <= wins[4] <= 5
    assert longest[4] > 0
    with pytest.raises(ValueError, match="one player, not 2"):
        game17.vs_zombies(movers)
    game17.single(movers, board_size=4, num_rounds=2)
    game17.replay(files.read_replay(tmp_path / "robin" / "1 vs 2.json"), display_counts=True)
    assert "squares" in capsys.readouterr().out


def test_players_as_they_once_were() -> None:
    """A player could be ``make_moves`` itself, and ``make_moves`` was not told the rounds left."""
    owners, numbers = board(1)
    moves = zombie.make_moves(2, owners, numbers)
    assert sent(moves) == {(i, j): n for i, j, n in game17.find_owned_pieces(2, owners, numbers).tolist()}
    asked: list[tuple[int, int | None, Any]] = []

    def told(owner: int, rounds_left: int, owners: Any, numbers: Any) -> list[Any]:
        asked.append((owner, rounds_left, owners.shape))
        return []

    def untold(owner: int, owners: Any, numbers: Any) -> list[Any]:
        asked.append((owner, None, owners.shape))
        return zombie.make_moves(owner, owners, numbers)

    players: dict[int, Any] = {0: told, 1: untold, 2: zombie.make_moves}
    scores, times, _ = game_runners.game17(players, board_size=2, num_rounds=1)
    assert sum(scores.values()) == 4
    assert times.keys() == {0, 1, 2}
    assert set(asked) <= {(0, 0, (2, 2)), (1, None, (2, 2))}
    assert {owner for owner, _, _ in asked} == {owner for owner in (0, 1) if times[owner] >= 0}
    assert sum(game_runners.game17([], board_size=4)[0].values()) == 16  # type: ignore[arg-type]


def test_a_get_mover_is_known_by_what_it_takes() -> None:
    def get_mover(**given: Any) -> Any:
        return given["num_rounds"]

    assert as_get_mover(get_mover) is get_mover
    mover = as_get_mover(lambda owner, owners, numbers: [owner, owners, numbers])(owner=7, num_rounds=3)
    assert mover("owners", "numbers") == [7, "owners", "numbers"]
    mover = as_get_mover(lambda *arguments: arguments)(owner=7, num_rounds=3)
    assert mover("owners", "numbers") == (7, 2, "owners", "numbers")


def test_signatures_are_those_of_the_public_program() -> None:
    def names(function: Any) -> list[str]:
        return list(inspect.signature(function).parameters)

    assert names(game17.update_board) == ["owner", "moves", "owners", "numbers"]
    assert names(zombie.make_moves) == names(T800.make_moves) == ["owner", "rounds_left", "owners", "numbers"]
    assert names(game17.round_robin)[:2] == names(game17.battle_royale)[:2] == ["movers", "output_directory"]
    assert names(game17.replay) == ["game", "display_counts", "colours"]
    assert names(game17.get_mover_factory(zombie.make_moves)) == [
        "owner",
        "owners",
        "numbers",
        "turn_order",
        "num_rounds",
    ]


def test_results_overwrite_nothing(tmp_path: Path) -> None:
    (tmp_path / "battle-royale-0.json").write_text("mine")
    with pytest.raises(NotWritten, match="exists already"):
        game17.battle_royale({}, tmp_path, num_games=1, board_size=3)
    assert (tmp_path / "battle-royale-0.json").read_text() == "mine"


def test_a_refused_order_is_told_with_its_round() -> None:
    """In round 1 (counted from 0, as in the replay) the mover orders what it has not."""

    def make_moves(owner: int, rounds_left: int, owners: Any, numbers: Any) -> list[Any]:
        return [((0, 0), "n", 10_000)] if rounds_left == 2 else []

    played = play_local({1: game17.get_mover_factory(make_moves)}, GameSetting(6, 4, seed=1), "game")
    assert [reason.split(":")[0] for reason in played.outcome().lost[1]] == ["round 1"]
