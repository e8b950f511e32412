"""The benchmark: how fast the games are, beside the same rules in C and beside other engines.

Whatever is compared runs in turns within one run, several times, and the median of the ratios counts: the machine
may be busy with other things, but it is so for both sides.
"""

from benchmarks.engine.report import Line, Report
from benchmarks.engine.suite import run

__all__ = ["Line", "Report", "run"]
