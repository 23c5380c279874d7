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
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from duramen.page import Page
from duramen.tags import TAG_IDS

SHORT = 8192  # bytes of a script that moves pieces, at most: others carry data, and are most of such a page

_TEMPLATE, _SCRIPT = TAG_IDS["template"], TAG_IDS["script"]
_MOVES = re.compile(rb"\$R[CS]\b")  # the functions that put a piece in the place of a `B` and a `P`
_PLACED = re.compile(rb"id[^:]{0,40}[BP]:[0-9a-f]{1,8}$")  # the name of a place, as `Page.attrs` has it
_PLACE = re.compile(rb'<template id="([^"<>]{0,40})([BP]):([0-9a-f]{1,8})"></template>')
_PIECE = re.compile(rb'<div hidden(?:="")? id="([^"<>]{0,40})S:([0-9a-f]{1,8})">')
# What opens and closes a `div`, and what may only speak of one, with its end. Letters in both cases, instead of a flag,
# leave a first character to search for.
_TAG = re.compile(rb"<(?:!--|/?[Dd][Ii][Vv][\s>]|[Ss](?:[Cc][Rr][Ii][Pp][Tt]|[Tt][Yy][Ll][Ee])[\s>])")
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
    if not _has_places(page) or not _are_moved(page):
        return None
    markup = _Markup(page, utf8)
    pieces = _pieces(markup)
    if not pieces:
        return None
    first = min(piece.whole[0] for piece in pieces.values())
    places = list(markup.find(_PLACE))
    starts, ends = [place.start() for place in places], _boundaries(markup, first)
    parts: list[bytes] = []
    moved: list[_Span] = []
    waiting = [(0, first)]
    while waiting:
        start, end = waiting.pop()
        number = bisect_left(starts, start)
        if number == len(places) or starts[number] >= end:
            parts.append(utf8[start:end])
            continue
        place = places[number]
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


def _has_places(page: Page) -> bool:
    """Whether there are any, by the attributes of the page's templates."""
    templates = np.flatnonzero(page.tag == _TEMPLATE)
    if not len(templates):
        return False
    begins, ends = (page.attr_name_at[page.attr_at[templates + more]].tolist() for more in (0, 1))
    return any(_PLACED.match(page.attrs, begin, end) for begin, end in zip(begins, ends))


def _are_moved(page: Page) -> bool:
    """Whether a script moves pieces, or there is none at all: somebody took them out."""
    if not np.any(page.tag == _SCRIPT):
        return True
    scripts = zip(page.raw.starts.tolist(), page.raw.stops.tolist())
    return any(end - start <= SHORT and _MOVES.search(page.raw.source, start, end) for start, end in scripts)


class _Markup:
    """The bytes of a page, searched without what its scripts and style sheets hold, where these places are known."""

    def __init__(self, page: Page, utf8: bytes) -> None:
        self.utf8 = utf8
        known = page.raw.source is utf8
        self._begins = [0, *page.raw.stops.tolist()] if known else [0]
        self._ends = [*page.raw.starts.tolist(), len(utf8)] if known else [len(utf8)]

    def find(self, pattern: re.Pattern[bytes], start: int = 0, limit: int | None = None) -> Iterator[re.Match[bytes]]:
        """All matches between two places."""
        limit = len(self.utf8) if limit is None else limit
        for number in range(bisect_left(self._ends, start), len(self._ends)):
            begin, end = max(start, self._begins[number]), min(limit, self._ends[number])
            if begin >= limit:
                break
            yield from pattern.finditer(self.utf8, begin, end)


def _pieces(markup: _Markup) -> dict[_Name, _Piece]:
    """The pieces by name, the first of each."""
    opened = list(markup.find(_PIECE))
    limits = [*(tag.start() for tag in opened[1:]), len(markup.utf8)]
    found: dict[_Name, _Piece] = {}
    for tag, limit in zip(opened, limits):
        ends = _ends_of(markup, tag.end(), limit)
        if ends is not None:
            found.setdefault((tag[1], tag[2]), _Piece((tag.start(), ends[1]), (tag.end(), ends[0])))
    return found


def _ends_of(markup: _Markup, start: int, limit: int) -> _Span | None:
    """Where what a `div` holds ends that is opened there, and the `div` itself.

    One that is not closed before the limit ends with the last element that is.
    """
    depth, last, passed = 1, None, start
    for tag in markup.find(_TAG, start, limit):
        if tag.start() < passed:
            continue
        over = _PASSED.get(tag[0][:6].lower())
        if over is not None:
            closed = over.search(markup.utf8, tag.end(), limit)
            if closed is None:
                break
            passed = closed.end()
        elif tag[0][1:2] != b"/":
            depth += 1
        else:
            depth, last = depth - 1, markup.utf8.find(b">", tag.end() - 1, limit) + 1 or limit
            if not depth:
                return tag.start(), last
    return None if last is None else (last, last)


def _boundaries(markup: _Markup, first: int) -> dict[int, int]:
    """Where what stands in for a piece begins → where it ends: before the `first` piece, or after its beginning."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for each in markup.find(_BOUNDARY):
        if each[1] is None:
            opened.append(each.end())
        elif opened:
            begin = opened.pop()
            if begin >= first or each.end() <= first:
                found[begin] = each.end()
    return found
