"""A whole page → well-formed XHTML that reads back as the same page."""

from __future__ import annotations

import re

from duramen.page import Page
from duramen.render.nesting import CLOSES_PARAGRAPH, Nesting, divided_paragraphs
from duramen.tags import INLINE, RAW_TEXT, TEXT, VOID

_FOREIGN = frozenset({"svg", "math"})
_NAMESPACES = {
    "html": "http://www.w3.org/1999/xhtml",
    "svg": "http://www.w3.org/2000/svg",
    "math": "http://www.w3.org/1998/Math/MathML",
}
_AS_PRE = frozenset({"xmp", "plaintext"})  # what they hold is no XML
_NO_TEXT = RAW_TEXT | {"iframe", "noembed", "noframes"}  # HTML reads it raw, XML does not, and nobody sees it
_FENCES = ("td", "th", "caption", "table", "button", "object", "applet", "marquee", "svg", "math")
_BAD_IN_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_GOOD_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def to_xhtml(page: Page) -> str:
    """The page as XHTML.

    Scripts and styles come out empty; where a broken page nests what cannot be written, an element becomes a `<div>` or
    `<span>`. There is no doctype: with one, HTML would not read a table inside a paragraph back, and pages without a
    doctype may hold some.
    """
    out: list[str] = []
    ends: list[int] = []  # of the open elements
    nesting = Nesting("")
    divided = divided_paragraphs(page, CLOSES_PARAGRAPH - {"table"}, _FENCES)
    tags, row_ends, text_at = page.tag.tolist(), page.end.tolist(), page.text_at.tolist()
    silent = 0  # text before this row is left out
    foreign = 0  # elements before this row are not HTML, and follow none of its rules
    for row, tag in enumerate(tags):
        while ends and ends[-1] <= row:
            ends.pop()
            out.append(f"</{nesting.close()}>")
        if tag == TEXT:
            if row >= silent:
                text = page.text[text_at[row] : text_at[row + 1]].decode("utf-8", "replace")
                # The first line break after these tags is not part of the text.
                eaten = text.startswith("\n") and out[-1].startswith(("<pre", "<textarea", "<listing"))
                if row and tags[row - 1] == TEXT and out[-1][:1] != "<":
                    out.append("<!---->")  # a comment stood here: without one, two text nodes would be read as one
                out.append("\n" + _escape(text) if eaten else _escape(text))
            continue
        name = "div" if divided[row] else _name(page, row)
        if row >= foreign:
            name = nesting.fitting(name) or ("span" if name in INLINE else "div")
        if name in _FOREIGN:
            foreign = max(foreign, row_ends[row])
        attributes = _attributes(page, row, name)
        if name in VOID and row_ends[row] == row + 1:
            out.append(f"<{name}{attributes} />")
            continue
        if name in _NO_TEXT:
            silent = row_ends[row]
        out.append(f"<{name}{attributes}>")
        ends.append(row_ends[row])
        nesting.open(name)
    out += [f"</{nesting.close()}>" for _ in ends]
    return "".join(out)


def _name(page: Page, row: int) -> str:
    name = _BAD_IN_NAME.sub("-", page.tag_name(row))
    return "pre" if name in _AS_PRE else name


def _attributes(page: Page, row: int, name: str) -> str:
    written = [f' xmlns="{_NAMESPACES[name]}"'] if name in _NAMESPACES else []
    if page.attr_at[row] != page.attr_at[row + 1]:
        for key, value in page.attributes(row).items():
            if _GOOD_NAME.fullmatch(key) and not key.startswith("xmlns"):
                value = _escape(value).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
                written.append(f' {key}="{value}"')
    return "".join(written)


def _escape(text: str) -> str:
    text = _NO_XML.sub("", text.replace("\f", " ").replace("\v", " "))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
