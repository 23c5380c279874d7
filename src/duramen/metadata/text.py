"""The text of an element as a reader sees it, as one clean line, and as what can be compared."""

from __future__ import annotations

import re

from duramen.page import Page
from duramen.tags import TAG_IDS, TEXT, UNSEEN

TITLE_CHARS = 500
SUBTREE_ROWS = 200  # of one element that are read, so that no page can make this slow

# Controls, and characters that only steer how others are shown.
NOT_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\ufeff]+")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_UNSEEN = frozenset(TAG_IDS[name] for name in UNSEEN)
_BREAK = TAG_IDS["br"]
_SPECIAL = _UNSEEN | {_BREAK}


def first_rows(page: Page, row: int) -> range:
    """The first rows of an element, itself included."""
    return range(row, min(int(page.end[row]), row + SUBTREE_ROWS))


def shown_text(page: Page, row: int) -> str:
    """The text of an element, without that of scripts, styles and the like inside it."""
    stop = first_rows(page, row).stop
    tags, places = page.tag[row:stop].tolist(), page.text_at[row : stop + 1].tolist()
    if _SPECIAL.isdisjoint(tags):  # most elements: their text is one piece
        return page.text[places[0] : places[-1]].decode("utf-8", "replace")
    pieces: list[bytes] = []
    at = 0
    while at < len(tags):
        if tags[at] == TEXT:
            pieces.append(page.text[places[at] : places[at + 1]])
        elif tags[at] == _BREAK:
            pieces.append(b" ")
        elif at and tags[at] in _UNSEEN:
            at = int(page.end[row + at]) - row
            continue
        at += 1
    return b"".join(pieces).decode("utf-8", "replace")


def one_line(text: str | None, limit: int = TITLE_CHARS) -> str | None:
    """One line without control characters, of at most `limit` characters; None for nothing."""
    if not text:
        return None
    text = text[: 8 * limit]
    line = " ".join((text if text.isprintable() else NOT_SHOWN.sub(" ", text)).split())
    return line[:limit].rstrip() or None


def key_of(text: str) -> str:
    """Letters and digits only, to compare titles and names."""
    return "".join(filter(str.isalnum, text.casefold()))


def words_of(text: str) -> list[str]:
    """Words to compare; of Chinese and Japanese, characters."""
    return _WORD.findall(text.casefold())
