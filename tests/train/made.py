"""Labelled pages made up for the tests: articles between menus, teasers and footers, in two languages."""

from __future__ import annotations

import json
import lzma
import random
from pathlib import Path

from duramen.train.cases import Case, prepare
from duramen.train.pages import LabelledPage

WORDS = {
    "en": (
        "the of and to in was that it with for as had they from which",
        "harbour storm mayor village ferry winter river market teacher garden bridge letter engine forest doctor",
    ),
    "de": (
        "der die und in den von zu das mit sich auf für nicht als auch",
        "Hafen Sturm Dorf Winter Fluss Markt Lehrer Garten Brücke Brief Motor Wald Arzt Schule Turm",
    ),
}


def sentence(chance: random.Random, language: str) -> str:
    small, large = (part.split() for part in WORDS[language])
    found = [chance.choice(small if chance.random() < 0.5 else large) for _ in range(chance.randint(9, 18))]
    return f"{found[0].capitalize()} {' '.join(found[1:])}."


def made_page(number: int, language: str = "en") -> LabelledPage:
    """An article with a menu, teasers, a comment form and a footer."""
    chance = random.Random(f"{language}{number}")
    large = WORDS[language][1].split()
    menu = "".join(f"<li><a href=/{k}>{chance.choice(large)} {chance.choice(large)}</a></li>" for k in range(12))
    teasers = "".join(f"<div><a href=/t{k}>{sentence(chance, language)}</a></div>" for k in range(5))
    paragraphs = [" ".join(sentence(chance, language) for _ in range(chance.randint(2, 4))) for _ in range(6)]
    article = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = (
        f"<html><head><title>Page {number}</title><script>var page = {number}; var other = 'text';</script></head>"
        f"<body><ul>{menu}</ul><div>{article}</div>{teasers}<form>Name <input> Send</form>"
        f"<div>Copyright {number}</div></body></html>"
    )
    return LabelledPage(f"{language}{number}", html.encode(), "\n".join(paragraphs), source=f"site{number % 3}")


def made_cases(count: int = 24, *, speech: bool = False) -> list[Case]:
    """Two thirds English, one third German."""
    return [prepare(made_page(k, "de" if k % 3 == 2 else "en"), speech=speech) for k in range(count)]


def write_folder(folder: Path, count: int = 24) -> None:
    """The same pages as files, a gold text beside each."""
    for k in range(count):
        page = made_page(k, "de" if k % 3 == 2 else "en")
        place = folder / page.source
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{page.name}.html").write_bytes(page.html)
        (place / f"{page.name}.txt").write_text(page.gold, encoding="utf-8")


def write_corpus(path: Path, pages: list[LabelledPage]) -> None:
    """The pages as a corpus of JSON lines."""
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        for page in pages:
            row = {
                "id": page.name,
                "dataset": "made",
                "url": f"https://{page.source}.example/x",
                "html": page.html.decode("latin-1"),
                "text": page.gold or None,
                "page_type": page.kind or None,
            }
            lines.write(json.dumps(row) + "\n")
