"""Gymnasium: many matches at once, on a batch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from parlour.engine.batch import Batch
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.rl.episodes import observation_space


class BatchEnv(VectorEnv[Any, Any, Any]):
    """Self-play: in every match, whoever is to move observes and acts. A match that has ended begins anew at once.

    On a GPU (``device="cuda"``), all that it gives are tensors of PyTorch there.

    The reward of a step is that of the seat that acted in it. ``info`` has the mask of legal actions, the seat to move
    and the rewards of all seats.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        seats: int | None = None,
        threads: int = 1,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        where = {"threads": threads} if device == "cpu" else {"device": device}
        self.batch: Any = Batch(game, num_envs, seats, auto_reset=True, **where, **options)
        self._ask: Callable[[str], Any] = lambda verb: getattr(self.batch, verb)()
        self._rows: Any = np.arange(num_envs)
        if device != "cpu":
            self._ask, self._rows = on_gpu(self.batch)
        played = self.batch.game
        if played.action_space > 2**16:
            raise ParlourError(f"{played.name} has too many actions for masks: use parlour.Batch and its legal_list()")
        self.metadata = {"render_modes": ["svg"], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs = num_envs
        self.render_mode = None
        self.single_action_space = spaces.Discrete(played.action_space)
        self.single_observation_space = observation_space(played)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._seeds = np.random.default_rng()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        if isinstance(seed, list):
            raise ParlourError("one seed settles all matches of a batch: give a number, not a list")
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.batch.reset(seed=int(self._seeds.integers(2**63)))
        return self._ask("observe"), self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._ask("legal_mask"), "to_move": self._ask("to_move")}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        acted = self._ask("to_move")
        self.batch.step(actions)
        rewards = self._ask("rewards")
        info = {**self._info(), "rewards": rewards}
        return self._ask("observe"), rewards[self._rows, acted], self._ask("over"), self._ask("cut"), info

    def render(self) -> tuple[str, ...]:
        """The picture of every match, as SVG."""
        return tuple(self.batch.game.svg(self.batch.state(row)) for row in range(self.num_envs))


def on_gpu(batch: Any) -> tuple[Callable[[str], Any], Any]:
    """How a verb of the batch gives a tensor: it fills a new one. And the numbers of the rows, as one."""
    try:
        torch: Any = importlib.import_module("torch")
    except ImportError as error:
        raise ParlourError("torch is not installed: a vector on a GPU gives its tensors") from error
    rows, game = len(batch), batch.game
    kinds = {
        "observe": ((rows, game.observation_size), getattr(torch, game.observation_type)),
        "legal_mask": ((rows, game.action_space), torch.bool),
        "to_move": ((rows,), torch.int64),
        "rewards": ((rows, batch.seats), torch.float32),
        "over": ((rows,), torch.bool),
        "cut": ((rows,), torch.bool),
    }

    def ask(verb: str) -> Any:
        shape, kind = kinds[verb]
        return getattr(batch, verb)(out=torch.empty(shape, dtype=kind, device="cuda"))

    return ask, torch.arange(rows, device="cuda")
