"""The bots of game17: legal, the same interpreted and compiled, and as strong as they are said to be."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from benchmarks.bots.game17.duels import KINDS, duels

from game17_positions import play, position
from parlour.bots import Decision, make_bot, roster
from parlour.bots.roster import hint, names
from parlour.engine import Chance, Match
from parlour.engine.advice import CERTAIN
from parlour.engine.compiled.compiling import compiling
from parlour.games.game17 import GAME, rules
from parlour.games.game17.bots import orders_of as orders_in
from parlour.games.game17.bots import plans
from parlour.games.game17.bots.evaluation import evaluate
from parlour.games.game17.bots.general import BOLD, LEVELS, SCRATCH, WISE, Numbers, plan_general
from parlour.games.game17.bots.t800 import plan_t800, worthwhile
from parlour.games.game17.bots.zombie import plan_zombie
from parlour.games.game17.state.squares import NORTH


def orders_of(name: str, drawing: str, seats: int = 2) -> str:
    """The orders that a bot gives in the position, until it ends its turn."""
    state, bot, chance = position(drawing, seats=seats), make_bot(GAME, name), Chance.at(1, 1)
    told: list[str] = []
    while True:
        action = bot.choose(Decision(GAME, state.copy(), GAME.legal_actions(state), chance))
        if action == rules.END:
            return " ".join(told)
        told.append(GAME.words.write(state, action))
        GAME.play(state, action, chance)


def test_every_bot_of_the_game_has_a_name() -> None:
    assert {"zombie", "t800", "general", *(f"general:{level}" for level in range(1, 7))} == KINDS.keys()
    assert KINDS.keys() <= set(names(GAME))


@pytest.mark.parametrize("name", ["zombie", "t800", "general", "general:1", "general:6"])
def test_whole_matches_of_legal_actions(name: str) -> None:
    match = Match(GAME, 3, seed=5, edge=6, rounds=12)
    bots, chance = [make_bot(GAME, name) for _ in range(3)], Chance.at(9, 9)
    while not match.over:
        bot = bots[match.to_move]
        match.play(bot.choose(Decision(GAME, match.state.copy(), match.legal(), chance)))  # it refuses illegal ones


def test_a_zombie_moves_everything() -> None:
    state = position("A5 A0 B0\nA2 B1 B0\nB0 B0 B1")
    plan_zombie(state, 0, Chance.at(1, 1))
    assert state.leaving[:9] == [5, 0, 0, 2, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("pieces", "around", "ways"),
    [
        (4, (4, 4, 4, 4), ""),
        (16, (4, 4, 4, 4), "nsew"),
        (15, (4, 4, 4, 4), ""),
        (5, (4, 0, 0, 0), "nsew"),
        (4, (4, 0, 0, 0), "sew"),
        (5, (9, 5, 0, 0), "ew"),
        (1, (0, 0, 0, 0), "nsew"),
    ],
)
def test_a_t800_gives_up_directions_in_which_too_few_would_arrive(
    pieces: int, around: tuple[int, int, int, int], ways: str
) -> None:
    bits = worthwhile(pieces, *around)
    assert "".join(way for place, way in enumerate("nsew") if bits >> place & 1) == ways


def test_a_t800_sends_all_or_none_of_a_square() -> None:
    state = position("A9 B4 B0\nA2 B5 B0\nB0 B0 B1")
    plan_t800(state, 0, Chance.at(1, 1))
    assert state.leaving[0] in (0, 9)
    assert state.leaving[3] in (0, 2)


def test_the_general_takes_what_it_can_for_certain_and_hold() -> None:
    assert orders_of("general", "A9 B4 A0\nA0 A0 A0\nA0 A0 A0") == "A0e5"
    assert orders_of("general", "A4 B4 A0\nA0 A0 A0\nA0 A0 A0") == "", "a coin toss is not certain"


def test_the_general_attacks_from_all_sides_together() -> None:
    assert orders_of("general", "A0 A3 A0\nA3 B5 A0\nA0 A0 A0") == "B0s3 A1e3"


def test_the_general_counts_a_square_once_that_lies_on_two_sides() -> None:
    """With an edge of 2, the square to the north is the one to the south, too."""
    assert orders_of("general", "B4 A3\nA0 A0") == "", "three are not six"
    assert orders_of("general", "B2 A5\nA0 A0") == "B0w3"
    assert orders_of("general", "B4 A3\nA3 A0") == "B0w2 A1s3"


def test_the_general_does_not_step_next_to_a_larger_rival() -> None:
    """Taking the one piece would put its four beside nine."""
    assert orders_of("general", "A4 B1 B9 A0\nA0 A0 A0 A0\nA0 A0 A0 A0\nA0 A0 A0 A0") == ""


def test_the_general_marches_to_the_front() -> None:
    state = position("A0 A0 A0 A0 A0\nA0 A0 A0 A0 A0\nA6 A0 B9 A0 A0\nA0 A0 A0 A0 A0\nA0 A0 A0 A0 A0")
    before = state.copy()
    plan_general(state, 0, Chance.at(1, 1), [0] * SCRATCH, 0, BOLD)
    assert sum(state.leaving) == 6
    play(before, "A2e6 end")
    assert before.pieces[11] == 6


def test_in_the_last_round_the_general_takes_as_many_squares_as_it_can() -> None:
    state = position("A9 B0 B9\nB0 B9 B9\nB0 B9 B9", rounds=1)
    plan_general(state, 0, Chance.at(1, 1), [0] * SCRATCH, 0, BOLD)
    assert state.leaving[0] == 3, "one for each empty square it can reach"


THREATENED = "A0 A0 A0 A0 A0\nA0 A0 A0 A0 A0\nA6 A2 B9 A0 A0\nA0 A0 A0 A0 A0\nA0 A0 A0 A0 A0"


def test_on_level_6_the_general_retreats_before_a_larger_force() -> None:
    assert orders_of("general", THREATENED) == "A2e6"
    assert orders_of("general:6", THREATENED) == "B2w2"


def test_on_level_6_the_general_does_not_march_next_to_a_larger_force() -> None:
    drawing = THREATENED.replace("A6 A2 B9", "A3 A0 B5")
    assert orders_of("general", drawing) == "A2e3"
    assert orders_of("general:6", drawing) == ""


def test_a_plan_takes_the_orders_into_account_that_were_given() -> None:
    """Five are on their way already, and they suffice: no others are sent there."""
    state = position("A9 B4 A0\nA0 A6 A0\nA0 A0 A0")
    play(state, "A0e5")
    plan_general(state, 0, Chance.at(1, 1), [0] * SCRATCH, 0, WISE)
    assert sum(state.ordered) == 5


# What a position is worth, and hints.


def test_an_evaluation_counts_zombies_as_the_rulebook_does() -> None:
    """Clause 18: whoever owns the most squares wins, a zombie too, and all who tie for first share it."""
    ahead = position("A1 A1 A1\nA1 A1 a1\na1 a1 a1", rounds=1)
    behind = position("A1 A1 A1\nA1 a1 a1\na1 a1 a1", rounds=1)
    assert evaluate(behind, 0) < CERTAIN // 2 < evaluate(ahead, 0) < CERTAIN
    assert evaluate(ahead, 1) == evaluate(behind, 1) == 0, "Seat 2 is out"
    apart = position("A1 A1 A1\nA1 a1 b1\nc1 d1 e1", rounds=1)
    assert evaluate(apart, 0) > evaluate(behind, 0), "five zombies with a square each are not one with five"
    for state, share in ((ahead, CERTAIN), (behind, 0), (position("A1 A1\na1 a1", seats=1), CERTAIN // 2)):
        state.over, state.most = 1, max(state.squares_of)
        assert evaluate(state, 0) == share


def test_far_from_the_end_a_seat_is_worth_more_than_a_zombie() -> None:
    drawing = "A4 A4 a4\na4 a4 b4\nb4 b4 b4"
    assert evaluate(position(drawing, rounds=40), 0) > 900
    assert evaluate(position(drawing, rounds=1), 0) < 200


def hinted(drawing: str, **options: int) -> list[tuple[str, float]]:
    state = position(drawing, **options)
    decision = Decision(GAME, state.copy(), GAME.legal_actions(state), Chance.at(1, 1))
    return [(GAME.words.write(state, action), chance) for action, _, chance in hint(GAME, decision)]


def test_a_hint_does_not_promise_what_a_zombie_will_win() -> None:
    """Only a zombie is left against Seat 1: with all but two squares, it has as good as won."""
    lost = hinted("A2 A2 a4 a4\na4 a4 a4 a4\na4 a4 a4 a4\na4 a4 a4 a4", rounds=3)
    assert lost[0][1] < 0.05
    promising = hinted("A9 A0 A0 A0\nA0 A0 A0 a1\na9 a9 a9 a1\na1 a1 a1 a1", rounds=50)
    assert 0.9 < promising[0][1] < 1, "a zombie may still win"
    won = hinted("A9 A0 A0 A0\nA0 A0 A0 A0\nA0 A0 A0 A0\nA0 A0 A0 a1", rounds=1)
    assert won[0][1] == 1.0


def test_a_hint_leaves_it_to_a_coin_where_nothing_else_helps() -> None:
    """The zombie's 21 pieces are about to run over empty squares; with the nine to the north, a coin decides."""
    told = hinted("A9 A0 A0 A0\nA0 A0 A0 A0\nA0 A0 A0 a9\na9 a1 a1 a1", rounds=2)
    assert told[0][0] == "A0n9"
    assert told[0][1] > 0.2
    assert dict(told)["end"] < 0.05


