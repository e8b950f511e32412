"""How these pages become a site: ``make docs``. They are written to be read as they are, too."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from textwrap import indent
from typing import Any

import parlour

project = "Parlour"
author = "The Parlour contributors"
copyright = f"2026, {author}"
version = release = parlour.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
root_doc = "README"
exclude_patterns = ["images/**"]

html_theme = "furo"
html_title = f"Parlour {release}"
html_favicon = "../web/public/favicon.svg"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#7a4516", "color-brand-content": "#7a4516"},
    "dark_css_variables": {"color-brand-primary": "#e8b36a", "color-brand-content": "#e8b36a"},
}
html_show_sphinx = False
html_copy_source = False

myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 6

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

# The four kinds of pages, for whoever looks for one: to learn, to get something done, to look things up, to understand.
KINDS = {
    "To learn": ["site/readme", "write-a-game", "site/agents", "secrets", "bots", "models", "train"],
    "To get something done": [
        "page",
        "browser",
        "server",
        "admin",
        "host-your-game",
        "arena",
        "client",
        "environments",
        "game17",
    ],
    "To look things up": [
        "command-line",
        "game-reference",
        "kit",
        "match",
        "site/api/index",
        "observations",
        "protocol",
        "replays",
    ],
    "To understand": ["fair-dice", "security", "strength", "load", "scale", "site/contributing", "site/changelog"],
}
TREE = "\n```{{toctree}}\n:hidden:\n:caption: {kind}\n\n{pages}\n```\n"
# What stands beside the documents has no page here: its path is told, as code.
COLUMNS = re.compile(r"^\s*\S.*? {3,}\S", re.M)
BESIDE = re.compile(r"\[([^\]]+)\]\(\.\./(?!README|CHANGELOG|CONTRIBUTING|AGENTS)([^)]+)\)")


def add_navigation(app: Any, page: str, source: list[str]) -> None:
    """The index gets the tree of all pages, which whoever reads the file itself does not miss."""
    above = re.compile(r"\]\(\.\./(README|CHANGELOG|CONTRIBUTING|AGENTS)\.md")
    text = above.sub(lambda link: f"](site/{link[1].lower()}.md", source[0])
    if "/" not in page:
        text = BESIDE.sub(r"\1 (`\2`)", text)
    if page == root_doc:
        text = re.sub(r"\[([\w-]+\.md)\]\(\1\)", r"[](\1)", text)  # by their titles
        text += "".join(TREE.format(kind=kind, pages="\n".join(pages)) for kind, pages in KINDS.items())
    source[0] = text


def add_included(app: Any, page: str, parent: Path, source: list[str]) -> None:
    """The same for the files beside the documents, which are pages here."""
    text = re.sub(r"\]\((README|CHANGELOG|CONTRIBUTING|AGENTS)\.md", lambda link: f"]({link[1].lower()}.md", source[0])
    source[0] = re.sub(r"\[([^\]]+)\]\(((?:src|examples|deploy|SECURITY)[^)]*)\)", r"\1 (`\2`)", text)


def keep_columns(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text: what stands in columns there stays in columns."""
    paragraphs = "\n".join(lines).split("\n\n")
    kept = ["::\n\n" + indent(text, "    ") if COLUMNS.search(text) else text for text in paragraphs]
    lines[:] = "\n\n".join(kept).split("\n")


def add_front_page(app: Any, error: Exception | None) -> None:
    """Whoever asks for the folder gets the index."""
    if error is None and app.builder.name == "html":
        shutil.copy(Path(app.outdir, "README.html"), Path(app.outdir, "index.html"))


def setup(app: Any) -> None:
    app.connect("source-read", add_navigation)
    app.connect("include-read", add_included)
    app.connect("autodoc-process-docstring", keep_columns)
    app.connect("build-finished", add_front_page)
