"""The command ``game17``: its commands, their arguments and their help. What they do stands in ``commands``."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from parlour.cli.options import asked

app = typer.Typer(
    name="game17",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

PLAYER = "Bot files: make_moves or get_mover in Python."

Counts = Annotated[bool, typer.Option("-c", "--display-counts", help="Show numbers of pieces, too.")]
Size = Annotated[int, typer.Option("-s", "--board-size", metavar="N", help="Squares along each edge of the board.")]
Rounds = Annotated[int, typer.Option("-r", "--num-rounds", metavar="N", help="Rounds until the game is over.")]
NumGames = Annotated[int, typer.Option("-g", "--num-games", metavar="N", help="How many games.")]
T800s = Annotated[int, typer.Option("-T", "--num-T800s", metavar="N", help="T800s that play, too.")]
PlayersFile = Annotated[Path, typer.Option("-p", "--players-file", metavar="FILE", help="Where to note who is who.")]
Out = Annotated[Path, typer.Argument(metavar="OUTPUT_DIRECTORY", help="A folder for the results: new, or empty.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The same seed, the same games.")]
Cores = Annotated[int | None, typer.Option("--cores", metavar="N", help="How many cores; all of them by default.")]
Deadline = Annotated[float, typer.Option("--deadline", metavar="SECONDS", help="The longest that a call may take.")]
Threshold = Annotated[
    float,
    typer.Option(
        "-t",
        "--time-threshold",
        "--time_threshold",
        metavar="SECONDS",
        help="Ban players whose calls take longer in the mean; 0 or less bans nobody.",
    ),
]
Speed = Annotated[float, typer.Option("--speed", metavar="X", help="2 is twice as fast.")]
NoSleep = Annotated[bool, typer.Option("--no-sleep", help="Show it without any pause.")]


@app.callback(invoke_without_command=True)
def game17(context: typer.Context) -> None:
    """Game 17: bots, T800s and zombies fight for a board whose edges are joined."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def single(
    players: Annotated[
        list[str] | None, typer.Argument(metavar="PLAYERS", help=PLAYER + " With a colour: file.py:tomato.")
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say which turns were lost, and why.")] = False,
    display_counts: Counts = False,
    board_size: Size = 14,
    num_rounds: Rounds = 50,
    num_t800s: T800s = 0,
    players_file: PlayersFile = Path("players.txt"),
    speed: Speed = 1.0,
    no_sleep: NoSleep = False,
    seed: Seed = None,
    deadline: Deadline = 5.0,
) -> None:
    """Play a single game and show it."""
    from game17 import commands

    setting = commands.setting(board_size, num_rounds, seed)
    roster = commands.Roster(players or [], num_t800s, players_file, board_size, coloured=True)
    pace = commands.pace(speed, no_sleep=no_sleep)
    commands.single(roster, setting, deadline, counts=display_counts, speed=pace, verbose=verbose)


@dataclass(frozen=True, kw_only=True)
class Games:
    """What many games are played by."""

    players: Annotated[list[str], typer.Argument(metavar="PLAYERS", help=PLAYER)] = field(default_factory=list)
    output_directory: Out
    display_counts: Counts = False
    board_size: Size = 14
    num_rounds: Rounds = 50
    time_threshold: Threshold = 0.01
    num_games: NumGames = 100
    num_t800s: T800s = 0
    players_file: PlayersFile = Path("players.txt")
    seed: Seed = None
    cores: Cores = None
    deadline: Deadline = 5.0


VS_ZOMBIES = "Play each player against zombies, many times, and count its wins."
RANK = "Rank players: battle royales of all, then round robins among equals."
app.command("vs-zombies", help=VS_ZOMBIES)(asked(Games, "game17.commands:vs_zombies"))
app.command("rank", help=RANK)(asked(Games, "game17.commands:rank"))


@app.command()
def replay(
    game: Annotated[Path, typer.Argument(metavar="GAME", help="A saved game, for example battle-royale-0.json.")],
    colours: Annotated[list[str] | None, typer.Argument(metavar="ID:COLOUR", help="Colours of players.")] = None,
    display_counts: Counts = False,
    speed: Speed = 1.0,
    no_sleep: NoSleep = False,
) -> None:
    """Show a saved game again."""
    from game17 import commands

    commands.replay(game, colours or [], counts=display_counts, speed=commands.pace(speed, no_sleep=no_sleep))


@app.command()
def demo() -> None:
    """Put the demo player into a folder of the name demo, here."""
    from game17 import commands

    commands.demo()


def cli() -> None:
    """The console script, by the name it has in the public program."""
    main()


def main() -> None:
    """The console script ``game17``."""
    # One thread here: processes are forked from this one, and nothing here multiplies matrices.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    from parlour.cli import boundary

    return boundary.run(app, "game17", arguments)
