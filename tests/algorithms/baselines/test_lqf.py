"""LQF: the worked vectors, the quotas, and what counts as a link."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from duramen.algorithms.baselines.lqf import PRESETS, Lqf
from duramen.page import Page, Reason
from tests.support import find, kept_text, page_of

P1, P2 = "a" * 100, "b" * 60
L1 = (
    "<body><ul id=nav>"
    + "".join(f"<li><a href={k}>Link {k}</a></li>" for k in range(1, 5))
    + f"</ul><div id=art><h1>Title of story</h1><p>{P1}</p><p>{P2}</p></div>"
    + "<div id=foot>Copyright 2011 <a href=c>Contact us</a></div></body>"
)
ARTICLE, FOOT = f"Title of story {P1} {P2}", "Copyright 2011 Contact us"


def figures(page: Page, selector: str) -> list[float]:
    columns = Lqf().select(page).columns
    return [float(columns[name][find(page, selector)]) for name in ("link_chars", "chars", "quota")]


@pytest.mark.parametrize(
    ("selector", "link_chars", "chars", "quota"),
    [
        ("#nav", 24, 24, 1.0),
        ("#art", 0, 174, 0.0),
        ("#foot", 10, 24, 0.4167),
        ("body", 34, 222, 0.1532),
    ],
)
def test_l1_quotas(selector: str, link_chars: int, chars: int, quota: float) -> None:
    assert figures(page_of(L1), selector) == pytest.approx([link_chars, chars, quota], abs=5e-5)


@pytest.mark.parametrize(
    ("preset", "expected"),
    [("LQF-25", ARTICLE), ("LQF-50", f"{ARTICLE} {FOOT}"), ("LQF-75", f"{ARTICLE} {FOOT}")],
)
def test_l1_by_preset(preset: Any, expected: str) -> None:
    page = page_of(L1)
    selection = Lqf(preset).select(page)
    assert kept_text(page, selection) == expected
    assert selection.trace["threshold"] == PRESETS[preset]


def test_a_quota_of_ones_own() -> None:
    page = page_of(L1)
    assert kept_text(page, Lqf(tau=0.41).select(page)) == ARTICLE
    assert kept_text(page, Lqf(tau=0.42).select(page)) == f"{ARTICLE} {FOOT}"


def test_l2_a_link_in_a_sentence_stays() -> None:
    page = page_of("<p>A long sentence with <a href=1>one link</a> inside</p>")
    assert figures(page, "p") == pytest.approx([8, 34, 0.2353], abs=5e-5)
    assert kept_text(page, Lqf().select(page)) == "A long sentence with one link inside"


def test_l3_a_page_of_links_is_empty() -> None:
    selection = Lqf().select(page_of("<div><a href=1>one</a></div><div><a href=2>two</a></div>"))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_CONTENT


def test_the_body_is_never_removed() -> None:
    page = page_of("<body>text <a href=1>much longer link text</a></body>")
    assert kept_text(page, Lqf().select(page)) == "text much longer link text"


def test_removal_goes_from_the_top() -> None:
    # The wrapper is above the quota, so the paragraph in it goes as well, though it has no link.
    page = page_of(f"<div id=wrap><p>short</p><ul><li><a href=1>{P1}</a></ul></div><p>{P2}</p>")
    selection = Lqf().select(page)
    assert kept_text(page, selection) == P2
    assert selection.trace["removed_rows"] == [find(page, "#wrap")]
    assert selection.trace["removed_chars"] == 105


def test_elements_that_only_mark_up_text_are_not_removed() -> None:
    page = page_of("<body>text <span><a href=1>a link</a></span></body>")
    assert kept_text(page, Lqf().select(page)) == "text a link"


def test_anchors_without_an_address_are_no_links() -> None:
    # An old page's <a name=top> that nobody closed lies around all of its text.
    page = page_of(f"<p><a name=top>{P1}</p><p>{P2}</p>")
    assert kept_text(page, Lqf().select(page)) == f"{P1} {P2}"


def test_elements_with_few_links_stay_on_request() -> None:
    page = page_of("<div id=a><a href=1>one</a></div><div id=b><a href=1>two</a> <a href=2>three</a></div>")
    assert kept_text(page, Lqf(min_links=2).select(page)) == "one"


def test_elements_are_kept_and_the_rest_is_not() -> None:
    page = page_of(f"<body><nav><a href=1>x</a></nav><p>{P1}<img src=x></p><script>s</script></body>")
    kept = np.flatnonzero(Lqf().select(page).kept).tolist()
    assert [page.tag_name(row) for row in kept] == ["p", "#text", "img"]


@pytest.mark.parametrize("html", ["", "<body></body>", "<ul><li></ul>", "<script>x</script>"])
def test_nothing_to_read(html: str) -> None:
    selection = Lqf().select(page_of(html))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_TEXT
    json.dumps(dict(selection.trace), allow_nan=False)


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"preset": "LQF-60"}, "LQF-25, LQF-50"), ({"tau": 1.5}, "tau"), ({"min_links": 0}, "min_links")],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Lqf(**settings)
