"""A pool of killable workers: each document with a budget, none able to take its neighbours with it.

A thread for each worker owns it from start to end: it gives the worker a few documents at a time, waits, and ends it
when the present document is over its budget. Those around the culprit are done again by the next worker.
"""

from __future__ import annotations

import os
import pickle
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Generic, TypeVar, cast

from duramen.errors import OptionError
from duramen.pool.outcome import Budget, Failure, Fault, Outcome, WorkerError
from duramen.pool.process import Lost, Process, StillbornWorker
from duramen.pool.worker import Reply

P = TypeVar("P")
T = TypeVar("T")

MarkedTask = Callable[[P, Callable[[int], None], Mapping[int, Failure]], T]

CHUNK_DOCUMENTS = 32  # sent to a worker at once …
CHUNK_BYTES = 1 << 20  # … or fewer when they are large
AHEAD_BYTES = 64 << 20  # documents and results waiting for their turn in `map`
STARTS = 4  # a worker that dies while it starts is started so often
ATTEMPTS = 3  # a document that a worker died at is tried so often: it may not have been the document


@dataclass(slots=True, eq=False)
class _Item:
    """A document on its way."""

    blob: bytes
    budget: Budget
    future: Future[Outcome[Any]] = field(default_factory=Future)
    tries: Counter[int] = field(default_factory=Counter)  # by document, those of a worker that died at it
    blamed: dict[int, Failure] = field(default_factory=dict)  # of a marked task: documents in it that are given up


