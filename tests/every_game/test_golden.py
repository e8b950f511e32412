"""Every game has a golden playthrough, and still plays it."""

from __future__ import annotations

import pytest

import golden
from parlour.engine import registry


@pytest.mark.parametrize("name", registry.names())
def test_golden_playthrough(name: str) -> None:
    """If the difference is meant, raise the game's rules version and run ``make golden``."""
    expected = (golden.FOLDER / f"{name}.txt").read_text("utf-8")
    assert golden.playthrough(registry.get(name)).splitlines() == expected.splitlines()


def test_there_is_no_golden_playthrough_without_a_game() -> None:
    assert {file.stem for file in golden.FOLDER.iterdir()} == set(registry.names())
