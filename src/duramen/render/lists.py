"""The numbers of ordered lists.

This file compiles to C, with the types in `lists.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from duramen.page import FlagArray, Page
from duramen.tags import TAG_IDS, TAG_NAMES

LISTS: frozenset[str] = frozenset({"ul", "ol", "menu", "dir"})

_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,9})(?![0-9])")
_VALUE, _START, _REVERSED = b"value", b"start", b"reversed"
_IS_LIST = bytes(name in LISTS for name in (*TAG_NAMES, "?"))
_NO_NUMBERS, _NONE_NUMBERED = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8)
OL, LI = TAG_IDS["ol"], TAG_IDS["li"]


def item_numbers(page: Page) -> dict[int, int]:
    """The number of every `<li>` of an `<ol>`, by row, with `start`, `reversed` and `value` as browsers read them."""
    numbers, numbered = number_items(page)
    rows = np.flatnonzero(numbered)
    return dict(zip(rows.tolist(), numbers[rows].tolist())) if len(rows) else {}


def number_items(page: Page) -> tuple[NDArray[np.int64], FlagArray]:
    """The same as arrays: the numbers, and which rows have one. Both are empty where the page has no `<ol>`."""
    if not _has_ordered(page.tag.data):
        return _NO_NUMBERS, _NONE_NUMBERED
    numbers, numbered = np.zeros(len(page), dtype=np.int64), np.zeros(len(page), dtype=np.uint8)
    lists = np.zeros((3, len(page)), dtype=np.int64)
    _number(
        page,
        page.tag.data,
        page.parent.data,
        page.attr_at.data,
        page.attr_name_at.data,
        page.attr_value_at.data,
        memoryview(page.attrs),
        lists.data,
        numbers.data,
        numbered.data,
    )
    return numbers, numbered


def _has_ordered(tag: memoryview) -> int:
    """Whether there is an `<ol>`. A comparison of whole arrays takes longer where nothing else does one."""
    for row in range(len(tag)):
        if tag[row] == OL:
            return 1
    return 0


def _number(
    page: Page,
    tag: memoryview,
    parent: memoryview,
    attr_at: memoryview,
    attr_name_at: memoryview,
    attr_value_at: memoryview,
    attrs: memoryview,
    lists: memoryview,
    numbers: memoryview,
    numbered: memoryview,
) -> int:
    """Number the items of ordered lists. `lists` has the list of each row, and of each list its items and its step."""
    rows, other = len(tag), len(_IS_LIST) - 1
    for row in range(rows):
        up = parent[row]
        owner = lists[0, up] if up >= 0 else -1
        if _IS_LIST[tag[row] if tag[row] < other else other]:
            owner = row
        lists[0, row] = owner
        if tag[row] == LI and owner >= 0 and tag[owner] == OL:
            numbered[row] = 1
            lists[1, owner] += 1
    for row in range(rows):
        if not numbered[row]:
            continue
        owner = lists[0, row]
        if lists[2, owner] == 0:  # its first item: `numbers` of the list is the next number from now on
            numbers[owner], lists[2, owner] = 1, 1
            for k in range(attr_at[owner], attr_at[owner + 1]):
                if attrs[attr_name_at[k]] == _START[0] or attrs[attr_name_at[k]] == _REVERSED[0]:
                    numbers[owner], lists[2, owner] = _first_number(page, owner, lists[1, owner])
        number = numbers[owner]
        for k in range(attr_at[row], attr_at[row + 1]):
            if attr_value_at[k] - attr_name_at[k] == len(_VALUE) and attrs[attr_name_at[k]] == _VALUE[0]:
                number = whole(page.attribute(row, "value"), number)
        numbers[row], numbers[owner] = number, number + lists[2, owner]
    return 0


def _first_number(page: Page, row: int, size: int) -> tuple[int, int]:
    """The number of a list's first item, and the step to the next."""
    step = 1 if page.attribute(row, "reversed") is None else -1
    return whole(page.attribute(row, "start"), 1 if step == 1 else size), step


def whole(value: str | None, otherwise: int) -> int:
    """The whole number that an attribute's value starts with, read as HTML does."""
    found = _WHOLE.match(value or "")
    return int(found[1]) if found else otherwise
