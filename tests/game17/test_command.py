"""The command ``game17``, run as a person runs it, with bot files of every kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from game17 import cli

GAME17 = [sys.executable, "-c", "from game17.cli import main; main()"]

BOTS = {
    "stub.py": """
from game17.zombie import make_moves as make_moves_zombie

def make_moves(owner, rounds_left, owners, numbers):
    assert type(owner) is int and owners.dtype == numbers.dtype == 'int64'
    return make_moves_zombie(owner, rounds_left, owners, numbers)
""",
    "t800.py": "from game17.T800 import make_moves",
    "stateful.py": """
from game17 import find_owned_pieces

class Mover:
    def __init__(self, owner, turn_order, num_rounds):
        self.owner, self.turn_order, self.left = owner, turn_order, num_rounds
    def __call__(self, owners, numbers):
        self.left -= 1
        assert self.left >= 0 and self.owner in self.turn_order
        return [((i, j), 'n', n) for i, j, n in find_owned_pieces(self.owner, owners, numbers)]

def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
    assert (numbers == 4).all()
    owners[:] = owner
    return Mover(owner, turn_order, num_rounds)
""",
    "reseeds.py": """
import random
import numpy as np
from game17.zombie import make_moves as zombie

def make_moves(*arguments):
    np.random.seed(0), random.seed(0)
    return zombie(*arguments)
""",
    "draws.py": """
import random
import numpy as np
from game17 import find_owned_pieces

def make_moves(owner, rounds_left, owners, numbers):
    return [((i, j), random.choice('nsew'), np.random.randint(n + 1))
            for i, j, n in find_owned_pieces(owner, owners, numbers)]
""",
    "negative.py": """
from game17 import find_owned_pieces

def make_moves(owner, rounds_left, owners, numbers):
    i, j, n = find_owned_pieces(owner, owners, numbers)[0]
    return [((i, j), 'n', -5), ((i, j), 's', n + 5)]
""",
    "hangs.py": "def make_moves(*_):\n    while True: pass",
    "sleeps.py": "import time\ndef make_moves(*_):\n    time.sleep(0.03)\n    return []",
    "late.py": "import time\ndef make_moves(*_):\n    yield time.sleep(0.03)",
    "dies.py": "import os\ndef make_moves(*_):\n    os._exit(1)",
    "exits.py": "def make_moves(*_):\n    raise SystemExit",
    "writes.py": "import pathlib\ndef make_moves(*_):\n    pathlib.Path('mine.txt').write_text('x')\n    return []",
    "bad_import.py": "import no_such_module",
    "quits.py": "import sys\nsys.exit(3)",
    "no_python.py": "def make_moves(:",
    "empty.py": "",
    "early.py": """
from game17.zombie import make_moves as zombie

def make_moves(owner, owners, numbers):
    return zombie(owner, owners, numbers)
