"""The command line: ``app`` declares the commands, and each does its work in a module of its own."""

from __future__ import annotations

import sys


def main() -> None:
    """The console script ``parlour``."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    from parlour.cli import boundary
    from parlour.cli.app import app

    return boundary.run(app, "parlour", arguments)
