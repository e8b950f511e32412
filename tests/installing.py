"""Games for tests, as if they were installed: found by this process and by those that it starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from parlour.engine import registry

HOME = Path(__file__).parents[1]
WHERE = {
    "telltale": HOME / "tests",
    "goofspiel": HOME / "examples" / "goofspiel",
    "hearts": HOME / "examples" / "hearts",
    "kuhn": HOME / "examples" / "kuhn",
    "leduc": HOME / "examples" / "leduc",
    "liars_dice": HOME / "examples" / "liars_dice",
}


@contextmanager
def installed(folder: Path, *names: str) -> Iterator[None]:
    """These games are installed in the folder."""
    for name in names:
        about = folder / f"parlour_{name}_for_tests-1.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: parlour-{name}-for-tests\nVersion: 1\n")
        (about / "entry_points.txt").write_text(f"[parlour.games]\n{name} = {name}:GAME\n")
    places = [str(folder), *(str(WHERE[name]) for name in names)]
    with pytest.MonkeyPatch.context() as patch:
        known = os.environ.get("PYTHONPATH", "")
        patch.setenv("PYTHONPATH", os.pathsep.join([*places, *filter(None, [known])]))
        for place in places:
            patch.syspath_prepend(place)
        registry.forget()
        yield
    registry.forget()
