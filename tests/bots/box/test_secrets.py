"""What a bot could find in its own process, or be told by mistake."""

from __future__ import annotations

import dataclasses
import os
import shlex
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from boxes import GAME, READING, Make, MakeProgram, decision, fault
from parlour.bots.box import BadBot, BotLimits, BoxedBot, bot_file, command, own_numbers
from parlour.engine.chance import POLICY_STREAM, Chance

# The kernel puts the environment on the stack, below the name of the program that was started.
LOOK = """
import ctypes, re
libc = ctypes.CDLL(None)
libc.getauxval.restype = ctypes.c_ulong
def on_the_stack():
    low, high = ctypes.c_void_p.in_dll(libc, "__libc_stack_end").value, libc.getauxval(31)
    words = ctypes.string_at(low, high - low).split(b"\\0")
    return sorted(word.decode() for word in words if re.match(rb"[A-Z_]{4,}=[ -~]*$", word))  # some bytes are random
"""
CALLER = """
import sys
from parlour.bots.box import BoxedBot, bot_file
from boxes import GAME, decision
with BoxedBot(GAME, bot_file(sys.argv[1])) as bot:
    bot.choose(decision())
    print(bot.stderr)
"""


def test_a_bot_has_a_folder_and_next_to_no_environment(make: Make) -> None:
    bot = make("""
        import os
        def choose(decision):
            open("notes", "w").write("mine")
            print(open("notes").read(), sorted(os.environ), os.listdir(), os.getcwd() == os.environ["HOME"])
            return decision.legal[0]
    """)
    bot.choose(decision())
    names = ["HOME", "LANG", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PARLOUR_CACHE", "PATH"]
    assert bot.stderr.strip() == f"mine {[*names, 'PYTHONHASHSEED', 'TMPDIR']} ['notes'] True"


OPEN = """
import fcntl, os, stat, sys
found = []
for handle in range(300):
    try: mode = os.fstat(handle).st_mode
    except OSError: continue
    found.append("pipe" if stat.S_ISFIFO(mode) else "null" if stat.S_ISCHR(mode) else oct(mode))
"""


def test_no_handle_is_left_open_for_a_bot_file(make: Make) -> None:
    bot = make(f"{OPEN}\nprint(*found)\ndef choose(decision): return decision.legal[0]")
    bot.choose(decision())
    assert bot.stderr.split() == ["null", "pipe", "pipe", "pipe", "pipe", "null"]


def test_no_handle_is_left_open_for_a_program(program: MakeProgram) -> None:
    bot = program(f"{OPEN}\nprint(*found, file=sys.stderr, flush=True)\n{program.answer}")
    bot.choose(decision())
    assert bot.stderr.split() == ["pipe", "pipe", "pipe"]


SEEKING = """
import hashlib, struct
from parlour.engine.chance import POLICY_STREAM, Chance
def lanes(chance):
    drawn = ",".join(str(chance.below(1 << 30)) for _ in range(8))
    digest = hashlib.sha256(f"parlour bot:{drawn}".encode()).digest()
    first, *others = struct.unpack_from("<4I", digest)
    return [first | 1, *others]
def choose(decision):
    for seed in range(100):
        for chance in (Chance.of_game(seed, 0, POLICY_STREAM + 1 + decision.seat), Chance.at(seed, 0)):
            if decision.chance.lanes in (lanes(chance), chance.lanes): print("the seed is", seed)
    print(decision.chance.lanes)
    return decision.legal[0]
"""


def test_the_seed_of_a_match_is_not_in_a_bot_s_numbers(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if it is as small as 7: all that Parlour works out from it alone, a bot could as well."""
    bot = make(SEEKING)
    seeded = Chance.of_game(7, 0, POLICY_STREAM + 1)
    bot.choose(dataclasses.replace(decision(), chance=seeded))
    (lanes,) = bot.stderr.splitlines()
    monkeypatch.setattr(own_numbers, "_secret", lambda: b"of another machine")
    again = make(SEEKING)
    again.choose(dataclasses.replace(decision(), chance=Chance.of_game(7, 0, POLICY_STREAM + 1)))
    assert again.stderr.splitlines() != [lanes], "they follow from what no bot can read"


@pytest.mark.parametrize("kept", [None, b"", b"x" * 33, "link", "pipe"])
def test_the_secret_behind_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bytes | str | None
) -> None:
    """In a file that its owner alone can read. Whatever else is there stays as it is, and there is a secret anyway."""
    monkeypatch.setattr(platformdirs, "user_state_dir", lambda *_, **__: str(tmp_path / "state"))
    file, secret = tmp_path / "state" / own_numbers.FILE, own_numbers._secret.__wrapped__
    if kept is not None:
        file.parent.mkdir()
    if isinstance(kept, bytes):
        file.write_bytes(kept)
    elif kept == "link":
        file.symlink_to("/dev/zero")
    elif kept == "pipe":
        os.mkfifo(file)
    first = secret()
    assert len(first) == own_numbers.LENGTH
    assert len(set(first)) > 8
    assert (secret() == first) == (kept is None)
    if kept is None:
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.read_bytes() == first


# Its own file or folder, and nothing beside it.


@pytest.fixture
def tournament(tmp_path: Path) -> Path:
    """A folder with bots, a rival's source, and the results with the seed of what is to come."""
    folder = tmp_path / "bots"
    (folder / "mine").mkdir(parents=True)
    (folder / "out").mkdir()
    (folder / "out" / "tournament.json").write_text('{"seed": 17}')
    (folder / "rival.py").write_text("# a secret plan")
    (folder / "mine" / "book.txt").write_text("e4")
    return folder


def _what_it_reads(line: str, program: Path, paths: list[Path]) -> list[str]:
    program.write_text(f"#!{sys.executable}\n" + READING.format(paths=[str(path) for path in paths]))
    program.chmod(0o755)
    with BoxedBot(GAME, command(line), BotLimits(seconds=20)) as bot:
        bot.choose(decision())
        return bot.stderr.strip().split("|")


def test_a_program_reads_its_file_and_not_what_is_beside_it(tournament: Path) -> None:
    beside = [tournament / "rival.py", tournament / "out" / "tournament.json", tournament / "mine" / "book.txt"]
    program = tournament / "my_bot"
    assert _what_it_reads(str(program), program, beside) == ["nothing"] * 3
    line = shlex.join([sys.executable, str(program)])
    assert _what_it_reads(line, program, beside) == ["nothing"] * 3


def test_a_program_reads_the_folder_that_is_named(tournament: Path) -> None:
    paths = [tournament / "rival.py", tournament / "mine" / "book.txt"]
    program = tournament / "mine" / "bot"
    assert _what_it_reads(str(tournament / "mine"), program, paths) == ["nothing", "e4"]
    line = shlex.join([str(program), str(tournament / "mine")])
    assert _what_it_reads(line, program, paths) == ["nothing", "e4"]


def test_links_in_its_folder_lead_nowhere(tournament: Path) -> None:
    (tournament / "mine" / "link.txt").symlink_to("../out/tournament.json")
    program = tournament / "mine" / "bot"
    assert _what_it_reads(str(tournament / "mine"), program, [tournament / "mine" / "link.txt"]) == ["nothing"]


TAMPERING = """
def attempt(path, mode):
    try: open(path, mode).close()
    except OSError: print("refused", file=sys.stderr, flush=True)
    else: print("DONE", mode, path, file=sys.stderr, flush=True)
"""


def test_a_bot_cannot_change_its_own_source(tournament: Path, program: MakeProgram, tmp_path: Path) -> None:
    """Nor what lies in its folder: the next match begins with what the user has written."""
    bot = program(
        f"{TAMPERING}\nfor mode in ('a', 'w', 'r+'): attempt(sys.argv[0], mode)\n"
        f"try: os.rename(sys.argv[0], sys.argv[0] + '.old'); print('DONE')\nexcept OSError: pass\n{program.answer}"
    )
    bot.choose(decision())
    assert bot.stderr.split() == ["refused"] * 3
    (tournament / "mine" / "bot.py").write_text(
        f"import os, sys\n{TAMPERING}\ndef choose(decision):\n"
        "    for name in ('bot.py', 'book.txt', 'new.txt'):\n"
        "        attempt(os.path.join(os.path.dirname(__file__), name), 'a')\n"
        "    return decision.legal[0]\n"
    )
    with BoxedBot(GAME, bot_file(str(tournament / "mine"))) as folder_bot:
        folder_bot.choose(decision())
        assert folder_bot.stderr.split() == ["refused"] * 3
    assert {path.name for path in (tournament / "mine").iterdir()} == {"book.txt", "bot.py"}


def test_a_source_that_changes_is_another_bot(make: Make, tmp_path: Path) -> None:
    """What a match began with is what it ends with, even if the bot is started anew in between."""
    bot = make("import time\ndef choose(decision):\n    time.sleep(60)", BotLimits(seconds=0.2, bank=0))
    Path(bot.source.path).write_text("def choose(decision): return decision.legal[0]")
    for _ in range(2):
        assert fault(bot).status == "timeout"


def test_nothing_of_the_user_s_environment_is_in_a_bot_s_memory(tournament: Path) -> None:
    """Nor is a folder on Python's path open to it: ``PYTHONPATH=. parlour match`` would show it the others, and OUT."""
    file = tournament / "bot.py"
    rival = str(tournament / "rival.py")
    file.write_text(f"""{LOOK}
def choose(decision):
    for word in on_the_stack(): print(word)
    try: print(open({rival!r}).read())
    except OSError: print("nothing")
    return decision.legal[0]
""")
    secrets = {"A_SECRET": "swordfish", "AWS_SECRET_ACCESS_KEY": "swordfish", "SSH_AUTH_SOCK": "/swordfish"}
    path = os.pathsep.join([str(tournament), str(Path(__file__).parents[2])])
    caller = subprocess.run(
        [sys.executable, "-c", CALLER, str(file)],
        env=os.environ | secrets | {"PYTHONPATH": path},
        cwd=tournament,
        capture_output=True,
        text=True,
        check=True,
    )
    *words, read = caller.stdout.split()
    found = {word.partition("=")[0] for word in words}
    assert read == "nothing"
    assert "swordfish" not in caller.stdout
    assert {"LANG", "PATH"} <= found, "this is not where the environment is"
    allowed = {"HOME", "LANG", "LD_LIBRARY_PATH", "PARLOUR_CACHE", "PATH", "PYTHONHASHSEED", "PYTHONHOME", "PYTHONPATH"}
    assert {name for name in found if not name.startswith(("NUMBA_", "OMP_", "MKL_", "OPENBLAS_"))} <= allowed


def test_a_script_opens_no_file_by_naming_it(tournament: Path) -> None:
    """Its first line may name what runs it, and that is opened to it: but not everything is such a program."""
    secret = tournament / "out" / "tournament.json"
    script = tournament / "script"
    script.write_text(f"#!{secret}\n")
    script.chmod(0o755)
    assert not command(str(script)).can_read(secret)
    script.write_text(f"#!{sys.executable}\n")
    assert command(str(script)).can_read(Path(sys.executable))


def test_a_folder_s_program_is_in_the_folder(tournament: Path) -> None:
    (tournament / "mine" / "bot").symlink_to(sys.executable)
    with pytest.raises(BadBot, match="leads out of its folder"):
        command(str(tournament / "mine"))


def test_a_whole_home_is_no_folder_for_a_bot() -> None:
    with pytest.raises(BadBot, match="name a folder that holds less"):
        command(f"{sys.executable} {Path.home()}")


def test_whoever_runs_a_tournament_can_ask_what_a_bot_reads(tournament: Path) -> None:
    (tournament / "bot.py").write_text("def choose(decision): return decision.legal[0]")
    assert bot_file(str(tournament)).can_read(tournament / "out")
    assert not bot_file(str(tournament / "bot.py")).can_read(tournament / "out")
    assert not bot_file(str(tournament / "bot.py")).can_read(tournament / "rival.py")
    assert command(sys.executable).can_read(Path("/usr/local/out")), "all programs read what is installed"
