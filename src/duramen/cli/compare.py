"""`duramen compare`: what several algorithms make of one page."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duramen.cli import options as shared
from duramen.cli.inputs import Reading, one_input
from duramen.cli.outputs import save, write
from duramen.cli.report import is_terminal
from duramen.crawl.fetch import MAX_BYTES, TIMEOUT
from duramen.errors import OptionError

if TYPE_CHECKING:
    from duramen.algorithms import Algorithm


class Format(str, Enum):
    """What a comparison is written as."""

    TEXT = "text"
    JSON = "json"


def compare(
    source: shared.PageArgument = None,
    algorithms: Annotated[
        str | None,
        typer.Option(
            "--algorithms", "-a", metavar="NAMES", help="Which, with commas between. [default: all]", show_default=False
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-O",
            metavar="NAME.KEY=VALUE",
            help="A setting of one algorithm, as coreex.threshold=0.8. Repeatable.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            case_sensitive=False,
            help="Tables and texts, or data. [default: as the output's suffix says, else text]",
            show_default=False,
        ),
    ] = None,
    output: shared.OutputOption = None,
    summary: Annotated[bool, typer.Option("--summary", "-s", help="Only the figures, not the texts.")] = False,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--diff", metavar="A B", help="Instead, the lines in which two algorithms differ.", show_default=False
        ),
    ] = None,
    url: shared.UrlOption = None,
    charset: shared.CharsetOption = None,
    allow_private: shared.AllowPrivateOption = False,
    timeout: shared.TimeoutOption = TIMEOUT,
    max_bytes: shared.MaxBytesOption = MAX_BYTES,
) -> None:
    """Run several algorithms on a page and set them side by side.

    \b
    duramen compare page.html
    duramen compare page.html --algorithms coreex,cetd --summary
    duramen compare page.html -a coreex,cetd -O coreex.threshold=0.8
    duramen compare page.html --diff coreex cetd
    duramen compare page.html --format json
    """
    chosen = _choose(_names(algorithms, diff), option or ())
    one = one_input(source)
    page = Reading(url, charset, allow_private, timeout, max_bytes).read(one)

    from duramen.cli.agreement import run_all

    comparison = run_all(page.body, page.url, page.charset, chosen)
    styled = False
    if diff is not None:
        written = comparison.difference(*diff)
    elif (form or _implied(output)) is Format.JSON:
        record = {"input": one.name, **comparison.to_dict(texts=not summary)}
        written = json.dumps(record, ensure_ascii=False, indent=2) + "\n"
    else:
        from duramen.cli.side_by_side import side_by_side

        terminal = output is None and is_terminal(sys.stdout)
        written, styled = side_by_side(comparison, texts=not summary, terminal=terminal), terminal
    if output is None:
        write(written, styled=styled)
    else:
        save(output, written, one)


def _names(algorithms: str | None, diff: tuple[str, str] | None) -> list[str]:
    """The algorithms to run, each once, in the order they were named."""
    from duramen.algorithms import ALGORITHMS

    if diff is not None:
        return list(dict.fromkeys(diff))
    if algorithms is None:
        return list(ALGORITHMS)
    names = dict.fromkeys(name.strip() for name in algorithms.split(","))
    return [name for name in names if name] or list(ALGORITHMS)


def _choose(names: Sequence[str], options: Sequence[str]) -> dict[str, Algorithm]:
    """The algorithms with the settings that are theirs."""
    from duramen.algorithms import algorithm

    own: dict[str, dict[str, object]] = {name: {} for name in names}
    for key, value in shared.read_settings(options).items():
        name, dot, setting = key.partition(".")
        if not dot:
            raise OptionError(f"say whose setting {key!r} is: write {names[0]}.{key}={value}")
        if name not in own:
            raise OptionError(f"{key} is a setting of {name}, which is not compared: there are {', '.join(names)}")
        own[name][setting] = value
    return {name: algorithm(name, settings) for name, settings in own.items()}


def _implied(output: Path | None) -> Format:
    return Format.JSON if output is not None and output.suffix.lower() == ".json" else Format.TEXT
