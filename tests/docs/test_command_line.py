"""docs/command-line.md has every command, every option of it, and every default that is a number."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from parlour.cli.app import app

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text("utf-8")
SECTIONS = re.findall(r"^## parlour ([\w-]+)(.*?)\n(.*?)(?=^## |\Z)", PAGE, flags=re.M | re.S)
COMMANDS: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
OF_THEIR_OWN = {"admin"}  # docs/admin.md
OF_ALL = {"--help", "--install-completion", "--show-completion"}


def section(command: str) -> str:
    """All that the page says of a command, which may have several sections."""
    return "\n".join(title + text for name, title, text in SECTIONS if name == command)


def test_every_command_has_a_section_and_every_section_is_of_one() -> None:
    assert {name for name, _, _ in SECTIONS} == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - OF_THEIR_OWN))
def test_every_option_is_in_the_section(command: str) -> None:
    text = section(command)
    options = {option for parameter in COMMANDS[command].params for option in parameter.opts if option[:2] == "--"}
    missing = {option for option in options if not re.search(rf"(`| ){option}\b", text)}
    assert missing - OF_ALL == set()


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - OF_THEIR_OWN))
def test_every_default_that_is_a_number_is_told(command: str) -> None:
    text = section(command)
    for parameter in COMMANDS[command].params:
        value = parameter.default
        if isinstance(value, int | float) and not isinstance(value, bool):
            lines = [line for line in re.split(r"\n|(?<=\.) ", text) if f"`{parameter.opts[0]}" in line]
            told = f"{value:,g}" if isinstance(value, float) else f"{value:,}"
            assert any(re.search(rf"\b{re.escape(told)}\b", line) for line in lines), parameter.opts[0]


def test_no_option_is_told_that_is_not_there() -> None:
    everywhere = {option for command in COMMANDS.values() for option in all_options(command)}
    told = set(re.findall(r"`(--[a-z][a-z-]*)", PAGE))
    assert told - everywhere - OF_ALL == set()


def all_options(command: Any) -> set[str]:
    inner = [all_options(each) for each in getattr(command, "commands", {}).values()]
    return set().union({option for parameter in command.params for option in parameter.opts}, *inner)
