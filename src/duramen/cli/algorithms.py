"""`duramen algorithms`: which algorithms there are, and their settings."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duramen.cli.outputs import write

if TYPE_CHECKING:
    from duramen.algorithms import Algorithm


def algorithms(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Only this one, with its settings.", show_default=False),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Every algorithm with its settings.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the algorithms, or the settings of one.

    \b
    duramen algorithms
    duramen algorithms coreex
    duramen algorithms --json
    """
    from duramen.algorithms import ALGORITHMS, DEFAULT, algorithm

    if name is not None:
        algorithm(name)  # says which ones there are when there is none of that name
        name = DEFAULT if name == "default" else name
    chosen = {key: kind for key, kind in ALGORITHMS.items() if name in (None, key)}
    described = [_describe(key, kind, default=key == DEFAULT) for key, kind in chosen.items()]
    if as_json:
        write(json.dumps(described if name is None else described[0], ensure_ascii=False, indent=2) + "\n")
    else:
        write("\n".join(_lines(entry, verbose or name is not None) for entry in described))


def _describe(name: str, kind: type[Algorithm], *, default: bool) -> dict[str, Any]:
    from duramen.algorithms import settings

    return {
        "name": name,
        "default": default,
        "summary": (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " "),
        "paper": kind.paper,
        "options": [
            {"name": entry.name.rstrip("_"), "type": entry.kind, "default": entry.default} for entry in settings(kind)
        ],
    }


def _lines(entry: dict[str, Any], with_options: bool) -> str:
    """One algorithm as the list shows it."""
    lines = [entry["name"] + (" (default)" if entry["default"] else ""), f"  {entry['summary']}", f"  {entry['paper']}"]
    if with_options:
        rows = [(f"-O {one['name']}={_shown(one['default'])}", one["type"]) for one in entry["options"]]
        width = max((len(setting) for setting, _ in rows), default=0)
        lines += ["  Settings and their defaults:" if rows else "  It has no settings."]
        lines += [f"    {setting:<{width}}  {kind}" for setting, kind in rows]
    return "\n".join(lines) + "\n"


def _shown(default: object) -> str:
    """A default as it would be typed."""
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, tuple | list | frozenset):
        return ",".join(_shown(part) for part in default)
    return "none" if default is None else str(default)
