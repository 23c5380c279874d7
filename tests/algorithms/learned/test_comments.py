"""Readers' comments: where they are, and which comment is which."""

from __future__ import annotations

import pytest

from duramen.algorithms.learned.comments import Comment, comment_rows, comments_of
from duramen.page import Page
from tests.support import find, page_of, words

ARTICLE = f"<article><h1>Storm at the coast</h1><p>{words(80, 'w')}</p></article>"
OPINION = "What a storm that was"


def page_with(part: str) -> Page:
    return page_of(f"<html><body>{ARTICLE}{part}<footer>Imprint</footer></body></html>")


def is_comment(page: Page, text: str = OPINION) -> bool:
    return bool(comment_rows(page)[find(page, f'"{text}"')])


@pytest.mark.parametrize(
    "part",
    [
        "<div id=comments><p>{}</p></div>",
        "<section class='post-comments wide'><p>{}</p></section>",
        "<ol class=commentlist><li><p>{}</p></li></ol>",
        "<div id=disqus_thread><p>{}</p></div>",
        "<div class=comment-list><p>{}</p></div>",
        "<div class=kommentare><p>{}</p></div>",
        "<div class='comentarios'><p>{}</p></div>",
        "<div class=commentaires><p>{}</p></div>",
        "<div class='评论'><p>{}</p></div>",
        "<div itemscope itemtype='https://schema.org/Comment'><p>{}</p></div>",
        "<div itemprop=comment><p>{}</p></div>",
        "<div><h3>12 Comments</h3><p>{}</p></div>",
        "<div><h3>Comments (3)</h3><p>{}</p></div>",
        "<div><h3>3 Kommentare</h3><p>{}</p></div>",
        "<div><h2>评论 25</h2><p>{}</p></div>",
        "<div><p>{}</p></div>".replace("<p>", "<h2>Leave a Reply</h2><p>"),
        "<div><h3>Comments</h3><p>{}</p><form><textarea></textarea></form></div>",
        "<div><h3>Comments</h3><time>May 1</time><p>{}</p><time>May 2</time><p>Yes</p></div>",
        "<div><h3>Comments</h3><p>{}</p><p>Posted by: Ann at noon</p><p>Yes</p><p>Posted by: Bob at one</p></div>",
        "<div><h3>Comments</h3><p>Ann says:</p><p>{}</p><p>Bob wrote</p><p>Yes</p></div>",
        "<div><h2 id=comments>Comments</h2><p>{}</p><form><textarea></textarea></form></div>",
        "<div><h3>Comments</h3><p>{}</p><h3>Leave a reply</h3><form><textarea></textarea></form></div>",
        "<div><h3>Comments</h3><div><h3>Ann</h3><p>{}</p></div><div><h3>Bob</h3><p>Yes</p></div><textarea></textarea></div>",
        "<div><div class=commentform><h2 id=comments>2 comments</h2></div><p>{}</p></div>",
        "<div class='commentbody by-ann'><p>{}</p></div>",
        "<div id=jc_commentsDiv><p>{}</p></div>",
    ],
)
def test_sections(part: str) -> None:
    page = page_with(part.format(OPINION))
    assert is_comment(page)
    assert not is_comment(page, "Storm at the coast")
    assert not is_comment(page, "Imprint")


@pytest.mark.parametrize(
    "part",
    [
        "<div class=no-comments><p>{}</p></div>",
        "<div class='comments-open'><p>{}</p></div>",
        "<div class=commented-code><p>{}</p></div>",
        "<div><h3>Comments</h3><p>{}</p></div>",  # a chapter on comments
        "<div><h3>Response</h3><p>{}</p><h3>Body</h3><p>More</p><form><textarea></textarea></form></div>",
        "<div><h3 id=comments>Comments</h3><p>{}</p></div>",
        "<div><h3>Comments</h3><p>{}</p><p>Posted by: Ann at noon</p></div>",  # once is no discussion
        "<div><h3>How comments work</h3><p>{}</p></div>",
        "<p>12 comments</p><p>{}</p>",
    ],
)
def test_no_sections(part: str) -> None:
    assert not is_comment(page_with(part.format(OPINION)))


def test_an_element_around_the_article_is_no_section() -> None:
    page = page_of(f"<body class=comments><div class='comments'>{ARTICLE}</div></body>")
    assert not comment_rows(page).any()


def test_heading_reaches_to_the_end_of_its_element() -> None:
    page = page_of(f"<body><div>{ARTICLE}<div><h3>2 comments</h3></div><p>{OPINION}</p></div><p>Below</p></body>")
    assert is_comment(page)
    assert not is_comment(page, "Below")


THREAD = """
<div id=comments><h3>3 comments</h3><ol>
<li class=comment><div class=comment-author><cite class=fn>Ann</cite></div><time>May 1</time>
  <div class=comment-content><p>First <b>of</b> all.</p><p>And more.</p></div><a class=reply href=#>Reply</a>
  <ul><li class=comment><cite class=author>Bob</cite><p>An answer to Ann.</p><a class=reply href=#>Reply</a></li></ul>
</li>
<li class=comment><p>Nobody knows me.</p></li></ol>
<form class=comment-form><label>Your comment</label><textarea></textarea></form></div>
"""


def test_comments_one_by_one() -> None:
    assert comments_of(page_with(THREAD)) == (
        Comment("First of all.\nAnd more.", "Ann", "May 1"),
        Comment("An answer to Ann.", "Bob", None),
        Comment("Nobody knows me.", None, None),
    )


def test_items_without_names_are_list_items() -> None:
    page = page_with(f"<ul id=comments><li>{OPINION} and so on and on</li><li>{words(9, 'c')}</li></ul>")
    assert [comment.text for comment in comments_of(page)] == [f"{OPINION} and so on and on", words(9, "c")]


def test_latest_comments_of_the_site_are_about_other_pages() -> None:
    page = page_with("<ul id=recent-comments><li class=comment>Ann on The great flood of last year in May</li></ul>")
    assert comments_of(page) == ()


@pytest.mark.parametrize("html", ["", "<p>Text</p>", "<div id=comments></div>", "<h2>Leave a reply</h2>"])
def test_pages_without_comments(html: str) -> None:
    page = page_of(html)
    assert comment_rows(page).shape == (len(page),)
    assert comments_of(page) == ()


def test_deep_and_wide_pages() -> None:
    deep = page_of("<div class=comment>" * 3000 + "deep words here" + "</div>" * 3000)
    assert len(comments_of(deep)) == 1
    wide = page_of("<div id=comments>" + "<div class=comment><p>So it is, they say.</p></div>" * 3000 + "</div>")
    assert len(comments_of(wide)) == 3000
