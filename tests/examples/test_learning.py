"""The worked examples for learners run, in short form."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour

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


@pytest.mark.parametrize(("game", "least"), [("connect_four", 0.8), ("verfuchst", 0.55)])
def test_ppo_learns(game: str, least: float) -> None:
    """After a few updates it beats random opponents more often than it did before: then it won 74% and 46%."""
    command = [sys.executable, str(EXAMPLES / "ppo.py"), game, "--rows", "64", "--updates", "12"]
    one_thread = os.environ | {
        "OPENBLAS_NUM_THREADS": "1"
    }  # more would wait for each other, as the tests use all cores
    done = subprocess.run(command, env=one_thread, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = re.fullmatch(r" +end +49,152 steps +(\S+)% won\n", done.stdout)
    assert told, done.stdout
    assert float(told[1]) / 100 > least


def test_the_gradient_of_ppo_is_that_of_its_loss() -> None:
    """In all directions that it can take: clipped or not, legal or not."""
    ppo: Any = runpy.run_path(str(EXAMPLES / "ppo.py"))
    rng, rows, actions = np.random.default_rng(0), 40, 5
    out, mask = rng.standard_normal((rows, actions + 1)), rng.random((rows, actions)) < 0.7
    action = rng.integers(actions, size=rows)
    mask[np.arange(rows), action] = True
    before, gain, aim = rng.standard_normal(rows) - 1.5, rng.standard_normal(rows), rng.standard_normal(rows)

    def loss(out: Any) -> Any:
        likely = ppo["log_softmax"](out[:, :-1], mask)
        ratio = np.exp(likely[np.arange(rows), action] - before)
        clipped = np.minimum(ratio * gain, np.clip(ratio, 1 - ppo["CLIP"], 1 + ppo["CLIP"]) * gain)
        entropy = -(np.exp(likely) * likely).sum(axis=1)
        return -clipped + ppo["VALUE"] * (out[:, -1] - aim) ** 2 - ppo["ENTROPY"] * entropy

    slope = ppo["slope"](out, mask, action, before, gain, aim)
    for column in range(actions + 1):
        step = np.zeros_like(out)
        step[:, column] = 1e-5
        assert slope[:, column] == pytest.approx((loss(out + step) - loss(out - step)) / 2e-5, abs=1e-4)


def test_what_was_done_before_a_match_was_cut_is_not_known() -> None:
    """The next position of that row is another match's, and says nothing of what came before."""
    ppo: Any = runpy.run_path(str(EXAMPLES / "ppo.py"))
    batch = parlour.Batch("connect_four", 2, seed=1, auto_reset=True)
    steps = ppo["Steps"](batch)
    steps.seat[:] = np.arange(ppo["STEPS"])[:, None] % 2
    steps.cut[11, 0] = True  # after what seat 1 did in step 11
    _, sure = steps.advantages(batch, ppo["Player"](batch.game, np.random.default_rng(0)))
    assert list(np.flatnonzero(~sure[:, 0])) == [10, 11, 63]
    assert list(np.flatnonzero(~sure[:, 1])) == [63]
