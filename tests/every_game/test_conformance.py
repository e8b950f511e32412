"""Every registered game is put through the conformance suite."""

from __future__ import annotations

import pytest

from compiling import EACH_GAME
from parlour.engine import registry
from parlour.engine.check import CHECKS


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("game", EACH_GAME)
def test_conformance(game: str, check: str) -> None:
    CHECKS[check].run(registry.get(game))
