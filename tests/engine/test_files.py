"""Files are written whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import ast
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import parlour
from parlour.engine.errors import NotWritten
from parlour.engine.files import check_place, write_whole, written_whole

LARGE = 3 << 20


@pytest.fixture
def target(tmp_path: Path) -> Path:
    file = tmp_path / "file"
    file.write_text("before")
    return file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_text_and_bytes(tmp_path: Path) -> None:
    write_whole(tmp_path / "text", "Zug für Zug\n")
    write_whole(str(tmp_path / "bytes"), b"\0\n")
    assert (tmp_path / "text").read_bytes() == "Zug für Zug\n".encode()
    assert (tmp_path / "bytes").read_bytes() == b"\0\n"
    assert names(tmp_path) == ["bytes", "text"]


def test_the_file_is_beside_its_place_and_hidden_until_it_is_whole(target: Path) -> None:
    with written_whole(target) as beside:
        beside.write_text("after")
        assert beside.parent == target.parent
        assert beside.name.startswith(".file.")
        assert target.read_text() == "before"
    assert target.read_text() == "after"
    assert names(target.parent) == ["file"]


@pytest.mark.parametrize("trouble", [RuntimeError, KeyboardInterrupt])
def test_what_was_there_stays_where_something_goes_wrong(target: Path, trouble: type[BaseException]) -> None:
    def write() -> None:
        with written_whole(target) as beside:
            beside.write_text("half")
            raise trouble

    with pytest.raises(trouble):
        write()
    assert target.read_text() == "before"
    assert names(target.parent) == ["file"]


@pytest.mark.parametrize("there", ["before", None])
def test_a_full_disk(tmp_path: Path, there: str | None) -> None:
    target = tmp_path / "file"
    if there is not None:
        target.write_text(there)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGE // 2, usual[1]))
    try:
        with pytest.raises(NotWritten, match=r"file cannot be written: File too large$"):
            write_whole(target, bytes(LARGE))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert names(tmp_path) == ([] if there is None else ["file"])
    assert there is None or target.read_text() == there


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_fails_late(target: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fails)
    with pytest.raises(NotWritten, match="No space left on device"):
        write_whole(target, "after")
    assert target.read_text() == "before"
    assert names(target.parent) == ["file"]


def test_content_is_on_the_disk_before_the_name_changes(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    sync, replace = os.fsync, os.replace

    def noted_sync(file: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else f"{os.fstat(file).st_size} bytes")
        sync(file)

    def noted_replace(old: Path, new: Path) -> None:
        steps.append("name")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(os, "replace", noted_replace)
    write_whole(target, "after")
    assert steps == ["5 bytes", "name", "folder"]


KILLED = """
import sys
from parlour.engine.files import written_whole
with written_whole(sys.argv[1]) as beside, beside.open("wb") as file:
    while True:
        file.write(bytes(100_000))
        file.flush()
