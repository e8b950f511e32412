"""A bot does nothing while it is not asked, whatever it does about it."""

from __future__ import annotations

import json
import os
import signal
import socket
from pathlib import Path

import pytest

from boxes import Make, MakeProgram, assert_idle, decision
from parlour.bots.box.process import descendants, init
from parlour.bots.box.sandbox.selftest import IDLE

BURNING = {
    "a thread": """
        threading.Thread(target=burn, daemon=True).start()
    """,
    "alarms": """
        signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        threading.Thread(target=burn, daemon=True).start()
    """,
    "a thread that wakes the others": """
        def wake():
            while True:
                try: signal.pthread_kill(threading.main_thread().ident, signal.SIGCONT)
                except OSError: pass
        threading.Thread(target=wake, daemon=True).start()
        threading.Thread(target=burn, daemon=True).start()
    """,
    "a first thread that ends, and another in its place": """
        import ctypes, json, os
        def answer(legal): os.write(4, json.dumps({"action": legal[0]}).encode() + b"\\n")
        def take_over():
            while True: answer(json.loads(os.read(3, 1 << 20))["legal"])
        threading.Thread(target=take_over).start()
        threading.Thread(target=burn).start()
        answer(decision.legal)
        ctypes.CDLL(None).syscall(ctypes.c_long(93 if os.uname().machine == "aarch64" else 60), 0)
    """,
}


BOT = """
import signal, threading
def burn():
    while True: pass
def choose(decision):
    if True:
{deed}
        return decision.legal[0]
"""


FAMILIES = {
    "a child": "if os.fork() == 0:\n    while True: pass",
    "a child in a session of its own": "if os.fork() == 0:\n    os.setsid()\n    while True: pass",
    "children that wake each other": "import signal\nfor _ in range(3):\n    if os.fork() == 0:\n"
    "        while True:\n            try: os.kill(-1, signal.SIGCONT)\n            except OSError: pass",
    "children that follow each other": "if os.fork() == 0:\n    while True:\n        if os.fork(): os._exit(0)",
    "a child whose first thread has ended": """
import ctypes, signal, threading
def burn():
    while True: pass
signal.signal(signal.SIGHUP, signal.SIG_IGN)
(ready, tell_ready), (ending, tell_ending) = os.pipe(), os.pipe()
if os.fork() == 0:
    held = bytearray(b"x") * (100 << 20)  # its end takes a while, so that it comes when its child has stopped
    if os.fork() == 0:
        del held
        os.setpgid(0, 0)  # a group that its parent's end orphans: if it has stopped, the kernel continues it
        threading.Thread(target=burn).start()
        os.write(tell_ready, b"x")
        ctypes.CDLL(None).syscall(ctypes.c_long(93 if os.uname().machine == "aarch64" else 60), 0)
    os.read(ready, 1)
    os.write(tell_ending, b"x")
    os._exit(0)
os.read(ending, 1)
""",
    "a child whose name is no text": """
import ctypes
if os.fork() == 0:
    ctypes.CDLL(None).prctl(15, b"\\xff) Z (", 0, 0, 0)
    while True: pass
""",
    "a child that its parent waits for in the kernel": """
import ctypes
libc = ctypes.PyDLL(None)
if os.fork() == 0 and libc.vfork() == 0:
    while True: pass
""",
}


def test_bots_are_stopped_with_all_their_threads_and_processes(make: Make, program: MakeProgram, temp: Path) -> None:
    """Bot files and programs, all at the same time."""
    bots = [make(BOT.replace("{deed}", deed)) for deed in BURNING.values()]
    bots += [program(f"{deed}\n{program.answer}") for deed in FAMILIES.values()]
    for bot in bots:
        if not bot.protection.items[IDLE][0]:
            pytest.skip(bot.protection.items[IDLE][1])
    for _ in range(2):
        for bot in bots:
            assert bot.choose(decision()) == decision().legal[0], "it goes on where it was"
        assert_idle(temp, at_least=len(bots))
    for bot in bots:
        bot.close()  # each fixture looks whether anything is left


def test_starting_is_not_counted_as_thinking(make: Make) -> None:
    bot = make("import time\ntime.sleep(0.5)\ndef choose(decision): return decision.legal[0]")
    bot.choose(decision())
    assert bot.taken < 0.4


def test_a_program_that_will_not_stop_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """With processes that end and continue each other it could go on for as long as it has some left."""
    monkeypatch.setattr(init, "PATIENCE", 0.1)
    monkeypatch.setattr(descendants, "below", lambda: [os.getpid()])
    monkeypatch.setattr(descendants, "send", lambda _: None)
    monkeypatch.setattr(descendants, "restlessness", lambda _: descendants.Restlessness.BUSY)
    told, tell = socket.socketpair()
    orders, order = os.pipe()
    pid = os.fork()
    if pid == 0:
        init._Init(0, tell, orders, namespaced=False).run()
    try:
        told.settimeout(20)
        os.write(order, init.STOP)
        assert json.loads(told.recv(100)) == {"restless": True}
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        for end in (told, tell):
            end.close()
        for handle in (orders, order):
            os.close(handle)
