"""Readers' comments below an article: where they are, and which comment is which.

They are found by what elements are called, by schema.org's Comment, and by headings such as "12 comments" or "Leave a
reply". Nothing here asks what kind of page it is: the posts of a forum look the same, and are its content.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from itertools import groupby, islice

import numpy as np

from duramen.algorithms.learned.attributes import Attributes, attributes_named, rows_where
from duramen.algorithms.learned.sections import headed_sections, named_sections
from duramen.algorithms.learned.sight import COMMENT_TYPE, COMMENT_WORD, Sight, look
from duramen.blocks import blocks
from duramen.measure import nearest, seen_text, subtree_sum, within
from duramen.page import BoolArray, IntArray, Page
from duramen.tags import TAG_IDS

# What is looked at most closely on a page, so that none can make this slow.
HEADINGS = 400
COMMENTS = 5000
HEADING_WORDS = 8
HEADING_CHARS = 400
HEADING_ROWS = 12  # of an element that is a heading and nothing else
LEVELS = 50  # above a heading
# A bare "Comments" may head a chapter of a manual: so many dates or signatures or a box to write in must follow it.
DATES = 2
SIGNED_ROWS = 400  # texts below a heading in which a signature is looked for
SIGNED_BYTES = 200
NAME_CHARS = 80  # longest name of a commenter

# `sections` looks for the words of these first.
_SECTION = re.compile(
    rb"(?:^|[^a-z])(?:(?:reader|user|post|article|entry|blog|page|the|wp|fb|facebook|all|block)?[-_]{0,2}"
    rb"(?:comments|commentary|komm?entar(?:e|er|er|en|y|ze)?|com+entarios|commentaires|commenti|reacties|yorumlar|pinglun)"
    rb"|comments?[-_]{0,2}(?:list|area|section|thread|container|box|wrap(?:per)?|form|respond|block|stream|holder|items?|body"
    rb"|div|panel|text-container)"
    rb"|disqus(?:_thread)?|disqus-comments|respond|guestbook|livefyre|viafoura|coral[-_](?:talk|thread|comments?)"
    rb"|spotim|openweb|hyvor-talk|utterances|giscus|discuss(?:ion)?[-_](?:thread|list|section|area)"
    rb"|commentlist|commentform|comment-page|comments?-?(?:list|area|section|thread|container|wrapper|template|title))"
    rb"(?![a-z])|" + "评论|評論".encode(),
    re.IGNORECASE,
)
# Names that say something about comments and hold none: on the page's frame, or a link to them.
_NOT_A_SECTION = re.compile(
    rb"(?:no|has|with|without|hide|show|disable|enable)[-_]?comments"
    rb"|comments?[-_](?:open|closed|enabled|disabled|on|off|count|counter|link|links|number|num|icon|btn|button|meta"
    rb"|policy|toggle)",
    re.IGNORECASE,
)
_ITEM = re.compile(
    rb"(?:^|\s)(?:comment|comment[-_]{0,2}(?:item|entry|single|wrapper|container|post|node|card|thread-item)|commentitem"
    rb"|single[-_]comment|user[-_]comment|kommentar|comentario|commentaire|depth-1)(?=\s|$)",
    re.IGNORECASE,
)
_LATEST = re.compile(rb"(?:recent|latest|last|popular)[-_]?comment", re.IGNORECASE)
_BODY = re.compile(
    rb"comment[-_]{0,2}(?:content|text|body|message|copy|inner-text)|comment__(?:content|text|body)|message-?body",
    re.IGNORECASE,
)
_AUTHOR = re.compile(rb"author|user-?name|(?:^|\s)(?:fn|vcard|user|name|nick(?:name)?|byline|poster)(?=\s|$)", re.I)
_DATE = re.compile(rb"date|time|(?:^|\s)(?:posted|published|when|age|metadata|permalink)", re.IGNORECASE)
_CONTROL = re.compile(rb"repl(?:y|ies)|vote|like|share|report|avatar|actions?|toolbar|permalink|edit", re.IGNORECASE)

_NOUN = (
    "comments?|responses?|replies|reactions?|thoughts? on|kommentare?|kommentarer|antworten|commentaires?|réponses?"
    "|comentarios?|comentários?|respuestas?|commenti|commento|risposte|reacties|komentarze?|komentář[eů]?|yorum(?:lar)?"
    "|комментари(?:й|я|и|ев)|отзыв(?:ы|ов)?|коментар[іи]"
)
_COUNTED = re.compile(
    rf"(?:\(?\d[\d.,]*\)?|one|two|no)\s+(?:user |reader )?(?:{_NOUN})\b|(?:{_NOUN})\s*[:(（]?\s*\d+\s*[)）]?\s*$"
    r"|\d+\s*(?:条|條|个|個|件)?(?:の)?(?:评论|評論|留言|コメント|댓글)|(?:评论|評論|留言|コメント|댓글)\s*[(（:：]?\s*\d+",
    re.IGNORECASE,
)
_INVITING = re.compile(
    r"(?:leave|post|write|add|submit|join)\s+(?:a|your|an?other|the)?\s*(?:reply|comment|response|conversation|discussion)"
    r"|(?:schreib|hinterlass|verfass)\w*\s+(?:einen?|deinen|ihren)?\s*kommentar|kommentar\s+(?:schreiben|hinterlassen)"
    r"|laisser\s+un\s+commentaire|(?:deja|dejar|escribe|añade)\w*\s+(?:un|tu)\s+(?:comentario|respuesta)"
    r"|deixe\s+(?:um|seu|uma)\s+(?:comentário|resposta)|lascia\s+un\s+commento|laat\s+een\s+reactie|dodaj\s+komentarz"
    r"|(?:оставить|добавить|оставьте)\s+комментарий|发表评论|發表評論|我要评论|コメントを(?:残す|書く|投稿)|댓글\s*(?:쓰기|남기기)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"\s*(?:(?:reader|user)\s+)?(?:{_NOUN}|评论|評論|留言|网友评论|コメント|댓글)\s*:?\s*", re.IGNORECASE
)
# "Posted by: …", "… says:", "… wrote:"
_SIGNED = re.compile(
    rb"\s*(?:posted|commented|written|submitted|comment)\s+(?:by|on|from)\b|(?:^|\s)(?:says|said|writes|wrote)\s*[:.,]?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment: its text, and who wrote it when, as far as the page says so."""

    text: str
    author: str | None = None
    date: str | None = None


