"""`duramen crawl`: URL lists in, clean standardised text out."""

from __future__ import annotations

import inspect
import typing
from pathlib import Path
from typing import Annotated, Any, get_origin

import typer

from duramen.cli.options import read_settings
from duramen.cli.report import FAILED, INTERRUPTED, NOTHING, say, warn
from duramen.crawl.config import KEYS, Config, load

_ABOUT = """Crawl a list of URLs into clean, standardised text.

    \b
    duramen crawl config.toml
    duramen crawl config.toml --url-list today.txt --output-dir today
    duramen crawl --url-list urls.txt --output-encoding utf-8 --algorithms news=default

    Every key of the configuration file is an option here, and an option overrides the file. Run again, a crawl that was
    interrupted or killed continues. docs/crawl.md tells the rest.
    """


def _crawl(config: Path | None, setting: list[str] | None, quiet: bool, **values: Any) -> None:
    overrides = {name: value for name, value in values.items() if value is not None}
    overrides |= read_settings(setting)
    chosen = load(config, overrides)
    from duramen.crawl.run import crawl as run

    summary = run(chosen, said=None if quiet else warn)
    if not quiet:
        for line in summary.lines():
            say(line)
        say(f"results are in {chosen.output_dir}")
    if summary.interrupted:
        raise typer.Exit(INTERRUPTED)
    if summary.failures:
        raise typer.Exit(FAILED)
    if summary.pages and not summary.ok:
        raise typer.Exit(NOTHING)


def _parameters() -> list[inspect.Parameter]:
    """The command's parameters: the file, then an option for every key of the configuration."""
    file = typer.Argument(metavar="CONFIG", help="A TOML file with any of the keys below.", show_default=False)
    setting = typer.Option(
        "--option",
        "-O",
        metavar="TYPE.KEY=VALUE",
        help="A setting of a type's algorithm, such as forum.min_length=10. Repeatable.",
        show_default=False,
    )
    quiet = typer.Option("--quiet", "-q", help="Say nothing on stderr but errors.")
    kinds: list[tuple[str, Any, Any, Any]] = [("config", Path | None, file, None)]
    kinds += [(name, *_option(name)) for name in KEYS]
    kinds += [("setting", list[str] | None, setting, None), ("quiet", bool, quiet, False)]
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, how])
        for name, kind, how, default in kinds
    ]


def _option(name: str) -> tuple[Any, Any, Any]:
    """Type, option and default of a key; None is: as the file says."""
    hint = typing.get_type_hints(Config)[name]
    words = str(KEYS[name].metadata["help"])
    flag = f"--{name.replace('_', '-')}"
    default = KEYS[name].default
    if hint is bool:
        shown = f"{words} [default: {'on' if default else 'off'}]"
        return bool | None, typer.Option(f"{flag}/--no-{flag[2:]}", help=shown, show_default=False), None
    if get_origin(hint) in (tuple, dict):
        kind: Any = list[str] | None
        shown = f"{words} Repeatable."
    else:
        kind = str | None
        plain = default not in ("", None) and "[default" not in words
        shown = f"{words} [default: {default:g}]" if isinstance(default, float) else words
        shown = f"{words} [default: {default}]" if plain and not isinstance(default, float) else shown
    return kind, typer.Option(flag, metavar=_metavar(hint), help=shown, show_default=False), None


def _metavar(hint: Any) -> str:
    if get_origin(hint) is typing.Literal:
        return "|".join(typing.get_args(hint))
    return {int: "NUMBER", float: "NUMBER", str: "TEXT"}.get(hint, "TEXT")


def crawl(**values: Any) -> None:
    """Replaced below: the signature is made of the configuration's keys."""
    _crawl(**values)


crawl.__doc__ = _ABOUT
crawl.__signature__ = inspect.Signature(_parameters())  # type: ignore[attr-defined]
crawl.__annotations__ = {each.name: each.annotation for each in _parameters()}
