"""The type of a page: the shipped model on made-up pages, its signals, and the rule for front pages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from duramen.algorithms.learned.page_type import TYPES, page_type, page_types
from duramen.algorithms.learned.type_signals import COUNTS, is_home, signals
from duramen.errors import ModelError
from duramen.models.page_type import model_text, page_type_model
from duramen.parse import with_raw_text
from tests.support import page_of, words

PROSE = "".join(
    f"<p>The storm reached the coast at noon, and the harbour was closed. {words(40, 'w')}.</p>" for _ in range(12)
)
ARTICLE = (
    "<html><head><title>Storm at the coast</title><meta property=og:type content=article>"
    '<meta property=article:published_time content=2025-05-01><script type=application/ld+json>{"@type":"NewsArticle"}'
    "</script></head><body class='single single-post'><article class='post entry'><h1 class=entry-title>Storm</h1>"
    f"<div class=entry-content>{PROSE}</div></article></body></html>"
)
PRODUCT = (
    "<html><head><title>Kettle</title><meta property=og:type content=product>"
    '<meta property=product:price:amount content=30><script type=application/ld+json>{"@type":"Product","offers":'
    '{"@type":"Offer","price":"30"}}</script></head><body class=template-product><div class=product itemscope '
    "itemtype='https://schema.org/Product'><h1 class=product__title>Kettle</h1><span class=price>$30.00</span>"
    "<form action=/cart/add><label>Quantity</label><input type=number><button class=add-to-cart>Add to cart</button>"
    "</form><div class=product__description><p>It boils water.</p></div></div></body></html>"
)
FORUM = (
    "<html><head><title>Kettle does not boil - Forum</title></head><body class=topic><div class='post-stream thread'>"
    + "".join(
        f"<div class='topic-post post message' id=post_{number}><span class=username>user{number}</span>"
        f"<time>May {number}</time><div class=post-body><p>Did you plug it in? {words(25, 'w')}</p></div>"
        "<button>Reply</button><button>Quote</button></div>"
        for number in range(1, 9)
    )
    + "</div></body></html>"
)
PORTAL = "<html><head><title>Daily</title></head><body>" + "".join(
    f"<article class=teaser><h2><a href=/{number}>{words(9, 'w')}</a></h2><p><a href=/{number}>{words(12, 'v')}</a></p>"
    "</article>"
    for number in range(40)
)


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        (ARTICLE, "https://news.example/2025/05/storm-at-the-coast", "article"),
        (ARTICLE, None, "article"),
        (PRODUCT, "https://shop.example/products/kettle", "product"),
        (PRODUCT, None, "product"),
        (FORUM, "https://forum.example/t/kettle-does-not-boil/17", "forum"),
        (PORTAL, "https://daily.example/", "index"),
    ],
)
def test_plain_cases(html: str, url: str | None, expected: str) -> None:
    assert page_type(page_of(html), url) == expected


@pytest.mark.parametrize("html", ["", "<p>", "x", ARTICLE, PORTAL, "<div>" * 3000 + "deep", "<p a='" + "b" * 10**6])
@pytest.mark.parametrize("url", [None, "", "https://a.example/", "http://[broken", "no address", "//"])
def test_shares_sum_to_one(html: str, url: str | None) -> None:
    shares = page_types(page_of(html), url)
    assert set(shares) == {*TYPES, "index"}
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example", True),
        ("https://a.example/?x=1", True),
        ("https://a.example/index.html", True),
        ("https://a.example/de/", True),
        ("https://a.example/home", True),
        ("https://a.example/news", False),
        ("https://a.example/index/2", False),
        (None, False),
    ],
)
def test_front_pages(url: str | None, expected: bool) -> None:
    assert is_home(page_of("<p>x"), url) is expected


def test_a_page_may_state_its_address() -> None:
    page = page_of("<link rel=canonical href='https://a.example/'><p>x")
    assert is_home(page, None)
    assert not is_home(page, "https://a.example/news/1")


def test_a_front_page_of_prose_stays_an_article() -> None:
    assert page_types(page_of(ARTICLE), "https://a.example/")["article"] > 0.5


def test_signals_are_counted() -> None:
    found = signals(page_of("<h1>Kettle</h1><p>It costs $30.00 or €25 as of May 12.</p><a href=/>Home</a>"), None)
    counts = dict(zip(COUNTS, np.rint(np.expm1(found.counts)).tolist()))
    assert (counts["prices"], counts["dates"], counts["links"], counts["n_h1"]) == (2, 1, 1, 1)
    assert counts["url_known"] == 0
    assert (np.diff(found.hashes.astype(np.int64)) > 0).all()


def test_the_address_adds_signals() -> None:
    page = page_of("<p>x")
    known = signals(page, "https://docs.a.example/guide/install.html")
    assert set(signals(page, None).hashes.tolist()) < set(known.hashes.tolist())


def test_the_shipped_model_is_small_and_says_what_it_is_made_of() -> None:
    model = page_type_model("wcxb")
    assert len(model_text(model)) <= 500_000
    assert set(model.training) >= {"data", "seed", "corpora", "lightgbm", "numpy", "accuracy"}
    assert model.types == TYPES


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    model = page_type_model("wcxb")
    path = tmp_path / "copy.json"
    path.write_text(model_text(model), encoding="utf-8")
    page = page_of(ARTICLE)
    assert page_types(page, None, str(path)) == page_types(page, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"counts": ["a"]}, "cannot reshape|differ in length"),
        ({"hashes": []}, "cannot reshape|differ in length"),
        ({"version": 99}, "version 99"),
    ],
)
def test_damaged_models(change: dict[str, object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(json.loads(model_text(page_type_model("wcxb"))) | change), encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        page_types(page_of(ARTICLE), None, str(path))


def test_a_forest_that_leads_nowhere(tmp_path: Path) -> None:
    data = json.loads(model_text(page_type_model("wcxb")))
    data["forest"]["left"][0] = 10**6
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ModelError, match="leads nowhere"):
        page_types(page_of(ARTICLE), None, str(path))


FAQ = '<p>x<script type=application/ld+json>{"@type": "FAQPage"}</script>'


@pytest.mark.parametrize("html", [ARTICLE, PRODUCT, FAQ])
def test_linked_data_is_read_where_it_stands(html: str) -> None:
    page = page_of(html)
    told = signals(page, None)
    assert len(page.raw.rows) == 1
    for found, same in (
        (signals(with_raw_text(page), None), True),
        (signals(page_of(html.replace("@type", "@else")), None), False),
    ):
        assert np.array_equal(found.hashes, told.hashes) is same
        assert np.array_equal(found.counts, told.counts)
