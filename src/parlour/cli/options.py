"""What can be asked for on the command line: a struct for each command that takes many options, with their help."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from parlour.cli import naming
from parlour.cli.naming import GameName

if TYPE_CHECKING:
    from parlour.bots.box import BotLimits

WHO = "Who takes the next seat: you, easy, expert, random, mcts:3, file:my_bot.py; anyone (at a server). Repeat it."

Key = Annotated[str | None, typer.Option(metavar="HEX", help="Mixed with the seed; drawn where bots could try seeds.")]
Seed = Annotated[str | None, typer.Option(metavar="N", help="The seed of all dice: the same seed gives the same dice.")]
Settings = Annotated[
    list[str], typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game; repeatable.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]
Chances = Annotated[bool, typer.Option("--chances", help="Show how likely each seat is to win, if the game can tell.")]
Bots = Annotated[list[str], typer.Argument(metavar="BOT...", help="The bots, named as for `parlour play --seat`.")]
Ranked = Annotated[
    list[str], typer.Argument(metavar="BOT...", help="The bots, as for `play --seat`; `levels` are all of the game's.")
]
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
GameOf = Annotated[
    str | None,
    typer.Option("--game", metavar="FOLDER", help="The folder or file of its game, if that is not installed."),
]
GameOfBot = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The game, if the file does not name one.",
        autocompletion=naming.games,
        callback=naming.named_or_file,
    ),
]
Seats = Annotated[int | None, typer.Option(metavar="K", help="How many seats.")]
ReplayFile = Annotated[Path, typer.Argument(metavar="FILE", help="A saved match.")]

Database = Annotated[
    str | None,
    typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://…; by default a file in your data folder."),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Settings in a TOML file.")]


@dataclass(frozen=True, kw_only=True)
class Limited:
    """What takes the limits of bot files and programs."""

    seconds: Seconds = None
    bank: Bank = None
    memory: Memory = None

    @property
    def limits(self) -> BotLimits:
        from parlour.cli.limits import parse_limits

        return parse_limits(self.seconds, self.bank, self.memory)


@dataclass(frozen=True)
class Play:
    """Play a game in the terminal, here or at a server's table."""

    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A game's name, folder or file; or the file of a saved match.",
            autocompletion=naming.games,
            callback=naming.named_or_file,
        ),
    ] = None
    seat: Annotated[list[str], typer.Option(metavar="WHO", help=WHO)] = field(default_factory=list)
    seed: Seed = None
    settings: Settings = field(default_factory=list)
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the match in this file as you play.")] = None
    ascii: Ascii = False
    speed: Annotated[float, typer.Option(metavar="X", help="Actions a second for bots; 0 means no pause.")] = 0
    server: Annotated[str | None, typer.Option(metavar="URL", help="Play at a server's table.")] = None
    table: Annotated[str | None, typer.Option(metavar="LINK", help="Join this table: a link, a code, an id.")] = None
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name at the table.")] = None
    watch: Annotated[bool, typer.Option("--watch", help="Only watch: a table, or game17 without players.")] = False
    new: Annotated[bool, typer.Option("--new", help="Open a new table, even if you have a seat at one.")] = False
    clock: Annotated[str | None, typer.Option(metavar="CLOCK", help="At a server: 10+5, 30s, 3d a turn.")] = None
    lot: Annotated[bool, typer.Option("--lot", help="At a server: your seat is drawn by lot.")] = False
    anybody: Annotated[bool, typer.Option("--anybody", help="At a server: with whoever wants the same.")] = False
    chances: Chances = False


@dataclass(frozen=True)
class Simulate:
    """Play many games at random, on all cores or on a GPU, and sum up the results."""

    game: GameName
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")]
    seats: Seats = None
    seed: Seed = None
    settings: Settings = field(default_factory=list)
    cores: Cores = None
    device: Device = "cpu"
    as_json: AsJson = False


@dataclass(frozen=True)
class Solve:
    """Solve a small game, with secrets or without: a policy for all seats, and what could be gained against it."""

    game: GameName
    seats: Annotated[int | None, typer.Option(metavar="K", help="How many seats.")] = None
    settings: Settings = field(default_factory=list)
    goal: Annotated[float, typer.Option(metavar="X", help="Stop when no more than this can be gained.")] = 0.001
    rounds: Annotated[int, typer.Option(metavar="N", help="Stop after so many rounds.")] = 100_000
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the policy into this file, as JSON.")] = None
    as_json: AsJson = False


