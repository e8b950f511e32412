"""A suite here is the short form of what benchmarks/bots does at full length, and uses its parts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
