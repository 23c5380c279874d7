"""Text → fingerprint: a hash that equal texts share, and a MinHash sketch that similar texts share for the most part.

Pure and seeded: the same text and settings give the same fingerprint in every process, so workers make them and one
reader compares them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.bench.extras import need
from duramen.errors import OptionError
from duramen.parse.characters import CJK_RANGES

SCHEME = "affine32"  # datasketch's permutations since 2.0: 32 bits, without collisions of their own
BATCH = 4096  # shingles sketched at a time: permutations × BATCH numbers in memory, however long the text
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_CJK = "".join(f"{chr(first)}-{chr(stop - 1)}" for first, stop in CJK_RANGES)
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


@dataclass(frozen=True, slots=True)
class Dedup:
    """What counts as a duplicate, and how many texts are remembered."""

    near: bool = True  # similar texts too, not only equal ones
    threshold: float = 0.8  # the least Jaccard similarity of near duplicates' shingles
    permutations: int = 128  # numbers in a sketch: the estimate's standard error is at most 0.5 / √permutations
    shingle: int = 5  # words in a shingle
    fewest_words: int = 20  # shorter texts are compared exactly: with few shingles one word decides
    seed: int = 1
    most: int = 1_000_000  # distinct texts remembered; beyond these the oldest is forgotten

    def __post_init__(self) -> None:
        if not 0.1 <= self.threshold <= 1.0:
            raise OptionError(f"dedup: a threshold is between 0.1 and 1, not {self.threshold}")
        if self.permutations < 16:
            raise OptionError(f"dedup: a sketch has at least 16 permutations, not {self.permutations}")
        if self.shingle < 1 or self.most < 1:
            raise OptionError("dedup: a shingle has at least one word, and at least one text is remembered")


NEAR = Dedup()
"""Equal and similar texts, with the settings above."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is compared of a text."""

    digest: bytes  # of its words; empty for a text without one
    sketch: bytes | None = None  # its MinHash, four bytes a permutation; None where only equality counts


def words(text: str) -> list[str]:
    """The words of a text as they are compared: no case, no punctuation, compatible characters as one (NFKC).

    Each CJK character is a word of its own.
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def fingerprint(text: str, dedup: Dedup = NEAR) -> Fingerprint:
    """The fingerprint of a text."""
    found = words(text)
    if not found:
        return Fingerprint(b"")
    digest = blake2b(" ".join(found).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if not dedup.near or len(found) < max(dedup.fewest_words, dedup.shingle):
        return Fingerprint(digest)
    sketch = empty_sketch(dedup)
    shingles = shingle_hashes(found, dedup.shingle)
    for start in range(0, len(shingles), BATCH):
        sketch.update_batch(shingles[start : start + BATCH])
    return Fingerprint(digest, sketch.hashvalues.astype("<u4").tobytes())


def shingle_hashes(found: list[str], size: int) -> NDArray[np.uint32]:
    """A hash of each different run of `size` words, in ascending order."""
    known: dict[str, int] = {}
    for word in found:
        if word not in known:
            known[word] = crc32(word.encode("utf-8", "surrogatepass"))
    numbers = np.array([known[word] for word in found], dtype=np.uint64)
    count = len(numbers) - size + 1
    total = np.zeros(count, dtype=np.uint64)
    for at in range(size):
        total = (total ^ numbers[at : at + count]) * _PRIME  # wraps around, as it is meant to
        total ^= total >> np.uint64(29)
    return np.unique((total >> np.uint64(32)).astype(np.uint32))


def empty_sketch(dedup: Dedup, values: NDArray[np.uint32] | None = None) -> Any:
    """A datasketch MinHash without shingles, or with the values of a finished sketch."""
    permutations = _permutations(dedup.permutations, dedup.seed)
    minhash = need("datasketch", "jobs").MinHash
    return minhash(
        num_perm=dedup.permutations,
        seed=dedup.seed,
        hashfunc=_as_it_is,
        hashvalues=values,
        permutations=permutations,
        scheme=SCHEME,
    )


@lru_cache(maxsize=8)
def _permutations(count: int, seed: int) -> Any:
    """The permutations of a seed: drawing them anew for each text would cost more than sketching it."""
    return need("datasketch", "jobs").MinHash(num_perm=count, seed=seed, scheme=SCHEME).permutations


def _as_it_is(value: Any) -> Any:
    return value
