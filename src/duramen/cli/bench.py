"""`duramen bench`: measure extractors, reproduce the papers, and guard what was reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duramen.cli.outputs import write
from duramen.cli.report import FAILED, say, warn
from duramen.errors import OptionError

if TYPE_CHECKING:
    from duramen.bench.datasets import Dataset

app = typer.Typer(
    name="bench",
    no_args_is_help=True,
    rich_markup_mode=None,
)

CORPORA = "DURAMEN_CORPORA"


@app.callback()
def about() -> None:
    """Measure extractors, reproduce the papers' tables and figures, and guard what was reached.

    \b
    duramen bench list                  experiments, extractors, layouts of data sets
    duramen bench run                   scores of extractors on data sets
    duramen bench report RUN            a page about them
    duramen bench experiment NAME       a table or figure of a paper
    duramen bench speed                 time and memory
    duramen bench gate                  has anything become worse?
    duramen bench label INPUT           make a gold text
    """


class TokensChoice(str, Enum):
    """What is compared."""

    TERMS = "terms"
    WORDS = "words"
    CHARS = "chars"


DataOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--data",
        "-d",
        envvar=CORPORA,
        metavar="PATH",
        help="A corpus (.jsonl, .jsonl.xz, .jsonl.gz), a folder of corpora, or a labelled folder. Repeatable.",
        show_default=False,
    ),
]
OnlyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="NAMES",
        help="Of those, these data sets, with commas between. Repeatable.",
        show_default=False,
    ),
]
LayoutOption = Annotated[
    str | None,
    typer.Option(
        "--layout", metavar="NAME", help="The layout of a folder, where it is not recognised.", show_default=False
    ),
]
ExtractorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--extractor",
        "-e",
        metavar="NAME",
        help="econ, coreex?configuration=R3, peer:trafilatura, module:function, ours, rivals. Repeatable.",
        show_default=False,
    ),
]
SampleOption = Annotated[
    int | None,
    typer.Option("--sample", "-n", min=1, metavar="N", help="At most so many pages of a data set.", show_default=False),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Of the sample and of resampling.")]
WorkersOption = Annotated[int, typer.Option("--workers", "-j", min=1, help="Processes at a time.")]
FolderOption = Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where results go.")]


def _data(data: list[Path] | None, only: list[str] | None) -> dict[str, Path]:
    from duramen.bench.datasets import find

    if not data:
        raise OptionError(f"say which data sets: --data PATH, or set {CORPORA}")
    found = find(data)
    if not only:
        return found
    names = [name.strip() for name in ",".join(only).split(",") if name.strip()]
    for name in names:
        if name not in found:
            raise OptionError(f"there is no data set {name!r}: there are {', '.join(found)}")
    return {name: found[name] for name in names}


def _loaded(
    paths: dict[str, Path], layout: str | None, sample: int | None, seed: int, quiet: bool = False
) -> Iterator[Dataset]:
    """One data set after the other, so that only one is in memory."""
    from duramen.bench.datasets import load

    for name, path in paths.items():
        dataset = load(path, layout=layout, sample=sample, seed=seed)
        if dataset.damaged and not quiet:
            rows = ", ".join(str(each.number) for each in dataset.damaged[:20])
            more = f" and {len(dataset.damaged) - 20} more" if len(dataset.damaged) > 20 else ""
            warn(f"{name}: rows that cannot be read and are left out: {rows}{more} ({dataset.damaged[0].why})")
        yield dataset


@contextmanager
def _progress(quiet: bool) -> Iterator[tuple[Callable[[str, int], None], Callable[[str, Any], None]]]:
    """A bar for each data set on stderr: what to call at its start, and at each page."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as bars:
        current: list[Any] = []

        def start(dataset: str, pages: int) -> None:
            current.append(bars.add_task(dataset, total=pages))

        def page(extractor: str, scores: Any) -> None:
            bars.advance(current[-1])

        yield start, page


