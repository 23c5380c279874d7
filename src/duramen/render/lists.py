"""The numbers of ordered lists."""

from __future__ import annotations

import re

import numpy as np

from duramen.measure import nearest
from duramen.page import Page
from duramen.tags import TAG_IDS, tag_mask

LISTS: frozenset[str] = frozenset({"ul", "ol", "menu", "dir"})

_LIST = tag_mask(LISTS)
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,9})(?![0-9])")


def item_numbers(page: Page) -> dict[int, int]:
    """The number of every `<li>` of an `<ol>`, by row, with `start`, `reversed` and `value` as browsers read them."""
    if not (page.tag == TAG_IDS["ol"]).any():
        return {}
    items = np.flatnonzero(page.tag == TAG_IDS["li"])
    owners = nearest(page, page.has_tag(_LIST))[items]
    ordered = (owners >= 0) & (page.tag[owners] == TAG_IDS["ol"])
    items, owners = items[ordered], owners[ordered]
    sizes = np.bincount(owners, minlength=1)
    numbers: dict[int, int] = {}
    following: dict[int, tuple[int, int]] = {}  # of each list: the next number, and the step to the one after
    for item, owner in zip(items.tolist(), owners.tolist()):
        if owner not in following:
            step = 1 if page.attribute(owner, "reversed") is None else -1
            first = 1 if step == 1 else int(sizes[owner])
            following[owner] = (whole(page.attribute(owner, "start"), first), step)
        number, step = following[owner]
        if page.attr_at[item] != page.attr_at[item + 1]:
            number = whole(page.attribute(item, "value"), number)
        numbers[item] = number
        following[owner] = (number + step, step)
    return numbers


def whole(value: str | None, otherwise: int) -> int:
    """The whole number that an attribute's value starts with, read as HTML does."""
    found = _WHOLE.match(value or "")
    return int(found[1]) if found else otherwise
