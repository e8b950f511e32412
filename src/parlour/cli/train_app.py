"""The arguments and help of the commands about judges."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parlour.cli.naming import GameName

Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game; repeatable.")
]


def train(
    game: GameName,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The judge's file; GAME.judge by default.")] = None,
    minutes: Annotated[float | None, typer.Option(metavar="M", help="How long; 10 by default.")] = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Until it has played so many games, instead of minutes.")
    ] = None,
    seats: Annotated[list[int] | None, typer.Option(metavar="K", help="How many seats; repeat it for several.")] = None,
    settings: Settings = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="The seed of everything random; 0 by default.")] = None,
    units: Annotated[int, typer.Option(metavar="N", help="Units of the network: more see more, and are slower.")] = 64,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Begin with this judge, not with one that knows nothing.")
    ] = None,
    device: Annotated[
        str | None, typer.Option(metavar="WHERE", help="cpu or cuda; by default the GPU, if there is one.")
    ] = None,
    cores: Annotated[int | None, typer.Option(metavar="N", help="How many cores; all of them by default.")] = None,
    against: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="Measure it on the way against this bot; repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Train a judge: it learns by playing against itself who is likely to win.

    Interrupt it when you like: the same command goes on where it was.
    """
    from parlour.cli import train as training

    plan = (minutes, games, seats or [], settings or [], seed, units, start)
    training.train(game, out, *plan, device, cores, against, as_json=as_json)


def judge(
    game: GameName,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A judge's file; else the game's own.")] = None,
    positions: Annotated[int, typer.Option(metavar="N", help="How many positions to test it on.")] = 200_000,
    seed: Annotated[str | None, typer.Option(metavar="N", help="The seed of their matches; 0 by default.")] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw what it says and what happens, as SVG.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Say how a judge was made, and test whether what it says comes true."""
    from parlour.cli import train as training

    training.judge(game, file, positions, seed, plot, as_json=as_json)
