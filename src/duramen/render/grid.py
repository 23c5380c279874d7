"""The cells of a table of data → a table of Markdown."""

from __future__ import annotations

import re

from duramen.page import Page
from duramen.render.inline import escape_start
from duramen.render.lists import whole
from duramen.tags import TAG_IDS

MAX_COLUMN_SPAN = 50  # pages write colspan="100" for "all"
MAX_ROW_SPAN = 1000
MAX_COLUMNS = 200  # beyond these, cells that cover several rows are not followed

_STYLE_ALIGN = re.compile(r"text-align\s*:\s*(left|right|center)", re.IGNORECASE)
_BOLD = re.compile(r"\*\*[^*]+\*\*")
_RULES = {"left": ":---", "right": "---:", "center": ":---:"}
_TH = TAG_IDS["th"]


class Grid:
    """A table that is being read, row by row."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._rows: list[list[str]] = []
        self._has_header = False  # whether the first row is one
        self._rules: dict[int, str] = {}  # column → how its rule is written, where the first row aligns it
        self._covered: dict[int, int] = {}  # column → rows that a cell above still covers
        self.open_row(False)

    def open_row(self, in_head: bool) -> None:
        """Start a row; `in_head` says that it lies in a `<thead>`."""
        self._cells: list[str] = []
        self._in_head = in_head
        self._only_headers = True
        self._covers: dict[int, int] = {}  # what the cells of this row cover below it

    def add(self, row: int, text: str) -> None:
        """The next cell: its element, and its text as Markdown."""
        cells = self._cells
        while self._covered.get(len(cells)):
            cells.append("")
        column, columns = len(cells), 1
        cells.append(text)
        if text and self._page.tag[row] != _TH:
            self._only_headers = False
        if self._page.attr_at[row] == self._page.attr_at[row + 1]:
            return
        attributes = self._page.attributes(row)
        columns = min(max(whole(attributes.get("colspan"), 1), 1), MAX_COLUMN_SPAN)
        cells += [""] * (columns - 1)
        rows = whole(attributes.get("rowspan"), 1)
        rows = MAX_ROW_SPAN if rows == 0 else min(rows, MAX_ROW_SPAN)
        if rows > 1 and column + columns <= MAX_COLUMNS:
            self._covers.update((covered, rows - 1) for covered in range(column, column + columns))
        if not self._rows:
            style = _STYLE_ALIGN.search(attributes.get("style", ""))
            align = (style[1] if style else attributes.get("align", "")).lower()
            if align in _RULES:
                self._rules[column] = _RULES[align]

    def close_row(self) -> None:
        """End the row; one without text is left out."""
        self._covered = {column: rows - 1 for column, rows in self._covered.items() if rows > 1} | self._covers
        while self._cells and not self._cells[-1]:
            self._cells.pop()
        if self._cells:
            if not self._rows:
                self._has_header = self._in_head or self._only_headers
            self._rows.append(self._cells)

    def blocks(self) -> list[list[str]]:
        """The lines of the table; or one paragraph a cell, where a single column is left of it."""
        width = max(map(len, self._rows), default=0)
        columns = {column for cells in self._rows for column, cell in enumerate(cells) if cell}
        if len(columns) < 2:
            return [[escape_start(cell.replace("\\|", "|"))] for cells in self._rows for cell in cells if cell]
        rows = self._rows
        if not self._has_header:
            bold = [_BOLD.fullmatch(cell) for cell in rows[0] if cell]
            if len(rows) > 1 and all(bold):  # a header by its looks
                rows = [[cell.strip("*") for cell in rows[0]], *rows[1:]]
            else:
                rows = [[], *rows]
        header = rows[0] + [""] * (width - len(rows[0]))
        rules = [self._rules.get(column, "---") for column in range(width)]
        return [["| " + " | ".join(cells) + " |" for cells in (header, rules, *rows[1:])]]
