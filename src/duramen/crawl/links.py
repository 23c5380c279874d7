"""The links of a page, and which of them a crawl may follow; every other one is dropped for a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from duramen.crawl.urls import canonical, host_of, join, quick, tidy
from duramen.page import HREF, Page
from duramen.tags import TAG_IDS

LINK_EXCLUDE: tuple[str, ...] = (
    r"[/._-](log-?in|log-?on|log-?out|sign-?in|sign-?up|sign-?out|regist(er|ration)|passport)([/._?&=-]|$)",
    r"[?&](action|do|mod|act)=(login|logout|register|logging|reply|newthread|post|report)\b",
    r"[/._](search|so)([/._?]|$)",
    r"[?&](q|query|keyword|keywords|wd)=",
    r"[/._?&]print(able|er|view)?([/._=?&]|$)",
    r"[/._](ads?|adv|advert|advertising|adserver|doubleclick|click|banner)([/._?]|$)",
)
"""What URLs to log in, register, search, print and advertise look like."""

MEDIA_SUFFIXES = frozenset(
    """
    jpg jpeg png gif bmp ico svg webp avif tif tiff psd css js mjs json xml rss atom woff woff2 ttf eot zip rar 7z gz
    bz2 xz tar tgz iso dmg apk exe msi deb rpm jar bin pdf doc docx xls xlsx ppt pptx odt ods epub mobi mp3 mp4 m4a m4v
    wav ogg oga ogv flac wma wmv avi mov mkv flv swf rm rmvb webm torrent csv
    """.split()
)

Kind = Literal["link", "frame"]
Dropped = Literal[
    "empty",
    "script",
    "mail",
    "phone",
    "data",
    "scheme",  # any other than http and https
    "bad_url",
    "same_page",
    "media",
    "other_host",
    "not_included",
    "excluded",
    "duplicate",
]
"""Why a link is dropped."""
_SCHEMES: dict[str, Dropped] = {
    "javascript": "script",
    "vbscript": "script",
    "mailto": "mail",
    "tel": "phone",
    "sms": "phone",
    "data": "data",
}
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_SUFFIX = re.compile(r"^[^?]*\.([a-z0-9]{1,8})(?:$|\?)", re.IGNORECASE)
_ANCHOR_CHARS = 200
_ALONE = re.compile(r"\\[0-9]|\(\?[^:]")  # references, flags, names: they mean something else in a longer expression


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: where it leads, its text, and why it is dropped (None: it may be followed)."""

    url: str
    text: str
    kind: Kind = "link"
    dropped: Dropped | None = None


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """Which links are useful."""

    include: tuple[str, ...] = ()  # regular expressions; none: everything
    exclude: tuple[str, ...] = LINK_EXCLUDE
    same_host: bool = True

    def links(self, page: Page, url: str, encoding: str = "utf-8") -> list[Link]:
        """The links of the page at `url`, in its order, each one judged."""
        here = canonical(url) or url
        base = _base(page, url)
        found = []
        known: dict[str, tuple[str, Dropped | None]] = {}  # pages repeat themselves
        seen: set[str] = set()
        for address, text, kind in _addresses(page):
            judged = known.get(address)
            if judged is None:
                judged = known[address] = self._judged(base, tidy(address), here, encoding)
            target, reason = judged
            if reason is None:
                reason = "duplicate" if target in seen else None
                seen.add(target)
            found.append(Link(target, text, kind, reason))
        return found

    def _judged(self, base: str, address: str, here: str, encoding: str) -> tuple[str, Dropped | None]:
        if not address:
            return "", "empty"
        if address.startswith("#"):
            return address, "same_page"
        target = quick(base, address)
        if target is None:
            scheme = _SCHEME.match(address)
            if scheme and scheme[1].lower() not in ("http", "https"):
                return address[:_ANCHOR_CHARS], _SCHEMES.get(scheme[1].lower(), "scheme")
            joined = join(base, address)
            target = joined and canonical(joined, encoding)
        if not target:
            return address[:_ANCHOR_CHARS], "bad_url"
        if target == here:
            return target, "same_page"
        return target, self.drops(target, here)

    def drops(self, target: str, here: str) -> Dropped | None:
        """Why a canonical URL is not followed from the page `here`."""
        _, _, rest = target.partition("//")
        host, _, path = rest.partition("/")
        suffix = _SUFFIX.search(path)
        if suffix and suffix[1].lower() in MEDIA_SUFFIXES:
            return "media"
        if self.same_host and host != host_of(here):
            return "other_host"
        if self.include and not any(pattern.search(target) for pattern in _compiled(self.include)):
            return "not_included"
        if any(pattern.search(target) for pattern in _compiled(self.exclude)):
            return "excluded"
        return None


@lru_cache(maxsize=64)
def _compiled(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """The expressions: those that may be joined as one, which is faster."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns if not _ALONE.search(pattern))
    alone = [pattern for pattern in patterns if _ALONE.search(pattern)]
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in ([joined] if joined else []) + alone)


def is_frameset(page: Page) -> bool:
    """Whether the page is nothing but frames."""
    return page.first("frameset") is not None


def _base(page: Page, url: str) -> str:
    """What relative addresses are relative to: the first `<base href>`, else the page's own URL."""
    for row in np.flatnonzero(page.tag == TAG_IDS["base"]).tolist():
        href = page.attribute(row, "href")
        if href is not None:
            joined = join(url, tidy(href))
            return joined if joined and canonical(joined) else url
    return url


def _addresses(page: Page) -> Iterator[tuple[str, str, Kind]]:
    """Address, text and kind of all links and frames, in document order."""
    framed = (page.tag == TAG_IDS["frame"]) | (page.tag == TAG_IDS["iframe"])
    rows = np.flatnonzero(((page.flags & HREF) != 0) | framed)
    firsts, lasts = page.attr_at[rows].tolist(), page.attr_at[rows + 1].tolist()
    starts, stops = page.text_at[rows].tolist(), page.text_at[page.end[rows]].tolist()
    names, values, attrs = page.attr_name_at.tolist(), page.attr_value_at.tolist(), page.attrs
    for is_frame, first, last, start, stop in zip(framed[rows].tolist(), firsts, lasts, starts, stops):
        said = {attrs[names[k] : values[k]]: attrs[values[k] : names[k + 1]] for k in range(first, last)}
        if is_frame:
            yield _decoded(said.get(b"src")), _decoded(said.get(b"name")), "frame"
            continue
        # A link around half of the page has a long text.
        text = page.text[start : min(stop, start + 8 * _ANCHOR_CHARS)].decode("utf-8", "ignore").strip()
        text = text or _decoded(said.get(b"title") or said.get(b"alt"))
        yield _decoded(said.get(b"href")), " ".join(text.split())[:_ANCHOR_CHARS], "link"


def _decoded(value: bytes | None) -> str:
    return value.decode("utf-8", "replace") if value else ""
