"""What reading a piece of an archive showed about its edges."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Edges:
    """Where a byte range's own records begin, and where the next range's do.

    Ranges are read by different workers, each of which has to find the first record in its range by itself. It has
    found the right one when it is where the range before it met it.
    """

    first: int | None = None  # of the first record in the range; None where it has none
    next: int | None = None  # of the first record behind the range; None at the end of the file
    known: bool = True  # False: nothing in the range looks like the start of a record
    damaged: int = 0  # places that could not be read
