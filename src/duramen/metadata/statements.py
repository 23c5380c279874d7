"""What the elements of a page state: `<meta>`, `<link>` and JSON-LD, and where the others stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice

import numpy as np

from duramen.metadata.attributes import read_attributes
from duramen.metadata.linked_data import LinkedData, read_linked_data
from duramen.page import Page
from duramen.tags import TAG_IDS, TAG_NAMES, tag_mask

ELEMENTS = 200  # of one name that are read, so that no page can make this slow

Rows = Mapping[str, list[int]]

_NAMES = ("title", "base", "link", "meta", "script", "h1", "h2", "h3", "time")
_MASK = tag_mask(_NAMES)
_NAMED_BY = (b"property", b"name", b"itemprop", b"http-equiv")  # what a `<meta>` element is about
_ATTRIBUTES = frozenset((*_NAMED_BY, b"content", b"rel", b"href", b"type"))


@dataclass(frozen=True, slots=True)
class Statements:
    """A page and what its elements state."""

    page: Page
    rows: Rows  # of the elements that are read, by name, in document order
    meta: Mapping[str, list[str]]  # contents of `<meta>` by name, property, itemprop or http-equiv, in document order
    links: Mapping[str, str]  # the first address of each relation in `<link>`
    linked_data: LinkedData

    def all(self, names: Iterable[str]) -> list[str]:
        """What `<meta>` elements of these names say, in the order of the names."""
        meta = self.meta
        return [content for name in names if name in meta for content in meta[name]]

    def first(self, names: Iterable[str]) -> str | None:
        """The first of `all`."""
        meta = self.meta
        for name in names:
            if name in meta:
                return meta[name][0]
        return None


def read_statements(page: Page) -> Statements:
    """Read the few elements of a page that say something of it."""
    rows = _rows(page)
    attributes = iter(read_attributes(page, [*rows["meta"], *rows["link"], *rows["script"]], _ATTRIBUTES))
    meta = _meta(islice(attributes, len(rows["meta"])))
    links = _links(islice(attributes, len(rows["link"])))
    scripts = [row for row, about in zip(rows["script"], attributes) if _is_json_ld(about)]
    return Statements(page, rows, meta, links, read_linked_data(page, scripts))


def _rows(page: Page) -> Rows:
    found: dict[int, list[int]] = {TAG_IDS[name]: [] for name in _NAMES}
    rows = np.flatnonzero(_MASK.take(page.tag, mode="clip"))
    for row, tag in zip(rows.tolist(), page.tag[rows].tolist()):
        if len(found[tag]) < ELEMENTS:
            found[tag].append(row)
    return {TAG_NAMES[tag]: some for tag, some in found.items()}


def _meta(elements: Iterable[Mapping[bytes, bytes]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for attributes in elements:
        content = _text(attributes, b"content").strip()
        if content:
            for kind in _NAMED_BY:
                if kind in attributes:
                    found.setdefault(_text(attributes, kind).strip().lower(), []).append(unescape(content))
    return found


def _links(elements: Iterable[Mapping[bytes, bytes]]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for attributes in elements:
        for relation in _text(attributes, b"rel").lower().split():
            if relation in ("canonical", "image_src"):
                found.setdefault(relation, _text(attributes, b"href"))
    return found


def _is_json_ld(attributes: Mapping[bytes, bytes]) -> bool:
    return "ld+json" in _text(attributes, b"type").lower()


def _text(attributes: Mapping[bytes, bytes], name: bytes) -> str:
    return attributes.get(name, b"").decode("utf-8", "replace")
