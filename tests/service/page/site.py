"""A site on this machine that counts its visits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Site:
    """Every address of it gives the same page."""

    def __init__(self, body: str) -> None:
        site = self
        self.visits = 0

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.visits += 1
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/mill"


@contextmanager
def visited(body: str) -> Iterator[Site]:
    """A site that runs until the block ends."""
    site = Site(body)
    thread = Thread(target=site.server.serve_forever)
    thread.start()
    yield site
    site.server.shutdown()
    thread.join()
    site.server.server_close()
