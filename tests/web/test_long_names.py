"""Names of 24 of the widest letters, in every place where a name stands."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browsing import Crowd, Person
from fitting import faults
from serving import Place, mover, play_out

pytestmark = pytest.mark.xdist_group("browser-2")
WIDE = {"latin": "W" * 24, "signs": "㊙" * 24}
SHORTENED = ".who b, .moves .words"  # may end in three dots: the whole is said elsewhere


def names(letters: str) -> list[str]:
    return [f"{letters[:-1]}{number}" for number in range(4)]


def fits(ada: Person, path: str) -> list[str]:
    page = ada.go(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    return [f"{path}: {fault}" for fault in faults(page, allowed=SHORTENED)]


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
@pytest.mark.parametrize("letters", WIDE)
def test_no_name_bursts_anything(letters: str, phone: bool, people: Crowd, place: Place) -> None:
    ada = people.person("Ada", phone=phone, settings={"tellEnd": True})
    names_of = names(WIDE[letters])
    over = play_out(place.table_of(*names_of, game="verfuchst"))["id"]
    place.table_of(names_of[0], game="verfuchst", seats=4)
    seats = place.table_of(*names_of, game="verfuchst")
    mine = mover(seats)
    ada.sit(mine.table, mine.token)
    seats[(mine.number + 1) % 4].must("chat", text=WIDE[letters] * 4)
    expect(ada.at("toast")).to_be_visible()
    found = faults(ada.page, allowed=SHORTENED)
    for path in (f"/table/{over}", f"/replay/{over}", "/replay", "/", "/tables", f"/table/{mine.table}"):
        found += fits(ada, path)
    mine.must("resign")
    expect(ada.at("gone")).to_be_visible()
    found += faults(ada.page, allowed=SHORTENED)
    assert found == [], "\n".join(found)
