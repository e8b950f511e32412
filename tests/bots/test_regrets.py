"""Search in games with secrets: what it plays, what it may know, and how much can be gained against it."""

from __future__ import annotations

import dataclasses
from typing import Any

import goofspiel
import kuhn
import leduc
import liars_dice
import numpy as np
import pytest
from benchmarks.bots import exploitability

from parlour.bots import make_bot
from parlour.bots.mcts import Mcts
from parlour.bots.roster import hint
from parlour.engine import UNKNOWN, Game, Match
from parlour.engine.bots import Decision
from parlour.engine.chance import Chance, seed_words
from parlour.engine.compiled import regrets
from parlour.engine.compiled.regrets import KNOWING, PRESENT, PUBLIC, RegretSearcher
from parlour.engine.secrets import hidden, imagined
from parlour.lab.solve import grow

ALL = (kuhn.GAME, leduc.GAME, liars_dice.GAME, goofspiel.GAME)
GAMES = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)


def searched(match: Match, playouts: int, seed: int = 1) -> RegretSearcher:
    searcher = RegretSearcher(match.game, seed=seed)
    searcher.at(match.state)
    searcher.look(playouts)
    return searcher


def kuhn_match(first: str, second: str, *actions: str) -> Match:
    match = Match(kuhn.GAME, seed=1)
    match.state.card = [kuhn.CARDS.index(first), kuhn.CARDS.index(second)]
    for action in actions:
        match.play(action)
    return match


@pytest.mark.parametrize(("playouts", "searches", "bar"), [(100, 200, 0.12), (1000, 60, 0.03), (10_000, 30, 0.01)])
def test_in_kuhn_poker_little_is_gained_against_it_and_less_the_longer_it_thinks(
    playouts: int, searches: int, bar: float
) -> None:
    tree = grow(kuhn.GAME)
    found = exploitability.measured(tree, exploitability.of_bot(tree, f"mcts:{playouts}p"), playouts, searches)
    assert found.exploitability <= bar


@GAMES
def test_what_others_hold_changes_nothing(game: Game) -> None:
    """The same draws, another truth that looks alike: the same shares to the last bit."""
    match = Match(game, seed=8)
    match.play(match.legal()[0])
    seat, mixes = match.to_move, []
    for number in range(4):
        world = imagined(game, match.state, seat, Chance.at(number, 3))
        bot = make_bot(game, "mcts:300p")
        assert isinstance(bot, Mcts)
        choice = bot.choose(match.at(world).seen_by(seat).decision(Chance.at(1, 1)))
        mixes.append((choice, bot.rank(match.at(world).seen_by(seat).decision(Chance.at(1, 1)))))
    assert mixes.count(mixes[0]) == 4


@GAMES
def test_it_holds_nothing_that_the_seat_does_not_know(game: Game) -> None:
    """Before it thinks: what it was given. Whatever it puts into a world later was imagined."""
    match = Match(game, seed=8)
    seat = match.to_move
    searcher = RegretSearcher(game)
    searcher.at(match.state)  # whoever calls it so: it hides first
    assert game.layout.read(searcher._rows, PRESENT) == hidden(game, match.state, seat)
    assert game.layout.read(searcher._rows, PUBLIC) == hidden(game, match.state, -1)


def test_each_seat_chooses_by_what_it_knows_in_the_world_that_is_imagined() -> None:
    """All sets of Kuhn poker are there after a while, and no others: an entry for each action of the twelve."""
    searcher = searched(kuhn_match("king", "jack"), 20_000)
    met = searcher._table.met[(searcher._table.key != 0) & (searcher._table.met > 100)]
    assert len(met) == 2 * 12
    row = kuhn.GAME.layout.read(searcher._rows, KNOWING)
    assert UNKNOWN in row.card


def test_it_does_what_is_never_wrong() -> None:
    """Kuhn (1950): call a bet with the king, fold the jack."""
    with_king = searched(kuhn_match("jack", "king", "bet"), 5000).mix()
    with_jack = searched(kuhn_match("king", "jack", "bet"), 5000).mix()
    assert with_king[kuhn.BET] > 0.97
    assert with_jack[kuhn.PASS] > 0.97


