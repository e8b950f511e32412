"""Replays: a match as one JSON file. The format is described in docs/replays.md."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from parlour.engine import fair, registry
from parlour.engine.errors import BadReplay, IllegalAction, OtherRules, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match

FORMAT = 1
KEYS = {"parlour", "game", "rules", "options", "seats", "names", "seed", "actions", "result"}
# Where a server kept the match: the proof of its dice, and how it ended if not by the rules.
OPTIONAL_KEYS = {"dice", "ended"}
MAX_BYTES = 64 * 2**20


def result_of(match: Match) -> dict[str, Any]:
    """How the match stands: what a replay claims, and what ``verify`` compares."""
    return {
        "over": match.over,
        "scores": match.scores,
        "winners": match.winners,
        "state": hashlib.sha256(match.state.pack()).hexdigest(),
    }


def dumps(match: Match, *, dice: dict[str, Any] | None = None, ended: dict[str, Any] | None = None) -> str:
    """The replay as text: one key a line, the same bytes for the same match."""
    content: dict[str, Any] = {
        "parlour": FORMAT,
        "game": match.game.name,
        "rules": match.game.version,
        "options": match.options,
        "seats": match.seats,
        "names": match.names,
        "seed": match.seed,
        "actions": match.actions,
        "result": result_of(match),
    }
    content |= {key: value for key, value in (("dice", dice), ("ended", ended)) if value is not None}
    lines = (f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def save(match: Match, path: str | Path, *, overwrite: bool = False) -> None:
    """Write the replay, whole or not at all. A file that is there already is kept unless told otherwise."""
    target = Path(path)
    if target.exists() and not overwrite:
        raise BadReplay(f"{target} exists already: nothing was written")
    if not target.parent.is_dir():
        raise BadReplay(f"the folder {target.parent} does not exist: nothing was written")
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(dumps(match))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(target)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise BadReplay(f"{target} cannot be written: {error.strerror}") from error


def read(path: str | Path) -> dict[str, Any]:
    """The content of a replay file, its form checked but its actions not yet played."""
    try:
        if Path(path).stat().st_size > MAX_BYTES:
            raise BadReplay(f"{path} is no replay: it is larger than {MAX_BYTES >> 20} MiB")
        return loads(Path(path).read_text("utf-8"), str(path))
    except OSError as error:
        raise BadReplay(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadReplay(f"{path} is no replay: it is not text in UTF-8") from error


def loads(text: str, source: str = "the text") -> dict[str, Any]:
    """Like ``read``, from text."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadReplay(f"{source} is no replay: it is not JSON ({_first_line(error)})") from error
    if not isinstance(content, dict) or "parlour" not in content:
        raise BadReplay(f"{source} is no replay: expected a JSON object with the key 'parlour'")
    if content["parlour"] != FORMAT:
        raise OtherRules(f"{source} has replay format {content['parlour']!r}; this Parlour reads format {FORMAT}")
    if content.keys() - OPTIONAL_KEYS != KEYS:
        wrong = ", ".join(sorted(map(repr, (content.keys() - OPTIONAL_KEYS) ^ KEYS)))
        raise BadReplay(f"{source} is no whole replay: its keys differ from the format's in {wrong}")
    _check_types(content, source)
    return content


def _check_types(content: dict[str, Any], source: str) -> None:
    kinds = {"game": str, "rules": int, "options": dict, "seats": int, "seed": int, "result": dict}
    for key, kind in kinds.items():
        if not isinstance(content[key], kind) or isinstance(content[key], bool):
            raise BadReplay(f"{source} is no replay: {key!r} should be {_KIND[kind]}, not {content[key]!r:.60}")
    for key, kind in {"names": str, "actions": int}.items():
        if not isinstance(content[key], list) or any(type(item) is not kind for item in content[key]):
            raise BadReplay(f"{source} is no replay: {key!r} should be a list, each item {_KIND[kind]}")
    if "ended" in content and not _is_ending(content["ended"], content["seats"]):
        raise BadReplay(f"{source} is no replay: 'ended' should have a reason and winners")
    if len(content["names"]) != content["seats"]:
        raise BadReplay(f"{source} is no replay: {content['seats']} seats but {len(content['names'])} names")


def _is_ending(ended: Any, seats: int) -> bool:
    if not isinstance(ended, dict) or not isinstance(ended.get("reason"), str):
        return False
    winners = ended.get("winners")
    return isinstance(winners, list) and all(type(seat) is int and 0 <= seat < seats for seat in winners)


_KIND = {str: "a text", int: "a whole number", dict: "an object"}


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def start(content: dict[str, Any], source: str = "the replay", *, game: Game | None = None) -> Match:
    """The match of a replay, before its first action; of the game of that name, unless one is given."""
    game = game or registry.get(content["game"])
    if content["rules"] != game.version:
        age = "newer" if content["rules"] > game.version else "older"
        raise OtherRules(
            f"{source} was played by {age} rules of {game.name}: "
            f"version {content['rules']}, where this Parlour has version {game.version}"
        )
    try:
        options = game.settle_options(content["options"])  # names from a file, never those of other arguments
        return Match(game, content["seats"], content["seed"], names=content["names"], **options)
    except ParlourError as error:
        raise BadReplay(f"{source} cannot be played: {error}") from error


def run(
    content: dict[str, Any], source: str = "the replay", *, until: int | None = None, game: Game | None = None
) -> Match:
    """The match of a replay, with all its actions played (or those before a ply)."""
    match = start(content, source, game=game)
    for number, action in enumerate(content["actions"][:until]):
        try:
            match.play(action)
        except IllegalAction as error:
            raise BadReplay(f"{source} cannot be played: at ply {number}, {error}") from error
    return match.settled(content["ended"]["winners"]) if "ended" in content and until is None else match


def load(path: str | Path) -> Match:
    """The match saved in a file, as it stood."""
    return run(read(path), str(path))


def verify(path: str | Path) -> list[str]:
    """Play a saved match again; returns what its result claims falsely (nothing: the result is true)."""
    return doubts(read(path), str(path))


def doubts(content: dict[str, Any], source: str = "the replay") -> list[str]:
    """Like ``verify``, of a replay that was read already."""
    truth = result_of(run(content, source))
    claim = content["result"]
    unproved = fair.doubts(content["dice"], content["seats"], content["seed"]) if "dice" in content else []
    return unproved + [
        f"{key}: the file says {claim.get(key)!r}, the actions give {value!r}"
        for key, value in truth.items()
        if claim.get(key) != value
    ]
