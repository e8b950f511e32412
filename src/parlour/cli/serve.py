"""``parlour serve`` and ``parlour migrate``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parlour.cli.console import print_plain
from parlour.cli.settings import settled
from parlour.server import serve as serving
from parlour.server.config import settle_all


def serve(flags: Mapping[str, Any], file: Path | None) -> int:
    return serving.serve(*settle_all(flags, file))


def migrate(flags: Mapping[str, Any], file: Path | None) -> None:
    serving.migrate(settled(flags, file))
    print_plain("The database is up to date.")