@app.command()
def run(
    output: FolderOption = Path("bench-run"),
    extractor: ExtractorOption = None,
    data: DataOption = None,
    only: OnlyOption = None,
    layout: LayoutOption = None,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 2,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="Time limit for a page.")
    ] = 20,
    tokens: Annotated[TokensChoice, typer.Option("--tokens", help="What the scores compare.")] = TokensChoice.TERMS,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure everything anew.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no warnings.")] = False,
) -> None:
    """Score extractors on data sets; a run that was stopped is taken up again.

    \b
    duramen bench run -d corpora/ -e ours -o first
    duramen bench run -d corpora/ --only chinese,cleaneval -e cetd -e 'coreex?configuration=R3' -e peer:trafilatura
    duramen bench run -d my-pages/ --layout cetd -e default --sample 100
    """
    import shutil

    from duramen.bench.extractors import extractors
    from duramen.bench.leaderboard import kinds, leaderboard, other_figures, standings
    from duramen.bench.runs import Settings, measure

    chosen = extractors(extractor or ["ours"])
    paths = _data(data, only)
    if fresh and (output / "run.json").is_file():
        shutil.rmtree(output / "scores", ignore_errors=True)
        (output / "run.json").unlink()
    settings = Settings(workers=workers, timeout=timeout, tokens=tokens.value, seed=seed, sample=sample)
    with _progress(quiet) as (start, page):
        made = measure(
            output, chosen, _loaded(paths, layout, sample, seed, quiet), settings, on_start=start, on_page=page
        )
    for name, why in made.left_out.items():
        say(f"{name} is left out: {why}")
    failed = [
        (dataset, name, key, scores["error"])
        for dataset, name, pages in made.all_scores()
        for key, scores in pages.items()
        if "error" in scores
    ]
    for dataset, name, key, why in failed[: 0 if quiet else 20]:
        say(f"{name} failed on {dataset}/{key}: {why}")
    if len(failed) > 20 and not quiet:
        say(f"… and {len(failed) - 20} more, all in {output}")
    if not any(True for _ in made.all_scores()):
        raise OptionError("nothing was measured: no extractor is installed, or no page was read")
    found = standings(made)
    tables = [leaderboard(found), kinds(found), other_figures(found)]
    for each in filter(None, tables):
        each.save(output)
        write(each.markdown() + "\n")


@app.command("list")
def list_() -> None:
    """The experiments by name, the extractors, and what is missing.

    \b
    duramen bench list
    """
    from duramen.bench.datasets import LAYOUTS
    from duramen.bench.experiments import EXPERIMENTS
    from duramen.bench.extractors import described, extractors

    lines = ["Experiments (duramen bench experiment NAME):"]
    width = max(map(len, EXPERIMENTS))
    lines += [f"  {name:<{width}}  {each.title}" for name, each in EXPERIMENTS.items()]
    lines += ["", "Extractors (-e NAME; settings as NAME?option=value&option=value):"]
    for name, missing in described(extractors(["ours", "rivals"])).items():
        lines.append(f"  {name}" + (f"  not installed: {missing}" if missing else ""))
    lines += ["", f"Layouts of data sets: jsonl, {', '.join(LAYOUTS)}"]
    write("\n".join(lines) + "\n")


@app.command()
def experiment(
    name: Annotated[str, typer.Argument(metavar="NAME", help="From `duramen bench list`; `all` for every one.")],
    output: FolderOption = Path("experiments"),
    data: DataOption = None,
    only: OnlyOption = None,
    layout: LayoutOption = None,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 2,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no warnings.")] = False,
) -> None:
    """Reproduce a table or figure of a paper; the paper's figures stand beside ours.

    \b
    duramen bench experiment coreex-table1 -d corpora/ -o out
    duramen bench experiment cetd-fig5 -d corpora/ --only cleaneval --sample 100
    """
    from duramen.bench.experiments import Setting, named, perform

    paths = _data(data, only)
    for each in named(name):
        setting = Setting(paths=paths, sample=sample, seed=seed, workers=workers, layout=layout, asked=bool(only))
        if not quiet:
            say(f"{each.name}: {each.title}")
        write(perform(each, setting, output) + "\n")


