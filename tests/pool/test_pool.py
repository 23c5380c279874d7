"""A pool's promises: order, budgets, blame for the culprit alone, workers that never outlive their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from duramen.errors import OptionError
from duramen.pool import Budget, Fault, Pool, WorkerError
from tests.pool.rogues import hang_regardless, obey, obey_all

ROOT = Path(__file__).parents[2]
SHORT = Budget(seconds=1, memory=256 << 20)
AMPLE = Budget(seconds=60, memory=256 << 20)  # for what ends by itself, however busy the machine is


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool[object, object]]:
    with Pool(obey, workers=2, budget=AMPLE) as pool:
        yield pool


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_values_come_in_order(pool: Pool[object, object]) -> None:
    payloads = list(range(500))
    assert [outcome.value for outcome in pool.map(payloads)] == payloads


def test_large_payloads_arrive_whole(pool: Pool[object, object]) -> None:
    payloads = [bytes([number]) * (3 << 20) for number in range(6)]
    assert [outcome.value for outcome in pool.map(payloads)] == payloads


@pytest.mark.parametrize(
    ("order", "reason", "detail"),
    [
        ("raise of sorts", Fault.ERROR, "ValueError: of sorts"),
        (f"allocate {1 << 30}", Fault.MEMORY, ""),
        ("grow", Fault.MEMORY, ""),
        ("abort", Fault.CRASH, "killed by SIGABRT"),
        ("kill", Fault.CRASH, "killed by SIGKILL"),
        ("exit 3", Fault.CRASH, "ended with exit code 3"),
        ("unpicklable", Fault.ERROR, "the result cannot be sent"),
    ],
)
def test_a_culprit_is_blamed_and_its_neighbours_are_not(
    pool: Pool[object, object], order: str, reason: Fault, detail: str
) -> None:
    check_blame(pool, order, reason, detail)


@pytest.mark.parametrize("order", ["hang", "hang-in-c"])
def test_a_document_that_hangs_is_ended(order: str) -> None:
    with Pool(obey, workers=1, budget=SHORT) as hurried:
        check_blame(hurried, order, Fault.TIMEOUT, "over 1 s")


def check_blame(pool: Pool[object, object], order: str, reason: Fault, detail: str) -> None:
    payloads: list[object] = [*range(10), order, *range(10, 20)]
    outcomes = list(pool.map(payloads))
    assert (outcomes[10].value, outcomes[10].reason) == (None, reason)
    assert outcomes[10].detail.startswith(detail)
    del outcomes[10]
    assert [(outcome.value, outcome.reason) for outcome in outcomes] == [(number, None) for number in range(20)]


def test_a_worker_killed_by_accident_costs_nothing(pool: Pool[object, object], tmp_path: Path) -> None:
    order = f"kill-once {tmp_path / 'done'}"
    assert [outcome.value for outcome in pool.map([1, order, 2])] == [1, order, 2]


def test_time_counts_from_when_a_worker_begins_a_document() -> None:
    """A dozen documents together take far longer than the budget of one, and all but the last wait for it."""
    with Pool(obey, workers=1, budget=Budget(seconds=1)) as pool:
        futures = [pool.submit("sleep 0.1") for _ in range(12)]
        assert all(future.result().reason is None for future in futures)
        assert all(outcome.reason is None for outcome in pool.map(["sleep 0.1"] * 12))


def test_a_budget_of_its_own(pool: Pool[object, object]) -> None:
    assert pool.submit("sleep 0.3", budget=Budget(seconds=0.1)).result().reason is Fault.TIMEOUT
    assert pool.submit(f"allocate {64 << 20}", budget=Budget(memory=32 << 20)).result().reason is Fault.MEMORY
    assert pool.submit(f"allocate {512 << 20}", budget=Budget(memory=None)).result().value == 512 << 20


def test_documents_are_read_no_further_than_needed(pool: Pool[object, object]) -> None:
    read: list[int] = []

    def endless() -> Iterator[int]:
        number = 0
        while True:
            read.append(number)
            yield number
            number += 1

    outcomes = pool.map(endless(), ahead=10)
    assert [next(outcomes).value for _ in range(100)] == list(range(100))
    assert len(read) <= 111
    outcomes.close()  # type: ignore[attr-defined]


def test_large_documents_bound_what_is_read_ahead(pool: Pool[object, object]) -> None:
    read: list[int] = []

    def large() -> Iterator[bytes]:
        for number in range(40):
            read.append(number)
            yield bytes(16 << 20)

    outcomes = pool.map(large())
    next(outcomes)
    assert len(read) <= 5
    outcomes.close()  # type: ignore[attr-defined]


def test_many_threads_may_submit(pool: Pool[object, object]) -> None:
    results: list[object] = []

    def submit(number: int) -> None:
        results.extend(pool.submit(number * 100 + each).result().value for each in range(20))

    threads = [threading.Thread(target=submit, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted(number * 100 + each for number in range(8) for each in range(20))  # type: ignore[type-var]


def test_a_payload_of_several_documents_loses_only_the_culprits() -> None:
    orders: list[object] = [1, "abort", 2, "hang", 3]
    with Pool.marked(obey_all, workers=2, budget=SHORT) as pool:
        outcomes = list(pool.map([orders, [4, 5]]))
    assert [outcome.value for outcome in outcomes] == [[1, "crash", 2, "timeout", 3], [4, 5]]


def test_a_payload_that_cannot_go_on_without_its_culprit_is_given_up() -> None:
    """A reader that hangs does so again, whatever is left out afterwards."""
    with Pool.marked(hang_regardless, workers=1, budget=SHORT) as pool:
        assert pool.submit(3).result().reason is Fault.TIMEOUT


def test_workers_are_replaced_when_they_keep_much_memory(pool: Pool[object, object]) -> None:
    with Pool(obey, workers=1, budget=AMPLE) as one:
        first = one.submit("pid").result().value
        assert one.submit("pid").result().value == first
        assert one.submit(f"allocate {1 << 30}").result().reason is Fault.MEMORY
        assert one.submit("pid").result().value != first


def test_a_task_that_cannot_be_imported_says_so() -> None:
    with pytest.raises(OptionError, match="that workers can import"):
        Pool[int, int](lambda payload: payload)


def test_a_task_whose_module_fails_is_an_error_not_a_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "breaks_in_worker.py").write_text("def task(payload): return payload\n")
    monkeypatch.syspath_prepend(tmp_path)
    import breaks_in_worker  # type: ignore[import-not-found]

    (tmp_path / "breaks_in_worker.py").write_text("raise RuntimeError('not here')\n")
    with Pool[int, int](breaks_in_worker.task, workers=1) as pool, pytest.raises(WorkerError, match="not here"):
        pool.submit(1).result()


def test_a_closed_pool_takes_nothing() -> None:
    pool = Pool(obey, workers=1)
    pool.close()
    pool.close()
    with pytest.raises(WorkerError, match="closed"):
        pool.submit(1)


def test_closing_at_once_ends_what_is_under_way() -> None:
    pool = Pool(obey, workers=1, budget=Budget(seconds=None))
    pid = pool.submit("pid").result().value
    under_way, waiting = pool.submit("hang"), pool.submit("hang")
    time.sleep(0.2)
    pool.close(wait=False)
    assert under_way.exception() is not None
    assert waiting.cancelled()
    assert isinstance(pid, int)
    assert not alive(pid)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_do_not_outlive_their_parent(how: signal.Signals) -> None:
    """Neither when it is killed nor when it is interrupted, even in the middle of a document that hangs."""
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from duramen.pool import Budget, Pool
from tests.pool.rogues import obey
with Pool(obey, workers=2, budget=Budget(seconds=None)) as pool:
    print(*(pool.submit(order).result().value for order in ["pid", "pid"]), flush=True)
    list(pool.map(["pid", "hang", "hang-in-c"]))
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    time.sleep(0.5)
    os.kill(parent.pid, how)
    _, said = parent.communicate(timeout=20)
    assert said.count("Traceback") == (0 if how is signal.SIGKILL else 1)  # the parent's own, none of a worker
    deadline = time.monotonic() + 10
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, pids))
