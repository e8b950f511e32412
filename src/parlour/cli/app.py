"""The commands, their arguments and their help. What each does is in a module of its own, loaded when used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from parlour.cli import admin_app, naming, train_app
from parlour.cli.naming import GameName
from parlour.engine.errors import ParlourError

app = typer.Typer(
    name="parlour",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(admin_app.app)

WHO = "Who takes the next seat: you, easy, expert, random, mcts:3, file:my_bot.py; anyone (at a server). Repeat it."

Seed = Annotated[str | None, typer.Option(metavar="N", help="The seed of all dice: the same seed gives the same dice.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game; repeatable.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]
Chances = Annotated[bool, typer.Option("--chances", help="Show how likely each seat is to win, if the game can tell.")]
Bots = Annotated[list[str], typer.Argument(metavar="BOT...", help="The bots, named as for `parlour play --seat`.")]
On = Annotated[str | None, typer.Option(metavar="PLACE", help="Where to play: here, ray or ray:ADDRESS.")]
Opening = Annotated[
    int | None,
    typer.Option(metavar="N", help="Draw the first N plies by lot; in games without chance 2 for each seat."),
]
Cores = Annotated[int | None, typer.Option(metavar="N", help="How many cores; all of them by default.")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="A bot file's time for an action; 5 by default.")]
Bank = Annotated[float | None, typer.Option(metavar="S", help="Its extra time for the whole match; 15 by default.")]
Memory = Annotated[int | None, typer.Option(metavar="MIB", help="Its memory; 1024 by default.")]
Device = Annotated[str, typer.Option(metavar="D", help="Where to play: cpu, or cuda for a GPU.")]
ReplayFile = Annotated[Path, typer.Argument(metavar="FILE", help="A saved match.")]


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


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", help="A game's name, or the file of a saved match.", autocompletion=naming.games
        ),
    ] = None,
    seat: Annotated[list[str] | None, typer.Option(metavar="WHO", help=WHO)] = None,
    seed: Seed = None,
    settings: Settings = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the match in this file as you play.")] = None,
    ascii: Ascii = False,
    speed: Annotated[float, typer.Option(metavar="X", help="Actions a second for bots; 0 means no pause.")] = 0,
    server: Annotated[str | None, typer.Option(metavar="URL", help="Play at a server's table.")] = None,
    table: Annotated[str | None, typer.Option(metavar="LINK", help="Join this table: a link, a code, an id.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name at the table.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only watch: a table, or game17 without players.")] = False,
    new: Annotated[bool, typer.Option("--new", help="Open a new table, even if you have a seat at one.")] = False,
    clock: Annotated[str | None, typer.Option(metavar="CLOCK", help="At a server: 10+5, 30s, 3d a turn.")] = None,
    lot: Annotated[bool, typer.Option("--lot", help="At a server: your seat is drawn by lot.")] = False,
    anybody: Annotated[bool, typer.Option("--anybody", help="At a server: with whoever wants the same.")] = False,
    chances: Chances = False,
) -> None:
    """Play a game in the terminal, here or at a server's table."""
    if server is not None or table is not None:
        from parlour.cli import online

        if seed is not None or speed or chances:
            raise ParlourError("a server's tables take no --seed, --speed and --chances: these are for matches here")
        arguments = online.PlayArguments(game, seat or [], settings or [], server, name, table, save, watch, new, ascii)
        return online.play(replace(arguments, clock=clock, lot=lot, anybody=anybody))
    if game is None:
        raise ParlourError("which game? parlour play GAME; parlour games lists them")
    if name is not None or clock is not None or new or lot or anybody:
        only = "--name, --new, --clock, --lot and --anybody"
        raise ParlourError(f"{only} are for a server's tables: --server URL or --table LINK")
    from parlour.cli import play as playing

    shown = {"watch": watch, "ascii": ascii, "chances": chances}
    return playing.play(game, seat or [], seed, settings or [], save, speed=speed, **shown)


@app.command()
def simulate(
    game: GameName,
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")],
    seats: Annotated[int | None, typer.Option(metavar="K", help="How many seats.")] = None,
    seed: Seed = None,
    settings: Settings = None,
    cores: Cores = None,
    device: Device = "cpu",
    as_json: AsJson = False,
) -> None:
    """Play many games at random, on all cores or on a GPU, and sum up the results."""
    from parlour.cli import simulate as simulating

    simulating.simulate(game, games, seats, seed, settings or [], cores, device, as_json=as_json)


