"""What is to be decided, in words at the place of the choice; and what is highlighted."""

from __future__ import annotations

import pytest

from mazerunner_positions import opened, running
from parlour.games.mazerunner import GAME
from parlour.games.mazerunner.notation import NOTATION, PROMPTS
from parlour.games.mazerunner.rules import actions as a
from parlour.games.mazerunner.state.decks.items import ROPE


def test_whoever_is_well_is_not_told_to_recover() -> None:
    state = opened()
    assert NOTATION.usual(state) == a.MOVE
    state.hp[0] = 10
    assert NOTATION.usual(state) == a.HEAL


@pytest.mark.parametrize("phase", PROMPTS)
def test_every_decision_is_told(phase: int) -> None:
    state = running("#--+", at="N13")
    state.phase = phase
    if phase == a.ROPE:
        state.lurking, state.monster_at[0], state.monster_health[0] = 1, state.at, 9
    told = NOTATION.prompt(state)
    assert told
    assert "{" not in told


def test_dice_say_what_they_mean_and_that_tapping_rolls_them_again() -> None:
    state = opened()
    state.phase, state.rolls_left = a.DICE, 1
    assert NOTATION.prompt(state) == (
        "red dice fight, blue ones walk, gold ones find. Pick those to roll again (1 roll left), or keep all"
    )


def test_the_shop_offers_only_what_can_be_paid_for() -> None:
    state = opened()
    state.phase = a.SHOP
    told = []
    for resources in ([0, 0, 0], [9, 9, 9], [3, 0, 0], [1, 2, 0]):
        state.resources[:3] = resources
        state.shop[:] = [ROPE, -1, -1]  # for one iron and two herbs
        told.append(NOTATION.prompt(state))
    assert told == [
        "nothing here can be paid for: end your turn",
        "buy a card, or trade three for one: pick what you give",
        "trade three for one: pick what you give",
        "buy a card",
    ]


def test_all_but_the_many_ways_to_roll_again_is_offered_in_words() -> None:
    state = running("#--+", at="N13")
    assert all(NOTATION.listed(state, action) for action in GAME.legal_actions(state))
    assert NOTATION.listed(state, a.REROLL)
    assert not NOTATION.listed(state, a.REROLL + 5)