"""


def test_a_writer_that_is_killed_leaves_what_was_there(target: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", KILLED, str(target)])
    try:
        deadline = time.monotonic() + 60
        while not any(path.stat().st_size > 10**6 for path in target.parent.glob(".file.*")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert target.read_text() == "before"


def test_many_writers_at_once_leave_one_whole_file(target: Path) -> None:
    program = (
        "import sys; from parlour.engine.files import write_whole\n"
        "for _ in range(50): write_whole(sys.argv[1], sys.argv[2] * 100_000)"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(target), word]) for word in "ab"]
    while any(writer.poll() is None for writer in writers):
        assert target.read_text() == "before" or target.read_text() in ("a" * 100_000, "b" * 100_000)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert names(target.parent) == ["file"]


# One that is there already.


def test_a_file_that_is_there_is_kept_unless_told(target: Path) -> None:
    with pytest.raises(NotWritten, match="file exists already: nothing was written"):
        write_whole(target, "after", overwrite=False)
    assert target.read_text() == "before"


def test_and_so_is_one_that_comes_meanwhile(tmp_path: Path) -> None:
    target = tmp_path / "file"

    def write() -> None:
        with written_whole(target, overwrite=False) as beside:
            beside.write_text("mine")
            target.write_text("theirs")

    with pytest.raises(NotWritten, match="exists already"):
        write()
    assert target.read_text() == "theirs"
    assert names(tmp_path) == ["file"]


def test_a_disk_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_arguments: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    write_whole(tmp_path / "file", "mine", overwrite=False)
    with pytest.raises(NotWritten, match="exists already"):
        write_whole(tmp_path / "file", "again", overwrite=False)
    assert (tmp_path / "file").read_text() == "mine"
    assert names(tmp_path) == ["file"]


# Permissions.


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    usual = os.umask(0o027)
    try:
        write_whole(tmp_path / "file", "")
        (tmp_path / "other").touch()
        with written_whole(tmp_path / "secret", private=True) as beside:
            assert mode(beside) == 0o600
    finally:
        os.umask(usual)
    assert mode(tmp_path / "file") == mode(tmp_path / "other") == 0o640
    assert mode(tmp_path / "secret") == 0o600


def test_or_those_of_the_file_that_is_replaced(target: Path) -> None:
    target.chmod(0o604)
    write_whole(target, "after")
    assert mode(target) == 0o604
    write_whole(target, "secret", private=True)
    assert mode(target) == 0o600


@pytest.mark.parametrize(("who", "is_given"), [(0, True), (1000, False)])
def test_what_root_replaces_stays_its_owners(
    target: Path, monkeypatch: pytest.MonkeyPatch, who: int, is_given: bool
) -> None:
    target.chmod(0o600)
    there, given = target.stat(), list[tuple[int, int]]()
    monkeypatch.setattr(os, "geteuid", lambda: who)
    monkeypatch.setattr(os, "chown", lambda _, *owner: given.append(owner))
    write_whole(target, "new")
    write_whole(target, "secret", private=True)
    assert given == ([(there.st_uid, there.st_gid)] if is_given else [])


def test_a_file_that_may_not_be_written_to_is_not_replaced(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, how: not (path == target and how == os.W_OK))  # root may do all
    with pytest.raises(NotWritten, match="file cannot be written: Permission denied"):
        write_whole(target, "after")
    assert target.read_text() == "before"


# Places.


def test_places_that_take_no_file(tmp_path: Path, target: Path) -> None:
    with pytest.raises(NotWritten, match=r"the folder .*/no does not exist: nothing was written"):
        write_whole(tmp_path / "no" / "file", "")
    with pytest.raises(NotWritten, match="cannot be written: Is a directory"):
        write_whole(tmp_path, "")
    with pytest.raises(NotWritten, match="cannot be written: Not a directory"):
        write_whole(target / "file", "")
    for place in (tmp_path / "no" / "file", tmp_path, target / "file"):
        with pytest.raises(NotWritten):
            check_place(place)
    with pytest.raises(NotWritten, match="exists already"):
        check_place(target, overwrite=False)
    check_place(target)
    check_place(tmp_path / "new", overwrite=False)
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["x" * 255, "ü" * 127, "𝄞" * 63])
def test_the_longest_names(tmp_path: Path, name: str) -> None:
    write_whole(tmp_path / name, "whole")
    assert names(tmp_path) == [name]


def test_a_link_leads_to_the_file(target: Path) -> None:
    link = target.with_name("link")
    link.symlink_to("file")
    write_whole(link, "after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_or_is_replaced_itself(target: Path) -> None:
    link = target.with_name("link")
    link.symlink_to("file")
    write_whole(link, "after", follow_links=False)
    assert not link.is_symlink()
    assert (link.read_text(), target.read_text()) == ("after", "before")


def test_what_is_no_file_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_whole(pipe, "through")
    assert reader.communicate()[0] == b"through"
    assert names(tmp_path) == ["pipe"]


def test_text_that_is_none(target: Path) -> None:
    with pytest.raises(NotWritten, match="characters in it that are not text"):
        write_whole(target, "\ud800")
    assert target.read_text() == "before"


# Everybody writes so.

WRITES = {
    "write_text",
    "write_bytes",
    "mkstemp",
    "NamedTemporaryFile",
    "savez",
    "savez_compressed",
    "savetxt",
    "tofile",
}
OTHERS = {  # what is no file with something to lose
    "parlour/arena/tournament_folder.py": "the results of a tournament are only ever appended to",
    "parlour/bots/box": "the sandbox writes to files of the system",
    "parlour/bots/model/log.py": "lines that are only ever appended",
    "parlour/cli/boundary.py": "output that nobody reads goes nowhere",
    "parlour/cli/online/saved_seats.py": "a lock",
    "parlour/engine/compiled/cache.py": "a lock",
    "parlour/lab/train/checkpoint.py": "written whole, from within",
    "parlour/server/basics/limiter.py": "memory that processes share",
    "parlour/server/cluster/placement.py": "a lock",
    "parlour/server/store/engine.py": "the database, which SQLite keeps whole",
    "parlour/server/basics/system.py": "locks",
    "parlour/server/bots/warming.py": "a lock",
    "parlour/site/prepare.py": "a folder that becomes the site's once all is in it",
    "game17/harness.py": "output of a bot",
}


def writing(file: Path) -> Iterator[int]:
    """The lines of a source file in which files are opened to be written."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        opens = name in ("open", "fdopen") and any(set(mode) & set("wxa+") and len(mode) <= 3 for mode in modes)
        creates = name == "open" and any(
            "O_CREAT" in ast.unparse(one) or "O_WRONLY" in ast.unparse(one) for one in given
        )
        if name in WRITES or opens or creates:
            yield node.lineno


def test_nobody_else_writes_files() -> None:
    source = Path(parlour.__file__).parents[1]
    found = {
        str(file.relative_to(source)): lines
        for file in source.rglob("*.py")
        if file.relative_to(source).parts[0] in ("parlour", "game17") and (lines := list(writing(file)))
    }
    own = found.pop("parlour/engine/files.py")
    assert len(own) == 3
    unknown = {name: lines for name, lines in found.items() if not name.startswith(tuple(OTHERS))}
    assert not unknown, "use parlour.engine.files.write_whole"
    needless = [known for known in OTHERS if not any(name.startswith(known) for name in found)]
    assert not needless
