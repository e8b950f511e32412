"""Makes the browser's pages part of every wheel and every source archive, or says in one line why it cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src", "parlour", "server", "web", "index.html")


class CustomBuildHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable install has the pages where ``tools/web`` puts them, now or later."""
        root = Path(self.root)
        if version == "editable" or ((root / PAGE).is_file() and not (root / ".git").exists()):
            return
        built = subprocess.run(["sh", "tools/web"], cwd=root, stdout=sys.stderr, check=False)
        if built.returncode or not (root / PAGE).is_file():
            sys.exit(
                "parlour: nothing was built, for its pages are missing: they need Node.js 20.19 or newer to be made"
            )
