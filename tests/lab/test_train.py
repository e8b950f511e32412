"""Training: a judge learns Nim in seconds, and a training that was interrupted ends like one that was not."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab.nim_game import GAME, HEAP
from parlour.bots import make_bot
from parlour.bots.judged import OnePly, search_advice
from parlour.bots.mcts import Mcts
from parlour.bots.roster import is_built_in, names
from parlour.cli import train as command
from parlour.cli.options import JudgeTest, Train
from parlour.cli.train import curve_line
from parlour.engine import registry
from parlour.engine.bots import Bots, Decision
from parlour.engine.chance import Chance
from parlour.engine.check.bots import check_bots
from parlour.engine.errors import BadJudge, ParlourError, UnknownName
from parlour.engine.judge.arithmetic import FARTHEST, ONE
from parlour.engine.judge.curve import POINTS, STRAIGHT, is_curve
from parlour.engine.judge.file import Judge, load
from parlour.lab.train import calibration
from parlour.lab.train.calibration import Tenth, _fitting, _rising, calibrate, corrected, plot
from parlour.lab.train.checkpoint import Progress, path_of
from parlour.lab.train.plan import Plan, make_plan, nature_of
from parlour.lab.train.self_play import Player
from parlour.lab.train.strength import score_against
from parlour.lab.train.trainer import Trainer, usual_opponents

GAMES = 60_000


def nim_plan(games: int = GAMES) -> Plan:
    return make_plan(GAME, games=games, units=16, seed=5)


def train(path: Path, games: int = GAMES, cores: int = 2) -> Judge:
    return Trainer(nim_plan(games), path, cores=cores, opponents=["random"]).run()


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return train(tmp_path_factory.mktemp("nim") / "nim.judge")


def same(one: Judge, other: Judge) -> bool:
    return all(
        np.array_equal(getattr(one, part), getattr(other, part)) for part in ("hidden", "bias", "output", "curve")
    )


def decision(heap: int) -> Decision:
    state = GAME.blank(2)
    GAME.open(state, Chance([1, 2, 3, 4]))
    state.heap = heap
    return Decision(GAME, state, GAME.legal_actions(state), Chance([1, 2, 3, 4]))


def test_it_learns_to_leave_a_multiple_of_four(judge: Judge) -> None:
    bot = OnePly(judge)
    for heap in range(1, HEAP + 1):
        if heap % 4:
            assert bot.choose(decision(heap)) + 1 == heap % 4
    assert score_against(judge, "random", 2, 1, 60, {}).score > 0.8
    ranking = bot.rank(decision(2))
    assert [action for action, _, _ in ranking] == [1, 0]
    assert ranking[0][2] == 1.0  # whoever takes both has won


def test_the_record_tells_how_it_was_made(judge: Judge) -> None:
    record = judge.record
    assert record["games"] >= GAMES
    assert (record["seed"], record["seats"], record["dice"], record["throws"]) == (5, [2], False, 1)
    assert [score["opponent"] for score in record["strength"][-1]["scores"]] == ["random"]
    assert len(judge.to_bytes()) < 1 << 20


def test_a_training_goes_on_where_it_was_on_any_number_of_cores(tmp_path: Path, judge: Judge) -> None:
    path = tmp_path / "nim.judge"
    trainer = Trainer(nim_plan(), path, cores=1, opponents=[])

    def interrupt(progress: Progress, done: float) -> None:
        if progress.rounds == 3:
            trainer.keep()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.run(interrupt)
    assert path_of(path).exists()
    assert not path.exists()
    with pytest.raises(ParlourError, match="another plan"):
        Trainer(nim_plan(GAMES + 1), path)
    assert same(train(path), judge)
    assert [file.name for file in tmp_path.iterdir()] == ["nim.judge"]
    path_of(path).write_bytes(b"PK")
    with pytest.raises(ParlourError, match="damaged: delete it"):
        Trainer(nim_plan(), path)


def test_a_training_can_begin_with_a_judge(tmp_path: Path, judge: Judge) -> None:
    plan = make_plan(GAME, games=1, units=16, start=judge)
    later = Trainer(plan, tmp_path / "nim.judge", opponents=[])
    assert np.array_equal(later.judge().hidden, judge.hidden)
    assert plan.rate(0) < nim_plan().rate(0)
    made = later.run()
    assert made.record["start"] == judge.record
    assert not same(made, judge)
    with pytest.raises(ParlourError, match="has 16 units, not 64: give --units 16"):
        make_plan(GAME, games=1, start=judge)


def test_another_seed_gives_another_judge(tmp_path: Path) -> None:
    one, other = (make_plan(GAME, games=1, units=16, seed=seed) for seed in (5, 6))
    made = [Trainer(plan, tmp_path / "nim.judge", opponents=[]).run() for plan in (one, other)]
    assert not same(*made)


def test_what_it_says_comes_true(judge: Judge) -> None:
    tested = calibrate(judge, 20_000, seed=9)
    assert sum(tenth.positions for tenth in tested.tenths) >= 20_000
    assert tested.worst < 0.2
    drawn = plot("Nim & more", [Tenth(10, 0.25, 0.3), Tenth(0, 0.0, 0.0)])
    assert drawn.count("<circle") == 1
    assert "said 25.0%, won 30.0%, 10 positions" in drawn
    assert "Nim &amp; more" in drawn


def test_a_judge_that_is_not_sure_enough_is_corrected(judge: Judge) -> None:
    unsure = dataclasses.replace(judge, output=judge.output // 4, final=judge.final // 4)
    mended = corrected(unsure, 20_000, seed=3)
    assert is_curve(mended.curve)
    middle = POINTS // 2
    assert mended.curve[middle + 2] - mended.curve[middle - 2] > 1.2 * 2 * ONE
    assert np.array_equal(mended.output, unsure.output)
    assert calibrate(mended, 20_000, seed=9).worst < calibrate(unsure, 20_000, seed=9).worst


def test_a_curve_that_does_not_hold_in_other_matches_is_left_out(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the curve, the judge plays so differently that the opposite of what it says comes true."""

    def played(asked: Judge, positions: int, seed: int, **_: Any) -> tuple[Any, Any, int]:
        rng = np.random.default_rng(seed)
        odds = rng.uniform(-3, 3, positions)
        true = odds / 2 if asked.curve == STRAIGHT else -odds
        return 1 / (1 + np.exp(-odds)), (rng.random(positions) < 1 / (1 + np.exp(-true))).astype(float), 1

    monkeypatch.setattr(calibration, "results", played)
    left = corrected(judge, 20_000, seed=3)
    assert left.curve == STRAIGHT
    told = left.record["corrected"]
    assert not told["kept"]
    assert told["worst_with"] > told["worst_without"] > 0.1
    said = curve_line(told)
    assert said.startswith("What it says is not corrected: in other matches that would be ")


