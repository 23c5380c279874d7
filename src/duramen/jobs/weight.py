"""How much there is to do, for the time that is left."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from duramen.jobs.inputs import Input, Kind
from duramen.jobs.shards import PAGE_WEIGHT


def total_weight(inputs: Iterable[Input]) -> int:
    """What the shards of all inputs weigh together: bytes of archives, and pages at a flat rate."""
    return sum(_weight(one.name, one.kind) for one in inputs)


def _weight(name: str, kind: Kind) -> int:
    if kind in (Kind.PAGE, Kind.URL):
        return PAGE_WEIGHT
    try:
        return Path(name).stat().st_size
    except OSError:
        return PAGE_WEIGHT
