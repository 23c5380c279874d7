"""What a page's own style sheets hide: the simple rules of `<style>` elements, read by hand.

Only `.name`, `#name` and `tag.name` outside of conditions such as `@media` count, and only where no other rule that has
the name in it shows anything: what else a style sheet says takes a browser.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from duramen.algorithms.learned.sheets import hiding_rules, mark_called, may_hide, names_like, style_sheet
from duramen.page import FlagArray, Page

# What is read at most, so that no page can make this slow.
STYLE_BYTES = 1 << 18  # of style sheets
HIDING_RULES = 500
HIDDEN_NAMES = 500
MENTIONS = 20  # of a name in other rules

_STATEMENT = re.compile(rb";|<!--|-->")  # what may stand before the selector of a rule ends with one of these
_GONE = re.compile(rb"(?<![-\w])display\s*:\s*none", re.IGNORECASE)
_SHOWS = re.compile(rb"display\s*:\s*(?!none|\s)|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.)", re.IGNORECASE)
_SIMPLE = re.compile(rb"(?:[a-z][a-z0-9]*)?([.#][\w-]+)", re.IGNORECASE)


def rows_hidden(page: Page, marks: FlagArray, kinds: FlagArray) -> tuple[list[int], list[int]]:
    """The elements of few words (by their `marks`) that a rule for their class or id hides, and none shows.

    First those that it takes out of the page, then those that keep their room and are only not visible. `kinds` are
    those of the page's attributes, see `sight`.
    """
    sheet = style_sheet(page, STYLE_BYTES)
    if not sheet:
        return [], []
    called = bytearray(1 << 13)
    mark_called(page, marks, kinds, called)
    if not may_hide(sheet, called):
        return [], []
    sheet = _without_comments(sheet)
    names = _hidden_names(sheet)
    likely = bytearray(256)
    for name in names:
        likely[(name[1] + 3 * name[-1] + 7 * (len(name) - 1)) & 255] = 1
    rows: dict[bytes, list[int]] = {}
    for row, begin, end in names_like(page, marks.data, bytes(likely)) if names else ():
        name = (b"." if row >= 0 else b"#") + page.attrs[begin:end]
        if name in names:
            rows.setdefault(name, []).append(row if row >= 0 else -row - 1)
    found: tuple[list[int], list[int]] = [], []
    if rows:
        showing = _Showing(sheet)
        for name, called_so in rows.items():
            if name not in showing:
                found[not names[name]].extend(called_so)
    return found


def _hidden_names(sheet: bytes) -> dict[bytes, bool]:
    """The `.class` and `#id` that rules of a sheet without comments hide, before any that shows them is looked for.

    With each, whether one takes it out of the page.
    """
    names: dict[bytes, bool] = {}
    for begin, end in hiding_rules(sheet, HIDING_RULES):
        gone: bool | None = None
        for selector in _STATEMENT.split(sheet[begin:end])[-1].split(b","):
            simple = _SIMPLE.fullmatch(selector.strip())
            if simple:
                if gone is None:
                    closed = sheet.find(b"}", end)
                    gone = _GONE.search(sheet, end, closed if closed >= 0 else len(sheet)) is not None
                names[simple[1]] = names.get(simple[1], False) or gone
    return dict(sorted(names.items())[:HIDDEN_NAMES])


def _without_comments(sheet: bytes) -> bytes:
    """The sheet with a space for each comment; one without an end is left as it is."""
    begin, at, parts = 0, sheet.find(b"/*"), []
    while at >= 0:
        end = sheet.find(b"*/", at + 2)
        if end < 0:
            break
        parts += [sheet[begin:at], b" "]
        begin = end + 2
        at = sheet.find(b"/*", begin)
    parts.append(sheet[begin:])
    return b"".join(parts)


class _Showing:
    """Which names stand in rules that show something."""

    def __init__(self, sheet: bytes) -> None:
        self._sheet = sheet
        self._known: dict[int, bool] = {}
        self._read = 0
        self._shows: list[int] | None = None

    def __contains__(self, name: bytes) -> bool:
        at = -1
        for _ in range(MENTIONS):
            at = self._sheet.find(name, at + 1)
            opened = self._sheet.find(b"{", at) if at >= 0 else -1
            if opened < 0:
                return False
            if opened not in self._known:
                self._known[opened] = self._does(opened)
            if self._known[opened]:
                return True
        return False

    def _does(self, opened: int) -> bool:
        """Whether the block that opens there shows something. It ends at the next brace, whatever is open."""
        closed = max(self._sheet.find(b"}", opened), opened)
        self._read += closed - opened
        if self._read <= len(self._sheet):
            return _SHOWS.search(self._sheet, opened, closed) is not None
        # Blocks inside of blocks would be read again and again: the whole sheet is read once.
        if self._shows is None:
            self._shows = [found.start() for found in _SHOWS.finditer(self._sheet)]
        return bisect_left(self._shows, opened) < bisect_left(self._shows, closed)
