"""What a page's own style sheets hide: the simple rules of `<style>` elements, read by hand.

Only `.name`, `#name` and `tag.name` outside of conditions such as `@media` count, and only where no other rule that has
the name in it shows anything: what else a style sheet says takes a browser.
"""

from __future__ import annotations

import re

import numpy as np

from duramen.algorithms.learned.attributes import attributes_named, rows_where
from duramen.page import BoolArray, Page

# What is read at most, so that no page can make this slow.
STYLE_BYTES = 1 << 18  # of style sheets
HIDING_RULES = 500
HIDDEN_NAMES = 500
MENTIONS = 20  # of a name in other rules

_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_HIDES = re.compile(rb"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SHOWS = re.compile(rb"display\s*:\s*(?!none|\s)|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.)", re.IGNORECASE)
_SIMPLE = re.compile(rb"(?:[a-z][a-z0-9]*)?([.#][\w-]+)", re.IGNORECASE)


def hidden_by_rules(page: Page) -> BoolArray:
    """Elements that a rule for their class or id hides."""
    names = _hidden_names(_sheet(page))
    if not names:
        return np.zeros(len(page), dtype=np.bool_)
    classes, ids = attributes_named(page, "class"), attributes_named(page, "id")
    dotted = {name[1:] for name in names if name.startswith(b".")}
    known = {value: not dotted.isdisjoint(value.split()) for value in set(classes.values)}
    marked = rows_where(page, classes.rows, [known[value] for value in classes.values])
    return marked | rows_where(page, ids.rows, [b"#" + value.strip() in names for value in ids.values])


def _sheet(page: Page) -> bytes:
    """The text of the page's style elements, as much as is read."""
    parts, room = [], STYLE_BYTES
    for row in np.flatnonzero(page.named("style")).tolist():
        part = page.text[page.text_at[row] : page.text_at[page.end[row]]][:room]
        room -= len(part)
        parts.append(part)
        if room <= 0:
            break
    return _COMMENT.sub(b" ", b"\n".join(parts))


def _hidden_names(sheet: bytes) -> set[bytes]:
    """`.class` and `#id` that rules hide and none shows."""
    names: set[bytes] = set()
    if b"none" not in sheet and b"hidden" not in sheet:
        return names
    codes = np.frombuffer(sheet, dtype=np.uint8)
    depth = np.cumsum((codes == ord("{")).astype(np.int8) - (codes == ord("}")).astype(np.int8), dtype=np.int32)
    rules: set[int] = set()
    for found in _HIDES.finditer(sheet):
        opened = sheet.rfind(b"{", 0, found.start())
        if depth[found.start()] != 1 or opened in rules:
            continue  # inside a condition, or a rule that says so twice
        rules.add(opened)
        if len(rules) > HIDING_RULES:
            break
        begin = max(sheet.rfind(sign, 0, opened) for sign in (b"}", b";", b">")) + 1
        for selector in sheet[begin:opened].split(b","):
            simple = _SIMPLE.fullmatch(selector.strip())
            if simple:
                names.add(simple[1])
    return {name for name in sorted(names)[:HIDDEN_NAMES] if not _shown(sheet, name)}


def _shown(sheet: bytes, name: bytes) -> bool:
    """Whether a rule with the name in it shows something."""
    at = -1
    for _ in range(MENTIONS):
        at = sheet.find(name, at + 1)
        if at < 0:
            return False
        opened = sheet.find(b"{", at)
        if opened < 0:
            return False
        if _SHOWS.search(sheet, opened, max(sheet.find(b"}", opened), opened)):
            return True
    return False
