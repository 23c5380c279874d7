"""The options that commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from duramen.errors import OptionError

PageArgument = Annotated[
    str | None,
    typer.Argument(metavar="INPUT", help="A file or a URL; - or nothing reads stdin.", show_default=False),
]
AlgorithmOption = Annotated[
    str, typer.Option("--algorithm", "-a", metavar="NAME", help="One of those that `duramen algorithms` lists.")
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-O",
        metavar="KEY=VALUE",
        help="A setting of the algorithm, as `duramen algorithms NAME` lists them. Repeatable.",
        show_default=False,
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write here instead of to stdout.", show_default=False),
]
UrlOption = Annotated[
    str | None,
    typer.Option(
        "--url", metavar="URL", help="Where a file or stdin came from: makes links absolute.", show_default=False
    ),
]
CharsetOption = Annotated[
    str | None,
    typer.Option("--charset", metavar="NAME", help="The page's encoding, where you know better.", show_default=False),
]
AllowPrivateOption = Annotated[
    bool, typer.Option("--allow-private", help="Fetch from this machine and private networks too.")
]
TimeoutOption = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="Time limit for a URL, redirects and all.")
]
MaxBytesOption = Annotated[int, typer.Option("--max-bytes", metavar="BYTES", min=1, help="Size limit for a page.")]


def read_settings(pairs: Sequence[str] | None) -> dict[str, object]:
    """`KEY=VALUE` pairs as a mapping; the last one of a key counts."""
    settings: dict[str, object] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise OptionError(f"an option is written key=value, not {pair!r}")
        settings[key.strip()] = value.strip()
    return settings
