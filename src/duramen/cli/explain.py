"""`duramen explain`: why each part of a page was kept or dropped."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from duramen.cli import options as shared
from duramen.cli.inputs import Reading, one_input
from duramen.cli.outputs import save, write
from duramen.crawl.fetch import MAX_BYTES, TIMEOUT


class Format(str, Enum):
    """What an explanation is written as."""

    TEXT = "text"
    HTML = "html"
    JSON = "json"


def explain(
    source: shared.PageArgument = None,
    algorithm: shared.AlgorithmOption = "default",
    option: shared.SettingsOption = None,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            case_sensitive=False,
            help="A table, the coloured page, or everything as data. [default: as the output's suffix says, else text]",
            show_default=False,
        ),
    ] = None,
    output: shared.OutputOption = None,
    url: shared.UrlOption = None,
    charset: shared.CharsetOption = None,
    allow_private: shared.AllowPrivateOption = False,
    timeout: shared.TimeoutOption = TIMEOUT,
    max_bytes: shared.MaxBytesOption = MAX_BYTES,
) -> None:
    """Show every decision that an algorithm took on a page.

    \b
    duramen explain page.html
    duramen explain page.html -o page.explained.html
    duramen explain page.html --algorithm coreex --format json
    """
    from duramen.algorithms import algorithm as configured
    from duramen.explain import explain as run

    chosen = configured(algorithm, shared.read_settings(option))
    one = one_input(source)
    page = Reading(url, charset, allow_private, timeout, max_bytes).read(one)
    explanation = run(page.body, url=page.url, charset=page.charset, algorithm=chosen)
    form = form or _implied(output)
    if form is Format.HTML:
        written = explanation.to_html()
    else:
        written = explanation.to_json() if form is Format.JSON else explanation.to_text()
    written = written.rstrip("\n") + "\n"
    if output is None:
        write(written)
    else:
        save(output, written, one)


def _implied(output: Path | None) -> Format:
    suffix = "" if output is None else output.suffix.lower()
    return {".html": Format.HTML, ".htm": Format.HTML, ".json": Format.JSON}.get(suffix, Format.TEXT)
