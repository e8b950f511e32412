"""``parlour report``: the table of a tournament again, and as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parlour.arena.report import (
    conditions,
    facts,
    faults_text,
    is_skilled,
    models_text,
    rating_text,
    seconds_text,
    share_text,
    write_page,
)
from parlour.arena.standings import Row, Standings, standings
from parlour.arena.tournament import game_of
from parlour.arena.tournament_folder import read_begun, read_plan, read_results
from parlour.cli.console import out, print_plain
from parlour.engine.errors import ParlourError
from parlour.engine.printable import printable

WIDE = 200  # columns for whoever is no terminal and need not fold


def report(folder: Path, server: str, *, as_json: bool) -> None:
    _check_address(server)
    tournament = read_plan(folder)
    game_of(tournament)
    results, _ = read_results(folder, tournament)
    found = standings(tournament, results)
    page = write_page(folder, found, results, server.rstrip("/"))
    if as_json:
        print(json.dumps(found.to_json()))
        return
    print_standings(found)
    print_plain(conditions(found, read_begun(folder)), "dim")
    print_plain(f"The page: {page}")


def _check_address(server: str) -> None:
    if not re.fullmatch(r"https?://[^\s/?#@\"'<>]+(/[^\s?#\"'<>]*)?", server):
        raise ParlourError(f"--server takes an address such as http://127.0.0.1:8017, not {server!r:.80}")


def print_standings(found: Standings) -> None:
    """The table for a person: no number without its interval and its count."""
    print_plain(facts(found), "bold")
    columns = _columns(found)
    screen = out if out.is_terminal else Console(width=WIDE, highlight=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2 if screen.width > 90 else 1, 0, 0), header_style="bold")
    for heading in columns:
        if heading in ("Bot", "Faults"):
            table.add_column(heading, overflow="fold", min_width=9)
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    for row in found.rows:
        table.add_row(*(Text(printable(cell(row))) for cell in columns.values()))
    screen.print(table)
    if any(row.forfeited for row in found.rows):
        told = ", ".join(f"{row.bot} {row.forfeited}" for row in found.rows if row.forfeited)
        print_plain(f"Forfeited through faults (not counted as lost): {told}.")
    for name, met in found.grades:
        print_plain(f"{found.tournament.names[0]} against {name}: {share_text(met.share)} of {met.matches} matches")
    for row in found.rows:
        if row.model.choices:
            print_plain(f"{row.bot}: {models_text(row)}")


def _columns(found: Standings) -> dict[str, Callable[[Row], str]]:
    columns: dict[str, Callable[[Row], str]] = {
        "#": lambda row: str(row.rank),
        "Bot": lambda row: row.bot,
        "Rating": lambda row: rating_text(row.rating),
        "Played": lambda row: str(row.matches),
        "Score": lambda row: share_text(row.score),
        "W–D–L": lambda row: f"{row.won}–{row.drawn}–{row.lost}",
        "Faults": faults_text,
        "Time": seconds_text,
    }
    if is_skilled(found):
        columns["Skill"] = lambda row: f"{row.skill.mu:.1f}±{2 * row.skill.sigma:.1f}"
    return columns
