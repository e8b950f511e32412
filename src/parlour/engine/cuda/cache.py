"""Kernels on disk, so that the next process need not compile them again.

They lie in the game's cache folder, whose name has a hash of the rules and of the engine: an edited rule never runs
stale. A kernel's own name has a hash of all else that it depends on. Numba's cache is of no use here: the functions
that our kernels call are made anew in every process, and so it would never find one again.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from numba import cuda

from parlour.engine.compiled.cache import home
from parlour.engine.cuda.device import is_simulated
from parlour.engine.errors import NotWritten
from parlour.engine.files import write_whole
from parlour.engine.game import Game

FOLDER = "cuda"


class KernelCache:
    """Where the forms of one kernel are kept, each for the types that it takes. Numba asks it before it compiles."""

    def __init__(self, folder: Path, name: str, constants: Mapping[str, int]) -> None:
        self.folder, self.name = folder, name
        self.cache_path = str(folder)
        self._constants = sorted(constants.items())

    def path(self, types: Any) -> Path:
        """The file for a kernel that takes these types on this kind of GPU."""
        capability = cuda.get_current_device().compute_capability
        depends_on = f"{self.name} {self._constants} {types} {tuple(capability)} {version('numba-cuda')}"
        return self.folder / f"{self._stem()}{hashlib.sha256(depends_on.encode()).hexdigest()[:16]}.kernel"

    def _stem(self) -> str:
        constants = hashlib.sha256(repr(self._constants).encode()).hexdigest()[:8]
        return f"{self.name}-{constants}-"

    def has_any(self) -> bool:
        """Whether the kernel has been compiled before, for whatever types."""
        return any(self.folder.glob(f"{self._stem()}*.kernel"))

    def load_overload(self, types: Any, target_context: Any) -> Any:
        """The kernel, ready to run; nothing where there is none, or none that works here."""
        from numba.cuda.dispatcher import _Kernel

        target_context.refresh()
        path = self.path(types)
        try:
            kernel = _Kernel._rebuild(**pickle.loads(path.read_bytes()))
            kernel.bind()
        except FileNotFoundError:
            return None
        except Exception:  # whatever a file that is damaged, or of another driver, leads to
            with suppress(OSError):
                path.unlink()
            return None
        return kernel

    def save_overload(self, types: Any, kernel: Any) -> None:
        """Keep it. Where that is impossible, it is compiled again next time."""
        from numba.cuda import serialize

        with suppress(OSError, NotWritten):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.path(types), serialize.dumps(kernel._reduce_states()))

    def flush(self) -> None:
        """Nothing is held back."""


@cache
def _folder(game: Game) -> Path:
    return home(game) / FOLDER


def keep(game: Game, constants: Mapping[str, int], **kernels: Any) -> None:
    """From here on, these kernels of the game are taken from the disk, and kept there."""
    if not is_simulated():
        for name, kernel in kernels.items():
            kernel._cache = KernelCache(_folder(game), name, constants)


def is_warm(kernel: Any) -> bool:
    """Whether a kernel is there in a moment."""
    return bool(kernel.overloads) or kernel._cache.has_any()
