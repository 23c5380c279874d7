"""Results on disk, such that being killed at any moment loses none that was finished.

`results.jsonl` is the truth: a page is finished when its line is there, whole and flushed to the disk. A page's own
file comes first, under another name until it is complete. What a killed run leaves behind is a file without a line (the
page is fetched again, and the file replaced) or half a line at the end (cut off at the next start).
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from duramen.crawl.urls import file_stem, site_folder
from duramen.errors import InputError

RESULTS = "results.jsonl"
SUMMARY = "summary.json"
LOG = "crawl.log"
SUFFIXES = {"txt": ".txt", "json": ".json", "html": ".html", "markdown": ".md"}
_LOCK = ".lock"
_PART = ".duramen-part"  # ends the name of a file that is not complete yet

Record = dict[str, Any]
"""A line of `results.jsonl`."""


class Store:
    """The results of one crawl in a folder that no other run may use meanwhile."""

    def __init__(self, folder: str | Path, form: str = "txt") -> None:
        self.folder = Path(folder)
        self._suffix = SUFFIXES[form]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.folder / _LOCK)
            _remove_parts(self.folder)
            self._file = (self.folder / RESULTS).open("ab", buffering=0)
        except OSError as problem:
            raise InputError(f"cannot write to {self.folder}: {problem.strerror or problem}") from None
        self._size = _cut_torn_line(self._file)

    def records(self) -> Iterator[Record]:
        """The finished pages of earlier runs and this one, in the order in which they were finished."""
        return read_results(self.folder / RESULTS)

    def forget_failed(self) -> int:
        """Take the failed pages out of the results, so that they are fetched again; how many there were."""
        kept, failed = [], 0
        with (self.folder / RESULTS).open("rb") as lines:
            for line in lines:
                if json.loads(line)["status"] == "failed":
                    failed += 1
                else:
                    kept.append(line)
        if failed:
            write_whole(self.folder / RESULTS, b"".join(kept))
            self._file.close()
            self._file = (self.folder / RESULTS).open("ab", buffering=0)
            self._size = self._file.seek(0, os.SEEK_END)
        return failed

    def place(self, url: str, kind: str) -> str:
        """Where a page's own file belongs in the folder: type/site/name."""
        return f"{kind}/{site_folder(url)}/{file_stem(url)}{self._suffix}"

    def put(self, record: Record, file: bytes | None) -> None:
        """Write a page's file without finishing the page; an `OSError` says why it cannot be written."""
        if file is None:
            return
        path = self.folder / record["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if self._suffix == ".json":
            file = (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")
        write_whole(path, file)

    def finish(self, records: Sequence[Record]) -> None:
        """Finish pages: all of their lines are on the disk, or (`OSError`) none is."""
        lines = b"".join(json.dumps(r, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for r in records)
        left = memoryview(lines)
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):
                self._file.truncate(self._size)
            raise
        self._size += len(lines)

    def close(self) -> None:
        """Let others use the folder."""
        self._file.close()
        self._lock.close()


def read_results(path: Path) -> Iterator[Record]:
    """The whole lines of a results file."""
    with path.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                record: Record = json.loads(line)
                yield record


def write_whole(path: Path, data: bytes) -> None:
    """Write a file such that it is there whole or not at all, whatever happens."""
    handle, name = tempfile.mkstemp(suffix=_PART, prefix=".", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON file whole."""
    write_whole(path, (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())


def _cut_torn_line(file: IO[bytes]) -> int:
    """Cut off half a line at the end, which a killed run may leave behind; the size that remains."""
    size = file.seek(0, os.SEEK_END)
    with open(file.name, "rb") as reading:  # noqa: PTH123
        at = size
        while at:
            start = max(0, at - 65536)
            reading.seek(start)
            newline = reading.read(at - start).rfind(b"\n")
            if newline >= 0:
                at = start + newline + 1
                break
            at = start
    if at != size:
        file.truncate(at)
        os.fsync(file.fileno())
    return at


def _remove_parts(folder: Path) -> None:
    """Files that a killed run did not complete."""
    for above, _, names in os.walk(folder):
        for name in names:
            if name.startswith(".") and name.endswith(_PART):
                with suppress(OSError):
                    os.unlink(os.path.join(above, name))  # noqa: PTH108, PTH118


def _locked(path: Path) -> IO[bytes]:
    """The lock file, held until it is closed or the process ends, however it ends."""
    file = path.open("ab")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ModuleNotFoundError:  # Windows: trust that nobody does
        pass
    except OSError:
        file.close()
        raise InputError(f"{path.parent} is in use by another crawl: wait for it, or choose another folder") from None
    return file
