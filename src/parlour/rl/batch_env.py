"""Gymnasium: many matches at once, on a batch."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from parlour.engine import registry
from parlour.engine.batch import Batch
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.secrets import refuse_secrets
from parlour.rl.episodes import observation_space
from parlour.rl.versions import versions

Info = dict[str, Any]


class BatchEnv(VectorEnv[Any, Any, Any]):
    """Self-play: in every match, whoever is to move observes and acts.

    On a GPU (``device="cuda"``), all that it gives are tensors of PyTorch there.

    The reward of a step is that of the seat that acted in it. ``info`` has the mask of legal actions, the seat to move
    and the rewards of all seats.

    ``autoreset_mode`` says when a match that has ended, or was cut, begins anew: in the same step, which then has its
    last observation as ``info["final_obs"]`` and its info as ``info["final_info"]``; in the next step, whose action
    does nothing; or only when ``reset(options={"reset_mask": …})`` asks for it.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        seats: int | None = None,
        threads: int = 1,
        device: str = "cpu",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        known = registry.get(game) if isinstance(game, str) else game
        refuse_secrets(known, "a batch would show every seat all of them: use parlour.rl.aec, parallel or single")
        where = {"threads": threads} if device == "cpu" else {"device": device}
        self.batch: Any = Batch(game, num_envs, seats, **where, **options)
        self.autoreset_mode = reset_mode(autoreset_mode)
        self._arrays: Arrays = Arrays() if device == "cpu" else Tensors(self.batch)
        played = self.batch.game
        if played.action_space > 2**16:
            raise ParlourError(f"{played.name} has too many actions for masks: use parlour.Batch and its legal_list()")
        self.metadata = {"render_modes": ["svg"], "autoreset_mode": self.autoreset_mode, **versions(played)}
        self.num_envs = num_envs
        self.render_mode = None
        self.single_action_space = spaces.Discrete(played.action_space)
        self.single_observation_space = observation_space(played)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._seeds = np.random.default_rng()
        self._rows = self._arrays.numbers(num_envs)
        self._ended: Any = None  # where matches have ended that begin anew in the next step

    def reset(self, *, seed: int | list[int | None] | None = None, options: Info | None = None) -> tuple[Any, Info]:
        if isinstance(seed, list):
            raise ParlourError("one seed settles all matches of a batch: give a number, not a list")
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        rows = (options or {}).get("reset_mask")
        if rows is None:
            self.batch.reset(seed=int(self._seeds.integers(2**63)))
        else:
            self.batch.reset(rows)
        self._ended = None
        return self._ask("observe"), self._info()

    def _ask(self, verb: str) -> Any:
        return self._arrays.ask(self.batch, verb)

    def _info(self) -> Info:
        return {"action_mask": self._ask("legal_mask"), "to_move": self._ask("to_move")}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Info]:
        acted = self._ask("to_move")
        begins, self._ended = self._ended, None
        self.batch.step(actions if begins is None else self._arrays.filled(actions, begins, self._ask("legal_mask")))
        if begins is not None:
            self.batch.reset(begins)
        all_rewards, over, cut = self._ask("rewards"), self._ask("over"), self._ask("cut")
        told = (all_rewards[self._rows, acted], over, cut)
        ended = over | cut
        final: Info = {}
        if self.autoreset_mode != AutoresetMode.DISABLED and bool(ended.any()):
            if self.autoreset_mode == AutoresetMode.NEXT_STEP:
                self._ended = ended
            else:
                final = self._begun_anew(ended, all_rewards)
        return self._ask("observe"), *told, {**self._info(), "rewards": all_rewards, **final}

    def _begun_anew(self, ended: Any, rewards: Any) -> Info:
        """Begin new matches where they have ended; the last that was seen of the old ones."""
        seen, info = self._ask("observe"), self._info()
        self.batch.reset(ended)
        info |= {"rewards": rewards}
        marks = {f"_{name}": ended for name in info}
        return {"final_obs": seen, "_final_obs": ended, "final_info": {**info, **marks}, "_final_info": ended}

    def render(self) -> tuple[str, ...]:
        """The picture of every match, as SVG."""
        return tuple(self.batch.game.looks.svg(self.batch.state(row)) for row in range(self.num_envs))


def reset_mode(given: AutoresetMode | str) -> AutoresetMode:
    """The mode of that name, such as SAME_STEP or same_step."""
    if isinstance(given, AutoresetMode):
        return given
    names = {mode.name: mode for mode in AutoresetMode}
    if str(given).upper() not in names:
        raise ParlourError(f"autoreset_mode is one of {', '.join(names)}, not {given!r}")
    return names[str(given).upper()]


class Arrays:
    """What an environment on the CPU gives: NumPy's arrays."""

    def ask(self, batch: Any, verb: str) -> Any:
        """What a verb of the batch gives."""
        return getattr(batch, verb)()

    def numbers(self, rows: int) -> Any:
        """The numbers of the rows."""
        return np.arange(rows)

    def filled(self, actions: Any, where: Any, mask: Any) -> Any:
        """The actions, but a legal one in rows that begin anew whatever is played there."""
        return np.where(where, mask.argmax(axis=1), actions)


class Tensors(Arrays):
    """What an environment on a GPU gives: PyTorch's tensors, which the verbs of the batch fill."""

    def __init__(self, batch: Any) -> None:
        rows, game = len(batch), batch.game
        torch_now()
        self._kinds = {
            "observe": ((rows, game.observation_size), game.observation_type),
            "legal_mask": ((rows, game.action_space), "bool"),
            "to_move": ((rows,), "int64"),
            "rewards": ((rows, batch.seats), "float32"),
            "over": ((rows,), "bool"),
            "cut": ((rows,), "bool"),
        }

    def ask(self, batch: Any, verb: str) -> Any:
        shape, kind = self._kinds[verb]
        torch = torch_now()
        return getattr(batch, verb)(out=torch.empty(shape, dtype=getattr(torch, kind), device="cuda"))

    def numbers(self, rows: int) -> Any:
        return torch_now().arange(rows, device="cuda")

    def filled(self, actions: Any, where: Any, mask: Any) -> Any:
        torch = torch_now()
        return torch.where(where, mask.to(torch.int8).argmax(dim=1), torch.as_tensor(actions, device="cuda"))


def torch_now() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise ParlourError("torch is not installed: a vector on a GPU gives its tensors") from error
