"""Parquet files of one schema → one file: their row groups are copied as they stand, and the footer says where to.

Nothing is unpacked, so this takes as long as copying; pyarrow could only read all rows and write them anew. What comes
out is what one writer would have written, byte for byte. A footer is a tree in Thrift's compact protocol; only places
in the file, numbers of rows and the order of the groups are changed in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

MAGIC = b"PAR1"
TAIL_BYTES = 8  # length of the footer, and the magic once more

# Kinds of values in Thrift's compact protocol.
TRUE, FALSE, BYTE, INT16, INT32, INT64, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12
_INTEGERS = (INT16, INT32, INT64)

# Fields of Parquet's footer: of the file …
ROWS, GROUPS = 3, 4
# … of a row group …
CHUNKS, GROUP_PLACE, ORDINAL = 1, 5, 7
MOST_ORDINALS = 1 << 15  # that the field can hold: groups behind them have none
# … of the part of a column in it, and of what is known about that part.
CHUNK_PLACES, ABOUT = (2, 4, 6), 3
ABOUT_PLACES = (9, 10, 11, 14)  # of data, index and dictionary pages, and of a filter

Struct = dict[int, tuple[int, Any]]  # kind and value by the number of the field


def join_files(parts: Iterable[bytes], file: BinaryIO) -> bool:
    """Write the row groups of all parts to an empty file; False where there is no part, and so nothing to write."""
    footer: Struct | None = None
    groups: list[bytes] = []
    at, rows = len(MAGIC), 0
    for data in parts:
        end = len(data) - TAIL_BYTES - int.from_bytes(data[-TAIL_BYTES : -len(MAGIC)], "little")
        if data[: len(MAGIC)] != MAGIC or data[-len(MAGIC) :] != MAGIC or end < len(MAGIC):
            raise ValueError(f"a part of {len(data):,} bytes is no Parquet file")
        facts = Reader(data, end).struct()
        if footer is None:
            footer = facts
            file.write(MAGIC)
        for group in facts[GROUPS][1][1]:
            _move(group, at - len(MAGIC), len(groups))
            groups.append(written(STRUCT, group))
        file.write(memoryview(data)[len(MAGIC) : end])
        at += end - len(MAGIC)
        rows += facts[ROWS][1]
    if footer is None:
        return False
    last = written(STRUCT, footer | {ROWS: (INT64, rows), GROUPS: (LIST, (STRUCT, groups))})
    file.write(last + len(last).to_bytes(4, "little") + MAGIC)
    return True


def _move(group: Struct, by: int, number: int) -> None:
    """Add to every place in the file that a row group names; a group that has a number gets its new one."""
    _add(group, (GROUP_PLACE,), by)
    if group.pop(ORDINAL, None) and number < MOST_ORDINALS:
        group[ORDINAL] = INT16, number
    for chunk in group[CHUNKS][1][1]:
        _add(chunk, CHUNK_PLACES, by)
        _add(chunk[ABOUT][1], ABOUT_PLACES, by)


def _add(fields: Struct, places: Iterable[int], by: int) -> None:
    for number in places:
        if fields.get(number, (0, 0))[1] > 0:  # 0 is no place: the file's own magic stands there
            kind, place = fields[number]
            fields[number] = kind, place + by


class Reader:
    """Reads values of Thrift's compact protocol, from a place in some bytes on."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self._at = at

    def struct(self) -> Struct:
        """The fields of a struct, by number, in the order in which they stand."""
        fields: Struct = {}
        number = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else self._integer()
            fields[number] = kind, kind == TRUE if kind in (TRUE, FALSE) else self.value(kind)
        return fields

    def value(self, kind: int) -> Any:
        """A value: an integer, bytes, fields, or the kind and the values of a list."""
        if kind in _INTEGERS:
            return self._integer()
        if kind == STRUCT:
            return self.struct()
        if kind == BINARY:
            return self._bytes(self._unsigned())
        if kind == DOUBLE:
            return self._bytes(8)
        if kind in (BYTE, TRUE, FALSE):
            return self._byte()
        if kind not in (LIST, SET):
            raise ValueError(f"a value of kind {kind} has no place in a Parquet footer")
        head = self._byte()
        count, inner = head >> 4, head & 15
        return inner, [self.value(inner) for _ in range(self._unsigned() if count == 15 else count)]

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    def _unsigned(self) -> int:
        number = shift = 0
        while (byte := self._byte()) & 0x80:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def _integer(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)


def written(kind: int, value: Any) -> bytes:
    """A value as `Reader.value` reads it; what is bytes in place of fields was written before."""
    if kind in _INTEGERS:
        return _integer(value)
    if kind == BINARY:
        return _unsigned(len(value)) + bytes(value)
    if kind == STRUCT:
        return value if isinstance(value, bytes) else b"".join(_fields(value)) + b"\0"
    if kind == DOUBLE:
        return bytes(value)
    if kind in (BYTE, TRUE, FALSE):
        return bytes((value,))
    inner, values = value
    few = len(values) < 15  # then their number stands in the first byte
    head = bytes(((len(values) if few else 15) << 4 | inner,)) + (b"" if few else _unsigned(len(values)))
    return head + b"".join(written(inner, each) for each in values)


def _fields(struct: Struct) -> Iterable[bytes]:
    before = 0
    for number, (kind, value) in sorted(struct.items()):
        step = number - before
        yield bytes((step << 4 | kind,)) if step < 16 else bytes((kind,)) + _integer(number)
        if kind not in (TRUE, FALSE):  # said by the kind itself
            yield written(kind, value)
        before = number


def _unsigned(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _integer(number: int) -> bytes:
    return _unsigned(number << 1 ^ number >> 63)
