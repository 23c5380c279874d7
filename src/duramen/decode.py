"""Bytes → UTF-8, by the rules of browsers, and how the encoding was known.

In this order: a byte-order mark, UTF-16 shown by its NUL bytes, what the transport said, what the page says of itself,
what the bytes look like. Bytes that are valid UTF-8 are UTF-8 whatever a label says, and any other label that the bytes
contradict loses too. docs/decisions/0002-encodings.md has the reasons and the measurements.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import webencodings  # type: ignore[import-untyped]
from chardetng_py.detector import EncodingDetector  # type: ignore[import-untyped]

from duramen.errors import InputError, InputTooLarge

MAX_BYTES = 1 << 30
"""Largest input, in bytes."""

How = Literal["text", "bom", "transport", "meta", "xml", "utf-8", "detected"]
"""How an encoding was known: `text` there was none to find, the input was a `str`; `bom` a byte-order mark; `transport`
the `charset` argument; `meta` or `xml` the page's own label; `utf-8` no label, or a wrong one, but the bytes are UTF-8;
`detected` the bytes look like it."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page as UTF-8, and how its encoding was known."""

    utf8: bytes  # valid UTF-8 without a byte-order mark; the input itself where it is that already
    encoding: str  # WHATWG name in lower case; gb18030 for all of GB2312 and GBK; "binary" where it is no text
    how: How
    errors: int = 0  # replacement characters that decoding put in
    binary: bool = False  # an image, a PDF, an archive …: not a page, and `utf8` is empty


HEAD_BYTES = 2048  # where NULs and control bytes are counted
PRESCAN_BYTES = 1024  # where the standard looks for a label …
LABEL_BYTES = 1 << 16  # … and where a browser's parser still honours one it meets later
SAMPLE_BYTES = 1 << 16  # of the bytes around non-ASCII ones: what labels are judged on …
DETECT_BYTES = 1 << 13  # … and what the detector sees: it reads 6 MB/s and is sure after 3 KB
PIECE_BYTES = 1 << 12  # that validity is checked in; swept 1-64 KB on wcxb
LABEL_FAULTS = 0.01  # of the non-ASCII characters: a label may be this wrong before others are tried
DETECTED_FAULTS = 0.1  # the same for what the detector says: one lost byte spoils a line of GBK
UTF8_FAULTS = 0.4  # damaged UTF-8 is still UTF-8: no other encoding read as UTF-8 had less than 58 % in 3,900 texts
FEW_BYTES = 4  # fewer non-ASCII bytes say nothing of a Latin alphabet: a £ would become a Ł
NUL_SHARE = 0.3  # of the even or the odd bytes: UTF-16
CONTROL_SHARE = 0.05  # of the first bytes: random bytes have 10 %, text has none
VOTES = 16  # pieces that vote where one damaged character misled the detector

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
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


def decode(source: str | bytes | bytearray | memoryview, *, charset: str | None = None) -> Decoded:
    """The page as UTF-8. `charset` is what the transport said (a bare label or a whole Content-Type).

    Never fails on content: bytes that fit no encoding become U+FFFD and are counted, an unknown label is ignored.
    """
    if isinstance(source, str):
        return _from_text(source)
    data = _as_bytes(source)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name, "bom")
    stated = _label(charset)
    head = data[:HEAD_BYTES]
    wide = _wide(head, stated)
    if wide is not None:
        return _read(data, wide, "transport" if stated in ("utf-16le", "utf-16be") else "detected")
    if _is_binary(head):
        return Decoded(b"", "binary", "detected", binary=True)
    if stated in ("utf-16le", "utf-16be"):
        stated = "utf-8"  # without a NUL it cannot be UTF-16
    if data.isascii():
        encoding, how = next(_labels(data, stated, PRESCAN_BYTES), ("utf-8", "utf-8"))
        if b"\x1b" in data and _JIS_TEXT.search(data):
            return _read(data, "iso-2022-jp", how if encoding == "iso-2022-jp" else "detected")
        return Decoded(data, encoding, how)
    if _is_utf8(data):
        return Decoded(data, "utf-8", _utf8_known_from(data, stated, PRESCAN_BYTES))
    encoding, how = _choose(data, stated)
    return _read(data, encoding, how)


def _from_text(source: str) -> Decoded:
    _check_size(len(source))
    errors = 0
    text = source[1:] if source.startswith("\ufeff") else source
    try:
        utf8 = text.encode()
    except UnicodeEncodeError:  # lone surrogates; pairs of them are one character
        paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        errors = paired.count("\ufffd") - text.count("\ufffd")
        utf8 = paired.encode()
    _check_size(len(utf8))
    if _is_binary(utf8[:HEAD_BYTES]):
        return Decoded(b"", "binary", "text", binary=True)
    return Decoded(utf8, "utf-8", "text", errors)


