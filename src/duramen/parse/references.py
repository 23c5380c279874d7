"""Named character references as hash tables of bytes, made from Python's own copy of the standard's list."""

from __future__ import annotations

from functools import cache
from html.entities import html5
from typing import NamedTuple

SLOTS = 8192  # a power of two, about four times the number of names
LONGEST_LEGACY = max(len(name) for name in html5 if not name.endswith(";"))

# What numeric references to the C1 control characters mean: windows-1252.
C1_CONTROLS: dict[int, int] = {
    0x80 + index: ord(character)
    for index, character in enumerate(bytes(range(0x80, 0xA0)).decode("cp1252", "replace"))
    if character != "\ufffd"
}


class References(NamedTuple):
    """Entry k has the name names[name_at[k] : name_at[k+1]] and the text values[value_at[k] : value_at[k+1]]."""

    slots: list[int]  # by hash: entry + 1, or 0; collisions go to the next slot
    hashes: list[int]
    name_at: list[int]
    names: bytes
    value_at: list[int]
    values: bytes


def reference_hash(name: bytes | bytearray) -> int:
    """The hash of a reference's name, as `Decoding.find_reference` computes it."""
    value = 0
    for byte in name:
        value = (value * 31 + byte) & 0x7FFFFFFF
    return value


@cache
def references() -> References:
    """The table of all named references, with and without a semicolon."""
    slots, hashes, name_at, value_at = [0] * SLOTS, [], [0], [0]
    names, values = bytearray(), bytearray()
    for entry, (name, value) in enumerate(html5.items()):
        key = reference_hash(name.encode())
        hashes.append(key)
        names += name.encode()
        values += value.encode()
        name_at.append(len(names))
        value_at.append(len(values))
        slot = key & (SLOTS - 1)
        while slots[slot]:
            slot = (slot + 1) & (SLOTS - 1)
        slots[slot] = entry + 1
    return References(slots, hashes, name_at, bytes(names), value_at, bytes(values))
