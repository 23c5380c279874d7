"""Tasks for a pool: some do as they are told, whatever that is."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Callable, Mapping
from typing import Any

from duramen.pool import Failure


def obey(order: object) -> object:
    """Do what the order says; anything else comes back as it is, with the process that had it."""
    if not isinstance(order, str):
        return order
    word, _, rest = order.partition(" ")
    if word == "sleep":
        time.sleep(float(rest))
    elif word == "hang":
        while True:
            pass
    elif word == "hang-in-c":  # the GIL is held: no thread of the worker can do anything about it
        ctypes.PyDLL(None).sleep(3600)
    elif word == "raise":
        raise ValueError(rest)
    elif word == "allocate":
        return len(bytearray(int(rest)))
    elif word == "grow":  # memory that is written to, piece by piece, outside of Python's eyes
        pieces = []
        while True:
            pieces.append(bytes(range(256)) * 4096)
    elif word == "abort":
        os.kill(os.getpid(), signal.SIGABRT)
    elif word == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "exit":
        os._exit(int(rest))
    elif word == "kill-once":  # what happens to a worker by accident does not happen again
        if not os.path.exists(rest):  # noqa: PTH110
            open(rest, "x").close()  # noqa: PTH123
            os.kill(os.getpid(), signal.SIGKILL)
    elif word == "pid":
        return os.getpid()
    elif word == "unpicklable":
        return lambda: None
    return order


def obey_all(orders: list[object], begin: Callable[[int], None], blamed: Mapping[int, Failure]) -> list[Any]:
    """Several orders in one payload."""
    done: list[Any] = []
    for index, order in enumerate(orders):
        begin(index)
        done.append(blamed[index].reason.value if index in blamed else obey(order))
    return done


def hang_regardless(index: int, begin: Callable[[int], None], blamed: Mapping[int, Failure]) -> None:
    """Hang at a document even when it is to be left out."""
    begin(index)
    obey("hang")
