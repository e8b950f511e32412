"""Choosing at the same time: any order, sealed until all have chosen, replaced without a trace, and told to nobody."""

from __future__ import annotations

import dataclasses
import itertools
import json
from typing import Any

import goofspiel
import kuhn
import numpy as np
import pytest

from parlour.bots import make_bot
from parlour.engine import UNKNOWN, Match, replay
from parlour.engine.chance import Chance
from parlour.engine.errors import BadGame, BadReplay, BadSeats, IllegalAction
from parlour.engine.secrets import hidden

GAME = goofspiel.GAME
CHOICES = {0: 4, 1: 7, 2: 2}


def opened(**options: Any) -> Match:
    return Match(GAME, 3, seed=5, **options)


def in_turn() -> Match:
    match = opened()
    for action in CHOICES.values():
        match.play(action)
    return match


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_changes_nothing(order: tuple[int, ...]) -> None:
    match = opened()
    for seat in order:
        match.play(CHOICES[seat], seat=seat)
    assert match.state == in_turn().state
    assert match.journal == in_turn().journal
    assert match.plies == in_turn().plies
    assert replay.dumps(match) == replay.dumps(in_turn())


def test_a_choice_is_sealed_until_all_have_chosen_and_can_be_replaced() -> None:
    match = opened()
    assert (match.asked, match.chosen) == ([0, 1, 2], [])
    assert match.play(9, seat=2) == []
    assert match.play(CHOICES[2], seat=2) == []
    assert (match.asked, match.chosen, match.to_move, match.state.ply) == ([0, 1, 2], [2], 0, 1)
    assert match.play(CHOICES[0]) == []  # without a seat: whoever is next in turn
    assert (match.chosen, match.to_move) == ([0, 2], 1)
    match.play(12, seat=0)
    match.play(CHOICES[0], seat=0)
    events = match.play(CHOICES[1], seat=1)
    assert len(events) == 5
    assert match.chosen == []
    assert replay.dumps(match) == replay.dumps(in_turn())


def test_what_each_is_shown_meanwhile() -> None:
    """Who has chosen is shown to all; what, to that seat alone."""
    match = opened()
    match.play("9", seat=1)
    for seat in (None, 0, 2):
        seen = match.seen_by(seat)
        assert (seen.asked, seen.chosen, seen.sealed) == ([0, 1, 2], [1], None)
        assert seen.state.bid[1] == UNKNOWN
        assert seen.actions == [UNKNOWN]
        assert len(seen.journal) == 1
    assert match.seen_by(None).legal == []
    mine = match.seen_by(1)
    assert (mine.sealed, mine.state.bid[1], mine.actions) == (8, 9, [8])
    assert mine.legal == list(range(13))  # it may choose again
    assert mine.choices[8].text == "9"
    assert [match.seen_by(seat).to_move for seat in (None, 0, 1, 2)] == [0, 0, 0, 2]


def test_two_choices_look_the_same_to_the_others() -> None:
    one, other = opened(), opened()
    one.play("9", seat=1)
    other.play("K", seat=1)
    for seat in (None, 0, 2):
        mine, theirs = one.seen_by(seat), other.seen_by(seat)
        assert mine.state == theirs.state
        assert (mine.story, mine.actions, mine.legal, mine.picture) == (
            *(theirs.story, theirs.actions, theirs.legal, theirs.picture),
        )
        assert mine._match.plies == theirs._match.plies
        assert mine._choosing == theirs._choosing
    assert one.seen_by(1).state != other.seen_by(1).state


def test_what_is_seen_stays_as_it_was() -> None:
    match = opened()
    match.play("9", seat=1)
    seen = match.seen_by(0)
    match.play("8", seat=0)
    assert (seen.chosen, seen.sealed, seen.legal) == ([1], None, list(range(13)))


@pytest.mark.parametrize("chosen", [(), (0,), (1, 2), (2, 0)])
def test_bots_are_asked_as_if_all_chose_in_turn(chosen: tuple[int, ...]) -> None:
    """So what a bot chooses does not depend on who is faster; and it is asked what a search meets in its playouts."""
    match = opened()
    for seat in chosen:
        match.play(CHOICES[seat], seat=seat)
    for seat in range(3):
        decision = match.seen_by(seat).decision(Chance.at(1, 1))
        assert decision.seat == seat
        in_order = opened()
        for action in range(seat):  # whatever they choose
            in_order.play(action)
        assert decision.state == hidden(GAME, in_order.state, seat)
        assert decision.actions == in_order.seen_by(seat).actions == [UNKNOWN] * seat
        assert make_bot(GAME, "mcts:20p").choose(decision) in decision.legal


def test_errors_say_who_is_asked() -> None:
    match = in_turn()
    match.play("9", seat=1)
    with pytest.raises(IllegalAction, match="not one of the 12 legal actions of Seat 2") as caught:
        match.play(CHOICES[1], seat=1)
    assert caught.value.position == match.seen_by(1).position
    with pytest.raises(BadSeats, match="there is no seat 3: the match has 3, counted from 0"):
        match.play("9", seat=3)
    turn_based = Match(kuhn.GAME, seed=1)
    with pytest.raises(IllegalAction, match="Second is not asked now: First"):
        turn_based.play("bet", seat=1)
    turn_based.play("bet", seat=0)
    assert turn_based.legal(0) == []
    assert turn_based.seen_by(0).chosen == []


