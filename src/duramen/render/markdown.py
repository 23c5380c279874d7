"""Page and selection → Markdown: CommonMark, with the tables and the strike-through of GitHub.

This file compiles to C, with its C types in `markdown.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from duramen.measure import holds
from duramen.page import IntArray, Page, Selection
from duramen.render.addresses import Addresses
from duramen.render.flow import (
    BREAK,
    LINE,
    SPACE,
    Flow,
    events,
    flow,
    levels,
    tag_numbers,
    without_zero_width,
)
from duramen.render.gaps import PREFORMATTED
from duramen.render.grid import Grid
from duramen.render.inline import EMPHASIS, STRIKE, STRONG, Runs, escape_start, image
from duramen.render.listing import fenced, language
from duramen.render.lists import LISTS, item_numbers
from duramen.render.options import EVERYTHING_SHOWN, RenderOptions
from duramen.render.writer import Writer
from duramen.tags import HEADINGS, TAG_IDS, TAG_NAMES, TEXT

_HEADING, _PRE, _QUOTE, _LIST, _ITEM, _TERM, _TABLE, _ROW, _CELL = range(1, 10)
_LINK, _CODE, _IMAGE, _RULE = range(10, 14)
# Marks are their own role: STRONG, EMPHASIS, STRIKE (below zero). Anything else only sets what stands between texts.


def _roles(formatting: bool) -> list[int]:
    roles = [0] * (len(TAG_NAMES) + 1)
    marks = (
        (STRONG, "b strong"),
        (EMPHASIS, "em i cite dfn var"),
        (STRIKE, "s strike del"),
        (_CODE, "code kbd samp tt"),
    )
    for role, names in (
        *(marks if formatting else ()),
        (_HEADING, " ".join(HEADINGS)),
        (_PRE, " ".join(PREFORMATTED)),
        (_LIST, " ".join(LISTS)),
        (_QUOTE, "blockquote"),
        (_ITEM, "li dd"),
        (_TERM, "dt summary"),
        (_TABLE, "table"),
        (_ROW, "tr"),
        (_CELL, "td th"),
        (_LINK, "a"),
        (_IMAGE, "img"),
        (_RULE, "hr"),
    ):
        for name in names.split():
            roles[TAG_IDS[name]] = role
    return roles


_ROLES = {formatting: _roles(formatting) for formatting in (True, False)}
_THEAD, _OL, _HR = TAG_IDS["thead"], TAG_IDS["ol"], TAG_IDS["hr"]
_ROLE_ARRAYS = {formatting: np.array(roles) for formatting, roles in _ROLES.items()}
_STARTS = {TAG_IDS[name]: "#" * level + " " for level, name in enumerate(HEADINGS, 1)}  # of headings
_CLOSING = re.compile(r"(?:(?<=\s)|^)#+$")  # at the end of a heading it would be dropped


def to_markdown(page: Page, selection: Selection, options: RenderOptions = EVERYTHING_SHOWN) -> str:
    """What was kept as Markdown that renders as the page meant."""
    addresses = Addresses(page, options.url)
    pictures = addresses.pictures(selection.kept) if options.images else {}
    also = page.tag == _HR
    also[list(pictures)] = True
    shown = flow(page, selection, options, also)
    return _Renderer(page, shown, options, addresses, pictures).render() if len(shown) else ""


class _Renderer:
    """One walk over the rows that matter."""

    def __init__(
        self, page: Page, shown: Flow, options: RenderOptions, addresses: Addresses, pictures: Mapping[int, str]
    ) -> None:
        self._page = page
        self._shown = shown
        self._options = options
        self._roles = _ROLES[options.formatting]
        self._addresses = addresses
        self._pictures = pictures
        self._numbers = item_numbers(page)
        self._writer = Writer()
        self._runs = Runs()
        self._counts = {STRONG: 0, EMPHASIS: 0, STRIKE: 0}  # open elements of each mark …
        self._marked = 0  # … and of all of them
        self._links: list[int] = []  # open links, by row
        self._targets: dict[int, str] = {}  # where every link leads
        self._code = 0  # the outermost open code element
        self._emphasis: tuple[int, ...] = ()
        self._marks: tuple[int, ...] = ()  # of the next text: its link and its emphasis
        self._leaf = 0  # the open heading, preformatted element or cell, which holds no further blocks …
        self._leaf_role = 0  # … and which of these it is
        self._source: list[str] = []  # the lines of a preformatted element
        self._grid: Grid | None = None
        self._opened: dict[int, tuple[bool, bool]] = {}  # what the writer opened for a row: a level, a list

    def render(self) -> str:
        page, shown, roles = self._page, self._shown, self._roles
        gaps = iter(shown.gap.tolist())
        numbers = tag_numbers(page)
        tags = numbers.tolist()
        places = page.text_at.tolist()
        for event in events(page, self._rows(numbers)):
            row = event if event >= 0 else ~event
            role = roles[tags[row]]
            if event < 0:
                self._close(row, role)
            elif tags[row] == TEXT or not role:
                self._add_text(page.text[places[row] : places[row + 1]], next(gaps), tags[row] != TEXT)
            elif role == _IMAGE:
                self._separate(next(gaps))
                if self._leaf_role != _PRE:
                    alt = page.attribute(row, "alt") or ""
                    self._runs.add_ready(image(alt, self._pictures[row]), self._marks[: len(self._links[-1:])])
            elif role == _RULE:
                self._separate(next(gaps))
                if not self._leaf:
                    self._writer.write_rule()
            elif not self._leaf:
                self._open_block(row, role)
            else:
                self._open_inline(row, role)
        self._flush()
        return self._writer.text()

    def _rows(self, numbers: IntArray) -> IntArray:
        """The rows that this rendering looks at: what is shown, and the elements with a role that hold it."""
        page, shown = self._page, self._shown
        pieces = np.zeros(len(page), dtype=np.bool_)
        pieces[shown.rows] = True
        holding = holds(page, pieces)
        role = _ROLE_ARRAYS[self._options.formatting][numbers]
        wanted = holding & (role != 0)
        of_table = (role == _TABLE) | (role == _ROW) | (role == _CELL)
        if of_table.any():
            wanted &= ~of_table | (levels(page, shown.data) > 0)
            wanted |= (role == _CELL) & (shown.cell > 0) & holding[page.parent]  # empty cells keep the columns
        return np.flatnonzero(wanted | pieces).astype(np.int32)

    # Text

    def _add_text(self, source: bytes, gap: int, is_element: bool) -> None:
        """Text, or an element without a role, which is shown as a blank."""
        text = source.decode("utf-8", "replace")
        if self._leaf_role == _PRE:
            self._source.append("\n" if gap == BREAK else "")
            self._source.append("\n" if is_element else text)
            return
        self._separate(gap)
        self._runs.add(without_zero_width(text) or " ", self._marks, self._code)

    def _separate(self, gap: int) -> None:
        """End the line or the paragraph where the next piece does not go on with it."""
        if self._leaf_role == _HEADING:
            gap = min(gap, SPACE)
        elif self._leaf_role == _CELL:
            gap = min(gap, BREAK)
        elif gap >= LINE:
            self._flush()
            return
        self._runs.space(gap)

    def _flush(self) -> None:
        """Write the paragraph so far."""
        if self._runs.runs:
            lines = [escape_start(line) for line in self._runs.take(self._targets)]
            self._writer.write([*[line + "\\" for line in lines[:-1]], lines[-1]] if len(lines) > 1 else lines)
        else:
            self._runs.clear()

    # Elements

    def _open_block(self, row: int, role: int) -> None:
        page, writer = self._page, self._writer
        if role < 0 or role in (_LINK, _CODE):
            self._open_inline(row, role)
            return
        self._flush()
        if role in (_HEADING, _PRE, _CELL):
            if role != _CELL or self._grid is not None:
                self._leaf, self._leaf_role = row, role
                self._restyle()
        elif role == _TERM and self._options.formatting:
            self._counts[STRONG] += 1
            self._marked += 1
            self._restyle()
        elif role == _QUOTE:
            self._opened[row] = (writer.open_quote(), False)
        elif role == _LIST:
            self._opened[row] = (writer.in_list and writer.open_rest(), True)
            writer.open_list(bool(page.tag[row] == _OL))
        elif role == _ITEM:
            implied = not writer.in_list
            if implied:
                writer.open_list(ordered=False, implied=True)
            self._opened[row] = (writer.open_item(self._numbers.get(row)), implied)
        elif role == _TABLE:
            self._grid = Grid(page)
        elif role == _ROW and self._grid is not None:
            self._grid.open_row(in_head=bool(page.tag[page.parent[row]] == _THEAD))

    def _open_inline(self, row: int, role: int) -> None:
        if self._leaf_role == _PRE:
            return
        if role < 0:
            self._counts[role] += 1
            self._marked += 1
        elif role == _CODE and not self._code:
            self._code = row
        elif role == _LINK:
            target = self._addresses.link(row) if self._options.links else None
            if target is not None:
                self._links.append(row)
                self._targets[row] = target
        self._restyle()

    def _close(self, row: int, role: int) -> None:
        writer = self._writer
        if row == self._leaf:
            self._close_leaf(row, role)
        elif self._leaf_role == _PRE:
            return
        elif role < 0:
            self._counts[role] -= 1
            self._marked -= 1
        elif row == self._code:
            self._code = 0
        elif self._links and row == self._links[-1]:
            self._links.pop()
        elif self._leaf:
            return
        elif role == _TERM and self._options.formatting:
            self._flush()
            self._counts[STRONG] -= 1
            self._marked -= 1
        elif role == _ROW and self._grid is not None:
            self._grid.close_row()
        elif role == _TABLE and self._grid is not None:
            self._flush()
            for block in self._grid.blocks():
                writer.write(block)
            self._grid = None
        elif row in self._opened:
            self._flush()
            level, with_list = self._opened.pop(row)
            if role == _LIST:
                writer.close_list()
            if level:
                writer.close()
            if role == _ITEM and with_list:
                writer.close_list()
        self._restyle()

    def _close_leaf(self, row: int, role: int) -> None:
        self._leaf = self._leaf_role = 0
        if role == _PRE:
            source, self._source = "".join(self._source), []
            self._writer.write(fenced(without_zero_width(source), language(self._page, row)))
        elif role == _CELL and self._grid is not None:
            self._grid.add(row, "".join(self._runs.take(self._targets, cell=True)))
        else:
            lines = self._runs.take(self._targets)
            if lines:
                line = _CLOSING.sub(r"\\\g<0>", lines[0]) if lines[0].endswith("#") else lines[0]
                self._writer.write([_STARTS[int(self._page.tag[row])] + line])

    def _restyle(self) -> None:
        """The marks of the text that follows; inside code they stay as they were before it."""
        if not self._marked and not self._code:
            self._emphasis = ()
        elif not self._code:
            strong = self._counts[STRONG] and self._leaf_role != _HEADING  # a heading is strong as it is
            marks = [mark for mark in (EMPHASIS, STRIKE) if self._counts[mark]]
            self._emphasis = (STRONG, *marks) if strong else tuple(marks)
        self._marks = (self._links[-1], *self._emphasis) if self._links else self._emphasis
