"""Differential fuzzing of the scanner: `python -m benchmarks.fuzz --minutes 5`.

Every made-up or mutated page must be flagged, or give the same arrays as the reference parser. A page that does not is
made smaller as far as it goes and printed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from random import Random

from benchmarks.compare import differences, outline
from benchmarks.pages import made_page, mutated
from duramen.parse.html5 import parse_html5
from duramen.parse.scan import scan


def is_wrong(page: bytes) -> bool:
    """Whether the scanner claims a page and gets it wrong."""
    scanned = scan(page)
    return scanned is not None and bool(differences(scanned, parse_html5(page)))


def shrunk(page: bytes, wrong: Callable[[bytes], bool] = is_wrong) -> bytes:
    """The same failure in fewer bytes."""
    size = len(page) // 2
    while size:
        at = 0
        while at < len(page):
            smaller = (page[:at] + page[at + size :]).decode("utf-8", "ignore").encode()
            if len(smaller) < len(page) and wrong(smaller):
                page = smaller
            else:
                at += size
        size //= 2
    return page


def main() -> int:
    """Fuzz for a while and report."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=float, default=1.0)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--findings", type=int, default=5, help="stop after so many")
    options = arguments.parse_args()
    random, stop = Random(options.seed), time.monotonic() + 60 * options.minutes
    pages = flagged = 0
    found: set[bytes] = set()
    page = b""
    while time.monotonic() < stop and len(found) < options.findings:
        page = mutated(random, page) if pages % 3 == 2 else made_page(random, random.choice((5, 15, 40, 100)))
        pages += 1
        scanned = scan(page)
        if scanned is None:
            flagged += 1
        elif differences(scanned, parse_html5(page)):
            found.add(shrunk(page))
    for finding in found:
        one = scan(finding)
        assert one is not None
        other = parse_html5(finding)
        print(f"\n{finding!r}\n{differences(one, other)}\nscan:\n{outline(one)}\nreference:\n{outline(other)}")
    print(f"{pages} pages, {flagged} flagged, {len(found)} wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
