"""Memory, disk, threads and processes: what a bot may use, and ways to use more that nobody would see."""

from __future__ import annotations

import pytest

from boxes import MIB, Make, MakeProgram, decision, fault
from parlour.bots.box import BotLimits
from parlour.bots.box.sandbox import CAPABILITIES, LANDLOCK, MOUNTS, NAMESPACES, SECCOMP
from parlour.bots.box.sandbox.selftest import DISK, MEMORY, SHARED, TASKS

PATIENT = BotLimits(seconds=60, disk=8 * MIB, files=300)


def promise(bot_protection: object, name: str) -> None:
    """Skip where the system does not offer what is tested; ``test_protection`` says what that means."""
    holds, words = bot_protection.items[name]  # type: ignore[attr-defined]
    if not holds:
        pytest.skip(words)


WRITING = {
    "files without a name": """
        kept = []
        while True:
            kept.append(open("f", "wb")); os.unlink("f")
            kept[-1].write(bytes(1 << 20)); kept[-1].flush(); written += 1 << 20
    """,
    "files that never had a name": """
        kept = []
        while True:
            kept.append(os.open(".", os.O_TMPFILE | os.O_WRONLY))
            written += os.write(kept[-1], bytes(1 << 20))
    """,
    "folders deeper than a path can be": """
        while True:
            os.mkdir("d" * 200); os.chdir("d" * 200)
            open("f", "wb").write(bytes(1 << 18)); written += 1 << 18
    """,
    "files that only a mapping holds": """
        import mmap
        kept = []
        while True:
            with open("f", "wb+") as file:
                file.write(bytes(1 << 20)); kept.append(mmap.mmap(file.fileno(), 1 << 20)); os.unlink("f")
            with open("g", "ab") as file: file.write(bytes(1 << 18)); written += 1 << 18
    """,
    "names alone": """
        while True:
            os.symlink("x" * 4000, f"link{written}"); written += 1
    """,
}


@pytest.mark.parametrize("how", WRITING)
def test_disk_is_full_when_it_is_full(make: Make, how: str) -> None:
    bot = make(
        f"""
import os, sys
def choose(decision):
    written = 0
    try:
{WRITING[how].replace(chr(10), chr(10) + "    ")}
    finally: print(written)
""",
        PATIENT,
    )
    promise(bot.protection, DISK)
    wrong = fault(bot)
    assert wrong.status == "output", wrong
    assert "No space left" in wrong.detail
    assert int(bot.stderr.splitlines()[0]) <= PATIENT.disk


def test_a_bot_finds_room_again_when_it_removes_something(make: Make) -> None:
    bot = make(
        """
        import os
        def choose(decision):
            for _ in range(30):
                open("f", "wb").write(bytes(1 << 20))
                os.unlink("f")
            return decision.legal[0]
        """,
        PATIENT,
    )
    assert bot.choose(decision()) == decision().legal[0]


HOARDING = {
    "memory of its own": "mmap.mmap(-1, 100 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)",
    "memory to share": "mmap.mmap(-1, 100 << 20)",
    "the zero device": "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 100 << 20)",
    "a file without a name": "mmap.mmap(os.memfd_create('x'), 100 << 20)",
    "huge pages": "mmap.mmap(-1, 100 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)",
}


@pytest.mark.parametrize("how", HOARDING)
def test_memory_of_any_kind_is_limited(make: Make, how: str) -> None:
    bot = make(
        f"""
        import mmap, os
        kept = []
        def choose(decision):
            try:
                while len(kept) < 30: kept.append({HOARDING[how]})
            except OSError: pass
            print(len(kept))
            return decision.legal[0]
        """,
        BotLimits(seconds=20, memory=500 * MIB),
    )
    promise(bot.protection, MEMORY)
    bot.choose(decision())
    assert int(bot.stderr) <= 5


