"""The language of a page: as stated, else as the script of its text shows."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from duramen.measure import seen_text
from duramen.metadata.statements import Statements
from duramen.page import Page

META = ("content-language", "og:locale", "dc.language", "dcterms.language", "language")
SCRIPT_BYTES = 1 << 14  # of visible text, to know its script
SCRIPT_SHARE = 0.2  # of all letters: a script with fewer is not that of the page
CJK_CHARS = 100  # more of them contradict a stated `en`
KANA_SHARE = 0.05  # of Han and kana: Japanese
TELLING_SHARE = 0.003  # of a script's letters: what only one of its languages has
_TAG = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?(?![a-z\d])")
# First code point, and the script or the one language that uses it; letters up to the next entry. "" is no script.
_SCRIPTS = (
    (0x0000, ""), (0x0041, "latin"), (0x005B, ""), (0x0061, "latin"), (0x007B, ""), (0x00C0, "latin"), (0x0250, ""),
    (0x0370, "el"), (0x0400, "cyrillic"), (0x0530, "hy"), (0x0590, "he"), (0x0600, "arabic"), (0x0780, ""),
    (0x0900, "devanagari"), (0x0980, "bengali"), (0x0A00, "pa"), (0x0A80, "gu"), (0x0B00, "or"), (0x0B80, "ta"),
    (0x0C00, "te"), (0x0C80, "kn"), (0x0D00, "ml"), (0x0D80, "si"), (0x0E00, "th"), (0x0E80, "lo"), (0x0F00, "bo"),
    (0x1000, "my"), (0x10A0, "ka"), (0x1100, "ko"), (0x1200, ""), (0x1780, "km"), (0x1800, ""), (0x1E00, "latin"),
    (0x1F00, "el"), (0x2000, ""), (0x3041, "kana"), (0x3100, ""), (0x3400, "han"), (0x4DC0, ""), (0x4E00, "han"),
    (0xA000, ""), (0xAC00, "ko"), (0xD7B0, ""), (0xF900, "han"), (0xFB00, ""), (0xFF66, "kana"), (0xFF9E, ""),
    (0x20000, "han"), (0x40000, ""),
)  # fmt: skip
_SCRIPT_STARTS = np.array([start for start, _ in _SCRIPTS], dtype=np.uint32)
# Letters and words that tell the languages of a script apart, in the order of asking; "" is two languages or more.
_TELLING: Mapping[str, tuple[tuple[str, str], ...]] = {
    "cyrillic": (
        *(("ў", "be"), ("ї є ґ", "uk"), ("ѓ ќ ѕ", "mk"), ("ј љ њ ћ", "sr"), ("қ ғ ң ү ө ә һ", "")),
        *(("ы э", "ru"), ("ъ", "bg")),
    ),
    "arabic": (("ټ ډ ړ ښ", "ps"), ("ٹ ڈ ے ں", "ur"), ("ڕ ێ ۆ ڵ", "ckb"), ("پ چ ژ گ", "fa"), ("ة ى أ إ", "ar")),
    "devanagari": (("आहे", "mr"), ("छ", "ne"), ("है", "hi")),
    "bengali": (("ৰ ৱ", "as"), ("র", "bn")),
}  # fmt: skip


def find_language(said: Statements) -> str | None:
    """The language as stated, else as the script shows. `en` on a page in Chinese is a template's, not the page's."""
    page = said.page
    stated = bcp47(page.attribute(0, "lang") or "")
    if stated is None:
        texts = (page.attribute(0, "xml:lang") or "", *said.all(META))
        stated = next(filter(None, map(bcp47, texts)), None)
    if stated is None or (stated[:2] == "en" and int(page.cjk.sum()) > CJK_CHARS):
        return _script_language(_sample(page)) or stated
    return stated


def bcp47(text: str) -> str | None:
    """A language tag in its usual form (`en_us` → `en-US`, `ZH-hant-tw` → `zh-Hant-TW`); None where it is none."""
    found = _TAG.match(text.strip().replace("_", "-").lower())
    if not found or found[1] in ("und", "mul", "zxx", "mis"):
        return None
    language, script, region = found.groups()
    return "-".join(part for part in (language, script and script.title(), region and region.upper()) if part)


def _sample(page: Page) -> str:
    """The first visible text of a page, in lower case."""
    rows = np.flatnonzero(seen_text(page))
    starts, stops = page.text_at[rows], page.text_at[rows + 1]
    count = int(np.searchsorted(np.cumsum(stops - starts), SCRIPT_BYTES)) + 1
    pieces = (page.text[start:stop] for start, stop in zip(starts[:count].tolist(), stops[:count].tolist()))
    return b" ".join(pieces)[: 2 * SCRIPT_BYTES].decode("utf-8", "ignore").lower()


def _script_language(text: str) -> str | None:
    """The language that the script of a text gives away, if only one uses it or its letters tell."""
    letters = _letters(text)
    total = sum(letters.values())
    kana, han = letters.pop("kana"), letters.pop("han")
    letters["ja" if kana > KANA_SHARE * (kana + han) else "zh"] = kana + han
    del letters["latin"]
    script, number = max(letters.items(), key=lambda entry: entry[1])
    if number <= SCRIPT_SHARE * total:
        return None
    for signs, language in _TELLING.get(script, ()):
        if sum(map(text.count, signs.split())) > TELLING_SHARE * number:
            return language or None
    return None if script in _TELLING else script


def _letters(text: str) -> dict[str, int]:
    """How many letters of each script a text has."""
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    counts = np.bincount(np.searchsorted(_SCRIPT_STARTS, points, side="right") - 1, minlength=len(_SCRIPTS))
    letters = dict.fromkeys((name for _, name in _SCRIPTS), 0)
    for (_, name), count in zip(_SCRIPTS, counts.tolist()):
        letters[name] += count
    del letters[""]
    return letters
