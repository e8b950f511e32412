"""Namespaces: what a bot starts sees no process but its own, and shares no memory with others."""

from __future__ import annotations

import os
from pathlib import Path

from parlour.bots.box.sandbox import kernel

_FLAGS = kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC


def enter() -> bool:
    """What this process starts next is in namespaces of its own, where all end with the first.

    Returns whether there is a namespace for users among them, which those who are not root need.
    """
    if os.getuid() == 0:
        try:
            kernel.unshare(_FLAGS)
        except PermissionError:  # root in a container
            pass
        else:
            return False
    user, group = os.getuid(), os.getgid()
    kernel.unshare(_FLAGS | kernel.CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    return True
