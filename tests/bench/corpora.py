"""Small made-up data sets that experiments and reports can run on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.test_datasets import corpus

MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("home", "news", "sport", "weather", "imprint"))
SUBJECTS = "foxes owls bears trees rivers clouds boats trains poets bakers miners sailors".split()
CHINESE = (
    "市政府今天宣布，新的图书馆将于明年开放。读者可以在那里借阅各种书籍，也可以参加讲座。工程进展顺利，一切按计划进行。"
)


def sentences(subject: str, count: int) -> list[str]:
    """Paragraphs that differ a little."""
    return [
        f"In chapter {at} the {subject} are said to rest by day, and to wander at night, which is why few people have "
        f"seen them. The {subject} of the north, however, are another matter."
        for at in range(1, count + 1)
    ]


def article(title: str, paragraphs: list[str]) -> str:
    """A page with a menu, an article and a footer."""
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return (
        f"<html><head><title>{title} | Daily</title></head><body><ul>{MENU}</ul>"
        f"<div id=main><h1>{title}</h1>{body}</div>"
        '<div id=foot><a href="/terms">Terms</a> <a href="/privacy">Privacy</a> Copyright 2011</div></body></html>'
    )


def english(folder: Path, name: str = "l3s-gn1", count: int = 12) -> Path:
    """News with labelled parts, of a few sources."""
    rows: list[dict[str, Any]] = []
    for number, subject in enumerate(SUBJECTS[:count]):
        paragraphs = sentences(subject, 3 + number % 4)
        title = f"About {subject}"
        rows.append(
            {
                "id": f"n{number}",
                "url": f"http://paper{number % 3}.org/{subject}",
                "page_type": "article",
                "html": article(title, paragraphs),
                "text": "\n".join([title, *paragraphs]),
                "parts": [["headline", title], *(["fulltext", each] for each in paragraphs)],
                "with": [paragraphs[0][:40]],
                "without": ["imprint"],
            }
        )
    return corpus(folder / f"{name}.jsonl", *rows)


def chinese(folder: Path, name: str = "chinese", count: int = 3) -> Path:
    """Chinese news."""
    rows = []
    for number in range(count):
        paragraphs = [CHINESE + f"第{number + 1}期。"] * 2
        html = article("图书馆", paragraphs).encode().decode("latin-1")
        rows.append(
            {"id": f"z{number}", "page_type": "article", "html": html, "text": "\n".join(["图书馆", *paragraphs])}
        )
    return corpus(folder / f"{name}.jsonl", *rows)
