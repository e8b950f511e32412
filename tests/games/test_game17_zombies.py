"""The rules of game17, clause by clause: zombies, and the end."""

from __future__ import annotations

from collections import Counter

import pytest

from clauses import clauses_of
from game17_positions import EAST, NORTH, SOUTH, WEST, coins, legal, play, position, same
from parlour.engine import Chance, Script
from parlour.engine.errors import BadOption
from parlour.games.game17 import GAME, events, rules
from parlour.games.game17.state.squares import neighbour

clause = clauses_of("game17")


@clause(13, "A zombie moves every one of its pieces")
def test_zombie_moves_all_its_pieces() -> None:
    state = position("A9 A0 A0\nA0 a4 a1\nA0 A0 A0", seats=1)
    play(state, "end", coins(NORTH, SOUTH, EAST, WEST) + coins(EAST))
    assert same(state, "A9 a1 A0\na2 a0 a1\nA0 a1 A0")
    assert state.turns == 2, "the zombie's turn is a turn"


@clause(13, "Then its turn is settled like anybody's")
def test_zombie_turns_are_settled() -> None:
    state = position("A3 A2 A5\na2 a2 a2\nA0 A9 A0", seats=1)
    play(state, "end", coins(NORTH, NORTH) * 3 + [0])
    assert same(state, "A5 A4 A7\na0 a0 a0\nA0 A9 A0")


@clause(13, "all four equally likely")
def test_zombies_move_fairly() -> None:
    state = GAME.blank(0, edge=3)
    chance = Chance.at(17, 0)
    ways = Counter[int]()
    pieces, times = 2000, 20
    for _ in range(times):
        state.pieces[4] = pieces
        rules.scatter(state, 4, chance)
        for direction in range(4):
            goal = neighbour(3, 4, direction)
            ways[direction] += state.arriving[goal]
            state.arriving[goal] = 0
    assert sum(ways.values()) == pieces * times
    squares = sum((count - pieces * times / 4) ** 2 / (pieces * times / 4) for count in ways.values())
    assert squares < 16.27, f"chi squared with three degrees of freedom, one chance in a thousand: {ways}"


@clause(14, "Zombies move by themselves")
def test_zombies_move_between_seats() -> None:
    state = position("A9 B9\na1 b1")
    assert play(state, "end") == [events.CarriedOut(0, 0)]
    assert state.to_move == 1
    journal = play(state, "end", [*coins(EAST), 1])
    assert same(state, "A9 B9\na0 a2")
    assert journal == [events.CarriedOut(1, 0), events.ZombiesMoved(1, 1, 1), events.RoundBegan(2, 50)]
    assert (state.to_move, state.round, state.turns) == (0, 1, 3)


@clause(14, "as soon as the order of turns comes to them")
def test_zombies_that_come_first_move_before_the_first_seat() -> None:
    state = GAME.blank(1, edge=2)
    still = [3, 2, 1]  # a shuffle that changes nothing
    away = coins(NORTH, NORTH, NORTH, NORTH)
    # the order 3 1 2 0: zombie 3 to B1 and loses the toss, zombie 1 moves its 8 back, zombie 2 to A1 and loses
    GAME.open(state, Script([*still, 0, 2, 1, *away, 0, *coins(*[NORTH] * 8), *away, 0]))
    assert state.turn_order[:4] == [3, 1, 2, 0]
    assert same(state, "A8 a0\nb0 a8")
    assert (state.to_move, state.first, state.turns, state.ply) == (0, 0, 3, 0)


@clause(15, "If nobody plays from the beginning, `go` lets the zombies play to the end of the round")
def test_zombies_alone() -> None:
    state = GAME.blank(0, edge=2)
    GAME.open(state, Script([3, 2, 1] * 2))
    assert legal(state) == {"go"}
    assert GAME.words.describe(state, rules.GO) == "let the zombies play to the end of the round"
    away = coins(NORTH, NORTH, NORTH, NORTH)
    journal = play(state, "go", [*away, 1, *away, 1])
    assert same(state, "a0 b0\na8 b8"), "two attack and win their tosses; the others own nothing, and are skipped"
    assert journal == [events.ZombiesMoved(2, 2, 2), events.RoundBegan(2, 50)]
    assert (state.round, state.turns, state.to_move) == (1, 2, 0)
    assert legal(state) == {"go"}


