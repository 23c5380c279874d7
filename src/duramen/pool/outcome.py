"""What a document may cost, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from duramen.errors import DuramenError, OptionError

T = TypeVar("T")


class Fault(str, Enum):
    """Why a document has no value."""

    TIMEOUT = "timeout"  # it took longer than its budget
    MEMORY = "memory"  # it took more memory than its budget
    CRASH = "crash"  # its worker died of it, more than once
    ERROR = "error"  # the task raised

    def __str__(self) -> str:
        return self.value


class WorkerError(DuramenError):
    """Workers cannot be started, or the pool is closed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one document may cost; None is no limit."""

    seconds: float | None = 10.0
    memory: int | None = 1 << 30  # bytes beyond what a fresh worker needs

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise OptionError(f"a time limit is above zero, not {self.seconds}")
        if self.memory is not None and self.memory <= 0:
            raise OptionError(f"a memory limit is above zero, not {self.memory}")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of one document: a value, or the reason why there is none."""

    value: T | None
    reason: Fault | None = None
    detail: str = ""  # for people: the exception, the signal
    seconds: float = 0.0  # in the worker


@dataclass(frozen=True, slots=True)
class Failure:
    """What a worker was lost to, or what a task raised."""

    reason: Fault
    detail: str = ""
