"""Environments where researchers already are: PettingZoo, Gymnasium, OpenSpiel. docs/environments.md shows them.

    aec("goose", seats=4)                       PettingZoo: one agent after the other
    parallel("goose", seats=4)                  PettingZoo: all agents at once; whoever is not to move is not heard
    single("verfuchst", opponents=["random"])   Gymnasium: one learner against bots
    vector("connect_four", 4096)                Gymnasium: many matches at once, on a batch
    register_gymnasium()                        Gymnasium: every game by its id, such as parlour/ConnectFour-v1
    register_openspiel()                        OpenSpiel: every game, as ``parlour_NAME``
    random_legal(mask)                          a random legal action for each row of a batch or a vector

Each brings its library along only when it is called: pip install 'parlour[rl]'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parlour.engine.errors import ParlourError
from parlour.rl.random_play import random_legal

if TYPE_CHECKING:
    from parlour.engine.game import Game
    from parlour.rl.batch_env import BatchEnv
    from parlour.rl.learner_env import LearnerEnv
    from parlour.rl.seats_at_once import SeatsAtOnceEnv
    from parlour.rl.seats_env import SeatsEnv

__all__ = ["aec", "parallel", "random_legal", "register_gymnasium", "register_openspiel", "single", "vector"]


def aec(game: Game | str, seats: int | None = None, **settings: Any) -> SeatsEnv:
    """A PettingZoo environment (AEC): one agent for each seat, each asked when it is to move."""
    _need("pettingzoo")
    from parlour.rl.seats_env import SeatsEnv

    return SeatsEnv(game, seats, **settings)


def parallel(game: Game | str, seats: int | None = None, **settings: Any) -> SeatsAtOnceEnv:
    """A PettingZoo environment in which all agents act at once; the action of the seat to move is played."""
    _need("pettingzoo")
    from parlour.rl.seats_at_once import SeatsAtOnceEnv

    return SeatsAtOnceEnv(game, seats, **settings)


def single(game: Game | str, opponents: list[Any] | None = None, **settings: Any) -> LearnerEnv:
    """A Gymnasium environment: one learner, and bots in all other seats."""
    _need("gymnasium")
    from parlour.rl.learner_env import LearnerEnv

    return LearnerEnv(game, opponents, **settings)


def vector(game: Game | str, num_envs: int, **settings: Any) -> BatchEnv:
    """A Gymnasium VectorEnv: many matches side by side, on a batch; with ``opponents``, against these."""
    _need("gymnasium")
    if settings.get("opponents") is not None:
        from parlour.rl.against import AgainstEnv

        return AgainstEnv(game, num_envs, **settings)
    if settings.pop("seat", None) is not None:
        raise ParlourError("without opponents, whoever is to move acts: seat is for a vector with opponents")
    settings.pop("opponents", None)
    from parlour.rl.batch_env import BatchEnv

    return BatchEnv(game, num_envs, **settings)


def register_gymnasium() -> list[str]:
    """Register every game with Gymnasium, as ``parlour/Name-vVERSION``, for ``make`` and ``make_vec``; their ids."""
    _need("gymnasium")
    from parlour.rl.versions import register

    return register()


def register_openspiel() -> list[str]:
    """Register every game with OpenSpiel, as ``parlour_NAME``; the names that it has there."""
    _need("pyspiel", "open_spiel")
    from parlour.rl.openspiel_games import register

    return register()


def _need(module: str, package: str = "") -> None:
    import importlib.util

    if importlib.util.find_spec(module) is None:
        wanted = package or "'parlour[rl]'"
        raise ParlourError(f"{package or module} is not installed: pip install {wanted}")
