"""The report of a tournament as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote

from parlour.arena import plots
from parlour.arena.ladder import Ladder
from parlour.arena.rating import Interval, wilson
from parlour.arena.running import BROKEN, FORFEIT, UNFINISHED, Result
from parlour.arena.standings import Row, Standings
from parlour.arena.store import REPLAYS, replay_file
from parlour.engine import registry
from parlour.engine.errors import BadTournament

PAGE = "report.html"
MARK = '<meta name="generator" content="parlour report">'
SAMPLES = 200
MOST_LISTED = 5000
NAMES = ("Bot", "Seats", "Winners", "Remarks")  # columns of words, set to the left

STYLE = """
:root { color-scheme: light dark; --line: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .25rem .7rem; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid var(--line); } td { border-bottom: 1px solid var(--line); }
.name { text-align: left; } .dim { opacity: .65; } .wide { overflow-x: auto; }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: currentColor; } .grid { stroke: var(--line); }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .4em; }
"""


def write_page(folder: Path, found: Standings, results: Mapping[int, Result]) -> Path:
    """Write the page into the tournament's folder, in place of an earlier one and of nothing else."""
    page = folder / PAGE
    try:
        if page.exists() and MARK not in page.read_text("utf-8", errors="replace"):
            raise BadTournament(f"{page} is no report of Parlour's: nothing was written")
        page.write_text(html(folder, found, results), "utf-8", newline="\n")
    except OSError as error:
        raise BadTournament(f"{page} cannot be written: {error.strerror}") from error
    return page


def html(folder: Path, found: Standings, results: Mapping[int, Result]) -> str:
    """The whole page."""
    title = f"{registry.get(found.tournament.game).title}: {found.tournament.format}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(facts(found))}</p>",
        _table(found),
        "<h2>Ratings</h2>",
        plots.whiskers(
            [row.bot for row in found.rows], [row.rating for row in found.rows], "rating, with 95% interval"
        ),
        "<h2>Who beats whom</h2>",
        _meetings(found),
        "<h2>The ladder, match by match</h2>",
        _course(found, results),
        "<h2>Matches</h2>",
        _matches(folder, found, results),
    ]
    head = f'<meta charset="utf-8">{MARK}<meta name="viewport" content="width=device-width">'
    head += f"<title>{escape(title)}</title><style>{STYLE}</style>"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def facts(found: Standings) -> str:
    """What was played, in one line."""
    held = found.tournament
    options = "".join(f", {name}={value}" for name, value in held.options.items())
    played = f"{found.played} of {held.matches}" if found.played < held.matches else f"{found.played}"
    line = f"{held.game} (rules {held.rules}{options}), {held.format}, {played} matches, seed {held.seed}"
    return line + (f"; {found.broken} broken, left out" if found.broken else "")


def rating_text(value: Interval) -> str:
    return f"{value.value:+.0f} [{value.low:+.0f}, {value.high:+.0f}]"


def share_text(value: Interval) -> str:
    return f"{value.value:.1%} [{100 * value.low:.0f}, {100 * value.high:.0f}]"


def faults_text(row: Row) -> str:
    return ", ".join(f"{count} {status}" for status, count in sorted(row.faults.items())) or "–"


def seconds_text(row: Row) -> str:
    """The mean time for an action."""
    seconds = row.seconds_per_action
    if seconds is None:
        return "–"
    if seconds >= 0.9995:
        return f"{seconds:.1f} s"
    return f"{1e3 * seconds:.0f} ms" if seconds >= 0.01 else f"{1e3 * seconds:.2g} ms" if seconds > 9e-5 else "<0.1 ms"


def _table(found: Standings) -> str:
    headings = (
        "Rank",
        "Bot",
        "Rating",
        "Matches",
        "Score",
        "Won–drawn–lost",
        "Forfeited",
        "Faults",
        "Skill",
        "Time per action",
    )
    rows = [
        f'<td>{row.rank}</td><td class="name">{_key(place)}{escape(row.bot)}</td><td>{rating_text(row.rating)}</td>'
        f"<td>{row.matches}</td><td>{share_text(row.score)}</td><td>{row.won}–{row.drawn}–{row.lost}</td>"
        f"<td>{row.forfeited}</td><td>{faults_text(row)}</td>"
        f"<td>{row.skill.mu:.1f} [{row.skill.low:.1f}, {row.skill.high:.1f}]</td><td>{seconds_text(row)}</td>"
        for place, row in enumerate(found.rows)
    ]
    return _html_table(headings, rows)


