"""The tree search and the bots made of it."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import parlour
from compiling import EACH_GAME
from parlour.bots import Decision, hint, make_bot
from parlour.bots.judged import OnePly, search_advice
from parlour.bots.mcts import Mcts
from parlour.bots.roster import names, usual
from parlour.engine import registry
from parlour.engine.advice import Advice
from parlour.engine.chance import Chance, seed_words
from parlour.engine.compiled.search import Searcher
from parlour.engine.compiled.tree import NO_NODE
from parlour.engine.errors import BadGame, UnknownName
from parlour.engine.match import Match
from parlour.engine.rule import rule
from parlour.engine.state import State


def decision(match: Match, seed: int = 1) -> Decision:
    return Decision(match.game, match.state.copy(), match.legal(), Chance.at(seed, 0), actions=match.actions)


def search_of(match: Match) -> Searcher:
    """The search that ``mcts`` makes."""
    bot = make_bot(match.game, "mcts:1p")
    assert isinstance(bot, Mcts)
    assert isinstance(bot.searcher, Searcher)
    return bot.searcher


def connect_four(columns: str) -> Match:
    match = parlour.new("connect_four", seed=0)
    for column in columns:
        match.play(column)
    return match


def test_it_takes_a_win() -> None:
    match = connect_four("172737")
    assert match.text(make_bot(match.game, "mcts:2000p").choose(decision(match))) == "4"


def test_nothing_is_compiled_while_the_clock_runs() -> None:
    """All of the search is compiled when the bot is made, so that its time of thought is not spent on that."""
    match = connect_four("")
    searcher = search_of(match)
    search: Any = searcher._search
    compiled = list(search.signatures)
    searcher.at(match.state)
    searcher.look(1)
    assert list(search.signatures) == compiled


def test_it_stops_a_threat() -> None:
    match = connect_four("12131")
    assert match.text(make_bot(match.game, "mcts:2000p").choose(decision(match))) == "1"


def test_every_playout_is_counted_and_every_action_tried() -> None:
    match = parlour.new("verfuchst", seed=3)
    searcher = Searcher(match.game, Advice())  # the tree search, without a judge
    searcher.at(match.state)
    searcher.look(500)
    ranking = searcher.ranking()
    assert searcher.playouts == 500 == sum(visits for _, visits, _ in ranking)
    assert sorted(action for action, _, _ in ranking) == match.legal()
    assert all(0 <= chance <= 1 for _, _, chance in ranking)
    assert [visits for _, visits, _ in ranking] == sorted((visits for _, visits, _ in ranking), reverse=True)


def test_a_search_leaves_the_position_alone_and_can_be_repeated() -> None:
    match = parlour.new("verfuchst", seed=3)
    before = match.state.copy()
    rankings = [make_bot(match.game, "mcts:300p").rank(decision(match)) for _ in range(2)]  # type: ignore[attr-defined]
    assert match.state == before
    assert rankings[0] == rankings[1]


def test_a_search_sees_no_coming_dice() -> None:
    """The same position in matches of different seeds, whose next dice differ: the same answer."""
    one, other = parlour.new("verfuchst", seats=2, seed=1), parlour.new("verfuchst", seats=2, seed=2)
    other.state = one.state.copy()
    bots = [make_bot(match.game, "mcts:400p").rank(decision(match)) for match in (one, other)]  # type: ignore[attr-defined]
    assert bots[0] == bots[1]


def test_the_tree_is_kept_while_no_dice_fall() -> None:
    match = parlour.new("choccer", seed=3)
    bot = make_bot(match.game, "mcts:3000p")
    match.play(bot.choose(decision(match)))
    searcher = bot.searcher  # type: ignore[attr-defined]
    match.play(searcher.ranking()[0][0] if searcher.ranking()[0][0] in match.legal() else match.legal()[0])
    bot._stand_at(decision(match))  # type: ignore[attr-defined]
    kept = searcher.playouts
    assert 0 < kept < 3000
    assert sorted(action for action, _, _ in searcher.ranking()) == sorted(
        action for action, _, _ in searcher.ranking() if action in match.legal()
    )


def test_after_dice_the_tree_starts_anew() -> None:
    match = parlour.new("verfuchst", seats=2, seed=3)
    bot = make_bot(match.game, "mcts:200p")
    bot.choose(decision(match))
    match.play(match.legal()[0])
    bot._stand_at(decision(match))  # type: ignore[attr-defined]
    assert bot.searcher.playouts == 0  # type: ignore[attr-defined]


def test_where_dice_fall_the_first_playout_judges_every_action() -> None:
    match = parlour.new("verfuchst", seats=2, seed=3)
    judge = match.game.players.judge
    assert judge is not None
    bot = make_bot(match.game, "mcts:1p")
    assert bot.rank(decision(match)) == OnePly(judge).rank(decision(match))  # type: ignore[attr-defined]
    bot.searcher.look(300)  # type: ignore[attr-defined]
    ranking = bot.searcher.ranking()  # type: ignore[attr-defined]
    assert sum(visits for _, visits, _ in ranking) == len(match.legal()) + 300
    assert all(0 <= worth <= 1 for _, _, worth in ranking)


def test_a_search_asks_the_judge_for_as_many_seats_as_there_are() -> None:
    for seats in (2, 4):
        match = parlour.new("verfuchst", seats=seats, seed=3)
        judge = match.game.players.judge
        assert judge is not None
        alone = dataclasses.replace(judge.at(seats), others=())
        assert OnePly(judge).rank(decision(match)) == OnePly(alone).rank(decision(match))
        searches = [Mcts(match.game, search_advice(each), judge=each, playouts=30) for each in (judge, alone)]
        assert searches[0].rank(decision(match)) == searches[1].rank(decision(match))
        assert judge.at(4).record["seats"] == [4]


def test_a_tree_grows_beyond_its_first_size() -> None:
    match = parlour.new("verfuchst", seed=3)
    searcher = Searcher(match.game, Advice())  # without a judge
    searcher.at(match.state)
    searcher.look(10)
    best = searcher.ranking()[0]
    searcher.look(9000)
    assert searcher.playouts == 9010
    assert best[0] in [action for action, _, _ in searcher.ranking()]


def minimax(match: Match, playouts: int, seed: int = 0) -> Searcher:
    searcher = search_of(match)
    assert searcher.advice.minimax
    searcher.reseed(seed_words(seed))
    searcher.at(match.state)
    searcher.look(playouts)
    return searcher


def test_minimax_counts_every_playout_and_judges_every_action() -> None:
    """The first playout opens the position itself; each of the others goes down one of its actions."""
    match = parlour.new("choccer", seed=3)
    searcher = minimax(match, 500)
    ranking = searcher.ranking()
    assert searcher.playouts == 500 == 1 + sum(visits for _, visits, _ in ranking)
    assert sorted(action for action, _, _ in ranking) == match.legal()
    assert all(0 < chance < 1 for _, _, chance in ranking)


def test_minimax_is_worth_its_best_reply() -> None:
    """What an action is worth to Black is what White's best reply to it leaves, in the whole tree."""
    searcher = minimax(parlour.new("choccer", seed=3), 3000)
    tree = searcher._tree
    opened = [node for node in range(1, tree.used[0]) if tree.child[node] != NO_NODE]
    assert len(opened) > 2000
    for node in opened:  # seats alternate, so a node and its children are worth what is left to the other
        assert math.isclose(tree.value[node], 1 - max(tree.value[child] for child in tree.children(node)))


