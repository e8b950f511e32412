"""``parlour dev``: a game that is written while it is played."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from commands import ENVIRONMENT, PARLOUR, good, refused
from serving import PATIENCE, Place, Seat, bearer


class Bench:
    """``parlour dev`` for a game in a folder, a table of it, and somebody who looks at that table."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.open = folder, contextlib.ExitStack()
        command = [*PARLOUR, "dev", str(folder), "--port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | ENVIRONMENT)
        assert self.process.stderr is not None
        greeting = next(line for line in self.process.stderr if "Parlour is at" in line)
        found = re.search(r"http://127\.0\.0\.1:(\d+)", greeting)
        assert found, "it listens at the loopback address alone"
        self.port = int(found[1])
        self.http = httpx.Client(base_url=found[0], timeout=PATIENCE)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                self.http.get("/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)

    def begin(self) -> None:
        place = Place(self.http, lambda path: (_ for _ in ()).throw(NotImplementedError))
        self.seats: list[Seat] = place.table_of("Ada", "Bo", game=self.folder.name)
        address = f"ws://127.0.0.1:{self.port}/api/tables/{self.seats[0].table}/live"
        self.socket: ClientConnection = self.open.enter_context(connect(address))
        hello = {"type": "hello", "version": 2, "pictures": True, "token": self.seats[0].token}
        self.socket.send(json.dumps(hello))
        self.hear("welcome")

    def hear(self, kind: str, words: str = "") -> dict[str, Any]:
        """The next message of that kind that has these words."""
        end = time.monotonic() + PATIENCE
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=end - time.monotonic()))
            if message["type"] == kind and words in json.dumps(message):
                return message

    def play(self, *actions: int) -> None:
        for action in actions:
            table = f"/api/tables/{self.seats[0].table}"
            view = self.http.get(table).json()
            ply, seat = view["position"]["ply"], self.seats[view["position"]["to_move"]]
            body = {"ply": ply, "action": action, "cid": f"action-{ply}-{time.monotonic()}"}
            answer = self.http.post(f"{table}/act", json=body, headers=bearer(seat.token))
            assert answer.status_code == 200, answer.text

    def save(self, file: str, old: str, new: str) -> None:
        path = self.folder / self.folder.name / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    def close(self) -> None:
        self.open.close()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()
        self.http.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    good("new-game", "moor", cwd=tmp_path)
    running = Bench(tmp_path / "moor")
    try:
        running.begin()
        yield running
    finally:
        running.close()


def test_what_is_saved_is_shown_where_the_match_stands(bench: Bench) -> None:
    bench.play(2, 2, 0)
    bench.save("picture.py", "#e9dcc3", "#00ff00")
    table = bench.hear("welcome")["table"]
    assert "#00ff00" in table["backdrop"]
    assert table["position"]["ply"] == 3
    bench.save("events.py", "takes {count}", "grabs {count}")
    assert bench.hear("welcome")["table"]["story"][0] == "Ada grabs 3"


def test_half_a_line_leaves_the_table_alive_and_says_where_it_is(bench: Bench) -> None:
    bench.play(2)
    bench.save("rules.py", "state.left -= ", "state.left -= = ")
    bench.hear("presence", "moor/rules.py line 30: SyntaxError")
    bench.play(1)
    bench.save("rules.py", "state.left -= = ", "state.left -= ")
    assert bench.hear("welcome")["table"]["position"]["ply"] == 2
    bench.hear("presence", "moor is read anew")


def test_a_match_that_new_rules_forbid_goes_on_from_where_it_could_be_played(bench: Bench) -> None:
    bench.play(1, 1, 2, 0)
    bench.save("state.py", "MOST = 3", "MOST = 2")
    assert bench.hear("welcome")["table"]["position"]["ply"] == 2
    bench.hear("presence", "the match of Ada and Bo could be played again to ply 2 only")
    bench.play(1)  # by the new rules
    assert bench.http.get(f"/api/tables/{bench.seats[0].table}").json()["position"]["ply"] == 3


def test_what_check_finds_stands_above_the_page(bench: Bench) -> None:
    bench.save("picture.py", "for number in (1, 2, 3)]", "for number in (1, 2)]")
    bench.hear("presence", "check: picture: '3' is picked on '3', which is not a spot of the scene")
    bench.save("picture.py", "range(state.left)", "range(state.lost)")
    found = bench.hear("presence", "a plain one is shown: moor/picture.py line 35: AttributeError")
    assert "\n" in found["notice"], "a line for each"
    bench.play(0)


def test_only_a_game_that_loads_can_be_begun_with(tmp_path: Path) -> None:
    assert "there is no folder or file" in refused("dev", tmp_path / "nowhere")
    assert "--port takes a number" in refused("dev", tmp_path, "--port", 70000)
