"""The HTTP application: its routes, and what each makes of a request."""

from __future__ import annotations

import asyncio
import inspect
import logging
import re
import time
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from duramen.algorithms import ALGORITHMS
from duramen.algorithms import algorithm as configured
from duramen.crawl.connect import Resolve, system_resolve
from duramen.errors import DuramenError
from duramen.pool import Budget, Outcome, Pool, WorkerError
from duramen.service.config import Config
from duramen.service.errors import Refusal, failed, overloaded
from duramen.service.fetching import Fetcher
from duramen.service.front import Front
from duramen.service.gates import Buffer, Gate, Rates
from duramen.service.listing import listing
from duramen.service.logs import log
from duramen.service.metrics import CONTENT_TYPE, Metrics
from duramen.service.reading import read_request
from duramen.service.schema import (
    Algorithms,
    Compared,
    CompareRequest,
    Explained,
    ExplainRequest,
    Extracted,
    ExtractRequest,
    Health,
    Limits,
    PageRequest,
    Problem,
)
from duramen.service.work import Job, Kind, work
from duramen.version import VERSION

PAGE = Path(__file__).parent / "page"
STARTING = 60.0  # seconds that a lost worker may take to be replaced
SWITCHES = ("comments", "hidden", "links", "images", "tables", "formatting")  # of `extract`, besides the settings
SOURCES = ("html", "html_base64", "url")
WARM = "<p>Every worker has read one page before the first request comes in."

_NAMES_FILES = re.compile(r"model|path|file|folder|directory", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Service:
    """What the routes share while the application runs."""

    def __init__(self, config: Config, resolve: Resolve) -> None:
        self.config = config
        self.metrics = Metrics()
        self.gate = Gate("workers", config.processes, config.queue, config.queue_seconds)
        self.buffer = Buffer(config.buffer_bytes)
        self.rates = Rates(config.rate, config.burst, config.clients)
        self.fetcher = Fetcher(config, resolve)
        self.metrics.watch(self.gate, self.fetcher.gate, self.buffer, self.rates)
        self.draining = False
        self._pool: Pool[Job, tuple[int, bytes]] | None = None

    @property
    def pool(self) -> Pool[Job, tuple[int, bytes]]:
        """The workers; none before the application has started."""
        if self._pool is None:
            raise overloaded(1.0)
        return self._pool

    async def start(self) -> None:
        """Start the workers and wait until each has read a page."""
        config = self.config
        self._pool = Pool(work, workers=config.processes, budget=Budget(config.seconds, config.memory))
        jobs = [self._pool.submit(Job("extract", WARM, (("default", {}),))) for _ in range(config.processes)]
        await asyncio.gather(*map(asyncio.wrap_future, jobs))

    async def stop(self) -> None:
        """End the workers; requests under way have been waited for before."""
        self.draining = True
        self.fetcher.close()
        if self._pool is not None:
            await asyncio.to_thread(self._pool.close, wait=False)

    async def run(self, job: Job, request: Request) -> Response:
        """The answer to a job, once a worker has a place for it."""
        arrived = time.perf_counter()
        async with self.gate.turn():
            waited = time.perf_counter() - arrived
            if await request.is_disconnected():  # nobody waits for it any more
                raise Refusal(400, "disconnected", "the client left")
            outcome = await self._outcome(job)
        note = request.state.note
        note |= {"kind": job.kind, "waited_ms": round(waited * 1000, 2), "work_ms": round(outcome.seconds * 1000, 2)}
        if outcome.reason is not None:
            self.metrics.faults.labels(str(outcome.reason)).inc()
            log(
                "worker_fault",
                logging.WARNING,
                request_id=request.state.request_id,
                reason=str(outcome.reason),
                detail=outcome.detail,
                algorithm=job.algorithms[0][0],
            )
            raise failed(outcome.reason, self.config.seconds)
        self.metrics.work.labels(job.kind).observe(outcome.seconds)
        assert outcome.value is not None
        status, body = outcome.value
        timing = f"wait;dur={waited * 1000:.1f}, work;dur={outcome.seconds * 1000:.1f}"
        if job.fetch_ms is not None:
            timing = f"fetch;dur={job.fetch_ms:.1f}, {timing}"
        return Response(body, status, {"Server-Timing": timing}, "application/json")

    async def _outcome(self, job: Job) -> Outcome[tuple[int, bytes]]:
        # The pool keeps the limits by itself; this one is for a pool that cannot start workers any more.
        most = 3 * self.config.seconds + STARTING
        try:
            return await asyncio.wait_for(asyncio.wrap_future(self.pool.submit(job)), most)
        except (WorkerError, CancelledError, asyncio.TimeoutError, TimeoutError) as problem:
            if self.draining:
                raise Refusal(503, "stopping", "the service is stopping", None, {"Retry-After": "5"}) from None
            log("pool_failure", logging.ERROR, problem=str(problem))
            raise overloaded(5.0) from None


def create_app(config: Config | None = None, *, resolve: Resolve = system_resolve) -> FastAPI:
    """The application. `resolve` looks up the hosts of URLs; its answers are checked all the same."""
    config = config or Config()
    service = Service(config, resolve)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()
            log("stopped")

    app = FastAPI(
        title="duramen",
        version=VERSION,
        description="The main content of web pages, and why it was chosen.",
        lifespan=lifespan,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
    )
    app.state.service = service
    app.add_middleware(Front, config=config, metrics=service.metrics, rates=service.rates, gate=service.gate)
    app.add_exception_handler(HTTPException, _http_error)
    _add_pages(app)
    _add_work(app, service)
    _add_state(app, service)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


async def _http_error(request: Request, problem: Exception) -> Response:
    """What the framework refuses by itself: unknown paths and methods."""
    assert isinstance(problem, HTTPException)
    codes = {404: "not_found", 405: "method_not_allowed"}
    code = codes.get(problem.status_code, "invalid_request")
    request.state.note["code"] = code
    error = {"code": code, "message": str(problem.detail), "hint": "See /openapi.json for what there is."}
    body = {"error": error, "request_id": request.state.request_id}
    return JSONResponse(body, problem.status_code, dict(problem.headers or {}))


def _add_pages(app: FastAPI) -> None:
    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page() -> Response:
        return FileResponse(PAGE / "index.html", media_type="text/html; charset=utf-8")

    app.mount("/page", StaticFiles(directory=PAGE, check_dir=False), "page")


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    words = {
        400: "Not JSON, or not for this host",
        401: "An API key is needed",
        405: "Another method",
        408: "The request came too slowly",
        413: "Too large",
        415: "Neither JSON nor HTML, or compressed",
        422: "Not a valid request: a field, an algorithm, an option or a URL that is refused",
        429: "Too many requests of this client",
        500: "A page that the workers died of, or a fault of ours",
        502: "The page could not be fetched",
        503: "Overloaded or stopping",
        504: "The page took too long",
    }
    waits = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}
    return {
        status: {"model": Problem, "description": words[status], **({"headers": waits} if status in (429, 503) else {})}
        for status in statuses
    }


