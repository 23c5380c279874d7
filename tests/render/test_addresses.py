"""The largest picture of a srcset, and pages that make resolving slow."""

from __future__ import annotations

import pytest

from duramen.render.addresses import Addresses, largest
from tests.support import page_of


@pytest.mark.parametrize(
    ("srcset", "expected"),
    [
        ("", ""),
        (",", ""),
        ("a.png", "a.png"),
        ("a.png 1x, b.png 2x", "b.png"),
        ("a.png 1x,b.png 2x", "b.png"),
        ("b.png 900w, a.png 300w", "b.png"),
        ("a.png, b.png 1.5x", "b.png"),
        ("w_1,h_2/a.png 2x, w_3,h_4/b.png 1x", "w_1,h_2/a.png"),
        ("  a.png   300w  ", "a.png"),
    ],
)
def test_the_largest_picture_of_a_srcset(srcset: str, expected: str) -> None:
    assert largest(srcset) == expected


@pytest.mark.parametrize("piece", ["a,", "a ", ",", "a 1x,", "(", "%"])
def test_a_huge_srcset_takes_no_time(piece: str) -> None:
    # 400,000 characters: anything but a single pass would not end.
    assert isinstance(largest(piece * 200_000), str)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/a/b", "https://site.example/a/b"),
        ("/a/../b", "https://site.example/b"),
        ("b", "https://site.example/x/b"),
        ("?q", "https://site.example/x/y?q"),
        ("//other.example/a", "https://other.example/a"),
        (" /a\n/b ", "https://site.example/a/b"),
        ("HTTPS://SITE.example/A", "HTTPS://SITE.example/A"),
        ("tel:+49", "tel:+49"),
        ("foo:bar", None),
        ("a b:c", None),
        ("wiki/File:A.png", "https://site.example/x/wiki/File:A.png"),
        ("", None),
        ("#", None),
        ("é", "https://site.example/x/é"),
    ],
)
def test_addresses_are_resolved(address: str, expected: str | None) -> None:
    assert Addresses(page_of("a"), "https://site.example/x/y?z").resolved(address) == expected


def test_an_unusable_base_is_ignored() -> None:
    page = page_of("<base href='javascript:x()'>a")
    assert Addresses(page, "https://site.example/").resolved("y") == "https://site.example/y"
