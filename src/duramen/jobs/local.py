"""A job on this machine: shards through a pool of killable workers, parts to disk in their order."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from duramen.errors import OptionError
from duramen.jobs.dedup import ROW_NAME, Dedup, Seen, join_marked
from duramen.jobs.inputs import Input, Kind, check_inputs, find_inputs
from duramen.jobs.journal import Entry, Journal, sync_folder, unwritable
from duramen.jobs.parts import Form, check_form, encode, form_of, join
from duramen.jobs.read.edges import Edges
from duramen.jobs.record import Record
from duramen.jobs.settings import Settings
from duramen.jobs.shards import Cut, Shard, agrees, corrected, following, read_shard, shards
from duramen.jobs.work import EMPTY, FAILED, run
from duramen.page import Reason
from duramen.pool import Failure, Outcome, Pool, available_cores
from duramen.version import VERSION

AHEAD = 3  # shards a worker that are read and done in advance


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that decides what the output is."""

    inputs: tuple[str, ...]
    output: Path  # a file, or a folder for parts
    form: Form
    settings: Settings = Settings()  # noqa: RUF009  (frozen)
    cut: Cut = Cut()  # noqa: RUF009
    dedup: Dedup | None = None  # mark duplicates when the parts become one file

    def __post_init__(self) -> None:
        if self.dedup is not None and self.is_folder():
            raise OptionError(f"duplicates are marked when parts become one file, and {self.output} is a folder")
        if self.dedup is not None and not all(map(self.settings.wants, ROW_NAME)):
            raise OptionError(f"duplicates need the columns {', '.join(ROW_NAME)}")

    def is_folder(self) -> bool:
        """Whether the parts are the output."""
        return form_of(self.output.name) is None

    def found(self) -> Iterator[Input]:
        """What there is to read, without what the job itself writes: the output may stand among the inputs."""
        parts, _ = _places(self)
        written, below = os.path.abspath(self.output), os.path.abspath(parts) + os.sep  # noqa: PTH100  (many)
        for one in find_inputs(self.inputs):
            path = "" if one.kind is Kind.URL else os.path.abspath(one.name)  # noqa: PTH100
            if path != written and not path.startswith(below):
                yield one

    def described(self) -> dict[str, Any]:
        """What must be the same when the job goes on."""
        facts: dict[str, Any] = {"version": VERSION, "form": self.form.value, "cut": asdict(self.cut)}
        if self.dedup is not None:
            facts["dedup"] = asdict(self.dedup)
        return facts | {"settings": _plain(self.settings.described())}


@dataclass(slots=True)
class Summary:
    """How far a job is, or how it went."""

    rows: int = 0
    empty: int = 0
    failed: int = 0
    damaged: int = 0  # places in inputs that could not be read
    weight: int = 0  # of the shards done
    resumed: int = 0  # parts that an earlier run had done
    parts: int = 0
    remade: int = 0  # ranges that had to be read again from where their neighbour said
    unchanged: bool = False  # everything was done before

    def add(self, entry: Entry, shard: Shard) -> None:
        """Count a part."""
        self.rows += entry.rows
        self.empty += entry.empty
        self.failed += entry.failed
        self.damaged += entry.damaged
        self.weight += shard.weight
        self.parts += 1


@dataclass(frozen=True, slots=True)
class Part:
    """What a worker makes of a shard."""

    data: bytes
    rows: int
    failed: int
    empty: int
    edges: Edges


Payload = tuple[Shard, Cut, Settings, Form]
Watch = Callable[[Summary], None]


def run_job(job: Job, *, workers: int | None = None, overwrite: bool = False, watch: Watch = lambda _: None) -> Summary:
    """Do what of a job is not done yet; `watch` hears after each part how far it is."""
    check_form(job.form)
    check_inputs(job.inputs)
    job.settings.configured()  # raises now rather than in every worker
    folder, journal_path = _places(job)
    if overwrite:
        _remove(job, folder, journal_path)
    elif job.output.exists() and not journal_path.exists() and not _is_empty_folder(job.output):
        raise OptionError(f"{job.output} exists: choose another output, or write over it with --overwrite")
    journal = Journal(journal_path, folder, job.form.value, job.described())
    try:
        return _run(job, journal, workers or available_cores(), watch)
    finally:
        journal.close()


def process_shard(payload: Payload, begin: Callable[[int], None], blamed: Mapping[int, Failure]) -> Part:
    """The worker's side: read a shard, extract its pages, give back the bytes of its part."""
    shard, cut, settings, form = payload
    edges = Edges()
    rows = list(run(read_shard(shard, cut, edges), settings, begin=begin, blamed=blamed))
    return _part(rows, settings, form, edges)


def _part(rows: Sequence[dict[str, Any]], settings: Settings, form: Form, edges: Edges) -> Part:
    counts = [row["status"] for row in rows]
    return Part(encode(rows, settings, form), len(rows), counts.count(FAILED), counts.count(EMPTY), edges)


