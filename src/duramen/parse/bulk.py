"""Work on whole runs of bytes, for the uncompiled kernel; `bulk.pxd` holds the same in terms of libc.

The compiled versions check their range once and then read or write it freely: they are the only places of the kernel
without a bounds check on every access.
"""

from __future__ import annotations

import re

from duramen.parse.references import name_hash

PACKED = 7  # bytes of a name that fit a number
CHUNK = 16384  # bytes that ascii_counts looks at in one call: each of its four figures fits 15 bits

_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_SPACES = bytes((*range(0x09, 0x0E), *range(0x1C, 0x21)))
_BLANKS = bytes(0x20 if byte in _SPACES else byte for byte in range(256))


def find(page: bytes | bytearray, byte: int, start: int, stop: int) -> int:
    """Where `byte` stands first in page[start:stop]; `stop` if it does not."""
    at = page.find(byte, start, stop)
    return stop if at < 0 else at


def copy(target: bytearray, at: int, source: bytes | bytearray, start: int, stop: int) -> int:
    """Write source[start:stop] at target[at:] and return the end of it there."""
    if stop > start:
        target[at : at + stop - start] = source[start:stop]
    return at + stop - start


def copy_lines(target: bytearray, at: int, source: bytes | bytearray, start: int, stop: int) -> int:
    """The same, with every end of line as a line feed."""
    lines = source[start:stop].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    target[at : at + len(lines)] = lines
    return at + len(lines)


def skip(page: bytes | bytearray, start: int, stop: int, kinds: bytes, kind: int) -> int:
    """Where the bytes of that kind that page[start:stop] begins with end."""
    while start < stop and kinds[page[start]] & kind:
        start += 1
    return start


def pack_name(page: bytes | bytearray, start: int, stop: int, lowered: bytes) -> int:
    """The name that page[start:stop] begins with as a number: its letters and, in the lowest 3 bits, its length.

    `lowered` holds the lower case of every byte, or 0 where the byte ends a name. 0 stands for names of more than
    PACKED bytes.
    """
    packed, at = 0, start
    while at < stop and lowered[page[at]]:
        if at - start == PACKED:
            return 0
        packed = packed << 8 | lowered[page[at]]
        at += 1
    return packed << 3 | at - start


def read_name(page: bytes | bytearray, start: int, stop: int, lowered: bytes, target: bytearray, at: int) -> int:
    """Write the name that page[start:stop] begins with to target[at:], in lower case.

    Its first byte belongs to it in any case. Returns its hash << 30 | its length.
    """
    if start >= stop:
        return 0
    end = start + 1
    while end < stop and lowered[page[end]]:
        end += 1
    name = page[start:end].lower()
    target[at : at + len(name)] = name
    return name_hash(name) << 30 | len(name)


def same(one: bytes | bytearray, at: int, other: bytes | bytearray, start: int, length: int) -> bool:
    """Whether one[at:] and other[start:] agree for `length` bytes."""
    return one[at : at + length] == other[start : start + length]


def ascii_counts(text: bytearray, start: int, stop: int, after_space: int, _steps: object) -> int:
    """Figures of the ASCII bytes that text[start:stop] begins with, at most CHUNK of them.

    Their number, those that are no white space, those of them that follow white space, and periods and commas, packed
    as four times 15 bits from the lowest on. `after_space` says what stands before the first byte.
    """
    piece = bytes(text[start : min(stop, start + CHUNK)])
    if not piece.isascii():
        found = _NOT_ASCII.search(piece)
        assert found is not None
        piece = piece[: found.start()]
    blanked = piece.translate(_BLANKS)
    words = blanked.split()
    starts = len(words) - (1 if words and not after_space and blanked[0] != 0x20 else 0)
    stops = piece.count(b".") + piece.count(b",")
    return len(piece) | sum(map(len, words)) << 15 | starts << 30 | stops << 45


def ascii_steps() -> list[int]:
    """What one byte adds to the figures of ascii_counts: entry byte, or 128 + byte where white space stands before.

    Entry 256 + byte is 128 for white space, so that it leads to the entry for the byte that follows.
    """
    steps = []
    for after_space in (0, 1):
        for byte in range(128):
            solid = byte not in _SPACES
            steps.append(1 | solid << 15 | (solid and after_space) << 30 | (byte in b".,") << 45)
    return steps + [128 if byte in _SPACES else 0 for byte in range(128)]


def is_utf8(page: bytes | bytearray, size: int) -> bool:
    """Whether page[:size] is valid UTF-8."""
    try:
        page[:size].decode()
    except UnicodeDecodeError:
        return False
    return True
