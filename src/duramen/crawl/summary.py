"""What a run came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from duramen.crawl.store import Record


@dataclass
class Summary:
    """The figures of one run, and how many pages earlier ones had finished."""

    pages: int = 0  # finished in this run
    ok: int = 0
    empty: Counter[str] = field(default_factory=Counter)  # pages without content, by reason
    failed: Counter[str] = field(default_factory=Counter)  # by reason
    duplicates: int = 0
    not_saved: int = 0  # the disk did not take them: they are fetched again by the next run
    types: Counter[str] = field(default_factory=Counter)
    encodings: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)  # warnings of the algorithms, such as not_chinese
    replaced: int = 0  # characters that the output's encoding lacks
    earlier: int = 0  # pages that earlier runs had finished
    seconds: float = 0.0
    interrupted: bool = False

    def note(self, record: Record) -> None:
        """Count a finished page."""
        self.pages += 1
        self.replaced += record["replaced"]
        self.types[record["type"]] += 1
        self.flags.update(record["flags"])
        if record["encoding"]:
            self.encodings[record["encoding"]] += 1
        if record["status"] == "ok":
            self.ok += 1
        elif record["status"] == "empty":
            self.empty[record["reason"]] += 1
        elif record["status"] == "duplicate":
            self.duplicates += 1
        else:
            self.failed[record["reason"]] += 1

    @property
    def failures(self) -> int:
        """Pages that failed, whatever the cause."""
        return self.failed.total() + self.not_saved

    @property
    def pages_per_second(self) -> float:
        """The pace of this run."""
        return self.pages / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "pages": self.pages,
            "ok": self.ok,
            "empty": dict(self.empty.most_common()),
            "failed": dict(self.failed.most_common()),
            "duplicates": self.duplicates,
            "not_saved": self.not_saved,
            "types": dict(self.types.most_common()),
            "encodings": dict(self.encodings.most_common()),
            "flags": dict(self.flags.most_common()),
            "replaced": self.replaced,
            "earlier": self.earlier,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.pages_per_second, 2),
            "interrupted": self.interrupted,
        }

    def lines(self) -> Iterator[str]:
        """For people."""
        earlier = f" ({self.earlier} more were finished before)" if self.earlier else ""
        yield f"{self.pages} pages in {self.seconds:.1f} s, {self.pages_per_second:.1f} pages/s{earlier}"
        yield f"{self.ok} with content{_causes('without', self.empty)}{_causes('failed', self.failed)}"
        if self.duplicates:
            yield f"{self.duplicates} redirect to pages that have results of their own"
        if self.replaced:
            yield f"{self.replaced} characters that the output encoding lacks"
        if self.flags:
            yield f"warnings: {_listed(self.flags)}"
        if self.not_saved:
            yield f"{self.not_saved} could not be saved: run again to fetch them once more"
        if self.interrupted:
            yield "interrupted: run again to continue"


def _causes(what: str, count: Counter[str]) -> str:
    return f", {count.total()} {what} ({_listed(count)})" if count else ""


def _listed(count: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in count.most_common())
