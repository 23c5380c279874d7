"""What Prometheus asks for at `/metrics`."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from duramen.service.gates import Buffer, Gate, Rates

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series for each, of no use here
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_BYTES = (1e3, 1e4, 1e5, 1e6, 1e7)


class Metrics:
    """The counters of one application: they live and die with it."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.requests = Counter(
            "duramen_requests", "Requests answered", ("route", "method", "status"), registry=registry
        )
        self.latency = Histogram(
            "duramen_request_seconds",
            "From the first to the last byte",
            ("route",),
            buckets=_SECONDS,
            registry=registry,
        )
        self.body = Histogram("duramen_request_bytes", "Size of requests", buckets=_BYTES, registry=registry)
        self.work = Histogram(
            "duramen_work_seconds", "Time in a worker", ("kind",), buckets=_SECONDS, registry=registry
        )
        self.rejections = Counter("duramen_rejections", "Requests not served, by error", ("code",), registry=registry)
        self.faults = Counter("duramen_worker_faults", "Pages that failed in a worker", ("reason",), registry=registry)
        self.fetches = Counter("duramen_fetches", "Pages fetched by URL", ("result",), registry=registry)

    def watch(self, pool: Gate, fetches: Gate, buffer: Buffer, rates: Rates) -> None:
        """Show the state of what keeps the load in bounds."""
        gauges = (
            ("duramen_workers", "Worker processes", lambda: pool.places),
            ("duramen_workers_busy", "Workers at work", lambda: pool.busy),
            ("duramen_queue", "Requests waiting for a worker", lambda: pool.waiting),
            ("duramen_queue_limit", "Most that may wait", lambda: pool.queue),
            ("duramen_fetches_busy", "Fetches under way", lambda: fetches.busy),
            ("duramen_fetches_waiting", "Requests waiting to fetch", lambda: fetches.waiting),
            ("duramen_buffered_bytes", "Bytes of requests in memory", lambda: buffer.held),
            ("duramen_rate_clients", "Clients whose rates are remembered", lambda: len(rates)),
        )
        for name, text, read in gauges:
            Gauge(name, text, registry=self.registry).set_function(read)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        found: bytes = generate_latest(self.registry)
        return found
