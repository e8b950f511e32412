"""The report of a tournament as one HTML page that needs nothing else. Its looks are in templates/report.html."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from parlour.arena import plots
from parlour.arena.ladder import Ladder, Skill
from parlour.arena.rating import Interval
from parlour.arena.results import BROKEN, FORFEIT, UNFINISHED, Result
from parlour.arena.standings import Meetings, Row, Standings
from parlour.arena.tournament import ROYALE
from parlour.arena.tournament_folder import REPLAYS, read_begun, replay_file
from parlour.bots.model import ModelUse
from parlour.engine import registry
from parlour.engine.errors import BadTournament
from parlour.engine.files import write_whole

PAGE = "report.html"
MARK = Markup('<meta name="generator" content="parlour report">')
SAMPLES = 200
SERVER = "http://127.0.0.1:8017"  # of ``parlour serve``, on this machine
MOST_LISTED = 5000  # matches
LARGEST_PACKED = 1 << 18  # bytes of a replay that an address can bring along
MOST_PACKED = 1 << 23  # characters of all such addresses together
MOST_COMPARED = 50  # bots
MOST_PLOTTED = 200  # bots


def write_page(folder: Path, found: Standings, results: Mapping[int, Result], server: str = SERVER) -> Path:
    """Write the page into the tournament's folder, in place of an earlier one and of nothing else.

    Its links to matches lead to the page of ``server``, and bring the replays along.
    """
    page = folder / PAGE
    if page.is_symlink() or (page.exists() and not page.is_file()):
        raise BadTournament(f"{page} is a link to another place: nothing was written")
    try:
        if page.exists() and MARK not in page.read_text("utf-8", errors="replace"):
            raise BadTournament(f"{page} is not a report of Parlour's: nothing was written")
    except OSError as error:
        raise BadTournament(f"{page} cannot be read: {error.strerror}") from error
    write_whole(page, html(folder, found, results, server), follow_links=False)
    return page


def html(folder: Path, found: Standings, results: Mapping[int, Result], server: str = SERVER) -> str:
    """The whole page."""
    numbers = sorted(results)
    links = ReplayLinks(folder, server)
    plotted, compared = found.rows[:MOST_PLOTTED], found.rows[:MOST_COMPARED]
    return _template().render(
        mark=MARK,
        title=f"{registry.get(found.tournament.game).title}: {found.tournament.format}",
        facts=facts(found),
        conditions=conditions(found, read_begun(folder)),
        server=server,
        rows=found.rows,
        skilled=is_skilled(found),
        first=found.tournament.names[0],
        grades=found.grades[:MOST_COMPARED],
        models=[row for row in found.rows if row.model.choices],
        colour=plots.colour,
        ratings_plot=Markup(
            plots.whiskers([row.bot for row in plotted], [row.rating for row in plotted], "rating, with 95% interval")
        ),
        compared=compared,
        meetings=_meetings(found, compared),
        ladder_plot=Markup(_course(found, plotted, results)),
        played=len(numbers),
        matches=[_match(links, found.tournament.names, results[number]) for number in numbers[:MOST_LISTED]],
        more=max(0, len(numbers) - MOST_LISTED),
        replays=REPLAYS,
    )


@cache
def _template() -> jinja2.Template:
    """Everything in it is escaped but for what is drawn in ``plots``, which escapes by itself."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    environment = jinja2.Environment(autoescape=True, loader=loader, undefined=jinja2.StrictUndefined)
    texts = {"rating": rating_text, "share": share_text, "faults": faults_text, "time": seconds_text}
    texts |= {"model": models_text}
    environment.filters |= texts | {"skill": _skill_text, "tint": _tint}
    return environment.get_template(PAGE)


def facts(found: Standings) -> str:
    """What was played, in one line."""
    held = found.tournament
    options = "".join(f", {name}={value}" for name, value in held.options.items())
    played = f"{found.played} of {held.matches}" if found.played < held.matches else f"{found.played}"
    line = f"{held.game} (rules {held.rules}{options}), {held.format}, {played} matches, seed {held.seed}"
    if held.opening:
        line += f"; the first {held.opening} plies drawn by lot"
    if found.repeated:
        line += f"; {found.repeated} repeat others, not counted"
    return line + (f"; {found.broken} broken, left out" if found.broken else "")


