"""Structured logs: one JSON object a line, on stderr."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone
from typing import Any, TextIO

LOG = logging.getLogger("duramen.service")


class JsonLines(logging.Formatter):
    """A record as a line of JSON: time, level, event, and whatever was given under `extra={"fields": …}`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        entry |= getattr(record, "fields", {})
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=True, default=str)  # ASCII: nothing in it can steer a terminal


def log(event: str, level: int = logging.INFO, **fields: Any) -> None:
    """One line; fields that are None are left out."""
    if LOG.isEnabledFor(level):
        shown = {key: value for key, value in fields.items() if value is not None}
        LOG.log(
            level, event, extra={"fields": shown}, exc_info=level >= logging.ERROR and sys.exc_info()[0] is not None
        )


def start_logs(level: str, stream: TextIO | None = None) -> None:
    """Send our lines, and those of the server below, to a stream."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name, least in ((LOG.name, level.upper()), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