""",
}


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """A folder with all the bots."""
    for name, text in BOTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONUTF8": "1", "COLUMNS": "80"}
    return subprocess.run(
        [*GAME17, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, env=environment
    )


def good(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = run(folder, *arguments)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in folder.iterdir()}


@pytest.mark.parametrize("command", ["single", "vs-zombies", "rank", "replay", "demo"])
def test_every_command_has_help_and_is_documented(command: str, tmp_path: Path) -> None:
    documented = (Path(__file__).parents[2] / "docs" / "game17.md").read_text("utf-8")
    assert f"game17 {command}" in documented
    said = good(tmp_path, command, "--help").stdout
    for option in [word.strip(",") for word in said.split() if word.startswith("--")]:
        assert option in documented, f"{command} {option}"
    assert command in good(tmp_path).stdout


def test_rank_writes_the_files_of_the_public_program(bench: Path) -> None:
    good(bench, "rank", "stub.py", "t800.py", "stateful.py", "-T", "1", "-g", "4", "-s", "8", "-t", "0", "out")
    assert (bench / "players.txt").read_text() == "stub.py is player 1\nt800.py is player 2\nstateful.py is player 3\n"
    written = texts(bench / "out")
    assert {f"battle-royale-{game}.json" for game in range(4)} <= written.keys()
    assert written["players_that_failed_on_import.txt"] == "\n"
    assert written["battle-royale-summary.txt"].splitlines()[0].split() == ["games", "won", "max", "time"]
    assert [line.split()[0] for line in written["battle-royale-summary.txt"].splitlines()[1:]] == ["1", "2", "3", "4"]
    ranked = [line.split(maxsplit=1)[1] for line in written["ranks.txt"].splitlines()[1:]]
    assert sorted(", ".join(ranked).split(", ")) == ["1", "2", "3", "4"]
    pairs = {name for name in written if " vs " in name}
    assert any(name.startswith("round-robin") for name in written) == bool(pairs)


def test_the_demo_player_does_all_that_the_public_readme_shows(tmp_path: Path) -> None:
    """In the folder demo, which the sources have, and which the installed program makes."""
    assert "game17 single stub.py" in good(tmp_path, "demo").stdout
    demo = tmp_path / "demo"
    stub = (demo / "stub.py").read_text()
    assert stub == (Path(__file__).parents[2] / "demo" / "stub.py").read_text()
    lines = [line.split() for line in stub.splitlines() if line.startswith("    game17 ")]
    assert [words[1] for words in lines] == ["single", "vs-zombies", "rank", "replay"]
    few = {"vs-zombies": ["-g", "4"], "rank": ["-g", "2"], "single": ["--no-sleep"], "replay": ["--no-sleep"]}
    for _, command, *rest in lines:
        done = run(demo, command, *few[command], *rest)
        assert done.returncode == 0, done.stderr
        assert "lost" not in done.stderr, "every turn is legal"
    assert run(tmp_path, "demo").returncode == 2, "what is there already is kept"


def test_the_record_is_a_whole_game(bench: Path) -> None:
    good(bench, "rank", "stub.py", "stateful.py", "-g", "1", "-r", "6", "-s", "6", "out")
    game = json.loads((bench / "out" / "battle-royale-0.json").read_text())
    numbers = {(i, j): n for i, row in enumerate(game["numbers"]) for j, n in enumerate(row)}
    assert set(numbers.values()) == {4}
    for turn in game["diffs"]:
        assert turn.keys() == {"round", "owner", "owners", "numbers"}
        numbers.update({(i, j): n for i, j, n in turn["numbers"]})
        assert sum(numbers.values()) == 144
        assert min(numbers.values()) >= 0
    assert {turn["round"] for turn in game["diffs"]} == set(range(6))


def test_the_same_seed_is_the_same_tournament_on_any_number_of_cores(bench: Path) -> None:
    bots = ["stub.py", "draws.py", "reseeds.py", "t800.py"]
    for name, cores in (("one", "1"), ("two", "2")):
        good(bench, "rank", *bots, "-T", "1", "-g", "6", "-s", "8", "-t", "0", "--seed", "7", "--cores", cores, name)
    one, two = texts(bench / "one"), texts(bench / "two")
    assert one.keys() == two.keys()
    assert [name for name in one if name.endswith(".json") and one[name] != two[name]] == []
    assert one["ranks.txt"] == two["ranks.txt"]
    good(bench, "rank", *bots, "-T", "1", "-g", "1", "-s", "8", "--seed", "8", "other")
    assert texts(bench / "other")["battle-royale-0.json"] != one["battle-royale-0.json"]


def test_generators_are_not_shared(bench: Path) -> None:
    """A bot that reseeds its generators changes nothing for the others, and every bot draws numbers of its own."""
    talks = """
import random
import numpy as np
drawn = []

def make_moves(owner, *_):
    drawn.append(np.random.random() + random.random())
    print('player', owner, 'drew', drawn)
    return []
