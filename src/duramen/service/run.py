"""The server itself: uvicorn, with the limits that are its own."""

from __future__ import annotations

import math
import socket
import sys

import uvicorn
from fastapi import FastAPI

from duramen.errors import InputError
from duramen.service.app import create_app
from duramen.service.config import Config
from duramen.service.logs import log, start_logs
from duramen.service.protocol import TimedProtocol

HEADER_BYTES = 32 << 10  # of a request's line and headers
SWITCH_SECONDS = 0.001  # Python's own is 0.005
IDLE_SECONDS = 5  # that a connection is kept between two requests


def serve(config: Config) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are finished first."""
    # Under overload the loop always has something to do; the threads that serve the workers must get their turn all the
    # same, or the workers stand idle.
    sys.setswitchinterval(SWITCH_SECONDS)
    with _listen(config) as listening:
        start_logs(config.log_level)
        server = make_server(create_app(config), config)
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        log("listening", url=f"http://{shown}:{port}/", workers=config.processes, api_key=bool(config.api_keys))
        server.run(sockets=[listening])


def make_server(app: FastAPI, config: Config) -> uvicorn.Server:
    """The server of an application, with everything switched off that is not needed."""
    settings = uvicorn.Config(
        app,
        host=config.host,
        port=config.port,
        http=TimedProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # see DURAMEN_TRUSTED_PROXIES
        server_header=False,
        limit_concurrency=config.connections,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=math.ceil(config.drain_seconds),
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    return uvicorn.Server(settings)


def _listen(config: Config) -> socket.socket:
    """A socket at the configured address. Bound here, so that port 0 can be told before requests come in."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as problem:
        raise InputError(f"cannot listen on {config.host}:{config.port}: {problem.strerror or problem}") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as problem:
        listening.close()
        raise InputError(f"cannot listen on {config.host}:{config.port}: {problem.strerror or problem}") from None
    return listening
