"""Page and selection → plain text."""

from __future__ import annotations

import re

from duramen.page import Page, Selection
from duramen.render.lines import Lines
from duramen.render.options import EVERYTHING_SHOWN, RenderOptions

_EMPTY_LINES = re.compile(r"\n{3,}")


def to_text(page: Page, selection: Selection, options: RenderOptions = EVERYTHING_SHOWN) -> str:
    """What was kept as plain text.

    An empty line stands between paragraphs; list items, table rows and the lines of an address have a line of their
    own; a tab stands between the cells of a row.
    """
    lines = Lines(page, selection.kept, options.tables)
    text = lines.to_text()
    if lines.empty_lines and "\n\n\n" in text:
        text = _EMPTY_LINES.sub("\n\n", text)
    return text.strip()
