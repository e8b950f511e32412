"""Options: what the page suggests, beside what the rules have."""

from __future__ import annotations

import pytest

from parlour.engine import Option, registry
from parlour.engine.errors import BadOption
from parlour.engine.game import Game
from parlour.server.telling.views import game_view


def test_what_is_suggested_is_a_value_of_the_option() -> None:
    assert Option("edge", 14, "squares", low=2, high=24).suggestion == 14
    assert Option("edge", 14, "squares", low=2, high=24, suggested=6).suggestion == 6
    with pytest.raises(BadOption, match="option edge is 2 to 24, not 25"):
        Option("edge", 14, "squares", low=2, high=24, suggested=25)


def test_scripts_and_terminals_begin_with_what_the_rules_have() -> None:
    game = registry.get("game17")
    assert game.resolve_options({}) == {"edge": 14, "rounds": 50}
    assert {option.name: (option.default, option.suggested) for option in game_view(game).options} == {
        "edge": (14, 6),
        "rounds": (50, 15),
    }


@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.name)
def test_every_game_takes_its_usual_seats_with_what_it_suggests(game: Game) -> None:
    options = game.resolve_options({option.name: option.suggestion for option in game.options})
    assert game.resolve_seats(None, options) == game.resolve_seats(None, game.resolve_options({}))