def test_it_bluffs_and_calls_now_and_then() -> None:
    """Whoever never bluffs with the jack is never called: a third of the time it is right, and so is calling."""
    bluffs = [searched(kuhn_match("king", "jack", "pass"), 5000, seed).mix()[kuhn.BET] for seed in range(8)]
    calls = [searched(kuhn_match("king", "queen", "bet"), 5000, seed).mix()[kuhn.BET] for seed in range(8)]
    assert np.mean(bluffs) == pytest.approx(1 / 3, abs=0.1)
    assert np.mean(calls) == pytest.approx(1 / 3, abs=0.1)


def test_it_plays_by_lot_as_often_as_it_says() -> None:
    searcher = searched(kuhn_match("king", "jack", "pass"), 5000)
    share, chance = searcher.mix()[kuhn.BET], Chance.at(5, 5)
    played = [searcher.pick(chance) for _ in range(4000)]
    assert played.count(kuhn.BET) / 4000 == pytest.approx(share, abs=0.03)


def test_it_plays_for_the_chips_where_these_are_what_seats_pay_each_other() -> None:
    """In Leduc, a pair of kings raises: to win the pot is not all."""
    match = Match(leduc.GAME, seed=1)
    match.state.card = [4, 0]
    match.play("call")
    match.play("call")
    match.state.table = 5
    assert searched(match, 4000).mix()[leduc.RAISE] > 0.8


@GAMES
def test_it_can_be_repeated_and_counts_its_playouts(game: Game) -> None:
    match = Match(game, seed=3)
    one, other, third = (searched(match, 700, seed) for seed in (1, 1, 2))
    assert one.ranking() == other.ranking()
    assert one.ranking() != third.ranking()
    assert one.playouts == 700
    assert sum(one.mix().values()) == pytest.approx(1)
    assert sorted(one.mix()) == match.legal()
    assert all(0 <= chance <= 1.0001 for _, _, chance in one.ranking())
    assert [visits for _, visits, _ in one.ranking()] == sorted((v for _, v, _ in one.ranking()), reverse=True)


@GAMES
def test_in_parts_or_at_once_it_finds_the_same(game: Game) -> None:
    match, parts = Match(game, seed=3), RegretSearcher(game, seed=1)
    parts.at(match.state)
    for _ in range(7):
        parts.look(100)
    assert parts.ranking() == searched(match, 700).ranking()


