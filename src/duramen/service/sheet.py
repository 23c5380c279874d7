"""The page itself with kept and dropped parts coloured, as one HTML document for a sandboxed frame.

`duramen.explain` draws the page from its arrays: a short list of tags, no attribute of the page but the span of a table
cell, so nothing of the page can run, load or style anything. Here each part gets its reason, and the document its
style and its policy. A frame made from `srcdoc` also obeys the policy of the page around it, which therefore names
the hash of this style (see `duramen.service.headers`).
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from duramen.explain.shading import Shaded
from duramen.service.reasons import Reasons

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}")
# An opening tag with the number of its node. Text cannot look like one: its `<` are written as references.
_NUMBERED = re.compile(r'(<[a-z][a-z0-9]*[^<>]*? data-n="(\d+)")')


@cache
def style() -> str:
    """The document's style sheet."""
    return files("duramen.service").joinpath("sheet.css").read_text("utf-8")


@cache
def style_source() -> str:
    """The style sheet as a Content-Security-Policy names it."""
    return f"'sha256-{b64encode(sha256(style().encode()).digest()).decode()}'"


def sheet(shaded: Shaded, reasons: Reasons, language: str | None) -> str:
    """The whole document. `data-theme` of its root is `auto`, `light` or `dark`; `data-hide` hides dropped parts."""
    policy = f"default-src 'none'; style-src {style_source()}; base-uri 'none'; form-action 'none'"
    inside = _NUMBERED.sub(lambda tag: f'{tag[1]} data-why="{escape(reasons.why(int(tag[2])))}"', shaded.html)
    inside = inside.replace(' tabindex="-1"', ' tabindex="0"')
    lang = language if language and _LANGUAGE.fullmatch(language) else "und"
    return (
        '<!DOCTYPE html>\n<html lang="en" data-theme="auto">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<title>The page, shaded</title>\n'
        f"<style>{style()}</style>\n</head>\n"
        f'<body>\n<main lang="{lang}">{inside}</main>\n</body>\n</html>\n'
    )
