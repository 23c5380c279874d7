"""Blog pages in Chinese: from the text node most like `<title>` to the first one that looks like an end.

§3.2 of the paper: a post's title is a text node just before the post, and `<title>` contains it too. The paper prints
neither the similarity nor the patterns of an end: those are ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.chinese.leaves import BLOCK_LEVEL
from duramen.algorithms.chinese.news import NewsZh
from duramen.algorithms.chinese.patterns import compile_patterns
from duramen.algorithms.chinese.text import (
    FULL_STOP,
    PAPER,
    TERMINATORS,
    cjk_share,
    language_flags,
    node_texts,
    page_title,
    read_rows,
)
from duramen.measure import nearest, within
from duramen.page import HREF, BoolArray, FloatArray, IntArray, Page, Part, Reason, Selection
from duramen.tags import HEADINGS, tag_mask

END_PATTERNS: tuple[str, ...] = (
    r"阅读(全文)?[（(]?",
    r"评论[（(]?\d*",
    "发表评论",
    "网友评论",
    "收藏",
    "分享到?",
    r"转载[（(]?",
    "引用(通告)?",
    "标签[:：]",
    "分类[:：]",
    "类别[:：]",
    "上一篇",
    "下一篇",
    "前一篇",
    "后一篇",
    "固定链接",
    "相关(文章|博文)",
    "推荐",
    r"浏览[（(]?\d*",
    "Trackback",
    "Comments?",
    "Posted (by|in)",
)
"""What the text node after a post begins with."""

SENTENCE_CHARS = 50  # a node this long is part of the post, with or without a sentence's end
LISTED_NODES = 10  # in the trace, of those most like the title

_HEADINGS = tag_mask(HEADINGS)
_TERMINATOR = re.compile(f"[{TERMINATORS}]")


@dataclass(frozen=True, slots=True)
class BlogZh:
    """The text nodes of a Chinese blog page between the post's title and the first pattern of an end."""

    paper: ClassVar[str] = PAPER

    include_title: bool = True  # the title is part of what is kept
    min_similarity: float = 0.2  # least likeness to <title>; below it the page is read as news
    near_tie: float = 0.02  # nodes this close to the best are told apart by their place
    end_patterns: tuple[str, ...] = END_PATTERNS  # regular expressions for the start of a text node
    max_end_length: int = 30  # characters; a longer node that matches is a sentence

    def __post_init__(self) -> None:
        for name in ("min_similarity", "near_tie"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} lies between 0 and 1, not {getattr(self, name)!r}")
        if self.max_end_length < 0:
            raise ValueError(f"max_end_length is 0 or more, not {self.max_end_length}")
        try:
            compile_patterns(self.end_patterns, whole=False)
        except ValueError as error:
            raise ValueError(f"end_patterns: {error}") from None

    def select(self, page: Page) -> Selection:
        """The text nodes from the title to the end; what the news algorithm keeps where there is no title."""
        read = read_rows(page)
        rows = np.flatnonzero(read & (page.chars > 0)).astype(np.int32)
        if not len(rows):
            return Selection(np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        texts = node_texts(page, rows)
        wanted = page_title(page)
        similarity = _similarities(texts, wanted, self.min_similarity)
        # The last node is no title: nothing follows it.
        likely = np.flatnonzero((similarity[:-1] > 0) & (similarity[:-1] >= self.min_similarity))
        columns = {"similarity": np.full(len(page), np.nan)}
        columns["similarity"][rows] = similarity
        trace: dict[str, Any] = {
            "page_title": wanted,
            "min_similarity": self.min_similarity,
            "nodes": len(rows),
            "cjk_share": cjk_share(page, read),
            "most_similar": _listed(rows, texts, similarity),
        }
        if not len(likely):
            return _as_news(page, columns, trace)

        ends = self._find_ends(texts, page.chars[rows])
        stop = _stops(texts, page.chars[rows], ends)
        chars = np.concatenate(([0], np.cumsum(page.chars[rows], dtype=np.int64)))
        title = self._choose(page, rows, similarity, likely, chars[stop] - chars[1:])
        row, end = int(rows[title]), int(stop[title])
        if end < len(rows):
            end_row = int(rows[end])
            pattern = compile_patterns(self.end_patterns, whole=False).first(texts[end])
            trace |= {"title": row, "end_row": end_row, "end_text": texts[end], "end_pattern": pattern}
        else:
            container = _container(page, row, read)
            end_row = int(page.end[container])
            trace |= {"title": row, "container_row": container}
        kept = np.zeros(len(page), dtype=np.bool_)
        kept[row + 1 : end_row] = read[row + 1 : end_row]
        post = rows[(rows > row) & (rows < end_row)].tolist()
        parts = [Part("post", tuple(post))]
        if self.include_title:
            kept[row] = True
            parts.insert(0, Part("title", (row,)))
        flags = [*(("no_end",) if end == len(rows) else ()), *language_flags(trace["cjk_share"])]
        trace |= {"title_text": texts[title], "post_nodes": len(post), "post_chars": int(page.chars[post].sum())}
        return Selection(kept, columns["similarity"], columns, trace, parts=tuple(parts), title=row, flags=tuple(flags))

    def _find_ends(self, texts: list[str], chars: IntArray) -> BoolArray:
        """Which nodes look like the end of a post: short, not a sentence, and matching a pattern."""
        patterns = compile_patterns(self.end_patterns, whole=False)
        ends = np.zeros(len(texts), dtype=np.bool_)
        for at in np.flatnonzero(chars <= self.max_end_length).tolist():
            ends[at] = FULL_STOP not in texts[at] and patterns.first(texts[at]) is not None
        return ends

    def _choose(
        self,
        page: Page,
        rows: IntArray,
        similarity: FloatArray,
        likely: NDArray[np.intp],
        following: NDArray[np.int64],
    ) -> int:
        """The title among the likely nodes: the most similar; of near-equals, the one in the likeliest place."""
        near = likely[similarity[likely] >= similarity[likely].max() - self.near_tie]
        if len(near) == 1:
            return int(near[0])
        heading = within(page, page.has_tag(_HEADINGS))
        called = _called_title(page)
        place = rows[near]
        # The last key of lexsort counts first; all are turned so that the smallest is best.
        return int(near[np.lexsort((near, -following[near], ~called[place], ~heading[place]))[0]])


def _similarities(texts: Sequence[str], wanted: str, least: float) -> FloatArray:
    """2·|common substring| / (|text| + |title|) for each text; NaN where it cannot reach `least`.

    This form keeps long nodes that quote the title from winning, and lets them be passed over unread.
    """
    similarity = np.full(len(texts), np.nan)
    title = wanted.lower()
    length = np.array([len(text) for text in texts])
    if not title:
        return similarity
    at = np.flatnonzero(2 * np.minimum(length, len(title)) >= least * (length + len(title)))
    common = _common_lengths([texts[k].lower() for k in at.tolist()], title)
    similarity[at] = 2 * common / (length[at] + len(title))
    return similarity


def _common_lengths(texts: Sequence[str], title: str) -> NDArray[np.int64]:
    """The length of the longest piece of `title` in each text: one pass over all texts a character of the title."""
    if not texts:
        return np.zeros(0, dtype=np.int64)
    points = np.frombuffer("\0".join(["", *texts]).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    run = np.zeros(len(points), dtype=np.int16)  # of characters that end here and at the title's present one
    longest = np.zeros(len(points), dtype=np.int16)
    for point in title.replace("\0", " "):
        run[1:] = (run[:-1] + 1) * (points[1:] == ord(point))
        np.maximum(longest, run, out=longest)
    starts = np.flatnonzero(points == 0)
    return np.maximum.reduceat(longest, starts).astype(np.int64)


def _stops(texts: list[str], chars: IntArray, ends: BoolArray) -> NDArray[np.intp]:
    """Where a post would end whose title were each node: the first end after the first sentence, or no node at all.

    What stands between title and sentence is a date, a list of tags and the like.
    """
    sentence = np.array([_TERMINATOR.search(text) is not None for text in texts], dtype=np.bool_)
    sentences = np.flatnonzero((sentence | (chars >= SENTENCE_CHARS)) & ~ends)
    nowhere = len(texts)
    first = np.append(sentences, nowhere)[np.searchsorted(sentences, np.arange(nowhere), side="right")]
    at_end = np.flatnonzero(ends)
    stop: NDArray[np.intp] = np.append(at_end, nowhere)[np.searchsorted(at_end, first, side="right")]
    return stop


def _called_title(page: Page) -> BoolArray:
    """Rows in a leaf block where the element, or an inline one in it, has "title" in its class or id."""
    names, values, attrs = page.attr_name_at, page.attr_value_at, page.attrs
    hits = [match.start() for match in re.finditer(rb"title", attrs, re.IGNORECASE)]
    attribute = [
        k
        for k in np.unique(np.searchsorted(names, hits, side="right") - 1).tolist()
        if attrs[names[k] : values[k]] in (b"class", b"id") and b"title" in attrs[values[k] : names[k + 1]].lower()
    ]
    marked = np.zeros(len(page), dtype=np.bool_)
    marked[np.searchsorted(page.attr_at, attribute, side="right") - 1] = True
    called: BoolArray = (nearest(page, marked) >= nearest(page, page.has_tag(BLOCK_LEVEL))) & within(page, marked)
    return called


def _container(page: Page, title: int, read: BoolArray) -> int:
    """The smallest element around the title with half of the characters outside links that follow it."""
    linked = within(page, (page.flags & HREF) != 0)
    after = np.concatenate(([0], np.cumsum(np.where(read & ~linked, page.chars, 0), dtype=np.int64)))
    around = np.flatnonzero(page.end[:title] > title)
    around = around[around >= page.body()]
    inside = after[page.end[around]] - after[title + 1]
    if not inside[0]:
        return int(around[0])  # nothing but links
    return int(around[np.flatnonzero(2 * inside >= inside[0])[-1]])


def _listed(rows: IntArray, texts: list[str], similarity: FloatArray) -> list[dict[str, Any]]:
    """The nodes most like the title, the best first."""
    order = np.argsort(-np.nan_to_num(similarity), kind="stable")[:LISTED_NODES]
    return [
        {"row": int(rows[at]), "similarity": round(float(similarity[at]), 4), "text": texts[at][:80]}
        for at in order.tolist()
        if similarity[at] > 0
    ]


def _as_news(page: Page, columns: dict[str, Any], trace: dict[str, Any]) -> Selection:
    news = NewsZh().select(page)
    return replace(
        news,
        columns={**columns, **news.columns},
        trace={**trace, **news.trace, "fallback": "news-zh"},
        flags=("title_not_found", *news.flags),
    )
