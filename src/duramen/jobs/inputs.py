"""What a job is to read: arguments → files and addresses, in a fixed order."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from duramen.errors import InputError, OptionError
from duramen.jobs.read import lines, rows, warc


class Kind(str, Enum):
    """How an input is read."""

    WARC = "warc"
    LINES = "lines"  # JSON lines
    PACKED_LINES = "packed_lines"  # … compressed
    ROWS = "rows"  # Parquet
    PAGE = "page"  # a file that is a page
    URL = "url"  # a page to fetch


@dataclass(frozen=True, slots=True)
class Input:
    """A file or an address."""

    name: str
    kind: Kind


PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
LIST_SUFFIXES = (".txt", ".urls")
_URL = re.compile(r"https?://", re.IGNORECASE)
_GLOB = re.compile(r"[*?[]")


def check_inputs(arguments: Sequence[str]) -> None:
    """Raise where an argument stands for nothing, before anything is done."""
    for argument in arguments:
        if _URL.match(argument) or Path(argument).exists():
            continue
        if next(glob.iglob(argument, recursive=True), None) is None:  # noqa: PTH207
            raise _missing(argument)


def find_inputs(arguments: Sequence[str]) -> Iterator[Input]:
    """The inputs that the arguments stand for: folders and patterns sorted, lists of addresses in their own order."""
    if not arguments:
        raise OptionError("nothing to read: give files, folders, patterns or addresses")
    for argument in arguments:
        if _URL.match(argument):
            yield Input(argument, Kind.URL)
        elif Path(argument).is_dir():
            yield from _below(argument)
        elif Path(argument).exists():
            yield from _file(argument)
        elif _GLOB.search(argument):
            found = sorted(path for path in glob.iglob(argument, recursive=True) if Path(path).is_file())  # noqa: PTH207
            if not found:
                raise _missing(argument)
            for path in found:
                yield from _file(path)
        else:
            raise _missing(argument)


def _missing(argument: str) -> InputError:
    pattern = _GLOB.search(argument)
    return InputError(f"nothing matches {argument}" if pattern else f"cannot read {argument}: there is no such file")


def kind_of(path: str) -> Kind | None:
    """How a file is read, by the end of its name; None where that says nothing."""
    name = path.lower()
    if name.endswith(warc.SUFFIXES):
        return Kind.WARC
    if name.endswith(lines.SUFFIXES):
        return Kind.LINES
    if name.endswith(tuple(suffix + packed for suffix in lines.SUFFIXES for packed in lines.COMPRESSED)):
        return Kind.PACKED_LINES
    if name.endswith(rows.SUFFIXES):
        return Kind.ROWS
    return Kind.PAGE if name.endswith(PAGE_SUFFIXES) else None


def _file(path: str) -> Iterator[Input]:
    if path.lower().endswith(LIST_SUFFIXES):
        yield from _listed(path)
    else:
        yield Input(path, kind_of(path) or Kind.PAGE)


def _listed(path: str) -> Iterator[Input]:
    """The addresses in a file, one a line; empty lines and lines that begin with # are skipped."""
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            address = line.strip()
            if not address or address.startswith("#"):
                continue
            if not _URL.match(address):
                raise InputError(f"{path}, line {number}: {address[:100]!r} is no http or https address")
            yield Input(address, Kind.URL)


def _below(folder: str) -> Iterator[Input]:
    found = False
    for above, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(above, name)  # noqa: PTH118  (there may be millions)
            kind = kind_of(path)
            if kind is not None:
                found = True
                yield Input(path, kind)
    if not found:
        raise InputError(f"no pages in {folder}: it has no HTML, WARC, JSON lines or Parquet file")
