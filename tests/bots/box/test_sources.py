"""What a bot's own file can make its box open: its first line, links, names that no file has."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from boxes import GAME, READING, decision
from parlour.bots import make_bot
from parlour.bots.box import BadBot, BotLimits, BoxedBot, bot_file, command

BINARY = "/bin/cat"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder such as ~/.local: an interpreter in its bin, and beside it what other programs keep."""
    for folder in ("bin", "lib/cat1.2/site", "lib/other", "share/parlour", "libexec"):
        (tmp_path / "local" / folder).mkdir(parents=True)
    shutil.copy(BINARY, tmp_path / "local" / "bin" / "cat1.2")
    for file in ("share/parlour/parlour.db", "lib/other/key", "lib/cat1.2/site/library", "lib/libcat1.so.1.0"):
        (tmp_path / "local" / file).write_text("content")
    (tmp_path / "bots").mkdir()
    return tmp_path / "local"


def script(home: Path, first: str) -> str:
    file = home.parent / "bots" / "script"
    file.write_text(f"{first}\n")
    file.chmod(0o755)
    return str(file)


def test_the_first_line_of_a_script_opens_that_interpreter_and_its_own_libraries(home: Path) -> None:
    opened = command(script(home, f"#!{home}/bin/cat1.2 -v"))
    for path in ("bin/cat1.2", "lib/cat1.2/site/library", "lib/libcat1.so.1.0"):
        assert opened.can_read(home / path), path
    for path in ("share/parlour/parlour.db", "lib/other/key", "libexec", "bin"):
        assert not opened.can_read(home / path), path


def test_a_program_that_is_installed_opens_no_more_than_that(home: Path) -> None:
    (home / "bin" / "cat").symlink_to("cat1.2")
    for name in ("cat", "cat1.2"):
        opened = command(str(home / "bin" / name))
        assert opened.can_read(home / "lib" / "cat1.2")
        assert not opened.can_read(home / "share" / "parlour" / "parlour.db")


def test_a_python_in_a_home_runs_and_reads_nothing_beside_it(home: Path) -> None:
    """As ``pip install --user`` and others arrange it: bin, lib/python3.11, and share with everybody's data."""
    (home / "bin" / "python3").symlink_to(sys.executable)
    secret = home / "share" / "parlour" / "parlour.db"
    line = script(home, f"#!{home}/bin/python3\n" + READING.format(paths=[str(secret)]))
    with BoxedBot(GAME, command(line), BotLimits(seconds=20)) as bot:
        bot.choose(decision())
        assert bot.stderr.split() == ["nothing"]


@pytest.mark.parametrize("link", ["lib", "lib/cat", "lib64", "pyvenv.cfg"])
def test_no_link_that_comes_with_a_script_opens_what_it_leads_to(home: Path, link: str) -> None:
    """An interpreter can come along, too, in a folder of the bot's author."""
    brought = home.parent / "brought"
    (brought / "bin").mkdir(parents=True)
    (brought / link).parent.mkdir(exist_ok=True)
    shutil.copy(BINARY, brought / "bin" / "cat")
    target = home / "share" / "parlour" / "parlour.db" if "." in link else home / "share"
    (home / "share" / "cat").mkdir()
    (brought / link).symlink_to(target)
    opened = command(script(home, f"#!{brought}/bin/cat"))
    assert opened.can_read(brought / "bin" / "cat")
    assert not opened.can_read(home / "share" / "parlour" / "parlour.db")
    assert not opened.can_read(home / "share" / "cat")


@pytest.mark.parametrize("link", ["lib/cat", "lib/libcat.so"])
def test_a_library_is_no_link_to_what_is_beside_it(home: Path, link: str) -> None:
    (home / link).symlink_to("../share/parlour/parlour.db" if "." in link else "../share")
    assert not command(script(home, f"#!{home}/bin/cat1.2")).can_read(home / "share" / "parlour" / "parlour.db")


def test_the_name_of_a_link_opens_no_library_where_it_leads(home: Path) -> None:
    brought = home.parent / "brought" / "bin"
    brought.mkdir(parents=True)
    (brought / "other").symlink_to(home / "bin" / "cat1.2")
    assert not command(script(home, f"#!{brought}/other")).can_read(home / "lib" / "other" / "key")


def test_the_first_line_opens_no_script_and_no_program_that_is_not_installed(home: Path) -> None:
    """A rival's, for example; and on some disks every file may be executed."""
    secret = home / "bin" / "backup"
    secret.write_text("#!/bin/sh\npassword=swordfish\n")
    rival = home.parent / "bots" / "rival"
    shutil.copy(BINARY, rival)
    brought = home.parent / "brought" / "bin" / "rival"
    brought.parent.mkdir(parents=True)
    brought.symlink_to(rival)
    for named in (secret, rival, brought):
        named.chmod(0o755)
        assert not command(script(home, f"#!{named}")).can_read(named)


@pytest.mark.parametrize("first", ["#!/bin/sh\0", "#!", "#! ", "#!/bin/\udcff", "#!" + "/x" * 9999, "#!/proc/self/exe"])
def test_any_first_line_will_do(home: Path, first: str) -> None:
    file = Path(script(home, ""))
    file.write_bytes(os.fsencode(first))
    assert command(str(file)).command == (str(file),)


NAMES = ["a\0b", "x" * 5000, "~nobody-of-that-name/bot", "/dev/zero", "loop", "pipe", ".", "\udcff"]


@pytest.mark.parametrize("kind", ["file", "process"])
@pytest.mark.parametrize("name", NAMES)
def test_names_that_no_bot_has_are_one_line(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    os.mkfifo("pipe", 0o777)
    with pytest.raises(BadBot) as caught:
        make_bot(GAME, f"{kind}:{name}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["file", "process"])
@pytest.mark.parametrize("target", ["../secret.py", "/dev/zero", "loop", "../pipe"])
def test_the_bot_of_a_folder_is_in_the_folder(kind: str, target: str, tmp_path: Path) -> None:
    """Else the others there would run beside a file of the user's, and could read it in memory."""
    folder, name = tmp_path / "mine", {"file": "bot.py", "process": "bot"}[kind]
    folder.mkdir()
    (tmp_path / "secret.py").write_text("import helper\npassword = 'swordfish'\n")
    (tmp_path / "secret.py").chmod(0o755)
    os.mkfifo(tmp_path / "pipe", 0o777)
    (folder / "loop").symlink_to(name)
    (folder / name).symlink_to(target)
    with pytest.raises(BadBot):
        make_bot(GAME, f"{kind}:{folder}")
    (folder / name).unlink()
    (folder / "real.py").write_text("def choose(decision): return decision.legal[0]")
    (folder / name).symlink_to("real.py")
    if kind == "file":
        assert bot_file(str(folder)).text.startswith("def choose")


def test_a_whole_home_is_no_folder_for_a_bot_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bot.py").write_text("def choose(decision): return decision.legal[0]")
    with pytest.raises(BadBot, match="name its file, or a folder of its own"):
        bot_file(str(tmp_path))
    assert bot_file(str(tmp_path / "bot.py")).readable == ()