"""
    (bench / "talks.py").write_text(talks)
    said = []
    for other in ("reseeds.py", "exits.py"):
        done = good(bench, "single", "talks.py", other, "talks.py", "-s", "3", "-r", "1", "--seed", "3")
        said.append(dict(line.split(" drew ") for line in done.stderr.splitlines() if " drew " in line))
    both = said[0].keys() & said[1].keys()
    assert both
    assert all(said[0][player] == said[1][player] for player in both)
    assert len({*said[0].values(), *said[1].values()}) == len(said[0].keys() | said[1].keys())


def test_bots_that_cannot_be_imported_are_listed_and_the_others_play(bench: Path) -> None:
    files = ["bad_import.py", "stub.py", "quits.py", "no_python.py", "empty.py"]
    done = good(bench, "rank", *files, "-g", "2", "-s", "5", "out")
    assert texts(bench / "out")["players_that_failed_on_import.txt"] == "1, 3, 4, 5\n"
    assert (
        "player 1 (bad_import.py) failed to load: ModuleNotFoundError: No module named 'no_such_module'" in done.stderr
    )
    assert "player 3 (quits.py) failed to load: SystemExit: 3" in done.stderr
    assert "player 5 (empty.py) failed to load: ImportError: it has neither make_moves nor get_mover" in done.stderr
    assert texts(bench / "out")["ranks.txt"].splitlines()[1:] == ["0       2"]


def test_slow_bots_are_banned_whether_they_work_sleep_or_put_it_off(bench: Path) -> None:
    slow = ["hangs.py", "sleeps.py", "late.py", "dies.py"]
    done = good(bench, "rank", *slow, "t800.py", "-g", "2", "-r", "6", "--deadline", "0.3", "out")
    written = texts(bench / "out")
    summary = {line.split()[0]: line.split()[1] for line in written["battle-royale-summary.txt"].splitlines()[1:]}
    assert [player for player, won in summary.items() if won == "banned"] == ["1", "2", "3", "4"]
    first, *rest = (line.split(maxsplit=1)[1] for line in written["ranks.txt"].splitlines()[1:])
    assert (first, sorted(", ".join(rest).split(", "))) == ("5", ["1", "2", "3", "4"])
    assert "player 1 (hangs.py) lost" in done.stderr
    assert "it did not answer within 0.3 s" in done.stderr
    assert "its process ended when it was to answer: it ended by itself, with exit code 1" in done.stderr


def test_a_threshold_of_nothing_bans_nobody(bench: Path) -> None:
    good(bench, "rank", "sleeps.py", "-g", "1", "-s", "4", "-r", "3", "-t", "-1", "out")
    assert "banned" not in texts(bench / "out")["battle-royale-summary.txt"]


def test_turns_that_break_the_rules_are_lost_and_told(bench: Path) -> None:
    done = good(bench, "rank", "negative.py", "exits.py", "-g", "2", "-s", "5", "out")
    assert "player 1 (negative.py) lost" in done.stderr
    assert "order 1 is illegal: a count is a whole number from 1 up, not -5" in done.stderr
    assert "player 2 (exits.py) lost" in done.stderr
    for name, text in texts(bench / "out").items():
        if name.endswith(".json"):
            assert "-" not in text, "no number of pieces is ever negative"


def test_what_a_bot_writes_is_gone_with_it(bench: Path) -> None:
    assert good(bench, "single", "writes.py", "-s", "4", "-r", "2").stderr == ""
    assert not (bench / "mine.txt").exists()


LOOKS = """
import os, pathlib
for path in {paths!r}:
    try: print("seen:", os.listdir(path) if os.path.isdir(path) else open(path).read())
    except OSError: print("nothing at", path)
make_moves = lambda *_: []
"""


def test_a_bot_file_sees_nothing_that_is_beside_it(bench: Path) -> None:
    """Neither a rival's source nor the working folder, by whatever name."""
    here = bench.resolve()
    paths = [str(here / "stub.py"), "stub.py", str(here), f"{here}/looks.py/../stub.py", f"/proc/1/root{here}/stub.py"]
    (bench / "looks.py").write_text(LOOKS.format(paths=paths))
    said = good(bench, "single", "looks.py", "stub.py", "-s", "3", "-r", "1").stderr.splitlines()
    assert said == [f"nothing at {path}" for path in paths]


def test_a_bot_s_folder_never_has_the_results_in_it(bench: Path) -> None:
    (bench / "mine").mkdir()
    (bench / "mine" / "bot.py").write_text("make_moves = lambda *_: []")
    for command in ("rank", "vs-zombies"):
        refusal = run(bench, command, "mine", "stub.py", "mine/out")
        assert refusal.returncode == 2
        said = "game17: player 1 (mine) could read mine/out, where results go: name another folder"
        assert refusal.stderr.splitlines() == [said]
    assert not (bench / "mine" / "out").exists()


def test_a_folder_reads_what_is_in_it_and_finds_no_secrets(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bench / "mine").mkdir()
    (bench / "mine" / "weights.txt").write_text("7")
    (bench / "mine" / "helper.py").write_text("number = 35")
    (bench / "mine" / "bot.py").write_text(
        "import os, pathlib\n"
        "from helper import number\n"
        "beside = pathlib.Path(__file__).parent / 'weights.txt'\n"
        "print('read', number + int(open('weights.txt').read()), beside.read_text())\n"
        "seen = [pathlib.Path(f'/proc/{pid}/environ').read_bytes() for pid in ('self',)]\n"
        "print('secret:', 'HUNTER2' in os.environ or any(b'HUNTER2' in text for text in seen))\n"
        "make_moves = lambda *_: []\n"
    )
    monkeypatch.setenv("HUNTER2", "password")
    said = good(bench, "single", "mine", "-s", "3", "-r", "1").stderr
    assert "read 42 7" in said
    assert "secret: False" in said or "failed to load" in said