def conditions(found: Standings, begun: float | None) -> str:
    """Under which limits, by which Parlour and since when, in one line."""
    held, limits = found.tournament, found.tournament.limits
    bank = f", {limits.bank:g} s extra for a match" if limits.bank else ""
    line = f"Bot files and programs: {limits.seconds:g} s an action{bank}, {limits.memory >> 20:,} MiB of memory. "
    line += f"Parlour {held.code}" if held.code else "An older Parlour"
    return line + (f", begun on {datetime.fromtimestamp(begun).astimezone():%Y-%m-%d at %H:%M %Z}." if begun else ".")


def is_skilled(found: Standings) -> bool:
    """Whether skill tells more than the rating does: with three bots or more at a table."""
    return found.tournament.format == ROYALE and len(found.rows) > 2


class ReplayLinks:
    """What a match links to: its file; and the page of a server, with the replay packed into the address."""

    def __init__(self, folder: Path, server: str) -> None:
        self.folder = folder
        self.server = server
        self._left = MOST_PACKED

    def of(self, number: int) -> dict[str, str]:
        file = replay_file(self.folder, number)
        if file.is_symlink() or not file.is_file():
            return {"file": "", "page": ""}
        return {"file": f"{REPLAYS}/{quote(file.name)}", "page": self._page(file)}

    def _page(self, file: Path) -> str:
        if file.stat().st_size > LARGEST_PACKED or self._left <= 0:
            return ""
        packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        packed = base64.urlsafe_b64encode(packing.compress(file.read_bytes()) + packing.flush()).decode().rstrip("=")
        self._left -= len(packed)
        return f"{self.server}/replay#replay={packed}"


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


def models_text(row: Row) -> str:
    """What a language model has used, and how often its first answer could be played, in one line."""
    use = row.model
    told = f"{share_text(row.legal_first)} of {use.choices:,} first answers legal, {_percent(use)} just as asked for; "
    told += f"{use.answers:,} answers, {use.tokens_in:,} tokens in and {use.tokens_out:,} out"
    told += f" (guessed for {use.guessed:,} answers)" if use.guessed else ""
    return told + (f"; cost {use.cost:,.2f}" if use.cost else "")


def _percent(use: ModelUse) -> str:
    return f"{use.strict_first / max(use.choices, 1):.0%}"


def _skill_text(skill: Skill) -> str:
    return f"{skill.mu:.1f} [{skill.low:.1f}, {skill.high:.1f}]"


def _tint(share: Interval) -> str:
    """A background: green for who wins, red for who loses, none where they are even."""
    return f"hsl({120 * share.value:.0f} 60% 50% / {abs(share.value - 0.5):.2f})"


def _meetings(found: Standings, rows: list[Row]) -> list[list[Meetings]]:
    """Row against column."""
    place = {name: place for place, name in enumerate(found.tournament.names)}
    places = [place[row.bot] for row in rows]
    return [[found.meetings.get((one, other), Meetings()) for other in places] for one in places]


def _course(found: Standings, rows: list[Row], results: Mapping[int, Result]) -> str:
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
    courses = [[skills[index[row.bot]].mu for skills in seen] for row in rows]
    return plots.lines([row.bot for row in rows], courses, at, "skill over the matches")


def _match(links: ReplayLinks, names: list[str], result: Result) -> dict[str, Any]:
    return {
        **links.of(result.number),
        "label": f"{result.number:05}",
        "seats": ", ".join(names[bot] for bot in result.bots),
        "winners": ", ".join(names[result.bots[seat]] for seat in result.winners) or "nobody",
        "scores": ", ".join(map(str, result.scores)),
        "plies": f"{result.plies}, {result.drawn} drawn" if result.drawn else str(result.plies),
        "remarks": _remarks(names, result),
    }


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
