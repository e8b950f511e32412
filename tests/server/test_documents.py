"""The documentation at a server: plain files, and a policy that lets only their own scripts run."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from parlour.server.api import documents
from serving import House, refused

SCRIPT = "document.body.dataset.theme = 'dark'"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "docs"
    (folder / "_static").mkdir(parents=True)
    (folder / "index.html").write_text(f"<script>{SCRIPT}</script><p>All pages</p>")
    (folder / "_static" / "furo.css").write_text("p { color: red }" * 500)
    (folder / "objects.inv").write_text("not for browsers")
    (tmp_path / "secret.html").write_text("secret")
    monkeypatch.setattr(documents, "BUILT", folder)
    return folder


def test_the_front_page_runs_its_own_script_and_no_other(shared_house: House, built: Path) -> None:
    answer = shared_house.http.get("/docs", follow_redirects=True)
    assert answer.url.path == "/docs/index.html"
    assert "All pages" in answer.text
    policy = answer.headers.get_list("content-security-policy")
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert len(policy) == 1
    assert f"script-src 'self' 'sha256-{digest}';" in policy[0]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_file_comes_whole_whether_packed_or_not(shared_house: House, built: Path) -> None:
    for encoding in ("gzip", "identity"):
        answer = shared_house.http.get("/docs/_static/furo.css", headers={"accept-encoding": encoding})
        assert answer.text == "p { color: red }" * 500
        assert answer.headers["content-type"].startswith("text/css")


@pytest.mark.parametrize(
    "path",
    ["../secret.html", "%2e%2e/secret.html", "..%2fsecret.html", "//etc/passwd", "_static", "objects.inv", "a%00b"],
)
def test_no_path_leads_out_of_the_build(shared_house: House, built: Path, path: str) -> None:
    answer = shared_house.http.get(f"/docs/{path}")
    assert "secret" not in answer.text
    assert answer.status_code == 404


def test_without_a_build_one_line_says_what_to_do(
    shared_house: House, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "BUILT", built / "none")
    answer = shared_house.http.get("/docs/index.html")
    refused(answer, "not_found", 404, "the documentation is not built: make docs does that")
