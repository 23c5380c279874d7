"""How fast extractors are, beside each other: CPU time in one process, memory, and growth with the page."""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import log
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import fmean, median

from duramen import render
from duramen.bench.extractors import Extractor, Function, extractor
from duramen.bench.extras import need
from duramen.bench.figures import Figure
from duramen.bench.gold import GoldPage
from duramen.bench.tables import Cell, Table, table
from duramen.bench.workers import WHY_CHARS
from duramen.decode import decode
from duramen.extract import parse, select
from duramen.parse import parse_page

REFERENCE = "lexbor parse"
OUR_PARSE = "bytes to page"  # ours: what encoding it is, and all arrays of the page
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000)
PATIENCE = 5.0  # CPU seconds: an extractor that took longer gets no larger page
MEMORY_PAGES = 20
MEMORY_SECONDS = 120.0
WARM = b"<html><body><h1>Title</h1>" + b"<p>Some words, and a few more of the words.</p>" * 9 + b"</body></html>"


@dataclass(frozen=True, slots=True)
class SpeedFinding:
    """What was measured."""

    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    def markdown(self) -> str:
        """The tables."""
        return "\n".join(each.markdown() for each in self.tables)


def measure_speed(
    chosen: Sequence[Extractor],
    pages: Sequence[GoldPage],
    folder: Path,
    *,
    repeats: int = 3,
    largest: float | None = 30,
) -> SpeedFinding:
    """Time extractors on pages; with `largest`, in MB, also on made-up pages up to that size. Writes into a folder."""
    loaded, left_out = _load(chosen)
    bodies = [page.html for page in pages]
    times = interleaved(loaded, bodies, [page.url for page in pages], repeats)
    memory = {name: peak_memory(name, bodies[:MEMORY_PAGES]) for name in loaded if name not in (REFERENCE, OUR_PARSE)}
    tables = [_times(times, memory, bodies, repeats)]
    ours = [each for each in chosen if each.ours]
    if ours:
        tables.append(_stages(ours, bodies, repeats))
    figures = []
    if largest is not None:
        sizes = [size for size in SIZES if size <= largest * 1_000_000 * 1.01]
        grown = growth(loaded, sizes)
        tables.append(_growth(grown, sizes))
        series = {name: [None if ms is None else ms for ms in found] for name, found in grown.items()}
        figures.append(
            Figure(
                "growth",
                "CPU time over the size of the page",
                "curves",
                [size / 1000 for size in sizes],
                series,
                x="KB",
                y="ms",
                log=True,
            )
        )
    found = SpeedFinding(tuple(tables), tuple(figures), left_out)
    for each in found.tables:
        each.save(folder)
    for figure in found.figures:
        figure.save(folder)
    drawn = "".join(f"\n![{figure.title}]({figure.name}.svg)\n" for figure in found.figures)
    (folder / "speed.md").write_text(f"# Speed\n\n{found.markdown()}{drawn}", "utf-8")
    return found


def _load(chosen: Sequence[Extractor]) -> tuple[dict[str, Function], dict[str, str]]:
    parser = need("selectolax.lexbor").LexborHTMLParser
    loaded: dict[str, Function] = {
        REFERENCE: lambda html, url: str(parser(html) is None),
        OUR_PARSE: lambda html, url: str(parse(html) is None),
    }
    left_out: dict[str, str] = {}
    for each in chosen:
        if missing := each.missing():
            left_out[each.name] = f"not installed: {missing}"
            continue
        try:
            function = each.load()
            function(WARM, None)
        except Exception as problem:  # noqa: BLE001  (a rival may fail in any way)
            left_out[each.name] = f"{type(problem).__name__}: {problem}"[:WHY_CHARS]
            continue
        loaded[each.name] = function
    return loaded, left_out


def interleaved(
    loaded: Mapping[str, Function], bodies: Sequence[bytes], urls: Sequence[str | None], repeats: int
) -> dict[str, list[float]]:
    """CPU milliseconds of each extractor for each page, the best of the repeats.

    The extractors take turns page by page, in another order each time, so that whatever else the machine does falls on
    all of them alike: one that always came after the same other one would always find the caches as that left them. A
    page that makes an extractor fail counts with the time to the failure.
    """
    names, random = list(loaded), Random(0)
    best = {name: [float("inf")] * len(bodies) for name in names}
    for _ in range(repeats):
        for at, (html, url) in enumerate(zip(bodies, urls)):
            for name in random.sample(names, len(names)):
                best[name][at] = min(best[name][at], _cpu(partial(loaded[name], html, url)))
    return best


def _cpu(run: Callable[[], object]) -> float:
    """CPU milliseconds of a call."""
    started = time.process_time()
    with suppress(Exception):  # the time is wanted, not the result
        run()
    return (time.process_time() - started) * 1000


def _times(
    times: Mapping[str, list[float]], memory: Mapping[str, float | None], bodies: Sequence[bytes], repeats: int
) -> Table:
    reference = sum(times[REFERENCE])
    rows = [
        (name, median(found), fmean(found), sum(found) / reference, 1000 / fmean(found), memory.get(name))
        for name, found in sorted(times.items(), key=lambda item: sum(item[1]))
    ]
    size = fmean(len(body) for body in bodies) / 1000
    return table(
        "speed",
        "CPU time a page",
        ("extractor", "median ms", "mean ms", f"× {REFERENCE}", "pages/s", "peak memory MB"),
        rows,
        f"{len(bodies)} pages of {size:.0f} KB on average, interleaved, the best of {repeats} runs. Peak memory: what "
        f"a process of its own grows by on the first {min(len(bodies), MEMORY_PAGES)} of them.",
        digits=2,
    )


