"""`duramen extract`: pages in, their content out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duramen.cli import options as shared
from duramen.cli.inputs import Input, Reading, find_inputs
from duramen.cli.outputs import Folder, Lines, OneFile, Output, Stdout
from duramen.cli.report import FAILED, NOTHING, error, is_terminal, say, warn
from duramen.crawl.fetch import MAX_BYTES, TIMEOUT
from duramen.errors import InputError, OptionError

if TYPE_CHECKING:
    from duramen.extract import Extraction
    from duramen.page import Reason


class Format(str, Enum):
    """What a result is written as."""

    STANDARD = "standard"
    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


class Hidden(str, Enum):
    """What is done with invisible text."""

    DROP = "drop"
    FLAG = "flag"
    KEEP = "keep"


_SUFFIX = {
    Format.STANDARD: ".txt",
    Format.TEXT: ".txt",  # after the other .txt, so that the suffix stands for this one
    Format.MARKDOWN: ".md",
    Format.HTML: ".html",
    Format.JSON: ".json",
}
_FORMAT = {suffix: form for form, suffix in _SUFFIX.items()} | {
    ".htm": Format.HTML,
    ".markdown": Format.MARKDOWN,
    ".jsonl": Format.JSON,
}


def extract(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="INPUT",
            help="Files, URLs, folders (their *.html, *.htm and *.xhtml, at any depth); - or nothing reads stdin.",
            show_default=False,
        ),
    ] = None,
    algorithm: shared.AlgorithmOption = "default",
    option: shared.SettingsOption = None,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            case_sensitive=False,
            help="How results are written. [default: as the output's suffix says, else text]",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="A file for one page; for several a folder, or a .jsonl file with a line for each.",
            show_default=False,
        ),
    ] = None,
    url: shared.UrlOption = None,
    charset: shared.CharsetOption = None,
    comments: Annotated[
        bool | None,
        typer.Option(
            "--comments/--no-comments",
            help="Keep readers' comments on articles in the text. [default: as the algorithm has it]",
            show_default=False,
        ),
    ] = None,
    hidden: Annotated[
        Hidden | None,
        typer.Option(
            "--hidden",
            case_sensitive=False,
            help="What is done with invisible text. [default: as the algorithm has it]",
            show_default=False,
        ),
    ] = None,
    no_links: Annotated[bool, typer.Option("--no-links", help="Leave link targets out; their text stays.")] = False,
    no_images: Annotated[bool, typer.Option("--no-images", help="Leave images out.")] = False,
    no_tables: Annotated[bool, typer.Option("--no-tables", help="Leave tables out.")] = False,
    no_formatting: Annotated[bool, typer.Option("--no-formatting", help="Leave bold, italics and such out.")] = False,
    allow_private: shared.AllowPrivateOption = False,
    timeout: shared.TimeoutOption = TIMEOUT,
    max_bytes: shared.MaxBytesOption = MAX_BYTES,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but errors.")] = False,
) -> None:
    """Extract the main content of pages.

    \b
    duramen extract page.html
    duramen extract https://example.org/ --format markdown
    curl -s https://example.org/ | duramen extract --url https://example.org/
    duramen extract site/ -o texts/ --algorithm coreex -O threshold=0.8
    duramen extract site/ -o pages.jsonl
    """
    from duramen.algorithms import algorithm as configured
    from duramen.extract import extract as run

    chosen = configured(algorithm, shared.read_settings(option))
    found, several = find_inputs(inputs or [])
    form = _choose(form, output)
    place = _output(output, form, several)
    reading = Reading(url, charset, allow_private, timeout, max_bytes)
    failed = empty = 0
    barred = quiet or not several or (output is None and is_terminal(sys.stdout))
    with closing(place), _progress(found, shown=not barred and is_terminal(sys.stderr)) as pages:
        for one in pages:
            try:
                source = reading.read(one)
                result = run(
                    source.body,
                    url=source.url,
                    charset=source.charset,
                    algorithm=chosen,
                    comments=comments,
                    hidden=None if hidden is None else hidden.value,
                    links=not no_links,
                    images=not no_images,
                    tables=not no_tables,
                    formatting=not no_formatting,
                )
            except InputError as problem:
                error(str(problem))
                failed += 1
                continue
            if result.reason is not None:
                empty += 1
                if not quiet:
                    warn(f"{one.name}: nothing extracted: {explained(result.reason)}")
            place.put(one, _written(one, result, form, lines=several or _is_lines(output)))
    if len(found) > 1 and not quiet and (failed or empty):
        say(f"{len(found)} inputs: {failed} failed, {empty} without content")
    if failed:
        raise typer.Exit(FAILED)
    if empty == len(found):
        raise typer.Exit(NOTHING)


def explained(reason: Reason) -> str:
    """Why a page gave nothing, in words."""
    words = {
        "empty_input": "it is empty",
        "not_html": "it is not a web page",
        "needs_javascript": "its text is put in by scripts, which are not run (save the page from a browser)",
        "no_text": "it has no visible text",
        "no_content": "the algorithm takes none of its text for content (try another, see `duramen compare`)",
    }
    return words.get(reason.value, reason.value)


def _choose(form: Format | None, output: Path | None) -> Format:
    """The format asked for, or the one that the output's suffix stands for."""
    implied = _FORMAT.get(output.suffix.lower()) if output is not None and not output.is_dir() else None
    if _is_lines(output) and form not in (None, Format.JSON):
        raise OptionError("a .jsonl file holds JSON: leave --format out, or choose another output")
    return form or implied or Format.TEXT


def _is_lines(output: Path | None) -> bool:
    return output is not None and output.suffix.lower() == ".jsonl"


def _output(output: Path | None, form: Format, several: bool) -> Output:
    if output is None:
        return Stdout(lines=form is Format.JSON)
    if _is_lines(output):
        return Lines(output)
    return Folder(output, _SUFFIX[form]) if several or output.is_dir() else OneFile(output)


def _written(one: Input, result: Extraction, form: Format, lines: bool) -> str:
    """A result as it is written: it ends with a line end, or is empty."""
    if form is Format.JSON:
        record = {"input": one.name, **result.to_dict()}
        return json.dumps(record, ensure_ascii=False, indent=None if lines else 2) + "\n"
    if result.reason is not None:
        return ""
    written: str = getattr(result, form.value)
    return written.rstrip("\n") + "\n"


@contextmanager
def _progress(found: list[Input], *, shown: bool) -> Iterator[Iterable[Input]]:
    """The inputs, with a bar on stderr where someone watches and results do not run across it."""
    if not shown:
        yield found
        return
    from rich.console import Console
    from rich.progress import Progress

    # The bar redirects sys.stderr: what is said meanwhile appears above it.
    with Progress(console=Console(stderr=True), transient=True) as progress:
        yield progress.track(found, description="Extracting")
