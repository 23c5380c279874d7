"""What the algorithms for Chinese pages read of a page: its text nodes, its `<title>`, and how Chinese it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from duramen.measure import within
from duramen.page import BoolArray, Page
from duramen.parse.characters import ZERO_WIDTH
from duramen.tags import TAG_IDS, UNSEEN, tag_mask

PAPER = (
    "Linhai Song, Xueqi Cheng, Yan Guo, Guodong Ding: Content Extraction from Web Pages. "
    "Institute of Computing Technology, Chinese Academy of Sciences"
)
FULL_STOP = "。"
TERMINATORS = "。！？…"  # what a sentence may end with
MIN_CJK_SHARE = 0.3  # of the visible characters: a page with less is not Chinese
TITLE_CHARS = 200  # of a <title> that are compared: longer ones are lists of search words

_UNREAD = tag_mask(UNSEEN | {"select", "option", "optgroup", "textarea"})
_HEAD, _TITLE, _SVG = (TAG_IDS[name] for name in ("head", "title", "svg"))
_NOTHING = re.compile(f"[{''.join(map(chr, ZERO_WIDTH))}]")


def read_rows(page: Page) -> BoolArray:
    """The rows of the body whose text is read: no scripts and the like, and no choices of form fields."""
    rows = ~within(page, page.has_tag(_UNREAD))
    if len(page):
        body = page.body()
        rows[:body] = False
        rows[page.end[body] :] = False
    return rows


def node_texts(page: Page, rows: NDArray[np.integer]) -> list[str]:
    """The text of text rows, white space collapsed and stripped, without zero-width characters: `Page.chars` long."""
    return [" ".join(piece.split()) for piece in joined_text(page, rows, repeat(b"\0")).split("\0")[1:]]


def page_title(page: Page) -> str:
    """The text of `<title>`, white space collapsed, at most TITLE_CHARS long; empty where there is none."""
    rows = np.flatnonzero(page.tag == _TITLE)
    if len(rows) and page.tag[page.parent[rows[0]]] != _HEAD:
        rows = rows[~within(page, page.tag == _SVG)[rows]]  # a picture's title is not the page's
    return " ".join(_NOTHING.sub("", page.text_of(int(rows[0]))).split())[:TITLE_CHARS] if len(rows) else ""


def cjk_share(page: Page, read: BoolArray) -> float:
    """Chinese (and Japanese) characters among those that are read; 1 where there are none."""
    chars = int(page.chars[read].sum())
    return int(page.cjk[read].sum()) / chars if chars else 1.0


def language_flags(share: float) -> tuple[str, ...]:
    """`not_chinese` where the rules for Chinese pages can hardly fit."""
    return ("not_chinese",) if share < MIN_CJK_SHARE else ()


def joined_text(page: Page, rows: NDArray[np.integer], glue: Iterable[bytes]) -> str:
    """The text of text rows in one string, `glue` before each, without zero-width characters."""
    text = page.text.replace(b"\0", b" ")
    begins, ends = page.text_at[rows].tolist(), page.text_at[rows + 1].tolist()
    pieces = [before + text[begin:end] for before, begin, end in zip(glue, begins, ends)]
    return _NOTHING.sub("", b"".join(pieces).decode("utf-8", "replace"))
