"""Learned numbers as plain data: versioned JSON files, shipped with the package or trained by the user."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from duramen.errors import ModelError

Model = TypeVar("Model")


def shipped(kind: str) -> list[str]:
    """The names of the models of a kind that come with the package."""
    return list(_shipped(kind))


@cache
def _shipped(kind: str) -> tuple[str, ...]:
    names = (entry.name for entry in files(__name__).iterdir())
    start, stop = f"{kind}-", ".json"
    found = (name[len(start) : -len(stop)] for name in names if name.startswith(start) and name.endswith(stop))
    return tuple(sorted(found))


def read_model(kind: str, version: int, name: str, make: Callable[[Mapping[str, Any]], Model]) -> Model:
    """The shipped model of that name, or the one in the `.json` file of that path; `make` builds it of the data.

    `ModelError` where there is none, where it is of another version, or where `make` cannot build it.
    """
    if not (name.endswith(".json") or "/" in name or "\\" in name):
        found: Model = _read_shipped(kind, version, name, make)
        return found
    path = Path(name)
    try:
        state = path.stat()
    except OSError as problem:
        raise _unreadable(name, kind, version, problem) from None
    # A model that was trained anew is read anew.
    model: Model = _read(kind, version, str(path.absolute()), make, (state.st_mtime_ns, state.st_size))
    return model


@cache
def _read_shipped(kind: str, version: int, name: str, make: Callable[[Mapping[str, Any]], Model]) -> Model:
    if name not in _shipped(kind):
        known = ", ".join(_shipped(kind)) or "none"
        raise ModelError(
            f"there is no {kind} model {name!r} (version {version}), only {known}; "
            "a model of your own is named by the path of its .json file"
        )
    found: Model = _read(kind, version, str(files(__name__) / f"{kind}-{name}.json"), make, (0, 0))
    return found


@lru_cache(maxsize=16)
def _read(
    kind: str, version: int, place: str, make: Callable[[Mapping[str, Any]], Model], state: tuple[int, int]
) -> Model:
    try:
        found = json.loads(Path(place).read_bytes())
    except OSError as problem:
        raise _unreadable(place, kind, version, problem) from None
    except ValueError as problem:
        raise _damaged(place, kind, version, f"it is no JSON: {problem}") from None
    if not isinstance(found, dict) or found.get("format") != f"duramen {kind}":
        raise _damaged(place, kind, version, f'it is not marked as "format": "duramen {kind}"')
    if found.get("version") != version:
        raise ModelError(
            f"{place} is a {kind} model of version {found.get('version')}, but version {version} is needed: "
            "train it again with this duramen, or use the duramen that made it"
        )
    try:
        return make(found)
    except KeyError as problem:
        raise _damaged(place, kind, version, f"it has no {problem}") from None
    except (TypeError, ValueError, AttributeError) as problem:
        raise _damaged(place, kind, version, str(problem)) from None


def _unreadable(place: str, kind: str, version: int, problem: OSError) -> ModelError:
    return ModelError(f"cannot read the {kind} model {place} (version {version}): {problem.strerror or problem}")


def _damaged(place: str, kind: str, version: int, what: str) -> ModelError:
    return ModelError(f"{place} is no usable {kind} model of version {version}: {what}")


__all__ = ["read_model", "shipped"]
