"""ECON: periods and commas tell content from noise (Guo et al. 2010). Section numbers are the paper's.

Adjacent pieces of text are joined into text-paras; those without a period or comma are pruned. From a node of the
longest text-para the algorithm climbs until the next ancestor adds no period or comma: that node wraps the content.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np

from duramen.algorithms.econ.joint_para import Reading, joint_para, running_sum
from duramen.algorithms.econ.posts import find_posts, longest_in
from duramen.algorithms.econ.trace import Climb, figures, tell
from duramen.algorithms.econ.units import (
    SET_AT,
    SET_CHARS,
    SET_END,
    SET_FIRST,
    SET_SIZE,
    SOLID,
    TEXT,
    cjk_in,
    climb,
    headings,
    keep,
    plain_sentences,
    title_row,
)
from duramen.measure import Deferred, subtree_sum, within
from duramen.page import HREF, BoolArray, FlagArray, IntArray, Page, Part, Reason, Selection
from duramen.parse.characters import PERIODS_AND_COMMAS, code_points

# The paper's period and comma (§IV-D); the extended set adds the Japanese comma and the Arabic comma and full stop.
MARKS: Mapping[str, str] = MappingProxyType(
    {"default": PERIODS_AND_COMMAS, "extended": PERIODS_AND_COMMAS + "、､،۔"},
)
FEWEST_SENTENCES = 2  # sentence ends below which a page is short

# The last of several marks; a full stop inside a word or number ends nothing.
_SENTENCE_END = re.compile(r"[.!?…؟۔](?=[\s\"'”’»)\]]|$)|[。！？｡．](?![。！？｡．])")
# Of a title with single blanks; whatever has none of these characters has no break.
_TITLE_BREAKS, _BREAKS = re.compile(r" [-:·•/«] | ?(?:[|_–—»｜]|::) ?"), re.compile(r"[-:·•/«|_–—»｜]")
KNOWN_LENGTHS = 256  # of titles: longer ones are compared anyhow
_BEYOND_ASCII = bytes(128) + b"\1" * 128
_NO_CHANCE = random.Random(0)  # where nothing is left to it
_ALNUM = np.array([chr(point).isalnum() for point in range(128)], dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Econ:
    """Longest run of punctuated text, climbed from until no punctuation is added (Guo et al. 2010)."""

    paper: ClassVar[str] = (
        "Y. Guo, H. Tang, L. Song, Y. Wang, G. Ding: ECON: An Approach to Extract Content from Web News Page (2010)"
    )

    punct: Literal["default", "extended"] = "default"  # which marks count; extended adds 、 ، ۔
    marks: str = ""  # the marks themselves, instead of either set
    skip_inword: bool = False  # leave out . and , between two ASCII letters or digits (URLs, 1,234.5)
    pick: Literal["first", "random"] = "first"  # which node of the longest set to start from; the paper: random
    seed: int = 0  # of the random pick
    nesting: Literal["units", "literal"] = "units"  # literal: every big-node counts, also inside another
    collapse_start: bool = False  # start from the box around a lone start node
    short_fallback: Literal["off", "heading", "density"] = "off"  # how a short page finds another start
    split_posts: bool = False  # run on each of a page's repeated post containers
    short_chars: int = 80  # a short page's longest text-para has fewer characters …
    short_chars_cjk: int = 40  # … or fewer than this where half of them are CJK
    pieces_per_100: float = 3.0  # a pieces page has this many inline boundaries and line breaks a 100 characters

    def __post_init__(self) -> None:
        _check(self)

    def select(self, page: Page) -> Selection:
        read = joint_para(page, self._count_marks(page), literal=self.nesting == "literal")
        title = _title(read)
        columns = Deferred(partial(figures, read))
        score, longest = read.ground.score, read.longest
        if longest < 0:
            kept = np.zeros(len(page), dtype=np.bool_)
            reason = Reason.NO_CONTENT if read.ground.text().any() else Reason.NO_TEXT
            trace = Deferred(partial(tell, read, kept, ("no_content",)))
            return Selection(kept, score, columns, trace, title=title, flags=("no_content",), reason=reason)

        short = self._is_short(read, longest)
        posts = find_posts(read, longest) if self.split_posts else []
        chance = random.Random(self.seed) if self.pick == "random" else _NO_CHANCE
        fallback = None
        if posts:
            starts = longest_in(read, posts)
            climbs = [self._climb(read, start, post, chance) for start, post in zip(starts, posts)]
        else:
            way = self._climb(read, longest, read.ground.root, chance)
            if short and self.short_fallback != "off":
                way, fallback = self._fall_back(read, way, title, chance)
            climbs = [way]
        kept, breaks, characters = _kept(read, climbs)
        # Content broken up by links, fonts and the like (§IV-A); the threshold is ours.
        in_pieces = breaks * 100 >= self.pieces_per_100 * characters
        flags = ("short_page",) * short + ("pieces_page",) * in_pieces
        trace = Deferred(partial(tell, read, kept, flags, climbs, posts, fallback, longest))
        parts = tuple(_post(read, kept, row) for row in posts)
        return Selection(kept, score, columns, trace, parts=parts, title=title, flags=flags)

    def _count_marks(self, page: Page) -> IntArray:
        """punc-num of every text node."""
        if not self.marks and self.punct == "default" and not self.skip_inword:
            return page.puncts
        marks = self.marks or MARKS[self.punct]
        if set(marks) == set(PERIODS_AND_COMMAS) and not self.skip_inword:
            return page.puncts
        points, at = code_points(page.text, page.text_at)
        counted = np.isin(points, np.array([ord(mark) for mark in marks], dtype=np.uint32))
        if self.skip_inword:
            word = (points < 128) & _ALNUM[points & 127]
            inside = np.zeros(len(points), dtype=np.bool_)
            inside[1:-1] = word[:-2] & word[2:]
            inside[at[at < len(points)]] = False  # a text node's first and last character …
            inside[at[at > 0] - 1] = False  # … have no neighbour in it
            counted &= ~(inside & ((points == ord(".")) | (points == ord(","))))
        running = running_sum(counted)
        found: IntArray = (running[at[1:]] - running[at[:-1]]).astype(np.int32)
        return found

    def _climb(self, read: Reading, start: int, root: int, chance: random.Random) -> Climb:
        """Extract-news, the second half: from a node of the set upwards, never out of `root`."""
        sets, units = read.sets.figures, read.units
        size = sets.item(SET_SIZE, start)
        unit = read.sets.unit(sets.item(SET_AT, start) + (chance.randrange(size) if self.pick == "random" else 0))
        snippet = units.node(unit)
        if self.collapse_start and size == 1 and not units.is_run(unit):
            snippet = _alone(read, snippet, root)
        return Climb(snippet, climb(read.page, read.ground.below, snippet, root), root)

    def _fall_back(
        self, read: Reading, way: Climb, title: int | None, chance: random.Random
    ) -> tuple[Climb, str | None]:
        """Another start for a short page, where the longest text-para is likely noise (an outlook of §V)."""
        start = None if title is None else _below(read, title)
        if start is not None:
            return self._climb(read, start, read.ground.root, chance), "heading"
        if self.short_fallback == "density":
            dense = way._replace(summary=_densest(read))
            chars = read.page.chars
            if chars[_kept(read, [dense])[0]].sum() > chars[_kept(read, [way])[0]].sum():
                return dense, "density"
        return way, None

    def _is_short(self, read: Reading, longest: int) -> bool:
        """Too little text to tell content from noise (§IV-A); the thresholds are ours."""
        sets, place = read.sets.figures, read.ground.place
        first, end, characters = (
            sets.item(SET_FIRST, longest),
            sets.item(SET_END, longest),
            sets.item(SET_CHARS, longest),
        )
        cjk = cjk_in(read.page, place, first, end)
        enough = self.short_chars_cjk if 2 * cjk >= characters else self.short_chars
        return characters < enough or not _has_sentences(read.page, place, first, end, FEWEST_SENTENCES)


def _post(read: Reading, kept: BoolArray, row: int) -> Part:
    end = int(read.page.end[row])
    readable = kept[row:end] & ((read.ground.place[row:end] & TEXT) != 0)
    return Part("post", tuple((np.flatnonzero(readable) + row).tolist()))


def _alone(read: Reading, row: int, root: int) -> int:
    """The outermost box that holds `row` and nothing else."""
    page, solid = read.page, read.ground.sums[SOLID]
    held = solid[page.end[row]] - solid[row]
    while row != root:
        above = int(page.parent[row])
        if solid[page.end[above]] - solid[above + 1] != held:
            break
        row, held = above, held + 1
    return row


def _below(read: Reading, heading: int) -> int | None:
    """The text-para that a heading is part of, or else the next one after it."""
    paras = read.paras()
    first, end = read.sets.first[paras], read.sets.end[paras]
    around, after = paras[(first <= heading) & (heading < end)], paras[first > heading]
    if len(around):
        return int(around[-1])
    return int(after[0]) if len(after) else None


def _densest(read: Reading) -> int:
    """The element whose children have, all told, most characters outside links an element."""
    page, ground = read.page, read.ground
    element = ground.seen() & ~page.is_text()
    unlinked = ground.text() & ~within(page, (page.flags & HREF) != 0)
    density = subtree_sum(page, np.where(unlinked, page.chars, 0)) / np.maximum(subtree_sum(page, element), 1)
    element[: ground.root + 1] = False
    rows = np.flatnonzero(element)
    return int(np.argmax(np.bincount(page.parent[rows], density[rows], len(page))))


def _kept(read: Reading, climbs: list[Climb]) -> tuple[BoolArray, int, int]:
    """The rows of the summary-nodes on the pruned tree; what breaks up their text, and its characters."""
    kept = np.zeros(len(read.page), dtype=np.bool_)
    first, stop = len(kept), 0
    for each in climbs:
        end = read.page.end.item(each.summary)
        kept[each.summary : end] = True
        first, stop = min(first, each.summary), max(stop, end)
    breaks, characters = keep(read.page, first, stop, read.ground.place, read.fate.copy(), kept.view(np.uint8))
    return kept, breaks, characters


def _has_sentences(page: Page, place: FlagArray, first: int, end: int, fewest: int) -> bool:
    """Whether the text from row `first` to before `end` has at least so many sentence ends."""
    while first < end:
        row, fewest = plain_sentences(page, place, first, end, fewest)
        if fewest > 0 and row < end:
            fewest -= len(_SENTENCE_END.findall(page.text_of(row).rstrip()))
        if fewest <= 0:
            return True
        first = row + 1
    return False


def _title(read: Reading) -> int | None:
    """The heading that says the same as `<title>`, or as the longest of its parts that a heading has."""
    page, ground = read.page, read.ground
    row = title_row(page, ground.root)
    if row < 0:
        return None
    whole = " ".join(page.text_of(row).split()).casefold()
    parts = _TITLE_BREAKS.split(whole) if _BREAKS.search(whole) else ()
    wanted = {part for part in (whole, *parts) if part}
    # Case folding makes ASCII of few other characters, but what begins with ASCII begins with the same after it.
    first_bytes, lengths = bytearray(_BEYOND_ASCII), bytearray(KNOWN_LENGTHS)
    for part in wanted:
        first = part[0]
        if first.isascii():
            first_bytes[ord(first)] = first_bytes[ord(first.upper())] = 1
        if len(part) < KNOWN_LENGTHS:
            lengths[len(part)] = 1
    best, length = None, 0
    likely = headings(page, ground.root, ground.place, ground.sums, len(whole), bytes(first_bytes), bytes(lengths))
    for heading in likely:
        text = " ".join(page.text_of(heading).split()).casefold()
        if text in wanted and len(text) > length:
            best, length = heading, len(text)
    return best


def _check(settings: Econ) -> None:
    """Raise ValueError for a setting that makes no sense."""
    choices = {
        "punct": tuple(MARKS),
        "pick": ("first", "random"),
        "nesting": ("units", "literal"),
        "short_fallback": ("off", "heading", "density"),
    }
    for name, allowed in choices.items():
        if getattr(settings, name) not in allowed:
            raise ValueError(f"{name} is one of {', '.join(allowed)}, not {getattr(settings, name)!r}")
    if any(mark.isspace() or mark.isalnum() for mark in settings.marks):
        raise ValueError(f"marks are punctuation characters, without blanks between them, not {settings.marks!r}")
    for name in ("short_chars", "short_chars_cjk"):
        if getattr(settings, name) < 0:
            raise ValueError(f"{name} is 0 or more characters, not {getattr(settings, name)}")
    if not (settings.pieces_per_100 > 0 and math.isfinite(settings.pieces_per_100)):
        raise ValueError(f"pieces_per_100 is a number above 0, not {settings.pieces_per_100}")
