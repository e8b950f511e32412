"""Bots in any language: programs that speak JSON lines."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import parlour
from parlour.bots import Decision, TimeLimit, make_bot
from parlour.bots.box import BadBot, BotFault, BotLimits, BoxedBot, command
from parlour.engine import registry
from parlour.engine.chance import Chance

GAME = registry.get("goose")
MIB = 1 << 20

SPEAKER = """
import json, os, subprocess, sys, time

def say(**words):
    print(json.dumps(words), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    print(line.strip(), file=sys.stderr, flush=True)
    if message["type"] == "hello":
        {hello}
    elif message["type"] == "ask":
        {ask}
"""
HELLO, ASK = "say(protocol=1)", "say(ask=message['ask'], action=message['legal'][0])"

Make = Callable[..., BoxedBot]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes programs; afterwards nothing of them may be left, and no process in their folders."""
    made: list[BoxedBot] = []
    temp = tmp_path / "temp"
    temp.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temp))

    def program(hello: str = HELLO, ask: str = ASK, limits: BotLimits | None = None, flag: str = "") -> BoxedBot:
        folder = tmp_path / f"program {len(made)}"
        folder.mkdir()
        file = folder / "speaker.py"
        file.write_text(SPEAKER.format(hello=hello, ask=ask.replace("\n", "\n        ")))
        line = shlex.join([sys.executable, str(file), *shlex.split(flag)])
        made.append(BoxedBot(GAME, command(line), limits or BotLimits(seconds=2, bank=0)))
        return made[-1]

    yield program
    for bot in made:
        bot.close()
    assert not list(temp.iterdir())
    left = [cwd for cwd in map(working_folder, Path("/proc").glob("[0-9]*")) if cwd.startswith(f"{temp}/parlour-bot-")]
    assert not left, "a process was left behind"


def working_folder(process: Path) -> str:
    try:
        return str((process / "cwd").readlink())
    except OSError:
        return ""


def decision(plies: int = 0, clock: TimeLimit | None = None) -> Decision:
    match = parlour.new(GAME, seats=3, seed=5, maze=30)
    for _ in range(plies):
        match.play(match.legal()[0])
    return Decision(GAME, match.state.copy(), match.legal(), Chance([1, 2, 3, 4]), clock or TimeLimit(), match.actions)


def fault(bot: BoxedBot) -> BotFault:
    with pytest.raises(BotFault) as caught:
        bot.choose(decision())
    return caught.value


def heard(bot: BoxedBot) -> list[dict[str, object]]:
    return [json.loads(line) for line in bot.stderr.splitlines()]


def test_the_conversation_is_as_documented(make: Make) -> None:
    bot = make()
    asked = decision(plies=2, clock=TimeLimit(1.5, 2.0))
    assert bot.choose(asked) == asked.legal[0]
    assert bot.choose(decision(plies=5)) == asked.legal[0]
    hello, match, first, second = heard(bot)
    assert hello == {"type": "hello", "protocol": 1, "game": "goose"}
    options = {option.name: getattr(asked.state, option.name) for option in GAME.options}
    assert options["maze"] == 30
    seed = match.pop("seed")
    assert match == {"type": "match", "game": "goose", "options": options, "seats": 3, "seat": asked.seat}
    assert isinstance(seed, int)
    assert 0 <= seed < 2**53
    assert first["state"] == {name: getattr(asked.state, name) for name in asked.state.layout.fields}
    assert first["legal"] == asked.legal
    assert first["texts"] == [asked.text(action) for action in asked.legal]
    assert first["clock"] == {"seconds": 1.5, "bank": 2.0}
    assert (first["ask"], second["ask"]) == (1, 2)
    assert (first["kept"], first["played"]) == (0, asked.actions)
    assert (second["kept"], second["played"]) == (2, decision(plies=5).actions[2:])
    assert len(first["chance"]) == 4  # type: ignore[arg-type]
    documented = (Path(__file__).parents[3] / "docs" / "bots.md").read_text("utf-8")
    for field in first:
        assert f"`{field}`" in documented or field == "type", f"{field} is not documented"
    assert json.dumps(hello).replace("goose", "choccer") in documented


@pytest.mark.parametrize(
    "answer",
    [
        "say(text=message['texts'][0])",
        "say(action=message['legal'][0])",
        "say(ask=message['ask'], text=message['texts'][0].upper())",
        "say(ask=message['ask'] - 1, action=-5)\nsay(ask=message['ask'], action=message['legal'][0])",
    ],
)
def test_ways_to_answer(make: Make, answer: str) -> None:
    assert make(ask=answer).choose(decision()) == decision().legal[0]


def test_words_of_the_command_reach_the_program(make: Make) -> None:
    bot = make(
        hello="say(protocol=1) if sys.argv[1:] == ['--level', 'two words'] else None", flag="--level 'two words'"
    )
    assert bot.choose(decision()) == decision().legal[0]


@pytest.mark.parametrize(
    ("hello", "told"),
    [
        ("say(protocol=2)", "protocol 2"),
        ("say()", "protocol None"),
        ("say(protocol=1, game='chess')", "it is a bot for chess, not for goose"),
    ],
)
def test_a_program_that_cannot_be_used_is_refused(make: Make, hello: str, told: str) -> None:
    with pytest.raises(BadBot, match=told):
        make(hello=hello).start()


@pytest.mark.parametrize(
    ("ask", "status"),
    [
        ("print('thinking...', flush=True)", "illegal"),
        ("say(action=99)", "illegal"),
        ("say(action=1e300)", "illegal"),
        ("say(text=['roll'])", "illegal"),
        ("print('{\"action\": Infinity}', flush=True)", "illegal"),
        ("pass", "timeout"),
        ("os.close(1); time.sleep(60)", "crashed"),
        ("sys.exit(0)", "crashed"),
        ("os.kill(os.getpid(), 11)", "crashed"),
        ("while True: print('x' * 100, end='')", "output"),
        ("while True: say(ask=0)", "output"),
        ("while True: sys.stderr.write('x' * 100)", "output"),
    ],
)
def test_faults_have_the_same_names(make: Make, ask: str, status: str) -> None:
    seconds = 20 if status == "output" else 2  # a flood takes its time where the machine is busy
    assert fault(make(ask=ask, limits=BotLimits(seconds=seconds, bank=0))).status == status


@pytest.mark.parametrize(
    "line", ["", "  ", "'unclosed", "./no/such/program", str(Path(__file__).parent), str(Path(__file__))]
)
def test_commands_that_cannot_be_run_are_one_line(line: str) -> None:
    with pytest.raises(BadBot) as caught:
        make_bot(GAME, f"process:{line}")
    assert "\n" not in str(caught.value)


def test_a_program_may_be_a_script(tmp_path: Path) -> None:
    """A bot need not know JSON well: this one is seven lines of shell."""
    script = tmp_path / "bot"
    script.write_text(
        textwrap.dedent("""\
            #!/bin/sh
            while read -r line; do
                case "$line" in
                    *'"type":"hello"'*) echo '{"protocol": 1}' ;;
                    *'"type":"ask"'*) legal=${line#*'"legal":['}; echo "{\\"action\\": ${legal%%[],]*}}" ;;
                esac
            done
        """)
    )
    script.chmod(0o755)
    with BoxedBot(GAME, command(str(script))) as bot:
        assert bot.choose(decision()) == decision().legal[0]
