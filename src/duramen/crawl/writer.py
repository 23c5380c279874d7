"""One thread that writes results, so that the disk never holds up the network."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from duramen.crawl.store import Record, Store

MOST_AT_ONCE = 64  # pages that one flush to the disk finishes


class Writer:
    """Writes pages in the order in which they come; those that wait are finished together."""

    def __init__(self, store: Store, unsaved: Callable[[Record, Exception], None]) -> None:
        self._store = store
        self._unsaved = unsaved  # told of pages that the disk did not take
        self._queue: SimpleQueue[tuple[Record, bytes | None, Future[bool]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="duramen-writer")
        self._thread.start()

    def write(self, record: Record, file: bytes | None) -> Future[bool]:
        """Write a page; the future says whether its line is on the disk."""
        done: Future[bool] = Future()
        self._queue.put((record, file, done))
        return done

    def close(self) -> None:
        """Write what is waiting, and end."""
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        ended = False
        while not ended:
            batch = [self._queue.get()]
            try:
                while len(batch) < MOST_AT_ONCE:
                    batch.append(self._queue.get_nowait())
            except Empty:
                pass
            ended = None in batch
            self._write([entry for entry in batch if entry is not None])

    def _write(self, entries: list[tuple[Record, bytes | None, Future[bool]]]) -> None:
        for record, file, _ in entries:
            try:
                self._store.put(record, file)
            except OSError as problem:
                record |= {"status": "failed", "reason": "not_written", "detail": str(problem), "file": None}
        records = [record for record, _, _ in entries]
        saved = not records or self._finish(records)
        for record, _, done in entries:
            # Where the disk did not take all at once, it may take some.
            done.set_result(saved or self._finish([record], told=True))

    def _finish(self, records: list[Record], *, told: bool = False) -> bool:
        try:
            self._store.finish(records)
        except OSError as problem:
            if told:
                self._unsaved(records[0], problem)
            return False
        return True
