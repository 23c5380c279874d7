"""What `GET /algorithms` tells: every algorithm, and its settings in enough detail to draw controls for them."""

from __future__ import annotations

import inspect
import io
import tokenize
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

from duramen.algorithms import ALGORITHMS, DEFAULT, Algorithm, settings
from duramen.algorithms.learned.page_type import INDEX, TYPES
from duramen.explain.nodes import plain
from duramen.service.schema import AlgorithmInfo, Algorithms, Format, Setting
from duramen.version import VERSION

# Sensible ends of a slider, where a setting has them: least, most, step.
_RANGES: Mapping[tuple[str, str], tuple[float, float, float]] = {
    ("cetd", "lambda"): (0, 1, 0.01),
    ("cetd", "spatial"): (0, 2, 0.05),
    ("coreex", "threshold"): (0, 1, 0.01),
}
_SHARES = (
    "threshold",
    "weight",
    "share",
    "ratio",
)  # numbers of these names lie between 0 and 1 when their default does


@cache
def listing() -> Algorithms:
    """All of them. It does not change while the service runs."""
    return Algorithms(
        algorithms=[_algorithm(name, kind) for name, kind in ALGORITHMS.items()],
        default=DEFAULT,
        page_types=[*TYPES, INDEX],
        formats=list(get_args(Format)),
        version=VERSION,
    )


def _algorithm(name: str, kind: type[Algorithm]) -> AlgorithmInfo:
    hints, comments = typing.get_type_hints(kind), _comments(kind)
    return AlgorithmInfo(
        name=name,
        default=name == DEFAULT,
        summary=(inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " "),
        paper=kind.paper,
        settings=[
            _setting(name, entry.name, entry.kind, entry.default, hints[entry.name], comments.get(entry.name, ""))
            for entry in settings(kind)
        ],
    )


def _setting(algorithm: str, field: str, words: str, default: object, hint: Any, comment: str) -> Setting:
    members = get_args(hint) if get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    kinds = [member for member in members if member is not type(None)]
    least, most, step = _range(algorithm, field.rstrip("_"), default)
    choices = [choice for member in kinds if get_origin(member) is Literal for choice in get_args(member)]
    return Setting(
        name=field.rstrip("_"),
        type="choice" if choices and len(kinds) == 1 else _type(kinds),
        choices=choices or None,
        nullable=type(None) in members,
        default=plain(default),
        minimum=least,
        maximum=most,
        step=step,
        kind=words,
        help=comment,
    )


def _type(kinds: list[Any]) -> Any:
    names = {bool: "boolean", int: "integer", float: "number", str: "text"}
    if len(kinds) == 1 and kinds[0] in names:
        return names[kinds[0]]
    return "list" if any(get_origin(kind) is tuple for kind in kinds) else "other"


def _range(algorithm: str, name: str, default: object) -> tuple[float | None, float | None, float | None]:
    if (algorithm, name) in _RANGES:
        return _RANGES[algorithm, name]
    is_share = isinstance(default, float) and 0 <= default <= 1 and any(word in name for word in _SHARES)
    return (0, 1, 0.01) if is_share else (None, None, None)


def _comments(kind: type) -> dict[str, str]:
    """The comment behind each field of a class: that is where our settings are explained."""
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):
        return {}
    found: dict[str, str] = {}
    first, field = True, ""
    for token in tokenize.generate_tokens(io.StringIO(inspect.cleandoc(source)).readline):
        if token.type == tokenize.NEWLINE:
            first, field = True, ""
        elif token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.NL):
            continue
        elif token.type == tokenize.COMMENT:
            if field:
                found.setdefault(field, token.string.lstrip("# "))
        elif first:
            first, field = False, token.string if token.type == tokenize.NAME else ""
    return found
