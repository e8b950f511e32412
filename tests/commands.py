"""The command line, run as a person runs it, with what is typed into it; its output is no terminal's, and in UTF-8.

Mostly in the process of the tests, since a command needs longer to start than to do its work. Apart, in a process of
its own, where a test is about just that: its environment, its end, or what it leaves behind.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from parlour import cli

PARLOUR = [sys.executable, "-c", "from parlour.cli import main; main()"]
ENVIRONMENT = {"PYTHONUTF8": "1", "COLUMNS": "80"}
Done = subprocess.CompletedProcess[str]


def run(*arguments: object, typed: str = "", cwd: Path | None = None) -> Done:
    """One command, in this process."""
    line = [str(argument) for argument in arguments]
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.chdir(cwd or Path.cwd()),
        _typing(typed),
    ):
        code = cli.run(line)
    return Done(line, code, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _typing(text: str) -> Iterator[None]:
    stdin, columns = sys.stdin, os.environ.get("COLUMNS")
    sys.stdin = io.StringIO(text)
    os.environ["COLUMNS"] = ENVIRONMENT["COLUMNS"]
    try:
        yield
    finally:
        sys.stdin = stdin
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns


def run_apart(*arguments: object, typed: str = "", cwd: Path | None = None, env: dict[str, str] | None = None) -> Done:
    """One command, in a process of its own."""
    return subprocess.run(
        [*PARLOUR, *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        cwd=cwd,
        env=os.environ | ENVIRONMENT | (env or {}),
    )


def good(*arguments: object, typed: str = "", cwd: Path | None = None) -> str:
    """What a command says that is carried out."""
    return carried_out(run(*arguments, typed=typed, cwd=cwd))


def carried_out(done: Done) -> str:
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def refused(*arguments: object, typed: str = "", cwd: Path | None = None) -> str:
    """The one line that a refusal prints."""
    return refusal(run(*arguments, typed=typed, cwd=cwd))


def refusal(done: Done) -> str:
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("parlour: ")
    return done.stderr
