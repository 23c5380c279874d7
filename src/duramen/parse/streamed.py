"""Pages that a server sends in pieces, as React does: what took it longer comes at the end, in hidden elements.

A browser shows what stands in for a piece until a short script puts the piece in its place. Here that is done without
the script, so that no reader loses a page's text, or finds it below the footer:

    <!--$?--><template id="B:1"></template>Loading …<!--/$-->   …  <div hidden id="S:3"> a piece </div> $RC("B:1","S:3")
    <template id="P:2"></template>                              …  <div hidden id="S:2"> a piece </div> $RS("S:2","P:2")

A piece takes the place of a `B` and what stands in for it, or of the `P` of its number. Pieces may have places for
others. Where there are scripts, but none of React's, pieces stay hidden: nobody would show them. Where there are none,
since somebody took them out, a `B` is taken to be that of the piece of its number, as it mostly is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from duramen.page import Page
from duramen.parse.marks import BOUNDARY, CUT, END, PIECE, PIECE_TAG, PLACE, marks
from duramen.tags import TAG_IDS

SHORT = 8192  # bytes of a script that moves pieces, at most: others carry data, and are most of such a page

_TEMPLATE, _SCRIPT = TAG_IDS["template"], TAG_IDS["script"]
# The functions that put a piece in the place of a `B` (also once its style sheets are there) and of a `P`.
_MOVES = re.compile(rb'\$R(?:S\b|[CR]\("([^"<>]{0,40})B:([0-9a-f]{1,8})","[^"<>]{0,40}S:([0-9a-f]{1,8})")')
_PLACED = re.compile(rb"id[^:]{0,40}[BP]:[0-9a-f]{1,8}$")  # the name of a place, as `Page.attrs` has it
_PLACE = re.compile(rb'<template id="([^"<>]{0,40})([BP]):([0-9a-f]{1,8})"></template>')
_ANY_TAG = re.compile(rb"<[^<>]*>")
_BOUNDARY = re.compile(rb"<!--(?:\$[?!~]?|(/\$))-->")

_Span = tuple[int, int]
_Name = tuple[bytes, bytes]


class _Piece(NamedTuple):
    whole: _Span  # with its element
    held: _Span  # what is in it


class Joined(NamedTuple):
    """A page put together, and how many bytes of text and rows of the page as it was sent may be gone."""

    utf8: bytes
    text: int
    rows: int


def put_in_place(page: Page, utf8: bytes) -> Joined | None:
    """The page, which has a template, with every piece that has a place moved there; None where there is none."""
    if not _has_places(page):
        return None
    scripted = bool(np.any(page.tag == _SCRIPT))
    moves = _moves(page) if scripted else {}
    if moves is None:
        return None
    found = _marks(page, utf8)
    pieces = _pieces(utf8, found)
    if not pieces:
        return None
    first = min(piece.whole[0] for piece in pieces.values())
    places = [place for kind, at in found if kind == PLACE and (place := _PLACE.match(utf8, at))]
    starts, ends = [place.start() for place in places], _boundaries(utf8, found, first)
    if not scripted:
        moves = {(place[1], place[3]): place[3] for place in places}
    parts: list[bytes] = []
    moved: list[_Span] = []
    dropped: list[bytes] = []  # what stood in for a piece
    waiting = [(0, first)]
    while waiting:
        start, end = waiting.pop()
        number = bisect_left(starts, start)
        if number == len(places) or starts[number] >= end:
            parts.append(utf8[start:end])
            continue
        place = places[number]
        wanted = place[3] if place[2] == b"P" else moves.get((place[1], place[3]), b"")
        piece = pieces.pop((place[1], wanted), None)
        if piece is None:
            parts.append(utf8[start : place.end()])
            waiting.append((place.end(), end))
            continue
        parts.append(utf8[start : place.start()])
        moved.append(piece.whole)
        after = ends.get(place.start(), end + 1) if place[2] == b"B" else end + 1
        after = after if after <= end else place.end()
        dropped.append(utf8[place.end() : after])
        waiting += [(after, end), piece.held]
    if not moved:
        return None
    for start, end in sorted(moved):
        parts.append(utf8[first:start])
        first = end
    parts.append(utf8[first:])
    text = sum(len(_ANY_TAG.sub(b"", each)) for each in dropped)
    tags = sum(each.count(b"<") for each in dropped)
    # With each piece goes its element and its template, and texts at its ends may become one with those beside them.
    return Joined(b"".join(parts), text, 2 * tags + 4 * len(moved))


def _has_places(page: Page) -> bool:
    """Whether there are any, by the attributes of the page's templates."""
    templates = np.flatnonzero(page.tag == _TEMPLATE)
    begins, ends = (page.attr_name_at[page.attr_at[templates + more]].tolist() for more in (0, 1))
    return any(_PLACED.match(page.attrs, begin, end) for begin, end in zip(begins, ends))


def _moves(page: Page) -> dict[_Name, bytes] | None:
    """Which piece scripts put in the place of each `B`; None where they move nothing at all."""
    scripts = zip(page.raw.starts.tolist(), page.raw.stops.tolist())
    short = (span for span in scripts if span[1] - span[0] <= SHORT)
    found = [move for start, end in short for move in _MOVES.finditer(page.raw.source, start, end)]
    return {(move[1], move[2]): move[3] for move in found if move[2]} if found else None


def _marks(page: Page, utf8: bytes) -> list[tuple[int, int]]:
    """What matters to a streamed page, without what its scripts and style sheets hold."""
    if page.raw.source is not utf8:
        return marks(utf8, [0], [len(utf8)])
    # Tables put some of what is in them first: rows are not always in the order of their bytes.
    starts, stops = sorted(page.raw.starts.tolist()), sorted(page.raw.stops.tolist())
    return marks(utf8, [0, *stops], [*starts, len(utf8)])


def _pieces(utf8: bytes, found: list[tuple[int, int]]) -> dict[_Name, _Piece]:
    """The pieces by name, the first of each. One that is not closed ends with the last element that is."""
    pieces: dict[_Name, _Piece] = {}
    tag: re.Match[bytes] | None = None
    for kind, at in found:
        if kind == PIECE:
            tag = PIECE_TAG.match(utf8, at)
        elif kind in (END, CUT) and tag is not None:
            after = utf8.find(b">", at) + 1 or len(utf8)
            held = tag.end(), at if kind == END else after
            pieces.setdefault((tag[1], tag[2]), _Piece((tag.start(), after), held))
            tag = None
    return pieces


def _boundaries(utf8: bytes, found: list[tuple[int, int]], first: int) -> dict[int, int]:
    """Where what stands in for a piece begins → where it ends: before the `first` piece, or after its beginning."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for kind, at in found:
        each = _BOUNDARY.match(utf8, at) if kind == BOUNDARY else None
        if each is None:
            continue
        if each[1] is None:
            opened.append(each.end())
        elif opened:
            begin = opened.pop()
            if begin >= first or each.end() <= first:
                ends[begin] = each.end()
    return ends
