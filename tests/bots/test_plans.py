"""The rest of a turn, as a bot would play it."""

from __future__ import annotations

import pytest

from game17_positions import play, position
from parlour.bots import roster
from parlour.engine import Chance, Match, registry
from parlour.engine.bots import Decision
from parlour.engine.game import Game
from parlour.engine.state import State
from parlour.games.game17 import GAME


def planned(game: Game, state: State) -> list[str]:
    decision = Decision(game, state, game.legal_actions(state), Chance.at(1, 0))
    return [game.words.write(state, action) for action in roster.plan(game, decision)]


ARMY = """
A9 a1 a9 a9 a9 a9
a9 a9 a9 a9 a9 a9
a9 a9 a9 a9 a9 a9
a9 a9 a9 A9 a1 a9
a9 a9 a9 a9 a9 a9
a9 a9 a9 a9 a9 a9
"""


def test_it_has_all_orders_and_not_the_end() -> None:
    state = position(ARMY, seats=1)
    before = state.copy()
    orders = planned(GAME, state)
    assert orders
    assert {order[:2] for order in orders} == {"A0", "D3"}
    assert state == before, "nothing was played"


def test_it_goes_on_from_orders_that_were_given() -> None:
    state = position(ARMY, seats=1)
    whole = planned(GAME, state)
    play(state, whole[0])
    assert planned(GAME, state) == whole[1:]
    assert len(whole) > 1


@pytest.mark.parametrize("name", ["goose", "choccer"])
def test_it_stops_before_dice_and_before_the_turn_passes(name: str) -> None:
    match = Match(registry.get(name), 2, 3)
    assert planned(match.game, match.state) == []
