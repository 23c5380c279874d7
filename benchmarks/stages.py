"""What each stage costs, as a ratio to a bare lexbor parse of the same bytes, interleaved page by page in one process.

    python benchmarks/stages.py CORPUS.jsonl.xz [--pages 100] [--repeats 3]

CPU time; the best of the repeats for each page and stage; sums over the pages.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from duramen import render
from duramen.algorithms import ALGORITHMS, algorithm
from duramen.decode import decode
from duramen.metadata import metadata
from duramen.parse import parse_html5


def stages(raw: bytes, names: list[str]) -> dict[str, Callable[[], Any]]:
    """The stages of one page as calls; what a stage needs is made before it is timed."""
    utf8 = decode(raw).utf8
    page = parse_html5(utf8)
    kept = algorithm("default").select(page)
    calls: dict[str, Callable[[], Any]] = {
        "lexbor parse": lambda: LexborHTMLParser(utf8),
        "decode": lambda: decode(raw),
        "parse": lambda: parse_html5(utf8),
        "metadata": lambda: metadata(page),
        "text": lambda: render.to_text(page, kept),
        "markdown": lambda: render.to_markdown(page, kept),
        "html": lambda: render.to_html(page, kept),
    }
    for name in names:
        calls[f"select {name}"] = lambda chosen=algorithm(name): chosen.select(page)  # type: ignore[misc]
    return calls


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    options = parser.parse_args()
    with lzma.open(options.corpus, "rt", encoding="utf-8") as lines:
        rows = list(lines)
    random.Random(0).shuffle(rows)
    totals: dict[str, float] = {}
    for line in rows[: options.pages]:
        calls = stages(json.loads(line)["html"].encode("latin-1"), options.algorithms.split(","))
        best = dict.fromkeys(calls, float("inf"))
        for _ in range(options.repeats):
            for name, call in calls.items():
                start = time.process_time()
                call()
                best[name] = min(best[name], time.process_time() - start)
        for name, seconds in best.items():
            totals[name] = totals.get(name, 0.0) + seconds
    print("| stage | ms a page | × lexbor parse |\n| --- | ---: | ---: |")  # noqa: T201
    for name, seconds in totals.items():
        print(f"| {name} | {1000 * seconds / options.pages:.2f} | {seconds / totals['lexbor parse']:.2f} |")  # noqa: T201


if __name__ == "__main__":
    main()
