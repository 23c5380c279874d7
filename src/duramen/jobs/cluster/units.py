"""Inputs cut into units: what one task of a cluster does, and what is done again when it fails.

A unit is a WARC file, or a byte range of it where it is large; another archive; or some hundred pages. Each has one or
more of the local engine's shards, so that the bytes are the same in the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from math import ceil

from duramen.jobs.cluster.places import Place, is_address, shown
from duramen.jobs.inputs import Input, Kind
from duramen.jobs.shards import PAGES, PLAIN_BYTES, URLS, WARC_BYTES, Cut

UNIT_BYTES = 2 << 30  # Common Crawl's files have about 1 GB: one unit each
UNIT_SHARDS = 8  # of pages
_RANGED = (Kind.WARC, Kind.LINES)


@dataclass(frozen=True, slots=True)
class Unit:
    """The shards `first` .. `first + count - 1` of some inputs; all from `first` on where `count` is None."""

    number: int
    inputs: tuple[Input, ...]
    first: int = 0
    count: int | None = None
    mark: str = ""  # changes when the input does
    expected: int | None = None  # where the range before met the first record, once that is known …
    exact: bool = False  # … and whether it is

    def identity(self) -> str:
        """What the unit holds, as its marker knows it."""
        plain = asdict(replace(self, expected=None, exact=False))
        return hashlib.sha256(repr(plain).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def units(inputs: Iterable[Input], cut: Cut, unit_bytes: int = UNIT_BYTES) -> list[Unit]:
    """The units of the inputs, in order."""
    found: list[Unit] = []
    for kind, group in groupby(inputs, key=lambda one: one.kind):
        for unit in _pages(list(group), kind) if kind in (Kind.PAGE, Kind.URL) else _archives(group, cut, unit_bytes):
            found.append(replace(unit, number=len(found)))
    return found


def _pages(inputs: list[Input], kind: Kind) -> Iterator[Unit]:
    size = (URLS if kind is Kind.URL else PAGES) * UNIT_SHARDS
    for start in range(0, len(inputs), size):
        yield Unit(0, tuple(inputs[start : start + size]))


def _archives(inputs: Iterable[Input], cut: Cut, unit_bytes: int) -> Iterator[Unit]:
    for one in inputs:
        size, mark = _facts(one.name)
        whole = Unit(0, (one,), mark=mark)
        packed = shown(one.name).lower().endswith(".gz")
        shard = cut.part_bytes or (WARC_BYTES if packed else PLAIN_BYTES)
        count = max(1, unit_bytes // shard)
        pieces = ceil(size / (count * shard))
        if one.kind not in _RANGED or pieces <= 1:
            yield whole
            continue
        for piece in range(pieces):
            yield replace(whole, first=piece * count, count=count if piece + 1 < pieces else None)


def _facts(name: str) -> tuple[int, str]:
    """Size of an archive, and a mark that changes when it does."""
    place = Place.of(name)
    found = place.files.get_file_info(place.path)
    size = int(found.size or 0)
    return size, f"{size}-{found.mtime_ns}" if not is_address(name) or found.mtime_ns else str(size)