def test_buffers_are_as_large_as_the_matches_of_the_plan() -> None:
    """game17 takes 196 seats, and a match of it may have thousands of plies."""
    for seats, most in ((2, 1 << 28), (196, 1 << 29)):
        plan = make_plan(registry.get("game17"), seats=(seats,), games=1)
        player = Player(plan.game, plan.units, 4096, seats)
        assert sum(array.nbytes for array in (*player.arrays.samples, *player.arrays.trajectory)) < most


def test_a_curve_mends_what_one_factor_cannot() -> None:
    """A judge that is too sure of even positions and not sure enough of clear ones."""
    random = np.random.default_rng(1)
    odds = random.normal(0, 2, 200_000)
    true = odds * np.where(abs(odds) < 1.5, 0.6, 1.4)
    won = random.random(len(odds)) < 1 / (1 + np.exp(-true))
    points = _rising(_fitting(odds, won))
    assert is_curve(points)
    fitted = np.interp([-2.5, -1.0, 0.0, 1.0, 2.5], np.linspace(-FARTHEST, FARTHEST, POINTS), np.array(points) / ONE)
    assert np.allclose(fitted, [-3.5, -0.6, 0.0, 0.6, 3.5], atol=0.25)


def test_a_curve_rises_where_results_say_nothing_or_the_contrary() -> None:
    contrary = _rising(_fitting(np.array([-1.0, 1.0] * 500), np.array([1.0, 0.0] * 500)))
    nothing = _rising(_fitting(np.zeros(0), np.zeros(0)))
    assert is_curve(contrary)
    assert nothing == STRAIGHT


def test_bots_use_a_judge(judge: Judge, tmp_path: Path) -> None:
    path = tmp_path / "a.judge"
    judge.save(path)
    assert isinstance(make_bot(GAME, f"judge:{path}"), OnePly)
    search = make_bot(GAME, f"judge:{path}:50p")
    with pytest.raises(UnknownName, match=r"'0s' is no time for a search: write 0.5s, or 2000p"):
        make_bot(GAME, f"judge:{path}:0s")
    assert isinstance(search, Mcts)
    assert search.searcher.advice.minimax
    for heap in (5, 6, 7, 21):
        assert search.choose(decision(heap)) + 1 == heap % 4
    with_dice = Judge(GAME, judge.hidden, judge.bias, judge.output, judge.final, {**judge.record, "dice": True})
    open_loop = Mcts(GAME, search_advice(with_dice), judge=with_dice, playouts=200)
    assert open_loop.choose(decision(7)) + 1 == 3
    for name, words in (("judge", "no judge of its own"), (f"judge:{path}x", "cannot be read")):
        with pytest.raises((UnknownName, BadJudge), match=words):
            make_bot(GAME, name)


