"""A language model at a server's table: it is told the story of the table as the server tells it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripted_models import program
from serving import Server, until
from terminals import Terminal


def test_a_model_plays_a_person_at_a_server(
    server: Server, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the log is written there
    folder = tmp_path / "model"
    folder.mkdir()
    code = f"open({str(folder / 'asked')!r}, 'a').write(prompt)\nprint('ACTION:', choices()[-1])"
    name = f"model:{program(folder, code, 'gpt')}"
    with Terminal(name, "--server", server.url, "--game", "connect_four", "--matches", "1", command="bot") as terminal:
        terminal.sees("Waiting at ")
        table = re.findall(r"/table/([\w-]+)", terminal.sees("; "))[-1]
        ada = server.place.sit(table, "Ada")

        def answers() -> bool:
            view = ada.view()
            if view["choices"]:
                ada.do("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])
            return bool(view["phase"] == "over")

        until(answers)
        terminal.sees("1 match played: ")
        assert terminal.ends() == 0
    asked = (folder / "asked").read_text()
    assert "| Ada drops a disc into column 1" in asked
    assert "You are " in asked
    assert "(gpt)" in asked
