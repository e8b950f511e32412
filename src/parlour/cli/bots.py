"""``parlour new-bot`` and ``parlour check-bot``."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from parlour.bots import box
from parlour.bots.box import BotLimits
from parlour.bots.faults import STATUSES
from parlour.bots.roster import FILE, PROCESS
from parlour.bots.starter import write_starter
from parlour.bots.trial import Trial, game_of, run_trial
from parlour.cli import options
from parlour.cli.boundary import INTERRUPTED
from parlour.cli.console import err, parse_settings, print_plain
from parlour.engine import registry
from parlour.engine.errors import ParlourError


def new_bot(name: str, file: Path | None) -> None:
    game = registry.get(name)
    file = file or Path(f"{name}_bot.py")
    write_starter(game, file)
    print_plain(
        f"{file} is a bot that plays {game.title} at random. "
        f"Make it better, and check it: parlour check-bot {shlex.quote(str(file))}"
    )


def check_bot(asked: options.CheckBot) -> int:
    name, matches, limits = asked.file, asked.matches, asked.limits
    if not 1 <= matches <= 10_000:
        raise ParlourError(f"--matches takes a whole number from 1 to 10000, not {matches}")
    is_program = name.startswith(PROCESS)
    source = box.command(name.removeprefix(PROCESS)) if is_program else box.bot_file(name.removeprefix(FILE))
    game = game_of(source, asked.game)
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(f"{game.title}: waiting for the first answer")

        def tell(trial: Trial) -> None:
            bar.update(task, description=f"{game.title}: match {trial.matches} of {matches}, {_counts(trial)}")

        resolved = parse_settings(asked.settings)
        trial = run_trial(game, source, matches, limits, seats=asked.seats, options=resolved, on_action=tell)
    if asked.as_json:
        print(json.dumps(_told(name, trial)))
    else:
        _print(name, trial, limits)
    if trial.is_interrupted:
        return INTERRUPTED
    return 0 if trial.is_clean else 1


def _told(name: str, trial: Trial) -> dict[str, Any]:
    actions = trial.statuses.total()
    return {
        "bot": name,
        "game": trial.game.name,
        "behaves": trial.is_clean,
        "matches": trial.matches,
        "finished": trial.finished,
        "cuts": trial.cuts,
        "statuses": {status: trial.statuses[status] for status in STATUSES},
        "mean_seconds": round(trial.seconds / actions, 6) if actions else None,
        "slowest_seconds": round(trial.slowest, 6),
        "protection": trial.protection,
        "faults": trial.faults,
        "stderr": trial.stderr,
    }


def _counts(trial: Trial) -> str:
    seen = [f"{status} {trial.statuses[status]:,}" for status in STATUSES if trial.statuses[status]]
    return ", ".join(seen)


def _print(name: str, trial: Trial, limits: BotLimits) -> None:
    actions = trial.statuses.total()
    matches = f"{trial.matches} match{'es' if trial.matches != 1 else ''}"
    ended = "all played to the end" if trial.finished == trial.matches else f"{trial.finished} played to the end"
    asked = f"{actions:,} action{'s' if actions != 1 else ''}"
    print_plain(f"{name} in {trial.game.title}: {matches} against itself, {ended}; {asked}", "bold")
    print_plain(f"  statuses   {', '.join(f'{status} {trial.statuses[status]:,}' for status in STATUSES)}")
    if actions:
        slowest = f"{_time(trial.slowest)} ({trial.slowest_where})"
        print_plain(f"  time       mean {_time(trial.seconds / actions)}, slowest {slowest}")
    print_plain(f"  box        {trial.protection}")
    for cut in trial.cuts[: Trial.FEW]:
        print_plain(f"  cut short  {cut}")
    if len(trial.cuts) > Trial.FEW:
        print_plain(f"  cut short  {len(trial.cuts) - Trial.FEW} more")
    for fault in trial.faults:
        print_plain(f"  {fault}", "red")
    if trial.is_silent:
        allowed = f"{limits.seconds:g} s an action, and a bank of {limits.bank:g} s"
        print_plain(
            f"  stopped, because the bot does not answer within {allowed}; --seconds and --bank allow more", "red"
        )
    if trial.stderr:
        print_plain("  standard error ended with:")
        for line in trial.stderr:
            print_plain(f"    {line}", "dim")
    if trial.is_clean and trial.finished < trial.matches:
        print_plain("Nothing is wrong so far.", "green")
    else:
        clean = trial.is_clean
        print_plain("Nothing is wrong." if clean else "Something is wrong.", "green" if clean else "red")


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
