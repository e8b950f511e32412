"""For all tests, and for all that they start: set before anything of it is loaded."""

import gc
import os

# Tests run beside each other, one for every core: the threads of linear algebra would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Thousands of tests and the libraries under them are a million objects. To look through all of them takes a second,
# and as Python is set, that happens again and again.
gc.set_threshold(700, 10, 100)


def pytest_collection_finish() -> None:
    """What has been loaded for the tests stays until the end: nobody need look for garbage in it."""
    gc.collect()
    gc.freeze()