def test_a_program_has_no_memory_that_stays_without_being_mapped(program: MakeProgram) -> None:
    """Pages that are shared, touched and let go of belong to no process: nobody would count them."""
    bot = program("import mmap\ntry: mmap.mmap(-1, 1 << 20); say(action=-1)\nexcept OSError: " + program.answer)
    promise(bot.protection, SHARED)
    assert bot.choose(decision()) == decision().legal[0]


def test_a_program_s_memory_is_that_of_all_its_processes(program: MakeProgram) -> None:
    hoard = "for _ in range(3): os.fork()\nheld = bytearray(b'x') * (120 << 20)\ntime.sleep(60)"
    assert fault(program(hoard, BotLimits(seconds=20, memory=400 * MIB))).status == "memory"


THREADS = """
        import threading, time
        threading.stack_size(65536)
        def choose(decision):
            started = 0
            try:
                for started in range(500): threading.Thread(target=time.sleep, args=(0.01,)).start()
            except RuntimeError: pass
            print(started)
            return decision.legal[0]
"""


def test_threads_are_refused_beyond_the_limit(make: Make) -> None:
    """Even those that live so shortly that nobody could count them in time."""
    bot = make(THREADS, BotLimits(seconds=20, tasks=10))
    promise(bot.protection, TASKS)
    bot.choose(decision())
    bot = make(THREADS.replace("0.01", "60"), BotLimits(seconds=20, tasks=10))
    bot.choose(decision())
    assert int(bot.stderr) <= 10


FORKS = """
        import os
        def choose(decision):
            for _ in range(8): os.fork()  # 256 of them, if nobody ends it: a busy machine bears as many
            while True: pass
"""
WITHOUT = [
    (SECCOMP,),
    (SECCOMP, MOUNTS),
    (SECCOMP, NAMESPACES),
    (SECCOMP, NAMESPACES, LANDLOCK),
    (SECCOMP, NAMESPACES, LANDLOCK, CAPABILITIES),
]


@pytest.mark.parametrize("without", WITHOUT, ids=str)
def test_a_fork_bomb_is_ended_even_where_forking_cannot_be_refused(make: Make, without: tuple[str, ...]) -> None:
    wrong = fault(make(FORKS, BotLimits(seconds=20), without=without))
    assert wrong.status == "crashed"
    # Either the kernel refuses, or the supervisor counts.
    assert "more than 32 threads and processes" in wrong.detail or "temporarily unavailable" in wrong.detail


BOMBS = {
    "processes": "for _ in range(12): os.fork()\ntime.sleep(60)",
    "processes in sessions of their own": "for _ in range(12):\n    if os.fork() == 0: os.setsid()\ntime.sleep(60)",
    "zombies": "while True:\n    if os.fork() == 0: os._exit(0)",
    "children that replace each other": "while True:\n    if os.fork(): os._exit(0)",
}


@pytest.mark.parametrize("what", BOMBS)
def test_a_program_that_explodes_is_ended(program: MakeProgram, what: str) -> None:
    """It is ended by the supervisor, or the kernel refuses and what is left of it does not answer."""
    assert fault(program(BOMBS[what], BotLimits(seconds=3, bank=0))).status in ("crashed", "timeout")


def test_memory_counts_where_the_first_thread_has_ended(program: MakeProgram) -> None:
    hoard = """
import ctypes, threading
def hoard():
    while os.path.exists(f"/proc/self/task/{os.getpid()}/cwd"): time.sleep(0.01)
    held = bytearray(b"x") * (120 << 20)
    time.sleep(60)
for _ in range(4):
    if os.fork() == 0:
        threading.Thread(target=hoard).start()
        ctypes.CDLL(None).syscall(ctypes.c_long(93 if os.uname().machine == "aarch64" else 60), 0)
time.sleep(60)
"""
    assert fault(program(hoard, BotLimits(seconds=20, bank=0, memory=400 * MIB))).status == "memory"
