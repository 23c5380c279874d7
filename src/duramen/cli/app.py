"""The `duramen` command: its sub-commands, `--version`, and the one place where errors become exit codes."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from duramen.cli.algorithms import algorithms
from duramen.cli.batch import batch
from duramen.cli.bench import app as bench
from duramen.cli.compare import compare
from duramen.cli.crawl import crawl
from duramen.cli.explain import explain
from duramen.cli.extract import extract
from duramen.cli.report import reported
from duramen.cli.serve import serve
from duramen.cli.train import train


class Commands(TyperGroup):
    """Sub-commands whose errors are reported in one line."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        with reported():
            return super().invoke(ctx)


app = typer.Typer(
    name="duramen",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help: it is read in pipes and manuals too, and half as slow
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (extract, explain, compare, algorithms, crawl, serve, batch):
    app.command()(command)
app.add_typer(train)
app.add_typer(bench)


def _version(wanted: bool) -> None:
    if wanted:
        from duramen.cli.version import version_line

        typer.echo(version_line())
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """The main content of web pages, and why it was chosen.

    \b
    duramen extract page.html            the text of a page
    duramen extract https://example.org  fetched first
    duramen explain page.html            why each part was kept or dropped
    duramen compare page.html            what each algorithm makes of it
    duramen crawl config.toml            a list of URLs into clean text
    duramen algorithms                   which ones there are
    """
