"""Telling somebody whose page is closed that it is their turn: the switch at the table, and the notification."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Playwright, expect

from browsing import Crowd, crowd, is_open_to_all, launch
from pushing import Browser, PushService
from serving import Place, Server, until

pytestmark = pytest.mark.xdist_group("browser-1")

# A headless Chromium has no push service: here is one, with the same face.
SUBSCRIBED = """
const subscription = { endpoint: %(endpoint)s, toJSON: () => ({ endpoint: %(endpoint)s, keys: %(keys)s }) };
PushManager.prototype.subscribe = async function ({ applicationServerKey, userVisibleOnly }) {
  if (!userVisibleOnly || applicationServerKey.length < 80) throw new DOMException("no key");
  return subscription;
};
PushManager.prototype.getSubscription = async () => subscription;
"""


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    service = PushService()
    yield service
    service.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, service: PushService) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"), push_endpoints=service.url).start()
    yield running
    running.close()


@pytest.fixture(scope="module")
def whole(playwright: Playwright) -> Iterator[Chromium]:
    """A browser that can show notifications."""
    running = launch(playwright, whole=True)
    yield running
    running.close()


@pytest.fixture
def people(whole: Chromium, server: Server) -> Iterator[Crowd]:
    with crowd(whole, server.url) as people:
        yield people


def test_somebody_whose_page_is_closed_is_told_and_led_to_the_table(
    people: Crowd, server: Server, service: PushService
) -> None:
    reader = Browser(service)
    ann, bob = server.place.table_of("Ann", "Bob")
    person = people.person("Ann", service_workers="allow", permissions=["notifications"])
    keys = {name: value for name, value in reader.subscription.items() if name != "endpoint"}
    given = {"endpoint": json.dumps(reader.subscription["endpoint"]), "keys": json.dumps(keys)}
    person.context.add_init_script(SUBSCRIBED % given)
    page = person.sit(ann.table, ann.token)
    ann.must("act", ply=0, action=0)

    switch = person.at("turn-push")
    expect(switch).to_be_hidden()
    person.press("more")
    expect(switch).to_have_attribute("aria-checked", "false")
    is_open_to_all(page)
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(person.at("toast")).to_contain_text("also when this page is closed")

    worker = person.context.service_workers[0]
    page.goto("about:blank")
    until(lambda: not server.place.view(ann.table)["seats"][ann.number]["here"])
    bob.must("act", ply=1, action=1)
    until(lambda: reader.read)
    assert reader.read == [{"title": "Your turn", "body": "Connect Four with Bob", "table": ann.table}]

    shown = worker.evaluate(
        """async (told) => {
          self.dispatchEvent(new PushEvent("push", { data: JSON.stringify(told) }));
          for (let tries = 0; tries < 500; tries += 1) {
            const [found] = await self.registration.getNotifications();
            if (found) return { title: found.title, body: found.body, path: found.data.path };
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }""",
        reader.read[0],
    )
    assert shown == {"title": "Your turn", "body": "Connect Four with Bob", "path": f"/table/{ann.table}"}

    person.go(f"/table/{ann.table}")
    person.press("more")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")


def test_where_turns_are_quick_nothing_is_offered(people: Crowd, server: Server) -> None:
    ann, _ = server.place.table_of("Ann", "Bob", clock={"kind": "turn", "seconds": 60})
    person = people.person("Ann", service_workers="allow", permissions=["notifications"])
    person.sit(ann.table, ann.token)
    person.press("more")
    expect(person.at("resign")).to_be_visible()
    expect(person.at("turn-push")).to_be_hidden()


def test_a_notification_is_shown_by_the_worker_and_names_its_table(people: Crowd, place: Place) -> None:
    """The worker that shows it is started, and shows a real one."""
    seats = place.table_of("Ada", "Bob", game="connect_four")
    other, mine = seats if seats[0].view()["choices"] else seats[::-1]
    ada = people.person("Ada", settings={"notify": True}, permissions=["notifications"], service_workers="allow")
    ada.context.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.looksAway ?? false });")
    page = ada.sit(mine.table, mine.token)
    page.evaluate("() => { window.looksAway = true; }")
    other.must("act", ply=0, action=other.view()["choices"][0]["action"])
    shown = """async () => {
      const [worker] = await navigator.serviceWorker.getRegistrations();
      const notes = (await worker?.getNotifications()) ?? [];
      return notes.map((note) => [note.title, note.data.path]);
    }"""
    until(lambda: page.evaluate(shown) == [["Your turn", f"/table/{mine.table}"]])
