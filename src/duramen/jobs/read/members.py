"""Where records begin in a WARC file, found without reading it from the start: gzip members, or plain headers.

This is the careful reading for edges and damage: slow but exact. What is whole is read by FastWARC.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_GZIP = b"\x1f\x8b\x08"
_PLAIN = re.compile(rb"(?:\A|\n)(WARC/\d\.\d{1,2}\r?\n)")
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_WINDOW = 1 << 20
_HEAD = 1 << 16  # the longest header of a record
_TASTE = 4096  # compressed bytes that show whether a member holds a record


@dataclass(frozen=True, slots=True)
class Member:
    """A stretch of the file that holds a record, or should."""

    offset: int
    end: int
    whole: bool


def is_gzip(file: BinaryIO) -> bool:
    """Whether the file is compressed."""
    file.seek(0)
    return file.read(2) == _GZIP[:2]


def find_start(file: BinaryIO, at: int, stop: int, *, gzip: bool) -> int | None:
    """The first place from `at` on, before `stop`, that looks like the start of a record."""
    while at < stop:
        # A few bytes more than the window: a mark may lie across its end; one before it: a line's end.
        file.seek(max(at - 1, 0))
        behind = at - max(at - 1, 0)
        window = file.read(_WINDOW + 16)
        if len(window) <= behind:
            return None
        for place in _candidates(window, behind, gzip):
            offset = at - behind + place
            if offset >= stop or place >= _WINDOW + behind:
                break
            if not gzip or _holds_record(file, offset):
                return offset
        at += _WINDOW
    return None


def _candidates(window: bytes, start: int, gzip: bool) -> Iterator[int]:
    if not gzip:
        yield from (found.start(1) for found in _PLAIN.finditer(window) if found.start(1) >= start)
        return
    place = window.find(_GZIP, start)
    while place >= 0:
        yield place
        place = window.find(_GZIP, place + 1)


def _holds_record(file: BinaryIO, offset: int) -> bool:
    file.seek(offset)
    try:
        return zlib.decompressobj(31).decompress(file.read(_TASTE), 5) == b"WARC/"
    except zlib.error:
        return False


def members(file: BinaryIO, at: int, *, gzip: bool) -> Iterator[Member]:
    """The members from `at` on, one after the other, up to the first that is not whole or the end of the file."""
    step = _gzip_member if gzip else _plain_record
    while True:
        member = step(file, at)
        if member is None:
            return
        yield member
        if not member.whole:
            return
        at = member.end


def _gzip_member(file: BinaryIO, at: int) -> Member | None:
    file.seek(at)
    inflate = zlib.decompressobj(31)
    start = b""
    read = 0
    while not inflate.eof:
        piece = file.read(1 << 16)
        if not piece:
            return Member(at, at + read, whole=False) if read else None
        read += len(piece)
        try:
            while piece and not inflate.eof:
                plain = inflate.decompress(piece, 1 << 20)
                start = start or plain[:5]
                piece = inflate.unconsumed_tail
        except zlib.error:
            return Member(at, at + 1, whole=False)
    return Member(at, at + read - len(inflate.unused_data), whole=start == b"WARC/")


def _plain_record(file: BinaryIO, at: int) -> Member | None:
    file.seek(at)
    head = file.read(_HEAD)
    if not head.strip():
        return None
    space = len(head) - len(head.lstrip(b"\r\n"))
    blank = re.search(rb"\r?\n\r?\n", head[space:])
    length = _LENGTH.search(head, space, space + blank.start() + 1) if blank else None
    if blank is None or length is None or not head.startswith(b"WARC/", space):
        return Member(at + space, at + space + 1, whole=False)
    end = at + space + blank.end() + int(length[1])
    file.seek(0, 2)
    return Member(at + space, end, whole=end <= file.tell())
