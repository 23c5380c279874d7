"""Budgets for documents: a pool of killable workers, and extraction within limits of time and memory."""

from __future__ import annotations

from duramen.pool.outcome import Budget, Failure, Fault, Outcome, WorkerError
from duramen.pool.pool import Pool, available_cores
from duramen.pool.within import Extracted, extract_within

__all__ = [
    "Budget",
    "Extracted",
    "Failure",
    "Fault",
    "Outcome",
    "Pool",
    "WorkerError",
    "available_cores",
    "extract_within",
]
