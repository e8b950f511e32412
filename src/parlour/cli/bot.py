"""``parlour bot``: a bot at a server's tables."""

from __future__ import annotations

import asyncio
from pathlib import Path

from parlour.arena.runner import rooted
from parlour.bots.box import BoxedBot, bot_file, close_all, command
from parlour.bots.model import read_settings
from parlour.bots.roster import FILE, MODEL, PROCESS
from parlour.bots.trial import game_of
from parlour.cli.console import parse_settings, print_plain
from parlour.cli.online.arriving import LONGEST_NAME, check_name
from parlour.cli.online.bot_host import MOST_TABLES, BotHost
from parlour.cli.online.bot_table import BotSpec
from parlour.cli.options import HostBot
from parlour.client.address import check_server
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game


def play(arguments: HostBot) -> int:
    """Sit at tables until there is nothing more to play; returns the exit code."""
    server = check_server(arguments.server)
    for what, value, most in (("--tables", arguments.tables, MOST_TABLES), ("--matches", arguments.matches, 1_000_000)):
        if value is not None and not 1 <= value <= most:
            raise ParlourError(f"{what} takes a whole number from 1 to {most}, not {value}")
    game = _game(arguments.bot, arguments.game)
    opens = arguments.anybody or arguments.seats is not None or arguments.clock is not None or arguments.settings
    if arguments.table and opens:
        raise ParlourError("--table joins a table that is there: leave out --anybody, --seats, --set and --clock")
    options = game.resolve_options(parse_settings(arguments.settings))
    if arguments.seats is not None:
        game.resolve_seats(arguments.seats, options)
        if arguments.seats < 1:
            raise ParlourError("a bot needs a seat: --seats takes a number from 1")
    name = check_name(arguments.name if arguments.name is not None else _usual_name(arguments.bot))
    plan = BotSpec(game, rooted(arguments.bot), name, arguments.limits)
    _try(plan)
    return asyncio.run(BotHost(plan, arguments, server).run())


def _game(bot: str, name: str | None) -> Game:
    if name is None and bot.startswith(FILE):
        return game_of(bot_file(bot.removeprefix(FILE)), None)
    if name is None:
        raise ParlourError(f"which game shall {bot} play? --game GAME; parlour games lists them")
    return registry.get(name)


def _usual_name(bot: str) -> str:
    """What the bot is called at tables: a file by its name, a program by its own, any other as it is."""
    if bot.startswith(FILE):
        bot = Path(bot.removeprefix(FILE)).expanduser().resolve().stem
    elif bot.startswith(PROCESS):
        bot = Path(command(bot.removeprefix(PROCESS)).command[0]).stem
    elif bot.startswith(MODEL):
        bot = read_settings(bot.removeprefix(MODEL)).short_name
    return "".join(char for char in bot if char.isprintable() and char not in "()")[:LONGEST_NAME].strip() or "bot"


def _try(plan: BotSpec) -> None:
    """Refuse a bot that cannot be used before anybody waits for it; one that compiles does so now."""
    bot = plan.ready()
    if isinstance(bot, BoxedBot):
        print_plain(f"Bots in boxes: {bot.protection}.", "dim")
    close_all([bot])
