"""What the algorithms for Chinese pages share: the text they read, leaf blocks, the page's title, lists of patterns.

A leaf block is the inline text of one block-level element, all of it, wherever child blocks or line breaks cut it: a
single text node of a paragraph rarely holds a full stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import BOUNDARIES
from duramen.measure import nearest, within
from duramen.page import BoolArray, IntArray, Page
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
_BLOCK_LEVEL = tag_mask(BOUNDARIES - {"br"})
_HEAD, _TITLE, _SVG = (TAG_IDS[name] for name in ("head", "title", "svg"))
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
    return [" ".join(piece.split()) for piece in _joined(page, rows, repeat(b"\0")).split("\0")[1:]]


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


@dataclass(frozen=True, slots=True, eq=False)
class LeafBlocks:
    """The leaf blocks that have text, in the order of their elements."""

    read: BoolArray  # per row of the page: whether its text is read
    holder: IntArray  # … the nearest block-level element, itself included
    rows: IntArray  # one a block: its element
    texts: tuple[str, ...]  # … its text without any white space, in lower case
    chars: NDArray[np.int64]  # … its characters, white space collapsed
    first: IntArray  # … its first text row
    nodes: NDArray[np.int64]  # … and how many it has

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, words: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Every place where a word occurs: the numbers of the block and of the word, word by word."""
        text = "\0".join(("", *self.texts))
        at = np.cumsum([0, *(len(block) + 1 for block in self.texts)])
        places = [[found.start() for found in re.finditer(re.escape(word), text)] for word in squeezed(words)]
        block = np.searchsorted(at, [place for found in places for place in found], side="right") - 1
        return block, np.repeat(np.arange(len(places)), [len(found) for found in places])


def leaf_blocks(page: Page) -> LeafBlocks:
    """The leaf blocks of a page's body."""
    read = read_rows(page)
    holder = nearest(page, page.has_tag(_BLOCK_LEVEL))
    rows = np.flatnonzero(read & (page.chars > 0))
    rows = rows[np.argsort(holder[rows], kind="stable")]
    elements, at, nodes = np.unique(holder[rows], return_index=True, return_counts=True)
    starts = np.zeros(len(rows), dtype=np.bool_)
    starts[at] = True
    # One string for all, since most blocks are a few characters long.
    text = _joined(page, rows, [b"\0" if start else b"" for start in starts.tolist()])
    return LeafBlocks(
        read=read,
        holder=holder,
        rows=elements.astype(np.int32),
        texts=tuple("".join(text.split()).lower().split("\0")[1:]),
        chars=np.add.reduceat(page.chars[rows], at, dtype=np.int64) if len(rows) else np.zeros(0, dtype=np.int64),
        first=rows[at].astype(np.int32),
        nodes=nodes.astype(np.int64),
    )


def squeezed(words: Iterable[str]) -> tuple[str, ...]:
    """Words as they stand in the text of leaf blocks: without white space, in lower case."""
    return tuple("".join(word.split()).lower() for word in words)


def _joined(page: Page, rows: NDArray[np.integer], glue: Iterable[bytes]) -> str:
    """The text of text rows in one string, `glue` before each, without zero-width characters."""
    text = page.text.replace(b"\0", b" ")
    begins, ends = page.text_at[rows].tolist(), page.text_at[rows + 1].tolist()
    pieces = [before + text[begin:end] for before, begin, end in zip(glue, begins, ends)]
    return _NOTHING.sub("", b"".join(pieces).decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Patterns:
    """Regular expressions that are tried one after the other; letter case does not matter."""

    each: tuple[re.Pattern[str], ...]
    together: re.Pattern[str] | None  # all in one, which is faster; None where that could mean something else
    whole: bool  # a text has to match as a whole, not only begin with a match

    def first(self, text: str) -> str | None:
        """The first pattern that the text matches, as it was given."""
        if self.together is not None and not self._matches(self.together, text):
            return None
        return next((pattern.pattern for pattern in self.each if self._matches(pattern, text)), None)

    def _matches(self, pattern: re.Pattern[str], text: str) -> bool:
        return (pattern.fullmatch(text) if self.whole else pattern.match(text)) is not None


@lru_cache(maxsize=64)
def compile_patterns(sources: tuple[str, ...], *, whole: bool) -> Patterns:
    """Patterns that a text has to begin with, or match as a `whole`; ValueError names the one that is none."""
    each = []
    for source in sources:
        try:
            each.append(re.compile(source, re.IGNORECASE))
        except re.error as error:
            raise ValueError(f"{source!r} is no regular expression: {error}") from None
    mixable = bool(sources) and not any(_UNMIXABLE.search(source) for source in sources)
    together = re.compile("|".join(f"(?:{source})" for source in sources), re.IGNORECASE) if mixable else None
    return Patterns(tuple(each), together, whole)
