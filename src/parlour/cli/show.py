"""What there is to see without playing: the welcome, the games, the rulebooks."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

import parlour
from parlour.cli.console import err, out
from parlour.engine import registry
from parlour.engine.features import starts
from parlour.engine.game import Game


def version() -> None:
    out.print(f"parlour {parlour.__version__}")


def welcome() -> None:
    """What there is, and what to type next."""
    out.print("[bold]Parlour[/] — games at a table, in your terminal.\n")
    out.print(_table(_loaded()))
    out.print("\nType next:")
    for command, what in (
        ("parlour learn goose", "learn a game in a few minutes"),
        ("parlour play choccer", "play against a bot"),
        ("parlour rules goose", "read a rulebook"),
        ("parlour simulate verfuchst --games 100000", "play a hundred thousand games at once"),
        ("parlour --help", "everything else"),
    ):
        out.print(f"  [bold cyan]{command:<42}[/] {what}")


def games(*, as_json: bool) -> None:
    found = _loaded()
    if as_json:
        print(json.dumps([_described(game) for game in found], indent=2))
        return
    out.print(_table(found))
    for game in found:
        for option in game.options:
            default = ("yes" if option.default else "no") if option.is_switch else option.default
            setting = f"{game.name} --set {option.name}={default}"
            out.print(Text(f"{setting:<28} {option.help}: {option.takes}", style="dim"))
    out.print("\nNext: [bold cyan]parlour rules GAME[/] or [bold cyan]parlour play GAME[/]")


def _loaded() -> list[Game]:
    """All games that load; one that does not is named, and the others are still shown."""
    for why in registry.bad_games().values():
        err.print(Text(f"parlour: {why}", style="yellow"), soft_wrap=True)
    return registry.all_games()


def _table(found: list[Game]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("Game", "Seats", "What it is"):
        table.add_column(heading, header_style="bold")
    for game in found:
        about = Text.assemble((game.title, "bold"), f"  {game.summary}")
        table.add_row(Text(game.name, style="cyan"), _seats(game), about)
    return table


def _seats(game: Game) -> str:
    low, high = game.seats[0], _most_seats(game)
    return str(low) if low == high else f"{low}–{high}"


def _most_seats(game: Game) -> int:
    """The most seats that the game takes with its options as they usually are."""
    low, high = game.seats
    options = game.resolve_options({})
    return next((seats for seats in range(high, low, -1) if game.takes(seats, options) is None), low)


def _described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "version": game.version,
        "seats": {
            "min": game.seats[0],
            "max": _most_seats(game),
            "usual": game.resolve_seats(None, game.resolve_options({})),
        },
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "takes": option.takes,
                "help": option.help,
            }
            for option in game.options
        ],
        "actions": {"space": game.action_space, "most": game.max_actions},
        "observation": {
            "size": game.observation_size,
            "type": game.observation_type,
            "features": [
                {**asdict(feature), "at": at} for feature, at in zip(game.features, starts(game.features), strict=False)
            ],
        },
    }


def rulebook(name: str) -> None:
    """The rulebook: rendered for a person, as it is for a pipe."""
    text = registry.get(name).words.rulebook
    if out.is_terminal:
        out.print(Markdown(text), width=min(out.width, 96))
    else:
        print(text, end="")
