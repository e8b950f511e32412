"""Runs a command: whatever goes wrong is told in one line, with exit code 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from typer.exceptions import Exit, TyperException

from parlour.engine.errors import ParlourError
from parlour.engine.extras import explain
from parlour.engine.printable import printable

TROUBLE = 2
INTERRUPTED = 130


def run(app: Callable[..., Any], name: str, arguments: list[str]) -> int:
    """Run one command of that program; returns the exit code."""
    try:
        result = app(arguments, prog_name=name, standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except Exit as exit:
        return exit.exit_code
    except TyperException as error:
        return _complain(name, error.format_message())
    except ParlourError as error:
        return _complain(name, str(error))
    except ModuleNotFoundError as error:
        missing = explain(error)
        if missing is error:
            raise
        return _complain(name, str(missing))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left; without this, Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a full disk, a folder that is gone
        return _complain(name, f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")


def _complain(name: str, message: str) -> int:
    line = " ".join(message.split())
    print(f"{name}: {printable(line)}", file=sys.stderr)
    return TROUBLE
