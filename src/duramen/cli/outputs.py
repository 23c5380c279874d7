"""Where results go: stdout, a file, a folder that mirrors the inputs, or a file of JSON lines. Always UTF-8."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO, Protocol

from duramen.cli.inputs import PAGE_SUFFIXES, Input
from duramen.cli.report import CONTROLS, is_terminal
from duramen.errors import DuramenError, OptionError


class Output(Protocol):
    """Takes results in the order of their inputs."""

    def put(self, one: Input, result: str) -> None:
        """Write one result; an empty one is an empty file, or nothing on stdout."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...


def write(text: str, *, styled: bool = False) -> None:
    """Text to stdout at once; on a terminal without what would steer it, unless that is our own doing."""
    if sys.stdout is None:
        raise DuramenError("cannot write to stdout: it is closed")
    if is_terminal(sys.stdout) and not styled:
        text = text.translate(CONTROLS)
    try:
        sys.stdout.buffer.write(encoded(text))
        sys.stdout.buffer.flush()
    except OSError as problem:
        # Python flushes stdout once more when it ends, and would complain a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(problem, BrokenPipeError):
            raise
        raise DuramenError(f"cannot write to stdout: {problem.strerror or problem}") from None


def encoded(text: str) -> bytes:
    """UTF-8, whatever the terminal speaks (names of files may hold bytes that are no text)."""
    return text.encode("utf-8", "replace")


class Stdout:
    """One result after another, a blank line between them unless they are lines themselves."""

    def __init__(self, lines: bool) -> None:
        self._lines = lines
        self._begun = False

    def put(self, one: Input, result: str) -> None:
        if result:
            write(result if self._lines or not self._begun else "\n" + result)
            self._begun = True

    def close(self) -> None:
        pass


class OneFile:
    """A single result in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def put(self, one: Input, result: str) -> None:
        save(self._path, result, one)

    def close(self) -> None:
        pass


class Lines:
    """Every result on a line of one file, written as they come."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("wb")
        except OSError as problem:
            raise _unwritable(path, problem) from None

    def put(self, one: Input, result: str) -> None:
        try:
            self._file.write(encoded(result))
        except OSError as problem:
            raise _unwritable(self._path, problem) from None

    def close(self) -> None:
        try:
            self._file.close()
        except OSError as problem:
            raise _unwritable(self._path, problem) from None


class Folder:
    """A file a result, in the place that its input has among the inputs."""

    def __init__(self, folder: Path, suffix: str) -> None:
        if folder.exists() and not folder.is_dir():
            raise OptionError(f"{folder} is a file: several results go into a folder, or into a .jsonl file")
        self._folder = folder
        self._suffix = suffix
        self._taken: set[str] = set()

    def put(self, one: Input, result: str) -> None:
        save(self._folder / self._free(one), result, one)

    def close(self) -> None:
        pass

    def _free(self, one: Input) -> str:
        """`page.html` becomes `page.txt`; where `page.htm` did so before, `page.html.txt`, then `page.html-2.txt` …"""
        place = one.place
        stem = str(place.with_suffix("")) if place.suffix.lower() in PAGE_SUFFIXES else str(place)
        name, number = f"{stem}{self._suffix}", 1
        while name.casefold() in self._taken:
            name = f"{place}{self._suffix}" if number == 1 else f"{place}-{number}{self._suffix}"
            number += 1
        self._taken.add(name.casefold())
        return name


def save(path: Path, result: str, one: Input) -> None:
    """Write a result to a file, never over the page that it came from."""
    try:
        if one.path is not None and path.exists() and path.samefile(one.path):
            raise OptionError(f"{path} is the page itself: choose another place for the result")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded(result))
    except OSError as problem:
        raise _unwritable(path, problem) from None


def _unwritable(path: Path, problem: OSError) -> DuramenError:
    return DuramenError(f"cannot write {path}: {problem.strerror or problem}")
