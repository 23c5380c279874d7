"""News pages in Chinese: CoreEx on a page without its statements and without text that has no full stop.

§3.1 of the paper: noise does not contain the Chinese full stop, and statements (copyright, disclaimers) always contain
some fixed words. Both are taken out before CoreEx scores the page. The paper prints neither words nor limits: those
are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.chinese.leaves import LeafBlocks, leaf_blocks, squeezed
from duramen.algorithms.chinese.text import FULL_STOP, PAPER, TERMINATORS, cjk_share, language_flags, page_title
from duramen.algorithms.coreex import CoreEx
from duramen.measure import subtree_sum, within
from duramen.page import HREF, BoolArray, FlagArray, IntArray, Page, Part, Reason, Selection
from duramen.restrict import restrict
from duramen.tags import tag_mask

FIXED_WORDS: tuple[str, ...] = tuple(
    """
    版权所有 版权声明 免责声明 特此声明 本网声明 未经授权 未经许可 不得转载 转载请注明 请注明出处
    责任编辑 责编 稿件来源 违法和不良信息举报 网友评论 发表评论 相关新闻 相关阅读 相关专题 更多新闻 热点推荐
    客服电话 京ICP 备案 广告服务 联系我们 我要纠错 点击进入 打印本页 关闭窗口
    """.split()
)
"""What statements contain."""

# What became of a leaf block: the last two are taken out, and a heading is left for the recovery of the title.
LEFT, HEADING, NO_STOP, FIXED_WORD = range(4)
LISTED_BLOCKS = 50  # in the trace, of those that were taken out
EXCERPT_CHARS = 40
LEAST_TITLE_CHARS = 4  # of a piece of <title> that is taken for the headline

_TITLE_HEADINGS = tag_mask(("h1", "h2", "h3"))
_PICTURES = tag_mask(("img", "picture", "video", "audio"))


@dataclass(frozen=True, slots=True)
class NewsZh:
    """CoreEx for Chinese news: text without a full stop and short statements are taken out first."""

    paper: ClassVar[str] = PAPER

    full_stop_filter: bool = True  # take out leaf blocks without a full stop
    strict: bool = True  # only 。 is a full stop; off: ！ ？ and … are, too
    max_removed: float = 0.95  # the filter is skipped where it would take out more of the characters …
    min_stops: int = 2  # … or where the page has fewer full stops
    restore: bool = True  # afterwards, bring back what it took out between paragraphs that are kept
    fixed_words: tuple[str, ...] = FIXED_WORDS  # take out leaf blocks that contain one; none: no such filter
    fixed_word_limit: int = 200  # longer leaf blocks stay, whatever they contain
    weight_ratio: float = 0.99  # these three and form_rescue are CoreEx's
    weight_text: float = 0.01
    threshold: float = 0.9
    form_rescue: bool = True
    title_recovery: Literal["off", "header", "pagetitle", "both"] = "both"

    def __post_init__(self) -> None:
        if not 0.0 <= self.max_removed <= 1.0:
            raise ValueError(f"max_removed lies between 0 and 1, not {self.max_removed!r}")
        for name in ("min_stops", "fixed_word_limit"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is 0 or more, not {getattr(self, name)}")
        if not all(squeezed(self.fixed_words)):
            raise ValueError("fixed_words has an empty word: it would be in every block")
        self._coreex()  # which checks its own settings

    def select(self, page: Page) -> Selection:
        """What CoreEx keeps of the filtered page, in rows of the whole one."""
        if not len(page):
            return Selection(np.zeros(0, dtype=np.bool_), reason=Reason.NO_TEXT)
        leaves = leaf_blocks(page)
        verdict, filtering = self._filter(page, leaves)
        removed = verdict[leaves.holder]
        found = _select_within(page, removed < NO_STOP, self._coreex())
        kept, title, share = found.kept, found.title, cjk_share(page, leaves.read)
        kept &= ~_stray(page, kept, removed == HEADING, title)
        trace = {**found.trace, **filtering, "cjk_share": share}
        if self.restore and found.reason is None:
            back = _between(page, leaves, kept, self.threshold) & (removed == NO_STOP)
            kept |= back
            trace["restored_chars"] = int(page.chars[back].sum())
        if title is None and found.reason is None and self.title_recovery in ("pagetitle", "both"):
            title = _headline(page, leaves)
            if title is not None:
                trace |= {"title": title, "title_rule": "piece", "title_added": not kept[title]}
                kept[title : page.end[title]] |= leaves.read[title : page.end[title]]
        reason = found.reason
        if reason is Reason.NO_TEXT and len(leaves):
            reason = Reason.NO_CONTENT  # the filters have left none
        return Selection(
            kept=kept,
            score=found.score,
            columns={**found.columns, "removed": removed},
            trace=trace,
            parts=() if title is None else (Part("title", (title,)),),
            title=title,
            flags=(*found.flags, *language_flags(share), *(("filter_skipped",) if trace["filter_skipped"] else ())),
            reason=reason,
        )

    def _coreex(self) -> CoreEx:
        return CoreEx(
            "R5",
            weight_ratio=self.weight_ratio,
            weight_text=self.weight_text,
            threshold=self.threshold,
            form_rescue=self.form_rescue,
            title_recovery=self.title_recovery,
        )

    def _filter(self, page: Page, leaves: LeafBlocks) -> tuple[FlagArray, dict[str, Any]]:
        """Per row of a block-level element why its leaf block is taken out; and the trace of that."""
        verdict = np.zeros(len(page), dtype=np.uint8)
        stops = np.bincount(leaves.find(FULL_STOP if self.strict else TERMINATORS)[0], minlength=len(leaves))
        skipped = None
        if self.full_stop_filter and len(leaves):
            heading = within(page, page.has_tag(_TITLE_HEADINGS))  # a headline has no stop either
            unstopped = (stops == 0) & ~heading[leaves.rows]
            if stops.sum() < self.min_stops:
                skipped = "few_stops"
            elif leaves.chars[unstopped].sum() > self.max_removed * leaves.chars.sum():
                skipped = "too_much"
            else:
                # Elements without any text of their own go as well: pictures in links would count as links.
                verdict[:] = np.where(heading, HEADING, NO_STOP)
                verdict[leaves.rows[stops > 0]] = LEFT
        blocks, words = leaves.find(self.fixed_words)
        said = dict(zip(blocks[::-1].tolist(), words[::-1].tolist()))  # the first word of the list that a block has
        stated = np.array(list(said), dtype=np.intp)
        verdict[leaves.rows[stated[leaves.chars[stated] < self.fixed_word_limit]]] = FIXED_WORD
        gone = verdict[leaves.rows]
        return verdict, {
            "leaf_blocks": len(leaves),
            "full_stops": int(stops.sum()),
            "filter_skipped": skipped,
            "blocks_without_stop": int(np.count_nonzero(gone == NO_STOP)),
            "blocks_with_fixed_word": int(np.count_nonzero(gone == FIXED_WORD)),
            "share_removed": float(leaves.chars[gone >= NO_STOP].sum() / max(leaves.chars.sum(), 1)),
            "removed_blocks": [
                {
                    "row": int(leaves.rows[k]),
                    "chars": int(leaves.chars[k]),
                    "why": self.fixed_words[said[k]] if gone[k] == FIXED_WORD else "no full stop",
                    "text": leaves.texts[k][:EXCERPT_CHARS],
                }
                for k in np.flatnonzero(gone >= NO_STOP)[:LISTED_BLOCKS].tolist()
            ],
        }


def _select_within(page: Page, left: BoolArray, chosen: CoreEx) -> Selection:
    """What CoreEx selects of the rows that are left, in rows of the whole page."""
    small, rows = restrict(page, left)
    found = chosen.select(small)
    kept = np.zeros(len(page), dtype=np.bool_)
    kept[rows[found.kept]] = True
    trace = dict(found.trace)
    for name in ("winner", "title"):
        if trace.get(name) is not None:
            trace[name] = int(rows[trace[name]])
    for name in ("set", "tied"):
        trace[name] = rows[trace.get(name, [])].tolist()
    members = np.zeros(len(page), dtype=np.bool_)
    members[trace["set"]] = True
    # Pictures have no full stop, but those between the paragraphs belong to the article.
    linked = within(page, (page.flags & HREF) != 0)
    kept |= within(page, members) & page.has_tag(_PICTURES) & ~linked
    return Selection(
        kept=kept,
        score=None if found.score is None else _spread(found.score, rows, len(page)),
        columns={name: _spread(values, rows, len(page)) for name, values in found.columns.items()},
        trace=trace,
        title=None if found.title is None else int(rows[found.title]),
        flags=found.flags,
        reason=found.reason,
    )


def _stray(page: Page, kept: BoolArray, heading: BoolArray, title: int | None) -> BoolArray:
    """Headings that stand before or after all other kept text and are not the title: those of lists and boxes."""
    content = np.flatnonzero(kept & ~heading & (page.chars > 0))
    if not len(content):
        return np.zeros(len(page), dtype=np.bool_)
    stray: BoolArray = heading.copy()
    stray[content[0] : content[-1]] = False
    if title is not None:
        stray[title : page.end[title]] = False
    return stray


def _between(page: Page, leaves: LeafBlocks, kept: BoolArray, threshold: float) -> BoolArray:
    """The rows of leaf blocks, mostly no links, that stand between kept ones of the same parent."""
    own = np.where(leaves.read, page.chars, 0)
    content = np.unique(leaves.holder[kept & (own > 0)])
    content = content[content > 0]
    first, last = np.full(len(page), len(page)), np.full(len(page), -1)
    np.minimum.at(first, page.parent[content], content)
    np.maximum.at(last, page.parent[content], content)
    linked = within(page, (page.flags & HREF) != 0)
    chars = np.bincount(leaves.holder, own, len(page))
    unlinked = np.bincount(leaves.holder, np.where(linked, 0, own), len(page))
    rows = np.arange(len(page))
    between = (chars > 0) & (unlinked > threshold * chars) & (first[page.parent] < rows) & (rows < last[page.parent])
    return between[leaves.holder] & leaves.read


def _spread(values: NDArray[Any], rows: IntArray, count: int) -> NDArray[Any]:
    """Figures of some rows as figures of all: NaN, or 0 for counts, where there is none."""
    spread: NDArray[Any] = np.full(count, np.nan if values.dtype.kind == "f" else 0, dtype=values.dtype)
    spread[rows] = values
    return spread


def _headline(page: Page, leaves: LeafBlocks) -> int | None:
    """The longest leaf block that is a piece of `<title>`, as the one row that holds it and nothing else."""
    title = squeezed([page_title(page)])[0]
    pieces = [
        k for k, text in enumerate(leaves.texts) if LEAST_TITLE_CHARS <= len(text) <= len(title) and text in title
    ]
    if not pieces:
        return None
    best = max(pieces, key=lambda k: len(leaves.texts[k]))  # the first of equals
    element = int(leaves.rows[best])
    if subtree_sum(page, page.chars)[element] == leaves.chars[best]:
        return element
    return int(leaves.first[best]) if leaves.nodes[best] == 1 else None
