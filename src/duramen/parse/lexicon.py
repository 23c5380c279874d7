"""Names as small integers: the elements and attributes that the kernel knows, and those that a page brings along."""

from __future__ import annotations

from typing import Any

import numpy as np

from duramen.parse.bulk import name_hash, packed_name
from duramen.parse.layout import STATIC_NAMES
from duramen.tags import TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.parse.bulk import PACKED, copy, cut, same

    NAME_SLOTS = 16384
    NAME_LIMIT = 5120
    PROBE_LIMIT = 64
    PACKED_SLOTS = 1024


def _padded(length: int) -> int:
    """A length that does not let the arrays of a store fall on the same lines of the processor's cache."""
    return (length + 1023) // 1024 * 1024 + 112


def new_ints(fields: int, length: int) -> Any:
    """`fields` arrays of integers: rows of one NumPy array, or lists, which uncompiled code reads faster."""
    if cython.compiled:
        return np.zeros((fields, _padded(length)), dtype=np.int32)
    return [[0] * length for _ in range(fields)]


def longer(store: Any, length: int) -> Any:
    """The same arrays with room for `length` entries each."""
    if cython.compiled:
        enlarged = np.zeros((len(store), _padded(length)), dtype=np.int32)
        enlarged[:, : store.shape[1]] = store
        return enlarged
    for field in store:
        field.extend([0] * (length - len(field)))
    return store


def table(values: list[int]) -> Any:
    """A constant table of integers."""
    return np.array(values, dtype=np.int32) if cython.compiled else values


class Lexicon:
    """Name k is name_bytes[name_at[k] : name_at[k+1]]; a hash table finds it."""

    def __init__(self) -> None:
        self.name_slot, self.slots_taken = new_ints(2, NAME_SLOTS)
        self.name_hash, self.name_at = new_ints(2, NAME_LIMIT + 1)
        self.name_bytes = bytearray(65536)
        self.name_count = 0
        for name in STATIC_NAMES:
            data = name.encode()
            self.add_name(data, 0, len(data), name_hash(data))
        self.static_names = self.name_count
        self.packed_names = np.zeros(PACKED_SLOTS, dtype=np.int64) if cython.compiled else [0] * PACKED_SLOTS
        self.packed_ids = table([0] * PACKED_SLOTS)
        self.packed_of = np.zeros(NAME_LIMIT, dtype=np.int64) if cython.compiled else [0] * NAME_LIMIT
        for number, name in enumerate(STATIC_NAMES):
            if 0 < number < len(TAG_NAMES) and len(name) <= PACKED:
                packed = packed_name(name.encode())
                slot = self.packed_slot(packed)
                while self.packed_names[slot]:
                    slot = (slot + 1) & (PACKED_SLOTS - 1)
                self.packed_names[slot] = packed
                self.packed_ids[slot] = number
                self.packed_of[number] = packed

    def packed_slot(self, packed: int) -> int:
        """Where the search for a packed name begins."""
        return (((packed & 0x3FFFFFFF) ^ (packed >> 29)) * 40503 >> 9) & (PACKED_SLOTS - 1)

    @cython.boundscheck(False)  # slots are below PACKED_SLOTS
    def lookup_packed(self, packed: int) -> int:
        """The id of a known tag's packed name; 0 if it is none."""
        slot = self.packed_slot(packed)
        while self.packed_names[slot] != packed:
            if self.packed_names[slot] == 0:
                return 0
            slot = (slot + 1) & (PACKED_SLOTS - 1)
        return self.packed_ids[slot]

    def forget_names(self) -> None:
        """Forget the names of the last page."""
        for k in range(self.static_names, self.name_count):
            self.name_slot[self.slots_taken[k]] = 0
        self.name_count = self.static_names

    def name(self, number: int) -> str:
        """A name as text."""
        return cut(self.name_bytes, self.name_at[number], self.name_at[number + 1]).decode("utf-8", "replace")

    def lookup(self, source: Any, start: int, length: int, key: int) -> int:
        """The id of the name source[start : start+length] with the hash `key`; 0 if there is none."""
        slot = key & (NAME_SLOTS - 1)
        for _ in range(PROBE_LIMIT + 1):
            found = self.name_slot[slot]
            if found == 0:
                return 0
            found -= 1
            if self.name_hash[found] == key:
                at = self.name_at[found]
                if self.name_at[found + 1] - at == length and same(source, start, self.name_bytes, at, length):
                    return found
            slot = (slot + 1) & (NAME_SLOTS - 1)
        return 0

    def add_name(self, source: Any, start: int, length: int, key: int) -> int:
        """Give a new name an id; 0 if there are too many, or too many alike."""
        number = self.name_count
        if number == NAME_LIMIT:
            return 0
        slot, probes = key & (NAME_SLOTS - 1), 0
        while self.name_slot[slot]:
            slot = (slot + 1) & (NAME_SLOTS - 1)
            probes += 1
            if probes > PROBE_LIMIT:
                return 0
        at = self.name_at[number]
        if at + length > len(self.name_bytes):
            self.grow_names(at + length)
        copy(self.name_bytes, at, source, start, start + length)
        self.name_at[number + 1] = at + length
        self.name_hash[number] = key
        self.name_slot[slot] = number + 1
        self.slots_taken[number] = slot
        self.name_count = number + 1
        return number

    def grow_names(self, size: int) -> int:
        """Room for `size` bytes of names."""
        with cython.gil:
            enlarged = bytearray(2 * size)
            enlarged[: len(self.name_bytes)] = memoryview(self.name_bytes)
            self.name_bytes = enlarged
        return 0
