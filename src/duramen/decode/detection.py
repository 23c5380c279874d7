"""The encoding of bytes that are not UTF-8: a label that the bytes bear out, else what they look like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
from chardetng_py.detector import EncodingDetector  # type: ignore[import-untyped]

from duramen.decode.decoded import How
from duramen.decode.decoders import characters
from duramen.decode.labels import LABEL_BYTES, encoding_of, stated_encodings, utf8_known_from
from duramen.decode.utf8 import share_of_faults
from duramen.page import BoolArray

SAMPLE_BYTES = 1 << 16  # of the bytes around non-ASCII ones: what labels are judged on …
DETECT_BYTES = 1 << 13  # … and what the detector sees: it reads 6 MB/s and is sure after 3 KB
LABEL_FAULTS = 0.01  # of the non-ASCII characters: a label may be this wrong before others are tried
DETECTED_FAULTS = 0.1  # the same for what the detector says: one lost byte spoils a line of GBK
UTF8_FAULTS = 0.4  # damaged UTF-8 is still UTF-8: no other encoding read as UTF-8 had less than 58 % in 3,900 texts
FEW_BYTES = 4  # fewer non-ASCII bytes say nothing of a Latin alphabet: a £ would become a Ł
RUN_BYTES = 16  # fewer non-ASCII bytes say nothing of runs
RUN_SHARE = 0.6  # of the non-ASCII bytes that follow another: a script of its own
VOTES = 16  # pieces that vote where one damaged character misled the detector

_HIGH_BITS = np.uint64(0x8080808080808080)
# Encodings of languages in Latin letters: their non-ASCII bytes stand alone, between ASCII letters.
_LATIN = frozenset(
    (
        "macintosh",
        *(f"windows-{page}" for page in (1250, 1252, 1254, 1257, 1258)),
        *(f"iso-8859-{part}" for part in (2, 3, 4, 10, 13, 14, 15, 16)),
    )
)
_ASCII_BREAK = re.compile(rb"[\x00-\x2f\x3a-\x3f]+")  # bytes that are no part of any multi-byte character


def choose_encoding(data: bytes, stated: str | None) -> tuple[str, How]:
    """The encoding of bytes that are not valid UTF-8: the first that fits, else the one with the fewest faults."""
    sample = _around_high_bytes(data)
    if _faults(sample, "utf-8") <= UTF8_FAULTS:
        return "utf-8", utf8_known_from(data, stated, LABEL_BYTES)
    tried: list[tuple[float, str, How]] = []
    for name, how in _candidates(data, stated, sample):
        faults = _faults(sample, name)
        if faults <= (DETECTED_FAULTS if how == "detected" else LABEL_FAULTS):
            return name, how
        tried.append((faults, name, how))
    _, name, how = min(tried, key=lambda entry: entry[0])
    return name, how


def _candidates(data: bytes, stated: str | None, sample: bytes) -> Iterator[tuple[str, How]]:
    yield from stated_encodings(data, stated, LABEL_BYTES)
    yield _detect(sample[:DETECT_BYTES]), "detected"
    if _in_runs(sample):
        yield "gb18030", "detected"


def _around_high_bytes(data: bytes) -> bytes:
    """The 8-byte words that hold non-ASCII bytes, and the words before and after them, at most `SAMPLE_BYTES`.

    A word between keeps apart what is apart in `data`, so no new multi-byte character can form.
    """
    whole = len(data) // 8
    words = np.frombuffer(data, dtype=np.uint64, count=whole)
    near = (words & _HIGH_BITS).astype(np.bool_)
    near[1:] |= near[:-1]
    near[:-1] |= near[1:]
    sample: bytes = words[near][: SAMPLE_BYTES // 8].tobytes() + data[whole * 8 :]
    return sample


def _faults(sample: bytes, encoding: str) -> float:
    """Share of the non-ASCII characters that should not be there, were this the encoding."""
    if encoding in _LATIN and _in_runs(sample):
        return 1.0
    return share_of_faults(sample if encoding == "utf-8" else characters(sample, encoding).encode())


def _in_runs(sample: bytes) -> bool:
    """Most non-ASCII bytes follow each other: text in letters of another script, not accents among ASCII letters."""
    high = _high(sample)
    total = int(high.sum())
    return total >= RUN_BYTES and int((high[1:] & high[:-1]).sum()) > RUN_SHARE * total


def _high(sample: bytes) -> BoolArray:
    """Which bytes are not ASCII."""
    high: BoolArray = np.frombuffer(sample, dtype=np.uint8) > 0x7F
    return high


def _detect(sample: bytes) -> str:
    """What the bytes look like.

    The detector drops a multi-byte encoding at its first impossible character, and then takes damaged Chinese for
    Latin letters. So where it says Latin and the bytes say otherwise, pieces of the sample vote.
    """
    guess = _guess(sample)
    if guess not in _LATIN:
        return guess
    if not _in_runs(sample):
        return "windows-1252" if int(_high(sample).sum()) < FEW_BYTES else guess
    votes: Counter[str] = Counter()
    words = _ASCII_BREAK.split(sample)
    size = max(1, -(-len(words) // VOTES))
    for at in range(0, len(words), size):
        piece = b" ".join(words[at : at + size])
        name = _guess(piece)
        if name not in _LATIN:
            votes[name] += len(piece)
    return votes.most_common(1)[0][0] if votes else guess


def _guess(sample: bytes) -> str:
    detector = EncodingDetector()
    detector.feed(sample, last=True)
    return encoding_of(detector.guess(tld=None, allow_utf8=False)) or "windows-1252"
