"""Rulebooks come from anybody's package: whatever is written in one, the page only shows it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from browsing import Crowd

pytestmark = pytest.mark.xdist_group("browser-1")
HOSTILE = """# Rules <img src=x onerror="window.hacked = 1">

1. <script>window.hacked = 2</script> first
2. [a link](javascript:window.hacked=3) and [another](https://example.org/)
   ![a picture](https://example.org/spy.png)

<iframe src="https://example.org/"></iframe>

| <svg onload="window.hacked = 4"> |
|---|
| <style>body { display: none }</style> |
"""


def test_a_hostile_rulebook_is_only_text(people: Crowd) -> None:
    ada = people.person("Ada")
    asked: list[str] = []

    def answer(route: Route) -> None:
        route.fulfill(body=HOSTILE, content_type="text/markdown; charset=utf-8")

    ada.context.route("**/rulebook?*", answer)
    ada.page.on("request", lambda request: asked.append(request.url))
    page = ada.go("/rules/goose")
    expect(page.locator("#clause-1")).to_have_text("<script>window.hacked = 2</script> first #")
    expect(page.locator("#clause-2")).to_contain_text("and another")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("() => window.hacked") is None
    assert (
        page.locator(
            ".rulebook :is(script, iframe, style, svg:not([part=picture]), a:not(.link, .clause-link, .button), img)"
        ).count()
        == 0
    )
    assert [url for url in asked if "example.org" in url] == []
