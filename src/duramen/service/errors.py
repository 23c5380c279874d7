"""Answers that are not 200: one exception, one shape, and what each failure is told as."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from duramen.pool import Fault


@dataclass(eq=False)
class Refusal(Exception):
    """A request that gets an error for an answer."""

    status: int
    code: str  # for programs
    message: str
    hint: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.status} {self.code}: {self.message}"


CLOSE = {"Connection": "close"}  # where the rest of a request's body is not wanted


def too_large(limit: int) -> Refusal:
    """A body beyond the limit."""
    return Refusal(413, "too_large", f"the request is larger than {limit:,} bytes", "Send a smaller page.", CLOSE)


def overloaded(seconds: float, what: str = "workers") -> Refusal:
    """More requests than can be taken."""
    wait = {"Retry-After": str(max(1, math.ceil(seconds)))}
    return Refusal(503, "overloaded", f"all {what} are busy", "Try again after the seconds in Retry-After.", wait)


def too_many(seconds: float) -> Refusal:
    """A client over its rate."""
    wait = {"Retry-After": str(max(1, math.ceil(seconds)))}
    return Refusal(429, "too_many_requests", "you ask faster than this service allows", "Slow down.", wait)


def failed(fault: Fault, seconds: float) -> Refusal:
    """A page that a worker was lost to."""
    if fault is Fault.TIMEOUT:
        message = f"the page took longer than {seconds:g} s"
        return Refusal(504, "time_limit", message, "Try another algorithm or a smaller page.")
    if fault is Fault.MEMORY:
        return Refusal(422, "memory_limit", "the page took more memory than it may", "Try a smaller page.")
    if fault is Fault.CRASH:
        return Refusal(500, "crashed", "the worker process died of this page", "Please report the page.")
    return Refusal(500, "internal", "something went wrong here", "Please report the request_id.")
