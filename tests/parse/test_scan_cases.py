"""The scanner against the reference parser: the same arrays, or a flag."""

from __future__ import annotations

import pytest
from benchmarks.compare import differences, outline

from duramen.parse import parse_html5, parse_page
from duramen.parse.scan import scan, why_not
from tests.parse.scan_cases import ANY, MODELLED

MUST = [pytest.param(page, id=f"{group}: {page[:60]!r}") for group, pages in MODELLED.items() for page in pages]
MAY = [pytest.param(page, id=f"{group}: {page[:60]!r}") for group, pages in ANY.items() for page in pages]


@pytest.mark.parametrize("html", MUST)
def test_is_modelled_and_equal(html: str) -> None:
    page = scan(html.encode())
    assert page is not None, why_not(html.encode())
    reference = parse_html5(html.encode())
    assert outline(page) == outline(reference)
    assert differences(page, reference) == []


@pytest.mark.parametrize("html", MAY)
def test_is_flagged_or_equal(html: str) -> None:
    page = scan(html.encode())
    assert page is None or differences(page, parse_html5(html.encode())) == []
    assert differences(parse_page(html.encode()), parse_html5(html.encode())) == []


@pytest.mark.parametrize(
    "data", [b"a\xff", b"\xc3", b"<p title='\xed\xa0\x80'>", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xe2\x82"]
)
def test_bytes_that_are_not_utf8_are_flagged(data: bytes) -> None:
    assert why_not(data) == "not UTF-8"
    assert differences(parse_page(data), parse_html5(data)) == []


@pytest.mark.parametrize("split", range(1, 60))
def test_a_page_may_end_anywhere(split: int) -> None:
    whole = b"<!doctype html><title>a</title><p class='b c'>d&amp;e<!-- f --><svg><![CDATA[g]]></svg>"
    page = scan(whole[:split])
    assert page is not None
    assert differences(page, parse_html5(whole[:split])) == []


def test_arrays_are_copies_of_their_own() -> None:
    first = scan(b"<p class=a>one")
    assert first is not None
    before = outline(first)
    scan(b"<div id=something>other text, much longer than the first" * 100)
    assert outline(first) == before
    with pytest.raises(ValueError, match="read-only"):
        first.tag[0] = 7


def test_an_array_outlives_its_page() -> None:
    page = scan(b"<p class=a>one<script>x</script>")
    assert page is not None
    tag, flags, starts = page.tag, page.flags, page.raw.starts
    before = [array.tolist() for array in (tag, flags, starts)]
    del page
    for _ in range(50):
        scan(b"<div id=b>other</div>" * 9)
    assert [array.tolist() for array in (tag, flags, starts)] == before


def test_a_name_of_one_page_means_nothing_to_the_next() -> None:
    one, two = scan(b"<custom-a><custom-b>"), scan(b"<custom-b><x-y><custom-a>")
    assert one is not None
    assert two is not None
    assert one.other_tags == ("custom-a", "custom-b")
    assert two.other_tags == ("custom-b", "x-y", "custom-a")
