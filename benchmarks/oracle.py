"""The scanner against the reference parser on every labelled page: `python -m benchmarks.oracle [DATASET …]`.

Needs the folder of the data sets in DURAMEN_CORPORA. Exits with 1 if any page that the scanner claims differs.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.compare import differences
from duramen.decode import decode
from duramen.parse.html5 import parse_html5
from duramen.parse.scan import scan, why_not


def pages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Ids and UTF-8 of the pages of a data set."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["id"], decode(row["html"].encode("latin-1")).utf8


def main() -> int:
    """Print a line a data set: pages that are equal, different, and flagged for what."""
    folder = Path(os.environ["DURAMEN_CORPORA"])
    wanted = sys.argv[1:] or sorted(path.name.removesuffix(".jsonl.xz") for path in folder.glob("*.jsonl.xz"))
    wrong = 0
    for name in wanted:
        verdicts: Counter[str] = Counter()
        for identity, utf8 in pages(folder / f"{name}.jsonl.xz"):
            scanned = scan(utf8)
            if scanned is None:
                verdicts[why_not(utf8) or "?"] += 1
                continue
            fields = differences(scanned, parse_html5(utf8))
            verdicts["different" if fields else "equal"] += 1
            if fields:
                print(f"{name} {identity} differs in {', '.join(fields)}")
        total, wrong = sum(verdicts.values()), wrong + verdicts["different"]
        equal, different = verdicts.pop("equal", 0), verdicts.pop("different", 0)
        reasons = ", ".join(f"{count} {reason}" for reason, count in verdicts.most_common())
        flagged = total - equal - different
        print(
            f"{name:15}{total:6} pages {equal:6} equal {different:4} different {flagged:5} flagged "
            f"({100 * flagged / total:.1f} %: {reasons})",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
