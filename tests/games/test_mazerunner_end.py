"""The rules of mazerunner, clause by clause: how it ends, and the score."""

from __future__ import annotations

from clauses import clauses_of
from mazerunner_positions import (
    ALL_OPEN,
    BY_CHANCE,
    block,
    card,
    give,
    items_of,
    opened,
    play,
    put_monster,
    running,
)
from parlour.engine import State
from parlour.games.mazerunner import GAME, events
from parlour.games.mazerunner.rules.actions import CHOOSE, SHOP
from parlour.games.mazerunner.rules.cards import card_check
from parlour.games.mazerunner.rules.maze import BASE
from parlour.games.mazerunner.state.decks import CHANCE_DECK
from parlour.games.mazerunner.state.decks.monsters import MONSTERS

clause = clauses_of("mazerunner")

MINOTAUR = MONSTERS[-1]


def lose_a_fight(state: State) -> list[object]:
    """Seat 0 with little hp runs into a minotaur north of the base."""
    state.hp[0] = 3
    put_monster(state, "minotaur", block("M12"))
    return play(state, "north")


@clause(39, "Whoever has 0 hp is out, at once")
def test_out_at_0_hp() -> None:
    state = running("+\n|\n#", seats=3)
    journal = lose_a_fight(state)
    assert (state.hp[0], state.over, state.to_move, state.at, state.phase) == (0, 0, 1, BASE, CHOOSE)
    assert events.KnockedOut(0) in journal
    assert state.turns == 1


@clause(39, "The items go to the discards, the resources are lost")
def test_the_belongings_of_those_who_are_out() -> None:
    state = running("+\n|\n#", seats=3)
    give(state, "sword", "sword", "lantern")
    state.resources[:3] = [5, 6, 7]
    before = card_check(state)
    lose_a_fight(state)
    assert items_of(state) == []
    assert state.bonus == [0] * len(state.bonus)
    assert state.resources[:3] == [0, 0, 0]
    assert [kind for kind, count in enumerate(state.discards) for _ in range(count)] == [5, 5, 10]
    assert card_check(state) == before


@clause(40, "Whoever has ten map pieces is out of the maze and has won, at once")
def test_ten_map_pieces_win() -> None:
    state = running(seats=3)
    state.maps[:3] = [9, 9, 0]
    journal = play(state, "north", ALL_OPEN, BY_CHANCE, card(state, CHANCE_DECK, "map piece"))
    assert state.over
    assert GAME.winners(state) == [0]
    assert journal[-1] == events.Escaped(0)


@clause(40, "has won, at once")
def test_nothing_follows_a_map_piece_by_compass_that_wins() -> None:
    state = running("#--+--?", at="N13", came_from="M13", power=1)
    give(state, "compass")
    put_monster(state, "minotaur", block("N13"), awake=2)
    state.maps[0], state.hp[0] = 9, 1
    map_piece = card(state, CHANCE_DECK, "map piece")
    play(state, "east", ALL_OPEN, BY_CHANCE, map_piece, map_piece)
    journal = play(state, "take map piece")
    assert journal[-1] == events.Escaped(0)
    assert (state.over, state.turns, GAME.winners(state)) == (1, 1, [0])


@clause(40, "has won, at once")
def test_loot_can_win_before_the_blow_falls() -> None:
    state = running("+\n|\n#", power=MINOTAUR.health)
    state.maps[0] = 9
    state.hp[0] = 1
    put_monster(state, "minotaur", block("M12"))
    play(state, "north")
    assert (state.maps[0], state.hp[0], state.over) == (9 + MINOTAUR.maps, 1, 1)
    assert GAME.winners(state) == [0]


@clause(41, "If two or more began and only one is left alive, that one has won")
def test_the_last_one_alive_wins() -> None:
    state = running("+\n|\n#", seats=3)
    state.hp[1] = 0
    state.maps[:3] = [5, 6, 0]
    journal = lose_a_fight(state)
    assert state.over
    assert GAME.winners(state) == [2]
    assert journal[-1] == events.LastOne(2)


@clause(41, "If nobody is left alive, nobody has won")
def test_alone_and_out() -> None:
    state = running("+\n|\n#", seats=1)
    journal = lose_a_fight(state)
    assert state.over
    assert GAME.winners(state) == []
    assert journal[-1] == events.AllOut()


@clause(41, "If two or more began")
def test_alone_one_plays_on() -> None:
    state = opened(1)
    state.phase = SHOP
    play(state, "end")
    assert not state.over


@clause(42, "A round is over when play comes back to whoever began, or past that seat")
def test_rounds() -> None:
    state = opened(3, to_move=1)
    rounds = []
    for _ in range(6):
        state.phase = SHOP
        play(state, "end")
        rounds.append(state.round)
    assert rounds == [0, 0, 1, 1, 1, 2]


@clause(42, "or past that seat")
def test_a_round_goes_on_without_whoever_began() -> None:
    state = opened(3, to_move=1)
    state.hp[1] = 0
    state.to_move = 0
    state.phase = SHOP
    play(state, "end")
    assert (state.round, state.to_move) == (1, 2)


@clause(42, "of those alive whoever has the most map pieces has won; ties share the win")
def test_after_the_last_round_the_most_map_pieces_win() -> None:
    state = opened(4, to_move=1, rounds=7)
    state.maps[:] = [3, 5, 3, 2]
    state.hp[1] = 0
    state.round, state.to_move, state.phase = 6, 0, SHOP
    journal = play(state, "end")
    assert state.over
    assert GAME.winners(state) == [0, 2]
    assert journal[-1] == events.TimeUp(7)


@clause(42, "Option `rounds` (1 to 1000, usually 60)")
def test_the_option() -> None:
    assert GAME.blank(2).rounds == 60
    assert [(option.low, option.high) for option in GAME.options] == [(1, 1000)]


@clause(43, "Your score is the number of your map pieces")
def test_score() -> None:
    state = opened(3)
    state.maps[:3] = [4, 0, 7]
    assert GAME.scores(state) == [4, 0, 7]
