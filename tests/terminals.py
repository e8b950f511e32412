"""``parlour play`` as a person runs it: typed into a pipe, and typed into a terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time

PARLOUR = [sys.executable, "-c", "from parlour.cli import main; main()"]
PATIENCE = 60.0  # seconds: a search may have to be compiled for a hint


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PARLOUR, "play", *arguments], input=typed, capture_output=True, text=True, encoding="utf-8", timeout=120
    )


def good(*arguments: str, typed: str = "") -> str:
    done = run(*arguments, typed=typed)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


class Terminal:
    """Somebody at a terminal: types, and looks for words."""

    def __init__(self, *arguments: str, command: str = "play") -> None:
        self.seen = ""
        self._looked = 0
        main, other = pty.openpty()
        self.process = subprocess.Popen(
            [*PARLOUR, command, *arguments], stdin=other, stdout=other, stderr=other, close_fds=True
        )
        os.close(other)
        self._fd = main

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._fd)

    def type(self, line: str) -> None:
        os.write(self._fd, f"{line}\n".encode())

    def sees(self, words: str) -> str:
        """Wait for the words to appear after what was seen before; returns what appeared up to them."""
        end = time.monotonic() + PATIENCE
        while (found := self.seen.find(words, self._looked)) < 0:
            assert time.monotonic() < end, f"{words!r} does not appear; there is: {self.seen[self._looked :]}"
            if select.select([self._fd], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self._fd, 65536).decode("utf-8", "replace")
                except OSError as error:
                    raise AssertionError(f"it has ended without {words!r}: {self.seen[self._looked :]}") from error
        shown = self.seen[self._looked : found + len(words)]
        self._looked = found + len(words)
        return shown

    def ends(self) -> int:
        return self.process.wait(PATIENCE)
