"""Labelling pages: every block on a line with a sign for a person to change, and back to a gold text."""

from __future__ import annotations

from duramen.algorithms.pso import Pso
from duramen.decode import decode
from duramen.parse import parse_html5
from duramen.textblocks import text_blocks
from duramen.train.pages import LABEL_HEAD


def draft(html: bytes, proposal: Pso | None = None) -> str:
    """The blocks of a page, a line each: + before those that an extraction would keep, - before the others."""
    page = parse_html5(decode(html).utf8)
    chosen = proposal or Pso()
    selection = chosen.select(page)
    blocks = text_blocks(page, chosen.prune, chosen.remove_with_blank, chosen.remove)
    kept = [bool(selection.kept[row]) for row in blocks.blocks.rows[blocks.blocks.at[:-1]].tolist()]
    lines = [f"{'+' if keep else '-'} {text}" for keep, text in zip(kept, blocks.texts())]
    return "\n".join([LABEL_HEAD, *lines]) + "\n"
