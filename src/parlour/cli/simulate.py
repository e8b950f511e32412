"""``parlour simulate``: many random games, summed up for a person or as JSON."""

from __future__ import annotations

import json

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from parlour.cli import options
from parlour.cli.console import err, out, parse_seed, parse_settings
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.lab.simulate import Statistics
from parlour.lab.simulate import simulate as run

SHOWN_SEATS = 12


def simulate(asked: options.Simulate) -> None:
    game = registry.get(asked.game)
    if asked.cores is not None and not 1 <= asked.cores <= 1024:
        raise ParlourError(f"--cores takes a whole number from 1 to 1024, not {asked.cores}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(game.title, total=asked.games)
        statistics = run(
            game,
            asked.games,
            asked.seats,
            parse_seed(asked.seed) or 0,
            cores=asked.cores,
            device=asked.device,
            progress=lambda done: bar.advance(task, done),
            options=parse_settings(asked.settings),
        )
    if asked.as_json:
        print(json.dumps(statistics.to_json()))
    else:
        _print(game, statistics)


def _print(game: Game, statistics: Statistics) -> None:
    options = "".join(f", {name}={value}" for name, value in statistics.options.items())
    played = f"{statistics.games:,} random games, {statistics.seats} seats, seed {statistics.seed}{options}"
    out.print(f"[bold]{game.title}[/]: {played}")
    out.print(
        f"{statistics.seconds:.2f} s  ·  {statistics.games_per_second:,.0f} games/s  ·  "
        f"{statistics.plies_per_second:,.0f} plies/s  ·  {statistics.mean_turns:.1f} turns a game"
    )
    outcomes = statistics.outcomes
    out.print(f"won alone {outcomes['sole']:,}, shared {outcomes['shared']:,}, won by nobody {outcomes['none']:,}")
    if not statistics.seats:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("Seat", "Wins", "Wins in this place of the order", "Mean score"):
        table.add_column(heading, header_style="bold", justify="left" if heading == "Seat" else "right")
    for seat in range(min(statistics.seats, SHOWN_SEATS)):
        wins, by_order = statistics.win_share[seat], statistics.win_share_by_order[seat]
        table.add_row(game.seat_name(seat), f"{wins:.2%}", f"{by_order:.2%}", f"{statistics.mean_scores[seat]:.2f}")
    out.print(table)
    if statistics.seats > SHOWN_SEATS:
        out.print(f"and {statistics.seats - SHOWN_SEATS} more seats: --json shows all")
