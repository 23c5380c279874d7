"""Pages that lost the end of their title."""

from __future__ import annotations

import pytest

import duramen
from duramen.parse import parse_html5, parse_page
from tests.support import words

BODY = f"<body><div id=menu><a href='/'>Home</a></div><p>{words(40, 'a')}</p><p>{words(40, 'b')}</p></body></html>"


@pytest.mark.parametrize(
    "head",
    [
        "<html><head><title>Storm at the coast<meta name=x>",
        "<html><head><TITLE class=a>Storm at the coast</titlevalue='1'>",
        "<title>Storm at the coast\n",
    ],
)
def test_a_title_without_an_end_is_closed(head: str) -> None:
    found = duramen.extract((head + BODY).encode())
    assert found.text.split() == [*words(40, "a").split(), *words(40, "b").split()]
    assert found.title == "Storm at the coast"


@pytest.mark.parametrize(
    "html",
    [
        f"<title>Storm <at the coast</title>{BODY}",
        f"<svg><title>Storm</svg>{BODY}",
        f"<!-- <title>Storm -->{BODY}",
        "<title>Storm at the coast",
        "<title>Storm at the coast<",
        "<title></title x>",
        "",
    ],
)
def test_other_pages_are_what_they_were(html: str) -> None:
    page, browser = parse_page(html.encode()), parse_html5(html.encode())
    assert (page.tag.tolist(), page.text) == (browser.tag.tolist(), browser.text)


def test_titles_end_to_end_take_no_longer_than_one() -> None:
    page = parse_page(b"<title>" * 100_000)
    assert len(page) < 20
    assert len(parse_page(b"<title/>" + b"<title a" * 100_000)) < 20


FRAME = "<noscript><iframe src='https://tags.example/ns' height='0' /></noscript>"


@pytest.mark.parametrize(
    "html",
    [
        f"<html><head><title>Storm</title></head><body>{FRAME}{BODY}",
        f"<html><head><title>Storm</title>{FRAME}</head>{BODY}",
        f"<title>Storm</title>{FRAME}<p><iframe src=a></iframe></p>{FRAME.upper()}{BODY}",
    ],
)
def test_a_frame_without_an_end_takes_no_more_than_its_noscript(html: str) -> None:
    found = duramen.extract(html.encode())
    assert found.text.split() == [*words(40, "a").split(), *words(40, "b").split()]


@pytest.mark.parametrize(
    "html",
    [
        f"<iframe src=a><noscript>Frames</noscript></iframe>{BODY}",
        f"<iframe src=a>{BODY}",
        f"<noscript><iframe src=a></iframe></noscript>{BODY}",
        f"<noscript><iframe src=a>{BODY}",
    ],
)
def test_other_frames_are_what_they_were(html: str) -> None:
    page, browser = parse_page(html.encode()), parse_html5(html.encode())
    assert (page.tag.tolist(), page.text) == (browser.tag.tolist(), browser.text)
