"""How the service is set up: one frozen record, read from `DURAMEN_*` variables and the command line's flags."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

from duramen.errors import OptionError

Network = IPv4Network | IPv6Network
PREFIX = "DURAMEN_"


@dataclass(frozen=True)
class Config:
    """Every limit has a default: nothing is unbounded unless the operator says so."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 0  # processes; 0: one a processor
    seconds: float = 10.0  # for a page in a worker, which is killed then
    memory: int = 1 << 30  # bytes of a worker
    body_bytes: int = 10 << 20  # of a request
    body_seconds: float = 30.0  # until the whole request has arrived
    buffer_bytes: int = 256 << 20  # of all requests under way together
    queue: int = 64  # requests that wait for a worker
    queue_seconds: float = 10.0  # … and how long
    connections: int = 1000  # open at a time
    fetching: bool = True  # whether pages are fetched by URL
    fetches: int = 16  # at a time
    fetch_seconds: float = 15.0  # look-up, redirects and the last byte
    fetch_bytes: int = 10 << 20  # of a fetched page, decompressed
    fetch_redirects: int = 5
    allow_networks: tuple[Network, ...] = ()  # private ranges that may be fetched from
    api_keys: tuple[str, ...] = ()  # any of these opens the API; none: it is open
    rate: float = 5.0  # requests a second for each client; 0: no limit
    burst: int = 60  # … after a pause
    clients: int = 10_000  # whose rates are remembered
    trusted_proxies: tuple[Network, ...] = ()  # whose X-Forwarded-For is believed
    allowed_hosts: tuple[str, ...] = ()  # names in the Host header; none: any, but for a loopback host its own names
    drain_seconds: float = 20.0  # for requests under way when the service is told to stop
    log_level: str = "info"

    def __post_init__(self) -> None:
        positive = (
            "seconds memory body_bytes body_seconds buffer_bytes queue_seconds connections fetches fetch_seconds "
            "fetch_bytes burst clients drain_seconds"
        )
        for name in positive.split():
            if not 0 < getattr(self, name) < float("inf"):
                raise OptionError(f"{name} must be a number above zero, not {getattr(self, name)}")
        for name in ("workers", "queue", "fetch_redirects", "rate"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise OptionError(f"{name} must be zero or a number above it, not {getattr(self, name)}")
        if not 0 <= self.port < 65536:
            raise OptionError(f"there is no port {self.port}")
        if self.log_level not in LEVELS:
            raise OptionError(f"log_level is one of {', '.join(LEVELS)}, not {self.log_level!r}")
        if any(len(key) < SHORTEST_KEY or not key.isascii() for key in self.api_keys):
            raise OptionError(f"an API key has at least {SHORTEST_KEY} ASCII characters")

    @property
    def processes(self) -> int:
        """How many workers there are."""
        return self.workers or os.cpu_count() or 1

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names that a Host header may have; none stands for any.

        A service on the loopback interface answers to its own names only: a page in the user's browser whose own name
        suddenly leads to 127.0.0.1 (DNS rebinding) gets nothing.
        """
        if self.allowed_hosts:
            return self.allowed_hosts
        loopback = ("localhost", "127.0.0.1", "::1")
        return loopback if self.host in loopback else ()


LEVELS = ("debug", "info", "warning", "error")
SHORTEST_KEY = 16


def read_config(environ: Mapping[str, str], **given: Any) -> Config:
    """The configuration of the environment, with what was `given` (and is not None) in its place."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(Config):
        name = PREFIX + field.name.upper()
        if given.get(field.name) is not None:
            values[field.name] = _read(field.name, given[field.name], f"--{field.name.replace('_', '-')}")
        elif environ.get(name, "").strip():
            values[field.name] = _read(field.name, environ[name].strip(), name)
    if file := environ.get(f"{PREFIX}API_KEYS_FILE"):
        try:
            lines = Path(file).read_text("utf-8").split()
        except (OSError, UnicodeError) as error:
            raise OptionError(f"cannot read the API keys in {file}: {error}") from None
        values["api_keys"] = (*values.get("api_keys", ()), *lines)
    return Config(**values)


def _read(name: str, value: Any, source: str) -> Any:
    """A value as the field's type, from text or from what it already is."""
    default = getattr(Config, name)
    try:
        if isinstance(default, tuple):
            words = value.replace(",", " ").split() if isinstance(value, str) else value
            return tuple(ip_network(word) if name in _NETWORKS and isinstance(word, str) else word for word in words)
        if isinstance(default, bool):
            return value if isinstance(value, bool) else _SWITCH[value.lower()]
        return type(default)(value)
    except (ValueError, KeyError) as error:
        raise OptionError(f"{source}: {value!r} is not understood ({error})") from None


_NETWORKS = ("allow_networks", "trusted_proxies")
_SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
