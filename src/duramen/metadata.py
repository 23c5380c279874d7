"""What a page says of itself: title, author, date, site, language, description, image and address.

Only rows of the few elements that carry such statements are read. Nothing is made up: what is neither stated nor
shown is None, apart from the language, which the script of the text may give away.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from itertools import pairwise
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np

from duramen.measure import seen_text
from duramen.page import HREF, Page
from duramen.tags import TAG_IDS, TAG_NAMES, UNSEEN, tag_mask

# What is read at most, so that no page can make this slow.
TITLE_CHARS = 500
TEXT_CHARS = 2000
URL_CHARS = 2048
JSON_BYTES = 1 << 18  # of one JSON-LD script
JSON_OBJECTS = 200  # of all of them
ROWS = 200  # of one kind of element, or below one element
HEADINGS = 20


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself; None where it says nothing."""

    title: str | None = None
    author: str | None = None  # several are joined by ", "
    date: str | None = None  # of publication: ISO 8601, a date or a date with time
    site: str | None = None
    language: str | None = None  # BCP 47: "en-US", "zh"
    description: str | None = None
    image: str | None = None  # an absolute http(s) address, as is `url`
    url: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """The fields by name."""
        return dataclasses.asdict(self)


# Names of <meta> elements (name, property, itemprop or http-equiv), the most trustworthy first.
SITE = ("og:site_name", "application-name", "dc.publisher", "apple-mobile-web-app-title")
DESCRIPTION = ("og:description", "description", "twitter:description", "dc.description", "dcterms.description")
IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "thumbnailurl")
ADDRESS = ("og:url", "twitter:url")
TITLE = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title", "headline", "parsely-title")
AUTHOR = (
    *("author", "article:author", "article:author_name", "dc.creator", "dcterms.creator", "citation_author"),
    *("parsely-author", "sailthru.author", "byl"),
)
DATE = (
    *("article:published_time", "og:published_time", "article:published", "datepublished", "parsely-pub-date"),
    *("sailthru.date", "pubdate", "publishdate", "publish_date", "publish-date", "citation_publication_date"),
    *("dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date", "dcterms.date", "date"),
)
LANGUAGE = ("content-language", "og:locale", "dc.language", "dcterms.language", "language")


def metadata(page: Page, *, title_row: int | None = None, url: str | None = None) -> Metadata:
    """The metadata of a page. `title_row` is the title that an algorithm found, `url` where the page came from."""
    rows = _rows(page)
    meta, links, about = _meta(page, rows), _links(page, rows), _linked_data(page, rows)
    base = _base(page, rows, url)
    site = _clean(_first(meta, SITE), TITLE_CHARS) or about.site
    title = None if title_row is None else _clean(_shown(page, title_row), TITLE_CHARS)
    return Metadata(
        title=title or _title(page, rows, meta, about, _site_keys(site, url), url),
        author=_author(page, meta, about, site),
        date=_date(page, rows, meta, about),
        site=site,
        language=_language(page, meta),
        description=_clean(_first(meta, DESCRIPTION) or about.text("description"), TEXT_CHARS),
        image=_address(base, (*_all(meta, IMAGE), about.address("image"), links.get("image_src"))),
        url=_address(base, (links.get("canonical"), *_all(meta, ADDRESS), url)),
    )


# --- what the elements say ----------------------------------------------------------------------------------------

Rows = Mapping[str, list[int]]
Meta = Mapping[str, list[str]]

_READ = ("title", "base", "link", "meta", "script", "h1", "h2", "h3", "time")
_READ_MASK = tag_mask(_READ)
_UNSEEN = tag_mask(UNSEEN)
_BREAK = TAG_IDS["br"]
_NO_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\ufeff]+")


