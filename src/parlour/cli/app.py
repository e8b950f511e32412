"""The commands, their arguments and their help. What each does is in a module of its own, loaded when used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parlour.cli import admin_app, naming, options
from parlour.cli.naming import GameName
from parlour.cli.options import Ascii, AsJson, Chances, ConfigFile, Database, Device, GameOf, ReplayFile, asked
from parlour.engine.errors import ParlourError

app = typer.Typer(
    name="parlour",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(admin_app.app)


@app.callback(invoke_without_command=True)
def parlour(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Games at a table: play them, watch them, simulate them."""
    from parlour.cli import show

    if version:
        show.version()
    elif context.invoked_subcommand is None:
        show.welcome()


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games: name, title, seats, options."""
    from parlour.cli import show

    show.games(as_json=as_json)


@app.command()
def rules(game: GameName) -> None:
    """Show a game's rulebook."""
    from parlour.cli import show

    show.rulebook(game)


@app.command()
def learn(
    game: GameName,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="en or de.")] = "en",
    ascii: Ascii = False,
) -> None:
    """Learn a game step by step, then play against the easiest bot."""
    from parlour.cli import learn as learning

    learning.learn(game, language, ascii=ascii)


app.command("play")(asked(options.Play, "parlour.cli.play:play"))


app.command("simulate")(asked(options.Simulate, "parlour.cli.simulate:simulate"))


app.command("solve")(asked(options.Solve, "parlour.cli.solve:find"))


app.command("match")(asked(options.MatchOfBots, "parlour.cli.match:match"))


app.command("rank")(asked(options.Rank, "parlour.cli.rank:rank"))


app.command("sprt")(asked(options.Sprt, "parlour.cli.sprt:sprt"))


@app.command()
def report(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder of a tournament.")],
    server: Annotated[
        str, typer.Option(metavar="URL", help="The server on whose page links to matches open.")
    ] = "http://127.0.0.1:8017",
    as_json: AsJson = False,
) -> None:
    """Show the table of a tournament again, and write it as an HTML page."""
    from parlour.cli import report as reporting

    reporting.report(out, server, as_json=as_json)


@app.command()
def replay(
    file: ReplayFile,
    at: Annotated[int | None, typer.Option(metavar="PLY", help="Show just the position after that many plies.")] = None,
    speed: Annotated[float, typer.Option(metavar="X", help="Plies a second; 0 means no pause.")] = 1,
    ascii: Ascii = False,
    chances: Chances = False,
    game: GameOf = None,
) -> None:
    """Watch a saved match again."""
    from parlour.cli import replay as replaying

    naming.add(game)
    replaying.watch(file, at, speed, ascii=ascii, chances=chances)


@app.command()
def verify(file: ReplayFile, as_json: AsJson = False, game: GameOf = None) -> int:
    """Say whether a saved match's result is true.

    Plays it again. Exit code 0: true; 1: false; 2: this file cannot be played.
    """
    from parlour.cli import replay as replaying

    naming.add(game)
    return replaying.verify(file, as_json=as_json)


@app.command()
def check(game: GameName, as_json: AsJson = False) -> int:
    """Test a game: its rules, notation, board, picture and bots.

    Exit code 1 if it fails.
    """
    from parlour.cli import check as checking

    return checking.check(game, as_json=as_json)


@app.command()
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and _, such as my_game.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="Where to write it; a folder NAME by default.")
    ] = None,
) -> None:
    """Write a small game to start from: it works, and says which file is what."""
    from parlour.cli import new_game as writing

    writing.new_game(name, folder)


@app.command()
def new_bot(
    game: GameName,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The file to write; GAME_bot.py by default.")
    ] = None,
) -> None:
    """Write a bot file to start from, with comments; it plays at random."""
    from parlour.cli import bots

    bots.new_bot(game, file)


app.command("check-bot")(asked(options.CheckBot, "parlour.cli.bots:check_bot"))


app.command("bot")(asked(options.HostBot, "parlour.cli.bot:play"))


app.command("train")(asked(options.Train, "parlour.cli.train:train"))
app.command("judge")(asked(options.JudgeTest, "parlour.cli.train:judge"))


@app.command()
def bench(device: Device = "cpu", as_json: AsJson = False) -> int:
    """Measure speed and memory, and compare them with the targets."""
    from parlour.cli import bench as benching

    return benching.bench(device, as_json=as_json)


app.command("mcp")(asked(options.Mcp, "parlour.cli.mcp:serve"))


app.command("serve")(asked(options.Serve, "parlour.cli.serve:serve"))


@app.command()
def dev(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder or the file of the game.")],
    port: Annotated[int | None, typer.Option(metavar="N", help="The port; 8017 by default, 0 is any free one.")] = None,
) -> int:
    """Write a game: play it in a browser while it follows every change that you save."""
    from parlour.cli import dev as writing

    return writing.dev(folder, 8017 if port is None else port)


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the pages are written.")],
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME...",
            help="By name, folder or file; all that are installed unless told.",
            autocompletion=naming.games,
            callback=naming.named_all,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build pages that play without a server, in the browser: for any host of plain files."""
    from parlour.cli import site as building

    building.site(folder, games or [], as_json=as_json)


@app.command()
def warm(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="All of them unless told.", autocompletion=naming.games),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compile what bots need, so that nobody waits for their first move; `parlour serve` then finds it."""
    from parlour.cli import warm as warming

    warming.warm(games or [], as_json=as_json)


@app.command()
def migrate(database: Database = None, config: ConfigFile = None) -> None:
    """Bring the server's database up to date, as `parlour serve` does at its start."""
    from parlour.cli import serve as serving

    serving.migrate({"database": database}, config)


@app.command()
def upgrade(
    check: Annotated[
        bool, typer.Option("--check", help="With the new Parlour: say which matches it would end. Changes nothing.")
    ] = False,
    prepare: Annotated[
        bool, typer.Option("--prepare", help="With the old Parlour: store the stories and pictures of all matches.")
    ] = False,
    database: Database = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Before an upgrade: say which matches it would end, or store what they show.

    Exit code of --check: 0 if every match can be played on, 1 if not.
    """
    from parlour.cli import upgrade as upgrading

    if check == prepare:
        raise ParlourError("which? parlour upgrade --check, with the new Parlour; or --prepare, with the old one")
    if prepare:
        return upgrading.prepare({"database": database}, config, as_json=as_json)
    return upgrading.check({"database": database}, config, as_json=as_json)
