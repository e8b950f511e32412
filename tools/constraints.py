"""Writes ``deploy/constraints.txt``: which version of every package goes into the container image.

    python tools/constraints.py

They are those of the environment that this runs in, which should be the one in which all tests have passed.
"""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FILE = Path(__file__).parents[1] / "deploy" / "constraints.txt"
EXTRAS = {"server", "postgres", "redis", "push"}  # as in the Dockerfile
IMAGE = {
    "python_version": "3.13",
    "python_full_version": "3.13.0",
    "sys_platform": "linux",
    "platform_machine": "x86_64",
}
# What the wheel is built with, which no environment keeps.
BUILD = {"hatchling": "1.27.0"}
HEAD = """\
# The packages of the container image, as they were tested together. Made by tools/constraints.py.
"""


def needed(name: str, extras: set[str], found: dict[str, set[str]]) -> None:
    """Note what the package needs with these extras, and what that needs in turn."""
    for line in distribution(name).requires or []:
        requirement = Requirement(line)
        marker = requirement.marker
        if marker and not any(marker.evaluate({**IMAGE, "extra": extra}) for extra in ("", *extras)):
            continue
        dependency = canonicalize_name(requirement.name)
        if dependency not in found or not requirement.extras <= found[dependency]:
            found.setdefault(dependency, set()).update(requirement.extras)
            needed(dependency, found[dependency], found)


def main() -> None:
    found: dict[str, set[str]] = {}
    needed("parlour", EXTRAS, found)
    versions = BUILD | {name: distribution(name).version for name in found}
    FILE.write_text(HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(versions.items())), "utf-8")


if __name__ == "__main__":
    main()
