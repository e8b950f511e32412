"""``parlour serve`` and ``parlour migrate``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from parlour.cli import options
from parlour.cli.console import print_plain
from parlour.cli.settings import load_config
from parlour.server import serve as serving
from parlour.server.basics.config import load_all


def serve(asked: options.Serve) -> int:
    flags = asdict(asked)
    flags.pop("games")  # they have been found, and can be played
    return serving.serve(*load_all(flags, flags.pop("config")))


def migrate(flags: Mapping[str, Any], file: Path | None) -> None:
    serving.migrate(load_config(flags, file))
    print_plain("The database is up to date.")
