"""Games of movers in this process: ``players`` are functions like ``get_mover``, by player number.

Nobody is ever handed the board itself, orders are checked, and what a mover raises costs it its turn. But a mover in
this process cannot be stopped; the command ``game17`` gives every bot file a process of its own.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from game17.basic_mover import GetMover
from game17.files import frame, make_folder
from game17.games import GameJob, GameSetting, Outcome

Players = Mapping[int, GetMover]
Ranks = list[set[int]]


class NumPyEncoder(json.JSONEncoder):
    """Writes NumPy's numbers and arrays as JSON."""

    def default(self, thing: Any) -> Any:
        return thing.tolist() if isinstance(thing, np.generic | np.ndarray) else super().default(thing)


def _setting(board_size: int, num_rounds: int) -> GameSetting:
    """Seeded from NumPy's own generator, so that ``np.random.seed`` makes games repeatable."""
    return GameSetting(board_size, num_rounds, seed=int(np.random.randint(2**31)))


def game17(
    players: Players, board_size: int = 14, num_rounds: int = 50
) -> tuple[dict[int, int], dict[int, float], dict[str, Any]]:
    """Play a game: squares by owner, mean seconds per call by player (−1: never called), and the record."""
    from game17.local_movers import play_local

    playing = play_local(dict(players), _setting(board_size, num_rounds), "game")
    _tell_faults(GameJob.of("game", playing.seats), playing.outcome())
    return playing.game.scores, playing.times, playing.game.record()


def replay(game: Mapping[str, Any], display_counts: bool = False, colours: Mapping[int, str] | None = None) -> None:
    """Show a record on the screen."""
    from game17.display import show_game

    show_game(game, counts=display_counts, colours=colours)


def single(
    movers: Players,
    board_size: int = 14,
    num_rounds: int = 50,
    display_counts: bool = False,
    colours: Mapping[int, str] | None = None,
) -> None:
    """Play a game, show it, and say how long calls took."""
    _, times, record = game17(movers, board_size, num_rounds)
    replay(record, display_counts, colours)
    print(frame(["times"], list(times.items())))


def round_robin(
    movers: Players,
    output_directory: str | Path,
    board_size: int = 14,
    num_rounds: int = 50,
    time_threshold: float = 0.01,
    group: int | None = None,
) -> Ranks:
    """One game for each pair, with files in the folder; groups of equals, the best first."""
    from game17 import ranking
    from game17.local_movers import LocalCrew

    crew = LocalCrew(movers, _setting(board_size, num_rounds))
    make_folder(Path(output_directory))
    folder = Path(output_directory)
    return ranking.round_robin(crew, crew.players, folder, time_threshold, group or 0, _tell_faults)


def battle_royale(
    movers: Players,
    output_directory: str | Path,
    num_games: int = 100,
    board_size: int = 14,
    num_rounds: int = 50,
    time_threshold: float = 0.01,
) -> Ranks:
    """Games of all together, with files in the folder; groups of equals, the best first."""
    from game17 import ranking
    from game17.local_movers import LocalCrew

    crew = LocalCrew(movers, _setting(board_size, num_rounds))
    make_folder(Path(output_directory))
    return ranking.battle_royale(crew, Path(output_directory), num_games, time_threshold, _tell_faults)


def vs_zombies(
    movers: Players, num_games: int = 100, board_size: int = 14, num_rounds: int = 50
) -> tuple[Counter[int], Counter[int]]:
    """Games of one mover against zombies: wins, and the longest mean time per call, both by its number."""
    from game17.local_movers import LocalCrew

    if len(movers) != 1:
        raise ValueError(f"vs_zombies takes one player, not {len(movers)}")
    (player,) = movers
    wins: Counter[int] = Counter()
    longest: Counter[int] = Counter()
    jobs = [GameJob.of(f"game {game}", (player,)) for game in range(num_games)]
    for outcome in LocalCrew(movers, _setting(board_size, num_rounds)).play(jobs):
        _tell_faults(jobs[0], outcome)
        wins[player] += player in outcome.winners
        longest[player] = max(longest[player], outcome.times[player])  # type: ignore[assignment]
    return wins, longest


def _tell_faults(job: GameJob, outcome: Outcome) -> None:
    for player, reasons in outcome.lost.items():
        turns = "1 turn" if len(reasons) == 1 else f"{len(reasons)} turns"
        print(f"player {player} lost {turns} in {job.label}, the first in {reasons[0]}", file=sys.stderr)
