"""Renderings of some HTML, whole or in part."""

from __future__ import annotations

import numpy as np

from duramen.algorithms.everything import Everything
from duramen.page import Page, Selection
from duramen.render import RenderOptions, to_html, to_markdown, to_text
from tests.support import find, page_of

URL = "https://site.example/blog/post"


def everything(page: Page) -> Selection:
    """All rows below the body, whether they hold text or not."""
    selected = Everything().select(page)
    if selected.kept.any():
        return selected
    kept = np.ones(len(page), dtype=np.bool_)  # pages of pictures only: `Everything` wants text
    kept[: page.body() + 1] = False
    return Selection(kept=kept)


def only(page: Page, *selectors: str) -> Selection:
    """The rows that `tests.support.find` finds, and nothing else: not even what is below them."""
    kept = np.zeros(len(page), dtype=np.bool_)
    kept[[find(page, selector) for selector in selectors]] = True
    return Selection(kept=kept)


def text(html: str, **options: bool | str) -> str:
    page = page_of(html)
    return to_text(page, everything(page), RenderOptions(**options))  # type: ignore[arg-type]


def markdown(html: str, **options: bool | str) -> str:
    page = page_of(html)
    return to_markdown(page, everything(page), RenderOptions(**options))  # type: ignore[arg-type]


def document(html: str, **options: bool | str) -> str:
    page = page_of(html)
    return to_html(page, everything(page), RenderOptions(**options))  # type: ignore[arg-type]


def body(html: str, **options: bool | str) -> str:
    """What stands between `<body>` and `</body>` of the cleaned page, on one line."""
    return document(html, **options).split("<body>\n")[1].split("</body>")[0].replace("\n", "")