def test_minimax_can_be_repeated_and_varied() -> None:
    match = parlour.new("choccer", seed=3)
    assert minimax(match, 300, seed=1).ranking() == minimax(match, 300, seed=1).ranking()
    assert len({minimax(match, 300, seed=seed).ranking()[0] for seed in range(5)}) > 1


def test_minimax_is_for_two_seats_and_an_evaluation() -> None:
    for game, told in (
        ("verfuchst", Advice(evaluate=evaluate_nothing, minimax=True)),
        ("choccer", Advice(minimax=True)),
    ):
        with pytest.raises(BadGame, match="two seats and an evaluation"):
            Searcher(registry.get(game), told)


def evaluate_nothing(state: object, seat: int) -> int:
    return 500


@rule
def evaluate_middle(state: State, seat: int) -> int:
    height: int = state.height[3]
    return 500 + 50 * (height if seat == 0 else -height)


def test_minimax_goes_by_an_evaluation_where_there_is_no_judge() -> None:
    """Red likes discs in the middle, and Yellow does not."""
    match = connect_four("")
    searcher = Searcher(match.game, Advice(evaluate=evaluate_middle, minimax=True))
    searcher.at(match.state)
    searcher.look(1)
    assert {match.text(action): worth for action, _, worth in searcher.ranking()} == {
        column: 0.55 if column == "4" else 0.5 for column in "1234567"
    }


def test_more_playouts_play_better() -> None:
    """A coarse check that search works at all; strength is measured in the arena."""
    won = 0
    for seed in range(6):
        match = parlour.new("connect_four", seed=seed)
        strong, weak = make_bot(match.game, "mcts:400p"), make_bot(match.game, "random")
        seat = seed % 2
        while not match.over:
            bot = strong if match.to_move == seat else weak
            match.play(bot.choose(decision(match, seed)))
        won += match.winners == [seat]
    assert won >= 5


def test_a_hint_ranks_the_actions() -> None:
    match = connect_four("172737")
    best, playouts, chance = hint(match.game, decision(match), seconds=0.1)[0]
    assert match.text(best) == "4"
    assert playouts > 0
    assert math.isclose(chance, 1.0, abs_tol=0.05)


@pytest.mark.parametrize("name", EACH_GAME)
def test_every_bot_of_every_game_plays_legally(name: str) -> None:
    game = registry.get(name)
    match = parlour.new(name, seed=5)
    bots = [make_bot(game, bot) for bot in names(game) if bot not in ("mcts", "mcts:4", "mcts:5")]
    for number in range(2 * len(bots)):
        if match.over:
            break
        action = bots[number % len(bots)].choose(decision(match, number))
        assert action in match.legal()
        match.play(action)


def test_levels_rise() -> None:
    for game in registry.all_games():
        found = game.players.bots.levels
        assert list(found) == list(range(1, len(found) + 1))
        assert len(found) >= 5
        assert [level.playouts for level in found.values()] == sorted(level.playouts for level in found.values())


@pytest.mark.parametrize("name", ["mcts:0", "mcts:7", "mcts:-1s", "mcts:0s", "mcts:", "mcts:x", "gredy", ""])
def test_a_name_that_is_nobodys(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        make_bot(registry.get("choccer"), name)
    assert "\n" not in str(caught.value)


def test_who_is_met_unless_told() -> None:
    expected = {"goose": "random", "mazerunner": "runner:2", "game17": "general:2"}
    met = {name: usual(registry.get(name)) for name in registry.names()}
    assert met == {name: expected.get(name, "mcts:2") for name in met}
    assert {"choccer", "verfuchst", *expected} <= met.keys()
    assert all(bot in names(registry.get(name)) for name, bot in met.items())
