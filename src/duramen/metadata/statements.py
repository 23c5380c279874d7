"""What the elements of a page state: `<meta>`, `<link>` and JSON-LD, and where the others stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import unescape

import numpy as np

from duramen.metadata.linked_data import LinkedData, read_linked_data
from duramen.page import Page
from duramen.tags import TAG_IDS, TAG_NAMES, tag_mask

ELEMENTS = 200  # of one name that are read, so that no page can make this slow

Rows = Mapping[str, list[int]]

_NAMES = ("title", "base", "link", "meta", "script", "h1", "h2", "h3", "time")
_MASK = tag_mask(_NAMES)


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
    return Statements(
        page=page,
        rows=rows,
        meta=_meta(page, rows["meta"]),
        links=_links(page, rows["link"]),
        linked_data=read_linked_data(page, rows["script"]),
    )


def _rows(page: Page) -> Rows:
    found: dict[int, list[int]] = {TAG_IDS[name]: [] for name in _NAMES}
    rows = np.flatnonzero(_MASK.take(page.tag, mode="clip"))
    for row, tag in zip(rows.tolist(), page.tag[rows].tolist()):
        if len(found[tag]) < ELEMENTS:
            found[tag].append(row)
    return {TAG_NAMES[tag]: some for tag, some in found.items()}


def _meta(page: Page, rows: list[int]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        attributes = page.attributes(row)
        content = attributes.get("content", "").strip()
        if content:
            for kind in ("property", "name", "itemprop", "http-equiv"):
                if kind in attributes:
                    found.setdefault(attributes[kind].strip().lower(), []).append(unescape(content))
    return found


def _links(page: Page, rows: list[int]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for row in rows:
        for relation in (page.attribute(row, "rel") or "").lower().split():
            if relation in ("canonical", "image_src"):
                found.setdefault(relation, page.attribute(row, "href") or "")
    return found
