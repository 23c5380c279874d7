"""Compare two pages field by field: the scanner's and the reference parser's."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from duramen.page import Page


def differences(one: Page, other: Page) -> list[str]:
    """The fields in which two pages differ."""
    different = []
    for field in fields(Page):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            if mine.dtype != theirs.dtype or not np.array_equal(mine, theirs):
                different.append(field.name)
        elif mine != theirs:
            different.append(field.name)
    return different


def outline(page: Page) -> str:
    """A page as an indented list of its nodes, to look at."""
    lines = []
    for row in range(len(page)):
        if page.tag[row] == 0:
            figures = (page.chars[row], page.words[row], page.puncts[row], page.cjk[row])
            node = f"{page.text_of(row)!r} {tuple(map(int, figures))}"
        else:
            node = f"<{page.tag_name(row)}> {page.attributes(row) or ''} {int(page.flags[row]) or ''}"
        lines.append("  " * int(page.depth[row]) + node.rstrip())
    return "\n".join(lines)
