"""The worker's side: takes documents from a channel, runs the task on each, sends back what came of them.

Started as a fresh interpreter that knows nothing of its parent but the channel: no forked locks, no `__main__` that
is imported again. It ends when the channel closes, and the system ends it when its parent dies.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from duramen.pool import wire
from duramen.pool.outcome import Failure, Fault
from duramen.pool.progress import Mark

DETAIL_CHARS = 500
_FIRST_PAGE = "<h1>A page</h1>" + "<p>Of a few sentences, so that there is something to judge. And one more.</p>" * 9
_PR_SET_PDEATHSIG = 1
_PARENT_CHECK = 2.0  # seconds, where the system cannot tell us that the parent died
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
COLLECTED = (20_000, 20, 20)  # objects made, and collections of younger ones, before the collector runs
_PAGE = os.sysconf("SC_PAGE_SIZE")
Reply = tuple[Fault | None, str, float, Any]


def serve(channel: int, progress: int, parent: int, task: str) -> None:
    """Work until the channel closes. `task` is `module:name`."""
    die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = socket.socket(fileno=channel)
    mark = Mark(progress)
    mark.rest()
    try:
        function = load(task)
    except Exception as problem:  # noqa: BLE001  (an import runs anything)
        wire.send(pipe, [pickle.dumps(f"cannot load the task {task}: {why(problem)}")])
        return
    warm_up()
    fresh, resident = sizes()
    wire.send(pipe, [pickle.dumps((resident, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT))])
    limited: int | None = None
    while True:
        try:
            head, *blobs = wire.receive(pipe)
        except (EOFError, OSError):
            return
        memory, blamed = pickle.loads(head)
        if memory != limited:
            limited = memory
            limit_memory(fresh, memory)
        if blamed is None:
            replies = [perform(function, index, blob, mark) for index, blob in enumerate(blobs)]
        else:
            replies = [perform_marked(function, blobs[0], mark, blamed)]
        del blobs
        mark.rest()
        # What one large page leaves behind must not be charged to the next.
        worn = any(reply[0] is Fault.MEMORY for reply in replies)
        worn = worn or (memory is not None and sizes()[0] - fresh > memory // 4)
        wire.send(pipe, [pickle.dumps(worn), *packed(replies)])


def warm_up() -> None:
    """Load the model and what the arithmetic allocates once: neither is any document's memory."""
    from duramen.extract import extract

    assert extract(_FIRST_PAGE).text is not None
    # What is loaded by now stays: the collector need not look at it again, nor as often as it does by itself.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED)


def perform(function: Callable[[Any], Any], index: int, blob: memoryview, mark: Mark) -> Reply:
    """Run the task on one document."""
    mark.begin(index)
    started = time.perf_counter()
    reason, detail, value = None, "", None
    try:
        value = function(pickle.loads(blob))
    except MemoryError:
        reason = Fault.MEMORY
    except BaseException as problem:  # noqa: BLE001  (whatever it raises is its outcome; a panic of Rust is no Exception)
        reason, detail = Fault.ERROR, why(problem)
    return reason, detail, time.perf_counter() - started, value


def perform_marked(
    function: Callable[[Any, Callable[[int], None], Mapping[int, Failure]], Any],
    blob: memoryview,
    mark: Mark,
    blamed: Mapping[int, Failure],
) -> Reply:
    """Run a task that holds several documents and says itself when each begins."""
    started = time.perf_counter()
    try:
        value = function(pickle.loads(blob), mark.begin, blamed)
    except BaseException as problem:  # noqa: BLE001
        reason = Fault.MEMORY if isinstance(problem, MemoryError) else Fault.ERROR
        return reason, why(problem), time.perf_counter() - started, None
    return None, "", time.perf_counter() - started, value


def packed(replies: list[Reply]) -> list[bytes]:
    """The replies as bytes; a value that cannot be sent is an error of its document alone."""
    try:
        return [pickle.dumps(reply, 5) for reply in replies]
    except Exception:  # noqa: BLE001  (the value's own code runs)
        return [_packed_alone(reply) for reply in replies]


def _packed_alone(reply: Reply) -> bytes:
    try:
        return pickle.dumps(reply, 5)
    except Exception as problem:  # noqa: BLE001
        fault = Fault.MEMORY if isinstance(problem, MemoryError) else Fault.ERROR
        return pickle.dumps((fault, f"the result cannot be sent: {why(problem)}", reply[2], None), 5)


def load(task: str) -> Callable[..., Any]:
    """The function that a task's name stands for."""
    module, _, name = task.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    function: Callable[..., Any] = found
    return function


def why(problem: BaseException) -> str:
    """An exception in one line."""
    return f"{type(problem).__name__}: {problem}"[:DETAIL_CHARS]


def sizes() -> tuple[int, int]:
    """Address space and resident memory of this process in bytes; zeros where the system does not say."""
    return sizes_of("self")


def sizes_of(process: int | str) -> tuple[int, int]:
    """Address space and resident memory of a process in bytes; zeros where the system does not say."""
    try:
        with open(f"/proc/{process}/statm", "rb") as file:  # noqa: PTH123  (read often)
            space, resident, *_ = file.read().split()
    except (OSError, ValueError):
        return 0, 0
    return int(space) * _PAGE, int(resident) * _PAGE


def limit_memory(fresh: int, memory: int | None) -> None:
    """Let this process grow by `memory` bytes beyond its fresh size, and no further."""
    if not fresh:
        return  # the size is not known here: the pool's own watch has to do
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = resource.RLIM_INFINITY if memory is None else fresh + memory
    if hard != resource.RLIM_INFINITY:
        wanted = hard if memory is None else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def die_with(parent: int) -> None:
    """See to it that this process does not outlive its parent, even in the middle of a document that hangs."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK)
    os._exit(1)
