"""``parlour bench``, where Parlour's sources are: the benchmarks are beside them and are not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import parlour
from parlour.engine.errors import ParlourError

SOURCES = Path(parlour.__file__).parents[2]


def bench(device: str, *, as_json: bool) -> int:
    """The exit code says whether every target is met."""
    if not (SOURCES / "benchmarks" / "engine").is_dir():
        raise ParlourError(
            "the benchmarks are not installed with Parlour: 'make bench', or 'parlour bench' "
            "of a Parlour that was installed from its sources with pip install -e, runs them"
        )
    sys.path.insert(0, str(SOURCES))
    from benchmarks.engine import command

    return command.bench(device, as_json=as_json)
