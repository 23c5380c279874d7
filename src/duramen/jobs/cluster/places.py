"""Files wherever they are: local paths, and what Arrow's filesystems (or fsspec's) know an address for.

`s3://bucket/key`, `gs://bucket/key`, `hdfs://host/path`, `file:///path` and plain paths all work the same.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast
from uuid import uuid4

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import fs

from duramen.bench.extras import need
from duramen.errors import InputError, MissingExtra
from duramen.jobs.inputs import Input, Kind, find_inputs, kind_of

COPY_BYTES = 8 << 20
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
# Where a name can be changed at once. Elsewhere an object is there when its stream is closed, and not before; but a
# stream that is given up is closed as well, so what is to be written waits on disk until it is complete.
_RENAMING = frozenset({"local", "hdfs", "subtree"})


def is_address(name: str) -> bool:
    """Whether a name is that of a filesystem's file rather than a path or a web page."""
    found = _SCHEME.match(name)
    return found is not None and found[1].lower() not in {"http", "https"}


def beside(name: str, ending: str) -> str:
    """A path or address with something added to its path: an address may end in settings (`?region=…`)."""
    path, mark, settings = name.partition("?") if is_address(name) else (name, "", "")
    return f"{path.rstrip('/')}{ending}{mark}{settings}"


def shown(name: str) -> str:
    """A path or address as results and messages show it: without settings, and without keys."""
    if not is_address(name):
        return name
    scheme, _, rest = name.partition("?")[0].partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


@dataclass(frozen=True, slots=True)
class Place:
    """A folder on some filesystem."""

    files: Any  # a pyarrow FileSystem
    path: str

    @classmethod
    def of(cls, name: str) -> Place:
        """The place that a path or an address stands for."""
        if not is_address(name):
            return cls(fs.LocalFileSystem(), str(Path(name).absolute()))
        try:
            return cls(*fs.FileSystem.from_uri(name))
        except (pa.ArrowInvalid, ImportError, OSError, ValueError) as problem:
            return cls(*_by_fsspec(name, problem))

    def __truediv__(self, name: str) -> Place:
        return Place(self.files, f"{self.path.rstrip('/')}/{name}")

    def size(self) -> int | None:
        """The file's size in bytes; None where there is no such file."""
        found = self.files.get_file_info(self.path)
        return int(found.size) if found.type == fs.FileType.File else None

    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return bool(self.files.get_file_info(self.path).type == fs.FileType.Directory)

    def names(self) -> dict[str, int]:
        """Names and sizes of the files in the folder; none where there is no such folder."""
        chosen = fs.FileSelector(self.path, allow_not_found=True)
        return {each.base_name: int(each.size) for each in self.files.get_file_info(chosen) if each.is_file}

    def below(self) -> list[str]:
        """Paths of all files in the folder, at any depth, sorted."""
        chosen = fs.FileSelector(self.path, recursive=True)
        return sorted(each.path for each in self.files.get_file_info(chosen) if each.is_file)

    def read(self) -> bytes:
        """The whole file."""
        with self.files.open_input_stream(self.path, compression=None) as file:
            return bytes(file.read())

    def open(self) -> Any:
        """The file, for reading anywhere in it."""
        return self.files.open_input_file(self.path)

    @contextmanager
    def written(self) -> Iterator[BinaryIO]:
        """A file to write, which stands under its name when the block ends well, and not before."""
        if self.files.type_name not in _RENAMING:
            with tempfile.TemporaryFile() as draft:
                yield cast(BinaryIO, draft)
                draft.seek(0)
                with self.files.open_output_stream(self.path, compression=None) as file:
                    shutil.copyfileobj(draft, file, COPY_BYTES)
            return
        path = f"{self.path}.{uuid4().hex[:12]}.draft"
        try:
            with self.files.open_output_stream(path, compression=None) as file:
                yield cast(BinaryIO, file)
            self.files.move(path, self.path)
        except BaseException:
            with suppress(OSError):
                self.files.delete_file(path)
            raise

    def make(self) -> None:
        """The folder, where the filesystem has such things."""
        self.files.create_dir(self.path, recursive=True)

    def remove(self) -> None:
        """Nothing is there any more: no file, no folder."""
        found = self.files.get_file_info(self.path).type
        if found == fs.FileType.Directory:
            self.files.delete_dir(self.path)
        elif found == fs.FileType.File:
            self.files.delete_file(self.path)


def find(arguments: Sequence[str]) -> Iterator[Input]:
    """The inputs that paths and addresses stand for, in a fixed order; a folder's are sorted."""
    for argument in arguments:
        if not is_address(argument):
            yield from find_inputs([argument])
            continue
        place = Place.of(argument)
        if place.size() is not None:
            yield Input(argument, kind_of(shown(argument)) or Kind.PAGE)
        elif place.is_folder():
            inputs = [(path, kind) for path in place.below() if (kind := kind_of(path)) is not None]
            if not inputs:
                raise InputError(f"no pages in {shown(argument)}: it has no HTML, WARC, JSON lines or Parquet file")
            for path, kind in inputs:
                yield Input(beside(argument, path.removeprefix(place.path.rstrip("/"))), kind)
        else:
            raise InputError(f"cannot read {shown(argument)}: there is no such file")


def stage(name: str, folder: Path) -> str:
    """A file's path on this machine: its own, or that of a copy in `folder`."""
    if not is_address(name):
        return name
    place = Place.of(name)
    copy = folder / f"{uuid4().hex[:8]}-{place.path.rpartition('/')[2]}"
    try:
        with place.files.open_input_stream(place.path, compression=None) as file, copy.open("wb") as here:
            shutil.copyfileobj(file, here, COPY_BYTES)
    except OSError as problem:  # stores do not say which of their objects it was
        raise OSError(f"{shown(name)}: {problem}") from problem
    return str(copy)


def _by_fsspec(name: str, problem: Exception) -> tuple[Any, str]:
    """A filesystem that Arrow does not know itself."""
    try:
        found, path = need("fsspec.core", "ray").url_to_fs(name)
    except (MissingExtra, ImportError, ValueError) as other:
        raise InputError(f"no filesystem for {shown(name)}: {problem}; {other}") from None
    return fs.PyFileSystem(fs.FSSpecHandler(found)), path
