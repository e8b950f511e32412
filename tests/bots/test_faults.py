"""Each thing that a bot can do wrong has a name and a cost, and hurts nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from boxes import GAME, MIB, Make, decision, fault
from parlour.bots import TimeLimit, make_bot
from parlour.bots.box import BadBot, BotLimits
from parlour.engine.errors import ParlourError

ILLEGAL = {
    "None": "return None",
    "no legal action": "return 12345",
    "a bool": "return True",
    "a float": "return 1.0",
    "NaN": "return float('nan')",
    "a huge number": "return 10 ** 4000",
    "a text that is not an action": "return 'checkmate'",
    "a huge text": "return 'x' * 10_000_000",
    "a list": "return [decision.legal[0]]",
    "an object whose repr fails": "return type('X', (), {'__repr__': lambda self: 1 / 0})()",
    "lines that are not JSON": "__import__('os').write(4, b'hello\\n')",
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
    assert wrong.status == "illegal"
    assert len(str(wrong)) < 400
    assert str(wrong).isprintable()
    assert bot.choose(decision(plies=1)) == decision(plies=1).legal[0]


CRASHES = {
    "an exception": ("raise ValueError('no idea')", "ValueError: no idea (bot0.py, line 5)"),
    "SystemExit": ("import sys; sys.exit()", "SystemExit"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "os._exit": ("import os; os._exit(3)", "exit code 3"),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    "abort": ("import os; os.abort()", "ended by signal SIG"),  # the first process in a namespace ends in SIGSEGV
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
    assert wrong.status == "crashed"
    assert told in wrong.detail
    assert fault(bot).detail == wrong.detail, "a bot that has lost its match is not started again"


def test_a_class_that_cannot_be_made_is_a_crash(make: Make) -> None:
    wrong = fault(make("class Bot:\n    def __init__(self): self.x = 1 / 0\n    def choose(self, decision): ..."))
    assert (wrong.status, wrong.detail) == ("crashed", "ZeroDivisionError: division by zero (bot0.py, line 2)")


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
        wrong = fault(bot, clock=TimeLimit(0.2))
        assert wrong.status == "timeout"
        assert bot.choose(decision(plies=1)) == decision(plies=1).legal[0]


def test_a_bank_is_drawn_on_and_then_used_up(make: Make) -> None:
    bot = make("""
        import time
        def choose(decision):
            time.sleep(0.4)
            print(decision.clock.bank)
            return decision.legal[0]
    """)
    clock = TimeLimit(0.1, 0.5)
    bot.choose(decision(clock=clock))
    assert fault(bot, clock=clock).status == "timeout"
    left = float(bot.stderr.splitlines()[0])
    assert left == 0.5
    assert bot.choose(decision(clock=TimeLimit(5.0))) == decision().legal[0]


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
    limits = BotLimits(seconds=10, memory=200 * MIB)
    wrong = fault(make("def choose(decision): return len(bytearray(300 << 20))", limits))
    assert wrong.status == "memory"
    hoard = """
        def choose(decision):
            hoard = []
            while True:
                try: hoard.append(bytearray(1 << 20))
                except MemoryError: pass
    """
    assert fault(make(hoard, BotLimits(seconds=2, bank=0, memory=200 * MIB))).status in ("timeout", "memory")


def test_used_up_cpu_time_is_a_timeout_that_stays(make: Make) -> None:
    bot = make("def choose(decision):\n    while True: pass", BotLimits(seconds=20, cpu=1))
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
        BotLimits(seconds=20),
    )
    wrong = fault(bot)
    assert wrong.status == "output"
    assert len(bot.stderr) <= 1 << 16


def test_what_a_bot_says_cannot_reach_the_terminal(make: Make) -> None:
    wrong = fault(make("def choose(decision): raise ValueError('\\x1b[2J\\nparlour: all is well\\u202e')"))
    assert str(wrong).isprintable()


# Imports.


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def choose(:", "line 1 is not valid Python"),
        ("x = 1", "neither a function choose"),
        ("choose = 3", "neither a function choose"),
        ("GAME = 'goose'\ndef choose(decision): ...", "it is a bot for goose, not for choccer"),
        ("a\0b", "not valid Python"),
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
    bot = make(source, BotLimits(start=0.5))
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
        "binary.py": "not text in UTF-8",
        "large.py": "larger than 1 MiB",
        "empty": "needs a bot.py",
    }.items():
        with pytest.raises(BadBot, match=told):
            make_bot(GAME, f"file:{tmp_path / name}")
    for spec in ("file:", "process:", "process:'", "process:no_such_program_anywhere"):
        with pytest.raises(ParlourError):
            make_bot(GAME, spec)
