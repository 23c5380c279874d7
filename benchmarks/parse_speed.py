"""CPU time of bytes → Page as a ratio to a lexbor parse of the same bytes: `python -m benchmarks.parse_speed`.

On the first pages of a data set (DURAMEN_CORPORA), the best of several rounds, in two ways: the parsers in turns page
by page, where each finds the caches as the other left them; and all pages by one parser, then by the other, as in a
program that uses only one. Flagged pages pay for both parsers.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from benchmarks.oracle import pages
from duramen.parse import KERNEL, parse_page
from duramen.parse.scan import scan

Parser = Callable[[bytes], object]
Times = tuple[list[float], list[float]]  # of lexbor and of our own parser, a page each
PARSERS: tuple[Parser, Parser] = (LexborHTMLParser, parse_page)


def seconds(parser: Parser, utf8: bytes) -> float:
    """CPU time of this thread for one call, what it returned thrown away included."""
    start = time.thread_time()
    parser(utf8)
    return time.thread_time() - start


def in_turns(documents: Sequence[bytes], best: Times) -> None:
    """Both parsers on a page before the next page."""
    for k, utf8 in enumerate(documents):
        for times, parser in zip(best, PARSERS):
            times[k] = min(times[k], seconds(parser, utf8))


def one_by_one(documents: Sequence[bytes], best: Times) -> None:
    """One parser on all pages, then the other."""
    for times, parser in zip(best, PARSERS):
        for k, utf8 in enumerate(documents):
            times[k] = min(times[k], seconds(parser, utf8))


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--dataset", default="wcxb")
    arguments.add_argument("--pages", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    path = Path(os.environ["DURAMEN_CORPORA"]) / f"{options.dataset}.jsonl.xz"
    documents = [utf8 for (_, utf8), _ in zip(pages(path), range(options.pages))]
    flagged = sum(scan(utf8) is None for utf8 in documents)
    print(f"{KERNEL} kernel, {len(documents)} pages of {options.dataset}, {flagged} flagged")
    for name, measure in (("in turns", in_turns), ("one by one", one_by_one)):
        best: Times = ([float("inf")] * len(documents), [float("inf")] * len(documents))
        for _ in range(options.rounds):
            measure(documents, best)
        lexbor, ours = (sum(times) / len(documents) for times in best)
        print(f"{name:12} lexbor {1e6 * lexbor:5.0f} µs a page, parse_page {1e6 * ours:5.0f}: {ours / lexbor:.3f}")


if __name__ == "__main__":
    main()