def _html_table(headings: tuple[str, ...], rows: list[str]) -> str:
    head = "".join(f'<th class="{"name" if heading in NAMES else ""}">{escape(heading)}</th>' for heading in headings)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _key(place: int) -> str:
    return f'<span class="key" style="background:{plots.colour(place)}"></span>'


def _meetings(found: Standings) -> str:
    """Row against column: the share, its interval and its count."""
    index = {name: place for place, name in enumerate(found.tournament.names)}
    rows = []
    for row in found.rows:
        cells = [f'<td class="name">{escape(row.bot)}</td>']
        for other in found.rows:
            points, count = found.meetings.get((index[row.bot], index[other.bot]), (0.0, 0))
            share = wilson(points, count)
            tint = f"hsl({120 * share.value:.0f} 60% 50% / {abs(share.value - 0.5):.2f})"
            cells.append(
                f'<td style="background:{tint}">{share_text(share)}<br><span class="dim">{count}</span></td>'
                if count
                else '<td class="dim">–</td>'
            )
        rows.append("".join(cells))
    return _html_table(("", *(row.bot for row in found.rows)), rows)


def _course(found: Standings, results: Mapping[int, Result]) -> str:
    """How openskill's ladder saw the bots as the matches came."""
    numbers = sorted(results)
    ladder = Ladder(len(found.tournament.bots))
    step = max(1, len(numbers) // SAMPLES)
    at, seen = [0], [ladder.skills()]
    for place, number in enumerate(numbers, 1):
        ladder.add(results[number])
        if place % step == 0 or place == len(numbers):
            at.append(place)
            seen.append(ladder.skills())
    index = {name: place for place, name in enumerate(found.tournament.names)}
    names = [row.bot for row in found.rows]
    courses = [[skills[index[name]].mu for skills in seen] for name in names]
    key = " ".join(f"<span>{_key(place)}{escape(name)}</span>" for place, name in enumerate(names))
    return plots.lines(names, courses, at, "skill over the matches") + f"<p>{key}</p>"


def _matches(folder: Path, found: Standings, results: Mapping[int, Result]) -> str:
    numbers = sorted(results)
    rows = [_match(folder, found.tournament.names, results[number]) for number in numbers[:MOST_LISTED]]
    more = len(numbers) - len(rows)
    rest = f"<p>and {more} more in the folder {REPLAYS}</p>" if more else ""
    inside = _html_table(("Match", "Seats", "Winners", "Scores", "Plies", "Remarks"), rows)
    return f"<details><summary>{len(numbers)} matches, each with its replay</summary>{inside}{rest}</details>"


def _match(folder: Path, names: list[str], result: Result) -> str:
    file = replay_file(folder, result.number)
    label = f"{result.number:05}"
    link = f'<a href="{REPLAYS}/{quote(file.name)}">{label}</a>' if file.is_file() else label
    seats = ", ".join(names[bot] for bot in result.bots)
    winners = ", ".join(names[result.bots[seat]] for seat in result.winners) or "nobody"
    return (
        f'<td>{link}</td><td class="name">{escape(seats)}</td><td class="name">{escape(winners)}</td>'
        f"<td>{', '.join(map(str, result.scores))}</td><td>{result.plies}</td>"
        f'<td class="name">{escape(_remarks(names, result))}</td>'
    )


def _remarks(names: list[str], result: Result) -> str:
    said = [
        f"{names[result.bots[fault.seat]]}: {fault.count} × {fault.status}, first at ply {fault.ply} ({fault.detail})"
        for fault in result.faults
    ]
    if result.ended == BROKEN:
        said.append(f"broken: {result.detail}")
    elif result.ended in (FORFEIT, UNFINISHED):
        said.append(result.ended)
    return "; ".join(said)
