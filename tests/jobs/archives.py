"""Small archives of invented pages."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

WORDS = """harbour ferry captain seal winter market bread river bridge lantern orchard station letter garden mountain
window painter teacher forest village kitchen summer island council library engine blanket""".split()


def story(number: int, sentences: int = 12) -> str:
    """Some invented text, the same for the same number."""
    chance = random.Random(number)
    lines = [" ".join(chance.choices(WORDS, k=chance.randint(6, 14))).capitalize() for _ in range(sentences)]
    return ", as they say. ".join(lines) + "."


def page(number: int) -> str:
    """A page with a menu, an article and a footer."""
    menu = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in WORDS[:6])
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Story {number}</title></head><body>'
        f"<ul>{menu}</ul><div><h1>Story {number}</h1><p>{story(number)}</p><p>{story(number + 1000)}</p></div>"
        f'<p><a href="/terms">Terms</a> ©</p></body></html>'
    )


def response(number: int, body: bytes | None = None, content_type: str = "text/html; charset=utf-8") -> bytes:
    """A response record of a WARC file."""
    body = page(number).encode() if body is None else body
    http = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (content_type.encode(), len(body))
    return record("response", number, http + body)


def record(kind: str, number: int, block: bytes) -> bytes:
    """A record of a WARC file."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012d}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://site.example/{number}\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def request(number: int) -> bytes:
    """A request record, which a reader of pages passes over."""
    return record("request", number, b"GET / HTTP/1.1\r\nHost: site.example\r\n\r\n")


def members(count: int) -> list[bytes]:
    """Compressed records: a request and a response for each page."""
    plain = (maker(number) for number in range(count) for maker in (request, response))
    return [gzip.compress(one, mtime=0) for one in plain]


def warc(path: Path, count: int) -> Path:
    """A WARC file of so many pages, compressed where its name says so."""
    if path.suffix == ".gz":
        path.write_bytes(b"".join(members(count)))
    else:
        path.write_bytes(b"".join(maker(number) for number in range(count) for maker in (request, response)))
    return path


def lines(count: int) -> bytes:
    """Pages as JSON lines."""
    made = (json.dumps({"url": f"https://site.example/{number}", "html": page(number)}) for number in range(count))
    return "".join(f"{line}\n" for line in made).encode()
