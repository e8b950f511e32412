"""Sounds: as loud as one likes, muted at the table; and each one looked at as a waveform."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browsing import Crowd, Person
from parlour.server.api.pages import BUILT
from serving import Place, mover

pytestmark = pytest.mark.xdist_group("browser-2")

NAMES = ["move", "dice", "take", "turn", "win", "end", "clock", "error", "chat"]

# Renders a sound into memory: its largest sample, how it begins, how it ends, and when.
LISTEN = """async ([url, name, volume]) => {
  let audio;
  const Real = OfflineAudioContext;
  window.AudioContext = class extends Real {
    constructor() { super(1, 3 * 44100, 44100); audio = this; }
    get state() { return "running"; }
    resume() { return Promise.resolve(); }
  };
  const { play } = await import(`${url}?${name}-${volume}`);
  dispatchEvent(new KeyboardEvent("keydown"));
  await play(name, volume);
  const samples = (await Real.prototype.startRendering.call(audio)).getChannelData(0);
  const peak = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const first = samples.findIndex((one) => one !== 0);
  const last = samples.findLastIndex((one) => Math.abs(one) > 1e-9);
  return [peak, Math.abs(samples[first]), Math.abs(samples[last]), last / 44100];
}"""


def test_no_sound_clips_or_clicks_and_all_follow_the_volume(people: Crowd, place: Place) -> None:
    seat = place.table_of("Ada", "Bob")[0]
    ada = people.person("Ada", settings={"muted": False})
    page = ada.sit(seat.table, seat.token)
    url = f"/assets/{next(BUILT.glob('assets/synthesizer*.js')).name}"
    for name in NAMES:
        peak, first, last, seconds = page.evaluate(LISTEN, [url, name, 1])
        assert 0.05 < peak < 0.99, f"{name} is not heard, or clips: {peak}"
        assert first < 0.02, f"{name} begins with a click: {first}"
        assert last < 0.02, f"{name} ends with a click: {last}"
        assert seconds < 2.9, f"{name} never ends"
    loud, soft = (page.evaluate(LISTEN, [url, "turn", volume])[0] for volume in (0.8, 0.4))
    assert soft == pytest.approx(loud / 2, rel=0.05)
    ada.press("mute")
    expect(ada.at("mute")).to_have_attribute("aria-label", "Sounds on")
    ada.press("settings")
    expect(ada.at("sounds")).not_to_be_checked()
    expect(ada.at("volume")).to_have_value("60")
    ada.press("sounds")
    expect(ada.at("mute")).to_have_attribute("aria-label", "Mute")
    ada.at("volume").fill("0")
    expect(ada.at("mute")).to_have_attribute("aria-label", "Sounds on")  # nothing is heard, and it says so
    page.keyboard.press("Escape")
    ada.press("mute")
    ada.press("settings")
    expect(ada.at("volume")).to_have_value("60")


# Notes what is heard, in the place of what makes it.
EAR = "export const play = (name) => void (window.heard ??= []).push(name);"


def listen(person: Person) -> None:
    """From the next page on, what is heard is noted."""
    person.page.route(
        "**/assets/synthesizer*.js", lambda route: route.fulfill(body=EAR, content_type="text/javascript")
    )


def heard(person: Person, last: str = "") -> list[str]:
    """What was heard since somebody asked last; that it ends with this is waited for."""
    if last:
        person.page.wait_for_function("(last) => window.heard?.at(-1) === last", arg=last)
    names: list[str] = person.page.evaluate("() => { const all = window.heard ?? []; window.heard = []; return all; }")
    return names


@pytest.mark.parametrize("speed", ["fast", "off"])
def test_a_player_hears_each_thing_once_when_it_happens(speed: str, people: Crowd, place: Place) -> None:
    """Dice, moves, whose turn it is, the end as it is for each; nothing of what is skipped, or was before one came."""
    seats = place.table_of("Ada", "Bob", game="goose")
    first = mover(seats)
    other = next(seat for seat in seats if seat is not first)
    ada, bob = (people.person(name, settings={"speed": speed, "muted": False}) for name in ("Ada", "Bob"))
    for person, seat in ((ada, first), (bob, other)):
        listen(person)
        person.sit(seat.table, seat.token)
    expect(ada.at("choice")).to_be_visible()
    assert heard(ada) == heard(bob) == []
    ada.press("choice")
    expect(bob.at("choice")).to_be_visible()
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    *others, _ = heard(bob, "turn")
    mine = heard(ada)
    assert others == mine
    if speed == "fast":
        assert mine.count("dice") == 1
        assert mine[0] == "dice"
        assert {"move", "take"} & set(mine[1:]), "it walks, or flies where the first throw leads straight on"
    else:
        assert mine in (["move"], ["take"])
    other.must("resign")
    assert heard(ada, "win") == ["win"]
    assert heard(bob, "end") == ["end"]
    ada.page.reload()
    expect(ada.at("ending")).to_be_visible()
    assert heard(ada) == []


# The page's own clock, by which it counts down, can be put forward by so many milliseconds.
AHEAD = """window.ahead = 0;
const now = performance.now.bind(performance);
performance.now = () => now() + ahead;"""


def test_whoever_thinks_for_long_hears_once_that_time_runs_out(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", clock={"kind": "turn", "seconds": 600, "increment": 0})
    mine = mover(seats)
    ada = people.person("Ada", settings={"muted": False})
    listen(ada)
    ada.context.add_init_script(AHEAD)
    page = ada.sit(mine.table, mine.token)
    clock = page.locator(".seat.is-you .clock")
    expect(clock).to_have_text(re.compile("^(10|[89]):"))
    assert heard(ada) == []
    for left in (9, 7):
        seconds = mine.view()["seats"][mine.number]["left"] - left
        page.evaluate("(ahead) => { window.ahead = 1000 * ahead; }", seconds)
        expect(clock).to_have_text(re.compile(f"^0:0[0-{left}]$"))
    assert heard(ada) == ["clock"]
    page.locator('[data-spot="1"]').click()
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    assert "clock" not in heard(ada)


# Counts the sources of sound that begin.
COUNT = """
window.begun = 0;
const begin = AudioScheduledSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...given) {
  window.begun += this.context.state === "running" ? 1 : 0;
  return begin.apply(this, given);
};
"""


def test_the_first_sound_is_heard_already(people: Crowd, place: Place) -> None:
    """The press that throws the dice comes before all that makes sounds is loaded."""
    seat = mover(place.table_of("Ada", "Bob", game="goose"))
    ada = people.person("Ada", settings={"speed": "fast", "muted": False})
    ada.page.add_init_script(COUNT)
    page = ada.sit(seat.table, seat.token)
    ada.press("choice")
    page.wait_for_function("() => window.begun > 0")
