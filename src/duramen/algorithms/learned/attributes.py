"""Attributes of a whole page at once, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.page import BoolArray, IntArray, Page


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """Some attributes of one name: the rows that carry them, in document order, and their values."""

    rows: IntArray
    values: list[bytes]

    def __len__(self) -> int:
        return len(self.values)


def attributes_named(page: Page, *names: str) -> Attributes:
    """Every attribute of these names in the page."""
    return _attributes(page, _named(page, names, np.arange(len(page.attr_value_at))))


def rows_where(page: Page, rows: IntArray, chosen: Sequence[bool] | BoolArray) -> BoolArray:
    """A mark for each row of the page: those of `rows` that are chosen."""
    marked = np.zeros(len(page), dtype=np.bool_)
    marked[rows[np.asarray(chosen, dtype=np.bool_)]] = True
    return marked


def _named(page: Page, names: Sequence[str], among: NDArray[np.intp]) -> NDArray[np.intp]:
    """Those of the attributes that have one of the names."""
    buffer = np.frombuffer(page.attrs, dtype=np.uint8)
    begins = page.attr_name_at[among]
    sizes = page.attr_value_at[among] - begins
    chosen = np.zeros(len(among), dtype=np.bool_)
    for name in names:
        found = np.flatnonzero(sizes == len(name))
        for place, letter in enumerate(name.encode()):
            found = found[buffer[begins[found] + place] == letter]
        chosen[found] = True
    return among[chosen]


def _attributes(page: Page, found: NDArray[np.intp]) -> Attributes:
    rows = (np.searchsorted(page.attr_at, found, side="right") - 1).astype(np.int32)
    begins, ends = page.attr_value_at[found].tolist(), page.attr_name_at[found + 1].tolist()
    return Attributes(rows, [page.attrs[begin:end] for begin, end in zip(begins, ends)])
