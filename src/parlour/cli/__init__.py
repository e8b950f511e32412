"""The command line. Everything that goes wrong ends here, in one line and exit code 2."""

from __future__ import annotations

import os
import sys

TROUBLE = 2
INTERRUPTED = 130


def main() -> None:
    """The console script ``parlour``."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    from typer.exceptions import Exit, TyperException

    from parlour.cli.app import app
    from parlour.engine.errors import ParlourError

    try:
        result = app(arguments, prog_name="parlour", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except Exit as exit:
        return exit.exit_code
    except TyperException as error:
        return _complain(str(getattr(error, "format_message", error.__str__)()))
    except ParlourError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left; without this, Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _complain(message: str) -> int:
    line = " ".join(message.split())
    print(f"parlour: {line}", file=sys.stderr)
    return TROUBLE
