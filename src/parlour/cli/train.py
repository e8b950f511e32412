"""``parlour train`` and ``parlour judge``: train a judge, and say how good it is."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from parlour.bots import make_bot
from parlour.cli import options
from parlour.cli.console import err, in_words, parse_seed, parse_settings, print_plain
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.files import check_place, write_whole
from parlour.engine.judge.file import Judge, load
from parlour.lab.train.calibration import calibrate, plot
from parlour.lab.train.checkpoint import Progress
from parlour.lab.train.plan import make_plan
from parlour.lab.train.rounds import usual_device
from parlour.lab.train.trainer import Trainer

MINUTES = 10.0


def train(asked: options.Train) -> None:
    game, path = registry.get(asked.game), asked.out or Path(f"{asked.game}.judge")
    if asked.cores is not None and not 1 <= asked.cores <= 1024:
        raise ParlourError(f"--cores takes a whole number from 1 to 1024, not {asked.cores}")
    check_place(path)
    for opponent in asked.against:
        make_bot(game, opponent)
    plan = make_plan(
        game,
        seats=tuple(asked.seats),
        options=parse_settings(asked.settings),
        seed=parse_seed(asked.seed) or 0,
        units=asked.units,
        minutes=MINUTES if asked.minutes is None and asked.games is None else asked.minutes,
        games=asked.games,
        start=load(game, asked.start) if asked.start else None,
    )
    device = usual_device() if asked.device is None else asked.device
    trainer = Trainer(plan, path, device=device, cores=asked.cores, opponents=asked.against or None)
    if trainer.progress.rounds:
        print_plain(f"Going on after {trainer.progress.games:,} games.", to=err)
    try:
        judge = _run(trainer)
    except KeyboardInterrupt:  # perhaps amid a round, so what is kept is the last checkpoint
        goes_on = "goes on from the last half minute" if trainer.kept.exists() else "begins anew"
        raise ParlourError(f"stopped after {trainer.progress.games:,} games: the same command {goes_on}") from None
    if asked.as_json:
        print(json.dumps({"file": str(path), "game": asked.game, "units": judge.units, **judge.record}))
    else:
        _print(judge, path)


def _run(trainer: Trainer) -> Judge:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Bar(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(trainer.game.title, total=1.0)
        told = len(trainer.progress.strength)

        def listen(progress: Progress, done: float) -> None:
            nonlocal told
            words = f"{progress.games:,} games, loss {progress.loss:.4f}"
            bar.update(task, completed=done, description=f"{trainer.game.title}: {words}")
            if len(progress.strength) > told:
                told = len(progress.strength)
                print_plain(strength_line(progress.strength[-1]), to=err)

        return trainer.run(listen)


def strength_line(measured: dict[str, object]) -> str:
    """What was measured on the way, in one line."""
    scores = measured["scores"]
    assert isinstance(scores, list)
    against = ", ".join(f"{score['score']:.0%} against {score['opponent']}" for score in scores)
    return f"After {measured['games']:,} games, looking one ply ahead: {against}"


def curve_line(told: dict[str, Any]) -> str:
    """Whether the judge has a curve that corrects what it says, and why."""
    with_it, without = f"{100 * told['worst_with']:.1f}", f"{100 * told['worst_without']:.1f}"
    if told["kept"]:
        return f"What it says is corrected: in other matches it was at most {with_it} points off, {without} uncorrected"
    return f"What it says is not corrected: in other matches that would be {with_it} points off at most, not {without}"


def _print(judge: Judge, path: Path | None) -> None:
    record, name = judge.record, judge.game.name
    seats = " or ".join(map(str, judge.seats))
    print_plain(f"{path or 'The judge that comes with the game'}: {name} with {seats} seats", "bold")
    took = in_words(60 * record["minutes"])
    print_plain(
        f"{record['games']:,} games in {took}, {judge.units} units, loss {record['loss']}, seed {record['seed']}"
    )
    if record.get("corrected"):
        print_plain(curve_line(record["corrected"]))
    for measured in record["strength"]:
        if measured["scores"]:
            print_plain(strength_line(measured))
    bot = f"judge:{path}:1s" if path else "judge:1s"
    others = " ".join([f"--seat {bot}"] * max(judge.seats[0] - 1, 0))
    print_plain(f"Play against it: parlour play {name} --seat you {others}".rstrip())


def judge(asked: options.JudgeTest) -> None:
    game, file, positions = registry.get(asked.game), asked.file, asked.positions
    if not 1000 <= positions <= 10**9:
        raise ParlourError(f"--positions takes a whole number from 1,000 to a billion, not {positions:,}")
    if asked.plot is not None:
        check_place(asked.plot)
    found = load(game, file) if file else game.players.judge
    if found is None:
        raise ParlourError(f"{game.name} has no judge of its own: 'parlour train {game.name}' makes one")
    if asked.plot is not None and found.others:
        raise ParlourError(f"{game.name} has {1 + len(found.others)} judges: give the file of one for --plot")
    for each in (replace(found, others=()), *found.others):
        _test(each, file, positions, parse_seed(asked.seed) or 0, asked.plot, as_json=asked.as_json)


def _test(judge: Judge, file: Path | None, positions: int, seed: int, plot_to: Path | None, *, as_json: bool) -> None:
    """Whether what one judge says comes true."""
    game, tested = judge.game, calibrate(judge, positions, seed)
    if plot_to is not None:
        write_whole(plot_to, plot(game.title, tested.tenths))
    if as_json:
        tenths = [asdict(tenth) for tenth in tested.tenths]
        about = {"game": game.name, "units": judge.units, **judge.record}
        print(json.dumps({**about, "worst": tested.worst, "tenths": tenths}))
        return
    _print(judge, file)
    counted = sum(tenth.positions for tenth in tested.tenths)
    print_plain(f"\nWhat it says and what is won, over {counted:,} positions of {tested.matches:,} matches:")
    for tenth in tested.tenths:
        if tenth.positions:
            print_plain(f"  says {tenth.said:6.1%}   won {tenth.won:6.1%}   {tenth.positions:9,} positions")
    print_plain(f"Largest difference: {100 * tested.worst:.1f} points")
