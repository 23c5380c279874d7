"""UTF-8 HTML → Page through lexbor, a browser-grade parser: the reference path.

The walk keeps its own stack and visits each node once, so depth and size only cost time.
"""

from __future__ import annotations

import re

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from duramen.page import HIDDEN, HREF, NO_RAW_TEXT, IntArray, Page, RawText
from duramen.parse.characters import count
from duramen.tags import RAW_TEXT, TAG_IDS, TAG_NAMES

_INVISIBLE_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE | re.ASCII)
_LINKS = frozenset(("a", "area"))
_RAW_TAGS = frozenset(TAG_IDS[name] for name in RAW_TEXT)
_FOREIGN_TAGS = frozenset((TAG_IDS["svg"], TAG_IDS["math"]))


def _flags(name: str, attributes: dict[str, str | None]) -> int:
    flags = HREF if name in _LINKS and "href" in attributes else 0
    if "hidden" in attributes or _INVISIBLE_STYLE.search(attributes.get("style") or ""):
        flags |= HIDDEN
    return flags


class _Rows:
    """The arrays of a page under construction."""

    def __init__(self) -> None:
        self.tag: list[int] = []
        self.parent: list[int] = []
        self.end: list[int] = []
        self.depth: list[int] = []
        self.flags: list[int] = []
        self.text_at: list[int] = []
        self.text: list[bytes] = []
        self.text_size = 0
        self.attr_at: list[int] = []
        self.attr_name_at: list[int] = []
        self.attr_value_at: list[int] = []
        self.attrs: list[bytes] = []
        self.attrs_size = 0
        self.other_tags: dict[str, int] = {}
        self.raw_rows: list[int] = []
        self.raw: list[bytes] = []

    def open(self, tag: int, parent: int, depth: int) -> int:
        row = len(self.tag)
        self.tag.append(tag)
        self.parent.append(parent)
        self.end.append(row + 1)
        self.depth.append(depth)
        self.flags.append(0)
        self.text_at.append(self.text_size)
        self.attr_at.append(len(self.attr_name_at))
        return row

    def add_text(self, text: str, open_rows: list[int]) -> None:
        parent = open_rows[-1]
        row = self.open(0, parent, len(open_rows) - 1)
        data = text.encode("utf-8", "replace")
        if self.tag[parent] in _RAW_TAGS and not any(self.tag[above] in _FOREIGN_TAGS for above in open_rows[1:]):
            self.raw_rows.append(row)
            self.raw.append(data)
            return
        self.text.append(data)
        self.text_size += len(data)

    def add_element(self, node: LexborNode, name: str, parent: int, depth: int) -> int:
        tag = TAG_IDS.get(name)
        if tag is None:
            tag = len(TAG_NAMES) + self.other_tags.setdefault(name, len(self.other_tags))
        row = self.open(tag, parent, depth)
        attributes = node.attributes
        if attributes:
            self.flags[row] = _flags(name, attributes)
            for key, value in attributes.items():
                self.attr_name_at.append(self.attrs_size)
                name_data, value_data = key.encode("utf-8", "replace"), (value or "").encode("utf-8", "replace")
                self.attr_value_at.append(self.attrs_size + len(name_data))
                self.attrs += (name_data, value_data)
                self.attrs_size += len(name_data) + len(value_data)
        return row

    def page(self) -> Page:
        text = b"".join(self.text)
        tag = _frozen(self.tag)
        text_at = _frozen([*self.text_at, self.text_size])
        counts = count(text, text_at, tag == 0)
        for array in counts:
            array.flags.writeable = False
        flags = np.array(self.flags, dtype=np.uint8)
        flags.flags.writeable = False
        return Page(
            tag=tag,
            parent=_frozen(self.parent),
            end=_frozen(self.end),
            depth=_frozen(self.depth),
            flags=flags,
            text_at=text_at,
            text=text,
            chars=counts.chars,
            words=counts.words,
            puncts=counts.puncts,
            cjk=counts.cjk,
            attr_at=_frozen([*self.attr_at, len(self.attr_name_at)]),
            attr_name_at=_frozen([*self.attr_name_at, self.attrs_size]),
            attr_value_at=_frozen(self.attr_value_at),
            attrs=b"".join(self.attrs),
            other_tags=tuple(self.other_tags),
            raw=self.raw_text(),
        )

    def raw_text(self) -> RawText:
        if not self.raw:
            return NO_RAW_TEXT
        at = np.cumsum([0, *map(len, self.raw)], dtype=np.int32)
        at.flags.writeable = False
        return RawText(_frozen(self.raw_rows), at[:-1], at[1:], b"".join(self.raw))


def _frozen(values: list[int]) -> IntArray:
    array = np.array(values, dtype=np.int32)
    array.flags.writeable = False
    return array


def parse_html5(utf8: bytes) -> Page:
    """The page that a browser with scripts off would build of these bytes."""
    rows = _Rows()
    # The parser must outlive its nodes.
    parser = LexborHTMLParser(utf8)
    node: LexborNode | None = parser.root
    open_nodes: list[LexborNode] = []
    open_rows: list[int] = [-1]
    while node is not None:
        name = node.tag or ""
        child = None
        if name == "-text":
            rows.add_text(node.text_content or "", open_rows)
        elif name and not name.startswith("-"):  # not a comment, a doctype or a processing instruction
            row = rows.add_element(node, name, open_rows[-1], len(open_nodes))
            child = node.child
            if child is not None:
                open_nodes.append(node)
                open_rows.append(row)
                node = child
                continue
        following = node.next if open_nodes else None
        while following is None and open_nodes:
            closed, row = open_nodes.pop(), open_rows.pop()
            rows.end[row] = len(rows.tag)
            following = closed.next if open_nodes else None
        node = following
    return rows.page()
