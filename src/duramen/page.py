"""The nouns of the pipeline: a parsed page, its blocks, and what an algorithm selected of it.

Everything here is flat arrays in document order: row i of every array is node i. A node's subtree is the
rows i .. end[i]-1, so nothing ever recurses, however deep the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.tags import TAG_IDS, TAG_NAMES, TEXT, tag_mask

IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
FlagArray = NDArray[np.uint8]

# Bits of Page.flags: what an element's own attributes say (not its ancestors').
HREF = 1  # an <a> or <area> with an href
HIDDEN = 2  # hidden attribute, or inline display:none / visibility:hidden


class Reason(str, Enum):
    """Why an extraction is empty."""

    EMPTY_INPUT = "empty_input"  # no bytes, or nothing but white space
    NOT_HTML = "not_html"  # binary: an image, a PDF, an archive …
    NEEDS_JAVASCRIPT = "needs_javascript"  # a shell that scripts would fill
    NO_TEXT = "no_text"  # markup without a word of visible text
    NO_CONTENT = "no_content"  # text, but nothing that the algorithm takes for content
    # What only limits, archives and the network bring about: see duramen.pool and duramen.jobs.
    TOO_LARGE = "too_large"  # more bytes than the limit
    ENCODING = "encoding"  # most of it could be read in no encoding
    TIMEOUT = "timeout"  # it took too long
    MEMORY = "memory"  # it took too much memory
    CRASH = "crash"  # it ended the process that worked on it
    ERROR = "error"  # something raised that should not
    DAMAGED = "damaged"  # the archive that holds it cannot be read at this place
    UNREACHABLE = "unreachable"  # it could not be fetched or opened

    def __str__(self) -> str:
        return self.value


_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class RawText:
    """What scripts and style sheets hold: left where it stands in the bytes that were read, and not counted.

    Below `<svg>` and `<math>` it is text like any other.
    """

    rows: IntArray  # text nodes of <script> and <style>, in document order
    starts: IntArray  # the text of rows[k] is source[starts[k] : stops[k]], line ends as they were written
    stops: IntArray
    source: bytes  # the page itself, or as much of it as is needed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RawText):
            return NotImplemented
        same_rows = np.array_equal(self.rows, other.rows)
        return same_rows and all(self.at(k) == other.at(k) for k in range(len(self.rows)))

    def __hash__(self) -> int:
        return hash(self.rows.tobytes())

    def at(self, k: int) -> bytes:
        """The text of rows[k], lines ended by line feeds."""
        text = self.source[self.starts[k] : self.stops[k]]
        return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text

    def of(self, row: int) -> bytes | None:
        """The text of that row; None where it is not in `rows`."""
        k = int(np.searchsorted(self.rows, row))
        return self.at(k) if k < len(self.rows) and self.rows[k] == row else None


_NONE = np.empty(0, dtype=np.int32)
_NONE.flags.writeable = False
NO_RAW_TEXT = RawText(_NONE, _NONE, _NONE, b"")


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A parsed page as flat, read-only arrays: row i of every array is node i, in document order.

    Text nodes are rows too (tag 0). Row 0 is the root element. Comments, doctypes and the contents of
    `<template>` are not rows.
    """

    tag: IntArray  # 0 text, else an id of tags.TAG_NAMES, else len(TAG_NAMES) + index into other_tags
    parent: IntArray  # -1 at the root, else parent[i] < i
    end: IntArray  # node i's subtree is rows i .. end[i]-1
    depth: IntArray  # 0 at the root
    flags: FlagArray  # HREF | HIDDEN, from the element's own attributes
    text_at: IntArray  # n+1: the text below node i is text[text_at[i] : text_at[end[i]]]
    text: bytes  # UTF-8 text of all text nodes but those of `raw`, in document order, character references resolved
    chars: IntArray  # a text node's characters, white space collapsed and stripped; 0 for elements
    words: IntArray  # its words; each CJK character is one
    puncts: IntArray  # its periods and commas (ASCII, ideographic, full- and half-width)
    cjk: IntArray  # its CJK characters
    attr_at: IntArray  # n+1: node i's attributes are attr_at[i] .. attr_at[i+1]-1
    attr_name_at: IntArray  # m+1 offsets into attrs: name k is attrs[attr_name_at[k] : attr_value_at[k]] …
    attr_value_at: IntArray  # … and its value attrs[attr_value_at[k] : attr_name_at[k+1]]
    attrs: bytes  # UTF-8 names and values of all attributes, in document order
    other_tags: tuple[str, ...] = ()  # names outside tags.TAG_NAMES
    raw: RawText = NO_RAW_TEXT  # what scripts and style sheets hold

    def __len__(self) -> int:
        return len(self.tag)

    def is_text(self) -> BoolArray:
        """Which rows are text nodes."""
        texts: BoolArray = self.tag == TEXT
        return texts

    def has_tag(self, mask: BoolArray) -> BoolArray:
        """Which rows are one of the elements of a `tags.tag_mask`."""
        marked: BoolArray = mask[np.minimum(self.tag, len(mask) - 1)]
        return marked

    def named(self, *names: str) -> BoolArray:
        """Which rows are one of the named elements."""
        return self.has_tag(tag_mask(names))

    def tag_name(self, row: int) -> str:
        """Name of the element in `row`; `#text` for a text node."""
        number = int(self.tag[row])
        return TAG_NAMES[number] if number < len(TAG_NAMES) else self.other_tags[number - len(TAG_NAMES)]

    def text_of(self, row: int) -> str:
        """All text of a node and everything below it, as it stands in the page; see `utf8_of`."""
        return self.utf8_of(row).decode("utf-8", "replace")

    def utf8_of(self, row: int) -> bytes:
        """All text of a node and everything below it; that of a script or style sheet only if it is the node."""
        start, stop = self.text_at[row], self.text_at[self.end[row]]
        if start < stop:
            return self.text[start:stop]
        # The text node of a script or style sheet, or, right behind it, that of the element.
        return self.raw.of(row) or self.raw.of(row + 1) or b""

    def attributes(self, row: int) -> dict[str, str]:
        """The attributes of an element; those without a value have an empty one."""
        return {name.decode("utf-8", "replace"): value.decode("utf-8", "replace") for name, value in self._pairs(row)}

    def attribute(self, row: int, name: str) -> str | None:
        """One attribute's value; empty where it has none, None where the element lacks it."""
        wanted = name.encode()
        return next((value.decode("utf-8", "replace") for key, value in self._pairs(row) if key == wanted), None)

    def _pairs(self, row: int) -> Iterator[tuple[bytes, bytes]]:
        """Names and values of an element's attributes."""
        first, stop = self.attr_at[row : row + 2].tolist()
        if first < stop:
            names, values = self.attr_name_at[first : stop + 1].tolist(), self.attr_value_at[first:stop].tolist()
            for start, middle, end in zip(names, values, names[1:]):
                yield self.attrs[start:middle], self.attrs[middle:end]

    def children(self, row: int) -> Iterator[int]:
        """The child rows of a node, in document order."""
        child, stop, end = row + 1, int(self.end[row]), self.end
        while child < stop:
            yield child
            child = int(end[child])

    def ancestors(self, row: int) -> Iterator[int]:
        """The rows above a node, nearest first."""
        row = int(self.parent[row])
        while row >= 0:
            yield row
            row = int(self.parent[row])

    def first(self, name: str) -> int | None:
        """The first element of that name, or None."""
        rows = np.flatnonzero(self.tag == TAG_IDS[name])
        return int(rows[0]) if len(rows) else None

    def body(self) -> int:
        """The `<body>`, or the root element where there is none (a frameset)."""
        row = self.first("body")
        return 0 if row is None else row

    def path(self, row: int, levels: int = 16) -> str:
        """A readable address of a node, its last `levels` steps: `html > body > div#main > p.lead > #text`."""
        steps: list[str] = []
        for at in chain((row,), self.ancestors(row)):
            if len(steps) == levels:
                steps.append("…")
                break
            attributes = self.attributes(at)
            marks = [f"#{attributes['id'].strip()}"] if attributes.get("id", "").strip() else []
            marks += [f".{name}" for name in attributes.get("class", "").split()]
            steps.append(self.tag_name(at) + "".join(marks)[:120])
        return " > ".join(reversed(steps))


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Runs of inline text between block boundaries: block k is the text rows rows[at[k]] .. rows[at[k+1]-1]."""

    at: IntArray  # number of blocks + 1
    rows: IntArray  # text rows, in document order

    def __len__(self) -> int:
        return len(self.at) - 1


@dataclass(frozen=True, slots=True)
class Part:
    """A labelled piece of a selection: a title, a forum post, a reply, a comment section."""

    label: str
    rows: tuple[int, ...]  # whole subtrees or text rows, in document order


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """What an algorithm kept of a page, and why.

    `kept` marks rows whose own tag or text is content; the ancestors that hold them together are implied.
    `columns` are the algorithm's figures, one entry a row of the page — or one a block where `blocks` is set.
    """

    kept: BoolArray
    score: FloatArray | None = None  # one a row (or block): higher is more likely content, NaN where not judged
    columns: Mapping[str, NDArray[Any]] = field(default_factory=lambda: _EMPTY)
    trace: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)  # thresholds, winner, steps: JSON-ready values
    blocks: Blocks | None = None
    parts: tuple[Part, ...] = ()
    title: int | None = None  # the row of the title that the algorithm found
    flags: tuple[str, ...] = ()  # warnings by name: "low_confidence", "short_page"
    reason: Reason | None = None  # why nothing was kept
    confidence: float | None = None
