"""WARC in, Parquet out: duramen beside trafilatura in a multiprocessing pool and resiliparse with FastWARC.

    python benchmarks/make_warc.py crawl.warc.gz --pages 20000
    python benchmarks/batch_throughput.py crawl.warc.gz --processes 2 [--limit 2000] [--json results.json]

Every contestant reads the same file and writes url and text as Parquet, with that many processes at work. duramen runs
as its users run it, `duramen batch`: once with `--columns url,text`, which is the same work as that of the others, and
once with all the columns that it has by itself (title, author, date …). The rivals do what their manuals suggest:
one process reads with FastWARC and hands pages to a `multiprocessing.Pool`, and as that leaves the reader as a
bottleneck, a second form of each in which every process reads the file itself and takes every n-th page. The better
of the two counts. Whoever is not installed is named. Times are of the clock, so the machine should be idle; CPU time is
that of all processes together; memory is that of the parent, sampled ten times a second.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

CHUNK = 16
ROW_GROUP = 2000


def pages(path: str, every: int = 1, first: int = 0, limit: int | None = None) -> Iterator[tuple[str, bytes]]:
    """Address and body of the HTML responses, or of every n-th of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    with Path(path).open("rb") as file:
        records = ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True)
        for number, record in enumerate(records):
            if limit is not None and number >= limit:
                return
            if number % every == first and record.http_content_type == "text/html":
                yield record.headers.get("WARC-Target-URI") or "", record.reader.read()


def by_trafilatura(page: tuple[str, bytes]) -> tuple[str, str]:
    """As its manual has it for speed and text alone."""
    import trafilatura

    return page[0], trafilatura.extract(page[1], url=page[0]) or ""


def by_resiliparse(page: tuple[str, bytes]) -> tuple[str, str]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    text = bytes_to_str(page[1], detect_encoding(page[1]))
    return page[0], extract_plain_text(text, main_content=True, alt_texts=False)


RIVALS: dict[str, Callable[[tuple[str, bytes]], tuple[str, str]]] = {
    "resiliparse": by_resiliparse,
    "trafilatura": by_trafilatura,
}


def pooled(name: str, path: str, out: str, processes: int, limit: int | None) -> int:
    """One process reads and writes, the others extract."""
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return write(out, pool.imap(RIVALS[name], pages(path, limit=limit), CHUNK))


def apart(name: str, path: str, out: str, processes: int, limit: int | None) -> int:
    """Every process reads the whole file and takes its share of the pages."""
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        shares = [(name, path, f"{out}.{number}", processes, number, limit) for number in range(processes)]
        return sum(pool.starmap(share, shares))


def share(name: str, path: str, out: str, processes: int, first: int, limit: int | None) -> int:
    return write(out, map(RIVALS[name], pages(path, processes, first, limit)))


def write(out: str, rows: Iterator[tuple[str, str]]) -> int:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    columns = pa.schema([("url", pa.string()), ("text", pa.large_string())])
    count = 0
    with pq.ParquetWriter(out, columns, compression="zstd", use_dictionary=False) as writer:
        held: list[tuple[str, str]] = []
        for row in rows:
            held.append(row)
            count += 1
            if len(held) == ROW_GROUP:
                writer.write_table(_table(held, columns))
                held = []
        writer.write_table(_table(held, columns))
    return count


def _table(rows: list[tuple[str, str]], columns: Any) -> Any:
    import pyarrow as pa

    return pa.table([[url for url, _ in rows], [text for _, text in rows]], schema=columns)


def duramen(path: str, out: str, processes: int, output: str, more: tuple[str, ...]) -> int:
    """The command as users run it."""
    place = out if output == "folder" else f"{out}.parquet"
    command = [sys.executable, "-m", "duramen", "batch", path, "-o", place, "--workers", str(processes), *more]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    watched.append(run.pid)
    _, said = run.communicate()
    if run.returncode:
        raise SystemExit(f"duramen batch failed: {said}")
    return int(said.split(" pages")[0].split()[-1].replace(",", ""))


