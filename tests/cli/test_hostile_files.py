"""Whatever Parlour reads: a file with anything in it is used, or refused in one line. Nothing is waited for."""

from __future__ import annotations

import io
import json
import os
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from game17 import files as game17_files
from game17.display import show_game
from judges import any_judge
from parlour.arena.report import write_page
from parlour.arena.results import Result
from parlour.arena.standings import standings
from parlour.arena.tournament import announce
from parlour.arena.tournament_folder import PLAN, RESULTS, open_folder, read_plan, read_results
from parlour.cli.report import print_standings
from parlour.cli.train import _print as print_judge
from parlour.engine import registry, replay
from parlour.engine.errors import ParlourError
from parlour.engine.judge import file as judges
from parlour.lab.train import checkpoint
from parlour.lab.train.network import Network
from parlour.lab.train.plan import make_plan

GAME = registry.get("choccer")
CONNECT = registry.get("connect_four")
HELD = announce(registry.get("goose"), ["random", "random"], format="robin", rounds=2, seed=4)
TRAINING = make_plan(CONNECT, games=10, units=8, seed=1)


def make_replay(file: Path) -> None:
    match = parlour.new("goose", seats=2, seed=1)
    while len(match.plies) < 4:
        match.play(match.legal()[0])
    replay.save(match, file)


def use_replay(file: Path) -> None:
    replay.load(file)


def make_judge(file: Path) -> None:
    any_judge(CONNECT, 3).save(file)


def use_judge(file: Path) -> None:
    judge = judges.load(CONNECT, file)
    judge.chances(parlour.new(CONNECT, seed=1).state)
    print_judge(judge, file)
    make_plan(CONNECT, games=1, units=judge.units, start=judge).to_json()


def make_checkpoint(file: Path) -> None:
    progress = checkpoint.Progress(strength=[{"games": 4, "scores": [{"opponent": "random", "score": 0.5}]}])
    checkpoint.save(file, TRAINING, Network(CONNECT, 8, 1), progress)


def use_checkpoint(file: Path) -> None:
    network = Network(CONNECT, 8, 1)
    checkpoint.load(file, TRAINING, network)
    network.judge({})


def make_plan_file(file: Path) -> None:
    open_folder(file.parent / "new", HELD)
    (file.parent / "new" / PLAN).rename(file)


def use_plan(file: Path) -> None:
    print_standings(standings(read_plan(file.parent), {}))


def make_results(file: Path) -> None:
    rows = [_result(number) for number in range(4)]
    file.write_text("".join(json.dumps(row.to_json()) + "\n" for row in rows))


