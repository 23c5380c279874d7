"""A comparison as tables and columns."""

from __future__ import annotations

from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from duramen.cli.agreement import Comparison
from duramen.cli.report import CONTROLS

NARROWEST_COLUMN = 32  # characters; texts stand one below the other where columns would be narrower
PLAIN_WIDTH = 100  # of what is not written to a terminal


def side_by_side(comparison: Comparison, *, texts: bool, terminal: bool) -> str:
    """The figures and, if wanted, the texts: in columns on a terminal that is wide enough."""
    page = StringIO()
    console = Console(file=page, force_terminal=terminal, width=Console().width if terminal else PLAIN_WIDTH)
    console.print(_figures(comparison))
    if len(comparison.outcomes) > 1:
        console.print(_agreement(comparison))
    if texts and terminal and console.width // len(comparison.outcomes) >= NARROWEST_COLUMN:
        console.print(_columns(comparison))
    elif texts:
        for name, outcome in comparison.outcomes.items():
            console.rule(Text(name), align="left")
            console.print(_shown(outcome.text), soft_wrap=True)
    # A table pads its lines to the full width; nobody wants those blanks in a file.
    return page.getvalue() if terminal else "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())


def _figures(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE, title=f"{comparison.page_words:,} words on the page", title_justify="left")
    table.add_column("algorithm")
    for heading in ("characters", "words", "share", "time"):
        table.add_column(heading, justify="right")
    for name, outcome in comparison.outcomes.items():
        counts = f"{len(outcome.text):,}", f"{outcome.words.total():,}"
        table.add_row(Text(name), *counts, f"{comparison.share(name):.1%}", f"{outcome.seconds * 1000:.1f} ms")
    return table


def _agreement(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE, title="Agreement (F1 of the words)", title_justify="left")
    table.add_column("")
    for name in comparison.outcomes:
        table.add_column(Text(name), justify="right")
    for name in comparison.outcomes:
        table.add_row(Text(name), *(f"{comparison.agreement(name, other):.3f}" for other in comparison.outcomes))
    return table


def _columns(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE, expand=True)
    for name in comparison.outcomes:
        table.add_column(Text(name), ratio=1, overflow="fold")
    table.add_row(*(_shown(outcome.text) for outcome in comparison.outcomes.values()))
    return table


def _shown(text: str) -> Text:
    """A page's text as text: nothing in it is markup, nothing steers the terminal."""
    return Text(text.translate(CONTROLS))