@app.command()
def match(
    game: GameName,
    bots: Bots,
    seed: Seed = None,
    settings: Settings = None,
    seconds: Seconds = None,
    bank: Bank = None,
    memory: Memory = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to save it; a new name by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play one match, and save it."""
    from parlour.cli import match as matching
    from parlour.cli.limits import parse_limits

    matching.match(game, bots, seed, settings or [], parse_limits(seconds, bank, memory), save, as_json=as_json)


@app.command()
def rank(
    game: GameName,
    bots: Bots,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder for the results; an old one goes on.")],
    format: Annotated[
        str | None, typer.Option(metavar="F", help="How to pair: royale, robin, swiss or gauntlet.")
    ] = None,
    rounds: Annotated[int, typer.Option(metavar="N", help="How many rounds; each has one seed per table.")] = 20,
    seed: Seed = None,
    settings: Settings = None,
    seconds: Seconds = None,
    bank: Bank = None,
    memory: Memory = None,
    on: On = None,
    cores: Cores = None,
    opening: Opening = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, however many matches there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hold a tournament of bots and rank them."""
    from parlour.cli import rank as ranking
    from parlour.cli.limits import parse_limits

    limits = parse_limits(seconds, bank, memory)
    plan = (game, bots, out, format, rounds, seed, settings or [], limits, on, cores, opening)
    ranking.rank(*plan, yes=yes, as_json=as_json)


@app.command()
def sprt(
    game: GameName,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot that you hope is better.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot to compare it with.")],
    worse: Annotated[float, typer.Option(metavar="S", help="NEW is better if it scores more than this.")] = 0.5,
    better: Annotated[float, typer.Option(metavar="S", help="NEW is not better if it scores less than this.")] = 0.55,
    alpha: Annotated[float, typer.Option(metavar="P", help="The risk that 'better' is wrong.")] = 0.05,
    beta: Annotated[float, typer.Option(metavar="P", help="The risk that 'not better' is wrong.")] = 0.05,
    max_matches: Annotated[int, typer.Option(metavar="N", help="Stop undecided after so many matches.")] = 4000,
    seed: Seed = None,
    settings: Settings = None,
    seconds: Seconds = None,
    bank: Bank = None,
    memory: Memory = None,
    on: On = None,
    cores: Cores = None,
    opening: Opening = None,
    as_json: AsJson = False,
) -> None:
    """Test whether one bot is better than another; stop as soon as that is certain."""
    from parlour.cli import sprt as testing
    from parlour.cli.limits import parse_limits

    claims, limits = (worse, better, alpha, beta), parse_limits(seconds, bank, memory)
    plan = (claims, max_matches, seed, settings or [], limits, on, cores, opening)
    testing.sprt(game, new, old, *plan, as_json=as_json)


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
) -> None:
    """Watch a saved match again."""
    from parlour.cli import replay as replaying

    replaying.watch(file, at, speed, ascii=ascii, chances=chances)


@app.command()
def verify(file: ReplayFile, as_json: AsJson = False) -> int:
    """Say whether a saved match's result is true.

    Plays it again. Exit code 0: true; 1: false; 2: this file cannot be played.
    """
    from parlour.cli import replay as replaying

    return replaying.verify(file, as_json=as_json)


@app.command()
def check(game: GameName, as_json: AsJson = False) -> int:
    """Test a game: its rules, notation, board, picture and bots.

    Exit code 1 if it fails.
    """
    from parlour.cli import check as checking

    return checking.check(game, as_json=as_json)


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


@app.command()
def check_bot(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A bot file, or process:COMMAND.")],
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game, if the file does not name one.", autocompletion=naming.games),
    ] = None,
    matches: Annotated[int, typer.Option(metavar="N", help="How many matches.")] = 3,
    seats: Annotated[int | None, typer.Option(metavar="K", help="How many seats.")] = None,
    settings: Settings = None,
    seconds: Seconds = None,
    bank: Bank = None,
    memory: Memory = None,
    as_json: AsJson = False,
) -> int:
    """Let a bot play against itself and say what is wrong with it.

    Exit code 0: nothing; 1: it misbehaves; 2: it cannot be used at all.
    """
    from parlour.cli import bots
    from parlour.cli.limits import parse_limits

    limits = parse_limits(seconds, bank, memory)
    return bots.check_bot(file, game, matches, seats, settings or [], limits, as_json=as_json)


