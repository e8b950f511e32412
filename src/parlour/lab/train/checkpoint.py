"""How far a training is, in a file beside that of the judge: the same command goes on from there."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from parlour.engine.errors import ParlourError
from parlour.engine.files import read_file, written_whole
from parlour.engine.foreign_json import read_json
from parlour.engine.judge.contents import Amount, Count, Measured
from parlour.lab.train.network import LARGEST, Network
from parlour.lab.train.plan import Plan

MOST_WORDS = 4 << 20  # bytes of all but the network's numbers


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


class _About(msgspec.Struct, forbid_unknown_fields=True):
    plan: dict[str, Any]
    progress: _Progress
    steps: Count


class _Progress(msgspec.Struct, forbid_unknown_fields=True):
    rounds: Count
    games: Count
    cut: Count
    seconds: Amount
    loss: Amount
    strength: list[Measured]


def load(path: Path, plan: Plan, network: Network) -> Progress:
    """Bring the network to where it was."""
    try:
        about, arrays = _read(path, network)
        checked = msgspec.convert(about, _About)
    except Exception as error:  # the libraries that unpack it raise whatever they like
        raise ParlourError(f"{path} is damaged: delete it to begin anew") from error
    if checked.plan != plan.to_json():
        raise ParlourError(f"{path} is of a training with another plan: go on with that one, or delete the file")
    network.values[:], network.mean[:], network.square[:] = arrays
    network.steps = checked.steps
    return Progress(**about["progress"])


def _read(path: Path, network: Network) -> tuple[dict[str, Any], list[Any]]:
    """What the file says, and the numbers of the network. It may raise anything."""
    room = sum(each.nbytes for each in (network.values, network.mean, network.square)) + MOST_WORDS
    content = read_file(path, room)
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        if len(content) > room or sum(member.file_size for member in file.zip.infolist()) > room:
            raise ValueError("it is too large")
        about: dict[str, Any] = read_json(str(file["about"]))
        values, mean, square = arrays = [file[name] for name in ("values", "mean", "square")]
    if any(each.shape != network.values.shape or each.dtype != network.values.dtype for each in arrays):
        raise ValueError("it is of another network")
    if not np.isfinite([mean, square]).all() or (square < 0).any() or not (np.abs(values) <= np.float32(LARGEST)).all():
        raise ValueError("no network can learn such numbers")
    return about, arrays
