"""`duramen batch`: whole archives in, one file or a folder of results out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duramen.cli import options as shared
from duramen.cli.report import FAILED, is_terminal, say, warn
from duramen.crawl.fetch import MAX_BYTES, TIMEOUT
from duramen.errors import MissingExtra, OptionError

if TYPE_CHECKING:
    from duramen.jobs.local import Job, Summary
    from duramen.jobs.shards import Cut
    from duramen.pool import Budget


class Engine(str, Enum):
    """Where a job runs."""

    LOCAL = "local"
    RAY = "ray"


class Dedup(str, Enum):
    """What counts as a repetition."""

    EXACT = "exact"
    NEAR = "near"


def batch(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT",
            help="Folders, patterns, WARC, JSON lines, Parquet and HTML files, .txt lists of URLs, URLs.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="A .parquet, .jsonl, .jsonl.gz or .jsonl.zst file; any other name is a folder of parts.",
            show_default=False,
        ),
    ],
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", "-w", metavar="N", min=1, help="Processes. [default: one a core]", show_default=False
        ),
    ] = None,
    algorithm: shared.AlgorithmOption = "default",
    option: shared.SettingsOption = None,
    formats: Annotated[
        str, typer.Option("--formats", metavar="NAMES", help="Columns: text, markdown, html, standard, with commas.")
    ] = "text",
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="NAMES",
            help="Only these columns, such as url,text: the others are not computed.",
            show_default=False,
        ),
    ] = None,
    part_form: Annotated[
        str, typer.Option("--part-form", metavar="FORM", help="In a folder: parquet, jsonl, jsonl.gz or jsonl.zst.")
    ] = "parquet",
    html_field: Annotated[
        str | None,
        typer.Option("--html-field", metavar="NAME", help="Field or column that holds the page.", show_default=False),
    ] = None,
    url_field: Annotated[
        str | None,
        typer.Option("--url-field", metavar="NAME", help="Field or column that holds its URL.", show_default=False),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="SECONDS", min=0.01, help="Time limit for a page in a worker.")
    ] = 10.0,
    memory: Annotated[int, typer.Option("--memory", metavar="MB", min=1, help="Memory limit for a page.")] = 1024,
    page_type: Annotated[
        bool, typer.Option("--page-type", help="Tell the kind of each page, which takes about as long as extraction.")
    ] = False,
    timings: Annotated[
        bool, typer.Option("--timings", help="Add a column of seconds, which differs from run to run.")
    ] = False,
    no_links: Annotated[bool, typer.Option("--no-links", help="Leave link targets out; their text stays.")] = False,
    no_images: Annotated[bool, typer.Option("--no-images", help="Leave images out.")] = False,
    no_tables: Annotated[bool, typer.Option("--no-tables", help="Leave tables out.")] = False,
    no_formatting: Annotated[bool, typer.Option("--no-formatting", help="Leave bold, italics and such out.")] = False,
    part_bytes: Annotated[
        int | None,
        typer.Option(
            "--part-bytes",
            metavar="BYTES",
            min=1,
            help="Input bytes of an archive in a part. [default: 4 MiB compressed, 16 MiB plain]",
            show_default=False,
        ),
    ] = None,
    allow_private: shared.AllowPrivateOption = False,
    timeout: shared.TimeoutOption = TIMEOUT,
    max_bytes: shared.MaxBytesOption = MAX_BYTES,
    engine: Annotated[Engine, typer.Option("--engine", help="This machine, or a Ray cluster.")] = Engine.LOCAL,
    dedup: Annotated[
        Dedup | None,
        typer.Option("--dedup", help="Mark pages whose text repeats an earlier one's.", show_default=False),
    ] = None,
    templates: Annotated[
        Path | None,
        typer.Option(
            "--templates",
            metavar="FILE",
            help="Take out what sites repeat: learned from the inputs first, or read from FILE where it exists.",
            show_default=False,
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Start over, whatever is there.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but errors.")] = False,
) -> None:
    """Extract the pages of whole archives. Interrupted, the same command goes on where it stopped.

    \b
    duramen batch crawl.warc.gz -o pages.parquet
    duramen batch 'site/**/*.html' -o pages.jsonl.zst --formats text,markdown
    duramen batch crawl.warc.gz -o corpus.parquet --columns url,text
    duramen batch urls.txt -o pages.jsonl --workers 4
    """
    try:
        from duramen.jobs.dedup import Dedup as Repeats
        from duramen.jobs.local import Job
        from duramen.jobs.parts import Form, form_of
        from duramen.jobs.settings import Settings
        from duramen.jobs.shards import Cut
        from duramen.pool import Budget
    except ModuleNotFoundError as problem:
        raise MissingExtra(f'batch needs {problem.name}: pip install "duramen[jobs]"') from None
    cut = Cut(part_bytes, max_bytes, html_field, url_field, timeout, allow_private)
    limits = Budget(seconds, memory << 20)
    try:
        form = form_of(output.name) or Form(part_form)
    except ValueError:
        raise OptionError(f"--part-form is one of {', '.join(one.value for one in Form)}, not {part_form!r}") from None
    if columns is None:
        wanted = partial(Settings, formats=_names(formats), page_types=page_type, timings=timings)
    elif formats != "text" or page_type or timings:
        raise OptionError("--columns names all columns: without --formats, --page-type and --timings")
    else:
        wanted = partial(Settings.of_columns, _names(columns))
    job = Job(
        tuple(inputs),
        output,
        form,
        wanted(
            algorithm=algorithm,
            options=tuple(sorted(shared.read_settings(option).items())),
            links=not no_links,
            images=not no_images,
            tables=not no_tables,
            formatting=not no_formatting,
            max_bytes=max_bytes,
            budget=limits,
            templates=None if templates is None else _templates(templates, inputs, cut, workers, limits),
        ),
        cut,
        None if dedup is None else Repeats(near=dedup is Dedup.NEAR),
    )
    with _progress(job, engine, shown=not quiet and is_terminal(sys.stderr)) as watch:
        summary = _run(job, engine, workers, overwrite, watch)
    if not quiet:
        _report(summary)
    if summary.damaged:
        raise typer.Exit(FAILED)


def _names(text: str) -> tuple[str, ...]:
    """Names with commas between them, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _templates(path: Path, inputs: list[str], cut: Cut, workers: int | None, budget: Budget) -> str:
    """What the sites of the inputs repeat: as a file says, or learned now and written there for the next time."""
    from duramen.jobs.inputs import find_inputs
    from duramen.jobs.templates import SiteTemplates, learn_inputs

    if path.exists():
        return SiteTemplates.from_json(path.read_text("utf-8")).to_json()
    text = learn_inputs(find_inputs(inputs), cut, workers=workers, budget=budget).to_json()
    draft = path.with_name(path.name + ".draft")
    draft.write_text(text, "utf-8")
    draft.replace(path)
    return text


