"""Differential fuzzing for a bounded time; `python -m benchmarks.fuzz --minutes N` goes on for longer."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.compare import differences, outline
from benchmarks.fuzz import is_wrong, shrunk
from benchmarks.pages import COMMENTS, RAW, TEXTS, made_page, mutated, tag
from hypothesis import given, settings
from hypothesis import strategies as st

from duramen.parse import parse_html5
from duramen.parse.scan import scan
from tests.parse.scan_cases import ANY, MODELLED

PAGES_A_SEED = 250
CASES = [page.encode() for pages in (*MODELLED.values(), *ANY.values()) for page in pages if len(page) < 500]


def check(page: bytes) -> None:
    """Fail with the smallest page that fails in the same way."""
    if is_wrong(page):
        small = shrunk(page)
        scanned = scan(small)
        assert scanned is not None
        reference = parse_html5(small)
        assert outline(scanned) == outline(reference), small
        assert differences(scanned, reference) == [], small


@pytest.mark.parametrize("seed", range(8))
def test_made_up_pages(seed: int) -> None:
    random = Random(seed)
    for _ in range(PAGES_A_SEED):
        check(made_page(random, random.choice((5, 15, 40, 100))))


@pytest.mark.parametrize("seed", range(8))
def test_mutated_cases(seed: int) -> None:
    random = Random(1000 + seed)
    for _ in range(PAGES_A_SEED):
        check(mutated(random, random.choice(CASES) + random.choice(CASES)))


PIECES = st.one_of(
    st.sampled_from((*TEXTS, *COMMENTS, *RAW)),
    st.integers(0, 2**32).map(lambda seed: tag(Random(seed), ("p", "b", "a", "table", "td", "svg", "li", "select"))),
    st.text(alphabet="<>/!-&;#=\"' \naéA中x0", max_size=8),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25))
def test_pieces_in_any_order(pieces: list[str]) -> None:
    check("".join(pieces).encode())
