"""``parlour upgrade``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from parlour.cli.console import print_plain
from parlour.cli.settings import load_config
from parlour.server.admin import upgrade_check


def check(flags: Mapping[str, Any], file: Path | None, *, as_json: bool) -> int:
    """What this Parlour would do to the matches of a database. Nothing is changed."""
    report = upgrade_check.check(load_config(flags, file).database_url)
    if as_json:
        print(json.dumps(msgspec.to_builtins(report)))
    else:
        for line in report.lines():
            print_plain(line)
    return 0 if report.is_harmless else 1


def prepare(flags: Mapping[str, Any], file: Path | None, *, as_json: bool) -> int:
    """Draw the albums that are missing."""
    drawn, failed = upgrade_check.prepare(load_config(flags, file).database_url)
    if as_json:
        print(json.dumps({"drawn": drawn, "failed": failed}))
    else:
        print_plain(f"{drawn} albums were drawn: these matches can be seen after the upgrade, too.")
        for table_id, why in failed.items():
            print_plain(f"  {table_id}: {why}")
    return 1 if failed else 0
