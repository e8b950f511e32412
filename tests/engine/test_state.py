"""States: plain objects and rows of an array, with the same fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.engine.errors import BadGame
from parlour.engine.state import HEADER, Layout, i8, i16, i32, i64

LAYOUT = Layout({"small": i8, "row": i8[3], "middle": i16, "wide": i32[2], "vast": i64})


def test_a_blank_state_is_all_zeros_but_what_is_given() -> None:
    state = LAYOUT.blank(seats=3, small=5)
    assert (state.seats, state.small, state.row, state.vast) == (3, 5, [0, 0, 0], 0)


def test_a_state_prints_its_fields() -> None:
    assert "row=[0, 0, 0]" in repr(LAYOUT.blank())


def test_a_state_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        LAYOUT.blank().tpyo = 1


@given(
    st.integers(-128, 127),
    st.lists(st.integers(-128, 127), min_size=3, max_size=3),
    st.integers(-(2**63), 2**63 - 1),
)
def test_pack_and_unpack_change_nothing(small: int, row: list[int], vast: int) -> None:
    state = LAYOUT.blank(small=small, vast=vast)
    state.row = row
    assert LAYOUT.unpack(state.pack()) == state


@pytest.mark.parametrize("value", [128, -129, 10**30])
def test_a_value_too_large_for_its_field_is_an_error_and_never_a_wrap(value: int) -> None:
    state = LAYOUT.blank()
    state.row[1] = value
    with pytest.raises(OverflowError, match="'row'"):
        state.pack()


def test_an_array_of_the_wrong_length_is_an_error() -> None:
    state = LAYOUT.blank()
    state.row.append(0)
    with pytest.raises(OverflowError, match="declared with 3"):
        state.pack()


def test_a_copy_is_its_own() -> None:
    state = LAYOUT.blank()
    twin = state.copy()
    twin.row[0] = 1
    assert state.row == [0, 0, 0]
    assert state != twin


@pytest.mark.parametrize("name", [*HEADER, "copy", "_hidden", "not a name"])
def test_names_that_a_field_cannot_have(name: str) -> None:
    with pytest.raises(BadGame, match=name):
        Layout({name: i8})
