"""``parlour check`` finds, by name, what is wrong where seats choose at the same time: each is planted in Goofspiel."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import goofspiel
import pytest
from goofspiel import MOST_CARDS, NOT_YET

from parlour.engine import UNKNOWN, Game, below, i8
from parlour.engine.check import CHECKS

TITLES = ("who may act", "choosing in any order", "sealed choices")


def problem(game: Game, title: str) -> str:
    """What one check says."""
    try:
        CHECKS[title].run(game)
    except Exception as error:
        return str(error)
    return ""


@pytest.mark.parametrize("title", TITLES)
def test_a_sound_game_passes(title: str) -> None:
    assert problem(goofspiel.GAME, title) == ""


def changed(**rules: Any) -> Game:
    return dataclasses.replace(goofspiel.GAME, **rules)


def may_act_by_the_bid(state, seat):
    return state.bid[seat] in (NOT_YET, UNKNOWN)


def others_may_act(state, seat):
    return state.bid[seat] == NOT_YET and seat != state.to_move


def first_come(state, action, chance, journal=None):
    """Whoever chooses first gets a point."""
    if not any(state.bid):
        state.points[state.to_move] += 1
    goofspiel.apply(state, action, chance, journal)


def none_twice(state, actions):
    """No card that another has bid in this round."""
    count = goofspiel.legal(state, actions)
    kept = [action for action in actions[:count] if action + 1 not in state.bid]
    actions[: len(kept)] = kept
    return len(kept)


def forbids_what_is_hidden(state, actions):
    count = goofspiel.legal(state, actions)
    return count if not any(bid == UNKNOWN for bid in state.bid) else max(1, count - 1)


def draws_early(state, action, chance, journal=None):
    state.prize = 1 + below(chance, 13)
    goofspiel.apply(state, action, chance, journal)


def does_not_wait(state, action, chance, journal=None):
    """The second bid decides, however many seats there are."""
    if sum(bid != NOT_YET for bid in state.bid) == 1:
        for seat in range(state.seats):
            if seat != state.to_move and state.bid[seat] == NOT_YET:
                card = next(card for card in range(MOST_CARDS) if goofspiel.has_card(state, seat, card))
                state.bid[seat] = card + 1
    goofspiel.apply(state, action, chance, journal)


def asks_again(state, action, chance, journal=None):
    seat = state.to_move
    goofspiel.apply(state, action, chance, journal)
    if any(state.bid):
        state.to_move = seat


def shows_high_bids(state, seat):
    for other in range(state.seats):
        if other != seat and NOT_YET < state.bid[other] < 11:
            state.bid[other] = UNKNOWN


def shows_by_another_field(state, action, chance, journal=None):
    goofspiel.apply(state, action, chance, journal)
    state.last = action


MEMORY: list[int] = []


def remembers(state, action, chance, journal=None):
    """Rules that remember what they are asked find out what was replaced."""
    MEMORY.append(action)
    if state.bid.count(NOT_YET) == 5 - state.seats:  # the last one
        state.points[0] = len(MEMORY) % 100
    goofspiel.apply(state, action, chance, journal)


MISTAKES: dict[str, tuple[str, Game, str]] = {
    "who may act is not known to all": (
        "who may act",
        changed(may_act=may_act_by_the_bid),
        r"may_act is not the same for everybody: the seats \[1\] may act, and whoever watches sees \[0, 1\]",
    ),
    "the seat to move may not act": (
        "who may act",
        changed(may_act=others_may_act),
        "seat 0 is to move, and may_act says that it may not",
    ),
    "who is first has more": (
        "choosing in any order",
        changed(apply=first_come),
        r"the order in which seats choose at the same time changes points: \[0, 1\], or \[1, 0\]",
    ),
    "what others choose forbids": (
        "choosing in any order",
        changed(legal=none_twice),
        "what others choose at the same time changes what is legal for seat",
    ),
    "dice before all have chosen": (
        "choosing in any order",
        changed(apply=draws_early),
        "chance is drawn when seat 0 has chosen, before all have",
    ),
    "not all are waited for": (
        "choosing in any order",
        changed(apply=does_not_wait),
        r"chance is drawn when seat \d has chosen, before all have",
    ),
    "who has chosen is to move": (
        "choosing in any order",
        changed(apply=asks_again),
        "when seat 0 has chosen, seat 0 is to move, which has chosen, too",
    ),
    "hide shows what some have chosen": (
        "sealed choices",
        changed(hide=shows_high_bids),
        "hide shows whoever watches in bid what seat 0 has chosen, before all have",
    ),
    "another field shows it": (
        "sealed choices",
        changed(fields={**goofspiel.FIELDS, "last": i8}, apply=shows_by_another_field),
        "hide shows whoever watches in last what seat 0 has chosen, before all have",
    ),
    "the rules remember": (
        "sealed choices",
        changed(apply=remembers),
        "a choice that was replaced before all had chosen leaves a trace",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found_by_name(mistake: str) -> None:
    title, game, words = MISTAKES[mistake]
    assert re.search(words, problem(game, title))
