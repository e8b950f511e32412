"""What plays Verfuchst: what its judge sees, what it says, and the bots that go by it."""

from __future__ import annotations

import numpy as np
import pytest

from parlour.bots import Decision, hint, make_bot
from parlour.engine import State
from parlour.engine.chance import Chance
from parlour.engine.features import split
from parlour.engine.match import Match
from parlour.engine.win_chances import win_chances
from parlour.games.verfuchst import GAME
from parlour.games.verfuchst.sight import SIGHT
from parlour.games.verfuchst.state import PIECES
from parlour.games.verfuchst.state.tiles import GOAL, VALUE
from verfuchst_positions import give, position


def choice(name: str, state: State) -> str:
    """What that bot plays, in notation."""
    decision = Decision(GAME, state.copy(), GAME.legal_actions(state), Chance.at(1, 0))
    return GAME.words.write(state, make_bot(GAME, name).choose(decision))


def play(seed: int, *names: str) -> Match:
    """A whole match of these bots."""
    match = Match(GAME, len(names), seed)
    bots = [make_bot(GAME, name) for name in names]
    while not match.over:
        chance = Chance.of_game(seed, len(match.plies), match.to_move)
        decision = Decision(GAME, match.state.copy(), match.legal(), chance, actions=match.actions)
        match.play(bots[match.to_move].choose(decision))
    return match


def test_a_judge_sees_who_stands_where_and_how_far_it_is() -> None:
    state = position("13=Bg 15=RR 22=R", taken={"R": [16, 17], "B": [9]}, die=6)
    seen = split(SIGHT.features, np.array(GAME.players.judged_game.observed(state, 0)))
    assert [(tile, int(seen["pieces"][0, tile])) for tile in (15, 22)] == [(15, 2), (22, 1)]
    assert seen["pieces"][1, 13] == 1 + PIECES, "a guardian keeps it company"
    assert seen["reach"][0, 18] == 2, "of the two on tile 15, past the gap"
    assert seen["reach"][0, 16] == 0, "it has been taken"
    assert seen["to_go"][0].tolist() == [GOAL - 15 - 2, GOAL - 15 - 2, GOAL - 22]
    assert (seen["lead"], seen["near"]) == (VALUE[16] + VALUE[17], 8)


def test_the_seats_of_a_larger_table_are_seen_in_turn() -> None:
    state = position("1=R 2=B 3=G", taken={"B": [15], "G": [32]}, seats=3)
    for seat in range(3):
        seen = split(SIGHT.features, np.array(GAME.players.judged_game.observed(state, seat)))
        own, following = 1 + seat, 1 + (seat + 1) % 3
        assert seen["pieces"][0, own], f"seat {seat}"
        assert seen["pieces"][1, following], f"seat {seat}"
        assert seen["lead"] == seen["score"][0] - max(seen["score"][1:3])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_judge_knows_a_good_tile_at_tables_of_every_size(seats: int) -> None:
    """+8 for the second seat: its chance is better, and those of the others are worse."""
    match = Match(GAME, seats, seed=7)
    for _ in range(6 * seats):
        match.play(match.legal()[0])
    before = win_chances(GAME, match.state)
    give(match.state, 1, 15)
    after = win_chances(GAME, match.state)
    assert before is not None
    assert after is not None
    assert sum(after) == pytest.approx(1, abs=0.001)
    assert [now > then for now, then in zip(after, before, strict=True)] == [seat == 1 for seat in range(seats)]


def test_a_hint_tells_the_chance_of_every_action() -> None:
    match = Match(GAME, 3, seed=7)
    for _ in range(12):
        match.play(match.legal()[0])
    decision = Decision(GAME, match.state.copy(), match.legal(), Chance.at(1, 0))
    ranked = hint(GAME, decision, seconds=0.1)
    assert sorted(action for action, _, _ in ranked) == sorted(match.legal())
    assert all(0 <= worth <= 1 for _, _, worth in ranked)


def test_greedy_takes_a_good_tile() -> None:
    """Leaving +8 before Blue comes there."""
    assert choice("greedy", position("13=B 15=R 22=R", die=6)) == GAME.words.write(position("15=R"), 15)


@pytest.mark.parametrize("name", ["greedy", "mcts:500p"])
def test_who_need_not_take_a_bad_tile_does_not(name: str) -> None:
    """−10 is left while Blue is there too."""
    taken = {"R": [9, 15, 17, 19, 21, 1, 3, 5, 7, 23, 25], "B": [10, 16, 18, 20, 22, 2, 4, 6, 8, 24, 26]}
    state = position("32=RB 31=R", die=6, taken=taken)
    assert choice(name, state) == GAME.words.write(position("32=R"), 32)


def test_greedy_beats_random() -> None:
    assert sum(play(seed, "greedy", "random").winners == [0] for seed in range(8)) >= 7


def test_the_best_level_beats_the_first() -> None:
    """A coarse check. docs/strength.md has what was measured."""
    won = [play(seed, *("mcts:6", "mcts:1")[:: 1 if seed % 2 else -1]).winners for seed in range(8)]
    assert sum(winners == [1 - seed % 2] for seed, winners in enumerate(won)) >= 7


def test_search_plays_at_larger_tables() -> None:
    won = [play(seed, "mcts:200p", "random", "random", "random").winners for seed in range(4)]
    assert won.count([0]) >= 3
