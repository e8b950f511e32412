"""One match: whatever a bot does, there is a result, and the fault is its own."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from parlour.arena import running
from parlour.arena.pairing import all_pairings
from parlour.arena.results import BROKEN, FORFEIT, OVER, Result
from parlour.arena.runner import job_of
from parlour.arena.running import MatchJob
from parlour.arena.standings import standings
from parlour.arena.tournament import Tournament
from parlour.bots import Decision
from parlour.bots.box import BotLimits
from parlour.bots.faults import BotFault
from parlour.engine import replay
from parlour.engine.game import Game
from parlour.engine.match import Match


def raises(error: BaseException) -> Callable[[Decision], int]:
    def choose(decision: Decision) -> int:
        raise error

    return choose


def late_crash(decision: Decision) -> int:
    if len(decision.actions) > 5:
        raise RuntimeError("out of ideas")
    return decision.legal[0]


def spoiler(decision: Decision) -> int:
    """Ruins the copy it is given; the match must not notice."""
    decision.state.over = 1
    decision.state.to_move = 7
    return decision.legal[-1]


CHOOSERS: dict[str, Callable[[Decision], Any]] = {
    "first": lambda decision: decision.legal[0],
    "numpy": lambda decision: np.int64(decision.legal[0]),
    "minus": lambda decision: -1,
    "text": lambda decision: "e4",
    "nothing": lambda decision: None,
    "true": lambda decision: True,
    "crash": raises(ValueError("oh dear")),
    "exit": raises(SystemExit(0)),
    "hungry": raises(MemoryError()),
    "slow": raises(BotFault("timeout", "10 s")),
    "loud": raises(BotFault("output", "1 GB")),
    "late": late_crash,
    "spoiler": spoiler,
}


class Chooser:
    def __init__(self, choose: Callable[[Decision], Any]) -> None:
        self.choose = choose


@pytest.fixture(autouse=True)
def bots_of_this_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(game: Game, name: str, limits: BotLimits) -> Chooser:
        return Chooser(CHOOSERS[name])

    monkeypatch.setattr(running, "make_bot", make)


def job(game: str, *bots: str, seed: int = 3) -> MatchJob:
    return MatchJob(0, 0, game, {}, seed, 5, bots, BotLimits(), bots, tuple(range(len(bots))))


def play(job: MatchJob) -> Result:
    return running.play(job).result


@pytest.mark.parametrize(
    ("bot", "status"),
    [("minus", "illegal"), ("text", "illegal"), ("nothing", "illegal"), ("true", "illegal")],
)
def test_illegal_answers_cost_the_turn(bot: str, status: str) -> None:
    result = play(job("choccer", bot, "first"))
    assert result.ended == OVER
    (fault,) = result.faults
    assert (fault.seat, fault.status, fault.ply) == (0, status, 0)
    assert fault.count == result.actions[0] > 1
    assert not result.forfeits


def test_a_bot_that_hangs_loses_after_a_few_turns() -> None:
    result = play(job("choccer", "slow", "first"))
    assert (result.ended, result.winners, result.forfeits) == (FORFEIT, [1], {0})
    (fault,) = result.faults
    assert (fault.seat, fault.status, fault.count, result.actions[0]) == (0, "timeout", 5, 5)
    few = replace(result, ended=OVER, faults=[replace(fault, count=4)])
    assert not few.forfeits
    assert not replace(few, winners=[0], faults=[fault]).forfeits, "an older Parlour let it win"


@pytest.mark.parametrize(
    ("bot", "status"),
    [("crash", "crashed"), ("exit", "crashed"), ("hungry", "memory"), ("loud", "output"), ("unknown", "crashed")],
)
def test_worse_faults_cost_the_match_at_a_table_of_two(bot: str, status: str) -> None:
    for seats in ((bot, "first"), ("first", bot)):
        result = play(job("choccer", *seats))
        guilty = seats.index(bot)
        assert result.ended == FORFEIT
        assert result.winners == [1 - guilty]
        assert result.forfeits == {guilty}
        assert result.points[1 - guilty] == 1
        assert result.faults[0].status == status


def test_with_more_seats_the_others_play_on_and_the_guilty_cannot_win() -> None:
    for seed in range(8):
        result = play(job("goose", "crash", "first", "first", seed=seed))
        assert result.ended == OVER
        assert 0 not in result.winners
        assert result.actions[0] == 1, "nobody asks a bot that has crashed"


def test_the_last_one_left_has_won() -> None:
    result = play(job("goose", "crash", "crash", "first", "crash"))
    assert (result.ended, result.winners) == (FORFEIT, [2])


def test_when_all_crash_nobody_wins() -> None:
    result = play(job("goose", "unknown", "unknown", "unknown"))
    assert (result.ended, result.winners, result.points) == (FORFEIT, [], [0, 0, 0])
    assert result.forfeits == {0, 1, 2}


def test_a_table_of_everyone_crashed_has_numbers_in_it() -> None:
    plan = Tournament("choccer", 1, {}, "robin", ("crash", "exit", "hungry"), 2, 1, opening=4)
    results = {pairing.number: play(job_of(plan, pairing)) for pairing in all_pairings(plan)}
    table = standings(plan, results)
    assert [row.forfeited for row in table.rows] == [row.matches // 2 for row in table.rows]
    assert [row.lost for row in table.rows] == [0, 0, 0], "faults are told apart from losses"
    for row in table.rows:
        assert row.won + row.drawn + row.lost + row.forfeited == row.matches == 8
        assert all(map(math.isfinite, (row.rating.value, row.rating.low, row.rating.high, row.skill.mu)))


def test_what_a_bot_does_to_its_copy_stays_there() -> None:
    assert play(job("choccer", "spoiler", "first")).ended == OVER


def test_a_late_crash_keeps_what_was_played() -> None:
    result = play(job("choccer", "late", "first"))
    assert result.faults[0].ply == result.plies == 6
    assert len(replay.run(replay.loads(running.play(job("choccer", "late", "first")).replay)).plies) == 6


def test_numbers_of_other_kinds_are_numbers() -> None:
    assert play(job("choccer", "numpy", "first")).faults == []


def test_rules_that_break_make_a_broken_match(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*anything: object) -> None:
        raise ZeroDivisionError("in the rules")

    monkeypatch.setattr(Match, "play", breaks)
    result = play(job("choccer", "first", "first"))
    assert (result.ended, result.detail) == (BROKEN, "ZeroDivisionError: in the rules")


def test_the_same_job_is_the_same_match() -> None:
    assert play(job("verfuchst", "minus", "first")).same_play(play(job("verfuchst", "minus", "first")))
    assert not play(job("verfuchst", "minus", "first")).same_play(play(job("verfuchst", "minus", "first", seed=4)))


@pytest.mark.parametrize(
    ("bots", "winners", "points"),
    [
        (2, [], [0.5, 0.5]),
        (2, [1], [0, 1]),
        (2, [0, 1], [0.5, 0.5]),
        (4, [2], [0, 0, 1, 0]),
        (4, [0, 2], [0.5, 0, 0.5, 0]),
        (4, [], [0, 0, 0, 0]),
        (1, [], [0]),
    ],
)
def test_points(bots: int, winners: list[int], points: list[float]) -> None:
    result = Result(0, 0, 1, list(range(bots)), OVER, winners)
    assert result.points == points


def test_a_result_is_one_line_of_json() -> None:
    line = json.dumps(play(job("choccer", "crash", "first")).to_json())
    assert "replay" not in json.loads(line)
