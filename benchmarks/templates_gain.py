"""What template learning gains: precision and recall with and without it, on generated sites of many pages.

    python -m benchmarks.templates_gain --pages 40
    python -m benchmarks.templates_gain --dataset l3s-gn1.jsonl.xz

Five kinds of site, each with a menu, notices, boxes inside and beside the content and a footer, in part the same on
every page, in part drawn from a small stock. What is content is known, since the pages are made here. Words are
compared as bags; the mean is over pages. The seeds are fixed: two runs print the same table.

`--dataset` measures labelled pages instead: those of sites with at least eight of them, each site learned by itself.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from duramen.algorithms import algorithm
from duramen.bench.datasets import load
from duramen.bench.metrics.bags import bag_scores
from duramen.bench.metrics.words import words
from duramen.decode import decode
from duramen.jobs.templates import Templates, learn, site_of
from duramen.page import Page
from duramen.parse import parse_page
from duramen.render import to_text

ALGORITHMS = ("everything", "cetd", "coreex", "econ", "vote")
FEWEST_PAGES = 8  # of a site of labelled pages
SYLLABLES = "ba ke li mo nu ra se ti vo wa zen dor fal gri hel jun kas lem mir pol tas ver".split()
COMMON = "the of and to in is that for it as was with on by at from this are or an not have be which".split()


class Stock:
    """Made-up words and sentences of one site; its own generator, so that sites do not depend on each other."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.vocabulary = ["".join(self.random.choices(SYLLABLES, k=self.random.choice((2, 2, 3)))) for _ in range(900)]

    def phrase(self, fewest: int, most: int) -> str:
        count = self.random.randint(fewest, most)
        return " ".join(self.random.choice(COMMON if at % 2 else self.vocabulary) for at in range(count)).capitalize()

    def paragraph(self, sentences: int = 4) -> str:
        return " ".join(f"{self.phrase(8, 22)}." for _ in range(sentences))


@dataclass(frozen=True, slots=True)
class Made:
    """A generated page: its source, and the texts that are its content."""

    html: str | bytes
    content: str


class Site:
    """What the pages of one site share, and how one is put together."""

    def __init__(self, kind: str, seed: int) -> None:
        stock = self.stock = Stock(f"{kind} {seed}")
        self.name = stock.phrase(2, 2)
        self.menu = self.links([stock.phrase(1, 2) for _ in range(9)])
        self.cookies = f"<div class=notice><p>{stock.paragraph(3)}</p><p>Accept all</p></div>"
        self.newsletter = f"<div class=box><h3>{stock.phrase(3, 5)}</h3><p>{stock.paragraph(2)}</p></div>"
        self.about = f"<h2>{stock.phrase(2, 3)}</h2><p>{stock.paragraph(3)}</p>"
        self.legal = f"<p>{stock.paragraph(4)}</p>"
        self.teasers = [f"<div><h4>{stock.phrase(5, 9)}</h4><p>{stock.paragraph(2)}</p></div>" for _ in range(12)]
        self.authors = [f"<div class=author><p>{stock.paragraph(2)}</p></div>" for _ in range(4)]

    def links(self, texts: Sequence[str]) -> str:
        return "<ul>" + "".join(f"<li><a href=/{number}>{text}</a>" for number, text in enumerate(texts)) + "</ul>"

    def page(self, title: str, body: str, content: list[str]) -> Made:
        teasers = "".join(self.stock.random.sample(self.teasers, 3))
        html = (
            f"<html><head><title>{title} | {self.name}</title></head><body>{self.cookies}<header><p>{self.name}</p>"
            f"{self.menu}</header><main>{body}</main><aside>{teasers}{self.newsletter}</aside>"
            f"<footer>{self.menu}{self.about}{self.legal}</footer></body></html>"
        )
        return Made(html, "\n".join(content))


def news(site: Site) -> Made:
    """An article, with a newsletter box between its paragraphs and its author's portrait below."""
    title, lead = site.stock.phrase(5, 9), site.stock.paragraph(1)
    text = [site.stock.paragraph(site.stock.random.randint(3, 5)) for _ in range(site.stock.random.randint(4, 9))]
    body = "".join(f"<p>{each}</p>" + (site.newsletter if at == 1 else "") for at, each in enumerate(text))
    author = site.stock.random.choice(site.authors)
    return site.page(title, f"<h1>{title}</h1><p>{lead}</p>{body}{author}{site.legal}", [title, lead, *text])


def recipe(site: Site) -> Made:
    """Headings and some ingredients that all recipes share, and that are content all the same."""
    title = site.stock.phrase(3, 5)
    stock = ["Salt", "Pepper", "Olive oil", "Flour", "Butter", "Sugar"]
    items = [*site.stock.random.sample(stock, 4), *(f"{n} g {site.stock.phrase(1, 2)}" for n in (50, 120, 300))]
    steps = [site.stock.paragraph(2) for _ in range(4)]
    lists = (f"<li>{each}" for each in items), (f"<li>{each}" for each in steps)
    body = (
        f"<h1>{title}</h1>{site.newsletter}<h2>Ingredients</h2><ul>{''.join(lists[0])}</ul>"
        f"<h2>Method</h2><ol>{''.join(lists[1])}</ol>{site.authors[0]}"
    )
    return site.page(title, body, [title, "Ingredients", *items, "Method", *steps])


