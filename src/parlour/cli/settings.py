"""The settings of a server, for commands that work on its database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parlour.cli.console import err, print_plain
from parlour.server.basics.config import Config, load_all


def load_config(flags: Mapping[str, Any], file: Path | None) -> Config:
    """The settings. Where the environment names another database than the file that was asked for, that is said."""
    config, overruled = load_all(flags, file)
    if flags.get("database") is None:
        for sentence in overruled:
            if sentence.startswith("database"):
                print_plain(sentence, "yellow", to=err)
    return config