class Pool(Generic[P, T]):
    """Runs a task on documents in processes of their own.

    `task` is a function of one argument, a document, that a fresh process can import.

    >>> with Pool(len, workers=1) as pool:
    ...     [outcome.value for outcome in pool.map(["a", "bc"])]
    [1, 2]
    """

    def __init__(
        self,
        task: Callable[[P], T],
        *,
        workers: int | None = None,
        budget: Budget = Budget(),  # noqa: B008  (frozen)
        _marked: bool = False,
    ) -> None:
        self.workers = workers or available_cores()
        self.budget = budget
        self._task = _task_name(task)
        self._marked = _marked
        self._queue: SimpleQueue[list[_Item] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._processes: set[Process] = set()
        self._closed = False
        self._aborted = threading.Event()
        self._threads = [
            threading.Thread(target=self._serve, name=f"duramen-pool-{number}", daemon=True)
            for number in range(self.workers)
        ]
        for thread in self._threads:
            thread.start()

    @classmethod
    def marked(
        cls,
        task: MarkedTask[P, T],
        *,
        workers: int | None = None,
        budget: Budget = Budget(),  # noqa: B008
    ) -> Pool[P, T]:
        """A pool for payloads that hold several documents, each with the budget.

        The task takes the payload; `begin(index)`, to be called when each document begins; and those documents, by
        index, that workers were lost to before, with the reason: they are to be left out.
        """
        return cls(cast("Callable[[P], T]", task), workers=workers, budget=budget, _marked=True)

    def submit(self, payload: P, *, budget: Budget | None = None) -> Future[Outcome[T]]:
        """Give a document to the pool, from any thread."""
        item = _Item(pickle.dumps(payload, 5), budget or self.budget)
        self._put([item])
        return item.future

    def map(self, payloads: Iterable[P], *, ahead: int | None = None) -> Iterator[Outcome[T]]:
        """What comes of each document, in their order; no more than `ahead` documents are read in advance."""
        limit = ahead or self.workers * CHUNK_DOCUMENTS * 2
        largest = 1 if self._marked else max(1, min(CHUNK_DOCUMENTS, limit // (self.workers * 2)))
        waiting: deque[_Item] = deque()
        chunk: list[_Item] = []
        waiting_bytes = chunk_bytes = 0
        try:
            for payload in payloads:
                item = _Item(pickle.dumps(payload, 5), self.budget)
                chunk.append(item)
                waiting.append(item)
                chunk_bytes += len(item.blob)
                waiting_bytes += len(item.blob)
                if len(chunk) >= largest or chunk_bytes >= CHUNK_BYTES:
                    self._put(chunk)
                    chunk, chunk_bytes = [], 0
                while waiting and (len(waiting) >= limit or waiting_bytes >= AHEAD_BYTES or waiting[0].future.done()):
                    if chunk and chunk[0] is waiting[0]:
                        self._put(chunk)
                        chunk, chunk_bytes = [], 0
                    waiting_bytes -= len(waiting[0].blob)
                    yield waiting.popleft().future.result()
            if chunk:
                self._put(chunk)
            while waiting:
                yield waiting.popleft().future.result()
        finally:
            for item in waiting:
                item.future.cancel()

    def close(self, *, wait: bool = True) -> None:
        """End the workers: when everything is done, or at once where `wait` is false (what is under way is lost)."""
        with self._lock:
            first, self._closed = not self._closed, True
            if not wait:
                self._aborted.set()
                for process in self._processes:
                    process.kill()
        if first:
            for _ in self._threads:
                self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> Pool[P, T]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self.close(wait=kind is None)

    def _put(self, items: list[_Item]) -> None:
        with self._lock:
            if self._closed:
                raise WorkerError("the pool is closed")
            self._queue.put(items)

    def _serve(self) -> None:
        """One thread's work: chunks from the queue through a worker that it keeps alive."""
        worker: Process | None = None
        while (items := self._queue.get()) is not None:
            if self._aborted.is_set():
                for item in items:
                    item.future.cancel()
                continue
            running = [item for item in items if item.future.set_running_or_notify_cancel()]
            groups = deque([running] if running else [])
            failures = 0
            while groups:
                group = groups.popleft()
                try:
                    worker = worker or self._start()
                    replies = self._run(worker, group)
                except Lost as lost:
                    self._end(worker)
                    worker = None
                    failures = failures + 1 if lost.index < 0 else 0
                    if self._aborted.is_set() or failures == ATTEMPTS:
                        problem = CancelledError() if self._aborted.is_set() else WorkerError(f"workers die: {lost}")
                        _fail([group, *groups], problem)
                        break
                    groups.extendleft(reversed(self._after(lost, group)))
                except WorkerError as problem:
                    _fail([group, *groups], CancelledError() if self._aborted.is_set() else problem)
                    break
                else:
                    for item, (reason, detail, seconds, value) in zip(group, replies):
                        item.future.set_result(Outcome(value, reason, detail, seconds))
                    if worker.worn:
                        self._end(worker)
                        worker = None
        self._end(worker)

    def _start(self) -> Process:
        """A worker that is ready; one that something kills while it starts is no reason to give up at once."""
        for left in range(STARTS - 1, -1, -1):
            process = Process(self._task)
            with self._lock:
                self._processes.add(process)
                if self._aborted.is_set():
                    process.kill()
            try:
                process.ready()
            except WorkerError as problem:
                self._end(process)
                if not isinstance(problem, StillbornWorker) or not left or self._aborted.is_set():
                    raise
            else:
                return process
        raise AssertionError("unreachable")

    def _end(self, process: Process | None) -> None:
        if process is not None:
            with self._lock:
                self._processes.discard(process)
            process.close()

    def _run(self, worker: Process, group: list[_Item]) -> list[Reply]:
        blamed: Mapping[int, Failure] | None = group[0].blamed if self._marked else None
        return worker.run([item.blob for item in group], group[0].budget, blamed)

    def _after(self, lost: Lost, group: list[_Item]) -> list[list[_Item]]:
        """What is to be done again after a worker was lost, the culprit apart from its neighbours."""
        if lost.index < 0:
            return [group]
        if self._marked:
            return [] if _give_up(group[0], lost) else [group]
        culprit = group[lost.index]
        culprit.tries[0] += 1
        if lost.failure.reason is Fault.CRASH and culprit.tries[0] < ATTEMPTS:
            again = [group[: lost.index], [culprit], group[lost.index + 1 :]]
        else:
            culprit.future.set_result(_outcome(lost, culprit))
            again = [group[: lost.index], group[lost.index + 1 :]]
        return [some for some in again if some]


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _give_up(item: _Item, lost: Lost) -> bool:
    """Blame a document of a marked task; whether the whole is given up, because it gets no further without it."""
    if lost.index in item.blamed:
        item.future.set_result(_outcome(lost, item))
        return True
    item.tries[lost.index] += 1
    if lost.failure.reason is not Fault.CRASH or item.tries[lost.index] >= ATTEMPTS:
        item.blamed[lost.index] = lost.failure
    return False


def _outcome(lost: Lost, item: _Item) -> Outcome[Any]:
    seconds = item.budget.seconds if lost.failure.reason is Fault.TIMEOUT else None
    return Outcome(None, lost.failure.reason, lost.failure.detail, seconds or 0.0)


def _fail(groups: Iterable[list[_Item]], problem: BaseException) -> None:
    for group in groups:
        for item in group:
            item.future.set_exception(problem)


def _task_name(task: Callable[..., Any]) -> str:
    """`module:name` of a function that a fresh process can import."""
    module, name = getattr(task, "__module__", None), getattr(task, "__qualname__", None)
    if not module or not name or module == "__main__" or "<" in name:
        raise OptionError(f"a pool's task is a function of a module that workers can import, not {task!r}")
    return f"{module}:{name}"
