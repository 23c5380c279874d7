"""`duramen serve`: the HTTP API and the web page."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from duramen.errors import MissingExtra


def _flag(name: str, metavar: str, text: str) -> Any:
    return typer.Option(name, metavar=metavar, help=text, show_default=False)


Host = Annotated[str | None, _flag("--host", "ADDRESS", "Where to listen. [default: 127.0.0.1]")]
Port = Annotated[int | None, _flag("--port", "PORT", "0: any free one. [default: 8000]")]
Workers = Annotated[int | None, _flag("--workers", "COUNT", "Worker processes. [default: one a processor]")]
Seconds = Annotated[float | None, _flag("--seconds", "SECONDS", "Time limit for a page. [default: 10]")]
Memory = Annotated[int | None, _flag("--memory", "BYTES", "Memory limit for a page. [default: 1 GiB]")]
BodyBytes = Annotated[int | None, _flag("--body-bytes", "BYTES", "Size limit of a request. [default: 10 MiB]")]
Queue = Annotated[int | None, _flag("--queue", "COUNT", "Requests that may wait for a worker. [default: 64]")]
Rate = Annotated[float | None, _flag("--rate", "NUMBER", "Requests a second for a client; 0: any. [default: 5]")]
Burst = Annotated[int | None, _flag("--burst", "COUNT", "Requests at once after a pause. [default: 60]")]
AllowNetworks = Annotated[
    str | None, _flag("--allow-networks", "RANGES", "Private ranges that pages may be fetched from: 10.1.0.0/16,…")
]
TrustedProxies = Annotated[str | None, _flag("--trusted-proxies", "RANGES", "Whose X-Forwarded-For is believed.")]
AllowedHosts = Annotated[str | None, _flag("--allowed-hosts", "NAMES", "The service's own names in Host headers.")]
NoFetch = Annotated[bool, typer.Option("--no-fetch", help="Fetch nothing: pages come in requests only.")]
LogLevel = Annotated[str | None, _flag("--log-level", "LEVEL", "debug, info, warning or error. [default: info]")]


def serve(
    host: Host = None,
    port: Port = None,
    workers: Workers = None,
    seconds: Seconds = None,
    memory: Memory = None,
    body_bytes: BodyBytes = None,
    queue: Queue = None,
    rate: Rate = None,
    burst: Burst = None,
    allow_networks: AllowNetworks = None,
    trusted_proxies: TrustedProxies = None,
    allowed_hosts: AllowedHosts = None,
    no_fetch: NoFetch = False,
    log_level: LogLevel = None,
) -> None:
    """Serve the HTTP API and the web page.

    Every setting can be given as a DURAMEN_… variable too (DURAMEN_PORT, DURAMEN_API_KEYS …); docs/service.md lists
    them all. SIGTERM ends it once the requests under way are answered.

    \b
    duramen serve
    duramen serve --port 0 --workers 4
    DURAMEN_API_KEYS_FILE=keys.txt duramen serve --host 0.0.0.0 --allow-networks 10.1.0.0/16
    """
    try:
        from duramen.service import read_config
        from duramen.service import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("duramen"):
            raise
        raise MissingExtra(f'the service needs {error.name}: pip install "duramen[serve]"') from None
    config = read_config(
        os.environ,
        host=host,
        port=port,
        workers=workers,
        seconds=seconds,
        memory=memory,
        body_bytes=body_bytes,
        queue=queue,
        rate=rate,
        burst=burst,
        allow_networks=allow_networks,
        trusted_proxies=trusted_proxies,
        allowed_hosts=allowed_hosts,
        fetching=False if no_fetch else None,
        log_level=log_level,
    )
    run(config)
