"""Which attributes cleaned HTML keeps: a short list, each with what its value may be."""

from __future__ import annotations

import re

from duramen.page import Page
from duramen.render.addresses import Addresses

_TEXT = re.compile(r".*", re.DOTALL)
_DIGITS = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_FLAG = re.compile(r"")  # its value does not matter, and is dropped
_ADDRESS = None  # resolved, and only where it is safe

_EVERYWHERE: dict[str, re.Pattern[str] | None] = {
    "lang": re.compile(r"[A-Za-z0-9-]{1,35}"),
    "dir": re.compile(r"ltr|rtl|auto", re.IGNORECASE),
    "title": _TEXT,
}
_SPANS: dict[str, re.Pattern[str] | None] = {"colspan": _DIGITS, "rowspan": _DIGITS}
_CHANGE: dict[str, re.Pattern[str] | None] = {"cite": _ADDRESS, "datetime": _TEXT}
_OF: dict[str, dict[str, re.Pattern[str] | None]] = {
    "a": {"href": _ADDRESS},
    "img": {"alt": _TEXT, "width": _DIGITS, "height": _DIGITS},  # and src, which is looked for in many places
    "td": _SPANS,
    "th": {**_SPANS, "scope": re.compile(r"row|col|rowgroup|colgroup", re.IGNORECASE)},
    "ol": {"start": _NUMBER, "reversed": _FLAG, "type": re.compile(r"[1aAiI]")},
    "li": {"value": _NUMBER},
    "blockquote": {"cite": _ADDRESS},
    "q": {"cite": _ADDRESS},
    "ins": _CHANGE,
    "del": _CHANGE,
    "time": {"datetime": _TEXT},
    "details": {"open": _FLAG},
}


def kept_attributes(page: Page, row: int, name: str, addresses: Addresses) -> list[tuple[str, str]]:
    """The attributes that an element keeps when it is written as `name`, with their values cleaned."""
    if page.attr_at[row] == page.attr_at[row + 1]:
        return []
    allowed = _OF.get(name, {})
    kept = []
    for key, value in page.attributes(row).items():
        if key in allowed:
            check = allowed[key]
        elif key in _EVERYWHERE:
            check = _EVERYWHERE[key]
        else:
            continue
        if check is _ADDRESS:
            address = addresses.resolved(value)
            if address is not None:
                kept.append((key, address))
        elif check is _FLAG:
            kept.append((key, ""))
        elif check.fullmatch(value := " ".join(value.split())):
            kept.append((key, value))
    return kept


def written(attributes: list[tuple[str, str]]) -> str:
    """Attributes as they stand in a tag, each with a blank before it."""
    return "".join(
        f' {key}="{escape_value(value)}"' if value or key == "alt" else f" {key}" for key, value in attributes
    )


def escape_value(value: str) -> str:
    """An attribute's value, as it stands between double quotes."""
    value = value.replace("&", "&amp;").replace('"', "&quot;")
    return value.replace("<", "&lt;").replace(">", "&gt;").replace("\xa0", "&nbsp;")