@dataclass(frozen=True)
class MatchOfBots(Limited):
    """Let bots play one match, and save it."""

    game: GameName
    bots: Bots
    seed: Seed = None
    settings: Settings = field(default_factory=list)
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to save it; a new name by default.")] = None
    as_json: AsJson = False


@dataclass(frozen=True)
class Rank(Limited):
    """Hold a tournament of bots and rank them."""

    game: GameName
    bots: Ranked
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder for the results; an old one goes on.")]
    format: Annotated[str | None, typer.Option(metavar="F", help="How to pair: royale, robin, swiss or gauntlet.")] = (
        None
    )
    rounds: Annotated[int, typer.Option(metavar="N", help="How many rounds; each has one seed per table.")] = 20
    seed: Seed = None
    key: Key = None
    settings: Settings = field(default_factory=list)
    on: On = None
    cores: Cores = None
    opening: Opening = None
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, however many matches there are.")] = False
    as_json: AsJson = False


@dataclass(frozen=True)
class Sprt(Limited):
    """Test whether one bot is better than another; stop as soon as that is certain."""

    game: GameName
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot that you hope is better.")]
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot to compare it with.")]
    worse: Annotated[float, typer.Option(metavar="S", help="NEW is better if it scores more than this.")] = 0.5
    better: Annotated[float, typer.Option(metavar="S", help="NEW is not better if it scores less than this.")] = 0.55
    alpha: Annotated[float, typer.Option(metavar="P", help="The risk that 'better' is wrong.")] = 0.05
    beta: Annotated[float, typer.Option(metavar="P", help="The risk that 'not better' is wrong.")] = 0.05
    max_matches: Annotated[int, typer.Option(metavar="N", help="Stop undecided after so many matches.")] = 4000
    seed: Seed = None
    key: Key = None
    settings: Settings = field(default_factory=list)
    on: On = None
    cores: Cores = None
    opening: Opening = None
    as_json: AsJson = False


@dataclass(frozen=True)
class CheckBot(Limited):
    """Let a bot play against itself and say what is wrong with it.

    Exit code 0: nothing; 1: it misbehaves; 2: it cannot be used at all.
    """

    file: Annotated[str, typer.Argument(metavar="FILE", help="A bot file, or process:COMMAND.")]
    game: GameOfBot = None
    matches: Annotated[int, typer.Option(metavar="N", help="How many matches.")] = 3
    seats: Seats = None
    settings: Settings = field(default_factory=list)
    as_json: AsJson = False


@dataclass(frozen=True)
class HostBot(Limited):
    """Let a bot of yours play at a server's tables, against whoever comes."""

    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot: file:my_bot.py, process:COMMAND, model:NAME.")]
    server: Annotated[str, typer.Option(metavar="URL", help="The server at whose tables it sits.")]
    game: GameOfBot = None
    tables: Annotated[int, typer.Option(metavar="N", help="At how many tables it plays at a time, at most.")] = 1
    matches: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many matches.")] = None
    table: Annotated[
        list[str], typer.Option(metavar="LINK", help="Join this table: a link, a code, an id; repeatable.")
    ] = field(default_factory=list)
    anybody: Annotated[bool, typer.Option("--anybody", help="Sit down where somebody waits for the same.")] = False
    seats: Annotated[int | None, typer.Option(metavar="K", help="How many seats its tables have.")] = None
    settings: Settings = field(default_factory=list)
    clock: Annotated[str | None, typer.Option(metavar="CLOCK", help="10+5, 30s, 3d a turn.")] = None
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Its name there; the file's name by default.")] = None


