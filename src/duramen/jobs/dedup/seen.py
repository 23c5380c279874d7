"""Fingerprints in input order → duplicates. Memory is bounded by `Dedup.most`, whatever the length of the stream."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from duramen.bench.extras import need
from duramen.jobs.dedup.fingerprint import NEAR, Dedup, Fingerprint, empty_sketch, fingerprint

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """What a text repeats."""

    of: str  # the name of the first text of the kind
    similarity: float  # 1.0 for equal texts, else the estimated Jaccard similarity of their shingles


@dataclass(frozen=True, slots=True)
class _Known:
    """A text that nothing before it is like."""

    name: str
    digest: bytes
    sketch: NDArray[np.uint32] | None


class Seen:
    """The distinct texts of a stream so far.

    Only texts that are no duplicates are remembered, so a chain of small changes ends where it is no longer like its
    first text. A text that is like several is a duplicate of the earliest. Past `Dedup.most` texts the oldest one is
    forgotten, and its next repetition counts as new. One text takes about 0.3 KB, with a sketch about 4 KB.
    """

    def __init__(self, dedup: Dedup = NEAR) -> None:
        self.dedup = dedup
        self._known: OrderedDict[int, _Known] = OrderedDict()  # by order of arrival
        self._by_digest: dict[bytes, int] = {}
        self._next = 0
        self._index: Any = None
        if dedup.near:
            lsh = need("datasketch", "jobs").MinHashLSH
            self._index = lsh(threshold=dedup.threshold, num_perm=dedup.permutations)

    def __len__(self) -> int:
        return len(self._known)

    def place(self, name: str, mark: Fingerprint) -> Duplicate | None:
        """What the text repeats; None for a new one, which is remembered, and for one without words, which is not."""
        if not mark.digest:
            return None
        if (same := self._by_digest.get(mark.digest)) is not None:
            return Duplicate(self._known[same].name, 1.0)
        sketch = None
        if self._index is not None and mark.sketch is not None:
            sketch = np.frombuffer(mark.sketch, dtype="<u4").astype(np.uint32)
            if (found := self._nearest(sketch)) is not None:
                return found
        self._remember(_Known(name, mark.digest, sketch))
        return None

    def _nearest(self, sketch: NDArray[np.uint32]) -> Duplicate | None:
        """The earliest text whose sketch agrees enough. The index only proposes: its buckets let some others in."""
        for number in sorted(self._index.query(empty_sketch(self.dedup, sketch))):
            other = self._known[number]
            similarity = float(np.mean(sketch == other.sketch))
            if similarity >= self.dedup.threshold:
                return Duplicate(other.name, similarity)
        return None

    def _remember(self, text: _Known) -> None:
        number, self._next = self._next, self._next + 1
        self._known[number] = text
        self._by_digest[text.digest] = number
        if text.sketch is not None:
            self._index.insert(number, empty_sketch(self.dedup, text.sketch))
        if len(self._known) > self.dedup.most:
            number, oldest = self._known.popitem(last=False)
            del self._by_digest[oldest.digest]
            if oldest.sketch is not None:
                self._index.remove(number)


def mark(
    items: Iterable[T], name: Callable[[T], str], text: Callable[[T], str], dedup: Dedup = NEAR
) -> Iterator[tuple[T, Duplicate | None]]:
    """Each item with what it repeats, in the order in which they come."""
    seen = Seen(dedup)
    for item in items:
        yield item, seen.place(name(item), fingerprint(text(item), dedup))
