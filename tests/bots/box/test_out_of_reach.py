"""Whatever ``protection`` promises is refused, to a bot file and to a program. A bot tries it all."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from box_deeds import DEEDS, PREAMBLE
from boxes import GAME, Make, decision
from parlour.bots.box import BotLimits, BoxedBot, command
from parlour.bots.box.sandbox.selftest import NEW
from parlour.engine.compiled import cache

LIMITS = BotLimits(seconds=30)
_KEY = 0x70000000 + os.getpid()  # several runs of these tests may go on at once


@pytest.fixture
def facts(tmp_path: Path) -> Iterator[dict[str, object]]:
    """Things outside that a bot could spoil. None of them may have changed afterwards."""
    folder = tmp_path / "home"
    (folder / "empty").mkdir(parents=True)
    victim = folder / "victim"
    victim.write_text("precious")
    victim.chmod(0o600)
    (folder / "link").symlink_to(victim)
    with contextlib.suppress(OSError):
        os.setxattr(victim, "user.kept", b"1")
    before = victim.stat()
    with socket.create_server(("127.0.0.1", 0)) as server, _shared_memory() as segment, _abstract() as abstract:
        yield {
            "CALLER": os.getpid(),
            "PORT": server.getsockname()[1],
            "VICTIM": str(victim),
            "FOLDER": str(folder),
            "EMPTY": str(folder / "empty"),
            "LINK": str(folder / "link"),
            "KEY": _KEY,
            "SEGMENT": segment,
            "ABSTRACT": "\0" + abstract,
        }
    assert victim.stat() == before
    assert victim.read_text() == "precious"
    assert {path.name for path in folder.iterdir()} == {"empty", "link", "victim"}


@contextlib.contextmanager
def _shared_memory() -> Iterator[int]:
    """A segment of this process's, which a bot of the same user could otherwise reach."""
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(_KEY, 4096, 0o1600)
    assert segment >= 0, os.strerror(ctypes.get_errno())
    try:
        yield segment
    finally:
        assert libc.shmctl(segment, 0, None) == 0, "a bot has removed it"


@contextlib.contextmanager
def _abstract() -> Iterator[str]:
    """A socket without a file, which anybody on the machine could otherwise send to."""
    name = f"parlour-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        yield name


def _tries(facts: dict[str, object], deeds: dict[str, str], indent: str) -> str:
    given = "".join(f"{name} = {value!r}\n" for name, value in facts.items())
    tries = "".join(f"{indent}attempt({what!r}, lambda: {deed})\n" for what, deed in deeds.items())
    return f"{PREAMBLE}\n{given}\n@@\n".replace("@@", "def all_of_them():\n" + tries)


def test_a_bot_file_breaks_no_promise(make: Make, facts: dict[str, object]) -> None:
    idle = make("def choose(decision): return decision.legal[0]")
    promised = [name for name, (holds, _) in idle.protection.items.items() if holds]
    deeds = {what: deed for promise in promised for what, deed in DEEDS.get(promise, {}).items()}
    source = _tries(facts, deeds, "    ") + "\ndef choose(decision):\n    all_of_them()\n    return decision.legal[0]\n"
    bot = make(source, LIMITS)
    bot.choose(decision())
    assert bot.stderr.splitlines() == [f"refused: {what}" for what in deeds]


PROGRAM = """
import json
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello": print('{"protocol": 1}', flush=True)
    elif message["type"] == "ask":
        all_of_them()
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""


def test_a_program_breaks_no_promise(facts: dict[str, object], tmp_path: Path, temp: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("")
    line = shlex.join([sys.executable, str(file)])
    with BoxedBot(GAME, command(line), LIMITS) as idle:
        file.write_text("import time\nprint('{\"protocol\": 1}', flush=True)\ntime.sleep(60)")
        promised = [name for name, (holds, _) in idle.protection.items.items() if holds and name != NEW]
    deeds = {what: deed for promise in promised for what, deed in DEEDS.get(promise, {}).items()}
    file.write_text(_tries(facts, deeds, "    ") + PROGRAM)
    with BoxedBot(GAME, command(line), LIMITS) as bot:
        bot.choose(decision())
        assert bot.stderr.splitlines() == [f"refused: {what}" for what in deeds]


LOCKING = """
import fcntl, os
from parlour.bots.box.compile_cache import compiled_folder

held = []

def choose(decision):
    for folder, _, names in os.walk(compiled_folder(decision.game.name)):
        for name in [name for name in names if "make_way" in name]:
            held.append(open(os.path.join(folder, name)))
            fcntl.lockf(held[-1], fcntl.LOCK_SH | fcntl.LOCK_NB)
    return decision.legal[0]
"""


def test_a_bot_holds_up_nobody_who_compiles(make: Make) -> None:
    """Whoever can read a file can lock it, for as long as they live."""
    with cache.alone(cache.home(GAME), "tests.make_way"):
        pass
    with make(LOCKING) as bot:
        bot.choose(decision())
        code = "from parlour.engine import registry; from parlour.engine.compiled import cache\n"
        code += f"with cache.alone(cache.home(registry.get({GAME.name!r})), 'tests.make_way'): pass"
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
