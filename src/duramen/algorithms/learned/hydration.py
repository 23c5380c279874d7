"""Text that a page carries in its scripts: what frameworks send along to fill the page with, and JSON-LD.

Nothing is run, and no tree is built: the scripts are searched for long JSON strings, which read the same in JSON, in
`window.__STATE__ = {…}` and in calls that push pieces of a page. So size only costs time, and depth nothing.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from duramen.page import Page

# What is read and given back at most, so that no page can make this slow.
SCRIPT_BYTES = 1 << 22  # of all scripts
RECOVERED_CHARS = 1 << 19
STRINGS = 5000
# JSON in a string in JSON, as far as it is followed.
NESTED = 2

STRING_CHARS = 60  # the shortest string that is looked at: about a sentence
PROSE_LETTERS = 0.7  # share of letters and blanks in a string of prose
SENTENCE_WORDS = 8

# One that is never closed goes to the end: were it no match, each quotation mark in it would be tried in turn.
_STRING = re.compile(r'(?:"([\w@$:.-]{1,40})"\s{0,9}:\s{0,9})?"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?\Z)', re.DOTALL)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,2000}>")
_BLOCK_TAG = re.compile(r"</?(?:p|div|br|h[1-6]|ul|ol|li|table|section|article|blockquote)\b", re.IGNORECASE)
_ENDS = re.compile(r"[.!?…。！？؟।][\"'”’»)\]]*(?:\s|$|(?<=[。！？]))")
_CODE = re.compile(r"[{};]\s*\n|=>|function\s*\(|https?://\S{200}|^\s*[.#@][\w-]+\s*\{|\bvar\(--|base64,")
# Under these keys stands what a page says about itself or its cookies, not what it is about.
_OTHER_KEYS = re.compile(
    r"cookie|consent|privacy|legal|terms|disclaimer|copyright|gdpr|error|message|label|tooltip|placeholder|aria|alt$"
    r"|seo|meta|og:|twitter|css|style|svg|script|url|src|href|query|schema|license|user_?agent|bio$|biograph",
    re.IGNORECASE,
)
_ARTICLE_KEYS = ("articleBody",)


@dataclass(frozen=True, slots=True)
class Recovered:
    """Text found in scripts, as HTML, and how many words it has."""

    html: str
    words: int
    key: str  # what it stood under


def recovered(page: Page) -> Recovered | None:
    """The longest prose that the page's scripts carry under one key, or None."""
    found: dict[str, dict[str, int]] = {}
    for key, text in _strings(page):
        words = _prose_words(text)
        if words and not _OTHER_KEYS.search(key):
            found.setdefault(key, {}).setdefault(text, words)
    if not found:
        return None
    stated = next((key for key in _ARTICLE_KEYS if key in found), None)
    key = stated or max(found, key=lambda name: sum(found[name].values()))
    texts = found[key]
    made = "\n".join(map(_as_html, texts))[:RECOVERED_CHARS]
    return Recovered(made, sum(texts.values()), key)


def _strings(page: Page) -> Iterator[tuple[str, str]]:
    """Long strings in the scripts, in order, with the key that each stands under."""
    room, count = SCRIPT_BYTES, 0
    for row in np.flatnonzero(page.named("script")).tolist():
        source = page.utf8_of(row)
        if len(source) < STRING_CHARS or b'"' not in source:
            continue
        source, room = source[: max(room, 0)], room - len(source)
        waiting = [(source.decode("utf-8", "replace"), NESTED)]
        while waiting and count < STRINGS:
            text, levels = waiting.pop()
            for match in _STRING.finditer(text):
                value = _read(match[2]) if match.end(2) - match.start(2) >= STRING_CHARS else None
                if value is None:
                    continue
                count += 1
                if levels and '":' in value:
                    waiting.append((value, levels - 1))
                else:
                    yield match[1] or "", value
                if count >= STRINGS:
                    break


def _read(literal: str) -> str | None:
    try:
        value = json.loads(f'"{literal}"', strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _prose_words(text: str) -> int:
    """The words of a text that reads like prose; 0 where it does not."""
    if _CODE.search(text[:5000]):
        return 0
    plain = html.unescape(_TAG.sub(" ", text))
    size = len(plain)
    if size < STRING_CHARS * 2 // 3 or not _ENDS.search(plain):
        return 0
    letters = sum(map(str.isalpha, plain)) + plain.count(" ")
    words = len(plain.split())
    wide = sum("\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" for letter in plain[:2000])
    if wide > min(size, 2000) / 4:
        words = max(words, size // 2)
    return words if letters >= PROSE_LETTERS * size and words >= SENTENCE_WORDS else 0


def _as_html(text: str) -> str:
    """A string as HTML: as it is where it has markup, else in paragraphs."""
    if _BLOCK_TAG.search(text):
        return f"<div>{text}</div>"
    if "&lt;" in text and _BLOCK_TAG.search(html.unescape(text)):
        return f"<div>{html.unescape(text)}</div>"
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines if line)
