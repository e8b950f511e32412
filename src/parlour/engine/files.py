"""Files that are written whole or not at all: beside their place, onto the disk, and only then under their name."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from parlour.engine.errors import NotWritten


def write_whole(
    path: str | Path,
    data: bytes | str,
    *,
    overwrite: bool = True,
    private: bool = False,
    follow_links: bool = True,
) -> None:
    """Write a file, whole or not at all; text in UTF-8. Raises NotWritten."""
    try:
        content = data.encode() if isinstance(data, str) else data
    except UnicodeEncodeError as error:
        raise NotWritten(f"{path} cannot be written: there are characters in it that are not text") from error
    with written_whole(path, overwrite=overwrite, private=private, follow_links=follow_links) as beside:
        beside.write_bytes(content)


@contextmanager
def written_whole(
    path: str | Path, *, overwrite: bool = True, private: bool = False, follow_links: bool = True
) -> Iterator[Path]:
    """A new file to write to, beside the one that is meant; it takes that one's place when this ends well.

    Where it does not end well, what was there before stays, and NotWritten says why. The file has the permissions of
    the one that it replaces, or those of any new file; if root does this, it stays its owner's. With ``private`` it is
    whoever's who writes it, and theirs alone. Where the name is a link, the file that it leads to is replaced, or the
    link itself without ``follow_links``. What is no file, such as a terminal or a pipe, is written to as it is.
    """
    try:
        target, there = _place(Path(path), overwrite=overwrite, follow_links=follow_links)
        if target is None:
            yield Path(path)
            return
        beside = _new_beside(target, 0o600 if private else there and stat.S_IMODE(there.st_mode))
        try:
            if there is not None and not private:
                _give(beside, there)
            yield beside
            _onto_disk(beside)
            _put(beside, target, overwrite=overwrite)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
    except OSError as error:
        raise NotWritten(_why(Path(path), error)) from error


def check_place(path: str | Path, *, overwrite: bool = True) -> None:
    """Before long work begins: raise NotWritten where its result could not be written."""
    try:
        target, _ = _place(Path(path), overwrite=overwrite, follow_links=True)
        if target is not None:
            _new_beside(target, 0o600).unlink()
    except OSError as error:
        raise NotWritten(_why(Path(path), error)) from error


def read_file(path: str | Path, most: int | None = None) -> bytes:
    """The content of a file, or one byte more than ``most`` of it where it is longer. Raises OSError, and never waits.

    Only of a file on a disk: what a pipe or a device has to say may never come, or never end.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError:
        raise OSError(errno.EINVAL, "that is no name of a file") from None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not an ordinary file")
        return file.read() if most is None else file.read(most + 1)


def sync_folder(folder: Path) -> None:
    """Have the names of the files in it on the disk. Some systems cannot: there, a power cut may take a name back."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _place(path: Path, *, overwrite: bool, follow_links: bool) -> tuple[Path | None, os.stat_result | None]:
    """Where the file will be, and what is known of the one that is there; no place for what is no file."""
    if not overwrite and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    target = Path(os.path.realpath(path)) if follow_links else path
    try:
        # Not of the target: so the system can refuse to follow a link that somebody else has laid.
        there = path.stat(follow_symlinks=follow_links)
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISLNK(there.st_mode):
        return target, None
    if not stat.S_ISREG(there.st_mode):
        return None, None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target, there


def _new_beside(target: Path, mode: int | None) -> Path:
    """An empty file of that mode in the same folder, hidden, under a name that nobody else has."""
    beside = target.with_name(f".{target.name[:60]}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if mode is None else 0o600))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise OSError(error.errno, f"no file can be made in {target.parent}: {error.strerror}") from error
    if mode is not None:
        beside.chmod(mode)
    return beside


def _give(beside: Path, there: os.stat_result) -> None:
    """What root writes in the place of somebody's file is theirs: they have to be able to read it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        os.chown(beside, there.st_uid, there.st_gid)


def _onto_disk(file: Path) -> None:
    with file.open("r+b") as written:
        os.fsync(written.fileno())


def _put(beside: Path, target: Path, *, overwrite: bool) -> None:
    """Give the file its name."""
    if overwrite:
        beside.replace(target)
    else:
        _put_new(beside, target)
    sync_folder(target.parent)


def _put_new(beside: Path, target: Path) -> None:
    """The same, unless somebody has taken the name meanwhile."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except OSError as error:  # a disk without such links
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        beside.replace(target)


def _why(path: Path, error: OSError) -> str:
    if isinstance(error, FileExistsError):
        return f"{path} exists already: nothing was written"
    if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
        return f"the folder {path.parent} does not exist: nothing was written"
    return f"{path} cannot be written: {error.strerror or error}"
