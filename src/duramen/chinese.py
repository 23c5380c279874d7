"""What the algorithms for Chinese pages share: the text they read, leaf blocks, the page's title, lists of patterns.

A leaf block is the inline text of one block-level element, all of it, wherever child blocks or line breaks cut it: a
single text node of a paragraph rarely holds a full stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import BOUNDARIES
from duramen.measure import nearest, within
from duramen.page import BoolArray, IntArray, Page
from duramen.parse.characters import ZERO_WIDTH
from duramen.tags import UNSEEN, tag_mask

FULL_STOP = "。"
TERMINATORS = "。！？…"  # what a sentence may end with
MIN_CJK_SHARE = 0.3  # of the visible characters: a page with less is not Chinese
TITLE_CHARS = 200  # of a <title> that are compared: longer ones are lists of search words

_UNREAD = tag_mask(UNSEEN | {"select", "option", "optgroup", "textarea"})
_BLOCK_LEVEL = tag_mask(BOUNDARIES - {"br"})
_NOTHING = re.compile(f"[{''.join(map(chr, ZERO_WIDTH))}]")
# What has another meaning, or none, inside a longer pattern: references to groups, named groups, flags.
_UNMIXABLE = re.compile(r"\\[1-9]|\(\?(?:P|\(|[aiLmsux-]+[:)])")


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
    if not len(rows):
        return []
    text = page.text.replace(b"\0", b" ")
    begins, ends = page.text_at[rows].tolist(), page.text_at[rows + 1].tolist()
    pieces = b"\0".join([text[begin:end] for begin, end in zip(begins, ends)]).decode("utf-8", "replace")
    return [" ".join(piece.split()) for piece in _NOTHING.sub("", pieces).split("\0")]


def page_title(page: Page) -> str:
    """The text of `<title>`, white space collapsed, at most TITLE_CHARS long; empty where there is none."""
    rows = np.flatnonzero(page.named("title") & ~within(page, page.named("svg")))
    return " ".join(_NOTHING.sub("", page.text_of(int(rows[0]))).split())[:TITLE_CHARS] if len(rows) else ""


def cjk_share(page: Page) -> float:
    """Chinese (and Japanese) characters among the visible ones; 1 on a page without text."""
    seen = read_rows(page)
    chars = int(page.chars[seen].sum())
    return int(page.cjk[seen].sum()) / chars if chars else 1.0


def language_flags(page: Page) -> tuple[str, ...]:
    """`not_chinese` where the rules for Chinese pages can hardly fit."""
    return ("not_chinese",) if cjk_share(page) < MIN_CJK_SHARE else ()


@dataclass(frozen=True, slots=True, eq=False)
class LeafBlocks:
    """The leaf blocks that have text, by the row of their element."""

    holder: IntArray  # per row of the page: the nearest block-level element, itself included
    rows: IntArray  # one a block: its element
    texts: tuple[str, ...]  # … its text without any white space, in lower case
    chars: NDArray[np.int64]  # … its characters, white space collapsed
    first: IntArray  # … its first text row
    nodes: NDArray[np.int64]  # … and how many it has

    def __len__(self) -> int:
        return len(self.rows)


def leaf_blocks(page: Page) -> LeafBlocks:
    """The leaf blocks of a page's body."""
    holder = nearest(page, page.has_tag(_BLOCK_LEVEL))
    rows = np.flatnonzero(read_rows(page) & (page.chars > 0))
    rows = rows[np.argsort(holder[rows], kind="stable")]
    elements, at, nodes = np.unique(holder[rows], return_index=True, return_counts=True)
    pieces = ["".join(text.split()) for text in node_texts(page, rows)]
    stops = [*at[1:].tolist(), len(rows)]
    return LeafBlocks(
        holder=holder,
        rows=elements.astype(np.int32),
        texts=tuple("".join(pieces[start:stop]).lower() for start, stop in zip(at.tolist(), stops)),
        chars=np.add.reduceat(page.chars[rows], at, dtype=np.int64) if len(rows) else np.zeros(0, dtype=np.int64),
        first=rows[at].astype(np.int32),
        nodes=nodes.astype(np.int64),
    )


@dataclass(frozen=True, slots=True)
class Patterns:
    """Regular expressions that are tried one after the other; letter case does not matter."""

    each: tuple[tuple[str, re.Pattern[str]], ...]  # as it was given, and as it is tried
    together: re.Pattern[str] | None  # all in one, which is faster; None where that could mean something else

    def first(self, text: str) -> str | None:
        """The first pattern that the text matches, as it was given."""
        if self.together is not None and not self.together.match(text):
            return None
        return next((source for source, pattern in self.each if pattern.match(text)), None)


@lru_cache(maxsize=64)
def compile_patterns(sources: tuple[str, ...], *, whole: bool) -> Patterns:
    """Patterns that a text has to begin with, or match as a `whole`; ValueError names the one that is none."""
    each = []
    end = r"\Z" if whole else ""
    for source in sources:
        try:
            each.append((source, re.compile(f"(?:{source}){end}", re.IGNORECASE)))
        except re.error as error:
            raise ValueError(f"{source!r} is no regular expression: {error}") from None
    together = None
    if each and not any(_UNMIXABLE.search(source) for source in sources):
        together = re.compile("|".join(f"(?:{source}){end}" for source in sources), re.IGNORECASE)
    return Patterns(tuple(each), together)


def squeezed(words: Iterable[str]) -> tuple[str, ...]:
    """Words as they are looked for in the text of leaf blocks: without white space, in lower case."""
    return tuple("".join(word.split()).lower() for word in words)