@app.command()
def bot(
    name_of_bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The bot: file:my_bot.py, process:COMMAND, mcts:3.")
    ],
    server: Annotated[str, typer.Option(metavar="URL", help="The server at whose tables it sits.")],
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game, if the file does not name one.", autocompletion=naming.games),
    ] = None,
    tables: Annotated[int, typer.Option(metavar="N", help="At how many tables it plays at a time, at most.")] = 1,
    matches: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many matches.")] = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="LINK", help="Join this table: a link, a code, an id; repeatable.")
    ] = None,
    anybody: Annotated[bool, typer.Option("--anybody", help="Sit down where somebody waits for the same.")] = False,
    seats: Annotated[int | None, typer.Option(metavar="K", help="How many seats its tables have.")] = None,
    settings: Settings = None,
    clock: Annotated[str | None, typer.Option(metavar="CLOCK", help="10+5, 30s, 3d a turn.")] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Its name there; the file's name by default.")
    ] = None,
    seconds: Seconds = None,
    bank: Bank = None,
    memory: Memory = None,
) -> int:
    """Let a bot of yours play at a server's tables, against whoever comes."""
    from parlour.cli import bot as playing
    from parlour.cli.limits import parse_limits

    wish = playing.BotArguments(name_of_bot, server, game, name, tables, matches, table or [], anybody, seats)
    limits = parse_limits(seconds, bank, memory)
    return playing.play(replace(wish, settings=settings or [], clock=clock, limits=limits))


app.command()(train_app.train)
app.command()(train_app.judge)


@app.command()
def bench(device: Device = "cpu", as_json: AsJson = False) -> int:
    """Measure speed and memory, and compare them with the targets."""
    from parlour.cli import bench as benching

    return benching.bench(device, as_json=as_json)


Database = Annotated[
    str | None,
    typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://…; by default a file in your data folder."),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Settings in a TOML file.")]


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="The address to listen at; 0.0.0.0 lets others in.")
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="N", help="The port; 8017 by default, 0 is any free one.")] = None,
    base_path: Annotated[
        str | None, typer.Option(metavar="PATH", help="Where the pages are on their host, such as /games/.")
    ] = None,
    database: Database = None,
    redis: Annotated[
        str | None, typer.Option(metavar="URL", help="Redis, which tells other processes at once.")
    ] = None,
    workers: Annotated[int | None, typer.Option(metavar="N", help="How many processes serve.")] = None,
    bot_processes: Annotated[int | None, typer.Option(metavar="N", help="How many processes bots think in.")] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name by which pages reach this server; repeatable.")
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Another site whose pages may use this server.")
    ] = None,
    trust_proxy: Annotated[
        str | None, typer.Option(metavar="IP", help="The address of your proxy: it tells clients' addresses.")
    ] = None,
    keep: Annotated[
        float | None, typer.Option(metavar="DAYS", help="Delete finished matches after so many days.")
    ] = None,
    drain: Annotated[
        bool | None, typer.Option("--drain", help="Before an upgrade: begin no match, and stop when none is left.")
    ] = None,
    log: Annotated[str | None, typer.Option(metavar="STYLE", help="How to write log lines: text or json.")] = None,
    log_level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="What to log: debug, info, warning or error.")
    ] = None,
    config: ConfigFile = None,
) -> int:
    """Start the server: tables for browsers, terminals and programs."""
    from parlour.cli import serve as serving

    flags: dict[str, object] = {"host": host, "port": port, "database": database, "redis": redis, "workers": workers}
    flags |= {"bot_processes": bot_processes, "origins": origin, "trust_proxy": trust_proxy, "keep": keep, "log": log}
    flags |= {"drain": drain, "base_path": base_path, "hosts": allow_host, "log_level": log_level}
    return serving.serve(flags, config)


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
