"""A game at a glance, and the order in which newcomers are shown games."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from parlour.engine import Glance, registry
from parlour.engine.errors import BadGame
from parlour.engine.glance import newcomers_first


def test_easy_and_short_games_come_first_and_what_says_nothing_last() -> None:
    games = registry.all_games()
    silent = dataclasses.replace(registry.get("goose"), glance=None)
    order = [game.name for game in newcomers_first([silent, *games])]
    assert order[-1] == "goose"
    assert order.index("connect_four") < order.index("choccer") < order.index("mazerunner") < len(games)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"minutes": (20, 10)}, "the fewest and the most"),
        ({"minutes": (0, 10)}, "the fewest and the most"),
        ({"difficulty": "simple"}, "easy, medium or hard, not 'simple'"),
        ({"luck": "dice"}, "luck, both or skill, not 'dice'"),
    ],
)
def test_a_glance_that_says_nothing_sensible_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(BadGame, match=said):
        Glance(**{"minutes": (5, 10), "difficulty": "easy", "luck": "skill", **wrong})


@pytest.mark.parametrize("name", registry.names())
def test_every_game_here_says_it(name: str) -> None:
    assert registry.get(name).glance is not None