def test_a_game_can_bring_its_judge_along(judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "judge" not in names(GAME)
    assert not any(is_built_in(GAME, name) for name in ("judge", "judge:0.5s", "judge:my.judge"))
    game = dataclasses.replace(GAME)
    vars(game.players)["bots"] = Bots(judge="nim.judge")
    monkeypatch.setattr("importlib.resources.files", lambda package: tmp_path)
    with pytest.raises(BadJudge, match=r"nim\.judge cannot be read"):
        make_bot(game, "judge")
    judge.save(tmp_path / "nim.judge")
    assert "judge" in names(game)
    assert all(is_built_in(game, name) for name in ("judge", "judge:0.5s", "judge:20p"))
    assert not any(is_built_in(game, name) for name in ("judge:3", "judge:my.judge", "judge:my.judge:1s"))
    assert isinstance(make_bot(game, "judge"), OnePly)
    assert isinstance(make_bot(game, "judge:20p"), Mcts)
    check_bots(game)
    other = Judge(game, judge.hidden, judge.bias, judge.output, judge.final, {**judge.record, "seats": [3]})
    vars(game.players)["judge"] = other
    with pytest.raises(BadJudge, match="trained with 3 seats, not with 2"):
        check_bots(game)


def test_a_judge_refuses_seats_that_it_does_not_know(judge: Judge) -> None:
    other = Judge(GAME, judge.hidden, judge.bias, judge.output, judge.final, {**judge.record, "seats": [3]})
    for bot in (OnePly(other), Mcts(GAME, search_advice(other), judge=other, playouts=2)):
        with pytest.raises(BadJudge, match="trained with 3 seats, not with 2"):
            bot.choose(decision(9))


def test_plans_that_cannot_be_carried_out() -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("goose", {"minutes": 1}, "nothing to decide"),
        ("connect_four", {}, "minutes or games"),
        ("connect_four", {"minutes": 1, "games": 1}, "minutes or games"),
        ("connect_four", {"minutes": -1}, "more than none"),
        ("connect_four", {"games": 0}, "from 1 to"),
        ("connect_four", {"games": 1, "units": 0}, "1 to 1024 units"),
        ("connect_four", {"games": 1, "seats": (3,)}, "2 seats, not 3"),
        ("game17", {"games": 1, "seats": (0,)}, "without seats"),
    ]
    for name, given, words in cases:
        with pytest.raises(ParlourError, match=words):
            make_plan(registry.get(name), **given)


def test_dice_that_a_judge_can_see_are_thrown_several_times() -> None:
    shown = {
        name: nature_of(make_plan(registry.get(name), games=1, seats=(2,))).throws
        for name in ("verfuchst", "mazerunner")
    }
    assert shown["verfuchst"] == 1  # its die is rolled for the choice to come
    assert shown["mazerunner"] > 1
    assert usual_opponents(registry.get("mazerunner")) == ["random", "runner:1", "runner:4"]


def interrupted(trainer: Trainer, listen: object) -> Judge:
    raise KeyboardInterrupt


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("parlour.engine.registry.get", lambda name: GAME)
    path, drawn = tmp_path / "mine.judge", tmp_path / "mine.svg"
    asked = Train(
        "nim_game", path, games=2000, seed="5", units=16, device="cpu", cores=2, against=["random"], as_json=True
    )
    tested = JudgeTest("nim_game", path, 1000, as_json=True)
    command.train(asked)
    told = json.loads(capsys.readouterr().out)
    assert told["file"] == str(path)
    assert told["games"] >= 2000
    command.judge(replace(tested, plot=drawn, as_json=False))
    said = capsys.readouterr().out
    assert "Largest difference" in said
    assert "against random" in said
    assert drawn.read_text().startswith("<svg")
    made = load(GAME, path)
    assert made.units == 16
    monkeypatch.setitem(vars(GAME.players), "judge", made.beside([made]))
    command.judge(replace(tested, file=None))
    assert len([json.loads(line) for line in capsys.readouterr().out.splitlines()]) == 2
    with pytest.raises(ParlourError, match="has 2 judges: give the file of one for --plot"):
        command.judge(replace(tested, file=None, plot=drawn))
    monkeypatch.delitem(vars(GAME.players), "judge")
    monkeypatch.setattr(Trainer, "run", interrupted)
    for words in ("begins anew", "goes on from the last half minute"):
        with pytest.raises(ParlourError, match=words):
            command.train(asked)
        Trainer(make_plan(GAME, games=2000, units=16, seed=5), path).keep()
    with pytest.raises(ParlourError, match="nobody called 'rnadom'"):
        command.train(replace(asked, against=["rnadom"]))
    with pytest.raises(ParlourError, match="the device is cpu or cuda, not 'gpu'"):
        command.train(replace(asked, device="gpu"))
    with pytest.raises(ParlourError, match=r"the folder .* does not exist"):
        command.train(replace(asked, out=tmp_path / "none" / "x"))
    with pytest.raises(ParlourError, match="cannot be written: Is a directory"):
        command.train(replace(asked, out=tmp_path))
    with pytest.raises(ParlourError, match="cannot be written: Is a directory"):
        command.judge(replace(tested, plot=tmp_path))
    with pytest.raises(ParlourError, match="no judge of its own"):
        command.judge(replace(tested, file=None))
    with pytest.raises(ParlourError, match="--positions"):
        command.judge(replace(tested, positions=1))