def test_a_hint_names_the_orders_of_the_best_plan_and_the_end_of_the_turn() -> None:
    told = hinted("A0 A3 A0\nA3 B5 A0\nA0 A0 A0")
    assert [text for text, _ in told] == ["B0s3", "A1e3", "end"]
    assert told[0][1] == told[1][1] > told[2][1]


def test_orders_are_suggested_where_they_do_not_harm() -> None:
    """Where a match is all but won, waiting seemed best as often as not: "no order pays off" beside an open field."""
    state = position("A9 A0 A0 A0\nA0 A0 A0 A0\nA0 A0 A30 a1\nA0 A0 A0 a0", rounds=50)
    given = {
        GAME.words.write(state, action)
        for action in roster.plan(GAME, Decision(GAME, state, GAME.legal_actions(state), Chance.at(1, 1)))
    }
    assert any(text.startswith("C2e") for text in given)
    hopeless = position("A4 a9 b9 c9\nd9 e9 f9 g9\nh9 i9 j9 k9\nl9 m9 n9 o9", seats=1)
    assert roster.plan(GAME, Decision(GAME, hopeless, GAME.legal_actions(hopeless), Chance.at(1, 1))) == []


def test_a_hint_goes_on_from_the_orders_that_were_given() -> None:
    state = position("A0 A3 A0\nA3 B5 A0\nA0 A0 A0")
    play(state, "B0s3")
    decision = Decision(GAME, state.copy(), GAME.legal_actions(state), Chance.at(1, 1))
    ranked = hint(GAME, decision)
    assert GAME.words.write(state, ranked[0][0]) == "A1e3"
    assert {action for action, _, _ in ranked} <= set(decision.legal)