def _rows(page: Page) -> Rows:
    """The rows of the elements that are read, by name, in document order."""
    found: dict[str, list[int]] = {name: [] for name in _READ}
    rows = np.flatnonzero(page.has_tag(_READ_MASK))
    for row, tag in zip(rows.tolist(), page.tag[rows].tolist()):
        if len(found[TAG_NAMES[tag]]) < ROWS:
            found[TAG_NAMES[tag]].append(row)
    return found


def _meta(page: Page, rows: Rows) -> Meta:
    """The contents of `<meta>` elements by name, in document order."""
    found: dict[str, list[str]] = {}
    for row in rows["meta"]:
        attributes = page.attributes(row)
        content = attributes.get("content", "").strip()
        if content:
            for kind in ("property", "name", "itemprop", "http-equiv"):
                if kind in attributes:
                    found.setdefault(attributes[kind].strip().lower(), []).append(unescape(content))
    return found


def _links(page: Page, rows: Rows) -> Mapping[str, str]:
    """The first address of each relation in `<link>` elements."""
    found: dict[str, str] = {}
    for row in rows["link"]:
        for relation in (page.attribute(row, "rel") or "").lower().split():
            if relation in ("canonical", "image_src"):
                found.setdefault(relation, page.attribute(row, "href") or "")
    return found


def _all(meta: Meta, names: Iterable[str]) -> Iterator[str]:
    return (value for name in names for value in meta.get(name, ()))


def _first(meta: Meta, names: Iterable[str]) -> str | None:
    return next(_all(meta, names), None)


def _shown(page: Page, row: int) -> str:
    """The text of an element, without that of scripts, styles and the like inside it."""
    pieces: list[str] = []
    at, end = row, min(int(page.end[row]), row + ROWS)
    while at < end:
        tag = int(page.tag[at])
        if tag == 0:
            pieces.append(page.text_of(at))
        elif tag == _BREAK:
            pieces.append(" ")
        elif at > row and _UNSEEN[min(tag, len(_UNSEEN) - 1)]:
            at = int(page.end[at])
            continue
        at += 1
    return "".join(pieces)


def _clean(text: str | None, limit: int) -> str | None:
    """One line without control characters, of at most `limit` characters; None for nothing."""
    if not text:
        return None
    line = " ".join(_NO_CHARACTER.sub(" ", text[: 8 * limit]).split())
    return line[:limit].rstrip() or None


# --- JSON-LD ------------------------------------------------------------------------------------------------------

