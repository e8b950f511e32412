"""How people like things: dark, quiet, still, in their language, and told when it is their turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from browsing import Crowd, Person, crowd, launch
from parlour.server.admin.operator import Operator
from parlour.server.basics.steady import SteadyClock
from parlour.server.store import engine as engines
from playing import can_choose, look
from serving import Place, Seat, Server, until

pytestmark = pytest.mark.xdist_group("browser-2")

# What lies over the board, as long as dice roll.
DICE = """() => new Promise((done) => {
  const over = document.querySelector(".over");
  const tell = () => {
    const what = over.querySelector("canvas") ? "solid" : over.querySelector("svg") ? "flat" : "";
    if (what) done(what); else requestAnimationFrame(tell);
  };
  tell();
})"""
LIGHTNESS = """() => {
  const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (red + green + blue) / 3;
}"""


def to_move(seats: list[Seat]) -> Seat:
    return next(seat for seat in seats if seat.view()["choices"])


def goose(place: Place, person: Person) -> Page:
    """Somebody before a table of Goose, about to roll."""
    mine = to_move(place.table_of("Ada", "Bob", game="goose"))
    page = person.sit(mine.table, mine.token)
    until(lambda: can_choose(look(person)))
    return page


def rolled(page: Page) -> str:
    """Roll, and say what kind of dice came."""
    page.evaluate(f"() => {{ window.rolled = ({DICE})(); }}")
    page.get_by_test_id("choice").first.click()
    kind: str = page.evaluate("() => window.rolled")
    return kind


def test_dice_tumble_where_the_browser_can_draw_them(people: Crowd, place: Place) -> None:
    """A machine that is busy may not load them in time for the first roll: then that one is flat."""
    seats = place.table_of("Ada", "Bob", game="goose")
    ada = people.person("Ada", settings={"speed": "normal"})
    ada.sit(seats[0].table, seats[0].token)
    kinds: list[str] = []
    while "solid" not in kinds and len(kinds) < 5:
        if can_choose(look(ada)):
            kinds.append(rolled(ada.page))
        elif choices := seats[1].view()["choices"]:
            seats[1].do("act", ply=seats[1].view()["position"]["ply"], action=choices[0]["action"])
        else:
            ada.page.wait_for_timeout(50)
    assert kinds[-1] == "solid"
    expect(ada.page.locator(".over canvas")).to_have_count(0)


@pytest.fixture(scope="module")
def plain(playwright: Playwright) -> Iterator[Browser]:
    """A browser without WebGL."""
    running = launch(playwright, "--disable-3d-apis")
    yield running
    running.close()


def test_dice_are_flat_where_it_cannot(plain: Browser, server: Server, place: Place) -> None:
    with crowd(plain, server.url) as people:
        people.troubles.allow("WebGL")
        page = goose(place, people.person("Ada", settings={"speed": "normal"}))
        assert rolled(page) == "flat"
        expect(page.get_by_test_id("table")).to_have_attribute("data-ply", "1")


def test_who_wants_less_motion_gets_none(people: Crowd, place: Place) -> None:
    ada = people.person("Ada", settings={"speed": "normal"}, reduced_motion="reduce")
    page = goose(place, ada)
    page.evaluate(
        "() => { const old = Element.prototype.animate; window.moved = 0;"
        "Element.prototype.animate = function (...all) {"
        "  if (this.closest('.scene')) window.moved += 1; return old.apply(this, all); }; }"
    )
    assert rolled(page) == "flat"
    expect(page.get_by_test_id("table")).to_have_attribute("data-ply", "1")
    assert page.evaluate("() => window.moved") == 0


def test_nothing_can_be_chosen_while_a_choice_still_moves(people: Crowd, place: Place) -> None:
    """Old choices are closed at once, and not only once the picture has caught up."""
    mine = to_move(place.table_of("Ada", "Bob", game="choccer"))
    ada = people.person("Ada", settings={"speed": "normal"})
    page = ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    piece, goal = next(choice["picks"] for choice in mine.view()["choices"] if len(choice["picks"]) == 2)
    for name in (piece, goal):
        page.locator(f'[data-spot="{name}"]').click()
    expect(page.locator(".is-open")).to_have_count(0, timeout=150)
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    expect(ada.at("toast")).to_have_count(0)


def test_dark_by_the_system_and_by_choice(people: Crowd) -> None:
    ada = people.person("Ada", color_scheme="dark")
    page = ada.go()
    assert page.evaluate(LIGHTNESS) < 80
    ada.press("settings")
    ada.at("theme").select_option("light")
    assert page.evaluate(LIGHTNESS) > 180
    page.reload()
    assert page.evaluate(LIGHTNESS) > 180, "it is remembered"


def test_sounds_are_muted_until_they_are_wanted_again(people: Crowd) -> None:
    ada = people.person("Ada", settings={"muted": False})
    page = ada.go()
    ada.press("settings")
    ada.at("sounds").uncheck()
    page.reload()
    ada.press("settings")
    expect(ada.at("sounds")).not_to_be_checked()
    assert page.evaluate("() => JSON.parse(localStorage.getItem('parlour.settings')).muted") is True


# As on Android, where a page may not make a notification itself; and as if the person looked elsewhere.
LIKE_ANDROID = """
const permission = "granted";
window.Notification = class { constructor() { throw new TypeError("Illegal constructor"); } };
Object.defineProperty(Notification, "permission", { get: () => permission });
Object.defineProperty(document, "hidden", { get: () => window.looksAway ?? false });
ServiceWorkerRegistration.prototype.showNotification = async (title, { body }) => notes.push(`${title}: ${body}`);
window.notes = [];
"""


def test_the_title_and_a_notification_say_that_it_is_your_turn(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", game="connect_four")
    other, mine = seats if seats[0].view()["choices"] else seats[::-1]
    ada = people.person("Ada", settings={"notify": True}, permissions=["notifications"], service_workers="allow")
    ada.context.add_init_script(LIKE_ANDROID)
    page = ada.sit(mine.table, mine.token)
    expect(page).to_have_title("Connect Four · Parlour")
    page.evaluate("() => { window.looksAway = true; }")
    other.must("act", ply=0, action=other.view()["choices"][0]["action"])
    expect(page).to_have_title("● Your turn · Connect Four")
    until(lambda: page.evaluate("() => window.notes") == ["Your turn: Connect Four"])
    other.must("resign")
    other.must("rematch")
    expect(page).to_have_title("● Rematch · Connect Four")
    until(lambda: page.evaluate("() => window.notes.at(-1)") == "Rematch: Connect Four")


def test_the_name_is_remembered(people: Crowd) -> None:
    ada = people.person("")
    ada.go()
    ada.press("settings")
    ada.at("name").fill("Ada <3 & co")
    ada.page.keyboard.press("Escape")
    ada.page.locator("[data-testid=game-goose] [data-testid=play-now]").click()
    expect(ada.at("seats")).to_contain_text("Ada <3 & co")


def test_what_the_operator_has_to_say_stands_above_lobby_and_tables(people: Crowd, server: Server) -> None:
    operator = Operator(engines.connect(server.database), SteadyClock(), "a test")
    ann, bob = people.person("Ann"), people.person("Bob")
    ann.go("/")
    bob.watch(server.place.table_of("Cid")[0].table)
    operator.set_maintenance("Back at eight.")
    for person in (ann, bob):
        expect(person.at("notice")).to_have_text("Back at eight.")
    operator.set_maintenance(None)
    for person in (ann, bob):
        expect(person.at("notice")).to_be_hidden()
    operator.engine.dispose()
