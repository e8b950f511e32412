"""For all tests, and for all that they start: set before anything of it is loaded."""

import os

# Tests run beside each other, one for every core: the threads of linear algebra would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
