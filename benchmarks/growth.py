"""Time of the scanner on hostile pages of growing size: `python -m benchmarks.growth`."""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from types import MappingProxyType

from duramen.parse.scan import scan, why_not
from duramen.parse.tokens import Tokens

INPUTS: MappingProxyType[str, Callable[[int], str]] = MappingProxyType(
    {
        "open <div>": lambda n: "<div>" * n,
        "open <span>": lambda n: "<span>" * n,
        "stray end tags": lambda n: "<foo><div>" + "<span>" * n + "</foo>" * n,
        "<p><li>": lambda n: "<p><li>" * n,
        "nested lists": lambda n: "<ul><li>" * n,
        "nested definitions": lambda n: "<dl><dd>" * n,
        "<li> below <div>": lambda n: "<div>" * n + "<li></li>" * n,
        "tables below <div>": lambda n: "<div>" * n + "<table></table>" * n,
        "</p> below <div>": lambda n: "<button>" + "<div>" * n + "</p>" * n,
        "attributes without end": lambda n: "<a " + "x " * n,
        "attributes": lambda n: "<a " + " ".join(f"a{k}=1" for k in range(n)) + ">",
        "one attribute again": lambda n: "<a " + "a=1 " * n + ">",
        "<": lambda n: "<" * n,
        "&": lambda n: "&" * n,
        "&amp": lambda n: "&amp" * n,
        "& in a value": lambda n: "<a b='" + "&" * n + "'>",
        "quotes": lambda n: "<a b='" * n,
        "<b>": lambda n: "<b>" * n,
        "<a>": lambda n: "<a>" * n,
        "<p><font>": lambda n: "<p><font>" * n,
        "<nobr>": lambda n: "<nobr>" * n,
        "<!--": lambda n: "<!--" * n,
        "->": lambda n: "<!--" + "->" * n,
        "</": lambda n: "</" * n,
        "nested tables": lambda n: "<table><td>" * n,
        "SVG groups": lambda n: "<svg>" + "<g>" * n + "</x>" * n,
        "MathML": lambda n: "<math>" * n,
        "names": lambda n: "".join(f"<t{k}>" for k in range(n)),
        "script escapes": lambda n: "<script>" + "<!--<script>" * n,
        "forms ended below": lambda n: "<form><div></form>" * n,
        "options": lambda n: "<select><option>" * n,
        "templates": lambda n: "<template>" * n,
        "late <body>": lambda n: "x" + "<body a=1>" * n,
        "ruby": lambda n: "<ruby><rt>" * n,
        "headings": lambda n: "<h1>" * n,
        "style colons": lambda n: "<p style='" + ":" * n + "'>",
        "style spaces": lambda n: "<p style='" + " " * n + ":" + " " * n + "'>",
        "frameset text": lambda n: "<frameset>" + " x" * n,
        "objects": lambda n: "<object>" * n,
        "text and <b>": lambda n: "x<b>" * n,
        "blocks in <b>": lambda n: "<b><div>" * n + "</b>" * n,
        "blocks cut by </a>": lambda n: "<a><div>x</a></div>" * n,
        "<a> in blocks": lambda n: "<a><div>" * n,
        "<p> in <b>": lambda n: "<b>" + "<p>x</b>" * n,
        "scripts after the head": lambda n: "<head></head>" + " <script></script>" * n,
        "CDATA": lambda n: "<svg>" + "<![CDATA[]]" * n,
    }
)


def main() -> None:
    """Print milliseconds for n, 2n and 4n, and memory at 4n as a multiple of the page."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"{'input':24}{size:>10}{2 * size:>10}{4 * size:>10}   ms    peak memory / page size")
    for name, make in INPUTS.items():
        cells = []
        for factor in (1, 2, 4):
            data = make(size * factor).encode()
            start = time.thread_time()
            scan(data)
            cells.append(f"{1000 * (time.thread_time() - start):10.1f}")
        reader = Tokens()  # a new one: what it allocates counts
        tracemalloc.start()
        if not reader.read(data):
            reader.to_page()
        peak = tracemalloc.get_traced_memory()[1] / len(data)
        tracemalloc.stop()
        print(f"{name:24}{''.join(cells)}{peak:14.1f}  {why_not(data) or ''}")


if __name__ == "__main__":
    main()
