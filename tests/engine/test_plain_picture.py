"""The table of a game that draws no picture of its own, and of one whose picture raises."""

from __future__ import annotations

import dataclasses
import re

import pytest
from rich.text import Text

from engine import coin_game
from parlour.engine import Match, State, looks
from parlour.engine.check import CHECKS
from parlour.engine.game import Game
from parlour.engine.looks import PLAIN
from parlour.engine.picture import Picture
from parlour.engine.terminal import Terminal


def growing(state: State, *, ascii: bool = False) -> Text:
    """A board that is larger later."""
    return Text("\n".join("x" * (3 + 9 * state.ply) for _ in range(1 + state.ply)))


def without_picture() -> Game:
    game = dataclasses.replace(coin_game.GAME)
    game.looks.__dict__["terminal"] = Terminal(board=growing)
    return game


def test_it_has_one_size_whatever_the_board_has_and_check_is_content() -> None:
    game = without_picture()
    match = Match(game, seed=1)
    scenes = [game.looks.scene(match.state)]
    assert game.looks.backdrop(match.state) == (PLAIN, "")
    match.play(0)
    scenes.append(game.looks.scene(match.state))
    assert game.looks.backdrop(match.state) == (PLAIN, "")
    boxes = [re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', scene) for scene in scenes]
    assert boxes[0] != boxes[1], "the board grows, and fills the same picture"
    assert all(f'width="{PLAIN[0]:g}" height="{PLAIN[1]:g}"' in scene for scene in scenes)
    CHECKS["picture"].run(game)


def test_a_picture_that_raises_gives_way_where_somebody_is_told() -> None:
    def broken(state: State) -> str:
        raise ZeroDivisionError("late")

    game = dataclasses.replace(coin_game.GAME)
    picture = Picture(size=(100, 50), backdrop=broken, scene=broken, picks=lambda state, action: ())
    game.looks.__dict__["picture"] = picture
    match = Match(game, seed=1)
    with pytest.raises(ZeroDivisionError):
        game.looks.scene(match.state)
    told: list[str] = []
    before = looks.tell_trouble.set(lambda game, error: told.append(f"{game.name}: {error}"))
    try:
        assert game.looks.backdrop(match.state) == ((100, 50), "")
        assert '<svg width="100" height="50"' in game.looks.scene(match.state)
        game.looks.scene(match.state)
    finally:
        looks.tell_trouble.reset(before)
    assert told == ["coin_game: late"], "once for each game"
