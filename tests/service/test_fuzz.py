"""The API against its own OpenAPI description: requests made up by schemathesis, good and bad."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from duramen.service import Config, create_app
from tests.service.server import Client, running

# Not checked: that whatever fits the description is accepted. Which options an algorithm takes, and where a URL
# leads, is more than a description can say.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    # Names lead nowhere: no made-up URL is fetched.
    with running(resolve=lambda host, port: [], seconds=20) as client:
        yield client


SCHEMA = schemathesis.openapi.from_dict(create_app(Config(workers=1)).openapi())
OPERATIONS = {found.label: found for found in (each.ok() for each in SCHEMA.get_all_operations())}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("label", "mode"),
    [
        *((label, GenerationMode.POSITIVE) for label in OPERATIONS),
        *((label, GenerationMode.NEGATIVE) for label in OPERATIONS if label.startswith("POST")),
    ],
)
def test_answers_are_as_described(client: Client, label: str, mode: GenerationMode) -> None:
    operation = OPERATIONS[label]

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=25 if operation.method == "post" else 1, suppress_health_check=list(HealthCheck))
    def hold(case: Any) -> None:
        case.call_and_validate(base_url=str(client.base_url), checks=CHECKS)

    hold()


def test_description(client: Client) -> None:
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) == {"/extract", "/explain", "/compare", "/algorithms", "/health", "/metrics"}
    for path in ("/extract", "/explain", "/compare"):
        operation = described["paths"][path]["post"]
        assert {"200", "400", "401", "413", "415", "422", "429", "502", "503", "504"} <= set(operation["responses"])
        assert set(operation["requestBody"]["content"]) == {"application/json", "text/html"}
    assert "oneOf" in described["components"]["schemas"]["ExtractRequest"]
