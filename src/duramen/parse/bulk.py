"""Work on whole runs of bytes, for the uncompiled kernel; `bulk.pxd` and `bulk.h` hold the same in C.

The compiled versions check their range once and then read or write it freely: they are the only places of the kernel
without a bounds check on every access.
"""

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import Any

import numpy as np

from duramen.page import FlagArray, IntArray

PACKED = 7  # bytes of a name that fit a number
CHUNK = 16384  # bytes that ascii_counts looks at in one call: each of its four figures fits 15 bits
NOT_UTF8, HAS_NUL, HAS_RETURN = -1, 1, 2  # what `check` says of a page

_WORD = (1 << 64) - 1
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


def cut(buffer: bytes | bytearray, start: int, stop: int) -> bytes:
    """The bytes buffer[start:stop]."""
    return bytes(buffer[start:stop])


def cut_ints(rows: Any, exact: int, count: int, attributes: Any, number: int, raw: Any, raws: int) -> bytes:
    """The beginnings of all arrays of a page, joined, as bytes.

    Of the arrays of `rows` the first `exact` have `count` numbers, the others one more; then come where the names of so
    many attributes begin, and where the last ends, and their values; then the arrays of raw text.
    """
    fields = [*((field, count) for field in rows[:exact]), *((field, count + 1) for field in rows[exact:])]
    fields += [(attributes[0], number + 1), (attributes[1], number), *((field, raws) for field in raw)]
    return b"".join(array("i", field[:length]).tobytes() for field, length in fields)


def not_below(number: Any, row: int, rows: int, limit: int) -> int:
    """The next row from `row` on whose number is not below a limit; `rows` where there is none."""
    return next((at for at in range(row, rows) if number[at] >= limit), rows)


def marked(flags: bytearray, row: int, rows: int, mark: int) -> int:
    """The next row from `row` on that has a mark; `rows` where there is none."""
    return next((at for at in range(row, rows) if flags[at] & mark), rows)


def ready_arrays() -> None:
    """What the compiled form does before it makes its first array."""


def int_array(store: bytes, start: int, length: int) -> IntArray:
    """So many of the numbers that `cut_ints` joined, from the one `start` on."""
    return np.frombuffer(store, np.int32, length, 4 * start)


def byte_array(store: bytes) -> FlagArray:
    """Bytes as an array."""
    return np.frombuffer(store, np.uint8)


def put(target: object, name: str, value: object) -> None:
    """Set a field of a new object of a frozen class."""
    object.__setattr__(target, name, value)


def copy_until(
    target: bytearray, at: int, source: bytes | bytearray, start: int, stop: int, one: int, two: int, three: int
) -> int:
    """The same up to the first of three bytes, if it is there; returns how many bytes were copied."""
    found = _one_of(one, two, three).search(source, start, stop)
    end = stop if found is None else found.start()
    copy(target, at, source, start, end)
    return end - start


@cache
def _one_of(*wanted: int) -> re.Pattern[bytes]:
    return re.compile(b"[" + re.escape(bytes(wanted)) + b"]")


def copy_lines(target: bytearray, at: int, source: bytes | bytearray, start: int, stop: int) -> int:
    """The same as `copy`, with every end of line as a line feed."""
    lines = source[start:stop].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    target[at : at + len(lines)] = lines
    return at + len(lines)


def skip(page: bytes | bytearray, start: int, stop: int, kinds: bytes, kind: int) -> int:
    """Where the bytes of that kind that page[start:stop] begins with end."""
    while start < stop and kinds[page[start]] & kind:
        start += 1
    return start


def pack_name(page: bytes | bytearray, start: int, stop: int, letters: bytes) -> int:
    """The name that page[start:stop] begins with as a number: its letters and, in the lowest 3 bits, its length.

    `letters` holds the lower case of every byte, or 0 where the byte ends a name. 0 stands for names of more than
    PACKED bytes.
    """
    end = start
    while end < stop and letters[page[end]]:
        if end - start == PACKED:
            return 0
        end += 1
    return packed_name(page[start:end].lower())


def packed_name(name: bytes | bytearray) -> int:
    """A short name in lower case as a number."""
    return int.from_bytes(name, "little") << 3 | len(name)


def ends_name(page: bytes | bytearray, start: int, _stop: int, packed: int) -> bool:
    """Whether page[start:] reads a packed name, which is not 0, and >."""
    length = packed & 7
    return packed != 0 and page[start : start + length + 1] == (packed >> 3).to_bytes(length, "little") + b">"


def read_name(
    page: bytes | bytearray, start: int, stop: int, letters: bytes, target: bytearray, at: int, _of_attribute: int
) -> int:
    """Write the name that page[start:stop] begins with to target[at:], in lower case.

    Its first byte belongs to it in any case. Returns its hash << 30 | its length.
    """
    if start >= stop:
        return 0
    end = start + 1
    while end < stop and letters[page[end]]:
        end += 1
    name = page[start:end].lower()
    target[at : at + len(name)] = name
    return name_hash(name) << 30 | len(name)


def read_plain(*_: Any) -> int:
    """What the compiled form reads of several plain attributes at once: nothing.

    That would be where they end << 18 | which of them have a wanted hash, as 12 bits, << 6 | their number.

    The uncompiled form leaves them all to `Tokens.read_attribute`.
    """
    return 0


def read_short(*_: Any) -> int:
    """The same for a text of at most 63 bytes: its bytes and counts as `ascii_counts` has them, and how it ends."""
    return 0


def frequent_reference(*_: Any) -> int:
    """The same for a frequent reference: the code point << 8 | its length."""
    return 0


def name_hash(name: bytes | bytearray) -> int:
    """The hash of a name: 31 bits, all of them from all of its bytes."""
    value = 0
    for at in range(0, len(name), 16):
        value = ((value ^ int.from_bytes(name[at : at + 8], "little")) * 0x9E3779B97F4A7C15) & _WORD
        value ^= value >> 32 ^ int.from_bytes(name[at + 8 : at + 16], "little")
        value = (value * 0x9E3779B97F4A7C15) & _WORD
        value ^= value >> 29
    return ((value * 0xD6E8FEB86659FD93) & _WORD) >> 33


def same(one: bytes | bytearray, at: int, other: bytes | bytearray, start: int, length: int) -> bool:
    """Whether one[at:] and other[start:] agree for `length` bytes."""
    return one[at : at + length] == other[start : start + length]


def ascii_counts(text: bytearray, start: int, stop: int, after_space: int) -> int:
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


def check(page: bytes | bytearray) -> int:
    """NOT_UTF8 where a page is not, else HAS_NUL and HAS_RETURN for such bytes in it."""
    try:
        page.decode()
    except UnicodeDecodeError:
        return NOT_UTF8
    return (HAS_NUL if 0 in page else 0) | (HAS_RETURN if 0x0D in page else 0)
