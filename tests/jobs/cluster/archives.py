"""Small WARC files for the tests of the cluster."""

from __future__ import annotations

import gzip
from pathlib import Path


def page(number: int) -> str:
    return (
        f"<html><head><title>Page {number}</title></head><body><ul><li><a href=/>Home</a></ul><h1>Page {number}</h1>"
        f"<p>Rain number {number} is coming, say the forecasters. Take a coat, take a hat, and stay at home.</p></body>"
    )


def record(number: int, body: bytes | None = None) -> bytes:
    """One gzip member with one response."""
    html = page(number).encode() if body is None else body
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(html) + html
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
        f"WARC-Date: 2024-05-01T00:00:00Z\r\nWARC-Target-URI: https://site.example/{number}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", 6, mtime=0)


def write_archives(folder: Path, files: int, pages: int) -> list[Path]:
    """Archives of so many pages each, no two pages alike."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:02d}.warc.gz" for number in range(files)]
    for at, path in enumerate(paths):
        path.write_bytes(b"".join(record(at * pages + number) for number in range(pages)))
    return paths
