"""Games for tests that compile them."""

from __future__ import annotations

import pytest

from parlour.engine import registry

# The tests of one game run in one process: there, its rules are compiled only once for all that is made of them.
EACH_GAME = [pytest.param(name, marks=pytest.mark.xdist_group(f"compiles-{name}")) for name in registry.names()]
