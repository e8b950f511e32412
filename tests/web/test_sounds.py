"""Sounds: as loud as one likes, muted at the table; and each one looked at as a waveform."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browsing import Crowd
from parlour.server.api.pages import BUILT
from serving import Place

pytestmark = pytest.mark.xdist_group("browser-2")

NAMES = ["move", "dice", "take", "turn", "win", "error", "chat"]

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
  play(name, volume);
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
