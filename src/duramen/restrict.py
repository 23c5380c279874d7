"""Page → a smaller page: what was kept of its body, and nothing else."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.measure import holds
from duramen.page import BoolArray, IntArray, Page, RawText


class Restricted(NamedTuple):
    """A page without some of its rows, and where the others were before."""

    page: Page
    rows: IntArray  # row i of the new page is row rows[i] of the old one


def restrict(page: Page, kept: BoolArray) -> Restricted:
    """The page with the `kept` rows of its body and their ancestors; the head and the body itself always stay."""
    stay = holds(page, kept)
    if len(page):
        body = page.body()
        stay[: body + 1] = True  # the root and the head; without a body, the root alone
        stay[page.end[body] :] = True
    rows = np.flatnonzero(stay).astype(np.int32)
    new = np.concatenate(([0], np.cumsum(stay))).astype(np.int32)  # old row → how many of the new are before it
    text_at, text = _take(page.text, page.text_at, stay)
    attribute = np.repeat(stay, np.diff(page.attr_at))
    # Names and values lie in turn in one buffer.
    turns = np.empty(2 * len(page.attr_value_at) + 1, dtype=np.int32)
    turns[::2], turns[1::2] = page.attr_name_at, page.attr_value_at
    attrs_at, attrs = _take(page.attrs, turns, np.repeat(attribute, 2))
    parent, flags = page.parent[rows], page.flags[rows]
    flags.flags.writeable = False
    restricted = Page(
        tag=_frozen(page.tag[rows]),
        parent=_frozen(np.where(parent < 0, -1, new[parent])),
        end=_frozen(new[page.end[rows]]),
        depth=_frozen(page.depth[rows]),
        flags=flags,
        text_at=text_at,
        text=text,
        chars=_frozen(page.chars[rows]),
        words=_frozen(page.words[rows]),
        puncts=_frozen(page.puncts[rows]),
        cjk=_frozen(page.cjk[rows]),
        attr_at=_frozen(np.concatenate(([0], np.cumsum(np.diff(page.attr_at)[rows])))),
        attr_name_at=_frozen(attrs_at[::2].copy()),
        attr_value_at=_frozen(attrs_at[1::2].copy()),
        attrs=attrs,
        other_tags=page.other_tags,
        raw=_raw_text(page.raw, stay, new),
    )
    return Restricted(restricted, rows)


def _raw_text(raw: RawText, stay: BoolArray, new: IntArray) -> RawText:
    """What the scripts and style sheets that stay hold."""
    stays = stay[raw.rows]
    return RawText(_frozen(new[raw.rows[stays]]), _frozen(raw.starts[stays]), _frozen(raw.stops[stays]), raw.source)


def _take(buffer: bytes, at: IntArray, pieces: BoolArray) -> tuple[IntArray, bytes]:
    """Some pieces of a buffer, put together: where each starts, and where the last ends."""
    size = np.diff(at)
    taken = np.frombuffer(buffer, dtype=np.uint8)[np.repeat(pieces, size)]
    return _frozen(np.concatenate(([0], np.cumsum(size[pieces])))), taken.tobytes()


def _frozen(values: NDArray[Any]) -> IntArray:
    array = values.astype(np.int32, copy=False)
    array.flags.writeable = False
    return array
