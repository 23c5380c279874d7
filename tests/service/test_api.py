"""What the API answers."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest

from duramen.algorithms import ALGORITHMS
from duramen.service.schema import Algorithms, Compared, Explained, Extracted
from duramen.version import VERSION
from tests.service.server import ARTICLE, Client, running

CHINESE = "<title>雨</title><body><p>今天下雨，河水上涨。渔民没有出海，都在家里修补渔网，等待天晴。</p></body>"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running() as client:
        yield client


def test_text_and_what_is_known_of_the_page(client: Client) -> None:
    answer = client.ask("/extract", html=ARTICLE, algorithm="cetd").json()
    assert Extracted.model_validate(answer).text == answer["text"]
    assert "someone walks out to the staff" in answer["text"]
    assert "Legal" not in answer["text"]
    assert answer["title"] == "The tide tables of Orrin" or answer["title"] == "Tide tables"
    assert (answer["language"], answer["version"], answer["reason"]) == ("en", VERSION, None)
    assert "markdown" not in answer
    assert answer["words"] > 50


def test_one_key_a_format(client: Client) -> None:
    formats = ["text", "markdown", "html", "standard", "parts", "comments", "json", "source"]
    answer = client.ask("/extract", html=ARTICLE, formats=formats).json()
    assert set(formats) <= set(answer)
    assert "# The tide tables" in answer["markdown"]
    assert "<p>" in answer["html"]
    assert answer["json"]["text"] == answer["text"]
    assert answer["source"] == ARTICLE


def test_type_of_the_page(client: Client) -> None:
    answer = client.ask("/extract", html=ARTICLE).json()
    assert answer["page_type"] == next(iter(answer["page_types"]))
    unasked = client.ask("/extract", html=ARTICLE, classify=False).json()
    assert (unasked["page_type"], unasked["page_types"]) == (None, None)
    compared = client.ask("/compare", html=ARTICLE, algorithms=["cetd", "econ"]).json()["results"]
    assert compared["cetd"]["page_types"] == compared["econ"]["page_types"] == answer["page_types"]


def test_no_format_at_all_gives_the_metadata(client: Client) -> None:
    answer = client.ask("/extract", html=ARTICLE, formats=[]).json()
    assert answer["metadata"]["language"] == "en"
    assert "text" not in answer


def test_links_are_made_absolute_and_left_out(client: Client) -> None:
    page = {"html": '<p>A <a href="b">link</a>, and words.</p>', "formats": ["markdown"], "algorithm": "everything"}
    shown = client.ask("/extract", **page, base_url="https://example.org/a/").json()["markdown"]
    assert "(https://example.org/a/b)" in shown
    assert "](" not in client.ask("/extract", **page, links=False).json()["markdown"]


@pytest.mark.parametrize(("charset", "words"), [("gb18030", "河水上涨"), ("big5", "河水上漲"), ("utf-8", "雨が降る")])
def test_bytes_in_base64_keep_their_encoding(client: Client, charset: str, words: str) -> None:
    page = base64.b64encode(f"<p>{words}。</p>".encode(charset)).decode()
    answer = client.ask("/extract", html_base64=page, charset=charset, algorithm="everything").json()
    assert (answer["encoding"], answer["text"]) == (charset, f"{words}。")


def test_page_sent_as_it_is(client: Client) -> None:
    answer = client.post(
        "/extract?algorithm=cetd&option=lambda=0.5&formats=text,markdown&base_url=https://example.org/",
        content=CHINESE.encode("gbk"),
        headers={"Content-Type": 'text/html; charset="gb2312"'},
    ).json()
    assert answer["encoding"] == "gb18030"
    assert "河水上涨" in answer["text"]
    assert answer["url"] == "https://example.org/"
    assert "markdown" in answer


@pytest.mark.parametrize("query", ["url=http://example.org/", "nonsense=1", "formats=pdf"])
def test_query_of_a_page_sent_as_it_is_is_checked(client: Client, query: str) -> None:
    answer = client.post(f"/extract?{query}", content=b"<p>x", headers={"Content-Type": "text/html"})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("page", "reason"), [("", "empty_input"), ("<p></p>", "no_text"), ("%PDF-1.7\0\0", "not_html")]
)
def test_page_without_content_is_no_error(client: Client, page: str, reason: str) -> None:
    answer = client.ask("/extract", html=page)
    assert answer.status_code == 200
    assert (answer.json()["text"], answer.json()["reason"]) == ("", reason)


def test_explanation(client: Client) -> None:
    answer = client.ask("/explain", html=ARTICLE, algorithm="cetd").json()
    told = Explained.model_validate(answer)
    assert told.plot.label == "density"
    assert told.plot.threshold is not None
    by_number = {node.n: node for node in told.nodes}
    assert all(bar.n in by_number for bar in told.plot.bars)
    kept = [node for node in told.nodes if node.verdict == "kept"]
    assert any("walks out to the staff" in node.text for node in kept)
    dropped = next(node for node in told.nodes if node.verdict == "dropped" and node.path.endswith("nav"))
    assert "< threshold" in dropped.why


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_can_be_explained(client: Client, name: str) -> None:
    answer = client.ask("/explain", html=ARTICLE, algorithm=name)
    assert answer.status_code == 200, answer.text
    told = Explained.model_validate(answer.json())
    assert told.algorithm == name
    assert told.nodes
    assert "The tide tables of Orrin" in told.document


def test_comparison(client: Client) -> None:
    answer = client.ask("/compare", html=ARTICLE, algorithms=["cetd", "everything"], formats=["text", "markdown"])
    compared = Compared.model_validate(answer.json())
    assert list(compared.results) == ["cetd", "everything"]
    assert compared.agreement["cetd"]["cetd"] == 1.0
    assert 0 < compared.agreement["cetd"]["everything"] == compared.agreement["everything"]["cetd"] < 1
    assert compared.share["cetd"] < compared.share["everything"] == 1.0
    assert compared.results["everything"].markdown


def test_comparison_with_settings(client: Client) -> None:
    asked = {"algorithms": ["cetd", "coreex"], "options": {"cetd": {"lambda": 0}}}
    answer = client.ask("/compare", html=ARTICLE, **asked).json()
    assert answer["results"]["cetd"]["words"] >= answer["results"]["coreex"]["words"]


def test_list_of_algorithms(client: Client) -> None:
    listed = Algorithms.model_validate(client.get("/algorithms").json())
    assert [entry.name for entry in listed.algorithms] == list(ALGORITHMS)
    assert [entry.name for entry in listed.algorithms if entry.default] == [listed.default]
    cetd = next(entry for entry in listed.algorithms if entry.name == "cetd")
    slider = next(setting for setting in cetd.settings if setting.name == "lambda")
    assert (slider.type, slider.minimum, slider.maximum) == ("number", 0, 1)
    assert "threshold" in slider.help
    variant = next(setting for setting in cetd.settings if setting.name == "variant")
    assert (variant.type, variant.default in (variant.choices or ())) == ("choice", True)


def test_health(client: Client) -> None:
    answer = client.get("/health").json()
    assert (answer["status"], answer["version"], answer["workers"]) == ("ok", VERSION, 1)
    assert answer["limits"]["key_required"] is False


def test_metrics(client: Client) -> None:
    client.ask("/extract", html=ARTICLE)
    client.ask("/extract", html=ARTICLE, algorithm="nonsense")
    lines = client.get("/metrics").text.splitlines()
    assert any(line.startswith('duramen_requests_total{method="POST",route="/extract",status="200"}') for line in lines)
    assert 'duramen_rejections_total{code="invalid_request"}' in "\n".join(lines)
    assert "duramen_workers 1.0" in lines
    assert not [line for line in lines if "_created" in line]


BAD: list[tuple[dict[str, object], str]] = [
    ({}, "exactly one"),
    ({"html": "x", "url": "http://example.org/"}, "exactly one"),
    ({"html": 5}, "html"),
    ({"html": "x", "algorithm": "cedt"}, "unknown algorithm"),
    ({"html": "x", "algorithm": "cetd", "options": {"labmda": 1}}, "no option"),
    ({"html": "x", "algorithm": "cetd", "options": {"lambda": "much"}}, "takes number"),
    ({"html": "x", "algorithm": "cetd", "options": {"lambda": -1}}, "lambda"),
    ({"html": "x", "algorithm": "cetd", "options": {"lambda": 10**400}}, ""),
    ({"html": "x", "page_type": "novel"}, "page_type"),
    ({"html": "x", "formats": ["pdf"]}, "formats"),
    ({"html": "x", "nonsense": 1}, "nonsense"),
    ({"html_base64": "@@@"}, "Base64"),
]


@pytest.mark.parametrize(("body", "said"), BAD, ids=str)
def test_mistakes_are_told(client: Client, body: dict[str, object], said: str) -> None:
    answer = client.ask("/extract", **body)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "invalid_request"
    assert said in error["message"]


@pytest.mark.parametrize(
    "body",
    [
        {"html": "x", "algorithms": ["cetd"]},
        {"html": "x", "algorithms": ["cetd", "cetd"]},
        {"html": "x", "algorithms": ["cetd", "econ"], "options": {"pso": {}}},
    ],
)
def test_mistakes_in_a_comparison(client: Client, body: dict[str, object]) -> None:
    assert client.code("/compare", **body) == (422, "invalid_request")


@pytest.mark.parametrize("body", [b"{", b"", b"[1]", b'"text"', b'{"html": "\xff"}', b"[" * 100_000, b'{"html":NaN}'])
def test_what_is_no_request(client: Client, body: bytes) -> None:
    answer = client.post("/extract", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["code"] in ("invalid_json", "invalid_request")


@pytest.mark.parametrize("path", ["../../../../etc/passwd", "/etc/model.json", "news.json", "a/b", "C:\\model"])
def test_settings_name_no_files(client: Client, path: str) -> None:
    """On the command line a model may be a file of the user's; here the user is a stranger."""
    assert client.code("/extract", html=ARTICLE, algorithm="pso", options={"model": path}) == (422, "invalid_request")


def test_unknown_path_and_method(client: Client) -> None:
    missing = client.get("/nonsense")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    wrong = client.get("/extract")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")
    assert wrong.headers["Allow"] == "POST"
    assert wrong.json()["request_id"] == wrong.headers["X-Request-ID"]
