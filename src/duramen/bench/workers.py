"""Extractions in processes of their own: several at a time, each page with a time limit, none able to end the run.

A page that takes too long, or kills its process, is an empty extraction with the reason beside it.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from duramen.bench.extractors import Extractor, Function, Ours
from duramen.bench.gold import GoldPage
from duramen.bench.metrics.words import Tokens
from duramen.bench.scoring import score

TIMEOUT = 20.0  # seconds a page
LOADING = 180.0  # seconds for an extractor's imports
_ORPHAN_CHECK = 5.0  # seconds after which an idle worker looks whether anyone still wants it
WHY_CHARS = 200


@dataclass(frozen=True, slots=True)
class Task:
    """One page for some extractors."""

    page: GoldPage
    names: tuple[str, ...]
    tokens: Tokens = "terms"
    keep_text: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one extractor made of one page."""

    page: GoldPage
    name: str
    scores: dict[str, Any]  # with `ms`, CPU time, and `error` where something went wrong
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """An extractor that could not be started."""

    name: str
    why: str


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    task: Task | None = None
    left: list[str] = field(default_factory=list)  # of the task's extractors, the present one first
    deadline: float = float("inf")


def work(tasks: Iterable[Task], *, workers: int = 2, timeout: float = TIMEOUT) -> Iterator[Outcome | Broken]:
    """Run every task and yield what comes of it, in the order things are done."""
    pool: dict[Connection, _Worker] = {}
    waiting, again, broken = iter(tasks), list[Task](), set[str]()
    context = multiprocessing.get_context("spawn")

    def start() -> None:
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there,), daemon=True)
        process.start()
        there.close()
        pool[here] = _Worker(process)
        feed(here)

    def feed(connection: Connection) -> None:
        worker = pool[connection]
        task = again.pop() if again else next(waiting, None)
        while task is not None and not (names := tuple(name for name in task.names if name not in broken)):
            task = again.pop() if again else next(waiting, None)
        if task is None:
            with suppress(OSError):  # it may have died of itself
                connection.send(None)
            connection.close()
            del pool[connection]
            worker.process.join(5)
            return
        worker.task, worker.left = task, list(names)
        worker.deadline = time.monotonic() + LOADING
        with suppress(OSError):  # a process that died while starting is noticed when nothing comes back
            connection.send(Task(task.page, names, task.tokens, task.keep_text))

    def lost(connection: Connection, why: str) -> Iterator[Outcome]:
        """The process is gone, or has to go: its page failed; what the page still needs is done by the next one."""
        worker = pool.pop(connection)
        worker.process.kill()
        worker.process.join()
        connection.close()
        task = worker.task
        if task is not None and worker.left:
            name = worker.left.pop(0)
            ms = timeout * 1000 if why == "timeout" else 0.0
            yield Outcome(task.page, name, {**score(task.page, "", task.tokens), "ms": ms, "error": why}, "")
            if worker.left:
                again.append(Task(task.page, tuple(worker.left), task.tokens, task.keep_text))
        start()

    try:
        for _ in range(workers):
            start()
        while pool:
            for connection in wait(list(pool), timeout=0.5):
                assert isinstance(connection, Connection)
                worker = pool[connection]
                try:
                    message = connection.recv()
                except (EOFError, OSError):
                    yield from lost(connection, "crash")
                    continue
                if message[0] == "begin":
                    worker.deadline = time.monotonic() + timeout
                elif message[0] == "text":
                    worker.deadline = float("inf")  # scoring is not the extractor's time
                elif message[0] == "broken":
                    worker.left.remove(message[1])
                    if message[1] not in broken:
                        broken.add(message[1])
                        yield Broken(message[1], message[2])
                elif message[0] == "scores":
                    worker.left.remove(message[1])
                    worker.deadline = time.monotonic() + LOADING
                    assert worker.task is not None
                    yield Outcome(worker.task.page, message[1], message[2], message[3])
                elif message[0] == "done":
                    feed(connection)
            late = [each for each, worker in pool.items() if time.monotonic() > worker.deadline]
            for connection in late:
                yield from lost(connection, "timeout")
    finally:
        for connection, worker in pool.items():
            worker.process.kill()
            worker.process.join()
            connection.close()


def _serve(connection: Connection) -> None:
    """The worker's side: tasks in, scores out."""
    quiet = os.open(os.devnull, os.O_WRONLY)  # rivals are talkative
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    parent, ours, loaded = os.getppid(), Ours(), dict[str, Function]()
    while True:
        while not connection.poll(_ORPHAN_CHECK):
            if os.getppid() != parent:
                return
        task: Task | None = connection.recv()
        if task is None:
            return
        shared = 0.0
        if any(Extractor(name).ours for name in task.names):
            connection.send(("begin",))
            shared = _prepare(ours, task)
        for name in task.names:
            if name not in loaded:
                try:
                    loaded[name] = _function(name, ours)
                except Exception as problem:  # noqa: BLE001  (a rival may fail to import in any way)
                    connection.send(("broken", name, _why(problem)))
                    continue
            connection.send(("begin",))
            text, failure, started = "", dict[str, str](), time.process_time()
            try:
                text = loaded[name](task.page.html, task.page.url) or ""
            except Exception as problem:  # noqa: BLE001  (or on a page)
                failure["error"] = _why(problem)
            spent = (time.process_time() - started) * 1000 + (shared if Extractor(name).ours else 0.0)
            connection.send(("text",))
            found = {**score(task.page, text, task.tokens), "ms": round(spent, 3), **failure}
            connection.send(("scores", name, found, text if task.keep_text else None))
        connection.send(("done",))


def _prepare(ours: Ours, task: Task) -> float:
    """Parse the page for all our algorithms; the milliseconds count for each of them."""
    started = time.process_time()
    try:
        ours.parsed(task.page.html)
    except Exception:  # noqa: BLE001  (each algorithm will meet it again, and report it)
        return 0.0
    return (time.process_time() - started) * 1000


def _function(name: str, ours: Ours) -> Function:
    chosen = Extractor(name)
    if not chosen.ours:
        return chosen.load()
    configured = chosen.algorithm()
    return lambda html, url: ours.text(configured, html, url)


def _why(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"[:WHY_CHARS]