def _stages(ours: Sequence[Extractor], bodies: Sequence[bytes], repeats: int) -> Table:
    """Where our time goes."""
    total: dict[str, list[float]] = {each.name: [0.0, 0.0, 0.0, 0.0] for each in ours}
    for html in bodies:
        decoding = min(_cpu(partial(decode, html)) for _ in range(repeats))
        decoded = decode(html)
        parsing = min(_cpu(partial(parse_page, decoded.utf8, decoded.holds)) for _ in range(repeats))
        for each in ours:
            chosen = each.algorithm()
            page, selection = select(decoded, chosen)
            selecting = min(_cpu(partial(chosen.select, page)) for _ in range(repeats))
            rendering = min(_cpu(partial(render.to_text, page, selection)) for _ in range(repeats))
            for at, spent in enumerate((decoding, parsing, selecting, rendering)):
                total[each.name][at] += spent
    rows: list[Sequence[Cell]] = [
        (name, *(spent / len(bodies) for spent in stages), sum(stages) / len(bodies)) for name, stages in total.items()
    ]
    head = ("extractor", "decode", "parse", "select", "render text", "together")
    return table("stages", "Where the time goes: mean CPU milliseconds a page", head, rows, digits=2)


def peak_memory(name: str, bodies: Sequence[bytes]) -> float | None:
    """By how many megabytes a fresh process grows at most on these pages; None where that cannot be told."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_grow, args=(there, name, list(bodies)), daemon=True)
    process.start()
    there.close()
    try:
        grown: float | None = here.recv() if here.poll(MEMORY_SECONDS) else None
    except EOFError:
        grown = None
    finally:
        process.kill()
        process.join()
        here.close()
    return grown


def _grow(connection: Connection, name: str, bodies: Sequence[bytes]) -> None:
    function = extractor(name).load()
    _cpu(partial(function, WARM, None))
    before = _peak()
    for html in bodies:
        _cpu(partial(function, html, None))
    connection.send(_peak() - before)


def _peak() -> float:
    """The most memory that this process ever had, in MB."""
    status = Path("/proc/self/status")
    if status.is_file():  # Linux; what getrusage says there includes the process that started this one
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1e3
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def made_up_page(size: int) -> bytes:
    """A page of about so many bytes: a menu, an article with some links, comments, a footer."""
    menu = b"".join(b'<li><a href="/s%d">Section %d</a></li>' % (at, at) for at in range(12))
    head = (
        b"<!DOCTYPE html><html><head><title>A long day</title></head><body><ul>"
        + menu
        + b"</ul><article><h1>A long day</h1>"
    )
    foot = b'</article><footer><a href="/t">Terms</a> and <a href="/p">privacy</a></footer></body></html>'
    piece = (
        b"<p>On day %d, the wind turned north, and the boats stayed in the harbour. <a href='/d%d'>More on it</a>, as "
        b"<b>every</b> year, in the evening paper.</p>"
        b"<div class=c><ul><li>Wind: %d knots.</li><li>Rain, some.</li></ul></div>"
    )
    parts, length, at = [head], len(head) + len(foot), 0
    while length < size:
        parts.append(piece % (at, at, at % 40))
        length += len(parts[-1])
        at += 1
    return b"".join([*parts, foot])


def growth(loaded: Mapping[str, Function], sizes: Sequence[int]) -> dict[str, list[float | None]]:
    """CPU milliseconds of each extractor for made-up pages; None once it has lost our patience."""
    found: dict[str, list[float | None]] = {name: [] for name in loaded}
    for size in sizes:
        html = made_up_page(size)
        for name, function in loaded.items():
            last = found[name][-1] if found[name] else 0.0
            if last is None or last > PATIENCE * 1000:
                found[name].append(None)
            else:
                found[name].append(
                    min(_cpu(partial(function, html, None)) for _ in range(3 if size < 1_000_000 else 1))
                )
    return found


def _growth(grown: Mapping[str, Sequence[float | None]], sizes: Sequence[int]) -> Table:
    rows = []
    for name, found in grown.items():
        # How the time of the larger pages grows: 1 is proportional to the size, 2 its square.
        known = [(log(size), log(ms)) for size, ms in zip(sizes, found) if ms and size >= 100_000]
        power = (known[-1][1] - known[0][1]) / (known[-1][0] - known[0][0]) if len(known) > 1 else None
        rows.append((name, *found, power))
    head = (
        "extractor",
        *(f"{size // 1000} KB" if size < 1_000_000 else f"{size // 1_000_000} MB" for size in sizes),
        "power",
    )
    return table(
        "growth",
        "CPU milliseconds by the size of a made-up page",
        head,
        rows,
        "Power: how time grows from 100 KB on; 1 is in proportion to the size. An extractor that needed more than "
        f"{PATIENCE:.0f} s of CPU gets no larger page.",
        digits=2,
    )