def _run(job: Job, engine: Engine, workers: int | None, overwrite: bool, watch: Callable[[Summary], None]) -> Summary:
    if engine is Engine.RAY:
        from duramen.jobs.cluster.ray import run_job as run_on_ray

        return run_on_ray(job, workers=workers, overwrite=overwrite, watch=watch)
    from duramen.jobs.local import run_job

    return run_job(job, workers=workers, overwrite=overwrite, watch=watch)


def _report(summary: Summary) -> None:
    if summary.unchanged:
        say(f"nothing to do: {summary.rows:,} pages were done before")
        return
    before = f", {summary.resumed:,} of {summary.parts:,} parts from before" if summary.resumed else ""
    say(f"{summary.rows:,} pages: {summary.failed:,} failed, {summary.empty:,} without content{before}")
    if summary.damaged:
        warn(f"{summary.damaged:,} places in the inputs could not be read: see the rows with reason 'damaged'")


@contextmanager
def _progress(job: Job, engine: Engine, *, shown: bool) -> Iterator[Callable[[Summary], None]]:
    """A bar on stderr with pages a second and the time left, where someone watches."""
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from duramen.jobs.weight import total_weight

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        total = total_weight(job.found()) if engine is Engine.LOCAL else None  # elsewhere, only the engine can see them
        task = progress.add_task("Extracting", total=total)
        before: list[int] = []

        def watch(summary: Summary) -> None:
            seconds = progress.tasks[0].elapsed or 0.0
            if not before or summary.resumed == summary.parts:
                before[:] = [summary.rows]  # what an earlier run did says nothing of the speed
            speed = (summary.rows - before[0]) / seconds if seconds else 0.0
            shown = f"{summary.rows:,} pages, {speed:,.0f}/s"
            progress.update(task, completed=summary.weight, description=shown)

        yield watch
