"""``parlour bench``: the report as a table, or as JSON."""

from __future__ import annotations

import json

from benchmarks.engine import Line, Report, run
from rich.table import Table
from rich.text import Text

from parlour.cli.console import err, out


def bench(device: str, *, as_json: bool) -> int:
    """Measure, print, and say by the exit code whether every target is met."""
    with err.status("Measuring …") as status:
        report = run(on_progress=lambda what: status.update(f"Measuring {what} …"), device=device)
    if as_json:
        print(json.dumps(report.to_json()))
    else:
        _print(report)
    return 1 if report.missed else 0


def _print(report: Report) -> None:
    for section in report.sections:
        out.print(f"\n[bold]{section}[/]")
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for line in report.section(section):
            table.add_row(Text(line.name), Text(line.measured), Text(line.target, style="dim"), _verdict(line))
        out.print(table)


def _verdict(line: Line) -> Text:
    if line.met is None:
        return Text("")
    return Text("met", style="green") if line.met else Text("missed", style="red")
