"""The documentation as a site: every public name has its place there, and what the pages of names show runs."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

SITE = Path(__file__).parents[2] / "docs" / "site"
NAMES = SITE / "api"
PACKAGES = re.findall(r"^\| \[([\w.]+)\]\(", (NAMES / "index.md").read_text("utf-8"), flags=re.M)


def page_of(package: str) -> str:
    return (NAMES / f"{package.rpartition('.')[2]}.md").read_text("utf-8")


def test_there_is_a_page_for_each_package_that_says_what_is_public() -> None:
    assert {f"{package.rpartition('.')[2]}.md" for package in PACKAGES} | {"index.md"} == {
        page.name for page in NAMES.iterdir()
    }
    assert all(importlib.import_module(package).__all__ for package in PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_stands_on_its_page(package: str) -> None:
    page = page_of(package)
    told = set(re.findall(r"^\.\. (?:auto\w+|data):: (\w+)", page, flags=re.M)) | set(re.findall(r"`(\w+)`", page))
    if f"automodule:: {package}" in page:
        return  # all of them
    assert set(importlib.import_module(package).__all__) <= told


@pytest.mark.parametrize("package", PACKAGES)
def test_what_the_page_shows_runs(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    for block in re.findall(r"^```python\n(.*?)^```$", page_of(package), flags=re.M | re.S):
        exec(compile(block, package, "exec"), {"__name__": "shown"})
        assert capsys.readouterr().out.strip() or "print" not in block
