"""Text that no reader sees: which rows it is, and which of them a reader can open.

What pages hide is of two kinds. Accordions, tabs, "read more", what fades in on scrolling and what a framework streams
in are content that waits for a click or a script. Menus, dialogs, consent texts, labels for screen readers — and
instructions planted for language models — are not. On the wcxb pages 28 % of the words under `display: none` are
content, 60 % under `hidden`, 80 % under `opacity: 0` and 85 % under a height of zero: so hiding alone says little, and
the way it is done and what stands around it decide. What keeps its room on the page unseen (`opacity: 0`,
`visibility: hidden`) is waiting for a script to show it, where several elements do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duramen.algorithms.learned.hiding import (
    CALLED,
    CHROME,
    DETAILS,
    FADED,
    HELD,
    MAYBE_CHROME,
    MAYBE_PANEL,
    NEAR,
    NEVER,
    PANEL,
    SHRUNK,
    SMALL,
    UNSPOKEN,
    find_roots,
    mark_shown,
    orders_in,
    read_names,
    spread_names,
    targets_in,
)
from duramen.algorithms.learned.rules import rows_hidden
from duramen.algorithms.learned.sight import Sight, look
from duramen.measure import holds, within
from duramen.page import BoolArray, FlagArray, IntArray, Page

# How far above a hidden element the names of a panel count.
PANEL_LEVELS = 3
# How much of an element's attributes is searched for such names.
NAME_BYTES = 400
# So many faded elements are an animation that begins when the page has loaded; one or two may be planted.
FADING = 3

Rows = NDArray[np.intp]

MAY_HIDE = NEVER | HELD | SHRUNK | UNSPOKEN | DETAILS | FADED
_EVERY = np.zeros(0, dtype=np.uint8)

_END = rb"\s*(?:;|!|$)"
# Inline styles, in small letters, that nobody uses for something to be shown later, and what they have in them …
_NEVER_SHOWN = re.compile(
    rb"font-size\s*:\s*0(?:\.0*)?(?:px|r?em|pt|%)?" + _END + rb"|text-indent\s*:\s*-\d{3,}"
    rb"|(?:left|top|right|bottom)\s*:\s*-\d{4,}|(?<![-\w])color\s*:\s*transparent"
    rb"|clip\s*:\s*rect\(\s*[01](?:px)?\b|clip-path\s*:\s*inset\(\s*(?:50|100)%"
)
_FAR_OFF = re.compile(rb":\s*-\d{3}")
_GONE = (b"font-size", b"transparent", b"clip")
# A picture or shades seen through clear letters.
_THROUGH_LETTERS, _SHADES = re.compile(rb"background-clip\s*:\s*text"), re.compile(rb"gradient\(|url\(")
# … and those that animations and accordions start from.
_FLAT = re.compile(rb"(?<![-\w])(?:max-)?height\s*:\s*[01](?:px)?" + _END)
_THIN = re.compile(rb"(?<![-\w])(?:max-)?width\s*:\s*[01](?:px)?" + _END)
_CUT_OFF = re.compile(rb"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)")
_FADED = re.compile(rb"opacity\s*:\s*\.?0(?:\.0+)?" + _END)
_NOT_VISIBLE = re.compile(rb"(?<![-\w])visibility\s*:\s*(?:hidden|collapse)")
_NOT_DISPLAYED = re.compile(rb"(?<![-\w])display\s*:\s*none")
_MOVING = re.compile(rb"transform|transition|will-change|filter|animation|max-height")
_COLOUR = re.compile(rb"(?<![-\w])(background(?:-color)?|color)\s*:\s*([^;!]+)")
_NO_COLOURS = {b"", b"inherit", b"initial", b"unset", b"revert", b"revert-layer", b"none", b"auto"}
_WHITE = {b"#fff", b"#ffffff", b"rgb(255,255,255)", b"rgba(255,255,255,1)", b"hsl(0,0%,100%)"}

# Names of what opens (`hiding` looks for their words first) …
_OPENS = re.compile(
    rb"accordi|collaps|tab[-_]?(?:pane|content|body|item)|tabs?__?(?:content|panel|pane)|faq|expand|toggle"
    rb"|read-?(?:more|rm|_div)|show-?more|more-?(?:text|content|info)|truncat|spoiler|answer|disclosure|panel"
    rb"|slide|carousel|swiper|slick|reveal|fade|animat|(?<![a-z])wow\b|(?<![a-z])aos|data-w-id|until-found"
    rb"|elementor-invisible",
)
# … and of what is no part of the text, open or not.
_ADDED = re.compile(
    rb"(?<![a-z])nav(?![a-hj-z])|menu|modal|pop-?(?:up|over)|cookie|consent|gdpr|drop-?down|off-?canvas|drawer"
    rb"|search|log-?in|sign-?(?:in|up)|newsletter|subscri|tool-?tip|overlay|lightbox|toast|notif|share|(?<![a-z])cart"
    rb"|(?<![a-z])dialog|loader|loading|spinner|error|alert|locale|country|currency|shipping",
)
_UNSEEN_NAME = re.compile(
    rb"(?<![a-z])sr-only(?!-focus)|screen-?reader|visually-?hidden|hidden-?visually|assistive-text|(?<![a-z])a11y",
    re.IGNORECASE,
)
# Orders to a language model. Found in invisible text, they are never content, whatever the element is called.
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|direction|rule|guideline|context)s?"
    r"|\bsystem prompt\b|\byou are (?:now )?(?:an? )?(?:ai|llm|language model|chatgpt|assistant)\b"
    r"|\b(?:ai|llm|language model|chatbot|assistant|agent)s?\b.{0,30}\b(?:must|should|please|instructed)\b"
    r"|(?:ignor|vergiss|missachte|ignorez|oubliez|ignora|olvida|dimentica).{0,40}"
    r"(?:anweisung|instruction|instruc|istruzion)"
    r"|忽略.{0,12}(?:指令|指示|提示)|無視.{0,12}(?:指示|命令)|игнорир.{0,30}инструкц",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """Which rows of a page are not seen when it is first shown."""

    invisible: BoolArray  # all of them
    collapsed: BoolArray  # those that a click or a script opens
    never: BoolArray  # those that are hidden in a way in which nobody hides what is to be shown later

    def lost(self) -> BoolArray:
        """Rows that stay invisible: no content."""
        rows: BoolArray = self.invisible & ~self.collapsed
        return rows


def invisible(page: Page) -> BoolArray:
    """Rows that a reader does not see when the page is first shown."""
    return hidden_rows(page).invisible


def collapsed(page: Page) -> BoolArray:
    """Invisible rows in accordions, tabs and the like, which a reader can open."""
    return hidden_rows(page).collapsed


def hidden_rows(page: Page, text: BoolArray | None = None, sight: Sight | None = None) -> Hidden:
    """Both of these at once: they share most of the work. Given some text rows, only what hides these is looked at.

    `sight` is a first look at the page, where somebody had one.
    """
    found = hidden_around(page, text, sight or look(page))
    if found is None:
        nothing = np.zeros(len(page), dtype=np.bool_)
        return Hidden(nothing, nothing, nothing)
    return found


def hidden_around(page: Page, text: BoolArray | None, sight: Sight) -> Hidden | None:
    """The same for what hides these texts; None where nothing does."""
    marks = hiding_marks(page, text, sight)
    if marks is None:
        return None
    roots = np.flatnonzero(marks & MAY_HIDE)
    return _judged(page, roots, marks[roots], _names_around(page, roots, marks, sight.seen))


def hiding_marks(page: Page, text: BoolArray | None, sight: Sight) -> FlagArray | None:
    """Why elements may hide some of the text; None where there are none that do."""
    marks = np.zeros(len(page), dtype=np.uint8)
    wanted = _EVERY if text is None else np.ascontiguousarray(text)
    found, doubtful = find_roots(page, wanted, sight.seen, sight.kinds, marks)
    if doubtful:
        found |= _look_closer(page, marks, doubtful)
    if found & SMALL:
        for rows, mark in zip(rows_hidden(page, marks, sight.kinds), (HELD, FADED)):
            if rows:
                marks[rows] |= mark
                found |= mark
    return marks if found & MAY_HIDE else None


def _look_closer(page: Page, marks: FlagArray, doubtful: list[tuple[int, int, int, bool]]) -> int:
    """Mark the elements that a style or a class hides, of those where it has a word that may do so.

    Returns all marks that were set.
    """
    known: dict[tuple[bytes, bool], int] = {}
    found = 0
    for row, begin, end, styled in doubtful:
        value = page.attrs[begin:end], styled
        if value not in known:
            known[value] = _style_mark(value[0]) if styled else NEVER * bool(_UNSEEN_NAME.search(value[0]))
        if known[value]:
            # The parser takes what is not visible for hidden like any other; here it only waits.
            if known[value] == FADED and page.attribute(row, "hidden") is None:
                marks[row] ^= marks[row] & HELD
            marks[row] |= known[value]
            found |= known[value]
    return found


def _judged(page: Page, roots: Rows, marks: FlagArray, around: tuple[BoolArray, BoolArray]) -> Hidden:
    """What the elements that may hide something hide, and which of it opens."""
    panel, chrome = around
    # A screen reader's silence alone hides nothing from the eye.
    real = ((marks & (NEVER | HELD | SHRUNK | DETAILS | FADED)) != 0) | chrome
    never, details, held = ((marks & mark) != 0 for mark in (NEVER, DETAILS, HELD))
    hidden = _inside(page, roots[real & ~details])
    gone = _inside(page, roots[real & never])
    if (real & details).any():
        shown = np.zeros(len(page), dtype=np.bool_)
        mark_shown(page, shown.view(np.uint8).data)
        hidden |= _inside(page, roots[real & details]) & ~shown
    apart = ~chrome & ~never & real
    opens = (panel | ((marks & (SHRUNK | DETAILS)) != 0)) & apart
    fades = ((marks & FADED) != 0) & ~held & ~opens & apart
    opened = _inside(page, roots[opens])
    if _outermost(page, roots[fades]) >= FADING:
        opened |= _inside(page, roots[fades]) & ~_inside(page, roots[held & ~opens])
    opened &= hidden & ~gone & ~_inside(page, roots[real & chrome])
    if opened.any():
        opened &= ~given_orders(page, hidden)
    return Hidden(hidden, opened, gone)


def _outermost(page: Page, roots: Rows) -> int:
    """How many of the roots are in no other one."""
    until = number = 0
    for row, end in zip(roots.tolist(), page.end[roots].tolist()):
        if end > until:
            number += row >= until
            until = end
    return number


def _inside(page: Page, roots: Rows) -> BoolArray:
    """Rows that are one of the roots or below one."""
    inside = np.zeros(len(page), dtype=np.bool_)
    until = 0
    for row, end in zip(roots.tolist(), page.end[roots].tolist()):
        if end > until:
            inside[row:end] = True
            until = end
    return inside


def _style_mark(style: bytes) -> int:
    """What a style does: hide for good, shrink as accordions are, make unseen where it stands; 0: none of these."""
    style = style.lower()
    # Patterns with many beginnings are slow: words that must be there are looked for first.
    if any(word in style for word in _GONE) or _FAR_OFF.search(style):
        clear = _THROUGH_LETTERS.search(style) and _SHADES.search(style)
        if any(not (clear and gone[0].startswith(b"color")) for gone in _NEVER_SHOWN.finditer(style)):
            return NEVER
    if b"background" in style and _blank_on_blank(style):
        return NEVER
    displayed = not _NOT_DISPLAYED.search(style)
    if displayed and b"opacity" in style and _FADED.search(style) and not _MOVING.search(style):
        return FADED
    if b"overflow" in style and _CUT_OFF.search(style):
        flat, thin = _FLAT.search(style), _THIN.search(style)
        if flat or thin:
            return NEVER if flat and thin else SHRUNK  # a dot is for screen readers, a line of no height for readers
    return FADED if displayed and b"visibility" in style and _NOT_VISIBLE.search(style) else 0


def _blank_on_blank(style: bytes) -> bool:
    """Whether the style gives text the colour of its background."""
    found = {name[:5]: re.sub(rb"\s+", b"", value) for name, value in _COLOUR.findall(style) if value.strip()}
    ink, paper = (b"#fff" if found.get(key) in {*_WHITE, b"white"} else found.get(key) for key in (b"color", b"backg"))
    return ink is not None and ink == paper and ink not in _NO_COLOURS


def _names_around(page: Page, roots: Rows, marks: FlagArray, seen: IntArray) -> tuple[BoolArray, BoolArray]:
    """Which roots are panels that open, and which belong to menus, dialogs and such, by the names around them."""
    around = np.zeros(len(page), dtype=np.uint8)
    targets: frozenset[bytes] | None = None
    for row, at in read_names(page, marks.data, seen.data, around.data, NAME_BYTES):
        if at >= 0:
            value = page.attrs[page.attr_value_at[at] : page.attr_name_at[at + 1]]
            targets = _targets(page) if targets is None else targets
            # React sends late content in `<div hidden id="S:1">` and moves it into place.
            if value in targets or value.startswith(b"S:"):
                around[row] |= CALLED
            continue
        start, stop = page.attr_name_at[page.attr_at[row : row + 2]].tolist()
        names = page.attrs[start : min(stop, start + NAME_BYTES)].lower()
        if around[row] & MAYBE_PANEL and _OPENS.search(names):
            around[row] |= PANEL
        if around[row] & MAYBE_CHROME and _ADDED.search(names):
            around[row] |= CHROME
    spread_names(page.parent.data, marks.data, around.data, PANEL_LEVELS)
    found = around[roots]
    return (found & NEAR) != 0, (found & CHROME) != 0


def _targets(page: Page) -> frozenset[bytes]:
    """The ids of what buttons say that they open."""
    return frozenset(
        name.lstrip(b"#")
        for at in targets_in(page)
        for name in page.attrs[page.attr_value_at[at] : page.attr_name_at[at + 1]].split()
    )


def given_orders(page: Page, rows: BoolArray) -> BoolArray:
    """Invisible elements whose text gives orders to a language model, and everything in them."""
    texts = orders_in(page, rows.view(np.uint8).data)
    marked = np.zeros(len(page), dtype=np.bool_)
    marked[[row for row in texts if _ORDERS.search(page.text_of(row))]] = True
    if not marked.any():
        return marked
    # The whole paragraph goes with the words: up to the next element that holds a block.
    marked[page.parent[np.flatnonzero(marked)]] = True
    return within(page, marked & holds(page, marked) & ~page.named("body", "html", "main", "article"))
