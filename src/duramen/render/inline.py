"""Styled runs of text → lines of Markdown.

A paragraph is a list of runs, each with its whole style, not a tree of elements: nested marks of one kind collapse by
themselves, white space always lands outside the marks, and a mark that CommonMark would not recognise (its rules look
at the characters on both sides) is left out, so that the text never changes.

This file compiles to C, with its C types in `inline.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from duramen.render.flow import BREAK, NONE, SPACE, without_zero_width

# The marks of a run; a positive number is the row of the link it belongs to.
STRONG, EMPHASIS, STRIKE = -1, -2, -3
_DELIMITERS = {STRONG: "**", EMPHASIS: "*", STRIKE: "~~"}

_MARKUP = re.compile(r"[\\`*_\[\]<&~]")
_ESCAPED = re.compile(
    r"""
      \\(?=[!-/:-@\[-`{-~]|$)                 # a backslash that would escape something
    | `
    | (?<![ ])\* | \*(?![ ])                  # not a star between blanks
    | (?<![^\W_])_ | _(?![^\W_])              # not snake_case
    | \[(?![^\[\]^][^\[\]]*\](?![(:\[]))      # not a lone [1] or [sic]
    | \[(?=[ xX]\])                           # a task's box
    | <(?=[A-Za-z/!?])
    | &(?=\#?[0-9A-Za-z]+;)
    | (?<![ ])~ | ~(?=~|$)
    """,
    re.VERBOSE,
)
_ESCAPED_IN_LINK = re.compile(rf"{_ESCAPED.pattern} | [\[\]]", re.VERBOSE)
_BACKTICKS = re.compile(r"`+")
_ENTITY = re.compile(r"&(?=#?[0-9A-Za-z]+;)")
_HALF_ENTITY = re.compile(r"(?<!\\)&(?=#?[0-9A-Za-z]*$)")
_PIPE = re.compile(r"\\*\|")
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_NUMBER = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")
_RULE = re.compile(r"[-=:|\s]+")


class Run:
    """Some text in one style."""

    __slots__ = ("code", "gap", "link", "marks", "parts", "ready", "text")

    def __init__(self, gap: int, text: str, marks: tuple[int, ...], code: int, ready: bool) -> None:
        self.gap = gap  # NONE, SPACE or BREAK: what stands before it
        self.parts = [text]
        self.marks = marks
        self.code = code  # the row of the code element it belongs to, or 0
        self.ready = ready  # Markdown already: a picture
        self.text = text
        self.link = marks[0] if marks and marks[0] > 0 else 0  # the row of the link it belongs to, or 0


class Runs:
    """The runs of a paragraph, heading or cell that is being filled."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._gap = NONE

    def space(self, gap: int) -> None:
        """Something stands before whatever comes next."""
        self._gap = max(self._gap, gap)

    def clear(self) -> None:
        """The next text starts anew, whatever stands before it."""
        self._gap = NONE

    def add(self, text: str, marks: tuple[int, ...], code: int) -> None:
        """Text of the page, as it stands there."""
        words = text.split()
        if not words:
            return self.space(SPACE if text else NONE)
        if text[0].isspace():
            self.space(SPACE)
        self._add(" ".join(words), marks, code)
        if text[-1].isspace():
            self._gap = SPACE
        return None

    def add_ready(self, markdown: str, marks: tuple[int, ...]) -> None:
        """Markdown that stays as it is."""
        self._add(markdown, marks, 0, ready=True)

    def _add(self, text: str, marks: tuple[int, ...], code: int, ready: bool = False) -> None:
        gap, self._gap = self._gap if self.runs else NONE, NONE
        last = self.runs[-1] if self.runs else None
        if last and gap <= SPACE and last.marks == marks and last.code == code and not (ready or last.ready):
            last.parts += (" " if gap else "", text)
        else:
            self.runs.append(Run(gap, text, marks, code, ready))

    def take(self, addresses: Mapping[int, str], cell: bool = False) -> list[str]:
        """The lines of Markdown so far; the next text starts anew."""
        runs, self.runs, self._gap = self.runs, [], NONE
        if not runs:
            return []
        styled = False
        for run in runs:
            if len(run.parts) > 1:
                run.text = "".join(run.parts)
            if run.code and ((cell and "\\|" in run.text) or (run.link and "]:" in run.text)):
                run.code = 0  # no table can show this as code, and at its start a paragraph would define a link
            styled = styled or bool(run.code) or len(run.marks) > (run.link != 0)
        if len(runs) == 1 and not runs[0].marks:  # most paragraphs
            return [_written(runs[0], False, cell, touches=False)]
        if not styled:
            return _lines_of_links(runs, addresses, cell)
        runs = _with_stops_outside(runs)
        _drop_unsafe(runs, cell)
        return _lines(_joined_code(runs), addresses, cell)


def image(alt: str, address: str) -> str:
    """A picture."""
    return f"![{escape(' '.join(without_zero_width(alt).split()), in_link=True)}]({destination(address)})"


def escape(text: str, in_link: bool = False) -> str:
    """Text with a backslash before whatever Markdown would take for markup."""
    if not _MARKUP.search(text):
        return text
    return (_ESCAPED_IN_LINK if in_link else _ESCAPED).sub(r"\\\g<0>", text)


def escape_start(line: str) -> str:
    """A line of a paragraph that is not taken for a heading, a list item, a quotation or a rule."""
    first = line[:1]
    if first in "+-" and line[1:2] in ("", " "):
        return "\\" + line
    if first == ">" or (first == "#" and _HEADING.match(line)) or (first in "-=:|" and _RULE.fullmatch(line)):
        return "\\" + line
    return _NUMBER.sub(r"\1\\\2", line, count=1) if first.isdigit() and _NUMBER.match(line) else line


def code_span(text: str) -> str:
    """Inline code, between more backticks than it holds."""
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def destination(address: str) -> str:
    """The address of a link, inside its parentheses."""
    if "&" in address:
        address = _ENTITY.sub(r"\\&", address)
    if "(" not in address and ")" not in address:
        return address
    depth = 0
    for mark in address:
        depth += (mark == "(") - (mark == ")")
        if depth < 0:
            break
    return address if depth == 0 else address.replace("(", "%28").replace(")", "%29")


def _is_letter(mark: str) -> bool:
    """Whether CommonMark takes a character for neither white space nor punctuation."""
    return not mark.isspace() and unicodedata.category(mark)[0] not in "PS"


def _is_stop(mark: str) -> bool:
    """Whether a character is a colon, a full stop and the like, in any script."""
    return unicodedata.category(mark) == "Po"


def _with_stops_outside(runs: Sequence[Run]) -> list[Run]:
    """The runs, with the stop that ends emphasis outside of it where a word follows: `**Note**:text`.

    CommonMark does not see the end of `**Note:**text`, and Chinese pages write little else.
    """
    split: list[Run] = []
    for at, run in enumerate(runs):
        split.append(run)
        right = runs[at + 1] if at + 1 < len(runs) else run
        if right is run or right.gap != NONE or run.ready or run.code or right.ready or right.code:
            continue
        kept = tuple(mark for mark in run.marks if mark in right.marks)
        word = run.text
        while word and _is_stop(word[-1]):
            word = word[:-1]
        if word in ("", run.text) or not (_is_letter(word[-1]) and _is_letter(right.text[0])):
            continue
        if run.link == right.link and kept != run.marks:
            stops = run.text[len(word) :]
            run.text = word
            split.append(Run(NONE, stops, kept, 0, ready=False))
    return split


def _is_white(gap: int, cell: bool) -> bool:
    """Whether a gap is written as white space; the `<br>` of a cell is not."""
    return gap == SPACE or (gap == BREAK and not cell)


def _drop_unsafe(runs: Sequence[Run], cell: bool) -> None:
    """Leave out the emphasis that CommonMark would not recognise where it touches a word."""
    since: dict[int, int] = {}  # open emphasis → the run it starts with …
    bad_start: dict[int, bool] = {}  # … and whether it cannot start there
    for at in range(len(runs) + 1):
        left = runs[at - 1] if at else None
        right = runs[at] if at < len(runs) else None
        before, after = (left.marks if left else ()), (right.marks if right else ())
        closing = [mark for mark in before if mark < 0 and mark not in after]
        opening = [mark for mark in after if mark < 0 and mark not in before]
        bad_closing, bad_opening = _bad(left, right, closing, opening, cell) if left and right else ((), ())
        for mark in closing:
            start = since.pop(mark)
            if bad_start.pop(mark) or mark in bad_closing:
                for run in runs[start:at]:
                    run.marks = tuple(other for other in run.marks if other != mark)
        for mark in opening:
            since[mark] = at
            bad_start[mark] = mark in bad_opening


def _bad(
    left: Run, right: Run, closing: list[int], opening: list[int], cell: bool
) -> tuple[Sequence[int], Sequence[int]]:
    """Of the marks that close and open between two runs, those that CommonMark would read otherwise."""
    around = any(mark in (STRONG, EMPHASIS) and mark in right.marks for mark in left.marks)
    # Two kinds of marks side by side are punctuation to each other: of these, only the strike stays.
    beside = [mark for mark in opening if mark != STRIKE and STRIKE in opening]
    if _is_white(right.gap, cell):
        return (), (beside if around else ())
    # An edge is "hard" where Markdown puts punctuation of its own: `code`, [link], ![picture], <br>.
    broken, moved = right.gap == BREAK, left.link != right.link
    hard_left = broken or left.ready or bool(left.code) or (moved and bool(left.link))
    hard_right = broken or right.ready or bool(right.code) or (moved and bool(right.link))
    word_left = not hard_left and _is_letter(left.text[-1])
    word_right = not hard_right and _is_letter(right.text[0])
    # A mark needs a word on its inner side, or none on its outer side.
    if word_right and not word_left:
        bad_closing: Sequence[int] = closing
    else:
        bad_closing = [mark for mark in closing if mark != STRIKE] if word_right and STRIKE in closing else ()
    # Between two words, or between none, a star may close what is open around it as well as open something.
    if closing or (word_left and not word_right) or (word_left == word_right and around):
        return bad_closing, opening
    return bad_closing, (beside if word_left or around else ())


def _joined_code(runs: Sequence[Run]) -> list[Run]:
    """The runs, with code that touches code as one: between them, the backticks would be read as one fence."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else run
        if run.code and last.code and last is not run and run.gap == NONE and run.marks == last.marks:
            last.text += run.text
        else:
            joined.append(run)
    return joined


def _lines(runs: Sequence[Run], addresses: Mapping[int, str], cell: bool) -> list[str]:
    """The runs with their marks, broken into lines."""
    lasts = _lasts(runs)
    lines: list[str] = []
    out: list[str] = []
    stack: list[int] = []
    for at, run in enumerate(runs):
        keep, last = 0, lasts[at]
        while keep < len(stack) and stack[keep] in last:
            keep += 1
        link = run.link
        if link and link not in stack[:keep]:
            # A link is never cut in two: what ends inside it starts anew in it.
            keep = next((index for index, mark in enumerate(stack[:keep]) if last[mark] < last[link]), keep)
        closed = stack[keep:]
        out += _endings(closed, addresses)
        del stack[keep:]
        if run.gap == SPACE:
            out.append(" ")
        elif run.gap == BREAK and cell:
            out.append("<br>")
        elif run.gap == BREAK:
            lines.append("".join(out))
            out = []
        if closed and closed[0] < 0 and not _is_white(run.gap, cell):
            # `**a*b***c*`: a mark that another one cuts cannot start anew right there, only inside a link.
            inside = last[link] if link and link not in stack else -1
            for mark in [mark for mark in closed if mark in last and last[mark] > inside]:
                for later in range(at, last[mark] + 1):
                    lasts[later].pop(mark, None)
        for mark in sorted((mark for mark in last if mark not in stack), key=lambda mark: (-last[mark], -mark)):
            if mark > 0 and run.gap == NONE and out and out[-1].endswith("!"):
                out[-1] = out[-1][:-1] + "\\!"  # or the link would be a picture
            out.append(_DELIMITERS[mark] if mark < 0 else "[")
            stack.append(mark)
        touches = at + 1 < len(runs) and runs[at + 1].gap == NONE
        out.append(_written(run, bool(link), cell, touches))
    lines.append("".join([*out, *_endings(stack, addresses)]))
    return lines


def _lines_of_links(runs: Sequence[Run], addresses: Mapping[int, str], cell: bool) -> list[str]:
    """The same for runs without emphasis and code, of which most paragraphs are made: links do not nest."""
    lines: list[str] = []
    out: list[str] = []
    open_link = 0
    last = len(runs) - 1
    for at, run in enumerate(runs):
        link = run.link
        if open_link and link != open_link:
            out.append(f"]({destination(addresses[open_link])})")
        if run.gap == SPACE:
            out.append(" ")
        elif run.gap == BREAK and cell:
            out.append("<br>")
        elif run.gap == BREAK:
            lines.append("".join(out))
            out = []
        if link and link != open_link:
            if run.gap == NONE and out and out[-1].endswith("!"):
                out[-1] = out[-1][:-1] + "\\!"  # or the link would be a picture
            out.append("[")
        open_link = link
        out.append(_written(run, bool(link), cell, at < last and runs[at + 1].gap == NONE))
    if open_link:
        out.append(f"]({destination(addresses[open_link])})")
    lines.append("".join(out))
    return lines


def _endings(stack: Sequence[int], addresses: Mapping[int, str]) -> list[str]:
    """What ends these marks, innermost first."""
    return [_DELIMITERS[mark] if mark < 0 else f"]({destination(addresses[mark])})" for mark in reversed(stack)]


def _lasts(runs: Sequence[Run]) -> list[dict[int, int]]:
    """For each run its marks, each with the last run that it covers without a gap in between."""
    lasts: list[dict[int, int]] = []
    following: dict[int, int] = {}
    for at in range(len(runs) - 1, -1, -1):
        following = {mark: following.get(mark, at) for mark in runs[at].marks}
        lasts.append(following)
    return lasts[::-1]


def _written(run: Run, in_link: bool, cell: bool, touches: bool) -> str:
    """A run as Markdown; one that touches the next may be the first half of what reads as a character reference."""
    if run.code:
        return code_span(run.text).replace("|", "\\|") if cell else code_span(run.text)
    text = run.text if run.ready else escape(run.text, in_link)
    if touches and not run.ready and "&" in text:
        text = _HALF_ENTITY.sub(r"\\&", text)
    if not cell or "|" not in text:
        return text
    return _PIPE.sub(_escaped_pipe, text)


def _escaped_pipe(found: re.Match[str]) -> str:
    r"""A pipe in a cell: after a backslash, renderers disagree on what `\|` means."""
    return found[0][:-1] + ("&#124;" if len(found[0]) > 1 else "\\|")
