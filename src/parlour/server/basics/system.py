"""What the system grants a server: one SQLite file for itself, and as many open files as there are to be had."""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import os
import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlalchemy import URL

from parlour.server.basics import address as addresses
from parlour.server.basics.errors import BadConfiguration

try:
    import fcntl
    import resource
except ImportError:  # Windows has neither such locks nor such a limit; there, nobody stops a second server
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

IN_USE = "in-use"  # the file whose lock says that a folder is used
ENOUGH_FILES = 65_536
STANDARD_ERROR = 2
EVERYWHERE = ("0.0.0.0", "::")
ELSEWHERE = ("192.0.2.1", 9)  # an address of no machine: nothing is sent there
SHOWS_STACKS = "shows-stacks-"  # how the names of files begin by which workers say that they do


@contextlib.contextmanager
def sole_user(address: str) -> Iterator[None]:
    """Holds a lock beside an SQLite file, which the system lets go of however this process ends."""
    file = sqlite_file(address)
    if file is None or not HAS_LOCKS:
        yield
        return
    beside = file.with_name(f"{file.name}.lock")
    with contextlib.ExitStack() as stack:
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(beside, os.O_CREAT | os.O_RDWR, 0o600)
            stack.callback(os.close, lock)
            give_to_service(beside)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadConfiguration(
                f"another server uses {file} already: stop it first, or give this one a --database of its own"
            ) from error
        except OSError as error:
            raise BadConfiguration(f"{beside} cannot be used: {error.strerror}") from error
        yield


def give_to_service(file: Path) -> None:
    """What root makes in somebody's folder becomes theirs: a service that runs as they do has to be able to use it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        folder = file.parent.stat()
        os.chown(file, folder.st_uid, folder.st_gid)


@contextlib.contextmanager
def marked_as_used(folder: Path) -> Iterator[None]:
    """Holds a lock in a folder for as long as this process lives, however it ends."""
    if not HAS_LOCKS:
        yield
        return
    lock = os.open(folder / "new", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "new").rename(folder / IN_USE)  # nobody ever sees it without its lock
        yield
    finally:
        os.close(lock)


def remove_left_behind(where: Path, beginning: str) -> None:
    """Remove folders that were marked as used by processes which have ended without tidying up, as by kill -9."""
    for mark in where.glob(f"{beginning}*/{IN_USE}") if HAS_LOCKS else ():
        with contextlib.suppress(OSError):  # somebody else's, or in use, or gone already
            lock = os.open(mark, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(mark.parent)
            finally:
                os.close(lock)


def sqlite_address(file: Path) -> str:
    """The address of a database in this file, whatever its name: some characters have a meaning in addresses."""
    try:
        return str(URL.create("sqlite", database=str(file)))
    except UnicodeEncodeError as error:
        raise BadConfiguration(
            f"{file} cannot be a database: there are characters in its name that are not text"
        ) from error


def sqlite_file(address: str) -> Path | None:
    """The file itself, by whatever name it was given."""
    url = addresses.read(address)
    named = url.database or ""
    if url.get_backend_name() != "sqlite" or not named or ":memory:" in named:
        return None
    return Path(named).resolve()


def end_with_parent() -> None:
    """Have a worker stop, as if it were told to, when the process ends that started it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_outlive, args=(parent,), name="parent", daemon=True).start()


def stop_server() -> None:
    """As if somebody had told it to: this process, or the one that started it along with others."""
    parent = multiprocessing.parent_process()
    os.kill(os.getpid() if parent is None or parent.pid is None else parent.pid, signal.SIGTERM)


def _outlive(parent: BaseProcess) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def show_stacks_when_asked(folder: Path, *, and_of_workers: bool = False) -> None:
    """From now on SIGUSR1 has this process write where each of its threads is, even if it is stuck.

    Until then the signal would end it, so it says in the folder that it is as far. ``and_of_workers``: it then asks
    those of the processes that it has started which have said so, too.
    """
    if not hasattr(faulthandler, "register"):  # Windows has no such signal
        return
    if and_of_workers:
        signal.signal(signal.SIGUSR1, lambda *_: _ask_workers(folder))
    faulthandler.register(signal.SIGUSR1, file=STANDARD_ERROR, all_threads=True, chain=and_of_workers)
    (folder / f"{SHOWS_STACKS}{os.getpid()}").touch()


def _ask_workers(folder: Path) -> None:
    for worker in multiprocessing.active_children():
        if (folder / f"{SHOWS_STACKS}{worker.pid}").exists() and worker.pid is not None:
            os.kill(worker.pid, signal.SIGUSR1)


def reached_at(host: str) -> str:
    """The host as it stands in a link for other machines, where a server listens there; empty if none is found."""
    found = _own_address() if host in EVERYWHERE else host
    return f"[{found}]" if ":" in found else found


def _own_address() -> str:
    """The address of this machine, as other machines see it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)
        return str(probe.getsockname()[0])
    return ""


def raise_file_limit() -> int:
    """Have this process, and those that it starts, open as many files as they may; returns how many."""
    if not HAS_LOCKS:
        return ENOUGH_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH_FILES if hard == resource.RLIM_INFINITY else min(hard, ENOUGH_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return ENOUGH_FILES if soft == resource.RLIM_INFINITY else soft
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
