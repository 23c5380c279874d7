"""URL lists: one URL or page file a line, after a tab optionally its type."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from duramen.crawl.urls import canonical
from duramen.errors import InputError, OptionError


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of a URL list."""

    url: str  # canonical; a file has a file: URL
    type: str | None = None  # where the list states one
    written: str = ""  # as it stands in the list
    problem: str | None = None  # why it cannot be fetched


def read_list(path: str | Path, types: Collection[str]) -> Iterator[Listed]:
    """The entries of a URL list, in order. A bad type raises; a line that is no URL is an entry with a problem."""
    try:
        data = Path(path).read_bytes()
    except OSError as problem:
        raise InputError(f"cannot read the URL list {path}: {problem.strerror or problem}") from None
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        written, _, kind = line.partition("\t")
        written, kind = written.strip(), kind.strip()
        if not written or written.startswith("#"):
            continue
        if kind and kind not in types:
            raise OptionError(f"{path}, line {number}: there is no type {kind!r}: there are {', '.join(types)}")
        yield entry(written, kind or None, Path(path).parent)


def entry(written: str, kind: str | None, folder: Path) -> Listed:
    """A URL, or a file relative to `folder`, as an entry of a list."""
    if "://" in written[:12] or written.startswith("//"):
        url = canonical(written)
        if url is not None:
            return Listed(url, kind, written)
        try:
            scheme = urlsplit(written).scheme
        except ValueError:
            scheme = ""
        kinds = f"only http and https URLs are fetched, not {scheme}"
        return Listed(written, kind, written, "it is no URL" if scheme in ("http", "https", "") else kinds)
    return Listed((folder / written).absolute().as_uri(), kind, written)
