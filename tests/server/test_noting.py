"""How a table stands, for lists and for whoever looks for what is due, is not written with every move."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from parlour.server.rooms import room
from parlour.server.store.schema import TABLES
from serving import House


def noted(house: House, table: str) -> tuple[float, float | None, str]:
    query = select(TABLES.c.changed, TABLES.c.wake, TABLES.c.phase).where(TABLES.c.id == table)
    with house.services.store.engine.begin() as connection:
        changed, wake, phase = connection.execute(query).one()
        return changed, wake, phase


def test_that_a_match_goes_on_is_noted_now_and_then(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "NOTE_EVERY", 1800.0)
    ann, bob = house.table_of("Ann", "Bob", grace=3600)
    began = noted(house, ann.table)
    ann.must("act", ply=0, action=3)
    bob.must("act", ply=1, action=3)
    assert noted(house, ann.table) == began
    house.run(house.services.clock.set, house.services.clock.now() + 1801)
    ann.must("act", ply=2, action=3)
    later = noted(house, ann.table)
    assert later[0] >= began[0] + 1801
    assert later[1] is not None
    assert later[1] > later[0] + 3600
    bob.must("resign")
    assert noted(house, ann.table)[1:] == (None, "over")


@pytest.mark.parametrize(
    ("was", "wake", "is_noted"),
    [
        (50.0, 50.0, True),
        (50.0, 70.0, True),  # somebody looks too soon, and again later
        (50.0, 40.0, False),
        (None, None, True),
        (None, 40.0, False),
        (50.0, None, False),
        (5.0, 70.0, False),  # it has been looked at, and put off
    ],
)
def test_when_to_look_at_a_table_is_never_noted_too_late(
    shared_house: House, was: float | None, wake: float | None, is_noted: bool
) -> None:
    here = shared_house.services.rooms.in_memory[shared_house.table_of("Ann", "Bob")[0].table]
    here._noted = 9.0, was
    assert here._is_noted(here.table, wake, 10.0) is is_noted
    after = here.table.twin()
    after.chairs[0] = after.chairs[1]
    assert not here._is_noted(after, wake, 10.0), "somebody else sits there"
