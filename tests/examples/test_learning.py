"""The worked examples for learners run, in short form."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def test_the_notebook_runs() -> None:
    """Cell by cell, each ending with what it shows."""
    book, shown, names = json.loads((EXAMPLES / "notebook.ipynb").read_text("utf-8")), [], dict[str, Any]()
    for cell in (cell for cell in book["cells"] if cell["cell_type"] == "code"):
        *lines, last = ast.parse("".join(cell["source"])).body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(lines, []), "notebook", "exec"), names)
        shown.append(eval(compile(ast.Expression(last.value), "notebook", "eval"), names))
    assert "data:image/svg+xml" in shown[0]._repr_html_()
    assert shown[2]["pieces"] == (4, 34)
    assert 0.4 < shown[3] < 0.6
    assert shown[4].over
    assert shown[5] in (-1.0, 0.0, 1.0)


PAGE = (ROOT / "docs" / "environments.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.M | re.S)


def test_the_code_of_the_page_runs() -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(block.replace("8192", "64").replace("4096", "16"), names)
    assert names["rewards"].shape == (64, 2)
    assert "parlour_goose" in names["names"]


def ppo() -> ModuleType:
    pytest.importorskip("torch", reason="torch is not installed, and too large to ask for")
    spec = importlib.util.spec_from_file_location("ppo", EXAMPLES / "ppo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("game", "least"), [("connect_four", 0.78), ("verfuchst", 0.5)])
def test_ppo_learns(game: str, least: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few updates it beats random opponents more often than it did before: then it won 69% and 29%."""
    module = ppo()
    module.torch.set_num_threads(1)
    monkeypatch.setattr(module, "ROWS", 64)
    (_, won), *_ = module.train(game, 2, 0.0, updates=12)
    assert won > least
