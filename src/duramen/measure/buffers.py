"""The buffers of arrays, for passes over the rows that run uncompiled; `buffers.pxd` holds the same for compiled ones.

Compiled passes read and write buffers without a check on every access. So each is checked once: here its length, and
in `check_tree` what a page says of other rows. The arrays have to outlive the passes.
"""

from __future__ import annotations

from struct import calcsize
from typing import Any, cast

from numpy.typing import NDArray

Store = NDArray[Any] | bytes | bytearray


def ints(array: Store, size: int) -> memoryview:
    """The `size` entries of an array of 32-bit integers, one row after the other where it has several."""
    return _entries(array, size, "i")


def octets(array: Store, size: int) -> memoryview:
    """The same of bytes."""
    return _entries(array, size, "B")


def doubles(array: Store, size: int) -> Any:
    """The same of 64-bit floating-point numbers. Type checkers know memory views of whole numbers only."""
    return _entries(array, size, "d")


def longs(array: Store, size: int) -> memoryview:
    """The same of 64-bit integers."""
    return _entries(array, size, "q")


new_ints, new_octets, new_doubles, new_longs = ints, octets, doubles, longs  # of arrays that are written to


def room(size: int) -> bytearray:
    """So many bytes to work with, whatever is in them; an array of NumPy's takes longer to get."""
    return bytearray(size)


def further(buffer: Any, entries: int) -> Any:
    """The buffer from so many entries on."""
    return buffer[entries:]


further_octets = further_doubles = further


def _entries(array: Any, size: int, code: str) -> memoryview:
    view = memoryview(array)
    if view.nbytes != size * calcsize(code) or not view.c_contiguous:
        raise IndexError(f"an array of {size} entries is needed, not of {view.nbytes} bytes")
    return view.cast("B").cast(cast(Any, code)) if size else view


def check_tree(tag: memoryview, parent: memoryview, end: memoryview, size: int) -> int:
    """Raise IndexError where a parent does not come before its child, or where a subtree ends outside of the page."""
    for row in range(size):
        if not (tag[row] >= (row == 0) and 0 <= parent[row] + (row == 0) <= row and row < end[row] <= size):
            raise IndexError(f"row {row} is no part of a tree")
    return 0