def _as_bytes(source: object) -> bytes:
    if not isinstance(source, (bytes, bytearray, memoryview)):
        raise InputError(
            f"extract takes str or bytes, not {type(source).__name__}: "
            "pass the page itself, such as Path(name).read_bytes() or a response's content"
        )
    _check_size(source.nbytes if isinstance(source, memoryview) else len(source))
    return source if isinstance(source, bytes) else bytes(source)


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise InputTooLarge(f"the page has {size:,} bytes, the limit is {MAX_BYTES:,}: split it, or cut it off")


def _is_binary(head: bytes) -> bool:
    if head.startswith(_SIGNATURES) or head[4:8] == b"ftyp":
        return True
    return len(head) - len(head.translate(None, _CONTROLS)) > CONTROL_SHARE * len(head)


def _wide(head: bytes, stated: str | None) -> str | None:
    """UTF-16 without a byte-order mark: in markup every other byte is NUL."""
    if b"\0" not in head or head.startswith(_SIGNATURES):
        return None
    half = len(head) / 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    name = stated if stated in ("utf-16le", "utf-16be") else None
    if max(even, odd) > NUL_SHARE * half and min(even, odd) < max(even, odd) / 4:
        name = "utf-16be" if even > odd else "utf-16le"
    return name if name and not _is_binary(head.decode(name, "replace").encode()) else None


# --- labels -------------------------------------------------------------------------------------------------------

# Labels that pages use and the standard does not list.
_ALIASES = {
    "cp936": "gb18030",
    "ms936": "gb18030",
    "windows-936": "gb18030",
    "euc-cn": "gb18030",
    "cp950": "big5",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "utf_8": "utf-8",
    "latin-1": "windows-1252",
    # Decoders that the standard merged, kept for old habits or made harmless.
    "gbk": "gb18030",
    "x-user-defined": "windows-1252",
}
_META = re.compile(rb"<(?:!--(?s:.*?)(?:-->|\Z)|[mM][eE][tT][aA][\s/]([^<>]{0,2000}))")
_ATTRIBUTE = re.compile(rb"""([^\s=/"'>]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"'>]{1,40})["']""")


def _label(label: str | None) -> str | None:
    """The encoding that a label stands for, or None."""
    if not label:
        return None
    inner = _CHARSET.search(label)
    word = (inner[1] if inner else label).strip("\t\n\f\r \"'").lower()
    name = webencodings.LABELS.get(word, word)
    name = _ALIASES.get(name, name)
    # "replacement" (ISO-2022-KR, HZ …) asks browsers to show nothing: here the bytes may speak instead.
    return name if name in webencodings.LABELS and name != "replacement" else None


def _labels(data: bytes, stated: str | None, stop: int) -> Iterator[tuple[str, How]]:
    """What transport and page say of the encoding, the stronger first; the page's first `stop` bytes are read."""
    if stated is not None:
        yield stated, "transport"
    head = data[:stop]
    for tag in _META.finditer(head):
        if tag[1] is None or b"charset" not in tag[1].lower():
            continue
        values = {
            found[1].lower(): (found[2] or found[3] or found[4] or b"").decode("latin-1")
            for found in _ATTRIBUTE.finditer(tag[1])
        }
        written = values.get(b"charset")
        if written is None and values.get(b"http-equiv", "").strip().lower() == "content-type":
            found = _CHARSET.search(values.get(b"content", ""))
            written = found and found[1]
        name = _label(written)
        if name is not None:
            # A label that could be read byte by byte is not UTF-16.
            yield "utf-8" if name.startswith("utf-16") else name, "meta"
            return
    xml = _XML.match(head)
    name = _label(xml[1].decode("latin-1")) if xml else None
    if name is not None:
        yield "utf-8" if name.startswith("utf-16") else name, "xml"


def _utf8_known_from(data: bytes, stated: str | None, stop: int) -> How:
    return next((how for name, how in _labels(data, stated, stop) if name == "utf-8"), "utf-8")


# --- evidence of the bytes ----------------------------------------------------------------------------------------

