"""Bots in their boxes: each thing a bot can do wrong has a name, and hurts nobody else."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import parlour
from parlour.bots import Clock, Decision, make_bot
from parlour.bots.box import COST, MATCH, STATUSES, TURN, BadBot, BotFault, BoxedBot, Limits, bot_file, protection
from parlour.bots.box.walls import LANDLOCK, NAMESPACE, SECCOMP
from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.errors import ParlourError

GAME = registry.get("choccer")
QUICK = Limits(seconds=1.0, bank=0.0, start=10.0)
MIB = 1 << 20

Make = Callable[..., BoxedBot]


def decision(seed: int = 1, clock: Clock | None = None, plies: int = 0) -> Decision:
    match = parlour.new(GAME, seed=seed)
    for _ in range(plies):
        match.play(match.legal()[0])
    return Decision(GAME, match.state.copy(), match.legal(), Chance([seed, 2, 3, 4]), clock or Clock(), match.actions)


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where bots have their folders, so that their processes can be told from all others on the machine."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def make(tmp_path: Path, temp: Path) -> Iterator[Make]:
    """Makes bots from source text; afterwards they are closed, and nothing of them may be left."""
    made: list[BoxedBot] = []

    def from_text(source: str, limits: Limits = QUICK, **more: object) -> BoxedBot:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(textwrap.dedent(source), "utf-8")
        made.append(BoxedBot(GAME, bot_file(str(path)), limits, **more))  # type: ignore[arg-type]
        return made[-1]

    yield from_text
    for bot in made:
        bot.close()
    assert not list(temp.iterdir()), "a bot's folder was left behind"
    assert not running(temp), "a bot's process was left behind"
    assert not zombies()


def running(temp: Path) -> list[int]:
    """The processes anywhere on the machine that work in a bot's folder, be it removed or not."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str((process / "cwd").readlink()).startswith(f"{temp}/parlour-bot-"):
                found.append(int(process.name))
    return found


