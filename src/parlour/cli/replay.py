"""``parlour replay`` and ``parlour verify``: matches that have been played."""

from __future__ import annotations

import json
import time
from pathlib import Path

from parlour.cli.console import needs_ascii, out, parse_speed, print_plain, result_line, show_board
from parlour.cli.win_chances import chances_line, check_judged
from parlour.engine import replay
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.replay import Replay

RETOLD = (
    "{file}: the rules of {title} have changed since this match began, and are still version {rules}: "
    "it is told by the rules as they are now"
)


def watch(file: Path, at: int | None, speed: float, *, ascii: bool, chances: bool = False) -> None:
    """Show a match again, ply by ply, or the position at one ply."""
    content = replay.read(file)
    actions = content.actions
    pause = parse_speed(speed)
    ascii = needs_ascii(ascii)
    if chances:
        check_judged(replay.start(content, str(file)))
    if at is not None:
        if not 0 <= at <= len(actions):
            raise ParlourError(f"--at takes a ply from 0 to {len(actions)}, the length of this match, not {at}")
        match = replay.run(content, str(file), until=at)
        _frame(match, content, ascii=ascii, clear=False, chances=chances)
        return
    whole = replay.run(content, str(file))  # a broken file is refused before anything is shown
    match = replay.start(content, str(file))
    clear = out.is_terminal and pause > 0
    _frame(match, content, ascii=ascii, clear=clear, chances=chances)
    for action in actions:
        time.sleep(pause)
        match.play(action)
        _frame(match, content, ascii=ascii, clear=clear, chances=chances)
    for event in whole.ending:
        print_plain(f"  {event.tell(whole.name)}", ascii=ascii)
    print_plain(result_line(whole), "bold", ascii=ascii)
    warn_of(file, content, whole)


def warn_of(file: Path, content: replay.Replay, match: Match) -> list[str]:
    """Say what the file claims falsely of its match, such as one of which the seed was changed; returns it."""
    if match.is_retold:
        print_plain(RETOLD.format(file=file, title=match.game.title, rules=content.rules), "yellow")
    false = replay.doubts(content, str(file), played=match)
    for line in false:
        print_plain(f"{file}: FALSE {line}", "yellow")
    return false


def _frame(match: Match, content: Replay, *, ascii: bool, clear: bool, chances: bool) -> None:
    if clear:
        out.clear()
    print_plain(f"{match.game.title}, ply {len(match.plies)} of {len(content.actions)}", "bold", ascii=ascii)
    seen = match.seen_by(None)
    show_board(seen.board(ascii=ascii))
    if chances:
        print_plain(chances_line(seen), "dim", ascii=ascii)
    if 0 < len(match.plies) <= content.drawn:
        print_plain("  This ply was drawn by lot.", "dim", ascii=ascii)
    for event in seen.news:
        print_plain(f"  {event.tell(seen.name)}", ascii=ascii)


def verify(file: Path, *, as_json: bool = False) -> int:
    """Play it again and compare."""
    content = replay.read(file)
    match = replay.run(content, str(file))
    if as_json:
        false = replay.doubts(content, str(file), played=match)
        told = {"file": str(file), "game": match.game.name, "plies": len(match.plies), "is_true": not false}
        ended = content.ended.reason if content.ended is not None else None
        proved = None if content.dice is None else not any(line.startswith("dice") for line in false)
        told |= {
            "doubts": false,
            "drawn": content.drawn,
            "ended": ended,
            "dice_proved": proved,
            "winners": match.winners,
        }
        print(json.dumps(told))
        return 1 if false else 0
    false = warn_of(file, content, match)
    if not false:
        verdict = "the result is true" if content.result is not None else "it claims no result, and can be played"
        print_plain(f"{file}: {verdict}. {match.game.title}, {len(match.plies)} plies: {result_line(match)}.")
        if content.drawn:
            print_plain(f"  The first {content.drawn} plies were drawn by lot; they are those that the seed draws.")
        if content.dice is not None:
            print_plain("  The dice are proved: they follow from the nonces and from the secret of this commitment:")
            print_plain(f"  {content.dice.commitment}")
    return 1 if false else 0