watched: list[int] = []
COLUMNS = {"duramen-text": ("--columns", "url,text"), "duramen": ()}


class Memory:
    """Resident megabytes of the parent over time: this process, or the command that it started."""

    def __enter__(self) -> Memory:
        self.samples: list[tuple[float, float]] = []
        self._over = threading.Event()
        self._started = time.perf_counter()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            try:
                fields = Path(f"/proc/{watched[-1]}/statm").read_text().split()
            except OSError:
                continue
            used = int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
            self.samples.append((time.perf_counter() - self._started, used))

    def quarters(self) -> list[float]:
        """The most in each quarter of the time."""
        if not self.samples:
            return []
        step = self.samples[-1][0] / 4 or 1.0
        return [
            round(max((used for at, used in self.samples if int(min(at / step, 3)) == part), default=0.0), 1)
            for part in range(4)
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warc")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=int, help="pages for the rivals: they may take hours")
    parser.add_argument(
        "--only", action="append", help="contestants by name: duramen-text, duramen, resiliparse, trafilatura"
    )
    parser.add_argument("--only-most", action="store_true", help="not with one process too")
    parser.add_argument("--output", choices=("file", "folder"), default="file", help="what duramen writes")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    wanted = chosen.only or [*COLUMNS, *RIVALS]
    results: list[dict[str, Any]] = []
    say = sys.stdout.write
    with tempfile.TemporaryDirectory() as folder:

        def measure(name: str, processes: int, work: Callable[[str], int]) -> float:
            watched.append(os.getpid())
            started, before = time.perf_counter(), sum(os.times()[:4])
            with Memory() as memory:
                count = work(str(Path(folder) / f"{name}-{processes}".replace(" ", "-")))
            seconds, cpu = time.perf_counter() - started, sum(os.times()[:4]) - before
            row = {"contestant": name, "processes": processes, "pages": count, "seconds": round(seconds, 2)}
            row |= {"pages_per_second": round(count / seconds, 1), "cpu_ms_per_page": round(cpu / count * 1000, 2)}
            row |= {"parent_mb": memory.quarters()}
            results.append(row)
            say(f"{name:24} {processes} {count:7,} pages {seconds:8.1f} s {count / seconds:9,.1f} pages/s ")
            say(f"{cpu / count * 1000:7.2f} CPU ms/page, parent MB by quarter {memory.quarters()}\n")
            sys.stdout.flush()
            return count / seconds

        best: dict[str, float] = {}
        for title, more in COLUMNS.items():
            if title not in wanted:
                continue
            speeds = {
                count: measure(
                    title,
                    count,
                    lambda out, n=count, m=more: duramen(chosen.warc, out, n, chosen.output, m),  # type: ignore[misc]
                )
                for count in dict.fromkeys((*(() if chosen.only_most else (1,)), chosen.processes))
            }
            best[title] = speeds[chosen.processes]
            if len(speeds) > 1:
                ratio = speeds[chosen.processes] / speeds[1] / chosen.processes
                say(f"efficiency from 1 to {chosen.processes} processes: {ratio:.2f}\n")
        for name in RIVALS:
            if name not in wanted:
                continue
            if importlib.util.find_spec(name) is None or importlib.util.find_spec("fastwarc") is None:
                say(f"{name}: not installed\n")
                continue
            for form in (pooled, apart):
                speed = measure(
                    f"{name} {form.__name__}",
                    chosen.processes,
                    lambda out, n=name, f=form: f(n, chosen.warc, out, chosen.processes, chosen.limit),  # type: ignore[misc]
                )
                best[name] = max(best.get(name, 0.0), speed)
    for ours, name in product(COLUMNS, RIVALS):
        if ours in best and name in best:
            say(f"{ours} : {name} = {best[ours] / best[name]:.2f}\n")
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
