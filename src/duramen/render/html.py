"""Page and selection → cleaned HTML: the page's own structure, and nothing that runs."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from duramen.measure import holds
from duramen.page import IntArray, Page, Selection
from duramen.render.addresses import Addresses
from duramen.render.attributes import kept_attributes, written
from duramen.render.flow import BREAK, LINE, NONE, SPACE, Flow, edges, events, flow, levels, tag_numbers
from duramen.render.listing import language
from duramen.render.lists import item_numbers, whole
from duramen.render.nesting import CLOSES_PARAGRAPH, Nesting, divided_paragraphs
from duramen.render.options import EVERYTHING_SHOWN, RenderOptions
from duramen.tags import TAG_IDS, TAG_NAMES, TEXT, tag_mask

# What an element becomes; of any other only what is in it is left.
_SAME = """
    article section nav aside header footer main hgroup address h1 h2 h3 h4 h5 h6
    p pre blockquote ol ul menu li dl dt dd figure figcaption div hr
    table caption thead tbody tfoot tr td th details summary
    a ruby rt rp bdo img span
""".split()
_FORMATTING = "em strong small s cite q dfn abbr time code var samp kbd sub sup i b u mark ins del".split()
_RENAMED = {
    "listing": "pre", "xmp": "pre", "plaintext": "pre", "dir": "ul", "search": "section", "dialog": "div",
    "center": "div", "form": "div", "fieldset": "div", "legend": "div", "marquee": "div",
}  # fmt: skip
_RENAMED_FORMATTING = {"strike": "s", "tt": "code", "acronym": "abbr"}
_INLINE = frozenset(["a", "ruby", "rt", "rp", "bdo", "img", "span", *_FORMATTING])
_NEEDS_ATTRIBUTES = frozenset({"a", "span", "bdo"})  # without any they say nothing
_VOID = frozenset({"img", "hr"})


def _names(formatting: bool) -> list[str]:
    names = [""] * (len(TAG_NAMES) + 1)
    renamed = _RENAMED | (_RENAMED_FORMATTING if formatting else {})
    for name in _SAME + (_FORMATTING if formatting else []):
        names[TAG_IDS[name]] = name
    for name, becomes in renamed.items():
        names[TAG_IDS[name]] = becomes
    return names


_NAMES = {formatting: _names(formatting) for formatting in (True, False)}
_CELLS = tag_mask(["td", "th"])
_FOREIGN = tag_mask(["svg", "math"])
_BR, _OL, _HEAD = TAG_IDS["br"], TAG_IDS["ol"], TAG_IDS["head"]

_WHITE = " \t\n\f\r"  # of HTML: a no-break space is text
_SPACES = re.compile(f"[{_WHITE}]+")


def to_html(page: Page, selection: Selection, options: RenderOptions = EVERYTHING_SHOWN) -> str:
    """What was kept as a whole HTML document with the page's own structure.

    Written again from itself, it comes out the same.
    """
    addresses = Addresses(page, options.url)
    pictures = addresses.pictures(selection.kept) if options.images else {}
    also = page.named("hr")
    also[list(pictures)] = True
    shown = flow(page, selection, options, also)
    body = _Body(page, shown, options, addresses, pictures).render() if len(shown) else ""
    root = [item for item in kept_attributes(page, 0, "html", addresses) if item[0] != "title"]
    return (
        f'<!DOCTYPE html>\n<html{written(root)}>\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape_text(_title(page))}</title>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def escape_text(text: str) -> str:
    """Text as it stands between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\xa0", "&nbsp;")


def _title(page: Page) -> str:
    row = page.first("title")
    # Further down it would be the title of a picture.
    return " ".join(page.text_of(row).split()) if row is not None and page.tag[page.parent[row]] == _HEAD else ""


