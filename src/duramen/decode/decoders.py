"""Bytes → characters in a known encoding: Python's codecs, mended where they are not the standard's."""

from __future__ import annotations

import codecs
import re
from functools import cache

import numpy as np
import webencodings  # type: ignore[import-untyped]

UTF16 = ("utf-16le", "utf-16be")
UNICODE = ("utf-8", *UTF16)

# The Python codec nearest to the standard's decoder; `_mend` does the rest.
_MULTI_BYTE = {"gb18030": "gb18030", "big5": "big5hkscs", "euc-kr": "cp949", "shift_jis": "cp932", "euc-jp": "euc_jp"}
# Where Python's single-byte tables are not the standard's.
_SINGLE_BYTE_FIXES = {"koi8-u": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}
# Where its multi-byte tables are not: characters that GB 18030 of 2000 had for private use, and symbols of Big5.
_MULTI_BYTE_FIXES = {
    "gb18030": {
        0xE7C7: 0x1E3F,
        **dict(zip(range(0xE78D, 0xE797), (0xFE10, 0xFE12, 0xFE11, *range(0xFE13, 0xFE1A)))),
        **dict(zip((0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864), range(0x9FB4, 0x9FBC))),
    },
    "big5": dict(zip(map(ord, "•､‾∼♁☉¥¢£"), map(ord, "‧﹑¯～⊕⊙￥￠￡"))),
}
# Searched first: `str.translate` is slow and seldom needed.
_PRIVATE_USE = 0xE000, 0xF900
_BIG5_SIGNS = re.compile("[•､‾∼♁☉¥¢£]")
_JIS_ESCAPE = re.compile(rb"\x1b(\$[@B]|\([BIJ])")
_JIS_TEXT = re.compile(rb"\x1b\$[@B][\x21-\x7e]{2,4000}\x1b\(")
_JIS_HIGH = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else byte for byte in range(256))


def characters(data: bytes, encoding: str) -> str:
    """The text of bytes in an encoding of the standard; U+FFFD for what is none."""
    if encoding in UNICODE:
        return data.decode(encoding, "replace")
    if encoding == "iso-2022-jp":
        data, encoding = _without_escapes(data), "euc-jp"
    codec = _MULTI_BYTE.get(encoding)
    if codec is None:
        return codecs.charmap_decode(data, "replace", _table(encoding))[0]
    text = data.decode(codec, "duramen.mend")
    return text.translate(_MULTI_BYTE_FIXES[encoding]) if _needs_fixes(text, encoding) else text


def _needs_fixes(text: str, encoding: str) -> bool:
    """Whether a text has characters that Python's tables have in place of the standard's."""
    if encoding == "gb18030" and text:
        units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
        return bool(((units >= _PRIVATE_USE[0]) & (units < _PRIVATE_USE[1])).any())
    return encoding == "big5" and _BIG5_SIGNS.search(text) is not None


def holds_jis(data: bytes) -> bool:
    """Whether ASCII bytes hold Japanese between the escape sequences of ISO-2022-JP."""
    return b"\x1b" in data and _JIS_TEXT.search(data) is not None


@cache
def _table(encoding: str) -> str:
    """The 256 characters of a single-byte encoding; U+FFFE where there is none."""
    codec = webencodings.lookup(encoding).codec_info
    table = [codec.decode(bytes((byte,)), "replace")[0] for byte in range(256)]
    for byte, character in enumerate(table):
        if character == "\ufffd":  # in browsers an unused byte among the C1 controls is that control
            table[byte] = chr(byte) if 0x80 <= byte < 0xA0 else "\ufffe"
    for byte, character in _SINGLE_BYTE_FIXES.get(encoding, {}).items():
        table[byte] = character
    return "".join(table)


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
