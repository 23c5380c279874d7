"""Golden pages: a source, what each rendering makes of it, and one line on why it is there.

`python -m tests.render.test_golden` writes what they are expected to be anew; read the changes before you keep them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.render.commonmark import read
from tests.render.shown import document, markdown, text

FOLDER = Path(__file__).parent.parent / "golden"
PAGES = sorted(path.parent for path in FOLDER.glob("*/source.html"))
URL = "https://harbour.example/notes/ferry"
RENDERINGS = {"txt": text, "md": markdown, "html": document}


def made(page: Path, kind: str) -> str:
    return RENDERINGS[kind]((page / "source.html").read_text(encoding="utf-8"), url=URL).rstrip("\n") + "\n"


def expected(page: Path, kind: str) -> str:
    return (page / f"expected.{kind}").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", RENDERINGS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_golden(page: Path, kind: str) -> None:
    assert made(page, kind) == expected(page, kind)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_golden_html_is_a_fixed_point(page: Path) -> None:
    assert document(expected(page, "html"), url=URL) == expected(page, "html")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_golden_markdown_holds_every_word(page: Path) -> None:
    # Markers of lists and signs of their own aside, which the text has and a renderer of Markdown does not give back.
    signs = {"-", "--", "+", "*"}
    shown = [word for word in read(expected(page, "md")).split() if word not in signs]
    for word in shown:
        assert word in expected(page, "txt")


def test_every_golden_page_says_why() -> None:
    assert len(PAGES) >= 10
    for page in PAGES:
        assert len((page / "why.txt").read_text(encoding="utf-8").strip().splitlines()) == 1


if __name__ == "__main__":
    for each in PAGES:
        for name in RENDERINGS:
            (each / f"expected.{name}").write_text(made(each, name), encoding="utf-8")
