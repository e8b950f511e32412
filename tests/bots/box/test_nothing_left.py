"""When a bot ends, nothing is left of it; when its caller ends, however that happens, the bot ends."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from boxes import GAME, Make, MakeProgram, decision, fault, running
from parlour.bots.box import BoxedBot, bot_file
from parlour.bots.box.process.forkserver import fork_server

SIMPLE = "def choose(decision): return decision.legal[0]"


def test_close_ends_it_at_once_and_twice_is_fine(make: Make, temp: Path) -> None:
    bot = make(f"import signal\nsignal.signal(15, signal.SIG_IGN)\n{SIMPLE}")
    bot.choose(decision())
    assert len(running(temp)) == 1
    bot.close()
    assert not running(temp)
    bot.close()


def test_a_bot_that_is_forgotten_is_ended(temp: Path, tmp_path: Path) -> None:
    path = tmp_path / "forgotten.py"
    path.write_text(SIMPLE)
    bot = BoxedBot(GAME, bot_file(str(path)))
    bot.start()
    assert running(temp)
    del bot
    gc.collect()
    assert not running(temp)
    assert not list(temp.iterdir())


@pytest.mark.parametrize("without", [(), ("seccomp", "mounts")], ids=str)
def test_a_folder_made_hard_to_remove_is_removed(make: Make, without: tuple[str, ...]) -> None:
    bot = make(
        """
        import contextlib, os
        def choose(decision):
            os.makedirs("a/b")
            with contextlib.suppress(PermissionError): os.chmod("a", 0)
            for n in range(200):
                os.mkdir("d"); os.chdir("d")
            return decision.legal[0]
        """,
        without=without,
    )
    bot.choose(decision())


def test_what_a_program_leaves_running_ends_with_it(program: MakeProgram) -> None:
    """The fixture looks for processes in the folder afterwards: a child in a session of its own is one."""
    start = "subprocess.Popen(['sleep', '600'], start_new_session=True, stdout=2)"
    bot = program(f"{start}\n{program.answer}")
    assert bot.choose(decision()) == decision().legal[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGKILL])
def test_a_program_that_signals_all_it_can_harms_only_itself(program: MakeProgram, number: int) -> None:
    bot = program(f"os.kill(-1, {number}); os.kill(1, {number})\n{program.answer}")
    with contextlib.suppress(Exception):
        bot.choose(decision())
    assert fork_server().pid
    assert program(program.answer).choose(decision()) == decision().legal[0]


CALLER = """
import os, sys, time
from parlour.bots import make_bot
from parlour.bots.box.process.forkserver import fork_server
from parlour.engine import registry
bot = make_bot(registry.get("choccer"), "file:" + sys.argv[1])
bot.start()
print(fork_server().pid, flush=True)
{end}
"""
ENDINGS = {
    "killed": "time.sleep(60)",
    "killed-while-a-child-of-it-goes-on": "os.fork(); time.sleep(60)",
    "exits": "sys.exit(0)",
    "fails": "raise SystemExit(1)",
    "ends-without-a-word": "os._exit(0)",
}


def test_when_callers_go_their_bots_and_helpers_go_too(temp: Path, tmp_path: Path) -> None:
    """Callers of each kind, all at the same time."""
    file = tmp_path / "stays.py"
    file.write_text(SIMPLE)
    with contextlib.ExitStack() as stack:
        callers = {how: stack.enter_context(_caller(how, file, temp)) for how in ENDINGS}
        servers = [int(caller.stdout.readline()) for caller in callers.values() if caller.stdout is not None]
        for how, caller in callers.items():
            if "killed" in how:
                assert running(temp / how)
                caller.send_signal(signal.SIGKILL)
            caller.wait()
        folders = [temp / how for how in ENDINGS]
        until(lambda: not any(running(folder) or any(folder.iterdir()) for folder in folders))
        until(lambda: not any(map(is_alive, servers)))
        for caller in callers.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(caller.pid, signal.SIGKILL)  # the child that went on
        for folder in folders:
            folder.rmdir()


def _caller(how: str, file: Path, temp: Path) -> subprocess.Popen[str]:
    (temp / how).mkdir()
    return subprocess.Popen(
        [sys.executable, "-c", CALLER.format(end=ENDINGS[how]), str(file)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(temp / how)},
        start_new_session=True,
    )


def until(holds: Callable[[], bool]) -> None:
    for _ in range(200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen in ten seconds")


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_a_killed_supervisor_takes_its_bot_along(make: Make, temp: Path) -> None:
    bot = make("import time\ndef choose(decision): time.sleep(60)")
    bot.start()
    (inside,) = running(temp)
    supervisor = inside
    while Path(f"/proc/{supervisor}/comm").read_text() != "parlour-super\n":
        supervisor = parent_of(supervisor)
    os.kill(supervisor, signal.SIGKILL)
    wrong = fault(bot)
    assert wrong.status == "crashed"
    until(lambda: not is_alive(inside))


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_the_fork_server_is_started_again_when_it_was_killed(make: Make) -> None:
    earlier = make(SIMPLE)
    earlier.start()
    killed = fork_server().pid
    os.kill(killed, signal.SIGKILL)
    assert make(SIMPLE).choose(decision()) == decision().legal[0]
    assert earlier.choose(decision()) == decision().legal[0], "bots that run do not need it"
    assert fork_server().pid != killed


def test_a_forked_process_uses_the_same_fork_server(make: Make) -> None:
    bot = make(SIMPLE)
    bot.start()
    server = fork_server().pid
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with BoxedBot(GAME, bot.source) as own:
                code = 0 if own.choose(decision()) == decision().legal[0] and fork_server().pid == server else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert bot.choose(decision()) == decision().legal[0]
