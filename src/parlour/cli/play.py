"""``parlour play``: a match in the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from parlour.bots import usual
from parlour.bots.roster import OWN_CODE, exact, is_built_in, with_titles
from parlour.cli import options
from parlour.cli.console import (
    needs_ascii,
    parse_seed,
    parse_settings,
    parse_speed,
    print_plain,
    result_line,
    show_board,
)
from parlour.cli.local_table import YOU, LocalTable
from parlour.cli.replay import warn_of
from parlour.cli.win_chances import check_judged
from parlour.engine import registry, replay
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match

SERVERS = (
    "{file} was played at a server, and stays as it is. What you play from here is another match, and the server's "
    "proof of the dice is not in it; --save NEW keeps it."
)
FALSE = "The file stays as it is. --save NEW keeps what you play from here."


def play(asked: options.Play) -> None:
    """A match here, or at a server's table."""
    if asked.server is not None or asked.table is not None:
        from parlour.cli import online

        if asked.seed is not None or asked.speed or asked.chances:
            raise ParlourError("a server's tables take no --seed, --speed and --chances: these are for matches here")
        return online.play(asked)
    if asked.game is None:
        raise ParlourError("which game? parlour play GAME; parlour games lists them")
    if asked.name is not None or asked.clock is not None or asked.new or asked.lot or asked.anybody:
        only = "--name, --new, --clock, --lot and --anybody"
        raise ParlourError(f"{only} are for a server's tables: --server URL or --table LINK")
    return _play_here(asked.game, asked)


def _play_here(game: str, asked: options.Play) -> None:
    """Open a table, or one that was saved, and play it to its end or until the person leaves.

    With ``--watch`` nobody plays: for games that go on by themselves.
    """
    pause, ascii, save = parse_speed(asked.speed), needs_ascii(asked.ascii), asked.save
    kept: Path | None = None  # where the match is already, and stays as it goes on
    if not _is_file(game):
        match, who = _begin(game, asked.seat, parse_seed(asked.seed), asked.settings, watch=asked.watch)
    else:
        file = Path(game)
        match, who, is_true = _resume(file, asked.seat, asked.seed, asked.settings)
        if match.over:
            _show_end(match, file, save, ascii=ascii)
            return
        if match.dice is not None:
            match.dice = None
            print_plain(SERVERS.format(file=file), "yellow", ascii=ascii)
        elif is_true:
            kept = file
        else:
            print_plain(FALSE, "yellow", ascii=ascii)
    if asked.chances:
        check_judged(match)
    save = save or kept
    table = LocalTable(match, who, save, ascii, pause, chances=asked.chances)
    if save is not None and save != kept:
        replay.save(match, save)
    table.run()


def _show_end(match: Match, file: Path, save: Path | None, *, ascii: bool) -> None:
    """Nobody can play on: say how it ended. With ``save``, the file is copied."""
    if save is not None and save != file:
        replay.save(match, save)
    print_plain(f"{match.game.title}, seed {match.seed}", "bold", ascii=ascii)
    show_board(match.seen_by(None).board(ascii=ascii))
    print_plain(with_titles(match.game, result_line(match)), "bold", ascii=ascii)
    print_plain(f"The match is over. Watch it again: parlour replay {file}", ascii=ascii)


def _is_file(text: str) -> bool:
    return text not in registry.names() and (text.endswith(".json") or "/" in text or Path(text).is_file())


def _begin(
    name: str, seats: Sequence[str], seed: int | None, settings: Sequence[str], *, watch: bool
) -> tuple[Match, list[str]]:
    game = registry.get(name)
    options = game.resolve_options(parse_settings(settings))
    if seats and watch:
        raise ParlourError("--watch is for a game without players: leave out --seat")
    who = list(seats)
    if not who and not watch:
        who = [YOU] + [usual(game)] * (max(1, game.resolve_seats(None, options)) - 1)
    game.resolve_seats(len(who), options)
    who = [exact(game, person) for person in who]
    names = [f"{game.seat_name(seat)} ({person})" for seat, person in enumerate(who)]
    return Match(game, len(who), seed, names=names, **options), who


def _resume(
    file: Path, seats: Sequence[str], seed: str | None, settings: Sequence[str]
) -> tuple[Match, list[str], bool]:
    """A saved match; who plays on, nobody where it is over; and whether all is true that the file says of it.

    Names stay where the same play on: a name without a bot's is a person's.
    """
    if seed is not None or settings:
        raise ParlourError(f"{file} is a match that has begun: its seed and options cannot be changed")
    content = replay.read(file)
    match = replay.run(content, str(file))
    is_true = not warn_of(file, content, match)
    if match.over:
        return match, [], is_true
    who = list(seats) or [_who_sat(match.game, name, file) for name in match.names]
    if len(who) != match.seats:
        raise ParlourError(f"{file} is a match of {match.seats} seats, not {len(who)}")
    match.names = [
        name if not seats and "(" not in name else f"{match.game.seat_name(seat)} ({person})"
        for seat, (name, person) in enumerate(zip(match.names, who, strict=True))
    ]
    return match, who, is_true


def _who_sat(game: Game, name: str, file: Path) -> str:
    """Who plays on: the name of a seat ends in a bot's name, in brackets; anybody else is you.

    A file never says what is run. Bots with code of their own are named with --seat or not at all.
    """
    found = re.search(r"\((.*)\)$", name)
    person = found[1] if found else YOU
    if is_built_in(game, person):
        return person
    if person.startswith(OWN_CODE):
        raise ParlourError(f"{file} was played by {person!r}, which no file may start: say who plays on, with --seat")
    return YOU
