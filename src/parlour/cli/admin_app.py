"""The commands of ``parlour admin``, their arguments and their help."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import naming
from parlour.engine.errors import ParlourError

if TYPE_CHECKING:
    from parlour.cli.admin import Desk

app = typer.Typer(
    name="admin",
    help="What whoever runs a server can do: on its database, whether it runs or not.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# One id in 64 begins with a hyphen. So an unknown option may be one, and there is no short one for help.
TAKES_ID = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
MOST = 2**31 - 1  # the largest whole number that every database takes
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")]
PersonName = Annotated[str, typer.Argument(metavar="NAME", help="The name that they had at tables.")]
AtTable = Annotated[str | None, typer.Option("--table", metavar="TABLE", help="At this table only.")]
Address = Annotated[str | None, typer.Option(metavar="IP", help="An address or a network, such as 10.0.0.0/8.")]
Name = Annotated[str | None, typer.Option(metavar="NAME", help="A name.")]


@app.callback()
def admin(
    context: typer.Context,
    database: Annotated[str | None, typer.Option(metavar="URL", help="As for `parlour serve`.")] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings in a TOML file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """What whoever runs a server can do: on its database, whether it runs or not."""
    from parlour.cli.admin import Desk

    context.obj = Desk({"database": database}, config, as_json=as_json)


def _desk(context: typer.Context) -> Desk:
    desk: Desk = context.obj
    return desk


@app.command()
def who(context: typer.Context) -> None:
    """Who is at a table now."""
    _desk(context).who()


@app.command()
def tables(
    context: typer.Context,
    phase: Annotated[str | None, typer.Option(metavar="PHASE", help="open, playing or over.")] = None,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Of this game only.", autocompletion=naming.games)
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Where somebody of that name sits.")] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="How many at most.")] = 100,
) -> None:
    """Tables, private ones too, the last changed first."""
    _desk(context).tables(phase, game, name, limit)


@app.command(context_settings=TAKES_ID)
def close(
    context: typer.Context,
    table: TableId,
    text: Annotated[str, typer.Option(metavar="TEXT", help="What its players are told.")] = (
        "This table was closed by whoever runs the server."
    ),
) -> None:
    """End a table that is not over: nobody wins."""
    _desk(context).close(table, text)


@app.command(context_settings=TAKES_ID)
def delete(context: typer.Context, table: TableId) -> None:
    """Remove a table with all that happened there."""
    _desk(context).delete(table)


@app.command()
def ban(
    context: typer.Context,
    address: Address = None,
    name: Name = None,
    who: Annotated[
        str | None, typer.Option(metavar="NAME", help="The address of whoever has this name at a table now.")
    ] = None,
    span: Annotated[str | None, typer.Option("--for", metavar="TIME", help="30m, 12h, 7d; else for ever.")] = None,
    why: Annotated[str, typer.Option(metavar="TEXT", help="What they are told.")] = "",
) -> None:
    """Keep an address or a name away."""
    if [address, name, who].count(None) != 2:
        raise ParlourError("whom? --address IP, --name NAME or --who NAME: one of them")
    if address is not None:
        _desk(context).ban("address", address, span, why)
    elif name is not None:
        _desk(context).ban("name", name, span, why)
    elif who is not None:
        _desk(context).ban_who(who, span, why)


@app.command()
def unban(context: typer.Context, address: Address = None, name: Name = None) -> None:
    """Let an address or a name in again."""
    if address is not None and name is None:
        _desk(context).unban("address", address)
    elif name is not None and address is None:
        _desk(context).unban("name", name)
    else:
        raise ParlourError("whom? --address IP or --name NAME")


@app.command()
def bans(context: typer.Context) -> None:
    """Who is banned, and until when."""
    _desk(context).bans()


@app.command()
def maintenance(
    context: typer.Context,
    message: Annotated[str | None, typer.Argument(metavar="MESSAGE", help="What people are told.")] = None,
    off: Annotated[bool, typer.Option("--off", help="Let matches begin again.")] = False,
) -> None:
    """Begin no match from now on, and tell people why; without a message, say how it stands."""
    _desk(context).maintenance(message, off=off)


@app.command()
def export(context: typer.Context, name: PersonName, table: AtTable = None) -> None:
    """Print all that is stored about a person, as JSON."""
    _desk(context).export(name, table)


@app.command()
def forget(context: typer.Context, name: PersonName, table: AtTable = None) -> None:
    """Remove a person's name, words and tokens; the matches stay."""
    _desk(context).forget(name, table)


@app.command()
def backup(context: typer.Context, file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")]) -> None:
    """Copy the database into a file; a server may run meanwhile."""
    _desk(context).back_up(file)


@app.command()
def restore(context: typer.Context, file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")]) -> None:
    """Copy a backup into a database that is empty."""
    _desk(context).restore(file)


@app.command()
def move(context: typer.Context, target: Annotated[str, typer.Argument(metavar="URL", help="postgresql://…")]) -> None:
    """Copy the database into another one that is empty: from SQLite to PostgreSQL, or back."""
    _desk(context).move(target)


@app.command()
def audit(
    context: typer.Context,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="How many lines.")] = 100,
) -> None:
    """What was done, by whom, the last first."""
    _desk(context).audit(limit)
