"""What of a job is done, on disk: after any interruption the same command goes on where it stopped.

A part is done when its file stands under its final name *and* its line stands in the journal, each brought to disk
before the next step. Whatever else is found is not there: a file without a line, a line cut short, a line without its
file. Such a part is made again, with the same bytes.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from duramen.errors import DuramenError, OptionError


@dataclass(frozen=True, slots=True)
class Entry:
    """A part that is done."""

    number: int
    shard: str  # identity of what it was made from
    rows: int
    size: int  # bytes
    failed: int = 0  # rows with status `failed`
    empty: int = 0
    damaged: int = 0  # places in the input that could not be read
    first: int | None = None  # edges of a byte range
    next: int | None = None
    known: bool = True


class Journal:
    """The record of parts, for one run at a time."""

    def __init__(self, path: Path, parts: Path, suffix: str, job: dict[str, Any]) -> None:
        self._path = path
        self._parts = parts
        self._suffix = suffix
        self.done: tuple[int, int] | None = None  # size of the finished output, and how many parts it had
        try:
            parts.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)  # what cannot be written must not wait to be written
        except OSError as problem:
            raise unwritable(path, problem) from None
        self._lock()
        self.entries = self._read(job)

    def part(self, number: int) -> Path:
        """The file of a part."""
        return self._parts / f"part-{number:06d}.{self._suffix}"

    def committed(self, number: int, shard: str) -> Entry | None:
        """The part, where it is done and was made from this."""
        entry = self.entries.get(number)
        if entry is None or entry.shard != shard:
            return None
        try:
            there = self.part(number).stat().st_size == entry.size
        except OSError:
            there = False
        return entry if there else None

    def commit(self, entry: Entry, data: bytes) -> None:
        """Bring a part to disk, then its line."""
        path = self.part(entry.number)
        draft = path.with_name(path.name + ".draft")
        try:
            with draft.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
            sync_folder(self._parts)
            self._append({"part": asdict(entry)})
        except OSError as problem:
            raise unwritable(path, problem) from None
        self.entries[entry.number] = entry

    def finish(self, size: int, parts: int) -> None:
        """Note that the whole output stands."""
        try:
            self._append({"done": [size, parts]})
        except OSError as problem:
            raise unwritable(self._path, problem) from None
        self.done = size, parts

    def forget_parts(self, from_number: int = 0) -> None:
        """Remove the files of parts, from a number on, and what was left half-written."""
        for path in self._parts.glob("part-*"):
            stem = path.name.removeprefix("part-").partition(".")[0]
            if path.name.endswith(".draft") or (stem.isdecimal() and int(stem) >= from_number):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let another run have it."""
        self._file.close()

    def _lock(self) -> None:
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise DuramenError(f"another run is writing: {self._path} is locked") from None

    def _read(self, job: dict[str, Any]) -> dict[int, Entry]:
        """The entries of an earlier run of the same job; a new journal begins with the job."""
        entries: dict[int, Entry] = {}
        end, first = 0, True
        for line in self._path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break  # cut short
            fields = _fields(line)
            if first and fields.get("job") != job:
                self._file.close()
                raise OptionError(
                    f"{self._path} belongs to a job with other options or another version: "
                    "finish that one, choose another output, or start over with --overwrite"
                )
            if "part" in fields:
                entry = Entry(**fields["part"])
                entries[entry.number] = entry
                self.done = None
            elif "done" in fields:
                size, parts = fields["done"]
                self.done = size, parts
            end, first = end + len(line), False
        try:
            self._file.truncate(end)
            if first:
                self._append({"job": job})
        except OSError as problem:
            raise unwritable(self._path, problem) from None
        return entries

    def _append(self, fields: dict[str, Any]) -> None:
        # Where it fails half-way the line has no end, and counts for nothing.
        line = memoryview(json.dumps(fields).encode() + b"\n")
        while line:
            line = line[self._file.write(line) :]
        os.fsync(self._file.fileno())


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unwritable(path: Path, problem: OSError) -> DuramenError:
    """What is said when the disk is full or the place forbidden."""
    return DuramenError(
        f"cannot write {path}: {problem.strerror or problem}; what is done is kept, the same command goes on from there"
    )


def _fields(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}
