"""For all tests, and for all that they start: set before anything of it is loaded."""

import gc
import os
import re

import pytest

# Tests run beside each other on all cores: the threads of linear algebra would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# As Python is set, it would look for garbage in everything again and again. With all tests and the libraries under
# them loaded, each time takes a second.
gc.set_threshold(700, 10, 100)


def pytest_collection_finish() -> None:
    """What has been loaded for the tests stays until the end: nobody need look for garbage in it."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """With ``-n auto``, three tests run on two cores: each waits a good part of its time, for servers and browsers."""
    from parlour.engine.cores import available_cores  # loads numpy

    return 3 * len(available_cores()) // 2


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test is remembered by its own name. xdist adds its group, and then ``--last-failed`` would not find it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        report.nodeid = re.sub(r"@[\w-]+$", "", report.nodeid)
