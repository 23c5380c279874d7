"""CCB: content code blurring (Gottron 2008).

Every character of the page, or every token, is content (1) or code (0). Blurring that sequence shows where the
neighbourhood is nearly all content. TCCB works on tokens, ACCB leaves the tags of links out, so that links in a text
do not make it look like code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.baselines.smooth import blur
from duramen.algorithms.baselines.tokens import (
    WORDS,
    Tokens,
    row_values,
    rows_inside,
    run_chars,
    share_inside,
    tokenise,
    words_inside,
)
from duramen.page import BoolArray, Page, Reason, Selection
from duramen.tags import TAG_IDS

Variant = Literal["CCB", "ACCB-40", "TCCB-18", "TCCB-25"]
Unit = Literal["characters", "tokens"]
Blurred = NDArray[np.float32]


class Preset(NamedTuple):
    """What a variant stands for."""

    unit: Unit
    skip_anchors: bool
    radius: int
    threshold: float


VARIANTS: Mapping[str, Preset] = MappingProxyType(
    {
        "CCB": Preset("characters", False, 40, 0.75),
        "ACCB-40": Preset("characters", True, 40, 0.75),
        "TCCB-18": Preset("tokens", False, 18, 0.75),
        "TCCB-25": Preset("tokens", False, 25, 0.75),
    }
)
MOST_RADIUS = 1000  # blurring costs the length of the page times this
THRESHOLD_SLACK = 1e-6  # single precision: a value that equals the threshold but for rounding reaches it
MOST_WORDS = 100  # of the content, in the trace

_A = TAG_IDS["a"]


@dataclass(frozen=True, slots=True)
class Ccb:
    """Content code blurring: the text whose neighbourhood in the source is nearly all text.

    A setting that is none is as the variant says.
    """

    paper: ClassVar[str] = "Thomas Gottron: Content Code Blurring: A New Approach to Content Extraction. DEXA 2008"

    variant: Variant = "CCB"
    unit: Unit | None = None  # what is blurred: characters of the source, or tokens
    skip_anchors: bool | None = None  # leave the tags of links out of the sequence
    radius: int | None = None  # of the blur, in units
    threshold: float | None = None  # content has at least this value
    spread: float = 0.5  # standard deviation of the blur, as a share of the radius
    max_iter: int = 3  # blurring without end would flatten everything
    settled: float = 0.01  # a smaller mean change ends the blurring
    min_words: int = 0  # kept stretches of fewer words are dropped

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"variant is one of {', '.join(VARIANTS)}; not {self.variant!r}")
        if self.unit is not None and self.unit not in get_args(Unit):
            raise ValueError(f"unit is one of {', '.join(get_args(Unit))}; not {self.unit!r}")
        if self.radius is not None and not 1 <= self.radius <= MOST_RADIUS:
            raise ValueError(f"radius is a whole number from 1 to {MOST_RADIUS}; not {self.radius}")
        if self.threshold is not None and not 0.0 < self.threshold <= 1.0:
            raise ValueError(f"threshold lies between 0 and 1, not {self.threshold}")
        if not (math.isfinite(self.spread) and self.spread > 0):
            raise ValueError(f"spread is a number above 0, not {self.spread}")
        if self.max_iter < 1:
            raise ValueError(f"max_iter is 1 or more, not {self.max_iter}")
        if not 0.0 <= self.settled <= 1.0:
            raise ValueError(f"settled lies between 0 and 1, not {self.settled}")
        if self.min_words < 0:
            raise ValueError(f"min_words is 0 or more, not {self.min_words}")

    def select(self, page: Page) -> Selection:
        """The text nodes of which half or more reaches the threshold; a text node's score is its mean value."""
        tokens = tokenise(page)
        if len(tokens) == tokens.tags():
            return Selection(kept=np.zeros(len(page), dtype=np.bool_), reason=Reason.NO_TEXT)
        preset = self._preset()
        size = run_chars(page, tokens) if preset.unit == "characters" else np.diff(tokens.at)
        if preset.skip_anchors:
            size[tokens.tag() & (page.tag[tokens.row] == _A)] = 0
        at = np.concatenate(([0], np.cumsum(size)))
        content = np.repeat(~tokens.tag(), size)
        value, rounds, change = self._blur(content, preset.radius)
        low = value < preset.threshold - THRESHOLD_SLACK
        inside = content & ~low
        share = share_inside(inside, at)
        kept = rows_inside(page, tokens, share)
        dropped = _drop_short(page, tokens, kept, low, at, self.min_words)
        trace: dict[str, Any] = {
            "variant": self.variant,
            **preset._asdict(),
            "units": len(content),
            "content_units": int(content.sum()),
            "rounds": rounds,
            "change": change,
            "content_share": float(inside.sum() / max(content.sum(), 1)),
            "short_stretches": dropped,
        }
        if preset.unit == "tokens":
            vector = np.repeat(size > 0, np.diff(tokens.at))  # all tokens but the tags that were left out
            marks = np.zeros(len(tokens), dtype=np.bool_)
            marks[vector] = inside
            trace["words"] = words_inside(page, tokens, marks, MOST_WORDS)
            trace["values"] = value[inside][:MOST_WORDS].astype(np.float64).round(4).tolist()
        filled = np.flatnonzero(size)
        mean = np.full(len(size), np.nan)
        mean[filled] = np.add.reduceat(value, at[filled], dtype=np.float64) / size[filled]
        columns = {"content_share": row_values(page, tokens, share)}
        reason = None if page.chars[kept].any() else Reason.NO_CONTENT
        return Selection(kept, row_values(page, tokens, mean), columns, trace, reason=reason)

    def _preset(self) -> Preset:
        """The settings in force."""
        preset = VARIANTS[self.variant]
        own = {name: value for name in Preset._fields if (value := getattr(self, name)) is not None}
        return preset._replace(**own)

    def _blur(self, content: BoolArray, radius: int) -> tuple[Blurred, int, float]:
        """The sequence after blurring, how often that was done, and the mean change of the last time."""
        value: Blurred = content.astype(np.float32)
        change, rounds = 1.0, 0
        while rounds < self.max_iter and change >= self.settled:
            blurred = blur(value, radius, self.spread * radius)
            value -= blurred
            change = float(np.abs(value, out=value).mean(dtype=np.float64))
            value = blurred
            rounds += 1
        return value, rounds, change


def _drop_short(page: Page, tokens: Tokens, kept: BoolArray, low: BoolArray, at: NDArray[np.int64], least: int) -> int:
    """Take stretches of fewer than `least` words out of `kept`, and return how many. A low value ends a stretch."""
    runs = np.flatnonzero((tokens.kind == WORDS) & kept[tokens.row] & (page.chars[tokens.row] > 0))
    if not least or not len(runs):
        return 0
    running = np.concatenate(([0], np.cumsum(low)))
    apart = running[at[runs[1:]]] > running[at[runs[:-1] + 1]]
    stretch = np.concatenate(([0], np.cumsum(apart)))
    short = np.bincount(stretch, page.words[tokens.row[runs]]) < least
    kept[tokens.row[runs[short[stretch]]]] = False
    return int(np.count_nonzero(short))
