"""Vote: several algorithms side by side, or one after the other."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from duramen.algorithms.baselines.bte import Bte
from duramen.algorithms.baselines.lqf import Lqf
from duramen.algorithms.cetd import Cetd
from duramen.algorithms.coreex import CoreEx
from duramen.algorithms.vote import Vote
from duramen.errors import UnknownAlgorithm
from duramen.extract import extract
from duramen.page import Page, Reason, Selection
from tests.support import find, kept_text, page_of

PAGE = "<body><p id=a>a</p><p id=b>b</p><p id=c>c</p><p id=d>d</p></body>"


@dataclass(frozen=True, slots=True)
class Keep:
    """Keeps the paragraphs of these ids, and says which it saw."""

    paper: ClassVar[str] = "none"
    ids: str

    def select(self, page: Page) -> Selection:
        kept = np.zeros(len(page), dtype=np.bool_)
        for row in range(len(page)):
            name = page.attribute(row, "id") or ""
            if name and name in self.ids:
                kept[row : page.end[row]] = True
        found = np.flatnonzero(kept)
        title = int(found[0]) if len(found) else None
        return Selection(kept, title=title, reason=None if len(found) else Reason.NO_CONTENT)


MEMBERS = (Keep("abc"), Keep("bc"), Keep("cd"))


@pytest.mark.parametrize(
    ("mode", "least", "expected"),
    [
        ("vote", 1, "a b c d"),
        ("vote", 2, "b c"),
        ("vote", 3, "c"),
        ("union", 2, "a b c d"),
        ("intersection", 2, "c"),
        ("serial", 2, "c"),
    ],
)
def test_modes(mode: Any, least: int, expected: str) -> None:
    page = page_of(PAGE)
    selection = Vote(MEMBERS, mode=mode, least=least).select(page)
    assert kept_text(page, selection) == expected
    assert selection.reason is None
    json.dumps(dict(selection.trace), allow_nan=False)


def test_the_ballots_are_told() -> None:
    page = page_of(PAGE)
    selection = Vote(MEMBERS).select(page)
    votes = {name: int(selection.columns["votes"][find(page, f'"{name}"')]) for name in "abcd"}
    assert votes == {"a": 1, "b": 2, "c": 3, "d": 1}
    assert selection.score is not None
    assert selection.score[find(page, '"b"')] == pytest.approx(2 / 3)
    assert np.isnan(selection.score[find(page, "body")])
    assert [ballot["kept_chars"] for ballot in selection.trace["ballots"]] == [3, 2, 2]
    assert selection.trace["agreement"] == 0.25  # of four characters one has all votes


def test_equal_members_have_names_of_their_own() -> None:
    selection = Vote(("cetd", "cetd", Cetd(lambda_=0.5)), least=1).select(page_of(PAGE))
    assert [name for name in selection.columns if name != "votes"] == ["cetd", "cetd 2", "cetd 3"]


def test_the_title_is_the_first_that_a_member_found() -> None:
    page = page_of(PAGE)
    assert Vote(MEMBERS).select(page).title == find(page, "#a")
    assert Vote((Keep(""), Keep("d")), least=1).select(page).title == find(page, "#d")


@dataclass(frozen=True, slots=True)
class First:
    """Keeps the first text of the page, whatever it is."""

    paper: ClassVar[str] = "none"

    def select(self, page: Page) -> Selection:
        kept = np.zeros(len(page), dtype=np.bool_)
        texts = np.flatnonzero(page.chars > 0)
        kept[texts[:1]] = True
        return Selection(kept, title=int(texts[0]) if len(texts) else None)


def test_in_a_series_each_sees_what_the_one_before_has_left() -> None:
    page = page_of(PAGE)
    selection = Vote((Keep("cd"), First()), mode="serial").select(page)
    assert kept_text(page, selection) == "c"
    assert selection.title == find(page, "#c")
    # Side by side the first text of the whole page has only one vote.
    assert kept_text(page, Vote((Keep("cd"), First()), mode="intersection").select(page)) == ""


def test_in_a_series_an_empty_stage_leaves_nothing() -> None:
    page = page_of(PAGE)
    selection = Vote((Keep(""), Keep("abcd"), "cetd"), mode="serial").select(page)
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_CONTENT
    assert [ballot["reason"] for ballot in selection.trace["ballots"]] == ["no_content", "no_content", "no_text"]


LOREM = "The storm reached the coast at noon, and the harbour was closed. Nobody was hurt, the mayor said. "
ARTICLE = (
    "<html><head><title>Storm</title></head><body><ul>"
    + "".join(f"<li><a href=/{k}>Section {k}</a></li>" for k in range(12))
    + "</ul><div id=main><h1>Storm</h1>"
    + f"<p>{LOREM * 3}</p>" * 5
    + f"</div><p>Related: <a href=/r>{LOREM}</a></p></body></html>"
)


@pytest.mark.parametrize("mode", ["vote", "union", "intersection", "serial"])
def test_real_algorithms_find_the_article(mode: Any) -> None:
    page = page_of(ARTICLE)
    text = kept_text(page, Vote(("coreex", "cetd", "econ", Bte(), Lqf()), mode=mode).select(page))
    assert text.count("harbour was closed") >= 15
    assert "Section 3" not in text


def test_links_that_one_misses_are_removed_by_the_next() -> None:
    page = page_of(ARTICLE)
    assert "Related" in kept_text(page, Vote((Bte(),), mode="serial").select(page))
    assert "Related" not in kept_text(page, Vote((Bte(), Lqf()), mode="serial").select(page))


@pytest.mark.parametrize("html", ["", "<body></body>", "<script>x</script>"])
@pytest.mark.parametrize("mode", ["vote", "union", "intersection", "serial"])
def test_nothing_to_read(html: str, mode: Any) -> None:
    selection = Vote(mode=mode).select(page_of(html))
    assert not selection.kept.any()
    assert selection.reason is Reason.NO_TEXT


def test_it_can_be_pickled() -> None:
    vote = Vote(("cetd", Lqf(tau=0.3)), mode="union")
    assert pickle.loads(pickle.dumps(vote)) == vote


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"members": ()}, "at least one"),
        ({"mode": "average"}, "mode is one of vote, union"),
        ({"least": 0}, "least"),
        ({"least": 4}, "from 1 to 3"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Vote(**settings)


def test_unknown_members_are_told_at_once() -> None:
    with pytest.raises(UnknownAlgorithm, match="did you mean 'coreex'"):
        Vote(("corex", "cetd"))


def test_a_member_that_reads_scripts_gets_them() -> None:
    html = "<body><script>var a = 1 ; var b = 2 ;</script><p>Four words of text</p></body>"
    for members, expected in (((CoreEx("R4"), Cetd()), True), ((CoreEx("R5"), Cetd()), False)):
        chosen = Vote(members=members, mode="union")
        assert chosen.reads_scripts is expected
        kept = extract(html, algorithm=chosen).selection.trace["ballots"][0]["kept_chars"]
        assert kept == (41 if expected else 18)
