"""Time of the scanner on hostile pages of growing size: `python -m benchmarks.growth`."""

from __future__ import annotations

import argparse
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from duramen.parse.scan import Tokens, scan, why_not

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
        "fostered text": lambda n: "<table>" + "x<tr>" * n,
        "fostered elements": lambda n: "<table>" + "<i></i> " * n,
        "open fostered elements": lambda n: "<table>" + "<div>" * n,
        "tables in tables, fostered": lambda n: "<table>x<td>" * n,
        "fostered blocks in <b>": lambda n: "<table>" + "<b><p>x</b>" * n,
        "CDATA": lambda n: "<svg>" + "<![CDATA[]]" * n,
    }
)


def seconds(data: bytes, rounds: int = 3) -> float:
    """CPU time of one scan, the best of some."""
    best = float("inf")
    for _ in range(rounds):
        start = time.thread_time()
        scan(data)
        best = min(best, time.thread_time() - start)
    return best


def memory(data: bytes) -> float:
    """What a new reader and its page allocate, as a multiple of the page."""
    reader = Tokens()
    tracemalloc.start()
    if not reader.read(data, -1):
        reader.to_page(data)
    peak = tracemalloc.get_traced_memory()[1] / len(data)
    tracemalloc.stop()
    return peak


def draw(figures: dict[str, list[tuple[int, float]]], target: Path) -> None:
    """Time against size, both logarithmic: a line of slope one is linear time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log", xlabel="size of the page (bytes)", ylabel="time (ms)")
    for points in figures.values():
        axes.plot([size for size, _ in points], [1000 * spent for _, spent in points], color="#1f6f5c", alpha=0.4, lw=1)
    low, high = 1e4, 3e7
    axes.plot([low, high], [low * 1e-5, high * 1e-5], color="black", ls="--", lw=1)
    axes.text(low * 1.2, low * 1.6e-5, "linear: 10 ns a byte", rotation=38, fontsize=8)
    axes.set_title(f"The scanner on {len(figures)} kinds of hostile pages")
    figure.savefig(target)


def main() -> None:
    """Print milliseconds for n, 2n and 4n, and memory at 4n as a multiple of the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("size", type=int, nargs="?", default=100_000, help="repetitions in the smallest page")
    options.add_argument("--plot", type=Path, help="write a log-log plot of eight sizes as well")
    chosen = options.parse_args()
    size, figures = chosen.size, dict[str, list[tuple[int, float]]]()
    print(f"{'input':24}{size:>10}{2 * size:>10}{4 * size:>10}   ms    peak memory / page size")
    for name, make in INPUTS.items():
        cells = [f"{1000 * seconds(make(size * factor).encode()):10.1f}" for factor in (1, 2, 4)]
        data = make(4 * size).encode()
        print(f"{name:24}{''.join(cells)}{memory(data):14.1f}  {why_not(data) or ''}", flush=True)
        if chosen.plot:
            pages = [make(1000 * 3**step).encode() for step in range(7)]
            figures[name] = [(len(page), seconds(page)) for page in pages]
    if chosen.plot:
        draw(figures, chosen.plot)


if __name__ == "__main__":
    main()
