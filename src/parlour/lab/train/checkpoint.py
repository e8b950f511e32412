"""How far a training is, in a file beside that of the judge: the same command goes on from there."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from parlour.engine.errors import ParlourError
from parlour.engine.files import written_whole
from parlour.lab.train.network import Network
from parlour.lab.train.plan import Plan


@dataclass
class Progress:
    """What has been done so far. ``strength``: what was measured on the way, by the number of games."""

    rounds: int = 0
    games: int = 0
    cut: int = 0
    seconds: float = 0.0
    loss: float = 0.0
    strength: list[dict[str, Any]] = field(default_factory=list)


def path_of(judge: Path) -> Path:
    return judge.with_name(judge.name + ".checkpoint")


def save(path: Path, plan: Plan, network: Network, progress: Progress) -> None:
    """Write the file, whole or not at all."""
    about = json.dumps({"plan": plan.to_json(), "progress": vars(progress), "steps": network.steps})
    with written_whole(path) as beside, beside.open("wb") as file:
        np.savez(file, about=about, values=network.values, mean=network.mean, square=network.square)


def load(path: Path, plan: Plan, network: Network) -> Progress:
    """Bring the network to where it was."""
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            arrays = [file[name] for name in ("values", "mean", "square")]
        same = about["plan"] == plan.to_json()
        progress, steps = Progress(**about["progress"]), int(about["steps"])
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ParlourError(f"{path} is damaged: delete it to begin anew") from error
    if not same:
        raise ParlourError(f"{path} is of a training with another plan: go on with that one, or delete the file")
    network.values[:], network.mean[:], network.square[:] = arrays
    network.steps = steps
    return progress
