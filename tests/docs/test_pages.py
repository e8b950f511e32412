"""All pages: every link leads to a file and to a heading that are there, and the index knows every page."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *(ROOT / "src").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page end in; where two headings are the same, the second is told apart."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), flags=re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w -]", "", words).strip().lower().replace(" ", "-")
        found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    astray = []
    for link, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", prose(page)):
        if link.startswith(("http:", "https:")):
            continue
        target = page.parent / link if link else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            astray.append(f"{link}#{anchor}" if anchor else link)
    assert astray == []


def test_the_index_has_every_page() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| \[[^\]]+\]\((\w[\w-]*\.md)\) \|", index, flags=re.M)
    assert sorted(listed) == sorted(page.name for page in DOCS.glob("*.md") if page.name != "README.md")
    assert "docs/README.md" in (ROOT / "README.md").read_text("utf-8")


def test_the_parts_of_the_built_in_games_are_told() -> None:
    games = [folder for folder in (ROOT / "src" / "parlour" / "games").iterdir() if (folder / "__init__.py").is_file()]
    parts = [{path.name.removesuffix(".py") for path in game.iterdir()} - {"__init__", "__pycache__"} for game in games]
    in_all = {name for name in set.intersection(*parts) if not name.endswith((".md", ".po"))}
    in_some = {name for name in set.union(*parts) - in_all if "." not in name}
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (row,) = re.findall(r"^\| `src/parlour/games/<game>/` \|(.*?)\|", contributing, flags=re.M)
    same, some = row.split("some also have")
    assert set(re.findall(r"`([\w.]+)`", same)) == in_all
    assert set(re.findall(r"`([\w.]+)`", some)) == in_some
    page = (DOCS / "write-a-game.md").read_text("utf-8")
    (told,) = re.findall(r"all have the same files: (.*?) becomes a folder", page, re.S)
    assert set(re.findall(r"`([\w.]+)`", told)) == {*in_all, "__init__", "Game", "bots"}
    assert [game.name for game, names in zip(games, parts, strict=True) if "bots" not in names] == ["goose"]