@clause(15, "As soon as no player has pieces left, the zombies play on alone, to the end of the match")
def test_the_last_player_goes_out() -> None:
    state = position("a5 b0\nA4 c3", seats=1, rounds=2)
    first = [*coins(*[SOUTH] * 5), *coins(NORTH, NORTH, NORTH)]
    journal = play(state, "end", [*first, *coins(*[NORTH] * 9), *coins(*[SOUTH] * 3)])
    assert same(state, "a9 c0\na0 c3")
    assert journal[1:] == [
        events.ZombiesMoved(1, 1, 0),
        events.Raided(0, 1, 4, 0),
        events.Out(0),
        events.ZombiesAlone(),
        events.PlayedOut(2, 1, 0),
        events.RoundsOver(2),
        events.Won((events.ZOMBIE, events.ZOMBIE), 2),
    ]
    assert (state.over, state.round, state.to_move) == (1, 2, 0)


@clause(15, "As soon as no player has pieces left, the zombies play on alone")
def test_players_without_pieces_wait_for_the_end() -> None:
    state = position("A1 a3 A0\nA0 A0 A0\nA0 A0 A0", seats=1, rounds=2)
    journal = play(state, "A0e1 end")
    assert state.over, "all pieces are of one zombie"
    assert journal[-4:] == [
        events.Disarmed(0),
        events.ZombiesAlone(),
        events.LastOneArmed(events.ZOMBIE),
        events.Won((0,), 8),
    ]


@clause(16, "as soon as all pieces belong to one owner")
def test_all_pieces_of_one_owner() -> None:
    state = position("A4 B3\nC0 C0", seats=3)
    journal = play(state, "A0e4 end")
    assert state.over
    assert state.turns == 1
    assert journal[-2:] == [events.LastOneArmed(0), events.Won((0, 2), 2)]
    assert GAME.winners(state) == [0, 2]


@clause(16, "Empty squares of others do not matter")
def test_the_last_attack_may_arm_the_defender() -> None:
    state = position("A4 B5\nA0 A0")
    play(state, "A0e4 end")
    assert state.over, "all nine pieces are of B, though it is A's turn and A has three squares"
    assert GAME.winners(state) == [0]


@clause(16, "This is looked at after every turn")
def test_a_zombie_may_end_it() -> None:
    state = position("a5 A1\nB0 B0")
    journal = play(state, "end", coins(*[EAST] * 5))
    assert state.over
    assert (state.round, state.turns) == (1, 3)
    assert events.LastOneArmed(events.ZOMBIE) in journal
    assert GAME.winners(state) == [1]


@clause(17, "Else it ends after 50 rounds")
def test_the_last_round() -> None:
    state = position("A4 B3\nA0 B0")
    play(state, "end " * 99)
    assert (state.round, state.over) == (49, 0)
    journal = play(state, "end")
    assert (state.round, state.over, state.turns) == (50, 1, 100)
    assert journal[-2:] == [events.RoundsOver(50), events.Won((0, 1), 2)]
    assert journal[-1].tell(["Ada", "Bob"].__getitem__) == "Ada and Bob have the most: 2 squares each"
    assert legal(state) == set()


@clause(17, "1 to 1000 rounds")
def test_rounds() -> None:
    state = position("A4 B3\nA0 B0", rounds=1)
    play(state, "end end")
    assert state.over
    assert GAME.blank(rounds=1000).rounds == 1000
    for rounds in (0, 1001):
        with pytest.raises(BadOption, match="option rounds is 1 to 1000"):
            GAME.blank(rounds=rounds)


@clause(17, "Else it ends after 50 rounds")
def test_skipped_owners_do_not_delay_the_end() -> None:
    state = position("A4 B0\nB0 B4", rounds=2)
    play(state, "end end end")
    assert not state.over
    play(state, "end")
    assert state.over
    assert state.turns == 4


@clause(18, "the number of squares that you own, empty ones included")
def test_score() -> None:
    state = position("A4 B3 a1\nA0 B0 a0\nA0 A0 B1")
    assert GAME.scores(state) == [4, 3]


@clause(18, "all who tie for first win")
def test_shared_win() -> None:
    state = position("A4 B3\nA0 B0", rounds=1)
    play(state, "end end")
    assert GAME.winners(state) == [0, 1]


@clause(18, "a player who has fewer squares than some zombie has not won")
def test_a_zombie_may_win() -> None:
    state = position("A4 B3 a0\nA0 B0 a0\na0 a0 B1", rounds=1)
    journal = play(state, "end end")
    assert GAME.winners(state) == []
    assert GAME.scores(state) == [2, 3]
    assert journal[-1] == events.Won((events.ZOMBIE,), 4)
    assert journal[-1].tell(str) == "a zombie wins with 4 squares"
