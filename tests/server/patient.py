"""``parlour`` whose workers wait for each other for as long as tests do: then it is exact which of them answers.

They usually wait for a moment only, and whoever has a connection answers it, wherever its table belongs: on a busy
machine that is common, and as it should be.
"""

from __future__ import annotations

from parlour.cli import main
from parlour.server.cluster import handover, placement

handover.TAKEN_WITHIN = placement.LATE = 60.0  # seconds; here, since each worker loads this module anew

if __name__ == "__main__":
    main()