def _result(number: int) -> Result:
    bots = [number % 2, 1 - number % 2]
    return Result(number, number // 2, 7, bots, "over", bots[:1], [1, 2], 6, [3, 3], [0.1, 0.2])


def use_results(file: Path) -> None:
    found, _ = read_results(file.parent, HELD)
    table = standings(HELD, found)
    print_standings(table)
    json.dumps(table.to_json(), allow_nan=False)
    write_page(file.parent, table, found)


def make_game17(file: Path) -> None:
    turn = {"round": 0, "owner": 1, "owners": [[0, 1, 1]], "numbers": [[0, 1, 4]]}
    file.write_text(json.dumps({"owners": [[0, 1], [2, 3]], "numbers": [[4, 4], [4, 4]], "diffs": [turn]}))


def use_game17(file: Path) -> None:
    show_game(game17_files.read_replay(file), counts=True)


def make_players(file: Path) -> None:
    game17_files.write_players(file, {1: "a.py"})


def use_players(file: Path) -> None:
    game17_files.write_players(file, {1: "b.py"})


READERS: dict[str, tuple[Callable[[Path], None], Callable[[Path], None]]] = {
    "match.json": (make_replay, use_replay),
    "my.judge": (make_judge, use_judge),
    "my.judge.checkpoint": (make_checkpoint, use_checkpoint),
    PLAN: (make_plan_file, use_plan),
    RESULTS: (make_results, use_results),
    "battle.json": (make_game17, use_game17),
    "players.txt": (make_players, use_players),
}
MUTATIONS = 400


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("what", ["pipe", "zeros", "folder", "loop"])
@pytest.mark.timeout(60)
def test_what_is_no_file_is_refused_at_once(name: str, what: str, tmp_path: Path) -> None:
    file = tmp_path / name
    if what == "pipe":
        os.mkfifo(file)
    elif what == "folder":
        file.mkdir()
    else:
        file.symlink_to("/dev/zero" if what == "zeros" else file)
    if (name, what) == ("players.txt", "loop"):
        return  # it is not there, and the link is replaced
    with pytest.raises(ParlourError) as caught:
        READERS[name][1](file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.timeout(120)
def test_any_change_of_a_file_is_used_or_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, use = READERS[name]
    file = tmp_path / name
    make(file)
    whole, drawn = file.read_bytes(), random.Random(name)
    use(file)
    refused = []
    for _ in range(MUTATIONS):
        file.write_bytes(mutated(whole, drawn))
        try:
            use(file)
        except ParlourError as error:
            refused.append(str(error))
        if name == "players.txt":
            file.unlink(missing_ok=True)
    assert len(refused) > MUTATIONS // 20
    assert not [line for line in refused if "\n" in line]


VALUES = ["null", "-1", "0", "1", "2", "1e400", "1.5", "NaN", "9" * 400, "9" * 5000, '""', '"x"', "[]", "{}", "true"]
VALUES += ["[" * 5000 + "]" * 5000, "[" * 300 + "]" * 300, '{"a":' * 900 + "1" + "}" * 900, '"\\ud800"', "[0]", "[[]]"]


def mutated(whole: bytes, drawn: random.Random) -> bytes:
    """Bytes, or a value of JSON in it, replaced; something cut out, or doubled."""
    way = drawn.randrange(4)
    first = drawn.randrange(len(whole))
    last = min(len(whole), first + drawn.choice((0, 1, 2, 8, 100)))
    if way == 0:
        return whole[:first] + drawn.randbytes(last - first) + whole[last:]
    if way == 1:
        return whole[:first] + whole[last:] + whole[first:last] * drawn.randrange(3)
    values = list(re.finditer(rb'(?<=[:\[ ,])(-?\d[\d.]*|"[^"]*"|true|false|\[[^\[\]]*\])(?=[,\]} ])', whole))
    if not values:
        return whole[:first]
    chosen = drawn.choice(values)
    return whole[: chosen.start()] + drawn.choice(VALUES).encode() + whole[chosen.end() :]


def rewritten(file: Path, **changes: Any) -> bytes:
    """A checkpoint with other arrays in it."""
    with np.load(file) as kept:
        arrays = {**kept, **changes}
    content = io.BytesIO()
    np.savez_compressed(content, **{key: array for key, array in arrays.items() if array is not None})
    return content.getvalue()


def test_a_checkpoint_with_other_numbers_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "my.judge.checkpoint"
    make_checkpoint(file)
    with np.load(file) as kept:
        values, about = kept["values"], json.loads(str(kept["about"]))
    wrong: list[dict[str, Any]] = [
        {"values": values[:-1]},
        {"values": values[:1]},
        {"values": np.float32(1)},
        {"mean": values.reshape(1, -1)},
        {"mean": values.astype(np.float64)},
        {"square": values.astype("U8")},
        {"square": None},
        *(
            {place: np.full_like(values, number)}
            for place in ("values", "mean", "square")
            for number in (np.nan, np.inf)
        ),
        {"square": np.full_like(values, -1)},
        {"values": np.full_like(values, 40)},
        {"values": np.zeros(30_000_000, np.float32)},  # a small file, for it is packed
        *({"about": np.array(text)} for text in ("[" * 50_000, "{}", "null", "[]", '"x"')),
        *({"about": np.array(json.dumps({**about, "steps": steps}))} for steps in (-1, 1.5, "x", None, 1e300, 10**30)),
        *(
            {"about": np.array(json.dumps({**about, "progress": {**about["progress"], key: told}}))}
            for key in about["progress"]
            for told in (None, "x", -1, float("nan"), 10**400, [1])
        ),
        {"about": np.array(json.dumps({**about, "progress": {**about["progress"], "strength": [{"games": 1}]}}))},
        {"about": np.array(json.dumps({**about, "progress": {**about["progress"], "more": 1}}))},
    ]
    for changes in wrong:
        file.write_bytes(rewritten(file, **changes))
        with pytest.raises(ParlourError, match="is damaged: delete it to begin anew"):
            use_checkpoint(file)
        make_checkpoint(file)
    with zipfile.ZipFile(file, "w") as empty:
        empty.writestr("about.npy", b"\x93NUMPY\x01\x00\xff\xff{")
    with pytest.raises(ParlourError, match="is damaged"):
        use_checkpoint(file)


LINES: dict[str, Any] = {
    "actions": [],
    "seconds": [],
    "scores": [],
    "winners": [0, 0],
    "bots": [0, 0],
    "plies": 10**30,
}


@pytest.mark.parametrize("field", LINES)
def test_a_result_that_cannot_be_is_none(field: str, tmp_path: Path) -> None:
    file = tmp_path / RESULTS
    file.write_text(json.dumps({**_result(0).to_json(), field: LINES[field]}) + "\n")
    with pytest.raises(ParlourError, match="line 1 is not a result of this tournament"):
        use_results(file)


RECORDS: dict[str, Any] = {
    "minutes": None,
    "loss": "low",
    "seed": [],
    "games": -1,
    "strength": [{"games": 1, "scores": [{"opponent": 3, "score": 0.5}]}],
    "options": [],
    "seats": [],
    "throws": "x",
    "start": json.loads("[" * 300 + "]" * 300),
}


@pytest.mark.parametrize("field", RECORDS)
@pytest.mark.parametrize("gone", [True, False])
def test_a_judge_that_does_not_say_how_it_was_made_is_damaged(field: str, gone: bool, tmp_path: Path) -> None:
    judge, file = any_judge(CONNECT, 3), tmp_path / "my.judge"
    record = {key: told for key, told in judge.record.items() if key != field}
    if not gone:
        record[field] = RECORDS[field]
    first, line, packed = judge.to_bytes().split(b"\n", 2)
    file.write_bytes(b"\n".join([first, json.dumps({**json.loads(line), "record": record}).encode(), packed]))
    if gone and field in ("throws", "start"):
        use_judge(file)
        return
    with pytest.raises(ParlourError, match="is damaged: its second line does not say what it holds"):
        use_judge(file)
