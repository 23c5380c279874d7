"""The page itself, drawn from its arrays, with kept and dropped parts told apart.

Only tags from a short list are written, and no attribute of the page but the span of a table cell, so nothing of the
page can run, load or style anything. Tags are nested so that a browser's parser builds exactly the tree written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import numpy as np

from duramen.explain.layout import SHOWN_TEXT, Leaves, Look, find_breaks, find_leaves, find_look, water_level
from duramen.explain.nodes import Nodes, shorten
from duramen.page import HIDDEN

# Headings go two levels down: the document around them has the first two.
_SAME = """
    p ul ol li dl dt dd table caption thead tbody tfoot tr td th blockquote pre figure figcaption
    b strong i em code kbd samp var sub sup u s del ins mark small q cite
"""
_TAGS = {name: name for name in _SAME.split()}
_TAGS |= {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
_PHRASES = frozenset({"p", "h3", "h4", "h5", "h6"})  # an element that holds blocks cannot be one of these
_HOLDERS = {"li": ("ul", "ol"), "dt": ("dl",), "dd": ("dl",)}  # elsewhere these are drawn as plain boxes
_FOLD = {"ul": "li", "ol": "li", "dl": "dd", "tr": "td", "p": "span"}  # what a fold mark is inside of what
_BADGELESS = frozenset({"ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr"})  # hold no phrases of their own
_STYLED = frozenset({"a", "button", "label", "option", "summary", "h1", "h2", "h3", "h4", "h5", "h6"})

_PART_NAMES = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"))


@dataclass(frozen=True, slots=True)
class Shaded:
    """A drawn page."""

    html: str
    units: frozenset[int]  # the nodes (or blocks) that can be pointed at
    folded: int  # texts and pictures left out


def shade(nodes: Nodes, marks: Mapping[int, str]) -> Shaded:
    """The page with every leaf marked as kept or dropped; `marks` name single rows: the winner, the title …"""
    leaves = find_leaves(nodes, marks)
    look = find_look(nodes.page, nodes.selection.kept, leaves, marks)
    brush = _Brush(nodes, marks, leaves, look)
    return Shaded(brush.paint(), frozenset(brush.units), int((leaves.leaf & ~leaves.shown).sum()))


def _badge(words: str) -> str:
    return f'<span class="badge">{escape(words)}</span>'


class _Brush:
    """Writes the rows of a page one after the other; the tags still open are a stack of (end, tag)."""

    def __init__(self, nodes: Nodes, marks: Mapping[int, str], leaves: Leaves, look: Look) -> None:
        self.nodes, self.page, self.marks, self.leaves, self.look = nodes, nodes.page, marks, leaves, look
        self.kept = nodes.selection.kept
        self.out: list[str] = []
        self.open: list[tuple[int, str]] = []
        self.units: set[int] = set()
        self.run = ""
        sizes = np.diff(self.page.text_at)[leaves.shown & self.page.is_text()]
        self.longest = water_level(sizes, SHOWN_TEXT)

    def paint(self) -> str:
        page, leaves = self.page, self.leaves
        breaks = find_breaks(page, leaves)
        wanted = self.look.drawn | leaves.shown | breaks
        wanted[list(leaves.folds)] = True
        blanks = np.cumsum(page.is_text() & (page.chars == 0))
        spaces = 0
        for row in np.flatnonzero(wanted).tolist():
            while self.open and self.open[-1][0] <= row:
                self.out.append(f"</{self.open.pop()[1]}>")
            if blanks[row] != spaces:
                spaces = int(blanks[row])
                self.out.append(" ")
            if row in leaves.folds:
                self._fold(*leaves.folds[row])
            elif leaves.shown[row]:
                self._leaf(row)
            elif breaks[row]:
                self.out.append(f"<{page.tag_name(row)}>")
            else:
                self._element(row)
        self.out += [f"</{tag}>" for _, tag in reversed(self.open)]
        return "".join(self.out)

    def _parent(self) -> str:
        return self.open[-1][1] if self.open else "div"

    def _attributes(self, row: int, classes: list[str], extra: str = "") -> str:
        """Class, mark and the address by which script and links find the node."""
        # An element around a single stretch of text speaks for its block.
        unit = self.nodes.unit_at(row) if self.look.tight[row] else int(self.nodes.unit[row])
        if row in self.marks:
            classes.append("mark")
        if self.page.flags[row] & HIDDEN:
            classes.append("hid")
        text = f' class="{" ".join(classes)}"' if classes else ""
        if unit >= 0:
            text += f' data-n="{unit}"'
            if unit not in self.units:
                self.units.add(unit)
                text += f' id="n{unit}"'
        return text + extra

    def _begins(self, verdict: str) -> str:
        """The label of a new stretch of one verdict."""
        if verdict == self.run:
            return ""
        self.run = verdict
        return f' data-run="{verdict}"'

    def _element(self, row: int) -> None:
        page, look = self.page, self.look
        name = page.tag_name(row)
        tag = self._tag(row, name)
        classes, extra = [], ""
        if look.tight[row]:
            classes.append("u")
            extra = ' tabindex="-1"'
        if look.region[row]:
            classes.append(look.region[row])
            extra += self._begins(look.region[row])
        if name in _STYLED or tag != _TAGS.get(name, tag):
            classes.append(f"t-{name}")
        if tag in ("td", "th"):
            extra += self._spans(row)
        self.out.append(f"<{tag}{self._attributes(row, classes, extra)}>")
        if tag == "pre":
            self.out.append("\n")  # a parser drops the first line break in a <pre>
        if row in self.marks and tag not in _BADGELESS:
            self.out.append(_badge(self.marks[row]))
        self.open.append((int(page.end[row]), tag))

    def _tag(self, row: int, name: str) -> str:
        tag = _TAGS.get(name, "span" if self.look.inline[row] else "div")
        if name in _PART_NAMES:
            return tag if self.look.real_table[row] else "div"
        if (tag in _PHRASES or tag == "pre") and not self.look.phrasal[row]:
            return "div"
        if tag in _HOLDERS and self._parent() not in _HOLDERS[tag]:
            return "div"
        return tag

    def _spans(self, row: int) -> str:
        found = ""
        for name in ("colspan", "rowspan"):
            value = self.page.attribute(row, name) or ""
            if value.isascii() and value.isdigit() and 1 < int(value[:4]) <= 100:
                found += f' {name}="{int(value[:4])}"'
        return found

    def _leaf(self, row: int) -> None:
        page, look = self.page, self.look
        classes = []
        extra = ""
        holder = int(look.holder[row])
        in_stretch = holder >= 0 and bool(look.tight[holder]) and bool(look.drawn[holder])
        if not look.shaded[row]:
            classes.append("k" if self.kept[row] else "d")
        if not in_stretch:
            classes.append("u")
            extra = ' tabindex="-1"'
        if not in_stretch and not look.shaded[row]:
            self.run = ""  # loose text has no label in the margin, so what follows needs one
        if page.tag[row]:
            kind, words = self._box(row)
            if not kind:
                return
            classes.append("box")
            inside = f"<b>{escape(kind)}</b> {escape(words)}" if words else f"<b>{escape(kind)}</b>"
        else:
            inside = self._text(row)
        badge = _badge(self.marks[row]) if row in self.marks else ""
        self.out.append(f"<span{self._attributes(row, classes, extra)}>{badge}{inside}</span>")

    def _text(self, row: int) -> str:
        page = self.page
        start, stop = int(page.text_at[row]), int(page.text_at[row + 1])
        data = page.text[start : min(stop, start + self.longest)].decode("utf-8", "ignore")
        # A parser would read a NUL as an error and a lone CR as a line feed.
        text = escape(data.replace("\x00", "\ufffd").replace("\r", "\n"), quote=False)
        if stop - start > self.longest:
            text += f"… <i>({stop - start - self.longest:,} bytes not shown)</i>"
        return text

    def _box(self, row: int) -> tuple[str, str]:
        """What a picture, a frame or a field is called, and the words it carries."""
        page = self.page
        name = page.tag_name(row)
        if name == "input":
            kind = (page.attribute(row, "type") or "text").strip().lower()
            words = page.attribute(row, "value") or page.attribute(row, "placeholder") or ""
            return ("", "") if kind == "hidden" else ("field", shorten(" ".join(words.split()), 80))
        if name == "img":
            words = " ".join((page.attribute(row, "alt") or "").split())
            if not words:
                source = (page.attribute(row, "src") or "").split("?")[0].split("#")[0]
                words = "" if source.startswith("data:") else source.rstrip("/").rsplit("/", 1)[-1]
            return "image", shorten(words, 200)
        words = page.attribute(row, "title") or page.attribute(row, "aria-label") or ""
        return {"iframe": "frame", "svg": "drawing"}.get(name, name), shorten(" ".join(words.split()), 80)

    def _fold(self, count: int, verdict: str) -> None:
        parent = self._parent()
        what = f"{verdict} {'piece' if count == 1 else 'pieces'}".strip()
        text = f"⋯ {count:,} more {what} not shown here ⋯"
        if parent in ("table", "thead", "tbody", "tfoot"):
            self.out.append(f'<tr><td colspan="100" class="fold">{text}</td></tr>')
        else:
            tag = _FOLD.get(parent, "span")
            self.out.append(f'<{tag} class="fold">{text}</{tag}>')
