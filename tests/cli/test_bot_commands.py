"""``new-bot``, ``check-bot``, and bots of one's own at the table, run as a person runs them."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

import commands
from parlour.bots import roster, warmth
from parlour.bots.simple import Random
from parlour.cli.warm import warm
from parlour.engine import registry, replay
from parlour.engine.game import Game
from parlour.games.mazerunner.state.decks import items, monsters
from serving import until


def run(folder: Path, *arguments: str, typed: str = "") -> commands.Done:
    return commands.run(*arguments, typed=typed, cwd=folder)


def refused(folder: Path, *arguments: str) -> str:
    return commands.refused(*arguments, cwd=folder)


@pytest.mark.parametrize("game", registry.names())
def test_a_new_bot_plays_legally_out_of_the_box(game: str, tmp_path: Path) -> None:
    made = run(tmp_path, "new-bot", game)
    assert made.returncode == 0, made.stderr
    assert f"parlour check-bot {game}_bot.py" in made.stdout
    short = ("--set", "rounds=5") if game == "game17" else ()  # thousands of actions are for one test alone
    checked = run(tmp_path, "check-bot", f"{game}_bot.py", "--matches", "1", *short)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "illegal 0, timeout 0, crashed 0, memory 0, output 0" in checked.stdout
    assert "Nothing is wrong." in checked.stdout


def test_new_bot_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("precious")
    assert "mine.py exists already" in refused(tmp_path, "new-bot", "goose", "mine.py")
    assert (tmp_path / "mine.py").read_text() == "precious"
    assert "does not exist" in refused(tmp_path, "new-bot", "goose", "no/such/folder/bot.py")
    assert "did you mean 'choccer'" in refused(tmp_path, "new-bot", "chocer")


def test_a_new_bot_with_an_odd_name_works(tmp_path: Path) -> None:
    name = '''my "bot" \\ of """ quotes.py'''
    assert run(tmp_path, "new-bot", "goose", name).returncode == 0
    assert run(tmp_path, "check-bot", name, "--matches", "1").returncode == 0


def test_check_bot_says_what_is_wrong_and_where(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "GAME = 'choccer'\n"
        "def choose(decision):\n"
        "    print('I have seen', len(decision.actions))\n"
        "    if len(decision.actions) == 7: raise ValueError('lost')\n"
        "    return -1 if len(decision.actions) == 5 else decision.legal[0]\n"
    )
    done = run(tmp_path, "check-bot", "bad.py", "--matches", "2")
    assert done.returncode == 1, done.stderr
    assert "ok 8, illegal 2, timeout 0, crashed 2, memory 0, output 0" in done.stdout
    assert "match 1, ply 5, " in done.stdout
    assert "crashed: ValueError: lost (bad.py, line 4)" in done.stdout
    assert "I have seen 7" in done.stdout
    assert "Something is wrong." in done.stdout
    told = json.loads(run(tmp_path, "check-bot", "bad.py", "--matches", "1", "--json").stdout)
    assert (told["behaves"], told["statuses"]["illegal"], told["game"]) == (False, 1, "choccer")


def test_check_bot_refuses_what_it_cannot_use(tmp_path: Path) -> None:
    (tmp_path / "nothing.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("GAME = 'goose'\nimport no_such_module\n")
    (tmp_path / "goose.py").write_text("GAME = 'goose'\ndef choose(decision): return decision.legal[0]\n")
    (tmp_path / "unknown.py").write_text("GAME = 'gose'\ndef choose(decision): return decision.legal[0]\n")
    assert "no bot file" in refused(tmp_path, "check-bot", "missing.py")
    assert "which game" in refused(tmp_path, "check-bot", "nothing.py")
    assert "neither a function choose" in refused(tmp_path, "check-bot", "nothing.py", "--game", "goose")
    assert "ModuleNotFoundError" in refused(tmp_path, "check-bot", "broken.py")
    assert "for goose, not for choccer" in refused(tmp_path, "check-bot", "goose.py", "--game", "choccer")
    assert "did you mean 'goose'" in refused(tmp_path, "check-bot", "unknown.py")
    assert "--matches" in refused(tmp_path, "check-bot", "goose.py", "--matches", "0")


def test_check_bot_stops_when_a_bot_never_answers(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text("GAME = 'choccer'\ndef choose(decision):\n    while True: pass\n")
    done = run(tmp_path, "check-bot", "mute.py", "--matches", "1000", "--seconds", "0.2", "--bank", "0.3")
    assert done.returncode == 1
    assert "ok 0, illegal 0, timeout 1," in done.stdout
    assert "does not answer within 0.2 s an action, and a bank of 0.3 s" in done.stdout


def test_and_when_it_answers_no_more(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(
        "GAME = 'choccer'\n"
        "def choose(decision):\n    while len(decision.actions) > 2: pass\n    return decision.legal[0]\n"
    )
    done = run(tmp_path, "check-bot", "mute.py", "--seconds", "0.1", "--bank", "0")
    assert "ok 3, illegal 0, timeout 5," in done.stdout


def test_check_bot_sets_limits(tmp_path: Path) -> None:
    (tmp_path / "big.py").write_text("GAME = 'goose'\nx = bytearray(200 << 20)\ndef choose(decision): return 0\n")
    assert "memory" in refused(tmp_path, "check-bot", "big.py", "--memory", "100")
    assert "--memory takes a number from 1" in refused(tmp_path, "check-bot", "big.py", "--memory", "0")


@pytest.mark.parametrize("game", registry.names())
def test_a_new_bot_is_told_every_field_of_the_state(game: str, tmp_path: Path) -> None:
    run(tmp_path, "new-bot", game, "mine.py")
    text = (tmp_path / "mine.py").read_text("utf-8")
    for name, field in registry.get(game).layout.fields.items():
        size = "" if field.length is None else re.escape(f"[{field.length}]")
        assert re.search(rf"^#   {name} +i{field.bits}{size}( |$)", text, re.MULTILINE), name
    assert re.search(r"^#   to_move +i64 +whose choice it is$", text, re.MULTILINE)


def test_a_new_bot_is_told_what_fields_mean(tmp_path: Path) -> None:
    run(tmp_path, "new-bot", "goose", "mine.py")
    text = (tmp_path / "mine.py").read_text("utf-8")
    assert re.search(r"position +i8\[4\] +the space of each piece: 0 is the start, 63 the end", text)
    assert re.search(r"maze +i\d+ +the option: ", text)


def test_a_bot_file_at_the_table(tmp_path: Path) -> None:
    run(tmp_path, "new-bot", "choccer", "mine.py")
    seats = ("--seat", "random", "--seat", "file:mine.py")
    done = run(tmp_path, "play", "choccer", *seats, "--seed", "1", "--save", "match.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("protection") == 1
    again = run(tmp_path, "play", "choccer", *seats, "--seed", "1")
    assert again.stdout.splitlines()[-1] in done.stdout, "the same seed is the same match, bots included"
    assert replay.load(tmp_path / "match.json").over


def test_faults_at_the_table_are_told_and_the_match_goes_on(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "def choose(decision):\n"
        "    if len(decision.actions) > 2: raise SystemExit\n"
        "    print('\\033[31mwatch out')\n"
        "    return 'nonsense'\n"
    )
    done = run(tmp_path, "play", "choccer", "--seat", "file:bad.py", "--seat", "random", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "has lost the turn, and a random action is played: illegal: 'nonsense' is not a legal action" in done.stdout
    assert done.stdout.count("has lost the match, and plays at random from here: crashed: SystemExit") == 1
    assert "lost the match through a fault, and cannot win it" in done.stdout
    assert "watch out" in done.stdout
    assert "\033[31m" not in done.stdout


def test_a_bot_that_cannot_play_opens_no_table(tmp_path: Path) -> None:
    run(tmp_path, "new-bot", "goose", "goose.py")
    for who in ("file:goose.py", "file:missing.py", "file:", "process:", "process:no-such-program", "process:true"):
        refused(tmp_path, "play", "choccer", "--seat", who, "--seat", "random", "--save", "match.json")
    assert not (tmp_path / "match.json").exists()


def test_warm_has_one_bot_of_every_kind_choose_and_none_think_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path))
    made = list[str]()

    def make_bot(_: Game, name: str) -> Random:
        made.append(name)
        return Random()

    monkeypatch.setattr(roster, "make_bot", make_bot)
    monkeypatch.setattr(roster, "hint", lambda *_: None)
    for _ in range(2):
        warm(["game17", "mazerunner"], as_json=False)
        assert [name for name in made if name.startswith("mcts")] == ["mcts:1p"] * 2, "once is enough"
    for game in map(registry.get, ("game17", "mazerunner")):
        others = {name for name in roster.names(game) if not name.startswith("mcts")}
        assert {name for name in others if not warmth.needs_nothing(game, name)} <= set(made)
        assert all(warmth.is_ready(game, name) for name in roster.names(game)), "a server need not do it again"


def test_check_bot_takes_seats_and_options(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "def choose(decision):\n"
        "    print(decision.state.seats, decision.state.maze, decision.seat)\n"
        "    return decision.legal[0]\n"
    )
    command = ("check-bot", "bot.py", "--game", "goose", "--matches", "1")
    done = run(tmp_path, *command, "--seats", "3", "--set", "maze=30")
    assert done.returncode == 0, done.stdout
    assert "3 30 0" in done.stdout
    assert "takes 2 to 4 seats, not 5" in refused(tmp_path, *command, "--seats", "5")
    assert "option maze is 39 or 30" in refused(tmp_path, *command, "--set", "maze=7")
    assert "no option" in refused(tmp_path, *command, "--set", "nonsense=7")


def test_check_bot_plays_to_the_end(tmp_path: Path) -> None:
    """Also a match of some thousand actions: a bot that fails late in it is found."""
    (tmp_path / "late.py").write_text(
        "GAME = 'game17'\n"
        "def choose(decision):\n"
        "    if decision.state.ply == 2500: raise ValueError('late')\n"
        "    return decision.legal[7919 * decision.state.ply % len(decision.legal)]\n"
    )
    told = json.loads(run(tmp_path, "check-bot", "late.py", "--matches", "1", "--json").stdout)
    assert (told["matches"], told["finished"]) == (1, 0)
    assert told["statuses"]["ok"] == 2500
    assert told["cuts"] == ["match 1, ply 2500: lost by its fault (crashed)"]


def test_check_bot_says_which_matches_were_cut_short(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "GAME = 'choccer'\ndef choose(decision):\n    return 1 // (len(decision.actions) < 9) and decision.legal[0]\n"
    )
    done = run(tmp_path, "check-bot", "bad.py", "--matches", "5")
    assert done.returncode == 1
    assert "5 matches against itself, 0 played to the end" in done.stdout
    assert done.stdout.count("cut short  match") == 3
    assert "cut short  2 more" in done.stdout
    assert "cut short  match 1, ply 9: lost by its fault (crashed)" in done.stdout
    good = run(tmp_path, "new-bot", "choccer", "good.py") and run(tmp_path, "check-bot", "good.py")
    assert "3 matches against itself, all played to the end" in good.stdout


def test_check_bot_tries_other_positions_in_every_match(tmp_path: Path) -> None:
    """Without dice a bot that always chooses the same would play one match three times."""
    (tmp_path / "first.py").write_text(
        "GAME = 'choccer'\n"
        "def choose(decision):\n"
        "    if len(decision.actions) < 2: print('begins', list(decision.state.board))\n"
        "    return -1 if len(decision.actions) == 4 else decision.legal[0]\n"
    )
    told = json.loads(run(tmp_path, "check-bot", "first.py", "--json").stdout)
    assert [fault.partition(",")[0] for fault in told["faults"]] == ["match 1", "match 2", "match 3"]
    assert told["statuses"]["ok"] + told["statuses"]["illegal"] == 300 - 2 * 4


def test_check_bot_says_what_it_found_when_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "GAME = 'choccer'\nimport time\ndef choose(decision):\n    time.sleep(0.2)\n    return decision.legal[0]\n"
    )
    line = [*commands.PARLOUR, "check-bot", "slow.py", "--matches", "100"]
    process = subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until(lambda: process.poll() is not None or _has_a_bot(process.pid))
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert re.search(r"cut short  match 1, ply \d+: interrupted", said)
    assert "Nothing is wrong so far." in said


def _has_a_bot(pid: int) -> bool:
    """Whether the process has started the one that bots come from, and that one a bot."""
    return any(children(child) for child in children(pid))


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


@pytest.mark.parametrize("game", registry.names())
def test_what_a_new_bot_names_is_there(game: str, tmp_path: Path) -> None:
    """Files and modules in its hints, and the commands at its beginning."""
    assert run(tmp_path, "new-bot", game, "my bot.py").returncode == 0
    text = (tmp_path / "my bot.py").read_text()
    assert set(re.findall(r"[\w ./-]*\.py\b", text.partition("GAME")[2])) == set()
    for module in re.findall(r"\bparlour(?:\.\w+)+", text):
        importlib.import_module(module)
    shown = [shlex.split(line.partition("parlour ")[2]) for line in text.splitlines()[:6] if "parlour " in line]
    assert [line[0] for line in shown] == ["check-bot", "play", "match", "rules"]
    assert shown[0][1] == "my bot.py"
    assert all("file:my bot.py" in line for line in shown[1:3])
    if game != "game17":  # where it takes a minute
        assert run(tmp_path, *shown[2], "--seed", "1").returncode == 0


def test_a_new_bot_says_what_numbers_of_cards_stand_for(tmp_path: Path) -> None:
    assert run(tmp_path, "new-bot", "mazerunner").returncode == 0
    text = " ".join((tmp_path / "mazerunner_bot.py").read_text().replace("#", " ").split())
    for number, item in enumerate(items.ITEMS):
        assert f"{number} {item.name} ({item.help})" in text
    for number, monster in enumerate(monsters.MONSTERS):
        assert f"{number} {monster.name} (health {monster.health}, damage {monster.damage})" in text
