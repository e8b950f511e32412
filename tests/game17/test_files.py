"""The files of the public program, to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game17.colours import UnknownColour, rgb
from game17.files import OutputInTheWay, frame, make_folder, read_replay, write_players
from parlour.engine.errors import BadReplay

PRINTED = [  # what pandas prints of the same tables
    (
        ["games won", "max time"],
        [(1, "3", 0.0001234567), (2, "banned", 0.25), (13, "0", -1)],
        "   games won  max time\n1          3  0.000123\n2     banned      0.25\n13         0        -1\n",
    ),
    (
        ["games won", "max time"],
        [(1, "3", 1.5e-7), (2, "0", 12.0)],
        "  games won max time\n1         3      0.0\n2         0     12.0\n",
    ),
    (["winner"], [("1 vs 2", "1"), ("1 vs 10", "1, 10")], "        winner\n1 vs 2       1\n1 vs 10  1, 10\n"),
    (["players"], [(0, "1, 2"), (1, "3")], "  players\n0    1, 2\n1       3\n"),
    (["winner"], [], "Empty DataFrame\nColumns: [winner]\nIndex: []\n"),
]


@pytest.mark.parametrize(("columns", "rows", "printed"), PRINTED)
def test_tables_are_printed_as_the_public_program_does(
    columns: list[str], rows: list[tuple[int]], printed: str
) -> None:
    assert frame(columns, rows) == printed


def test_only_a_list_of_players_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "players.txt"
    write_players(path, {1: "a.py", 2: "b.py"})
    assert path.read_text() == "a.py is player 1\nb.py is player 2\n"
    write_players(path, {1: "c.py"})
    assert path.read_text() == "c.py is player 1\n"
    path.write_text("Ada\nBob\n")
    with pytest.raises(OutputInTheWay, match="is not a list of players"):
        write_players(path, {1: "a.py"})
    assert path.read_text() == "Ada\nBob\n"


def test_a_folder_with_things_in_it_is_left_alone(tmp_path: Path) -> None:
    make_folder(tmp_path / "new" / "deep", empty=True)
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(OutputInTheWay, match=r"not empty \(it holds letter.txt and 1 more\)"):
        make_folder(tmp_path, empty=True)
    with pytest.raises(OutputInTheWay, match="is a file"):
        make_folder(tmp_path / "letter.txt")


GOOD: dict[str, Any] = {
    "owners": [[0, 1], [2, 3]],
    "numbers": [[4, 4], [4, 4]],
    "diffs": [{"round": 0, "owner": 2, "owners": [[0, 0, 2]], "numbers": [[0, 0, 8], [1, 0, 0]]}],
}
TURN: dict[str, Any] = GOOD["diffs"][0]
BAD = {
    "not an object": [1, 2],
    "no list of diffs": {"owners": [[0]], "numbers": [[4]]},
    "owners are not a square": {**GOOD, "owners": [[0, 1], [2]]},
    "numbers are not a square": {**GOOD, "numbers": [[0, "x"], [2, 3]]},
    "turn 1 should have": {**GOOD, "diffs": [{**TURN, "owners": [[0, 2, 1]]}]},
    "turn 2 should have": {**GOOD, "diffs": [TURN, {"round": 0}]},
}


def test_a_replay_of_the_public_program_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOOD))
    assert read_replay(path) == GOOD


@pytest.mark.parametrize("wrong", BAD)
def test_what_is_no_replay_is_refused_in_one_line(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(BAD[wrong]))
    with pytest.raises(BadReplay, match=wrong):
        read_replay(path)
    path.write_text('{"owners": [[')
    with pytest.raises(BadReplay, match="not JSON"):
        read_replay(path)


def test_colours() -> None:
    assert [rgb(name) for name in ("tomato", "#FF6347", "r", "xkcd:dark purple")] == [
        (255, 99, 71),
        (255, 99, 71),
        (255, 0, 0),
        (53, 6, 62),
    ]
    with pytest.raises(UnknownColour, match=r"'tomatoe' is not a colour.*did you mean 'tomato'"):
        rgb("tomatoe")
