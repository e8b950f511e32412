"""The sandbox around a bot, and that nothing is left of it when it ends."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from boxes import GAME, Make, decision, fault, running
from parlour.bots.box import BotLimits, BoxedBot, bot_file, protection
from parlour.bots.box.sandbox import LANDLOCK, NAMESPACE, SECCOMP

# Deeds that would do no harm if they succeeded: signal 0 only asks whether a signal could be sent.
OUT_OF_REACH = {
    "reading the system's users": "open('/etc/passwd').read()",
    "listing the home folder": "os.listdir(os.path.expanduser('~root'))",
    "listing the root": "os.listdir('/')",
    "reading tests": f"open({str(Path(__file__))!r}).read()",
    "reading other bots": f"os.listdir({tempfile.gettempdir()!r})",
    "reading other processes": "open('/proc/1/environ').read()",
    "writing outside": f"open({tempfile.gettempdir() + '/parlour-escape'!r}, 'w')",
    "writing to Python": "open(os.__file__, 'a')",
    "removing a folder": "os.rmdir(VICTIM)",
    "TCP": "socket.create_connection(('127.0.0.1', PORT), 1)",
    "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "a Unix socket": "socket.socket(socket.AF_UNIX)",
    "fork": "os.fork()",
    "a command": "subprocess.run(['/bin/true'])",
    "os.system": "os.posix_spawn('/bin/true', ['true'], {})",
    "killing its parent": "os.kill(os.getppid(), 0)",
    "killing the caller": "os.kill(CALLER, 0)",
    "killing everybody": "os.kill(-1, 0)",
    "mounting": "check(libc.mount(b'none', b'.', b'tmpfs', 0, None))",
    "tracing": "check(libc.ptrace(0x4206, CALLER, 0, 0))",
    "a namespace": "check(libc.unshare(0x10000000))",
    "memory that is not counted": "os.memfd_create('x')",
    "becoming root": "check(libc.chroot(b'/'))",
    "other processes' limits": "resource.prlimit(CALLER, resource.RLIMIT_NOFILE)",
    "raising its limits": "resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)",
}


def test_what_is_out_of_reach(make: Make, tmp_path: Path) -> None:
    """One bot tries them all, so that the list may be long."""
    if protection().level != "full":
        pytest.skip(f"this system offers {protection()}; the docs say what that means")
    (tmp_path / "victim").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        tries = "".join(f"    attempt({what!r}, lambda: {deed})\n" for what, deed in OUT_OF_REACH.items())
        bot = make(f"""
import ctypes, os, resource, socket, subprocess
CALLER, PORT, VICTIM = {os.getpid()}, {server.getsockname()[1]}, {str(tmp_path / "victim")!r}
libc = ctypes.CDLL(None, use_errno=True)

def check(result):
    if result < 0: raise OSError(ctypes.get_errno())

def attempt(what, deed):
    try: deed()
    except (OSError, ValueError): print("refused:", what)
    else: print("DONE:", what)

def choose(decision):
{tries}
    return decision.legal[0]
""")
        bot.choose(decision())
    assert bot.stderr.splitlines() == [f"refused: {what}" for what in OUT_OF_REACH]


def test_it_has_a_folder_and_next_to_no_environment(make: Make) -> None:
    bot = make("""
        import os
        def choose(decision):
            open("notes", "w").write("mine")
            print(open("notes").read(), sorted(os.environ), os.listdir(), os.getcwd() == os.environ["HOME"])
            return decision.legal[0]
    """)
    os.environ["A_SECRET"] = "swordfish"
    try:
        bot.choose(decision())
    finally:
        del os.environ["A_SECRET"]
    assert bot.stderr.startswith("mine [")
    assert "SECRET" not in bot.stderr
    assert "['notes'] True" in bot.stderr


THREADS = """
        import threading, time
        def choose(decision):
            threading.stack_size(65536)
            while True: threading.Thread(target=time.sleep, args=(60,)).start()
"""


def test_a_bomb_of_threads_is_ended(make: Make) -> None:
    wrong = fault(make(THREADS, BotLimits(seconds=20)))
    assert wrong.status == "crashed"
    assert "more than 32 threads" in wrong.detail or "can't start new thread" in wrong.detail


FORKS = """
        import os
        def choose(decision):
            for _ in range(12): os.fork()  # 4096 of them, if nobody ends it
            while True: pass
