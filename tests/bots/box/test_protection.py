"""``protection`` says what holds here and now, because it was tried."""

from __future__ import annotations

import os

import pytest

from boxes import Make, fault
from parlour.bots.box import protection
from parlour.bots.box.sandbox import CAPABILITIES, LANDLOCK, LAYERS, MOUNTS, NAMESPACES, SECCOMP, kernel, landlock

SIMPLE = "def choose(decision): return decision.legal[0]"


def offers_all() -> bool:
    """Whether this kernel gives the user all that full protection needs."""
    child = os.fork()
    if child == 0:
        try:
            flags = kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | (kernel.CLONE_NEWUSER if os.getuid() else 0)
            kernel.unshare(flags)
            kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and landlock.version() > 0


def test_it_is_full_where_the_kernel_offers_all() -> None:
    if not offers_all():
        pytest.skip("this system has no namespaces for this user, or no Landlock")
    assert str(protection()) == "full protection"
    open_to = {name for name, (holds, _) in protection(program=True).items.items() if not holds}
    assert open_to <= {"memory", "number of tasks"}


@pytest.mark.parametrize(
    ("without", "lost"),
    [
        ((SECCOMP,), ["attributes of files", "shared memory and messages", "new processes", "work while not asked"]),
        ((MOUNTS,), ["names of files", "disk"]),
        ((NAMESPACES,), ["names of files", "disk"]),
        ((CAPABILITIES,), ["privileges"]),
        ((MOUNTS, LANDLOCK), ["files", "names of files", "disk"]),
    ],
    ids=str,
)
def test_a_layer_that_is_missing_is_told(make: Make, without: tuple[str, ...], lost: list[str]) -> None:
    if protection().level != "full":
        pytest.skip(str(protection()))
    found = make(SIMPLE, without=without).protection
    told = [name for name, (holds, _) in found.items.items() if not holds]
    assert set(lost) <= set(told)
    assert str(found) == f"partial protection; not held off: {', '.join(told)}"


def test_without_any_layer_the_statuses_are_the_same(make: Make) -> None:
    """Crash-only protection still is protection from crashes."""
    bare = {"without": LAYERS}
    assert make(SIMPLE, **bare).protection.level == "crash-only"
    for deed, status in {
        "import os; os._exit(1)": "crashed",
        "import os, time; os.kill(os.getppid(), 9); time.sleep(60)": "crashed",
        "import ctypes; ctypes.string_at(0)": "crashed",
        "return bytearray(1 << 40)": "memory",
        "return -1": "illegal",
        "while True: pass": "timeout",
        "while True: print('x' * 1000)": "output",
    }.items():
        assert fault(make(f"def choose(decision):\n    {deed}", **bare)).status == status, deed
