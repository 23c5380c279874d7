"""What every request passes: it gets a name, is held to the client's rate and key, measured, and logged.

Plain ASGI, around the application: it sees each answer's status and size, whoever made it.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
import time
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_address
from typing import Any
from uuid import uuid4

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duramen.service.config import Config, Network
from duramen.service.errors import Refusal
from duramen.service.gates import Gate, Rates, client_of
from duramen.service.headers import security_headers
from duramen.service.logs import log
from duramen.service.metrics import Metrics

ROUTES = frozenset({"/", "/extract", "/explain", "/compare", "/algorithms", "/health", "/metrics", "/openapi.json"})
_WORK = frozenset({"/extract", "/explain", "/compare"})
_KEYED = _WORK | {"/metrics"}
_MACHINES = frozenset({"/health", "/metrics"})  # asked by machines, often
_UNLIMITED = _MACHINES | {"/", "/page"}  # … and the page's many small files
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Front:
    """Around the application. `scope["state"]["note"]` is where handlers leave what the log line is to say."""

    def __init__(self, app: ASGIApp, config: Config, metrics: Metrics, rates: Rates, gate: Gate) -> None:
        self.app, self.config, self.metrics, self.rates, self.gate = app, config, metrics, rates, gate
        self._keys = [sha256(key.encode()).digest() for key in config.api_keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), scope["path"]
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid4().hex
        route = path if path in ROUTES else "/page" if path.startswith("/page/") else "other"
        note: dict[str, Any] = {}
        scope.setdefault("state", {}).update(request_id=request_id, note=note)
        client = client_address(scope, headers, self.config.trusted_proxies)
        started, status, size, begun = time.perf_counter(), 500, 0, False
        guarded = security_headers(route in ("/", "/page"))

        async def answer(message: Message) -> None:
            nonlocal status, size, begun
            if message["type"] == "http.response.start":
                begun, status = True, message["status"]
                own = {name.lower() for name, _ in message.get("headers", ())}
                message["headers"] = [
                    *message.get("headers", ()),
                    *((name, value) for name, value in guarded if name not in own),
                    (b"x-request-id", request_id.encode()),
                ]
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            self._check(route, headers, client)
            await self.app(scope, receive, answer)
        except Refusal as refusal:
            note["code"] = refusal.code
            if not begun:
                await refuse(refusal, request_id, answer)
        except Exception:  # noqa: BLE001  (whatever it is, the client gets an answer and the log a traceback)
            note["code"] = "internal"
            log("failure", logging.ERROR, request_id=request_id, route=route)
            if not begun:
                await refuse(Refusal(500, "internal", "something went wrong here"), request_id, answer)
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"] if scope["method"] in ("GET", "POST", "HEAD", "OPTIONS") else "other"
            self.metrics.requests.labels(route, method, str(status)).inc()
            self.metrics.latency.labels(route).observe(seconds)
            if "code" in note:
                self.metrics.rejections.labels(note["code"]).inc()
            log(
                "request",
                logging.DEBUG if route in _MACHINES else logging.INFO,
                request_id=request_id,
                method=method,
                route=route,
                status=status,
                ms=round(seconds * 1000, 2),
                client=client,
                bytes_out=size,
                **note,
            )

    def _check(self, route: str, headers: Headers, client: str) -> None:
        hosts = self.config.hosts
        if hosts and host_name(headers.get("host", "")) not in hosts:
            raise Refusal(400, "unknown_host", "this service does not go by that name", "See DURAMEN_ALLOWED_HOSTS.")
        if route not in _UNLIMITED:
            self.rates.spend(client_of(client))
        if self._keys and route in _KEYED and not self._knows(headers):
            raise Refusal(
                401,
                "key_required",
                "an API key is needed",
                "Send it as X-API-Key, or as Authorization: Bearer.",
                {"WWW-Authenticate": 'Bearer realm="duramen"'},
            )
        if route in _WORK:
            self.gate.check()  # the cheapest place to turn someone away: nothing has been read yet

    def _knows(self, headers: Mapping[str, str]) -> bool:
        """Whether a valid key was sent; it takes the same time whichever key is wrong, and wherever."""
        given = headers.get("x-api-key", "")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = given or (token.strip() if scheme.lower() == "bearer" else "")
        digest = sha256(given.encode("utf-8", "replace")).digest()
        return any([hmac.compare_digest(digest, key) for key in self._keys])  # noqa: C419  (every key, always)


async def refuse(refusal: Refusal, request_id: str, send: Send) -> None:
    """Send an error."""
    body = {
        "error": {"code": refusal.code, "message": refusal.message, "hint": refusal.hint},
        "request_id": request_id,
    }
    data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    headers = {"content-type": "application/json", "content-length": str(len(data)), **refusal.headers}
    sent = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": sent})
    await send({"type": "http.response.body", "body": data})


def host_name(header: str) -> str:
    """The name in a Host header, without its port and the brackets of IPv6."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].rstrip(".").lower()


def client_address(scope: Scope, headers: Headers, trusted: tuple[Network, ...]) -> str:
    """Who asks: the peer, or what trusted proxies say of it, read from the nearest one outwards."""
    address = (scope.get("client") or ("unknown", 0))[0]
    if not trusted or not _within(address, trusted):
        return str(address)
    for said in reversed([part.strip() for line in headers.getlist("x-forwarded-for") for part in line.split(",")]):
        try:
            address = str(ip_address(said.strip("[]")))
        except ValueError:
            break  # what stands further out was written by who knows whom
        if not _within(address, trusted):
            break
    return str(address)


def _within(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks if network.version == parsed.version)