def forum(site: Site) -> Made:
    """Posts with signatures, and short replies that many threads have."""
    title = site.stock.phrase(4, 8)
    posts = [site.stock.paragraph(site.stock.random.randint(1, 4)) for _ in range(5)]
    posts.append(site.stock.random.choice(["Thanks a lot!", "Same here.", "It works now, thank you!"]))
    body = "".join(
        f"<div class=post><div class=user>Member</div><div>{post}</div>"
        f"<div class=sig>{site.stock.random.choice(site.authors)}</div><div>Reply Quote Report</div></div>"
        for post in posts
    )
    return site.page(title, f"<h1>{title}</h1>{body}", [title, *posts])


def product(site: Site) -> Made:
    """A short description and a table whose first column all products share, among long terms of delivery."""
    title, text = site.stock.phrase(2, 4), site.stock.paragraph(3)
    names = ["Weight", "Height", "Colour", "Made in"]
    values = [f"{site.stock.random.randint(1, 99)} {site.stock.phrase(1, 1)}" for _ in names]
    rows = "".join(f"<tr><th>{name}<td>{value}" for name, value in zip(names, values))
    body = f"<h1>{title}</h1><p>{text}</p><table>{rows}</table>{site.about}{site.legal}{site.newsletter}"
    content = [title, text, *(f"{name} {value}" for name, value in zip(names, values))]
    return site.page(title, body, content)


def manual(site: Site) -> Made:
    """Sections of a manual, with a table of contents on every page and a warning in the middle."""
    title = site.stock.phrase(3, 5)
    sections = [(site.stock.phrase(2, 4), site.stock.paragraph(4)) for _ in range(4)]
    body = "".join(f"<h2>{head}</h2><p>{text}</p>" for head, text in sections[:2]) + f"<div>{site.legal}</div>"
    body += "".join(f"<h2>{head}</h2><p>{text}</p>" for head, text in sections[2:])
    content = [title, *(each for section in sections for each in section)]
    return site.page(title, f"<div>{site.menu}</div><h1>{title}</h1>{body}{site.about}", content)


KINDS: dict[str, Callable[[Site], Made]] = {
    "news": news,
    "recipe": recipe,
    "forum": forum,
    "product": product,
    "manual": manual,
}


@dataclass(slots=True)
class Means:
    """Sums over pages."""

    pages: int = 0
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0

    def add(self, extracted: str, gold: str) -> None:
        found = bag_scores(words(extracted), words(gold))
        self.pages += 1
        self.precision += found.precision
        self.recall += found.recall
        self.f1 += found.f1

    def join(self, other: Means) -> None:
        self.pages += other.pages
        self.precision += other.precision
        self.recall += other.recall
        self.f1 += other.f1

    def row(self) -> str:
        return f"{self.precision / self.pages:.3f} | {self.recall / self.pages:.3f} | {self.f1 / self.pages:.3f}"


def measure(name: str, pages: Sequence[Page], golds: Sequence[str], templates: Templates) -> tuple[Means, Means]:
    """Scores of an algorithm without the templates and with them."""
    chosen = algorithm(name)
    without, with_them = Means(), Means()
    for page, gold in zip(pages, golds):
        selection = chosen.select(page)
        without.add(to_text(page, selection), gold)
        with_them.add(to_text(page, templates.apply(page, selection)), gold)
    return without, with_them


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=40, help="pages of each site")
    parser.add_argument("--learn", type=int, help="how many of them are learned from (default: all)")
    parser.add_argument("--dataset", type=Path, help="labelled pages instead of generated ones")
    arguments = parser.parse_args()
    sites = generated(arguments.pages) if arguments.dataset is None else labelled(arguments.dataset)
    out = sys.stdout.write
    out(
        "| site | algorithm | pages | P | R | F1 | P with | R with | F1 with |\n|---|---|---|---|---|---|---|---|---|\n"
    )
    seconds, learned = 0.0, 0
    totals = {name: (Means(), Means()) for name in ALGORITHMS}
    for kind, made in sites:
        pages = [parse_page(decode(each.html).utf8) for each in made]
        started = time.process_time()
        templates = learn(pages[: arguments.learn])
        seconds, learned = seconds + time.process_time() - started, learned + len(pages[: arguments.learn])
        for name, (without_all, with_all) in totals.items():
            without, with_them = measure(name, pages, [each.content for each in made], templates)
            without_all.join(without)
            with_all.join(with_them)
            out(f"| {kind} | {name} | {without.pages} | {without.row()} | {with_them.row()} |\n")
    for name, (without, with_them) in totals.items():
        out(f"| **all** | {name} | {without.pages} | {without.row()} | {with_them.row()} |\n")
    sys.stderr.write(f"learning took {1e3 * seconds / learned:.2f} ms a page\n")


def generated(pages: int) -> Iterator[tuple[str, list[Made]]]:
    """Sites that are made here."""
    for kind, make in KINDS.items():
        site = Site(kind, seed=1)
        yield kind, [make(site) for _ in range(pages)]


def labelled(path: Path) -> Iterator[tuple[str, list[Made]]]:
    """The sites of labelled pages that have enough of them."""
    sites: dict[str, list[Made]] = {}
    for page in load(path).pages:
        if page.text and page.url:
            sites.setdefault(site_of(page.url), []).append(Made(page.html, page.text))
    yield from ((site, pages) for site, pages in sorted(sites.items()) if len(pages) >= FEWEST_PAGES)


if __name__ == "__main__":
    main()
