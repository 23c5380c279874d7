"""A real service on a free port of the loopback interface, for the tests that talk to it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx

from duramen.crawl.connect import Resolve, system_resolve
from duramen.service import Config, create_app
from duramen.service.app import Service
from duramen.service.run import make_server

ARTICLE = """<!DOCTYPE html><html lang="en"><head><title>Tide tables</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a> <a href="/all">All the tables</a></nav>
<article><h1>The tide tables of Orrin</h1>
<p>The harbour keeps its own tables, and has done so since the first pier was built, long before the railway came.</p>
<p>Twice a day, in every weather, someone walks out to the staff and reads the water, to the nearest inch or so.</p>
<p>On a calm morning the figure is easy, in a storm it is an opinion, and both are written down with equal care.</p>
</article><footer><a href="/legal">Legal</a> <a href="/contact">Contact</a></footer></body></html>"""


class Client(httpx.Client):
    """A client of one running service."""

    service: Service

    def ask(self, path: str, **body: Any) -> httpx.Response:
        """POST some JSON."""
        return self.post(path, json=body)

    def code(self, path: str, **body: Any) -> tuple[int, str]:
        """Status and error code of an answer that is an error."""
        answer = self.ask(path, **body)
        return answer.status_code, answer.json()["error"]["code"]


@contextmanager
def running(config: Config | None = None, resolve: Resolve = system_resolve, **settings: Any) -> Iterator[Client]:
    """A service that runs until the block ends, in a thread of its own; its workers are processes as ever."""
    config = config or Config(**{"port": 0, "workers": 1, "rate": 0, "drain_seconds": 5, **settings})
    app = create_app(config, resolve=resolve)
    server = make_server(app, config)
    thread = Thread(target=server.run, name="service")
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the service did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        with Client(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False) as client:
            client.service = app.state.service
            yield client
    finally:
        server.should_exit = True
        thread.join()
