"""A real web server on the loopback interface, for the tests that fetch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass(frozen=True)
class Answer:
    """What the server says at one path."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str | None = "text/html"
    drip: float = 0.0  # seconds between single bytes of the body


@dataclass
class Site:
    """A running server: its answers by path, and the requests that came in."""

    port: int
    answers: dict[str, Answer | Callable[[], Answer]]
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


@contextmanager
def serve(answers: Mapping[str, Answer | Callable[[], Answer]]) -> Iterator[Site]:
    """Serve some answers until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.requests.append((self.path, {key.lower(): value for key, value in self.headers.items()}))
            answer = site.answers.get(self.path, Answer(b"nothing here", 404))
            answer = answer() if callable(answer) else answer
            headers = {"Content-Length": str(len(answer.body)), **answer.headers}
            if answer.content_type is not None:
                headers["Content-Type"] = answer.content_type
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self._send(answer)

        def _send(self, answer: Answer) -> None:
            pieces = [answer.body[at : at + 1] for at in range(len(answer.body))] if answer.drip else [answer.body]
            try:
                for piece in pieces:
                    self.wfile.write(piece)
                    self.wfile.flush()
                    time.sleep(answer.drip)
            except OSError:  # the client has had enough, which is what some tests are about
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site = Site(server.server_address[1], dict(answers))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