"""


@pytest.mark.parametrize("without", [(SECCOMP,), (SECCOMP, NAMESPACE), (SECCOMP, NAMESPACE, LANDLOCK)], ids=str)
def test_a_fork_bomb_is_ended_even_where_forking_cannot_be_refused(make: Make, without: tuple[str, ...]) -> None:
    wrong = fault(make(FORKS, BotLimits(seconds=20), without=without))
    assert wrong.status == "crashed"
    # For an ordinary user in a namespace the system itself refuses; for root, the supervisor counts.
    assert "more than 32 threads and processes" in wrong.detail or "temporarily unavailable" in wrong.detail


def server_pid() -> int:
    from parlour.bots.box.forkserver import fork_server

    return fork_server()._process.pid


def test_without_any_layer_the_statuses_are_the_same(make: Make) -> None:
    """Crash-only protection still is protection from crashes."""
    bare = {"without": (NAMESPACE, "capabilities", LANDLOCK, SECCOMP)}
    assert make("def choose(decision): return decision.legal[0]", **bare).protection.level == "crash-only"
    for deed, status in {
        "import os; os._exit(1)": "crashed",
        "import os, time; os.kill(os.getppid(), 9); time.sleep(60)": "crashed",
        "import ctypes; ctypes.string_at(0)": "crashed",
        "return bytearray(1 << 40)": "memory",
        "return -1": "illegal",
        "while True: pass": "timeout",
        "while True: print('x' * 1000)": "output",
    }.items():
        assert fault(make(f"def choose(decision):\n    {deed}", **bare)).status == status, deed


# Nothing is left.


def test_close_ends_it_at_once_and_twice_is_fine(make: Make, temp: Path) -> None:
    bot = make("import signal\nsignal.signal(15, signal.SIG_IGN)\ndef choose(decision): return decision.legal[0]")
    bot.choose(decision())
    assert len(running(temp)) == 1
    bot.close()
    assert not running(temp)
    bot.close()


def test_a_bot_that_is_forgotten_is_ended(temp: Path, tmp_path: Path) -> None:
    path = tmp_path / "forgotten.py"
    path.write_text("def choose(decision): return decision.legal[0]")
    bot = BoxedBot(GAME, bot_file(str(path)))
    bot.start()
    assert running(temp)
    del bot
    gc.collect()
    assert not running(temp)
    assert not list(temp.iterdir())


def test_a_folder_made_hard_to_remove_is_removed(make: Make) -> None:
    bot = make("""
        import os
        def choose(decision):
            os.makedirs("a/b"); os.chmod("a", 0)
            for n in range(200):
                os.mkdir("d"); os.chdir("d")
            return decision.legal[0]
    """)
    bot.choose(decision())


CALLER = """
import sys, time
from parlour.bots import make_bot
from parlour.engine import registry
bot = make_bot(registry.get("choccer"), "file:" + sys.argv[1])
bot.start()
print(*__import__("os").listdir(__import__("tempfile").gettempdir()), flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["time.sleep(60)", "sys.exit(0)", "raise SystemExit(1)", "__import__('os')._exit(0)"])
def test_when_the_caller_goes_its_bots_go_too(temp: Path, tmp_path: Path, end: str) -> None:
    """Killed with -9, or ending without a word: no process and no folder stays."""
    file = tmp_path / "stays.py"
    file.write_text("def choose(decision): return decision.legal[0]")
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER.format(end=end), str(file)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(temp)},
        start_new_session=True,
    )
    with caller:
        assert caller.stdout is not None
        assert "parlour-bot-" in caller.stdout.readline()
        if "sleep" in end:
            assert running(temp)
            caller.send_signal(signal.SIGKILL)
        caller.wait()
    until(lambda: not any(temp.iterdir()) and not running(temp))


def until(holds: Callable[[], bool]) -> None:
    for _ in range(200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen in ten seconds")


def test_the_warm_parent_is_started_again_when_it_was_killed(make: Make) -> None:
    source = "def choose(decision): return decision.legal[0]"
    earlier = make(source)
    earlier.start()
    killed = server_pid()
    os.kill(killed, signal.SIGKILL)
    assert make(source).choose(decision()) == decision().legal[0]
    assert earlier.choose(decision()) == decision().legal[0], "bots that run do not need it"
    assert server_pid() != killed
