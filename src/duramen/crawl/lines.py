"""Where in a TOML file a key stands: the parser of the standard library does not say."""

from __future__ import annotations

import re

_TABLE = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?")
_ASSIGNED = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))(\.[\w-]+)?\s*=""")


def line_of(text: str, message: str) -> str:
    """`, line 12` for the key that an error message begins with, or quotes first; nothing where the file lacks it."""
    lines = _lines(text)
    quoted = re.findall(r"'([^']+)'", message)
    names = (re.split(r":? ", message, maxsplit=1)[0], quoted[0] if quoted else "")
    key = next((name for name in names if name in lines), None)
    if key is None:
        return ""
    # A list of many lines: the one that holds the value which the message quotes.
    rows = text.splitlines()
    at = lines[key]
    others = (line for name, line in lines.items() if line > at and not name.startswith(f"{key}."))
    end = min(others, default=len(rows) + 1)
    holding = (n for n in range(at, end) if any(_holds(rows[n - 1], value) for value in quoted[:1]))
    return f", line {next(holding, at)}"


def _holds(row: str, value: str) -> bool:
    """Whether a line holds a value, which the message shows with its backslashes doubled."""
    return value in row or value.replace("\\\\", "\\") in row


def _lines(text: str) -> dict[str, int]:
    """The line of every key, with the name of its table in front."""
    lines: dict[str, int] = {}
    table = ""
    for number, row in enumerate(text.splitlines(), 1):
        if header := _TABLE.match(row):
            table = header[1]
            lines.setdefault(table, number)
        elif assigned := _ASSIGNED.match(row):
            name = (assigned[1] or assigned[2] or assigned[3]) + (assigned[4] or "")
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines
