"""Talk on a phone: one sees that something was said, and gets there; unless one has muted it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browsing import Crowd
from serving import Place

pytestmark = pytest.mark.xdist_group("browser-2")


def test_what_is_said_is_counted_told_and_found_on_a_phone(people: Crowd, place: Place) -> None:
    mine, other = place.table_of("Ada", "Bob", game="connect_four")
    ada = people.person("Ada", phone=True)
    page = ada.sit(mine.table, mine.token)
    expect(ada.at("to-chat")).to_be_in_viewport(ratio=1)
    expect(ada.at("unread")).to_be_hidden()
    other.must("chat", text="Hello there")
    expect(ada.at("toast")).to_have_text("Bob: Hello there")
    expect(ada.at("unread")).to_have_text("1")
    expect(ada.at("to-chat")).to_have_attribute("aria-label", "Chat, new: 1")
    other.must("chat", text="x" * 250)
    expect(ada.at("unread")).to_have_text("2")
    ada.press("to-chat")
    expect(ada.at("chat-lines")).to_be_in_viewport(ratio=0.9)
    expect(ada.at("chat-lines")).to_contain_text("Hello there")
    expect(ada.at("unread")).to_be_hidden()
    page.evaluate("() => scrollTo(0, 0)")
    mine.must("chat", text="my own line, from another device")
    expect(ada.at("chat-lines")).to_contain_text("my own line")
    expect(ada.at("unread")).to_be_hidden()


def test_muted_talk_is_counted_but_not_told(people: Crowd, place: Place) -> None:
    mine, other = place.table_of("Ada", "Bob", game="connect_four")
    ada = people.person("Ada", phone=True)
    page = ada.sit(mine.table, mine.token)
    ada.press("to-chat")
    ada.press("mute-talk")
    expect(ada.at("mute-talk")).to_have_attribute("aria-label", "Tell me again what is said")
    page.evaluate("() => scrollTo(0, 0)")
    expect(ada.at("chat-lines")).not_to_be_in_viewport()
    other.must("chat", text="Hello there")
    expect(ada.at("unread")).to_have_text("1")
    expect(ada.at("toast")).to_have_count(0)
    page.reload()
    expect(ada.at("table")).to_have_attribute("data-ply", "0")  # what was said before that is not new
    other.must("chat", text="Still there?")
    expect(ada.at("unread")).to_have_text("1")
    expect(ada.at("toast")).to_have_count(0)


def test_beside_the_board_talk_needs_no_button(people: Crowd, place: Place) -> None:
    mine, other = place.table_of("Ada", "Bob", game="connect_four")
    ada = people.person("Ada")
    ada.sit(mine.table, mine.token)
    expect(ada.at("to-chat")).to_be_hidden()
    ada.at("tab-chat").click()
    expect(ada.at("chat-lines")).to_be_in_viewport()
    other.must("chat", text="Hello there")
    expect(ada.at("chat-lines")).to_contain_text("Hello there")
    expect(ada.at("toast")).to_have_count(0)
    ada.at("tab-story").click()
    expect(ada.at("chat-lines")).to_be_hidden()
    other.must("chat", text="Anybody?")
    expect(ada.at("tab-chat")).to_have_text("Chat (1)")
    expect(ada.at("toast")).to_have_text("Bob: Anybody?")
