"""One unit on one machine: shards through killable workers, their parts as one file's bytes."""

from __future__ import annotations

import io
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from duramen.jobs.cluster.places import shown, stage
from duramen.jobs.cluster.units import Unit
from duramen.jobs.parts import Form, encode
from duramen.jobs.read.edges import Edges
from duramen.jobs.record import Record
from duramen.jobs.row_groups import join_files
from duramen.jobs.settings import Settings
from duramen.jobs.shards import Cut, Shard, agrees, corrected, following, read_shard, shards
from duramen.jobs.work import EMPTY, FAILED, run
from duramen.page import Reason
from duramen.pool import Failure, Outcome, Pool

AHEAD = 3  # shards a worker that are read and done in advance


@dataclass(frozen=True, slots=True)
class Piece:
    """What a worker makes of a shard."""

    data: bytes
    rows: int
    failed: int
    empty: int
    edges: Edges


@dataclass(slots=True)
class Done:
    """What is noted of a finished unit."""

    unit: str  # its identity
    size: int = 0  # bytes of its part
    rows: int = 0
    failed: int = 0
    empty: int = 0
    damaged: int = 0
    shards: int = 0
    weight: int = 0
    remade: int = 0
    next: int | None = None  # where the next range's first record was met
    known: bool = False  # … and whether it was
    taken: list[tuple[int, int, int | None]] = field(default_factory=list)  # ranges whose first record nobody confirmed

    def described(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def agrees(self, expected: int | None) -> bool:
        """Whether it began where the unit before it ended."""
        for start, stop, first in self.taken:
            if (expected if expected is not None and expected < stop else None) != first and start:
                return False
        return True

    def following(self, expected: int | None) -> int | None:
        """Where the next unit of the same file begins."""
        return self.next if self.known else expected


Payload = tuple[Shard, Cut, Settings, Form, Mapping[str, str]]


def process_piece(payload: Payload, begin: Callable[[int], None], blamed: Mapping[int, Failure]) -> Piece:
    """The worker's side: read a shard, extract its pages, give back the bytes of its part."""
    shard, cut, settings, form, names = payload
    edges = Edges()
    records = (_named(record, names) for record in read_shard(shard, cut, edges))
    rows = list(run(records, settings, begin=begin, blamed=blamed))
    return _piece(rows, settings, form, edges)


def perform(unit: Unit, cut: Cut, settings: Settings, form: Form, *, workers: int = 1) -> tuple[list[bytes], Done]:
    """The parts of a unit's shards, as the local engine would write them, and what to note of it."""
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        local = [replace(one, name=stage(one.name, Path(folder))) for one in unit.inputs]
        names = {here.name: shown(one.name) for here, one in zip(local, unit.inputs) if here.name != one.name}
        stop = None if unit.count is None else unit.first + unit.count
        pieces: list[bytes] = []
        done = Done(unit.identity(), next=unit.expected, known=unit.exact or unit.first == 0)
        waiting: deque[Shard] = deque()

        def payloads() -> Iterator[Payload]:
            for shard in islice(shards(local, cut), unit.first, stop):
                waiting.append(shard)
                yield shard, cut, settings, form, names

        with Pool.marked(process_piece, workers=workers, budget=settings.budget) as pool:
            for outcome in pool.map(payloads(), ahead=workers * AHEAD):
                shard = waiting.popleft()
                piece = _made(shard, outcome, settings, form, names)
                if shard.is_range() and done.known and not agrees(shard, piece.edges, done.next):
                    done.remade += 1
                    exact = corrected(shard, done.next)
                    if exact is None:
                        piece = _piece([], settings, form, Edges(known=False))
                    else:
                        again = pool.submit((exact, cut, settings, form, names)).result()
                        piece = _made(exact, again, settings, form, names)
                _note(done, shard, piece)
                pieces.append(piece.data)
    return pieces, done


def joined(pieces: list[bytes], settings: Settings, form: Form) -> bytes:
    """Parts as one file, in their order: lines follow each other, row groups follow each other."""
    if form is not Form.PARQUET:
        return b"".join(pieces)
    file = io.BytesIO()
    return file.getvalue() if join_files(pieces, file) else encode([], settings, form)


def copy_row_groups(sources: Iterator[Any], file: Any, settings: Settings) -> None:
    """The row groups of Parquet files as one file."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    from duramen.jobs.parts import _writer as parquet_writer

    with parquet_writer(file, settings) as writer:
        for source in sources:
            with pq.ParquetFile(source) as part:
                for number in range(part.num_row_groups):
                    group = part.read_row_group(number)
                    writer.write_table(group, row_group_size=max(group.num_rows, 1))


def _note(done: Done, shard: Shard, piece: Piece) -> None:
    edges = piece.edges
    if shard.is_range():
        if not done.known and edges.known:
            done.taken.append((shard.start, shard.stop, edges.first))
        done.next = following(shard, edges, done.next)
        done.known = done.known or edges.known
    done.rows += piece.rows
    done.failed += piece.failed
    done.empty += piece.empty
    done.damaged += edges.damaged + (shard.problem is not None)
    done.shards += 1
    done.weight += shard.weight


def _made(shard: Shard, outcome: Outcome[Piece], settings: Settings, form: Form, names: Mapping[str, str]) -> Piece:
    """A worker's piece; where the shard as a whole failed, one row that says so."""
    if outcome.value is not None:
        return outcome.value
    assert outcome.reason is not None
    record = Record(shard.source, offset=shard.start, problem=Reason(outcome.reason.value), detail=outcome.detail)
    edges = Edges(known=False, damaged=1)
    return _piece(list(run([_named(record, names)], settings)), settings, form, edges)


def _piece(rows: list[dict[str, Any]], settings: Settings, form: Form, edges: Edges) -> Piece:
    counts = [row["status"] for row in rows]
    return Piece(encode(rows, settings, form), len(rows), counts.count(FAILED), counts.count(EMPTY), edges)


def _named(record: Record, names: Mapping[str, str]) -> Record:
    """A record of a copy as one of the file that was copied."""
    name = names.get(record.source)
    return record if name is None else replace(record, source=name)