def comment_rows(page: Page) -> BoolArray:
    """Rows inside comment sections: comments, the heading above them, the form below them."""
    found = comment_sections(page, look(page))
    return np.zeros(len(page), dtype=np.bool_) if found is None else found


def comment_sections(page: Page, sight: Sight) -> BoolArray | None:
    """The same, by a first look at the page; None where nothing on it looks like one."""
    inside = np.zeros(len(page), dtype=np.bool_)
    named = named_sections(page, sight.kinds) if sight.told & (COMMENT_WORD | COMMENT_TYPE) else []
    heads = _mark_named(page, named, inside) if named else []
    headings = headed_sections(page, inside, sight.seen, HEADINGS, HEADING_WORDS)
    if headings:
        _mark_below(page, headings, sight.seen, inside)
    for row in heads:
        inside[row : page.end[row]] = True
    return inside if named or headings else None


_SCHEMA = frozenset((b"comment", b"usercomments"))


def _mark_named(page: Page, named: list[tuple[int, int, int, bool]], inside: BoolArray) -> list[int]:
    """Mark what is inside of elements that are called comments; returns those that are no more than a heading."""
    heads: list[int] = []
    known: dict[tuple[bytes, bool], bool] = {}
    titles = np.flatnonzero(page.tag == TAG_IDS["h1"]).tolist()
    until = 0
    for row, begin, end, stated in named:
        if row < until:
            continue
        value = page.attrs[begin:end], stated
        if value not in known:
            known[value] = _is_schema(value[0]) if stated else _is_section(value[0])
        if known[value] and page.tag_name(row) not in _FRAME:
            stop = int(page.end[row])
            # What has the page's heading in it is around the article itself.
            if bisect_left(titles, row) == bisect_left(titles, stop):
                until = stop
                if _is_heading(page, row, stop):
                    heads.append(row)
                else:
                    inside[row:stop] = True
    return heads


def _is_heading(page: Page, row: int, stop: int) -> bool:
    """Whether a heading is all that there is in an element: what it heads comes after it."""
    if stop - row > HEADING_ROWS or _HEADING_TAGS.isdisjoint(page.tag[row:stop].tolist()):
        return False
    return 0 < int(page.words[row:stop].sum()) <= HEADING_WORDS


