"""``parlour rank``: a tournament, held on all cores or on Ray, and continued where it was left."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from parlour.arena.executor import Executor, make_executor
from parlour.arena.ladder import Ladder
from parlour.arena.results import Result
from parlour.arena.runner import expected_seconds, run_tournament
from parlour.arena.standings import standings
from parlour.arena.tournament import Tournament, announce, key_for
from parlour.arena.tournament_folder import PLAN, TournamentFolder, open_folder, read_plan
from parlour.bots import roster
from parlour.cli import options
from parlour.cli.console import confirm, err, in_words, parse_seed, parse_settings, print_plain
from parlour.cli.report import print_standings
from parlour.engine import registry
from parlour.engine.errors import BadTournament
from parlour.engine.game import Game

MANY = 10_000  # matches that are not played unasked


def rank(asked: options.Rank) -> None:
    game, folder = registry.get(asked.game), asked.out
    _refuse_bot_as_folder(game, folder)
    tournament = announce(
        game,
        roster.with_levels(game, asked.bots),
        format=asked.format,
        rounds=asked.rounds,
        seed=_seed(asked.seed, folder),
        options=parse_settings(asked.settings),
        limits=asked.limits,
        folder=folder,
        opening=asked.opening,
        key=_key(asked, folder),
    )
    with make_executor(asked.on, asked.cores) as executor:
        if tournament.matches > MANY and not asked.yes:
            _confirm(tournament, executor)
        with open_folder(folder, tournament) as results:
            _run(tournament, results, executor)
            found = standings(tournament, results.results)
    if asked.as_json:
        print(json.dumps(found.to_json()))
        return
    print_standings(found)
    print_plain(f"Next: parlour report {folder}")


def _confirm(tournament: Tournament, executor: Executor) -> None:
    """Say how many matches these are and how long they take, and go on only if that is meant."""
    with err.status("Playing a few matches, to say how long all of them take …"):
        seconds = expected_seconds(tournament, executor)
    plan = f"{len(tournament.bots):,} bots, {tournament.format}, rounds: {tournament.rounds:,}"
    confirm(f"{plan}. These are {tournament.matches:,} matches, which take about {in_words(seconds)}")


def _seed(given: str | None, folder: Path) -> int:
    """The seed as given; else the one the folder has, to go on with; else any."""
    seed = parse_seed(given)
    if seed is None and (folder / PLAN).is_file():
        seed = read_plan(folder).seed
    return secrets.randbits(63) if seed is None else seed


def _key(asked: options.Rank, folder: Path) -> str:
    """The key as given; else the one the folder has; else a new one where bots could try seeds."""
    if asked.key is None and (folder / PLAN).is_file():
        return read_plan(folder).key
    return key_for(asked.bots) if asked.key is None else asked.key


def _refuse_bot_as_folder(game: Game, folder: Path) -> None:
    """Without a folder on the command line, the last bot would be taken for it: refuse that."""
    name = str(folder)
    known = (*roster.COMMON, roster.LEVELS, *game.players.bots.own)
    is_bot = name in known or name.startswith(("mcts:", *roster.OWN_CODE))
    if is_bot and not folder.exists():
        raise BadTournament(f"the last argument is the folder for the results, and {name!r} is a bot")


def _run(tournament: Tournament, folder: TournamentFolder, executor: Executor) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[ahead]}", markup=False),
    )
    ladder = Ladder(len(tournament.bots))
    for result in folder.results.values():
        ladder.add(result)
    try:
        with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
            task = bar.add_task(tournament.game, total=tournament.matches, completed=len(folder.results), ahead="")

            def tell(result: Result) -> None:
                ladder.add(result)
                bar.update(task, advance=1, ahead=f"ahead: {tournament.names[ladder.leader()]}")

            run_tournament(tournament, folder, executor, tell)
    except KeyboardInterrupt:
        kept = f"{len(folder.results)} of {tournament.matches} matches are kept"
        err.print(f"\n{kept}; the same command goes on from there.")
        raise
