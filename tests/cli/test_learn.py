"""``parlour learn``: a lesson in the terminal."""

from __future__ import annotations

import pytest

from parlour.cli import run
from parlour.engine import registry


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the person types, line by line; after it, the input ends."""
    lines: list[str] = []

    def answer(prompt: str = "") -> str:
        print(prompt, end="")
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    return lines


@pytest.mark.parametrize("name", registry.names())
def test_every_lesson_can_be_done_in_the_terminal(
    name: str, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = registry.get(name).words.lesson
    assert lesson is not None
    for step in lesson.steps:
        typed += ["", step.do[0], ""] if len(lesson.start(0).legal()) > 1 else [step.do[0], ""]
    typed[-1] = "q"
    assert run(["learn", name]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for number, step in enumerate(lesson.steps):
        assert f"Step {number + 1} of {len(lesson.steps)}" in shown
        assert " ".join(step.then["en"].split()) in shown
        assert (f"Type: {' or '.join(step.do)}" in shown) >= step.typed
    assert "You know the game" in shown


def test_what_else_is_tried_is_answered_in_the_language(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["?", "show", "what h3", "what 5", "H0-G1", "H3-F3", "quit"]
    assert run(["learn", "choccer", "--language", "de"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Schritt 1 von 8" in shown
    assert "Versuche: H3-G3" in shown
    assert "Kreis von Schwarz. Ein Kreis zieht ein Feld" in shown, "what stands there"
    assert "Tippe what und den Namen" in shown
    assert "Das ist erlaubt. Aber alle wollen den roten Edelstein" in shown
    assert "Ein Kreis zieht ein Feld nach oben, unten, links oder rechts. (Regel 6 im Regelheft)" in shown


def test_after_the_lesson_a_match_against_the_easiest_bot(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    lesson = registry.get("goose").words.lesson
    assert lesson is not None
    typed += ["roll", ""] * len(lesson.steps)
    assert run(["learn", "goose"]) == 0
    assert "Game of the Goose, seed" in capsys.readouterr().out


def test_a_language_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["learn", "goose", "--language", "fr"]) == 2
    assert "--language takes en or de, not 'fr'" in capsys.readouterr().err
