"""What an algorithm is, and how its settings are read from text, checked and listed."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, ClassVar, Literal, Protocol, get_args, get_origin, runtime_checkable

from duramen.errors import OptionError, UnknownAlgorithm
from duramen.page import Page, Selection


@runtime_checkable
class Algorithm(Protocol):
    """A frozen dataclass of settings with one pure method. Bad settings raise `ValueError` in its constructor."""

    paper: ClassVar[str]

    def select(self, page: Page) -> Selection:
        """Which rows of the page are content, and why."""
        ...


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of an algorithm, as the command line lists it."""

    name: str
    kind: str  # "number", "switch", "one of a, b, c" …
    default: object


def settings(kind: type[Algorithm]) -> tuple[Setting, ...]:
    """The settings of an algorithm, in the order of its fields."""
    hints = typing.get_type_hints(kind)
    return tuple(
        Setting(entry.name, _describe(hints[entry.name]), _default(entry))
        for entry in dataclasses.fields(typing.cast(Any, kind))
        if entry.init
    )


def configure(
    table: Mapping[str, type[Algorithm]], default: str, chosen: str | Algorithm, options: Mapping[str, object]
) -> Algorithm:
    """An algorithm of `table` by name, with `options` as its settings; or `chosen` itself when it is an object."""
    present: dict[str, Any] = {}
    if isinstance(chosen, str):
        name = default if chosen == "default" else chosen
        if name not in table:
            raise UnknownAlgorithm(f"unknown algorithm {chosen!r}: {_suggest(chosen, ('default', *table))}")
        kind: Any = table[name]
    else:
        kind, name = type(chosen), type(chosen).__name__
        if isinstance(chosen, type) or not callable(getattr(chosen, "select", None)):
            raise UnknownAlgorithm(f"an algorithm is a name or a configured object with select(page), not {chosen!r}")
        if not options:
            return chosen
        if not dataclasses.is_dataclass(kind):
            raise OptionError(f"{name} is no dataclass: set its options in its constructor")
        present = {entry.name: getattr(chosen, entry.name) for entry in dataclasses.fields(kind) if entry.init}
    if not options and not present:
        return _plain(kind)
    hints = _hints(kind)
    known = [entry.name for entry in dataclasses.fields(kind) if entry.init]
    values = present
    for key, value in options.items():
        key = key.replace("-", "_")
        field = key if key in known else f"{key}_"  # `lambda` is spelt `lambda_` in Python
        if field not in known:
            raise OptionError(f"{name} has no option {key!r}: {_suggest(key, known)}")
        values[field] = _convert(name, key, value, hints[field])
    try:
        return typing.cast(Algorithm, kind(**values))
    except ValueError as error:
        raise OptionError(f"{name}: {error}") from None


@cache
def _plain(kind: Any) -> Algorithm:
    """An algorithm with its own settings: it never changes, so one serves all."""
    return typing.cast(Algorithm, kind())


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """The types of an algorithm's settings: finding them takes as long as parsing a page."""
    return typing.get_type_hints(kind)


def _default(entry: dataclasses.Field[Any]) -> object:
    if entry.default_factory is not dataclasses.MISSING:
        return entry.default_factory()
    return None if entry.default is dataclasses.MISSING else entry.default


def _suggest(word: str, known: typing.Iterable[str]) -> str:
    known = [name.rstrip("_") for name in known]
    close = get_close_matches(word, known, n=1)
    options = ", ".join(known) if known else "none"
    return f"did you mean {close[0]!r}? It has: {options}" if close else f"there are: {options}"


def _members(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a union, or the hint itself."""
    return get_args(hint) if get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


def _describe(hint: Any) -> str:
    words = []
    for member in _members(hint):
        if get_origin(member) is Literal:
            words.append("one of " + ", ".join(str(value) for value in get_args(member)))
        elif get_origin(member) is tuple:
            words.append("comma-separated list")
        else:
            names = {bool: "on or off", int: "whole number", float: "number", str: "text", type(None): "none"}
            words.append(names.get(member, getattr(member, "__name__", str(member))))
    return " or ".join(words)


_SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def _convert(name: str, key: str, value: object, hint: Any) -> object:
    """`value`, given as text or as what it is, as the type of the setting."""
    try:
        return _any_of(hint, value)
    except ValueError:
        raise OptionError(f"{name}: option {key} takes {_describe(hint)}, not {value!r}") from None


def _any_of(hint: Any, value: object) -> object:
    """`value` as the first of the hint's alternatives that takes it; `none` is None rather than a list of one word."""
    for member in sorted(_members(hint), key=lambda member: member is not type(None)):
        try:
            return _as(member, value)
        except (ValueError, TypeError, KeyError):
            continue
    raise ValueError


def _as(kind: Any, value: object) -> object:
    if kind is type(None):
        if value is None or str(value).lower() == "none":
            return None
        raise ValueError
    if get_origin(kind) is Literal:
        for choice in get_args(kind):
            if value == choice or (isinstance(value, str) and value.lower() == str(choice).lower()):
                return choice
        raise ValueError
    if get_origin(kind) is tuple:
        parts: list[Any] = (
            [part.strip() for part in value.split(",") if part.strip()]
            if isinstance(value, str)
            else list(typing.cast(typing.Iterable[Any], value))
        )
        inner = get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_any_of(inner[0], part) for part in parts)
        if len(inner) != len(parts):
            raise ValueError
        return tuple(_as(each, part) for each, part in zip(inner, parts))
    if kind is bool:
        return value if isinstance(value, bool) else _SWITCH[str(value).lower()]
    if isinstance(value, bool):
        raise ValueError
    if kind is int:
        return int(value) if isinstance(value, (int, str)) else _whole(value)
    if kind is float:
        return float(typing.cast(Any, value))
    if kind is str and isinstance(value, str):
        return value
    if kind is Algorithm and isinstance(value, Algorithm) and not isinstance(value, type):
        return value
    raise ValueError


def _whole(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise ValueError
