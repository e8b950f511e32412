"""Who plays mazerunner: the runner's decisions, its levels, and that machines and people see the same runner."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.bots.policy_play import Played, play_policy

import parlour
from mazerunner_positions import give, opened, play, put_monster, running, shopping
from parlour.bots import Decision, hint, make_bot
from parlour.engine import State
from parlour.engine.advice import CERTAIN
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.games.mazerunner import GAME
from parlour.games.mazerunner.bots import ADVICE, BOTS, LEVELS_OF_RUNNER, Level, Runner
from parlour.games.mazerunner.bots.evaluation import evaluate, odds_of
from parlour.games.mazerunner.bots.features import FEATURES
from parlour.games.mazerunner.bots.lookahead import Lookahead, way
from parlour.games.mazerunner.bots.network import OUTPUT, OUTPUT_BITS, SUM_BITS, WHOLE, chance_of, network
from parlour.games.mazerunner.bots.network import odds_of as network_odds
from parlour.games.mazerunner.bots.pathfinding import ROOM
from parlour.games.mazerunner.bots.policy import decide, policy
from parlour.games.mazerunner.bots.style import TUNED
from parlour.games.mazerunner.rules.actions import COMPASS, END, MAX_ACTIONS, ROPE
from parlour.games.mazerunner.state.decks.monsters import MONSTERS


def chosen(state: State) -> str:
    """What the runner decides here; the position stays as it is."""
    before = state.copy()
    legal = GAME.legal_actions(state)
    action = policy(state, legal + [0] * (MAX_ACTIONS - len(legal)), len(legal), Chance.at(1, 0))
    assert state == before
    assert action in legal
    return GAME.words.write(state, action)


# Rules of thumb


@pytest.mark.parametrize(("hp", "potions", "expected"), [(50, 1, "move"), (30, 1, "drink"), (10, 0, "heal")])
def test_it_heals_when_low_and_drinks_first(hp: int, potions: int, expected: str) -> None:
    state = opened()
    state.hp[0] = hp
    give(state, *["potion"] * potions)
    assert chosen(state) == expected


def test_it_heals_when_the_rest_of_the_deck_is_deadly() -> None:
    state = opened()
    state.hp[0] = 20
    assert chosen(state) == "move"
    for kind in MONSTERS[:-1]:
        for _ in range(kind.cards):
            put_monster(state, kind.name, 0)
    assert chosen(state) == "heal"


def test_it_keeps_good_dice() -> None:
    state = opened()
    play(state, "move", 6, 5, 3, 3)  # attack 2, movement 3 and 2, resource 1
    assert chosen(state) == "reroll 3 4"
    state.rolls_left = 1
    assert chosen(state) == "keep"


def test_it_explores() -> None:
    state = running("+--#--+--?")
    assert chosen(state) in ("north", "south"), "a new block next to the base is nearer than the one beyond N13"


def test_it_goes_back_when_a_new_block_could_be_the_end() -> None:
    state = running("#--+--?", at="N13", power=1)
    assert chosen(state) == "east"
    state.hp[0] = 5
    assert chosen(state) == "back"


def test_it_takes_the_long_way_to_a_map_piece() -> None:
    """A troll that can be killed now is worth more than the new blocks on the way."""
    state = running("#--+--+--T\n   |\n   ?", at="N13", power=30)
    assert chosen(state) == "east"
    state.power = 3
    assert chosen(state) == "south", "that fight would hurt too much"


def test_it_fights_on_where_a_second_blow_kills() -> None:
    state = running("T--+--#", at="L13", power=20)
    put = MONSTERS[8]
    assert put.health > 20
    assert chosen(state) == "west"
    state.hp[0] = put.damage + 5
    assert chosen(state) == "back", "it needs some hp to spare"


@pytest.mark.parametrize(("hp", "expected"), [(50, "rope"), (3, "rope")])
def test_a_rope_saves_it_from_the_strong(hp: int, expected: str) -> None:
    state = running("#--T", at="N13", phase=ROPE)
    give(state, "rope")
    state.hp[0] = hp
    assert chosen(state) == expected


def test_no_rope_for_a_rat() -> None:
    state = running("#--r", at="N13", phase=ROPE, power=1)
    give(state, "rope")
    assert chosen(state) == "fight"


def test_it_keeps_the_map_piece() -> None:
    state = running(phase=COMPASS)
    state.offered = [2, 1]
    assert chosen(state) == "take map piece"


def test_it_buys_trades_and_ends() -> None:
    assert chosen(shopping(5, 0, 5)).startswith("buy")
    assert chosen(shopping(5, 3, 4)) == "trade herbs gold", "then a red die can be paid for"
    assert chosen(shopping(4, 2, 4)) == "end"


# Interpreted and compiled


def test_compiled_runners_play_like_interpreted_ones() -> None:
    """Match by match: the last positions of a compiled run are those of the same matches in plain Python."""
    played = play_policy(GAME, policy, 6, 3, 9, keep=("ply", "maps", "hp", "maze", "resources"))
    for number in range(6):
        chance, own = Chance.of_game(9, number), Chance.of_game(9, number, POLICY_STREAM)
        state = GAME.blank(3)
        GAME.open(state, chance)
        while not state.over:
            legal = GAME.legal_actions(state)
            GAME.play(state, policy(state, legal + [0] * (MAX_ACTIONS - len(legal)), len(legal), own), chance)
        assert {name: played.finals[name][number].tolist() for name in played.finals} == {
            name: getattr(state, name) for name in played.finals
        }
        assert [seat for seat in range(3) if played.shares[number, seat]] == GAME.winners(state)


def test_policy_play_is_the_same_on_any_number_of_cores() -> None:
    runs = [play_policy(GAME, policy, 200, 2, 4, keep=("round",), cores=cores) for cores in (1, 3)]
    assert np.array_equal(runs[0].finals["round"], runs[1].finals["round"])
    assert runs[0].statistics.win_share_by_order == runs[1].statistics.win_share_by_order
    assert sum(runs[0].statistics.outcomes.values()) == 200


@pytest.mark.parametrize("games", [0, -1, True, 2.5])
def test_policy_play_of_no_games(games: int) -> None:
    with pytest.raises(ParlourError, match="whole number"):
        play_policy(GAME, policy, games)


def test_policy_play_of_an_unknown_field() -> None:
    with pytest.raises(ParlourError, match="no field 'luck'"):
        play_policy(GAME, policy, 1, keep=("luck",))


def test_rules_of_thumb_stay_as_they_are() -> None:
    """Levels 1 to 5 keep playing as they always did, whatever others learn: so many plies, so many hp at the end."""
    played = play_policy(GAME, policy, 200, 2, 5, keep=("ply", "hp"))
    assert (played.finals["ply"].sum(), played.finals["hp"].sum()) == (95_512, 14_404)


# What was learnt


def tuned(state: State) -> str:
    """What a runner decides here who goes by what was learnt."""
    legal = GAME.legal_actions(state)
    return GAME.words.write(state, decide(state, TUNED, legal, len(legal), [0] * ROOM))


def test_a_second_attack_die_is_for_treasure() -> None:
    state = opened()
    give(state, "red die", "red die")
    play(state, "move")
    assert (chosen(state), tuned(state)) == ("mix 1-4-1", "mix 1-4-1")
    for monster in ("troll", "hydra", "minotaur"):
        put_monster(state, monster, 0)
    assert (chosen(state), tuned(state)) == ("mix 1-4-1", "mix 2-3-1")


def test_a_new_block_with_more_to_discover_around_it_is_better() -> None:
    """Both are as near; by the rules of thumb the northern one is taken, though there is a wall to its east."""
    state = running("   ?  +\n   |\n#--+\n   |\n   ?", at="N13")
    assert (chosen(state), tuned(state)) == ("north", "south")


def test_the_network_says_who_is_ahead() -> None:
    assert network().shape == (OUTPUT + 1, 32)
    even = chances(opened())
    assert abs(sum(even) - WHOLE) <= WHOLE // 200
    for change in ("maps", "hp", "items"):
        state = opened()
        if change == "maps":
            state.maps[0] = 3
        elif change == "hp":
            state.hp[1] = 12
        else:
            give(state, "red die", "sword")
        assert chances(state)[0] > even[0] + WHOLE // 50
    state = opened()
    state.hp[1] = 0
    assert chances(state)[1] == 0


def chances(state: State) -> list[int]:
    weights = network()
    room = [0] * FEATURES, [0] * weights.shape[1]
    return [chance_of(state, seat, weights, *room) for seat in range(state.seats)]


def test_compiled_trials_judge_as_interpreted_ones_do() -> None:
    """To end the turn leaves nothing to chance: what the trial says is what the network says of the next position."""
    state = shopping(4, 2, 4)
    state.maps[0] = 3
    ended = state.copy()
    GAME.play(ended, END, Chance.at(1, 0))
    lookahead = Lookahead(GAME, way(tuned=True))
    assert lookahead.ranking(state, [END], 2, 1) == [(END, 2, chances(ended)[0] / WHOLE)]


def test_odds_of_a_total() -> None:
    one = 1 << SUM_BITS + OUTPUT_BITS
    odds = [network_odds(part * one // 4) / WHOLE for part in range(-8, 9)]
    assert odds == pytest.approx([2 ** (part / 4) for part in range(-8, 9)], rel=0.004)
    assert network_odds(-50 * one) == 0


# Ruling 13


@pytest.fixture(scope="module")
def played() -> Played:
    """Matches of four runners."""
    return play_policy(GAME, policy, 4000, 4, 13, keep=("round", "maps", "shop"))


def test_the_cards_are_balanced(played: Played) -> None:
    """Ten to twenty rounds, at least 80% of matches won by map pieces, nobody favoured by seat or order of play.

    The bound is that of the rulings, three points, and one more for the luck of 4,000 matches.
    """
    assert 10 <= np.median(played.finals["round"] + 1) <= 20
    assert (played.finals["maps"].max(axis=1) >= 10).mean() >= 0.8
    for share in (*played.statistics.win_share, *played.statistics.win_share_by_order):
        assert abs(share - 0.25) <= 0.04


def test_the_shop_hardly_ever_runs_dry(played: Played) -> None:
    """Each card bought is replaced by another card: also where four runners buy all they can."""
    dry = (played.finals["shop"] < 0).any(axis=1)
    assert dry.mean() <= 0.03, "of 4,000 matches, those that ended before an empty place"


# Judging


def test_a_position_is_judged_between_0_and_certain() -> None:
    match = Match(GAME, 4, seed=3)
    bot, chance = Runner(Level(slips=20)), Chance.at(3, 0)
    while not match.over:
        judged = [evaluate(match.state, seat) for seat in range(4)]
        assert all(0 <= value <= CERTAIN for value in judged)
        assert CERTAIN - 4 <= sum(judged) <= CERTAIN
        match.play(bot.choose(Decision(GAME, match.state.copy(), match.legal(), chance)))


def test_what_helps_is_judged_better() -> None:
    plain = evaluate(opened(), 0)
    for change in ("maps", "hp", "items"):
        state = opened()
        if change == "maps":
            state.maps[0] = 1
        elif change == "hp":
            state.hp[1] = 30
        else:
            give(state, "sword")
        assert evaluate(state, 0) > plain
        assert evaluate(state, 1) < CERTAIN - plain
    state = opened()
    state.hp[1] = 0
    assert (evaluate(state, 0), evaluate(state, 1)) == (CERTAIN, 0)


def test_odds_double() -> None:
    assert [odds_of(points) / odds_of(0) for points in (0, 50, 100, 150, 200)] == [1, 1.5, 2, 3, 4]


# The bots


@pytest.mark.parametrize("name", BOTS.own)
def test_every_level_plays_legally_and_can_be_repeated(name: str) -> None:
    courses = []
    for _ in range(2):
        match = parlour.new("mazerunner", seats=2, seed=5)
        bot, chance = make_bot(GAME, name), Chance.at(7, 0)
        while not match.over and len(match.actions) < 40:
            action = bot.choose(Decision(GAME, match.state.copy(), match.legal(), chance, actions=match.actions))
            assert action in match.legal()
            match.play(action)
        courses.append(match.actions)
    assert courses[0] == courses[1]


def test_levels_rise() -> None:
    levels = list(LEVELS_OF_RUNNER.values())
    assert list(LEVELS_OF_RUNNER) == [1, 2, 3, 4, 5, 6]
    assert levels == sorted(levels, key=lambda level: (-level.slips, level.trials))
    assert len(set(levels)) == 6
    assert (ADVICE.policy, ADVICE.evaluate) == (policy, evaluate)


@pytest.mark.parametrize("name", ["runner:5", "runner:6"])
def test_looking_ahead_takes_the_win(name: str) -> None:
    """With nine map pieces and a troll that two fights kill next door, no other way is as good."""
    state = running("T--+--#\n   |\n   ?", at="L13", power=20)
    state.maps[0] = 9
    bot = make_bot(GAME, name)
    assert (
        GAME.words.write(state, bot.choose(Decision(GAME, state, GAME.legal_actions(state), Chance.at(1, 0)))) == "west"
    )


def test_the_runner_beats_random() -> None:
    """A coarse check that it knows the game at all; strength is measured in docs/strength.md."""
    won = 0
    for seed in range(10):
        match = parlour.new("mazerunner", seats=2, seed=seed)
        bots = [make_bot(GAME, "runner"), make_bot(GAME, "random")][:: 1 if seed % 2 else -1]
        chance = Chance.at(seed, 0)
        while not match.over:
            choice = Decision(GAME, match.state.copy(), match.legal(), chance)
            match.play(bots[match.to_move].choose(choice))
        won += match.winners == [0 if seed % 2 else 1]
    assert won >= 7


def test_a_hint_ranks_every_action_by_its_estimated_chance() -> None:
    match = parlour.new("mazerunner", seats=2, seed=3)
    decision = Decision(match.game, match.state.copy(), match.legal(), Chance.at(1, 0), actions=match.actions)
    found = hint(match.game, decision)
    assert sorted(action for action, _, _ in found) == match.legal()
    assert all(tried == 500 and 0 <= chance <= 1 for _, tried, chance in found)
    assert [chance for _, _, chance in found] == sorted((chance for _, _, chance in found), reverse=True)
    assert match.text(found[0][0]) == "move", "at full health there is nothing to heal"