_HIGH_BITS = np.uint64(0x8080808080808080)
# Encodings of languages in Latin letters: their non-ASCII bytes stand alone, between ASCII letters.
_LATIN = frozenset(
    {"macintosh", *(f"windows-{page}" for page in (1250, 1252, 1254, 1257, 1258))}
    | {f"iso-8859-{part}" for part in (2, 3, 4, 10, 13, 14, 15, 16)}
)
# Signs of the wrong encoding: nothing there, controls that no page uses, characters for private use.
_FAULT = re.compile("[\x80-\x84\x86-\x9f\ue000-\uf8ff\ufffd]")
_ASCII_BREAK = re.compile(rb"[\x00-\x2f\x3a-\x3f]+")  # bytes that are no part of any multi-byte character


def _is_utf8(data: bytes) -> bool:
    # In pieces that stay in the cache, most of them ASCII: `data.decode()` takes up to twice as long.
    at, size = 0, len(data)
    while at < size:
        piece = data[at : at + PIECE_BYTES]
        if piece.isascii():
            at += PIECE_BYTES
            continue
        try:
            at += codecs.utf_8_decode(piece, "strict", at + PIECE_BYTES >= size)[1]
        except UnicodeDecodeError:
            return False
    return True


def _dense(data: bytes) -> bytes:
    """The 8-byte words that hold non-ASCII bytes, and the words before and after them, at most `SAMPLE_BYTES`.

    A word between keeps apart what is apart in `data`, so no new multi-byte character can form.
    """
    whole = len(data) // 8
    words = np.frombuffer(data, dtype=np.uint64, count=whole)
    near = (words & _HIGH_BITS).astype(np.bool_)
    near[1:] |= near[:-1]
    near[:-1] |= near[1:]
    dense: bytes = words[near][: SAMPLE_BYTES // 8].tobytes() + data[whole * 8 :]
    return dense


def _choose(data: bytes, stated: str | None) -> tuple[str, How]:
    """The encoding of bytes that are not valid UTF-8: the first that fits, else the one with the fewest faults."""
    sample = _dense(data)
    if _faults(sample, "utf-8") <= UTF8_FAULTS:
        return "utf-8", _utf8_known_from(data, stated, LABEL_BYTES)
    tried: list[tuple[float, str, How]] = []
    for name, how in _candidates(data, stated, sample):
        faults = _faults(sample, name)
        if faults <= (DETECTED_FAULTS if how == "detected" else LABEL_FAULTS):
            return name, how
        tried.append((faults, name, how))
    _, name, how = min(tried, key=lambda entry: entry[0])
    return name, how


def _candidates(data: bytes, stated: str | None, sample: bytes) -> Iterator[tuple[str, How]]:
    yield from _labels(data, stated, LABEL_BYTES)
    yield _detect(sample[:DETECT_BYTES]), "detected"
    if _in_runs(sample):
        yield "gb18030", "detected"


def _faults(sample: bytes, encoding: str) -> float:
    """Share of the non-ASCII characters that should not be there, were this the encoding."""
    if encoding in _LATIN and _in_runs(sample):
        return 1.0
    text = _characters(sample, encoding)
    if not _FAULT.search(text):
        return 0.0
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return len(_FAULT.findall(text)) / beyond_ascii


def _in_runs(sample: bytes) -> bool:
    """Most non-ASCII bytes follow each other: text in letters of another script, not accents among ASCII letters."""
    high = np.frombuffer(sample, dtype=np.uint8) > 0x7F
    total = int(high.sum())
    return total >= 16 and int((high[1:] & high[:-1]).sum()) > 0.6 * total


def _detect(sample: bytes) -> str:
    """What the bytes look like.

    The detector drops a multi-byte encoding at its first impossible character, and then takes damaged Chinese for
    Latin letters. So where it says Latin and the bytes say otherwise, pieces of the sample vote.
    """
    guess = _guess(sample)
    if guess not in _LATIN:
        return guess
    if not _in_runs(sample):
        few = sum(byte > 0x7F for byte in sample[:512]) < FEW_BYTES
        return "windows-1252" if few else guess
    votes: Counter[str] = Counter()
    words = _ASCII_BREAK.split(sample)
    size = max(1, -(-len(words) // VOTES))
    for at in range(0, len(words), size):
        piece = b" ".join(words[at : at + size])
        name = _guess(piece)
        if name not in _LATIN:
            votes[name] += len(piece)
    return votes.most_common(1)[0][0] if votes else guess


def _guess(sample: bytes) -> str:
    detector = EncodingDetector()
    detector.feed(sample, last=True)
    return _label(detector.guess(tld=None, allow_utf8=False)) or "windows-1252"


# --- decoders -----------------------------------------------------------------------------------------------------

# The Python codec nearest to the standard's decoder; `_mend` does the rest.
_MULTI_BYTE = {"gb18030": "gb18030", "big5": "big5hkscs", "euc-kr": "cp949", "shift_jis": "cp932", "euc-jp": "euc_jp"}
# Where Python's single-byte tables are not the standard's.
_SINGLE_BYTE = {"koi8-u": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}
# Where its multi-byte tables are not: characters that GB 18030 of 2000 had for private use, and symbols of Big5.
_MULTI_BYTE_FIXES = {
    "gb18030": {
        0xE7C7: 0x1E3F,
        **dict(zip(range(0xE78D, 0xE797), (0xFE10, 0xFE12, 0xFE11, *range(0xFE13, 0xFE1A)))),
        **dict(zip((0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864), range(0x9FB4, 0x9FBC))),
    },
    "big5": dict(zip(map(ord, "•､‾∼♁☉¥¢£"), map(ord, "‧﹑¯～⊕⊙￥￠￡"))),
}
_FIXED = re.compile("[\ue78d-\ue864•､‾∼♁☉¥¢£]")
_JIS_ESCAPE = re.compile(rb"\x1b(\$[@B]|\([BIJ])")
_JIS_TEXT = re.compile(rb"\x1b\$[@B][\x21-\x7e]{2,4000}\x1b\(")
_JIS_HIGH = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else byte for byte in range(256))


def _read(data: bytes, encoding: str, how: How) -> Decoded:
    text = _characters(data, encoding)
    errors = text.count("\ufffd")
    if errors and encoding in ("utf-8", "utf-16le", "utf-16be"):
        # Those that were in the page already are no errors.
        errors = max(0, errors - data.count("\ufffd".encode(encoding)))
    return Decoded(data if encoding == "utf-8" and not errors else text.encode(), encoding, how, errors)


def _characters(data: bytes, encoding: str) -> str:
    if encoding in ("utf-8", "utf-16le", "utf-16be"):
        return data.decode(encoding, "replace")
    if encoding == "iso-2022-jp":
        data, encoding = _without_escapes(data), "euc-jp"
    codec = _MULTI_BYTE.get(encoding)
    if codec is None:
        return codecs.charmap_decode(data, "replace", _table(encoding))[0]
    text = data.decode(codec, "duramen.mend")
    return text.translate(_MULTI_BYTE_FIXES.get(encoding, {})) if _FIXED.search(text) else text


@cache
def _table(encoding: str) -> str:
    """The 256 characters of a single-byte encoding; U+FFFE where there is none."""
    codec = webencodings.lookup(encoding).codec_info
    characters = [codec.decode(bytes((byte,)), "replace")[0] for byte in range(256)]
    for byte, character in enumerate(characters):
        if character == "\ufffd":  # in browsers an unused byte among the C1 controls is that control
            characters[byte] = chr(byte) if 0x80 <= byte < 0xA0 else "\ufffe"
    for byte, character in _SINGLE_BYTE.get(encoding, {}).items():
        characters[byte] = character
    return "".join(characters)


def _without_escapes(data: bytes) -> bytes:
    """ISO-2022-JP as EUC-JP: the same characters, with the high bit instead of escape sequences."""
    first, *rest = _JIS_ESCAPE.split(data)
    pieces = [first]
    for mode, piece in zip(rest[::2], rest[1::2]):
        if mode.startswith(b"$"):
            pieces.append(piece.translate(_JIS_HIGH))
        elif mode == b"(I":
            pieces.append(re.sub(rb"[\x21-\x5f]", lambda kana: b"\x8e" + kana[0].translate(_JIS_HIGH), piece))
        else:
            pieces.append(piece)
    return b"".join(pieces)


def _mend(error: UnicodeError) -> tuple[str, int]:
    """Characters that the standard's decoders know and Python's do not; else U+FFFD, an ASCII second byte kept."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    at = error.start
    lead, trail = error.object[at], error.object[at + 1] if at + 1 < len(error.object) else 0
    if error.encoding == "gb18030" and lead == 0x80:
        return "€", at + 1
    if error.encoding == "big5hkscs" and (lead, trail) == (0xA3, 0xE1):
        return "€", at + 2
    if error.encoding == "euc_jp" and lead > 0xA0 and trail > 0xA0:
        # Vendor characters (①, ㈱ …): the same place in Shift_JIS.
        row, cell = lead - 0xA1, trail - 0xA1
        upper = (row >> 1) + (0x81 if row < 62 else 0xC1)
        lower = cell + (0x9F if row & 1 else 0x40 if cell < 63 else 0x41)
        if found := bytes((upper, lower)).decode("cp932", "ignore"):
            return found, at + 2
    return "\ufffd", at + (2 if trail > 0x7F and 0x80 < lead < 0xFF else 1)


codecs.register_error("duramen.mend", _mend)
