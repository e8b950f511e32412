"""Some suites here are the short form of what benchmarks/arena does at full length, and use its parts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
