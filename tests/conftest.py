"""For all tests, and for all that they start: set before anything of it is loaded."""

import gc
import logging
import os
import re
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator

import pytest

# Tests run beside each other on all cores: the threads of linear algebra would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# As Python is set, it would look for garbage in everything again and again. With all tests and the libraries under
# them loaded, each time takes a second.
gc.set_threshold(700, 10, 100)


# Where single tests take long: they come first of those that share nothing, so that no core waits for them in the end.
LONG = ("tests/server_chaos/", "tests/server_abuse/", "tests/bots/box/test_as_an_ordinary_user.py", "tests/arena/")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share what their module makes once, such as a server, run in one process: else each would make it.

    pytest-xdist begins with the largest groups, and else keeps to the order.
    """
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    for item in items:
        found = getattr(item, "_fixtureinfo", None)
        fixtures = [] if found is None else [each[-1] for each in found.name2fixturedefs.values()]
        is_shared = any(fixture.scope == "module" for fixture in fixtures)
        if is_shared and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(re.sub(r"\W", "-", item.nodeid.partition("::")[0])))


@pytest.fixture(autouse=True)
def same_logs() -> Iterator[None]:
    """A command that sets up the log of its own process leaves no other behind: the test's output is closed by then."""
    root, before = logging.getLogger(), logging.getLogger().handlers[:]
    hooks, details = (sys.excepthook, threading.excepthook), (logging._srcfile, logging.logThreads)
    yield
    for handler in root.handlers[:]:
        if handler not in before:
            root.removeHandler(handler)
    (sys.excepthook, threading.excepthook), (logging._srcfile, logging.logThreads) = hooks, details
    logging.captureWarnings(False)


@pytest.fixture(autouse=True)
def same_games() -> Iterator[None]:
    """A folder that a command has added in this process is there for that test alone: processes are told of it, too.

    Its modules stay: other tests have imported the same ones.
    """
    before = os.environ.get("PARLOUR_FOLDERS")
    yield
    if os.environ.get("PARLOUR_FOLDERS") != before:
        from parlour.engine import registry

        os.environ.pop("PARLOUR_FOLDERS", None)
        if before is not None:
            os.environ["PARLOUR_FOLDERS"] = before
        registry.forget()


def pytest_collection_finish() -> None:
    """What has been loaded for the tests stays until the end: nobody need look for garbage in it."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """With ``-n auto``, two tests run on each core: they wait for half of their time, for servers and browsers."""
    from parlour.engine.cores import available_cores  # loads numpy

    return 2 * len(available_cores())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test is remembered by its own name. xdist adds its group, and then ``--last-failed`` would not find it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        report.nodeid = re.sub(r"@[\w-]+$", "", report.nodeid)


MANY = 30  # files of tests: whoever runs fewer knows what they wait for


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Where the time of a whole run went, file by file: the slowest tests alone do not show it."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    spent: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        if isinstance(report, pytest.TestReport):
            spent[report.nodeid.partition("::")[0]] += report.duration
    if len(spent) >= MANY:
        terminalreporter.section("slowest files")
        for file in sorted(spent, key=lambda file: -spent[file])[:20]:
            terminalreporter.write_line(f"{spent[file]:.0f}s {file}")
