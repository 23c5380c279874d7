"""What the first bytes give away: a byte-order mark, UTF-16 without one, a file that is no page."""

from __future__ import annotations

import codecs

from duramen.decode.decoders import UTF16

HEAD_BYTES = 2048  # where NULs and control bytes are counted
NUL_SHARE = 0.3  # of the even or the odd bytes: UTF-16
CONTROL_SHARE = 0.05  # of the first bytes: random bytes have 10 %, text has none

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_CONTROLS = bytes((*range(0x09), *range(0x0E, 0x1B), *range(0x1C, 0x20)))
# Files that begin like this are no pages. Where a mark could begin a text (BM, RIFF, ID3), control bytes tell.
_SIGNATURES = (
    b"%PDF-",
    b"%!PS-Adobe-",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",  # JPEG
    b"GIF87a",
    b"GIF89a",
    b"PK\x03\x04",  # zip, Office, EPUB
    b"PK\x05\x06",
    b"\x1f\x8b\x08",  # gzip
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"\x28\xb5\x2f\xfd",  # Zstandard
    b"Rar!\x1a\x07",
    b"\x7fELF",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",  # Word, Excel before 2007
    b"SQLite format 3\x00",
)


def is_binary(head: bytes) -> bool:
    """An image, a PDF, an archive …: by its signature, or by control bytes that no text has."""
    if head.startswith(_SIGNATURES) or head[4:8] == b"ftyp":  # ftyp: MP4, HEIC and their kin
        return True
    return len(head) - len(head.translate(None, _CONTROLS)) > CONTROL_SHARE * len(head)


def unmarked_utf16(head: bytes, stated: str | None) -> str | None:
    """The UTF-16 that bytes without a byte-order mark are in, or None: in markup every other byte is NUL."""
    if b"\0" not in head or head.startswith(_SIGNATURES):
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    name = stated if stated in UTF16 else None
    if max(even, odd) > NUL_SHARE * len(head) / 2 and min(even, odd) < max(even, odd) / 4:
        name = "utf-16be" if even > odd else "utf-16le"
    return name if name and not is_binary(head.decode(name, "replace").encode()) else None
