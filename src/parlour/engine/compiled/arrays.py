"""What a batch is given: actions, rows, seats and buffers. What does not fit is refused; nothing is ever rounded."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from parlour.engine.whole_numbers import whole_number

MOST_THREADS = 1024


def whole_numbers(given: Any, what: str) -> Any:
    """The numbers given, as int64. Whatever is not a whole number is refused, such as a fraction or a truth value."""
    found = np.asarray(given)
    if found.size == 0 and found.dtype == np.float64:  # what NumPy makes of an empty list
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"{what} are whole numbers, not {found.dtype}")
    if found.dtype == np.uint64 and found.size and found.max() > np.uint64(2**63 - 1):
        raise ValueError(f"{what} are below 2**63, not {found.max()}")
    return found.astype(np.int64, order="C", copy=False)


def a_whole_number(given: Any, what: str) -> int:
    """One number, of Python or of NumPy."""
    number = whole_number(given)
    if number is None:
        raise TypeError(f"{what} is a whole number, not {given!r}")
    return number


def thread_count(given: Any) -> int:
    """In how many threads a batch works."""
    threads = a_whole_number(given, "the number of threads")
    if not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"a batch works in 1 to {MOST_THREADS} threads, not {threads}")
    return threads


def row_number(given: Any, count: int) -> int:
    """One row. Rows are counted from 0, and never from the end."""
    row = a_whole_number(given, "a row")
    if not 0 <= row < count:
        raise IndexError(f"there is no row {row}: the batch has {count}, counted from 0")
    return row


def row_numbers(given: Any, count: int) -> Any:
    """Rows as an array of their numbers: from such an array, a slice, or one truth value for each row."""
    if isinstance(given, slice):
        return np.arange(count)[given]
    found = np.asarray(given)
    if found.dtype == np.bool_:
        if found.shape != (count,):
            raise ValueError(f"rows of {count} are chosen with {count} truth values, not with {found.shape}")
        return np.flatnonzero(found)
    numbers = whole_numbers(given, "rows")
    if numbers.ndim > 1:
        raise ValueError(f"rows are one number or a flat array of them, not {numbers.shape}")
    numbers = numbers.reshape(-1)
    for wrong in numbers[(numbers < 0) | (numbers >= count)][:1]:
        row_number(wrong, count)
    return numbers


def buffer(given: Any, shape: tuple[int, ...], kind: Any, what: str) -> Any:
    """The caller's buffer, if it fits to the letter; a new one where there is none."""
    if given is None:
        return np.empty(shape, kind)
    if not isinstance(given, np.ndarray):
        raise TypeError(f"a buffer for {what} is a NumPy array, not a {type(given).__name__}")
    if given.dtype != np.dtype(kind):
        raise TypeError(f"a buffer for {what} has the type {np.dtype(kind)}, not {given.dtype}")
    if given.shape != shape:
        raise ValueError(f"a buffer for {what} has the shape {shape}, not {given.shape}")
    if not given.flags.c_contiguous or not given.flags.writeable:
        raise ValueError(f"a buffer for {what} is contiguous and can be written to")
    return given


def as_lines(array: Any) -> Any:
    """The same memory with a record for each line, whose ``items`` are the line.

    So Numba knows how long a line is, and a line costs it no count of references.
    """
    kind, line = _line(array.dtype, array.shape[1])
    return array.view(kind).view(line).reshape(-1)


@cache
def _line(kind: Any, length: int) -> tuple[Any, Any]:
    """The type of the items, and of a line of them."""
    kind = np.dtype(np.int8) if kind == np.bool_ else kind  # Numba has no lines of truth values
    return kind, np.dtype([("items", kind, (length,))], align=True)
