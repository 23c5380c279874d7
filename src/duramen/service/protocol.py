"""HTTP/1.1 as uvicorn speaks it, with a limit that it lacks: on how long a request's headers may take."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0


class TimedProtocol(H11Protocol):
    """Closes a connection on which no whole request head arrives in time, the first or any later one."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A new connection: a request is expected."""
        super().connection_made(transport)
        self._expect()

    def on_response_complete(self) -> None:
        """An answer was sent: the next request is expected."""
        super().on_response_complete()
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is expected any more."""
        super().connection_lost(exc)
        self._forget()

    def _expect(self) -> None:
        self._forget()
        if not self.transport.is_closing():
            self._timer = self.loop.call_later(HEADER_SECONDS, self._end, self.cycle)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self, before: Any) -> None:
        if self.cycle is before and not self.transport.is_closing():
            self.transport.close()
