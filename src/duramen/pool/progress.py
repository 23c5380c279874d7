"""Which document a worker is at, and since when: sixteen bytes that both sides see."""

from __future__ import annotations

import mmap
import struct
import time
from math import inf

SIZE = 16
_BEGUN = struct.Struct("<d")
_INDEX = struct.Struct("<q")


class Mark:
    """The worker writes it, the pool reads it; the clock is the system's monotonic one, the same for both."""

    def __init__(self, descriptor: int) -> None:
        self._bytes = mmap.mmap(descriptor, SIZE)

    def begin(self, index: int) -> None:
        """A document begins."""
        # Time first: whoever reads in between sees the old document with a fresh time, never a false timeout.
        _BEGUN.pack_into(self._bytes, 0, time.monotonic())
        _INDEX.pack_into(self._bytes, 8, index)

    def rest(self) -> None:
        """No document is under way."""
        _BEGUN.pack_into(self._bytes, 0, inf)
        _INDEX.pack_into(self._bytes, 8, -1)

    def begun(self) -> float:
        """When the present document began; infinity where there is none."""
        time: float = _BEGUN.unpack_from(self._bytes, 0)[0]
        return time

    def index(self) -> int:
        """The present document; -1 where there is none."""
        index: int = _INDEX.unpack_from(self._bytes, 8)[0]
        return index

    def close(self) -> None:
        """Give the memory back."""
        self._bytes.close()