def test_it_keeps_to_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is asked every few playouts; no more are made when the time is up."""
    import time

    ticks = iter(np.arange(0, 1000, 0.01))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))
    match, bot = Match(liars_dice.GAME, seed=3), make_bot(liars_dice.GAME, "mcts:0.5s")
    assert isinstance(bot, Mcts)
    assert bot.choose(match.seen_by(match.to_move).decision(Chance.at(1, 1))) in match.legal()
    assert float(next(ticks)) < 0.6


def test_what_it_remembers_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regrets, "MOST_ENTRIES", 1 << 15)
    searcher = searched(Match(goofspiel.GAME, 4, seed=3), 100_000)
    assert searcher.is_full
    assert searcher.playouts < 100_000
    assert searcher.memory == 44 * (1 << 15) + 8 + searcher._trees.memory
    assert searcher.ranking()


def test_what_was_learnt_is_kept_when_the_table_grows() -> None:
    match = Match(goofspiel.GAME, 4, seed=3)
    searcher = searched(match, 100)
    before = len(searcher._table.key)
    searcher.look(20_000)
    table: Any = searcher._table
    assert len(table.key) > before
    assert int((table.key != 0).sum()) == int(table.used[0])
    assert len(set(table.key[table.key != 0].tolist())) == int(table.used[0])


@pytest.mark.parametrize("seat", [0, 1])
def test_where_several_choose_at_once_each_seat_is_searched_from_where_nobody_has(seat: int) -> None:
    """Three cards each: whoever bids the highest for the highest prize cannot lose it, and no seat bids second."""
    match = Match(goofspiel.GAME, 2, seed=1, cards=3)
    while match.state.prize != 3:
        match = Match(goofspiel.GAME, 2, seed=match.seed + 1, cards=3)
    decision = match.seen_by(seat).decision(Chance.at(0, 0))
    searcher = RegretSearcher(goofspiel.GAME, seed=1)
    searcher.at(decision.state)
    searcher.look(5000)
    assert searcher._asked.counts[regrets.MET] > 100  # playouts from the opening come by as well
    assert searcher.mix()[2] > 0.9


def test_with_more_seats_it_plays_as_well() -> None:
    match, bots = Match(liars_dice.GAME, 4, seed=5), [make_bot(liars_dice.GAME, "mcts:60p") for _ in range(4)]
    while not match.over:
        match.play(bots[match.to_move].choose(match.seen_by(match.to_move).decision(Chance.at(2, len(match.plies)))))
    assert match.winners


def test_it_beats_chance_at_liars_dice() -> None:
    won = 0
    for seed in range(40):
        match, bots = Match(liars_dice.GAME, 2, seed=seed, dice=2), [make_bot(liars_dice.GAME, n) for n in BOTS]
        ours = seed % 2
        while not match.over:
            seat = match.to_move
            bot = bots[0] if seat == ours else bots[1]
            match.play(bot.choose(match.seen_by(seat).decision(Chance.of_game(seed, len(match.plies), seat))))
        won += ours in match.winners
    assert won >= 30


BOTS = ("mcts:300p", "random")


def test_hints_say_how_likely_the_seat_wins() -> None:
    decision = kuhn_match("queen", "king", "pass", "bet").seen_by(0).decision(Chance.at(0, 0))
    ranking = hint(kuhn.GAME, decision, 0.2)
    chances = {action: chance for action, _, chance in ranking}
    assert chances[kuhn.PASS] == 0  # whoever folds has lost
    assert 0 < chances[kuhn.BET] < 1


def test_a_hand_that_is_hardly_ever_dealt_is_left_to_the_tree_search() -> None:
    """Until enough playouts from the opening have come by."""
    rare = searched(Match(liars_dice.GAME, 2, seed=3, dice=5), 800)
    assert rare._asked.counts[regrets.RARE]
    assert rare.mix()[rare._trees.ranking()[0][0]] == 1
    assert (rare._trees.playouts, rare.playouts) == (700, 800)
    usual = searched(Match(leduc.GAME, seed=3), 800)
    assert not usual._asked.counts[regrets.RARE]
    assert usual._trees.playouts == 0
    rare._asked.counts[regrets.MET] = 10**6
    assert rare.mix() != {action: float(action == rare._trees.ranking()[0][0]) for action in rare._legal}


def test_options_and_seats_hold_at_the_opening_that_it_imagines() -> None:
    match = Match(liars_dice.GAME, 5, seed=3, dice=2)
    searcher = searched(match, 50)
    opening = liars_dice.GAME.layout.read(searcher._rows, regrets.OPENING)
    assert (opening.seats, opening.dice, opening.ply) == (5, 2, 0)


def test_seeds_of_the_searcher_are_its_own() -> None:
    match = Match(kuhn.GAME, seed=9)
    one, other = RegretSearcher(kuhn.GAME, seed=9), RegretSearcher(kuhn.GAME, seed=9)
    other.reseed(seed_words(9))
    for searcher in (one, other):
        searcher.at(match.state)
        searcher.look(100)
    assert one.mix() == other.mix()


def test_a_decision_with_one_action_needs_no_thought() -> None:
    match = Match(kuhn.GAME, seed=9)
    decision = dataclasses.replace(match.seen_by(0).decision(Chance.at(0, 0)), legal=[kuhn.BET])
    assert isinstance(decision, Decision)
    assert make_bot(kuhn.GAME, "mcts:10p").choose(decision) == kuhn.BET
