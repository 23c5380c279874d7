"""What transport and page say of the encoding, and the encodings that such labels stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import webencodings  # type: ignore[import-untyped]

from duramen.decode.decoded import How
from duramen.decode.decoders import UTF16

PRESCAN_BYTES = 1024  # where the standard looks for a label …
LABEL_BYTES = 1 << 16  # … and where a browser's parser still honours one it meets later

_ALIASES = {
    # Labels that pages use and the standard does not list.
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
# A comment, so that nothing in it is read, or the inside of a `<meta>`.
_META = re.compile(rb"<(?:!--(?s:.*?)(?:-->|\Z)|[mM][eE][tT][aA][\s/]([^<>]{0,2000}))")
_ATTRIBUTE = re.compile(rb"""([^\s=/"'>]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"'>]{1,40})["']""")


def encoding_of(label: str | None) -> str | None:
    """The encoding that a label or a whole Content-Type stands for, or None."""
    if not label:
        return None
    inner = _CHARSET.search(label)
    word = (inner[1] if inner else label).strip("\t\n\f\r \"'").lower()
    name = webencodings.LABELS.get(word, word)
    name = _ALIASES.get(name, name)
    # "replacement" (ISO-2022-KR, HZ …) asks browsers to show nothing: here the bytes may speak instead.
    return name if name in webencodings.LABELS and name != "replacement" else None


def stated_encodings(data: bytes, stated: str | None, stop: int) -> Iterator[tuple[str, How]]:
    """What transport and page say of the encoding, the stronger first; the page's first `stop` bytes are read."""
    if stated is not None:
        yield stated, "transport"
    for label, how in _page_labels(data[:stop]):
        name = encoding_of(label)
        if name is not None:
            # A label that could be read byte by byte is not UTF-16.
            yield "utf-8" if name in UTF16 else name, how
            return


def utf8_known_from(data: bytes, stated: str | None, stop: int) -> How:
    """How the encoding of bytes in UTF-8 was known: from a label that says so, else from the bytes."""
    return next((how for name, how in stated_encodings(data, stated, stop) if name == "utf-8"), "utf-8")


def _page_labels(head: bytes) -> Iterator[tuple[str, How]]:
    """The labels as the page writes them: those of `<meta>`, then that of an XML declaration."""
    for tag in _META.finditer(head):
        if tag[1] is None or b"charset" not in tag[1].lower():
            continue
        values = {
            found[1].lower(): (found[2] or found[3] or found[4] or b"").decode("latin-1")
            for found in _ATTRIBUTE.finditer(tag[1])
        }
        if b"charset" in values:
            yield values[b"charset"], "meta"
        elif values.get(b"http-equiv", "").strip().lower() == "content-type":
            inner = _CHARSET.search(values.get(b"content", ""))
            if inner:
                yield inner[1], "meta"
    xml = _XML.match(head)
    if xml:
        yield xml[1].decode("latin-1"), "xml"
