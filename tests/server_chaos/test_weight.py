"""What the server does without, so that it starts fast and stays small."""

from __future__ import annotations

import subprocess
import sys


def test_the_server_starts_without_numba() -> None:
    program = "import sys, parlour.server.app, parlour.server.telling.views; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