_FRAME = ("html", "head", "body", "main")
_HEADING_TAGS = frozenset(TAG_IDS[name] for name in ("h2", "h3", "h4", "h5", "h6"))


def _is_section(name: bytes) -> bool:
    return bool(_SECTION.search(name) or _ITEM.search(name)) and not _NOT_A_SECTION.search(name)


def _is_schema(name: bytes) -> bool:
    return name.rsplit(b"/", 1)[-1].lower() in _SCHEMA


def _mark_below(page: Page, headings: list[int], seen: IntArray, inside: BoolArray) -> None:
    """Mark the rows from a heading of comments to the end of the element around it."""
    counts: dict[str, IntArray] = {}
    chapters: dict[int, bool] = {}
    for row in headings:
        text = " ".join(page.text_of(row).split())
        if len(text) > HEADING_CHARS:
            continue
        counted = _COUNTED.search(text) or _INVITING.search(text)
        if not counted and not _BARE.fullmatch(text):
            continue
        top = _top(page, row, seen)
        alone = seen[page.end[top]] - seen[top] == seen[page.end[row]] - seen[row]
        stop = int(page.end[max(int(page.parent[top]), 0)]) if alone else int(page.end[top])
        if not counted:
            stop = _next_chapter(page, row, stop, chapters)
        if not counts:
            counts = {name: _running(page, name) for name in ("time", "textarea", "h1")}
        dates, boxes, titles = (int(count[stop] - count[row]) for count in counts.values())
        if titles == 0 and (counted or boxes > 0 or dates >= DATES or _signed(page, row, stop)):
            inside[row:stop] = True


def _next_chapter(page: Page, row: int, stop: int, chapters: dict[int, bool]) -> int:
    """Where what a heading heads ends: at the next one beside it that does not speak of comments, or at `stop`.

    `chapters` is what is known of headings.
    """
    if page.tag[row] not in _HEADING_TAGS:
        return stop
    alike = (page.tag[row + 1 : stop] == page.tag[row]) & (page.parent[row + 1 : stop] == page.parent[row])
    for other in (row + 1 + np.flatnonzero(alike))[:HEADINGS].tolist():
        if other not in chapters:
            chapters[other] = _is_chapter(page, other)
        if chapters[other]:
            return int(other)
    return stop


def _is_chapter(page: Page, row: int) -> bool:
    """Whether a heading has text that does not speak of comments."""
    begin, end = page.text_at[row], page.text_at[page.end[row]]
    text = " ".join(page.text[begin : min(end, begin + HEADING_CHARS)].decode("utf-8", "replace").split())
    return bool(text) and not (_COUNTED.search(text) or _INVITING.search(text) or _BARE.fullmatch(text))


def _signed(page: Page, row: int, stop: int) -> bool:
    """Whether texts between two rows are signed, as comments without dates of their own are."""
    texts = row + np.flatnonzero(page.words[row:stop])
    ends = page.text_at[texts + 1]
    found = 0
    for begin, end in zip(page.text_at[texts[:SIGNED_ROWS]].tolist(), ends[:SIGNED_ROWS].tolist()):
        found += end - begin <= SIGNED_BYTES and _SIGNED.search(page.text[begin:end]) is not None
    return found >= DATES


def _running(page: Page, name: str) -> IntArray:
    """How many elements of that name come before each row."""
    running = np.zeros(len(page) + 1, dtype=np.int32)
    np.cumsum(page.tag == TAG_IDS[name], out=running[1:])
    return running


def _top(page: Page, row: int, words: IntArray) -> int:
    """The outermost element that begins with the text of a heading: it and what follows it belong together."""
    for above in islice(page.ancestors(row), LEVELS):
        if words[row] != words[above] or page.tag_name(above) in ("html", "body", "main", "article"):
            break
        row = above
    return row


