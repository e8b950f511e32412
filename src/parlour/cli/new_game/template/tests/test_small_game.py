"""The rules of Small game, clause by clause. A test of a rule says which clause it is about."""

from parlour.cli.new_game.template.small_game import GAME
from parlour.cli.new_game.template.small_game.events import Took, Won
from parlour.engine import Match


def test_clause_1_all_pebbles_are_in_the_bowl() -> None:
    assert Match(GAME).state.left == 21
    assert Match(GAME, pebbles=30).state.left == 30


def test_clause_2_one_two_or_three_are_taken() -> None:
    match = Match(GAME)
    assert [match.text(action) for action in match.legal()] == ["1", "2", "3"]
    assert match.play(match.read("3")) == [Took(0, 3)]
    assert match.state.left == 18
    assert match.to_move == 1


def test_clause_3_no_more_than_are_left() -> None:
    match = Match(GAME, pebbles=4)
    match.play(match.read("2"))
    assert [match.text(action) for action in match.legal()] == ["1", "2"]


def test_clause_4_whoever_takes_the_last_one_wins() -> None:
    match = Match(GAME, pebbles=4)
    match.play(match.read("1"))
    assert match.play(match.read("3")) == [Took(1, 3), Won(1)]
    assert match.winners == [1]
    assert match.scores == [0, 1]
