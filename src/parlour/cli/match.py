"""``parlour match``: one match between bots, saved."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from parlour.arena.pairing import derive
from parlour.arena.results import BROKEN, PlayedMatch, Result
from parlour.arena.running import MatchJob, play
from parlour.arena.tournament import announce
from parlour.cli import options
from parlour.cli.console import err, parse_seed, parse_settings, print_plain, result_line
from parlour.engine import registry, replay
from parlour.engine.errors import ParlourError
from parlour.engine.files import check_place
from parlour.engine.match import Match


def match(asked: options.MatchOfBots) -> None:
    game, seed = registry.get(asked.game), parse_seed(asked.seed)
    resolved = announce(
        game,
        asked.bots,
        format="royale",
        seed=secrets.randbits(63) if seed is None else seed,
        options=parse_settings(asked.settings),
        limits=asked.limits,
        opening=0,
    )
    file = _new_file(f"{game.name}-{resolved.seed}") if asked.save is None else asked.save
    check_place(file, overwrite=False)
    job = MatchJob(
        number=0,
        group=0,
        game=game.name,
        options=resolved.options,
        seed=resolved.seed,
        bot_seed=derive(resolved.seed, "bots", 0),
        bots=resolved.bots,
        limits=resolved.limits,
        names=tuple(resolved.names),
        who=tuple(range(len(asked.bots))),
    )
    result, text, _ = _play(job)
    if result.ended == BROKEN:
        raise ParlourError(f"the match could not be played: {result.detail}")
    played = replay.run(replay.loads(text))
    replay.save(played, file)
    if asked.as_json:
        print(json.dumps(_described(result, resolved.names, file)))
    else:
        _print(played, result, file)


def _new_file(stem: str) -> Path:
    """A name in this folder that no file has."""
    names = (Path(f"{stem}.json") if number == 1 else Path(f"{stem}-{number}.json") for number in count(1))
    return next(path for path in names if not path.exists())


def _play(job: MatchJob) -> PlayedMatch:
    if not err.is_terminal:
        return play(job)
    with err.status("ply 0") as status:
        return play(job, lambda ply: status.update(f"ply {ply}"))


def _described(result: Result, names: Sequence[str], file: Path) -> dict[str, Any]:
    content = result.to_json()
    for key in ("number", "group", "detail"):
        del content[key]
    return content | {"bots": list(names), "points": result.points, "replay": str(file)}


def _print(played: Match, result: Result, file: Path) -> None:
    for fault in result.faults:
        words = f"{fault.count} × {fault.status}, first at ply {fault.ply}: {fault.detail}"
        print_plain(f"{played.name(fault.seat)}: {words}", "yellow")
    print_plain(_ending(played, result), "bold")
    for seat, (asked, seconds) in enumerate(zip(result.actions, result.seconds, strict=True)):
        mean = f"{seconds / asked:.2g} s an action" if asked else "never asked"
        print_plain(f"  {played.game.seat_name(seat)}, {played.name(seat)}: {asked} actions, {mean}")
    print_plain(f"Saved in {file}. Watch it: parlour replay {file}")


def _ending(played: Match, result: Result) -> str:
    if played.over and result.winners == played.winners:
        return f"{result_line(played)}, after {result.plies} plies"
    winners = " and ".join(played.name(seat) for seat in result.winners) or "nobody"
    return f"{winners} won: {result.ended}, after {result.plies} plies"
