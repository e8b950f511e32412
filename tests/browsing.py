"""What tests of the pages have in hand: a real Chromium, and people who sit before it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright, Request, Response

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
PATIENCE = 60_000  # milliseconds after which something that should happen never will: bots stand back on a busy machine

# Everything is drawn by the processor, dice as well: no graphics card is needed.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio"]

# What the browser would only note for developers is an error here.
TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


# Chromium without windows takes half the processor time of the whole one, which does its work for screens that are not.
LIGHT = ["chromium-headless-shell"]
WHOLE = ["chromium", "chromium-browser", "google-chrome"]


def find_chromium(*, whole: bool = False) -> str:
    """The browser: the one that $CHROMIUM names, or the first that is installed."""
    names = [os.environ.get("CHROMIUM", ""), *([] if whole else LIGHT), *WHOLE]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        raise FileNotFoundError("the tests of the pages need Chromium: run tools/services, or set CHROMIUM")
    return found


def launch(playwright: Playwright, *flags: str, whole: bool = False) -> Browser:
    """Start a browser; the ``whole`` one where something is needed that only it has, such as notifications."""
    return playwright.chromium.launch(executable_path=find_chromium(whole=whole), args=[*FLAGS, *flags])


@dataclass
class Troubles:
    """What went wrong in a browser without anybody having asked for it."""

    found: list[str] = field(default_factory=list)
    allowed: list[re.Pattern[str]] = field(default_factory=list)

    def note(self, trouble: str) -> None:
        if not any(pattern.search(trouble) for pattern in self.allowed):
            self.found.append(trouble)

    def allow(self, pattern: str) -> None:
        self.allowed.append(re.compile(pattern))

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda error: self.note(f"page error: {error.error}"))
        context.on("response", self._response)
        context.on("requestfailed", self._failed)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.note(f"console: {message.text}")

    def _failed(self, request: Request) -> None:
        # A page that is left lets go of what it was loading.
        if "ERR_ABORTED" not in (request.failure or ""):
            self.note(f"failed: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.note(f"{response.status}: {response.url}")


@dataclass
class Person:
    """Somebody with a browser window of their own."""

    context: BrowserContext
    page: Page
    url: str
    touches: bool = False

    def go(self, path: str = "/") -> Page:
        self.page.goto(self.url + path)
        return self.page

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def press(self, testid: str) -> None:
        """Click it, or tap it."""
        element = self.at(testid).first
        element.tap() if self.touches else element.click()

    def sit(self, table: str, token: str) -> Page:
        """Come to the table with the link to a seat, as from another device."""
        self.go(f"/table/{table}#seat={token}")
        self.at("table").wait_for()
        return self.page

    def watch(self, table: str) -> Page:
        self.go(f"/table/{table}")
        self.at("table").wait_for()
        return self.page

    @property
    def table(self) -> str:
        """The id of the table that the page shows."""
        self.page.wait_for_url(re.compile(r"/table/[\w-]+$"))
        return self.page.url.rpartition("/")[2]

    def held(self) -> dict[str, Any]:
        """The seats that this browser keeps, by table."""
        held: dict[str, Any] = self.page.evaluate("JSON.parse(localStorage.getItem('parlour.seats') ?? '{}')")
        return held


AXE = Path(__file__).parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def barriers(page: Page, *, without: str = "") -> list[str]:
    """What axe-core calls serious or critical; ``without`` is a rule that is left out."""
    if page.evaluate("() => !('axe' in window)"):
        page.evaluate(AXE.read_text("utf-8"))
    found: list[dict[str, Any]] = page.evaluate(
        """async (without) => (await axe.run({
          resultTypes: ["violations"],
          rules: without ? { [without]: { enabled: false } } : {},
        })).violations""",
        without,
    )
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def is_open_to_all(page: Page) -> None:
    """Nothing that axe-core calls serious or critical is on the page."""
    assert barriers(page) == []


def remember(settings: dict[str, Any]) -> str:
    """A script for a browser that has these settings from an earlier visit. An empty page has no storage."""
    text = json.dumps(json.dumps(settings))
    return f"""if (location.protocol === "http:" && localStorage.getItem("parlour.settings") === null)
        localStorage.setItem("parlour.settings", {text});"""


@dataclass
class Crowd:
    """The people of one test. Whatever troubles one of them fails it, unless it was to be expected."""

    browser: Browser
    url: str
    people: list[Person] = field(default_factory=list)
    troubles: Troubles = field(default_factory=Troubles)

    def person(
        self, name: str = "Ada", *, phone: bool = False, settings: dict[str, Any] | None = None, **context: Any
    ) -> Person:
        """Somebody new; without motion and sound, unless ``settings`` say otherwise."""
        size = PHONE if phone else WIDE
        wishes: dict[str, Any] = {
            "viewport": size,
            "locale": "en-GB",
            "reduced_motion": "no-preference",
            "service_workers": "block",
        }
        wishes.update(context)  # with a worker, what is asked for would not be seen by a test that stands between
        if phone:
            wishes.update(has_touch=True, is_mobile=True, device_scale_factor=2)
        opened = self.browser.new_context(**wishes)
        opened.set_default_timeout(PATIENCE)
        opened.add_init_script(TELL_VIOLATIONS)
        opened.add_init_script(remember({"name": name, "speed": "off", "muted": True, **(settings or {})}))
        self.troubles.watch(opened)
        self.people.append(Person(opened, opened.new_page(), self.url, touches=phone))
        return self.people[-1]

    def leave(self) -> None:
        for person in self.people:
            person.context.close()
        assert self.troubles.found == [], "somebody saw an error"


@contextlib.contextmanager
def crowd(browser: Browser, url: str) -> Iterator[Crowd]:
    """People who come to this address; at the end none of them has seen an error."""
    people = Crowd(browser, url)
    try:
        yield people
    finally:
        people.leave()