@dataclass(frozen=True)
class Train:
    """Train a judge: it learns by playing against itself who is likely to win.

    Interrupt it when you like: the same command goes on where it was.
    """

    game: GameName
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The judge's file; GAME.judge by default.")] = None
    minutes: Annotated[float | None, typer.Option(metavar="M", help="How long; 10 by default.")] = None
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Until it has played so many games, instead of minutes.")
    ] = None
    seats: Annotated[list[int], typer.Option(metavar="K", help="How many seats; repeat it for several.")] = field(
        default_factory=list
    )
    settings: Settings = field(default_factory=list)
    seed: Annotated[str | None, typer.Option(metavar="N", help="The seed of everything random; 0 by default.")] = None
    units: Annotated[int, typer.Option(metavar="N", help="Units of the network: more see more, and are slower.")] = 64
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Begin with this judge, not with one that knows nothing.")
    ] = None
    device: Annotated[
        str | None, typer.Option(metavar="WHERE", help="cpu or cuda; by default the GPU, if there is one.")
    ] = None
    cores: Cores = None
    against: Annotated[
        list[str], typer.Option(metavar="BOT", help="Measure it on the way against this bot; repeatable.")
    ] = field(default_factory=list)
    as_json: AsJson = False


@dataclass(frozen=True)
class JudgeTest:
    """Say how a judge was made, and test whether what it says comes true."""

    game: GameName
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A judge's file; else the game's own.")] = None
    positions: Annotated[int, typer.Option(metavar="N", help="How many positions to test it on.")] = 200_000
    seed: Annotated[str | None, typer.Option(metavar="N", help="The seed of their matches; 0 by default.")] = None
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what it says and what happens, as SVG.")] = (
        None
    )
    as_json: AsJson = False


@dataclass(frozen=True)
class Serve:
    """Start the server: tables for browsers, terminals and programs."""

    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FOLDER...", help="Games that are not installed, by folder or file.", callback=naming.named_all
        ),
    ] = None
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="The address to listen at; 0.0.0.0 lets others in.")
    ] = None
    port: Annotated[int | None, typer.Option(metavar="N", help="The port; 8017 by default, 0 is any free one.")] = None
    base_path: Annotated[
        str | None, typer.Option(metavar="PATH", help="Where the pages are on their host, such as /games/.")
    ] = None
    database: Database = None
    redis: Annotated[str | None, typer.Option(metavar="URL", help="Redis, which tells other processes at once.")] = None
    workers: Annotated[int | None, typer.Option(metavar="N", help="How many processes serve.")] = None
    bot_processes: Annotated[int | None, typer.Option(metavar="N", help="How many processes bots think in.")] = None
    hosts: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A name by which pages reach this server; repeatable."),
    ] = None
    origins: Annotated[
        list[str] | None, typer.Option("--origin", metavar="URL", help="Another site whose pages may use this server.")
    ] = None
    trust_proxy: Annotated[
        str | None, typer.Option(metavar="IP", help="The address of your proxy: it tells clients' addresses.")
    ] = None
    keep: Annotated[float | None, typer.Option(metavar="DAYS", help="Delete finished matches after so many days.")] = (
        None
    )
    drain: Annotated[
        bool | None, typer.Option("--drain", help="Before an upgrade: begin no match, and stop when none is left.")
    ] = None
    log: Annotated[str | None, typer.Option(metavar="STYLE", help="How to write log lines: text or json.")] = None
    log_level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="What to log: debug, info, warning or error.")
    ] = None
    config: ConfigFile = None


@dataclass(frozen=True)
class Mcp:
    """Give language models seats at tables, over the Model Context Protocol: on standard input, or over HTTP."""

    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FOLDER...", help="Games that are not installed, by folder or file.", callback=naming.named_all
        ),
    ] = None
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Play at this server's tables; else at tables in this process.")
    ] = None
    port: Annotated[int | None, typer.Option(metavar="N", help="Speak HTTP at this port; 0 is any free one.")] = None
    host: Annotated[str | None, typer.Option(metavar="HOST", help="The address to listen at; else 127.0.0.1.")] = None
    hosts: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Another name by which it may be reached; repeatable."),
    ] = None


def asked(kind: type[Any], place: str) -> Callable[..., Any]:
    """The command that takes the fields of a struct, and hands it to the function at that place: ``module:name``."""
    hints = get_type_hints(kind, include_extras=True)
    lists = {each.name for each in fields(kind) if each.default_factory is not MISSING}

    def command(**given: Any) -> Any:
        module, _, name = place.partition(":")
        run = getattr(importlib.import_module(module), name)
        return run(kind(**{key: value for key, value in given.items() if value is not None or key not in lists}))

    command.__doc__ = kind.__doc__
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            each.replace(annotation=hints[name], default=None if name in lists else each.default)
            for name, each in inspect.signature(kind).parameters.items()
        ]
    )
    command.__annotations__ = hints
    return command
