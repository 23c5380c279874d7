"""One worker process as the pool sees it: started, given documents, watched, killed."""

from __future__ import annotations

import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from duramen.pool import wire
from duramen.pool.outcome import Budget, Failure, Fault, WorkerError
from duramen.pool.progress import SIZE, Mark
from duramen.pool.worker import RSS_UNIT, Reply, sizes_of

LOADING = 120.0  # seconds for a worker's imports
WATCH = 0.1  # seconds between looks at a worker that has not answered yet
# Workers are as many as the cores are to be: threads of a matrix library in each would only get in their way. And
# Arrow's own allocator takes a gigabyte of address space at once, which a limit of memory would refuse.
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
_START = """\
import sys
sys.path[:] = {path!r}
from duramen.pool.worker import serve
serve({channel}, {progress}, {parent}, {task!r})
"""


class Lost(Exception):
    """The worker is gone; `index` is the document that it was at, -1 where there was none."""

    def __init__(self, failure: Failure, index: int) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.index = index


class StillbornWorker(WorkerError):
    """A worker that was gone before it was ready."""


class Process:
    """A worker that is ready for documents. Used by one thread; `kill` may come from any."""

    def __init__(self, task: str) -> None:
        here, there = wire.pair()
        shared = wire.shared_file(SIZE)
        try:
            code = _START.format(path=sys.path, channel=there.fileno(), progress=shared, parent=os.getpid(), task=task)
            self._child = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(there.fileno(), shared),
                env={**os.environ, **_ENVIRONMENT},
                start_new_session=True,  # Ctrl-C is the parent's to handle
            )
            self._mark = Mark(shared)
        except OSError as problem:
            here.close()
            raise WorkerError(f"cannot start a worker: {problem}") from None
        finally:
            there.close()
            os.close(shared)
        self.worn = False
        self._parent = os.getpid()
        self._channel = here
        self._fresh = 0  # resident bytes when it was ready
        self._peak = 0  # the system's figure for the most that it ever had by then: its parent's is counted in
        self._seen = 0  # the most resident bytes that the watch saw

    def ready(self) -> None:
        """Wait until it has loaded the task."""
        try:
            if not _readable(self._channel, LOADING):
                raise WorkerError(f"a worker did not start within {LOADING:.0f} seconds")
            answer = pickle.loads(wire.receive(self._channel)[0])
        except (EOFError, OSError):
            raise StillbornWorker("a worker died while starting") from None
        if isinstance(answer, str):
            raise WorkerError(answer)
        self._fresh, self._peak = answer

    def run(self, blobs: Sequence[bytes], budget: Budget, blamed: Mapping[int, Failure] | None) -> list[Reply]:
        """What comes of some documents; `Lost` where the worker is lost to one of them."""
        head = pickle.dumps((budget.memory, blamed))
        try:
            wire.send(self._channel, [head, *blobs])
            self._watch(budget)
            worn, *replies = map(pickle.loads, wire.receive(self._channel))
        except (EOFError, OSError):
            raise self._died(budget) from None
        self.worn = worn
        return replies

    def _watch(self, budget: Budget) -> None:
        """Wait for the answer, and end the worker when the present document is over its budget."""
        pause = WATCH if budget.seconds is None else min(WATCH, budget.seconds)
        while not _readable(self._channel, pause):
            late = budget.seconds is not None and time.monotonic() - self._mark.begun() > budget.seconds
            self._seen = max(self._seen, sizes_of(self._child.pid)[1] if budget.memory is not None else 0)
            grown = self._seen - self._fresh
            large = budget.memory is not None and grown > budget.memory
            if not late and not large:
                continue
            self.kill()
            self._reap()
            # It may have gone on to the next document in between, which then is not to blame.
            if large:
                raise Lost(Failure(Fault.MEMORY, f"it took {grown >> 20:,} MB"), self._mark.index())
            assert budget.seconds is not None
            over = time.monotonic() - self._mark.begun() > budget.seconds
            raise Lost(Failure(Fault.TIMEOUT, f"over {budget.seconds:g} s"), self._mark.index() if over else -1)

    def _died(self, budget: Budget) -> Lost:
        """Why a worker died that was not killed here."""
        self.kill()  # it may have closed its channel and live on
        code, peak = self._reap()
        grown = max(peak - self._peak, self._seen - self._fresh)
        if code < 0:
            detail = f"killed by {_signal_name(-code)}"
        else:
            detail = f"ended with exit code {code}"
        # Native code that is refused memory often ends the process: it had grown, so that is what it was.
        if budget.memory is not None and grown > budget.memory // 2:
            return Lost(Failure(Fault.MEMORY, f"{detail}, having grown by {grown >> 20:,} MB"), self._mark.index())
        return Lost(Failure(Fault.CRASH, detail), self._mark.index())

    def _reap(self) -> tuple[int, int]:
        """Exit code (negative: the signal) and peak resident bytes."""
        if self._child.returncode is not None:
            return self._child.returncode, 0
        try:
            _, status, usage = os.wait4(self._child.pid, 0)
        except ChildProcessError:  # someone else took it, such as a handler of SIGCHLD
            self._child.returncode = 0
            return 0, 0
        self._child.returncode = os.waitstatus_to_exitcode(status)
        return self._child.returncode, usage.ru_maxrss * RSS_UNIT

    def kill(self) -> None:
        """End it at once."""
        if self._child.returncode is None and os.getpid() == self._parent:  # not in a forked copy of the pool
            with suppress(ProcessLookupError):
                os.kill(self._child.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it, and give back what it held."""
        self.kill()
        self._reap()
        self._channel.close()
        self._mark.close()


def _readable(channel: socket.socket, seconds: float) -> bool:
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