# Objects about the page's subject, the first kind preferred. Others (breadcrumbs, organisations …) say nothing of it.
_ARTICLE = re.compile(r"article|posting|report|recipe|review|episode|howto", re.IGNORECASE)
_SUBJECT = re.compile(r"page|product|creativework|videoobject|event|book|course|software", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _About:
    """The page's JSON-LD: objects about its subject, all objects by id, and the name of the site."""

    subjects: tuple[Mapping[str, Any], ...] = ()
    by_id: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    site: str | None = None

    def value(self, key: str) -> Any:
        return next((subject[key] for subject in self.subjects if subject.get(key)), None)

    def text(self, key: str) -> str | None:
        value = self.value(key)
        return unescape(value) if isinstance(value, str) else None

    def address(self, key: str) -> str | None:
        value = self.value(key)
        value = value[0] if isinstance(value, list) else value
        if isinstance(value, dict):
            value = self.by_id.get(str(value.get("@id")), value)
            value = value.get("url") or value.get("contentUrl")
        return value if isinstance(value, str) else None

    def names(self, key: str) -> list[str]:
        """The names of people or organisations, which may be given as text, objects, references or lists of these."""
        value = self.value(key)
        found = []
        for item in value[:10] if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                item = item.get("name") or self.by_id.get(str(item.get("@id")), {}).get("name")
            if isinstance(item, list) and item:
                item = item[0]
            if isinstance(item, str) and (name := _clean(unescape(item), TITLE_CHARS)):
                found.append(name)
        return found


def _linked_data(page: Page, rows: Rows) -> _About:
    objects = [(_kind(item), item) for item in _json_objects(page, rows)]
    if not objects:
        return _About()
    articles = [item for kind, item in objects if _ARTICLE.search(kind)]
    others = [item for kind, item in objects if not _ARTICLE.search(kind) and _SUBJECT.search(kind)]
    about = _About((*articles, *others), {str(item["@id"]): item for _, item in objects if "@id" in item})
    sites = [item["name"] for kind, item in objects if kind == "WebSite" and isinstance(item.get("name"), str)]
    names = about.names("publisher") or sites
    return dataclasses.replace(about, site=_clean(unescape(names[0]), TITLE_CHARS) if names else None)


def _json_objects(page: Page, rows: Rows) -> Iterator[Mapping[str, Any]]:
    """The objects of all JSON-LD scripts, graphs unfolded; a script that does not parse is skipped."""
    count = 0
    for row in rows["script"]:
        if "ld+json" not in (page.attribute(row, "type") or "").lower():
            continue
        source = page.text[page.text_at[row] : page.text_at[page.end[row]]]
        try:
            waiting = [json.loads(source, strict=False)] if len(source) <= JSON_BYTES else []
        except (ValueError, RecursionError):
            continue
        while waiting and count < JSON_OBJECTS:
            item = waiting.pop()
            if isinstance(item, list):
                waiting += reversed(item[:JSON_OBJECTS])
            elif isinstance(item, dict):
                count += 1
                yield item
                waiting += [item[key] for key in ("mainEntity", "@graph") if key in item]


def _kind(item: Mapping[str, Any]) -> str:
    kind = item.get("@type")
    return " ".join(map(str, kind[:5])) if isinstance(kind, list) else str(kind)


# --- title --------------------------------------------------------------------------------------------------------

AGREEMENT = 0.5  # of a heading's words must be in the page's other titles; swept 0.3-0.9 on wcxb and trafilatura
SITE_WORDS = 5  # a longer segment of a title is no name of a site
_PERMALINK = re.compile(r"\s*[¶#§]\s*$")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_SEPARATOR = re.compile(r"\s+(?:[-–—•·›‹/~:]|::|--)\s+|\s*(?:[|｜»«]+|::)\s*|_+")


def _title(page: Page, rows: Rows, meta: Meta, about: _About, site: frozenset[str], url: str | None) -> str | None:
    """The heading that agrees with what the page is called elsewhere, else that name without the name of the site."""
    stated = (_first(meta, TITLE), about.text("headline"), _title_element(page, rows))
    outside = [text for title in stated if (text := _clean(title, TITLE_CHARS))]
    runs = {key for title in outside for key in _runs(title)}
    headings = _headings(page, rows["h1"], site)
    same = [text for row, text in headings if _key(text) in runs and not _links_home(page, row, url)]
    if not same:
        lower = _headings(page, sorted(rows["h2"] + rows["h3"]), site)
        same = [text for row, text in lower if _key(text) in runs and not _links_home(page, row, url)]
    if same:
        return max(same, key=len)
    inside = [text for row, text in headings if not _links_home(page, row, url)]
    called = {word for title in outside for word in _words(title)}
    agreement = [sum(word in called for word in words) / max(len(words), 1) for words in map(_words, inside)]
    if outside and max(agreement, default=0.0) < AGREEMENT:
        return _without_site(outside[0], site)
    return inside[int(np.argmax(agreement))] if inside else None


def _title_element(page: Page, rows: Rows) -> str | None:
    """The text of `<title>`, which drawings have too."""
    for row in rows["title"]:
        if page.tag_name(int(page.parent[row])) in ("head", "body"):
            return page.text_of(row)
    return None


def _headings(page: Page, rows: list[int], site: frozenset[str]) -> list[tuple[int, str]]:
    """Rows and texts of headings that are not the name of the site."""
    texts = ((row, _clean(_PERMALINK.sub("", _shown(page, row)), TITLE_CHARS)) for row in rows[:HEADINGS])
    return [(row, text) for row, text in texts if text and _key(text) not in site]


def _links_home(page: Page, row: int, url: str | None) -> bool:
    """A heading around a link to the site's first page is its logo."""
    inside = np.flatnonzero(page.flags[row : min(int(page.end[row]), row + ROWS)] & HREF)
    href = (page.attribute(row + int(inside[0]), "href") or "#").strip() if len(inside) else "#"
    address = _split(_joined(url or "", href))
    return not href.startswith("#") and address[2] in ("", "/") and not address[3]


def _key(text: str) -> str:
    """Letters and digits only, to compare titles."""
    return "".join(filter(str.isalnum, text.casefold()))


def _words(text: str) -> list[str]:
    """Words to compare; of Chinese and Japanese, characters."""
    return _WORD.findall(text.casefold())


def _runs(title: str) -> set[str]:
    """The keys of all runs of segments of a title."""
    segments = [_key(segment) for segment in _SEPARATOR.split(title)][:12]
    return {"".join(segments[i:j]) for i in range(len(segments)) for j in range(i + 1, len(segments) + 1)} - {""}


def _site_keys(site: str | None, url: str | None) -> frozenset[str]:
    """The keys by which a site may be named: its name, its host and the parts of that but the last."""
    host = (_split(url or "")[1].rpartition("@")[2].partition(":")[0]).lower().removeprefix("www.")
    return frozenset(map(_key, (site or "", host, *host.split(".")[:-1]))) - {""}


def _without_site(title: str, site: frozenset[str]) -> str:
    """The title without segments at either end that name the site."""
    gaps = [(0, 0), *(found.span() for found in _SEPARATOR.finditer(title)), (len(title), len(title))]
    segments = [(before[1], after[0]) for before, after in pairwise(gaps)]
    while len(segments) > 1 and _names_site(title[slice(*segments[-1])], site):
        segments.pop()
    while len(segments) > 1 and _key(title[slice(*segments[0])]) in site:
        segments.pop(0)
    return title[segments[0][0] : segments[-1][1]].strip() or title


def _names_site(segment: str, site: frozenset[str]) -> bool:
    """`Example News` on example.com, `Example` of `The Example`: one holds the other."""
    key = _key(segment)
    if key in site or len(_words(segment)) > SITE_WORDS:
        return key in site
    return any(min(len(key), len(name)) > 3 and (key in name or name in key) for name in site)


# --- author -------------------------------------------------------------------------------------------------------

NAME_CHARS = 60
_BY = re.compile(
    r"(?:(?:written|posted|published|reviewed|words|story|text|view all posts)\s+)?"
    r"(?:by|von|por|par|author|autor|auteur|作者)(?![^\W\d_])\s*[:：]?\s*|作者[:：]?\s*|[:：|/·•–—-]+\s*",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"://|@|\d{3}|^(?:admin|editor|staff|guest|about|share|follow|contact)s?$|^.$", re.IGNORECASE)
_AUTHOR_CLASS = re.compile(rb"(?:^|[\s_-])(?:author|byline)(?:[_-]*(?:name|link|title|text))?(?:$|\s)", re.IGNORECASE)


def _author(page: Page, meta: Meta, about: _About, site: str | None) -> str | None:
    """Who wrote the page: names in JSON-LD, in `<meta>`, then the first element marked as the author's name."""
    for names in (about.names("author"), list(_all(meta, AUTHOR))):
        people = [name for text in names if (name := _person(text)) and name != site]
        if people:
            return ", ".join(dict.fromkeys(people))[:TITLE_CHARS]
    for row in _author_rows(page):
        for at in range(row, min(int(page.end[row]), row + ROWS)):
            if page.tag[at] == 0 and (name := _person(page.text_of(at))) and len(name) <= NAME_CHARS:
                return name
    return None


def _person(text: str) -> str | None:
    name = _clean(text, TITLE_CHARS)
    while name and (found := _BY.match(name)):
        name = name[found.end() :]
    return None if not name or _NO_NAME.search(name) else name


def _author_rows(page: Page) -> Iterator[int]:
    """Elements marked as an author's name: `rel` and `itemprop` first, then class names."""
    by_class = []
    for word in (b"author", b"byline"):
        # Looked up in the buffer of all attributes, which is much faster than element by element.
        at = page.attrs.find(word)
        for _ in range(ROWS):
            if at < 0:
                break
            number = int(np.searchsorted(page.attr_value_at, at, side="right")) - 1
            start, stop = int(page.attr_value_at[number]), int(page.attr_name_at[number + 1])
            if number >= 0 and at < stop:
                name, value = page.attrs[page.attr_name_at[number] : start], page.attrs[start:stop]
                row = int(np.searchsorted(page.attr_at, number, side="right")) - 1
                if name in (b"rel", b"itemprop") and b"author" in value.split():
                    yield row
                elif name == b"class" and _AUTHOR_CLASS.search(value):
                    by_class.append(row)
            at = page.attrs.find(word, at + len(word))
    yield from by_class


# --- date ---------------------------------------------------------------------------------------------------------

DATE_ROWS = 30  # text rows after the first heading where a date may stand, and a third of that before it
DATE_CHARS = 60  # a longer text is a sentence that mentions a date
_MONTH_NAMES = """
    jan ene gen janv, feb fév fev, mar mär mrz, apr avr abr, may mai mag maj, jun giu juin, jul lug juil, aug aoû ago,
    sep set, oct okt ott out, nov, dec dez déc dic
"""
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES.split(","), 1) for name in names.split()}
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d){_YEAR}\s?[-/.年]\s?(?P<month>[01]?\d)\s?[-/.月]\s?{_DAY}(?!\d)日?",
        rf"^{_YEAR}(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)",
        rf"(?<!\d){_DAY}\.\s?(?P<month>[01]?\d)\.\s?{_YEAR}(?!\d)",
        rf"(?<!\d){_DAY}(?:st|nd|rd|th|\.|º)?\s+(?:de\s+|of\s+)?(?P<name>[^\W\d_]{{3,10}})\.?,?\s+(?:de\s+)?{_YEAR}(?!\d)",
        rf"\b(?P<name>[^\W\d_]{{3,10}})\.?\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}(?!\d)",
    )
)
_CLOCK = re.compile(r"(?:T|\s+)(\d\d?):(\d\d)(?::(\d\d))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?", re.IGNORECASE)


