"""Forum pages in Chinese: small blocks between structural tags, the long ones without noise being posts and replies.

§3.3 of the paper: posts are not continuous but separated by noise. The paper prints neither tags nor patterns nor the
length: those are ours.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.chinese.patterns import compile_patterns
from duramen.algorithms.chinese.text import PAPER, cjk_share, language_flags, node_texts, read_rows
from duramen.blocks import blocks
from duramen.measure import nearest, within
from duramen.page import Blocks, BoolArray, Page, Part, Reason, Selection
from duramen.tags import HEADINGS, TAG_IDS, tag_mask

Noise = Literal["block", "node"]

SEPARATORS: tuple[str, ...] = (
    *"div table thead tbody tfoot tr td th ul ol li dl dt dd form fieldset hr section article".split(),
    *HEADINGS,
)
"""Where a block starts and ends. Paragraphs and line breaks of one post stay together."""

NOISE_PATTERNS: tuple[str, ...] = (
    r"(发表|发布|编辑|更新|回复|最后回复)(于|时间)?[:：]?\s*\d{4}\s*[-/.年].*",
    r"\d{4}[-/.年]\d\d?[-/.月]\d\d?日?(\s*\d\d?[:：]\d\d([:：]\d\d)?)?",
    r"(回复|引用|举报|编辑|只看该作者|楼主|沙发|板凳|顶|TOP|\d+\s*[#楼])",
    "(注册时间|注册|积分|帖子|精华|威望|金钱|在线时间|最后登录|来自|状态|等级|阅读权限)[:：]?.*",
    "本帖最后由.*编辑.*",
    "(登录|首页|返回列表|上一主题|下一主题|上一页|下一页|发新话题).*",
    "(Powered by|Copyright|©).*",
    ".*(版权所有|ICP备).*",
    "IP[:：].*",
    "-----+",
)
"""What a text node that is noise looks like as a whole. No commas: a list of them can be given as text."""

_TITLE_HEADINGS = tag_mask(("h1", "h2"))


@dataclass(frozen=True, slots=True)
class ForumZh:
    """Posts and replies of a Chinese forum page: blocks between tags that are long enough and free of noise."""

    paper: ClassVar[str] = PAPER

    min_length: int = 20  # characters that a block has to exceed
    noise_patterns: tuple[str, ...] = NOISE_PATTERNS  # regular expressions for whole text nodes
    max_noise_length: int = 200  # characters; a longer node is no noise, whatever it matches
    noise: Noise = "block"  # a noisy node spoils its block; or only the node itself is left out
    separators: tuple[str, ...] = SEPARATORS  # elements

    def __post_init__(self) -> None:
        for name in ("min_length", "max_noise_length"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is 0 or more, not {getattr(self, name)}")
        if self.noise not in get_args(Noise):
            raise ValueError(f"noise is one of {', '.join(get_args(Noise))}, not {self.noise!r}")
        unknown = [name for name in self.separators if name not in TAG_IDS or name == "#text"]
        if unknown:
            raise ValueError(f"separators has {', '.join(map(repr, unknown))}, which is no element of HTML")
        try:
            compile_patterns(self.noise_patterns, whole=True)
        except ValueError as error:
            raise ValueError(f"noise_patterns: {error}") from None

    def select(self, page: Page) -> Selection:
        """The rows of the chosen blocks; each block is a part of its own."""
        read = read_rows(page)
        text = read & (page.chars > 0)
        if not text.any():
            return Selection(np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        noisy, met = self._find_noise(page, text)
        boundary = page.has_tag(tag_mask(self.separators))
        found = blocks(page, text & ~noisy if self.noise == "node" else text, boundary)
        starts = found.at[:-1]
        length = np.add.reduceat(page.chars[found.rows], starts, dtype=np.int64)
        noise = np.add.reduceat(noisy[found.rows], starts, dtype=np.int64)
        clean = noise == 0
        chosen: BoolArray = (length > self.min_length) & clean
        parts = _label(page, found, chosen)
        share = cjk_share(page, read)
        trace: dict[str, Any] = {
            "min_length": self.min_length,
            "blocks": len(found),
            "too_short": int(np.count_nonzero(clean & ~chosen)),
            "noisy": int(np.count_nonzero(~clean)),
            "chosen": int(np.count_nonzero(chosen)),
            "longest_clean_block": int(length[clean].max(initial=0)),
            "noise_patterns_met": dict(met),
            "cjk_share": share,
        }
        return Selection(
            kept=_with_surroundings(page, found.rows[np.repeat(chosen, np.diff(found.at))], boundary) & read,
            score=np.where(clean, length, 0.0),
            columns={"length": length, "nodes": np.diff(found.at), "noise": noise, "chosen": chosen},
            trace=trace,
            blocks=found,
            parts=parts,
            title=_heading_of(page, parts),
            flags=(*(() if chosen.any() else ("lower_min_length",)), *language_flags(share)),
            reason=None if chosen.any() else Reason.NO_CONTENT,
        )

    def _find_noise(self, page: Page, text: BoolArray) -> tuple[BoolArray, Counter[str]]:
        """Which text nodes are noise, and how often each pattern was met."""
        patterns = compile_patterns(self.noise_patterns, whole=True)
        noisy = np.zeros(len(page), dtype=np.bool_)
        met: Counter[str] = Counter()
        rows = np.flatnonzero(text & (page.chars <= self.max_noise_length))
        for row, words in zip(rows.tolist(), node_texts(page, rows)):
            pattern = patterns.first(words)
            if pattern is not None:
                noisy[row] = True
                met[pattern] += 1
        return noisy, met


def _with_surroundings(page: Page, taken: NDArray[np.integer], boundary: BoolArray) -> BoolArray:
    """The taken text rows, and the pictures, line breaks and formatting between the same boundaries."""
    rows = np.flatnonzero(~boundary)
    started, holder = np.cumsum(boundary)[rows], nearest(page, boundary)[rows]
    fresh = (started[1:] != started[:-1]) | (holder[1:] != holder[:-1])
    piece = np.concatenate(([0], np.cumsum(fresh)))
    kept = np.zeros(len(page), dtype=np.bool_)
    kept[taken] = True
    full = np.bincount(piece, kept[rows], int(piece[-1]) + 1) > 0
    kept[rows] |= full[piece] & ~page.is_text()[rows]
    return kept


def _label(page: Page, found: Blocks, chosen: BoolArray) -> tuple[Part, ...]:
    """The chosen blocks in order: a heading before all others is the title; then come the post and its replies."""
    heading = within(page, page.has_tag(_TITLE_HEADINGS))
    parts: list[Part] = []
    posts = 0
    for k in np.flatnonzero(chosen).tolist():
        rows = tuple(found.rows[found.at[k] : found.at[k + 1]].tolist())
        if not parts and heading[rows[0]]:
            parts.append(Part("title", rows))
            continue
        parts.append(Part("reply" if posts else "post", rows))
        posts += 1
    return tuple(parts)


def _heading_of(page: Page, parts: tuple[Part, ...]) -> int | None:
    if not parts or parts[0].label != "title":
        return None
    return int(nearest(page, page.has_tag(_TITLE_HEADINGS))[parts[0].rows[0]])