def test_what_a_bot_prints_cannot_steer_the_terminal(bench: Path) -> None:
    evil = "\\x1b[2Jgame17: all is well\\u202e"
    (bench / "evil.py").write_text(f"def make_moves(*_):\n    print('{evil}')\n    raise ValueError('{evil}')\n")
    done = good(bench, "single", "evil.py", "-s", "3", "-r", "1", "-v")
    assert "all is well" in done.stderr
    assert all(line.isprintable() for line in (done.stdout + done.stderr).splitlines())


def test_a_bot_may_print_as_much_as_it_likes(bench: Path) -> None:
    (bench / "loud.py").write_text("def make_moves(*_):\n    print('x' * 2_000_000)\n    return []\n")
    assert good(bench, "rank", "loud.py", "-g", "2", "-s", "3", "-r", "3", "-t", "0", "out").stderr == ""


def test_a_bot_with_threads_plays_too(bench: Path) -> None:
    (bench / "threads.py").write_text(
        "import threading, time\n"
        "threading.Thread(target=lambda: [time.sleep(0.001) for _ in range(10**6)], daemon=True).start()\n"
        "from game17.zombie import make_moves as zombie\n"
        "def make_moves(*arguments):\n    return zombie(*arguments)\n"
    )
    assert good(bench, "rank", "threads.py", "-g", "3", "-s", "4", "-t", "0", "out").stderr == ""


def test_players_may_take_every_square(bench: Path) -> None:
    """The document has 0 to 196 players. Owners count from 0, so the last one is player 0."""
    times = good(bench, "single", "-T", "196", "-r", "2", "--seed", "1").stdout.split("times\n")[1]
    assert sorted(int(line.split()[0]) for line in times.splitlines()) == list(range(196))
    good(bench, "single", "stub.py", "stub.py", "t800.py", "dies.py", "-s", "2", "-r", "2")
    assert (bench / "players.txt").read_text().splitlines()[-1] == "dies.py is player 0"
    lost = run(bench, "rank", "stub.py", "stub.py", "t800.py", "dies.py", "-s", "2", "-r", "3", "-g", "2", "out").stderr
    assert "player 0 (dies.py) lost" in lost


def test_nobody_plays_too(bench: Path) -> None:
    good(bench, "rank", "-g", "2", "out")
    assert texts(bench / "out")["ranks.txt"].startswith("Empty DataFrame")
    good(bench, "vs-zombies", "-g", "2", "other")
    assert texts(bench / "other")["vs-zombies.txt"] == "player\tnum_wins\tmax_time\n"
    assert "squares" in good(bench, "single", "-s", "4", "-r", "2").stdout


@pytest.mark.parametrize("player", [["-T", "1"], ["t800.py"]])
def test_a_t800_beats_zombies_as_often_as_in_the_public_program(player: list[str], bench: Path) -> None:
    """187 of 200 there: between 89.2 and 96.2%; a sample of 150 may stray four standard errors from it."""
    good(bench, "vs-zombies", *player, "-g", "150", "--seed", "5", "out")
    line = texts(bench / "out")["vs-zombies.txt"].splitlines()[1].split("\t")
    assert line[0] == "1"
    assert 0.892 - 0.08 < int(line[1]) / 150 <= 1
    assert float(line[2]) < 0.01


def test_vs_zombies_takes_the_underscore_and_gives_up_on_a_bot_that_hangs(bench: Path) -> None:
    """The deadline leaves it time to begin where the machine is busy: whoever never begins is never asked."""
    limits = ("--time_threshold", "1", "--deadline", "0.5")
    done = good(bench, "vs-zombies", "hangs.py", "-g", "5", "-r", "5", *limits, "--seed", "1", "out")
    assert "kept missing its deadline" in done.stderr
    assert "the first in game 0, round " in done.stderr
    assert texts(bench / "out")["vs-zombies.txt"].splitlines()[1].startswith("1\t0\t0.5")


def test_single_in_a_pipe_shows_frames_without_colour_and_without_a_pause(bench: Path) -> None:
    arguments = ["single", "-v", "-c", "-s", "4", "-r", "3", "--seed", "2", "negative.py:tomato", "t800.py", "-T", "1"]
    done = good(bench, *arguments)
    assert "\x1b" not in done.stdout
    assert done.stdout.startswith("the opening\n")
    assert "round 2, player" in done.stdout
    assert "times" in done.stdout
    assert "player 1 (negative.py): this game, round" in done.stderr
    # The title of the table of times is centred over figures that may be wider or narrower.
    assert good(bench, *arguments).stdout.split("times")[0].rstrip() == done.stdout.split("times")[0].rstrip()