def test_whoever_follows_the_hints_of_a_turn_carries_out_one_plan() -> None:
    for seed in range(4):
        state, chance = GAME.blank(2, edge=6), Chance.of_game(seed, 0)
        GAME.open(state, chance)
        for _ in range(6):
            plan_general(state, state.to_move, chance, [0] * SCRATCH, 0, WISE)
            GAME.play(state, rules.END, chance)
        for plan in plans(state, chance):
            given, orders = state.copy(), orders_in(plan.ordered)
            GAME.play(given, orders[0], chance)
            assert plan.ordered in [told.ordered for told in (given, *plans(given, chance))]


def test_plans_are_the_same_interpreted_and_compiled() -> None:
    import numba

    with compiling(GAME, "nowhere", "plans"):

        @numba.njit
        def compiled(rows, lanes, desk, wandering, numbers):  # type: ignore[no-untyped-def]
            plan_general(rows[0], rows[0].to_move, lanes, desk, wandering, numbers)

        for (wandering, numbers), seed in itertools.product([(0, BOLD), (40, BOLD), (0, WISE)], range(8)):
            state = GAME.blank(2, edge=9)
            chance = Chance.of_game(seed, 0)
            GAME.open(state, chance)
            rows, lanes = GAME.layout.rows(1), np.array(chance.lanes, np.int64)
            GAME.layout.write(state, rows, 0)
            for _ in range(6):
                if state.over:
                    break
                plan_general(state, state.to_move, chance, [0] * SCRATCH, wandering, numbers)
                compiled(rows, lanes, np.zeros(SCRATCH, np.int64), wandering, numbers)
                assert GAME.layout.read(rows, 0) == state
                GAME.play(state, rules.END, chance)
                GAME.layout.write(state, rows, 0)
                lanes[:] = chance.lanes