@pytest.mark.parametrize("plies", range(1, 8))
def test_undo_goes_back_to_who_had_chosen(plies: int) -> None:
    """In a script, whatever it was."""
    match = in_turn()
    for action in (0, 1, 3, 12, 12):
        match.play(action)
    again = opened()
    for action in match.actions[: 8 - plies]:
        again.play(action)
    match.undo(plies)
    assert (match.state, match.chosen, match.plies) == (again.state, again.chosen, again.plies)
    match.play(match.legal()[0])
    again.play(again.legal()[0])
    assert replay.dumps(match) == replay.dumps(again)


def test_undo_long_after() -> None:
    match = Match(GAME, 4, seed=3)
    while not match.over:
        match.play(match.legal()[-1], seat=max(set(match.asked) - set(match.chosen)))
    assert len(match.plies) == 52
    match.undo(49)
    assert (match.chosen, len(match.plies)) == ([0, 1, 2], 3)


@pytest.mark.parametrize("chosen", [(0,), (2,), (2, 0), (1, 2)])
def test_a_match_that_is_saved_meanwhile_goes_on(chosen: tuple[int, ...]) -> None:
    match = opened()
    for seat in chosen:
        match.play(CHOICES[seat], seat=seat)
    text = replay.dumps(match)
    assert json.loads(text)["sealed"] == sorted(chosen)
    again = replay.run(replay.loads(text), game=GAME)
    assert (again.chosen, again.state, replay.dumps(again)) == (match.chosen, match.state, text)
    assert [state.pack() for state in again.positions()][-1] == match.state.pack()
    assert again.whole().state == match.state
    again.play(3, seat=chosen[0])
    again.play(CHOICES[chosen[0]], seat=chosen[0])
    for seat in set(CHOICES) - set(chosen):
        again.play(CHOICES[seat], seat=seat)
    assert replay.dumps(again) == replay.dumps(in_turn())
    assert "sealed" not in json.loads(replay.dumps(again))


@pytest.mark.parametrize("sealed", [[2, 2], [0, 1, 2], [7], [-1], [0, "x"], "all"])
def test_a_file_that_says_nonsense_of_whose_choices_they_are(sealed: Any) -> None:
    match = opened()
    match.play(CHOICES[2], seat=2)
    match.play(CHOICES[0], seat=0)
    content = json.loads(replay.dumps(match))
    with pytest.raises(BadReplay, match=r"^[^\n]+$"):
        replay.run(replay.loads(json.dumps({**content, "sealed": sealed})), game=GAME)


def test_a_match_of_a_batch_draws_the_same_in_any_order() -> None:
    one, other = (Match(GAME, 3, seed=5, stream=2) for _ in range(2))
    for _ in range(4):
        legal = [one.legal(seat)[0] for seat in range(3)]
        for seat in (2, 0, 1):
            one.play(legal[seat], seat=seat)
        for seat in range(3):
            other.play(legal[seat])
    assert one.state == other.state
    one.undo(4)
    other.undo(4)
    assert one.state == other.state


def test_what_is_known_of_a_match_has_no_choice_of_another_in_it() -> None:
    match = opened()
    match.play("9", seat=1)
    known = match.seen_by(0)._match
    assert known.choosing is not None
    assert known.choosing.sealed == {1: UNKNOWN}
    assert known.choosing.start == hidden(GAME, opened().state, 0)


def test_choices_that_hide_does_not_keep_are_not_sealed() -> None:
    with pytest.raises(BadGame, match="with may_act, hide has to keep what each has chosen from the others"):
        dataclasses.replace(GAME, hide=None, imagine=None)


def test_pettingzoo_asks_all_at_once() -> None:
    from parlour.rl import parallel

    env = parallel(GAME, 3)
    seen, _ = env.reset(seed=3)
    match = Match(GAME, 3, env._seats.episodes.seed, stream=0)
    cycles = 0
    while env.agents:
        assert all(told["action_mask"].any() for told in seen.values())
        actions = {agent: int(np.flatnonzero(told["action_mask"])[-1]) for agent, told in seen.items()}
        for seat, agent in reversed(list(enumerate(env.possible_agents))):
            assert seen[agent]["observation"].tolist() == match.seen_by(seat).observation
            match.play(actions[agent], seat=seat)
        seen, rewards, ended, cut, _ = env.step(actions)
        cycles += 1
    assert cycles == 13
    assert all(ended.values())
    assert not any(cut.values())
    assert [seat for seat in range(3) if rewards[f"seat_{seat}"] >= max(rewards.values())] == match.winners


def test_pettingzoo_one_after_the_other_shows_no_choice() -> None:
    from parlour.rl import aec

    env = aec(GAME, 3)
    env.reset(seed=3)
    env.step(8)
    other = aec(GAME, 3)
    other.reset(seed=3)
    other.step(3)
    assert env.agent_selection == "seat_1"
    for agent in ("seat_1", "seat_2"):
        assert env.observe(agent)["observation"].tolist() == other.observe(agent)["observation"].tolist()
    assert env.observe("seat_0")["observation"].tolist() != other.observe("seat_0")["observation"].tolist()
