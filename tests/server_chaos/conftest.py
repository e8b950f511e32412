"""The suite here is the short form of benchmarks/server/chaos.py, and uses its parts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
