from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from duramen.algorithms.everything import Everything
from duramen.errors import ModelError, OptionError
from duramen.jobs.templates import Learner, Learning, SiteLearner, SiteTemplates, Templates, block_keys, learn, site_of
from duramen.page import Page, Selection
from tests.support import find, kept_text, page_of, words

NOTICE = "We use cookies to make this site work as you expect it to."
MENU = "<ul><li><a href=/>Home</a><li><a href=/n>News</a><li><a href=/s>Sport</a></ul>"


def site(bodies: Sequence[str]) -> list[Page]:
    return [page_of(f"<body><div>{MENU}<p>{NOTICE}</p></div><article>{body}</article></body>") for body in bodies]


def own(number: int, count: int = 30) -> str:
    """A paragraph that no other page has."""
    return f"<p>{words(count, f'page{number}word')}</p>"


def rest(pages: Sequence[Page], at: int = 0, templates: Templates | None = None) -> str:
    """The text of a page of a site without what the site repeats."""
    templates = learn(pages) if templates is None else templates
    return kept_text(pages[at], templates.apply(pages[at], Everything().select(pages[at])))


def test_what_every_page_has_is_dropped_and_what_one_page_has_stays() -> None:
    pages = site([own(number) for number in range(6)])
    for at in range(6):
        assert rest(pages, at) == words(30, f"page{at}word")


def test_too_few_pages_teach_nothing() -> None:
    pages = site([own(number) for number in range(2)])
    assert NOTICE in rest(pages)


def test_the_same_words_in_another_place_are_another_block() -> None:
    """A lead that other pages show in a box of links is content on its own page."""
    lead = "The river rose by two metres in a single night, says the ferryman."
    box = f"<aside><ul><li><a href=/1>{lead}</a></li></ul></aside>"
    pages = site([f"<p>{lead}</p>{own(0)}", *(own(number) + box for number in range(1, 6))])
    assert rest(pages, 0).startswith(lead)
    assert lead not in rest(pages, 1)


def test_a_block_of_few_pages_is_no_template() -> None:
    quoted = "<p>All animals are equal, but some animals are more equal than others.</p>"
    pages = site([own(number) + (quoted if number < 3 else "") for number in range(60)])
    assert "All animals" in rest(pages)  # on 3 pages, but on 5 % of them only


def test_short_items_stay_where_their_list_stays() -> None:
    pages = site([f"<ul><li>Salt<li>Pepper<li>{words(8, f'page{number}w')}</ul>{own(number)}" for number in range(5)])
    text = rest(pages)
    assert "Salt Pepper" in text
    assert "Home" not in text


def test_cells_stay_where_their_table_stays() -> None:
    rows = "<table><tr><th>Year<th>Sales<tr><td>2019<td>{}<tr><td>2020<td>{}</table>"
    pages = site([rows.format(f"{number}11 tons of it", f"{number}12 tons of it") + own(number) for number in range(5)])
    assert "Year Sales 2019" in rest(pages)


def test_a_repeated_heading_stays_with_what_is_under_it() -> None:
    pages = site(
        [f"<h2>Ingredients</h2>{own(number)}<h2>About this site</h2><p>{NOTICE} Always.</p>" for number in range(5)]
    )
    text = rest(pages)
    assert "Ingredients" in text
    assert "About this site" not in text


def test_a_heading_over_smaller_sections_stays_while_one_of_them_does() -> None:
    body = "<h2>Report</h2><h3>Part one</h3><p>{}</p><h3>Part two</h3>{}<h2>Legal</h2><h3>Terms</h3><p>{}</p>"
    pages = site([body.format(NOTICE + " Now.", own(number), NOTICE + " Then.") for number in range(5)])
    text = rest(pages)
    assert text.startswith("Report Part two")
    assert "Part one" not in text
    assert "Legal" not in text


def test_a_heading_of_two_lines_is_one_heading() -> None:
    pages = site([f"<h2>How to<br>cook it</h2>{own(number)}" for number in range(5)])
    assert rest(pages).startswith("How to cook it page0word1")


def test_short_blocks_need_most_of_the_pages() -> None:
    few = site([(f"<div>Thanks a lot!</div>{own(number)}" if number < 4 else own(number)) for number in range(10)])
    assert "Thanks" in rest(few)
    most = site([f"<div>Share this page</div>{own(number)}" for number in range(10)])
    assert "Share" not in rest(most)


def test_a_page_that_is_all_template_keeps_everything() -> None:
    pages = site([own(number) for number in range(5)])
    bare = site([""])[0]
    templates = learn([*pages, bare])
    selection = templates.apply(bare, Everything().select(bare))
    assert NOTICE in kept_text(bare, selection)
    assert selection.trace["templates"]["nothing_else"]


def test_copies_of_a_page_do_not_make_its_content_a_template() -> None:
    pages = site([*(own(number) for number in range(5)), *([own(9)] * 20)])
    assert words(30, "page9word") in rest(pages, 7)
    assert learn(pages).pages == 6


def test_elements_and_images_go_with_the_text_they_held() -> None:
    pages = site([f"<div><a href=/x><img src=i.png> {NOTICE} More.</a></div>{own(number)}" for number in range(5)])
    page = pages[0]
    selection = learn(pages).apply(page, Everything().select(page))
    assert not selection.kept[[find(page, "a"), find(page, "img"), find(page, "ul")]].any()
    assert selection.kept[find(page, "article")]