class _Body:
    """One walk over the rows that matter."""

    def __init__(
        self, page: Page, shown: Flow, options: RenderOptions, addresses: Addresses, pictures: Mapping[int, str]
    ) -> None:
        self._page = page
        self._shown = shown
        self._links = options.links
        self._names = _NAMES[options.formatting]
        self._addresses = addresses
        self._pictures = pictures
        self._divided = divided_paragraphs(page, CLOSES_PARAGRAPH, ("td", "th", "caption"))
        self._nesting = Nesting("body")
        self._numbers = item_numbers(page)
        self._due: dict[int, tuple[int | None, int]] = {}  # of each ordered list: its next number, and the step
        self._out: list[str] = []
        self._opened: set[int] = set()  # rows whose tag was written
        self._pre = 0  # the open preformatted element
        self._filled = False  # whether the line so far shows something
        self._trailing = False  # whether white space ends it that is not written yet
        self._separated = -1  # the piece whose gap is written
        self._after_block = False  # whether the last tag ended a block

    def render(self) -> str:
        page, shown, names = self._page, self._shown, self._names
        rows = self._rows()
        blocks = np.zeros(len(page), dtype=np.uint8)
        blocks[rows] = np.array([name not in _INLINE and name != "" for name in names])[tag_numbers(page)[rows]]
        pieces, gaps, divided = shown.rows.tolist(), shown.gap.tolist(), edges(page, shown.rows, blocks).tolist()
        tags = tag_numbers(page).tolist()
        at = 0  # the next piece
        for event in events(page, rows):
            if event < 0:
                self._close(~event)
                continue
            # What stands before a piece is written before the inline elements around it.
            if at < len(pieces) and (event == pieces[at] or not divided[at]):
                self._separate(gaps[at], at)
            if at == len(pieces) or event != pieces[at]:
                self._open(event, names[tags[event]])
                continue
            at += 1
            if tags[event] == TEXT:
                self._add_text(page.text[page.text_at[event] : page.text_at[event + 1]].decode("utf-8", "replace"))
            elif tags[event] == _BR:
                self._add_text("\n")  # a line of preformatted text
            else:
                self._open(event, names[tags[event]])
        return "".join(self._out) + ("\n" if self._out else "")

    def _rows(self) -> IntArray:
        """The rows that this rendering looks at: what is shown, and the elements to write that hold it."""
        page, shown = self._page, self._shown
        pieces = np.zeros(len(page), dtype=np.bool_)
        pieces[shown.rows] = True
        holding = holds(page, pieces)
        wanted = holding & np.array([name != "" for name in self._names])[tag_numbers(page)]
        wanted |= page.has_tag(_CELLS) & holding[page.parent]  # empty cells keep the columns
        wanted &= levels(page, page.has_tag(_FOREIGN)) == 0  # of a formula, the text
        return np.flatnonzero(wanted | pieces).astype(np.int32)

    def _separate(self, gap: int, at: int) -> None:
        """Write what stands before piece `at`, once."""
        if self._separated == at:
            return
        self._separated = at
        if self._pre:
            if gap == BREAK:
                self._out.append("\n")
        elif self._filled:
            gap = max(gap, SPACE) if self._trailing else gap
            if gap == SPACE:
                self._out.append(" ")
            elif gap > SPACE:
                self._out.append("<br>" if gap <= LINE else "<br><br>")
            self._filled = gap == NONE
        self._trailing = False

    def _add_text(self, text: str) -> None:
        out = self._out
        if self._pre:
            # The first line break after the tag is not part of the text.
            out.append("\n" if out[-1].startswith("<pre") and text.startswith(("\n", "\r")) else "")
            out.append(escape_text(text.replace("\r\n", "\n").replace("\r", "\n")))
            return
        words = text.strip(_WHITE)
        self._start_line()
        out.append(" " if self._filled and text[0] in _WHITE else "")
        out.append(escape_text(_SPACES.sub(" ", words)))
        self._filled, self._trailing = True, text[-1] in _WHITE

    def _open(self, row: int, name: str) -> None:
        inline = name in _INLINE
        if self._pre and not inline:
            return
        fitting = self._nesting.fitting("div" if self._divided[row] else name)
        if fitting is None or (fitting == "a" and not self._links):
            return
        attributes = kept_attributes(self._page, row, fitting, self._addresses)
        if fitting in _NEEDS_ATTRIBUTES and not attributes:
            return
        if fitting == "a" and all(key != "href" for key, _ in attributes):
            return
        if fitting == "img":
            attributes.insert(0, ("src", self._pictures[row]))
        elif fitting == "li":
            attributes = self._numbered(row, attributes)
        elif fitting == "pre":
            named = language(self._page, row)
            attributes += [("class", f"language-{named}")] if named else []
        if inline:
            self._start_line()
        else:
            self._end_line()
            self._out.append("\n" if self._out else "")
        self._out.append(f"<{fitting}{written(attributes)}>")
        if fitting in _VOID:
            self._filled, self._after_block = inline, not inline
            return
        self._after_block = False
        self._opened.add(row)
        self._nesting.open(fitting)
        if fitting == "pre":
            self._pre = row

    def _numbered(self, row: int, attributes: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The attributes of an item, with its number where items left out would change it."""
        number = self._numbers.get(row)
        if number is None:
            return attributes
        owner = int(self._page.parent[row])
        if owner not in self._due:
            of_list = self._page.attributes(owner) if self._page.tag[owner] == _OL else {}
            step = -1 if "reversed" in of_list else 1
            # Without a start, the number of items decides where a reversed list starts.
            self._due[owner] = (None if step < 0 and "start" not in of_list else whole(of_list.get("start"), 1), step)
        due, step = self._due[owner]
        self._due[owner] = (number + step, step)
        value = ("value", str(number))
        return attributes if due == number or value in attributes else [*attributes, value]

    def _close(self, row: int) -> None:
        if row not in self._opened:
            return
        name = self._nesting.close()
        if name not in _INLINE:
            self._end_line()
        if row == self._pre:
            self._pre = 0
        self._start_line()
        self._out.append(f"</{name}>")
        self._after_block = name not in _INLINE

    def _start_line(self) -> None:
        """What follows a block starts on a line of its own."""
        if self._after_block and not self._pre:
            self._out.append("\n")
        self._after_block = False

    def _end_line(self) -> None:
        """A block starts or ends here: white space around it shows nothing."""
        self._filled = self._trailing = False
