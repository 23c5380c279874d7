"""Page and selection → plain text."""

from __future__ import annotations

import re

import numpy as np

from duramen.measure import nearest
from duramen.page import BoolArray, FlagArray, IntArray, Page, Selection
from duramen.render.flow import (
    BLANK,
    BREAK,
    CELL,
    ITEM,
    LINE,
    MAX_NESTING,
    PARAGRAPH,
    SPACE,
    Flow,
    flow,
    levels,
    without_zero_width,
)
from duramen.render.listing import lines_of
from duramen.render.lists import item_numbers
from duramen.render.options import EVERYTHING_SHOWN, RenderOptions
from duramen.tags import TAG_IDS

INDENT = "  "  # of each list that a line lies in
BULLET = "- "

_INDENTS = tuple(INDENT * level for level in range(MAX_NESTING + 1))
_CUT = b"\0"  # no text of an HTML page holds it
_GLUE = (b"", b" ", b"\n", _CUT, _CUT, _CUT, _CUT, _CUT)  # by gap, inside a line
_SEPARATORS = ("", " ", "\n", "\n", "\n\n", "\t", "\n", "\n\n")  # by gap, between lines
_EMPTY_LINES = re.compile(r"\n{3,}")
_LI, _DD, _BR = (TAG_IDS[name] for name in ("li", "dd", "br"))


def to_text(page: Page, selection: Selection, options: RenderOptions = EVERYTHING_SHOWN) -> str:
    """What was kept as plain text.

    An empty line stands between paragraphs; list items, table rows and the lines of an address have a line of their
    own; a tab stands between the cells of a row.
    """
    shown = flow(page, selection, options)
    if not len(shown):
        return ""
    gap = _settled(page, shown)
    preformatted = shown.pre[shown.rows] > 0
    # A break inside preformatted text is part of it; elsewhere it ends the line, like any boundary.
    starts = np.flatnonzero((gap > BREAK) | ((gap == BREAK) & ~preformatted)).astype(np.int32)
    lines = _lines(page, shown, gap, starts)
    heads = [_SEPARATORS[code] for code in gap[starts].tolist()]
    prefixes = _prefixes(page, shown, gap, starts)
    for at in np.flatnonzero(preformatted[starts]).tolist():
        # What is written here must not be taken for white space to collapse: it joins the head, not the line.
        prefix = prefixes.pop(at, "")
        indent = " " * len(prefix)
        written = [indent + line if line else "" for line in lines_of(lines[at])]
        heads[at] += prefix + "\n".join(written)[len(prefix) :]
        lines[at] = ""
    for at, prefix in prefixes.items():
        heads[at] += prefix
    text = "".join([head + " ".join(line.split()) for head, line in zip(heads, lines)])
    return (_EMPTY_LINES.sub("\n\n", text) if "\n\n\n" in text else text).strip()


def _settled(page: Page, shown: Flow) -> FlagArray:
    """The gaps of plain text: a cell is one line, and items of several paragraphs stand apart."""
    rows, gap = shown.rows, shown.gap
    if shown.cell.any():
        cell = shown.cell[rows]
        together = (cell[1:] > 0) & (cell[1:] == cell[:-1])
        gap[1:][together] = np.minimum(gap[1:][together], SPACE)
    items = (page.tag == _LI) & (shown.cell == 0)
    if items.any():
        item = nearest(page, items)[rows]
        split = (gap[1:] == PARAGRAPH) | (gap[1:] == BLANK)
        loose = np.zeros(len(page) + 1, dtype=np.bool_)  # the last entry stands for "in no item"
        loose[item[1:][split & (item[1:] == item[:-1]) & (item[1:] >= 0)]] = True
        apart = (item[1:] != item[:-1]) & (loose[item[1:]] | loose[item[:-1]])
        gap[1:][apart & (gap[1:] == ITEM)] = PARAGRAPH
    return gap


def _lines(page: Page, shown: Flow, gap: FlagArray, starts: IntArray) -> list[str]:
    """The raw text of each line (or cell), white space as it stands in the page."""
    glue = gap.copy()
    glue[starts] = LINE
    source = page.text.replace(_CUT, b" ") if _CUT in page.text else page.text
    begins, ends = page.text_at[shown.rows].tolist(), page.text_at[shown.rows + 1].tolist()
    pieces = [_GLUE[code] + source[begin:end] for code, begin, end in zip(glue.tolist(), begins, ends)]
    for at in np.flatnonzero(page.tag[shown.rows] == _BR).tolist():
        pieces[at] += b"\n"
    return without_zero_width(b"".join(pieces).decode("utf-8", "replace")).split("\0")[1:]


def _prefixes(page: Page, shown: Flow, gap: FlagArray, starts: IntArray) -> dict[int, str]:
    """By line: its indentation, its list markers and, in a row of data, the tabs of its empty cells."""
    first = shown.rows[starts]
    follows = gap[starts] == CELL
    place, tabs = _cells(page, shown, first, follows)
    depth = np.minimum(shown.lists + levels(page, page.tag == _DD), MAX_NESTING)
    indents = np.where(follows, 0, depth[place])
    indented = np.flatnonzero(indents)
    prefixes = dict(zip(indented.tolist(), [_INDENTS[level] for level in indents[indented].tolist()]))
    items = np.flatnonzero((page.tag == _LI) & (shown.cell == 0) & (shown.pre == 0))
    if len(items):
        lines = np.minimum(np.searchsorted(first, items), len(first) - 1)
        filled = (first[lines] >= items) & (first[lines] < page.end[items])
        outdents = np.maximum(depth[items] - 1, 0)
        numbers = item_numbers(page)
        previous, marks = -1, 0
        for line, item, level in zip(lines[filled].tolist(), items[filled].tolist(), outdents[filled].tolist()):
            marker = f"{numbers[item]}. " if item in numbers else BULLET
            if line != previous:  # the outermost item that starts on a line sets its indentation
                prefixes[line] = _INDENTS[level] + marker
                previous, marks = line, 1
            elif marks < MAX_NESTING:
                prefixes[line] += marker
                marks += 1
    for at in np.flatnonzero(tabs).tolist():
        prefixes[at] = prefixes.get(at, "") + "\t" * int(tabs[at])
    return prefixes


def _cells(page: Page, shown: Flow, first: IntArray, follows: BoolArray) -> tuple[IntArray, IntArray]:
    """For each line that starts in row `first`: where its indentation is measured, and the empty cells before it.

    `follows` says which lines are cells that follow another one of the same row.
    """
    number = shown.cell[first]
    if not number.any():
        return first, number
    seen = np.maximum.accumulate(shown.cell)  # cells that started up to each row
    cell_rows = np.concatenate(([0], np.flatnonzero(np.diff(seen, prepend=0)))).astype(np.int32)
    place = np.where(number > 0, cell_rows[number], first)  # so that a list inside a cell does not count
    before = np.where(follows, np.concatenate(([0], number[:-1])), seen[page.parent[place]])
    return place, np.where(number > 0, number - 1 - before, 0).astype(np.int32)