# Strength. What docs/game17.md says was measured with more games; these would notice if it were no longer so.


def test_a_t800_beats_zombies_as_often_as_the_original() -> None:
    """187 of 200, 36.7 rounds in the mean."""
    found = duels(["t800"], 1500, seed=3)
    assert 0.892 < found.wins[0] / 1500 < 0.962
    assert abs(found.rounds - 36.7) < 2.5


def test_the_general_beats_zombies_and_t800s() -> None:
    assert duels(["general"], 600, seed=1).wins[0] / 600 >= 0.95
    wins = duels(["general", "t800"], 400, seed=2).wins
    assert wins[0] / 400 >= 0.9
    assert duels(["t800", "general"], 400, seed=2).wins[1] / 400 >= 0.9, "whichever seat it has"


@pytest.mark.parametrize("level", [1, 2])
def test_the_easiest_levels_leave_everybody_their_only_square_at_first(level: int) -> None:
    """Whoever plays for the first time and ends the turn at once is to have a second one."""
    drawing = "b0 A4 c0 d1\ne0 B9 f0 g1\nh0 i0 j0 k1\nl1 m1 n1 o1"

    def attacked(after: int, numbers: Numbers) -> bool:
        state = position(drawing, to_move=1)
        state.round = after
        plan_general(state, 1, Chance.at(1, 1), [0] * SCRATCH, 0, numbers)
        return bool(state.ordered[5 * 4 + NORTH])

    numbers = LEVELS[level].numbers
    assert [attacked(after, numbers) for after in (0, 4, 5)] == [False, False, True]
    assert attacked(0, BOLD)


def test_no_bot_wanders_off_from_its_only_square() -> None:
    """In a third of all first matches against one, it was out by the third round: there was nobody left to play."""
    only, two = "b9 A4 c9\nd9 e9 f9\ng9 h9 i9", "b9 A4 A4\nd9 e9 f9\ng9 h9 i9"

    def moves(drawing: str) -> bool:
        state = position(drawing, seats=1)
        plan_general(state, 0, Chance.at(1, 1), [0] * SCRATCH, 100, BOLD)
        return any(state.leaving)

    assert not moves(only)
    assert moves(two)


@pytest.mark.parametrize("level", sorted(LEVELS)[1:])
def test_every_level_beats_the_one_below(level: int) -> None:
    wins = duels([f"general:{level}", f"general:{level - 1}"], 300, seed=level).wins
    assert wins[0] / 300 >= 0.6


def test_the_highest_level_beats_three_of_the_next() -> None:
    assert duels(["general:6", *["general:5"] * 3], 200, seed=4).wins[0] / 200 >= 0.6
