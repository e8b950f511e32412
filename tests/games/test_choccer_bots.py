"""What plays Choccer: what a judge sees, the judge that comes with the game, and the bots that go by it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from choccer_positions import put
from parlour.bots import Bot, Decision, make_bot
from parlour.bots.judged import search_advice
from parlour.engine import State
from parlour.engine.chance import Chance
from parlour.engine.check import play_random
from parlour.engine.compiled.search import Searcher
from parlour.engine.features import split
from parlour.engine.match import Match
from parlour.games.choccer import GAME, sight
from parlour.games.choccer.sight import is_guarded
from parlour.games.choccer.state import BLACK, COLUMNS, PIECES, SQUARES, WHITE, square_of


def positions(count: int) -> Iterator[State]:
    """Positions of random matches, from their openings to their ends."""
    for seed in range(count):
        match = Match(GAME, seed=seed)
        play_random(match, seed % 99)
        yield match.state


def mirrored(state: State) -> State:
    """The same with colours and directions changed."""
    twin = state.copy()
    for square in range(SQUARES):
        other = square // COLUMNS * COLUMNS + COLUMNS - 1 - square % COLUMNS
        twin.board[other], twin.gem[other] = -state.board[square], state.gem[square]
    twin.points, twin.count, twin.to_move = state.points[::-1], state.count[::-1], 1 - state.to_move
    for seat, sign in ((BLACK, 1), (WHITE, -1)):
        squares = [square for square, piece in enumerate(twin.board) if piece * sign > 0]
        twin.pieces[seat * PIECES : (seat + 1) * PIECES] = squares + [0] * (PIECES - len(squares))
    return twin


def choice(bot: Bot, state: State) -> str:
    """What the bot plays, in notation."""
    return GAME.words.write(state, bot.choose(Decision(GAME, state.copy(), GAME.legal_actions(state), Chance.at(1, 0))))


def chance(state: State, seat: int) -> float:
    """What the judge says."""
    judge = GAME.players.judge
    assert judge is not None
    return judge.chances(state)[seat]


def test_neither_side_of_the_board_is_better() -> None:
    for state in positions(20):
        assert chance(mirrored(state), WHITE) == chance(state, BLACK)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("C3=Cr K0=o", "G3=Cr K0=o"),  # a gem near the zone, and far from it
        ("G3=Cr K0=o", "G3=Cb K0=o"),  # the red gem and a blue one
        ("G3=S K0=o", "G3=T K0=o"),  # a star and a triangle
        ("G3=O F3=s", "G3=O E3=s"),  # a star that can be captured, and one that cannot
        ("G3=O F3=s", "G3=O F3=s E2=t"),  # a star that is not guarded, and one that is
        ("G3=Ob K0=o", "G3=Ob F2=t"),  # a gem in safety, and one that can be captured
    ],
)
def test_better_and_worse(better: str, worse: str) -> None:
    to_move = WHITE if "F2=t" in worse else BLACK
    assert chance(put(better, to_move), BLACK) > chance(put(worse, to_move), BLACK)


def test_points_count_more_towards_the_end() -> None:
    early, late = Match(GAME, seed=0).state, Match(GAME, seed=0).state
    early.points, late.points, late.turns = [3, 0], [3, 0], 90
    assert 1 > chance(late, BLACK) > chance(early, BLACK) > 0.5


@pytest.mark.parametrize(
    ("pieces", "square", "is_so"),
    [
        ("D3=O", "D4", True),
        ("D3=O", "E4", False),
        ("D3=T", "E4", True),
        ("D3=C", "D6", True),
        ("D3=C E3=o", "F3", False),  # a piece is in the way
        ("D3=S", "H3", False),
        ("D3=Ob", "D4", False),  # who holds a gem cannot capture
        ("D3=o", "D4", False),  # the other side's
    ],
)
def test_guarded(pieces: str, square: str, is_so: bool) -> None:
    assert is_guarded(put(pieces), BLACK, square_of(square)) is is_so


@pytest.mark.parametrize("name", ["greedy", "mcts:1p", "mcts:500p"])
def test_who_can_score_the_red_gem_does(name: str) -> None:
    assert choice(make_bot(GAME, name), put("C3=Cr H3=O D6=s")) in ("C3-A3", "C3-B3")


@pytest.mark.parametrize("name", ["greedy", "mcts:1p", "mcts:500p"])
def test_who_can_capture_for_nothing_does(name: str) -> None:
    """Late in the match: that is when so few pieces are left, and a judge knows what is usual."""
    assert choice(make_bot(GAME, name), put("G3=O K6=T F3=s A0=o", turns=90)) == "G3-F3"


def test_a_search_saves_its_gem() -> None:
    """White's star is about to take the red gem: Black must move it out of reach, pass it on, or take the star."""
    state = put("F3=Or G3=T D1=s A6=o K0=O")
    bot = make_bot(GAME, "mcts:2000p")
    action = bot.choose(Decision(GAME, state.copy(), GAME.legal_actions(state), Chance.at(1, 0)))
    GAME.play(state, action, Chance.at(1, 1))
    holder = next(square for square, gem in enumerate(state.gem) if gem)
    assert state.board[holder] > 0
    assert not is_guarded(state, WHITE, holder)


def test_a_search_sees_the_end() -> None:
    """White is behind and has the last turn, and one capture turns the match: that is certain, and all else is lost."""
    state = put("G3=S F3=o D3=o K0=T", WHITE, turns=99)
    state.points = [2, 1]
    judge = GAME.players.judge
    assert judge is not None
    searcher = Searcher(GAME, search_advice(judge), judge=judge)
    searcher.at(state)
    searcher.look(50)
    worth = {GAME.words.write(state, action): chance for action, _, chance in searcher.ranking()}
    assert worth.pop("F3-G3") == 1
    assert set(worth.values()) == {0}
    assert searcher.ranking()[0][2] == 1


def test_greedy_beats_random() -> None:
    """docs/strength.md has what the arena measured: it wins every match."""
    for seed in range(4):
        match, seat = Match(GAME, seed=seed), seed % 2
        bots = [make_bot(GAME, "greedy" if place == seat else "random") for place in range(2)]
        while not match.over:
            own = Chance.of_game(seed, len(match.plies), match.to_move)
            decision = Decision(GAME, match.state.copy(), match.legal(), own, actions=match.actions)
            match.play(bots[match.to_move].choose(decision))
        assert match.winners == [seat]


def test_a_judge_sees_both_sides_alike() -> None:
    """The board is mirrored for White, so that Black sees what White would see with colours changed."""
    game = GAME.players.judged_game
    for state in positions(40):
        assert game.observed(state, WHITE) == game.observed(mirrored(state), BLACK)


def test_a_judge_sees_what_can_be_captured() -> None:
    """As the rules have it: prey is where the seat to move can go to and takes a piece."""
    game = GAME.players.judged_game
    for state in positions(40):
        seen = split(game.features, np.array(game.observed(state, state.to_move)))
        moves = [GAME.words.write(state, action) for action in GAME.legal_actions(state)]
        ways = [(square_of(move[:2]), square_of(move[-2:])) for move in moves if move[2:3] == "-"]
        taken = {to for square, to in ways if state.board[square] * state.board[to] < 0}
        found = {int(square) for square in np.flatnonzero(seen["prey"])}
        assert {sight.seen_from(state.to_move, square) for square in taken} == found
        for square in taken:
            guarded = seen["prey"].reshape(-1)[sight.seen_from(state.to_move, square)] == sight.GUARDED
            assert guarded == is_guarded(state, 1 - state.to_move, square)
