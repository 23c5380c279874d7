"""Where pages hide text: candidates among their elements, in a few passes.

Most pages have none, and on most others only a few values need a closer look, which `hidden` takes.

This file compiles to C, with the types in `hiding.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from typing import Any

from duramen.algorithms.learned.needles import Needles
from duramen.page import Page
from duramen.tags import TAG_IDS, TAG_NAMES

try:
    import cython
except ImportError:
    from duramen.parse import uncompiled as cython

if not cython.compiled:
    from duramen.algorithms.learned.kinds import (
        ARIA_HIDDEN,
        CLASS,
        ID,
        OPEN,
        OTHER,
        ROLE,
        STYLE,
        TARGET,
        check_attributes,
        kind_of,
        says,
    )
    from duramen.algorithms.learned.sight import KIND, UNSEEN_WORD
    from duramen.measure.buffers import check_tree, ints, new_ints, new_octets, octets, room

    IS_FRAME, IS_CHROME, IS_DIALOG, IS_DETAILS = 1, 2, 4, 8
    # Why an element may hide what is in it …
    NEVER, HELD, SHRUNK, UNSPOKEN, DETAILS, FADED = 1, 2, 4, 8, 16, 64
    SMALL = 32  # … and that it holds so few words that a rule for its name may.
    # What the names around a hidden element say.
    PANEL, CHROME, MAYBE_PANEL, MAYBE_CHROME, KNOWN, NEAR, CALLED = 1, 2, 4, 8, 16, 32, 64
    # What is in a style: what tells by itself, or only together with something else.
    TELLS, SET_ASIDE, COLOUR, CLEAR, PAPER, SIZE, CUT_OFF, PLACE = 1, 2, 4, 8, 16, 32, 64, 128


# An element that hides more of the page's words than this is shown by a script as soon as the page has loaded.
_WHOLE_PAGE = WHOLE_PAGE = 0.4  # chosen on wcxb dev
# What a rule for a name hides and holds more than this, other rules show: those that take a browser to read.
_BY_RULES = BY_RULES = 0.1  # chosen on wcxb dev

_KINDS = bytes(
    1 * (name in ("html", "body", "main", "article"))
    + 2 * (name in ("nav", "dialog"))
    + 4 * (name == "dialog")
    + 8 * (name == "details")
    for name in (*TAG_NAMES, "?")
)
_TRUE, _TABPANEL = b"true", b"tabpanel"
_SUMMARY, _DETAILS = TAG_IDS["summary"], TAG_IDS["details"]

# A style without one of these words needs no closer look.
_STYLE_WORDS = Needles(
    {
        **dict.fromkeys((b"opacity", b"font-size", b"indent", b"clip"), TELLS | SET_ASIDE),
        b"visibility": TELLS,
        **dict.fromkeys((b":-9", b": -9", b":-1", b": -1"), SET_ASIDE),
        **dict.fromkeys((b"left", b"top", b"right", b"bottom"), PLACE),
        **dict.fromkeys((b"height", b"width"), SIZE | SET_ASIDE),
        b"color": COLOUR | SET_ASIDE,
        b"transparent": CLEAR,
        b"background": PAPER,
        b"overflow": CUT_OFF,
    }
)


def _spelled(parts: str) -> list[bytes]:
    """Every way to put one of the first choices, one of the second … together: `read,show -, more` is four words."""
    words = [""]
    for part in parts.split():
        words = [word + choice for word in words for choice in part.split(",")]
    return [word.encode() for word in words]


# The words of `hidden.PANEL` and `hidden.CHROME`; those that count only beside certain letters are for these to judge.
_PANEL_WORDS = (
    "accordi,collaps,faq,expand,toggle,truncat,spoiler,answer,disclosure,panel,slide,carousel,swiper,slick,reveal,fade",
    "animat,data-w-id,until-found,elementor-invisible",
    "tab ,-,_ pane,content,body,item",
    "tab,tabs _,__ content,panel,pane",
    "read ,- more,rm,_div",
    "show ,- more",
    "more ,- text,content,info",
)
_CHROME_WORDS = (
    "menu,modal,cookie,consent,gdpr,drawer,search,newsletter,subscri,overlay,lightbox,toast,notif,share,loader,loading",
    "spinner,error,alert,locale,country,currency,shipping",
    "pop ,- up,over",
    "drop ,- down",
    "off ,- canvas",
    "log ,- in",
    "sign ,- in,up",
    "tool ,- tip",
)
_AROUND = Needles(
    {
        **dict.fromkeys((word for parts in _PANEL_WORDS for word in _spelled(parts)), PANEL),
        **dict.fromkeys((word for parts in _CHROME_WORDS for word in _spelled(parts)), CHROME),
        **dict.fromkeys((b"wow", b"aos"), MAYBE_PANEL),
        **dict.fromkeys((b"nav", b"cart", b"dialog"), MAYBE_CHROME),
    }
)


# Every match of `hidden.ORDERS` has one of these in it.
_ORDER_WORDS = Needles(
    dict.fromkeys(
        (
            *(
                b"ignor",
                b"disregard",
                b"forget",
                b"override",
                b"system prompt",
                b"you are",
                b"must",
                b"should",
                b"please",
            ),
            *(b"instructed", b"vergiss", b"missachte", b"oubliez", b"olvida", b"dimentica"),
            *(word.encode() for word in "忽略 無視 игнор Игнор ИГНОР".split()),
        ),
        1,
    )
)


def find_roots(
    page: Page, wanted: Any, running: Any, attribute_kinds: Any, marked: Any
) -> tuple[int, list[tuple[int, int, int, bool]]]:
    """Fill in why each element may hide some of the `wanted` text (all text where that is empty); `marked` is zero.

    `running` is the running sum of words that are seen, `attribute_kinds` is which attribute is which (see `sight`).
    Returns all marks that were set, and values that need a closer look: the row, begin and end, and whether it is a
    style (else a class).
    """
    rows, count = len(page), len(page.attr_value_at)
    attr_at, names = ints(page.attr_at, rows + 1), ints(page.attr_name_at, count + 1)
    values, kinds = ints(page.attr_value_at, count), octets(attribute_kinds, count)
    check_attributes(attr_at, rows, count)
    held_of = room(4 * (rows + 1))
    tag, parent, end, flags = (
        ints(page.tag, rows),
        ints(page.parent, rows),
        ints(page.end, rows),
        octets(page.flags, rows),
    )
    check_tree(tag, parent, end, rows)
    every = len(wanted) == 0
    text = octets(wanted, 0 if every else rows)
    seen, held, marks = ints(running, rows + 1), new_ints(held_of, rows + 1), new_octets(marked, rows)
    source = page.attrs
    attrs, length, other = source, len(source), len(_KINDS) - 1
    doubtful: list[tuple[int, int, int, bool]] = []
    number = found = 0
    for row in range(rows):
        held[row] = number
        if every or text[row]:
            number += 1
    held[rows] = number
    total = seen[rows]
    most, small = _WHOLE_PAGE * total, _BY_RULES * total
    row = 0
    while row < rows:
        below = seen[end[row]] - seen[row]
        if tag[row] == 0 or below == 0 or held[end[row]] == held[row]:
            row = end[row]
            continue
        if below > most:
            row += 1
            continue
        mark = HELD if flags[row] & 2 else 0
        opened = 0
        for at in range(attr_at[row], attr_at[row + 1]):
            kind = kinds[at] & KIND
            if kind == OTHER:
                continue
            if not 0 <= values[at] <= names[at + 1] <= length:
                raise IndexError("an attribute outside of the page")
            if kind == STYLE:
                bits = _STYLE_WORDS.found(attrs, values[at], names[at + 1])
                if (
                    bits & TELLS
                    or (bits & COLOUR and bits & (CLEAR | PAPER))
                    or (bits & SIZE and bits & CUT_OFF)
                    or (bits & SET_ASIDE and bits & PLACE)
                ):
                    doubtful.append((row, values[at], names[at + 1], True))
            elif kind == CLASS:
                if kinds[at] & UNSEEN_WORD:
                    doubtful.append((row, values[at], names[at + 1], False))
            elif kind == ARIA_HIDDEN:
                if says(attrs, values[at], names[at + 1], _TRUE, 4):
                    mark |= UNSPOKEN
            elif kind == OPEN:
                opened = 1
        number = _KINDS[tag[row] if tag[row] < other else other]
        if number & IS_DIALOG and not opened:
            mark |= HELD
        if number & IS_DETAILS and not opened:
            mark |= DETAILS
        if below < small:
            mark |= SMALL
        marks[row] = mark
        found |= mark
        row += 1
    return found, doubtful


def read_names(
    page: Page, marks: memoryview, seen: memoryview, around: memoryview, name_bytes: int
) -> list[tuple[int, int]]:
    """Fill in what hidden elements and those above them are called; `around` is zero.

    Returns the rows with a word that counts only beside certain letters, and (with an attribute) those with an id.
    """
    tag, end, parent = page.tag.data, page.end.data, page.parent.data
    attr_at, names, values = page.attr_at.data, page.attr_name_at.data, page.attr_value_at.data
    source = page.attrs
    attrs, length = source, len(source)
    rows, other = len(tag), len(_KINDS) - 1
    most = _WHOLE_PAGE * seen[rows]
    doubtful: list[tuple[int, int]] = []
    for root in range(rows):
        if not marks[root] & (NEVER | HELD | SHRUNK | UNSPOKEN | DETAILS | FADED):
            continue
        row = root
        while row >= 0 and not around[row] & KNOWN:
            number = _KINDS[tag[row] if tag[row] < other else other]
            bits = KNOWN
            if not number & IS_FRAME and seen[end[row]] - seen[row] <= most:
                if number & IS_CHROME:
                    bits |= CHROME
                start, stop = names[attr_at[row]], names[attr_at[row + 1]]
                if not 0 <= start <= stop <= length:
                    raise IndexError("an attribute outside of the page")
                if stop > start + name_bytes:
                    stop = start + name_bytes
                bits |= _AROUND.found(attrs, start, stop)
                if bits & (MAYBE_PANEL | MAYBE_CHROME):
                    doubtful.append((row, -1))
            for at in range(attr_at[row], attr_at[row + 1]):
                kind = kind_of(attrs, length, names[at], values[at], names[at + 1])
                if kind == ROLE and says(attrs, values[at], names[at + 1], _TABPANEL, 8):
                    bits |= CALLED
                elif kind == ID:
                    doubtful.append((row, at))
            around[row] = bits
            row = parent[row]
    return doubtful


def spread_names(parent: memoryview, marks: memoryview, around: memoryview, levels: int) -> int:
    """Mark what is inside of menus, dialogs and the like as these are marked, and hidden elements near a panel."""
    rows = len(parent)
    for row in range(rows):
        if not around[row] & KNOWN:
            continue
        up = parent[row]
        if up >= 0 and around[up] & CHROME:
            around[row] |= CHROME
        if marks[row] & (NEVER | HELD | SHRUNK | UNSPOKEN | DETAILS | FADED):
            up = row
            for level in range(levels + 1):  # noqa: B007 (how often, not which)
                if around[up] & (PANEL | CALLED):
                    around[row] |= NEAR
                up = parent[up]
                if up < 0:
                    break
    return 0


def mark_shown(page: Page, shown: memoryview) -> int:
    """Mark what of a closed `<details>` is seen: the element itself, and its summary. `shown` is zero."""
    tag, end, attr_at = page.tag.data, page.end.data, page.attr_at.data
    names, values, source = page.attr_name_at.data, page.attr_value_at.data, page.attrs
    attrs, length, rows, until = source, len(source), len(tag), 0
    for row in range(rows):
        if tag[row] == _SUMMARY and end[row] > until:
            until = end[row]
        if row < until:
            shown[row] = 1
        if tag[row] == _DETAILS:
            opened = False
            for at in range(attr_at[row], attr_at[row + 1]):
                if kind_of(attrs, length, names[at], values[at], names[at + 1]) == OPEN:
                    opened = True
            if not opened:
                shown[row] = 1
    return 0


def targets_in(page: Page) -> list[int]:
    """The attributes that name what a button opens."""
    names, values, source = page.attr_name_at.data, page.attr_value_at.data, page.attrs
    attrs, length = source, len(source)
    found: list[int] = []
    for at in range(len(values)):
        if kind_of(attrs, length, names[at], values[at], names[at + 1]) == TARGET and names[at + 1] > values[at]:
            found.append(at)  # noqa: PERF401 (compiled to a loop in C)
    return found


def orders_in(page: Page, rows: memoryview) -> list[int]:
    """Those of the rows that are texts of three words or more with a word of orders to a language model in them."""
    chars, words, cjk, text_at = page.chars.data, page.words.data, page.cjk.data, page.text_at.data
    source = page.text
    text, length = source, len(source)
    found: list[int] = []
    for row in range(len(rows)):
        long = rows[row] and chars[row] > 0 and words[row] + cjk[row] >= 3
        if long and not 0 <= text_at[row] <= text_at[row + 1] <= length:
            raise IndexError("a text outside of the page")
        if long and _ORDER_WORDS.found(text, text_at[row], text_at[row + 1]):
            found.append(row)
    return found
