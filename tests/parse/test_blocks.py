"""Bytes are read sixteen and more at a time: what stands around the borders of such blocks is read like the rest."""

from __future__ import annotations

import pytest
from benchmarks.compare import differences

from duramen.parse import parse_html5
from duramen.parse.scan import scan

LENGTHS = (*range(1, 20), *range(30, 36), *range(62, 67), 127, 128, 129, 200)
INSIDE = (
    "",
    "&amp;",
    "&quot;",
    "&nbsp;",
    "&copy",
    "&nothing;",
    "&",
    "&#39;",
    "&#x2F;",
    "&#0065;&#X6a;",
    "&#00065;",
    "&#:;&#xg;&#x:;&#;&#x;",
    "&#31;&#127;&#300;",
    "&#65",
    "\r",
    "\r\n",
    "é",
    "中",
    " ",
    ".",
    "\x01",
    "=",
    "'",
)


def same_as_reference(page: str) -> bool:
    """Whether the scanner reads a page, and as the reference parser does."""
    data = page.encode()
    scanned = scan(data)
    return scanned is not None and differences(scanned, parse_html5(data)) == []


@pytest.mark.parametrize("inside", INSIDE)
def test_texts_of_all_lengths(inside: str) -> None:
    for length in LENGTHS:
        for before in {0, 1, length // 2, length - 1, length}:
            text = "x" * before + inside + "y" * (length - before)
            assert same_as_reference(f"<body><p>{text}</p><b>{text}<i>{text} </b>{text}"), (length, before)


@pytest.mark.parametrize("quote", ['"', "'", ""])
@pytest.mark.parametrize("inside", INSIDE)
def test_attribute_values_of_all_lengths(inside: str, quote: str) -> None:
    if inside == "'":
        inside = '"'
    for length in LENGTHS:
        for before in {0, length // 2, length}:
            value = quote + "x" * before + inside.replace(quote or "'", "") + "y" * (length - before) + quote
            assert same_as_reference(f"<body><a href={value} id=1>a</a><p class={value} title={value}>b"), (
                length,
                before,
            )


@pytest.mark.parametrize("after", ["", "=", '="1"', "='1'", ' = "1"', "/", "\n", "\x01", "É"])
def test_names_of_all_lengths(after: str) -> None:
    for length in LENGTHS:
        name = "dA" * length
        name = name[:length]
        assert same_as_reference(f'<body><p {name}{after} id="2" {name.lower()}="3">a<{name}{after}>b</{name}>c'), (
            length
        )


@pytest.mark.parametrize("end", [" ", "\n", "\t", "\r\n", "/", "/ ", "", " /", "  "])
def test_values_without_quotes_and_what_ends_them(end: str) -> None:
    for length in LENGTHS:
        word = "v" * length
        assert same_as_reference(
            f"<body><p class={word}{end}id=b{end}title={word}&amp;{end}hidden{end}>c<br a={word}{end}>d"
        )


@pytest.mark.parametrize("count", [1, 2, 11, 12, 13, 14, 40, 300])
def test_many_attributes_and_repeated_ones(count: int) -> None:
    attributes = " ".join(f'name{k}="{k}"' for k in range(count))
    assert same_as_reference(f'<body><p {attributes}>a<p {attributes} name0="again" new="1" NEW="2">b')


@pytest.mark.parametrize("cut", range(80))
def test_pages_cut_short(cut: int) -> None:
    page = '<!doctype html><p class="one two" hidden>text &amp; more</p><a href="/x?a=1&b=2">é</a>'
    assert same_as_reference(page[: len(page) - cut])
    assert same_as_reference("x" * 40 + page[: len(page) - cut])


@pytest.mark.parametrize("returns", ["\r\n", "\r", "\r\r\n", "\n\r", "\r\n\r\n"])
def test_texts_that_begin_with_a_carriage_return(returns: str) -> None:
    for rest in ("", " ", "\t" * 30, "x", "x" * 70, "\r\n", "&amp;", "é"):
        text = returns + rest
        assert same_as_reference(
            f"<body>{text}<p>{text}</p>{text}<pre>{text}</pre><table>{text}<td>{text}</table>{text}"
        )


def test_script_text_with_carriage_returns_and_characters() -> None:
    line = "var word = 'é, 中。 <b>';\r\n"
    assert same_as_reference(f"<body><script>{line * 500}</script><style>{line.replace('<', '') * 40}</style><p>{line}")


def test_copies_of_attributes_and_long_values_after_them() -> None:
    """Copies of formatting elements need more room than the page has."""
    for copies in range(0, 40, 3):
        page = f'<body><p><b class="{"x" * 3000}"></p>{"<p>x</p>" * copies}<i title="{"y" * 2900}">z'
        scanned = scan(page.encode())
        assert scanned is None or differences(scanned, parse_html5(page.encode())) == []
