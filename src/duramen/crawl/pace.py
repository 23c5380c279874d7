"""How many requests a second there may be, all together."""

from __future__ import annotations

import time


class Pace:
    """Hands out moments that are at least 1/rate apart; 0 is no limit."""

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._next = 0.0

    def wait(self, now: float | None = None) -> float:
        """Seconds until the moment that is now taken."""
        now = time.monotonic() if now is None else now
        moment = max(now, self._next)
        self._next = moment + self._gap
        return moment - now
