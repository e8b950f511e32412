"""``parlour rank``: a tournament, held on all cores or on Ray, and continued where it was left."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from parlour.arena import store as keeping
from parlour.arena.holding import hold, place
from parlour.arena.ladder import Ladder
from parlour.arena.pool import Where
from parlour.arena.running import Result
from parlour.arena.standings import standings
from parlour.arena.store import Store
from parlour.arena.tournament import Tournament, announce
from parlour.bots import roster
from parlour.cli.console import err, parse_seed, parse_settings, print_plain
from parlour.cli.report import print_standings
from parlour.engine import registry
from parlour.engine.errors import BadTournament
from parlour.engine.game import Game


def rank(
    name: str,
    bots: Sequence[str],
    folder: Path,
    format: str | None,
    rounds: int,
    seed: str | None,
    settings: Sequence[str],
    on: str | None,
    cores: int | None,
    *,
    as_json: bool,
) -> None:
    game = registry.get(name)
    _refuse_bot_as_folder(game, folder)
    tournament = announce(
        game, bots, format=format, rounds=rounds, seed=_seed(seed, folder), options=parse_settings(settings)
    )
    with place(on, cores) as where, keeping.open_store(folder, tournament) as store:
        _hold(tournament, store, where)
        found = standings(tournament, store.results)
    if as_json:
        print(json.dumps(found.to_json()))
        return
    print_standings(found)
    print_plain(f"Next: parlour report {folder}")


def _seed(given: str | None, folder: Path) -> int:
    """The seed as given; else the one the folder has, to go on with; else any."""
    seed = parse_seed(given)
    if seed is None and (folder / keeping.PLAN).is_file():
        seed = keeping.read_plan(folder).seed
    return secrets.randbits(63) if seed is None else seed


def _refuse_bot_as_folder(game: Game, folder: Path) -> None:
    """Whoever forgets the folder would have the last bot taken for it."""
    name = str(folder)
    known = (*roster.COMMON, *game.loaded_bots.own)
    is_bot = name in known or name.startswith(("mcts:", roster.FILE, roster.PROCESS))
    if is_bot and not folder.exists():
        raise BadTournament(f"the last argument is the folder for the results, and {name!r} is a bot")


def _hold(tournament: Tournament, store: Store, where: Where) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[ahead]}", markup=False),
    )
    ladder = Ladder(len(tournament.bots))
    for result in store.results.values():
        ladder.add(result)
    try:
        with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
            task = bar.add_task(tournament.game, total=tournament.matches, completed=len(store.results), ahead="")

            def tell(result: Result) -> None:
                ladder.add(result)
                bar.update(task, advance=1, ahead=f"ahead: {tournament.names[ladder.leader()]}")

            hold(tournament, store, where, tell)
    except KeyboardInterrupt:
        err.print(
            f"\n{len(store.results)} of {tournament.matches} matches are kept; the same command goes on from there."
        )
        raise
