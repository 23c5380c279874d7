"""Pages that a server sends in pieces, as React does: what took it longer comes at the end, in hidden elements.

A browser shows what stands in for a piece until a short script puts the piece in its place. Here that is done without
the script, so that no reader loses a page's text, or finds it below the footer:

    <!--$?--><template id="B:1"></template>Loading …<!--/$-->   …   <div hidden id="S:1"> a piece </div>
    <template id="P:2"></template>                              …   <div hidden id="S:2"> a piece </div>

A piece takes the place of a `B` and what stands in for it, or of a `P`. Pieces may have places for others. Where there
are scripts, but none of React's, pieces stay hidden: nobody would show them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from duramen.page import Page
from duramen.tags import TAG_IDS

_TEMPLATE, _SCRIPT = TAG_IDS["template"], TAG_IDS["script"]
_MOVES = re.compile(rb"\$R[CS]\b")  # the functions that put a piece in the place of a `B` and a `P`
_PLACE = re.compile(rb'<template id="([^"<>]{0,40})([BP]):([0-9a-f]{1,8})"></template>')
_PIECE = re.compile(rb'<div hidden(?:="")? id="([^"<>]{0,40})S:([0-9a-f]{1,8})">')
# What opens and closes a `div`, and what may only speak of one, with its end.
_TAG = re.compile(rb"<!--|<script[\s>]|<style[\s>]|<div[\s>]|</div[\s>]", re.IGNORECASE)
_PASSED = {
    start: re.compile(end, re.IGNORECASE)
    for start, end in ((b"<!--", b"-->"), (b"<scrip", b"</script"), (b"<style", b"</style"))
}
_BOUNDARY = re.compile(rb"<!--(?:\$[?!~]?|(/\$))-->")

_Span = tuple[int, int]
_Name = tuple[bytes, bytes]


class _Piece(NamedTuple):
    whole: _Span  # with its element
    held: _Span  # what is in it


def put_in_place(page: Page, utf8: bytes) -> bytes | None:
    """The page with every piece that has a place moved there; None where there is none."""
    if not np.any(page.tag == _TEMPLATE) or not _PLACE.search(utf8):
        return None
    if np.any(page.tag == _SCRIPT) and not _MOVES.search(utf8):
        return None
    pieces = _pieces(utf8)
    if not pieces:
        return None
    first = min(piece.whole[0] for piece in pieces.values())
    ends = _boundaries(utf8, first)
    parts: list[bytes] = []
    moved: list[_Span] = []
    waiting = [(0, first)]
    while waiting:
        start, end = waiting.pop()
        place = _PLACE.search(utf8, start, end)
        if place is None:
            parts.append(utf8[start:end])
            continue
        piece = pieces.pop((place[1], place[3]), None)
        if piece is None:
            parts.append(utf8[start : place.end()])
            waiting.append((place.end(), end))
            continue
        parts.append(utf8[start : place.start()])
        moved.append(piece.whole)
        after = ends.get(place.start(), end + 1) if place[2] == b"B" else end + 1
        waiting += [(after if after <= end else place.end(), end), piece.held]
    if not moved:
        return None
    for start, end in sorted(moved):
        parts.append(utf8[first:start])
        first = end
    parts.append(utf8[first:])
    return b"".join(parts)


def _pieces(utf8: bytes) -> dict[_Name, _Piece]:
    """The pieces by name, the first of each."""
    opened = list(_PIECE.finditer(utf8))
    limits = [*(tag.start() for tag in opened[1:]), len(utf8)]
    found: dict[_Name, _Piece] = {}
    for tag, limit in zip(opened, limits):
        ends = _ends_of(utf8, tag.end(), limit)
        if ends is not None:
            found.setdefault((tag[1], tag[2]), _Piece((tag.start(), ends[1]), (tag.end(), ends[0])))
    return found


def _ends_of(utf8: bytes, start: int, limit: int) -> _Span | None:
    """Where what a `div` holds ends that is opened there, and the `div` itself.

    One that is not closed before the limit ends with the last element that is.
    """
    depth, last, at = 1, None, start
    while (tag := _TAG.search(utf8, at, limit)) is not None:
        at = tag.end()
        over = _PASSED.get(tag[0][:6].lower())
        if over is not None:
            closed = over.search(utf8, at, limit)
            if closed is None:
                break
            at = closed.end()
        elif tag[0][1:2] != b"/":
            depth += 1
        else:
            depth, last = depth - 1, utf8.find(b">", at - 1, limit) + 1 or limit
            if not depth:
                return tag.start(), last
    return None if last is None else (last, last)


def _boundaries(utf8: bytes, first: int) -> dict[int, int]:
    """Where what stands in for a piece begins → where it ends: before the `first` piece, or within the same piece."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for each in _BOUNDARY.finditer(utf8):
        if each[1] is None:
            opened.append(each.end())
        elif opened:
            begin = opened.pop()
            if begin >= first or each.end() <= first:
                found[begin] = each.end()
    return found
