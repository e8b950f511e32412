"""Solving: the truths about Kuhn and Leduc poker, and OpenSpiel's own measure of the same policies."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import kuhn
import leduc
import liars_dice
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability as openspiel_exploitability
from open_spiel.python.policy import TabularPolicy

from openspiel_trees import Walk
from parlour.cli import run
from parlour.engine import UNKNOWN, Game, registry
from parlour.engine.errors import ParlourError
from parlour.engine.secrets import hidden
from parlour.lab.solve import GameTree, Solution, grow, solve
from parlour.lab.solve.policy import measure, uniform


@pytest.mark.parametrize(
    ("game", "counts", "sets", "of_uniform", "value"),
    [
        (kuhn.GAME, (4, 24, 30), 12, 0.458333, -1 / 18),
        (leduc.GAME, (157, 3780, 5520), 936, 2.373611, -0.085606424),
    ],
    ids=["kuhn", "leduc"],
)
def test_the_known_truths(game: Game, counts: tuple[int, int, int], sets: int, of_uniform: float, value: float) -> None:
    tree = grow(game)
    assert tree.counts == counts
    assert len(tree.owners) == sets
    assert measure(tree, uniform(tree)).exploitability == pytest.approx(of_uniform, abs=1e-6)
    found = solve(tree, goal=1e-5)
    assert found.exploitability <= 1e-5
    assert found.values[0] == pytest.approx(value, abs=1e-5)
    assert sum(found.values) == pytest.approx(0)


def openspiels(found: Solution, game: Game, name: str) -> TabularPolicy:
    """A policy of ours as one of OpenSpiel's."""
    policy, walk = TabularPolicy(pyspiel.load_game(name)), Walk(game, name)
    for number, known in enumerate(found.tree.known):
        seat = int(found.tree.owners[number])
        line = policy.policy_for_key(walk.known[seat].ours[known.pack()])
        line[:] = 0
        for action, share in found.at(number).items():
            line[action] = share
    return policy


@pytest.mark.parametrize(("game", "name"), [(kuhn.GAME, "kuhn_poker"), (leduc.GAME, "leduc_poker")])
@pytest.mark.parametrize("rounds", [1, 5, 40])
def test_exploitability_is_what_openspiel_says(game: Game, name: str, rounds: int) -> None:
    tree = grow(game)
    found = solve(tree, goal=1e-12, rounds=rounds)
    theirs = openspiel_exploitability.exploitability(pyspiel.load_game(name), openspiels(found, game, name))
    assert found.exploitability == pytest.approx(theirs, abs=1e-9)


def test_a_policy_that_is_beaten_is_beaten_by_as_much_as_it_should() -> None:
    """Whoever always bets is answered by passing with the jack, and by betting with the king and the queen."""
    tree = grow(kuhn.GAME)
    policy = np.zeros(int(tree.places[-1]))
    for number in range(len(tree.owners)):
        policy[tree.places[number] + kuhn.BET] = 1.0
    found = measure(tree, policy)
    assert found.values == pytest.approx((0, 0))
    # Against a jack that folds: lose 1 in a third of the deals, and win 2 or lose 2 as before in the others.
    assert found.gains == pytest.approx((1 / 3, 1 / 3))


def test_the_policy_is_what_is_known_of_kuhn() -> None:
    """Kuhn (1950): in equilibrium the second player bets with the king and calls with the queen a third of the time."""
    found = solve(grow(kuhn.GAME), goal=1e-5)
    chosen = {}
    for number, known in enumerate(found.tree.known):
        chosen[tuple(known.card), tuple(known.paid), int(known.ply)] = found.at(number)[kuhn.BET]
    hidden_card = UNKNOWN
    assert chosen[(hidden_card, 2), (2, 1), 1] == pytest.approx(1, abs=0.01)
    assert chosen[(hidden_card, 1), (2, 1), 1] == pytest.approx(1 / 3, abs=0.02)
    assert chosen[(hidden_card, 0), (1, 1), 1] == pytest.approx(1 / 3, abs=0.02)
    bluffs, values = chosen[(0, hidden_card), (1, 1), 0], chosen[(2, hidden_card), (1, 1), 0]
    assert values == pytest.approx(3 * bluffs, abs=0.03)


def test_seats_know_at_their_information_sets_only_what_they_may() -> None:
    tree = grow(kuhn.GAME)
    for number, known in enumerate(tree.known):
        assert hidden(kuhn.GAME, known, int(tree.owners[number])) == known
        assert UNKNOWN in known.card


def forgetful() -> Game:
    """Kuhn poker, where whoever has chosen once forgets the card."""

    def forgets(state: Any, seat: int) -> None:
        kuhn.hide(state, seat if state.ply < 2 else -1)

    return dataclasses.replace(kuhn.GAME, hide=forgets)


def test_what_cannot_be_solved_says_why() -> None:
    with pytest.raises(ParlourError, match="forgets what it has done; what it may remember has to stand in the state"):
        grow(forgetful())


def test_what_is_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.lab.solve.tree.MOST_NODES", 1000)
    with pytest.raises(ParlourError, match="too large to be solved: its tree has more than 1,000 nodes"):
        grow(leduc.GAME)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kuhn poker and a small Liar's Dice as if they were installed."""
    found, ours = registry.get, {game.name: game for game in (kuhn.GAME, liars_dice.GAME)}
    monkeypatch.setattr(registry, "get", lambda name: ours.get(name) or found(name))


@pytest.mark.usefixtures("small")
def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    assert run(["solve", "kuhn", "--out", str(file)]) == 0
    told = capsys.readouterr().out
    assert "12 information sets" in told
    assert "of a policy that chooses by lot 0.458333" in told
    kept = json.loads(file.read_text())
    assert len(kept["policy"]) == 12
    assert all(sum(line["chooses"].values()) == pytest.approx(1) for line in kept["policy"])
    assert run(["solve", "kuhn", "--json", "--rounds", "7"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["rounds"], summary["information_sets"]) == (7, 12)
    assert run(["solve", "kuhn", "--out", str(file)]) == 2  # it is there already


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--goal", "0"], "--goal takes a number above 0"),
        (["--rounds", "0"], "--rounds takes a whole number"),
        (["--seats", "3"], "2 seats, not 3"),
    ],
)
def test_bad_wishes_get_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "kuhn", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_with_more_seats_it_says_that_nothing_is_proved(capsys: pytest.CaptureFixture[str]) -> None:
    from parlour.cli.solve import _print

    tree: GameTree = grow(kuhn.GAME)
    three = dataclasses.replace(measure(tree, uniform(tree)), tree=dataclasses.replace(tree, seats=3))
    _print(three, three)
    assert "With 3 seats this proves nothing" in capsys.readouterr().out
