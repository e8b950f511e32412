"""The files of the public program: tables as text, replays, the list of players. None is ever overwritten."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parlour.engine.errors import BadReplay, ParlourError
from parlour.engine.files import read_file, write_whole
from parlour.engine.foreign_json import read_json

Cell = str | int | float
_PLAYER_LINE = re.compile(r".* is player \d+")


class OutputInTheWay(ParlourError):
    """There is something already where a result would be written."""


def make_folder(folder: Path, *, empty: bool = False) -> None:
    """Have a folder for results; with ``empty`` there must be nothing in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = sorted(entry.name for entry in folder.iterdir()) if empty else []
    except FileExistsError:
        raise OutputInTheWay(f"{folder} is a file; results go to a folder") from None
    except OSError as error:
        raise ParlourError(f"cannot write to {folder}: {error.strerror}") from None
    if held:
        more = f" and {len(held) - 1} more" if len(held) > 1 else ""
        raise OutputInTheWay(f"folder {folder} is not empty (it holds {held[0]}{more}); name one that is, or a new one")


def write_players(path: Path, names: Mapping[int, str]) -> None:
    """``stub.py is player 1`` and so on. Only a file that is such a list itself is replaced."""
    try:
        if path.exists():
            lines = read_file(path).decode("utf-8", "replace").splitlines()
            if not all(_PLAYER_LINE.fullmatch(line) for line in lines):
                raise OutputInTheWay(f"{path} exists and is not a list of players; name another with --players-file")
    except OSError as error:
        raise ParlourError(f"cannot read {path}: {error.strerror}") from None
    write_whole(path, "".join(f"{name} is player {number}\n" for number, name in names.items()))


def frame(columns: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> str:
    """A table as the public program writes it: the first cell of each row is its label, the others are aligned."""
    if not rows:
        return f"Empty DataFrame\nColumns: [{', '.join(columns)}]\nIndex: []\n"
    texts = [[str(row[0]), *map(_text, row[1:])] for row in rows]
    table = [["", *columns], *texts]
    widths = [max(len(line[place]) for line in table) for place in range(len(columns) + 1)]
    lines = []
    for line in table:
        cells = [text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True)]
        lines.append(" ".join([line[0].ljust(widths[0]), *cells]))
    return "\n".join(lines) + "\n"


def _text(cell: Cell) -> str:
    """Floats have six decimals at most, one at least, and room for a sign."""
    if not isinstance(cell, float):
        return str(cell)
    text = f"{cell: .6f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text


def read_replay(path: Path) -> dict[str, Any]:
    """A game that this program or the public one has saved."""
    try:
        game = read_json(read_file(path))
    except OSError as error:
        raise BadReplay(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise BadReplay(f"{path} is not a replay: it is not JSON") from None
    wrong = _what_is_wrong(game)
    if wrong:
        raise BadReplay(f"{path} is not a replay of game17: {wrong}")
    found: dict[str, Any] = game
    return found


def _what_is_wrong(game: Any) -> str | None:
    if not isinstance(game, dict):
        return "it is not an object"
    for name in ("owners", "numbers", "diffs"):
        if not isinstance(game.get(name), list):
            return f"it has no list of {name}"
    size = len(game["owners"])
    for name in ("owners", "numbers"):
        rows = game[name]
        if not 1 <= size <= 1000 or len(rows) != size or any(not _are_ints(row, size) for row in rows):
            return f"its {name} are not a square of whole numbers"
    for turn, diff in enumerate(game["diffs"], 1):
        if not _is_turn(diff, size):
            return f"turn {turn} should have round, owner, owners and numbers, all on this board"
    return None


def _is_turn(diff: Any, size: int) -> bool:
    if not isinstance(diff, dict) or not _are_ints([diff.get("round"), diff.get("owner")], 2):
        return False
    changes = [diff.get("owners"), diff.get("numbers")]
    if not all(isinstance(rows, list) and all(_are_ints(row, 3) for row in rows) for rows in changes):
        return False
    return all(0 <= row[0] < size and 0 <= row[1] < size for rows in changes if rows for row in rows)


def _are_ints(row: Any, length: int) -> bool:
    """Whole numbers that fit an array. The public program lets numbers of pieces become negative."""
    return isinstance(row, list) and len(row) == length and all(type(cell) is int and abs(cell) < 2**31 for cell in row)