def zombies() -> list[str]:
    listed = subprocess.run(["ps", "-o", "stat=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return [line for line in listed.stdout.splitlines() if line.startswith("Z")]


def fault(bot: BoxedBot, **more: object) -> BotFault:
    with pytest.raises(BotFault) as caught:
        bot.choose(decision(**more))  # type: ignore[arg-type]
    return caught.value


def test_every_status_but_ok_has_a_cost() -> None:
    assert set(COST) == set(STATUSES) - {"ok"}
    assert {status for status, cost in COST.items() if cost == TURN} == {"illegal", "timeout"}
    assert {status for status, cost in COST.items() if cost == MATCH} == {"crashed", "memory", "output"}


# What a bot gets, and how it may answer.


def test_a_bot_sees_the_decision_as_built_in_ones_do(make: Make) -> None:
    bot = make("""
        def choose(decision):
            print(decision.game.name, decision.seat, decision.state, list(decision.legal), decision.actions)
            print(decision.text(decision.legal[0]), decision.clock.seconds, decision.clock.bank)
            after = decision.state.copy()
            decision.game.play(after, decision.legal[0], decision.chance)
            print("then", after)
            return decision.legal[-1]
    """)
    asked = decision(plies=3)
    assert bot.choose(asked) == asked.legal[-1]
    after = asked.state.copy()
    GAME.play(after, asked.legal[0], Chance([1, 2, 3, 4]))
    assert bot.stderr.splitlines() == [
        f"choccer {asked.seat} {asked.state} {asked.legal} {asked.actions}",
        f"{asked.text(asked.legal[0])} 1.0 0.0",
        f"then {after}",
    ]


@pytest.mark.parametrize(
    "answer", ["decision.legal[2]", "decision.text(decision.legal[2])", "__import__('numpy').int16(decision.legal[2])"]
)
def test_an_answer_is_a_number_or_a_text(make: Make, answer: str) -> None:
    assert make(f"def choose(decision): return {answer}").choose(decision()) == decision().legal[2]


def test_a_class_is_made_once_for_the_match_and_keeps_what_it_knows(make: Make) -> None:
    bot = make("""
        class Bot:
            def __init__(self): self.asked = 0
            def choose(self, decision):
                self.asked += 1
                return decision.legal[self.asked]
    """)
    assert [bot.choose(decision()) for _ in range(3)] == decision().legal[1:4]


def test_actions_follow_the_match_through_an_undo(make: Make) -> None:
    bot = make("""
        def choose(decision):
            print(*decision.actions)
            return decision.legal[0]
    """)
    wanted = []
    for plies in (2, 4, 1, 5):
        bot.choose(decision(plies=plies))
        wanted.append(" ".join(map(str, decision(plies=plies).actions)))
    assert bot.stderr.splitlines() == wanted


def test_the_bot_s_generator_repeats_and_is_not_the_caller_s(make: Make) -> None:
    source = """
        def choose(decision):
            print(decision.chance.lanes)
            return decision.legal[0]
    """
    one, two = make(source), make(source)
    for bot in (one, two):
        bot.choose(decision(seed=1))
        bot.choose(decision(seed=2))
    first, second = one.stderr.splitlines()
    assert one.stderr == two.stderr
    assert first != second
    assert "[1, 2, 3, 4]" not in first


def test_a_folder_is_a_bot_that_can_read_what_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "clever"
    folder.mkdir()
    (folder / "weights.txt").write_text("3")
    (folder / "helper.py").write_text(
        "from pathlib import Path\nN = int((Path(__file__).parent / 'weights.txt').read_text())\n"
    )
    (folder / "bot.py").write_text("import helper\ndef choose(decision): return decision.legal[helper.N]\n")
    with BoxedBot(GAME, bot_file(str(folder)), QUICK) as bot:
        assert bot.choose(decision()) == decision().legal[3]


@pytest.mark.parametrize("name", registry.names())
def test_a_bot_file_plays_any_game(name: str, tmp_path: Path) -> None:
    file = tmp_path / "any.py"
    file.write_text("def choose(decision): return decision.legal[decision.chance.below(len(decision.legal))]")
    match = parlour.new(name, seed=3)
    with make_bot(match.game, f"file:{file}") as bot:  # type: ignore[attr-defined]
        while not match.over and len(match.plies) < 50:
            chance = Chance.at(1, match.state.ply)
            asked = Decision(match.game, match.state.copy(), match.legal(), chance, actions=match.actions)
            match.play(bot.choose(asked))
    assert match.plies


def test_the_compiled_search_can_be_used_inside(make: Make) -> None:
    """Whatever is compiled already is lent to the bot; the rest it compiles into its own folder."""
    bot = make(
        """
        from parlour.bots.mcts import Mcts
        from parlour.engine.advice import Advice
        def choose(decision):
            return Mcts(decision.game, Advice(), playouts=50).choose(decision)
        """,
        Limits(seconds=60),
    )
    assert bot.choose(decision()) in decision().legal


# What a bot can do wrong.

ILLEGAL = {
    "None": "return None",
    "no legal action": "return 12345",
    "a bool": "return True",
    "a float": "return 1.0",
    "NaN": "return float('nan')",
    "a huge number": "return 10 ** 4000",
    "a text that is no action": "return 'checkmate'",
    "a huge text": "return 'x' * 10_000_000",
    "a list": "return [decision.legal[0]]",
    "an object whose repr fails": "return type('X', (), {'__repr__': lambda self: 1 / 0})()",
    "lines that are no JSON": "__import__('os').write(4, b'hello\\n')",
    "NaN as JSON": "__import__('os').write(4, b'{\"action\": NaN}\\n')",
    "nested JSON": "__import__('os').write(4, b'[' * 4000 + b'\\n')",
    "a number of 4000 digits": "__import__('os').write(4, b'{\"action\": ' + b'9' * 4000 + b'}\\n')",
    "a JSON list": "__import__('os').write(4, b'[1]\\n')",
    "an empty object": "__import__('os').write(4, b'{}\\n')",
    "bytes that are no text": "__import__('os').write(4, b'\\xff\\xfe\\n')",
}


@pytest.mark.parametrize("what", ILLEGAL)
def test_an_illegal_answer_costs_the_turn_and_the_bot_plays_on(make: Make, what: str) -> None:
    bot = make(f"""
        def choose(decision):
            if not decision.actions:
                {ILLEGAL[what]}
            return decision.legal[0]
    """)
    wrong = fault(bot)
    assert (wrong.status, wrong.costs) == ("illegal", TURN)
    assert len(str(wrong)) < 400
    assert str(wrong).isprintable()
    assert bot.choose(decision(plies=1)) == decision(plies=1).legal[0]


CRASHES = {
    "an exception": ("raise ValueError('no idea')", "ValueError: no idea (bot0.py, line 5)"),
    "SystemExit": ("import sys; sys.exit()", "SystemExit"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "os._exit": ("import os; os._exit(3)", "exit code 3"),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    "abort": ("import os; os.abort()", "SIGABRT"),
    "endless recursion": ("choose(decision)", "RecursionError"),
    "closed channels": ("import os; os.closerange(0, 100); import time; time.sleep(60)", "it closed its output"),
    "an exception that cannot be told": (
        "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})()",
        "E (bot0.py",
    ),
}


@pytest.mark.parametrize("what", CRASHES)
def test_a_crash_costs_the_match(make: Make, what: str) -> None:
    deed, told = CRASHES[what]
    bot = make(f"""
        import time

        def choose(decision):
            {deed}
    """)
    wrong = fault(bot)
    assert (wrong.status, wrong.costs) == ("crashed", MATCH)
    assert told in wrong.detail
    assert fault(bot).detail == wrong.detail, "a bot that has lost its match is not started again"


def test_a_traceback_is_kept_on_standard_error(make: Make) -> None:
    bot = make("def choose(decision):\n    return 1 / 0  # here\n")
    fault(bot)
    assert "return 1 / 0  # here" in bot.stderr


def test_a_hang_costs_the_turn_and_the_bot_is_started_again(make: Make) -> None:
    bot = make("""
        def choose(decision):
            while not decision.actions: pass
            return decision.legal[0]
    """)
    for _ in range(2):
        wrong = fault(bot, clock=Clock(0.2))
        assert (wrong.status, wrong.costs) == ("timeout", TURN)
        assert bot.choose(decision(plies=1)) == decision(plies=1).legal[0]


def test_a_bank_is_drawn_on_and_then_used_up(make: Make) -> None:
    bot = make("""
        import time
        def choose(decision):
            time.sleep(0.4)
            print(decision.clock.bank)
            return decision.legal[0]
    """)
    clock = Clock(0.1, 0.5)
    bot.choose(decision(clock=clock))
    assert fault(bot, clock=clock).status == "timeout"
    left = float(bot.stderr.splitlines()[0])
    assert left == 0.5
    assert bot.choose(decision(clock=Clock(5.0))) == decision().legal[0]


def test_a_late_or_second_answer_is_never_taken_for_the_next(make: Make) -> None:
    bot = make("""
        import json, os
        def choose(decision):
            wrong = decision.legal[1]
            for number in range(3):
                os.write(4, json.dumps({"ask": number, "action": wrong}).encode() + b"\\n")
            return decision.legal[0]
    """)
    bot._number = 5  # questions 6 and on: what it writes is for earlier ones
    assert [bot.choose(decision()) for _ in range(3)] == [decision().legal[0]] * 3


def test_too_much_memory_has_its_own_name(make: Make) -> None:
    limits = Limits(seconds=10, memory=200 * MIB)
    wrong = fault(make("def choose(decision): return len(bytearray(300 << 20))", limits))
    assert (wrong.status, wrong.costs) == ("memory", MATCH)
    hoard = """
        def choose(decision):
            hoard = []
            while True:
                try: hoard.append(bytearray(1 << 20))
                except MemoryError: pass
    """
    assert fault(make(hoard, Limits(seconds=2, bank=0, memory=200 * MIB))).status in ("timeout", "memory")


def test_used_up_cpu_time_is_a_timeout_that_stays(make: Make) -> None:
    bot = make("def choose(decision):\n    while True: pass", Limits(seconds=20, cpu=1))
    wrong = fault(bot)
    assert wrong.status == "timeout"
    assert "CPU" in wrong.detail
    assert fault(bot).detail == wrong.detail


FLOODS = {
    "standard error": "while True: print('x' * 1000)",
    "answers without an end": "import os\n            while True: os.write(4, b'x' * 1000)",
    "a long line": "import os; os.write(4, b'[' + b' ' * 9000 + b']\\n')",
    "answers to other questions": "import os\n            while True: os.write(4, b'{\"ask\": 0}\\n' * 100)",
    "files": "for n in range(10000): open(f'f{n}', 'w').close()\n            __import__('time').sleep(60)",
    "disk": "for n in range(20): open(f'f{n}', 'wb').write(bytes(10 << 20))\n            __import__('time').sleep(60)",
}


@pytest.mark.parametrize("what", FLOODS)
def test_a_flood_of_output_costs_the_match(make: Make, what: str) -> None:
    bot = make(
        f"""
        def choose(decision):
            {FLOODS[what]}
    """,
        Limits(seconds=20),
    )
    wrong = fault(bot)
    assert (wrong.status, wrong.costs) == ("output", MATCH)
    assert len(bot.stderr) <= 1 << 16


def test_what_a_bot_says_cannot_reach_the_terminal(make: Make) -> None:
    wrong = fault(make("def choose(decision): raise ValueError('\\x1b[2J\\nparlour: all is well\\u202e')"))
    assert str(wrong).isprintable()


# Imports.


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def choose(:", "line 1 is no Python"),
        ("x = 1", "neither a function choose"),
        ("choose = 3", "neither a function choose"),
        ("GAME = 'goose'\ndef choose(decision): ...", "it is a bot for goose, not for choccer"),
        ("a\0b", "no Python"),
    ],
)
def test_a_file_that_is_no_bot_for_the_game_is_refused(make: Make, source: str, told: str) -> None:
    bot = make(source)
    with pytest.raises(BadBot, match=told):
        bot.start()
    assert fault(bot).status == "crashed", "whoever asks without starting it first gets a fault"


@pytest.mark.parametrize(
    ("source", "status", "told"),
    [
        ("import no_such_module", "crashed", "ModuleNotFoundError"),
        ("raise SystemExit", "crashed", "SystemExit"),
        ("import os; os._exit(0)", "crashed", "exit code 0"),
        ("while True: pass", "timeout", "not ready after 0.5 s"),
        ("x = bytearray(1 << 40)", "memory", "ran out of memory"),
    ],
)
def test_an_import_that_goes_wrong_has_a_status(make: Make, source: str, status: str, told: str) -> None:
    bot = make(source, Limits(start=0.5))
    for _ in range(2):
        wrong = fault(bot)
        assert wrong.status == status
        assert told in wrong.detail


def test_files_that_cannot_be_used_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "large.py").write_bytes(b"#" * (1 << 20) + b"#")
    (tmp_path / "empty").mkdir()
    for name, told in {
        "missing.py": "no bot file",
        "binary.py": "no text in UTF-8",
        "large.py": "larger than 1 MiB",
        "empty": "needs a bot.py",
    }.items():
        with pytest.raises(BadBot, match=told):
            make_bot(GAME, f"file:{tmp_path / name}")
    for spec in ("file:", "process:", "process:'", "process:no_such_program_anywhere"):
        with pytest.raises(ParlourError):
            make_bot(GAME, spec)


# The walls. They are asked for as the kernel offers them; on one without, the level says so.

needs_walls = pytest.mark.skipif(
    protection().level != "full", reason=f"this system offers {protection()}; the docs say what that means"
)

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


@needs_walls
def test_what_is_out_of_reach(make: Make, tmp_path: Path) -> None:
    """One bot tries them all, so that the list may be long."""
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
    wrong = fault(make(THREADS, Limits(seconds=20)))
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
    wrong = fault(make(FORKS, Limits(seconds=20), without=without))
    assert wrong.status == "crashed"
    # For an ordinary user in a namespace the system itself refuses; for root, the keeper counts.
    assert "more than 32 threads and processes" in wrong.detail or "temporarily unavailable" in wrong.detail


def server_pid() -> int:
    from parlour.bots.box.warm import warm_parent

    return warm_parent()._process.pid


def test_without_any_wall_the_statuses_are_the_same(make: Make) -> None:
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
