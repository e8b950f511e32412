"""What a release is made by: workflows and forms name what is there, and versions agree."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import parlour

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_there_is(workflow: Path) -> None:
    commands = "\n".join(step.get("run", "") for step in steps(workflow))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.M))
    assert set(re.findall(r"\bmake ([a-z]+)", commands)) <= targets
    programs = re.findall(r"\btools/\w+", commands)
    assert all(os.access(ROOT / program, os.X_OK) for program in programs)
    assert all((ROOT / path).exists() for path in re.findall(r"\btests/[\w/.]+", commands))
    assert programs or "make" in commands


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_do_no_more_than_it_needs(workflow: Path) -> None:
    """And what it uses of others has a version."""
    assert yaml.safe_load(workflow.read_text("utf-8"))["permissions"] == {"contents": "read"}
    assert all(re.search(r"@(v\d+|release/v\d+)$", step["uses"]) for step in steps(workflow) if "uses" in step)


def test_every_version_of_python_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / ".github/workflows/test.yml").read_text("utf-8")
    tested = {*re.findall(r'"(3\.\d+)"', text), *re.findall(r"image: python:(3\.\d+)-", text)}
    least = project["requires-python"].removeprefix(">=")
    assert tested == {f"3.{minor}" for minor in range(int(least.partition(".")[2]), 15)}


def test_whoever_cites_it_names_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(cited["version"]) == parlour.__version__
    assert cited["license"] == "MIT"


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_what_helps(form: Path) -> None:
    asked = yaml.safe_load(form.read_text("utf-8"))
    ids = [part["id"] for part in asked["body"]]
    assert asked["name"]
    assert asked["description"]
    assert len(set(ids)) == len(ids)
    assert any(part.get("validations", {}).get("required") for part in asked["body"])
