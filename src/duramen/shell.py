"""Why an extraction is empty: nothing was there, it was no page, or a shell that scripts would fill.

A text without a single tag is a page too: the parser gives it `<html>` and `<body>`, and its text is content. So
nothing here asks for markup.
"""

from __future__ import annotations

import re

import numpy as np

from duramen.decode import Decoded
from duramen.measure import any_text, seen_text, within
from duramen.page import HIDDEN, BoolArray, Page, Reason, Selection

# A shell has a logo, a spinner, "Loading …": hardly ever this many words.
SHELL_WORDS = 25
# With that little text, this many scripts are there to make more; counters and consent take one to three.
SHELL_SCRIPTS = 5
# Where frameworks mount what they render: ids of elements …
MOUNT_IDS = frozenset(
    {
        *("root", "app", "application", "mount", "main-app", "app-root", "app-mount", "app-container", "react-root"),
        *("react-app", "vue-app", "reactroot", "__next", "__nuxt", "___gatsby", "__layout", "svelte", "q-app"),
        *("ember-app", "single-spa-application", "blazor-app"),
    }
)
# … and elements of their own.
MOUNT_TAGS = frozenset({"app-root", "my-app", "app-component", "ember-app", "flt-glass-pane"})
# What pages say to readers without scripts: in `<noscript>` the name is enough, elsewhere they ask to turn it on.
NAMES_JAVASCRIPT = re.compile(r"java\s?script", re.IGNORECASE)
_TURN_ON = "enabl|turn|requir|need|activ|aktiv|attiv|habilit|wlacz|włącz|включ|启用|啟用|开启|開啟|打开|有効|사용|활성"
ASKS_FOR_JAVASCRIPT = re.compile(
    rf"(?:{_TURN_ON}).{{0,60}}java\s?script|java\s?script.{{0,60}}(?:{_TURN_ON})", re.IGNORECASE | re.DOTALL
)


def empty_reason(decoded: Decoded, page: Page, selection: Selection) -> Reason | None:
    """Why nothing was kept; None where some text was."""
    if any_text(page, np.ascontiguousarray(selection.kept)):
        return None
    if decoded.binary:
        return Reason.NOT_HTML
    if not decoded.utf8 or decoded.utf8.isspace():
        return Reason.EMPTY_INPUT
    if needs_scripts(page):
        return Reason.NEEDS_JAVASCRIPT
    if not _visible(page).any():
        return Reason.NO_TEXT
    return selection.reason or Reason.NO_CONTENT


def needs_scripts(page: Page) -> bool:
    """Whether the page is a shell: hardly any text, and scripts that would write it."""
    visible = _visible(page)
    return int(page.words[visible].sum()) < SHELL_WORDS and _is_shell(page, visible)


def _visible(page: Page) -> BoolArray:
    text: BoolArray = seen_text(page) & ~within(page, (page.flags & HIDDEN) != 0)
    return text


def _is_shell(page: Page, visible: BoolArray) -> bool:
    """Scripts are to write the page: they have a place for it, there are many, or the page asks for them."""
    scripts = int(page.named("script").sum())
    if scripts and (_has_mount(page) or scripts >= SHELL_SCRIPTS):
        return True
    unscripted = within(page, page.named("noscript")) & (page.chars > 0)
    return bool(
        NAMES_JAVASCRIPT.search(_joined(page, unscripted)) or ASKS_FOR_JAVASCRIPT.search(_joined(page, visible))
    )


def _joined(page: Page, text: BoolArray) -> str:
    return " ".join(page.text_of(int(row)) for row in np.flatnonzero(text))


def _has_mount(page: Page) -> bool:
    if not MOUNT_TAGS.isdisjoint(page.other_tags):
        return True
    rows = np.flatnonzero(page.named("div", "main", "section", "body")).tolist()
    ids = (page.attribute(row, "id") for row in rows)
    return any(name is not None and name.strip().lower() in MOUNT_IDS for name in ids)
