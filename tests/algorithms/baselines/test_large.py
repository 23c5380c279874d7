"""Large, wide and deep pages: every baseline comes to an end on them, and finds what there is to find."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from duramen.algorithms.baselines.bte import Bte
from duramen.algorithms.baselines.ccb import Ccb
from duramen.algorithms.baselines.cetr import Cetr
from duramen.algorithms.baselines.dsc import Dsc
from duramen.algorithms.baselines.fe import Fe
from duramen.algorithms.baselines.kfe import Kfe
from duramen.algorithms.baselines.lqf import Lqf
from duramen.algorithms.vote import Vote
from duramen.page import Page
from tests.support import kept_text, page_of

BASELINES: tuple[Any, ...] = (
    Bte(),
    Ccb(),
    Ccb("TCCB-25"),
    Dsc(),
    Fe(),
    Kfe(passes=2),
    Lqf(),
    Cetr(),
    Cetr("CETR-KM"),
    Cetr("CETR-TM"),
    Vote((Bte(), Lqf()), mode="serial"),
)
LOREM = "The storm reached the coast at noon, and the harbour was closed. Nobody was hurt, the mayor said. "
SOURCES = {
    "5 MB": "<body>"
    + "".join(
        f"<div class='block b{k % 7}'><p id=p{k}>{LOREM * (k % 5 + 1)}<a href=/{k}>more</a></p>\n"
        f"<ul><li><a href=/x{k}>Link {k}</a></li></ul></div>\n"
        for k in range(12_500)
    ),
    "one line of 1 MB": f"<body><a href=1>Home</a><p>{LOREM * 10_000}</p>",
    "100,000 levels": "<span>" * 100_000 + LOREM * 20 + "</span>" * 100_000,
    "200,000 siblings": "<body>" + "<p>w1 w2</p>" * 200_000 + f"<p>{LOREM * 20}</p>",
}


@cache
def parsed(name: str) -> Page:
    return page_of(SOURCES[name])


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("algorithm", BASELINES, ids=lambda chosen: getattr(chosen, "variant", type(chosen).__name__))
def test_it_comes_to_an_end_and_finds_the_text(algorithm: Any, name: str) -> None:
    page = parsed(name)
    assert "harbour was closed" in kept_text(page, algorithm.select(page))
