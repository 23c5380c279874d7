"""A datatrove block: documents of HTML in, documents of main content out.

from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter
from duramen.jobs.cluster.datatrove import Extract

pipeline = [WarcReader("s3://…/"), Extract(), JsonlWriter("out/")]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from duramen.errors import MissingExtra
from duramen.jobs.record import Record
from duramen.jobs.settings import Settings
from duramen.jobs.work import OK, run

try:
    from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped]
except ModuleNotFoundError as problem:
    raise MissingExtra(f'this needs {problem.name}: pip install "duramen[datatrove]"') from None

if TYPE_CHECKING:
    from datatrove.data import Document  # type: ignore[import-untyped]

BATCH = 64  # documents at a time
_NOT_METADATA = frozenset({"source", "offset", "url", "text"})


class Extract(PipelineStep):  # type: ignore[misc]
    """Puts the main content in the place of each document's HTML, and what is known of the page into its metadata.

    Metadata get the columns of `duramen batch` but `source`, `offset` and `url`. Documents without content are left
    out and counted by their reason, unless `keep_empty` is set. Limits of time and memory for each page are the
    executor's affair: only `Settings.max_bytes` applies.
    """

    name = "🌳 duramen"
    type = "🛢 - EXTRAC"
    _requires_dependencies = ("duramen",)

    def __init__(self, settings: Settings | None = None, *, keep_empty: bool = False) -> None:
        super().__init__()
        self.settings = settings or Settings()
        self.keep_empty = keep_empty
        if "text" not in self.settings.formats:
            raise ValueError("a datatrove document is its text: leave 'text' among the formats")

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """The documents with their content, in their order."""
        documents = iter(data or ())
        while batch := list(islice(documents, BATCH)):
            with self.track_time("batch"):
                rows = list(run(map(_record, batch), self.settings))
            for document, row in zip(batch, rows):
                self.stat_update("total", row["status"] if row["reason"] is None else row["reason"])
                if row["status"] != OK and not self.keep_empty:
                    self.stat_update("dropped")
                    continue
                document.text = row["text"]
                document.metadata.update(_metadata(row))
                self.stat_update("forwarded")
                self.update_doc_stats(document)
                yield document


def _record(document: Document) -> Record:
    """A document's page. datatrove's readers have decoded it already."""
    url = document.metadata.get("url")
    body = document.text.encode("utf-8", "replace")
    return Record(document.id, body, url=url if isinstance(url, str) else None, charset="utf-8")


def _metadata(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _NOT_METADATA and value is not None}
