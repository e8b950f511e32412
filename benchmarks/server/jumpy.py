"""``parlour`` with a clock that jumps: the file named first says by how many seconds it is wrong.

Only the time of day jumps, as it does when somebody sets a machine's clock; the monotonic clock runs on.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from parlour.cli import main


def jump(file: Path) -> None:
    """From now on, the time of day is wrong by what the file says."""
    right = time.time
    time.time = lambda: right() + float(file.read_text() or 0)


if __name__ == "__main__":
    jump(Path(sys.argv.pop(1)))
    main()
