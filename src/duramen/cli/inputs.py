"""Files, folders, URLs and stdin: which pages a command is to read, and reading them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from duramen.errors import InputError, InputTooLarge, OptionError

PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
STDIN = "-"
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_LONGEST_NAME = 100
_STDIN_PLACE = PurePosixPath("stdin.html")


@dataclass(frozen=True, slots=True)
class Input:
    """One page to read."""

    name: str  # as it is reported
    path: Path | None = None  # a file
    url: str | None = None  # a page to fetch; neither: stdin
    problem: str | None = None  # why there is nothing to read
    place: PurePosixPath = _STDIN_PLACE  # where its result belongs in an output folder


@dataclass(frozen=True, slots=True)
class Source:
    """A page as it was read."""

    body: bytes
    url: str | None
    charset: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """How inputs are read."""

    url: str | None = None  # where a file or stdin came from
    charset: str | None = None
    allow_private: bool = False
    timeout: float = 20.0  # seconds, for a URL
    max_bytes: int = 0

    def read(self, one: Input) -> Source:
        """The bytes of an input, and what is known of where they came from."""
        if one.problem is not None:
            raise InputError(one.problem)
        if one.url is not None:
            from duramen.crawl import fetch

            got = fetch(one.url, timeout=self.timeout, max_bytes=self.max_bytes, allow_private=self.allow_private)
            return Source(got.body, got.url, self.charset or got.charset)
        try:
            if one.path is None:
                if sys.stdin is None:
                    raise InputError("cannot read stdin: it is closed")
                body = self._bounded(sys.stdin.buffer, one.name)
            else:
                with one.path.open("rb") as file:
                    body = self._bounded(file, one.name)
        except OSError as problem:
            raise InputError(f"cannot read {one.name}: {problem.strerror or problem}{_hint(one)}") from None
        return Source(body, self.url, self.charset)

    def _bounded(self, file: BinaryIO, name: str) -> bytes:
        body = file.read(self.max_bytes + 1)
        if len(body) > self.max_bytes:
            raise InputTooLarge(f"{name} is larger than {self.max_bytes:,} bytes (raise the limit with --max-bytes)")
        return body


def one_input(argument: str | None) -> Input:
    """The page of a command that takes one."""
    found, _ = find_inputs([argument] if argument else [])
    if len(found) != 1:
        raise OptionError(f"{argument} holds {len(found)} pages: name one of them")
    return found[0]


def find_inputs(arguments: Sequence[str]) -> tuple[list[Input], bool]:
    """The pages that the arguments stand for, in order; and whether they are to be treated as several."""
    if not arguments:
        if sys.stdin is None or sys.stdin.isatty():
            raise OptionError("nothing to read: give a file, a folder or a URL, or pipe a page in")
        arguments = [STDIN]
    if arguments.count(STDIN) > 1:
        raise OptionError("stdin (-) can be read only once")
    folders = {argument for argument in arguments if _is_path(argument) and Path(argument).is_dir()}
    root = _shared_root([argument for argument in arguments if _is_path(argument)], folders)
    found: list[Input] = []
    for argument in arguments:
        if argument == STDIN:
            found.append(Input("stdin"))
        elif _URL.match(argument):
            found.append(Input(argument, url=argument, place=_place_of_url(argument)))
        elif argument in folders:
            found += _pages_below(argument, root)
        else:
            found.append(Input(argument, path=Path(argument), place=_place_of(Path(argument), root)))
    return found, bool(folders) or len(found) > 1


def _pages_below(folder: str, root: str) -> list[Input]:
    """Every page in a folder and the folders in it, sorted; then what could not be looked into."""
    problems: list[OSError] = []
    paths = sorted(
        Path(above, name)
        for above, _, names in os.walk(folder, onerror=problems.append)
        for name in names
        if name.lower().endswith(PAGE_SUFFIXES)
    )
    found = [Input(str(path), path=path, place=_place_of(path, root)) for path in paths]
    found += [Input(folder, problem=f"cannot read {each.filename}: {each.strerror}") for each in problems]
    if not found:
        wanted = ", ".join(f"*{suffix}" for suffix in PAGE_SUFFIXES)
        found.append(Input(folder, problem=f"no pages in {folder}: it has no {wanted} file"))
    return found


def _is_path(argument: str) -> bool:
    return argument != STDIN and not _URL.match(argument)


def _hint(one: Input) -> str:
    """Who forgets the scheme of a URL names a file that does not exist."""
    looks_like_url = re.match(r"[\w-]+(\.[\w-]+)*\.[a-z]{2,}(/|$)", one.name, re.IGNORECASE)
    missing = one.path is not None and not one.path.exists() and not one.name.lower().endswith(PAGE_SUFFIXES)
    return f" (for a web page write https://{one.name})" if looks_like_url and missing else ""


def _shared_root(paths: Sequence[str], folders: set[str]) -> str:
    """The folder that all files have in common: their places below it are the places of their results."""
    above = [_absolute(Path(path) if path in folders else Path(path).parent) for path in paths]
    try:
        return os.path.commonpath(above) if above else ""
    except ValueError:  # different drives
        return ""


def _place_of(path: Path, root: str) -> PurePosixPath:
    try:
        return PurePosixPath(_absolute(path).relative_to(root).as_posix())
    except ValueError:
        return PurePosixPath(path.name)


def _absolute(path: Path) -> Path:
    """The path from the root on, `..` undone but links not followed: they stand for themselves."""
    return Path(os.path.normpath(path.absolute()))


def _place_of_url(url: str) -> PurePosixPath:
    """A URL as a file's place: host/path, without letters that a file name cannot have."""
    rest = url.partition("://")[2].partition("#")[0]
    path, _, query = rest.partition("?")
    parts = [part for part in path.split("/") if part.strip(".")]
    if path.endswith("/") or len(parts) < 2:
        parts.append("index")
    if query:
        parts[-1] = f"{_stem(parts[-1])}_{query}"
    name = parts.pop()
    # The page's own suffix goes when the result's comes; a name without one gets one to lose.
    return PurePosixPath(*map(_tidy, parts), _tidy(name if name.lower().endswith(PAGE_SUFFIXES) else f"{name}.html"))


def _stem(name: str) -> str:
    return PurePosixPath(name).stem if name.lower().endswith(PAGE_SUFFIXES) else name


def _tidy(part: str) -> str:
    tidy = re.sub(r"[^\w.=,-]+", "_", part)
    if len(tidy) <= _LONGEST_NAME:
        return tidy
    import hashlib  # slow to load, and hardly ever needed

    mark = hashlib.sha256(part.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{tidy[: _LONGEST_NAME - 20]}-{mark}{PurePosixPath(tidy).suffix[:10]}"
