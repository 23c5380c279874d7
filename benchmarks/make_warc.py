"""A WARC file of invented pages, as large and as mixed as a crawl: the same for the same seed.

    python benchmarks/make_warc.py crawl.warc.gz --pages 20000

Pages of 20 to 200 KB: news, blogs, shops, forums, manuals and lists in eight languages, with the menus, scripts,
styles, related links, cookie notes and footers that pages are made of. A request stands before each response and a
metadata record behind it, each a gzip member of its own, as crawlers write them.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

# Syllables make words that look like those of a language without being any text of it.
SYLLABLES = {
    "en": "the ing er an re on at en nd ti es or te of ed is it al ar st to nt ha ve co me de".split(),
    "de": "en er ch der ie in ein sch un ge ich die be nd ung te ver st auf ein mit den ge ter".split(),
    "fr": "es le de en re nt on er ou ai te la et el que les ne se ur me ti us ion pa ment qu".split(),
    "es": "de la en el os que as ar er do te ra ci on es an co ta ad al re nte ion lo se mi".split(),
    "pl": "ie ni rze sze wa na po za prze nie sta cie dzi ow ych ska wy go ma li ko ra ty mi".split(),
    "ru": "о на ст но ен то по ра ко во пр ни ре ет ть го ли де ла ва ми не ро та ка ны".split(),
    "zh": list("的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动"),
    "ja": "の に は た て と し を い で が な か ら れ も す る こ さ あ り 日 本 人 年 大 会 東 京".split(),
}
CHARSETS = {"en": "utf-8", "de": "iso-8859-1", "fr": "utf-8", "es": "windows-1252", "pl": "iso-8859-2"} | {
    "ru": "windows-1251",
    "zh": "gb2312",
    "ja": "shift_jis",
}
DENSE = frozenset({"zh", "ja"})  # written without blanks
KINDS = ("news", "blog", "shop", "forum", "manual", "listing")


class Writer:
    """Writes pages in one language."""

    def __init__(self, chance: random.Random, language: str) -> None:
        self.chance = chance
        self.language = language
        pieces = SYLLABLES[language]
        longest = 3 if language in DENSE else 4
        self.words = ["".join(chance.choices(pieces, k=chance.randint(1, longest))) for _ in range(400)]

    def phrase(self, least: int, most: int) -> str:
        words = self.chance.choices(self.words, k=self.chance.randint(least, most))
        return "".join(words) if self.language in DENSE else " ".join(words)

    def sentence(self) -> str:
        stop = "。" if self.language in DENSE else "."
        comma = "，" if self.language in DENSE else ", "
        return self.phrase(4, 9).capitalize() + comma + self.phrase(3, 10) + stop

    def paragraph(self) -> str:
        between = "" if self.language in DENSE else " "
        text = between.join(self.sentence() for _ in range(self.chance.randint(2, 6)))
        if self.chance.random() < 0.4:
            text += f' <a href="/{self.slug()}">{self.phrase(1, 4)}</a> {self.sentence()}'
        if self.chance.random() < 0.2:
            text += f" <b>{self.phrase(1, 3)}</b> <i>{self.phrase(1, 3)}</i>"
        return text

    def slug(self) -> str:
        return f"{self.chance.choice(KINDS)}/{self.chance.randrange(10**6)}-{self.chance.randrange(10**4)}"

    def links(self, count: int) -> str:
        rows = (
            f'<li class="item item-{n}"><a class="link" href="/{self.slug()}" '
            f'data-track="{self.chance.randrange(10**9)}">{self.phrase(1, 4)}</a></li>'
            for n in range(count)
        )
        return "\n".join(rows)

    def cards(self, count: int) -> str:
        rows = (
            f'<div class="card"><a href="/{self.slug()}"><img src="/img/{self.chance.randrange(10**6)}.jpg" alt="" '
            f'width="320" height="180" loading="lazy"></a><h3><a href="/{self.slug()}">{self.phrase(3, 8)}</a></h3>'
            f'<p class="teaser">{self.phrase(6, 14)}</p><span class="date">{self.date()}</span></div>'
            for _ in range(count)
        )
        return "\n".join(rows)

    def date(self) -> str:
        return f"{self.chance.randint(1, 28)}.{self.chance.randint(1, 12)}.{self.chance.randint(2005, 2026)}"

    def script(self, size: int) -> str:
        names = "abcdefghijklmnop"
        lines, length = [], 0
        while length < size:
            line = (
                f"var {self.chance.choice(names)}{self.chance.randrange(999)}=function(e,t){{return e&&t<"
                f'{self.chance.randrange(10**6)}?"{self.chance.randrange(10**12):x}":[{self.chance.random():.6f}]}};'
            )
            lines.append(line)
            length += len(line)
        return "<script>" + "\n".join(lines) + "</script>"

    def style(self, size: int) -> str:
        lines, length = [], 0
        while length < size:
            colour = self.chance.randrange(1 << 24)
            line = (
                f".c{self.chance.randrange(9999)}>a:hover{{margin:{self.chance.randrange(40)}px;color:#{colour:06x}}}"
            )
            lines.append(line)
            length += len(line)
        return "<style>" + "\n".join(lines) + "</style>"


def main_part(writer: Writer, kind: str, title: str) -> str:
    """The content of a page of that kind; most have their title as heading."""
    chance = writer.chance
    parts = [f"<h1>{title if chance.random() < 0.85 else writer.phrase(3, 9)}</h1>"]
    if kind in ("news", "blog", "manual"):
        parts.append(f'<p class="byline">{writer.phrase(2, 3)} | {writer.date()}</p>')
        for number in range(chance.randint(8, 40)):
            if number % 6 == 5:
                parts.append(f"<h2>{writer.phrase(2, 6)}</h2>")
            parts.append(f"<p>{writer.paragraph()}</p>")
            if kind == "manual" and number % 4 == 3:
                parts.append(f"<pre><code>{writer.phrase(8, 20)}</code></pre>")
                parts.append("<ol>" + "".join(f"<li>{writer.sentence()}</li>" for _ in range(4)) + "</ol>")
    elif kind == "shop":
        rows = "".join(
            f"<tr><th>{writer.phrase(1, 2)}</th><td>{writer.phrase(1, 4)}</td></tr>"
            for _ in range(chance.randint(6, 20))
        )
        parts.append(f'<div class="price">{chance.randrange(10**4) / 100}</div><table>{rows}</table>')
        parts += [f"<p>{writer.paragraph()}</p>" for _ in range(chance.randint(3, 10))]
    elif kind == "forum":
        for number in range(chance.randint(5, 25)):
            body = "".join(f"<p>{writer.paragraph()}</p>" for _ in range(chance.randint(1, 4)))
            parts.append(f'<div class="post" id="p{number}"><div class="user">{writer.phrase(1, 2)}</div>{body}</div>')
    else:
        parts.append(writer.cards(chance.randint(20, 60)))
    return "\n".join(parts)


def page(chance: random.Random, language: str, kind: str) -> tuple[bytes, str]:
    """One page, encoded as pages of its language often are, and how."""
    writer = Writer(chance, language)
    size = int(min(200_000, max(20_000, chance.lognormvariate(11.2, 0.6))))
    charset = CHARSETS[language] if chance.random() < 0.35 else "utf-8"
    title = writer.phrase(3, 8)
    head = (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="{charset}">'
        f"<title>{title} - {writer.phrase(1, 2)}</title>"
        f'<meta name="description" content="{writer.sentence()}"><meta property="og:title" content="{title}">'
        f'<link rel="stylesheet" href="/s.css">{writer.style(size // 8)}{writer.script(size // 6)}</head>'
    )
    parts = [
        head,
        f'<body class="{kind}"><header><nav><ul>{writer.links(chance.randint(15, 50))}</ul></nav></header>',
        '<div id="wrap">',
        f'<main class="content">{main_part(writer, kind, title)}</main>',
    ]
    foot = (
        f'<div class="cookies"><p>{writer.sentence()}</p><button>{writer.phrase(1, 2)}</button></div></div>'
        f"<footer><ul>{writer.links(chance.randint(10, 40))}</ul><p>© {writer.phrase(1, 3)}</p></footer></body></html>"
    )
    length = sum(map(len, parts)) + len(foot)
    while length < size:  # what surrounds the content fills the page up
        more = chance.choice((_aside, _related, _code))(writer)
        parts.append(more)
        length += len(more.encode()) if language in ("ru", "zh", "ja") else len(more)
    return "\n".join([*parts, foot]).encode(charset, "xmlcharrefreplace"), charset


def _aside(writer: Writer) -> str:
    return f'<aside class="side"><h4>{writer.phrase(1, 3)}</h4><ul>{writer.links(20)}</ul></aside>'


def _related(writer: Writer) -> str:
    return f'<section class="related">{writer.cards(8)}</section>'


def _code(writer: Writer) -> str:
    return writer.script(6000)


def records(pages: int, seed: int) -> Iterator[bytes]:
    """The records of the file, plain."""
    yield _record("warcinfo", "", b"software: make_warc\r\n", UUID(int=seed), "application/warc-fields")
    for number in range(pages):
        chance = random.Random(seed * 1_000_003 + number)
        language, kind = chance.choice(list(SYLLABLES)), chance.choice(KINDS)
        url = f"https://www{number % 97}.{kind}.example/{language}/{number}"
        body, charset = page(chance, language, kind)
        content_type = f"text/html; charset={charset}" if chance.random() < 0.6 else "text/html"
        http = (
            f"HTTP/1.1 200 OK\r\nServer: made-up\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        asked = f"GET /{language}/{number} HTTP/1.1\r\nHost: www{number % 97}.{kind}.example\r\n\r\n"
        yield _record("request", url, asked.encode(), _name(chance), "application/http; msgtype=request")
        yield _record("response", url, http.encode() + body, _name(chance), "application/http; msgtype=response")
        yield _record("metadata", url, b"fetchTimeMs: 120\r\n", _name(chance), "application/warc-fields")


def _name(chance: random.Random) -> UUID:
    return UUID(int=chance.getrandbits(128), version=4)


def _record(kind: str, url: str, block: bytes, name: UUID, content_type: str) -> bytes:
    target = f"WARC-Target-URI: {url}\r\n" if url else ""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-03-01T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:{name}>\r\n"
        f"{target}Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Make a WARC file of invented pages.")
    parser.add_argument("path", type=Path)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    packed = chosen.path.suffix == ".gz"
    plain = 0
    with chosen.path.open("wb") as file:
        for record in records(chosen.pages, chosen.seed):
            file.write(gzip.compress(record, 5, mtime=0) if packed else record)
            plain += len(record)
    size = chosen.path.stat().st_size
    sys.stdout.write(f"{chosen.path}: {chosen.pages:,} pages, {size / 1e6:,.0f} MB, plain {plain / 1e6:,.0f} MB\n")


if __name__ == "__main__":
    main()