_ON_GET = _problems(400, 429)
_ON_POST = _problems(400, 401, 408, 413, 415, 422, 429, 500, 502, 503, 504)


def _takes(model: type[PageRequest]) -> dict[str, Any]:
    """The request's body in OpenAPI; the application reads it by itself, within its limits."""
    reference = {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}
    html = {"schema": {"type": "string", "format": "binary"}}
    return {"requestBody": {"required": True, "content": {"application/json": reference, "text/html": html}}}


def _add_work(app: FastAPI, service: Service) -> None:
    config, buffer = service.config, service.buffer

    @app.post("/extract", response_model=Extracted, responses=_ON_POST, openapi_extra=_takes(ExtractRequest))
    async def extract(request: Request) -> Response:
        """The main content of a page, one key a format, and what is known of the page.

        A page may also be sent as it is, as text/html, with the other fields in the query:
        `?algorithm=cetd&formats=text,markdown&option=lambda=0.5&base_url=https://example.org/`.
        """
        async with read_request(request, ExtractRequest, config, buffer) as (asked, page):
            switches = {name: getattr(asked, name) for name in SWITCHES}
            chosen = _chosen({asked.algorithm: asked.options})
            return await _serve(
                service, request, "extract", asked, page, chosen, tuple(dict.fromkeys(asked.formats)), switches
            )

    @app.post("/explain", response_model=Explained, responses=_ON_POST, openapi_extra=_takes(ExplainRequest))
    async def explain(request: Request) -> Response:
        """Every decision of an algorithm about a page, and the page itself with kept and dropped parts coloured."""
        async with read_request(request, ExplainRequest, config, buffer) as (asked, page):
            chosen = _chosen({asked.algorithm: asked.options})
            return await _serve(service, request, "explain", asked, page, chosen)

    @app.post("/compare", response_model=Compared, responses=_ON_POST, openapi_extra=_takes(CompareRequest))
    async def compare(request: Request) -> Response:
        """What several algorithms make of a page, and how far they agree."""
        async with read_request(request, CompareRequest, config, buffer) as (asked, page):
            chosen = _chosen({name: asked.options.get(name, {}) for name in asked.algorithms})
            return await _serve(service, request, "compare", asked, page, chosen, tuple(dict.fromkeys(asked.formats)))


