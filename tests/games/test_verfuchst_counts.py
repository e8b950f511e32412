"""Verfuchst against a second, slow set of rules written from the rulebook alone; counts; what is always true."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.engine import Chance, Script, State
from parlour.engine.chance import POLICY_STREAM
from parlour.engine.check import choose
from parlour.games.verfuchst import GAME
from parlour.games.verfuchst.rules import GUARDIAN
from parlour.games.verfuchst.state.tiles import GOAL, START, VALUE, is_lucky
from verfuchst_positions import LETTERS, position, shown, taken


@dataclass
class Tile:
    number: int
    standing: list[str] = field(default_factory=list)


@dataclass
class SlowTable:
    """The game as a family plays it: a row of tiles with pieces on them, from which tiles are taken away."""

    seats: int
    up: int
    die: int

    def __post_init__(self) -> None:
        self.path = [Tile(number) for number in range(34)]
        self.path[0].standing = [letter for letter in LETTERS[: self.seats] for _ in range(3)]
        for tile in self.path[9:17]:
            tile.standing = ["g"]
        self.hands: list[list[int]] = [[] for _ in range(self.seats)]

    def choices(self) -> list[int]:
        """Numbered as the game numbers its actions."""
        mine = [tile.number for tile in self.path[:-1] if LETTERS[self.up] in tile.standing]
        met = [tile.number for tile in self.path[1:-1] if "g" in tile.standing and set(tile.standing) != {"g"}]
        return mine + [GUARDIAN + number for number in met]

    def is_home(self, seat: int) -> bool:
        return self.path[-1].standing.count(LETTERS[seat]) == 3

    @property
    def over(self) -> bool:
        return all(self.is_home(seat) for seat in range(self.seats))

    def play(self, action: int, next_die: int) -> None:
        who, number = ("g", action - GUARDIAN) if action >= GUARDIAN else (LETTERS[self.up], action)
        place = next(place for place, tile in enumerate(self.path) if tile.number == number)
        left = self.path[place]
        self.path[min(place + self.die, len(self.path) - 1)].standing.append(who)
        left.standing.remove(who)
        if not left.standing and place > 0:
            self.path.remove(left)
            self.hands[self.up].append(number)
        if not self.over:
            self.up = (self.up + 1) % self.seats
            while self.is_home(self.up):
                self.up = (self.up + 1) % self.seats
        self.die = next_die

    def shown(self) -> str:
        names = [(str(tile.number) if tile.number else "start", tile.standing) for tile in self.path[:-1]]
        order = LETTERS + "g"
        return " ".join(f"{name}={''.join(sorted(those, key=order.index))}" for name, those in names if those)


def best_sum(hand: list[int]) -> int:
    """The most that can be made of a hand by turning as many tiles, at most, as there are lucky ones."""
    lucky = sum(map(is_lucky, hand))
    values = [VALUE[tile] for tile in hand if not is_lucky(tile)]
    ways = (way for count in range(lucky + 1) for way in combinations(range(len(values)), count))
    return sum(values) - 2 * min(sum(values[index] for index in way) for way in ways)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_whole_matches_agree_with_the_slow_rules(seats: int, seed: int) -> None:
    state = GAME.blank(seats)
    chance, policy = Chance.of_game(seed, 0), Chance.of_game(seed, 0, POLICY_STREAM)
    GAME.open(state, chance)
    table = SlowTable(seats, state.to_move, state.die)
    while not state.over:
        assert GAME.legal_actions(state) == table.choices()
        action = choose(GAME, state, policy)
        GAME.play(state, action, chance)
        table.play(action, state.die)
        assert (shown(state), bool(state.over)) == (table.shown(), table.over)
        assert state.over or state.to_move == table.up
    hands = [sorted(hand) for hand in table.hands]
    assert hands == [taken(state, letter) for letter in LETTERS[:seats]]
    sums = [best_sum(hand) for hand in hands]
    assert GAME.scores(state) == sums
    assert GAME.winners(state) == [seat for seat in range(seats) if sums[seat] == max(sums)]


def lines(state: State, depth: int) -> int:
    """How many ways the next plies can go, over all rolls of the dice."""
    if depth == 0 or state.over:
        return 1
    total = 0
    for action in GAME.legal_actions(state):
        for die in range(1, 7):
            after = state.copy()
            GAME.play(after, action, Script([die]))
            total += lines(after, depth - 1)
            if after.over:
                break
    return total


def slow_lines(table: SlowTable, depth: int) -> int:
    if depth == 0 or table.over:
        return 1
    total = 0
    for action in table.choices():
        for die in range(1, 7):
            after = copy.deepcopy(table)
            after.play(action, die)
            total += slow_lines(after, depth - 1)
            if after.over:
                break
    return total


@pytest.mark.parametrize(("depth", "count"), [(1, 6), (2, 36), (3, 432), (4, 5184)])
def test_counts_from_the_opening(depth: int, count: int) -> None:
    """Two seats: one choice on either first turn; then each has a piece out, and two choices.

    Red's first roll is a 1, so that no piece can come to a guardian within these plies.
    """
    state = GAME.blank(2)
    GAME.open(state, Script([0, 1]))
    assert lines(state, depth) == count


def test_counts_with_guardians() -> None:
    """From a drawn position in the middle of a match, the slow rules count the same."""
    state = position("7=R 8=RB 9=g 10=RBgg 11=B 30=g", die=2)
    table = SlowTable(2, 0, 2)
    for tile in table.path:
        tile.standing = []
    for number, who in [(7, "R"), (8, "RB"), (9, "g"), (10, "RBgg"), (11, "B"), (30, "g")]:
        table.path[number].standing = list(who)
    assert lines(state, 3) == slow_lines(table, 3)


@settings(max_examples=25, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**64))
def test_what_is_always_true(seats: int, seed: int) -> None:
    """Whatever is rolled and chosen, everything only ever goes forward, and what is kept in step stays in step."""
    state = GAME.blank(seats)
    chance, policy = Chance.of_game(seed, 0), Chance.of_game(seed, 0, POLICY_STREAM)
    GAME.open(state, chance)
    assert GAME.conserved is not None
    while not state.over:
        before = steps(state)
        GAME.play(state, choose(GAME, state, policy), chance)
        assert steps(state) > before
        assert GAME.conserved(state) == 34 * 10_000 + 3 * seats * 100 + 8
        everyone = state.pieces[: 3 * seats]
        assert [everyone.count(tile) for tile in range(34)] == state.pieces_on
        for tile in range(34):
            assert bool(state.meetings >> tile & 1) == bool(state.pieces_on[tile] and state.guardians_on[tile])
            assert bool(state.path >> tile & 1) == (state.taken_by[tile] == 0)
        for seat in range(seats):
            mine = everyone[seat * 3 : seat * 3 + 3]
            assert mine == sorted(mine)


def steps(state: State) -> int:
    """How far all pieces and guardians have come, together."""
    return sum(tile * (state.pieces_on[tile] + state.guardians_on[tile]) for tile in range(34))


@settings(max_examples=60, deadline=None)
@given(hand=st.sets(st.integers(1, 32), max_size=14))
def test_lucky_tiles_make_the_most_of_any_hand(hand: set[int]) -> None:
    """Turning the most negative tiles first is the best that can be done, and never turns one that is positive."""
    state = position("start=R 1=B", taken={"R": sorted(hand)})
    assert GAME.scores(state) == [best_sum(sorted(hand)), 0]


def test_the_limit_of_plies_is_the_longest_match() -> None:
    """Every move goes forward by at least one tile, and nothing moves on from the goal."""
    state = GAME.blank(4)
    GAME.open(state, Script([0, 1]))
    furthest = 12 * (GOAL - START) + sum((GOAL - tile) * count for tile, count in enumerate(state.guardians_on))
    assert furthest == GAME.ply_limit
