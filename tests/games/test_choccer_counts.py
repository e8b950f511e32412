"""Choccer against a second, slow Choccer, written from the words of the rules alone and sharing no code with the first.

It keeps pieces in a dictionary by the names of their squares, and looks at every piece on the board after every turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from choccer_positions import options, play, position
from parlour.engine import Script, State
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.check import choose
from parlour.games.choccer import GAME
from parlour.games.choccer.rules import all_points
from parlour.games.choccer.state import OPENING, PIECES

STRAIGHT = [(0, -1), (0, 1), (-1, 0), (1, 0)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
WAYS = {"o": (STRAIGHT, 1), "t": (DIAGONAL, 1), "c": (STRAIGHT, 3), "s": (DIAGONAL, 3)}
WORTH = {"o": 1, "t": 1, "c": 2, "s": 2, "b": 4, "r": 10}
GOALS = {
    "Black": {"A2", "A3", "A4", "B2", "B3", "B4"},
    "White": {"J2", "J3", "J4", "K2", "K3", "K4"},
}

MIDDLE = """
   A  B  C  D  E  F  G  H  I  J  K
0  .  .  .  t  .  .  .  T  .  .  .
1  .  .  s  .  Sb .  .  T  .  .  .
2  .  .  .  o  .  .  .  O  C  .  .
3  .  .  .  o  O  .  .  .  .  .  .
4  .  C  .  or .  .  .  O  .  .  .
5  .  .  .  t  .  .  c  .  sb .  .
6  .  .  .  t  .  .  .  T  .  .  .
"""


@dataclass(frozen=True)
class Man:
    side: str
    shape: str
    gem: str = ""


@dataclass(frozen=True)
class Table:
    men: dict[str, Man]
    gems: dict[str, str]
    side: str = "Black"
    turns: int = 0
    points: dict[str, int] = field(default_factory=lambda: {"Black": 0, "White": 0})
    over: bool = False

    @classmethod
    def of(cls, picture: str) -> Table:
        men, gems = {}, {}
        header, *rows = picture.strip().splitlines()
        for row in rows:
            number, *cells = row.split()
            for letter, cell in zip(header.split(), cells, strict=True):
                if cell in ("b", "r"):
                    gems[letter + number] = cell
                elif cell != ".":
                    side = "Black" if cell[0].isupper() else "White"
                    men[letter + number] = Man(side, cell[0].lower(), cell[1:])
        return cls(men, gems)

    def actions(self) -> set[str]:
        """Everything the side may do."""
        found = set()
        for name, man in self.men.items():
            if man.side == self.side:
                found |= {f"{name}-{to}" for to in self.squares_for(name, man)}
                found |= {f"{name}>{to}" for to in self.men if man.gem and self.can_receive(name, to)}
        return found or {"pass"}

    def squares_for(self, name: str, man: Man) -> Iterator[str]:
        directions, longest = WAYS[man.shape]
        for across, down in directions:
            for steps in range(1, longest + 1):
                to = chr(ord(name[0]) + across * steps) + str(int(name[1:]) + down * steps)
                if to[0] not in "ABCDEFGHIJK" or to[1:] not in "0123456":
                    break
                if to in self.men:
                    if self.men[to].side != man.side and not man.gem:
                        yield to
                    break
                if not (man.gem and to in self.gems):
                    yield to

    def can_receive(self, name: str, to: str) -> bool:
        near = abs(ord(name[0]) - ord(to[0])) <= 2 and abs(int(name[1:]) - int(to[1:])) <= 2
        return to != name and near and self.men[to].side == self.side and not self.men[to].gem

    def play(self, text: str) -> Table:
        men, gems, points = dict(self.men), dict(self.gems), dict(self.points)
        if ">" in text:
            name, to = text.split(">")
            men[name], men[to] = replace(men[name], gem=""), replace(men[to], gem=men[name].gem)
        elif "-" in text:
            name, to = text.split("-")
            man, victim = men.pop(name), men.get(to)
            if victim:
                points[self.side] += WORTH[victim.shape]
            men[to] = replace(man, gem=man.gem or gems.pop(to, "") or (victim.gem if victim else ""))
        over = self.turns + 1 == 100
        for name, man in men.items():
            if man.side == self.side and man.gem and name in GOALS[self.side]:
                points[self.side] += WORTH[man.gem]
                over = over or man.gem == "r"
                men[name] = replace(man, gem="")
        return Table(men, gems, "White" if self.side == "Black" else "Black", self.turns + 1, points, over)


def count(state: State, depth: int) -> int:
    """The number of ways to play that many actions."""
    actions = GAME.legal_actions(state)
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = state.copy()
        GAME.play(after, action, Script())
        total += count(after, depth - 1)
    return total


def slow_count(table: Table, depth: int) -> int:
    if table.over:
        return 0
    actions = table.actions()
    return len(actions) if depth == 1 else sum(slow_count(table.play(text), depth - 1) for text in actions)


@pytest.mark.parametrize(
    ("picture", "counts"),
    [(OPENING, (24, 576, 15_264, 404_496)), (MIDDLE, (36, 1_138, 41_488))],
    ids=["opening", "middle"],
)
def test_number_of_ways_to_play(picture: str, counts: tuple[int, ...]) -> None:
    for depth, expected in enumerate(counts, 1):
        assert slow_count(Table.of(picture), depth) == expected
        assert count(position(picture), depth) == expected


def test_the_24_first_moves() -> None:
    """Counted by hand from the drawing of the opening."""
    by_piece = {
        "H0": ["G1"],
        "H1": ["G0", "I0", "G2"],
        "H2": ["G2"],
        "H3": ["G3", "I3"],
        "H4": ["G4"],
        "H5": ["G4", "G6", "I6"],
        "H6": ["G5"],
        "I1": ["J0", "J2", "K3"],
        "I2": ["J2", "K2", "I3"],
        "I4": ["J4", "K4", "I3"],
        "I5": ["J4", "J6", "K3"],
    }
    assert set(options(position(OPENING))) == {f"{name}-{to}" for name, targets in by_piece.items() for to in targets}


def check_lists(state: State) -> None:
    """Each seat's list holds the squares of its pieces, ascending, and nothing else."""
    for seat, sign in ((0, 1), (1, -1)):
        squares = [square for square, piece in enumerate(state.board) if piece * sign > 0]
        listed = state.pieces[seat * PIECES : (seat + 1) * PIECES]
        assert listed == squares + [0] * (PIECES - len(squares))
        assert state.count[seat] == len(squares)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), picture=st.sampled_from([OPENING, MIDDLE]))
def test_whole_matches_go_the_same_way(seed: int, picture: str) -> None:
    state, table = position(picture), Table.of(picture)
    policy = Chance.of_game(seed, 0, POLICY_STREAM)
    points_at_first = all_points(state)
    while not table.over:
        assert set(options(state)) == table.actions()
        text = GAME.words.write(state, choose(GAME, state, policy))
        play(state, text)
        table = table.play(text)
        assert GAME.scores(state) == list(table.points.values())
        assert all_points(state) == points_at_first
        check_lists(state)
    assert state.over
