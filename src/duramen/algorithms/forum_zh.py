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

from duramen.blocks import blocks
from duramen.chinese import compile_patterns, language_flags, node_texts, read_rows
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
    r"发表于[:：]?\s*\d{4}[-/年].*",
    r"(回复|引用|举报|编辑|只看该作者|楼主|沙发|板凳|顶|TOP|\d+\s*[#楼])",
    "(注册时间|注册|积分|帖子|精华|威望|金钱|在线时间|最后登录|来自|状态|等级|阅读权限)[:：]?.*",
    "本帖最后由.*编辑.*",
    "(登录|首页|返回列表|上一主题|下一主题|上一页|下一页|发新话题).*",
    "Powered by.*",
    ".*(版权所有|ICP备).*",
    "IP[:：].*",
    "-----+",
)
"""What a text node that is noise looks like as a whole. No commas: a list of them can be given as text."""

_HEADINGS = tag_mask(HEADINGS)


@dataclass(frozen=True, slots=True)
class ForumZh:
    """Posts and replies of a Chinese forum page: blocks between tags that are long enough and free of noise."""

    paper: ClassVar[str] = (
        "Linhai Song, Xueqi Cheng, Yan Guo, Guodong Ding: Content Extraction from Web Pages. "
        "Institute of Computing Technology, Chinese Academy of Sciences"
    )

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
        boundary = page.has_tag(tag_mask(self.separators))
        found = blocks(page, read & (page.chars > 0), boundary)
        if not len(found):
            return Selection(np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        starts = found.at[:-1]
        noisy, seen = self._find_noise(page, found)
        noise = np.add.reduceat(noisy, starts, dtype=np.int64)
        spoilt = noise > 0 if self.noise == "block" else np.zeros(len(found), dtype=np.bool_)
        counted = page.chars[found.rows] * (~noisy if self.noise == "node" else 1)
        chars = np.add.reduceat(counted, starts, dtype=np.int64)
        chosen: BoolArray = (chars > self.min_length) & ~spoilt

        taken = found.rows[np.repeat(chosen, np.diff(found.at)) & (~noisy | (self.noise == "block"))]
        kept = _with_surroundings(page, taken, boundary) & read
        clean = chars[~spoilt]
        parts = _label(page, found, chosen, set(taken.tolist()))
        trace: dict[str, Any] = {
            "min_length": self.min_length,
            "blocks": len(found),
            "too_short": int(np.count_nonzero(~spoilt & ~chosen)),
            "noisy": int(np.count_nonzero(spoilt)),
            "chosen": int(np.count_nonzero(chosen)),
            "longest_clean_block": int(clean.max()) if len(clean) else None,
            "noise_patterns_met": dict(seen),
        }
        flags = language_flags(page) if chosen.any() else ("lower_min_length", *language_flags(page))
        return Selection(
            kept=kept,
            score=np.where(spoilt, 0.0, chars),
            columns={"length": chars, "nodes": np.diff(found.at), "noise": noise, "chosen": chosen},
            trace=trace,
            blocks=found,
            parts=parts,
            title=next((part.rows[0] for part in parts if part.label == "title"), None),
            flags=flags,
            reason=None if chosen.any() else Reason.NO_CONTENT,
        )

    def _find_noise(self, page: Page, found: Blocks) -> tuple[BoolArray, Counter[str]]:
        """Which text nodes of the blocks are noise, and how often each pattern was met."""
        patterns = compile_patterns(self.noise_patterns, whole=True)
        noisy = np.zeros(len(found.rows), dtype=np.bool_)
        seen: Counter[str] = Counter()
        short = np.flatnonzero(page.chars[found.rows] <= self.max_noise_length)
        for at, text in zip(short.tolist(), node_texts(page, found.rows[short])):
            pattern = patterns.first(text)
            if pattern is not None:
                noisy[at] = True
                seen[pattern] += 1
        return noisy, seen


def _with_surroundings(page: Page, taken: NDArray[np.integer], boundary: BoolArray) -> BoolArray:
    """The taken text rows, and the pictures, line breaks and formatting between the same boundaries."""
    rows = np.flatnonzero(~boundary)
    started, holder = np.cumsum(boundary)[rows], nearest(page, boundary)[rows]
    fresh = (started[1:] != started[:-1]) | (holder[1:] != holder[:-1])
    piece = np.concatenate(([0], np.cumsum(fresh)))
    text = np.zeros(len(page), dtype=np.bool_)
    text[taken] = True
    full = np.bincount(piece, text[rows], int(piece[-1]) + 1) > 0
    text[rows] |= full[piece] & ~page.is_text()[rows]
    return text


def _label(page: Page, found: Blocks, chosen: BoolArray, taken: set[int]) -> tuple[Part, ...]:
    """The chosen blocks in order: a heading before all others is the title, the first other one the post."""
    heading = within(page, page.has_tag(_HEADINGS))
    parts: list[Part] = []
    posts = 0
    for k in np.flatnonzero(chosen).tolist():
        rows = tuple(row for row in found.rows[found.at[k] : found.at[k + 1]].tolist() if row in taken)
        if not parts and heading[rows[0]]:
            parts.append(Part("title", rows))
            continue
        parts.append(Part("reply" if posts else "post", rows))
        posts += 1
    return tuple(parts)
