"""Text that no reader sees: which rows it is, and which of them a reader can open.

What pages hide is of two kinds. Accordions, tabs, "read more", what fades in on scrolling and what a framework streams
in are content that waits for a click or a script. Menus, dialogs, consent texts, labels for screen readers — and
instructions planted for language models — are not. On the wcxb pages 28 % of the words under `display: none` are
content, 60 % under `hidden`, 80 % under `opacity: 0` and 85 % under a height of zero: so hiding alone says little, and
the way it is done and what stands around it decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from duramen.algorithms.learned.attributes import attributes_mentioning, attributes_named, rows_where
from duramen.algorithms.learned.rules import hidden_by_rules
from duramen.measure import holds, seen_text, subtree_sum, within
from duramen.page import HIDDEN, BoolArray, Page

# An element that hides more of the page's words than this is shown by a script as soon as the page has loaded.
WHOLE_PAGE = 0.4  # chosen on wcxb dev
# What a rule for a name hides and holds more than this, other rules show: those that take a browser to read.
BY_RULES = 0.1  # chosen on wcxb dev
# How far above a hidden element the names of a panel count.
PANEL_LEVELS = 3
# How much of an element's attributes is searched for such names.
NAME_BYTES = 400

_END = rb"\s*(?:;|!|$)"
# Inline styles that nobody uses for something to be shown later …
_NEVER_SHOWN = re.compile(
    rb"font-size\s*:\s*0(?:\.0*)?(?:px|r?em|pt|%)?" + _END + rb"|text-indent\s*:\s*-\d{3,}"
    rb"|(?:left|top|right|bottom)\s*:\s*-\d{4,}|(?<![-\w])color\s*:\s*transparent"
    rb"|clip\s*:\s*rect\(\s*[01](?:px)?\b|clip-path\s*:\s*inset\(\s*(?:50|100)%",
    re.IGNORECASE,
)
# … and those that animations and accordions start from.
_FLAT = re.compile(rb"(?<![-\w])(?:max-)?height\s*:\s*[01](?:px)?" + _END, re.IGNORECASE)
_THIN = re.compile(rb"(?<![-\w])(?:max-)?width\s*:\s*[01](?:px)?" + _END, re.IGNORECASE)
_CUT_OFF = re.compile(rb"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_FADED = re.compile(rb"opacity\s*:\s*\.?0(?:\.0+)?" + _END, re.IGNORECASE)
_MOVING = re.compile(rb"transform|transition|will-change|filter|animation|max-height", re.IGNORECASE)
_COLOUR = re.compile(rb"(?<![-\w])(background(?:-color)?|color)\s*:\s*([^;!]+)", re.IGNORECASE)
_WHITE = {b"#fff", b"#ffffff", b"rgb(255,255,255)", b"rgba(255,255,255,1)", b"hsl(0,0%,100%)"}

# A style or a class without one of these words needs no closer look.
_STYLE_WORDS = (
    b"opacity",
    b"font-size",
    b"indent",
    b":-9",
    b": -9",
    b":-1",
    b": -1",
    b"clip",
    b"color",
    b"height",
    b"width",
)
_UNSEEN_WORDS = (b"sr-only", b"reader", b"visually", b"assistive", b"a11y")

# Names of what opens …
_PANEL = re.compile(
    rb"accordi|collaps|tab[-_]?(?:pane|content|body|item)|tabs?__?(?:content|panel|pane)|faq|expand|toggle"
    rb"|read-?(?:more|rm|_div)|show-?more|more-?(?:text|content|info)|truncat|spoiler|answer|disclosure|panel"
    rb"|slide|carousel|swiper|slick|reveal|fade|animat|(?<![a-z])wow\b|(?<![a-z])aos|data-w-id|until-found"
    rb"|elementor-invisible",
)
# … and of what is no part of the text, open or not.
_CHROME = re.compile(
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


def hidden_rows(page: Page, text: BoolArray | None = None) -> Hidden:
    """Both of these at once: they share most of the work. Given some text rows, only what hides these is looked at."""
    never, faded, shrunk = _by_style(page)
    spoken_only = attributes_mentioning(page, _UNSEEN_WORDS, "class")
    never |= rows_where(page, spoken_only.rows, [bool(_UNSEEN_NAME.search(value)) for value in spoken_only.values])
    words = subtree_sum(page, np.where(seen_text(page), page.words, 0))
    by_rules = hidden_by_rules(page) & (words < BY_RULES * int(words[0]))
    held_back = faded | shrunk | ((page.flags & HIDDEN) != 0) | by_rules
    held_back |= page.named("dialog") & ~_having(page, "open")
    spoken = attributes_named(page, "aria-hidden")
    unspoken = rows_where(page, spoken.rows, [value.strip().lower() == b"true" for value in spoken.values])
    details = page.named("details") & ~_having(page, "open")
    frame: BoolArray = words > WHOLE_PAGE * int(words[0])
    roots = (never | held_back | unspoken | details) & (words > 0) & ~frame
    if text is not None:
        roots &= holds(page, text)
    if not roots.any():
        return Hidden(roots, roots)
    panel, chrome = _names_around(page, roots, frame)
    # A screen reader's silence alone hides nothing from the eye.
    roots &= never | held_back | details | chrome
    opens = (panel | shrunk | details) & ~chrome & ~never & roots
    summary = within(page, page.named("summary")) | details
    hidden = within(page, roots & ~details) | (within(page, roots & details) & ~summary)
    opened = within(page, opens) & hidden & ~within(page, roots & (chrome | never))
    return Hidden(hidden, opened & ~_ordering(page, hidden))


def _by_style(page: Page) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Elements that their own style hides for good, makes transparent, or shrinks to nothing."""
    styles = attributes_mentioning(page, _STYLE_WORDS, "style")
    kinds = {value: _style_kind(value) for value in set(styles.values)}
    found = np.array([kinds[value] for value in styles.values], dtype=np.int8)
    never, faded, shrunk = (rows_where(page, styles.rows, found == kind) for kind in (1, 2, 3))
    return never, faded, shrunk