def comments_of(page: Page, rows: BoolArray | None = None) -> tuple[Comment, ...]:
    """The comments in the comment sections, in the order of the page. `rows` are these sections, where known."""
    inside = comment_rows(page) if rows is None else rows
    seen = seen_text(page) & inside
    if not seen.any():
        return ()
    named = attributes_named(page, "class", "id", "itemtype", "itemprop")
    starts = _items(page, named, inside)
    if not starts.any():
        return ()
    owner = np.where(seen, nearest(page, starts), -1)
    body = _matching(page, named, _BODY) & inside
    author = _matching(page, named, _AUTHOR) & inside
    date = (_matching(page, named, _DATE) | page.named("time")) & inside & ~_wide(page, seen)
    noise = within(page, author & ~_wide(page, seen)) | within(page, date) | _controls(page, named)
    in_body = within(page, body)
    texts: dict[int, list[int]] = {}
    for row, item in zip(np.flatnonzero(owner >= 0).tolist(), owner[owner >= 0].tolist()):
        texts.setdefault(item, []).append(row)
    authors, dates = _first_in(page, owner, within(page, author)), _first_in(page, owner, within(page, date))
    block_of = _block_numbers(page)
    found: list[Comment] = []
    for item, held in texts.items():
        told = [row for row in held if in_body[row] and not noise[row]] or [row for row in held if not noise[row]]
        if told and len(found) < COMMENTS:
            found.append(Comment(_joined(page, told, block_of), authors.get(item), dates.get(item)))
    return tuple(found)


def _items(page: Page, named: Attributes, inside: BoolArray) -> BoolArray:
    """The elements that are one comment each."""
    marked = _matching(page, named, _ITEM) & inside
    stated = [value.rsplit(b"/", 1)[-1].lower() in _SCHEMA for value in named.values]
    marked |= rows_where(page, named.rows, stated) & inside
    marked &= ~page.named("a", "span", "form", "input", "textarea", "button", "ol", "ul", "time", "p")
    # The box to write in is no comment, and a list of the site's latest comments is about other pages.
    marked &= subtree_sum(page, page.named("textarea")) == 0
    marked &= ~within(page, _matching(page, named, _LATEST))
    if marked.any():
        # An element whose only child is the same comment again is that comment.
        only: BoolArray = np.zeros(len(page), dtype=np.bool_)
        rows = np.flatnonzero(marked)
        above = page.parent[rows]
        same = (above >= 0) & marked[np.maximum(above, 0)] & (page.named("li")[np.maximum(above, 0)])
        only[rows[same & ~page.named("li")[rows]]] = True
        return marked & ~only
    items = page.named("li", "article") & inside & ~within(page, _matching(page, named, _LATEST))
    return items & (subtree_sum(page, np.where(seen_text(page), page.words, 0)) >= HEADING_WORDS)


def _matching(page: Page, named: Attributes, pattern: re.Pattern[bytes]) -> BoolArray:
    known = {value: pattern.search(value) is not None for value in set(named.values)}
    return rows_where(page, named.rows, [known[value] for value in named.values])


def _wide(page: Page, seen: BoolArray) -> BoolArray:
    """Elements with more text than a name or a date has."""
    chars: BoolArray = subtree_sum(page, np.where(seen, page.chars, 0)) > NAME_CHARS
    return chars


def _controls(page: Page, named: Attributes) -> BoolArray:
    """Buttons and links to answer, vote and share."""
    buttons = page.named("button", "form", "textarea", "input", "select", "label")
    short = subtree_sum(page, page.words) <= 3
    called = _matching(page, named, _CONTROL) & short
    return within(page, buttons | called)


def _first_in(page: Page, owner: IntArray, marked: BoolArray) -> dict[int, str]:
    """The first marked text of each item, where it is short."""
    found: dict[int, str] = {}
    rows = np.flatnonzero(marked & (owner >= 0))
    for row, item in zip(rows.tolist(), owner[rows].tolist()):
        text = " ".join(page.text_of(row).split())
        if item not in found and 0 < len(text) <= NAME_CHARS and any(letter.isalnum() for letter in text):
            found[item] = text
    return found


def _block_numbers(page: Page) -> IntArray:
    """The number of each text row's block; -1 for other rows."""
    found = blocks(page)
    numbers = np.full(len(page), -1, dtype=np.int32)
    numbers[found.rows] = np.repeat(np.arange(len(found), dtype=np.int32), np.diff(found.at))
    return numbers


def _joined(page: Page, rows: list[int], block_of: IntArray) -> str:
    """The text of some rows, a line for each block."""
    lines = (
        " ".join("".join(map(page.text_of, run)).split()) for _, run in groupby(rows, lambda row: int(block_of[row]))
    )
    return "\n".join(line for line in lines if line)
