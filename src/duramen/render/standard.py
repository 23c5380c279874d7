"""Page and selection → paragraphs in the form that Chinese text mining expects: one a line, two blanks in front."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from duramen.measure import nearest, within
from duramen.page import BoolArray, Page, Selection
from duramen.parse.characters import CJK_PUNCTUATION, CJK_RANGES
from duramen.render.flow import BREAK, SPACE, flow, without_zero_width
from duramen.render.options import RenderOptions
from duramen.tags import HEADINGS, TAG_IDS, tag_mask

INDENT = "\u3000\u3000"  # two ideographic spaces: A1A1 A1A1 in GBK

_DEFAULTS = RenderOptions()
_HEADINGS = tag_mask(HEADINGS)
_BR = TAG_IDS["br"]
_WIDE = "".join(f"{chr(first)}-{chr(stop - 1)}" for first, stop in (*CJK_RANGES, *CJK_PUNCTUATION))
_BLANK_BETWEEN = re.compile(f"(?<=[{_WIDE}]) (?=[{_WIDE}])")


def to_standard(
    page: Page,
    selection: Selection,
    options: RenderOptions = _DEFAULTS,
    *,
    crlf: bool = False,
    indent_headings: bool = True,
) -> str:
    """What was kept as lines, one a paragraph, each after two ideographic spaces.

    Blocks, cells, list items and line breaks end a paragraph. The title, where the algorithm found one and kept it, is
    the first line and has no indent. Posts and replies of a forum have an empty line between them. Blanks between two
    Chinese characters are dropped. `crlf` ends lines as Windows does; without `indent_headings` headings stand at the
    edge like the title.
    """
    title = np.zeros(len(page), dtype=np.bool_)
    if selection.title is not None:
        inside = slice(selection.title, int(page.end[selection.title]))
        title[inside] = selection.kept[inside]
    lines = []
    if title.any():
        lines.append(_tidy(" ".join(text for text, _ in _paragraphs(page, selection, title, options))))
    part = _part_of_rows(page, selection)
    flush = within(page, page.has_tag(_HEADINGS)) & (not indent_headings)
    previous = None
    for text, row in _paragraphs(page, selection, selection.kept & ~title, options):
        if previous is not None and part[row] != previous:
            lines.append("")
        previous = part[row]
        lines.append(text if flush[row] else INDENT + text)
    return ("\r\n" if crlf else "\n").join(lines)


def _paragraphs(page: Page, selection: Selection, kept: BoolArray, options: RenderOptions) -> Iterator[tuple[str, int]]:
    """The paragraphs that are not blank, each with the row that it starts in."""
    shown = flow(page, replace(selection, kept=kept), options)
    rows = shown.rows
    pieces: list[str] = []
    start = -1
    for row, gap, pre, is_break in zip(
        rows.tolist(), shown.gap.tolist(), (shown.pre[rows] > 0).tolist(), (page.tag[rows] == _BR).tolist()
    ):
        text = "\n" if is_break else page.text_of(row)
        # A line of preformatted text is a paragraph of its own; elsewhere the ends of lines are blanks.
        lines = text.splitlines() + [""] * text.endswith(("\n", "\r")) if pre else [text]
        for at, line in enumerate(lines):
            if at or gap >= BREAK:
                if paragraph := _tidy("".join(pieces)):
                    yield paragraph, start
                pieces.clear()
            elif gap == SPACE:
                pieces.append(" ")
            start = start if pieces else row
            pieces.append(line)
    if paragraph := _tidy("".join(pieces)):
        yield paragraph, start


def _tidy(text: str) -> str:
    """White space collapsed, none at the ends and none between Chinese characters."""
    return _BLANK_BETWEEN.sub("", " ".join(without_zero_width(text).split()))


def _part_of_rows(page: Page, selection: Selection) -> NDArray[np.int64]:
    """The number of the part that each row lies in; -1 outside of them."""
    number = np.full(len(page) + 1, -1, dtype=np.int64)  # the last entry stands for "in none"
    for at, part in enumerate(selection.parts):
        number[list(part.rows)] = at
    return number[nearest(page, number[:-1] >= 0)]