def _style_kind(style: bytes) -> int:
    """1: hidden for good, 2: transparent, 3: shrunk to nothing, as accordions are; 0: none of these."""
    if _NEVER_SHOWN.search(style) or _blank_on_blank(style):
        return 1
    if _FADED.search(style) and not _MOVING.search(style):
        return 2
    flat, thin = _FLAT.search(style), _THIN.search(style)
    if (flat or thin) and _CUT_OFF.search(style):
        return 1 if flat and thin else 3  # a dot is for screen readers, a line of no height for readers
    return 0


def _blank_on_blank(style: bytes) -> bool:
    """Whether the style gives text the colour of its background."""
    found = {
        name.lower()[:5]: re.sub(rb"\s+", b"", value).lower() for name, value in _COLOUR.findall(style) if value.strip()
    }
    ink, paper = (b"#fff" if found.get(key) in {*_WHITE, b"white"} else found.get(key) for key in (b"color", b"backg"))
    return ink is not None and ink == paper


def _having(page: Page, name: str) -> BoolArray:
    """Elements with an attribute of that name."""
    found = attributes_named(page, name)
    return rows_where(page, found.rows, [True] * len(found))


def _names_around(page: Page, roots: BoolArray, frame: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Which roots are panels that open, and which belong to menus, dialogs and such, by the names around them."""
    frame = frame | page.named("html", "body", "main", "article")
    above = np.flatnonzero(holds(page, roots) & ~frame)
    panel, chrome = np.zeros(len(page), dtype=np.bool_), page.named("nav", "dialog")
    starts, stops = page.attr_name_at[page.attr_at[above]].tolist(), page.attr_name_at[page.attr_at[above + 1]].tolist()
    for row, start, stop in zip(above.tolist(), starts, stops):
        names = page.attrs[start : min(stop, start + NAME_BYTES)].lower()
        panel[row] = _PANEL.search(names) is not None
        chrome[row] |= _CHROME.search(names) is not None
    roles = attributes_named(page, "role")
    panel |= rows_where(page, roles.rows, [value.strip().lower() == b"tabpanel" for value in roles.values])
    targets: set[bytes] = set()
    for attribute in ("aria-controls", "data-target", "data-bs-target"):
        targets.update(
            name.lstrip(b"#") for value in attributes_named(page, attribute).values for name in value.split()
        )
    # React sends late content in `<div hidden id="S:1">` and moves it into place.
    ids = attributes_named(page, "id")
    panel |= rows_where(page, ids.rows, [value in targets or value.startswith(b"S:") for value in ids.values])
    near = panel.copy()
    for _ in range(PANEL_LEVELS):
        panel = panel[np.maximum(page.parent, 0)] & (page.parent >= 0)
        near |= panel
    return near, within(page, chrome & ~frame)


def _ordering(page: Page, rows: BoolArray) -> BoolArray:
    """Invisible elements whose text gives orders to a language model, and everything in them."""
    texts = np.flatnonzero(rows & (page.chars > 0) & (page.words + page.cjk >= 3)).tolist()
    marked = np.zeros(len(page), dtype=np.bool_)
    marked[[row for row in texts if _ORDERS.search(page.text_of(row))]] = True
    if not marked.any():
        return marked
    # The whole paragraph goes with the words: up to the next element that holds a block.
    marked[page.parent[np.flatnonzero(marked)]] = True
    return within(page, marked & holds(page, marked) & ~page.named("body", "html", "main", "article"))
