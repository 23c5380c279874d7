"""Blocks of Markdown → lines, inside the lists and quotations that hold them.

This file compiles to C, with its C types in `writer.pxd`, and runs as Python where it is not compiled.
"""

from __future__ import annotations

from duramen.render.lines import MAX_NESTING

MAX_NUMBER = 999_999_999  # of an item, in CommonMark
_BULLETS = ("-", "*")
_ORDINALS = (".", ")")


class _List:
    """A list that is being written."""

    __slots__ = ("implied", "items", "mark", "ordered", "spread", "width")

    def __init__(self, ordered: bool, mark: str, implied: bool) -> None:
        self.ordered = ordered
        self.mark = mark
        self.implied = implied  # made for an item outside of any list
        self.items = 0
        self.spread = False  # whether the item before holds an empty line
        self.width = 2  # of its last marker


class _Level:
    """What adds to the start of every line: a quotation or a list item; the page itself adds nothing."""

    __slots__ = ("first", "last_list", "lists", "owner", "rest", "used")

    def __init__(self, first: str, rest: str, owner: _List | None = None, used: bool = False) -> None:
        self.first = first  # before its first line
        self.rest = rest  # before the others
        self.used = used  # its first line is written
        self.owner = owner  # the list of an item
        self.lists: list[_List] = []  # the open lists directly in it
        self.last_list: _List | None = None  # the list that was just closed in it, with nothing after it


class Writer:
    """Writes blocks, each inside the containers that are open."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._levels = [_Level("", "", used=True)]
        self._shared = 1  # levels that have been open ever since the last block
        self._rule_at = 0  # where the last rule starts, when nothing follows it

    def open_quote(self) -> bool:
        """Start a quotation; False where it would be nested too deeply to show."""
        self._levels[-1].last_list = None
        return self._open(_Level("> ", "> "))

    def open_list(self, ordered: bool, implied: bool = False) -> None:
        """Start a list."""
        level = self._levels[-1]
        last, mark = level.last_list, (_ORDINALS if ordered else _BULLETS)[0]
        if last is not None and last.ordered == ordered:
            if implied and last.implied:
                level.lists.append(last)
                return
            mark = (_ORDINALS if ordered else _BULLETS)[last.mark == mark]  # or the two would run into one
        level.lists.append(_List(ordered, mark, implied))

    def open_item(self, number: int | None) -> bool:
        """Start an item of the innermost list; False where it would be nested too deeply to show."""
        owner = self._levels[-1].lists[-1]
        number = owner.items + 1 if number is None else min(max(number, 0), MAX_NUMBER)
        marker = f"{number}{owner.mark} " if owner.ordered else f"{owner.mark} "
        level = _Level(marker, " " * len(marker), owner)
        if self._open(level):
            owner.items += 1
            owner.width = len(marker)
            return True
        return False

    def open_rest(self) -> bool:
        """Go on inside the last item of the innermost list; False where it has none."""
        lists = self._levels[-1].lists
        if not lists or not lists[-1].items:
            return False
        pad = " " * lists[-1].width
        return self._open(_Level(pad, pad, lists[-1], used=True))

    @property
    def in_list(self) -> bool:
        """Whether an item would belong to an open list."""
        return bool(self._levels[-1].lists)

    def close(self) -> None:
        """End the innermost quotation or item."""
        level = self._levels.pop()
        if not level.used and level.owner is not None:
            level.owner.items -= 1
        self._shared = min(self._shared, len(self._levels))

    def close_list(self) -> None:
        """End the innermost list."""
        level = self._levels[-1]
        closed = level.lists.pop()
        if closed.items:
            level.last_list = closed

    def write(self, lines: list[str]) -> None:
        """Write one block."""
        if len(self._levels) == 1:  # in no container: nothing stands before its lines
            if self.lines:
                self.lines.append("")
            self.lines += lines
            self._levels[0].last_list = None
            self._shared = 1
            self._rule_at = 0
            return
        if self.lines and not self._tight():
            self.lines.append(self._prefix(self._shared).rstrip())
            for level in self._levels[1 : self._shared]:
                if level.owner is not None:
                    level.owner.spread = True
        first = "".join([level.rest if level.used else level.first for level in self._levels])
        rest = self._prefix(len(self._levels))
        self.lines.append((first + lines[0]) if lines[0] else first.rstrip())
        self.lines += [rest + line if line else rest.rstrip() for line in lines[1:]]
        for level in self._levels:
            level.used = True
        self._levels[-1].last_list = None
        self._shared = len(self._levels)
        self._rule_at = 0

    def write_rule(self) -> None:
        """Write a rule, unless it would stand first or follow another."""
        if self.lines and not self._rule_at:
            at = len(self.lines)
            self.write(["---" if self._levels[-1].used else "___"])  # "- ---" would be a rule without a list
            self._rule_at = at

    def text(self) -> str:
        """All that was written."""
        return "\n".join(self.lines[: self._rule_at] if self._rule_at else self.lines).rstrip()

    def _open(self, level: _Level) -> bool:
        if len(self._levels) > MAX_NESTING:
            return False
        self._levels.append(level)
        return True

    def _prefix(self, count: int) -> str:
        return "".join([level.rest for level in self._levels[:count]])

    def _tight(self) -> bool:
        """Whether the next block follows the last one without an empty line: an item after another, or inside one."""
        fresh = 0
        while fresh < len(self._levels) and self._levels[fresh].used:
            fresh += 1
        owner = self._levels[fresh].owner if fresh < len(self._levels) else None
        if not fresh or owner is None:
            return False
        if owner.items > 1:
            spread, owner.spread = owner.spread, False
            return not spread
        around = self._levels[fresh - 1].owner
        # A numbered list that does not start at 1 would be taken for a line of the paragraph above it.
        return around is not None and not around.spread and self._levels[fresh].first[:2] in ("- ", "* ", "1.", "1)")