def _run(job: Job, journal: Journal, workers: int, watch: Watch) -> Summary:
    done = _finished(job, journal)
    if done is not None:
        _drop_parts(job, journal)  # where a run was ended right before it did
        return done
    summary = Summary()
    waiting: deque[tuple[int, Shard, Entry | None]] = deque()

    def missing() -> Iterator[Payload]:
        for number, shard in enumerate(shards(job.found(), job.cut)):
            entry = journal.committed(number, shard.identity())
            waiting.append((number, shard if entry is None else _light(shard), entry))
            if entry is None:
                yield shard, job.cut, job.settings, job.form

    expected: int | None = None  # where the next range's first record was met
    with Pool.marked(process_shard, workers=workers, budget=job.settings.budget) as pool:

        def settle(outcome: Outcome[Part] | None) -> None:
            """Bring the next shard's part to disk, or see that it is there already."""
            nonlocal expected
            number, shard, entry = waiting.popleft()
            edges = Edges(entry.first, entry.next, entry.known) if entry else None
            if entry is None:
                assert outcome is not None
                part = _made(job, shard, outcome)
                edges = part.edges
            assert edges is not None
            if shard.is_range() and not agrees(shard, edges, expected):
                exact = corrected(shard, expected)
                part = (
                    _part([], job.settings, job.form, Edges(known=False))
                    if exact is None
                    else _made(job, exact, pool.submit((exact, job.cut, job.settings, job.form)).result())
                )
                edges, entry = part.edges, None
                summary.remade += 1
            if entry is None:
                entry = Entry(
                    number,
                    shard.identity(),
                    part.rows,
                    len(part.data),
                    part.failed,
                    part.empty,
                    edges.damaged + (shard.problem is not None),
                    edges.first,
                    edges.next,
                    edges.known,
                )
                journal.commit(entry, part.data)
            else:
                summary.resumed += 1
            if shard.is_range():
                expected = following(shard, edges, expected)
            summary.add(entry, shard)
            watch(summary)

        for outcome in pool.map(missing(), ahead=workers * AHEAD):
            while waiting[0][2] is not None:
                settle(None)
            settle(outcome)
        while waiting:
            settle(None)
    _finish(job, journal, summary.parts)
    return summary


def _made(job: Job, shard: Shard, outcome: Outcome[Part]) -> Part:
    """A worker's part; where the shard as a whole failed, one row that says so."""
    if outcome.value is not None:
        return outcome.value
    assert outcome.reason is not None
    record = Record(shard.source, offset=shard.start, problem=Reason(outcome.reason.value), detail=outcome.detail)
    return _part(list(run([record], job.settings)), job.settings, job.form, Edges(known=False, damaged=1))


def _light(shard: Shard) -> Shard:
    """A shard without the data that it need not hold any more."""
    return replace(shard, data=None)


def _finished(job: Job, journal: Journal) -> Summary | None:
    """How an earlier run went that left nothing to do; None where there is something."""
    if journal.done is None:
        return None
    size, parts = journal.done
    if not job.is_folder() and (not job.output.exists() or job.output.stat().st_size != size):
        return None
    summary = Summary(unchanged=True)
    for number, shard in enumerate(shards(job.found(), job.cut)):
        entry = journal.entries.get(number)
        if entry is None or entry.shard != shard.identity():
            return None
        if job.is_folder() and journal.committed(number, entry.shard) is None:
            return None
        summary.add(entry, shard)
    return summary if summary.parts == parts else None


def _finish(job: Job, journal: Journal, parts: int) -> None:
    """Make the output of its parts."""
    journal.forget_parts(parts)
    if job.is_folder():
        journal.finish(0, parts)
        return
    draft = job.output.with_name(job.output.name + ".draft")
    try:
        with draft.open("wb") as file:
            made = (journal.part(number) for number in range(parts))
            if job.dedup is None:
                join(made, file, job.settings, job.form)
            else:
                _join_marked(made, file, job.form, Seen(job.dedup))
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        draft.replace(job.output)
        sync_folder(job.output.parent)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        raise unwritable(job.output, problem) from None
    journal.finish(size, parts)
    _drop_parts(job, journal)


def _drop_parts(job: Job, journal: Journal) -> None:
    """Remove the parts of an output that is one file, which holds them all."""
    folder = _places(job)[0]
    if not job.is_folder() and folder.exists():
        journal.forget_parts()
        folder.rmdir()


def _join_marked(parts: Iterator[Path], file: BinaryIO, form: Form, seen: Seen) -> None:
    """One file of all parts with their duplicates marked; each part is open only while it is read."""

    def opened() -> Iterator[BinaryIO]:
        for part in parts:
            with part.open("rb") as source:
                yield source

    join_marked(opened(), file, form, seen)


def _places(job: Job) -> tuple[Path, Path]:
    """The folder of parts, and the journal."""
    if job.is_folder():
        return job.output, job.output / "_journal"
    return job.output.with_name(job.output.name + ".parts"), job.output.with_name(job.output.name + ".journal")


def _remove(job: Job, folder: Path, journal: Path) -> None:
    if folder.is_dir():
        for path in folder.glob("part-*"):
            path.unlink()
    journal.unlink(missing_ok=True)
    if not job.is_folder():
        job.output.unlink(missing_ok=True)


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _plain(value: Any) -> Any:
    """As it comes back from JSON."""
    return json.loads(json.dumps(value, default=str))
