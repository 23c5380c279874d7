"""A request's body, read no further and no longer than it may, and what it asks for."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request

from duramen.service.config import Config
from duramen.service.errors import CLOSE, Refusal, too_large
from duramen.service.gates import Buffer
from duramen.service.schema import PageRequest

Model = TypeVar("Model", bound=PageRequest)

HTML_TYPES = ("text/html", "application/xhtml+xml")
_LINGER_SECONDS, _LINGER_TIMES = 1.0, 4  # so long, and so many times the limit, a refused body is read and thrown away
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_LISTS = ("formats", "algorithms")


@asynccontextmanager
async def read_request(
    request: Request, model: type[Model], config: Config, buffer: Buffer
) -> AsyncIterator[tuple[Model, str | bytes | None]]:
    """What is asked for, and the page that came with it (None: it is to be fetched).

    The body counts as held in memory until the block ends.
    """
    stated = request.headers.get("content-type", "")
    kind = stated.partition(";")[0].strip().lower()
    if kind != "application/json" and kind not in HTML_TYPES:
        raise Refusal(
            415,
            "unsupported_type",
            f"a request is application/json or text/html, not {kind[:80]!r}",
            "Send JSON with html, html_base64 or url; or the page itself as text/html.",
        )
    if request.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise Refusal(415, "compressed", "compressed requests are not accepted", "Send it without Content-Encoding.")
    body = bytearray()
    try:
        await _receive(request, body, config, buffer)
        request.state.note["bytes_in"] = len(body)
        if kind == "application/json":
            asked = _checked(model, bytes(body))
            yield asked, _page(asked)
        else:
            charset = _CHARSET.search(stated)
            yield _from_query(model, request, charset[1] if charset else None), bytes(body)
    finally:
        buffer.give_back(len(body))


async def _receive(request: Request, body: bytearray, config: Config, buffer: Buffer) -> None:
    """Fill `body`, bounded in bytes and time."""
    limit, stated = config.body_bytes, request.headers.get("content-length", "")
    try:
        if stated.isdecimal() and int(stated[:20]) > limit:
            raise too_large(limit)
        async with _seconds(config.body_seconds):
            async for piece in request.stream():
                if len(body) + len(piece) > limit:
                    raise too_large(limit)
                buffer.take(len(piece))
                body += piece
    except (asyncio.TimeoutError, TimeoutError):
        message = f"the request did not arrive within {config.body_seconds:g} s"
        raise Refusal(408, "too_slow", message, "Try again on a better line.", CLOSE) from None
    except ClientDisconnect:
        raise Refusal(400, "disconnected", "the client left", None, CLOSE) from None
    except Refusal as refusal:
        await _linger(request, limit * _LINGER_TIMES)
        raise Refusal(
            refusal.status, refusal.code, refusal.message, refusal.hint, {**refusal.headers, **CLOSE}
        ) from None


@asynccontextmanager
async def _seconds(limit: float) -> AsyncIterator[None]:
    """`asyncio.timeout`, which Python 3.10 does not have."""
    task = asyncio.current_task()
    assert task is not None
    late = False

    def end() -> None:
        nonlocal late
        late = True
        task.cancel()

    timer = asyncio.get_running_loop().call_later(limit, end)
    try:
        yield
    except asyncio.CancelledError:
        if late:
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()


async def _linger(request: Request, most: int) -> None:
    """Take a little more and throw it away: who is cut off in the middle of sending does not read the answer."""
    if "expect" in request.headers:  # it waits to be told to go on
        return
    try:
        async with _seconds(_LINGER_SECONDS):
            async for piece in _rest(request):
                most -= len(piece)
                if most < 0:
                    return
    except (asyncio.TimeoutError, TimeoutError, ClientDisconnect):
        return


async def _rest(request: Request) -> AsyncIterator[bytes]:
    while True:
        message = await request.receive()
        if message["type"] != "http.request":
            return
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


def _checked(model: type[Model], data: bytes | dict[str, Any]) -> Model:
    try:
        if isinstance(data, bytes):
            return model.model_validate_json(data, strict=True)  # JSON has types: 0 is not false
        return model.model_validate(data)
    except ValidationError as problems:
        first = problems.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise Refusal(400, "invalid_json", first["msg"], "Send a JSON object in UTF-8.") from None
        where = ".".join(str(step) for step in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        message = f"{where}: {said}" if where else said
        raise Refusal(422, "invalid_request", message, "See /openapi.json for what a request holds.") from None
    except RecursionError:
        raise Refusal(400, "invalid_json", "the JSON is nested too deeply") from None


def _page(asked: PageRequest) -> str | bytes | None:
    if asked.html_base64 is not None:
        try:
            return base64.b64decode(asked.html_base64, validate=True)
        except (binascii.Error, ValueError):
            raise Refusal(422, "invalid_request", "html_base64: this is no Base64") from None
    return asked.html


def _from_query(model: type[Model], request: Request, charset: str | None) -> Model:
    """What is asked for beside a page sent as it is: `?algorithm=cetd&formats=text,markdown&option=lambda=0.5`."""
    data: dict[str, Any] = {"html": "", "charset": charset}
    options: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name == "option":
            key, _, setting = value.partition("=")
            name_of, dot, rest = key.partition(".")
            if dot:  # of one of the algorithms compared
                options.setdefault(name_of, {})[rest] = setting
            else:
                options[key] = setting
        elif name in _LISTS:
            data[name] = [*data.get(name, ()), *(word for word in value.split(",") if word)]
        elif name in ("html", "html_base64", "url", "options"):
            raise Refusal(422, "invalid_request", f"{name} does not go with a page sent as it is", "See base_url.")
        else:
            data[name] = value
    if options:
        data["options"] = options
    return _checked(model, data)