async def _serve(
    service: Service,
    request: Request,
    kind: Kind,
    asked: PageRequest,
    page: str | bytes | None,
    chosen: tuple[tuple[str, Mapping[str, Any]], ...],
    formats: tuple[str, ...] = (),
    switches: Mapping[str, Any] | None = None,
) -> Response:
    """Fetch the page where it is to be fetched, and have a worker answer."""
    note = request.state.note
    note["algorithm"] = ",".join(name for name, _ in chosen)
    page_type = getattr(asked, "page_type", None)
    if page_type is not None and page_type not in listing().page_types:
        known = ", ".join(listing().page_types)
        raise Refusal(422, "invalid_request", f"page_type: there is no {page_type!r}", f"There are: {known}.")
    url, charset, milliseconds = asked.base_url, asked.charset, None
    if page is None:
        assert asked.url is not None
        note["host"] = _host(asked.url)  # not the whole address: it may hold secrets
        try:
            found, milliseconds = await service.fetcher.fetch(asked.url)
        except Refusal as refusal:
            service.metrics.fetches.labels(refusal.code).inc()
            raise
        service.metrics.fetches.labels("ok").inc()
        page, url, charset = found.body, found.url, charset or found.charset
    classify = getattr(asked, "classify", True)
    job = Job(kind, page, chosen, formats, url, charset, page_type, switches or {}, milliseconds, classify)
    return await service.run(job, request)


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _chosen(wanted: Mapping[str, Mapping[str, Any]]) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """The algorithms and their settings, checked here: a mistake takes no worker's time."""
    for name, options in wanted.items():
        if not options and (name == "default" or name in ALGORITHMS):
            continue
        for key, value in options.items():
            if _NAMES_FILES.search(key) and not (value is None or _PLAIN_NAME.fullmatch(str(value))):
                raise Refusal(422, "invalid_request", f"{key}: only the name of a shipped model is accepted here")
        try:
            configured(name, options)
        except (DuramenError, OverflowError, ValueError, TypeError, RecursionError) as problem:
            raise Refusal(422, "invalid_request", str(problem)[:500], "GET /algorithms lists them.") from None
    return tuple(wanted.items())


def _add_state(app: FastAPI, service: Service) -> None:
    config = service.config

    @app.get("/algorithms", response_model=Algorithms, responses=_ON_GET)
    async def algorithms() -> Algorithms:
        """Which algorithms there are, and their settings."""
        return listing()

    @app.get("/health", response_model=Health, responses=_problems(400, 503))
    async def health() -> Response:
        """Whether the service works, and its limits."""
        body = Health(
            status="draining" if service.draining else "ok",
            version=VERSION,
            workers=service.gate.places,
            busy=service.gate.busy,
            waiting=service.gate.waiting,
            limits=Limits(
                body_bytes=config.body_bytes,
                seconds=config.seconds,
                fetching=config.fetching,
                key_required=bool(config.api_keys),
            ),
        )
        return Response(body.model_dump_json(), 503 if service.draining else 200, media_type="application/json")

    @app.get(
        "/metrics",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **_problems(400, 401)},
    )
    async def metrics() -> Response:
        """The state of the service, as Prometheus reads it."""
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The description, with the requests that the application reads by itself."""
    if app.openapi_schema is None:
        described = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas = described.setdefault("components", {}).setdefault("schemas", {})
        for model in (ExtractRequest, ExplainRequest, CompareRequest):
            schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas.update(schema.pop("$defs", {}))
            schema["oneOf"] = [{"required": [name], "properties": {name: {"type": "string"}}} for name in SOURCES]
            schema["description"] = inspect.getdoc(model)
            fields = schema["properties"]
            named = fields["algorithm"] if "algorithm" in fields else fields["algorithms"]["items"]
            named["enum"] = ["default", *ALGORITHMS]
            schemas[model.__name__] = schema
        described["components"]["securitySchemes"] = {
            "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            "bearer": {"type": "http", "scheme": "bearer"},
        }
        app.openapi_schema = described
    return app.openapi_schema