def test_rows_that_were_not_kept_stay_so_and_the_rest_of_the_selection_is_untouched() -> None:
    pages = site([own(number) for number in range(5)])
    page = pages[2]
    kept = np.zeros(len(page), dtype=np.bool_)
    kept[find(page, "article") :] = True
    before = Selection(kept=kept, trace={"winner": 3}, flags=("low_confidence",), confidence=0.5)
    assert learn(pages).apply(page, before) is before  # nothing repeated was kept
    kept[:] = True
    after = learn(pages).apply(page, before)
    assert not (after.kept & ~before.kept).any()
    assert (after.flags, after.confidence, after.trace["winner"]) == (before.flags, 0.5, 3)
    assert before.kept.all()


def test_the_title_that_an_algorithm_found_is_never_dropped() -> None:
    pages = site([f"<p>{NOTICE} Title.</p>{own(number)}" for number in range(5)])
    page = pages[0]
    row = find(page, "article") + 1
    everything = Everything().select(page)
    selection = learn(pages).apply(page, Selection(kept=everything.kept, title=row))
    assert "Title." in kept_text(page, selection)


def test_names_outside_the_table_hash_by_name() -> None:
    """Their ids depend on which others the page has."""
    one, other = page_of("<x-menu><p>Hello</p></x-menu>"), page_of("<x-a></x-a><x-menu><p>Hello</p></x-menu>")
    assert block_keys(one).tolist() == block_keys(other).tolist()
    assert block_keys(one).tolist() != block_keys(page_of("<x-else><p>Hello</p></x-else>")).tolist()


@pytest.mark.parametrize("html", ["", "<p>", "<script>x</script>"])
def test_pages_without_text(html: str) -> None:
    page = page_of(html)
    assert len(block_keys(page)) == 0
    templates = learn([page] * 5)
    assert (len(templates), templates.pages) == (0, 0)
    selection = Everything().select(page)
    assert learn(site([own(number) for number in range(4)])).apply(page, selection) is selection


def test_a_deep_page_is_no_problem() -> None:
    deep = page_of("<div>" * 5_000 + f"<p>{NOTICE}</p>" + own(1))
    templates = learn([deep, *site([own(number) for number in range(4)])])
    assert len(kept_text(deep, templates.apply(deep, Everything().select(deep)))) > 0


def test_json_and_back() -> None:
    pages = site([own(number) for number in range(5)])
    templates = learn(pages)
    again = Templates.from_json(templates.to_json())
    assert again.to_json() == templates.to_json()
    assert rest(pages, 1, again) == rest(pages, 1, templates)
    assert all(count == 5 for count in again.counts.tolist())


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 9}', '{"version": 1, "pages": 1, "blocks": {"zz": 1}}', '{"version": 1}']
)
def test_damaged_json_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match="templates"):
        Templates.from_json(text)


def test_counts_are_bounded_and_never_far_off() -> None:
    """A block on every fifth page is found among thousands of pages of passing blocks, in bounded memory."""
    learner = Learner(Learning(share=0.15, error=0.02))
    rng = np.random.default_rng(1)
    largest = 0
    for number in range(3_000):
        passing = rng.integers(1_000, 2**63, 40, dtype=np.uint64)
        steady = [np.uint64(7)] if number % 5 == 0 else []
        rare = [np.uint64(8)] if number % 20 == 0 else []
        learner.add(np.concatenate((passing, np.array(steady + rare, dtype=np.uint64))))
        largest = max(largest, len(learner))
    templates = learner.templates()
    assert templates.keys.tolist() == [7]
    assert 600 - 0.02 * 3_000 <= templates.counts[0] <= 600
    assert largest <= 41 * 50 + 100  # a bucket of 50 pages, and what is frequent


def test_sites_are_learned_apart() -> None:
    learner = SiteLearner()
    pages = site([own(number) for number in range(4)])
    learner.add_pages((f"https://www.one.example/{number}", page) for number, page in enumerate(pages))
    learner.add_pages((f"https://two.example/{number}", page) for number, page in enumerate(pages[:2]))
    learned = SiteTemplates.from_json(learner.templates().to_json())
    assert list(learned.sites) == ["one.example"]  # two pages teach nothing
    everything = Everything().select(pages[0])
    assert NOTICE not in kept_text(pages[0], learned.apply("http://one.example/new", pages[0], everything))
    assert learned.apply("http://two.example/", pages[0], everything) is everything


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.Example.org:8080/a?b", "example.org"),
        ("http://sub.example.org./", "sub.example.org"),
        (None, ""),
        ("no address", ""),
        ("http://[", ""),
    ],
)
def test_site_of(url: str | None, name: str) -> None:
    assert site_of(url) == name


@pytest.mark.parametrize("settings", [{"pages": 1}, {"share": 0.01}, {"share": 1.5}, {"error": 0.0}])
def test_settings_that_cannot_work_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="templates"):
        Learning(**settings)  # type: ignore[arg-type]


def test_damaged_json_of_sites_is_refused() -> None:
    with pytest.raises(ModelError, match="templates"):
        SiteTemplates.from_json("{}")