@app.command()
def speed(
    output: FolderOption = Path("bench-speed"),
    extractor: ExtractorOption = None,
    data: DataOption = None,
    only: OnlyOption = None,
    layout: LayoutOption = None,
    sample: Annotated[int, typer.Option("--sample", "-n", min=1, metavar="N", help="Pages of each data set.")] = 20,
    seed: SeedOption = 0,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="The best of so many counts.")] = 3,
    growth: Annotated[bool, typer.Option("--growth/--no-growth", help="Also how time grows with the page.")] = True,
    largest: Annotated[
        float, typer.Option("--largest", min=0.01, max=64, metavar="MB", help="The largest made-up page.")
    ] = 30,
) -> None:
    """CPU time of extractors, interleaved page by page in one process, as ratios to a lexbor parse.

    \b
    duramen bench speed -d corpora/ --only wcxb -e ours
    duramen bench speed -e econ -e peer:resiliparse --no-growth -d corpora/ --sample 50
    """
    from duramen.bench.extractors import extractors
    from duramen.bench.speed import measure_speed

    chosen = extractors(extractor or ["ours"])
    pages = [page for each in _loaded(_data(data, only), layout, sample, seed) for page in each.pages]
    found = measure_speed(chosen, pages, output, repeats=repeats, largest=largest if growth else None)
    for name, why in found.left_out.items():
        say(f"{name} is left out: {why}")
    write(found.markdown() + "\n")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of `duramen bench run`.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="[default: report.html in the run]", show_default=False),
    ] = None,
    worst: Annotated[int, typer.Option("--worst", min=0, help="Pages listed for each extractor.")] = 10,
    explain: Annotated[int, typer.Option("--explain", min=0, help="Of those, so many are explained.")] = 3,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--diff", metavar="A B", help="Two extractors, page by page. [default: the best two]", show_default=False
        ),
    ] = None,
    pages: Annotated[int, typer.Option("--pages", min=0, help="So many pages of that difference.")] = 12,
) -> None:
    """One HTML page of a run: leaderboard, page types, speed, worst pages, differences.

    \b
    duramen bench report first
    duramen bench report first --diff cetd econ --pages 20 -o report.html
    """
    from duramen.bench.report import write_report
    from duramen.bench.runs import read_run

    path = write_report(
        read_run(folder), output or folder / "report.html", worst=worst, explain=explain, diff=diff, pages=pages
    )
    write(f"{path}\n")


@app.command()
def gate(
    floors: Annotated[Path, typer.Option("--floors", metavar="FILE", help="The pinned floors.")] = Path(
        "benchmarks/gate.json"
    ),
    data: DataOption = None,
    update: Annotated[bool, typer.Option("--update", help="Pin what is reached now.")] = False,
    allow_lower: Annotated[bool, typer.Option("--allow-lower", help="With --update: lower floors too.")] = False,
    workers: WorkersOption = 2,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Fail where an algorithm has become worse than its pinned floor on a seeded sample.

    \b
    duramen bench gate -d corpora/
    duramen bench gate -d corpora/ --update
    """
    from duramen.bench.gate import check, pin

    paths = _data(data, None)
    with _progress(quiet) as (start, page):
        if update:
            result = pin(floors, paths, workers=workers, allow_lower=allow_lower, on_start=start, on_page=page)
        else:
            result = check(floors, paths, workers=workers, on_start=start, on_page=page)
    write(result.markdown() + "\n")
    for line in result.failures:
        say(line)
    if result.failures:
        raise typer.Exit(FAILED)


@app.command()
def label(
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A file or a URL.")],
    output: FolderOption = Path("labelled"),
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", metavar="NAME", help="Ticks the first boxes.")
    ] = "default",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: a free one.")] = 0,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Fetch from private networks too.")] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it.")] = True,
) -> None:
    """Make a gold text: tick the blocks of a page that are content, in the browser.

    \b
    duramen bench label page.html -o my-pages
    duramen bench label https://example.org --algorithm econ
    """
    import webbrowser

    from duramen.bench.labelling import serve
    from duramen.cli.inputs import Reading, one_input
    from duramen.crawl.fetch import MAX_BYTES, TIMEOUT

    one = one_input(source)
    page = Reading(None, None, allow_private, TIMEOUT, MAX_BYTES).read(one)

    def ready(address: str) -> None:
        say(f"tick what is content at {address} (Ctrl-C ends)")
        if browser:
            webbrowser.open(address)

    path = serve(page.body, page.url, one.name, output, algorithm=algorithm, port=port, on_ready=ready)
    if path is not None:
        write(f"{path}\n")
