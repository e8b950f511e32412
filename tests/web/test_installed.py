"""Installed: the page has what browsers ask for, opens without the network, says so, and brings its own letters."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from browsing import Crowd
from serving import Place

pytestmark = pytest.mark.xdist_group("browser-2")

FONTS = 80 * 1024  # bytes of all typefaces
READY = "async () => { await navigator.serviceWorker.ready; return !!(await caches.match('/')); }"
AWAY = ["/", "/rules", "/rules/goose", "/learn/goose", "/replay", "/table/never-seen"]  # none was visited before
LETTERS = """async () => {
  await document.fonts.ready;
  const drawings = [...document.querySelectorAll(".drawing")];
  const drawn = drawings.map((one) => one.shadowRoot.querySelector("text")).find((text) => text);
  const shown = [document.body, document.querySelector("h1"), drawn];
  const families = shown.map((element) => getComputedStyle(element).fontFamily);
  const loaded = [...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family);
  const sizes = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".woff2"));
  return [families.map((family) => family.split(",")[0].replaceAll('"', "")),
    loaded.map((family) => family.replaceAll('"', "")), sizes.map((one) => one.encodedBodySize),
    sizes.map(({ name }) => name),
    [...document.querySelectorAll("link[rel=preload][as=font]")].map((link) => link.href)];
}"""


def test_what_browsers_ask_for_before_they_install(place: Place) -> None:
    manifest = place.http.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    told = manifest.json()
    assert "id" not in told, "it is the address then: servers below two paths of one host are two programs"
    assert (told["display"], told["start_url"]) == ("standalone", "./")
    for icon in told["icons"]:
        drawn = Image.open(io.BytesIO(place.http.get(f"/{icon['src']}").content))
        assert "x".join(map(str, drawn.size)) == icon["sizes"]
    worker = place.http.get("/worker.js")
    assert worker.headers["cache-control"] == "no-cache"


PREVIEW = """async () => {
  const of = (name) => document.querySelector(`meta[property="og:${name}"]`).content;
  const picture = new Image();
  picture.src = of("image");
  await picture.decode();
  return [of("title"), picture.naturalWidth, picture.naturalHeight];
}"""


def test_a_link_has_a_preview_that_can_be_drawn(people: Crowd, place: Place) -> None:
    """Its words are in the page, and the browser that would send it draws the picture."""
    seat, _ = place.table_of("Ada", "Bob", game="choccer")
    page = people.person("Eve").watch(seat.table)
    title, width, height = page.evaluate(PREVIEW)
    assert "Choccer" in title
    assert (width, height) == (1200, 630)


def test_the_page_opens_without_the_network_and_says_so(people: Crowd) -> None:
    people.troubles.allow("ERR_INTERNET_DISCONNECTED|ERR_FAILED|failed|WebSocket")
    ada = people.person("Ada", service_workers="allow")
    page = ada.go()
    expect(ada.at("games")).to_be_visible()
    expect(page.locator(".drawing text").first).to_be_attached()
    families, loaded, sizes, fetched, preloaded = page.evaluate(LETTERS)
    assert families == ["Nunito Sans", "Vollkorn", "Nunito Sans"], "the page's letters, the titles', the boards'"
    assert len(preloaded) == 2
    assert sorted(fetched) == sorted(preloaded), "what is loaded early is what is used, and once"
    assert sorted(loaded) == ["Nunito Sans", "Vollkorn"]
    assert 0 < sum(sizes) <= FONTS
    assert page.evaluate(READY)
    ada.context.set_offline(True)
    for path in AWAY:
        ada.go(path)
        expect(page.locator("main")).to_contain_text("You are offline")
    ada.go("/rules")
    expect(ada.at("sorry")).to_contain_text("comes back by itself")
    ada.context.set_offline(False)
    expect(page.get_by_role("heading", name="Rulebooks")).to_be_visible()
    expect(ada.at("offline")).to_be_hidden()
    ada.context.set_offline(True)
    expect(ada.at("offline")).to_contain_text("You are offline")
    ada.context.set_offline(False)
    expect(ada.at("offline")).to_be_hidden()
