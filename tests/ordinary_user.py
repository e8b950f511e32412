"""Runs a command as an ordinary user, from a suite that runs as root: ``python ordinary.py COMMAND ...``.

Where Python is installed in a folder that only root can enter, that folder is replaced, for this process and what it
starts, by one that holds nothing but Python.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from parlour.bots.box.sandbox import kernel

USER = 54321  # nobody on any system


def main() -> None:
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    prefix = Path(sys.base_prefix)
    for folder in reversed(prefix.parents):
        if not folder.stat().st_mode & 0o001:
            _uncover(prefix, folder)
            break
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)
    os.execvp(sys.argv[1], sys.argv[1:])


def _uncover(prefix: Path, folder: Path) -> None:
    """Put an empty folder over ``folder``, with only ``prefix`` in it."""
    with tempfile.TemporaryDirectory() as aside:
        kernel.mount(str(prefix), aside, flags=kernel.MS_BIND)
        kernel.mount("tmpfs", str(folder), "tmpfs", options="mode=755")
        prefix.mkdir(parents=True)
        kernel.mount(aside, str(prefix), flags=kernel.MS_BIND)
        kernel.unmount(aside)


if __name__ == "__main__":
    main()