def test_a_file_whose_make_moves_is_not_told_the_rounds_left(bench: Path) -> None:
    done = good(bench, "single", "early.py", "-s", "4", "-r", "3", "--seed", "2")
    assert done.stderr == ""


def test_what_a_bot_prints_is_seen_in_single(bench: Path) -> None:
    (bench / "talks.py").write_text("def make_moves(*_):\n    print('so many zombies')\n    return []")
    done = good(bench, "single", "talks.py", "-s", "3", "-r", "1")
    assert "so many zombies" in done.stderr
    assert "so many zombies" not in done.stdout


def test_replay_shows_the_game_again(bench: Path) -> None:
    good(bench, "rank", "stub.py", "-g", "1", "-s", "4", "-r", "3", "out")
    shown = good(bench, "replay", "out/battle-royale-0.json", "1:tomato", "--no-sleep", "-c").stdout
    assert shown.startswith("the opening\n")
    assert shown.splitlines()[-2].split()[0].isdecimal()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("rank nope.py out", "there is no bot file 'nope.py'"),
        ("rank . out", "'.' is not a bot: a folder needs a bot.py in it"),
        ("rank stub.py -g -1 out", "--num-games takes a number from 0 up, not -1"),
        ("rank stub.py -s 1 out", "the board size is 2 to 24, not 1"),
        ("rank stub.py -r 0 out", "the number of rounds is 1 to 1000, not 0"),
        ("rank stub.py -t nan out", "--time-threshold takes a number of seconds, not nan"),
        ("rank stub.py --deadline 0 out", "--deadline takes seconds above 0"),
        ("rank stub.py --cores 0 out", "--cores takes 1 to 1024, not 0"),
        ("rank stub.py --seed -4 out", "seed"),
        ("rank stub.py full", "folder full is not empty"),
        ("rank stub.py t800.py", "t800.py is a file"),
        ("rank", "OUTPUT_DIRECTORY"),
        ("vs-zombies -T -1 out", "--num-T800s takes a number from 0 up, not -1"),
        ("single stub.py:tomatoe", "did you mean 'tomato'"),
        ("single stub.py --speed 0", "--speed takes a number above 0"),
        ("single -s 2 -T 5", "a board of 2 by 2 has squares for 4 players, not for 5"),
        ("single stub.py -T 1000000000000", "has squares for 196 players, not for 1000000000001"),
        ("single stub.py -p full/letter.txt", "is not a list of players"),
        ("replay nothing.json", "cannot read nothing.json"),
        ("replay stub.py", "stub.py is not a replay: it is not JSON"),
        ("replay out.json 1=red", "ID:COLOUR"),
        ("frobnicate", "frobnicate"),
    ],
)
def test_bad_input_gets_one_line_and_overwrites_nothing(
    arguments: str, complaint: str, bench: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bench)
    (bench / "full").mkdir()
    (bench / "full" / "letter.txt").write_text("dear")
    before = sorted(bench.rglob("*"))
    assert cli.run(arguments.split()) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1, said
    assert said.startswith("game17: ")
    assert complaint in said
    assert sorted(bench.rglob("*")) == before
    assert (bench / "full" / "letter.txt").read_text() == "dear"


def test_bad_input_is_exit_code_2(bench: Path) -> None:
    done = run(bench, "rank", "nope.py", "out")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "game17: there is no bot file 'nope.py'\n")


def test_nothing_is_left_running(bench: Path) -> None:
    """Killed in the middle, the command takes its bots along."""
    (bench / "marked_bot.py").write_text("import time\ndef make_moves(*_):\n    time.sleep(100)")
    command = [*GAME17, "rank", "marked_bot.py", "-g", "50", "out"]
    process = subprocess.Popen(command, cwd=bench, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (bench / "players.txt").touch()
    for _ in range(200):
        if (bench / "out" / "players_that_failed_on_import.txt").exists():
            break
        time.sleep(0.1)
    time.sleep(0.5)
    process.kill()
    process.wait()
    for _ in range(100):
        left = [path for path in Path("/proc").glob("[0-9]*/cwd") if _points_to(path, bench)]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"still running: {left}")


def _points_to(link: Path, folder: Path) -> bool:
    try:
        return link.readlink() == folder
    except OSError:
        return False
