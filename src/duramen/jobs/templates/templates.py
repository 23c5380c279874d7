"""Page, selection and what a site repeats → the selection without it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import blocks
from duramen.errors import ModelError
from duramen.jobs.templates.keys import KeyArray, block_keys, holders
from duramen.measure import nearest, seen_text, subtree_sum, within
from duramen.page import BoolArray, IntArray, Page, Selection
from duramen.tags import HEADINGS, tag_mask

VERSION = 1  # of the JSON form
SHORT_WORDS = 6  # a block with fewer words may repeat by chance: "Salt", "Thanks!", "Yes"
SHORT_SHARE = 0.5  # … so it is on at least this share of the pages
GROUP_SHARE = 0.9  # short items and cells go with their list or table, when this share of its characters goes
FEWEST_WORDS = 10  # with fewer words left the page is its template: a copy, an error page, a form

_GROUPS = tag_mask(("ul", "ol", "dl", "menu", "dir", "table", "select"))
_HEADING = tag_mask(HEADINGS)
_UP_TO_RANK = tuple(tag_mask(HEADINGS[: rank + 1]) for rank in range(len(HEADINGS)))


@dataclass(frozen=True)
class Templates:
    """What the pages of one site repeat."""

    pages: int  # that were counted
    keys: KeyArray  # of the blocks, ascending
    counts: NDArray[np.int64]  # pages that have each

    def __len__(self) -> int:
        return len(self.keys)

    def apply(self, page: Page, selection: Selection) -> Selection:
        """The selection without the site's repeated blocks; as it was where hardly anything would be left."""
        drop = self.repeated(page, selection.kept)
        if not drop.any():
            return selection
        if selection.title is not None:  # the page's own, however often it is seen
            drop[selection.title : page.end[selection.title]] = False
        kept = selection.kept & ~drop
        text = seen_text(page)
        before, after = selection.kept & text, kept & text
        trace = {"pages": self.pages, "dropped_chars": int(page.chars[before & ~after].sum())}
        if int(page.words[after].sum()) < FEWEST_WORDS:
            trace["dropped_chars"] = 0
            return replace(selection, trace={**selection.trace, "templates": {**trace, "nothing_else": True}})
        return replace(selection, kept=kept, trace={**selection.trace, "templates": trace})

    def repeated(self, page: Page, kept: BoolArray) -> BoolArray:
        """Which rows to drop of those that are kept: repeated text, and elements that held nothing else."""
        text = kept & seen_text(page)
        rows = np.zeros(len(page), dtype=np.bool_)
        if not text.any() or not len(self.keys):
            return rows
        # Keys are those of whole blocks, so blocks are cut from all text that is seen, as they were when learning.
        whole = blocks(page)
        held = holders(page, whole)
        seen = self._seen(block_keys(page, whole, held))
        words, chars = (np.add.reduceat(each[whole.rows], whole.at[:-1]) for each in (page.words, page.chars))
        taking_part = np.add.reduceat(text[whole.rows], whole.at[:-1]) > 0
        short = words < SHORT_WORDS
        heading = page.has_tag(_HEADING)[held]
        group = nearest(page, page.has_tag(_GROUPS))[held]
        grouped = short & (group >= 0) & ~heading
        drop = seen > 0
        drop &= ~short | grouped | heading | (seen >= SHORT_SHARE * self.pages)
        # Lists and tables are judged as they stand in the page, whatever of them was kept.
        drop &= ~grouped | _whole_groups(page, group, chars, drop)
        drop &= taking_part
        drop &= ~heading | _empty_sections(page, held, heading, drop, taking_part)
        rows[whole.rows[np.repeat(drop, np.diff(whole.at))]] = True
        rows &= text
        emptied = (subtree_sum(page, text) > 0) & (subtree_sum(page, text & ~rows) == 0)
        return within(page, emptied) | rows

    def _seen(self, keys: KeyArray) -> IntArray:
        """On how many pages each block was seen; 0 where it is no part of the template."""
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        seen: IntArray = np.where(self.keys[at] == keys, self.counts[at], 0).astype(np.int32)
        return seen

    def to_json(self) -> str:
        """The templates as JSON, for `from_json`."""
        blocks = {f"{key:016x}": count for key, count in zip(self.keys.tolist(), self.counts.tolist())}
        return json.dumps({"version": VERSION, "pages": self.pages, "blocks": blocks}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Templates:
        """Templates that `to_json` wrote."""
        try:
            data = json.loads(text)
            if data["version"] != VERSION:
                raise ModelError(f"templates of version {data['version']}, not {VERSION}: learn them again")
            pairs = sorted((int(key, 16), int(count)) for key, count in data["blocks"].items())
            keys = np.array([key for key, _ in pairs], dtype=np.uint64)
            counts = np.array([count for _, count in pairs], dtype=np.int64)
            return cls(int(data["pages"]), keys, counts)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as problem:
            raise ModelError(f"these are no templates: {type(problem).__name__}: {problem}") from None


def _empty_sections(page: Page, held: IntArray, heading: BoolArray, drop: BoolArray, part: BoolArray) -> BoolArray:
    """For each heading: is nothing left under it, up to the next heading of its rank or a higher one?

    A repeated heading stands for what follows it: "Ingredients" stays where the ingredients do.
    """
    left = part & ~drop
    first = heading & np.concatenate(([True], held[1:] != held[:-1]))  # a heading of several lines is one heading
    running = np.concatenate(([0], np.cumsum(left)))
    empty = np.zeros(len(heading), dtype=np.bool_)
    for rank, name in enumerate(HEADINGS):
        own = np.flatnonzero(heading & page.named(name)[held])
        if len(own):
            ends = np.append(np.flatnonzero(first & page.has_tag(_UP_TO_RANK[rank])[held]), len(heading))
            stop = ends[np.searchsorted(ends, own, side="right")]
            empty[own] = running[stop] == running[own + 1]
    return empty


def _whole_groups(page: Page, group: IntArray, chars: IntArray, drop: BoolArray) -> BoolArray:
    """For each block: would (nearly) all of its list or table go?"""
    size = len(page) + 1  # the last slot is for "in none"
    everything = np.bincount(group % size, weights=chars, minlength=size)
    going = np.bincount(group % size, weights=chars * drop, minlength=size)
    whole: BoolArray = going[group % size] >= GROUP_SHARE * everything[group % size]
    return whole