def _date(page: Page, rows: Rows, meta: Meta, about: _About) -> str | None:
    """When the page was published: as stated, else in `<time>`, else as shown near the first heading."""
    stated = (*_all(meta, DATE), *(about.text(key) for key in ("datePublished", "dateCreated", "uploadDate")))
    for text in stated:
        if text and (date := iso_date(text)):
            return date
    times = [page.attributes(row) for row in rows["time"][:HEADINGS]]
    times.sort(key=lambda time: not (time.get("itemprop", "").lower() == "datepublished" or "pubdate" in time))
    in_time = (iso_date(time.get("datetime", "")) for time in times)
    return next(filter(None, in_time), None) or _shown_date(page, rows)


def _shown_date(page: Page, rows: Rows) -> str | None:
    if not rows["h1"]:
        return None
    short = np.flatnonzero((page.chars > 5) & (page.chars <= DATE_CHARS))
    heading = int(np.searchsorted(short, rows["h1"][0]))
    after, before = short[heading : heading + DATE_ROWS], short[max(0, heading - DATE_ROWS // 3) : heading]
    shown = (iso_date(page.text_of(row)) for row in (*after.tolist(), *before.tolist()))
    return next(filter(None, shown), None)


def iso_date(text: str) -> str | None:
    """The date in a short text, with its time if it has one, as ISO 8601; None where there is none that is certain.

    03/04/2024 is a day in March or in April, and so None.
    """
    text = text.strip()[:100]
    for pattern in _DATES:
        found = pattern.search(text)
        if not found:
            continue
        parts = found.groupdict()
        name = (parts.get("name") or "").lower()
        month = _MONTHS.get(name[:4]) or _MONTHS.get(name[:3]) if name else int(parts["month"])
        clock = _CLOCK.match(text, found.end())
        try:
            date = datetime(int(parts["year"]), month or 0, int(parts["day"]))
            if not clock:
                return date.date().isoformat()
            date = date.replace(hour=int(clock[1]), minute=int(clock[2]), second=int(clock[3] or 0))
        except ValueError:
            continue
        return date.isoformat() + _zone(clock[4] or "")
    return None


def _zone(text: str) -> str:
    if text.startswith(("+", "-")):
        return f"{text[:3]}:{text[-2:]}"
    return "+00:00" if text else ""


# --- addresses ----------------------------------------------------------------------------------------------------


def _base(page: Page, rows: Rows, url: str | None) -> str:
    """What relative addresses are relative to: `<base href>`, else where the page came from."""
    hrefs = (page.attribute(row, "href") for row in rows["base"])
    return next((_joined(url or "", href) for href in hrefs if href), url or "")


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return ""


def _split(url: str) -> tuple[str, str, str, str]:
    """Scheme, host with port, path and query; empty for what is no URL."""
    try:
        return urlsplit(url)[:4]
    except ValueError:
        return "", "", "", ""


def _address(base: str, candidates: Iterable[str | None]) -> str | None:
    """The first candidate that is an absolute http(s) address."""
    for candidate in candidates:
        if not candidate or len(candidate) > URL_CHARS:
            continue
        address = _joined(base, _NO_CHARACTER.sub("", candidate).strip().replace(" ", "%20"))
        scheme, host, *_ = _split(address)
        if scheme in ("http", "https") and host and len(address) <= URL_CHARS:
            return address
    return None


# --- language -----------------------------------------------------------------------------------------------------

SCRIPT_BYTES = 1 << 14  # of visible text, to know its script
SCRIPT_SHARE = 0.2  # of all letters: a script with fewer is not that of the page
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


def _language(page: Page, meta: Meta) -> str | None:
    """The language as stated, else as the script shows. `en` on a page in Chinese is a template's, not the page's."""
    texts = (page.attribute(0, "lang"), page.attribute(0, "xml:lang"), *_all(meta, LANGUAGE))
    stated = next((tag for text in texts if text and (tag := bcp47(text))), None)
    if stated is None or (stated[:2] == "en" and int(page.cjk.sum()) > 100):
        return _script_language(page) or stated
    return stated


def bcp47(text: str) -> str | None:
    """A language tag in its usual form (`en_us` → `en-US`, `ZH-hant-tw` → `zh-Hant-TW`); None where it is none."""
    found = _TAG.match(text.strip().replace("_", "-").lower())
    if not found or found[1] in ("und", "mul", "zxx", "mis"):
        return None
    language, script, region = found.groups()
    return "-".join(part for part in (language, script and script.title(), region and region.upper()) if part)


def _script_language(page: Page) -> str | None:
    """The language that the script of the visible text gives away, if only one uses it or its letters tell."""
    rows = np.flatnonzero(seen_text(page))
    starts, stops = page.text_at[rows], page.text_at[rows + 1]
    count = int(np.searchsorted(np.cumsum(stops - starts), SCRIPT_BYTES)) + 1
    pieces = (page.text[start:stop] for start, stop in zip(starts[:count].tolist(), stops[:count].tolist()))
    text = b" ".join(pieces)[: 2 * SCRIPT_BYTES].decode("utf-8", "ignore").lower()
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    letters = dict.fromkeys((name for _, name in _SCRIPTS), 0)
    for index, number in enumerate(np.bincount(np.searchsorted(_SCRIPT_STARTS, points, side="right") - 1).tolist()):
        letters[_SCRIPTS[index][1]] += number
    del letters[""]
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
